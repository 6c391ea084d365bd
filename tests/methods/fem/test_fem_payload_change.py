"""A payload that changes on the way, against the exact response."""

from __future__ import annotations

import numpy as np
import pytest
from fem_arms import scenario, slender

import flexarm as fa
from flexarm.analysis.exact_link import ExactLink
from flexarm.analysis.exact_response import PayloadChange, exact_response
from flexarm.methods import get_method

SMALL = 1e-3
PUSH = {"joint": "link", "torque": {"profile": "bang-bang", "amplitude": 0.1 * SMALL, "duration": 0.6}}


def test_capability():
    assert get_method("fem").capabilities.payload_change


@pytest.mark.parametrize("rule", ["at-rest", "matched", "released"])
def test_against_the_exact_response(rule):
    before, after = (0.02, 0.0) if rule == "released" else (0.0, 0.02)
    one = scenario([slender({"hub_inertia": 5.86e-4})], PUSH, arm={"payload": {"mass": before}}, end=1.0, step=2e-4, every=0.05,
                   resolution=6, order=3)  # fmt: skip
    one = one.with_({"events": [{"at": 0.3, "payload": {"mass": after}, "rule": rule}]})
    run = fa.simulate(one)
    assert run.success
    time = run.data["time"].values[1:]
    link = ExactLink.from_arm(one.arm)
    steps = [(0.0, 0.1), (0.3, -0.1), (0.6, 0.0)]
    wanted = exact_response(link, steps, time, changes=[PayloadChange(0.3, after, rule=rule)]).tip
    unchanged = exact_response(link, steps, time).tip
    assert np.abs(wanted - unchanged).max() > 5e-3
    assert run.data["travel"].values[1:] / SMALL == pytest.approx(wanted, abs=1e-3)
