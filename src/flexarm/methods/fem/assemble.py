"""Forces and tangent of the whole arm, element by element.

Legend: frame rows hold Theta, its rate and acceleration per link; fc conservative forces (elastic, springs, weight), fd
damping forces, tc and td their parts in the torque of each joint (row of the link's first section).
"""

from __future__ import annotations

from flexarm.methods.fem import two_node
from flexarm.methods.fem.element import LINK, QUASI_STATIC, at_point, point_forces, point_tangent, strains
from flexarm.methods.fem.joints import couple, share, wind
from flexarm.methods.fem.layout import (
    ACCELERATION,
    ANGLE,
    I_CARRIES,
    I_DAMPED,
    I_LINKS,
    I_THEORY,
    J_BASE,
    K_DAMPER,
    K_SPRING,
    RATE,
    S_FORCE,
    S_FREE,
    S_HERE,
    W_COPY,
    W_RESIDUAL,
    parts_of,
)
from flexarm.methods.fem.payload import payload_inertia, payload_mass, payload_tangent, payload_weight
from flexarm.methods.fem.rigid import add_swing, fold_forces, fold_matrix, place_far_nodes
from flexarm.methods.fem.tying import find_gaps, fold_rates, push_ties, tie_curvature, tie_rows
from flexarm.numerics.jit import YES, njit, njit_inline, njit_inside, njit_part

RESIDUAL, COPY = W_RESIDUAL, W_COPY


@njit_inside
def add_inertia(part, now, out):
    """Add the mass matrix times the accelerations, and the inertia of the commanded turning, to `out`."""
    size, a, frame = now.q.shape[0], now.a, now.frame
    for n in range(part.offsets.shape[0]):
        k = part.offsets[n]
        for r in range(max(0, -k), min(size, size - k)):
            out[r] += part.diagonals[n, r] * a[r + k]
    for r in range(part.turn_at.shape[0]):
        out[part.turn_at[r]] += part.turn_mass[r] * frame[ACCELERATION, part.turn_link[r]]


@njit_inside
def kinetic(part, now):
    """Kinetic energy without the payload's."""
    size, v, frame, energy = now.q.shape[0], now.v, now.frame, 0.0
    for n in range(part.offsets.shape[0]):
        k = part.offsets[n]
        if k >= 0:  # the matrix is symmetric
            total = 0.0
            for r in range(size - k):
                total += v[r] * part.diagonals[n, r] * v[r + k]
            energy += total if k > 0 else 0.5 * total
    for r in range(part.turn_at.shape[0]):
        energy += part.turn_mass[r] * frame[RATE, part.turn_link[r]] * v[part.turn_at[r]]
    for i in range(part.ip[I_LINKS]):
        energy += 0.5 * part.turn_total[i] * frame[RATE, i] ** 2
    return energy


@njit_inline
def element_forces(part, now, here, force):
    """Add forces of elements of any order, in any theory, to fc, fd, tc, td; returns their energy."""
    theory, shape, figures, connection = part.ip[I_THEORY], part.shape, part.figures, part.connection
    nodes, energy, last = shape.shape[2], 0.0, -1
    fc, fd, tc, td = now.fc, now.fd, now.tc, now.td
    for e in range(connection.shape[0]):
        i = part.owner[e]
        base, first = part.joint[i, J_BASE], i != last
        last = i
        for g in range(shape.shape[0]):
            w, jacobian = figures[e, g, 0], figures[e, g, 4]
            at_point(now.q, now.v, connection, e, nodes, shape, g, jacobian, base, here)
            energy += w * point_forces(
                theory, figures[e, g, 1], figures[e, g, 2], figures[e, g, 3], figures[e, g, 5], now.frame[ANGLE, i],
                now.frame[RATE, i], here, force,
            )  # fmt: skip
            for a in range(nodes):
                N, slope = w * shape[g, 0, a], w * shape[g, 1, a] * jacobian
                ix, iy, it = connection[e, 3 * a], connection[e, 3 * a + 1], connection[e, 3 * a + 2]
                if ix >= 0:
                    fc[ix] += slope * force[0]
                    fd[ix] += slope * force[5]
                if iy >= 0:
                    fc[iy] += slope * force[1]
                    fd[iy] += slope * force[6]
                elastic, damped = N * force[2] + slope * force[3], N * force[7] + slope * force[8]
                if it >= 0:
                    fc[it] += elastic
                    fd[it] += damped
                if first and a == 0:
                    tc[i] += elastic
                    td[i] += damped
            if theory == LINK:
                tc[i] += w * force[4]
                td[i] += w * force[9]
                if base >= 0:
                    fc[base] += w * force[4]
                    fd[base] += w * force[9]
    return energy


@njit_inside
def split_forces(part, now, scratch):
    """Conservative and damping forces apart (fc, fd, tc, td); returns the stored energy (elastic, springs, weight)."""
    q, v, fc, fd, joint, jfig = now.q, now.v, now.fc, now.fd, part.joint, part.jfig
    energy = 0.0
    for k in range(q.shape[0]):
        fc[k] = -part.weight[k]
        fd[k] = 0.0
        energy -= part.weight[k] * q[k]
    for i in range(part.ip[I_LINKS]):
        now.tc[i], now.td[i] = 0.0, 0.0
    if part.shape.shape[0] == 1 and part.ip[I_THEORY] != LINK:
        energy += two_node.add_forces(part, now)
    else:
        energy += element_forces(part, now, scratch.small[S_HERE], scratch.small[S_FORCE])
    for i in range(part.ip[I_LINKS]):
        if jfig[i, K_SPRING] > 0.0:
            wound, rate = wind(q, v, joint, i)
            energy += 0.5 * jfig[i, K_SPRING] * wound * wound
            share(joint, i, jfig[i, K_SPRING] * wound, fc)
            share(joint, i, jfig[i, K_DAMPER] * rate, fd)
    if part.ip[I_CARRIES]:
        energy += payload_weight(part, now, fc)
    return energy


@njit_inside
def damping_power(part, now, scratch):
    """Power that Kelvin-Voigt damping and joint dampers take out: eta (EA axial'^2 + GA shear'^2 + EI kappa'^2)."""
    power, shape, figures, here = 0.0, part.shape, part.figures, scratch.small[S_HERE]
    for e in range(part.connection.shape[0] if part.ip[I_DAMPED] else 0):
        i = part.owner[e]
        for g in range(shape.shape[0]):
            base, jacobian = part.joint[i, J_BASE], figures[e, g, 4]
            at_point(now.q, now.v, part.connection, e, shape.shape[2], shape, g, jacobian, base, here)
            rates = strains(part.ip[I_THEORY], now.frame[ANGLE, i], now.frame[RATE, i], here)
            lost = figures[e, g, 1] * rates[6] ** 2 + figures[e, g, 2] * rates[7] ** 2
            power += figures[e, g, 0] * figures[e, g, 5] * (lost + figures[e, g, 3] * here[3] ** 2)
    for i in range(part.ip[I_LINKS]):
        if part.jfig[i, K_SPRING] > 0.0 and part.jfig[i, K_DAMPER] > 0.0:
            power += part.jfig[i, K_DAMPER] * wind(now.q, now.v, part.joint, i)[1] ** 2
    return power


@njit_inline
def element_tangent(part, now, scratch, speed, renew, residual):
    """Add forces and, if `renew`, derivatives of elements of any order, in any theory."""
    theory, shape, figures, connection = part.ip[I_THEORY], part.shape, part.figures, part.connection
    here, force, D, band = scratch.small[S_HERE], scratch.small[S_FORCE], scratch.D, scratch.band
    nodes, b = shape.shape[2], band.shape[1] // 2
    for e in range(connection.shape[0]):
        i = part.owner[e]
        base = part.joint[i, J_BASE]
        for g in range(shape.shape[0]):
            w, jacobian = figures[e, g, 0], figures[e, g, 4]
            at_point(now.q, now.v, connection, e, nodes, shape, g, jacobian, base, here)
            point_tangent(
                theory, figures[e, g, 1], figures[e, g, 2], figures[e, g, 3], figures[e, g, 5], speed,
                now.frame[ANGLE, i], now.frame[RATE, i], here, force, D,
            )  # fmt: skip
            for m in range(nodes):
                N, slope = w * shape[g, 0, m], w * shape[g, 1, m] * jacobian
                ix, iy, it = connection[e, 3 * m], connection[e, 3 * m + 1], connection[e, 3 * m + 2]
                if ix >= 0:
                    residual[ix] += slope * force[0]
                if iy >= 0:
                    residual[iy] += slope * force[1]
                if it >= 0:
                    residual[it] += N * force[2] + slope * force[3]
                for n in range(nodes if renew else 0):
                    M, S = shape[g, 0, n], shape[g, 1, n] * jacobian
                    jx, jy, jt = connection[e, 3 * n], connection[e, 3 * n + 1], connection[e, 3 * n + 2]
                    if ix >= 0:
                        if jx >= 0:
                            band[ix, jx - ix + b] += slope * D[0, 0] * S
                        if jy >= 0:
                            band[ix, jy - ix + b] += slope * D[0, 1] * S
                        if jt >= 0:
                            band[ix, jt - ix + b] += slope * D[0, 2] * M
                    if iy >= 0:
                        if jx >= 0:
                            band[iy, jx - iy + b] += slope * D[1, 0] * S
                        if jy >= 0:
                            band[iy, jy - iy + b] += slope * D[1, 1] * S
                        if jt >= 0:
                            band[iy, jt - iy + b] += slope * D[1, 2] * M
                    if it >= 0:
                        if jx >= 0:
                            band[it, jx - it + b] += N * D[2, 0] * S
                        if jy >= 0:
                            band[it, jy - it + b] += N * D[2, 1] * S
                        if jt >= 0:
                            band[it, jt - it + b] += N * D[2, 2] * M + slope * D[3, 3] * S
                if renew and theory == LINK and base >= 0:
                    border(ix, iy, it, N, slope, base, D, band, b)
            if theory == LINK and base >= 0:
                residual[base] += w * force[4]
                if renew:
                    band[base, b] += w * D[4, 4]


@njit_inside
def equations(part, now, scratch, speed, push, renew):
    """Residual without motors and, if `renew`, its derivative by the positions.

    `speed` and `push` are d velocity and d acceleration per d position of the time scheme.
    """
    q, v, joint, jfig = now.q, now.v, part.joint, part.jfig
    residual, band, b = scratch.work[RESIDUAL], scratch.band, scratch.band.shape[1] // 2
    for r in range(q.shape[0]):
        residual[r] = -part.weight[r]
    if renew:
        for r in range(q.shape[0]):
            for c in range(band.shape[1]):
                band[r, c] = push * part.mass[r, c]
    add_inertia(part, now, residual)
    if part.shape.shape[0] == 1 and part.ip[I_THEORY] != LINK:
        two_node.add_residual(part, now, speed, renew, residual, band)
    else:
        element_tangent(part, now, scratch, speed, renew, residual)
    for i in range(part.ip[I_LINKS]):
        if jfig[i, K_SPRING] > 0.0:
            wound, rate = wind(q, v, joint, i)
            share(joint, i, jfig[i, K_SPRING] * wound + jfig[i, K_DAMPER] * rate, residual)
            if renew:
                couple(joint, i, jfig[i, K_SPRING] + jfig[i, K_DAMPER] * speed, band, b)
    if part.ip[I_CARRIES]:
        payload_inertia(part, now, residual)
        payload_weight(part, now, residual)
        if renew:
            payload_tangent(part, now, speed, push, band, b)


@njit_part
def fold(part, now, scratch, speed, renew):
    """Take the equations of far nodes of rigid links into those of the roots."""
    residual, torques = scratch.work[RESIDUAL], scratch.small[S_FREE]
    if renew:
        if part.ip[I_THEORY] != QUASI_STATIC:
            add_swing(part, now, scratch, speed, scratch.band)
        for k in range(residual.shape[0]):
            scratch.work[COPY, k] = residual[k]
        fold_matrix(part, now, scratch.work[COPY], scratch.band)
    fold_forces(part, now, residual, torques)


@njit
def evaluate(x, part, room, speed, push):
    """`equations` of a whole state: the residual lands in row RESIDUAL of the scratch `work`, the tangent in `band`."""
    now = parts_of(x, part.mass.shape[0], part.ip[I_LINKS])
    place_far_nodes(part, now)
    equations(part, now, room, speed, push, YES[0])
    if part.side.shape[0] > 0:
        push_ties(part, now, room.work[RESIDUAL], room.small[S_FREE])
        tie_curvature(part, now, room.band)
        find_gaps(part, now, room.small_border[room.pivots.shape[0] :])
        tie_rows(part, now, room.border, speed)
        for r in range(room.pivots.shape[0]):
            fold_rates(part, now, room.border[r], room.border[room.pivots.shape[0] + r], speed)
    fold(part, now, room, speed, YES[0])


@njit
def mass_at(x, part, band):
    """Mass matrix with the payload in the position of a state, into `band`."""
    now = parts_of(x, part.mass.shape[0], part.ip[I_LINKS])
    for r in range(band.shape[0]):
        for c in range(band.shape[1]):
            band[r, c] = part.mass[r, c]
    if part.ip[I_CARRIES]:
        payload_mass(part, now, band)


@njit_inside
def border(ix, iy, it, N, slope, base, D, band, b):
    """Coupling of a node with the angle of the link's first section, both ways; N and slope carry the weight."""
    if ix >= 0:
        band[ix, base - ix + b] += slope * D[0, 4]
        band[base, ix - base + b] += slope * D[4, 0]
    if iy >= 0:
        band[iy, base - iy + b] += slope * D[1, 4]
        band[base, iy - base + b] += slope * D[4, 1]
    if it >= 0:
        band[it, base - it + b] += N * D[2, 4]
        band[base, it - base + b] += N * D[4, 2]
