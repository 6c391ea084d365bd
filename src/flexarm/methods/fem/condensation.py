"""Static condensation of unknowns that follow others (`far_nodes`): their equations go to those of what they follow.

The forces on a far node move to its root, with their moment L t . f on its angle; rows and columns of the tangent follow,
together with what w^2 e and the turning of t add. The mass of a rigid link itself is constant in r1 and r2.

Copies of angles follow in the same way: what the joint pushes goes to the section that carries it.

Equations: E19.
"""

from __future__ import annotations

from numba import types

from flexarm.methods.fem import layout as at
from flexarm.methods.fem.element import at_point, spread, strains
from flexarm.methods.fem.far_nodes import end_of, place_far_nodes, unknowns_of
from flexarm.methods.fem.offset_point import turning_terms
from flexarm.methods.fem.payload import centre
from flexarm.numerics.copies import copy
from flexarm.numerics.jit import njit_inside, njit_part
from flexarm.numerics.on_demand import njit_on_demand

PLACE, EQUATIONS, MASSES, RESIDUAL, FORCES = range(5)
"""Tasks of `follow`."""


@njit_inside
def condense_copies(part, f, torques):
    """Move torques on the copies to the sections that they copy, and to the joint of a link that is held by them."""
    for n in range(part.copies.shape[0]):
        k, p = part.copies[n, at.COPY_UNKNOWN], part.copies[n, at.COPY_SIDE]
        i = part.side[p, at.SIDE_LINK]
        for m in range(part.side[p, at.SIDE_COUNT]):
            t, share = part.side[p, at.SIDE_NODES + 2 * m + 1], part.side_data[p, at.SIDE_WEIGHT + m] * f[k]
            if t >= 0:
                f[t] += share
            if t == part.joint[i, at.J_BASE]:
                torques[i] += share
        f[k] = 0.0


@njit_part
def condense_forces(part, now, f, torques):
    """Move the forces on far nodes to the roots; `torques` takes the moment that turns each rigid link."""
    condense_copies(part, f, torques)
    for back in range(part.far_nodes.shape[0]):
        n = part.far_nodes.shape[0] - 1 - back
        root, b, far = unknowns_of(part, n)
        i, t = part.far_nodes[n, at.FAR_LINK], end_of(part, now, n).t
        moment = t[0] * f[far] + t[1] * f[far + 1] + f[far + 2]
        if b == part.joint[i, at.J_BASE]:
            torques[i] += moment
        if b >= 0:
            f[b] += moment
        if root >= 0:
            f[root] += f[far]
            f[root + 1] += f[far + 1]
        f[far], f[far + 1], f[far + 2] = 0.0, 0.0, 0.0


@njit_part
def condense_matrix(part, now, residual, band):
    """Move rows and columns of far nodes to the roots; `residual` is that before its forces are condensed."""
    size, half = band.shape[0], band.shape[1] // 2
    for back in range(part.far_nodes.shape[0]):
        n = part.far_nodes.shape[0] - 1 - back
        root, b, far = unknowns_of(part, n)
        end = end_of(part, now, n)
        factor = (end.t[0], end.t[1], 1.0)
        for k in range(far, far + 3):
            for c in range(max(0, k - half), min(size, k + half + 1)):
                value = band[k, c - k + half]
                if value != 0.0:
                    if root >= 0 and k < far + 2:
                        band[root + k - far, c - root - k + far + half] += value
                    if b >= 0:
                        band[b, c - b + half] += factor[k - far] * value
        for k in range(far, far + 3):
            for r in range(max(0, k - half), min(size, k + half + 1)):
                value = band[r, k - r + half]
                if value != 0.0:
                    if root >= 0 and k < far + 2:
                        band[r, root + k - far - r + half] += value
                    if b >= 0:
                        band[r, b - r + half] += factor[k - far] * value
        if b >= 0:  # the arm of the moment turns; forces of links beyond are already on this node
            band[b, half] += end.b[0] * residual[far] + end.b[1] * residual[far + 1]
        if root >= 0:
            residual[root] += residual[far]
            residual[root + 1] += residual[far + 1]
        for k in range(far, far + 3):
            for c in range(max(0, k - half), min(size, k + half + 1)):
                band[k, c - k + half] = 0.0
                band[c, k - c + half] = 0.0
            band[k, half] = 1.0
    for n in range(part.copies.shape[0]):
        band[part.copies[n, at.COPY_UNKNOWN], half] = 1.0


@njit_part
def condense_rows(part, now, g, d, speed):
    """Move the entries of copies and far nodes in a row g of the Jacobian G of constraints, and in that of D, to what they
    follow."""
    for n in range(part.copies.shape[0]):
        k, p = part.copies[n, at.COPY_UNKNOWN], part.copies[n, at.COPY_SIDE]
        for m in range(part.side[p, at.SIDE_COUNT]):
            t, weight = part.side[p, at.SIDE_NODES + 2 * m + 1], part.side_data[p, at.SIDE_WEIGHT + m]
            if t >= 0:
                g[t] += weight * g[k]
                d[t] += weight * d[k]
        g[k], d[k] = 0.0, 0.0
    for back in range(part.far_nodes.shape[0]):
        n = part.far_nodes.shape[0] - 1 - back
        root, b, far = unknowns_of(part, n)
        end = end_of(part, now, n)
        t, (swing, _) = end.t, turning_terms(end, speed)
        if b >= 0:
            g[b] += t[0] * g[far] + t[1] * g[far + 1] + g[far + 2]
            d[b] += t[0] * d[far] + t[1] * d[far + 1] + d[far + 2] + swing[0] * g[far] + swing[1] * g[far + 1]
        for axis in range(2 if root >= 0 else 0):
            g[root + axis] += g[far + axis]
            d[root + axis] += d[far + axis]
        for k in range(far, far + 3):
            g[k], d[k] = 0.0, 0.0


@njit_part
def condense(part, now, work, speed, renew):
    """Take the equations of unknowns that follow others into those of what they follow."""
    if renew:
        if part.theory != at.QUASI_STATIC:
            add_turning_terms(part, now, work, speed)
        copy(work.residual, work.copy)
        condense_matrix(part, now, work.copy, work.band)
    condense_forces(part, now, work.residual, work.unread)


@njit_inside
def add_turning_terms(part, now, work, speed):
    """Derivatives of what turning adds to velocity and acceleration of far nodes, by the angle that turns."""
    count, band, half = part.far_nodes.shape[0], work.band, work.band.shape[1] // 2
    for n in range(count):
        b = part.far_nodes[n, at.FAR_BASE]
        if b < 0:
            continue
        v, a = turning_terms(end_of(part, now, n), speed)
        for s in range(n, count):  # and all far nodes that hang on it
            if not hangs_on(part, n, s):
                continue
            far = part.far_nodes[s, at.FAR_NODE]
            for axis in range(2):
                k = far + axis
                for r in range(max(0, k - half), min(band.shape[0], k + half + 1)):
                    if part.mass[r, k - r + half] != 0.0:
                        band[r, b - r + half] += part.mass[r, k - r + half] * a[axis]
            if part.carries and part.payload[0] == far:
                m, t = part.payload_mass, centre(part, now).t
                band[far, b - far + half] += m * a[0]
                band[far + 1, b - far - 1 + half] += m * a[1]
                band[far + 2, b - far - 2 + half] += m * (t[0] * a[0] + t[1] * a[1])
            if part.far_nodes[s, at.FAR_NEXT] >= 0:
                add_damping_column(part, now, work, part.far_nodes[s, at.FAR_NEXT], b, v)


@njit_inside
def hangs_on(part, n, s):
    """True if the root of far node s hangs on far node n, directly or through others."""
    while s > n:
        root, found = part.far_nodes[s, at.FAR_ROOT], n
        for k in range(n, s):
            if part.far_nodes[k, at.FAR_NODE] == root:
                found = k + 1
        if found == n:
            return False
        s = found - 1
    return s == n


@njit_inside
def add_damping_column(part, now, work, e, column, v):
    """Damping forces of element e per velocity v of its first node, into a column of the tangent."""
    here, force, band, half = work.point, work.force, work.band, work.band.shape[1] // 2
    shape, connection, i, theory = part.shape, part.connection, part.owner[e], part.theory
    base = part.joint[i, at.J_BASE]
    for g in range(shape.shape[0]):
        own = part.properties[e, g]
        w, jacobian, eta = own[at.MEASURE], own[at.JACOBIAN], own[at.ETA]
        at_point(part, now, e, g, here)
        c, s, _turn, stretch, across, _shear, _d1, _d2 = strains(
            theory, now.frame[at.ANGLE, i], now.frame[at.RATE, i], here
        )
        slope = shape[g, 1, 0] * jacobian
        n1 = own[at.EA] * eta * slope * (c * v[0] + s * v[1])
        n2 = own[at.GA] * eta * slope * (c * v[1] - s * v[0])
        spread(theory, c, s, stretch, across, n1, n2, 0.0, force)
        for a in range(3 * shape.shape[2]):
            k, m, r = connection[e, a], a // 3, a % 3
            if k >= 0:
                weight = w * shape[g, 0, m] if r == 2 else w * shape[g, 1, m] * jacobian
                band[k, column - k + half] += weight * force[r]
        if theory == at.LINK and base >= 0:
            band[base, column - base + half] += w * force[4]


@njit_inside
def has_followers(part):
    """Whether any unknowns follow others."""
    return part.far_nodes.shape[0] + part.copies.shape[0] > 0


@njit_on_demand(types.none)
def follow(part, now, work, task, speed, renew):
    """What unknowns that follow others ask of a step, compiled for arms that have some.

    task : PLACE, where they are; EQUATIONS, residual and (if `renew`) tangent without them; MASSES, the mass matrix in `band`;
        RESIDUAL, the residual alone; FORCES, those at a step point, with the torques of the joints
    """
    if task == PLACE:
        place_far_nodes(part, now)
    elif task == EQUATIONS:
        condense(part, now, work, speed, renew)
    elif task == MASSES:
        condense_matrix(part, now, work.copy, work.band)
    elif task == RESIDUAL:
        condense_forces(part, now, work.residual, work.unread)
    else:
        condense_forces(part, now, now.fc, now.tc)
        condense_forces(part, now, now.fd, now.td)
