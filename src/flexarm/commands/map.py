"""`flexarm map`: tip stiffness, first frequency and sag over a plane, or along the commanded motion."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flexarm.commands import options
from flexarm.commands.console import heading, json_text, out, print_json, table
from flexarm.errors import FlexarmError

if TYPE_CHECKING:
    from flexarm.analysis.workspace import WorkspaceMap

EXAMPLES = """\
\b
Examples:
  flexarm map six-axis --plane xz --from 0.2,0 --to 0.8,0.6 --count 7,7
  flexarm map six-axis --plane xz --from 0.3,0.1 --to 0.7,0.5 --rpy 180,0,0
  flexarm map naganathan-3r --points 11
"""


def map_(
    scenario: options.Scenario,
    sets: options.Set = None,
    plane: Annotated[
        str,
        typer.Option(
            metavar="AXES", help="Plane of places of the tip, such as xz; without it along the commanded motion."
        ),
    ] = "",
    first: Annotated[
        str, typer.Option("--from", metavar="A,B", help="First corner in that plane, m.", show_default=False)
    ] = "",
    last: Annotated[str, typer.Option("--to", metavar="A,B", help="Opposite corner, m.", show_default=False)] = "",
    at: Annotated[float, typer.Option("--at", help="Third coordinate, m.")] = 0.0,
    count: Annotated[str, typer.Option(metavar="N,M", help="Places along both axes.")] = "7,7",
    rpy: Annotated[
        str,
        typer.Option(
            metavar="R,P,Y", help="Roll, pitch and yaw of the tool in deg; any when left out.", show_default=False
        ),
    ] = "",
    points: Annotated[int, typer.Option(min=2, help="Instants along the motion.")] = 21,
    json: options.Json = False,
    folder: options.OutFolder = None,
    formats: options.Formats = "png",
    force: options.Force = False,
) -> None:
    """Map how stiff the arm is where: tip stiffness, first frequency and sag by weight, joints locked."""
    import numpy as np

    import flexarm as fa
    from flexarm.analysis.workspace import grid
    from flexarm.commands.outputs import default_folder
    from flexarm.files import refuse_existing, write_text

    loaded, kinds = fa.load(scenario, sets or ()), options.checked_formats(formats)
    place = folder or default_folder(loaded.source, "-map")
    paths = [place / f"map.{kind}" for kind in kinds]
    for path in (*paths, place / "map.json"):
        refuse_existing(path, force)
    places, turn = None, None
    if plane:
        corners = [_numbers(text, 2, name) for text, name in ((first, "--from"), (last, "--to"))]
        n, m = (int(value) for value in _numbers(count, 2, "--count"))
        if n < 2 or m < 2:
            raise FlexarmError("a map has at least two places along each axis", field="--count")
        places = grid(plane, corners[0], corners[1], (n, m), at, loaded.arm.spatial)
    if rpy:
        turn = np.radians(_numbers(rpy, 3, "--rpy"))
    found = fa.workspace_map(loaded, places, turn, plane, points)
    if not found.reached.any():
        raise FlexarmError("the arm reaches none of these places: move the plane, or leave the orientation free")
    data = {name: getattr(found, name).tolist() for name in ("place", "pose", "hz", "stiffness", "sag")}
    files = [write_text(place / "map.json", json_text({"scenario": loaded.name, "plane": plane, **data}) + "\n", force)]
    from flexarm.view.files import save
    from flexarm.view.workspace import workspace_figure

    files += [save(workspace_figure(found, loaded.name), path, force, title="Workspace") for path in paths]
    if json:
        print_json({"scenario": loaded.name, "plane": plane, **data})
        return
    _say(loaded.name, found, files)


def _say(name: str, found: WorkspaceMap, files: list[Path]) -> None:
    import numpy as np

    heading(name)
    good = found.reached
    out().print(f"{int(good.sum())} of {len(good)} places reached, joints locked")
    rows = []
    for words, values, unit, factor in (
        ("first frequency", found.hz, "Hz", 1.0),
        ("least tip stiffness", found.stiffness, "N/mm", 1e-3),
        ("sag by weight", found.sag, "mm", 1e3),
    ):
        low, high = int(np.nanargmin(values)), int(np.nanargmax(values))
        rows.append([words, *(f"{factor * values[k]:.4g} {unit} at {_place(found.place[k])}" for k in (low, high))])
    out().print(table(["", "least", "greatest"], rows))
    heading(f"Files in {files[0].parent}")
    out().print("  ".join(path.name for path in files))


def _place(values: object) -> str:
    return ", ".join(f"{float(value):.3g}" for value in values)  # type: ignore[attr-defined]


def _numbers(text: str, count: int, option: str) -> tuple[float, ...]:
    try:
        values = tuple(float(part) for part in text.split(","))
    except ValueError:
        values = ()
    if len(values) != count:
        raise FlexarmError(f"it wants {count} numbers separated by commas, not '{text}'", field=option)
    return values
