"""Inertia and weight of an element, for a group of elements (see `simd`).

Displacements and body-fixed spins W_a = R_a^T w_a are interpolated linearly, so with m_ab and the diagonal J_ab of the
element

    force_a = m_ab acc_b,    moment_a = R_a (Pi_a' + W_a x Pi_a),    Pi_a = J_ab W_b,

whose power is exactly the change of the kinetic energy.

Equations: S6.
"""

from __future__ import annotations

from flexarm.methods.fem.spatial import simd, vec3
from flexarm.numerics.jit import njit_apart, njit_inside


@njit_inside
def add_inertia(q, gravity):
    """Add inertia forces and weight to the forces on the ends; kinetic energy and potential."""
    g = (gravity[0], gravity[1], gravity[2])
    for e in range(simd.WIDE):
        m11, m12, m22 = vec3.three(q, simd.M11, e)
        w1, w2 = q[simd.W1 * simd.WIDE + e], q[(simd.W1 + 1) * simd.WIDE + e]
        v1, v2 = vec3.three(q, simd.ONE + simd.V, e), vec3.three(q, simd.TWO + simd.V, e)
        a1, a2 = vec3.three(q, simd.ONE + simd.A, e), vec3.three(q, simd.TWO + simd.A, e)
        vec3.add_three(q, simd.ENDS, e, vec3.mix(1.0, vec3.mix(m11, a1, m12, a2), -w1, g))
        vec3.add_three(q, simd.ENDS + 6, e, vec3.mix(1.0, vec3.mix(m12, a1, m22, a2), -w2, g))
        q[simd.KINETIC * simd.WIDE + e] = (
            0.5 * m11 * vec3.dot(v1, v1) + m12 * vec3.dot(v1, v2) + 0.5 * m22 * vec3.dot(v2, v2)
        )
        high = w1 * vec3.dot(g, vec3.three(q, simd.ONE + simd.R, e)) + w2 * vec3.dot(
            g, vec3.three(q, simd.TWO + simd.R, e)
        )
        q[simd.WEIGHT * simd.WIDE + e] = -high
    for e in range(simd.WIDE):
        R1, R2 = vec3.nine(q, simd.ONE + simd.TURN, e), vec3.nine(q, simd.TWO + simd.TURN, e)
        x, y = (
            vec3.into(R1, vec3.three(q, simd.ONE + simd.V + 3, e)),
            vec3.into(R2, vec3.three(q, simd.TWO + simd.V + 3, e)),
        )
        a, b = (
            vec3.into(R1, vec3.three(q, simd.ONE + simd.A + 3, e)),
            vec3.into(R2, vec3.three(q, simd.TWO + simd.A + 3, e)),
        )
        own, both, other = vec3.three(q, simd.J11, e), vec3.three(q, simd.J12, e), vec3.three(q, simd.J22, e)
        p = (own[0] * x[0] + both[0] * y[0], own[1] * x[1] + both[1] * y[1], own[2] * x[2] + both[2] * y[2])
        s = (both[0] * x[0] + other[0] * y[0], both[1] * x[1] + other[1] * y[1], both[2] * x[2] + other[2] * y[2])
        q[simd.KINETIC * simd.WIDE + e] += 0.5 * (vec3.dot(p, x) + vec3.dot(s, y))
        dp = (own[0] * a[0] + both[0] * b[0], own[1] * a[1] + both[1] * b[1], own[2] * a[2] + both[2] * b[2])
        ds = (both[0] * a[0] + other[0] * b[0], both[1] * a[1] + other[1] * b[1], both[2] * a[2] + other[2] * b[2])
        vec3.add_three(q, simd.ENDS + 3, e, vec3.times(R1, vec3.mix(1.0, dp, 1.0, vec3.cross(x, p))))
        vec3.add_three(q, simd.ENDS + 9, e, vec3.times(R2, vec3.mix(1.0, ds, 1.0, vec3.cross(y, s))))


@njit_apart
def add_mass(q, factor):
    """Add `factor` times the mass matrix to the matrix of all elements.

    Terms with the square of the spin are left out: in a tangent they are a share (w h)^2 of these, and none at rest.
    """
    for e in range(simd.WIDE):
        m11, m12, m22 = vec3.three(q, simd.M11, e)
        for k in range(3):
            q[(simd.K + 13 * k) * simd.WIDE + e] += factor * m11
            q[(simd.K + 13 * k + 6) * simd.WIDE + e] += factor * m12
            q[(simd.K + 13 * k + 72) * simd.WIDE + e] += factor * m12
            q[(simd.K + 13 * k + 78) * simd.WIDE + e] += factor * m22
        R1, R2 = vec3.nine(q, simd.ONE + simd.TURN, e), vec3.nine(q, simd.TWO + simd.TURN, e)
        vec3.add_block(q, simd.K + 39, e, factor, vec3.between(R1, vec3.three(q, simd.J11, e), R1))
        vec3.add_block(q, simd.K + 117, e, factor, vec3.between(R2, vec3.three(q, simd.J22, e), R2))
        mixed = vec3.between(R1, vec3.three(q, simd.J12, e), R2)
        vec3.add_block(q, simd.K + 45, e, factor, mixed)
        vec3.add_block(q, simd.K + 111, e, factor, vec3.transpose(mixed))
