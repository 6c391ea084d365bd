"""Start in equilibrium: the rest of the arm under its drives, in every method, against statics by hand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from generic_arms import METHODS

import flexarm as fa
from flexarm.errors import FlexarmError

G, LENGTH, KP = 9.81, 1.0, 900.0
TUBE = {"shape": "tube", "diameter": 0.04, "thickness": 0.002}
AREA = math.pi * (0.02**2 - 0.018**2)
WEIGHT = 7850.0 * AREA * LENGTH * G
HOLD = {"profile": "constant"}
LAWS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "servo": ({}, {"servo": {"kp": KP, "kv": 20.0}}),
    "pd": ({}, {"control": {"type": "pd", "kp": KP, "kv": 20.0}}),
    "pid": ({}, {"control": {"type": "pid", "kp": KP, "kv": 20.0, "ki": 300.0}}),
    "motor behind a spring": (
        {"stiffness": 4000.0, "rotor_inertia": 0.05},
        {"control": {"type": "pd", "kp": KP, "kv": 20.0, "sensor": "motor"}},
    ),
    "sampled": ({"rotor_inertia": 0.2}, {"control": {"type": "pd", "kp": KP, "kv": 20.0, "period": 1e-3}}),
    "sampled, integral": (
        {"rotor_inertia": 0.2},
        {"control": {"type": "pid", "kp": KP, "kv": 20.0, "ki": 300.0, "period": 1e-3}},
    ),
    "friction": ({"friction": 0.5}, {"control": {"type": "pd", "kp": KP, "kv": 20.0}}),
}


def held(method: str, joint: dict[str, Any], drive: dict[str, Any], **time: Any) -> fa.Scenario:
    """A steel tube, horizontal, that its drive holds against its weight."""
    link = {"name": "a", "section": TUBE, "length": LENGTH, "joint": joint,
            "material": {"E": 210e9, "density": 7850.0, "nu": 0.3}}  # fmt: skip
    return fa.Scenario.model_validate({
        "name": "held", "arm": {"links": [link], "gravity": [0.0, -G, 0.0]},
        "drive": [{"joint": "a", "motion": HOLD, **drive}], "method": {"name": method},
        "time": {"end": 0.1, "step": 5e-4, "start": "equilibrium", **time},
    })  # fmt: skip


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("method", METHODS)
def test_an_arm_under_a_law_starts_at_rest(method, law):
    if law == "friction" and not fa.get_method(method).capabilities.friction:
        pytest.skip("no friction")
    run = fa.simulate(held(method, *LAWS[law]))
    data, turned = run.data, run.data.joint_position.values[0, 0]
    assert run.success
    tip = data.tip_position.values
    assert np.abs(tip - tip[0]).max() < 2e-8
    torque = 0.5 * WEIGHT * LENGTH * math.cos(turned)
    assert data.drive_torque.values[0, 0] == pytest.approx(torque, rel=3e-3)
    motor = data.motor_position.values[0, 0]
    assert motor == pytest.approx(0.0 if "ki" in str(LAWS[law]) else -data.drive_torque.values[0, 0] / KP, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_feed_forward_and_actuator_count(method):
    """A torque beside the law takes its share of the weight; a lag passes constant commands on."""
    drive = {"control": {"type": "pd", "kp": KP, "kv": 20.0}, "torque": {"profile": "constant", "amplitude": 4.0},
             "actuator": {"type": "transfer", "poles": [-100.0]}}  # fmt: skip
    run = fa.simulate(held(method, {"rotor_inertia": 0.2}, drive))
    tip, torque = run.data.tip_position.values, run.data.drive_torque.values[0, 0]
    assert np.abs(tip - tip[0]).max() < 2e-8
    assert run.data.joint_position.values[0, 0] == pytest.approx(-(torque - 4.0) / KP, rel=1e-6)


@pytest.mark.parametrize("method", METHODS)
def test_a_limit_that_cannot_hold_the_arm_is_told(method):
    weak = held(method, {}, {"control": {"type": "pd", "kp": KP, "kv": 20.0, "limit": 3.0}})
    with pytest.raises(FlexarmError, match=r"holding it takes 9\.1.* N\*m, its drive gives at most 3"):
        fa.simulate(weak)


@pytest.mark.parametrize("method", METHODS)
def test_locked_is_what_gravity_does_to_the_links_alone(method):
    run = fa.simulate(held(method, {}, {"control": {"type": "pd", "kp": KP, "kv": 20.0}}, start="locked"))
    position = run.data.joint_position.values[:, 0]
    assert position[0] == pytest.approx(0.0, abs=1e-12)
    assert position.min() < -0.5 * 0.5 * WEIGHT * LENGTH / KP
