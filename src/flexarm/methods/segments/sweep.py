"""The sweeps along the chain: from the root outwards for the motion, from the tip inwards for forces and corrections.

Legend (per body, see `layout`): I inboard point, O outboard point, X, Y components of the arms I-O and I-centre in the
world. The force and moment that a body gets from the one before it depend linearly on the corrections of that point's
acceleration and of the angle,

    (m, qx, qy) = (m, qx, qy)* + S (d ax, d ay, d theta) + e ,

and `inwards` carries S and e from the free tip to the root (Riccati). It never multiplies growing matrices, so any step
will do. Three switches make it serve all solves: `push`, `speed`, `place` are the derivatives of acceleration, rate and
angle by the unknown, e.g. (1/(beta h^2), gamma/(beta h), 1) in a step, (1, 0, 0) for accelerations after a jump, and
(0, 0, 1) for equilibrium.
"""

from __future__ import annotations

import math

from flexarm.methods.segments.layout import (
    CONNECTION,
    CX,
    CY,
    OX,
    OY,
    P_GX,
    P_GY,
    RIGID,
    SPRING,
    TORQUE,
    W_AX,
    W_AY,
    W_C,
    W_G0,
    W_GT,
    W_GX,
    W_GY,
    W_PX,
    W_PY,
    W_S,
    C,
    J,
    K,
    M,
)
from flexarm.numerics.jit import njit

SMALL = 1e-2
"""Turns below this (rad) are added to a sine and a cosine by their series."""


@njit
def outwards(theta, omega, alpha, A, push, speed, place, bend, body, w, correct):
    """Apply the corrections that `inwards` left (if `correct`) and find directions and accelerations of all bodies.

    Returns the largest correction.
    """
    ax, ay, dx, dy, turn, largest = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for b in range(theta.shape[0]):
        if correct:
            turn = w[b, W_G0] + w[b, W_GX] * dx + w[b, W_GY] * dy + w[b, W_GT] * turn
            dx += w[b, W_PX] * turn
            dy += w[b, W_PY] * turn
            size = abs(turn)
            if not size <= largest:  # lets a value that is not a number through
                largest = size
            omega[b] += speed * turn
            alpha[b] += push * turn
            A[b] += bend * turn
            if place != 0.0:
                theta[b] += turn
                if size < SMALL:
                    t2 = turn * turn
                    c1 = 1.0 - t2 * (0.5 - t2 * (1.0 / 24.0 - t2 / 720.0))
                    s1 = turn * (1.0 - t2 * (1.0 / 6.0 - t2 * (1.0 / 120.0 - t2 / 5040.0)))
                    c, s = w[b, W_C], w[b, W_S]
                    w[b, W_C], w[b, W_S] = c * c1 - s * s1, s * c1 + c * s1
                else:
                    w[b, W_C], w[b, W_S] = math.cos(theta[b]), math.sin(theta[b])
        else:
            w[b, W_C], w[b, W_S] = math.cos(theta[b]), math.sin(theta[b])
        c, s = w[b, W_C], w[b, W_S]
        XO, YO = body[b, OX] * c - body[b, OY] * s, body[b, OX] * s + body[b, OY] * c
        w[b, W_AX], w[b, W_AY] = ax, ay
        spin = omega[b] * omega[b]
        ax -= alpha[b] * YO + spin * XO
        ay += alpha[b] * XO - spin * YO
    return largest


@njit
def inwards(theta, omega, alpha, push, speed, place, body, kind, motor, par, w):
    """Balance of every body at the present motion, and the corrections that would restore it, into `w`.

    motor : (B, 3) torque of the motor at each connection, and minus its slopes by the unknowns of its own body and of the
    body beyond it (both against the body before it)
    """
    Sxx, Sxy, Syx, Syy, Sxt, Syt, Smx, Smy, Smt = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    ex, ey, em, qx, qy = 0.0, 0.0, 0.0, 0.0, 0.0
    gx, gy = par[P_GX], par[P_GY]
    for b in range(theta.shape[0] - 1, -1, -1):
        c, s, m = w[b, W_C], w[b, W_S], body[b, M]
        XO, YO = body[b, OX] * c - body[b, OY] * s, body[b, OX] * s + body[b, OY] * c
        XC, YC = body[b, CX] * c - body[b, CY] * s, body[b, CX] * s + body[b, CY] * c
        turn, rate = alpha[b], omega[b]
        spin, twice = rate * rate, 2.0 * rate * speed
        # change of an arm's end acceleration per unknown: along = -(...) X, across = (...) turned by a quarter
        along, across = place * turn + twice, push - place * spin
        PX, PY = -across * YO - along * XO, across * XO - along * YO
        RX, RY = m * (-across * YC - along * XC), m * (across * XC - along * YC)
        Fx = m * (w[b, W_AX] - turn * YC - spin * XC - gx)
        Fy = m * (w[b, W_AY] + turn * XC - spin * YC - gy)
        Sxt += Sxx * PX + Sxy * PY
        Syt += Syx * PX + Syy * PY
        Smt += Smx * PX + Smy * PY
        Smt += YO * Sxt - XO * Syt + YC * RX - XC * RY - body[b, J] * push
        Smt += place * (YO * qy + XO * qx + YC * Fy + XC * Fx)
        Smx += YO * Sxx - XO * Syx + m * YC
        Smy += YO * Sxy - XO * Syy - m * XC
        em += YO * (qx + ex) - XO * (qy + ey) - body[b, J] * turn + YC * Fx - XC * Fy
        Sxx += m
        Syy += m
        Sxt += RX
        Syt += RY
        qx += Fx
        qy += Fy
        w[b, W_PX], w[b, W_PY] = PX, PY
        connection = kind[b, CONNECTION]
        if connection == SPRING:
            before, slower = (theta[b - 1], omega[b - 1]) if b > 0 else (0.0, 0.0)
            stiffness = place * body[b, K] + speed * body[b, C]
            moment = body[b, K] * (theta[b] - before) + body[b, C] * (rate - slower)
            den = 1.0 / (Smt - stiffness)
            G0, GX, GY, GT = (moment - em) * den, -Smx * den, -Smy * den, -stiffness * den
            em = em * GT + Smt * den * moment
            Smx *= GT
            Smy *= GT
            Smt *= GT
        elif connection == TORQUE:
            moment, own, beyond = -motor[b, 0], motor[b, 1], motor[b, 2]
            HT, H0, HX, HY = 0.0, 0.0, 0.0, 0.0
            if beyond != 0.0:
                H0, HX, HY, HT = w[b + 1, W_G0], w[b + 1, W_GX], w[b + 1, W_GY], w[b + 1, W_GT]
            den = 1.0 / (Smt - own - beyond * HT)
            G0 = (moment - em + beyond * H0) * den
            GX, GY, GT = (beyond * HX - Smx) * den, (beyond * HY - Smy) * den, -(own + beyond) * den
            em += Smt * G0
            Smx += Smt * GX
            Smy += Smt * GY
            Smt *= GT
        if connection != RIGID:
            Sxx += Sxt * GX
            Sxy += Sxt * GY
            Syx += Syt * GX
            Syy += Syt * GY
            ex += Sxt * G0
            ey += Syt * G0
            Sxt *= GT
            Syt *= GT
            w[b, W_G0], w[b, W_GX], w[b, W_GY], w[b, W_GT] = G0, GX, GY, GT
        else:
            w[b, W_G0], w[b, W_GX], w[b, W_GY], w[b, W_GT] = 0.0, 0.0, 0.0, 1.0
