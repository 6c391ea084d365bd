"""No step gives a quiet wrong answer, and the automatic step keeps its promise."""

from __future__ import annotations

import numpy as np
import pytest
from fem_arms import CYCLOID, DOWN, beam, moved, scenario

import flexarm as fa

LOWEST = -0.5739
"""Converged least deflection of the spin-up, m."""
OPTIONS = [{"integrator": "newmark"}, {}, {"spectral_radius": 0.0}, {"theory": "linear"}]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("step", [1e-2, 9.3e-3, 7.77e-3, 3.1e-3])
def test_spin_up_is_right_or_not_a_success(step, options):
    method = {"name": "fem", "resolution": 8, **options}
    run = fa.simulate(fa.load("spin-up").with_({"time.step": step, "output.every": 0.1, "method": method}))
    lowest = float(run.data.tip_error_link.sel(direction="transverse").min())
    assert not run.success or lowest == pytest.approx(LOWEST, rel=0.01)
    if options.get("theory") == "linear":
        assert not run.success and any("stiffening" in note for note in run.notes)


PAYLOAD = {"payload": {"mass": 0.4, "inertia": 0.02, "offset": [0.05, 0.1]}, "gravity": DOWN}
PULSE = {"profile": "versine", "amplitude": 2.0, "duration": 0.3}
ARMS = {
    "moved": ([beam("a"), beam("b", 0.7)], [moved("a", CYCLOID), moved("b", CYCLOID)], PAYLOAD),
    "servo": ([beam("a")], [moved("a", CYCLOID, servo={"kp": 300.0, "kv": 40.0})], {}),
    "torque": ([beam("a", joint={"hub_inertia": 0.2})], [{"joint": "a", "torque": PULSE}], {}),
}


@pytest.mark.parametrize("name", ARMS)
def test_halving_the_automatic_step_keeps_the_peaks(name):
    links, drives, arm = ARMS[name]
    one = scenario(links, drives, arm=arm, step="auto", every=0.01, integrator="generalised-alpha")
    run = fa.simulate(one)
    half = fa.simulate(one.with_({"time.step": 0.5 * run.data.attrs["step"]}))
    first, second = (float(np.abs(r.data.tip_deflection.values).max()) for r in (run, half))
    assert first == pytest.approx(second, rel=1e-3)
