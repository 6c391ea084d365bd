"""Symmetric band systems, factored without pivoting: A = L D L^T with cost linear in the size.

Storage: ``band[i, k]`` holds ``A[i, i + k]`` for ``k = 0 .. b`` (upper diagonals by rows); entries that would lie
outside the matrix are ignored. After `factor`, ``band[i, 0]`` holds ``1 / D[i]`` and ``band[i, k]`` holds
``L[i + k, i]``.
"""

from __future__ import annotations

import numpy as np

from flexarm.numerics.jit import njit


@njit
def factor(band):
    """Factor in place. Returns -1, or the row at which the matrix is not positive definite."""
    n, width = band.shape
    for i in range(n):
        pivot = band[i, 0]
        if not pivot > 0.0:
            return i
        inverse = 1.0 / pivot
        last = min(width - 1, n - 1 - i)
        for k in range(1, last + 1):
            scaled = band[i, k] * inverse
            for j in range(k, last + 1):
                band[i + k, j - k] -= scaled * band[i, j]
        for k in range(1, last + 1):
            band[i, k] *= inverse
        for k in range(last + 1, width):
            band[i, k] = 0.0
        band[i, 0] = inverse
    return -1


@njit
def solve(band, x):
    """Overwrite `x` (the right-hand side) with the solution of the factored system."""
    n, width = band.shape
    if width == 3:
        solve_five(band, x)
        return
    for i in range(n):
        xi = x[i]
        for k in range(1, min(width, n - i)):
            x[i + k] -= band[i, k] * xi
    for i in range(n - 1, -1, -1):
        total = x[i] * band[i, 0]
        for k in range(1, min(width, n - i)):
            total -= band[i, k] * x[i + k]
        x[i] = total


@njit
def solve_five(band, x):
    """`solve` for five diagonals, with the two neighbours kept in registers."""
    n = band.shape[0]
    near, far, carried = 0.0, 0.0, 0.0
    for i in range(n):
        # near: what row i - 1 takes off row i; far: what row i - 2 takes off it; carried: row i - 1 off row i + 1
        value = x[i] - far - near
        x[i] = value
        far, near, carried = carried, band[i, 1] * value, band[i, 2] * value
    one, two = 0.0, 0.0
    for k in range(n):
        i = n - 1 - k
        value = x[i] * band[i, 0] - band[i, 1] * one - band[i, 2] * two
        x[i] = value
        one, two = value, one


@njit
def multiply(band, x, out):
    """``out = A x`` for a symmetric band matrix that is not factored."""
    n, width = band.shape
    for i in range(n):
        out[i] = band[i, 0] * x[i]
    for k in range(1, width):
        for i in range(n - k):
            value = band[i, k]
            out[i] += value * x[i + k]
            out[i + k] += value * x[i]


def from_dense(matrix: np.ndarray, half_width: int) -> np.ndarray:
    """Band storage, shape (n, half_width + 1), of a symmetric matrix; refuses entries outside the band."""
    n = matrix.shape[0]
    band = np.zeros((n, half_width + 1))
    for k in range(min(half_width + 1, n)):
        band[: n - k, k] = np.diagonal(matrix, k)
    if not np.allclose(to_dense(band), matrix, rtol=0.0, atol=1e-13 * max(float(np.abs(matrix).max()), 1e-300)):
        raise ValueError(f"the matrix is not symmetric with half-bandwidth {half_width}")
    return band


def to_dense(band: np.ndarray) -> np.ndarray:
    """The full symmetric matrix, shape (n, n)."""
    n, width = band.shape
    full = np.diag(band[:, 0])
    for k in range(1, min(width, n)):
        full += np.diag(band[: n - k, k], k) + np.diag(band[: n - k, k], -k)
    return full
