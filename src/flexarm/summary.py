"""The short answer of a run: peaks, values at the end, energy balance, timing. Needs nothing but the result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from flexarm.result import Result


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
        "tip_deflection_peak": float(np.abs(data["tip_deflection"].values).max()),
    }
    if "tip_error" in data:
        error = np.linalg.norm(data["tip_error"].values, axis=1)
        answer["tip_error_peak"], answer["tip_error_rms"] = (
            float(error.max()),
            float(np.sqrt(np.mean(error**2))),
        )
        answer["tip_error_end"] = float(error[-1])
    if "path_error" in data:
        answer.update(_path_error(data["path_error"].values))
    if "travel" in data:
        answer["tip_travel_end"] = float(data["travel"].values[-1])
        answer["tip_travel_peak"] = float(np.abs(data["travel"].values).max())
    for name in ("joint_torque", "drive_torque", "rigid_torque"):
        if name in data and data[name].size:
            peaks = np.abs(data[name].values).max(axis=0)
            answer[f"{name}_peak"] = {str(j): float(p) for j, p in zip(data["joint"].values, peaks, strict=True)}
    if "strain" in data and data["strain"].size:
        peaks = np.abs(data["strain"].values).max(axis=0)
        answer["strain_peak"] = {str(g): float(p) for g, p in zip(data["gauge"].values, peaks, strict=True)}
    if "stress" in data and np.isfinite(data["stress"].values).any():
        answer.update(_stress(result))
    if "energy" in data:
        residual = data["energy"].sel(kind="residual").values
        scale = float(np.abs(data["energy"].drop_sel(kind="residual").values).max())
        answer["energy_residual"] = float(np.abs(residual).max() / scale) if scale > 0 else 0.0
    answer["timing"] = {key: float(value) for key, value in result.timing.items()}
    answer["notes"] = list(result.notes)
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


def _path_error(error: np.ndarray) -> dict[str, Any]:
    """Distance from the wanted path, and its parts along the axes, over all records."""
    distance = np.linalg.norm(error, axis=1)
    return {
        "path_error_peak": float(distance.max()),
        "path_error_rms": float(np.sqrt(np.mean(distance**2))),
        "path_error_end": float(distance[-1]),
        "path_error_peak_xyz": [float(v) for v in np.abs(error).max(axis=0)],
        "path_error_rms_xyz": [float(v) for v in np.sqrt(np.mean(error**2, axis=0))],
    }
