"""Systems of blocks in a chain, each coupled to its two neighbours only: A = L U without pivoting, cost linear in the size.

Blocks have at most eight rows; most have six (a node of a beam in space), which has code of its own. Every block owns a
*tile* of three 8 x 8 fields in one flat array: the coupling to the block before, by columns; its own field, by rows; the
coupling to the block behind, by rows. What a block does not fill must stay zero. One more tile follows the last block,
so that two neighbours are always one stretch of memory and the compiler can work on eight numbers at once.
"""

from __future__ import annotations

import numpy as np

from flexarm.numerics.jit import njit, njit_inside

EDGE = 8
BEFORE, OWN, BEHIND, TILE = 0, 64, 128, 192
USUAL = 6


def tiles_for(blocks: int) -> np.ndarray:
    """Zeros for a chain of blocks."""
    return np.zeros((blocks + 1) * TILE)


@njit
def factor(tiles, counts):
    """Factor in place, `counts` rows in each block; the diagonal is left inverted. Returns -1, or the block with a bad pivot."""
    n = counts.shape[0]
    for m in range(n):
        q, c = tiles[m * TILE : (m + 2) * TILE], counts[m]
        if c == USUAL:
            good = _own_usual(q)
            if m + 1 < n:
                _behind_usual(q)
                _before_usual(q)
                _next_usual(q, counts[m + 1])
        else:
            good = _own(q, c)
            _neighbours(q, c)
        if not good:
            return m
    return -1


@njit_inside
def _row(q, i):
    return (
        q[OWN + 8 * i],
        q[OWN + 8 * i + 1],
        q[OWN + 8 * i + 2],
        q[OWN + 8 * i + 3],
        q[OWN + 8 * i + 4],
        q[OWN + 8 * i + 5],
    )


@njit_inside
def _less(a, l, b):
    return a[0] - l * b[0], a[1] - l * b[1], a[2] - l * b[2], a[3] - l * b[3], a[4] - l * b[4], a[5] - l * b[5]


@njit_inside
def _put(q, i, a):
    k = OWN + 8 * i
    q[k], q[k + 1], q[k + 2], q[k + 3], q[k + 4], q[k + 5] = a


@njit_inside
def _own_usual(q):
    """Factor the own field of six rows, all in registers; False if a pivot vanishes or is not finite."""
    a, b, c, d, e, f = _row(q, 0), _row(q, 1), _row(q, 2), _row(q, 3), _row(q, 4), _row(q, 5)
    i0 = 1.0 / a[0]
    b0, c0, d0, e0, f0 = b[0] * i0, c[0] * i0, d[0] * i0, e[0] * i0, f[0] * i0
    b, c, d, e, f = _less(b, b0, a), _less(c, c0, a), _less(d, d0, a), _less(e, e0, a), _less(f, f0, a)
    i1 = 1.0 / b[1]
    c1, d1, e1, f1 = c[1] * i1, d[1] * i1, e[1] * i1, f[1] * i1
    c, d, e, f = _less(c, c1, b), _less(d, d1, b), _less(e, e1, b), _less(f, f1, b)
    i2 = 1.0 / c[2]
    d2, e2, f2 = d[2] * i2, e[2] * i2, f[2] * i2
    d, e, f = _less(d, d2, c), _less(e, e2, c), _less(f, f2, c)
    i3 = 1.0 / d[3]
    e3, f3 = e[3] * i3, f[3] * i3
    e, f = _less(e, e3, d), _less(f, f3, d)
    i4 = 1.0 / e[4]
    f4 = f[4] * i4
    f = _less(f, f4, e)
    i5 = 1.0 / f[5]
    _put(q, 0, (i0, a[1], a[2], a[3], a[4], a[5]))
    _put(q, 1, (b0, i1, b[2], b[3], b[4], b[5]))
    _put(q, 2, (c0, c1, i2, c[3], c[4], c[5]))
    _put(q, 3, (d0, d1, d2, i3, d[4], d[5]))
    _put(q, 4, (e0, e1, e2, e3, i4, e[5]))
    _put(q, 5, (f0, f1, f2, f3, f4, i5))
    return np.isfinite(i0 + i1 + i2 + i3 + i4 + i5)


@njit_inside
def _behind_usual(q):
    """Coupling to the block behind, L^-1 of it, in all eight columns at once."""
    _, m10, m20, m30, m40, m50 = 0.0, q[72], q[80], q[88], q[96], q[104]
    m21, m31, m41, m51, m32, m42, m52 = q[81], q[89], q[97], q[105], q[90], q[98], q[106]
    m43, m53, m54 = q[99], q[107], q[108]
    for j in range(EDGE):
        a = q[BEHIND + j]
        b = q[BEHIND + 8 + j] - m10 * a
        c = q[BEHIND + 16 + j] - m20 * a - m21 * b
        d = q[BEHIND + 24 + j] - m30 * a - m31 * b - m32 * c
        e = q[BEHIND + 32 + j] - m40 * a - m41 * b - m42 * c - m43 * d
        f = q[BEHIND + 40 + j] - m50 * a - m51 * b - m52 * c - m53 * d - m54 * e
        q[BEHIND + 8 + j], q[BEHIND + 16 + j], q[BEHIND + 24 + j] = b, c, d
        q[BEHIND + 32 + j], q[BEHIND + 40 + j] = e, f


@njit_inside
def _before_usual(q):
    """Coupling of the block behind to this one, times U^-1, in all eight rows at once."""
    i0, u01, u02, u03, u04, u05 = _row(q, 0)
    _, i1, u12, u13, u14, u15 = _row(q, 1)
    _, _, i2, u23, u24, u25 = _row(q, 2)
    _, _, _, i3, u34, u35 = _row(q, 3)
    _, _, _, _, i4, u45 = _row(q, 4)
    i5 = q[OWN + 45]
    for j in range(EDGE):
        a = q[TILE + j] * i0
        b = (q[TILE + 8 + j] - u01 * a) * i1
        c = (q[TILE + 16 + j] - u02 * a - u12 * b) * i2
        d = (q[TILE + 24 + j] - u03 * a - u13 * b - u23 * c) * i3
        e = (q[TILE + 32 + j] - u04 * a - u14 * b - u24 * c - u34 * d) * i4
        f = (q[TILE + 40 + j] - u05 * a - u15 * b - u25 * c - u35 * d - u45 * e) * i5
        q[TILE + j], q[TILE + 8 + j], q[TILE + 16 + j] = a, b, c
        q[TILE + 24 + j], q[TILE + 32 + j], q[TILE + 40 + j] = d, e, f


@njit_inside
def _next_row(q, i):
    """What this block leaves on row i of the own field of the block behind."""
    a, b, c = q[TILE + i], q[TILE + 8 + i], q[TILE + 16 + i]
    d, e, f = q[TILE + 24 + i], q[TILE + 32 + i], q[TILE + 40 + i]
    for j in range(EDGE):
        one = (a * q[BEHIND + j] + b * q[BEHIND + 8 + j]) + (c * q[BEHIND + 16 + j] + d * q[BEHIND + 24 + j])
        q[TILE + OWN + 8 * i + j] -= one + (e * q[BEHIND + 32 + j] + f * q[BEHIND + 40 + j])


@njit_inside
def _next_usual(q, rows):
    """What this block leaves on the own field of the block behind, row by row so that places are constants."""
    _next_row(q, 0)
    _next_row(q, 1)
    _next_row(q, 2)
    _next_row(q, 3)
    _next_row(q, 4)
    _next_row(q, 5)
    if rows > USUAL:
        _next_row(q, 6)
        _next_row(q, 7)


@njit_inside
def _own(q, c):
    """Factor the own field of c rows; False if a pivot vanishes or is not finite."""
    sound = 0.0
    for p in range(c):
        inverse = 1.0 / q[OWN + 9 * p]
        sound += inverse
        q[OWN + 9 * p] = inverse
        for i in range(p + 1, c):
            lower = q[OWN + 8 * i + p] * inverse
            q[OWN + 8 * i + p] = lower
            for j in range(p + 1, c):
                q[OWN + 8 * i + j] -= lower * q[OWN + 8 * p + j]
    return np.isfinite(sound)


@njit_inside
def _neighbours(q, c):
    """Couplings of a block of c rows, and what it leaves on the block behind."""
    for p in range(c):
        for k in range(p):
            lower, upper = q[OWN + 8 * p + k], q[OWN + 8 * k + p]
            for j in range(EDGE):
                q[BEHIND + 8 * p + j] -= lower * q[BEHIND + 8 * k + j]
                q[TILE + 8 * p + j] -= upper * q[TILE + 8 * k + j]
        for j in range(EDGE):
            q[TILE + 8 * p + j] *= q[OWN + 9 * p]
    for i in range(EDGE):
        for p in range(c):
            for j in range(EDGE):
                q[TILE + OWN + 8 * i + j] -= q[TILE + 8 * p + i] * q[BEHIND + 8 * p + j]


@njit_inside
def _sum(q, k, step, y):
    one = (q[k] * y[0] + q[k + step] * y[1]) + (q[k + 2 * step] * y[2] + q[k + 3 * step] * y[3])
    return one + (q[k + 4 * step] * y[4] + q[k + 5 * step] * y[5])


@njit_inside
def _six(x, k):
    return x[k], x[k + 1], x[k + 2], x[k + 3], x[k + 4], x[k + 5]


@njit_inside
def _down_usual(q, x, k):
    """Forward substitution in a block of six whose unknowns begin at k, behind another of six."""
    y = _six(x, k - 6)
    a, b, c = x[k] - _sum(q, 0, 8, y), x[k + 1] - _sum(q, 1, 8, y), x[k + 2] - _sum(q, 2, 8, y)
    d, e, f = x[k + 3] - _sum(q, 3, 8, y), x[k + 4] - _sum(q, 4, 8, y), x[k + 5] - _sum(q, 5, 8, y)
    b -= q[72] * a
    c = c - q[80] * a - q[81] * b
    d = (d - q[88] * a) - q[89] * b - q[90] * c
    e = (e - (q[96] * a + q[97] * b)) - q[98] * c - q[99] * d
    f = (f - (q[104] * a + q[105] * b)) - q[106] * c - q[107] * d - q[108] * e
    x[k], x[k + 1], x[k + 2], x[k + 3], x[k + 4], x[k + 5] = a, b, c, d, e, f


@njit_inside
def _up_usual(q, x, k):
    """Backward substitution in a block of six whose unknowns begin at k, before another of six."""
    y = _six(x, k + 6)
    f = (x[k + 5] - _sum(q, BEHIND + 40, 1, y)) * q[109]
    e = ((x[k + 4] - _sum(q, BEHIND + 32, 1, y)) - q[101] * f) * q[100]
    d = (((x[k + 3] - _sum(q, BEHIND + 24, 1, y)) - q[93] * f) - q[92] * e) * q[91]
    c = (((x[k + 2] - _sum(q, BEHIND + 16, 1, y)) - (q[85] * f + q[84] * e)) - q[83] * d) * q[82]
    b = (((x[k + 1] - _sum(q, BEHIND + 8, 1, y)) - (q[77] * f + q[76] * e)) - q[75] * d - q[74] * c) * q[73]
    a = (((x[k] - _sum(q, BEHIND, 1, y)) - (q[69] * f + q[68] * e)) - (q[67] * d + q[66] * c) - q[65] * b) * q[64]
    x[k], x[k + 1], x[k + 2], x[k + 3], x[k + 4], x[k + 5] = a, b, c, d, e, f


@njit
def solve(tiles, counts, x):
    """Overwrite `x` with the solution of the factored system."""
    n, first = counts.shape[0], 0
    for m in range(n):
        q, c = tiles[m * TILE : (m + 1) * TILE], counts[m]
        before = counts[m - 1] if m else 0
        if c == USUAL and before == USUAL:
            _down_usual(q, x, first)
        else:
            for i in range(c):
                total = x[first + i]
                for p in range(before):
                    total -= q[8 * p + i] * x[first - before + p]
                for p in range(i):
                    total -= q[OWN + 8 * i + p] * x[first + p]
                x[first + i] = total
        first += c
    behind = 0
    for back in range(n):
        m = n - 1 - back
        q, c = tiles[m * TILE : (m + 1) * TILE], counts[m]
        first -= c
        if c == USUAL and behind == USUAL:
            _up_usual(q, x, first)
        else:
            for step in range(c):
                i = c - 1 - step
                total = x[first + i]
                for j in range(behind):
                    total -= q[BEHIND + 8 * i + j] * x[first + c + j]
                for j in range(i + 1, c):
                    total -= q[OWN + 8 * i + j] * x[first + j]
                x[first + i] = total * q[OWN + 9 * i]
        behind = c
