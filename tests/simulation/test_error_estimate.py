"""The estimated error by step doubling against the true error."""

from __future__ import annotations

import pytest

import flexarm as fa
from flexarm.simulation.step_doubling import apart

CASE = {"method": {"name": "fem", "resolution": 4, "error_estimate": True}, "output.every": "20 ms", "time.end": "1 s"}


@pytest.mark.parametrize("step", [0.01, 0.005, 0.002])
def test_estimate_is_the_true_error(step):
    scenario = fa.load("naganathan-flexible").with_(CASE)
    run = fa.simulate(scenario.with_({"time.step": step}))
    fine = fa.simulate(scenario.with_({"time.step": 2.5e-4, "method.error_estimate": False}))
    for name in ("tip_error", "tip_deflection", "joint_torque"):
        assert 0.5 * apart(run, fine, name) < run.data[name].attrs["estimated_error"] < 2.0 * apart(run, fine, name)
    assert "error estimate" in run.data.attrs["notes"] and run.notes[-1] in run.data.attrs["notes"]
    assert not any("error estimate" in note for note in fine.notes)


def test_an_arm_in_space_has_an_estimate_too():
    """It was read and ignored."""
    short = {"time.end": 0.2, "time.step": 2e-3, "output.every": 0.01, "method.error_estimate": True}
    run = fa.simulate(fa.load("naganathan-3r").with_(short))
    fine = fa.simulate(fa.load("naganathan-3r").with_({**short, "time.step": 2.5e-4, "method.error_estimate": False}))
    assert run.data.tip_position.attrs["estimated_error"] > 0.0
    true = apart(run, fine, "tip_position")
    assert 0.3 * true < run.data.tip_position.attrs["estimated_error"] < 3.0 * true
