"""The implicit scheme: Newmark with average acceleration on a band of half-width two; any step, cost linear in n.

It conserves energy exactly, so nothing is accounted for as `numerical`, except in the few L-stable starting steps after a
discontinuity (`starting_steps`) where something damps.

Equations: F26.
"""

from __future__ import annotations

from flexarm.methods.fd import layout as at
from flexarm.methods.fd.energy_balance import add_motion_work, add_torque_work, lost_at_rate, patch_work, start_motion
from flexarm.methods.fd.forces import forces, set_amplitudes
from flexarm.methods.fd.implicit_stage import implicit_stage
from flexarm.methods.fd.starting_steps import starting_step
from flexarm.methods.fd.step_end import back_to_start, end_step, fill_dependent, keep_start, write_record
from flexarm.numerics import law_rows
from flexarm.numerics.band import solve
from flexarm.numerics.jit import njit, njit_part
from flexarm.numerics.laws import law_step


@njit
def march(x, z, table, records, every, record_offset, h, scheme):
    """Step through `table`; returns steps done and records written.

    A tip that is not finite ends it, with the state at the start.
    """
    arm, ws = scheme.arm, scheme.ws
    q, v, s, a, _ = at.parts(x, arm)
    steps, written = table.shape[0] - 1, 0
    keep_start(x, z, ws)
    for k in range(steps):
        before, row = table[k], table[k + 1]
        if s[at.START_STEPS] > 0.0:
            s[at.START_STEPS] -= 1.0
            starting_step(q, v, s, a, z, before, row, h, arm, ws, scheme.starting, scheme.stages)
        else:
            average_step(q, v, s, a, z, before, row, h, arm, ws, scheme.average)
        if not abs(q[at.NODE + arm.n]) < 1e100:
            back_to_start(x, z, ws)
            return k, written
        end_step(q, v, s, a, row, h, arm)
        due = every > 0 and (record_offset + k + 1) % every == 0
        if due or k + 1 == steps:
            fill_dependent(q, v, s, a, row, arm)
        if due:
            written = write_record(x, records, written, arm)
    return steps, written


@njit_part
def average_step(q, v, s, a, z, before, row, h, arm, ws, factors):
    """One step of average acceleration, in place, with work, loss and impulse."""
    free, mean, drive, scale = factors.free, ws.mean, arm.drive, arm.scale
    angle, rate_before, rate = q[drive] / scale, v[drive] / scale, row[0, law_rows.VELOCITY]
    for j in range(arm.size):
        mean[j] = q[j]
    for i in range(free.shape[0]):
        j = free[i]
        q[j] += h * (v[j] + 0.25 * h * a[j])
        v[j] += 0.5 * h * a[j]
    tau = implicit_stage(q, v, a, z, row, h, arm, ws, factors)
    for j in range(arm.size):
        mean[j] = (q[j] - mean[j]) / h
    if arm.patches:
        s[at.WORK] += patch_work(mean, before, row, h, arm)
    if arm.eta > 0.0 or arm.damper > 0.0:
        driven = 0.5 * scale * (rate_before + rate) if arm.prescribed else mean[drive]
        s[at.LOST] += lost_at_rate(mean, driven, h, arm, ws)
    turned = q[drive] / scale - angle
    if arm.prescribed:
        forces(q, v, arm, ws)
        add_motion_work(s, -ws.forces[drive] * scale, rate, rate_before, turned, h, arm)
    else:
        add_torque_work(s, tau, z[0, law_rows.DRAG], turned, h)


@njit_part
def balance_massless(q, v, z, row, push, arm, start):
    """Make a coordinate without mass consistent: its rate from the damped balance, or its value if nothing damps it.

    push : constant force on it. Of a law, what its actuator and its integral hold counts as such; limits are not looked at.
    """
    j, stiffness, damping, kp, kv = start.massless, start.stiffness, start.damping, 0.0, 0.0
    if j == arm.drive and arm.law_acts:
        c, told, law = arm.sense, row[0], arm.law[0]
        kp, kv = told[law_rows.KP], told[law_rows.KV]
        command = told[law_rows.FORCE] + kp * told[law_rows.POSITION] + kv * told[law_rows.VELOCITY]
        command += told[law_rows.KI] * z[0, law_rows.INTEGRAL]
        through = law[law_rows.FEEDTHROUGH]
        for i in range(int(law[law_rows.ACTUATOR_ORDER])):
            output = law_rows.MATRIX + law_rows.ORDER * (law_rows.ORDER + 1) + i
            push += law[output] * z[0, law_rows.STATE + i]
        kp, kv = through * kp, through * kv
        push += through * command
        if c != j:
            push -= arm.sense_gain * (kp * q[c] + kv * v[c])
            kp, kv = 0.0, 0.0
    elif j == arm.drive:
        push += row[0, law_rows.FORCE]
    pull, drag, pull_rate = 0.0, 0.0, 0.0
    for i in range(arm.size):
        if i != j:
            pull += stiffness[i] * q[i]
            drag += damping[i] * v[i]
            pull_rate += stiffness[i] * v[i]
    if damping[j] + kv > 0.0:
        v[j] = (push - pull - (stiffness[j] + kp) * q[j] - drag) / (damping[j] + kv)
    else:
        q[j] = (push - pull) / (stiffness[j] + kp)
        v[j] = (kp * row[0, law_rows.VELOCITY] - pull_rate) / (stiffness[j] + kp)


@njit
def restart(x, z, row, scheme):
    """Accelerations, torque and reaction from the right-hand limits in `row`."""
    arm, ws, factors, start = scheme.arm, scheme.ws, scheme.average, scheme.consistency
    q, v, s, a, _ = at.parts(x, arm)
    free, f, rhs, drive, scale = factors.free, ws.forces, ws.rhs, arm.drive, arm.scale
    set_amplitudes(row, arm, ws)
    if arm.prescribed:
        start_motion(q, v, s, row, arm)
    if start.massless >= 0:
        push = start.load
        for p in range(arm.patches):
            push -= ws.amplitude[p] * arm.patch_moment[p, at.NODE]
        balance_massless(q, v, z, row, push, arm, start)
    forces(q, v, arm, ws)
    if arm.prescribed:
        s[at.REACTION] = -f[drive] * scale
    else:
        tau = row[0, law_rows.FORCE]
        if arm.law_acts:
            y, rate = arm.sense_gain * q[arm.sense], arm.sense_gain * v[arm.sense]
            tau = law_step(row[0], arm.law[0], z[0], 0.0, y, rate, v[drive] / scale, 0.0, 0.0, 0.0, ws.law)
        f[drive] += tau / scale
        s[at.DRIVE_TORQUE], s[at.DRAG] = tau, z[0, law_rows.DRAG]
    for i in range(free.shape[0]):
        rhs[i] = f[free[i]]
    if start.massless >= 0:
        rhs[factors.place[start.massless]] = 0.0
    solve(start.mass, rhs[: free.shape[0]])
    for i in range(free.shape[0]):
        a[free[i]] = rhs[i]
    s[at.START_STEPS] = arm.starting_steps
    end_step(q, v, s, a, row, 0.0, arm)
    fill_dependent(q, v, s, a, row, arm)
