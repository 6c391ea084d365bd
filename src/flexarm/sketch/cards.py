"""Cards of a scenario, a run and its natural modes in HTML: a title, a picture, a table."""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.sketch.arm import brackets, joints, links, stiff_places
from flexarm.sketch.svg import FAINT, ORANGE, Mark, Stroke, svg

if TYPE_CHECKING:
    from flexarm.analysis.frequencies import Frequencies
    from flexarm.control.state_space import StateSpace
    from flexarm.result import Result
    from flexarm.scenario import Scenario

INSTANTS, MOST_MODES, SWING = 6, 4, 0.12
"""Pictures of a run; modes that are drawn; their largest displacement as a part of the arm's extent."""
MOST_POLES = 8
"""Poles of a linear model that are told."""


def card(title: str, pictures: Sequence[str], rows: Iterable[tuple[str, str]], text: str = "") -> str:
    """A title, a sentence, pictures side by side, and a table of names and values."""
    listed = "".join(
        f'<tr><td style="text-align:left;white-space:nowrap;padding-right:1em">{html.escape(name)}</td>'
        f'<td style="text-align:left">{html.escape(value)}</td></tr>'
        for name, value in rows
    )
    drawn = "".join(f'<span style="display:inline-block;margin-right:.6em">{picture}</span>' for picture in pictures)
    about = f"<div>{html.escape(text)}</div>" if text else ""
    return f"<div><b>{html.escape(title)}</b>{about}<div>{drawn}</div><table>{listed}</table></div>"


def of_scenario(scenario: Scenario) -> str:
    """The arm in its start pose, and what the file says in short."""
    arm = scenario.arm
    places = stiff_places(arm)
    strokes = [*brackets(arm), *links(arm, places)]
    return card(scenario.name, [svg(strokes, joints(arm, places))], _of_file(scenario), scenario.about)


def _of_file(scenario: Scenario) -> Iterator[tuple[str, str]]:
    arm, options = scenario.arm, scenario.method.options
    each = [
        link.name + (f" {_length(link.span)}" if link.span else "") + ("" if link.flexible else " (rigid)")
        for link in arm.links
    ]
    yield "links", ", ".join(each)
    yield "mass", f"{sum(link.mass for link in arm.links):.4g} kg in the links, {arm.payload.mass:.4g} kg payload"
    if any(arm.gravity):
        yield "gravity", f"{np.linalg.norm(arm.gravity):.4g} m/s²"
    driven = [name for drive in scenario.drive for name in drive.names]
    yield "driven joints", ", ".join(driven) or "none"
    yield "method", f"{scenario.method.name}, resolution {options.resolution}"
    yield "time", f"{scenario.time.end:g} s, from {scenario.time.start}"


def of_result(result: Result) -> str:
    """The arm at some instants, the later the darker, with the path of its tip; and what was found."""
    data, arm = result.data, result.scenario.arm
    drawn = []
    if "shape" in data and data.sizes.get("s", 0) > 1:
        shape = np.asarray(data["shape"], dtype=float)
        chosen = np.unique(np.linspace(0, len(shape) - 1, INSTANTS).round().astype(int))
        strokes = [Stroke(np.asarray(data["tip_position"], dtype=float), ORANGE, 1.0)]
        for k, at in enumerate(chosen):
            strokes += links(arm, shape[at], opacity=0.15 + 0.85 * (k + 1) / len(chosen))
        drawn.append(svg(strokes, joints(arm, shape[-1])))
    return card(f"{result.scenario.name}: {result.outcome.name}", drawn, _of_run(result))


def _of_run(result: Result) -> Iterator[tuple[str, str]]:
    summary = result.summary()
    yield "method", f"{summary['method']}, {summary['end_time']:g} s in {summary['steps']} steps"
    for name, words in (("tip_deflection", "tip deflection"), ("tip_error", "tip error"), ("path_error", "path error")):
        if f"{name}_peak" in summary:
            peak, end = (_length(summary[f"{name}_{what}"]) for what in ("peak", "end"))
            yield words, f"{peak} at most, {end} at the end"
    for name, words in (("drive_torque", "motor torque"), ("joint_torque", "joint torque")):
        if name in result.data and summary.get(f"{name}_peak"):
            unit = str(result.data[name].attrs.get("units", "")).replace("*", "·")
            each = ", ".join(f"{joint} {peak:.4g}" for joint, peak in summary[f"{name}_peak"].items())
            yield words, f"{each} {unit} at most"
    if "energy_residual" in summary:
        yield "energy balance", f"closes to {summary['energy_residual']:.1e} of the largest energy"
    if not result.success:
        yield "message", result.message
    yield "signals", f"{', '.join(map(str, result.data.data_vars))} (in .data)"


def of_frequencies(found: Frequencies) -> str:
    """The first mode shapes on the arm, and all frequencies with their damping."""
    drawn, arm = [], found.arm
    if arm is not None:
        shapes = np.asarray(found.shapes.transpose("mode", "link", "s", "axis"), dtype=float)[:MOST_MODES]
        stiff = stiff_places(arm, np.asarray(found.shapes["s"], dtype=float)) if found.rest is None else found.rest
        extent = float(np.ptp(stiff.reshape(-1, 3), axis=0).max())
        ghost = [Stroke(line, FAINT, 1.5, "5 4") for line in stiff]
        for shape in shapes:
            bent = stiff + SWING * extent * shape
            marks = [Mark(line[0], mark.square) for line, mark in zip(bent, joints(arm, stiff), strict=False)]
            drawn.append(svg([*ghost, *links(arm, bent)], marks, (230, 170)))
    rows = [
        (f"mode {k + 1}", f"{hz:.5g} Hz, damping {100 * ratio:.3g} %")
        for k, (hz, ratio) in enumerate(zip(found.hz, found.damping, strict=True))
    ]
    title = f"Natural frequencies, joints {found.joints}" + (", a motion grows by itself" if found.unstable else "")
    rigid: list[tuple[str, Any]] = [("rigid motions", str(found.rigid_modes))] if found.rigid_modes else []
    return card(title, drawn, [*rows, *rigid])


def of_state_space(system: StateSpace) -> str:
    """Point, inputs, outputs and slowest poles of a linear model."""
    poles = [pole for pole in system.poles if pole.imag >= 0.0][:MOST_POLES]
    rows: list[tuple[str, Any]] = [
        ("states", str(len(system.states))),
        ("inputs", ", ".join(f"{n} ({u})" for n, u in zip(system.inputs, system.input_units, strict=True))),
        ("outputs", ", ".join(f"{n} ({u})" for n, u in zip(system.outputs, system.output_units, strict=True))),
        ("pose", ", ".join(f"{name} {value:.4g}" for name, value in system.point.pose.items())),
        ("torques at rest", ", ".join(f"{name} {value:.4g}" for name, value in system.point.torques.items())),
        ("slowest poles", ", ".join(f"{pole.real:.4g}{pole.imag:+.4g}i" for pole in poles)),
        *(("note", note) for note in system.point.notes),
    ]
    sampled = f", sampled every {system.period:g} s" if system.period else ""
    return card(f"Linear model of {system.point.scenario} by {system.point.method}{sampled}", [], rows)


def _length(metres: float) -> str:
    return (
        f"{metres:.4g} m" if metres >= 1.0 else f"{1e3 * metres:.4g} mm" if metres >= 1e-3 else f"{1e6 * metres:.4g} µm"
    )
