"""`flexarm realtime`: the simulation paced by the clock, with a report of how well it kept up."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flexarm.commands import options
from flexarm.commands.console import complain, print_json, remark
from flexarm.commands.exit_codes import FAILED, INTERRUPTED
from flexarm.errors import ControllerError

if TYPE_CHECKING:
    from flexarm.scenario import Scenario
    from flexarm.simulation.online import Simulator
    from flexarm.simulation.realtime import Timing

EXAMPLES = """\
\b
Examples:
  flexarm realtime tokhi-azad --rate 1kHz --duration 5s
  flexarm realtime my-arm.yaml --controller law.py:hold --rate 500Hz
"""
FIGURE, TABLE = "histogram", "timing.json"


def realtime(
    scenario: options.Scenario,
    rate: Annotated[str, typer.Option(metavar="RATE", help="Control periods per second, for example 1kHz.")] = "1 kHz",
    controller: options.Controller = None,
    duration: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help="How long, for example 5s; the scenario's end when left out.",
            show_default=False,
        ),
    ] = None,
    sets: options.Set = None,
    json: options.Json = False,
    figures: Annotated[str, typer.Option(metavar="NAMES", help="histogram draws one as PNG; none.")] = "none",
    folder: options.OutFolder = None,
    force: options.Force = False,
) -> None:
    """Run at the pace of the clock; report how well it keeps up.

    Each period waits for its due time, asks the controller and computes one step. A deadline that is
    missed is counted; the periods that follow stay on the grid. Ctrl-C reports what was measured until then.
    """
    import flexarm as fa
    from flexarm.commands import outputs
    from flexarm.simulation.realtime import pace

    period = 1.0 / _positive(rate, "Hz", "--rate")
    loaded = fa.load(scenario, sets or ())
    length = loaded.time.end if duration is None else _positive(duration, "s", "--duration")
    draws = outputs.checked_figures(figures, [FIGURE]) != []
    if draws and folder is None:
        folder = outputs.default_folder(loaded.source, "-realtime")
    if folder is not None:
        outputs.check_folder(folder, force)
    law = _controller(controller)
    simulator = _simulator(loaded, period, length, law is not None)
    if not json:
        remark(f"running {length:g} s at {1.0 / simulator.period:g} Hz ...")
    timing = pace(simulator, law, length)
    summary = {"scenario": loaded.name, "method": loaded.method.name, **timing.summary()}
    files = _write(folder, summary, timing, draws, loaded.name, force)
    if json:
        print_json(summary)
    else:
        from flexarm.commands.timing_report import report

        report(loaded.name, timing, files)
    _end(timing)


def _positive(text: str, unit: str, name: str) -> float:
    from flexarm.errors import FlexarmError

    value = options.quantity(text, unit, name)
    if not value > 0:
        raise FlexarmError(f"{name} must be positive, not '{text}'")
    return value


def _controller(spec: str | None) -> Any:
    from flexarm.simulation.controllers import load_controller

    return load_controller(spec) if spec else None


def _simulator(scenario: Scenario, period: float, length: float, controlled: bool) -> Simulator:
    """The simulator, its kernels loaded; the scenario is made long enough, and keeps no records."""
    import flexarm as fa
    from flexarm.commands.kernels import announce_compiling
    from flexarm.simulation.program import prepare_program

    outside = prepare_program(scenario).external
    if outside and not controlled:
        raise ControllerError(
            f"joint {', '.join(outside)} takes its torque from a controller: give one with --controller file.py:name",
            field="drive.control",
        )
    changes: dict[str, Any] = {"output.every": None} if scenario.output.every is not None else {}
    if length > scenario.time.end:
        changes["time.end"] = f"{length!r} s"
    announce_compiling(scenario.method.name)
    simulator = fa.Simulator(scenario.with_(changes) if changes else scenario, period)
    if controlled and not simulator.inputs:
        raise ControllerError(
            "no joint of this scenario is driven by a torque that a controller could give: "
            "drive it by torque, or by control: {type: external, period: ...}",
            field="drive",
        )
    simulator.reset()
    for _ in range(3):
        if not simulator.finished:
            simulator.step([0.0] * len(simulator.inputs) if controlled else None)
    return simulator


def _write(
    folder: Path | None, summary: dict[str, Any], timing: Timing, draws: bool, title: str, force: bool
) -> list[Path]:
    if folder is None:
        return []
    from flexarm.commands.console import json_text
    from flexarm.files import write_text

    files = [write_text(folder / TABLE, json_text(summary) + "\n", force)]
    if draws and timing.steps:
        from flexarm.view.files import save
        from flexarm.view.timing import timing as draw

        files.append(save(draw(timing, title), folder / f"{FIGURE}.png", force, title="Timing"))
    return files


def _end(timing: Timing) -> None:
    if timing.interrupted:
        remark(f"interrupted at t = {timing.steps * timing.period:.6g} s; the figures are those until then")
        raise typer.Exit(INTERRUPTED)
    if timing.failure:
        complain(timing.failure)
        raise typer.Exit(FAILED)
