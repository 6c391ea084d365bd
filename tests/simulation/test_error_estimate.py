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
