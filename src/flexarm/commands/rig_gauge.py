"""`flexarm rig gauge` and `flexarm rig convert`: what a strain gauge's converter reads, computed and measured."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flexarm.commands import options, rig_options
from flexarm.commands.console import facts, heading, out, points, print_json
from flexarm.commands.run import _load, _simulate
from flexarm.errors import FlexarmError

if TYPE_CHECKING:
    from flexarm.analysis.gauge import GaugeReading
    from flexarm.scenario import Scenario

EXAMPLES = """\
\b
Examples:
  flexarm rig gauge stepper-rig --bridge half --gain 200 --out gauge.csv
  flexarm rig gauge tokhi-azad --link link --at 0.1 --bits 16
"""


def gauge(
    scenario: options.Scenario,
    sets: options.Set = None,
    method: options.Method = None,
    name: Annotated[
        str | None, typer.Option("--gauge", metavar="NAME", help="Gauge of the scenario.", show_default=False)
    ] = None,
    link: Annotated[str | None, typer.Option(metavar="NAME", help="Or a link,", show_default=False)] = None,
    at: Annotated[float, typer.Option(metavar="FRACTION", min=0, max=1, help="a place on it,")] = 0.05,
    side: Annotated[str, typer.Option(metavar="SIDE", help="and a side: top or bottom.")] = "top",
    factor: rig_options.Factor = 2.0,
    bridge: rig_options.Bridge = "quarter",
    excitation: rig_options.Excitation = 5.0,
    gain: rig_options.Gain = 100.0,
    offset: rig_options.Offset = 0.0,
    bits: rig_options.Bits = 12,
    limits: rig_options.Range = "-5,5",
    at_steps: Annotated[bool, typer.Option("--at-steps", help="Read once per motor step.")] = False,
    file: Annotated[
        Path | None, typer.Option("--out", metavar="FILE.csv", help="Write the readings.", show_default=False)
    ] = None,
    json: options.Json = False,
    force: options.Force = False,
) -> None:
    """Volts and counts that a strain gauge would give during a run."""
    from flexarm.analysis.gauge import read_gauge
    from flexarm.analysis.motor_steps import motor_steps
    from flexarm.files import refuse_existing, write_text

    chain = rig_options.gauge_chain(factor, bridge, excitation, gain, offset, bits, limits)
    loaded = _load(scenario, sets, method)
    if link is not None:
        if name is not None:
            raise FlexarmError("give either --gauge or --link, not both", field="--gauge")
        loaded, name = _with_gauge(loaded, link, at, side, bridge != "quarter")
    if file is not None:
        refuse_existing(file, force)
    times = motor_steps(loaded).times if at_steps else None
    if times is not None:
        times = times[times <= loaded.time.end]
    result, _ = _simulate(loaded, not json)
    reading = read_gauge(result, name, chain, times)
    if file is not None:
        write_text(file, reading.to_csv(), force)
    summary = _summary(reading, file)
    print_json(summary) if json else _show(summary)


def _with_gauge(scenario: Scenario, link: str, at: float, side: str, both: bool) -> tuple[Scenario, str]:
    """The scenario with a gauge, and with the one on the opposite side if the bridge needs it."""
    from flexarm.analysis.gauge import OPPOSITE

    sides = [side, OPPOSITE.get(side, "bottom")] if both else [side]
    new = [{"link": link, "at": at, "side": each, "name": f"{link}-{each}"} for each in sides]
    return scenario.with_({"output.gauges": new}), f"{link}-{side}"


def _summary(reading: GaugeReading, file: Path | None) -> dict[str, Any]:
    chain = reading.chain
    return {
        "gauge": reading.gauge,
        "readings": len(reading.time),
        "strain_min": float(reading.strain.min()),
        "strain_max": float(reading.strain.max()),
        "volts_min": float(reading.volts.min()),
        "volts_max": float(reading.volts.max()),
        "counts_min": int(reading.counts.min()),
        "counts_max": int(reading.counts.max()),
        "lsb_volts": chain.lsb,
        "lsb_strain": chain.resolution,
        "saturated": int(reading.saturated.sum()),
        "notes": reading.notes,
        "file": str(file) if file is not None else None,
    }


def _show(summary: dict[str, Any]) -> None:
    heading(f"Gauge {summary['gauge']}")
    rows = [
        ("strain", f"{1e6 * summary['strain_min']:.4g} to {1e6 * summary['strain_max']:.4g} µm/m"),
        ("output", f"{summary['volts_min']:.4g} to {summary['volts_max']:.4g} V"),
        ("reading", f"{summary['counts_min']} to {summary['counts_max']} counts, {summary['readings']} readings"),
        ("one count", f"{1e3 * summary['lsb_volts']:.4g} mV, {1e6 * summary['lsb_strain']:.4g} µm/m"),
        ("saturated", f"{summary['saturated']} readings"),
    ]
    out().print(facts(rows))
    if summary["notes"]:
        heading("Notes")
        points(summary["notes"])
    if summary["file"] is not None:
        out().print(f"\nwritten to {summary['file']}")


def convert(
    dump: Annotated[Path, typer.Argument(metavar="DUMP", help="Readings of 12 bits, two bytes each, low byte first.")],
    scenario: options.Scenario,
    file: Annotated[Path, typer.Option("--out", metavar="FILE.csv", help="The log to write.")],
    sets: options.Set = None,
    joint: rig_options.Joint = None,
    sweeps: rig_options.Sweeps = 0,
    byte: Annotated[bool, typer.Option("--byte", help="The steps were timed by delay bytes.")] = False,
    overhead: rig_options.Overhead = "0 s",
    interval: Annotated[str, typer.Option(metavar="TIME", help="Between readings after the last step.")] = "9.6 ms",
    force: options.Force = False,
) -> None:
    """Give the readings of a raw dump, one per motor step, their uneven times; write a CSV log.

    Readings beyond the steps are those of the ring-down.
    """
    import flexarm as fa
    from flexarm.analysis.measured import read_dump
    from flexarm.analysis.motor_steps import motor_steps
    from flexarm.files import write_text

    table = motor_steps(fa.load(scenario, sets or ()), joint)
    table = table.swept(sweeps) if sweeps else table
    if byte:
        table = table.with_bytes(options.quantity(overhead, "s", "--overhead"))
    log = read_dump(dump, table.times, options.quantity(interval, "s", "--interval"))
    lines = [f"{t:.9f},{v:.0f}" for t, v in zip(log.time, log.values, strict=True)]
    write_text(file, "\n".join(["time [s],reading [counts]", *lines]) + "\n", force)
    late = len(log.time) - len(table.times)
    out().print(f"{len(table.times)} readings at the steps and {late} after them are in {file}")
