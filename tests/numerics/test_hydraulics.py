"""The cylinder inside a joint law: slopes by differences, rest, leaks, stops, and both ways of calling it."""

from __future__ import annotations

import numpy as np
import pytest

from flexarm.drive import Cylinder, HydraulicCylinder, Oil, Valve
from flexarm.numerics import hydraulics, laws
from flexarm.numerics.jit import callable_from_python
from flexarm.numerics.law_rows import INTEGRAL, PRESSURE, PRESSURE_RATE

law_accept = callable_from_python(laws.law_accept)
law_step = callable_from_python(laws.law_step)
law_value = callable_from_python(laws.law_value)
laws.load_laws()

H = 2e-3
PINS = {"base": (0.1, -0.7), "lug": (0.6, 0.1), "stroke": (0.7, 1.2), "area": 2e-3, "rod_area": 8e-4, "friction": 2e3}


def jack(**changes) -> HydraulicCylinder:
    valve = Valve(flow=3e-4, **({"frequency": 60.0} if changes.pop("spool", True) else {}))
    oil = Oil(supply=18e6, tank=2e5, bulk_modulus=0.9e9, leakage=1e-12)
    return HydraulicCylinder(Cylinder(**{**PINS, **changes}), valve, oil, 8.0)


def law_of(made: HydraulicCylinder, friction: float = 0.0) -> np.ndarray:
    laws.load_hydraulics()
    space = made.spool()
    actuator = None if space is None else (space.A, space.B, space.C, space.D)
    return laws.pack(1.0, friction, 0.05, actuator, made.row())


def scratch() -> np.ndarray:
    return np.zeros((laws.ORDER + 2, laws.ORDER))


def state(seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    z = 0.1 * rng.standard_normal(laws.Z_SIZE)
    z[PRESSURE : PRESSURE + 2] = rng.uniform(1e6, 17e6, 2)
    z[PRESSURE_RATE : PRESSURE_RATE + 2] = 1e8 * rng.standard_normal(2)
    return z


def row(position: float) -> np.ndarray:
    made = np.zeros(7)
    made[0] = position
    return made


@pytest.mark.parametrize("spool", [True, False])
@pytest.mark.parametrize("position", [0.3, 0.9, 1.4])
@pytest.mark.parametrize("seed", range(4))
def test_slopes_are_those_of_the_torque(spool, position, seed):
    # 1.4 rad lies beyond the long stop; the reference is near, so that the valve is not at its limit
    law, z = law_of(jack(spool=spool), 40.0), state(seed)
    at = np.array([position, 0.4, 0.04])
    tau, *slopes = law_value(row(position + 0.02), law, z, H, *at, scratch())
    for k, slope in enumerate(slopes):
        step = np.zeros(3)
        step[k] = 1e-6
        up, down = (law_value(row(position + 0.02), law, z, H, *(at + s * step), scratch())[0] for s in (1, -1))
        assert slope == pytest.approx((up - down) / 2e-6, rel=2e-5, abs=1e-6 * abs(tau) / 1e-3)


@pytest.mark.parametrize("gains", [(0.0, 0.0), (2e-8, 3e-5)])
def test_a_step_solves_law_and_response_together(gains):
    law, z = law_of(jack(), 60.0), state(1)
    (gy, gv), y, v = gains, 0.6, 0.2
    after = z.copy()
    tau = law_step(row(0.62), law, after, H, y, v, v, gy, gv, gv, scratch())
    y1, v1 = y + gy * tau, v + gv * tau
    assert law_value(row(0.62), law, z, H, y1, v1, v1, scratch())[0] == pytest.approx(tau, rel=1e-11)
    assert law_accept(row(0.62), law, z, H, y1, v1, v1, scratch()) == pytest.approx(tau, rel=1e-11)
    assert np.allclose(after, z, rtol=1e-9, atol=1e-6)


def test_pressures_follow_the_trapezoidal_rule():
    law, z = law_of(jack(spool=False)), state(2)
    length, lever, _ = hydraulics.reach(law, 0.7)
    after = z.copy()
    law_accept(row(0.7), law, after, H, 0.7, 0.3, 0.3, scratch())
    for k, side in ((0, 1.0), (1, -1.0)):
        end = hydraulics.chamber(
            law, side, after[laws.COMMAND], length, 0.3 * lever, after[PRESSURE + k], after[PRESSURE + 1 - k]
        )[0]
        change = 0.5 * H * (z[PRESSURE_RATE + k] + end)
        assert after[PRESSURE + k] - z[PRESSURE + k] == pytest.approx(change, rel=1e-9)


@pytest.mark.parametrize("force", [9e3, -9e3])
def test_rest_is_rest_with_leaks(force):
    made = jack()
    law, z = law_of(made), np.zeros(laws.Z_SIZE)
    z[PRESSURE], z[PRESSURE + 1], z[INTEGRAL] = made.at_rest(force)
    laws.load_hydraulics()
    space = made.spool()
    z[laws.STATE : laws.STATE + 2] = np.linalg.solve(-space.A, space.B) * z[INTEGRAL]
    law_accept(row(0.7), law, z, 0.0, 0.7, 0.0, 0.0, scratch())
    for _ in range(500):
        tau = law_accept(row(0.7), law, z, H, 0.7, 0.0, 0.0, scratch())
    assert tau == pytest.approx(force * hydraulics.reach(law, 0.7)[1], rel=1e-6)
    assert z[INTEGRAL] * force > 0.0


def test_what_it_cannot_hold_is_said():
    with pytest.raises(
        ValueError, match=r"must push with 4e\+04 N to hold the arm, but can only push with 3.576e\+04 N"
    ):
        jack().at_rest(4e4)
    with pytest.raises(ValueError, match="can only pull with"):
        jack().at_rest(-4e4)


def test_lengths_are_distances_of_the_pins():
    made, law = jack(), law_of(jack())
    for y in (-0.5, 0.2, 1.3):
        turned = np.array([[np.cos(y), -np.sin(y)], [np.sin(y), np.cos(y)]]) @ np.array(PINS["lug"])
        length, slope, bend = hydraulics.reach(law, y)
        assert length == pytest.approx(np.linalg.norm(turned - PINS["base"]), rel=1e-14)
        ahead, behind = hydraulics.reach(law, y + 1e-5), hydraulics.reach(law, y - 1e-5)
        assert slope == pytest.approx((ahead[0] - behind[0]) / 2e-5, rel=1e-8)
        assert bend == pytest.approx((ahead[1] - behind[1]) / 2e-5, rel=1e-8)
        assert np.allclose(made.cylinder.reach(np.array(y)), (length, slope, bend), rtol=1e-13)
        assert made.cylinder.position(made.cylinder.length(y), y) == pytest.approx(y, abs=1e-12)


def test_stops_push_back_and_absorb():
    law, z = law_of(jack(stop_stiffness=1e8)), np.zeros(laws.Z_SIZE)
    z[PRESSURE], z[PRESSURE + 1], _ = jack().at_rest(0.0)
    made = jack()
    out = float(made.cylinder.position(np.array(1.201), 1.0))
    lever = hydraulics.reach(law, out)[1]
    still, into, away = (
        hydraulics.cylinder_torque(law, z, 0.0, 0.0, out, v)[0] / lever + 2e3 * lever * v for v in (0.0, 0.5, -5.0)
    )
    assert still == pytest.approx(-1e5, rel=1e-3)
    assert into < still
    assert away == pytest.approx(0.0, abs=1e-6)


def test_oil_never_pulls_a_vacuum():
    law, z = law_of(jack(spool=False)), np.zeros(laws.Z_SIZE)
    z[PRESSURE : PRESSURE + 2] = 1e5, 1e7
    for _ in range(50):
        law_accept(row(0.7), law, z, H, 0.7, 1.0, 1.0, scratch())
    assert -5e5 < z[PRESSURE] < 0.0
