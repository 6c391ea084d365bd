"""What is noted after a step: peaks, the torque through the joint, and the coordinates that follow from others.

Nothing here feeds back into the motion.
"""

from __future__ import annotations

from flexarm.methods.fd.endcells import compliance
from flexarm.methods.fd.forces import spring_torque
from flexarm.methods.fd.layout import (
    BEND_HIGH,
    BEND_LOW,
    DRIVE_TORQUE,
    HUB,
    I_DRIVE,
    I_HUB_STATE,
    I_MOTION,
    I_N,
    I_PAPER,
    I_SPRING,
    I_TIP_CELL,
    I_TIP_STATE,
    MOTOR,
    NODE,
    P_DRIVE_MASS,
    P_DX,
    P_LENGTH,
    P_ROTOR,
    P_SCALE,
    REACTION,
    ROOT_MOMENT,
    ROOT_RATE,
    TIP_HIGH,
    TIP_LOW,
    TIP_MOMENT,
    TIP_RATE,
    TORQUE,
)
from flexarm.numerics.jit import njit_inline, njit_part
from flexarm.numerics.laws import ACCELERATION


@njit_inline
def hub_angle(q, s, coef, par, ip):
    """Slope of the link at the hub; the half cell of a massless hub bends by the moment it carries."""
    if ip[I_HUB_STATE]:
        return q[HUB]
    angle = q[NODE + 1] / par[P_DX]
    if not ip[I_PAPER]:
        angle -= s[ROOT_MOMENT] * compliance(NODE, coef, par)
    return angle


@njit_inline
def peaks(q, s, coef, par, ip):
    """Widen the ranges of tip travel and of tip deflection from the hub's tangent."""
    tip = q[NODE + ip[I_N]]
    bend = tip - par[P_LENGTH] * hub_angle(q, s, coef, par, ip)
    if tip < s[TIP_LOW]:
        s[TIP_LOW] = tip
    if tip > s[TIP_HIGH]:
        s[TIP_HIGH] = tip
    if bend < s[BEND_LOW]:
        s[BEND_LOW] = bend
    if bend > s[BEND_HIGH]:
        s[BEND_HIGH] = bend


@njit_part
def derived(q, v, s, a, row, coef, par, ip):
    """Fill slopes that are no coordinates, and the torques of motor and joint."""
    tip = NODE + ip[I_N]
    inverse = 1.0 / par[P_DX]
    if ip[I_MOTION]:
        s[DRIVE_TORQUE] = s[REACTION] + par[P_DRIVE_MASS] * row[0, ACCELERATION]
    if not ip[I_HUB_STATE]:
        q[HUB] = hub_angle(q, s, coef, par, ip)
        v[HUB] = v[NODE + 1] * inverse
        if not ip[I_PAPER]:
            v[HUB] -= s[ROOT_RATE] * compliance(NODE, coef, par)
    if not ip[I_TIP_STATE]:
        q[tip + 1] = (q[tip] - q[tip - 1]) * inverse
        v[tip + 1] = (v[tip] - v[tip - 1]) * inverse
        if ip[I_TIP_CELL] and not ip[I_PAPER]:
            q[tip + 1] += s[TIP_MOMENT] * compliance(tip, coef, par)
            v[tip + 1] += s[TIP_RATE] * compliance(tip, coef, par)
    if ip[I_SPRING]:
        s[TORQUE] = spring_torque(q, v, par, ip)
    else:
        q[MOTOR], v[MOTOR] = q[HUB], v[HUB]
        acceleration = row[0, ACCELERATION] if ip[I_MOTION] else a[ip[I_DRIVE]] / par[P_SCALE]
        s[TORQUE] = s[DRIVE_TORQUE] - par[P_ROTOR] * acceleration
