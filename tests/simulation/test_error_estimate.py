"""The estimated error by step doubling against the true error."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm as fa

CASE = {"method": {"name": "fem", "resolution": 4, "error_estimate": True}, "output.every": "20 ms", "time.end": "1 s"}


def peak(result, name):
    return float(np.abs(result.data[name].values).max())


@pytest.mark.parametrize("step", [0.01, 0.005])
def test_estimate_is_the_true_error(step):
    scenario = fa.load("naganathan-flexible").with_(CASE)
    run = fa.simulate(scenario.with_({"time.step": step}))
    fine = fa.simulate(scenario.with_({"time.step": 2.5e-4, "method.error_estimate": False}))
    for name in ("tip_error", "tip_deflection"):
        true = abs(peak(run, name) / peak(fine, name) - 1.0)
        told = run.data[name].attrs["estimated_peak_error"]
        assert 0.4 * true < told < 2.5 * true
    assert any("error estimate" in note for note in run.notes)
    assert "error estimate" in run.data.attrs["notes"]
    assert not any("error estimate" in note for note in fine.notes)
