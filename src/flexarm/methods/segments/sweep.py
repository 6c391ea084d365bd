"""The sweeps along the chain: from the root outwards for the motion, from the tip inwards for forces and corrections.

Legend (per body, see `layout`): I inboard point, O outboard point, X, Y components of the arms I-O and I-centre in the
world. The force and moment that a body gets from the one before it depend linearly on the corrections of that point's
acceleration and of the angle,

    (m, qx, qy) = (m, qx, qy)* + S (d ax, d ay, d theta) + e ,

and `inwards` carries S and e from the free tip to the root (Riccati). It never multiplies growing matrices, so any step
will do. Three derivatives by the unknown make it serve all solves, see `Derivatives`.

Equations: G4, G5, G6, G7, G8, G9, G10, G11.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from flexarm.methods.segments import layout as at
from flexarm.methods.segments.loads import spread_loads
from flexarm.numerics.jit import njit_part

SMALL = 1e-2
"""Turns below this (rad) are added to a sine and a cosine by their series."""


class Derivatives(NamedTuple):
    """Of acceleration, rate and angle of a body, and of the time scheme's acceleration, by the unknown of the solve.

    (1/(beta h^2), gamma/(beta h), 1, ...) in a step, (1, 0, 0, 0) for accelerations after a jump, (0, 0, 1, 0) for equilibrium.
    """

    acceleration: float
    rate: float
    angle: float
    scheme: float


@njit_part
def outwards(now, by, part, w, correct):
    """Apply the corrections that `inwards` left (if `correct`) and find directions and accelerations of all bodies.

    Returns the largest correction.
    """
    theta, omega, alpha, A, body = now.theta, now.omega, now.alpha, now.A, part.body
    ax, ay, dx, dy, turn, largest = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for b in range(theta.shape[0]):
        if correct:
            turn = w[b, at.W_G0] + w[b, at.W_GX] * dx + w[b, at.W_GY] * dy + w[b, at.W_GT] * turn
            dx += w[b, at.W_PX] * turn
            dy += w[b, at.W_PY] * turn
            size = abs(turn)
            if not size <= largest:  # lets a value that is not a number through
                largest = size
            omega[b] += by.rate * turn
            alpha[b] += by.acceleration * turn
            A[b] += by.scheme * turn
            if by.angle != 0.0:
                theta[b] += turn
                if size < SMALL:
                    t2 = turn * turn
                    c1 = 1.0 - t2 * (0.5 - t2 * (1.0 / 24.0 - t2 / 720.0))
                    s1 = turn * (1.0 - t2 * (1.0 / 6.0 - t2 * (1.0 / 120.0 - t2 / 5040.0)))
                    c, s = w[b, at.W_C], w[b, at.W_S]
                    w[b, at.W_C], w[b, at.W_S] = c * c1 - s * s1, s * c1 + c * s1
                else:
                    w[b, at.W_C], w[b, at.W_S] = math.cos(theta[b]), math.sin(theta[b])
        else:
            w[b, at.W_C], w[b, at.W_S] = math.cos(theta[b]), math.sin(theta[b])
        c, s = w[b, at.W_C], w[b, at.W_S]
        XO, YO = body[b, at.OX] * c - body[b, at.OY] * s, body[b, at.OX] * s + body[b, at.OY] * c
        w[b, at.W_AX], w[b, at.W_AY] = ax, ay
        spin = omega[b] * omega[b]
        ax -= alpha[b] * YO + spin * XO
        ay += alpha[b] * XO - spin * YO
    return largest


@njit_part
def gear_torque(now, part, b):
    """Torque that a geared rotor takes to turn with the connection of body b alone."""
    return part.body[b, at.GEAR] * (now.alpha[b] - (now.alpha[b - 1] if b > 0 else 0.0))


@njit_part
def inwards(now, by, part, work):
    """Balance of every body at the present motion, and the corrections that would restore it, into `work.body`."""
    theta, omega, alpha, body, w, motor = now.theta, now.omega, now.alpha, part.body, work.body, work.motor
    push, speed, place = by.acceleration, by.rate, by.angle
    Sxx, Sxy, Syx, Syy, Sxt, Syt, Smx, Smy, Smt = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    ex, ey, em, qx, qy = 0.0, 0.0, 0.0, 0.0, 0.0
    if part.loads:
        spread_loads((now, part, work))
    for b in range(theta.shape[0] - 1, -1, -1):
        c, s, m = w[b, at.W_C], w[b, at.W_S], body[b, at.M]
        XO, YO = body[b, at.OX] * c - body[b, at.OY] * s, body[b, at.OX] * s + body[b, at.OY] * c
        XC, YC = body[b, at.CX] * c - body[b, at.CY] * s, body[b, at.CX] * s + body[b, at.CY] * c
        turn, rate = alpha[b], omega[b]
        spin, twice = rate * rate, 2.0 * rate * speed
        # change of an arm's end acceleration per unknown: along = -(...) X, across = (...) turned by a quarter
        along, across = place * turn + twice, push - place * spin
        PX, PY = -across * YO - along * XO, across * XO - along * YO
        RX, RY = m * (-across * YC - along * XC), m * (across * XC - along * YC)
        Fx = m * (w[b, at.W_AX] - turn * YC - spin * XC - part.gravity_x)
        Fy = m * (w[b, at.W_AY] + turn * XC - spin * YC - part.gravity_y)
        Sxt += Sxx * PX + Sxy * PY
        Syt += Syx * PX + Syy * PY
        Smt += Smx * PX + Smy * PY
        Smt += YO * Sxt - XO * Syt + YC * RX - XC * RY - body[b, at.J] * push
        Smt += place * (YO * qy + XO * qx + YC * Fy + XC * Fx)
        Smx += YO * Sxx - XO * Syx + m * YC
        Smy += YO * Sxy - XO * Syy - m * XC
        em += YO * (qx + ex) - XO * (qy + ey) - body[b, at.J] * turn + YC * Fx - XC * Fy
        Sxx += m
        Syy += m
        Sxt += RX
        Syt += RY
        qx += Fx
        qy += Fy
        if part.loads:
            em += w[b, at.W_LM]
            Smt += place * w[b, at.W_DM]
            Sxt -= place * w[b, at.W_DX]
            Syt -= place * w[b, at.W_DY]
            qx -= w[b, at.W_LX]
            qy -= w[b, at.W_LY]
        w[b, at.W_PX], w[b, at.W_PY] = PX, PY
        connection = part.kind[b, at.CONNECTION]
        G0, GX, GY, GT = 0.0, 0.0, 0.0, 1.0
        if connection == at.SPRING:
            before, slower = (theta[b - 1], omega[b - 1]) if b > 0 else (0.0, 0.0)
            stiffness = place * body[b, at.K] + speed * body[b, at.C]
            moment = body[b, at.K] * (theta[b] - before) + body[b, at.C] * (rate - slower)
            den = 1.0 / (Smt - stiffness)
            G0, GX, GY, GT = (moment - em) * den, -Smx * den, -Smy * den, -stiffness * den
            em = em * GT + Smt * den * moment
            Smx *= GT
            Smy *= GT
            Smt *= GT
        elif connection == at.TORQUE:
            moment, own, beyond = (
                gear_torque(now, part, b) - motor[b, 0],
                motor[b, 1] + push * body[b, at.GEAR],
                motor[b, 2],
            )
            HT, H0, HX, HY = 0.0, 0.0, 0.0, 0.0
            if beyond != 0.0:
                H0, HX, HY, HT = w[b + 1, at.W_G0], w[b + 1, at.W_GX], w[b + 1, at.W_GY], w[b + 1, at.W_GT]
            den = 1.0 / (Smt - own - beyond * HT)
            G0 = (moment - em + beyond * H0) * den
            GX, GY, GT = (beyond * HX - Smx) * den, (beyond * HY - Smy) * den, -(own + beyond) * den
            em += Smt * G0
            Smx += Smt * GX
            Smy += Smt * GY
            Smt *= GT
        if connection != at.RIGID:
            Sxx += Sxt * GX
            Sxy += Sxt * GY
            Syx += Syt * GX
            Syy += Syt * GY
            ex += Sxt * G0
            ey += Syt * G0
            Sxt *= GT
            Syt *= GT
        w[b, at.W_G0], w[b, at.W_GX], w[b, at.W_GY], w[b, at.W_GT] = G0, GX, GY, GT
