"""The half cells at root and tip where the slope is no coordinate.

Such an end has a given moment T: minus the torque on a massless hub, the patches that reach the end, and with the
one-sided closure of the report the inertia that turns with the end. The elastic part m of it follows at once, or with
Kelvin-Voigt damping as ``eta m' + m = T``. It bends the half cell, which shows in the slope of the end, in the strain
there, and in the energy; the motion of the nodes does not depend on it.
"""

from __future__ import annotations

import numpy as np

from flexarm.methods.fd.forces import spring_torque
from flexarm.methods.fd.layout import (
    BENDING,
    DRIVE_TORQUE,
    I_DRIVE,
    I_MOTION,
    I_N,
    I_PAPER,
    I_PATCHES,
    I_ROOT_CELL,
    I_SPRING,
    I_TIP_CELL,
    LOST,
    NODE,
    P_DRIVE_MASS,
    P_DX,
    P_ETA,
    P_ROOT_INERTIA,
    P_TIP_INERTIA,
    P_TIP_LOAD,
    P_TIP_STATIC,
    P_TIP_STIFFNESS,
    PATCH_MOMENT,
    REACTION,
    ROOT_LOAD,
    TIP_LOAD,
    WORK,
)
from flexarm.numerics.jit import njit_inline, njit_part
from flexarm.numerics.laws import ACCELERATION, FORCE

LOAD, MOMENT, RATE = range(3)
"""Places in the three sums of an end, from ROOT_LOAD or TIP_LOAD on."""


@njit_inline
def compliance(node, coef, par):
    """Rotation of an end's half cell per moment, 1/(N m)."""
    return 1.0 / (par[P_DX] * coef[BENDING, node])


@njit_part
def root_load(q, v, s, a, row, par, ip):
    """Moment at the root by torque and inertia."""
    given = ip[I_MOTION] and ip[I_DRIVE] == NODE + 1
    acceleration = row[0, ACCELERATION] if given else a[NODE + 1] / par[P_DX]
    torque = s[DRIVE_TORQUE]
    if ip[I_SPRING]:
        torque = spring_torque(q, v, par, ip)
    elif ip[I_MOTION]:
        torque = s[REACTION] + par[P_DRIVE_MASS] * acceleration
    return par[P_ROOT_INERTIA] * acceleration - torque


@njit_part
def tip_load(q, a, par, ip):
    """Moment at the tip by inertia and weight of the payload."""
    tip, inverse = NODE + ip[I_N], 1.0 / par[P_DX]
    turning = (a[tip] - a[tip - 1]) * inverse
    load = -par[P_TIP_INERTIA] * turning - par[P_TIP_STATIC] * a[tip]
    return load + par[P_TIP_LOAD] - par[P_TIP_STIFFNESS] * (q[tip] - q[tip - 1]) * inverse


@njit_part
def relax(s, end, load, h, eta, softness):
    """Elastic moment of one end after a step of length h (0: at a jump) in which its load changed linearly.

    What damping takes, the load has put in: both are booked here; the stored part is added when results are made.
    """
    old = s[end + LOAD]
    s[end + LOAD] = load
    if eta <= 0.0:
        if h > 0.0 and softness > 0.0:
            s[end + RATE] = (load - old) / h
        elif load != old:
            s[end + RATE] = 0.0
        s[end + MOMENT] = load
        return
    if h > 0.0:
        steady = eta * (load - old) / h
        fading = old - s[end + MOMENT] - steady
        left = np.exp(-h / eta)
        s[end + MOMENT] = load - steady - fading * left
        lost = steady * steady * h / eta + 2.0 * steady * fading * (1.0 - left)
        lost += 0.5 * fading * fading * (1.0 - left * left)
        s[WORK] += softness * lost
        s[LOST] += softness * lost
    s[end + RATE] = (load - s[end + MOMENT]) / eta


@njit_part
def carry_ends(q, v, s, a, row, h, patch, coef, par, ip):
    """Moments of both ends after a step of length h, or with h = 0 after a jump."""
    last = NODE + ip[I_N]
    counts = 0.0 if ip[I_PAPER] else 1.0  # the one-sided closure has no energy in its half cells
    if ip[I_ROOT_CELL]:
        load = root_load(q, v, s, a, row, par, ip)
        for p in range(ip[I_PATCHES]):
            load += patch[3 * p + PATCH_MOMENT, NODE] * row[1 + p, FORCE]
        relax(s, ROOT_LOAD, load, h, par[P_ETA], counts * compliance(NODE, coef, par))
    if ip[I_TIP_CELL]:
        load = tip_load(q, a, par, ip)
        for p in range(ip[I_PATCHES]):
            load += patch[3 * p + PATCH_MOMENT, last] * row[1 + p, FORCE]
        relax(s, TIP_LOAD, load, h, par[P_ETA], counts * compliance(last, coef, par))
