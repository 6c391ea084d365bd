"""`flexarm static`: displacements, section forces and reactions of an arm whose joints are held."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flexarm.commands import options
from flexarm.commands.console import facts, heading, json_text, out, points, print_json, table
from flexarm.commands.frequencies import _pose
from flexarm.errors import FlexarmError

if TYPE_CHECKING:
    from flexarm.analysis.static import StaticResult
    from flexarm.scenario import Scenario

EXAMPLES = """\
\b
Examples:
  flexarm static my-arm.yaml --load tip=0,-10N
  flexarm static my-arm.yaml --load upper@0.5=1kN,0,2N*m --pose 20deg,0.3
  flexarm static my-arm.yaml --load fore@tip=0,0,5N*m --json
"""
TABLE = "static.json"


def static(
    scenario: options.Scenario,
    loads: Annotated[
        list[str] | None,
        typer.Option(
            "--load",
            metavar="LINK@PLACE=FX,FY,M",
            help="Force along x and y of the ground, and moment if any; may be repeated. The place is tip, root, "
            "a fraction or a named point; tip=... means the tip of the last link.",
            show_default=False,
        ),
    ] = None,
    method: options.Method = None,
    pose: Annotated[
        str | None,
        typer.Option(
            metavar="VALUES",
            help="Joint positions separated by commas, for example 20deg,0.3; the start pose when left out.",
            show_default=False,
        ),
    ] = None,
    stations: Annotated[int, typer.Option(metavar="COUNT", min=2, help="Points along each link.")] = 5,
    hold: Annotated[bool, typer.Option("--hold", help="Hold also the joints that are free to move.")] = False,
    sets: options.Set = None,
    json: options.Json = False,
    folder: options.OutFolder = None,
    force: options.Force = False,
) -> None:
    """Displacements, section forces and reactions, all joints held.

    Gravity acts besides the loads; large deflections are included. The method is fem, whatever the scenario's is.
    """
    import flexarm as fa
    from flexarm.commands import outputs

    plan = fa.load(scenario, sets or ())
    if folder is not None:
        outputs.check_folder(folder, force)
    given = [_load(text, plan) for text in loads or ()]
    found = fa.static(plan, method, _pose(plan, pose), given, stations=stations, hold=hold)
    summary = _summary(plan, found)
    if folder is not None:
        from flexarm.files import write_text

        write_text(folder / TABLE, json_text(summary) + "\n", force)
    if json:
        print_json(summary)
    else:
        _show(summary, folder)


def _load(text: str, plan: Scenario) -> dict[str, Any]:
    """A load from LINK@PLACE=FX,FY,M."""
    where, equals, what = text.partition("=")
    parts = [part.strip() for part in what.split(",")]
    if not equals or not where.strip() or len(parts) not in (2, 3) or not all(parts):
        raise FlexarmError(f"'{text}' is no load; write LINK@PLACE=FX,FY or LINK@PLACE=FX,FY,M", field="--load")
    link, _, place = (part.strip() for part in where.partition("@"))
    if not place and link in ("tip", "root"):
        link, place = plan.arm.links[-1].name, link
    field = f"--load of {link}"
    forces = [options.quantity(part, "N", field) for part in parts[:2]]
    moment = options.quantity(parts[2], "N*m", field) if len(parts) == 3 else 0.0
    return {"link": link, "at": place or "tip", "force": forces, "moment": moment}


def _summary(plan: Scenario, found: StaticResult) -> dict[str, Any]:
    moved, forces = found.displacement, found.forces
    return {
        "scenario": plan.name,
        "method": "fem",
        "loads": [
            {"link": load.link, "at": load.at, "force": list(load.force), "moment": load.moment} for load in found.loads
        ],
        "tip_displacement": found.tip_displacement.tolist(),
        "tip_rotation": found.tip_rotation,
        "displacement": [
            {"link": name, "s": float(s), "x": float(row[0]), "y": float(row[1])}
            for name, rows in zip(moved.link.values.tolist(), moved.values, strict=True)
            for s, row in zip(moved.s.values, rows, strict=True)
        ],
        "section_forces": [
            {"link": link, "s": s, "axial": axial, "shear": shear, "moment": moment}
            for link, s, axial, shear, moment in zip(
                forces.link.values.tolist(), forces.s.values.tolist(), forces.axial.values.tolist(),
                forces.shear.values.tolist(), forces.moment.values.tolist(), strict=True,
            )
        ],
        "roots": {
            name: dict(zip(("x", "y", "moment"), row.tolist(), strict=True))
            for name, row in zip(found.roots.link.values.tolist(), found.roots.values, strict=True)
        },
        "reaction_force": found.reaction_force.tolist(),
        "reaction_moment": found.reaction_moment,
        "stable": found.stable,
        "imbalance": found.imbalance,
    }  # fmt: skip


def _show(summary: dict[str, Any], folder: Path | None) -> None:
    heading(summary["scenario"])
    out().print("method fem, all joints held")
    x, y, _ = summary["tip_displacement"]
    fx, fy, _ = summary["reaction_force"]
    out().print()
    out().print(
        facts(
            [
                ("tip moves by", f"{1e3 * x:.6g}, {1e3 * y:.6g} mm, turns by {1e3 * summary['tip_rotation']:.6g} mrad"),
                ("ground holds with", f"{fx:.6g}, {fy:.6g} N, {summary['reaction_moment']:.6g} N*m"),
                ("imbalance", f"{summary['imbalance']:.1e} of the largest force"),
            ]
        )
    )
    heading("Displacements")
    rows = [
        [row["link"], f"{row['s']:.3g}", f"{1e3 * row['x']:.5g}", f"{1e3 * row['y']:.5g}"]
        for row in summary["displacement"]
    ]
    out().print(table(["link", "s", "x, mm", "y, mm"], rows, range(1, 4)))
    heading("Section forces")
    rows = [
        [row["link"], f"{row['s']:.3g}", f"{row['axial']:.5g}", f"{row['shear']:.5g}", f"{row['moment']:.5g}"]
        for row in summary["section_forces"]
    ]
    out().print(table(["link", "s", "axial, N", "shear, N", "moment, N*m"], rows, range(1, 5)))
    if not summary["stable"]:
        out().print()
        points(["this equilibrium is unstable: the arm buckles; make it stiffer, or the loads smaller"])
    if folder is not None:
        heading(f"Files in {folder}")
        out().print(TABLE)
