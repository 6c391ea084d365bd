"""The numbers of a run that matter, in sentences for a page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from flexarm.commands.numbers import say, seconds

if TYPE_CHECKING:
    from flexarm.result import Result


def sentences(result: Result, summary: dict[str, Any]) -> Iterator[str]:
    """How far the tip bends and misses, what it takes, how it rings, and what computing it cost."""
    bend = f"Bending takes the tip up to {say(summary['tip_deflection_peak'], 'm')} off the stiff arm"
    if "path_error_peak" in summary:
        peak, rms = (say(summary[f"path_error_{name}"], "m") for name in ("peak", "rms"))
        yield f"{bend}; it misses its path by {peak} at most, {rms} rms."
    elif "tip_error_peak" in summary:
        yield f"{bend}; it misses the commanded place by {say(summary['tip_error_peak'], 'm')} at most."
    else:
        yield f"{bend}."
    yield from _effort(result, summary)
    yield from _ringing(result.scenario.arm.payload_link.name, summary)
    yield from _cost(summary)


def _effort(result: Result, summary: dict[str, Any]) -> Iterator[str]:
    """The largest torque (or force) of all joints, by whatever drives them."""
    from flexarm.view.source import joint_units

    name = next((name for name in ("drive_torque", "joint_torque") if summary.get(f"{name}_peak")), None)
    if name is None:
        return
    of_joint = dict(zip(summary[f"{name}_peak"], joint_units(result, name), strict=True))
    for unit, word in (("N*m", "torque"), ("N", "force")):
        peaks = {joint: peak for joint, peak in summary[f"{name}_peak"].items() if of_joint[joint] == unit}
        if peaks:
            joint = max(peaks, key=lambda each: peaks[each])
            where = f" ({joint})" if len(of_joint) > 1 else ""
            yield f"The largest {word} of {'a motor' if name == 'drive_torque' else 'a joint'} is {say(peaks[joint], unit)}{where}."


def _ringing(link: str, summary: dict[str, Any]) -> Iterator[str]:
    rest, decay, found = summary["drives_rest_from"], summary["ringing"], summary["frequencies_found"]
    link = "link" if link == "link" else f"link '{link}'"
    if decay:
        damped = decay["time_to_5_percent"]
        end = (
            f"with {100 * decay['damping_ratio']:.2g} % of damping, below 5 % of that after {say(damped, 's')}"
            if damped is not None
            else "and it grows"
            if decay["damping_ratio"] < 0.0
            else "undamped"
        )
        size, hertz = say(decay["amplitude"], "m"), f"{decay['frequency']:.4g} Hz"
        yield f"Once the drives rest, from {rest:.3g} s on, the {link} bends to and fro at {hertz}, its end by {size}, {end}."
    elif found:
        yield f"The {link} bends to and fro at {', '.join(f'{hz:.4g}' for hz in found[:2])} Hz."
    if summary["natural_frequencies"]:
        first = [f"{hz:.4g}" for hz in summary["natural_frequencies"][:3]]
        words = {"locked": "locked", "free": "free", "held": "held by their law"}[summary["joints"]]
        yield f"The first natural frequencies with the joints {words} are {', '.join(first)} Hz."


def _cost(summary: dict[str, Any]) -> Iterator[str]:
    timing = summary["timing"]
    took, factor = seconds(timing["march"]), timing["real_time_factor"]
    text = (
        f"{summary['end_time']:.4g} s in {summary['steps']} steps took {took}, {factor:.3g} times as fast as real time"
    )
    if "energy_residual" in summary:
        text += f"; the energy balance closes to {summary['energy_residual']:.1e} of the largest energy"
    yield f"{text}."
