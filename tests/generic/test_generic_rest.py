"""Start in equilibrium: the rest of the arm under its drives, in every method, against statics by hand."""

from __future__ import annotations

import math
from pathlib import Path
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
    assert motor == pytest.approx(
        0.0 if "ki" in str(LAWS[law]) else -data.drive_torque.values[0, 0] / KP, rel=1e-6, abs=1e-9
    )


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


PLANAR = [name for name in METHODS if name != "fd"]
BAR = {"length": 0.5, "section": {"shape": "rectangle", "width": 0.03, "height": 0.03},
       "material": {"E": 70e9, "density": 2700.0, "nu": 0.3}}  # fmt: skip
MASS = 2700.0 * 0.03**2 * 0.5


def two_bars(method: str, drives: list[dict[str, Any]], second: dict[str, Any], **time: Any) -> fa.Scenario:
    links = [{"name": "a", **BAR}, {"name": "b", **BAR, "joint": second}]
    return fa.Scenario.model_validate({
        "name": "two bars", "arm": {"links": links, "gravity": [0.0, -G, 0.0]}, "drive": drives,
        "method": {"name": method}, "time": {"end": 0.1, "step": 1e-3, "start": "equilibrium", **time},
    })  # fmt: skip


def servo(joint: str, kp: float) -> dict[str, Any]:
    return {"joint": joint, "motion": HOLD, "control": {"type": "pd", "kp": kp, "kv": 5.0}}


@pytest.mark.parametrize("method", PLANAR)
def test_two_soft_servos_share_the_weight(method):
    """Torques by hand from the angles that the run shows: stiff bars about joints that give way."""
    run = fa.simulate(two_bars(method, [servo("a", 60.0), servo("b", 25.0)], {}))
    tip, (a, b) = run.data.tip_position.values, run.data.joint_position.values[0]
    assert np.abs(tip - tip[0]).max() < 1e-7
    beyond = MASS * G * 0.25 * math.cos(a + b)
    whole = MASS * G * (0.25 * math.cos(a) + 0.5 * math.cos(a)) + beyond
    assert [-60.0 * a, -25.0 * b] == pytest.approx([whole, beyond], rel=1e-3)


@pytest.mark.parametrize("method", PLANAR)
def test_a_free_link_hangs_from_a_joint_that_gives_way(method):
    run = fa.simulate(two_bars(method, [servo("a", 60.0)], {"position": -1.5}))
    tip, (a, b) = run.data.tip_position.values, run.data.joint_position.values[0]
    assert np.abs(tip - tip[0]).max() < 1e-6
    assert a < -0.05
    assert a + b == pytest.approx(-0.5 * math.pi, abs=1e-3)  # but for the turn of the bent bar


@pytest.mark.parametrize("method", PLANAR)
def test_an_upright_link_that_nothing_holds_is_refused(method):
    with pytest.raises(FlexarmError, match="joint 'b' rests in an unstable equilibrium"):
        fa.simulate(two_bars(method, [servo("a", 60.0)], {"position": 1.6}))


@pytest.mark.parametrize("method", METHODS)
def test_frequencies_are_those_about_the_rest(method):
    """A stiff bar on a soft servo droops by phi: J w^2 = kp + m g l sin(phi); a third of that comes from the droop."""
    stiff = {"name": "a", **BAR, "material": {**BAR["material"], "E": 70e10}}
    one = fa.Scenario.model_validate({
        "name": "one bar", "arm": {"links": [stiff], "gravity": [0.0, -G, 0.0]}, "drive": [servo("a", 3.0)],
        "method": {"name": method}, "time": {"end": 0.1, "step": 1e-4, "start": "equilibrium"},
    })  # fmt: skip
    moment, inertia = MASS * G * 0.25, MASS * 0.5**2 / 3.0
    if method == "fd":  # gravity as in the start pose
        expected = 3.0
    else:
        droop = 0.5
        for _ in range(100):
            droop = moment * math.cos(droop) / 3.0
        expected = 3.0 + moment * math.sin(droop)
    found = fa.frequencies(one, joints="held", n=1)
    assert found.undamped_hz[0] == pytest.approx(math.sqrt(expected / inertia) / (2 * math.pi), rel=1e-3)


def column(method: str, share: float) -> fa.Scenario:
    """An upright strip; `share` of the weight under which it buckles, 7.8373 E I / L^3 per length (Greenhill)."""
    width, height, length, density = 0.03, 0.004, 1.0, 2700.0
    E = density * width * height * G * length**3 / (7.8373 * share * width * height**3 / 12.0)
    link = {"name": "a", "length": length, "section": {"shape": "rectangle", "width": width, "height": height},
            "material": {"E": E, "density": density, "nu": 0.3}, "joint": {"position": 0.5 * math.pi}}  # fmt: skip
    return fa.Scenario.model_validate({
        "name": "column", "arm": {"links": [link], "gravity": [0.0, -G, 0.0]},
        "drive": [{"joint": "a", "motion": HOLD}], "method": {"name": method},
        "time": {"end": 2e-3, "step": 1e-3, "start": "equilibrium"},
    })  # fmt: skip


@pytest.mark.parametrize("method", METHODS)
def test_a_column_that_buckles_is_told(method):
    for share, buckles in ((0.9, False), (1.1, True)):
        one = column(method, share)
        if method == "fd" and buckles:
            with pytest.raises(FlexarmError, match="buckles under its own weight"):
                fa.simulate(one)
            continue
        run, found = fa.simulate(one), fa.frequencies(one, joints="locked", n=2)
        assert any("unstable equilibrium" in note for note in run.notes) == buckles
        assert found.unstable == buckles
        assert run.data.tip_position.values[0, 0] == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("method", ["fem", "segments", "ancf"])
def test_a_soft_arm_is_followed_from_its_unloaded_shape(method):
    """Put on at once, the weight leads some methods to another equilibrium (tip at 0.68, 2.29 m); put on in 4096 parts, all three
    lead here."""
    soft = fa.load(Path(__file__).parent / "soft_arm.yaml")
    fine = {"fem": {"resolution": 12, "order": 2}, "segments": {"resolution": 60}, "ancf": {"resolution": 12}}[method]
    run = fa.simulate(soft.with_({"method": {"name": method, **fine}, "time.end": 1e-3, "time.step": 1e-3}))
    assert run.data.tip_position.values[0, :2] == pytest.approx([-1.4878, -0.5145], abs=2e-3)
