"""How wrong is the step: the run once more with steps of twice the length.

The schemes are of second order, so the error of the run itself is a third of what separates the two.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from flexarm.result import Result
from flexarm.scenario import Scenario

SIGNALS = ("tip_deflection", "tip_error", "joint_torque", "strain")
ORDER = 2


def peaks(result: Result) -> dict[str, float]:
    """Largest size of every signal that has one."""
    found = {}
    for name in SIGNALS:
        if name in result.data and result.data[name].size:
            value = float(np.nanmax(np.abs(result.data[name].values)))
            if value > 0.0:
                found[name] = value
    return found


def add_error_estimate(result: Result, scenario: Scenario, step: float, run: Callable[[Scenario], Result]) -> None:
    """Put the estimated relative error of the peaks into notes and attributes, in place."""
    twice = scenario.with_({"time.step": 2.0 * step, "method.error_estimate": False})
    coarse = run(twice)
    if not coarse.success:
        result.notes.append("error estimate: none, because the run with twice the step did not reach its end")
    else:
        fine, other = peaks(result), peaks(coarse)
        share = 1.0 / (2**ORDER - 1)
        errors = {name: share * abs(fine[name] - other.get(name, 0.0)) / fine[name] for name in fine}
        words = ", ".join(f"{name} {error:.2g}" for name, error in errors.items())
        result.notes.append(f"error estimate (step doubled), relative error of the peaks by the time step: {words}")
        for name, error in errors.items():
            result.data[name].attrs["estimated_peak_error"] = error
    result.data.attrs["notes"] = "\n".join(result.notes)
