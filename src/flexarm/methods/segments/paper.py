"""Steps of the document's scheme: transfer matrices of one step, solved as a whole, and the histories after it.

The history of a body (B, H) holds position, rate and acceleration of its inboard point and of its centre, and the force on the
body beyond it; those of its angle are theta, omega, alpha of the state.
"""

from __future__ import annotations

import math

from flexarm.methods.segments.elements import (
    R_AX,
    R_AY,
    R_BT,
    R_BXC,
    R_BXI,
    R_BYI,
    R_G1,
    R_G2,
    R_QX,
    R_QY,
    R_THETA,
    body_element,
    by_product,
    by_riccati,
    expand,
    newmark_history,
    spring_element,
)
from flexarm.methods.segments.layout import (
    ANGLE,
    CHANNEL,
    CONNECTION,
    CX,
    CY,
    ITERATIONS,
    JOINTS,
    LOST,
    NUMERICAL,
    OX,
    OY,
    P_BETA,
    P_GAMMA,
    P_GX,
    P_GY,
    P_TOLERANCE,
    POWER,
    RIGID,
    SPRING,
    SUMS,
    C,
    J,
    K,
    M,
)
from flexarm.methods.segments.paper_joints import read_joints
from flexarm.numerics.jit import borrow, njit, njit_part
from flexarm.numerics.laws import POSITION

TAYLOR, FROZEN, NEWTON = range(3)
PRODUCT, RICCATI = range(2)
H_XI, H_YI, H_UI, H_VI, H_AI, H_BI, H_XC, H_YC, H_UC, H_VC, H_AC, H_BC, H_QX, H_QY = range(14)
H_SIZE = 14
"""x, y, their rates and accelerations of the inboard point, then of the centre; force on the body beyond."""


@njit_part
def prepare_references(theta, omega, history, h, par, arms, ref):
    """Reference of every body at the start of a step."""
    beta, gamma = par[P_BETA], par[P_GAMMA]
    for b in range(theta.shape[0]):
        ref[b, R_THETA] = theta[b]
        ref[b, R_G1], ref[b, R_G2] = expand(theta[b], omega[b] if arms != NEWTON else 0.0, h)
        ref[b, R_AX], ref[b, R_AY] = history[b, H_AI], history[b, H_BI]
        ref[b, R_QX], ref[b, R_QY] = history[b, H_QX], history[b, H_QY]
        for k in range(2):
            ref[b, R_BXI + k] = newmark_history(
                history[b, H_XI + k], history[b, H_UI + k], history[b, H_AI + k], h, beta, gamma
            )[0]
            ref[b, R_BXC + k] = newmark_history(
                history[b, H_XC + k], history[b, H_UC + k], history[b, H_AC + k], h, beta, gamma
            )[0]


@njit_part
def fill(theta, omega, alpha, row, h, body, kind, par, arms, ref, E):
    """Matrices of all connections (even places) and bodies (odd places)."""
    beta, gamma = par[P_BETA], par[P_GAMMA]
    A, speed = 1.0 / (beta * h * h), gamma / (beta * h)
    lag = 0.0
    for b in range(theta.shape[0]):
        history, drift = newmark_history(theta[b], omega[b], alpha[b], h, beta, gamma)
        ref[b, R_BT] = history
        if kind[b, CONNECTION] == RIGID:
            k = kind[b, CHANNEL]
            spring_element(E[2 * b], 0.0, 0.0, row[k, POSITION] if k >= 0 else body[b, ANGLE])
        else:
            stiffness = body[b, K] + body[b, C] * speed
            spring_element(E[2 * b], stiffness, -body[b, C] * (drift - lag) / stiffness, 0.0)
        lag = drift
        fx, fy = body[b, M] * par[P_GX], body[b, M] * par[P_GY]
        body_element(E[2 * b + 1], body[b], ref[b], A, fx, fy, arms != FROZEN)


@njit_part
def renew(ref, body, A, z, size):
    """Move the references to the solution; returns the largest turn."""
    largest = 0.0
    for b in range(size):
        x, y, angle = z[2 * b + 1, 0], z[2 * b + 1, 1], z[2 * b + 1, 2]
        largest = max(largest, abs(angle - ref[b, R_THETA]))
        ref[b, R_THETA] = angle
        ref[b, R_G1], ref[b, R_G2] = expand(angle, 0.0, 0.0)
        ref[b, R_AX], ref[b, R_AY] = A * x + ref[b, R_BXI], A * y + ref[b, R_BYI]
        ref[b, R_QX], ref[b, R_QY] = z[2 * b + 2, 4], z[2 * b + 2, 5]
    return largest


@njit_part
def solve_step(theta, omega, alpha, history, row, h, body, kind, par, ip, ref, E, z, S, whole, spare, a, b):
    """States behind all elements at the end of a step; returns the number of passes, or -1."""
    arms, solution, most = ip[0], ip[1], ip[2]
    A = 1.0 / (par[P_BETA] * h * h)
    prepare_references(theta, omega, history, h, par, arms, ref)
    for count in range(most):
        fill(theta, omega, alpha, row, h, body, kind, par, arms, ref, E)
        good = by_product(E, z, whole, spare, a, b) if solution == PRODUCT else by_riccati(E, z, S, a, b)
        if not good or not math.isfinite(z[E.shape[0], 0]):
            return -1
        if arms != NEWTON:
            return 1
        if renew(ref, body, A, z, theta.shape[0]) <= par[P_TOLERANCE]:
            return count + 1
    return -1


@njit_part
def step_coordinate(r, old, rate, acceleration, h, beta, gamma):
    """Rate and acceleration of a coordinate that went from `old` to r."""
    B, D = newmark_history(old, rate, acceleration, h, beta, gamma)
    return gamma / (beta * h) * r + D, r / (beta * h * h) + B


@njit_part
def take_over(theta, omega, alpha, history, h, body, kind, par, ref, z, s):
    """New histories from the states; returns what the scheme gains and what dampers resist along the step."""
    beta, gamma = par[P_BETA], par[P_GAMMA]
    gained, resisted, power = 0.0, 0.0, 0.0
    before, slower, past, past_rate = 0.0, 0.0, 0.0, 0.0
    for b in range(theta.shape[0]):
        x, y, angle = z[2 * b + 1, 0], z[2 * b + 1, 1], z[2 * b + 1, 2]
        c, sn = math.cos(ref[b, R_THETA]), math.sin(ref[b, R_THETA])
        cosine, sine = ref[b, R_G1] - sn * angle, ref[b, R_G2] + c * angle
        places = (x, y, x + body[b, CX] * cosine - body[b, CY] * sine, y + body[b, CX] * sine + body[b, CY] * cosine)
        for k in range(4):
            at = (k % 2) + (H_XI if k < 2 else H_XC)
            moved, old_rate, old_acc = places[k] - history[b, at], history[b, at + 2], history[b, at + 4]
            rate, acc = step_coordinate(places[k], history[b, at], old_rate, old_acc, h, beta, gamma)
            if k >= 2:
                gained += 0.5 * body[b, M] * (rate * rate - old_rate * old_rate - moved * (acc + old_acc))
            history[b, at], history[b, at + 2], history[b, at + 4] = places[k], rate, acc
        rate, acc = step_coordinate(angle, theta[b], omega[b], alpha[b], h, beta, gamma)
        gained += 0.5 * body[b, J] * (rate * rate - omega[b] * omega[b] - (angle - theta[b]) * (acc + alpha[b]))
        if kind[b, CONNECTION] == SPRING:
            drag, old_drag = body[b, C] * (rate - slower), body[b, C] * (omega[b] - past_rate)
            resisted += 0.5 * (drag + old_drag) * (angle - before - theta[b] + past)
            power += drag * (rate - slower)
        past, past_rate = theta[b], omega[b]
        theta[b], omega[b], alpha[b] = angle, rate, acc
        before, slower = angle, rate
        history[b, H_QX], history[b, H_QY] = z[2 * b + 2, 4], z[2 * b + 2, 5]
    lost = 0.5 * h * (s[POWER] + power)
    s[LOST] += lost
    s[NUMERICAL] += gained + lost - resisted
    s[POWER] = power


@njit
def march(
    x, table, records, every, phase, h, body, kind, joint, jfig, par, ip, ref, E, z, S, whole, spare, a, b
):  # fmt: skip
    """Step through `table`; returns steps done and records written; ends at a step that has no solution."""
    x, table, records, body, kind = borrow(x), borrow(table), borrow(records), borrow(body), borrow(kind)
    joint, jfig, par, ip, ref = borrow(joint), borrow(jfig), borrow(par), borrow(ip), borrow(ref)
    E, z, S, whole, spare, a, b = borrow(E), borrow(z), borrow(S), borrow(whole), borrow(spare), borrow(a), borrow(b)
    size, links, written = body.shape[0], joint.shape[0], 0
    theta, omega, alpha = x[:size], x[size : 2 * size], x[2 * size : 3 * size]
    width = 3 * size + JOINTS * links + SUMS
    joints = x[3 * size : width - SUMS].reshape((JOINTS, links))
    s, history = x[width - SUMS : width], x[width:].reshape((size, H_SIZE))
    for n in range(table.shape[0] - 1):
        count = solve_step(
            theta, omega, alpha, history, table[n + 1], h, body, kind, par, ip, ref, E, z, S, whole, spare, a, b
        )
        if count < 0:
            return n, written
        s[ITERATIONS] += count
        take_over(theta, omega, alpha, history, h, body, kind, par, ref, z, s)
        read_joints(theta, omega, alpha, z, joints, s, table[n], table[n + 1], body, joint, jfig)
        if every > 0 and (phase + n + 1) % every == 0:
            for k in range(width):
                records[written, k] = x[k]
            written += 1
    return table.shape[0] - 1, written


@njit
def first_history(theta, omega, alpha, body, par, history):
    """Histories of a chain that moves as its angles say, with the forces of that motion."""
    px, py, vx, vy, ax, ay = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for b in range(theta.shape[0]):
        c, s, spin, turn = math.cos(theta[b]), math.sin(theta[b]), omega[b], alpha[b]
        XO, YO = body[b, OX] * c - body[b, OY] * s, body[b, OX] * s + body[b, OY] * c
        XC, YC = body[b, CX] * c - body[b, CY] * s, body[b, CX] * s + body[b, CY] * c
        row = history[b]
        row[H_XI], row[H_YI], row[H_UI], row[H_VI], row[H_AI], row[H_BI] = px, py, vx, vy, ax, ay
        row[H_XC], row[H_YC], row[H_UC], row[H_VC] = px + XC, py + YC, vx - spin * YC, vy + spin * XC
        row[H_AC], row[H_BC] = ax - turn * YC - spin * spin * XC, ay + turn * XC - spin * spin * YC
        px, py, vx, vy = px + XO, py + YO, vx - spin * YO, vy + spin * XO
        ax, ay = ax - turn * YO - spin * spin * XO, ay + turn * XO - spin * spin * YO
    qx, qy = 0.0, 0.0
    for b in range(theta.shape[0] - 1, -1, -1):
        history[b, H_QX], history[b, H_QY] = qx, qy
        qx += body[b, M] * (history[b, H_AC] - par[P_GX])
        qy += body[b, M] * (history[b, H_BC] - par[P_GY])
