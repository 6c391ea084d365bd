"""The explicit scheme: leapfrog in kick-drift-kick form.

A jump of the torque on a step point acts half before and half after it, and the first step contains the starting
acceleration: the two things that the report's own start leaves out. The Kelvin-Voigt rate is that of the half step
before. The scheme's energy error is known in closed form, h^2/8 (a.f), and is accounted for as `numerical`.

Equations: F23, F24.
"""

from __future__ import annotations

from flexarm.methods.fd import layout as at
from flexarm.methods.fd.energy_balance import add_motion_work, add_torque_work, lost_lagging, patch_work, start_motion
from flexarm.methods.fd.forces import forces, joint_twist, set_amplitudes
from flexarm.methods.fd.step_end import back_to_start, end_step, fill_dependent, keep_start, write_record
from flexarm.numerics import law_rows
from flexarm.numerics.jit import njit, njit_part
from flexarm.numerics.laws import law_step


@njit_part
def accelerations(f, arm, a):
    """a = M^-1 f; a coordinate with inverse mass 0 is not accelerated."""
    for j in range(arm.size):
        a[j] = f[j] * arm.inverse_mass[j]
    k, inverse = arm.pair, arm.pair_inverse
    if k >= 0:
        a[k] = inverse[0, 0] * f[k] + inverse[0, 1] * f[k + 1]
        a[k + 1] = inverse[0, 1] * f[k] + inverse[1, 1] * f[k + 1]


@njit_part
def error_energy(a, f, h, arm):
    """The energy by which the scheme's own invariant differs from that of the state."""
    total = 0.0
    for j in range(arm.size):
        total += a[j] * f[j]
    return 0.125 * h * h * total


@njit_part
def motor_torque(q, v, a, z, row, h, arm, ws):
    """Torque of the motor at the end of the step, the law solved with it; a is without it and becomes that with it."""
    k, c, scale, tau = arm.drive, arm.sense, arm.scale, row[0, law_rows.FORCE]
    if arm.law_acts:
        mobility = 0.5 * h * arm.inverse_mass[k] / (scale * scale)
        y = arm.sense_gain * q[c]
        rate = arm.sense_gain * (v[c] + 0.5 * h * a[c])
        gain = mobility * scale * arm.sense_gain if c == k else 0.0
        turning = (v[k] + 0.5 * h * a[k]) / scale
        tau = law_step(row[0], arm.law[0], z[0], h, y, rate, turning, 0.0, gain, mobility, ws.law)
    ws.forces[k] += tau / scale
    a[k] += tau / scale * arm.inverse_mass[k]
    return tau


@njit
def march(x, z, table, records, every, record_offset, h, scheme):
    """Step through `table`; returns steps done and records written.

    A tip that is not finite ends it, with the state at the start.
    """
    arm, ws = scheme.arm, scheme.ws
    q, v, s, a, old = at.parts(x, arm)
    f, drive, scale, size, tip = ws.forces, arm.drive, arm.scale, arm.size, at.NODE + arm.n
    damped = arm.eta > 0.0 or arm.damper > 0.0
    steps, written = table.shape[0] - 1, 0
    keep_start(x, z, ws)
    for k in range(steps):
        row = table[k + 1]
        before, rate_before = q[drive] / scale, v[drive] / scale
        for j in range(size):
            v[j] += 0.5 * h * a[j]
            q[j] += h * v[j]
        if arm.prescribed:
            q[drive] = scale * row[0, law_rows.POSITION]
            v[drive] = (q[drive] - scale * before) / h
        if not abs(q[tip]) < 1e100:
            back_to_start(x, z, ws)
            return k, written
        turned = q[drive] / scale - before
        if arm.patches:
            s[at.WORK] += patch_work(v, table[k], row, h, arm)
            set_amplitudes(row, arm, ws)
        forces(q, v, arm, ws)
        accelerations(f, arm, a)
        if damped:
            s[at.LOST] += lost_lagging(old, v, h, arm, ws)
        if arm.prescribed:
            rate = row[0, law_rows.VELOCITY]
            add_motion_work(s, -f[drive] * scale, rate, rate_before, turned, h, arm)
            v[drive] = scale * rate
        else:
            tau = motor_torque(q, v, a, z, row, h, arm, ws)
            add_torque_work(s, tau, z[0, law_rows.DRAG], turned, h)
        for j in range(size):
            v[j] += 0.5 * h * a[j]
        end_step(q, v, s, a, row, h, arm)
        due = every > 0 and (record_offset + k + 1) % every == 0
        if due or k + 1 == steps:
            fill_dependent(q, v, s, a, row, arm)
            s[at.NUMERICAL] = s[at.NUMERICAL_BASE] + error_energy(a, f, h, arm)
        if due:
            written = write_record(x, records, written, arm)
    return steps, written


@njit
def restart(x, z, row, h, scheme):
    """Accelerations, torque and reaction from the right-hand limits in `row`, at the present position and rate."""
    arm, ws = scheme.arm, scheme.ws
    q, v, s, a, old = at.parts(x, arm)
    f, drive = ws.forces, arm.drive
    set_amplitudes(row, arm, ws)
    if arm.prescribed:
        start_motion(q, v, s, row, arm)
    forces(q, v, arm, ws)
    accelerations(f, arm, a)
    for i in range(arm.n + 1 + arm.lumps):
        old[i] = ws.damping_moments[i]
    old[arm.size - 1] = joint_twist(v, arm)
    if arm.prescribed:
        s[at.REACTION] = -f[drive] * arm.scale
    else:
        s[at.DRIVE_TORQUE] = motor_torque(q, v, a, z, row, 0.0, arm, ws)
        s[at.DRAG] = z[0, law_rows.DRAG]
    s[at.NUMERICAL_BASE] = s[at.NUMERICAL] - error_energy(a, f, h, arm)
    end_step(q, v, s, a, row, 0.0, arm)
    fill_dependent(q, v, s, a, row, arm)
