"""The law as a function of the readings, for methods that iterate: value and slopes, and the state that it leaves alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from flexarm.drive.statespace import state_space
from flexarm.numerics import laws
from flexarm.numerics.jit import callable_from_python

law_accept = callable_from_python(laws.law_accept)
law_step = callable_from_python(laws.law_step)
law_value = callable_from_python(laws.law_value)
laws.load_laws()

number, gain = st.floats(-2.0, 2.0), st.floats(0.0, 5.0)
H = 1e-2


def actuator(poles=("-40+60j", -25.0)) -> tuple:
    space = state_space(tuple(complex(p) for p in poles), (), 1.0)
    return (np.asarray(space.A), np.asarray(space.B).ravel(), np.asarray(space.C).ravel(), float(np.squeeze(space.D)))


KINDS = {
    "plain": laws.pack(np.inf, 0.0, 1e-3, None),
    "limit": laws.pack(1.5, 0.0, 1e-3, None),
    "friction": laws.pack(np.inf, 0.4, 0.5, None),
    "actuator": laws.pack(np.inf, 0.0, 1e-3, actuator()),
    "all": laws.pack(1.5, 0.4, 0.5, actuator()),
}


def scratch() -> np.ndarray:
    return np.zeros((laws.ORDER + 2, laws.ORDER))


def state(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).uniform(-0.5, 0.5, laws.Z_SIZE)


def row(r, rate, force, kp, kv, ki) -> np.ndarray:
    return np.array([r, rate, 0.0, force, kp, kv, ki])


@pytest.mark.parametrize("kind", KINDS)
@given(number, number, number, gain, gain, gain, number, number, number, st.integers(0, 50))
def test_value_is_the_torque_of_the_step(kind, r, rate, force, kp, kv, ki, y, v, vm, seed):
    """With readings that do not depend on the torque, the step law must say the same, in both spellings."""
    drive, law, z = row(r, rate, force, kp, kv, ki), KINDS[kind], state(seed)
    kept = z.copy()
    tau = law_value(drive, law, z, H, y, v, vm, scratch())[0]
    assert np.array_equal(z, kept)
    accepted = z.copy()
    assert law_accept(drive, law, accepted, H, y, v, vm, scratch()) == pytest.approx(tau, abs=1e-9)
    assert law_step(drive, law, z, H, y, v, vm, 0.0, 0.0, 0.0, scratch()) == pytest.approx(tau, abs=1e-9)
    assert np.array_equal(z, accepted)


@pytest.mark.parametrize("kind", KINDS)
@given(number, number, number, gain, gain, gain, number, number, number, st.integers(0, 50))
def test_slopes_are_those_of_the_value(kind, r, rate, force, kp, kv, ki, y, v, vm, seed):
    drive, law, z, d = row(r, rate, force, kp, kv, ki), KINDS[kind], state(seed), 1e-6
    held = z[laws.INTEGRAL] + 0.5 * H * (z[laws.ERROR] + r - y)
    u = force + kp * (r - y) + kv * (rate - v) + ki * held
    assume(abs(abs(u) - law[laws.LIMIT]) > 1e-3)
    at = np.array([y, v, vm])
    _, *slopes = law_value(drive, law, z, H, *at, scratch())
    for k, slope in enumerate(slopes):
        step = d * np.eye(3)[k]
        up = law_value(drive, law, z, H, *(at + step), scratch())[0]
        down = law_value(drive, law, z, H, *(at - step), scratch())[0]
        assert slope == pytest.approx((up - down) / (2 * d), rel=1e-6, abs=1e-7)


def test_slopes_vanish_at_the_limit_but_friction_still_acts():
    drive = row(10.0, 0.0, 0.0, 5.0, 1.0, 0.0)
    tau, dy, dv, dm = law_value(drive, KINDS["all"], state(0) * 0.0, H, 0.0, 0.0, 0.1, scratch())
    assert dy == dv == 0.0 and dm < -0.1
    plain = law_value(drive, KINDS["limit"], state(0) * 0.0, H, 0.0, 0.0, 0.1, scratch())
    assert plain == (1.5, 0.0, 0.0, 0.0) and tau < 1.5


def test_integral_counts_half_of_the_last_step():
    """kp_effective = kp + ki h / 2 and what was summed before enters whole."""
    z = np.zeros(laws.Z_SIZE)
    z[laws.INTEGRAL], z[laws.ERROR] = 0.2, 0.1
    tau, dy, dv, dm = law_value(row(0.5, 0.0, 0.0, 2.0, 0.0, 3.0), KINDS["plain"], z, H, 0.3, 0.0, 0.0, scratch())
    assert tau == pytest.approx(2.0 * 0.2 + 3.0 * (0.2 + 0.5 * H * (0.1 + 0.2)), rel=1e-13)
    assert (dy, dv, dm) == (pytest.approx(-2.0 - 1.5 * H), 0.0, 0.0)
