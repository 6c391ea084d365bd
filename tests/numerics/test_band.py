"""Band factorisation against dense linear algebra."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flexarm.numerics import band


def random_band(n: int, half_width: int, seed: int) -> np.ndarray:
    """A symmetric positive definite band matrix."""
    rng = np.random.default_rng(seed)
    lower = np.tril(rng.standard_normal((n, n)))
    lower = np.where(np.subtract.outer(np.arange(n), np.arange(n)) <= half_width, lower, 0.0)
    return lower @ lower.T + 0.1 * np.eye(n)


@given(st.integers(1, 12), st.integers(0, 4), st.integers(0, 1000))
def test_factor_and_solve(n, half_width, seed):
    matrix = random_band(n, half_width, seed)
    rhs = np.random.default_rng(seed + 1).standard_normal(n)
    packed = band.from_dense(matrix, half_width)
    assert np.array_equal(band.to_dense(packed), matrix)
    assert band.factor(packed) == -1
    x = rhs.copy()
    band.solve(packed, x)
    assert matrix @ x == pytest.approx(rhs, abs=1e-8 * np.abs(x).max())


def test_factors_are_those_of_the_matrix():
    matrix = random_band(7, 2, 5)
    packed = band.from_dense(matrix, 2)
    band.factor(packed)
    lower = np.eye(7)
    for k in (1, 2):
        lower += np.diag(packed[: 7 - k, k], -k)
    assert lower @ np.diag(1 / packed[:, 0]) @ lower.T == pytest.approx(matrix, abs=1e-12)


def test_multiply():
    matrix = random_band(9, 3, 2)
    x, out = np.arange(9.0), np.empty(9)
    band.multiply(band.from_dense(matrix, 3), x, out)
    assert out == pytest.approx(matrix @ x, rel=1e-13)


@pytest.mark.parametrize("row", [0, 3, 6])
def test_row_at_which_a_matrix_is_not_positive_definite(row):
    matrix = random_band(7, 2, 8)
    matrix[row, row] = -1.0
    assert band.factor(band.from_dense(matrix, 2)) == row


def test_entries_outside_the_band_and_asymmetry_are_refused():
    matrix = random_band(6, 3, 1)
    with pytest.raises(ValueError, match="half-bandwidth 2"):
        band.from_dense(matrix, 2)
    matrix[0, 1] += 1e-3
    with pytest.raises(ValueError, match="not symmetric"):
        band.from_dense(matrix, 3)


@pytest.mark.parametrize("n", [1, 2, 3, 15])
def test_the_loop_for_half_width_two_is_the_general_one(n):
    matrix = random_band(n, 2, 4)
    packed = band.from_dense(matrix, 2)
    band.factor(packed)
    one, two = np.linspace(-1, 1, n), np.linspace(-1, 1, n)
    band.solve(packed, one)
    band.solve_five(packed, two)
    assert two == pytest.approx(one, rel=1e-12)
