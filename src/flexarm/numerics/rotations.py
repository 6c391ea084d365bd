"""Rotations in space: matrices as rows of nine numbers (row by row), rotation vectors as three.

Functions that a kernel calls in its inner loop take arrays with a row index and return tuples, so that nothing is
allocated. ``turn`` gives exp([t]) R, ``relative`` the vector of R1^T R2; `renew` removes the rounding that would let a
matrix drift away from a rotation over many steps.
"""

from __future__ import annotations

import math

import numpy as np

from flexarm.numerics.jit import njit_anywhere, njit_inside, njit_part

SMALL = 1e-4
"""Squared angle below which series are used; their next terms are below rounding there."""
SIXTH, TWENTY_FOURTH, THIRTIETH = 1.0 / 6.0, 1.0 / 24.0, 1.0 / 30.0
"""Factors instead of divisors: the compiler keeps a division as it is, and it is slow."""


@njit_inside
def exponential(s):
    """sin t / t and (1 - cos t) / t^2 for the squared angle s = t^2."""
    if s < SMALL:
        return 1.0 - s * SIXTH * (1.0 - s * 0.05), 0.5 - s * TWENTY_FOURTH * (1.0 - s * THIRTIETH)
    t = math.sqrt(s)
    return math.sin(t) / t, (1.0 - math.cos(t)) / s


@njit_anywhere
def turn(x, y, z, R, i, out, j):
    """out[j] = exp([x, y, z]) R[i]; the two must not be the same row."""
    s = x * x + y * y + z * z
    a, b = exponential(s)
    c = 1.0 - b * s
    e00, e01, e02 = c + b * x * x, b * x * y - a * z, b * x * z + a * y
    e10, e11, e12 = b * x * y + a * z, c + b * y * y, b * y * z - a * x
    e20, e21, e22 = b * x * z - a * y, b * y * z + a * x, c + b * z * z
    for k in range(3):
        p, q, w = R[i, k], R[i, 3 + k], R[i, 6 + k]
        out[j, k] = e00 * p + e01 * q + e02 * w
        out[j, 3 + k] = e10 * p + e11 * q + e12 * w
        out[j, 6 + k] = e20 * p + e21 * q + e22 * w


@njit_inside
def multiply(A, i, B, j, out, k):
    """out[k] = A[i] B[j] for 3 x 3 matrices in rows; out must be another row."""
    for r in range(3):
        a, b, c = A[i, 3 * r], A[i, 3 * r + 1], A[i, 3 * r + 2]
        for col in range(3):
            out[k, 3 * r + col] = a * B[j, col] + b * B[j, 3 + col] + c * B[j, 6 + col]


@njit_anywhere
def apply(R, i, x, y, z):
    """R[i] times a vector."""
    return (
        R[i, 0] * x + R[i, 1] * y + R[i, 2] * z,
        R[i, 3] * x + R[i, 4] * y + R[i, 5] * z,
        R[i, 6] * x + R[i, 7] * y + R[i, 8] * z,
    )


@njit_inside
def apply_back(R, i, x, y, z):
    """The transpose of R[i] times a vector."""
    return (
        R[i, 0] * x + R[i, 3] * y + R[i, 6] * z,
        R[i, 1] * x + R[i, 4] * y + R[i, 7] * z,
        R[i, 2] * x + R[i, 5] * y + R[i, 8] * z,
    )


@njit_inside
def cross(a, b, c, x, y, z):
    """(a, b, c) x (x, y, z)."""
    return b * z - c * y, c * x - a * z, a * y - b * x


@njit_anywhere
def relative(A, i, B, j):
    """Rotation vector of A[i]^T B[j], in the axes of either; for angles below half a turn."""
    trace = 0.0
    for k in range(9):
        trace += A[i, k] * B[j, k]
    x = y = z = 0.0
    for k in range(3):
        a0, a1, a2 = A[i, 3 * k], A[i, 3 * k + 1], A[i, 3 * k + 2]
        b0, b1, b2 = B[j, 3 * k], B[j, 3 * k + 1], B[j, 3 * k + 2]
        x += a2 * b1 - a1 * b2
        y += a0 * b2 - a2 * b0
        z += a1 * b0 - a0 * b1
    x, y, z = 0.5 * x, 0.5 * y, 0.5 * z
    s = x * x + y * y + z * z  # sin^2
    cosine = 0.5 * (trace - 1.0)
    if s < SMALL and cosine > 0.0:
        f = 1.0 + s * SIXTH * (1.0 + s * 0.45)
    else:
        sine = math.sqrt(s)
        f = math.atan2(sine, cosine) / max(sine, 1e-300)
    return f * x, f * y, f * z


@njit_part
def small_spin_factors(s):
    """`spin_factors` by their series."""
    more = TWENTY_FOURTH * (1.0 + s * (7.0 / 240.0))
    slope = TWENTY_FOURTH * (1.0 + s * (7.0 / 120.0))
    return 1.0 + s * more, -more, 0.25 + s * (1.0 / 192.0), slope, -7.0 / 5760.0, 1.0 / 192.0


@njit_part
def spin_factors(s):
    """Factors of the strain operators for the squared relative angle s of two sections, and their slopes.

    gamma = u / sin u with u = sqrt(s) / 2;  eta = (1 - gamma) / s;  t = tan(u / 2) / (2 u);  then d / ds of each.
    """
    if s < SMALL:
        return small_spin_factors(s)
    u = 0.5 * math.sqrt(s)
    sine, cosine = math.sin(u), math.cos(u)
    gamma = u / sine
    eta = (1.0 - gamma) / s
    d_gamma = (sine - u * cosine) / (sine * sine) / (8.0 * u)
    d_eta = (-d_gamma - eta) / s
    tangent = math.tan(0.5 * u)
    t = tangent / (2.0 * u)
    d_t = ((1.0 + tangent * tangent) * 0.5 * u - tangent) / (2.0 * u * u) / (8.0 * u)
    return gamma, eta, t, d_gamma, d_eta, d_t


@njit_part
def vector_factor(s):
    """(1 - u cot u) / s with u = sqrt(s) / 2: how the vector of a rotation of squared angle s changes when it is turned further.

    The small rotation d changes the vector t by d - t x d / 2 + factor t x (t x d).
    """
    if s < SMALL:
        return 1.0 / 12.0 + s * (1.0 / 720.0)
    half = 0.5 * math.sqrt(s)
    return (1.0 - half * math.cos(half) / math.sin(half)) / s


@njit_anywhere
def renew(R, i):
    """One step towards the nearest rotation: R (3 - R^T R) / 2, exact to second order in the error."""
    g00 = g01 = g02 = g11 = g12 = g22 = 0.0
    for k in range(3):
        a, b, c = R[i, 3 * k], R[i, 3 * k + 1], R[i, 3 * k + 2]
        g00 += a * a
        g01 += a * b
        g02 += a * c
        g11 += b * b
        g12 += b * c
        g22 += c * c
    for k in range(3):
        a, b, c = R[i, 3 * k], R[i, 3 * k + 1], R[i, 3 * k + 2]
        R[i, 3 * k] = 1.5 * a - 0.5 * (a * g00 + b * g01 + c * g02)
        R[i, 3 * k + 1] = 1.5 * b - 0.5 * (a * g01 + b * g11 + c * g12)
        R[i, 3 * k + 2] = 1.5 * c - 0.5 * (a * g02 + b * g12 + c * g22)


def about_z(angle: float) -> np.ndarray:
    """Rotation (3, 3) about the third axis."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
