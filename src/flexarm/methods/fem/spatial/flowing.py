"""A sliding element, and the rigid part behind its joint, as the assembly of the whole arm sees them."""

from __future__ import annotations

from flexarm.methods.fem.spatial.fold import add_block
from flexarm.methods.fem.spatial.layout import E_LINK, FLOW, J_FRAME, J_PSI, LINK_ROW
from flexarm.methods.fem.spatial.lengthening import edge_at, lengthen, put_edge
from flexarm.methods.fem.spatial.rear import rear_edge, rear_part, rear_tangent
from flexarm.methods.fem.spatial.sliding import flow, flow_tangent
from flexarm.numerics.jit import njit_part


@njit_part
def flow_through(q, lane, e, parts, state, scratch, vel, acc, exact, matrix, whole, speed, push, damped, band):
    """Forces of the material in one element, and if `matrix` their derivatives, of the mass alone unless `whole`.

    Returns the kinetic energy that its nodes do not show.
    """
    moving = flow(q, lane, e, parts, state, scratch, vel, acc, exact)
    if exact and whole:
        flow_tangent(q, lane, e, parts, scratch, speed)
    if matrix and parts.joint[parts.elements[e, E_LINK], J_PSI] >= 0:
        lengthen(q, lane, e, parts, scratch, 1.0 if whole else 0.0, speed, push, damped, band)
    return moving


@njit_part
def add_rear(i, parts, state, scratch, vel, acc, exact, matrix, whole, speed, push, band):
    """The rigid part behind joint i: forces on the root frame and the drive, and if `matrix` their derivatives.

    Returns its kinetic energy and potential.
    """
    frames, moved, joint, jfig, par, table = (
        parts.frames,
        parts.moved,
        parts.joint,
        parts.jfig,
        parts.par,
        parts.stock[i],
    )
    r, R, figures, fc, jc = state[0], state[1], state[5], state[10], state[12]
    K, phi, T, f = scratch.K, scratch.phi, scratch.T, joint[i, J_FRAME]
    for k in range(6):
        scratch.rear[i, k] = -fc[f, k]
    drive, kinetic, potential, leaving = rear_part(i, f, table, jfig, phi, r, R, vel, acc, par, fc)
    for k in range(6):
        scratch.rear[i, k] += fc[f, k]
    jc[LINK_ROW, i] += drive
    figures[FLOW, i] -= leaving
    if matrix:
        rear_tangent(i, f, table, jfig, phi, R, acc, par, push, not exact or not whole, K)
        add_block(f, f, 0, 0, frames, moved, T, K, band)
        psi = joint[i, J_PSI]
        if psi >= 0:
            flat, spot = band[0], band[1]
            m = edge_at(psi, spot)
            corner = rear_edge(i, f, table, jfig, phi, R, vel, acc, par, speed, push, 1.0 if whole else 0.0, K)
            put_edge(f, m, 0, K, frames, moved, T, band)
            flat[spot[-1, 2] + m * spot[-1, 0] + psi] += corner
    return kinetic, potential
