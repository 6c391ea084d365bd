"""Forces on the coordinates of the grid: one sweep for the moments, one for their second difference.

Written as differences of differences, so that a rigid rotation gives forces that vanish to rounding and the angular
momentum of the arm is kept. Indices grow from the loop variable, which begins at 0: the compiler then knows that they
are not negative, and uses vector instructions.

Equations: F4, F5, F6, F7, F8, F9, F13, F15, F16, F18.
"""

from __future__ import annotations

from flexarm.methods.fd import layout as at
from flexarm.numerics import law_rows
from flexarm.numerics.jit import njit_inline, njit_part

FIRST = at.NODE + 1


@njit_inline
def curvature_moments(u, arm, m):
    """Moments m (n + 1) of the curvature of u.

    A tip whose slope is no coordinate has no moment. A hub whose slope is no coordinate has the moment -torque; here
    it is zero, because that torque acts as a force on node 1.
    """
    n, dx, B = arm.n, arm.dx, arm.bending
    for i in range(n - 1):
        m[i + 1] = B[FIRST + i] * ((u[FIRST + i + 1] - u[FIRST + i]) - (u[FIRST + i] - u[at.NODE + i]))
    tip = at.NODE + n
    m[0] = B[at.NODE] * (u[FIRST] - dx * u[at.HUB]) if arm.hub_state else 0.0
    m[n] = B[tip] * (dx * u[tip + 1] - (u[tip] - u[tip - 1])) if arm.tip_state else 0.0


@njit_part
def gravity_forces(q, arm, f):
    """Add weight, axial force on the bent link, and the couple of an offset payload."""
    n = arm.n
    inverse = 1.0 / arm.dx
    y, weight, tension, target = q[at.NODE :], arm.load[at.NODE :], arm.tension[at.NODE :], f[at.NODE :]
    for i in range(1, n):
        target[i] += weight[i] + tension[i] * (y[i + 1] - y[i]) - tension[i - 1] * (y[i] - y[i - 1])
    target[n] += weight[n] - tension[n - 1] * (y[n] - y[n - 1])
    if arm.tip_state:
        target[n + 1] += arm.tip_load - arm.tip_stiffness * y[n + 1]
    else:
        couple = (arm.tip_load - arm.tip_stiffness * (y[n] - y[n - 1]) * inverse) * inverse
        target[n] += couple
        target[n - 1] -= couple


@njit_inline
def node_forces(q, arm, ws):
    """Forces on hub, nodes and tip slope of moments, gravity and patches; spring and motor are not in it."""
    n, m, f = arm.n, ws.moments, ws.forces
    inverse = 1.0 / arm.dx
    for i in range(n - 1):
        f[FIRST + i] = ((m[i + 1] - m[i]) - (m[i + 2] - m[i + 1])) * inverse
    f[at.NODE + n] = (m[n] - m[n - 1]) * inverse
    f[FIRST + n] = -m[n] if arm.tip_state else 0.0
    f[at.MOTOR] = 0.0
    f[at.HUB] = m[0] if arm.hub_state else 0.0
    f[at.NODE] = 0.0
    if arm.gravity:
        gravity_forces(q, arm, f)
    for p in range(arm.patches):
        force, amplitude = arm.patch_force[p], ws.amplitude[p]
        for i in range(n):
            f[FIRST + i] += amplitude * force[FIRST + i]


@njit_inline
def joint_twist(u, arm):
    """By how much the joint spring is wound up (or its rate, from velocities)."""
    hub = u[at.HUB] if arm.hub_state else u[FIRST] / arm.dx
    return u[at.MOTOR] - hub


@njit_inline
def spring_torque(q, v, arm):
    """Torque that the joint spring and its damper put on the hub."""
    return arm.spring * joint_twist(q, arm) + arm.damper * joint_twist(v, arm)


@njit_inline
def damping_moments(v, arm, d):
    """Moments d (n + 1) by the rate of curvature; where the end's moment is given there is none of its own."""
    curvature_moments(v, arm, d)
    for i in range(arm.n + 1):
        d[i] *= arm.eta


@njit_inline
def lump_gap(u, arm, l):
    """Slope of the nodes less the slope of lump l."""
    gap = -u[at.NODE + arm.n + 2 + l]
    for k in range(at.LUMP_POINTS):
        gap += arm.lump_weight[l, k] * u[arm.lump_place[l, k]]
    return gap


@njit_part
def lump_forces(q, v, arm, ws):
    """Add the couples between lumps and link; those of damping alone go to the damping moments from place n + 1 on."""
    n, d, f = arm.n, ws.damping_moments, ws.forces
    for l in range(arm.lumps):
        f[at.NODE + n + 2 + l] = 0.0
    for l in range(arm.lumps):
        stiffness = arm.lump_stiffness[l]
        d[n + 1 + l] = arm.eta * stiffness * lump_gap(v, arm, l)
        couple = stiffness * lump_gap(q, arm, l) + d[n + 1 + l]
        f[at.NODE + n + 2 + l] += couple
        for k in range(at.LUMP_POINTS):
            f[arm.lump_place[l, k]] -= arm.lump_weight[l, k] * couple


@njit_inline
def set_amplitudes(row, arm, ws):
    """Amplitudes of the patches from a row of the drive table."""
    for p in range(arm.patches):
        ws.amplitude[p] = row[1 + p, law_rows.FORCE]


@njit_part
def forces(q, v, arm, ws):
    """All forces on q except the motor's; the moments stay in the workspace, those of damping alone too."""
    m, d, f = ws.moments, ws.damping_moments, ws.forces
    curvature_moments(q, arm, m)
    if arm.patches:
        first, last = 0 if arm.hub_state else 1, arm.n + 1 if arm.tip_state else arm.n
        for p in range(arm.patches):
            share, amplitude = arm.patch_moment[p], ws.amplitude[p]
            for i in range(first, last):
                m[i] -= amplitude * share[at.NODE + i]
    if arm.eta > 0.0:
        damping_moments(v, arm, d)
        for i in range(arm.n + 1):
            m[i] += d[i]
    node_forces(q, arm, ws)
    if arm.lumps:
        lump_forces(q, v, arm, ws)
    if arm.flexible_joint:
        torque = spring_torque(q, v, arm)
        f[at.MOTOR] -= torque
        if arm.hub_state:
            f[at.HUB] += torque
        else:
            f[FIRST] += torque / arm.dx
