"""Work, loss and impulse over an exact step, mode by mode, without any quadrature in time.

Within a step the rate of a mode is linear in y = (rate, p0 - w^2 q0, p1 - p0, b1, b2); see
`flexarm.numerics.oscillator.step_integrals` for the integrals used here. The reaction of a prescribed motion r(t) comes
from the inertia of the modes, ``R = c (r + eta r') - load + sum g_k (p_k - q_k'')``, whose time integral needs no more
than the ends of the step.
"""

from __future__ import annotations

from flexarm.methods.fd.layout import (
    I_PATCHES,
    IMPULSE,
    LOST,
    P_ETA,
    WORK,
)
from flexarm.numerics.jit import njit_inline, njit_part
from flexarm.numerics.laws import ACCELERATION, FORCE, POSITION, VELOCITY

# rows over the modes
(
    R_TORQUE, R_RIDE, R_LOAD, R_ANGLE, R_SENSE, R_REACTION, R_DAMPING, R_SQUARE, R_TIP, R_BEND, R_PATCH,
) = range(11)  # fmt: skip
"""Load per torque, per angular acceleration of the motion, constant load; driven angle, sensor reading, reaction of
the motion; damping factor, squared frequency; tip travel, tip deflection; then load per patch amplitude."""

# scalars
(
    C_DRIVE_MASS, C_REACTION_ANGLE, C_REACTION_LOAD, C_TIP_ANGLE, C_TIP_FIXED, C_BEND_ANGLE, C_BEND_FIXED,
    C_BEND_ROOT, C_PATCH,
) = range(9)  # fmt: skip
"""Inertia that the motion moves on its own; reaction per angle of the motion and constant part of it; the same for tip
travel and deflection; deflection per root moment of a massless hub; then per patch its stroke per angle, and its direct
part of the reaction."""

GRAM = 15
"""Where the integrals of the squared rate begin in a row of `sums`; before it stand those of the moments."""

GAUSS = (
    (0.04691007703066800, 0.11846344252809454),
    (0.23076534494715845, 0.23931433524968324),
    (0.50000000000000000, 0.28444444444444444),
    (0.76923465505284155, 0.23931433524968324),
    (0.95308992296933200, 0.11846344252809454),
)
"""Points and weights on 0..1; exact for the square of a polynomial of the fourth degree."""


@njit_inline
def curve_of(before, row, h):
    """Parts b1, b2 of the cubic acceleration that fits place, rate and acceleration at both ends of a step."""
    a0, a1 = before[0, ACCELERATION], row[0, ACCELERATION]
    mean = (row[0, VELOCITY] - before[0, VELOCITY]) / h
    path = ((row[0, POSITION] - before[0, POSITION]) / h - before[0, VELOCITY]) / h
    even = 6.0 * mean - 3.0 * (a0 + a1)
    return even, 60.0 * path - 20.0 * a0 - 10.0 * a1 - 5.0 * even


@njit_inline
def moment(sums, k, j, rate, gap, change, even, odd):
    """Integral over the step of the rate of mode k times shape j: s, s (1 - s), s (1 - s) (1 - 2 s)."""
    row = sums[k]
    i = 5 * j
    return row[i] * rate + row[i + 1] * gap + row[i + 2] * change + row[i + 3] * even + row[i + 4] * odd


@njit_part
def squared_rate(sums, k, rate, gap, change, even, odd):
    """Integral over the step of the squared rate of mode k; upper triangle of its matrix by rows."""
    g = sums[k, GRAM:]
    total = g[0] * rate * rate + 2.0 * rate * (g[1] * gap + g[2] * change)
    total += g[5] * gap * gap + 2.0 * g[6] * gap * change + g[9] * change * change
    if even != 0.0 or odd != 0.0:
        total += 2.0 * even * (g[3] * rate + g[7] * gap + g[10] * change) + g[12] * even * even
        total += 2.0 * odd * (g[4] * rate + g[8] * gap + g[11] * change + g[13] * even) + g[14] * odd * odd
    return total


@njit_part
def squared_speed(before, row, h):
    """Integral over the step of the squared rate of the motion."""
    even, odd = curve_of(before, row, h)
    a0, change = before[0, ACCELERATION], row[0, ACCELERATION] - before[0, ACCELERATION]
    total = 0.0
    for s, weight in GAUSS:
        turned = a0 * s + 0.5 * change * s * s + even * (s * s / 2.0 - s**3 / 3.0)
        turned += odd * (s * s / 2.0 - s**3 + 0.5 * s**4)
        speed = before[0, VELOCITY] + h * turned
        total += weight * speed * speed
    return h * total


@njit_inline
def later_turn(before, row, h):
    """Integral over the step of s times the rate of the motion."""
    mean = 0.5 * (before[0, POSITION] + row[0, POSITION]) + 0.1 * h * (before[0, VELOCITY] - row[0, VELOCITY])
    mean += h * h / 120.0 * (before[0, ACCELERATION] + row[0, ACCELERATION])
    return row[0, POSITION] - mean


@njit_part
def book_loss(rate, eta, push, old_q, old_v, old_p, s, sums, rows, even, odd, m):
    """Loss by damping of the modes in the step; `old_` values are those at its start."""
    total = 0.0
    for k in range(m):
        d = rows[R_DAMPING, k]
        if d > 0.0:
            gap = old_p[k] - rows[R_SQUARE, k] * old_q[k]
            b1, b2 = rows[R_RIDE, k] * even, rows[R_RIDE, k] * odd
            total += d * squared_rate(sums, k, old_v[k], gap, push[k] - old_p[k], b1, b2)
    s[LOST] += total


@njit_part
def strokes(place, eta, push, old_q, old_v, old_p, sums, rows, even, odd, m):
    """Change over the step of the quantity in row `place`, and the integral of s times its rate."""
    change, later = 0.0, 0.0
    for k in range(m):
        gap = old_p[k] - rows[R_SQUARE, k] * old_q[k]
        b1, b2 = rows[R_RIDE, k] * even, rows[R_RIDE, k] * odd
        change += rows[place, k] * (eta[k] - old_q[k])
        later += rows[place, k] * moment(sums, k, 0, old_v[k], gap, push[k] - old_p[k], b1, b2)
    return change, later


@njit_part
def book_motion(eta, rate, push, old_q, old_v, old_p, before, row, s, h, sums, rows, scalars, par, ip, even, odd, m):
    """Work, impulse and loss of the prescribed motion in the step."""
    c, load, damping = scalars[C_REACTION_ANGLE], scalars[C_REACTION_LOAD], par[P_ETA]
    p0, v0, a0 = before[0, POSITION], before[0, VELOCITY], before[0, ACCELERATION]
    p1, v1, a1 = row[0, POSITION], row[0, VELOCITY], row[0, ACCELERATION]
    turned, later = p1 - p0, later_turn(before, row, h)
    work = 0.5 * c * (p1 * p1 - p0 * p0) - load * turned + 0.5 * scalars[C_DRIVE_MASS] * (v1 * v1 - v0 * v0)
    impulse = c * h * (p1 - later) - load * h + scalars[C_DRIVE_MASS] * (v1 - v0) + damping * c * turned
    if damping > 0.0 and c != 0.0:
        lost = damping * c * squared_speed(before, row, h)
        work += lost
        s[LOST] += lost
    for p in range(ip[I_PATCHES]):
        direct, f0, f1 = scalars[C_PATCH + 2 * p + 1], before[1 + p, FORCE], row[1 + p, FORCE]
        work -= direct * (f0 * turned + (f1 - f0) * later)
        impulse -= direct * 0.5 * h * (f0 + f1)
    for k in range(m):
        g, w0, w1 = rows[R_RIDE, k], old_v[k], rate[k]
        b1, b2 = g * even, g * odd
        gap, change = old_p[k] - rows[R_SQUARE, k] * old_q[k], push[k] - old_p[k]
        steady, growth = old_p[k] - g * a0, change - g * (a1 - a0)
        part = steady * turned + growth * later + 0.5 * g * (v1 * v1 - v0 * v0) - (w1 * v1 - w0 * v0)
        part += a0 * (eta[k] - old_q[k]) + (a1 - a0) * moment(sums, k, 0, w0, gap, change, b1, b2)
        part += even * moment(sums, k, 1, w0, gap, change, b1, b2)
        part += odd * moment(sums, k, 2, w0, gap, change, b1, b2)
        work += g * part
        impulse += g * (0.5 * h * (old_p[k] + push[k]) + h * b1 / 6.0 - (w1 - w0))
    s[WORK] += work
    s[IMPULSE] += impulse
