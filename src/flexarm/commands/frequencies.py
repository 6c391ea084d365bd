"""`flexarm frequencies`: natural frequencies, damping and mode shapes."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flexarm.commands import options
from flexarm.commands.console import heading, out, points, print_json, table
from flexarm.errors import FlexarmError

if TYPE_CHECKING:
    from flexarm.analysis.frequencies import Frequencies
    from flexarm.scenario import Scenario

EXAMPLES = """\
\b
Examples:
  flexarm frequencies tokhi-azad --joints free
  flexarm frequencies my-arm.yaml -n 10 --set method.resolution=80
  flexarm frequencies naganathan-rp --along -n 4
  flexarm frequencies tapered-link --figures modes --format pdf --out shapes
"""
FIGURE, TABLE = "modes", "frequencies.json"


class Joints(enum.StrEnum):
    """What the motors do."""

    locked = "locked"
    free = "free"
    held = "held"


def frequencies(
    scenario: options.Scenario,
    n: Annotated[int, typer.Option("-n", "--number", metavar="COUNT", min=1, help="How many.")] = 6,
    method: options.Method = None,
    joints: Annotated[
        Joints, typer.Option(help="Motors held rigidly, without torque, or held by their control law.")
    ] = Joints.locked,
    pose: Annotated[
        str | None,
        typer.Option(
            metavar="VALUES",
            help="Joint positions separated by commas, for example 20deg,0.3; the start pose when left out.",
            show_default=False,
        ),
    ] = None,
    along: Annotated[
        bool,
        typer.Option("--along", help="Along the whole commanded motion, over time; writes figure, table and numbers."),
    ] = False,
    at_points: Annotated[
        int, typer.Option("--points", metavar="COUNT", min=2, help="With --along: at how many instants.")
    ] = 41,
    sets: options.Set = None,
    json: options.Json = False,
    figures: Annotated[str, typer.Option(metavar="NAMES", help="modes draws the mode shapes; none.")] = "none",
    formats: options.Formats = "png",
    folder: options.OutFolder = None,
    force: options.Force = False,
) -> None:
    """Natural frequencies, damping ratios and mode shapes.

    For one uniform link the exact frequencies of beam theory stand beside those of the method.
    """
    import flexarm as fa
    from flexarm.commands import outputs

    loaded = fa.load(scenario, sets or ())
    draws = outputs.checked_figures(figures, [FIGURE]) != []
    kinds = options.checked_formats(formats)
    if along:
        from flexarm.commands.along import show_along

        if pose is not None:
            raise FlexarmError("--along takes the poses from the motion; leave --pose out", field="--pose")
        target = folder if folder is not None else outputs.default_folder(loaded.source, "-frequencies")
        outputs.check_folder(target, force)
        path = fa.frequencies_along(loaded, method, n, at_points, joints.value)
        show_along(loaded, path, method or loaded.method.name, json, target, kinds, force)
        return
    if draws and folder is None:
        folder = outputs.default_folder(loaded.source, "-frequencies")
    if folder is not None:
        outputs.check_folder(folder, force)
    place = pose_of(loaded, pose)
    found = fa.frequencies(loaded, method, n, place, joints.value)
    summary = _summary(loaded, found, method or loaded.method.name, place, *_exact(loaded, joints, len(found.hz)))
    files = _write(folder, summary, found, kinds if draws else [], force)
    if json:
        print_json(summary)
    else:
        _show(loaded, summary, files)


def pose_of(scenario: Scenario, text: str | None) -> list[float] | None:
    """Joint positions in rad or m."""
    if text is None:
        return None
    names, parts = scenario.arm.joints, text.split(",")
    if len(parts) != len(names):
        raise FlexarmError(
            f"'{text}' has {len(parts)} values; give one for each joint ({', '.join(names)})", field="--pose"
        )
    units = ["m" if scenario.arm.link(name).joint.type == "prismatic" else "rad" for name in names]
    return [
        options.quantity(part, unit, f"--pose of {name}") for part, unit, name in zip(parts, units, names, strict=True)
    ]


def _exact(scenario: Scenario, joints: Joints, n: int) -> tuple[list[float], str]:
    """Frequencies of beam theory in Hz, or the reason why there are none."""
    from flexarm.analysis.exact_link import ExactLink

    if joints is Joints.held:
        return [], "exact values are known for locked and free joints"
    try:
        hub: Any = "pinned" if joints is Joints.free else "clamped"
        return [float(f) for f in ExactLink.from_arm(scenario.arm).frequencies(max(n, 1), hub)], ""
    except FlexarmError as error:
        return [], error.message


def _summary(
    scenario: Scenario, found: Frequencies, method: str, pose: list[float] | None, exact: list[float], why: str
) -> dict[str, Any]:
    hz = [float(f) for f in found.hz]
    return {
        "scenario": scenario.name,
        "method": method,
        "joints": found.joints,
        "pose": list(scenario.arm.pose) if pose is None else pose,
        "rigid_modes": found.rigid_modes,
        "unstable": found.unstable,
        "hz": hz,
        "damping_ratio": [float(d) for d in found.damping],
        "undamped_hz": [float(f) for f in found.undamped_hz],
        "notes": list(found.notes),
        "exact_hz": exact or None,
        "relative_difference": [f / e - 1.0 for f, e in zip(hz, exact, strict=True)] if exact else None,
        "without_exact": why,
        "strain_share": None if found.strain_share is None else _shares(found.strain_share),
    }


def _shares(share: Any) -> dict[str, list[float]]:
    """Share of every link that bends in the elastic energy of each mode."""
    links = share.link.values.tolist()
    return {name: share.sel(link=name).values.tolist() for name in links if float(share.sel(link=name).max()) > 0.0}


def _write(
    folder: Path | None, summary: dict[str, Any], found: Frequencies, kinds: list[str], force: bool
) -> list[Path]:
    if folder is None:
        return []
    from flexarm.commands.console import json_text
    from flexarm.files import write_text

    files = [write_text(folder / TABLE, json_text(summary) + "\n", force)]
    if kinds:
        from flexarm.view.files import save
        from flexarm.view.modes import modes

        picture = modes(found, count=len(found.hz))
        files += [save(picture, folder / f"{FIGURE}.{kind}", force, title="Mode shapes") for kind in kinds]
    return files


def _show(scenario: Scenario, summary: dict[str, Any], files: list[Path]) -> None:
    heading(scenario.name)
    states = {
        "locked": "motors held rigidly",
        "free": "motors without torque",
        "held": "joints held by their law",
    }
    out().print(f"method {summary['method']}, {states[summary['joints']]}")
    out().print()
    columns, rows = ["mode", "frequency, Hz", "damping, %"], []
    exact = summary["exact_hz"]
    if exact:
        columns += ["exact, Hz", "difference, %"]
    shares = summary["strain_share"] if summary["strain_share"] and len(summary["strain_share"]) > 1 else {}
    columns += [f"{name}, %" for name in shares]
    for k, (hz, ratio) in enumerate(zip(summary["hz"], summary["damping_ratio"], strict=True)):
        row = [str(k + 1), f"{hz:.4f}", f"{100 * ratio:.3g}"]
        row += [f"{exact[k]:.4f}", f"{100 * summary['relative_difference'][k]:+.3f}"] if exact else []
        rows.append(row + [f"{100 * share[k]:.1f}" for share in shares.values()])
    out().print(table(columns, rows, range(len(columns))))
    notes = list(summary["notes"])
    if summary["joints"] == "held":
        plain = ", ".join(f"{hz:.4f}" for hz in summary["undamped_hz"])
        notes.append(f"with the proportional gains alone, undamped: {plain} Hz")
    if summary["rigid_modes"]:
        count = summary["rigid_modes"]
        notes.append(f"the arm also moves without bending in {count} way{'s' if count > 1 else ''} (0 Hz)")
    if summary["unstable"]:
        why = "check signs and sizes of gains" if summary["joints"] == "held" else "it buckles under its load"
        notes.append(f"the arm is unstable: a motion grows by itself; {why}")
    if not exact:
        notes.append(f"no exact values: {summary['without_exact'].removeprefix('this arm has no exact solution: ')}")
    if shares:
        notes.append("the columns of the links are their shares in the strain energy")
    if notes:
        out().print()
        points(notes)
    if files:
        heading(f"Files in {files[0].parent}")
        out().print("  ".join(path.name for path in files))
