"""Frequencies with joints held by laws, and damping ratios, against first-order forms and closed forms."""

from __future__ import annotations

import json

import numpy as np
import pytest

import flexarm as fa
from flexarm.errors import FlexarmError
from flexarm.simulation.build import prepare

HUB = {"hub_inertia": 2e-3}
MOVE = {"profile": "cycloid", "by": 0.7, "duration": 0.5}
TORQUE = [{"joint": "a", "torque": {"profile": "bang-bang", "amplitude": 0.1, "duration": 0.3}}]


def arm(joint=None, drive=None, method=None, **more) -> fa.Scenario:
    link = {
        "name": "a", "length": 1.0, "section": {"shape": "rectangle", "width": 0.03, "height": 0.006},
        "material": {"E": 7e10, "density": 2700.0}, "joint": joint or {}, **more.pop("link", {}),
    }  # fmt: skip
    parts = {
        "arm": {"links": [link], **more},
        "drive": drive or [],
        "method": {"name": "fd", "resolution": 30, **(method or {})},
    }
    return fa.loads(json.dumps({"name": "t", "time": {"end": 0.6}, "output": {"every": 0.01}, **parts}))


def held(control: dict, actuator=None, method=None, joint=None) -> fa.Scenario:
    drive = {"joint": "a", "motion": MOVE, "control": control}
    if actuator:
        drive["actuator"] = {"type": "transfer", "poles": actuator}
    return arm(joint or HUB, [drive], method, payload={"mass": 0.05}, damping={"time": 2e-4})


def roots(scenario: fa.Scenario, kp: float, kv: float, ki: float = 0.0, pole: float = 0.0) -> np.ndarray:
    """Oscillating roots of the closed loop in first-order form, lowest first, written down by hand."""
    system = prepare(scenario).model.system
    free, eta = system.free, 2e-4
    block = np.ix_(free, free)
    M, K, C = system.M[block], system.K[block], eta * system.bending[block]
    n, push = len(free), system.torque[free]
    A = np.zeros((2 * n + 2, 2 * n + 2))
    A[:n, n : 2 * n] = np.eye(n)
    A[n : 2 * n, :n], A[n : 2 * n, n : 2 * n] = -np.linalg.solve(M, K), -np.linalg.solve(M, C)
    u = np.zeros(2 * n + 2)
    u[:n], u[n : 2 * n], u[2 * n] = -kp * push, -kv * push, ki
    A[2 * n, :n] = -push
    A[2 * n + 1] = pole * u
    A[2 * n + 1, 2 * n + 1] -= pole or 1.0
    if pole:
        A[n : 2 * n, 2 * n + 1] += np.linalg.solve(M, push)
    else:
        A[n : 2 * n] += np.outer(np.linalg.solve(M, push), u)
    values = np.linalg.eigvals(A)
    values = values[values.imag > 1e-6]
    return values[np.argsort(np.abs(values))]


@pytest.mark.parametrize(
    ("control", "pole"),
    [
        ({"type": "pd", "kp": 15.0, "kv": 0.3}, 0.0),
        ({"type": "pid", "kp": 15.0, "kv": 0.3, "ki": 20.0}, 0.0),
        ({"type": "pd", "kp": 15.0, "kv": 0.3}, 60.0),
        ({"type": "pid", "kp": 15.0, "kv": 0.3, "ki": 20.0}, 60.0),
    ],
)
def test_held_joints_with_integral_and_actuator(control, pole):
    scenario = held(control, [-pole] if pole else None)
    found = fa.frequencies(scenario, n=3, joints="held")
    exact = roots(scenario, control["kp"], control["kv"], control.get("ki", 0.0), pole)[:3]
    assert 2 * np.pi * found.hz == pytest.approx(np.abs(exact), rel=1e-6)
    assert found.damping == pytest.approx(-exact.real / np.abs(exact), rel=1e-5)
    assert found.unstable == bool(np.any(exact.real > 0)) and found.rigid_modes == 0
    plain = roots(scenario, control["kp"], 0.0).imag[:3]
    assert 2 * np.pi * found.undamped_hz == pytest.approx(plain, rel=1e-2)


def test_too_much_integral_gain_is_unstable():
    assert fa.frequencies(held({"type": "pid", "kp": 15.0, "kv": 0.3, "ki": 200.0}), joints="held").unstable


def test_gains_of_a_schedule_are_those_of_the_time_asked_for():
    gains = [{"until": 0.2, "kp": 50.0, "kv": 0.1}, {"kp": 5.0, "kv": 0.3}]
    scenario = held({"type": "pd", "gains": gains})
    for time, each in ((0.0, gains[0]), (0.4, gains[1])):
        found = fa.frequencies(scenario, n=2, joints="held", time=time)
        alone = fa.frequencies(held({"type": "pd", "kp": each["kp"], "kv": each["kv"]}), n=2, joints="held")
        assert found.hz == pytest.approx(alone.hz, rel=1e-12) and "gains change" in found.notes[0]
    with pytest.raises(FlexarmError, match="runs from 0"):
        fa.frequencies(scenario, joints="held", time=3.0)


def test_a_sampled_law_says_that_it_is_taken_as_continuous():
    found = fa.frequencies(held({"type": "pd", "kp": 15.0, "kv": 0.3, "period": "1 ms"}), n=2, joints="held")
    assert "sampled every 0.001 s" in found.notes[0]
    with pytest.raises(FlexarmError, match="external"):
        fa.frequencies(held({"type": "external", "period": "1 ms"}), joints="held")


def test_fine_grids_keep_the_low_modes_of_a_damped_arm():
    """A law couples the modes that Kelvin-Voigt damping holds far beyond critical."""
    coarse, fine = (
        fa.frequencies(held({"type": "pd", "kp": 15.0, "kv": 0.3}, method={"resolution": n}), n=3, joints="held")
        for n in (60, 240)
    )
    assert fine.hz == pytest.approx(coarse.hz, rel=5e-3) and fine.damping == pytest.approx(coarse.damping, rel=2e-2)
    assert fine.rigid_modes == 0


@pytest.mark.parametrize("resolution", [40, 400])
def test_swing_of_a_stiff_hanging_link(resolution):
    """The pendulum lies ten powers below the highest mode: f = sqrt(m g l / J) / 2 pi."""
    beam = {"section": {"shape": "rectangle", "width": 0.03, "height": 0.1}}
    scenario = arm(
        {"position": -np.pi / 2},
        TORQUE,
        {"resolution": resolution},
        link=beam,
        gravity=[0, -9.81, 0],
        payload={"mass": 0.5},
    )
    found = fa.frequencies(scenario, n=1, joints="free")
    mass = 2700.0 * 0.03 * 0.1
    swing = np.sqrt((0.5 * mass + 0.5) * 9.81 / (mass / 3.0 + 0.5)) / (2 * np.pi)
    assert found.rigid_modes == 0 and found.hz[0] == pytest.approx(swing, rel=1e-5 + 0.3 / resolution**2)


def test_damping_ratio_is_that_of_the_elastic_mode():
    """The swing of a hanging arm is not counted, and a share of energy in a joint spring is made up for."""
    hanging = arm(
        {**HUB, "position": -np.pi / 2}, TORQUE, damping={"ratio": 0.02}, payload={"mass": 0.05}, gravity=[0, -9.81, 0]
    )
    found = fa.frequencies(hanging, n=2, joints="free")
    assert found.hz[0] < 1.0 and found.damping[1] == pytest.approx(0.02, rel=1e-2) and found.damping[0] < 1e-3
    for stiffness in (20.0, 200.0):
        sprung = arm({**HUB, "rotor_inertia": 5e-3, "stiffness": stiffness}, TORQUE, damping={"ratio": 0.001})
        assert fa.frequencies(sprung, n=1, joints="free").damping[0] == pytest.approx(0.001, rel=2e-3)
