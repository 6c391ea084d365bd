"""Elements of any order, in any theory: their forces, tangent and damping, point by point (see `element`).

Equations: E5, E6.
"""

from __future__ import annotations

from numba import types

from flexarm.methods.fem import layout as at
from flexarm.methods.fem.element import at_point, point_forces, point_tangent, strains
from flexarm.numerics.jit import njit_inline, njit_inside
from flexarm.numerics.on_demand import njit_on_demand


@njit_inline
def add_forces(part, now, work):
    """Add elastic and damping forces and their parts in the joints' torques to fc, fd, tc, td; returns the energy."""
    theory, shape, connection, frame = part.theory, part.shape, part.connection, now.frame
    here, force, energy, last = work.point, work.force, 0.0, -1
    fc, fd, tc, td = now.fc, now.fd, now.tc, now.td
    for e in range(connection.shape[0]):
        i = part.owner[e]
        base, first = part.joint[i, at.J_BASE], i != last
        last = i
        for g in range(shape.shape[0]):
            own = part.properties[e, g]
            w, jacobian = own[at.MEASURE], own[at.JACOBIAN]
            at_point(part, now, e, g, here)
            energy += w * point_forces(theory, own, frame[at.ANGLE, i], frame[at.RATE, i], here, force)
            for a in range(shape.shape[2]):
                N, slope = w * shape[g, 0, a], w * shape[g, 1, a] * jacobian
                for r in range(2):
                    k = connection[e, 3 * a + r]
                    if k >= 0:
                        fc[k] += slope * force[r]
                        fd[k] += slope * force[5 + r]
                elastic, damped, k = (
                    N * force[2] + slope * force[3],
                    N * force[7] + slope * force[8],
                    connection[e, 3 * a + 2],
                )
                if k >= 0:
                    fc[k] += elastic
                    fd[k] += damped
                if first and a == 0:
                    tc[i] += elastic
                    td[i] += damped
            if theory == at.LINK:
                tc[i] += w * force[4]
                td[i] += w * force[9]
                if base >= 0:
                    fc[base] += w * force[4]
                    fd[base] += w * force[9]
    return energy


@njit_inline
def add_residual(part, now, work, speed, renew):
    """Add forces to the residual and, if `renew`, their derivative by the positions to the tangent."""
    theory, shape, connection, frame = part.theory, part.shape, part.connection, now.frame
    here, force, D, band, residual = work.point, work.force, work.point_tangent, work.band, work.residual
    nodes, b = shape.shape[2], band.shape[1] // 2
    for e in range(connection.shape[0]):
        i = part.owner[e]
        base = part.joint[i, at.J_BASE] if theory == at.LINK else -1
        for g in range(shape.shape[0]):
            own = part.properties[e, g]
            w, jacobian = own[at.MEASURE], own[at.JACOBIAN]
            at_point(part, now, e, g, here)
            point_tangent(theory, own, speed, frame[at.ANGLE, i], frame[at.RATE, i], here, force, D)
            for m in range(nodes):
                N, slope = w * shape[g, 0, m], w * shape[g, 1, m] * jacobian
                weights = (slope, slope, N)
                for r in range(3):
                    row = connection[e, 3 * m + r]
                    if row >= 0:
                        residual[row] += N * force[2] + slope * force[3] if r == 2 else slope * force[r]
                        if (
                            renew and base >= 0
                        ):  # the angle of the link's first section turns the frame of the whole link
                            band[row, base - row + b] += weights[r] * D[r, 4]
                            band[base, row - base + b] += weights[r] * D[4, r]
                for n in range(nodes if renew else 0):
                    S = shape[g, 1, n] * jacobian
                    trials, bending = (S, S, shape[g, 0, n]), slope * D[3, 3] * S
                    for r in range(3):
                        row = connection[e, 3 * m + r]
                        for c in range(3):
                            column = connection[e, 3 * n + c]
                            if row >= 0 and column >= 0:
                                value = weights[r] * D[r, c] * trials[c]
                                band[row, column - row + b] += value + bending if r + c == 4 else value
            if base >= 0:
                residual[base] += w * force[4]
                if renew:
                    band[base, b] += w * D[4, 4]


@njit_inside
def damping_of_elements(part, now, here):
    """Power that Kelvin-Voigt damping takes out: eta (EA axial'^2 + GA shear'^2 + EI kappa'^2)."""
    power = 0.0
    for e in range(part.connection.shape[0]):
        i = part.owner[e]
        for g in range(part.shape.shape[0]):
            own = part.properties[e, g]
            at_point(part, now, e, g, here)
            rates = strains(part.theory, now.frame[at.ANGLE, i], now.frame[at.RATE, i], here)
            lost = own[at.EA] * rates[6] ** 2 + own[at.GA] * rates[7] ** 2
            power += own[at.MEASURE] * own[at.ETA] * (lost + own[at.EI] * here[3] ** 2)
    return power


@njit_on_demand(types.float64)
def general_forces(part, now, work):
    """`add_forces`, compiled for arms with such elements."""
    return add_forces(part, now, work)


@njit_on_demand(types.none)
def general_residual(part, now, work, speed, renew):
    """`add_residual`, compiled for arms with such elements."""
    add_residual(part, now, work, speed, renew)
