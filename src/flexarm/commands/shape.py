"""`flexarm shape`: the input shaper of a scenario: impulses, modes, widths, what it leaves."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flexarm.commands import options
from flexarm.commands.console import heading, json_text, out, points, print_json, table
from flexarm.errors import FlexarmError

if TYPE_CHECKING:
    from flexarm.control.shapers import Shaper
    from flexarm.scenario import Scenario

EXAMPLES = """\
\b
Examples:
  flexarm shape shaped-link
  flexarm shape tokhi-azad --type zvd --modes 1,2
  flexarm shape naganathan-flexible --type ei --at start
"""
FIGURE, LEFT, NUMBERS, OFF = "sensitivity", "residual", "shaper.json", 0.2


def shape(
    scenario: options.Scenario,
    kind: Annotated[
        str | None, typer.Option("--type", metavar="TYPE", help="zv, zvd, zvdd or ei.", show_default=False)
    ] = None,
    modes: Annotated[
        str | None, typer.Option(metavar="NUMBERS", help="Modes, for example 1,2.", show_default=False)
    ] = None,
    at: Annotated[
        str | None,
        typer.Option(metavar="PLACE", help="start, end, mean, or joint positions in rad or m.", show_default=False),
    ] = None,
    tolerance: Annotated[
        str | None, typer.Option(metavar="SHARE", help="Of ei: what may be left, 5 % by default.", show_default=False)
    ] = None,
    joint: Annotated[
        str | None, typer.Option(metavar="NAME", help="Joint whose drive is meant.", show_default=False)
    ] = None,
    method: options.Method = None,
    sets: options.Set = None,
    json: options.Json = False,
    formats: options.Formats = "png",
    folder: options.OutFolder = None,
    force: options.Force = False,
) -> None:
    """Input shaper for the modes of an arm as it follows its command.

    Impulses, modes, widths, and what is left if the true frequency is a fifth lower or higher.
    """
    import flexarm as fa
    from flexarm.commands import outputs
    from flexarm.files import write_text
    from flexarm.view.files import save
    from flexarm.view.shaper import sensitivity

    loaded = options.with_method(fa.load(scenario, sets or ()), method)
    kinds = options.checked_formats(formats)
    folder = folder or outputs.default_folder(loaded.source, "-shaper")
    outputs.check_folder(folder, force)
    made = fa.shaper(
        loaded, kind, modes=None if modes is None else [int(_number(part, "--modes")) for part in options.listed(modes)],  # type: ignore[arg-type]
        at=None if at is None else _place(at), tolerance=None if tolerance is None else options.quantity(tolerance, "1", "--tolerance"),
        joint=joint,
    )  # fmt: skip
    summary = {"scenario": loaded.name, **_numbers(made)}
    files = [write_text(folder / NUMBERS, json_text(summary) + "\n", force)]
    picture = sensitivity(made, f"Shaper: {loaded.name}")
    files += [save(picture, folder / f"{FIGURE}.{each}", force, title="Sensitivity of a shaper") for each in kinds]
    files += _over_time(loaded, made, joint, folder, kinds, force)
    if json:
        print_json(summary)
    else:
        _show(loaded.name, made, summary, files)


def _over_time(
    loaded: Scenario, made: Shaper, joint: str | None, folder: Path, kinds: list[str], force: bool
) -> list[Path]:
    """What the command leaves over the time that it takes, if it begins, ends and moves a joint."""
    import flexarm as fa
    from flexarm.view.files import save
    from flexarm.view.move_residual import residual_over_time

    try:
        modes = None if made.modes is None else made.modes.numbers
        found = fa.move_residual(loaded, list(dict.fromkeys(["zv", "zvd", made.type])), modes=modes, joint=joint)
    except FlexarmError:
        return []
    picture = residual_over_time(found, f"Frequency 10 % off: {loaded.name}")
    return [save(picture, folder / f"{LEFT}.{kind}", force, title="Residual over move time") for kind in kinds]


def _number(text: str, name: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise FlexarmError(f"{name}: '{text}' is no number") from None


def _place(text: str) -> Any:
    return text if text in ("start", "end", "mean") else [_number(part, "--at") for part in options.listed(text)]


def _numbers(made: Shaper) -> dict[str, Any]:
    return {
        "type": made.type,
        "amplitudes": made.amplitudes.tolist(),
        "times": made.times.tolist(),
        "modes": [
            {
                "mode": made.modes.numbers[k] if made.modes is not None else None,
                "hz": made.hz[k],
                "damping": made.damping[k],
                "width": list(made.widths[k]),
                "residual_low": made.residual(-OFF, mode=k + 1),
                "residual_high": made.residual(OFF, mode=k + 1),
            }
            for k in range(len(made.hz))
        ],
        "notes": list(made.notes),
    }


def _show(name: str, made: Shaper, summary: dict[str, Any], files: list[Path]) -> None:
    heading(name)
    out().print(f"shaper {made.type}: a command becomes {1e3 * made.duration:.4g} ms longer")
    out().print()
    rows = [[f"{1e3 * t:.6g} ms", f"{a:.6f}"] for t, a in zip(made.times, made.amplitudes, strict=True)]
    out().print(table(["impulse at", "amplitude"], rows, (0, 1)))
    out().print()
    off = f"{100 * OFF:g} %"
    head = ["mode", "frequency", "damping", "5 % within", f"left, {off} lower", f"left, {off} higher"]
    cells = [
        [
            str(mode["mode"] or "stated"), f"{mode['hz']:.5g} Hz", f"{100 * mode['damping']:.3g} %",
            f"{mode['width'][0] * mode['hz']:.4g} to {mode['width'][1] * mode['hz']:.4g} Hz",
            f"{100 * mode['residual_low']:.3g} %", f"{100 * mode['residual_high']:.3g} %",
        ]
        for mode in summary["modes"]
    ]  # fmt: skip
    out().print(table(head, cells, (1, 2, 3, 4, 5)))
    if made.notes:
        heading("Notes")
        points(made.notes)
    heading(f"Files in {files[0].parent}")
    out().print("  ".join(path.name for path in files))
