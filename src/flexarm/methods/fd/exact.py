"""The modal scheme: the grid's own modes, each stepped exactly for loads that vary linearly within a step.

There is no time error for torques that are constant or linear between jumps, nor for motions up to the fifth degree,
and no limit of the step. A joint law is solved with the torque at the end of the step. Work and loss are integrated
exactly as well (`modal_sums`).
"""

from __future__ import annotations

from flexarm.methods.fd.endcells import carry_ends
from flexarm.methods.fd.layout import (
    BEND_HIGH,
    BEND_LOW,
    DRAG,
    DRIVE_TORQUE,
    I_COUNT,
    I_DRIVE,
    I_LAW,
    I_MOTION,
    I_N,
    I_PAPER,
    I_PATCHES,
    I_ROOT_CELL,
    I_TIP_CELL,
    IMPULSE,
    LOST,
    NODE,
    P_ETA,
    P_SCALE,
    REACTION,
    ROOT_MOMENT,
    SUMS,
    TIP_HIGH,
    TIP_LOW,
    WORK,
)
from flexarm.methods.fd.modal_sums import (
    C_BEND_ANGLE,
    C_BEND_FIXED,
    C_BEND_ROOT,
    C_DRIVE_MASS,
    C_PATCH,
    C_REACTION_ANGLE,
    C_REACTION_LOAD,
    C_TIP_ANGLE,
    C_TIP_FIXED,
    R_ANGLE,
    R_BEND,
    R_DAMPING,
    R_LOAD,
    R_PATCH,
    R_REACTION,
    R_RIDE,
    R_SENSE,
    R_SQUARE,
    R_TIP,
    R_TORQUE,
    book_loss,
    book_motion,
    curve_of,
    later_turn,
    strokes,
)
from flexarm.methods.fd.report import derived
from flexarm.numerics.jit import borrow, njit, njit_part
from flexarm.numerics.laws import ACCELERATION, FORCE, POSITION, VELOCITY, law_step
from flexarm.numerics.laws import DRAG as Z_DRAG

FADED = 1e-140
"""Modes that have decayed to this are at rest: processors take a hundred times as long with the tiny numbers below."""


@njit_part
def load(rows, k, row, tau, ip):
    """Modal load k."""
    p = rows[R_LOAD, k] + rows[R_TORQUE, k] * tau + rows[R_RIDE, k] * row[0, ACCELERATION]
    for i in range(ip[I_PATCHES]):
        p += rows[R_PATCH + i, k] * row[1 + i, FORCE]
    return p


@njit_part
def rebuild(x, row, modes, ride, fixed, m, ip):
    """Positions and velocities of the grid from modal ones: q = ride * angle + fixed + modes eta."""
    size = ip[I_COUNT]
    q, v = x[:size], x[size : 2 * size]
    eta, rate = x[2 * size + SUMS : 3 * size + SUMS], x[3 * size + SUMS : 4 * size + SUMS]
    for j in range(size):
        q[j] = fixed[j]
        v[j] = 0.0
        if ip[I_MOTION]:
            q[j] += ride[j] * row[0, POSITION]
            v[j] = ride[j] * row[0, VELOCITY]
    for k in range(m):
        for j in range(size):
            q[j] += modes[k, j] * eta[k]
            v[j] += modes[k, j] * rate[k]


@njit_part
def reaction(eta, rate, row, rows, par, scalars, ip, m):
    """Reaction of the motion without its own inertia."""
    damping = par[P_ETA]
    value = scalars[C_REACTION_ANGLE] * (row[0, POSITION] + damping * row[0, VELOCITY]) - scalars[C_REACTION_LOAD]
    for p in range(ip[I_PATCHES]):
        value -= scalars[C_PATCH + 2 * p + 1] * row[1 + p, FORCE]
    for k in range(m):
        value += rows[R_REACTION, k] * (eta[k] + damping * rate[k])
    return value


@njit_part
def law_torque(eta, rate, steps, rows, row, law, z, h, m, work):
    """Torque of a law at the end of the step; eta, rate are without it."""
    y, v, vm, gy, gv, gm = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(m):
        reply_q, reply_v = steps[k, 6] * rows[R_TORQUE, k], steps[k, 7] * rows[R_TORQUE, k]
        y += rows[R_SENSE, k] * eta[k]
        v += rows[R_SENSE, k] * rate[k]
        vm += rows[R_ANGLE, k] * rate[k]
        gy += rows[R_SENSE, k] * reply_q
        gv += rows[R_SENSE, k] * reply_v
        gm += rows[R_ANGLE, k] * reply_v
    return law_step(row[0], law[0], z[0], h, y, v, vm, gy, gv, gm, work)


@njit_part
def modal_step(eta, rate, push, old_q, old_v, old_p, next_row, tau, steps, rows, ip, m):
    """All modes over one step; `push` are the loads, `old_` values those at its start."""
    for k in range(m):
        p = load(rows, k, next_row, tau, ip)
        q0, v0, p0 = eta[k], rate[k], push[k]
        old_q[k], old_v[k], old_p[k] = q0, v0, p0
        eta[k] = steps[k, 0] * q0 + steps[k, 1] * v0 + steps[k, 4] * p0 + steps[k, 6] * p
        rate[k] = steps[k, 2] * q0 + steps[k, 3] * v0 + steps[k, 5] * p0 + steps[k, 7] * p
        push[k] = p
        if abs(eta[k]) < FADED and abs(rate[k]) < FADED:
            eta[k] = rate[k] = 0.0


@njit_part
def follow_motion(eta, rate, even, odd, steps, rows, m):
    """What the curve of the motion adds to a step."""
    for k in range(m):
        eta[k] += rows[R_RIDE, k] * (steps[k, 8] * even + steps[k, 10] * odd)
        rate[k] += rows[R_RIDE, k] * (steps[k, 9] * even + steps[k, 11] * odd)


@njit_part
def widen(eta, row, s, rows, scalars, ip, m):
    """Widen the ranges of tip travel and tip deflection."""
    tip, bend = scalars[C_TIP_FIXED], scalars[C_BEND_FIXED] + scalars[C_BEND_ROOT] * s[ROOT_MOMENT]
    if ip[I_MOTION]:
        tip += scalars[C_TIP_ANGLE] * row[0, POSITION]
        bend += scalars[C_BEND_ANGLE] * row[0, POSITION]
    for k in range(m):
        tip += rows[R_TIP, k] * eta[k]
        bend += rows[R_BEND, k] * eta[k]
    s[TIP_LOW], s[TIP_HIGH] = min(s[TIP_LOW], tip), max(s[TIP_HIGH], tip)
    s[BEND_LOW], s[BEND_HIGH] = min(s[BEND_LOW], bend), max(s[BEND_HIGH], bend)


@njit_part
def accelerate(eta, rate, push, row, a, modes, ride, rows, ip, m):
    """Accelerations of the driven coordinate and of those at the ends of the link, into a."""
    last = NODE + ip[I_N]
    given = row[0, ACCELERATION] if ip[I_MOTION] else 0.0
    for j in (ip[I_DRIVE], NODE + 1, last - 1, last):
        a[j] = ride[j] * given
    for k in range(m):
        own = push[k] - rows[R_DAMPING, k] * rate[k] - rows[R_SQUARE, k] * eta[k]
        for j in (NODE + 1, last - 1, last):
            a[j] += modes[k, j] * own
        if ip[I_DRIVE] != NODE + 1:
            a[ip[I_DRIVE]] += modes[k, ip[I_DRIVE]] * own


@njit_part
def show(x, s, push, row, a, modes, ride, fixed, rows, coef, par, ip, m):
    """Grid quantities and torques at a step point."""
    size = ip[I_COUNT]
    eta, rate = x[2 * size + SUMS : 3 * size + SUMS], x[3 * size + SUMS : 4 * size + SUMS]
    rebuild(x, row, modes, ride, fixed, m, ip)
    accelerate(eta, rate, push, row, a, modes, ride, rows, ip, m)
    derived(x[:size], x[size : 2 * size], s, a, row, coef, par, ip)


@njit_part
def carry(x, s, push, row, h, a, modes, ride, fixed, rows, patch, coef, par, ip, m):
    """Moments of ends whose slope is no coordinate."""
    size = ip[I_COUNT]
    eta, rate = x[2 * size + SUMS : 3 * size + SUMS], x[3 * size + SUMS : 4 * size + SUMS]
    if ip[I_PAPER]:  # only there do inertia and weight count
        accelerate(eta, rate, push, row, a, modes, ride, rows, ip, m)
        rebuild(x, row, modes, ride, fixed, m, ip)
    carry_ends(x[:size], x[size : 2 * size], s, a, row, h, patch, coef, par, ip)


@njit
def march(
    x, z, table, records, every, phase, h, law, coef, par, ip, patch, work, law_work, steps, sums, rows, scalars, modes,
    ride, fixed,
):  # fmt: skip
    """Step through `table`; returns steps done and records written; a mode that is not finite ends it."""
    x, z, table, records, law, coef = borrow(x), borrow(z), borrow(table), borrow(records), borrow(law), borrow(coef)
    par, ip, patch, work, law_work = borrow(par), borrow(ip), borrow(patch), borrow(work), borrow(law_work)
    steps, sums, rows, scalars = borrow(steps), borrow(sums), borrow(rows), borrow(scalars)
    modes, ride, fixed = borrow(modes), borrow(ride), borrow(fixed)
    size, m = ip[I_COUNT], rows.shape[1]
    s = x[2 * size : 2 * size + SUMS]
    eta, rate = x[2 * size + SUMS : 3 * size + SUMS], x[3 * size + SUMS : 4 * size + SUMS]
    push, a, old_q, old_v, old_p = work[0], work[1], work[2], work[3], work[4]
    count, written, moved, damped = table.shape[0] - 1, 0, ip[I_MOTION], par[P_ETA] > 0.0
    even, odd = 0.0, 0.0
    for k in range(m):
        push[k] = load(rows, k, table[0], 0.0 if moved else s[DRIVE_TORQUE], ip)
    for i in range(count):
        row, before = table[i + 1], table[i]
        tau = 0.0 if ip[I_LAW] or moved else row[0, FORCE]
        modal_step(eta, rate, push, old_q, old_v, old_p, row, tau, steps, rows, ip, m)
        if moved:
            even, odd = curve_of(before, row, h)
            follow_motion(eta, rate, even, odd, steps, rows, m)
        if ip[I_LAW] and not moved:
            tau = law_torque(eta, rate, steps, rows, row, law, z, h, m, law_work)
            for k in range(m):
                eta[k] += steps[k, 6] * rows[R_TORQUE, k] * tau
                rate[k] += steps[k, 7] * rows[R_TORQUE, k] * tau
                push[k] += rows[R_TORQUE, k] * tau
        if not abs(eta[0]) < 1e100:
            return i, written
        if damped:
            book_loss(rate, eta, push, old_q, old_v, old_p, s, sums, rows, even, odd, m)
        if moved:
            book_motion(
                eta, rate, push, old_q, old_v, old_p, before, row, s, h, sums, rows, scalars, par, ip, even, odd, m
            )
            s[REACTION] = reaction(eta, rate, row, rows, par, scalars, ip, m)
        else:
            book_torque(eta, push, old_q, old_v, old_p, s, tau, z[0, Z_DRAG], h, sums, rows, m)
        for p in range(ip[I_PATCHES]):
            change, later = strokes(R_PATCH + p, eta, push, old_q, old_v, old_p, sums, rows, even, odd, m)
            if moved:
                change += scalars[C_PATCH + 2 * p] * (row[0, POSITION] - before[0, POSITION])
                later += scalars[C_PATCH + 2 * p] * later_turn(before, row, h)
            s[WORK] += before[1 + p, FORCE] * change + (row[1 + p, FORCE] - before[1 + p, FORCE]) * later
        if ip[I_ROOT_CELL] or ip[I_TIP_CELL]:
            carry(x, s, push, row, h, a, modes, ride, fixed, rows, patch, coef, par, ip, m)
        widen(eta, row, s, rows, scalars, ip, m)
        due = every > 0 and (phase + i + 1) % every == 0
        if due or i + 1 == count:
            show(x, s, push, row, a, modes, ride, fixed, rows, coef, par, ip, m)
        if due:
            for j in range(2 * size + SUMS):
                records[written, j] = x[j]
            written += 1
    return count, written


@njit_part
def book_torque(eta, push, old_q, old_v, old_p, s, tau, drag, h, sums, rows, m):
    """Work of motor and friction on the driven angle, and the angular impulse; both torques are linear in the step."""
    old, old_drag = s[DRIVE_TORQUE], s[DRAG]
    turned, later = 0.0, 0.0
    if tau != old or drag != old_drag:
        turned, later = strokes(R_ANGLE, eta, push, old_q, old_v, old_p, sums, rows, 0.0, 0.0, m)
    else:
        for k in range(m):
            turned += rows[R_ANGLE, k] * (eta[k] - old_q[k])
    s[WORK] += (old - old_drag) * turned + ((tau - drag) - (old - old_drag)) * later
    s[LOST] -= old_drag * turned + (drag - old_drag) * later
    s[IMPULSE] += 0.5 * h * (old + tau)
    s[DRIVE_TORQUE], s[DRAG] = tau, drag


@njit
def restart(x, z, row, law, coef, par, ip, patch, work, law_work, rows, scalars, modes, ride, fixed):
    """Torque and reaction from the right-hand limits in `row`; if the motion's rate jumps, free nodes keep theirs."""
    size, m = ip[I_COUNT], rows.shape[1]
    s = x[2 * size : 2 * size + SUMS]
    eta, rate = x[2 * size + SUMS : 3 * size + SUMS], x[3 * size + SUMS : 4 * size + SUMS]
    push, a, tau = work[0], work[1], 0.0
    if ip[I_MOTION]:
        before = x[size + ip[I_DRIVE]] / par[P_SCALE]
        s[WORK] += 0.5 * scalars[C_DRIVE_MASS] * (row[0, VELOCITY] ** 2 - before**2)
        s[IMPULSE] += scalars[C_DRIVE_MASS] * (row[0, VELOCITY] - before)
        for k in range(m):
            rate[k] += rows[R_RIDE, k] * (row[0, VELOCITY] - before)
    else:
        tau = row[0, FORCE]
        if ip[I_LAW]:
            y, v, vm = 0.0, 0.0, 0.0
            for k in range(m):
                y += rows[R_SENSE, k] * eta[k]
                v += rows[R_SENSE, k] * rate[k]
                vm += rows[R_ANGLE, k] * rate[k]
            tau = law_step(row[0], law[0], z[0], 0.0, y, v, vm, 0.0, 0.0, 0.0, law_work)
        s[DRIVE_TORQUE], s[DRAG] = tau, z[0, Z_DRAG]
    for k in range(m):
        push[k] = load(rows, k, row, tau, ip)
    if ip[I_MOTION]:
        s[REACTION] = reaction(eta, rate, row, rows, par, scalars, ip, m)
    carry(x, s, push, row, 0.0, a, modes, ride, fixed, rows, patch, coef, par, ip, m)
    show(x, s, push, row, a, modes, ride, fixed, rows, coef, par, ip, m)
    widen(eta, row, s, rows, scalars, ip, m)
