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
    I_LUMPS,
    I_N,
    I_PATCHES,
    I_SPRING,
    I_TIP_STATE,
    LOAD,
    LUMP_PLACE,
    LUMP_POINTS,
    LUMP_STIFFNESS,
    LUMP_WEIGHT,
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
from flexarm.numerics.jit import njit_inline, njit_part


@njit_inline
def second_differences(u, bending, n, out):
    """``out[i] = bending[i] (u[i+1] - 2 u[i] + u[i-1])`` at the inner nodes 1 .. n - 1; all arrays start at node 0."""
    left, here, right = u[:n], u[1:], u[2:]
    factor, target = bending[1:], out[1:]
    for i in range(n - 1):
        target[i] = factor[i] * ((right[i] - here[i]) - (here[i] - left[i]))


@njit_inline
def end_moments(u, coef, par, ip):
    """Moments at root and tip.

    A tip whose slope is no coordinate has no moment. A hub whose slope is no coordinate has the moment -torque; here
    it is zero, because that torque acts as a force on node 1.
    """
    n, dx = ip[I_N], par[P_DX]
    root, tip = 0.0, 0.0
    if ip[I_HUB_STATE]:
        root = coef[BENDING, NODE] * (u[NODE + 1] - dx * u[HUB])
    if ip[I_TIP_STATE]:
        tip = coef[BENDING, NODE + n] * (dx * u[NODE + n + 1] - (u[NODE + n] - u[NODE + n - 1]))
    return root, tip


@njit_inline
def moments(u, coef, par, ip, patch, amplitude, m):
    """Bending moments m (n + 1) from displacements u, less those that patches put in."""
    n = ip[I_N]
    second_differences(u[NODE:], coef[BENDING, NODE:], n, m)
    m[0], m[n] = end_moments(u, coef, par, ip)
    for p in range(ip[I_PATCHES]):
        first = 0 if ip[I_HUB_STATE] else 1
        last = n + 1 if ip[I_TIP_STATE] else n
        share = patch[3 * p + PATCH_MOMENT, NODE:]
        for i in range(first, last):
            m[i] -= amplitude[p] * share[i]


@njit_part
def gravity_forces(q, coef, par, ip, f):
    """Add weight, axial force on the bent link, and the couple of an offset payload."""
    n = ip[I_N]
    inverse = 1.0 / par[P_DX]
    y, weight, tension, target = q[NODE:], coef[LOAD, NODE:], coef[TENSION, NODE:], f[NODE:]
    for i in range(1, n):
        target[i] += weight[i] + tension[i] * (y[i + 1] - y[i]) - tension[i - 1] * (y[i] - y[i - 1])
    target[n] += weight[n] - tension[n - 1] * (y[n] - y[n - 1])
    if ip[I_TIP_STATE]:
        target[n + 1] += par[P_TIP_LOAD] - par[P_TIP_STIFFNESS] * y[n + 1]
    else:
        couple = (par[P_TIP_LOAD] - par[P_TIP_STIFFNESS] * (y[n] - y[n - 1]) * inverse) * inverse
        target[n] += couple
        target[n - 1] -= couple


@njit_inline
def node_forces(q, coef, par, ip, m, patch, amplitude, f):
    """Forces f on hub, nodes and tip slope of moments, gravity and patches; spring and motor are not in it."""
    n = ip[I_N]
    inverse = 1.0 / par[P_DX]
    left, here, right, target = m[:n], m[1:], m[2:], f[NODE + 1 :]
    for i in range(n - 1):
        target[i] = ((here[i] - left[i]) - (right[i] - here[i])) * inverse
    target[n - 1] = (m[n] - m[n - 1]) * inverse
    target[n] = -m[n] if ip[I_TIP_STATE] else 0.0
    f[MOTOR] = 0.0
    f[HUB] = m[0] if ip[I_HUB_STATE] else 0.0
    f[NODE] = 0.0
    if ip[I_GRAVITY]:
        gravity_forces(q, coef, par, ip, f)
    for p in range(ip[I_PATCHES]):
        force = patch[3 * p + PATCH_FORCE, NODE + 1 :]
        for i in range(n):
            target[i] += amplitude[p] * force[i]


@njit_inline
def spring_torque(q, v, par, ip):
    """Torque that the joint spring and its damper put on the hub."""
    if not ip[I_SPRING]:
        return 0.0
    hub, hub_rate = q[HUB], v[HUB]
    if not ip[I_HUB_STATE]:
        hub, hub_rate = q[NODE + 1] / par[P_DX], v[NODE + 1] / par[P_DX]
    return par[P_SPRING] * (q[MOTOR] - hub) + par[P_DAMPER] * (v[MOTOR] - hub_rate)


@njit_inline
def damping_moments(v, eta, coef, par, ip, d):
    """Moments d (n + 1) by the rate of curvature; where the end's moment is given there is none of its own."""
    n = ip[I_N]
    second_differences(v[NODE:], coef[BENDING, NODE:], n, d)
    d[0], d[n] = end_moments(v, coef, par, ip)
    for i in range(n + 1):
        d[i] *= eta


@njit_inline
def add_spring(torque, par, ip, f):
    """Put the spring's torque on hub and motor."""
    f[MOTOR] -= torque
    if ip[I_HUB_STATE]:
        f[HUB] += torque
    else:
        f[NODE + 1] += torque / par[P_DX]


@njit_inline
def lump_gap(u, lump, l, ip):
    """Slope of the nodes less the slope of lump l."""
    gap = -u[NODE + ip[I_N] + 2 + l]
    for k in range(LUMP_POINTS):
        gap += lump[l, LUMP_WEIGHT + k] * u[int(lump[l, LUMP_PLACE + k])]
    return gap


@njit_part
def lump_forces(q, v, eta, lump, ip, d, f):
    """Add the couples between lumps and link; those of damping alone go to d from place n + 1 on."""
    n = ip[I_N]
    for l in range(ip[I_LUMPS]):
        f[NODE + n + 2 + l] = 0.0
    for l in range(ip[I_LUMPS]):
        stiffness = lump[l, LUMP_STIFFNESS]
        d[n + 1 + l] = eta * stiffness * lump_gap(v, lump, l, ip)
        couple = stiffness * lump_gap(q, lump, l, ip) + d[n + 1 + l]
        f[NODE + n + 2 + l] += couple
        for k in range(LUMP_POINTS):
            f[int(lump[l, LUMP_PLACE + k])] -= lump[l, LUMP_WEIGHT + k] * couple


@njit_part
def forces(q, v, coef, par, ip, patch, lump, amplitude, m, d, f):
    """All forces f on q except the motor's. The moments stay in m, those of damping alone in d."""
    moments(q, coef, par, ip, patch, amplitude, m)
    eta = par[P_ETA]
    if eta > 0.0:
        damping_moments(v, eta, coef, par, ip, d)
        for i in range(ip[I_N] + 1):
            m[i] += d[i]
    node_forces(q, coef, par, ip, m, patch, amplitude, f)
    if ip[I_LUMPS]:
        lump_forces(q, v, eta, lump, ip, d, f)
    if ip[I_SPRING]:
        add_spring(spring_torque(q, v, par, ip), par, ip, f)
