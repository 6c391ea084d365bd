"""`flexarm tune`: gains for the least tracking error."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flexarm.commands import options
from flexarm.commands.console import facts, heading, out, print_json, remark, table
from flexarm.commands.exit_codes import FAILED, INTERRUPTED
from flexarm.commands.numbers import say, seconds
from flexarm.errors import FlexarmError

if TYPE_CHECKING:
    from flexarm.control.tuning import Tuned

EXAMPLES = """\
\b
Examples:
  flexarm tune tian-circle
  flexarm tune tian-circle --torque 20,10 --sets 2 --trials 300
  flexarm tune shaped-link --vary drive.link.shaper.frequency=8Hz:16Hz --objective residual_vibration
  flexarm tune my-arm.yaml --out results/my-gains --resume
"""


def tune(
    scenario: options.Scenario,
    sets: options.Set = None,
    method: options.Method = None,
    trials: Annotated[int, typer.Option(metavar="N", help="Trials in all, earlier ones included.")] = 150,
    vary: Annotated[
        list[str] | None,
        typer.Option(
            "--vary",
            metavar="NAME[=LOW:HIGH]",
            help="A number of the scenario in place of the gains, as drive.link.shaper.frequency=5Hz:20Hz; may be repeated.",
            show_default=False,
        ),
    ] = None,
    objective: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="What is to be least: rms, peak, settling_time, residual_vibration, overshoot, tip_deflection_peak.",
        ),
    ] = "rms",
    gain_sets: Annotated[
        str | None,
        typer.Option(
            "--sets",
            metavar="N|TIMES",
            help="Number of gain sets over the run, or the times at which they change, as 5s,12.5s.",
            show_default="as in the scenario",
        ),
    ] = None,
    torque: Annotated[
        str | None,
        typer.Option(
            metavar="LIMITS", help="Largest torque: one, or one per joint, as 20,10.", show_default="control.limit"
        ),
    ] = None,
    margin: Annotated[float, typer.Option(metavar="RATE", help="Least decay of the closed loop, 1/s.")] = 0.5,
    after: Annotated[
        str | None, typer.Option(metavar="TIME", help="Errors count from here on.", show_default="8 % of the run")
    ] = None,
    span: Annotated[float, typer.Option(metavar="FACTOR", help="How far gains may go from where they are.")] = 30.0,
    seed: Annotated[int, typer.Option(help="The same seed gives the same gains.")] = 0,
    folder: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FOLDER",
            help="Folder for the files; results/tune-<name> when left out.",
            show_default=False,
        ),
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the trials in the folder.")] = False,
    json: options.Json = False,
    force: options.Force = False,
) -> None:
    """Find control gains, or other numbers, for the least error, settling time or ringing under torque and stability limits.

    Ctrl-C ends the search and keeps its trials; --resume goes on with them.
    """
    import flexarm as fa
    from flexarm.commands.kernels import announce_compiling
    from flexarm.commands.progress import Bar, Interrupt
    from flexarm.control.tuning.files import check_files, write_files

    began = time.perf_counter()
    loaded = options.with_method(fa.load(scenario, sets or ()), method)
    folder = folder or Path("results") / f"tune-{Path(loaded.source).stem or 'arm'}"
    check_files(folder, force or resume)
    announce_compiling(loaded.method.name)
    with Bar("tuning", not json) as bar, Interrupt() as interrupt:
        found = fa.tune(
            loaded, trials=trials, parameters=_ranges(vary), objective=objective,
            sets=_sets(gain_sets), torque=_numbers(torque, "N*m|N", "--torque"), margin=margin,
            after=None if after is None else options.quantity(after, "s", "--after"), span=span, seed=seed,
            study=folder / "study.log", resume=resume, force=force, progress=bar, cancel=interrupt,
        )  # fmt: skip
    written = write_files(found, loaded, folder, force or resume)
    if json:
        names = ("gains", "before", "after", "fine", "confirmed")
        print_json({**{name: getattr(found, name) for name in names}, "trials": len(found.trials),
                    "files": [str(path) for path in written]})  # fmt: skip
    else:
        _show(found, written, time.perf_counter() - began)
    if interrupt.asked:
        remark(f"interrupted after {len(found.trials)} trials; to go on, give the same command with --resume")
        raise typer.Exit(INTERRUPTED)
    if not found.confirmed:
        raise typer.Exit(FAILED)


def _ranges(texts: list[str] | None) -> dict[str, tuple[str, str] | None] | None:
    if not texts:
        return None
    found: dict[str, tuple[str, str] | None] = {}
    for text in texts:
        name, given, limits = text.partition("=")
        low, colon, high = limits.partition(":")
        if given and not (low.strip() and colon and high.strip()):
            raise FlexarmError(f"'{text}' is not of the form NAME=LOW:HIGH", field="--vary")
        found[name.strip()] = (low.strip(), high.strip()) if given else None
    return found


def _sets(text: str | None) -> int | list[float] | None:
    if text is None:
        return None
    return int(text) if text.strip().isdigit() else _numbers(text, "s", "--sets")


def _numbers(text: str | None, unit: str, name: str) -> list[float] | None:
    if text is None:
        return None
    found = [options.quantity(part, unit, name) for part in options.listed(text)]
    if not found:
        raise FlexarmError(f"{name} is empty: give numbers separated by commas")
    return found


def _show(found: Tuned, written: list[Path], spent: float) -> None:
    heading(found.scenario.name)
    scores = (found.before, found.after, found.fine)
    rows = [
        ["objective", *(f"{score['value']:.4g}" for score in scores)],
        ["rms distance", *(say(score["rms"], "m") for score in scores)],
        ["rms along x", *(say(score["rms_xyz"][0], "m") for score in scores)],
        ["rms along y", *(say(score["rms_xyz"][1], "m") for score in scores)],
        ["largest distance", *(say(score["peak"], "m") for score in scores)],
    ]
    for joint in found.after["torque"]:
        units = "N·m" if found.scenario.arm.link(joint).joint.type == "revolute" else "N"
        torques = (score["torque"].get(joint) for score in scores)
        rows.append([f"torque {joint}", *("-" if torque is None else f"{torque:.4g} {units}" for torque in torques)])
    rows.append(["slowest root", *(f"{score['abscissa']:.3g} 1/s" for score in scores)])
    out().print(table(["", "at the start", "found", "on a finer mesh"], rows, (1, 2, 3)))
    out().print()
    out().print(facts([(name, f"{value:.6g}") for name, value in found.gains.items()]))
    if not found.confirmed:
        remark(
            "warning: none of the best gains was confirmed on a finer mesh with half the step: the numbers depend on "
            "the mesh; use a finer one (method.resolution, time.step) and tune again"
        )
    heading(f"Files in {written[0].parent}")
    out().print("  ".join(path.name for path in written))
    out().print(f"{len(found.trials)} trials in {seconds(spent)}")
