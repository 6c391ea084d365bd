"""Steps of the document's scheme: transfer matrices of one step, solved as a whole, and the histories after it.

The history of a body (B, H) holds position, rate and acceleration of its inboard point and of its centre, and the force on the
body beyond it; those of its angle are theta, omega, alpha of the state.

Equations: G16, G24, G25, G26, G27.
"""

from __future__ import annotations

import math

from flexarm.methods.segments import elements as el
from flexarm.methods.segments import layout as at
from flexarm.methods.segments.drives import end_joints
from flexarm.numerics.bundle import Bundle
from flexarm.numerics.jit import NO, borrow, njit, njit_part
from flexarm.numerics.laws import POSITION

TAYLOR, FROZEN, NEWTON = range(3)
PRODUCT, RICCATI = range(2)
H_XI, H_YI, H_UI, H_VI, H_AI, H_BI, H_XC, H_YC, H_UC, H_VC, H_AC, H_BC, H_QX, H_QY = range(14)
H_SIZE = 14
"""x, y, their rates and accelerations of the inboard point, then of the centre; force on the body beyond."""


class Choice(Bundle):
    """How the arms of the forces are taken, and how the matrices are solved."""

    arms: int
    solution: int


@njit_part
def prepare_references(now, history, h, part, arms, ref):
    """Reference of every body at the start of a step."""
    for b in range(ref.shape[0]):
        old, r = history[b], ref[b]
        r[el.R_THETA] = now.theta[b]
        r[el.R_G1], r[el.R_G2] = el.expand(now.theta[b], now.omega[b] if arms != NEWTON else 0.0, h)
        r[el.R_AX], r[el.R_AY], r[el.R_QX], r[el.R_QY] = old[H_AI], old[H_BI], old[H_QX], old[H_QY]
        for k in range(2):
            inboard = el.newmark_history(old[H_XI + k], old[H_UI + k], old[H_AI + k], h, part.beta, part.gamma)
            centre = el.newmark_history(old[H_XC + k], old[H_UC + k], old[H_AC + k], h, part.beta, part.gamma)
            r[el.R_BXI + k], r[el.R_BXC + k] = inboard[0], centre[0]


@njit_part
def fill_matrices(now, row, h, part, arms, work):
    """Matrices of all connections (even places) and bodies (odd places)."""
    body, E, ref = part.body, work.elements, work.reference
    A, speed = 1.0 / (part.beta * h * h), part.gamma / (part.beta * h)
    lag = 0.0
    for b in range(body.shape[0]):
        history, drift = el.newmark_history(now.theta[b], now.omega[b], now.alpha[b], h, part.beta, part.gamma)
        ref[b, el.R_BT] = history
        if part.kind[b, at.CONNECTION] == at.RIGID:
            k = part.kind[b, at.CHANNEL]
            el.spring_element(E[2 * b], 0.0, 0.0, row[k, POSITION] if k >= 0 else body[b, at.ANGLE])
        else:
            stiffness = body[b, at.K] + body[b, at.C] * speed
            el.spring_element(E[2 * b], stiffness, -body[b, at.C] * (drift - lag) / stiffness, 0.0)
        lag = drift
        fx, fy = body[b, at.M] * part.gravity_x, body[b, at.M] * part.gravity_y
        el.body_element(E[2 * b + 1], body[b], ref[b], A, fx, fy, arms != FROZEN)


@njit_part
def move_references(ref, A, z, size):
    """Move the references to the solution; returns the largest turn."""
    largest = 0.0
    for b in range(size):
        r, x, y, angle = ref[b], z[2 * b + 1, 0], z[2 * b + 1, 1], z[2 * b + 1, 2]
        largest = max(largest, abs(angle - r[el.R_THETA]))
        r[el.R_THETA] = angle
        r[el.R_G1], r[el.R_G2] = el.expand(angle, 0.0, 0.0)
        r[el.R_AX], r[el.R_AY] = A * x + r[el.R_BXI], A * y + r[el.R_BYI]
        r[el.R_QX], r[el.R_QY] = z[2 * b + 2, 4], z[2 * b + 2, 5]
    return largest


@njit_part
def solve_step(now, history, row, h, part, choice, work):
    """States behind all elements at the end of a step; returns the number of passes, or -1."""
    prepare_references(now, history, h, part, choice.arms, work.reference)
    for count in range(part.iterations):
        fill_matrices(now, row, h, part, choice.arms, work)
        good = el.by_product(work) if choice.solution == PRODUCT else el.by_riccati(work)
        if not good or not math.isfinite(work.states[work.elements.shape[0], 0]):
            return -1
        if choice.arms != NEWTON:
            return 1
        turn = move_references(work.reference, 1.0 / (part.beta * h * h), work.states, part.body.shape[0])
        if turn <= part.tolerance:
            return count + 1
    return -1


@njit_part
def step_coordinate(r, old, rate, acceleration, h, part):
    """Rate and acceleration of a coordinate that went from `old` to r."""
    B, D = el.newmark_history(old, rate, acceleration, h, part.beta, part.gamma)
    return part.gamma / (part.beta * h) * r + D, r / (part.beta * h * h) + B


@njit_part
def update_histories(now, history, h, part, work, w):
    """New histories from the states, moments of the connections into `w`, and the sums of losses and of what the scheme gains."""
    theta, omega, alpha, body, ref, z = now.theta, now.omega, now.alpha, part.body, work.reference, work.states
    gained, resisted, power = 0.0, 0.0, 0.0
    before, slower, past, past_rate = 0.0, 0.0, 0.0, 0.0
    for b in range(theta.shape[0]):
        x, y, angle = z[2 * b + 1, 0], z[2 * b + 1, 1], z[2 * b + 1, 2]
        c, sn = math.cos(ref[b, el.R_THETA]), math.sin(ref[b, el.R_THETA])
        cosine, sine = ref[b, el.R_G1] - sn * angle, ref[b, el.R_G2] + c * angle
        cx, cy = body[b, at.CX], body[b, at.CY]
        places = (x, y, x + cx * cosine - cy * sine, y + cx * sine + cy * cosine)
        for k in range(4):
            first = (k % 2) + (H_XI if k < 2 else H_XC)
            moved, old_rate, old_acc = places[k] - history[b, first], history[b, first + 2], history[b, first + 4]
            rate, acc = step_coordinate(places[k], history[b, first], old_rate, old_acc, h, part)
            if k >= 2:
                gained += 0.5 * body[b, at.M] * (rate * rate - old_rate * old_rate - moved * (acc + old_acc))
            history[b, first], history[b, first + 2], history[b, first + 4] = places[k], rate, acc
        rate, acc = step_coordinate(angle, theta[b], omega[b], alpha[b], h, part)
        gained += 0.5 * body[b, at.J] * (rate * rate - omega[b] * omega[b] - (angle - theta[b]) * (acc + alpha[b]))
        if part.kind[b, at.CONNECTION] == at.SPRING:
            drag, old_drag = body[b, at.C] * (rate - slower), body[b, at.C] * (omega[b] - past_rate)
            resisted += 0.5 * (drag + old_drag) * (angle - before - theta[b] + past)
            power += drag * (rate - slower)
        past, past_rate = theta[b], omega[b]
        theta[b], omega[b], alpha[b] = angle, rate, acc
        before, slower = angle, rate
        history[b, H_QX], history[b, H_QY] = z[2 * b + 2, 4], z[2 * b + 2, 5]
        w[b, at.W_MOMENT] = z[2 * b, 3]
    lost = 0.5 * h * (now.sums[at.POWER] + power)
    now.sums[at.LOST] += lost
    now.sums[at.NUMERICAL] += gained + lost - resisted
    now.sums[at.POWER] = power


@njit
def march(x, z, table, records, every, offset, h, part, choice, work, w):
    """Step through `table`; returns steps done and records written; ends at a step that has no solution."""
    x, z, table, records, w = borrow(x), borrow(z), borrow(table), borrow(records), borrow(w)
    now, written = at.parts_of(x, part), 0
    size = part.body.shape[0]
    history = x[x.shape[0] - H_SIZE * size :].reshape((size, H_SIZE))
    for n in range(table.shape[0] - 1):
        count = solve_step(now, history, table[n + 1], h, part, choice, work)
        if count < 0:
            return n, written
        now.sums[at.ITERATIONS] += count
        update_histories(now, history, h, part, work, w)
        end_joints(now, z, part, w, NO[0])
        if every > 0 and (offset + n + 1) % every == 0:
            at.write_record(x, part, records[written])
            written += 1
    return table.shape[0] - 1, written


@njit
def first_history(x, part):
    """Histories of a chain that moves as its angles say, with the forces of that motion."""
    now, body = at.parts_of(x, part), part.body
    size = body.shape[0]
    history = x[x.shape[0] - H_SIZE * size :].reshape((size, H_SIZE))
    px, py, vx, vy, ax, ay = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for b in range(size):
        c, s, spin, turn = math.cos(now.theta[b]), math.sin(now.theta[b]), now.omega[b], now.alpha[b]
        XO, YO = body[b, at.OX] * c - body[b, at.OY] * s, body[b, at.OX] * s + body[b, at.OY] * c
        XC, YC = body[b, at.CX] * c - body[b, at.CY] * s, body[b, at.CX] * s + body[b, at.CY] * c
        row = history[b]
        row[H_XI], row[H_YI], row[H_UI], row[H_VI], row[H_AI], row[H_BI] = px, py, vx, vy, ax, ay
        row[H_XC], row[H_YC], row[H_UC], row[H_VC] = px + XC, py + YC, vx - spin * YC, vy + spin * XC
        row[H_AC], row[H_BC] = ax - turn * YC - spin * spin * XC, ay + turn * XC - spin * spin * YC
        px, py, vx, vy = px + XO, py + YO, vx - spin * YO, vy + spin * XO
        ax, ay = ax - turn * YO - spin * spin * XO, ay + turn * XO - spin * spin * YO
    qx, qy = 0.0, 0.0
    for b in range(size - 1, -1, -1):
        history[b, H_QX], history[b, H_QY] = qx, qy
        qx += body[b, at.M] * (history[b, H_AC] - part.gravity_x)
        qy += body[b, at.M] * (history[b, H_BC] - part.gravity_y)
