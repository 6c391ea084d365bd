"""Forces on the coordinates of the grid: one sweep for the moments, one for their second difference.

Written as differences of differences, so that a rigid rotation gives forces that vanish to rounding and the angular
momentum of the arm is kept.
"""

from __future__ import annotations

from flexarm.methods.fd.layout import (
    BENDING,
    HUB,
    I_GRAVITY,
    I_HUB_STATE,
    I_N,
    I_PATCHES,
    I_SPRING,
    I_TIP_STATE,
    LOAD,
    MOTOR,
    NODE,
    P_DAMPER,
    P_DX,
    P_ETA,
    P_SPRING,
    P_TIP_LOAD,
    P_TIP_STIFFNESS,
    PATCH_FORCE,
    PATCH_MOMENT,
    TENSION,
)
from flexarm.numerics.jit import njit


@njit
def moments(u, coef, par, ip, patch, amplitude, m):
    """Bending moments m (n + 1) from displacements u.

    A tip whose slope is no coordinate has no moment. A hub whose slope is no coordinate has the moment -torque; here
    it is zero, because that torque acts as a force on node 1.
    """
    n = ip[I_N]
    dx = par[P_DX]
    for i in range(1, n):
        j = NODE + i
        m[i] = coef[BENDING, j] * ((u[j + 1] - u[j]) - (u[j] - u[j - 1]))
    m[0] = 0.0
    if ip[I_HUB_STATE]:
        m[0] = coef[BENDING, NODE] * (u[NODE + 1] - dx * u[HUB])
    m[n] = 0.0
    if ip[I_TIP_STATE]:
        m[n] = coef[BENDING, NODE + n] * (dx * u[NODE + n + 1] - (u[NODE + n] - u[NODE + n - 1]))
    for p in range(ip[I_PATCHES]):
        first = 0 if ip[I_HUB_STATE] else 1
        last = n + 1 if ip[I_TIP_STATE] else n
        for i in range(first, last):
            m[i] -= amplitude[p] * patch[3 * p + PATCH_MOMENT, NODE + i]


@njit
def gravity_forces(q, coef, par, ip, f):
    """Add weight, axial force on the bent link, and the couple of an offset payload."""
    n = ip[I_N]
    inverse = 1.0 / par[P_DX]
    for i in range(1, n):
        j = NODE + i
        f[j] += coef[LOAD, j]
        f[j] += coef[TENSION, j] * (q[j + 1] - q[j]) - coef[TENSION, j - 1] * (q[j] - q[j - 1])
    j = NODE + n
    f[j] += coef[LOAD, j] - coef[TENSION, j - 1] * (q[j] - q[j - 1])
    if ip[I_TIP_STATE]:
        f[j + 1] += par[P_TIP_LOAD] - par[P_TIP_STIFFNESS] * q[j + 1]
    else:
        couple = (par[P_TIP_LOAD] - par[P_TIP_STIFFNESS] * (q[j] - q[j - 1]) * inverse) * inverse
        f[j] += couple
        f[j - 1] -= couple


@njit
def node_forces(q, coef, par, ip, m, patch, amplitude, f):
    """Forces f (n + 4) of moments, axial force, gravity and patches; spring and motor are not in it."""
    n = ip[I_N]
    inverse = 1.0 / par[P_DX]
    for i in range(1, n):
        j = NODE + i
        f[j] = ((m[i] - m[i - 1]) - (m[i + 1] - m[i])) * inverse
    j = NODE + n
    f[j] = (m[n] - m[n - 1]) * inverse
    f[MOTOR] = 0.0
    f[NODE] = 0.0
    f[HUB] = m[0] if ip[I_HUB_STATE] else 0.0
    f[j + 1] = -m[n] if ip[I_TIP_STATE] else 0.0
    if ip[I_GRAVITY]:
        gravity_forces(q, coef, par, ip, f)
    for p in range(ip[I_PATCHES]):
        for i in range(1, n + 1):
            f[NODE + i] += amplitude[p] * patch[3 * p + PATCH_FORCE, NODE + i]


@njit
def spring_torque(q, v, par, ip):
    """Torque that the joint spring and its damper put on the hub."""
    if not ip[I_SPRING]:
        return 0.0
    hub, hub_rate = q[HUB], v[HUB]
    if not ip[I_HUB_STATE]:
        hub, hub_rate = q[NODE + 1] / par[P_DX], v[NODE + 1] / par[P_DX]
    return par[P_SPRING] * (q[MOTOR] - hub) + par[P_DAMPER] * (v[MOTOR] - hub_rate)


@njit
def damping_moments(v, eta, coef, par, ip, d):
    """Moments d (n + 1) by the rate of curvature; where the end's moment is given there is none of its own."""
    n = ip[I_N]
    for i in range(1, n):
        j = NODE + i
        d[i] = eta * coef[BENDING, j] * ((v[j + 1] - v[j]) - (v[j] - v[j - 1]))
    d[0] = 0.0
    if ip[I_HUB_STATE]:
        d[0] = eta * coef[BENDING, NODE] * (v[NODE + 1] - par[P_DX] * v[HUB])
    d[n] = 0.0
    if ip[I_TIP_STATE]:
        d[n] = eta * coef[BENDING, NODE + n] * (par[P_DX] * v[NODE + n + 1] - (v[NODE + n] - v[NODE + n - 1]))


@njit
def add_spring(torque, par, ip, f):
    """Put the spring's torque on hub and motor."""
    f[MOTOR] -= torque
    if ip[I_HUB_STATE]:
        f[HUB] += torque
    else:
        f[NODE + 1] += torque / par[P_DX]


@njit
def forces(q, v, coef, par, ip, patch, amplitude, m, d, f):
    """All forces f (n + 4) except the motor's. The moments stay in m, those of damping alone in d."""
    moments(q, coef, par, ip, patch, amplitude, m)
    eta = par[P_ETA]
    if eta > 0.0:
        damping_moments(v, eta, coef, par, ip, d)
        for i in range(ip[I_N] + 1):
            m[i] += d[i]
    node_forces(q, coef, par, ip, m, patch, amplitude, f)
    if ip[I_SPRING]:
        add_spring(spring_torque(q, v, par, ip), par, ip, f)
