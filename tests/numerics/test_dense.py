"""Small dense systems against numpy."""

from __future__ import annotations

import numpy as np
import pytest

from flexarm.numerics.dense import cholesky, cholesky_solve, lu, lu_solve


@pytest.mark.parametrize("n", [1, 2, 7, 20])
def test_solutions(n):
    rng = np.random.default_rng(n)
    A, b = rng.standard_normal((n, n)), rng.standard_normal(n)
    S = A @ A.T + 0.1 * np.eye(n)
    factor, x = S.copy(), b.copy()
    assert cholesky(factor, n)
    cholesky_solve(factor, n, x)
    assert np.abs(S @ x - b).max() < 1e-11
    A[0, 0] = 0.0  # needs a pivot
    factor, x, pivots = A + np.eye(n)[::-1], b.copy(), np.zeros(n, dtype=np.int64)
    whole = factor.copy()
    assert lu(factor, n, pivots)
    lu_solve(factor, n, pivots, x)
    assert np.abs(whole @ x - b).max() < 1e-9


def test_only_the_leading_part_is_used():
    rng = np.random.default_rng(0)
    A, b = rng.standard_normal((6, 6)), rng.standard_normal(6)
    factor, x, pivots = A.copy(), b.copy(), np.zeros(6, dtype=np.int64)
    assert lu(factor, 4, pivots)
    lu_solve(factor, 4, pivots, x)
    assert x[:4] == pytest.approx(np.linalg.solve(A[:4, :4], b[:4]))
    assert np.array_equal(factor[4:], A[4:]) and np.array_equal(x[4:], b[4:])


def test_what_cannot_be_solved_is_reported():
    assert not cholesky(np.array([[1.0, 2.0], [2.0, 1.0]]), 2)
    assert not lu(np.array([[1.0, 2.0], [2.0, 4.0]]) * 0.0, 2, np.zeros(2, dtype=np.int64))
