"""Unknowns that are no freedoms: far nodes of rigid links and of masses beside a beam, and copies of angles.

The far node of a rigid link (or of a mass that a section carries at an offset) has unknowns of its own in the numbering, so
that elements, motors and payload meet it like any other node. With e the direction of the link and t its quarter turn,

    r2 = r1 + L e,   v2 = v1 + L w t,   a2 = a1 + L (w' t - w^2 e),   chi2 = chi_base.

A joint on a section between nodes reads a copy of the section's angle (see `constraints`).

Equations: E18.
"""

from __future__ import annotations

from flexarm.methods.fem import layout as at
from flexarm.methods.fem.offset_point import offset_point
from flexarm.numerics.copies import copy
from flexarm.numerics.jit import njit, njit_inside, njit_part


@njit_inside
def value_of(values, k):
    """Entry k, or 0 where there is none (k < 0)."""
    return values[k] if k >= 0 else 0.0


@njit_inside
def unknowns_of(part, n):
    """Far node number n: x of its root, angle of its base, its own x; -1 on the ground."""
    return part.far_nodes[n, at.FAR_ROOT], part.far_nodes[n, at.FAR_BASE], part.far_nodes[n, at.FAR_NODE]


@njit_inside
def end_of(part, now, n):
    """`offset_point` for far node number n."""
    i, b = part.far_nodes[n, at.FAR_LINK], part.far_nodes[n, at.FAR_BASE]
    chi, rate, turning = value_of(now.q, b), value_of(now.v, b), value_of(now.a, b)
    return offset_point(part, now, i, chi, rate, turning, part.ends[n, 0], part.ends[n, 1])


@njit
def place_followers(x, part, work):
    """`place_far_nodes` of a state."""
    copy(x, work.now.x)
    place_far_nodes(part, work.now)
    copy(work.now.x, x)


@njit_part
def place_far_nodes(part, now):
    """Positions, velocities and accelerations of all unknowns that follow others."""
    q, v, a = now.q, now.v, now.a
    for n in range(part.far_nodes.shape[0]):
        root, b, far = unknowns_of(part, n)
        end = end_of(part, now, n)
        for axis in range(2):
            k = root + axis if root >= 0 else -1
            q[far + axis] = end.d[axis] + value_of(q, k)
            v[far + axis] = end.v[axis] + value_of(v, k)
            a[far + axis] = end.a[axis] + value_of(a, k)
        q[far + 2], v[far + 2], a[far + 2] = value_of(q, b), value_of(v, b), value_of(a, b)
    for n in range(part.copies.shape[0]):
        k = part.copies[n, at.COPY_UNKNOWN]
        q[k], v[k], a[k] = copied(part, n, q), copied(part, n, v), copied(part, n, a)


@njit_inside
def copied(part, n, values):
    """What copy number n takes over from the section on which a link stands."""
    p, total = part.copies[n, at.COPY_SIDE], 0.0
    for m in range(part.side[p, at.SIDE_COUNT]):
        t = part.side[p, at.SIDE_NODES + 2 * m + 1]
        total += part.side_data[p, at.SIDE_WEIGHT + m] * far_angle(part, t, values)
    return total


@njit_inside
def far_angle(part, k, values):
    """Value of an angle, which may be that of a far node and then follows its base; 0 on the ground."""
    for back in range(part.far_nodes.shape[0]):
        n = part.far_nodes.shape[0] - 1 - back
        if part.far_nodes[n, at.FAR_NODE] + 2 == k:
            k = part.far_nodes[n, at.FAR_BASE]
    return value_of(values, k)


@njit_inside
def followed(part, k, values):
    """Value of an angle that may follow others, where `values` holds those of the freedoms alone."""
    for n in range(part.copies.shape[0]):
        if part.copies[n, at.COPY_UNKNOWN] == k:
            return copied(part, n, values)
    return far_angle(part, k, values)
