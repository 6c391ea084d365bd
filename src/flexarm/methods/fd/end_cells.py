"""The half cells at root and tip where the slope is no coordinate.

Such an end has a given moment T: minus the torque on a massless hub, the patches that reach the end, and with the
one-sided closure of the report the inertia that turns with the end. The elastic part m of it follows at once, or with
Kelvin-Voigt damping as ``eta m' + m = T``. It bends the half cell, which shows in the slope of the end, in the strain
there, and in the energy; the motion of the nodes does not depend on it.

Equations: F19.
"""

from __future__ import annotations

import numpy as np

from flexarm.methods.fd import layout as at
from flexarm.methods.fd.forces import spring_torque
from flexarm.numerics import law_rows
from flexarm.numerics.jit import njit_inline, njit_part

LOAD, MOMENT, RATE = range(3)
"""Places in the three sums of an end, from ROOT_LOAD or TIP_LOAD on."""


@njit_inline
def compliance(node, arm):
    """Rotation of an end's half cell per moment, 1/(N m)."""
    return 1.0 / (arm.dx * arm.bending[node])


@njit_part
def root_load(q, v, s, a, row, arm):
    """Moment at the root by torque and inertia."""
    given = arm.prescribed and arm.drive == at.NODE + 1
    acceleration = row[0, law_rows.ACCELERATION] if given else a[at.NODE + 1] / arm.dx
    torque = s[at.DRIVE_TORQUE]
    if arm.flexible_joint:
        torque = spring_torque(q, v, arm)
    elif arm.prescribed:
        torque = s[at.REACTION] + arm.drive_mass * acceleration
    return arm.root_inertia * acceleration - torque


@njit_part
def tip_load(q, a, arm):
    """Moment at the tip by inertia and weight of the payload."""
    tip, inverse = at.NODE + arm.n, 1.0 / arm.dx
    turning = (a[tip] - a[tip - 1]) * inverse
    load = -arm.tip_inertia * turning - arm.tip_static * a[tip]
    return load + arm.tip_load - arm.tip_stiffness * (q[tip] - q[tip - 1]) * inverse


@njit_part
def relax(s, end, load, h, eta, softness):
    """Elastic moment of one end after a step of length h (0: at a jump) in which its load changed linearly.

    What damping takes, the load has put in: both are accounted for here; the stored part is added when results are made.
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
        s[at.WORK] += softness * lost
        s[at.LOST] += softness * lost
    s[end + RATE] = (load - s[end + MOMENT]) / eta


@njit_part
def update_end_cells(q, v, s, a, row, h, arm):
    """Moments of both ends after a step of length h, or with h = 0 after a jump."""
    tip = at.NODE + arm.n
    counts = 0.0 if arm.paper else 1.0  # the one-sided closure has no energy in its half cells
    if arm.root_cell:
        load = root_load(q, v, s, a, row, arm)
        for p in range(arm.patches):
            load += arm.patch_moment[p, at.NODE] * row[1 + p, law_rows.FORCE]
        relax(s, at.ROOT_LOAD, load, h, arm.eta, counts * compliance(at.NODE, arm))
    if arm.tip_cell:
        load = tip_load(q, a, arm)
        for p in range(arm.patches):
            load += arm.patch_moment[p, tip] * row[1 + p, law_rows.FORCE]
        relax(s, at.TIP_LOAD, load, h, arm.eta, counts * compliance(tip, arm))
