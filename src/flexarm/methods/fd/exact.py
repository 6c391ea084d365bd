"""The modal scheme: the grid's own modes, each stepped exactly for loads that vary linearly within a step.

There is no time error for torques that are constant or linear between jumps, nor for motions up to the fifth degree,
and no limit of the step. A joint law is
solved with the torque at the end of the step. Energy sums use the end-corrected trapezoidal rule.
"""

from __future__ import annotations

from flexarm.methods.fd.layout import (
    BEND_HIGH,
    BEND_LOW,
    DRAG,
    DRIVE_TORQUE,
    I_DRIVE,
    I_LAW,
    I_MOTION,
    I_N,
    I_PATCHES,
    IMPULSE,
    LOST,
    P_ETA,
    P_SCALE,
    REACTION,
    SUMS,
    TIP_HIGH,
    TIP_LOW,
    WORK,
)
from flexarm.methods.fd.report import derived
from flexarm.numerics.jit import borrow, njit
from flexarm.numerics.laws import ACCELERATION, FORCE, POSITION, VELOCITY, law_step
from flexarm.numerics.laws import DRAG as Z_DRAG

# rows over the modes
(
    R_TORQUE, R_RIDE, R_LOAD, R_ANGLE, R_SENSE, R_REACTION, R_DAMPING, R_SQUARE, R_TIP, R_BEND, R_PATCH,
) = range(11)  # fmt: skip
"""Load per torque, per angular acceleration of the motion, constant load; driven angle, sensor reading, reaction of
the motion; damping factor, squared frequency; tip travel, tip deflection; then load per patch amplitude."""

# scalars
(
    C_DRIVE_MASS, C_REACTION_ANGLE, C_REACTION_LOAD, C_TIP_ANGLE, C_TIP_FIXED, C_BEND_ANGLE, C_BEND_FIXED,
    C_BEND_TORQUE, C_PATCH,
) = range(9)  # fmt: skip
"""Inertia that the motion moves on its own; reaction per angle of the motion and constant part of it; the same for tip
travel and deflection; deflection per torque on a massless hub; then stroke of each patch per angle."""


@njit
def load(rows, k, row, tau, ip):
    """Modal load k."""
    p = rows[R_LOAD, k] + rows[R_TORQUE, k] * tau + rows[R_RIDE, k] * row[0, ACCELERATION]
    for i in range(ip[I_PATCHES]):
        p += rows[R_PATCH + i, k] * row[1 + i, FORCE]
    return p


@njit
def rebuild(x, row, modes, ride, fixed, m, ip):
    """Positions and velocities of the grid from modal ones: q = ride * angle + fixed + modes eta."""
    size = ip[I_N] + 4
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


@njit
def reaction(eta, rate, push, row, rows, par, scalars, m):
    """Reaction of the motion without its own inertia, and its rate of change."""
    value = scalars[C_REACTION_ANGLE] * row[0, POSITION] - scalars[C_REACTION_LOAD]
    slope = scalars[C_REACTION_ANGLE] * row[0, VELOCITY]
    damping = par[P_ETA]
    for k in range(m):
        acceleration = push[k] - rows[R_DAMPING, k] * rate[k] - rows[R_SQUARE, k] * eta[k]
        value += rows[R_REACTION, k] * (eta[k] + damping * rate[k])
        slope += rows[R_REACTION, k] * (rate[k] + damping * acceleration)
    return value, slope


@njit
def lost(eta, rate, push, rows, h, sign, m):
    """One end's share of the energy lost to modal damping (end-corrected trapezoid; sign + at the start)."""
    total = 0.0
    for k in range(m):
        d = rows[R_DAMPING, k]
        acceleration = push[k] - d * rate[k] - rows[R_SQUARE, k] * eta[k]
        total += d * rate[k] * (0.5 * h * rate[k] + sign * h * h / 6.0 * acceleration)
    return total


@njit
def angle(eta, rate, rows, m):
    """Driven angle and its rate."""
    total, speed = 0.0, 0.0
    for k in range(m):
        total += rows[R_ANGLE, k] * eta[k]
        speed += rows[R_ANGLE, k] * rate[k]
    return total, speed


@njit
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


@njit
def modal_step(eta, rate, push, next_row, tau, steps, rows, ip, m):
    """All modes over one step; `push` holds the loads at its start and afterwards those at its end."""
    for k in range(m):
        p = load(rows, k, next_row, tau, ip)
        q0, v0, p0 = eta[k], rate[k], push[k]
        eta[k] = steps[k, 0] * q0 + steps[k, 1] * v0 + steps[k, 4] * p0 + steps[k, 6] * p
        rate[k] = steps[k, 2] * q0 + steps[k, 3] * v0 + steps[k, 5] * p0 + steps[k, 7] * p
        push[k] = p


@njit
def follow_motion(eta, rate, before, row, h, steps, rows, m):
    """What the curve of the motion adds to a step: its acceleration is the cubic that fits place, rate and
    acceleration at both ends."""
    a0, a1 = before[0, ACCELERATION], row[0, ACCELERATION]
    mean = (row[0, VELOCITY] - before[0, VELOCITY]) / h
    path = ((row[0, POSITION] - before[0, POSITION]) / h - before[0, VELOCITY]) / h
    even = 6.0 * mean - 3.0 * (a0 + a1)
    odd = 60.0 * path - 20.0 * a0 - 10.0 * a1 - 5.0 * even
    for k in range(m):
        eta[k] += rows[R_RIDE, k] * (steps[k, 8] * even + steps[k, 10] * odd)
        rate[k] += rows[R_RIDE, k] * (steps[k, 9] * even + steps[k, 11] * odd)


@njit
def stroke(eta, rate, row, rows, scalars, p, ip, m):
    """Displacement on which patch p works, and its rate."""
    total, speed = 0.0, 0.0
    if ip[I_MOTION]:
        total, speed = scalars[C_PATCH + p] * row[0, POSITION], scalars[C_PATCH + p] * row[0, VELOCITY]
    for k in range(m):
        total += rows[R_PATCH + p, k] * eta[k]
        speed += rows[R_PATCH + p, k] * rate[k]
    return total, speed


@njit
def widen(eta, row, s, rows, scalars, ip, m):
    """Widen the ranges of tip travel and tip deflection."""
    tip, bend = scalars[C_TIP_FIXED], scalars[C_BEND_FIXED] + scalars[C_BEND_TORQUE] * s[DRIVE_TORQUE]
    if ip[I_MOTION]:
        tip += scalars[C_TIP_ANGLE] * row[0, POSITION]
        bend += scalars[C_BEND_ANGLE] * row[0, POSITION]
    for k in range(m):
        tip += rows[R_TIP, k] * eta[k]
        bend += rows[R_BEND, k] * eta[k]
    s[TIP_LOW], s[TIP_HIGH] = min(s[TIP_LOW], tip), max(s[TIP_HIGH], tip)
    s[BEND_LOW], s[BEND_HIGH] = min(s[BEND_LOW], bend), max(s[BEND_HIGH], bend)


@njit
def linear_work(old, new, start, end, speed0, speed1, h):
    """Work of a load that goes from `old` to `new` linearly, on a stroke known with its rates at both ends."""
    return 0.5 * (old + new) * (end - start) - h / 12.0 * (new - old) * (speed0 - speed1)


@njit
def motion_work(force0, slope0, force1, slope1, before, row, h):
    """Work of the reaction on the given motion, end-corrected trapezoid."""
    power0, power1 = force0 * before[0, VELOCITY], force1 * row[0, VELOCITY]
    change0 = slope0 * before[0, VELOCITY] + force0 * before[0, ACCELERATION]
    change1 = slope1 * row[0, VELOCITY] + force1 * row[0, ACCELERATION]
    return 0.5 * h * (power0 + power1) + h * h / 12.0 * (change0 - change1)


@njit
def show(x, s, push, row, work, modes, ride, fixed, rows, coef, par, ip, m):
    """Grid quantities and torques at a step point."""
    size = ip[I_N] + 4
    eta, rate = x[2 * size + SUMS : 3 * size + SUMS], x[3 * size + SUMS : 4 * size + SUMS]
    rebuild(x, row, modes, ride, fixed, m, ip)
    acceleration = 0.0
    for k in range(m):
        own = push[k] - rows[R_DAMPING, k] * rate[k] - rows[R_SQUARE, k] * eta[k]
        acceleration += rows[R_ANGLE, k] * own
    work[1, ip[I_DRIVE]] = acceleration * par[P_SCALE]
    derived(x[:size], x[size : 2 * size], s, work[1], row, coef, par, ip)


@njit
def march(
    x,
    z,
    table,
    records,
    every,
    phase,
    h,
    law,
    coef,
    par,
    ip,
    work,
    law_work,
    steps,
    rows,
    scalars,
    modes,
    ride,
    fixed,
):
    """Step through `table`; returns steps done and records written; a mode that is not finite ends it."""
    x, z, table, records, law, coef = (
        borrow(x),
        borrow(z),
        borrow(table),
        borrow(records),
        borrow(law),
        borrow(coef),
    )
    par, ip, work, law_work, steps, rows = (
        borrow(par),
        borrow(ip),
        borrow(work),
        borrow(law_work),
        borrow(steps),
        borrow(rows),
    )
    scalars, modes, ride, fixed = borrow(scalars), borrow(modes), borrow(ride), borrow(fixed)
    size, m = ip[I_N] + 4, rows.shape[1]
    s = x[2 * size : 2 * size + SUMS]
    eta, rate = x[2 * size + SUMS : 3 * size + SUMS], x[3 * size + SUMS : 4 * size + SUMS]
    push, start, speed = work[0], work[2], work[3]
    count, written, moved, damped = table.shape[0] - 1, 0, ip[I_MOTION], par[P_ETA] > 0.0
    for k in range(m):
        push[k] = load(rows, k, table[0], 0.0 if moved else s[DRIVE_TORQUE], ip)
    for i in range(count):
        row, before = table[i + 1], table[i]
        theta0, speed0 = angle(eta, rate, rows, m)
        force0, slope0 = 0.0, 0.0
        if moved:
            force0, slope0 = reaction(eta, rate, push, before, rows, par, scalars, m)
        if damped:
            s[LOST] += lost(eta, rate, push, rows, h, 1.0, m)
        for p in range(ip[I_PATCHES]):
            start[p], speed[p] = stroke(eta, rate, before, rows, scalars, p, ip, m)
        tau = 0.0 if ip[I_LAW] or moved else row[0, FORCE]
        modal_step(eta, rate, push, row, tau, steps, rows, ip, m)
        if moved:
            follow_motion(eta, rate, before, row, h, steps, rows, m)
        if ip[I_LAW] and not moved:
            tau = law_torque(eta, rate, steps, rows, row, law, z, h, m, law_work)
            for k in range(m):
                eta[k] += steps[k, 6] * rows[R_TORQUE, k] * tau
                rate[k] += steps[k, 7] * rows[R_TORQUE, k] * tau
                push[k] += rows[R_TORQUE, k] * tau
        if not abs(eta[0]) < 1e100:
            return i, written
        if damped:
            s[LOST] += lost(eta, rate, push, rows, h, -1.0, m)
        if moved:
            force, slope = reaction(eta, rate, push, row, rows, par, scalars, m)
            s[WORK] += motion_work(force0, slope0, force, slope, before, row, h)
            s[WORK] += 0.5 * scalars[C_DRIVE_MASS] * (row[0, VELOCITY] ** 2 - before[0, VELOCITY] ** 2)
            s[IMPULSE] += 0.5 * h * (force0 + force) + h * h / 12.0 * (slope0 - slope)
            s[IMPULSE] += scalars[C_DRIVE_MASS] * (row[0, VELOCITY] - before[0, VELOCITY])
            s[REACTION] = force
        else:
            theta1, speed1 = angle(eta, rate, rows, m)
            drag = z[0, Z_DRAG]
            s[WORK] += linear_work(s[DRIVE_TORQUE] - s[DRAG], tau - drag, theta0, theta1, speed0, speed1, h)
            s[LOST] -= linear_work(s[DRAG], drag, theta0, theta1, speed0, speed1, h)
            s[IMPULSE] += 0.5 * h * (s[DRIVE_TORQUE] + tau)
            s[DRIVE_TORQUE], s[DRAG] = tau, drag
        for p in range(ip[I_PATCHES]):
            end, rate_end = stroke(eta, rate, row, rows, scalars, p, ip, m)
            force_a, force_b = before[1 + p, FORCE], row[1 + p, FORCE]
            s[WORK] += linear_work(force_a, force_b, start[p], end, speed[p], rate_end, h)
        widen(eta, row, s, rows, scalars, ip, m)
        due = every > 0 and (phase + i + 1) % every == 0
        if due or i + 1 == count:
            show(x, s, push, row, work, modes, ride, fixed, rows, coef, par, ip, m)
        if due:
            for j in range(2 * size + SUMS):
                records[written, j] = x[j]
            written += 1
    return count, written


@njit
def restart(x, z, row, h, law, coef, par, ip, work, law_work, rows, scalars, modes, ride, fixed):
    """Torque and reaction from the right-hand limits in `row`; if the motion's rate jumps, free nodes keep theirs."""
    size, m = ip[I_N] + 4, rows.shape[1]
    s = x[2 * size : 2 * size + SUMS]
    eta, rate = x[2 * size + SUMS : 3 * size + SUMS], x[3 * size + SUMS : 4 * size + SUMS]
    push, tau = work[0], 0.0
    if ip[I_MOTION]:
        before = x[size + ip[I_DRIVE]] / par[P_SCALE]
        s[WORK] += 0.5 * scalars[C_DRIVE_MASS] * (row[0, VELOCITY] ** 2 - before**2)
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
        s[REACTION] = reaction(eta, rate, push, row, rows, par, scalars, m)[0]
    show(x, s, push, row, work, modes, ride, fixed, rows, coef, par, ip, m)
    widen(eta, row, s, rows, scalars, ip, m)
