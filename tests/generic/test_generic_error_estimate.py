"""`method.error_estimate` on arms drawn by a seed: the true error is not larger than the estimate, nor far smaller."""

from __future__ import annotations

import numpy as np
import pytest
from seeded_arms import drawn

import flexarm as fa

STEPS = 150
FINER = {"fem": 32, "segments": 40, "modes": 8, "ancf": 16}
"""Parts per link of the run that errors are measured by; its step is an eighth."""


def off(run: fa.Result, fine: fa.Result, name: str) -> float:
    """Largest distance of two runs, whose step points coincide, as a share of the peak."""
    exact = fine.data[name].values[:: (len(fine.data.time) - 1) // (len(run.data.time) - 1)]
    return float(np.abs(run.data[name].values - exact).max() / np.abs(run.data[name].values).max())


@pytest.mark.parametrize(("method", "seed"), [("fem", 1), ("segments", 3), ("modes", 4), ("ancf", 4)])
def test_the_true_error_is_near_the_estimated_one(method, seed):
    plan = drawn(seed).with_({"method": {"name": method}})
    plan = plan.with_({"time.step": plan.time.end / STEPS, "output.every": plan.time.end / STEPS})
    run = fa.simulate(plan.with_({"method.error_estimate": True}), warn=False)
    finer = {"time.step": plan.time.end / (8 * STEPS), **plan.method.options.mesh(FINER[method])}
    fine = fa.simulate(plan.with_(finer), warn=False)
    for name in ("tip_position", "joint_torque", "strain"):
        true = off(run, fine, name)
        assert 0.9 * true < run.data[name].attrs["estimated_error"] < 5.0 * true, name
