"""Rows of the drive table inside a step."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flexarm.numerics.rows import inside_row

number = st.floats(-3.0, 3.0)


def row_of(polynomial: np.polynomial.Polynomial, t: float, rest: np.ndarray) -> np.ndarray:
    first = polynomial.deriv()
    return np.array([[polynomial(t), first(t), first.deriv()(t), *rest]])


@given(st.lists(number, min_size=6, max_size=6), st.floats(1e-3, 2.0), st.floats(0.0, 1.0), number, number)
def test_quintic_motion_and_linear_torques_are_exact(coefficients, h, share, one, two):
    """Position, velocity and acceleration of any quintic are met inside the step; torque and gains are linear."""
    motion, start = np.polynomial.Polynomial(coefficients), 0.3
    left, right = np.array([one, two, 1.0, 0.0]), np.array([two, one, 3.0, 1.0])
    out = np.full((1, 7), np.nan)
    inside_row(row_of(motion, start, left), row_of(motion, start + h, right), h, share, out)
    assert out[0, :3] == pytest.approx(row_of(motion, start + share * h, left)[0, :3], rel=1e-6, abs=1e-6)
    assert out[0, 3:] == pytest.approx((1 - share) * left + share * right, abs=1e-12)


def test_ends_are_the_given_rows():
    rng = np.random.default_rng(0)
    first, last, out = rng.standard_normal((3, 7)), rng.standard_normal((3, 7)), np.zeros((3, 7))
    for share, row in ((0.0, first), (1.0, last)):
        inside_row(first, last, 0.01, share, out)
        assert out == pytest.approx(row, rel=1e-9, abs=1e-9)


def test_rates_are_those_of_the_position():
    rng = np.random.default_rng(1)
    first, last = rng.standard_normal((2, 7)), rng.standard_normal((2, 7))
    h, d, rows = 0.5, 1e-5, np.zeros((3, 2, 7))
    for k, share in enumerate((0.37 - d, 0.37, 0.37 + d)):
        inside_row(first, last, h, share, rows[k])
    for part in (0, 1):
        slope = (rows[2, :, part] - rows[0, :, part]) / (2 * d * h)
        assert rows[1, :, part + 1] == pytest.approx(slope, rel=1e-6)
