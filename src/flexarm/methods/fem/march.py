"""Many time steps in compiled code, and the fresh start after a jump. A step that does not converge is halved."""

from __future__ import annotations

from flexarm.methods.fem.assemble import COPY, RESIDUAL, add_inertia, split_forces
from flexarm.methods.fem.booking import settle
from flexarm.methods.fem.element import QUASI_STATIC
from flexarm.methods.fem.friction import hold
from flexarm.methods.fem.joints import motor_turn, nominal, push_drive, sensed, set_frame
from flexarm.methods.fem.layout import (
    HALVED,
    I_CARRIES,
    I_LINKS,
    I_RUBS,
    I_SOFT,
    I_THEORY,
    ITERATIONS,
    J_CHANNEL,
    J_LAW,
    J_MOVED,
    RATE,
    S_FREE,
    S_PLACE,
    S_TURN,
    SOFT,
    parts_of,
)
from flexarm.methods.fem.newton import newton
from flexarm.methods.fem.payload import payload_inertia, payload_mass
from flexarm.methods.fem.quasi_static import rest_in_motion
from flexarm.methods.fem.rigid import fold_forces, fold_matrix, place_far_nodes
from flexarm.methods.fem.softstep import SHARE, STEPS
from flexarm.methods.fem.tying import factor_border, keep_ties, start_ties
from flexarm.numerics.bandlu import factor, solve
from flexarm.numerics.copies import copy, copy_rows
from flexarm.numerics.jit import NO, YES, njit, njit_inside
from flexarm.numerics.laws import DRAG as Z_DRAG
from flexarm.numerics.laws import law_step
from flexarm.numerics.rows import inside_row

MOST_PARTS = 64
LEAST_JUMP = 1e-6
"""A change of commanded rates that counts as a jump, rad/s."""


@njit_inside
def start_of_turns(part, now, row, small):
    """Angles on which the drives work, at the start of a step."""
    for i in range(part.ip[I_LINKS]):
        place = nominal(row, part.joint, part.jfig, i)[0]
        turn = 0.0 if part.joint[i, J_MOVED] else motor_turn(now.q, now.v, part.joint, i)[0]
        small[S_TURN, i], small[S_PLACE, i] = place + turn, place


@njit
def march(x, z, table, records, every, phase, h, part, room):
    """Step through `table`; returns steps done and records written; a step that fails in 64 parts ends it."""
    links = part.ip[I_LINKS]
    now = parts_of(x, part.mass.shape[0], links)
    width, written = x.shape[0] - 4 * part.mass.shape[0] - 2 * links, 0
    start_of_turns(part, now, table[0], room.small)
    for n in range(table.shape[0] - 1):
        copy(x, room.keep)
        copy_rows(z, room.keep_z)
        pieces, good, done = 1, True, 0
        while done < pieces <= MOST_PARTS:
            if done + 1 == pieces:
                copy_rows(table[n + 1], room.rows[0])
            else:
                inside_row(table[n], table[n + 1], h, (done + 1.0) / pieces, room.rows[0])
            soft = now.sums[SOFT] > 0.0
            if soft:
                inside_row(table[n], table[n + 1], h, (done + SHARE) / pieces, room.rows[1])
            count = newton(part, now, room, z, h / pieces, soft)
            good = count > 0
            if good:
                now.sums[ITERATIONS] += count
                good = settle(part, now, room, z, room.rows[0], h / pieces, NO[0])
            if good:
                done += 1
                continue
            halved = now.sums[HALVED] + 1.0
            copy(room.keep, x)
            copy_rows(room.keep_z, z)
            start_of_turns(part, now, table[n], room.small)
            now.sums[HALVED] = halved
            pieces, done = 2 * pieces, 0
        if not good:
            return n, written
        now.sums[SOFT] = max(0.0, now.sums[SOFT] - 1.0)
        if every > 0 and (phase + n + 1) % every == 0:
            for k in range(width):
                records[written, k] = x[k]
            written += 1
    return table.shape[0] - 1, written


@njit_inside
def renew_frame(part, now, room, row):
    """Commanded motion from `row`; whether rates jump there, or have jumped in an event (see `SOFT`)."""
    rates, jumped = room.small[S_PLACE], now.sums[SOFT] < 0.0
    for i in range(part.ip[I_LINKS]):
        rates[i] = now.frame[RATE, i]
    set_frame(part, row, now.frame)
    for i in range(part.ip[I_LINKS]):
        jumped = jumped or abs(now.frame[RATE, i] - rates[i]) > LEAST_JUMP
    return jumped


@njit
def restart(x, z, row, part, room):
    """Accelerations, torques and energy from the right-hand limits in `row`."""
    now = parts_of(x, part.mass.shape[0], part.ip[I_LINKS])
    residual, size = room.work[RESIDUAL], part.mass.shape[0]
    jumped = renew_frame(part, now, room, row)
    for k in range(size):
        now.a[k], room.work[COPY, k] = 0.0, 0.0
    place_far_nodes(part, now)
    copy_rows(part.mass, room.band)
    if part.ip[I_CARRIES]:
        payload_mass(part, now, room.band)
    fold_matrix(part, now, room.work[COPY], room.band)
    factor(room.band)
    tied = part.side.shape[0] > 0
    if tied:
        factor_border(part, now, room, 0.0)
        keep_ties(part, now, room)
        place_far_nodes(part, now)
    split_forces(part, now, room)
    for r in range(size):
        residual[r] = now.fc[r] + now.fd[r]
    add_inertia(part, now, residual)
    if part.ip[I_CARRIES]:
        payload_inertia(part, now, residual)
    for i in range(part.ip[I_LINKS]):
        if part.joint[i, J_LAW]:
            k = part.joint[i, J_CHANNEL]
            y, reading, turning = sensed(part, now, row, i)
            tau = law_step(row[k], part.law[k], z[k], 0.0, y, reading, turning, 0.0, 0.0, 0.0, room.law_work)
            push_drive(part.joint, i, z[k, Z_DRAG] - tau, residual)
    fold_forces(part, now, residual, room.small[S_FREE])
    solve(room.band, residual)
    if tied:
        start_ties(part, now, room, residual)
    if part.ip[I_RUBS] > 0:
        hold(part, now, room, z, row, residual)
    for k in range(size):
        now.a[k] = -residual[k]
        now.A[k] = now.a[k]
    place_far_nodes(part, now)
    if part.ip[I_THEORY] == QUASI_STATIC:
        rest_in_motion(part, now, room)
    start_of_turns(part, now, row, room.small)
    now.sums[SOFT] = STEPS if part.ip[I_SOFT] and jumped else 0.0
    settle(part, now, room, z, row, 0.0, YES[0])
