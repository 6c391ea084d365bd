"""General band systems without pivoting: A = L U, cost linear in the size.

Storage: ``band[i, j - i + b]`` holds ``A[i, j]`` for ``|j - i| <= b``. Time-stepping matrices of beams are dominated by
mass and stiffness, so no pivoting is needed; a vanishing pivot is reported. The narrow band of two-node beam elements
(b = 5) has its own unrolled loop, and so has that of spatial ones (b = 12).
"""

from __future__ import annotations

from flexarm.numerics.jit import njit, njit_part

NARROW, PAIR = 5, 12


@njit
def factor(band):
    """Factor in place; the diagonal is left inverted. Returns -1, or the row with a vanishing or non-finite pivot."""
    n, width = band.shape
    b = width // 2
    if b == NARROW:
        return _factor_narrow(band)
    if b == PAIR:
        return _factor_pair(band)
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


@njit_part
def _factor_pair(band):
    """`factor` for b = 12: entries right of the matrix are zero, so every row is treated alike."""
    n = band.shape[0]
    for k in range(n):
        pivot = band[k, 12]
        if not abs(pivot) > 1e-300 or not abs(pivot) < 1e300:
            return k
        inverse = 1.0 / pivot
        band[k, 12] = inverse
        u1, u2, u3, u4, u5, u6 = band[k, 13], band[k, 14], band[k, 15], band[k, 16], band[k, 17], band[k, 18]
        u7, u8, u9, u10, u11, u12 = band[k, 19], band[k, 20], band[k, 21], band[k, 22], band[k, 23], band[k, 24]
        for i in range(1, min(12, n - 1 - k) + 1):
            row, c = k + i, 12 - i
            lower = band[row, c]
            if lower == 0.0:
                continue
            lower *= inverse
            band[row, c] = lower
            band[row, c + 1] -= lower * u1
            band[row, c + 2] -= lower * u2
            band[row, c + 3] -= lower * u3
            band[row, c + 4] -= lower * u4
            band[row, c + 5] -= lower * u5
            band[row, c + 6] -= lower * u6
            band[row, c + 7] -= lower * u7
            band[row, c + 8] -= lower * u8
            band[row, c + 9] -= lower * u9
            band[row, c + 10] -= lower * u10
            band[row, c + 11] -= lower * u11
            band[row, c + 12] -= lower * u12
    return -1


@njit
def solve(band, x):
    """Overwrite `x` with the solution of the factored system."""
    n, width = band.shape
    b = width // 2
    if b == NARROW:
        _solve_narrow(band, x)
        return
    if b == PAIR:
        _solve_pair(band, x)
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


@njit_part
def _solve_pair(band, x):
    """`solve` for b = 12; the last unknowns wait in registers, and sums begin with those known longest."""
    n = band.shape[0]
    v1 = v2 = v3 = v4 = v5 = v6 = v7 = v8 = v9 = v10 = v11 = v12 = 0.0
    for k in range(n):
        far = (band[k, 0] * v12 + band[k, 1] * v11) + (band[k, 2] * v10 + band[k, 3] * v9)
        near = (band[k, 4] * v8 + band[k, 5] * v7) + (band[k, 6] * v6 + band[k, 7] * v5)
        value = (((x[k] - (far + near)) - (band[k, 8] * v4 + band[k, 9] * v3)) - band[k, 10] * v2) - band[k, 11] * v1
        x[k] = value
        v12, v11, v10, v9, v8, v7, v6, v5, v4, v3, v2, v1 = v11, v10, v9, v8, v7, v6, v5, v4, v3, v2, v1, value
    v1 = v2 = v3 = v4 = v5 = v6 = v7 = v8 = v9 = v10 = v11 = v12 = 0.0
    for step in range(n):
        k = n - 1 - step
        far = (band[k, 24] * v12 + band[k, 23] * v11) + (band[k, 22] * v10 + band[k, 21] * v9)
        near = (band[k, 20] * v8 + band[k, 19] * v7) + (band[k, 18] * v6 + band[k, 17] * v5)
        value = (((x[k] - (far + near)) - (band[k, 16] * v4 + band[k, 15] * v3)) - band[k, 14] * v2) - band[k, 13] * v1
        value *= band[k, 12]
        x[k] = value
        v12, v11, v10, v9, v8, v7, v6, v5, v4, v3, v2, v1 = v11, v10, v9, v8, v7, v6, v5, v4, v3, v2, v1, value


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
