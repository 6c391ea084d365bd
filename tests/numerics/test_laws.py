"""The scalar equation of a joint law: solved exactly, against brute force."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq

from flexarm.drive.statespace import state_space
from flexarm.errors import CapabilityError
from flexarm.numerics import laws
from flexarm.numerics.jit import callable_from_python

law_step = callable_from_python(laws.law_step)
solve_small = callable_from_python(laws.solve_small)
laws.load_laws()

number = st.floats(-2.0, 2.0)
positive = st.floats(0.0, 5.0)


def row(position=0.0, velocity=0.0, force=0.0, kp=0.0, kv=0.0, ki=0.0) -> np.ndarray:
    return np.array([position, velocity, 0.0, force, kp, kv, ki])


def call(drive, law, z, h=1e-3, y=0.0, v=0.0, vm=0.0, gy=0.0, gv=0.0, gm=0.0) -> float:
    return law_step(drive, law, z, h, y, v, vm, gy, gv, gm, np.zeros((laws.ORDER + 2, laws.ORDER)))


def fresh() -> np.ndarray:
    return np.zeros(laws.Z_SIZE)


@given(number, number, number, positive, positive, number, number, st.floats(0, 0.2), st.floats(0, 0.2))
def test_law_holds_at_the_end_of_the_step(r, rate, force, kp, kv, y, v, gy, gv):
    """tau = T + kp (r - (y + gy tau)) + kv (r' - (v + gv tau))."""
    tau = call(row(r, rate, force, kp, kv), laws.pack(np.inf, 0.0, 1e-3, None), fresh(), y=y, v=v, gy=gy, gv=gv)
    assert tau == pytest.approx(force + kp * (r - y - gy * tau) + kv * (rate - v - gv * tau), abs=1e-12)


@given(number, positive, positive, st.floats(0.05, 1.0), number, number, st.floats(0, 0.2))
def test_limit_cuts_the_command(r, kp, kv, limit, y, v, g):
    tau = call(row(r, kp=kp, kv=kv), laws.pack(limit, 0.0, 1e-3, None), fresh(), y=y, v=v, gy=g, gv=g)
    free = (kp * (r - y) - kv * v) / (1 + (kp + kv) * g)
    assert tau == pytest.approx(np.clip(free, -limit, limit), abs=1e-12)


@given(number, positive, positive, st.floats(0.01, 1.0), number, number, number, st.floats(0.001, 0.2))
def test_friction_against_brute_force(r, kp, kv, size, y, v, vm, g):
    """f = -F tanh((vm + gm tau) / vs) with tau of the law, which itself feels f."""
    smooth = 1e-2
    z = fresh()
    tau = call(row(r, kp=kp, kv=kv), laws.pack(np.inf, size, smooth, None), z, y=y, v=v, vm=vm, gy=g, gv=g, gm=g)

    def total(f: float) -> float:
        return (kp * (r - y) - kv * v + f) / (1 + (kp + kv) * g)

    f = brentq(lambda f: f + size * np.tanh((vm + g * total(f)) / smooth), -1.1 * size, 1.1 * size, xtol=1e-14)
    assert z[laws.DRAG] == pytest.approx(f, abs=1e-9)
    assert tau == pytest.approx(total(f), abs=1e-9)
    assert z[laws.DRAG] * (vm + g * tau) <= 1e-12  # it never drives


def test_integral_follows_the_trapezoidal_rule():
    z, h, total, before = fresh(), 0.01, 0.0, 0.0
    law = laws.pack(np.inf, 0.0, 1e-3, None)
    for k in range(1, 30):
        y = np.sin(3.0 * k * h)
        tau = call(row(0.4, kp=2.0, ki=5.0), law, z, h, y=y)
        error = 0.4 - y
        total += 0.5 * h * (before + error)
        before = error
        assert tau == pytest.approx(2.0 * error + 5.0 * total, abs=1e-12)
        assert z[laws.INTEGRAL] == pytest.approx(total, abs=1e-14)


def test_integral_does_not_wind_up_against_the_limit():
    z, law = fresh(), laws.pack(0.5, 0.0, 1e-3, None)
    for _ in range(1000):
        assert call(row(1.0, kp=1.0, ki=10.0), law, z, 0.01) == 0.5
    assert z[laws.INTEGRAL] < 0.02
    for _ in range(3):
        tau = call(row(-0.1, kp=1.0, ki=10.0), law, z, 0.01)
    assert tau < 0.2  # it lets go at once


@pytest.mark.parametrize("poles", [(-30.0,), (-20 + 40j,), (-15.0, -20 + 40j), (-5 + 3j, -20 + 40j)])
def test_actuator_follows_the_trapezoidal_rule(poles):
    space = state_space(poles, (), 2.0)
    A, B, C = np.asarray(space.A), np.asarray(space.B).ravel(), np.asarray(space.C).ravel()
    law = laws.pack(np.inf, 0.0, 1e-3, (A, B, C, float(np.squeeze(space.D))))
    z, h, x, before = fresh(), 2e-3, np.zeros(len(A)), 0.0
    eye = np.eye(len(A))
    for k in range(1, 40):
        u = np.cos(20 * k * h)
        tau = call(row(force=u), law, z, h)
        x = np.linalg.solve(eye - 0.5 * h * A, (eye + 0.5 * h * A) @ x + 0.5 * h * B * (before + u))
        before = u
        assert tau == pytest.approx(C @ x, rel=1e-10, abs=1e-13)


def test_actuator_with_feedback_is_one_equation():
    """The torque at the end of the step feels itself through the arm."""
    space = state_space((-30.0,), (-90.0,), 1.0)
    A, B, C, D = (np.asarray(m, dtype=float) for m in (space.A, space.B, space.C, space.D))
    law, z, h = laws.pack(np.inf, 0.0, 1e-3, (A, B, C, D)), fresh(), 5e-3
    z[laws.STATE], z[laws.COMMAND] = 0.3, 0.7
    tau = call(row(1.0, kp=4.0, kv=0.5), law, z, h, y=0.2, v=-0.1, gy=0.05, gv=0.1)
    u = 4.0 * (1.0 - 0.2 - 0.05 * tau) + 0.5 * (0.1 - 0.1 * tau)
    a, b, c, d = A.item(), B.item(), C.item(), D.item()
    x = ((1 + 0.5 * h * a) * 0.3 + 0.5 * h * b * (0.7 + u)) / (1 - 0.5 * h * a)
    assert tau == pytest.approx(c * x + d * u, rel=1e-12)
    assert z[laws.COMMAND] == pytest.approx(u, rel=1e-12) and z[laws.STATE] == pytest.approx(x, rel=1e-12)


def test_step_of_no_length_changes_no_memory():
    """After a jump the law is evaluated anew; integral and actuator keep their values."""
    z = fresh()
    z[laws.INTEGRAL], z[laws.STATE] = 0.25, 0.4
    law = laws.pack(np.inf, 0.0, 1e-3, (np.array([[-3.0]]), np.array([2.0]), np.array([1.5]), np.array(0.0)))
    tau = call(row(1.0, kp=2.0, ki=3.0), law, z, h=0.0, y=0.5)
    assert tau == pytest.approx(0.6) and z[laws.INTEGRAL] == 0.25 and z[laws.STATE] == 0.4
    assert z[laws.COMMAND] == pytest.approx(2.0 * 0.5 + 3.0 * 0.25)


def test_actuator_of_too_high_order_is_refused():
    with pytest.raises(CapabilityError, match="at most 4 poles"):
        laws.pack(1.0, 0.0, 1e-3, (np.eye(5), np.ones(5), np.ones(5), np.array(0.0)))


@given(st.integers(1, 4), st.integers(0, 500))
def test_small_dense_solve(n, seed):
    rng = np.random.default_rng(seed)
    a, b = rng.standard_normal((n, n)) + 0.1 * np.eye(n), rng.standard_normal(n)
    work, x = np.zeros((4, 4)), np.zeros(4)
    work[:n, :n], x[:n] = a, b
    solve_small(work, x, n)
    assert a @ x[:n] == pytest.approx(b, abs=1e-9 * max(1.0, np.abs(x).max()))
