"""Steps of the sound form: predict, sweep to balance by Newton's method, settle; and many of them.

Newmark or generalised-alpha on the absolute angles of all bodies that a spring or a torque turns, with the physical
acceleration and that of the scheme A,

    (1 - am) A+ + am A = (1 - af) a+ + af a,   theta+ = theta + h omega + h^2 [(1/2 - beta) A + beta A+],
    omega+ = omega + h [(1 - gamma) A + gamma A+],     balance at the end of the step.

Bodies on rigid connections take exact rates and accelerations of the command. Joint laws are part of the balance. A step
that does not converge is taken in halves.
"""

from __future__ import annotations

from flexarm.methods.segments.drives import follow, side, torques
from flexarm.methods.segments.layout import (
    CONNECTION,
    DRIVEN,
    HALVED,
    ITERATIONS,
    J_CHANNEL,
    J_DRIVE,
    J_MODE,
    J_SENSE_MOTOR,
    JOINTS,
    P_AF,
    P_AM,
    P_BETA,
    P_GAMMA,
    P_TOLERANCE,
    RIGID,
    SUMS,
    W_OMEGA,
    W_Q,
    W_THETA,
)
from flexarm.methods.segments.settle import settle
from flexarm.methods.segments.sweep import inwards, outwards
from flexarm.numerics.copies import copy, copy_rows
from flexarm.numerics.jit import NO, YES, borrow, njit, njit_part
from flexarm.numerics.laws import law_step
from flexarm.numerics.rows import inside_row

MOST_PARTS = 64
WILD = 1e3
"""A correction beyond this (rad) is no solution."""


@njit_part
def newton(theta, omega, alpha, A, Q, row, z, law, h, body, kind, joint, motor, par, most, w, law_work):
    """One step of length h to `row`; returns the number of passes, or -1 if they did not converge."""
    beta, gamma, am, af = par[P_BETA], par[P_GAMMA], par[P_AM], par[P_AF]
    speed, bend = gamma / (beta * h), 1.0 / (beta * h * h)
    push = (1.0 - am) / (1.0 - af) * bend
    for b in range(theta.shape[0]):
        w[b, W_THETA], w[b, W_OMEGA], w[b, W_Q] = theta[b], omega[b], Q[b]
        scheme = (alpha[b] - am * A[b]) / (1.0 - am)
        if kind[b, CONNECTION] != RIGID:
            theta[b] += h * omega[b] + h * h * ((0.5 - beta) * A[b] + beta * scheme)
            omega[b] += h * ((1.0 - gamma) * A[b] + gamma * scheme)
        A[b] = scheme
    follow(theta, omega, alpha, row, body, kind)
    outwards(theta, omega, alpha, A, push, speed, 1.0, bend, body, w, NO[0])
    for iteration in range(most):
        torques(theta, omega, row, z, law, h, speed, 1.0, joint, motor, law_work)
        inwards(theta, omega, alpha, push, speed, 1.0, body, kind, motor, par, w)
        largest = outwards(theta, omega, alpha, A, push, speed, 1.0, bend, body, w, YES[0])
        if not largest < WILD:
            return -1
        if largest <= par[P_TOLERANCE]:
            return iteration + 1
    return -1


@njit
def march(
    x, z, table, records, every, phase, h, law, body, kind, joint, jfig, motor, par, most, w, law_work, keep, rows, keep_z
):  # fmt: skip
    """Step through `table`; returns steps done and records written; a step that fails in 64 parts ends it."""
    x, z, table, records, law = borrow(x), borrow(z), borrow(table), borrow(records), borrow(law)
    body, kind, joint, jfig, motor = borrow(body), borrow(kind), borrow(joint), borrow(jfig), borrow(motor)
    par, w, law_work = borrow(par), borrow(w), borrow(law_work)
    keep, rows, keep_z = borrow(keep), borrow(rows), borrow(keep_z)
    size, links = body.shape[0], joint.shape[0]
    theta, omega, alpha = x[:size], x[size : 2 * size], x[2 * size : 3 * size]
    joints = x[3 * size : 3 * size + JOINTS * links].reshape((JOINTS, links))
    width = 3 * size + JOINTS * links + SUMS
    s, A, Q = x[width - SUMS : width], x[width : width + size], x[width + size : width + 2 * size]
    written = 0
    for n in range(table.shape[0] - 1):
        copy(x, keep)
        copy_rows(z, keep_z)
        parts = 1
        while parts <= MOST_PARTS:
            good = True
            for part in range(parts):
                if part + 1 == parts:
                    copy_rows(table[n + 1], rows)
                else:
                    inside_row(table[n], table[n + 1], h, (part + 1.0) / parts, rows)
                count = newton(
                    theta, omega, alpha, A, Q, rows, z, law, h / parts, body, kind, joint, motor, par, most, w, law_work
                )
                good = count > 0
                if good:
                    s[ITERATIONS] += count
                    good = settle(
                        theta, omega, alpha, joints, s, Q, rows, z, law, h / parts, body, kind, joint, jfig, par, w, law_work,
                        NO[0],
                    )  # fmt: skip
                if not good:
                    break
            if good:
                break
            copy(keep, x)
            copy_rows(keep_z, z)
            s[HALVED] += 1.0
            keep[width - SUMS + HALVED] = s[HALVED]
            parts *= 2
        if parts > MOST_PARTS:
            return n, written
        if every > 0 and (phase + n + 1) % every == 0:
            for k in range(width):
                records[written, k] = x[k]
            written += 1
    return table.shape[0] - 1, written


@njit_part
def accelerate(theta, omega, alpha, A, row, h, body, kind, motor, par, w):
    """Accelerations (M + h/2 C + h^2/4 K) a = forces, into alpha and A: motions faster than a step of length h are left out."""
    for b in range(alpha.shape[0]):
        alpha[b] = 0.0
    follow(theta, omega, alpha, row, body, kind)
    outwards(theta, omega, alpha, A, 1.0, 0.0, 0.0, 0.0, body, w, NO[0])
    inwards(theta, omega, alpha, 1.0, 0.5 * h, 0.25 * h * h, body, kind, motor, par, w)
    outwards(theta, omega, alpha, A, 1.0, 0.0, 0.0, 0.0, body, w, YES[0])
    for b in range(alpha.shape[0]):
        A[b] = alpha[b]


@njit
def restart(x, z, row, law, body, kind, joint, jfig, motor, par, w, law_work, h):
    """Accelerations, torques and energy from the right-hand limits in `row`, by the same sweep.

    With h > 0 steps of this length go on without the motions that they cannot follow: a torque that jumps at a light
    section would else start with a huge acceleration.
    """
    size, links = body.shape[0], joint.shape[0]
    theta, omega, alpha = x[:size], x[size : 2 * size], x[2 * size : 3 * size]
    joints = x[3 * size : 3 * size + JOINTS * links].reshape((JOINTS, links))
    width = 3 * size + JOINTS * links + SUMS
    s, A, Q = x[width - SUMS : width], x[width : width + size], x[width + size : width + 2 * size]
    follow(theta, omega, alpha, row, body, kind)
    motor[:, :] = 0.0
    for i in range(links):
        if joint[i, J_MODE] == DRIVEN:
            k, reads_motor = joint[i, J_CHANNEL], joint[i, J_SENSE_MOTOR] == 1
            y, rate = side(theta, joint, i, reads_motor), side(omega, joint, i, reads_motor)
            turning = side(omega, joint, i, YES[0])
            motor[joint[i, J_DRIVE], 0] = law_step(row[k], law[k], z[k], 0.0, y, rate, turning, 0.0, 0.0, 0.0, law_work)
    accelerate(theta, omega, alpha, A, row, 0.0, body, kind, motor, par, w)
    for b in range(size):
        w[b, W_THETA], w[b, W_OMEGA] = theta[b], omega[b]
    settle(theta, omega, alpha, joints, s, Q, row, z, law, 0.0, body, kind, joint, jfig, par, w, law_work, YES[0])
    if h > 0.0:
        accelerate(theta, omega, alpha, A, row, h, body, kind, motor, par, w)
