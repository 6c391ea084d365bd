"""Many time steps in compiled code, and the fresh start after a jump. A step that does not converge is halved.

Equations: E2.
"""

from __future__ import annotations

from flexarm.methods.fem import bordered, condensation, friction
from flexarm.methods.fem import layout as at
from flexarm.methods.fem.assemble import add_inertia, split_forces
from flexarm.methods.fem.bordered import clear, constrain
from flexarm.methods.fem.condensation import follow, has_followers
from flexarm.methods.fem.friction import rub
from flexarm.methods.fem.joints import motor_turn, nominal, push_drive, sensed, set_frame
from flexarm.methods.fem.loads import take_loads
from flexarm.methods.fem.newton import newton
from flexarm.methods.fem.payload import payload_inertia, payload_mass
from flexarm.methods.fem.quasi_static import quasi_static_deformation
from flexarm.methods.fem.step_end import end_step
from flexarm.numerics import laws
from flexarm.numerics.alexander import SHARE, STEPS
from flexarm.numerics.bandlu import factor, solve
from flexarm.numerics.copies import copy, copy_rows
from flexarm.numerics.jit import NO, YES, njit, njit_inside
from flexarm.numerics.rows import inside_row

MOST_PARTS = 64
LEAST_JUMP = 1e-6
"""A change of commanded rates that counts as a jump, rad/s."""


@njit_inside
def store_drive_angles(part, now, row, work):
    """Angles on which the drives work, at the start of a step."""
    for i in range(part.links):
        place = nominal(part, row, i)[0]
        turn = 0.0 if part.joint[i, at.J_PRESCRIBED] else motor_turn(now.q, now.v, part.joint, i)[0]
        work.drive_angle[i], work.command_angle[i] = place + turn, place


@njit
def march(x, z, table, records, every, offset, h, part, work):
    """Step through `table`; returns steps done and records written; a step that fails in 64 parts ends it."""
    now, width, written = work.now, records.shape[1], 0
    copy(x, now.x)
    store_drive_angles(part, now, table[0], work)
    for n in range(table.shape[0] - 1):
        copy(now.x, work.start_x)
        copy_rows(z, work.start_z)
        pieces, good, done = 1, True, 0
        while done < pieces <= MOST_PARTS:
            if done + 1 == pieces:
                copy_rows(table[n + 1], work.rows[0])
            else:
                inside_row(table[n], table[n + 1], h, (done + 1.0) / pieces, work.rows[0])
            if now.sums[at.STARTING] > 0.0:
                inside_row(table[n], table[n + 1], h, (done + SHARE) / pieces, work.rows[1])
            count = newton(part, now, work, z, h / pieces)
            good = count > 0
            if good:
                now.sums[at.ITERATIONS] += count
                good = end_step(part, now, work, z, work.rows[0], h / pieces, NO[0])
            if good:
                done += 1
                continue
            halved = now.sums[at.HALVED] + 1.0
            copy(work.start_x, now.x)
            copy_rows(work.start_z, z)
            store_drive_angles(part, now, table[n], work)
            now.sums[at.HALVED] = halved
            pieces, done = 2 * pieces, 0
        if not good:
            copy(now.x, x)
            return n, written
        now.sums[at.STARTING] = max(0.0, now.sums[at.STARTING] - 1.0)
        if every > 0 and (offset + n + 1) % every == 0:
            for k in range(width):
                records[written, k] = now.x[k]
            written += 1
    copy(now.x, x)
    return table.shape[0] - 1, written


@njit_inside
def renew_frame(part, now, rates, row):
    """Commanded motion from `row`; whether rates jump there."""
    jumped = False
    for i in range(part.links):
        rates[i] = now.frame[at.RATE, i]
    set_frame(part, row, now.frame)
    for i in range(part.links):
        jumped = jumped or abs(now.frame[at.RATE, i] - rates[i]) > LEAST_JUMP
    return jumped


@njit
def restart(x, z, row, jumped, part, work):
    """Accelerations, torques and energy from the right-hand limits in `row`; `jumped`: torques are others than just before."""
    now, residual, constrained, follows = work.now, work.residual, work.pivots.shape[0] > 0, has_followers(part)
    copy(x, now.x)
    jumped = renew_frame(part, now, work.command_angle, row) or jumped or now.sums[at.STARTING] < 0.0
    if part.loads:
        take_loads(part, now, row)
    clear(now.a)
    clear(work.copy)
    if follows:
        follow((part, now, work, condensation.PLACE, 0.0, YES[0]))
    copy_rows(part.mass, work.band)
    if part.carries:
        payload_mass(part, now, work.band)
    if follows:
        follow((part, now, work, condensation.MASSES, 0.0, YES[0]))
    factor(work.band)
    if constrained:
        constrain((part, now, work, bordered.FACTOR, 0.0, YES[0]))
        constrain((part, now, work, bordered.VELOCITIES, 0.0, YES[0]))
        if follows:
            follow((part, now, work, condensation.PLACE, 0.0, YES[0]))
    split_forces(part, now, work)
    for r in range(residual.shape[0]):
        residual[r] = now.fc[r] + now.fd[r]
    add_inertia(part, now, residual)
    if part.carries:
        payload_inertia(part, now, residual)
    for i in range(part.links):
        if part.joint[i, at.J_LAW]:
            k = part.joint[i, at.J_CHANNEL]
            y, reading, turning = sensed(part, now, row, i)
            tau = laws.law_step(row[k], part.law[k], z[k], 0.0, y, reading, turning, 0.0, 0.0, 0.0, work.law_work)
            push_drive(part.joint, i, z[k, laws.DRAG] - tau, residual)
    if follows:
        follow((part, now, work, condensation.RESIDUAL, 0.0, YES[0]))
    solve(work.band, residual)
    if constrained:
        constrain((part, now, work, bordered.START, 0.0, YES[0]))
    if part.friction:
        copy_rows(row, work.rows[0])
        rub((part, now, work, z, work.rows[0], friction.HOLD, 0.0))
    for k in range(residual.shape[0]):
        now.a[k] = -residual[k]
        now.A[k] = now.a[k]
    if follows:
        follow((part, now, work, condensation.PLACE, 0.0, YES[0]))
    if part.theory == at.QUASI_STATIC:
        quasi_static_deformation((part, now, work))
    store_drive_angles(part, now, row, work)
    now.sums[at.STARTING] = STEPS if part.starting_steps and jumped else 0.0
    end_step(part, now, work, z, row, 0.0, YES[0])
    copy(now.x, x)
