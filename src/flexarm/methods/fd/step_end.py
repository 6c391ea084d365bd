"""The end of a step: half cells, ranges, the torque through the joint, coordinates that follow from others, records.

Nothing here feeds back into the motion.

Equations: F15, F17, F19.
"""

from __future__ import annotations

from flexarm.methods.fd import layout as at
from flexarm.methods.fd.end_cells import compliance, update_end_cells
from flexarm.methods.fd.forces import spring_torque
from flexarm.numerics import law_rows
from flexarm.numerics.jit import njit_inline, njit_part


@njit_inline
def hub_angle(q, s, arm):
    """Slope of the link at the hub; the half cell of a massless hub bends by the moment it carries."""
    if arm.hub_state:
        return q[at.HUB]
    angle = q[at.NODE + 1] / arm.dx
    if not arm.paper:
        angle -= s[at.ROOT_MOMENT] * compliance(at.NODE, arm)
    return angle


@njit_inline
def widen_ranges(tip, bend, s):
    """Ranges of tip travel and of tip deflection from the hub's tangent."""
    s[at.TIP_LOW], s[at.TIP_HIGH] = min(s[at.TIP_LOW], tip), max(s[at.TIP_HIGH], tip)
    s[at.BEND_LOW], s[at.BEND_HIGH] = min(s[at.BEND_LOW], bend), max(s[at.BEND_HIGH], bend)


@njit_inline
def end_step(q, v, s, a, row, h, arm):
    """Half cells and ranges after a step of length h, or with h = 0 after a jump."""
    if arm.root_cell or arm.tip_cell:
        update_end_cells(q, v, s, a, row, h, arm)
    tip = q[at.NODE + arm.n]
    widen_ranges(tip, tip - arm.length * hub_angle(q, s, arm), s)


@njit_part
def fill_dependent(q, v, s, a, row, arm):
    """Fill slopes that are no coordinates, the torques of motor and joint, and the amplitudes of patches."""
    tip = at.NODE + arm.n
    inverse = 1.0 / arm.dx
    if arm.prescribed:
        s[at.DRIVE_TORQUE] = s[at.REACTION] + arm.drive_mass * row[0, law_rows.ACCELERATION]
    if not arm.hub_state:
        q[at.HUB] = hub_angle(q, s, arm)
        v[at.HUB] = v[at.NODE + 1] * inverse
        if not arm.paper:
            v[at.HUB] -= s[at.ROOT_RATE] * compliance(at.NODE, arm)
    if not arm.tip_state:
        q[tip + 1] = (q[tip] - q[tip - 1]) * inverse
        v[tip + 1] = (v[tip] - v[tip - 1]) * inverse
        if arm.tip_cell and not arm.paper:
            q[tip + 1] += s[at.TIP_MOMENT] * compliance(tip, arm)
            v[tip + 1] += s[at.TIP_RATE] * compliance(tip, arm)
    if arm.flexible_joint:
        s[at.TORQUE] = spring_torque(q, v, arm)
    else:
        q[at.MOTOR], v[at.MOTOR] = q[at.HUB], v[at.HUB]
        acceleration = row[0, law_rows.ACCELERATION] if arm.prescribed else a[arm.drive] / arm.scale
        s[at.TORQUE] = s[at.DRIVE_TORQUE] - arm.rotor * acceleration
    for p in range(arm.patches):
        s[at.PATCHES + p] = row[1 + p, law_rows.FORCE]


@njit_part
def keep_start(x, z, ws):
    """Note the state from which a march starts."""
    for j in range(x.shape[0]):
        ws.start_x[j] = x[j]
    for j in range(z.shape[1]):
        ws.start_z[0, j] = z[0, j]


@njit_part
def back_to_start(x, z, ws):
    """The state from which the march started, after a step that failed."""
    for j in range(x.shape[0]):
        x[j] = ws.start_x[j]
    for j in range(z.shape[1]):
        z[0, j] = ws.start_z[0, j]


@njit_inline
def write_record(x, records, written, arm):
    """Positions, velocities and sums as the next record; returns how many there are then."""
    for j in range(2 * arm.size + at.PATCHES + arm.patches):
        records[written, j] = x[j]
    return written + 1
