"""How wrong is the step: the run once more with steps of twice the length.

The schemes are of second order, so the error of the run itself is a third of what separates the two. It is taken at its
largest over the run, as a share of the signal's peak; errors of amplitude and of phase both count.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from flexarm.methods.base import Outcome
from flexarm.result import Result
from flexarm.scenario import Scenario

SIGNALS = ("tip_position", "tip_deflection", "tip_error", "joint_torque", "strain")
ORDER = 2


def apart(fine: Result, coarse: Result, name: str) -> float | None:
    """Largest distance of two runs in a signal, as a share of its peak; None if the signal is nowhere."""
    if name not in fine.data or not fine.data[name].size:
        return None
    values, others = fine.data[name].values, coarse.data[name].values
    times, grid = fine.data["time"].values, coarse.data["time"].values
    columns = zip(values.reshape(len(times), -1).T, others.reshape(len(grid), -1).T, strict=True)
    off = max(float(np.abs(np.interp(grid, times, one) - two).max()) for one, two in columns)
    peak = float(np.abs(values).max())
    return off / peak if peak > 0.0 else None


def add_error_estimate(
    result: Result, scenario: Scenario, step: float, run: Callable[[Scenario], Result | None]
) -> None:
    """Put the estimated error of every signal, as a share of its peak, into notes and attributes, in place."""
    coarse = run(scenario.with_({"time.step": 2.0 * step, "method.error_estimate": False}))
    if coarse is None or coarse.outcome is Outcome.CANCELLED:
        result.notes.append("error estimate: none, because it was interrupted")
    elif not coarse.success:
        result.notes.append("error estimate: none, because the run with twice the step did not reach its end")
    else:
        errors = {}
        for name in SIGNALS:
            off = apart(result, coarse, name)
            if off is not None:
                errors[name] = off / (2**ORDER - 1)
                result.data[name].attrs["estimated_error"] = errors[name]
        words = ", ".join(f"{name} {error:.2g}" for name, error in errors.items())
        result.notes.append(
            f"error estimate (step doubled), largest error by the time step as a share of the peak: {words}"
        )
    result.data.attrs["notes"] = "\n".join(result.notes)
