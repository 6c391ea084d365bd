"""The element's tangent: 12 x 12 in the displacements and spins of its two ends.

In the variables D = r2 - r1, s = th_1 + th_2, p = th_2 - th_1 the nine blocks are short; they are then put together with
signs. With [a] the matrix of a x, A = Cn / h, P = A [D] - [n], and E the change of d per p:

    n :            A          P / 2               -P [d] / 2
    q / 2 :        P^T / 2    -[D] P / 4           [D] P [d] / 4
    m + d x q/2 :  [d] P^T/2  -[d][D]P/4 - [m]/2 + [q][d]/4     H + [d][D]P[d]/4 + [m][d]/2 - [q] E / 2
"""

from __future__ import annotations

from flexarm.methods.fem.spatial.element import (
    S_D,
    S_FORCE,
    S_GAMMA,
    S_M,
    S_N,
    S_PSI,
    S_Q,
    S_TILT,
    W_A,
    W_H,
    W_KDR,
    W_KRD,
    W_KRR,
    W_KRS,
    W_KSR,
    W_KSS,
    W_P,
    W_RM,
    W_T1,
    W_T2,
    W_T3,
)
from flexarm.methods.fem.spatial.layout import M_EA, M_GJ
from flexarm.numerics.jit import njit_part


@njit_part
def cross_left(w, out, x, y, z, a):
    """w[out] = [x, y, z] w[a]."""
    for c in range(3):
        p, q, r = w[a, c], w[a, 3 + c], w[a, 6 + c]
        w[out, c], w[out, 3 + c], w[out, 6 + c] = y * r - z * q, z * p - x * r, x * q - y * p


@njit_part
def cross_right(w, out, a, x, y, z):
    """w[out] = w[a] [x, y, z]."""
    for c in range(3):
        p, q, r = w[a, 3 * c], w[a, 3 * c + 1], w[a, 3 * c + 2]
        w[out, 3 * c], w[out, 3 * c + 1], w[out, 3 * c + 2] = q * z - r * y, r * x - p * z, p * y - q * x


@njit_part
def add_cross(w, out, x, y, z, factor):
    """w[out] += factor [x, y, z]."""
    w[out, 1] -= factor * z
    w[out, 2] += factor * y
    w[out, 3] += factor * z
    w[out, 5] -= factor * x
    w[out, 6] -= factor * y
    w[out, 7] += factor * x


@njit_part
def conjugate(w, out, a, scratch):
    """w[out] = Rm w[a] Rm^T."""
    for r in range(3):
        for c in range(3):
            w[scratch, 3 * r + c] = (
                w[W_RM, 3 * r] * w[a, c] + w[W_RM, 3 * r + 1] * w[a, 3 + c] + w[W_RM, 3 * r + 2] * w[a, 6 + c]
            )
    for r in range(3):
        p, q, t = w[scratch, 3 * r], w[scratch, 3 * r + 1], w[scratch, 3 * r + 2]
        for c in range(3):
            w[out, 3 * r + c] = p * w[W_RM, 3 * c] + q * w[W_RM, 3 * c + 1] + t * w[W_RM, 3 * c + 2]


@njit_part
def bending_block(e, mfig, h, factor, linear, w, s):
    """H = change of m per p apart from turning, in W_H; change of d per p apart from turning, in W_T3."""
    gamma, eta, d_gamma, d_eta = s[S_GAMMA], s[S_GAMMA + 1], s[S_GAMMA + 2], s[S_GAMMA + 3]
    t, d_t = s[S_GAMMA + 4], s[S_GAMMA + 5]
    for r in range(3):
        for c in range(3):
            w[W_T1, 3 * r + c] = eta * s[S_PSI + r] * s[S_PSI + c] + (gamma if r == c else 0.0)
    known = s[S_PSI] * s[S_FORCE + 3] + s[S_PSI + 1] * s[S_FORCE + 4] + s[S_PSI + 2] * s[S_FORCE + 5]
    for r in range(3):
        for c in range(3):
            total = w[W_T1, 3 * r + c] * factor * mfig[e, M_GJ + c] / h
            if not linear:
                total += 2.0 * d_gamma * s[S_FORCE + 3 + r] * s[S_PSI + c] + eta * s[S_PSI + r] * s[S_FORCE + 3 + c]
                total += 2.0 * d_eta * known * s[S_PSI + r] * s[S_PSI + c] + (eta * known if r == c else 0.0)
            w[W_T2, 3 * r + c] = total
    for r in range(3):
        for c in range(3):
            total, tilt = 0.0, 0.0
            for k in range(3):
                total += w[W_T2, 3 * r + k] * w[W_T1, 3 * k + c]
                own = 2.0 * d_t * s[S_PSI + r] * s[S_PSI + k] + (t if r == k else 0.0)
                tilt += own * w[W_T1, 3 * k + c]
            w[W_H, 3 * r + c], w[W_T3, 3 * r + c] = total, tilt
    conjugate(w, W_H, W_H, W_T2)
    conjugate(w, W_T3, W_T3, W_T2)


@njit_part
def element_tangent(e, mfig, h, factor, linear, w, s, K):
    """Write the tangent of elastic and damping forces to K (12, 12); `factor` is 1 + Kelvin-Voigt time * speed."""
    dx, dy, dz = s[S_D], s[S_D + 1], s[S_D + 2]
    tx, ty, tz = s[S_TILT], s[S_TILT + 1], s[S_TILT + 2]
    for r in range(3):
        for c in range(3):
            total = 0.0
            for k in range(3):
                total += mfig[e, M_EA + k] * w[W_RM, 3 * r + k] * w[W_RM, 3 * c + k]
            w[W_A, 3 * r + c] = total * factor / h
    cross_right(w, W_P, W_A, dx, dy, dz)
    add_cross(w, W_P, s[S_N], s[S_N + 1], s[S_N + 2], -1.0)
    bending_block(e, mfig, h, factor, linear, w, s)
    cross_left(w, W_KRR, s[S_Q], s[S_Q + 1], s[S_Q + 2], W_T3)
    for k in range(9):
        w[W_KRR, k] = w[W_H, k] - 0.5 * w[W_KRR, k]
    for r in range(3):
        for c in range(3):
            w[W_T1, 3 * r + c] = w[W_P, 3 * c + r]
    cross_left(w, W_KRD, tx, ty, tz, W_T1)  # [d] P^T
    cross_right(w, W_KDR, W_P, tx, ty, tz)  # P [d]
    cross_left(w, W_KSS, dx, dy, dz, W_P)  # [D] P
    cross_right(w, W_KSR, W_KSS, tx, ty, tz)  # [D] P [d]
    cross_left(w, W_KRS, tx, ty, tz, W_KSS)  # [d] [D] P
    cross_left(w, W_T2, tx, ty, tz, W_KSR)  # [d] [D] P [d]
    for k in range(9):
        w[W_T3, k] = 0.0
    add_cross(w, W_T3, tx, ty, tz, 1.0)
    cross_left(w, W_T1, s[S_M], s[S_M + 1], s[S_M + 2], W_T3)  # [m] [d]
    cross_left(w, W_H, s[S_Q], s[S_Q + 1], s[S_Q + 2], W_T3)  # [q] [d]
    for k in range(9):
        w[W_KRR, k] += 0.25 * w[W_T2, k] + 0.5 * w[W_T1, k]
        w[W_KRS, k] = -0.25 * w[W_KRS, k] + 0.25 * w[W_H, k]
    add_cross(w, W_KRS, s[S_M], s[S_M + 1], s[S_M + 2], -0.5)
    cross_left(w, W_T2, s[S_Q], s[S_Q + 1], s[S_Q + 2], W_T3)
    cross_right(w, W_T1, W_T2, tx, ty, tz)  # [q] [d] [d]
    for k in range(9):
        w[W_KRR, k] -= 0.25 * w[W_T1, k]
    place_blocks(w, K)


@njit_part
def place_blocks(w, K):
    """Put the nine blocks on the ends with their signs."""
    for r in range(3):
        for c in range(3):
            k = 3 * r + c
            a = w[W_A, k]
            K[r, c] = K[6 + r, 6 + c] = a
            K[r, 6 + c] = K[6 + r, c] = -a
            s, p = 0.5 * w[W_P, k], -0.5 * w[W_KDR, k]
            K[6 + r, 3 + c], K[6 + r, 9 + c] = s - p, s + p
            K[r, 3 + c], K[r, 9 + c] = p - s, -s - p
            s, p = 0.5 * w[W_P, 3 * c + r], 0.5 * w[W_KRD, k]
            K[3 + r, 6 + c], K[9 + r, 6 + c] = s - p, s + p
            K[3 + r, c], K[9 + r, c] = p - s, -s - p
            ss, sr, rs, rr = -0.25 * w[W_KSS, k], 0.25 * w[W_KSR, k], w[W_KRS, k], w[W_KRR, k]
            K[3 + r, 3 + c] = ss - sr - rs + rr
            K[3 + r, 9 + c] = ss + sr - rs - rr
            K[9 + r, 3 + c] = ss - sr + rs - rr
            K[9 + r, 9 + c] = ss + sr + rs + rr
