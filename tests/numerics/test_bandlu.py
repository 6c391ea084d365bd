"""General band systems against dense algebra."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flexarm.numerics import bandlu


def packed(full: np.ndarray, b: int) -> np.ndarray:
    n = len(full)
    band = np.zeros((n, 2 * b + 1))
    for i in range(n):
        for j in range(max(0, i - b), min(n, i + b + 1)):
            band[i, j - i + b] = full[i, j]
    return band


def system(seed: int, n: int, b: int) -> np.ndarray:
    """An unsymmetric band matrix that is dominated by its diagonal."""
    rng = np.random.default_rng(seed)
    full = np.triu(np.tril(rng.standard_normal((n, n)), b), -b)
    full[np.arange(n), np.arange(n)] = np.abs(full).sum(axis=1) + 0.5
    return full


@given(st.integers(0, 1000), st.integers(1, 14), st.integers(0, 6))
def test_solution_of_an_unsymmetric_system(seed, n, b):
    full = system(seed, n, b)
    x = np.random.default_rng(seed + 1).standard_normal(n)
    band, right = packed(full, b), full @ x
    assert bandlu.factor(band) == -1
    bandlu.solve(band, right)
    assert right == pytest.approx(x, rel=1e-10, abs=1e-12)


@given(st.integers(0, 1000), st.integers(1, 14), st.integers(0, 6))
def test_product(seed, n, b):
    full, x, out = system(seed, n, b), np.arange(1.0, n + 1), np.full(n, np.nan)
    bandlu.multiply(packed(full, b), x, out)
    assert out == pytest.approx(full @ x, rel=1e-13)


@pytest.mark.parametrize("b", [2, bandlu.NARROW])
def test_factors_multiply_to_the_matrix(b):
    """L has a unit diagonal; that of U is kept inverted."""
    full = system(3, 9, b)
    band = packed(full, b)
    bandlu.factor(band)
    lower, upper = np.eye(9), np.zeros((9, 9))
    for i in range(9):
        for j in range(max(0, i - b), min(9, i + b + 1)):
            (lower if j < i else upper)[i, j] = 1.0 / band[i, b] if i == j else band[i, j - i + b]
    assert lower @ upper == pytest.approx(full, abs=1e-13)


@pytest.mark.parametrize("b", [3, bandlu.NARROW])
def test_one_factorisation_serves_many_right_sides(b):
    full = system(5, 12, b)
    band = packed(full, b)
    bandlu.factor(band)
    before = band.copy()
    for k in range(12):
        unit = np.eye(12)[k]
        bandlu.solve(band, unit)
        assert full @ unit == pytest.approx(np.eye(12)[k], abs=1e-12)
    assert np.array_equal(band, before)


@pytest.mark.parametrize("bad", [0.0, np.nan, np.inf])
@pytest.mark.parametrize("row", [0, 3, 5])
@pytest.mark.parametrize("b", [1, bandlu.NARROW])
def test_pivot_that_cannot_be_used_is_reported_with_its_row(bad, row, b):
    full = np.diag(np.arange(1.0, 7.0))
    full[row, row] = bad
    assert bandlu.factor(packed(full, b)) == row


def test_a_singular_matrix_is_reported():
    assert bandlu.factor(packed(np.array([[1.0, 2.0, 0.0], [2.0, 4.0, 0.0], [0.0, 0.0, 1.0]]), 1)) == 1
