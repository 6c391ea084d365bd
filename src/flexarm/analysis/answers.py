"""The answers by which runs are compared: peaks of deflection, torque and strain, and the course of the deflection."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexarm.result import Result

COURSE = "course of the tip deflection"
"""Name of the largest difference of two deflections over time, as a share of the peak."""


@dataclass(frozen=True)
class Answers:
    """Numbers that a user reads from a run.

    Attributes
    ----------
    numbers : dict
        Name -> value in SI units.
    deflection : ndarray, shape (time, axis)
        Tip deflection in m at `times` (time,).
    """

    numbers: dict[str, float]
    times: np.ndarray
    deflection: np.ndarray

    @property
    def peak(self) -> float:
        """Largest tip deflection, m."""
        return float(np.linalg.norm(self.deflection, axis=1).max())


def answers(result: Result) -> Answers:
    """The answers of a finished run."""
    data = result.data
    deflection = np.asarray(data["tip_deflection"].values, dtype=float)
    size = np.linalg.norm(deflection, axis=1)
    numbers = {"tip deflection, peak": float(size.max()), "tip deflection, rms": float(np.sqrt(np.mean(size**2)))}
    if "tip_error" in data:
        numbers["tip error, peak"] = float(np.linalg.norm(data["tip_error"].values, axis=1).max())
    for name, dim, label in (("joint_torque", "joint", "torque"), ("strain", "gauge", "strain")):
        if name in data:
            for key in data[dim].values.tolist():
                numbers[f"{label} {key}, peak"] = float(np.abs(data[name].sel({dim: key})).max())
    return Answers(numbers, np.asarray(data["time"].values, dtype=float), deflection)


def differences(found: Answers, other: Answers) -> dict[str, float]:
    """Relative difference of every number that both have, and of the courses, as shares of the other's values.

    A number that is nothing beside the peak deflection of its run (an arm at rest) counts as equal.
    """
    shares = {}
    for name, value in found.numbers.items():
        known = other.numbers.get(name)
        if known is not None:
            shares[name] = 0.0 if value == known else abs(value - known) / max(abs(known), 1e-300)
    common = np.isin(np.round(found.times, 9), np.round(other.times, 9))
    mirror = np.isin(np.round(other.times, 9), np.round(found.times, 9))
    gap = np.linalg.norm(found.deflection[common] - other.deflection[mirror], axis=1)
    shares[COURSE] = float(gap.max()) / max(other.peak, 1e-300) if len(gap) else float("nan")
    return shares
