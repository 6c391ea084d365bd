"""General band systems without pivoting: A = L U, cost linear in the size.

Storage: ``band[i, j - i + b]`` holds ``A[i, j]`` for ``|j - i| <= b``. Time-stepping matrices of beams are dominated by
mass and stiffness, so no pivoting is needed; a vanishing pivot is reported. The narrow band of two-node beam elements
(b = 5) has its own unrolled loop.
"""

from __future__ import annotations

from flexarm.numerics.jit import njit, njit_part

NARROW = 5


@njit
def factor(band):
    """Factor in place; the diagonal is left inverted. Returns -1, or the row with a vanishing or non-finite pivot."""
    n, width = band.shape
    b = width // 2
    if b == NARROW:
        return _factor_narrow(band)
    for k in range(n):
        pivot = band[k, b]
        if not abs(pivot) > 1e-300 or not abs(pivot) < 1e300:
            return k
        inverse = 1.0 / pivot
        band[k, b] = inverse
        upper = band[k, b + 1 :]
        last = min(b, n - 1 - k)
        for i in range(1, last + 1):
            lower = band[k + i, b - i] * inverse
            band[k + i, b - i] = lower
            target = band[k + i, b - i + 1 :]
            for j in range(last):
                target[j] -= lower * upper[j]
    return -1


@njit_part
def _factor_narrow(band):
    """`factor` for b = 5: entries right of the matrix are zero, so every row is treated alike."""
    n = band.shape[0]
    for k in range(n):
        pivot = band[k, 5]
        if not abs(pivot) > 1e-300 or not abs(pivot) < 1e300:
            return k
        inverse = 1.0 / pivot
        band[k, 5] = inverse
        u1, u2, u3, u4, u5 = band[k, 6], band[k, 7], band[k, 8], band[k, 9], band[k, 10]
        for i in range(1, min(5, n - 1 - k) + 1):
            row, c = k + i, 5 - i
            lower = band[row, c] * inverse
            band[row, c] = lower
            band[row, c + 1] -= lower * u1
            band[row, c + 2] -= lower * u2
            band[row, c + 3] -= lower * u3
            band[row, c + 4] -= lower * u4
            band[row, c + 5] -= lower * u5
    return -1


@njit
def solve(band, x):
    """Overwrite `x` with the solution of the factored system."""
    n, width = band.shape
    b = width // 2
    if b == NARROW:
        _solve_narrow(band, x)
        return
    for k in range(n):
        total = x[k]
        for j in range(max(0, b - k), b):
            total -= band[k, j] * x[k - b + j]
        x[k] = total
    for back in range(n):
        k = n - 1 - back
        total = x[k]
        for j in range(1, min(b, back) + 1):
            total -= band[k, b + j] * x[k + j]
        x[k] = total * band[k, b]


@njit_part
def _solve_narrow(band, x):
    """`solve` for b = 5; entries outside the matrix are zero, and the last unknowns wait in registers."""
    n = band.shape[0]
    v1 = v2 = v3 = v4 = v5 = 0.0
    for k in range(n):
        far = band[k, 0] * v5 + band[k, 1] * v4 + (band[k, 2] * v3 + band[k, 3] * v2)
        value = (x[k] - far) - band[k, 4] * v1
        x[k] = value
        v1, v2, v3, v4, v5 = value, v1, v2, v3, v4
    v1 = v2 = v3 = v4 = v5 = 0.0
    for back in range(n):
        k = n - 1 - back
        far = band[k, 10] * v5 + band[k, 9] * v4 + (band[k, 8] * v3 + band[k, 7] * v2)
        value = ((x[k] - far) - band[k, 6] * v1) * band[k, 5]
        x[k] = value
        v1, v2, v3, v4, v5 = value, v1, v2, v3, v4


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
