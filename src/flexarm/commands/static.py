"""`flexarm static`: displacements, section forces and reactions of an arm whose joints are held."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flexarm.commands import options
from flexarm.commands.console import facts, heading, json_text, out, points, print_json, table
from flexarm.commands.frequencies import pose_of
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
  flexarm static naganathan-3r --load tip=0,10N,-5N
"""
TABLE = "static.json"
SHORT = ["N, N", "Vy, N", "Vz, N", "T, N*m", "My, N*m", "Mz, N*m"]
"""Axial force, shear forces, torsion and bending moments about the axes of the section."""


def static(
    scenario: options.Scenario,
    loads: Annotated[
        list[str] | None,
        typer.Option(
            "--load",
            metavar="LINK@PLACE=FX,FY,M",
            help="Force along x and y of the ground, and moment if any; in space FX,FY,FZ and MX,MY,MZ if any. May be "
            "repeated. The place is tip, root, a fraction or a named point; tip=... means the tip of the last link.",
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

    Gravity acts besides the loads; large deflections are included. The method is the scenario's, or fem where that has no loads
    at points.
    """
    import flexarm as fa
    from flexarm.commands import outputs

    loaded = fa.load(scenario, sets or ())
    if folder is not None:
        outputs.check_folder(folder, force)
    given = [_load(text, loaded) for text in loads or ()]
    found = fa.static(loaded, method, pose_of(loaded, pose), given, stations=stations, hold=hold)
    summary = _summary(loaded, found)
    if folder is not None:
        from flexarm.files import write_text

        write_text(folder / TABLE, json_text(summary) + "\n", force)
    if json:
        print_json(summary)
    else:
        _show(summary, folder)


def _load(text: str, scenario: Scenario) -> dict[str, Any]:
    """A load from LINK@PLACE=FX,FY,M."""
    where, equals, what = text.partition("=")
    parts = [part.strip() for part in what.split(",")]
    axes, most = (3, 6) if scenario.arm.spatial else (2, 3)
    if not equals or not where.strip() or len(parts) not in (axes, most) or not all(parts):
        forms = ("FX,FY,FZ", "FX,FY,FZ,MX,MY,MZ") if scenario.arm.spatial else ("FX,FY", "FX,FY,M")
        raise FlexarmError(f"'{text}' is no load; write LINK@PLACE={forms[0]} or LINK@PLACE={forms[1]}", field="--load")
    link, _, place = (part.strip() for part in where.partition("@"))
    if not place and link in ("tip", "root"):
        link, place = scenario.arm.links[-1].name, link
    field = f"--load of {link}"
    load: dict[str, Any] = {"link": link, "at": place or "tip"}
    load["force"] = [options.quantity(part, "N", field) for part in parts[:axes]]
    if len(parts) == most:
        moment = [options.quantity(part, "N*m", field) for part in parts[axes:]]
        load["moment"] = moment if scenario.arm.spatial else moment[0]
    return load


def _plain(value: Any) -> Any:
    """A number, or a list of numbers, from an array."""
    return value.tolist() if hasattr(value, "tolist") else value


def _summary(scenario: Scenario, found: StaticResult) -> dict[str, Any]:
    moved, forces, axes = found.displacement, found.forces, "xyz" if scenario.arm.spatial else "xy"
    kinds = {str(kind): values.values.tolist() for kind, values in forces.data_vars.items()}
    return {
        "scenario": scenario.name,
        "method": found.method,
        "loads": [
            {"link": load.link, "at": load.at, "force": list(load.force), "moment": load.moment} for load in found.loads
        ],
        "tip_displacement": found.tip_displacement.tolist(),
        "tip_rotation": _plain(found.tip_rotation),
        "displacement": [
            {"link": name, "s": float(s), **{axis: float(value) for axis, value in zip(axes, row, strict=False)}}
            for name, rows in zip(moved.link.values.tolist(), moved.values, strict=True)
            for s, row in zip(moved.s.values, rows, strict=True)
        ],
        "section_forces": [
            {"link": link, "s": s, **{kind: values[k] for kind, values in kinds.items()}}
            for k, (link, s) in enumerate(zip(forces.link.values.tolist(), forces.s.values.tolist(), strict=True))
        ],
        "roots": {
            name: dict(zip(found.roots.component.values.tolist(), row.tolist(), strict=True))
            for name, row in zip(found.roots.link.values.tolist(), found.roots.values, strict=True)
        },
        "reaction_force": found.reaction_force.tolist(),
        "reaction_moment": _plain(found.reaction_moment),
        "stable": found.stable,
        "imbalance": found.imbalance,
        "notes": list(found.notes),
    }  # fmt: skip


def _listed(values: Any, scale: float = 1.0) -> str:
    """Numbers of a vector, or a number, in words; what is rounding beside the largest is 0."""
    parts = values if isinstance(values, list) else [values]
    largest = max(abs(value) for value in parts)
    return ", ".join(f"{0.0 if abs(value) < 1e-11 * largest else scale * value:.6g}" for value in parts)


def _small(value: float, largest: float) -> str:
    """A number; 0 if it is rounding beside the largest."""
    return f"{0.0 if abs(value) < 1e-11 * largest else value:.5g}"


def _show(summary: dict[str, Any], folder: Path | None) -> None:
    heading(summary["scenario"])
    out().print(f"method {summary['method']}, all joints held")
    axes = [key for key in summary["displacement"][0] if key in ("x", "y", "z")]
    count = len(axes)
    moves = _listed(summary["tip_displacement"][:count], 1e3)
    held = _listed(summary["reaction_force"][:count])
    out().print()
    rows = [("tip moves by", f"{moves} mm"), ("ground holds with", f"{held} N")]
    turns, moment = f"{_listed(summary['tip_rotation'], 1e3)} mrad", f"{_listed(summary['reaction_moment'])} N*m"
    if count == 2:
        rows = [("tip moves by", f"{moves} mm, turns by {turns}"), ("ground holds with", f"{held} N, {moment}")]
    else:
        rows = [rows[0], ("tip turns by", turns), rows[1], ("and with", moment)]
    out().print(facts([*rows, ("imbalance", f"{summary['imbalance']:.1e} of the largest force")]))
    heading("Displacements")
    lines = [
        [row["link"], f"{row['s']:.3g}", *(f"{1e3 * row[axis]:.5g}" for axis in axes)]
        for row in summary["displacement"]
    ]
    out().print(table(["link", "s", *(f"{axis}, mm" for axis in axes)], lines, range(1, 2 + count)))
    heading("Section forces")
    kinds = [key for key in summary["section_forces"][0] if key not in ("link", "s")]
    units = (
        SHORT
        if count == 3
        else [f"{kind.replace('_', ' ')}, {'N' if k < 2 else 'N*m'}" for k, kind in enumerate(kinds)]
    )
    largest = max(abs(row[kind]) for row in summary["section_forces"] for kind in kinds)
    lines = [
        [row["link"], f"{row['s']:.3g}", *(_small(row[kind], largest) for kind in kinds)]
        for row in summary["section_forces"]
    ]
    out().print(table(["link", "s", *units], lines, range(1, 2 + len(kinds))))
    unstable = ["this equilibrium is unstable: the arm buckles; make it stiffer, or the loads smaller"]
    if notes := [*([] if summary["stable"] else unstable), *summary["notes"]]:
        out().print()
        points(notes)
    if folder is not None:
        heading(f"Files in {folder}")
        out().print(TABLE)
