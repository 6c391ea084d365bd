"""The answers by which runs are compared: peaks of deflection, torque and strain, settling, and the course of the deflection."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexarm.result import Result

COMPARED = (
    "tip_deflection_peak", "tip_deflection_rms", "tip_error_peak", "joint_torque_peak", "strain_peak", "settling_time", "residual_vibration",
)  # fmt: skip
"""Numbers of a run's summary by which runs are compared; those of joints and gauges become ``name:joint``."""
COURSE = "tip_deflection_course"
"""Name of the largest distance between two runs' tip deflections at the same time, as a share of the peak."""


@dataclass(frozen=True)
class Answers:
    """Numbers that a user reads from a run.

    Attributes
    ----------
    numbers : dict
        Name in the summary -> value in SI units.
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
    data, summary = result.data, result.summary()
    numbers: dict[str, float] = {}
    for name in COMPARED:
        value = summary.get(name)
        if isinstance(value, dict):
            numbers.update({f"{name}:{key}": each for key, each in value.items()})
        elif value is not None:
            numbers[name] = value
    deflection = np.asarray(data["tip_deflection"].values, dtype=float)
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
