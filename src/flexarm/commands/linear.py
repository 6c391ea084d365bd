"""`flexarm linear`: the linear model of an arm for control design."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flexarm.commands import options
from flexarm.commands.console import heading, json_text, out, print_json, table
from flexarm.errors import FlexarmError

if TYPE_CHECKING:
    import numpy as np

    from flexarm.control.state_space import StateSpace
    from flexarm.scenario import Scenario

EXAMPLES = """\
\b
Examples:
  flexarm linear tokhi-azad
  flexarm linear tokhi-azad --outputs tip.travel,link.position --reduce 4
  flexarm linear pd-hub --joints held --discrete 1ms
  flexarm linear tian-circle --joints held --along --step 1deg
  flexarm linear my-arm.yaml --pose 20deg,90deg --reduce 1% --out model
"""
SUMMARY, JSON, MAT, BODE, MAP = "linear-summary.json", "linear.json", "linear.mat", "bode", "poles"
SHOWN = 10
"""Poles and zeros that are printed."""


class Joints(enum.StrEnum):
    """What the motors do."""

    free = "free"
    held = "held"
    led = "led"
    locked = "locked"


def linear(
    scenario: options.Scenario,
    joints: Annotated[
        Joints,
        typer.Option(help="Torques are inputs; laws closed; motions are inputs; motors stand still."),
    ] = Joints.free,
    pose: Annotated[
        str | None,
        typer.Option(
            metavar="VALUES",
            help="Joint positions separated by commas, for example 20deg,0.3; the start pose when left out.",
            show_default=False,
        ),
    ] = None,
    time: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="As commanded at this time, with its payload and gains.", show_default=False),
    ] = None,
    outputs: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES", help="Readings separated by commas; joints and tip when left out.", show_default=False
        ),
    ] = None,
    reduce: Annotated[
        str | None,
        typer.Option(
            metavar="HOW",
            help="Modes that are kept (4), balanced states (balanced=8), or an error bound (1%).",
            show_default=False,
        ),
    ] = None,
    discrete: Annotated[
        str | None, typer.Option(metavar="PERIOD", help="Sampled with held inputs.", show_default=False)
    ] = None,
    along: Annotated[bool, typer.Option("--along", help="Also draw the poles along the commanded motion.")] = False,
    step: Annotated[
        str | None,
        typer.Option(
            metavar="SIZE",
            help="Also draw a step of the first torque or reference, by the model and in a run.",
            show_default=False,
        ),
    ] = None,
    method: options.Method = None,
    sets: options.Set = None,
    json: options.Json = False,
    formats: options.Formats = "png",
    folder: options.OutFolder = None,
    force: options.Force = False,
) -> None:
    """Linear model for control: poles, zeros, margins, and files.

    Writes the state space as JSON and for MATLAB, a Bode plot, a map of poles and zeros and, of laws that are closed, the
    Nyquist plot of their loops.
    """
    import flexarm as fa
    from flexarm.commands import outputs as places
    from flexarm.commands.frequencies import pose_of
    from flexarm.commands.linear_figures import pictures, step_size

    loaded = options.with_method(fa.load(scenario, sets or ()), method)
    kinds = options.checked_formats(formats)
    target = folder or places.default_folder(loaded.source, "-linear")
    places.check_folder(target, force)
    at = None if time is None else options.quantity(time, "s", "--time")
    pose_given = pose_of(loaded, pose)
    period = None if discrete is None else options.quantity(discrete, "s", "--discrete")
    less, size = _less(reduce), step_size(step, joints.value)
    whole = fa.state_space(loaded, pose_given, at, joints.value)
    whole = whole.select(_chosen(whole) if outputs is None else options.listed(outputs))
    zeros = {f"{output} / {entry}": whole.zeros(output, entry) for output in whole.outputs for entry in whole.inputs}
    used = whole.reduce(**less) if less else whole
    made = used if period is None else used.discrete(period)
    margins = _margins(loaded, pose_given, at) if joints is Joints.held else []
    summary = _summary(loaded, whole, made, zeros, margins, reduce)
    more = pictures(loaded, joints.value, pose_given, at, along, size)
    files = _write(target, loaded, whole, made, zeros, summary, more, kinds, force)
    if json:
        print_json(summary)
    else:
        _show(loaded, summary, files)


def _chosen(system: StateSpace) -> list[str]:
    """Positions of the joints and of the tip."""
    joints = [name for name in system.outputs if name.endswith(".position")]
    tip = (
        ["tip.travel"]
        if "tip.travel" in system.outputs
        else [n for n in ("tip.x", "tip.y", "tip.z") if n in system.outputs]
    )
    return joints + tip


def _less(text: str | None) -> dict[str, Any]:
    """What `--reduce` asks for."""
    if text is None:
        return {}
    word = text.strip()
    try:
        if word.endswith("%"):
            return {"tolerance": float(word[:-1]) / 100.0}
        if word.startswith("balanced="):
            return {"balanced": int(word.removeprefix("balanced="))}
        return {"modes": int(word)}
    except ValueError:
        raise FlexarmError(f"'{text}' is no number of modes (4), balanced=8 or bound (1%)", field="--reduce") from None


def _margins(scenario: Scenario, pose: list[float] | None, time: float | None) -> list[dict[str, Any]]:
    import flexarm as fa

    return [
        {
            "joint": m.joint,
            "gain_margin_db": m.gain,
            "phase_margin_deg": m.phase,
            "crossover_hz": m.crossover,
            "bandwidth_hz": m.bandwidth,
        }
        for m in fa.loop_margins(scenario, pose, time)
    ]


def _complex(values: np.ndarray) -> list[list[float]]:
    return [[float(value.real), float(value.imag)] for value in values]


def _summary(
    scenario: Scenario, whole: StateSpace, made: StateSpace, zeros: dict[str, np.ndarray], margins: list[dict[str, Any]],
    reduce: str | None,
) -> dict[str, Any]:  # fmt: skip
    from dataclasses import asdict

    from flexarm.control.reduction import Reduced

    low = whole.low_frequencies()
    found: dict[str, Any] = {
        "scenario": scenario.name, "point": asdict(made.point), "inputs": list(made.inputs), "outputs": list(made.outputs),
        "states": len(made.states), "states_of_the_mesh": len(whole.states), "period_s": made.period,
        "poles_rad_s": _complex(whole.poles),
        "zeros_rad_s": {name: _complex(values) for name, values in zeros.items()},
        "low_frequencies": {
            f"{output} / {entry}": [float(low[power, k, m]) for power in range(3)]
            for k, output in enumerate(whole.outputs) for m, entry in enumerate(whole.inputs)
        },
        "margins": margins,
    }  # fmt: skip
    if reduce is not None and isinstance(made, Reduced):
        found["kept"] = made.kept
        found["error_bound"] = None if made.limits is None else made.limits.tolist()
    return found


def _write(
    folder: Path, scenario: Scenario, whole: StateSpace, made: StateSpace, zeros: dict[str, np.ndarray], summary: dict[str, Any],
    more: dict[str, Any], kinds: list[str], force: bool,
) -> list[Path]:  # fmt: skip
    from flexarm.files import write_text
    from flexarm.view.files import save
    from flexarm.view.linear import pole_map, response_figure

    files = [write_text(folder / SUMMARY, json_text(summary) + "\n", force)]
    files += [made.save(folder / name, force) for name in (JSON, MAT)]
    pictures = {MAP: pole_map(whole.poles, zeros, f"Poles and zeros: {scenario.name}")}
    if whole.inputs:
        pictures[BODE] = response_figure(made.bode(), f"Frequency response: {scenario.name}")
    for name, picture in {**pictures, **more}.items():
        files += [save(picture, folder / f"{name}.{kind}", force, title=name) for kind in kinds]
    return files


def _show(scenario: Scenario, summary: dict[str, Any], files: list[Path]) -> None:
    heading(scenario.name)
    point = summary["point"]
    out().print(
        f"{summary['states']} states ({summary['states_of_the_mesh']} of the mesh), method {point['method']}, {point['mesh']}"
    )
    out().print("at " + ", ".join(f"{name} {value:.5g}" for name, value in point["pose"].items()))
    if any(point["torques"].values()):
        out().print("held there by " + ", ".join(f"{name} {value:.5g}" for name, value in point["torques"].items()))
    poles = [complex(*pair) for pair in summary["poles_rad_s"]]
    shown = [pole for pole in poles if pole.imag >= 0.0][:SHOWN]
    rows = [[_text(p), f"{abs(p) / 6.283185307179586:.5g}", _damping(p)] for p in shown]
    out().print(table(["pole, rad/s", "Hz", "damping, %"], rows, (0, 1, 2)))
    for name, values in summary["zeros_rad_s"].items():
        near = [complex(*pair) for pair in values if pair[1] >= 0.0][:SHOWN]
        out().print(f"zeros of {name}, rad/s: {'  '.join(map(_text, near)) or 'none'}")
    rows = [[name, *(f"{value:.5g}" for value in values)] for name, values in summary["low_frequencies"].items()]
    if rows:
        out().print(table(["low frequencies", "s^-2", "s^-1", "s^0"], rows, (1, 2, 3)))
    if summary["margins"]:
        cells = [
            [
                m["joint"],
                f"{m['gain_margin_db']:.4g} dB",
                f"{m['phase_margin_deg']:.4g} deg",
                f"{m['crossover_hz']:.4g} Hz",
                f"{m['bandwidth_hz']:.4g} Hz",
            ]
            for m in summary["margins"]
        ]
        out().print(table(["loop of", "gain margin", "phase margin", "crossover", "bandwidth"], cells, (1, 2, 3, 4)))
    if summary.get("kept"):
        limit = summary["error_bound"]
        bound = (
            "no error bound: the arm has no damping" if limit is None else f"error at most {max(map(max, limit)):.3g}"
        )
        out().print(f"kept: {summary['kept']}; {bound}")
    for note in point["notes"]:
        out().print(f"note: {note}")
    heading(f"Files in {files[0].parent}")
    out().print("  ".join(path.name for path in files))


def _damping(pole: complex) -> str:
    """Damping ratio in per cent; none within rounding is 0."""
    ratio = -pole.real / abs(pole) if pole else 0.0
    return f"{100.0 * ratio:.3g}" if abs(ratio) > 1e-11 else "0"


def _text(value: complex) -> str:
    if abs(value.imag) <= 1e-9 * abs(value):
        return f"{value.real:.6g}"
    if abs(value.real) <= 1e-9 * abs(value):
        return f"{value.imag:.6g}i"
    return f"{value.real:.6g}{value.imag:+.6g}i"
