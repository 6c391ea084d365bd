"""Vectors and matrices of space as tuples of numbers, for code that works on one lane of many.

Matrices are tuples of nine, row by row; [a] is the matrix of a x.
"""

from __future__ import annotations

from flexarm.methods.fem.spatial import simd
from flexarm.numerics.jit import njit_inside


@njit_inside
def three(q, row, lane):
    """Three rows of a lane."""
    return q[row * simd.WIDE + lane], q[(row + 1) * simd.WIDE + lane], q[(row + 2) * simd.WIDE + lane]


@njit_inside
def nine(q, row, lane):
    """Nine rows of a lane."""
    return (
        q[row * simd.WIDE + lane], q[(row + 1) * simd.WIDE + lane], q[(row + 2) * simd.WIDE + lane],
        q[(row + 3) * simd.WIDE + lane], q[(row + 4) * simd.WIDE + lane], q[(row + 5) * simd.WIDE + lane],
        q[(row + 6) * simd.WIDE + lane], q[(row + 7) * simd.WIDE + lane], q[(row + 8) * simd.WIDE + lane],
    )  # fmt: skip


@njit_inside
def put_three(q, row, lane, a):
    """Write three rows of a lane."""
    q[row * simd.WIDE + lane], q[(row + 1) * simd.WIDE + lane], q[(row + 2) * simd.WIDE + lane] = a


@njit_inside
def put_nine(q, row, lane, m):
    """Write nine rows of a lane."""
    put_three(q, row, lane, m[:3])
    put_three(q, row + 3, lane, m[3:6])
    put_three(q, row + 6, lane, m[6:])


@njit_inside
def add_three(q, row, lane, a):
    """Add to three rows of a lane."""
    put_three(q, row, lane, mix(1.0, three(q, row, lane), 1.0, a))


@njit_inside
def put_block(q, row, lane, m):
    """Write a 3 x 3 block of a matrix with twelve columns whose first entry is `row`."""
    put_three(q, row, lane, m[:3])
    put_three(q, row + 12, lane, m[3:6])
    put_three(q, row + 24, lane, m[6:])


@njit_inside
def add_block(q, row, lane, x, m):
    """Add x times a 3 x 3 block to a matrix with twelve columns whose first entry is `row`."""
    add_three(q, row, lane, (x * m[0], x * m[1], x * m[2]))
    add_three(q, row + 12, lane, (x * m[3], x * m[4], x * m[5]))
    add_three(q, row + 24, lane, (x * m[6], x * m[7], x * m[8]))


@njit_inside
def times(m, a):
    """Matrix times vector."""
    return (
        m[0] * a[0] + m[1] * a[1] + m[2] * a[2],
        m[3] * a[0] + m[4] * a[1] + m[5] * a[2],
        m[6] * a[0] + m[7] * a[1] + m[8] * a[2],
    )


@njit_inside
def into(m, a):
    """Transposed matrix times vector: into the axes of a rotation matrix."""
    return (
        m[0] * a[0] + m[3] * a[1] + m[6] * a[2],
        m[1] * a[0] + m[4] * a[1] + m[7] * a[2],
        m[2] * a[0] + m[5] * a[1] + m[8] * a[2],
    )


@njit_inside
def cross(a, b):
    """a x b."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@njit_inside
def dot(a, b):
    """a . b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@njit_inside
def mix(x, a, y, b):
    """x a + y b."""
    return x * a[0] + y * b[0], x * a[1] + y * b[1], x * a[2] + y * b[2]


@njit_inside
def mixed(x, m, y, n):
    """x m + y n for matrices."""
    return (
        x * m[0] + y * n[0], x * m[1] + y * n[1], x * m[2] + y * n[2],
        x * m[3] + y * n[3], x * m[4] + y * n[4], x * m[5] + y * n[5],
        x * m[6] + y * n[6], x * m[7] + y * n[7], x * m[8] + y * n[8],
    )  # fmt: skip


@njit_inside
def left(a, m):
    """[a] m."""
    x, y, z = cross(a, (m[0], m[3], m[6])), cross(a, (m[1], m[4], m[7])), cross(a, (m[2], m[5], m[8]))
    return x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]


@njit_inside
def right(m, a):
    """m [a]."""
    return cross(m[:3], a) + cross(m[3:6], a) + cross(m[6:], a)


@njit_inside
def skew(x, a):
    """x [a]."""
    return 0.0, -x * a[2], x * a[1], x * a[2], 0.0, -x * a[0], -x * a[1], x * a[0], 0.0


@njit_inside
def outer(a, b, diagonal):
    """a b^T plus a multiple of the identity."""
    return (
        a[0] * b[0] + diagonal, a[0] * b[1], a[0] * b[2],
        a[1] * b[0], a[1] * b[1] + diagonal, a[1] * b[2],
        a[2] * b[0], a[2] * b[1], a[2] * b[2] + diagonal,
    )  # fmt: skip


@njit_inside
def between(m, a, n):
    """m diag(a) n^T."""
    x, y, z = (m[0] * a[0], m[1] * a[1], m[2] * a[2]), (m[3] * a[0], m[4] * a[1], m[5] * a[2]), (
        m[6] * a[0], m[7] * a[1], m[8] * a[2]
    )  # fmt: skip
    p, q, r = n[:3], n[3:6], n[6:]
    return dot(x, p), dot(x, q), dot(x, r), dot(y, p), dot(y, q), dot(y, r), dot(z, p), dot(z, q), dot(z, r)


@njit_inside
def transpose(m):
    """Transposed matrix."""
    return m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]
