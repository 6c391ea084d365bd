"""Rigid links among the beams: their far node follows their root, and its equations are folded into the root's.

The far node of a rigid link (or of a mass that a section carries at an offset) has unknowns of its own in the numbering, so
elements, motors and payload meet it like any other node. They are no freedoms, though: with e the direction of the link and t its quarter turn,

    r2 = r1 + L e,   v2 = v1 + L w t,   a2 = a1 + L (w' t - w^2 e),   chi2 = chi_base.

The forces on the far node move to the root, with their moment L t . f on its angle; rows and columns of the tangent follow,
together with what w^2 e and the turning of t add. The mass of the link itself is constant in r1 and r2.

Copies of angles (see `ties`) follow in the same way: what a tied link's joint pushes goes to the section that carries it.
"""

from __future__ import annotations

from flexarm.methods.fem.carried import carried, excess
from flexarm.methods.fem.element import LINK, at_point, spread, strains
from flexarm.methods.fem.layout import ANGLE, I_CARRIES, I_THEORY, J_BASE, P_MASS, RATE, S_FORCE, S_HERE
from flexarm.methods.fem.payload import centre
from flexarm.methods.fem.ties import C_SIDE, C_UNKNOWN, F_WEIGHT, T_COUNT, T_LINK, T_NODES
from flexarm.numerics.jit import njit, njit_inside, njit_part

R_LINK, R_ROOT, R_BASE, R_FAR, R_NEXT = range(5)
"""Columns of `slaves`: link, x of its root, angle of its base, x of its far node (-1: none), first element beyond it."""


@njit_inside
def end_of(part, now, n):
    """`carried` for the far node of rigid link number n."""
    i, b = part.slaves[n, R_LINK], part.slaves[n, R_BASE]
    chi, rate, turning = 0.0, 0.0, 0.0
    if b >= 0:
        chi, rate, turning = now.q[b], now.v[b], now.a[b]
    return carried(part, now, i, chi, rate, turning, part.ends[n, 0], part.ends[n, 1])


@njit
def place_far_nodes(part, now):
    """Positions, velocities and accelerations of the far nodes from those of their roots."""
    q, v, a = now.q, now.v, now.a
    for n in range(part.slaves.shape[0]):
        root, b, far = part.slaves[n, R_ROOT], part.slaves[n, R_BASE], part.slaves[n, R_FAR]
        at = end_of(part, now, n)
        for axis in range(2):
            q[far + axis] = at[axis] + (q[root + axis] if root >= 0 else 0.0)
            v[far + axis] = at[4 + axis] + (v[root + axis] if root >= 0 else 0.0)
            a[far + axis] = at[6 + axis] + (a[root + axis] if root >= 0 else 0.0)
        q[far + 2] = q[b] if b >= 0 else 0.0
        v[far + 2] = v[b] if b >= 0 else 0.0
        a[far + 2] = a[b] if b >= 0 else 0.0
    for n in range(part.copies.shape[0]):
        k = part.copies[n, C_UNKNOWN]
        q[k], v[k], a[k] = copied(part, n, q), copied(part, n, v), copied(part, n, a)


@njit_inside
def copied(part, n, values):
    """What copy number n takes over from the section on which a tied link stands."""
    p, total = part.copies[n, C_SIDE], 0.0
    for m in range(part.side[p, T_COUNT]):
        t = part.side[p, T_NODES + 2 * m + 1]
        if t >= 0:
            total += part.side_figures[p, F_WEIGHT + m] * values[t]
    return total


@njit_inside
def fold_copies(part, f, torques):
    """Move torques on the copies to the sections that they copy, and to the joint of a link that is held by them."""
    for n in range(part.copies.shape[0]):
        k, p = part.copies[n, C_UNKNOWN], part.copies[n, C_SIDE]
        i = part.side[p, T_LINK]
        for m in range(part.side[p, T_COUNT]):
            t, share = part.side[p, T_NODES + 2 * m + 1], part.side_figures[p, F_WEIGHT + m] * f[k]
            if t >= 0:
                f[t] += share
            if t == part.joint[i, J_BASE]:
                torques[i] += share
        f[k] = 0.0


@njit_part
def fold_forces(part, now, f, torques):
    """Move the forces on far nodes to the roots; `torques` takes the moment that turns each rigid link."""
    fold_copies(part, f, torques)
    for back in range(part.slaves.shape[0]):
        n = part.slaves.shape[0] - 1 - back
        root, b, far = part.slaves[n, R_ROOT], part.slaves[n, R_BASE], part.slaves[n, R_FAR]
        at = end_of(part, now, n)
        moment = at[2] * f[far] + at[3] * f[far + 1] + f[far + 2]
        if b == part.joint[part.slaves[n, R_LINK], J_BASE]:
            torques[part.slaves[n, R_LINK]] += moment
        if b >= 0:
            f[b] += moment
        if root >= 0:
            f[root] += f[far]
            f[root + 1] += f[far + 1]
        f[far], f[far + 1], f[far + 2] = 0.0, 0.0, 0.0


@njit_part
def fold_matrix(part, now, residual, band):
    """Move rows and columns of far nodes to the roots; `residual` is that before its forces are folded."""
    size, half = band.shape[0], band.shape[1] // 2
    for back in range(part.slaves.shape[0]):
        n = part.slaves.shape[0] - 1 - back
        root, b, far = part.slaves[n, R_ROOT], part.slaves[n, R_BASE], part.slaves[n, R_FAR]
        at = end_of(part, now, n)
        factor = (at[2], at[3], 1.0)
        for axis in range(3):
            k = far + axis
            for c in range(max(0, k - half), min(size, k + half + 1)):
                value = band[k, c - k + half]
                if value != 0.0:
                    if root >= 0 and axis < 2:
                        band[root + axis, c - root - axis + half] += value
                    if b >= 0:
                        band[b, c - b + half] += factor[axis] * value
        for axis in range(3):
            k = far + axis
            for r in range(max(0, k - half), min(size, k + half + 1)):
                value = band[r, k - r + half]
                if value != 0.0:
                    if root >= 0 and axis < 2:
                        band[r, root + axis - r + half] += value
                    if b >= 0:
                        band[r, b - r + half] += factor[axis] * value
        if b >= 0:  # the arm of the moment turns; forces of links beyond are already on this node
            band[b, half] += at[10] * residual[far] + at[11] * residual[far + 1]
        if root >= 0:
            residual[root] += residual[far]
            residual[root + 1] += residual[far + 1]
        for axis in range(3):
            k = far + axis
            for c in range(max(0, k - half), min(size, k + half + 1)):
                band[k, c - k + half] = 0.0
                band[c, k - c + half] = 0.0
            band[k, half] = 1.0
    for n in range(part.copies.shape[0]):
        band[part.copies[n, C_UNKNOWN], half] = 1.0


@njit_inside
def add_swing(part, now, scratch, speed, band):
    """Derivatives of what turning adds to velocity and acceleration of far nodes, by the angle that turns."""
    count, half = part.slaves.shape[0], band.shape[1] // 2
    for n in range(count):
        b, at = part.slaves[n, R_BASE], end_of(part, now, n)
        if b < 0:
            continue
        vx, vy, ax, ay = excess(at[2], at[3], at[8], at[9], speed)
        for s in range(n, count):  # and all far nodes that ride on it
            if not rides(part, n, s):
                continue
            far = part.slaves[s, R_FAR]
            for axis in range(2):
                k, value = far + axis, ax if axis == 0 else ay
                for r in range(max(0, k - half), min(band.shape[0], k + half + 1)):
                    if part.mass[r, k - r + half] != 0.0:
                        band[r, b - r + half] += part.mass[r, k - r + half] * value
            if part.ip[I_CARRIES] and part.payload[0] == far:
                m, tip = part.par[P_MASS], centre(part, now)
                band[far, b - far + half] += m * ax
                band[far + 1, b - far - 1 + half] += m * ay
                band[far + 2, b - far - 2 + half] += m * (tip[2] * ax + tip[3] * ay)
            if part.slaves[s, R_NEXT] >= 0:
                add_drag(part, now, scratch, part.slaves[s, R_NEXT], b, vx, vy, band)


@njit_inside
def rides(part, n, s):
    """True if the root of far node s hangs on far node n, directly or through others."""
    while s > n:
        root, found = part.slaves[s, R_ROOT], n
        for k in range(n, s):
            if part.slaves[k, R_FAR] == root:
                found = k + 1
        if found == n:
            return False
        s = found - 1
    return s == n


@njit_inside
def add_drag(part, now, scratch, e, column, vx, vy, band):
    """Damping forces of an element per velocity (vx, vy) of its first node, into a column of the tangent."""
    from_here, force = scratch.small[S_HERE], scratch.small[S_FORCE]
    shape, figures, connection, half = part.shape, part.figures, part.connection, band.shape[1] // 2
    i, theory = part.owner[e], part.ip[I_THEORY]
    base = part.joint[i, J_BASE]
    for g in range(shape.shape[0]):
        w, jacobian, eta = figures[e, g, 0], figures[e, g, 4], figures[e, g, 5]
        at_point(now.q, now.v, connection, e, shape.shape[2], shape, g, jacobian, base, from_here)
        c, s, _turn, stretch, across, _shear, _d1, _d2 = strains(
            theory, now.frame[ANGLE, i], now.frame[RATE, i], from_here
        )
        slope = shape[g, 1, 0] * jacobian
        n1 = figures[e, g, 1] * eta * slope * (c * vx + s * vy)
        n2 = figures[e, g, 2] * eta * slope * (c * vy - s * vx)
        spread(theory, c, s, stretch, across, n1, n2, 0.0, force)
        for a in range(shape.shape[2]):
            N, S = w * shape[g, 0, a], w * shape[g, 1, a] * jacobian
            ix, it = connection[e, 3 * a], connection[e, 3 * a + 2]
            if ix >= 0:
                band[ix, column - ix + half] += S * force[0]
                band[ix + 1, column - ix - 1 + half] += S * force[1]
            if it >= 0:
                band[it, column - it + half] += N * force[2]
        if theory == LINK and base >= 0:
            band[base, column - base + half] += w * force[4]
