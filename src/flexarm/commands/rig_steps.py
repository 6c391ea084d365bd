"""`flexarm rig steps`: from a motion to step times, delays and phases of a stepping motor."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flexarm.commands import options, rig_options
from flexarm.commands.console import facts, heading, out, points, print_json
from flexarm.errors import FlexarmError

if TYPE_CHECKING:
    from flexarm.drive.delays import DelayBytes
    from flexarm.drive.stepping_motor.table import StepTable
    from flexarm.scenario import Scenario

EXAMPLES = """\
\b
Examples:
  flexarm rig steps stepper-rig --out steps
  flexarm rig steps my-arm.yaml --steps-per-turn 200 --half --ratio 9
  flexarm rig steps "{profile: quintic, by: 90 deg, duration: 1 s}" \\
      --steps-per-turn 200 --byte
"""
CSV, HEADER, PICTURE = "steps.csv", "steps.h", "steps.png"


def steps(
    motion: Annotated[str, typer.Argument(metavar="SCENARIO", help="Scenario, or a motion written as {profile: ...}.")],
    sets: options.Set = None,
    joint: rig_options.Joint = None,
    steps_per_turn: rig_options.PerTurn = None,
    half: rig_options.Half = None,
    ratio: rig_options.Ratio = None,
    sweeps: rig_options.Sweeps = 0,
    byte: Annotated[bool, typer.Option("--byte", help="Delays as bytes of 1 to 255 for the waiting loop.")] = False,
    overhead: rig_options.Overhead = "0 s",
    carry: Annotated[bool, typer.Option(help="Hand rounding of a byte on to the next.")] = True,
    name: Annotated[str, typer.Option(metavar="NAME", help="Name of the C arrays.")] = "move",
    folder: options.OutFolder = None,
    json: options.Json = False,
    force: options.Force = False,
) -> None:
    """Step times, delay table and phase sequence of a stepping motor.

    With --out the table is written as CSV and as C arrays, with a picture.
    """
    from flexarm.analysis.motor_steps import motor_steps
    from flexarm.commands import outputs
    from flexarm.drive.stepping_motor.export import steps_c, steps_csv
    from flexarm.files import write_text

    table = motor_steps(
        _scenario_of(motion, sets, steps_per_turn), joint, steps_per_turn=steps_per_turn, half=half, ratio=ratio
    )
    if folder is not None:
        outputs.check_folder(folder, force)
    if not len(table.times):
        raise FlexarmError("the motion makes no step: it is shorter than half a step of the motor")
    if sweeps:
        table = table.swept(sweeps)
    spare = options.quantity(overhead, "s", "--overhead")
    made = table.bytes(spare, carry) if byte else None
    summary = _summary(table, made, _trial(table, spare, carry), spare)
    if folder is not None:
        from flexarm.view.files import save
        from flexarm.view.step_figure import steps as draw

        write_text(folder / CSV, steps_csv(table, made), force)
        write_text(folder / HEADER, steps_c(table, made, name), force)
        save(draw(table, f"{summary['steps']} steps of {summary['step_deg']:.4g}°"), folder / PICTURE, force)
        summary["files"] = [str(folder / each) for each in (CSV, HEADER, PICTURE)]
    print_json(summary) if json else _show(summary)


def _scenario_of(text: str, sets: list[str] | None, steps_per_turn: int | None) -> Scenario:
    """A scenario by its name, or one in which a motion written on the command line drives a joint."""
    import flexarm as fa

    if not text.lstrip().startswith(("{", "[")):
        return fa.load(text, sets or ())
    if steps_per_turn is None:
        raise FlexarmError("a motion on its own has no motor: give --steps-per-turn", field="--steps-per-turn")
    motor = f"{{type: stepper, steps_per_turn: {steps_per_turn}}}"
    return fa.load("stepper-rig", [*(sets or ()), f"drive=[{{joint: link, motion: {text}, actuator: {motor}}}]"])


def _trial(table: StepTable, overhead: float, carry: bool) -> str:
    """What a delay byte would do with these delays, in words."""
    try:
        made = table.bytes(overhead, carry)
    except FlexarmError as error:
        return error.message
    worst = float(made.resolution.max())
    text = f"{made.byte.min()} to {made.byte.max()}, resolution up to {1e6 * worst:.4g} us, "
    text += f"the whole move {1e3 * abs(made.error):.3g} ms too {'long' if made.error > 0 else 'short'}"
    if len(made.cut):
        text += f"; {len(made.cut)} delays are longer than the loop can wait and were cut to 255"
    return text


def _summary(table: StepTable, made: DelayBytes | None, trial: str, overhead: float) -> dict[str, Any]:
    from flexarm.drive.delays import READINGS, TABLE_BYTES
    from flexarm.drive.stepping_motor.table import FULL, HALF

    notes = []
    if made is not None and len(table.times) > TABLE_BYTES:
        notes.append(
            f"{len(table.times)} delays do not fit into the {TABLE_BYTES} bytes of the historical program's table"
        )
    if made is not None and len(table.times) > READINGS:
        notes.append(f"{len(table.times)} readings, one per step, overflow the {READINGS} of the historical program")
    if made is not None and len(made.cut):
        notes.append(f"delay {int(made.cut[0]) + 1} is the first of {len(made.cut)} that were cut to byte 255")
    return {
        "steps": len(table.times),
        "step_deg": math.degrees(table.size),
        "half": table.half,
        "start_deg": math.degrees(table.start),
        "landing_deg": math.degrees(table.landing),
        "first_step": float(table.times[0]),
        "end": table.end,
        "top_rate": table.top_rate,
        "shortest_delay": float(table.delays[:-1].min()) if len(table.times) > 1 else None,
        "longest_delay": float(table.delays.max()),
        "phases": [f"0x{p:02X}" for p in (HALF if table.half else FULL)],
        "overhead": overhead,
        "delay_byte": trial,
        "bytes": made.byte.tolist() if made is not None else None,
        "notes": notes,
    }


def _show(summary: dict[str, Any]) -> None:
    kind = "half" if summary["half"] else "full"
    heading(f"{summary['steps']} {kind} steps of {summary['step_deg']:.6g} deg")
    shortest = summary["shortest_delay"]
    delays = f"to {1e3 * summary['longest_delay']:.4g} ms"
    rows = [
        ("joint", f"from {summary['start_deg']:.6g} to {summary['landing_deg']:.6g} deg"),
        ("time", f"first step at {summary['first_step']:.4g} s, at rest from {summary['end']:.4g} s on"),
        ("top rate", f"{summary['top_rate']:.5g} steps per second"),
        ("delays", f"{1e6 * shortest:.5g} us {delays}" if shortest is not None else delays),
        ("delay byte", summary["delay_byte"]),
        ("phases", " ".join(summary["phases"])),
    ]
    out().print(facts(rows))
    if summary["notes"]:
        heading("Notes")
        points(summary["notes"])
    if "files" in summary:
        heading(f"Files in {Path(summary['files'][0]).parent}")
        out().print("  ".join(Path(each).name for each in summary["files"]))
