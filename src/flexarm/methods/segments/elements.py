"""Transfer matrices of the elements, z_O = U z_I with z = (x, y, theta, m, qx, qy, 1); compiled.

m = K (theta_O - theta_I) in a spring, q is the force by the inboard side on the outboard side. Accelerations and rates of every
coordinate r follow Newmark's rule r'' = A r + B, r' = C r + D with the histories B and D. Arms and their sines are taken at a
reference angle: that of the last step, or of the last iterate.

Equations: G23, G24, G25, G26, G27, G28, G29.
"""

from __future__ import annotations

import math

import numpy as np

from flexarm.methods.segments import layout as at
from flexarm.numerics.bundle import Bundle
from flexarm.numerics.copies import copy_rows
from flexarm.numerics.dense import lu, lu_solve
from flexarm.numerics.jit import njit, njit_part

SIZE = 7
(R_THETA, R_G1, R_G2, R_AX, R_AY, R_QX, R_QY, R_BXI, R_BYI, R_BXC, R_BYC, R_BT) = range(12)
REFERENCE = 12
"""Reference of a body: angle; constants of the expanded cosine and sine; acceleration of the inboard point and force on the
outboard body there; histories B of inboard point, centre and angle."""


class Matrices(Bundle):
    """Transfer matrices of all elements, and what solving them takes.

    reference : (bodies, R); elements : (n, 7, 7); states : (n + 1, 7) before and behind them; riccati : (n + 1, 4, 3) columns
    of S, then e; product, spare : (7, 7); square, right, pivots : 3 equations and their four right-hand sides
    """

    reference: np.ndarray
    elements: np.ndarray
    states: np.ndarray
    riccati: np.ndarray
    product: np.ndarray
    spare: np.ndarray
    square: np.ndarray
    right: np.ndarray
    pivots: np.ndarray


def matrices(n: int) -> Matrices:
    """For n elements."""
    shapes = (n, REFERENCE), (n, SIZE, SIZE), (n + 1, SIZE), (n + 1, 4, 3), (SIZE, SIZE), (SIZE, SIZE), (3, 3), (4, 3)
    return Matrices(*map(np.zeros, shapes), np.zeros(3, dtype=np.int64))


@njit
def newmark_history(r, rate, acceleration, h, beta, gamma):
    """B and D of a coordinate from its values at the last step."""
    B = -(r + rate * h + (0.5 - beta) * acceleration * h * h) / (beta * h * h)
    return B, rate + (1.0 - gamma) * acceleration * h + gamma * B * h


@njit
def expand(theta, rate, h):
    """Constants G1, G2 of cos = G1 - sin(theta) t and sin = G2 + cos(theta) t about an angle; with rate h to second order."""
    c, s = math.cos(theta), math.sin(theta)
    short = 1.0 - 0.5 * (rate * h) ** 2
    return c * short + theta * s, s * short - theta * c


@njit_part
def unit(U):
    """The identity."""
    for r in range(SIZE):
        for k in range(SIZE):
            U[r, k] = 1.0 if r == k else 0.0


@njit
def spring_element(U, stiffness, offset, angle):
    """A spring behind a joint: the angle grows by `angle` + m / stiffness + offset."""
    unit(U)
    U[2, 3] = 1.0 / stiffness if stiffness > 0.0 else 0.0
    U[2, 6] = angle + offset


@njit
def body_element(U, body, reference, A, fx, fy, expanded):
    """A rigid body with force (fx, fy) at its centre; `expanded`: the arms of the forces follow the angle to first order."""
    unit(U)
    theta, G1, G2 = reference[R_THETA], reference[R_G1], reference[R_G2]
    c, s, m = math.cos(theta), math.sin(theta), body[at.M]
    ox, oy, cx, cy = body[at.OX], body[at.OY], body[at.CX], body[at.CY]
    XO, YO, XC, YC = ox * c - oy * s, ox * s + oy * c, cx * c - cy * s, cx * s + cy * c
    JI = body[at.J] + m * (cx * cx + cy * cy)
    U[0, 2], U[0, 6] = -YO, ox * G1 - oy * G2
    U[1, 2], U[1, 6] = XO, ox * G2 + oy * G1
    U[4, 0], U[4, 2] = -m * A, m * A * YC
    U[5, 1], U[5, 2] = -m * A, -m * A * XC
    U[4, 6] = -m * (A * (cx * G1 - cy * G2) + reference[R_BXC]) + fx
    U[5, 6] = -m * (A * (cx * G2 + cy * G1) + reference[R_BYC]) + fy
    turned = 0.0
    if expanded:
        turned = -m * (YC * reference[R_AY] + XC * reference[R_AX]) - reference[R_QX] * XO - reference[R_QY] * YO
        turned += fx * XC + fy * YC
    U[3, 0], U[3, 1] = m * A * (YO - YC), m * A * (XC - XO)
    U[3, 4], U[3, 5] = -YO, XO
    U[3, 2] = JI * A - YO * U[4, 2] + XO * U[5, 2] + turned
    U[3, 6] = JI * reference[R_BT] + m * (XC * reference[R_BYI] - YC * reference[R_BXI])
    U[3, 6] += fx * YC - fy * XC - YO * U[4, 6] + XO * U[5, 6] - turned * theta


@njit_part
def multiply(left, right, out):
    """out = left right, 7 x 7."""
    for r in range(SIZE):
        for k in range(SIZE):
            total = 0.0
            for i in range(SIZE):
                total += left[r, i] * right[i, k]
            out[r, k] = total


@njit_part
def clamp_root(z, moment, qx, qy):
    """State at the root, which stands still."""
    z[0], z[1], z[2], z[3], z[4], z[5], z[6] = 0.0, 0.0, 0.0, moment, qx, qy, 1.0


@njit
def by_product(work):
    """States behind all elements by multiplying out: free tip, clamped root. False if the 3 x 3 system is singular."""
    E, z, a, f = work.elements, work.states, work.square, work.right[0]
    whole, spare = work.product, work.spare
    unit(whole)
    for n in range(E.shape[0]):
        multiply(E[n], whole, spare)
        whole, spare = spare, whole
    for r in range(3):
        f[r] = -whole[3 + r, 6]
        for k in range(3):
            a[r, k] = whole[3 + r, 3 + k]
    if not lu(a, 3, work.pivots):
        return False
    lu_solve(a, 3, work.pivots, f)
    clamp_root(z[0], f[0], f[1], f[2])
    for n in range(E.shape[0]):
        for r in range(SIZE):
            total = 0.0
            for k in range(SIZE):
                total += E[n, r, k] * z[n, k]
            z[n + 1, r] = total
    return True


@njit
def by_riccati(work):
    """The same states by sweeping f = S d + e from the free tip to the root."""
    E, z, S, a, b = work.elements, work.states, work.riccati, work.square, work.right
    last = E.shape[0]
    S[last, :, :] = 0.0
    for n in range(last - 1, -1, -1):
        U, T = E[n], S[n + 1]
        for r in range(3):
            b[3, r] = T[3, r] - U[3 + r, 6]
            for k in range(3):
                a[r, k] = U[3 + r, 3 + k]
                b[k, r] = -U[3 + r, k]
                b[3, r] += T[k, r] * U[k, 6]
                for i in range(3):
                    a[r, k] -= T[i, r] * U[i, 3 + k]
                    b[k, r] += T[i, r] * U[i, k]
        if not lu(a, 3, work.pivots):
            return False
        for k in range(4):
            lu_solve(a, 3, work.pivots, b[k])
        copy_rows(b, S[n])
    clamp_root(z[0], S[0, 3, 0], S[0, 3, 1], S[0, 3, 2])
    for n in range(last):
        d, T = z[n + 1], S[n + 1]
        for r in range(3):
            d[r] = 0.0
            for k in range(SIZE):
                d[r] += E[n, r, k] * z[n, k]
        for r in range(3):
            d[3 + r] = T[3, r] + T[0, r] * d[0] + T[1, r] * d[1] + T[2, r] * d[2]
        d[6] = 1.0
    return True
