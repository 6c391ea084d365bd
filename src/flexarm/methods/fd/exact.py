"""The modal scheme: the grid's own modes, each stepped exactly for loads that vary linearly within a step.

There is no time error for torques that are constant or linear between jumps, nor for motions up to the fifth degree,
and no limit of the step. A joint law is solved with the torque at the end of the step. Work and loss are integrated
exactly as well (`modal_energy`).

Legend: eta, rate modal positions and velocities (in the state vector in place of a and d); push modal loads.

Equations: F17, F30, F31, F32.
"""

from __future__ import annotations

from flexarm.methods.fd import layout as at
from flexarm.methods.fd import modal_energy
from flexarm.methods.fd.end_cells import update_end_cells
from flexarm.methods.fd.step_end import back_to_start, fill_dependent, keep_start, widen_ranges, write_record
from flexarm.numerics import law_rows
from flexarm.numerics.jit import njit, njit_inline, njit_part
from flexarm.numerics.laws import law_step

FINITE = 1e100
FADED = 1e-140
"""Modes that have decayed to this are at rest: processors take a hundred times as long with the tiny numbers below."""


@njit_inline
def modal_load(k, row, tau, arm, modal):
    """Load of mode k."""
    p = modal.load[k] + modal.torque[k] * tau + modal.participation[k] * row[0, law_rows.ACCELERATION]
    for i in range(arm.patches):
        p += modal.patch[i, k] * row[1 + i, law_rows.FORCE]
    return p


@njit_part
def from_modes(x, row, arm, modal):
    """Positions and velocities of the grid from modal ones: q = influence * angle + fixed + shapes eta."""
    q, v, _, eta, rate = at.parts(x, arm)
    for j in range(arm.size):
        q[j] = modal.fixed[j]
        v[j] = 0.0
        if arm.prescribed:
            q[j] += modal.influence[j] * row[0, law_rows.POSITION]
            v[j] = modal.influence[j] * row[0, law_rows.VELOCITY]
    for k in range(modal.square.shape[0]):
        shape = modal.shapes[k]
        for j in range(arm.size):
            q[j] += shape[j] * eta[k]
            v[j] += shape[j] * rate[k]


@njit_part
def reaction(eta, rate, row, arm, modal):
    """Reaction of the motion without its own inertia."""
    angle = row[0, law_rows.POSITION] + arm.eta * row[0, law_rows.VELOCITY]
    value = modal.reaction_angle * angle - modal.reaction_load
    for p in range(arm.patches):
        value -= modal.patch_reaction[p] * row[1 + p, law_rows.FORCE]
    for k in range(modal.square.shape[0]):
        value += modal.reaction[k] * (eta[k] + arm.eta * rate[k])
    return value


@njit_part
def law_torque(eta, rate, row, z, h, arm, ws, modal):
    """Torque of a law at the end of a step (h = 0: at once); eta, rate are without it."""
    y, v, vm, gy, gv, gm = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    by_torque = modal.by_load[at.END]
    for k in range(modal.square.shape[0]):
        y += modal.sense[k] * eta[k]
        v += modal.sense[k] * rate[k]
        vm += modal.angle[k] * rate[k]
        if h > 0.0:
            reply_q, reply_v = by_torque[0, k] * modal.torque[k], by_torque[1, k] * modal.torque[k]
            gy += modal.sense[k] * reply_q
            gv += modal.sense[k] * reply_v
            gm += modal.angle[k] * reply_v
    return law_step(row[0], arm.law[0], z[0], h, y, v, vm, gy, gv, gm, ws.law)


@njit_part
def modal_step(eta, rate, row, tau, arm, modal):
    """All modes over one step; the `old_` values become those at its start. False once a mode is not finite."""
    phi, start, end = modal.transition, modal.by_load[at.START], modal.by_load[at.END]
    push, old_position, old_rate, old_push = modal.push, modal.old_position, modal.old_rate, modal.old_push
    for k in range(modal.square.shape[0]):
        p = modal_load(k, row, tau, arm, modal)
        q0, v0, p0 = eta[k], rate[k], push[k]
        old_position[k], old_rate[k], old_push[k] = q0, v0, p0
        eta[k] = phi[0, 0, k] * q0 + phi[0, 1, k] * v0 + start[0, k] * p0 + end[0, k] * p
        rate[k] = phi[1, 0, k] * q0 + phi[1, 1, k] * v0 + start[1, k] * p0 + end[1, k] * p
        push[k] = p
        if abs(eta[k]) < FADED and abs(rate[k]) < FADED:
            eta[k] = rate[k] = 0.0
        if not abs(eta[k]) < FINITE:
            return False
    return True


@njit_part
def follow_motion(eta, rate, even, odd, modal):
    """What the curve of the motion adds to a step."""
    by_even, by_odd = modal.by_load[at.EVEN], modal.by_load[at.ODD]
    for k in range(modal.square.shape[0]):
        eta[k] += modal.participation[k] * (by_even[0, k] * even + by_odd[0, k] * odd)
        rate[k] += modal.participation[k] * (by_even[1, k] * even + by_odd[1, k] * odd)


@njit_part
def accelerate(eta, rate, row, arm, modal):
    """Accelerations of the driven coordinate and of those at the ends of the link."""
    a, tip, drive = modal.acceleration, at.NODE + arm.n, arm.drive
    given = row[0, law_rows.ACCELERATION] if arm.prescribed else 0.0
    for j in (drive, at.NODE + 1, tip - 1, tip):
        a[j] = modal.influence[j] * given
    for k in range(modal.square.shape[0]):
        own = modal.push[k] - modal.damping[k] * rate[k] - modal.square[k] * eta[k]
        for j in (at.NODE + 1, tip - 1, tip):
            a[j] += modal.shapes[k, j] * own
        if drive != at.NODE + 1:
            a[drive] += modal.shapes[k, drive] * own


@njit_part
def end_modal_step(x, row, h, arm, modal):
    """Half cells at the ends and ranges after a step of length h, or with h = 0 after a jump."""
    q, v, s, eta, rate = at.parts(x, arm)
    if arm.root_cell or arm.tip_cell:
        if arm.paper:  # only there do inertia and weight count
            accelerate(eta, rate, row, arm, modal)
            from_modes(x, row, arm, modal)
        update_end_cells(q, v, s, modal.acceleration, row, h, arm)
    tip, bend = modal.tip_fixed, modal.bend_fixed + modal.bend_root * s[at.ROOT_MOMENT]
    if arm.prescribed:
        tip += modal.tip_angle * row[0, law_rows.POSITION]
        bend += modal.bend_angle * row[0, law_rows.POSITION]
    for k in range(modal.square.shape[0]):
        tip += modal.tip[k] * eta[k]
        bend += modal.bend[k] * eta[k]
    widen_ranges(tip, bend, s)


@njit_part
def fill_grid(x, row, arm, modal):
    """Grid quantities and torques at a step point."""
    q, v, s, eta, rate = at.parts(x, arm)
    from_modes(x, row, arm, modal)
    accelerate(eta, rate, row, arm, modal)
    fill_dependent(q, v, s, modal.acceleration, row, arm)


@njit
def march(x, z, table, records, every, record_offset, h, scheme):
    """Step through `table`; returns steps done and records written.

    A mode that is not finite ends it, with the state at the start.
    """
    arm, ws, modal = scheme.arm, scheme.ws, scheme.modal
    _, _, s, eta, rate = at.parts(x, arm)
    push, m, by_torque = modal.push, modal.square.shape[0], modal.by_load[at.END]
    count, written, even, odd = table.shape[0] - 1, 0, 0.0, 0.0
    for k in range(m):
        push[k] = modal_load(k, table[0], 0.0 if arm.prescribed else s[at.DRIVE_TORQUE], arm, modal)
    keep_start(x, z, ws)
    for i in range(count):
        row, before = table[i + 1], table[i]
        tau = 0.0 if arm.law_acts or arm.prescribed else row[0, law_rows.FORCE]
        good = modal_step(eta, rate, row, tau, arm, modal)
        if arm.prescribed:
            even, odd = modal_energy.cubic_parts(before, row, h)
            follow_motion(eta, rate, even, odd, modal)
        if arm.law_acts:
            tau = law_torque(eta, rate, row, z, h, arm, ws, modal)
            for k in range(m):
                eta[k] += by_torque[0, k] * modal.torque[k] * tau
                rate[k] += by_torque[1, k] * modal.torque[k] * tau
                push[k] += modal.torque[k] * tau
        if not (good and abs(eta[0]) < FINITE):
            back_to_start(x, z, ws)
            return i, written
        if arm.eta > 0.0:
            s[at.LOST] += modal_energy.damping_loss(even, odd, modal)
        if arm.prescribed:
            modal_energy.add_modal_motion_work(eta, rate, s, before, row, h, even, odd, arm, modal)
            s[at.REACTION] = reaction(eta, rate, row, arm, modal)
        else:
            modal_energy.add_modal_torque_work(eta, s, tau, z[0, law_rows.DRAG], h, modal)
        if arm.patches:
            modal_energy.add_patch_work(eta, s, before, row, h, even, odd, arm, modal)
        end_modal_step(x, row, h, arm, modal)
        due = every > 0 and (record_offset + i + 1) % every == 0
        if due or i + 1 == count:
            fill_grid(x, row, arm, modal)
        if due:
            written = write_record(x, records, written, arm)
    return count, written


@njit
def restart(x, z, row, scheme):
    """Torque and reaction from the right-hand limits in `row`; if the motion's rate jumps, free nodes keep theirs."""
    arm, ws, modal = scheme.arm, scheme.ws, scheme.modal
    _, v, s, eta, rate = at.parts(x, arm)
    m, tau = modal.square.shape[0], 0.0
    if arm.prescribed:
        after, before = row[0, law_rows.VELOCITY], v[arm.drive] / arm.scale
        s[at.WORK] += 0.5 * arm.drive_mass * (after**2 - before**2)
        s[at.IMPULSE] += arm.drive_mass * (after - before)
        for k in range(m):
            rate[k] += modal.participation[k] * (after - before)
    else:
        tau = law_torque(eta, rate, row, z, 0.0, arm, ws, modal) if arm.law_acts else row[0, law_rows.FORCE]
        s[at.DRIVE_TORQUE], s[at.DRAG] = tau, z[0, law_rows.DRAG]
    for k in range(m):
        modal.push[k] = modal_load(k, row, tau, arm, modal)
    if arm.prescribed:
        s[at.REACTION] = reaction(eta, rate, row, arm, modal)
    end_modal_step(x, row, 0.0, arm, modal)
    fill_grid(x, row, arm, modal)
