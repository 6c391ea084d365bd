"""Steps of the sound form: predict, sweep to balance by Newton's method, end the step; and many of them.

Newmark or generalised-alpha on the absolute angles of all bodies that a spring or a torque turns, with the physical
acceleration and that of the scheme A. Bodies on rigid connections take exact rates and accelerations of the command. Joint
laws are part of the balance. After every tick of a sampled law come a few L-stable steps. A step that does not converge is
taken in halves.

Equations: G12, G13, G14.
"""

from __future__ import annotations

from flexarm.methods.segments import layout as at
from flexarm.methods.segments.drives import accepted_torques, move_rigidly_connected, trial_torques
from flexarm.methods.segments.loads import take_loads
from flexarm.methods.segments.step_end import end_step
from flexarm.methods.segments.sweep import Derivatives, inwards, outwards
from flexarm.numerics.alexander import SHARE
from flexarm.numerics.copies import copy, copy_rows
from flexarm.numerics.jit import NO, YES, borrow, njit, njit_part
from flexarm.numerics.rows import inside_row

MOST_PARTS = 64
WILD = 1e3
"""A correction beyond this (rad) is no solution."""


@njit_part
def newmark_step(now, row, z, h, part, work):
    """One step of length h to `row`; returns the number of passes, or -1 if they did not converge."""
    theta, omega, alpha, A = now.theta, now.omega, now.alpha, now.A
    beta, gamma, am, af = part.beta, part.gamma, part.alpha_m, part.alpha_f
    bend = 1.0 / (beta * h * h)
    for b in range(theta.shape[0]):
        scheme = (alpha[b] - am * A[b]) / (1.0 - am)
        if part.kind[b, at.CONNECTION] != at.RIGID:
            theta[b] += h * omega[b] + h * h * ((0.5 - beta) * A[b] + beta * scheme)
            omega[b] += h * ((1.0 - gamma) * A[b] + gamma * scheme)
        A[b] = scheme
    by = Derivatives((1.0 - am) / (1.0 - af) * bend, gamma / (beta * h), 1.0, bend)
    return newton(now, row, z, h, by, part, work)


@njit_part
def starting_step(now, row, stage_row, z, h, part, work):
    """The same by the L-stable method of `flexarm.numerics.alexander`, with the drives at its first stage."""
    theta, omega, alpha, A, w = now.theta, now.omega, now.alpha, now.A, work.body
    g = SHARE * h
    by = Derivatives(1.0 / (g * g), 1.0 / g, 1.0, 1.0 / (g * g))
    for b in range(theta.shape[0]):
        theta[b] += g * omega[b]
        alpha[b], A[b] = 0.0, 0.0
    first = newton(now, stage_row, z, g, by, part, work)
    if first < 0:
        return -1
    for b in range(theta.shape[0]):
        rate = w[b, at.W_OMEGA] + (h - g) * alpha[b]
        theta[b] = w[b, at.W_THETA] + (h - g) * omega[b] + g * rate
        omega[b], alpha[b], A[b] = rate, 0.0, 0.0
    last = newton(now, row, z, h, by, part, work)
    return first + last if last > 0 else -1


@njit_part
def newton(now, row, z, since, by, part, work):
    """Correct a predicted end of a step or stage to balance at `row`; returns the number of passes, or -1 if they did not converge.

    since : time since the states of the laws; by : derivatives by the unknown
    """
    if part.loads:
        take_loads(now, row)
    move_rigidly_connected(now, row, part)
    outwards(now, by, part, work.body, NO[0])
    for iteration in range(part.iterations):
        trial_torques(now, row, z, since, by, part, work)
        inwards(now, by, part, work)
        largest = outwards(now, by, part, work.body, YES[0])
        if not largest < WILD:
            return -1
        if largest <= part.tolerance:
            return iteration + 1
    return -1


@njit
def march(x, z, table, records, every, offset, h, part, work):
    """Step through `table`; returns steps done and records written; a step that fails in 64 parts ends it."""
    x, z, table, records = borrow(x), borrow(z), borrow(table), borrow(records)
    now, row, stage_row, w, written = at.parts_of(x, part), work.rows[0], work.rows[1], work.body, 0
    for n in range(table.shape[0] - 1):
        copy(x, work.start_x)
        copy_rows(z, work.start_z)
        parts, done, halved = 1, 0, 0
        while done < parts:
            if done + 1 == parts:
                copy_rows(table[n + 1], row)
            else:
                inside_row(table[n], table[n + 1], h, (done + 1.0) / parts, row)
            for b in range(w.shape[0]):
                w[b, at.W_THETA], w[b, at.W_OMEGA], w[b, at.W_Q] = now.theta[b], now.omega[b], now.Q[b]
            if part.loads:
                copy(now.loads, work.start_loads)
            if now.sums[at.STARTING] > 0.0:
                inside_row(table[n], table[n + 1], h, (done + SHARE) / parts, stage_row)
                count = starting_step(now, row, stage_row, z, h / parts, part, work)
            else:
                count = newmark_step(now, row, z, h / parts, part, work)
            if count > 0 and end_step(now, row, z, h / parts, part, work, NO[0]):
                now.sums[at.ITERATIONS] += count
                done += 1
                continue
            copy(work.start_x, x)
            copy_rows(work.start_z, z)
            halved += 1
            now.sums[at.HALVED] += halved
            if parts == MOST_PARTS:
                return n, written
            parts, done = 2 * parts, 0
        now.sums[at.STARTING] = max(0.0, now.sums[at.STARTING] - 1.0)
        if every > 0 and (offset + n + 1) % every == 0:
            at.write_record(x, part, records[written])
            written += 1
    return table.shape[0] - 1, written


@njit_part
def accelerate(now, row, h, part, work):
    """Accelerations (M + h/2 C + h^2/4 K) a = forces, into alpha and A: motions faster than a step of length h are left out."""
    for b in range(now.alpha.shape[0]):
        now.alpha[b] = 0.0
    move_rigidly_connected(now, row, part)
    outwards(now, Derivatives(1.0, 0.0, 0.0, 0.0), part, work.body, NO[0])
    inwards(now, Derivatives(1.0, 0.5 * h, 0.25 * h * h, 0.0), part, work)
    outwards(now, Derivatives(1.0, 0.0, 0.0, 0.0), part, work.body, YES[0])
    copy(now.alpha, now.A)


@njit
def restart(x, z, row, h, part, work):
    """Accelerations, torques and energy from the right-hand limits in `row`, by the same sweep.

    With h > 0 steps of this length go on without the motions that they cannot follow: a torque that jumps at a light
    section would else start with a huge acceleration.
    """
    now, w = at.parts_of(x, part), work.body
    if part.loads:
        take_loads(now, row)
    move_rigidly_connected(now, row, part)
    work.motor[:, :] = 0.0
    accepted_torques(now, row, z, 0.0, part, work)
    accelerate(now, row, 0.0, part, work)
    for b in range(w.shape[0]):
        w[b, at.W_THETA], w[b, at.W_OMEGA] = now.theta[b], now.omega[b]
    end_step(now, row, z, 0.0, part, work, YES[0])
    if h > 0.0:
        accelerate(now, row, h, part, work)


@njit
def correct_equilibrium(x, row, spin, part, work):
    """One correction of the angles towards equilibrium with the motors at `row`, turning at the rate `spin`; returns its size.

    No connection may be a motor's torque.
    """
    now, by = at.parts_of(x, part), Derivatives(0.0, 0.0, 1.0, 0.0)
    move_rigidly_connected(now, row, part)
    for b in range(now.omega.shape[0]):
        now.omega[b] = spin
    outwards(now, by, part, work.body, NO[0])
    inwards(now, by, part, work)
    return outwards(now, by, part, work.body, YES[0])
