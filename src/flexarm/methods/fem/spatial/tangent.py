"""The tangent of the elements of a group: 12 x 12 in the displacements and spins of their two ends.

In the variables D = r2 - r1, s = th_1 + th_2, p = th_2 - th_1 the nine blocks are short; they are then put together with
signs. With [a] the matrix of a x, A = Cn / h, P = A [D] - [n], and E the change of d per p:

    n :            A          P / 2               -P [d] / 2
    q / 2 :        P^T / 2    -[D] P / 4           [D] P [d] / 4
    m + d x q/2 :  [d] P^T/2  -[d][D]P/4 - [m]/2 + [q][d]/4     H + [d][D]P[d]/4 + [m][d]/2 - [q] E / 2

H is the change of m per p apart from turning. With psi in space and B = Rm Cm Rm^T / h it is made of B and products of
two vectors, because G psi = psi.
"""

from __future__ import annotations

from flexarm.methods.fem.spatial.lanes import (
    Q_D,
    Q_EA,
    Q_FORCE,
    Q_GAMMA,
    Q_GJ,
    Q_INVERSE,
    Q_K,
    Q_KELVIN,
    Q_M,
    Q_N,
    Q_PSI,
    Q_Q,
    Q_RM,
    Q_SPACE,
    Q_TILT,
    WIDE,
)
from flexarm.methods.fem.spatial.triples import (
    across,
    between,
    dot,
    left,
    mix,
    mixed,
    nine,
    outer,
    put_block,
    right,
    skew,
    three,
    times,
    vee,
)
from flexarm.numerics.jit import njit_inside


@njit_inside
def stretching(q, speed):
    """Blocks of the forces n: A, P and P [d], on the ends."""
    for e in range(WIDE):
        scale = (1.0 + q[Q_KELVIN * WIDE + e] * speed) * q[Q_INVERSE * WIDE + e]
        R, D = nine(q, Q_RM, e), three(q, Q_D, e)
        x, y, z = three(q, Q_EA, e)
        A = between(R, (scale * x, scale * y, scale * z), R)
        P = mixed(1.0, right(A, D), 1.0, skew(-1.0, three(q, Q_N, e)))
        over = right(P, three(q, Q_TILT, e))
        put_block(q, Q_K, e, A)
        put_block(q, Q_K + 78, e, A)
        A = mixed(-1.0, A, 0.0, A)
        put_block(q, Q_K + 6, e, A)
        put_block(q, Q_K + 72, e, A)
        plus, minus = mixed(0.5, P, -0.5, over), mixed(0.5, P, 0.5, over)
        put_block(q, Q_K + 81, e, plus)
        put_block(q, Q_K + 75, e, minus)
        put_block(q, Q_K + 114, e, across(plus))
        put_block(q, Q_K + 42, e, across(minus))
        plus, minus = mixed(-0.5, P, 0.5, over), mixed(-0.5, P, -0.5, over)
        put_block(q, Q_K + 9, e, plus)
        put_block(q, Q_K + 3, e, minus)
        put_block(q, Q_K + 108, e, across(plus))
        put_block(q, Q_K + 36, e, across(minus))


@njit_inside
def bending(q, e, speed):
    """H of one lane."""
    scale = (1.0 + q[Q_KELVIN * WIDE + e] * speed) * q[Q_INVERSE * WIDE + e]
    R, psi, space = nine(q, Q_RM, e), three(q, Q_PSI, e), three(q, Q_SPACE, e)
    x, y, z = three(q, Q_GJ, e)
    gamma, eta, _ = three(q, Q_GAMMA, e)
    d_gamma, d_eta, _ = three(q, Q_GAMMA + 3, e)
    B = between(R, (scale * x, scale * y, scale * z), R)
    M = three(q, Q_FORCE + 3, e)
    known, M, s, bent = dot(psi, M), times(R, M), dot(psi, psi), times(B, space)
    H = mixed(gamma * gamma, B, gamma, outer(space, mix(eta, bent, eta, M), eta * known))
    along = eta * dot(bent, space) + 2.0 * (eta + d_eta * s) * known
    column = mix(gamma * eta, bent, 2.0 * d_gamma * (gamma + eta * s), M)
    column = mix(1.0, column, eta * along + 2.0 * gamma * d_eta * known, space)
    return mixed(1.0, H, 1.0, outer(column, space, 0.0))


@njit_inside
def turning(q, speed):
    """Blocks of moments over spins, on the ends."""
    for e in range(WIDE):
        D, d, n, m, lever = three(q, Q_D, e), three(q, Q_TILT, e), three(q, Q_N, e), three(q, Q_M, e), three(q, Q_Q, e)
        scale = (1.0 + q[Q_KELVIN * WIDE + e] * speed) * q[Q_INVERSE * WIDE + e]
        R, space = nine(q, Q_RM, e), three(q, Q_SPACE, e)
        x, y, z = three(q, Q_EA, e)
        P = mixed(1.0, right(between(R, (scale * x, scale * y, scale * z), R), D), 1.0, skew(-1.0, n))
        ss = left(D, P)
        sp = right(ss, d)
        crossed = outer(d, lever, -dot(lever, d))  # [q] [d]
        ps = mixed(1.0, mixed(-0.25, left(d, ss), 0.25, crossed), 1.0, skew(-0.5, m))
        pp = mixed(1.0, bending(q, e, speed), 0.25, left(d, sp))
        pp = mixed(1.0, pp, 0.5, outer(d, m, -dot(m, d)))
        pp = mixed(1.0, pp, -0.25, right(crossed, d))
        gamma, eta, t = three(q, Q_GAMMA, e)
        d_t = q[(Q_GAMMA + 5) * WIDE + e]
        pp = mixed(
            1.0, pp, -0.5, mixed(1.0, skew(t * gamma, lever), 2.0 * d_t + t * eta, outer(vee(lever, space), space, 0.0))
        )
        one, two = mixed(-0.25, ss, -0.25, sp), mixed(-0.25, ss, 0.25, sp)
        here, there = mixed(1.0, ps, -1.0, pp), mixed(1.0, ps, 1.0, pp)
        put_block(q, Q_K + 39, e, mixed(1.0, one, -1.0, here))
        put_block(q, Q_K + 45, e, mixed(1.0, two, -1.0, there))
        put_block(q, Q_K + 111, e, mixed(1.0, one, 1.0, here))
        put_block(q, Q_K + 117, e, mixed(1.0, two, 1.0, there))


@njit_inside
def element_tangents(q, speed):
    """Write the tangent of elastic and damping forces; `speed` is the change of a rate with its displacement."""
    stretching(q, speed)
    turning(q, speed)
