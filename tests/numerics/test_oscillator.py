"""Exact oscillator steps against closed forms and against a fine integration."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from flexarm.numerics.oscillator import exact_step


def step(w2: float, d: float, h: float) -> tuple[np.ndarray, np.ndarray]:
    row = exact_step(np.array([w2]), np.array([d]), h)[0]
    return row[:4].reshape(2, 2), row[4:].reshape(4, 2)


def test_undamped_rotation():
    w, h = 7.0, 0.13
    phi, _ = step(w * w, 0.0, h)
    assert phi == pytest.approx(np.array([[np.cos(w * h), np.sin(w * h) / w], [-w * np.sin(w * h), np.cos(w * h)]]))


def test_rigid_mode_under_a_linear_load():
    """q = v h + p0 h^2/3 + p1 h^2/6, v = (p0 + p1) h/2."""
    h = 0.2
    phi, G = step(0.0, 0.0, h)
    assert phi == pytest.approx(np.array([[1, h], [0, 1]]), abs=1e-15)
    assert G[0] == pytest.approx([h * h / 3, h / 2]) and G[1] == pytest.approx([h * h / 6, h / 2])
    assert G[2] == pytest.approx([h * h / 12, h / 6]) and G[3] == pytest.approx([h * h / 60, 0.0], abs=1e-15)


@pytest.mark.parametrize("d", [0.5, 14.0, 60.0], ids=["under", "critical", "over"])
def test_damped_decay(d):
    w, h = 7.0, 0.1
    phi, _ = step(w * w, d, h)
    roots = np.roots([1.0, d, w * w]).astype(complex)
    if d == 14.0:
        expected = np.exp(-w * h) * np.array([[1 + w * h, h], [-w * w * h, 1 - w * h]])
    else:
        V = np.array([[1, 1], roots])
        expected = (V @ np.diag(np.exp(roots * h)) @ np.linalg.inv(V)).real
    assert phi == pytest.approx(expected, rel=1e-9)


def test_falling_mode_grows_like_cosh():
    phi, _ = step(-9.0, 0.0, 0.4)
    assert phi == pytest.approx(np.array([[np.cosh(1.2), np.sinh(1.2) / 3], [3 * np.sinh(1.2), np.cosh(1.2)]]))


@given(
    st.floats(-20.0, 2e4), st.floats(0.0, 300.0), st.floats(1e-3, 0.3),
    st.lists(st.floats(-1, 1), min_size=6, max_size=6),
)  # fmt: skip
def test_any_step_against_integration(w2, d, h, numbers):
    q0, v0, p0, p1, b1, b2 = numbers

    def slope(t, y):
        s = t / h
        p = p0 * (1 - s) + p1 * s + s * (1 - s) * (b1 + b2 * (1 - 2 * s))
        return [y[1], p - d * y[1] - w2 * y[0]]

    out = solve_ivp(slope, (0, h), [q0, v0], "DOP853", rtol=1e-10, atol=1e-12).y[:, -1]
    phi, G = step(w2, d, h)
    found = phi @ [q0, v0] + p0 * G[0] + p1 * G[1] + b1 * G[2] + b2 * G[3]
    size = np.array([1.0, max(1.0, np.sqrt(abs(w2)))])
    assert np.abs(found - out).max() < 1e-6 * size.max() * np.exp(np.sqrt(max(-w2, 0)) * h)


def test_two_halves_make_a_whole():
    w2, d = np.array([0.0, 25.0, 1e6]), np.array([0.0, 3.0, 1e4])
    whole, half = exact_step(w2, d, 0.02), exact_step(w2, d, 0.01)
    for a, b in zip(whole, half, strict=True):
        phi = b[:4].reshape(2, 2)
        assert a[:4].reshape(2, 2) == pytest.approx(phi @ phi, abs=1e-9 * np.abs(phi).max())


@pytest.mark.parametrize(
    ("square", "damping", "h"),
    [(0.0, 0.0, 0.1), (25.0, 0.3, 0.2), (1e4, 0.0, 0.1), (1e4, 300.0, 0.1), (-4.0, 0.0, 0.5), (1e8, 1e5, 1e-3)],
)
def test_integrals_of_the_rate_against_an_adaptive_solver(square, damping, h):
    from scipy.integrate import solve_ivp

    from flexarm.numerics.oscillator import step_integrals

    q, v, p0, p1, b1, b2 = np.random.default_rng(1).normal(size=6)
    q = p0 / square * 1.1 if square > 0 else q

    def slopes(t, x):
        s = t / h
        load = p0 * (1 - s) + p1 * s + b1 * s * (1 - s) + b2 * s * (1 - s) * (1 - 2 * s)
        shapes = np.array([s, s * (1 - s), s * (1 - s) * (1 - 2 * s), x[1]])
        return [x[1], load - damping * x[1] - square * x[0], *(x[1] * shapes)]

    found = solve_ivp(slopes, (0, h), [q, v, 0, 0, 0, 0], method="LSODA", rtol=1e-11, atol=1e-15).y[2:, -1]
    moments, gram = step_integrals(np.array([square]), np.array([damping]), h)
    y = np.array([v, p0 - square * q, p1 - p0, b1, b2])
    np.testing.assert_allclose([*(moments[0] @ y), y @ gram[0] @ y], found, rtol=1e-6, atol=1e-9 * abs(found).max())
