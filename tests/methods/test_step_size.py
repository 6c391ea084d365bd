"""The step that keeps the phase: closed form, and what damping allows."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm as fa
from flexarm.methods.step_size import phase_step

ONE = np.eye(1)


def test_phase_of_one_mode_is_off_by_half_the_accuracy():
    omega, accuracy, duration = 50.0, 1e-3, 2.0
    step = phase_step(ONE, 0.0 * ONE, omega**2 * ONE, accuracy, None, duration)
    error = omega**3 * step**2 / 12.0 * duration
    assert error == pytest.approx(0.5 * accuracy)
    fourth = phase_step(ONE, 0.0 * ONE, omega**2 * ONE, accuracy, None, duration, order=4)
    assert omega**5 * fourth**4 / 720.0 * duration == pytest.approx(0.5 * accuracy)


def test_a_mode_that_dies_out_bears_longer_steps():
    omega, ratio = 50.0, 0.2
    free, damped = (
        phase_step(ONE, 2.0 * c * omega * ONE, omega**2 * ONE, 1e-3, None, 2.0, per_period=1.0) for c in (0.0, ratio)
    )
    assert damped / free == pytest.approx(np.sqrt(2.0 * ratio * omega))
    short = phase_step(ONE, 0.0 * ONE, omega**2 * ONE, 1e-3, 0.1, 2.0)
    assert short > free


def test_nothing_swings():
    assert phase_step(np.zeros((0, 0)), np.zeros((0, 0)), np.zeros((0, 0)), 1e-3, None, 1.0) is None


@pytest.mark.parametrize("method", ["fem", "modes", "ancf"])
def test_half_the_step_changes_the_peaks_of_a_damped_arm_by_less_than_the_accuracy(method):
    link = {
        "name": "a",
        "length": 0.9,
        "material": "aluminium",
        "section": {"shape": "rectangle", "width": 0.02, "height": 0.004},
    }
    plan = fa.Scenario.model_validate(
        {"name": "damped", "method": {"name": method}, "time": {"end": 0.8},
         "arm": {"links": [link], "damping": {"time": 2e-3}, "payload": {"mass": 0.1}},
         "drive": [{"joint": "a", "motion": {"profile": "bang-bang", "by": 0.6, "duration": 0.4}}]}
    )  # fmt: skip
    coarse = fa.simulate(plan).data
    count = len(coarse.time) - 1
    fine = fa.simulate(plan.with_({"time.step": 0.8 / (2 * count)})).data
    for name in ("tip_deflection", "joint_torque"):
        peaks = [float(np.abs(data[name].values).max()) for data in (coarse, fine)]
        assert peaks[0] == pytest.approx(peaks[1], rel=1e-3 if name == "tip_deflection" else 5e-3)
