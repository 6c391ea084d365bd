"""What a person wants to know after a run, in a few lines."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flexarm.commands.console import facts, heading, out, points
from flexarm.commands.numbers import joined, point, say, seconds

if TYPE_CHECKING:
    from flexarm.result import Result

TORQUES = {
    "drive_torque": "motor torque",
    "joint_torque": "joint torque",
    "rigid_torque": "torque, stiff arm",
}

MARGINS = (("phase", "deg"), ("gain", "dB"))


def report(result: Result, summary: dict[str, Any], files: list[Path], spent: float) -> None:
    """Print peaks, ringing, frequencies, energy balance, notes, files and timing."""
    heading(f"{result.scenario.name}")
    out().print(facts([*_answers(result, summary), ("computing", _timing(summary["timing"], spent))]))
    if result.notes:
        heading("Notes")
        points(result.notes)
    if files:
        heading(f"Files in {files[0].parent}")
        out().print("  ".join(path.name for path in files))


def _answers(result: Result, summary: dict[str, Any]) -> Iterator[tuple[str, str]]:
    reached, end = summary["end_time"], result.scenario.time.end
    span = f"{end:g} s" if result.success else f"{reached:.6g} of {end:g} s"
    grid = f"{span} in {summary['steps']} steps, the shortest {say(summary['step'], 's')}"
    yield "method", f"{summary['method']}, {grid}"
    yield "tip deflection", f"{say(summary['tip_deflection_peak'], 'm')} at most"
    if "tip_error_peak" in summary:
        peak, end = (say(summary[f"tip_error_{name}"], "m") for name in ("peak", "end"))
        yield "tip error", f"{peak} at most, {end} at the end"
    if "path_error_peak" in summary:
        peak, rms = (say(summary[f"path_error_{name}"], "m") for name in ("peak", "rms"))
        yield "path error", f"{peak} at most, {rms} rms"
    yield "tip at the end", point(summary["tip_position_end"], result.scenario.arm.spatial)
    if "travel_end" in summary:
        yield "tip travel", f"{say(summary['travel_end'], 'm')} at the end"
    if summary["settling_time"] is not None:
        yield "settling", f"within 2 % after {say(summary['settling_time'], 's')}"
    elif summary["residual_vibration"]:
        yield "settling", "not within 2 % before the run ends"
    if summary["overshoot"] is not None:
        yield "overshoot", f"{100 * summary['overshoot']:.3g} % of the way of the tip"
    yield from _efforts(result, summary)
    for gauge, strain in summary.get("strain_peak", {}).items():
        yield f"strain {gauge}", f"{say(strain, 'strain')} at most"
    yield from _vibration(summary)
    for joint, margin in (summary["margins"] or {}).items():
        words = (f"{margin[name]:.4g} {unit}" if math.isfinite(margin[name]) else "unlimited" for name, unit in MARGINS)
        yield (
            f"loop of {joint}",
            "phase margin {}, gain margin {}; follows up to {:.4g} Hz".format(*words, summary["bandwidth"][joint]),
        )
    if "energy_residual" in summary:
        yield "energy balance", f"closes to {summary['energy_residual']:.1e} of the largest energy"


def _efforts(result: Result, summary: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Largest torque (or force) of each joint; those of motor and joint once if they are the same."""
    from flexarm.view.source import joint_units

    told: list[dict[str, float]] = []
    for name, words in TORQUES.items():
        peaks = summary.get(f"{name}_peak")
        if not peaks or peaks in told:
            continue
        told.append(peaks)
        units = joint_units(result, name)
        each = [f"{joint} {say(peak, unit)}" for (joint, peak), unit in zip(peaks.items(), units, strict=True)]
        yield words, ", ".join(each) + " at most"


def _vibration(summary: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """What is left once the drives rest, and the frequencies in it."""
    rest, decay = summary["drives_rest_from"], summary["ringing"]
    if decay:
        calm = decay["time_to_5_percent"]
        text = f"{say(decay['amplitude'], 'm')} at {decay['frequency']:.4g} Hz from {rest:.3g} s on"
        if calm is not None:
            text += f", damping {100 * decay['damping_ratio']:.2g} %: below 5 % of that after {say(calm, 's')}"
        else:
            text += ", growing" if decay["damping_ratio"] < 0 else ", undamped: it does not die out"
        yield "ringing", text
    elif summary["records_too_coarse"]:
        yield "ringing", "cannot be seen: the records are too far apart for the first mode; make output.every shorter"
    elif summary["still_moves"]:
        yield (
            "ringing",
            f"{say(summary['still_moves'], 'm')} from {rest:.3g} s on, but too short or mixed to tell its decay",
        )
    elif rest is not None:
        yield "ringing", f"none to speak of once the drives rest, from {rest:.3g} s on"
    if summary["frequencies_found"]:
        yield "frequencies seen", joined(summary["frequencies_found"], "Hz in the deformation of the last link")
    if summary["natural_frequencies"]:
        words = {"locked": "locked", "free": "free", "held": "held by their law"}[summary["joints"]]
        place = "the pose at rest" if summary["natural_frequencies_time"] else "the start pose"
        turn = f", turning at {spin:.4g} rad/s" if (spin := summary["natural_frequencies_spin"]) else ""
        text = f"Hz with joints {words} in {place}{turn}"
        yield "natural frequencies", joined(summary["natural_frequencies"][:4], text)


def _timing(timing: dict[str, float], spent: float) -> str:
    factor = timing["real_time_factor"]
    return f"{seconds(timing['march'])} for the steps ({factor:.3g} times real time), {seconds(spent)} in all"
