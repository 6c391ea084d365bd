"""The tangent of the elements of a group: 12 x 12 in the displacements and spins of their two ends.

In the variables D = r2 - r1, s = th_1 + th_2, p = th_2 - th_1 the nine blocks are short; they are then put together with
signs. With [a] the matrix of a x, A = Cn / h, P = A [D] - [n], and E the change of d per p:

    n :            A          P / 2               -P [d] / 2
    q / 2 :        P^T / 2    -[D] P / 4           [D] P [d] / 4
    m + d x q/2 :  [d] P^T/2  -[d][D]P/4 - [m]/2 + [q][d]/4     H + [d][D]P[d]/4 + [m][d]/2 - [q] E / 2

H is the change of m per p apart from turning. With psi in space and B = Rm Cm Rm^T / h it is made of B and products of
two vectors, because G psi = psi.

Equations: S5.
"""

from __future__ import annotations

from flexarm.methods.fem.spatial import simd, vec3
from flexarm.numerics.jit import njit_apart, njit_inside


@njit_inside
def force_blocks(q, speed):
    """Blocks of the forces n: A, P and P [d], on the ends."""
    for e in range(simd.WIDE):
        scale = (1.0 + q[simd.KELVIN * simd.WIDE + e] * speed) * q[simd.INVERSE * simd.WIDE + e]
        R, D = vec3.nine(q, simd.RM, e), vec3.three(q, simd.D, e)
        x, y, z = vec3.three(q, simd.EA, e)
        A = vec3.between(R, (scale * x, scale * y, scale * z), R)
        P = vec3.mixed(1.0, vec3.right(A, D), 1.0, vec3.skew(-1.0, vec3.three(q, simd.N, e)))
        over = vec3.right(P, vec3.three(q, simd.TILT, e))
        vec3.put_block(q, simd.K, e, A)
        vec3.put_block(q, simd.K + 78, e, A)
        A = vec3.mixed(-1.0, A, 0.0, A)
        vec3.put_block(q, simd.K + 6, e, A)
        vec3.put_block(q, simd.K + 72, e, A)
        plus, minus = vec3.mixed(0.5, P, -0.5, over), vec3.mixed(0.5, P, 0.5, over)
        vec3.put_block(q, simd.K + 81, e, plus)
        vec3.put_block(q, simd.K + 75, e, minus)
        vec3.put_block(q, simd.K + 114, e, vec3.transpose(plus))
        vec3.put_block(q, simd.K + 42, e, vec3.transpose(minus))
        plus, minus = vec3.mixed(-0.5, P, 0.5, over), vec3.mixed(-0.5, P, -0.5, over)
        vec3.put_block(q, simd.K + 9, e, plus)
        vec3.put_block(q, simd.K + 3, e, minus)
        vec3.put_block(q, simd.K + 108, e, vec3.transpose(plus))
        vec3.put_block(q, simd.K + 36, e, vec3.transpose(minus))


@njit_inside
def bending_block(q, e, speed):
    """H of one lane."""
    scale = (1.0 + q[simd.KELVIN * simd.WIDE + e] * speed) * q[simd.INVERSE * simd.WIDE + e]
    R, psi, space = vec3.nine(q, simd.RM, e), vec3.three(q, simd.PSI, e), vec3.three(q, simd.SPACE, e)
    x, y, z = vec3.three(q, simd.GJ, e)
    gamma, eta, _ = vec3.three(q, simd.GAMMA, e)
    d_gamma, d_eta, _ = vec3.three(q, simd.GAMMA + 3, e)
    B = vec3.between(R, (scale * x, scale * y, scale * z), R)
    M = vec3.three(q, simd.FORCE + 3, e)
    known, M, s, bent = vec3.dot(psi, M), vec3.times(R, M), vec3.dot(psi, psi), vec3.times(B, space)
    H = vec3.mixed(gamma * gamma, B, gamma, vec3.outer(space, vec3.mix(eta, bent, eta, M), eta * known))
    along = eta * vec3.dot(bent, space) + 2.0 * (eta + d_eta * s) * known
    column = vec3.mix(gamma * eta, bent, 2.0 * d_gamma * (gamma + eta * s), M)
    column = vec3.mix(1.0, column, eta * along + 2.0 * gamma * d_eta * known, space)
    return vec3.mixed(1.0, H, 1.0, vec3.outer(column, space, 0.0))


@njit_inside
def moment_blocks(q, speed):
    """Blocks of moments over spins, on the ends."""
    for e in range(simd.WIDE):
        D, d, n, m, lever = (
            vec3.three(q, simd.D, e),
            vec3.three(q, simd.TILT, e),
            vec3.three(q, simd.N, e),
            vec3.three(q, simd.M, e),
            vec3.three(q, simd.Q, e),
        )
        scale = (1.0 + q[simd.KELVIN * simd.WIDE + e] * speed) * q[simd.INVERSE * simd.WIDE + e]
        R, space = vec3.nine(q, simd.RM, e), vec3.three(q, simd.SPACE, e)
        x, y, z = vec3.three(q, simd.EA, e)
        P = vec3.mixed(
            1.0, vec3.right(vec3.between(R, (scale * x, scale * y, scale * z), R), D), 1.0, vec3.skew(-1.0, n)
        )
        ss = vec3.left(D, P)
        sp = vec3.right(ss, d)
        crossed = vec3.outer(d, lever, -vec3.dot(lever, d))  # [q] [d]
        ps = vec3.mixed(1.0, vec3.mixed(-0.25, vec3.left(d, ss), 0.25, crossed), 1.0, vec3.skew(-0.5, m))
        pp = vec3.mixed(1.0, bending_block(q, e, speed), 0.25, vec3.left(d, sp))
        pp = vec3.mixed(1.0, pp, 0.5, vec3.outer(d, m, -vec3.dot(m, d)))
        pp = vec3.mixed(1.0, pp, -0.25, vec3.right(crossed, d))
        gamma, eta, t = vec3.three(q, simd.GAMMA, e)
        d_t = q[(simd.GAMMA + 5) * simd.WIDE + e]
        pp = vec3.mixed(
            1.0,
            pp,
            -0.5,
            vec3.mixed(
                1.0, vec3.skew(t * gamma, lever), 2.0 * d_t + t * eta, vec3.outer(vec3.cross(lever, space), space, 0.0)
            ),
        )
        one, two = vec3.mixed(-0.25, ss, -0.25, sp), vec3.mixed(-0.25, ss, 0.25, sp)
        here, there = vec3.mixed(1.0, ps, -1.0, pp), vec3.mixed(1.0, ps, 1.0, pp)
        vec3.put_block(q, simd.K + 39, e, vec3.mixed(1.0, one, -1.0, here))
        vec3.put_block(q, simd.K + 45, e, vec3.mixed(1.0, two, -1.0, there))
        vec3.put_block(q, simd.K + 111, e, vec3.mixed(1.0, one, 1.0, here))
        vec3.put_block(q, simd.K + 117, e, vec3.mixed(1.0, two, 1.0, there))


@njit_apart
def element_tangents(q, speed):
    """Write the tangent of elastic and damping forces; `speed` is the change of a rate with its displacement."""
    force_blocks(q, speed)
    moment_blocks(q, speed)
