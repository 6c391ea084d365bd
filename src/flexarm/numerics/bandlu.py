"""General band systems without pivoting: A = L U, cost linear in the size.

Storage: ``band[i, j - i + b]`` holds ``A[i, j]`` for ``|j - i| <= b``. Time-stepping matrices of beams are dominated by
mass and stiffness, so no pivoting is needed; a vanishing pivot is reported.
"""

from __future__ import annotations

from flexarm.numerics.jit import njit


@njit
def factor(band):
    """Factor in place. Returns -1, or the row with a vanishing or non-finite pivot."""
    n, width = band.shape
    b = width // 2
    for k in range(n):
        pivot = band[k, b]
        if not abs(pivot) > 1e-300 or not abs(pivot) < 1e300:
            return k
        inverse = 1.0 / pivot
        upper = band[k, b + 1 :]
        last = min(b, n - 1 - k)
        for i in range(1, last + 1):
            lower = band[k + i, b - i] * inverse
            band[k + i, b - i] = lower
            if lower != 0.0:
                target = band[k + i, b - i + 1 :]
                for j in range(last):
                    target[j] -= lower * upper[j]
    return -1


@njit
def solve(band, x):
    """Overwrite `x` with the solution of the factored system."""
    n, width = band.shape
    b = width // 2
    for k in range(n):
        value = x[k]
        for i in range(1, min(b, n - 1 - k) + 1):
            x[k + i] -= band[k + i, b - i] * value
    for k in range(n - 1, -1, -1):
        total = x[k]
        for j in range(1, min(b, n - 1 - k) + 1):
            total -= band[k, b + j] * x[k + j]
        x[k] = total / band[k, b]


@njit
def multiply(band, x, out):
    """``out = A x`` for a band matrix that is not factored."""
    n, width = band.shape
    b = width // 2
    for i in range(n):
        total = 0.0
        for j in range(max(0, i - b), min(n, i + b + 1)):
            total += band[i, j - i + b] * x[j]
        out[i] = total
