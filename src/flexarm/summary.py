"""The short answer of a run: peaks, values at the end, energy balance, timing. Needs nothing but the result.

Names are those of the signals with what is taken of them: ``peak`` is the largest value over all records, ``rms`` the root of
the mean square over the records, ``end`` the value of the last record. Of a vector the length counts, of other signals
the absolute value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from flexarm.result import Result

DISTANCES = ("tip_deflection", "tip_error", "path_error")
"""Vectors (time, axis) of which the length counts."""
EFFORTS = {"joint_torque": "joint", "drive_torque": "joint", "rigid_torque": "joint", "strain": "gauge"}
"""Signals of which the largest value of each joint or gauge is told."""


BAND = 0.02
"""Share of the largest distance from the place of rest within which the tip counts as settled."""
LAST = 0.25
"""Last part of the time after the drives, over which the place of rest is the mean and in which a settled tip stays within its band."""

ROUNDING = 1e-9
"""Share of the arm's length that is no motion."""


def summarise(result: Result) -> dict[str, Any]:
    """Numbers in SI units under plain names."""
    data = result.data
    time = data["time"].values
    answer: dict[str, Any] = {
        "scenario": result.scenario.name,
        "method": data.attrs["method"],
        "success": result.success,
        "outcome": result.outcome.name,
        "message": result.message,
        "end_time": float(time[-1]),
        "step": float(data.attrs["smallest_step"]),
        "steps": int(data.attrs["steps"]),
        "records": len(time),
        "tip_position_end": [float(v) for v in data["tip_position"].values[-1]],
    }
    answer.update(settling(result))
    for name in DISTANCES:
        if name in data:
            distance = np.linalg.norm(data[name].values, axis=1)
            answer[f"{name}_peak"] = float(distance.max())
            answer[f"{name}_rms"] = float(np.sqrt(np.mean(distance**2)))
            answer[f"{name}_end"] = float(distance[-1])
    if "path_error" in data:
        error = data["path_error"].values
        answer["path_error_peak_xyz"] = [float(v) for v in np.abs(error).max(axis=0)]
        answer["path_error_rms_xyz"] = [float(v) for v in np.sqrt(np.mean(error**2, axis=0))]
    if "travel" in data:
        answer["travel_end"] = float(data["travel"].values[-1])
        answer["travel_peak"] = float(np.abs(data["travel"].values).max())
    for name, owner in EFFORTS.items():
        if name in data and data[name].size:
            peaks = np.abs(data[name].values).max(axis=0)
            answer[f"{name}_peak"] = {str(k): float(p) for k, p in zip(data[owner].values, peaks, strict=True)}
    if "stress" in data and np.isfinite(data["stress"].values).any():
        answer.update(_stress(result))
    if "energy" in data:
        residual = data["energy"].sel(kind="residual").values
        scale = float(np.abs(data["energy"].drop_sel(kind="residual").values).max())
        answer["energy_residual"] = float(np.abs(residual).max() / scale) if scale > 0 else 0.0
    answer["timing"] = {key: float(value) for key, value in result.timing.items()}
    answer["notes"] = list(result.notes)
    return answer


def settling(result: Result) -> dict[str, float | None]:
    """Settling time, overshoot and residual vibration of the tip; None where they have no meaning.

    The tip rests at the mean of its positions in the last quarter of the time after the drives have come to rest. It has settled when it stays
    within 2 % of its largest distance from there, counted from the beginning of the drives. It overshoots by what it goes beyond that place, as
    a share of its way (`travel` of a single link, else along the line from its start), unless it ends near its start.
    """
    data = result.data
    answer: dict[str, float | None] = {"settling_time": None, "overshoot": None, "residual_vibration": None}
    time, tip = data["time"].values, data["tip_position"].values
    begin, rest = (float(data.attrs.get(name, np.inf)) for name in ("drives_begin", "drives_rest_from"))
    late = time >= time[-1] - LAST * (time[-1] - rest)
    if not result.success or not rest < time[-1] or late.sum() < 4:
        return answer
    place = tip[late].mean(axis=0)
    distance = np.linalg.norm(tip - place, axis=1)
    largest = float(distance.max())
    answer["residual_vibration"] = float(distance[time >= rest].max())
    outside = np.flatnonzero(distance > BAND * largest)
    if largest <= ROUNDING * sum(link.span for link in result.scenario.arm.links):
        return answer
    k = int(outside[-1])
    if not late[k]:
        share = (distance[k] - BAND * largest) / (distance[k] - distance[k + 1])
        answer["settling_time"] = max(0.0, float(time[k] + share * (time[k + 1] - time[k])) - begin)
    if distance[0] > 0.5 * largest:
        line = (tip - tip[0]) @ (place - tip[0])
        way = data["travel"].values - data["travel"].values[0] if "travel" in data else line
        answer["overshoot"] = max(0.0, float((way / way[late].mean()).max()) - 1.0)
    return answer


def _stress(result: Result) -> dict[str, Any]:
    """Largest stress of each flexible link, and the least share of a stated strength over it."""
    found, margins = {}, []
    for name, values in zip(result.data["link"].values, np.moveaxis(result.data["stress"].values, 1, 0), strict=True):
        if np.isfinite(values).any():
            found[str(name)] = float(np.nanmax(values))
            material = result.scenario.arm.link(str(name)).material
            if material is not None and material.strength is not None and found[str(name)] > 0.0:
                margins.append(material.strength / found[str(name)])
    return {"stress_peak": found, **({"stress_margin": min(margins)} if margins else {})}
