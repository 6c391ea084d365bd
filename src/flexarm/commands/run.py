"""`flexarm run`: a whole run from a scenario to files and a short report."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flexarm.commands import options
from flexarm.commands.console import complain, print_json, remark
from flexarm.commands.exit_codes import FAILED, INTERRUPTED, REFUSED
from flexarm.errors import FlexarmError

if TYPE_CHECKING:
    from flexarm.commands.outputs import Wanted, Written
    from flexarm.result import Result
    from flexarm.scenario import Scenario
    from flexarm.simulation.build import Setup
    from flexarm.simulation.progress import Progress

EXAMPLES = """\
\b
Examples:
  flexarm run tokhi-azad
  flexarm run my-arm.yaml --set arm.payload.mass=20g --figures tip,spectrum
  flexarm run pd-hub --json > summary.json
"""
Checkpoint = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Save the state now and then, to resume from it.", show_default=False),
]
Resume = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Go on from a checkpoint of the same run.", show_default=False)
]
MODES = 6
"""How many natural frequencies are found beside a run."""


def run(
    scenario: options.Scenario,
    sets: options.Set = None,
    method: options.Method = None,
    folder: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FOLDER",
            help="Folder for the files; results/<name> when left out.",
            show_default=False,
        ),
    ] = None,
    figures: Annotated[
        str | None,
        typer.Option("--figures", metavar="NAMES", help="all, none, or names separated by commas.", show_default="all"),
    ] = None,
    formats: options.Formats = "png",
    animation: options.Animation = False,
    video: options.Video = False,
    csv: Annotated[bool, typer.Option("--csv", help="Also write the signals as a table, run.csv.")] = False,
    json: options.Json = False,
    controller: options.Controller = None,
    controller_limit: Annotated[
        str, typer.Option(metavar="TIME", help="Real time that one call of the controller may take.")
    ] = "10 s",
    checkpoint: Checkpoint = None,
    resume: Resume = None,
    force: options.Force = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print nothing but problems.")] = False,
) -> None:
    """Simulate a scenario; write data, figures and a summary.

    Ctrl-C stops the run and keeps what was computed until then.
    """
    from flexarm.commands import outputs
    from flexarm.commands.progress import Bar

    if json and folder is None and (csv or animation or video or figures not in (None, "none")):
        raise FlexarmError("with --json files are written only into a folder that is named: give --out FOLDER")
    began = time.perf_counter()
    loaded = _load(scenario, sets, method)
    if folder is None and not json:
        folder = outputs.default_folder(loaded.source)
    films = outputs.checked_films(animation, video)
    wanted = outputs.wanted_files(folder, figures or "all", formats, films, csv, force)
    talk = not (json or quiet)
    result, setup = _simulate(loaded, talk, controller, controller_limit, checkpoint, resume)
    with Bar(wanted=talk) as bar:
        summary, written = finish(result, setup, wanted, bar)
    if json:
        print_json({**summary, "files": [str(path) for path in written.files]})
    elif not quiet:
        from flexarm.commands.report import report

        report(result, summary, written.files, time.perf_counter() - began)
    _end(result, written, checkpoint)


def _load(name: str, sets: list[str] | None, method: str | None) -> Scenario:
    import flexarm as fa

    return options.with_method(fa.load(name, sets or ()), method)


def _simulate(
    scenario: Scenario,
    talk: bool,
    controller: str | None = None,
    limit: str = "10 s",
    checkpoint: Path | None = None,
    resume: Path | None = None,
) -> tuple[Result, Setup]:
    """The run and its set-up; what is to be said about the control laws is said before it moves."""
    import flexarm as fa
    from flexarm.commands.kernels import announce_compiling
    from flexarm.commands.outputs import check_place
    from flexarm.commands.progress import Bar, Interrupt
    from flexarm.simulation.build import prepare
    from flexarm.simulation.control_loops import law_warnings
    from flexarm.simulation.controllers import load_controller
    from flexarm.simulation.progress import Monitor
    from flexarm.simulation.run import controller_notes

    law: Any = load_controller(controller) if controller else None
    seconds = options.quantity(limit, "s", "--controller-limit")
    if checkpoint is not None:
        check_place(checkpoint.parent)
    announce_compiling(scenario.method.name)
    with Bar(wanted=talk) as bar, Interrupt() as interrupt:
        setup = prepare(scenario, monitor=Monitor(bar, interrupt))
        for warning in law_warnings(setup):
            remark(f"warning: {warning}")
        for note in controller_notes(setup.scenario, law):
            remark(f"warning: {note}")
        result = fa.simulate(
            setup,
            controller=law,
            progress=bar,
            cancel=interrupt,
            checkpoint=checkpoint,
            resume=resume,
            controller_limit=seconds,
        )
        return result, setup


def finish(result: Result, setup: Setup, wanted: Wanted, progress: Progress) -> tuple[dict[str, Any], Written]:
    """Summary and files. After Ctrl-C only data are written, because pictures take their time."""
    from flexarm.analysis.free_motion import free_motion, resting_frequencies
    from flexarm.commands import outputs
    from flexarm.methods.base import Outcome

    resting = resting_frequencies(result, setup, MODES)
    natural = resting.frequencies
    hz = [float(f) for f in natural.hz] if natural is not None else []
    known = {
        "natural_frequencies": hz,
        "natural_frequencies_pose": list(resting.pose),
        "natural_frequencies_time": resting.since,
        "natural_frequencies_spin": resting.spin,
        "joints": natural.joints if natural is not None else None,
        **_loops(setup, resting.since),
    }
    summary = {**result.summary(), **free_motion(result, hz, setup.program), **known}
    if result.outcome is Outcome.CANCELLED:
        wanted.figures, wanted.films = [], ()
    return summary, outputs.write(wanted, result, summary, natural, progress)


def _loops(setup: Setup, since: float) -> dict[str, Any]:
    """Margins and bandwidths of the control loops where the free motion is seen; nothing where there are none to tell."""
    import flexarm as fa

    try:
        found = fa.loop_margins(setup.scenario, time=since)
    except FlexarmError:
        found = []
    margins = {m.joint: {"gain": m.gain, "phase": m.phase, "crossover": m.crossover} for m in found}
    return {"margins": margins or None, "bandwidth": {m.joint: m.bandwidth for m in found} or None}


def _end(result: Result, written: Written, checkpoint: Path | None) -> None:
    """Say how it ended where that needs a word, and leave with the exit code that belongs to it."""
    from flexarm.methods.base import Outcome

    reached, end = float(result.data["time"].values[-1]), result.scenario.time.end
    if written.trouble:
        complain(written.trouble)
    if result.outcome is Outcome.CANCELLED:
        kept = f" and is in '{written.files[0].parent}'" if written.files else ""
        remark(f"interrupted at t = {reached:.6g} s of {end:g} s; what was computed until then is kept{kept}")
        if checkpoint is not None:
            remark(f"to go on, give the same command with --resume {checkpoint}")
        raise typer.Exit(INTERRUPTED)
    if not result.success:
        complain(result.message)
        raise typer.Exit(FAILED)
    if written.trouble:
        raise typer.Exit(REFUSED)
