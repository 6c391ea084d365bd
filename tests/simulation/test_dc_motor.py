"""DC motors inside the step of every method: beside plain equations, closed forms and the balance of energy."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from scipy.integrate import cumulative_trapezoid, solve_ivp

import flexarm as fa
from flexarm.errors import FlexarmError

K, R, L = 0.5, 2.0, 20e-3
VOLTS, AMPERES = 24.0, 6.0
LENGTH, HUB = 0.8, 0.02
DENSITY, AREA = 2700.0, 2e-4
INERTIA = HUB + DENSITY * AREA * LENGTH**3 / 3.0
KP, KV = 40.0, 3.0
MOTOR = {"type": "dc-motor", "torque_constant": K, "resistance": R, "inductance": L}
LIMITED = {**MOTOR, "voltage_limit": VOLTS, "current_limit": AMPERES}
STIFF = {"fd": 1e15, "fem": 1e16, "segments": 1e18, "modes": 1e18, "ancf": 1e15}
"""Young's moduli with which each method stays exact to rounding where the link is to be rigid, Pa."""


def rod(method: str, drive: dict, end: float = 0.6, step: float = 1e-3, **changes) -> fa.Scenario:
    """A stiff rod on a hub; only what a rigid body does is asked of it."""
    text = f"""
name: a rod on a DC motor
arm:
  links:
    - name: rod
      length: {LENGTH}
      section: {{area: {AREA}, inertia: 1e-9}}
      material: {{E: {STIFF[method]:g} Pa, density: {DENSITY}, nu: 0.3}}
      joint: {{hub_inertia: {HUB}}}
drive: []
method: {{name: {method}}}
time: {{end: {end}, step: {step}}}
"""
    return fa.loads(text).with_({"drive": [{"joint": "rod", **drive}], **changes})


def held(motor: dict) -> dict:
    return {
        "motion": {"profile": "quintic", "by": 1.0, "duration": 0.3},
        "control": {"type": "pd", "kp": KP, "kv": KV},
        "actuator": motor,
    }


def command(t: float) -> tuple[float, float]:
    s = min(t / 0.3, 1.0)
    return s**3 * (10 - 15 * s + 6 * s * s), 30 * s**2 * (1 - s) ** 2 / 0.3


def reference(times: np.ndarray, volts: float, amperes: float) -> np.ndarray:
    """Angle, rate and current of a rigid rod on the motor, (3, n); the current stays at its limit while it is driven there."""
    return _integrated(tuple(times.tolist()), volts, amperes)


@functools.cache
def _integrated(times: tuple[float, ...], volts: float, amperes: float) -> np.ndarray:

    def slope(t, x):
        angle, rate, i = x
        place, speed = command(t)
        u = R / K * (KP * (place - angle) + KV * (speed - rate))
        change = (np.clip(u, -volts, volts) - R * i - K * rate) / L
        if abs(i) >= amperes and change * i > 0.0:
            change = 0.0
        return [rate, K * np.clip(i, -amperes, amperes) / INERTIA, change]

    found = solve_ivp(slope, (0.0, times[-1]), np.zeros(3), t_eval=times, rtol=1e-9, atol=1e-12, max_step=1e-4)
    return found.y


@pytest.mark.parametrize("method", fa.method_names())
def test_every_method_carries_the_same_motor(method):
    """Both limits act, then the loop comes to rest."""
    data = fa.simulate(rod(method, held(LIMITED), step=5e-4)).data
    angle, _, current = reference(data.time.values, VOLTS, AMPERES)
    torque = data.drive_torque.values[:, 0]
    assert np.abs(current).max() == pytest.approx(AMPERES, rel=1e-6)
    assert np.abs(torque).max() <= K * AMPERES * (1.0 + 1e-12)
    assert np.abs(data.joint_position.values[:, 0] - angle).max() < 2e-4
    assert np.abs(torque - K * current).max() < 2e-2 * K * AMPERES
    residual = data.energy.sel(kind="residual").values
    work = np.abs(data.energy.sel(kind="work").values).max()
    assert np.abs(residual).max() < 1e-4 * work
    free = reference(data.time.values, np.inf, np.inf)
    assert np.abs(free[0] - angle).max() > 1e-2  # the limits do something


def test_nothing_lags_by_a_step():
    """Without limits: second order in the step."""

    def off(step: float) -> float:
        data = fa.simulate(rod("segments", held(MOTOR), step=step)).data
        return float(np.abs(data.drive_torque.values[:, 0] - K * reference(data.time.values, np.inf, np.inf)[2]).max())

    assert off(2e-3) / off(1e-3) == pytest.approx(4.0, abs=0.1)


def test_the_current_rises_with_the_electrical_time_constant():
    """A hub too heavy to turn: i = V/R (1 - exp(-t R/L))."""
    drive = {"torque": {"profile": "constant", "amplitude": 1.0}, "actuator": MOTOR}
    data = fa.simulate(rod("segments", drive, 0.05, 2e-4, **{"arm.links.rod.joint.hub_inertia": "1e9 kg*m^2"})).data
    assert np.abs(data.drive_torque.values[:, 0] - (1.0 - np.exp(-data.time.values * R / L))).max() < 2e-5


def test_back_emf_limits_the_speed():
    """Without inductance: rate = V/K (1 - exp(-t K^2 / (R J)))."""
    motor = {**MOTOR, "inductance": 0.0, "voltage_limit": VOLTS}
    drive = {"torque": {"profile": "constant", "amplitude": 100.0}, "actuator": motor}
    data = fa.simulate(rod("segments", drive, 10.0 * R * INERTIA / K**2, 1e-3)).data
    wanted = VOLTS / K * (1.0 - np.exp(-data.time.values * K**2 / (R * INERTIA)))
    assert np.abs(data.joint_velocity.values[:, 0] - wanted).max() < 1e-5 * VOLTS / K


def test_electric_work_is_heat_magnetic_energy_and_drive_work():
    data = fa.simulate(rod("segments", held(MOTOR), step=1e-4)).data
    t, current = data.time.values, data.drive_torque.values[:, 0] / K
    place, speed = np.transpose([command(time) for time in t])
    u = KP * (place - data.joint_position.values[:, 0]) + KV * (speed - data.joint_velocity.values[:, 0])
    supplied = cumulative_trapezoid(R / K * u * current, t, initial=0.0)
    heat = cumulative_trapezoid(R * current**2, t, initial=0.0)
    work = data.energy.sel(kind="work").values
    left = supplied - heat - 0.5 * L * current**2 - work
    assert np.abs(left).max() < 1e-5 * np.abs(supplied).max()


@pytest.mark.parametrize(
    "change",
    [
        {"torque_constant": 0.4},
        {"resistance": 3.0},
        {"inductance": 0.0},
        {"voltage_limit": 10.0},
        {"current_limit": 3.0},
    ],
    ids=lambda change: next(iter(change)),
)
def test_every_option_acts(change):
    plain, other = (
        fa.simulate(rod("segments", held(motor))).data.joint_position.values[:, 0]
        for motor in (LIMITED, {**LIMITED, **change})
    )
    assert np.abs(plain - other).max() > 1e-4


def test_the_law_may_have_a_limit_of_its_own():
    drive = held({**MOTOR, "inductance": 0.0, "voltage_limit": VOLTS})
    drive["control"]["limit"] = 1.0  # below K V / R = 6 N m
    data = fa.simulate(rod("segments", drive)).data
    asked = data.drive_torque.values + K**2 / R * data.joint_velocity.values
    assert np.abs(asked).max() == pytest.approx(1.0, abs=1e-9)


def test_friction_and_a_current_limit_together():
    data = fa.simulate(rod("fd", held(LIMITED), **{"arm.links.rod.joint.friction": 0.3})).data
    torque = data.drive_torque.values[:, 0]
    assert np.abs(torque).max() <= K * AMPERES * (1.0 + 1e-12)
    assert (
        np.abs(data.energy.sel(kind="residual").values).max() < 1e-4 * np.abs(data.energy.sel(kind="work").values).max()
    )


def test_a_motor_behind_a_series_spring():
    """The back-emf is that of the motor side: both sides and the spring against plain equations."""
    rotor, spring = 5e-3, 200.0
    joint = {"rotor_inertia": rotor, "stiffness": spring, "hub_inertia": HUB}
    drive = {"torque": {"profile": "constant", "amplitude": 2.0}, "actuator": {**MOTOR, "inductance": 0.0}}
    for method in ("segments", "fem"):
        data = fa.simulate(rod(method, drive, 0.3, 2e-4, **{"arm.links.rod.joint": joint})).data

        def slope(_, x):
            wound = spring * (x[0] - x[1])
            return [x[2], x[3], (2.0 - K**2 / R * x[2] - wound) / rotor, wound / INERTIA]

        found = solve_ivp(slope, (0.0, 0.3), np.zeros(4), t_eval=data.time.values, rtol=1e-10, atol=1e-12)
        assert np.abs(data.motor_position.values[:, 0] - found.y[0]).max() < 1e-4
        assert np.abs(data.joint_position.values[:, 0] - found.y[1]).max() < 1e-4


def test_the_linear_model_knows_the_motor():
    """(L s + R) J s^2 + K^2 s + R (kp + kv s) = 0."""
    found = fa.frequencies(rod("segments", held(MOTOR)), joints="held")
    roots = np.roots([L * INERTIA, R * INERTIA, K**2 + R * KV, R * KP])
    pair = roots[np.argmax(roots.imag)]
    assert found.hz[0] == pytest.approx(abs(pair) / (2.0 * np.pi), rel=1e-6)
    assert found.damping[0] == pytest.approx(-pair.real / abs(pair), rel=1e-6)


def test_what_a_motor_cannot_do():
    with pytest.raises(FlexarmError, match="the DC motor of 'rod' gives a torque: give torque, servo or control"):
        rod("fd", {"motion": {"profile": "quintic", "by": 1.0, "duration": 0.3}, "actuator": MOTOR})
    with pytest.raises(FlexarmError, match="a dc-motor actuator needs resistance"):
        rod("fd", held({"type": "dc-motor", "torque_constant": K}))
    with pytest.raises(FlexarmError, match="wants ohm"):
        rod("fd", held({**MOTOR, "resistance": "2 V"}))
