"""Work, loss and impulse of a step: what motor, prescribed motion, patches and damping add to the sums.

Equations: F18, F33.
"""

from __future__ import annotations

from flexarm.methods.fd import layout as at
from flexarm.methods.fd.forces import damping_moments, joint_twist, lump_gap
from flexarm.numerics import law_rows
from flexarm.numerics.jit import njit_inline, njit_part


@njit_part
def lost_at_rate(v, driven, h, arm, ws):
    """Energy lost to damping in a step of mean velocity v: mean damping forces times displacements.

    The mean of the rates of a prescribed coordinate, `driven`, is not its displacement over the step; all others are.
    Overwrites damping moments and forces of the workspace.
    """
    d, e, n, eta, drive, total = ws.damping_moments, ws.forces, arm.n, arm.eta, arm.drive, 0.0
    own = v[drive]
    rate = joint_twist(v, arm)
    if eta > 0.0:
        damping_moments(v, arm, d)
        for k in range(arm.lumps):
            d[n + 1 + k] = lump_gap(v, arm, k)
    v[drive] = driven
    if eta > 0.0:
        damping_moments(v, arm, e)
        for i in range(n + 1):
            total += d[i] * e[i] / (eta * arm.bending[at.NODE + i] * arm.dx)
        for k in range(arm.lumps):
            total += eta * arm.lump_stiffness[k] * d[n + 1 + k] * lump_gap(v, arm, k)
    if arm.damper > 0.0:
        total += arm.damper * rate * joint_twist(v, arm)
    v[drive] = own
    return h * total


@njit_part
def lost_lagging(old, v, h, arm, ws):
    """Energy lost where damping lags by half a step: mean of old and new damping moments times the change of curvature.

    `old` holds the moments of the step before, and in its last place the joint's rate; both are renewed.
    """
    new, n, last, total = ws.damping_moments, arm.n, arm.size - 1, 0.0
    if arm.eta > 0.0:
        for i in range(n + 1 + arm.lumps):
            if i <= n:
                stiffness = arm.bending[at.NODE + i] * arm.dx
            else:
                stiffness = arm.lump_stiffness[i - n - 1]
            total += 0.5 * (old[i] + new[i]) * new[i] / stiffness
            old[i] = new[i]
        total /= arm.eta
    if arm.damper > 0.0:
        rate = joint_twist(v, arm)
        total += 0.5 * arm.damper * (old[last] + rate) * rate
        old[last] = rate
    return h * total


@njit_part
def patch_stroke(v, p, arm):
    """Rate of the displacement on which patch p works."""
    stroke = 0.0
    for j in range(arm.size):
        stroke += arm.patch_stroke[p, j] * v[j]
    return stroke


@njit_part
def patch_work(v, before, row, h, arm):
    """Work of the patches in a step of mean velocity v."""
    total = 0.0
    for p in range(arm.patches):
        total += 0.5 * h * patch_stroke(v, p, arm) * (before[1 + p, law_rows.FORCE] + row[1 + p, law_rows.FORCE])
    return total


@njit_inline
def add_motion_work(s, reaction, rate, rate_before, turned, h, arm):
    """Work and impulse of a prescribed motion that turned the joint by `turned`, with its own inertia."""
    mean = 0.5 * (s[at.REACTION] + reaction)
    s[at.WORK] += mean * turned
    s[at.WORK] += 0.5 * arm.drive_mass * (rate * rate - rate_before * rate_before)
    s[at.IMPULSE] += h * mean + arm.drive_mass * (rate - rate_before)
    s[at.REACTION] = reaction


@njit_inline
def add_torque_work(s, tau, drag, turned, h):
    """Work of the motor, loss by friction, and impulse."""
    s[at.WORK] += 0.5 * (s[at.DRIVE_TORQUE] - s[at.DRAG] + tau - drag) * turned
    s[at.LOST] -= 0.5 * (s[at.DRAG] + drag) * turned
    s[at.IMPULSE] += 0.5 * h * (s[at.DRIVE_TORQUE] + tau)
    s[at.DRIVE_TORQUE], s[at.DRAG] = tau, drag


@njit_inline
def start_motion(q, v, s, row, arm):
    """A prescribed coordinate takes place and rate of `row` at once; a jump of its rate is an impulse."""
    drive, scale = arm.drive, arm.scale
    rate, before = row[0, law_rows.VELOCITY], v[drive] / scale
    s[at.WORK] += 0.5 * arm.drive_mass * (rate**2 - before**2)
    s[at.IMPULSE] += arm.drive_mass * (rate - before)
    q[drive], v[drive] = scale * row[0, law_rows.POSITION], scale * rate
