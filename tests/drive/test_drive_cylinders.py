"""Cylinders between command and joint: geometry, filter in cylinder space, stops, and what is refused."""

from __future__ import annotations

import math

import numpy as np
import pytest
from pydantic import ValidationError
from scipy.integrate import solve_ivp

from actuator_of import actuator_of
from flexarm.arm import Arm
from flexarm.drive import Cylinder, Drive, Oil, Program, Valve
from flexarm.errors import ScenarioError

POLES = [-30.37, "-9.0+16.5j"]
PINS = {"base": (0.6, -0.2), "lug": (0.4, -0.1)}
SWING = {"profile": "sine", "amplitude": 0.1, "frequency": 0.5, "duration": 2.0}


def program(actuator, motion=SWING, start=1.0, **more) -> Program:
    rod = {"section": {"shape": "circle", "diameter": 0.01}, "material": "steel", "length": 1.0}
    arm = Arm.model_validate({"links": [{"name": "link", **rod}]})
    return Program.compile(arm, [Drive(joint="link", motion=motion, actuator=actuator, **more)], (start,))


def test_the_length_is_filtered_and_turned_back():
    made = program({"type": "transfer", "poles": POLES, "cylinder": PINS})
    cylinder, w = Cylinder(**PINS), 2.0 * math.pi * 0.5
    poles = np.array([-30.37, -9.0 + 16.5j, -9.0 - 16.5j])
    a2, a1, a0 = (float(x) for x in np.poly(poles).real[1:])
    rest = float(cylinder.length(1.0))

    def rates(t, y):
        wanted = float(cylinder.length(1.0 + 0.1 * math.sin(w * min(t, 2.0)))) - rest
        return [y[1], y[2], a0 * (wanted - y[0]) - a1 * y[1] - a2 * y[2]]

    times = np.linspace(0.0, 3.0, 61)
    found = solve_ivp(rates, (0.0, 3.0), [0.0, 0.0, 0.0], t_eval=times, rtol=1e-10, atol=1e-12, max_step=0.01)
    wanted = [float(cylinder.position(np.array(rest + y), 1.0)) for y in found.y[0]]
    for t, y in zip(times[1:], wanted[1:], strict=True):
        row = made.table([t], inside=t - 1e-6 if t <= 2.0 else t + 1e-6)[0, 0]
        assert row[0] == pytest.approx(y, abs=2e-9)


def test_derivatives_of_the_turned_back_motion():
    made = program({"type": "transfer", "poles": [-8.0, -20.0], "cylinder": PINS})
    t, h = 0.7, 1e-4
    p, v, a = made.table([t - h, t, t + h], inside=t)[:, 0, :3].T
    assert v[1] == pytest.approx((p[2] - p[0]) / (2 * h), rel=1e-6)
    assert a[1] == pytest.approx((v[2] - v[0]) / (2 * h), rel=1e-5)


def test_jumps_show_as_they_do_in_the_joint():
    # a filter of first order passes the jump of the velocity on
    times, sizes = program({"type": "transfer", "poles": [-8.0], "cylinder": PINS}).lines[0].position.jumps()
    plain, plain_sizes = program({"type": "transfer", "poles": [-8.0]}).lines[0].position.jumps()
    assert times.tolist() == plain.tolist()
    assert np.allclose(sizes[2], plain_sizes[2], rtol=0.1)


def test_a_constant_lever_is_the_joint_itself():
    lever = program({"type": "transfer", "poles": POLES, "cylinder": {"lever": 0.3}})
    plain = program({"type": "transfer", "poles": POLES})
    times = np.linspace(0.1, 1.9, 7)
    assert np.allclose(lever.table(times, inside=1.0), plain.table(times, inside=1.0), atol=1e-9)


def test_an_ideal_cylinder_is_checked_and_changes_nothing():
    made = program({"cylinder": {**PINS, "stroke": (0.4, 0.8)}})
    assert np.allclose(made.table([0.5], inside=0.5), program(None).table([0.5], inside=0.5))


def test_sides_of_the_dead_centres():
    cylinder = Cylinder(base=(0.5, 0.0), lug=(0.3, 0.0))
    for y in (0.4, -0.4, 0.4 + 2.0 * math.pi, -0.4 - 4.0 * math.pi, 2.9, -2.9):
        assert float(cylinder.position(cylinder.length(y), y)) == pytest.approx(y, abs=1e-12)


@pytest.mark.parametrize(
    "actuator, motion, words",
    [
        ({"cylinder": {**PINS, "stroke": (0.5, 0.58)}}, SWING, "would go beyond its long stop at 0.58 m"),
        ({"cylinder": {**PINS, "stroke": (0.56, 0.9)}}, SWING, "would go beyond its short stop at 0.56 m"),
        ({"cylinder": {**PINS, "stroke": (0.6, 0.9)}}, SWING, "starts beyond its short stop"),
        ({"cylinder": PINS}, {**SWING, "amplitude": 1.5}, "dead centre"),
        (
            {"type": "transfer", "poles": ["-2+20j"], "cylinder": {**PINS, "stroke": (0.5, 0.62)}},
            {"profile": "cycloid", "by": 0.1, "duration": 0.2},
            "would go beyond its long stop",
        ),
        ({"type": "transfer", "poles": POLES, "cylinder": PINS}, {**SWING, "duration": None}, "must come to rest"),
    ],
)
def test_refused_motions(actuator, motion, words):
    with pytest.raises(ScenarioError, match=words):
        program(actuator, motion)


def test_a_cylinder_needs_a_motion_without_a_law():
    with pytest.raises(ScenarioError, match="leave out control"):
        program({"type": "transfer", "poles": [-5.0], "cylinder": PINS}, control={"type": "pd", "kp": 1.0, "kv": 1.0})
    with pytest.raises(ScenarioError, match="position loop: give motion or path alone"):
        program({"type": "hydraulic", "loop_gain": 5.0, "natural_frequency": 4.0, "damping": 0.5}, servo={"kp": 1.0})
    with pytest.raises(ValidationError, match="a cylinder turns a joint; a patch"):
        Drive(
            patch={"link": "link", "from": 0.5},
            force={"profile": "constant", "amplitude": 1.0},
            actuator={"cylinder": PINS},
        )


def test_third_order_hydraulics_are_a_transfer_function():
    loop = actuator_of(type="hydraulic", loop_gain=10.0, natural_frequency=5.0, damping=0.4)
    w = 10.0 * math.pi
    s = 1j * np.array([0.1, 10.0, 40.0])
    wanted = 10.0 * w**2 / (s**3 + 0.8 * w * s**2 + w**2 * s + 10.0 * w**2)
    assert np.allclose(loop.system().response(s.imag), wanted, rtol=1e-9)
    stated = actuator_of(type="hydraulic", loop_gain=10.0, natural_frequency=5.0, damping=0.4, bandwidth=9.0)
    assert "but 9 Hz is stated" in stated.doubt()


@pytest.mark.parametrize(
    "item, words",
    [
        ({"base": (0.1, 0.0)}, "pinned at 'base' and 'lug'"),
        ({**PINS, "lever": 0.2}, "pinned at 'base' and 'lug'"),
        ({"base": (0.0, 0.0), "lug": (0.1, 0.0)}, "turns nothing"),
        ({"lever": 0.0}, "a lever of 0"),
        ({**PINS, "stroke": (0.5, 0.4)}, r"stroke is \[shortest, longest\]"),
        ({**PINS, "rod_area": 1e-3}, "rod_area must be smaller"),
        ({**PINS, "area": 1e-3, "rod_area": 2e-3}, "rod_area must be smaller"),
    ],
)
def test_refused_cylinders(item, words):
    with pytest.raises(ValidationError, match=words):
        Cylinder.model_validate(item)


def test_refused_valves_and_oil():
    with pytest.raises(ValidationError, match="goes with its frequency"):
        Valve(flow=1e-4, damping=0.5)
    with pytest.raises(ValidationError, match="must be below the supply"):
        Oil(supply=1e6, tank=2e6)
    with pytest.raises(ValidationError, match="a stepper actuator has no cylinder; say type: ideal"):
        actuator_of(type="stepper", steps_per_turn=200, cylinder=PINS)
