"""Inertia and weight of an element, for a group of elements (see `lanes`).

Displacements and body-fixed spins W_a = R_a^T w_a are interpolated linearly, so with m_ab and the diagonal J_ab of the
element

    force_a = m_ab acc_b,    moment_a = R_a (Pi_a' + W_a x Pi_a),    Pi_a = J_ab W_b,

whose power is exactly the change of the kinetic energy.
"""

from __future__ import annotations

from flexarm.methods.fem.spatial.lanes import (
    Q_A,
    Q_ENDS,
    Q_J11,
    Q_J12,
    Q_J22,
    Q_K,
    Q_KINETIC,
    Q_M11,
    Q_ONE,
    Q_R,
    Q_TURN,
    Q_TWO,
    Q_V,
    Q_W1,
    Q_WEIGHT,
    WIDE,
)
from flexarm.methods.fem.spatial.layout import P_GX
from flexarm.methods.fem.spatial.triples import (
    across,
    add_block,
    add_three,
    back,
    between,
    dot,
    mix,
    nine,
    three,
    times,
    vee,
)
from flexarm.numerics.jit import njit_inside


@njit_inside
def add_inertia(q, par):
    """Add inertia forces and weight to the forces on the ends; kinetic energy and potential."""
    g = (par[P_GX], par[P_GX + 1], par[P_GX + 2])
    for e in range(WIDE):
        m11, m12, m22 = three(q, Q_M11, e)
        w1, w2 = q[Q_W1 * WIDE + e], q[(Q_W1 + 1) * WIDE + e]
        v1, v2 = three(q, Q_ONE + Q_V, e), three(q, Q_TWO + Q_V, e)
        a1, a2 = three(q, Q_ONE + Q_A, e), three(q, Q_TWO + Q_A, e)
        add_three(q, Q_ENDS, e, mix(1.0, mix(m11, a1, m12, a2), -w1, g))
        add_three(q, Q_ENDS + 6, e, mix(1.0, mix(m12, a1, m22, a2), -w2, g))
        q[Q_KINETIC * WIDE + e] = 0.5 * m11 * dot(v1, v1) + m12 * dot(v1, v2) + 0.5 * m22 * dot(v2, v2)
        high = w1 * dot(g, three(q, Q_ONE + Q_R, e)) + w2 * dot(g, three(q, Q_TWO + Q_R, e))
        q[Q_WEIGHT * WIDE + e] = -high
    for e in range(WIDE):
        R1, R2 = nine(q, Q_ONE + Q_TURN, e), nine(q, Q_TWO + Q_TURN, e)
        x, y = back(R1, three(q, Q_ONE + Q_V + 3, e)), back(R2, three(q, Q_TWO + Q_V + 3, e))
        a, b = back(R1, three(q, Q_ONE + Q_A + 3, e)), back(R2, three(q, Q_TWO + Q_A + 3, e))
        own, both, other = three(q, Q_J11, e), three(q, Q_J12, e), three(q, Q_J22, e)
        p = (own[0] * x[0] + both[0] * y[0], own[1] * x[1] + both[1] * y[1], own[2] * x[2] + both[2] * y[2])
        s = (both[0] * x[0] + other[0] * y[0], both[1] * x[1] + other[1] * y[1], both[2] * x[2] + other[2] * y[2])
        q[Q_KINETIC * WIDE + e] += 0.5 * (dot(p, x) + dot(s, y))
        dp = (own[0] * a[0] + both[0] * b[0], own[1] * a[1] + both[1] * b[1], own[2] * a[2] + both[2] * b[2])
        ds = (both[0] * a[0] + other[0] * b[0], both[1] * a[1] + other[1] * b[1], both[2] * a[2] + other[2] * b[2])
        add_three(q, Q_ENDS + 3, e, times(R1, mix(1.0, dp, 1.0, vee(x, p))))
        add_three(q, Q_ENDS + 9, e, times(R2, mix(1.0, ds, 1.0, vee(y, s))))


@njit_inside
def add_mass(q, factor):
    """Add `factor` times the mass matrix to the matrix of all elements.

    Terms with the square of the spin are left out: in a tangent they are a share (w h)^2 of these, and none at rest.
    """
    for e in range(WIDE):
        m11, m12, m22 = three(q, Q_M11, e)
        for k in range(3):
            q[(Q_K + 13 * k) * WIDE + e] += factor * m11
            q[(Q_K + 13 * k + 6) * WIDE + e] += factor * m12
            q[(Q_K + 13 * k + 72) * WIDE + e] += factor * m12
            q[(Q_K + 13 * k + 78) * WIDE + e] += factor * m22
        R1, R2 = nine(q, Q_ONE + Q_TURN, e), nine(q, Q_TWO + Q_TURN, e)
        add_block(q, Q_K + 39, e, factor, between(R1, three(q, Q_J11, e), R1))
        add_block(q, Q_K + 117, e, factor, between(R2, three(q, Q_J22, e), R2))
        mixed = between(R1, three(q, Q_J12, e), R2)
        add_block(q, Q_K + 45, e, factor, mixed)
        add_block(q, Q_K + 111, e, factor, across(mixed))
