"""`flexarm bode`: frequency responses of actuators, and a swept sine on the simulated arm."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flexarm.commands import options
from flexarm.commands.console import heading, json_text, out, print_json, table
from flexarm.errors import FlexarmError

if TYPE_CHECKING:
    from flexarm.analysis.bode import Bode
    from flexarm.analysis.swept_sine import SweptSine
    from flexarm.scenario import Scenario

EXAMPLES = """\
\b
Examples:
  flexarm bode ralf
  flexarm bode ralf --set drive.lower.actuator.pole_unit=Hz
  flexarm bode ralf-hydraulic
  flexarm bode ralf-hydraulic --swept-sine --joint lower --from 0.5Hz --to 10Hz
  flexarm bode ralf --swept-sine --joint lower --output tip_x --out results/my-swept-sine
"""
FIGURE, NUMBERS = "bode", "bode.json"


def bode(
    scenario: options.Scenario,
    joint: Annotated[
        str | None, typer.Option(metavar="NAME", help="One joint; all when left out.", show_default=False)
    ] = None,
    measure: Annotated[
        bool, typer.Option("--swept-sine", help="Measure: run a swept sine on the arm and fit a third-order model.")
    ] = False,
    low: Annotated[str, typer.Option("--from", metavar="FREQUENCY", help="Swept sine: first frequency.")] = "0.5 Hz",
    high: Annotated[str, typer.Option("--to", metavar="FREQUENCY", help="Swept sine: last frequency.")] = "20 Hz",
    points: Annotated[int, typer.Option(metavar="COUNT", min=4, help="Swept sine: how many frequencies.")] = 16,
    amplitude: Annotated[
        str, typer.Option(metavar="SIZE", help="Swept sine: half the distance between the turning points.")
    ] = "5 mrad",
    periods: Annotated[
        int, typer.Option(metavar="COUNT", min=4, help="Swept sine: least periods at each frequency.")
    ] = 8,
    settle: Annotated[
        str, typer.Option(metavar="TIME", help="Swept sine: least time at each frequency before it is measured.")
    ] = "1 s",
    output: Annotated[
        str, typer.Option(metavar="NAME", help="Swept sine: joint, cylinder, tip_x, tip_y, or the name of a gauge.")
    ] = "joint",
    method: options.Method = None,
    sets: options.Set = None,
    json: options.Json = False,
    formats: options.Formats = "png",
    folder: options.OutFolder = None,
    force: options.Force = False,
) -> None:
    """Bode plot, bandwidth, gain and phase margin of actuators.

    Margins are those of the loop that unity feedback closes to the actuator's transfer function.
    """
    import flexarm as fa
    from flexarm.commands import outputs

    loaded = options.with_method(fa.load(scenario, sets or ()), method)
    kinds = options.checked_formats(formats)
    folder = folder or outputs.default_folder(loaded.source, "-bode")
    outputs.check_folder(folder, force)
    lines = _computed(loaded, joint, measure)
    measured = None
    if measure:
        from flexarm.commands.kernels import announce_compiling
        from flexarm.commands.progress import Bar

        announce_compiling(loaded.method.name)
        with Bar("sweeping", not json) as bar:
            measured = fa.swept_sine(
                loaded, joint, options.quantity(low, "Hz", "--from"), options.quantity(high, "Hz", "--to"), points,
                options.quantity(amplitude, "rad|m", "--amplitude"), periods, options.quantity(settle, "s", "--settle"),
                output, bar,
            )  # fmt: skip
    fitted = None if measured is None else _fitted(measured)
    summary = _summary(loaded, lines, measured, fitted)
    files = _write(folder, loaded, lines, measured, fitted, summary, kinds, force)
    if json:
        print_json(summary)
    else:
        _show(loaded, summary, files)


def _computed(scenario: Scenario, joint: str | None, measure: bool) -> list[Bode]:
    """Responses of the transfer functions; with a swept sine there need be none."""
    import flexarm as fa
    from flexarm.analysis.bode import load_control

    load_control()
    try:
        return fa.bode(scenario, joint)
    except FlexarmError:
        if not measure:
            raise
        return []


@dataclass(frozen=True)
class _Labelled:
    """A fitted response as a line of the figure."""

    joint: str
    hz: Any
    decibels: Any
    degrees: Any
    label: str


def _fitted(measured: SweptSine) -> Bode:
    """The model that was fitted; its margins are those of unity gain at rest."""
    from dataclasses import replace

    import numpy as np

    from flexarm.analysis.bode import transfer_bode

    hz = np.geomspace(measured.hz[0], measured.hz[-1], 200)
    made = transfer_bode(measured.joint, measured.poles, (), 1.0, hz)
    return replace(made, response=made.response * measured.gain)


def _summary(scenario: Scenario, lines: list[Bode], measured: SweptSine | None, fitted: Bode | None) -> dict[str, Any]:
    found: dict[str, Any] = {"scenario": scenario.name, "actuators": [_numbers(line) for line in lines]}
    if measured is not None and fitted is not None:
        found["swept_sine"] = {
            "joint": measured.joint,
            "output": measured.output,
            "hz": measured.hz.tolist(),
            "decibels": measured.decibels.tolist(),
            "degrees": measured.degrees.tolist(),
            "distortion": measured.distortion.tolist(),
            "fit": {**_numbers(fitted), "gain": measured.gain, "misfit": measured.misfit},
        }
    return found


def _numbers(line: Bode) -> dict[str, Any]:
    return {
        "joint": line.joint,
        "bandwidth_hz": line.bandwidth,
        "gain_margin_db": line.gain_margin,
        "phase_margin_deg": line.phase_margin,
        "velocity_gain": line.velocity_gain,
        "poles": [f"{pole.real:.6g}{pole.imag:+.6g}j" if pole.imag else f"{pole.real:.6g}" for pole in line.poles],
    }


def _write(
    folder: Path, scenario: Scenario, lines: list[Bode], measured: SweptSine | None, fitted: Bode | None,
    summary: dict[str, Any], kinds: list[str], force: bool,
) -> list[Path]:  # fmt: skip
    from flexarm.files import write_text
    from flexarm.view.bode import bode_plot
    from flexarm.view.files import save

    drawn: list[Any] = [line for line in lines if measured is None or measured.output in ("joint", "cylinder")]
    if measured is not None and fitted is not None:
        drawn = [line for line in drawn if line.joint == measured.joint]
        label = f"{measured.joint}, third order"
        drawn.append(_Labelled(fitted.joint, fitted.hz, fitted.decibels, fitted.degrees, label))
    title = "Actuators" if measured is None else f"Swept sine of {measured.joint}, read at {measured.output}"
    picture = bode_plot(drawn, measured, f"{title}: {scenario.name}")
    files = [write_text(folder / NUMBERS, json_text(summary) + "\n", force)]
    return files + [save(picture, folder / f"{FIGURE}.{kind}", force, title="Bode plot") for kind in kinds]


def _show(scenario: Scenario, summary: dict[str, Any], files: list[Path]) -> None:
    heading(scenario.name)
    rows = [[line["joint"], "computed", *_cells(line)] for line in summary["actuators"]]
    if "swept_sine" in summary:
        rows.append([summary["swept_sine"]["joint"], "fitted", *_cells(summary["swept_sine"]["fit"])])
    head = ["joint", "from", "bandwidth", "gain margin", "phase margin", "velocity gain"]
    out().print(table(head, rows, (2, 3, 4, 5)))
    fits = [summary["swept_sine"]["fit"]] if "swept_sine" in summary else []
    for line, name in [(line, "") for line in summary["actuators"]] + [(line, ", fitted") for line in fits]:
        out().print(f"poles of {line['joint']}{name}, rad/s: {'  '.join(line['poles'])}")
    if "swept_sine" in summary:
        found = summary["swept_sine"]
        out().print()
        rows = [
            [f"{hz:.4g}", f"{size:.2f}", f"{turn:.1f}", f"{100 * rest:.2g}"]
            for hz, size, turn, rest in zip(
                found["hz"], found["decibels"], found["degrees"], found["distortion"], strict=True
            )
        ]
        out().print(table(["frequency, Hz", "size, dB", "phase, deg", "no sine, %"], rows, (0, 1, 2, 3)))
        out().print(
            f"third order, gain {found['fit']['gain']:.4g} at rest, misfit {100 * found['fit']['misfit']:.2g} %"
        )
    heading(f"Files in {files[0].parent}")
    out().print("  ".join(path.name for path in files))


def _cells(line: dict[str, Any]) -> list[str]:
    return [
        f"{line['bandwidth_hz']:.4g} Hz", f"{line['gain_margin_db']:.4g} dB", f"{line['phase_margin_deg']:.4g} deg",
        f"{line['velocity_gain']:.4g} 1/s",
    ]  # fmt: skip
