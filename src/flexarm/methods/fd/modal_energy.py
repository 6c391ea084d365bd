"""Work, loss and impulse over an exact step, mode by mode, without any quadrature in time.

Within a step the rate of a mode is linear in y = (rate, p0 - w^2 q0, p1 - p0, b1, b2); see
`flexarm.numerics.oscillator.step_integrals` for the integrals used here. The reaction of a prescribed motion r(t) comes
from the inertia of the modes, ``R = c (r + eta r') - load + sum g_k (p_k - q_k'')``, whose time integral needs no more
than the ends of the step.

Equations: F32.
"""

from __future__ import annotations

from flexarm.methods.fd import layout as at
from flexarm.numerics import law_rows
from flexarm.numerics.jit import njit_inline, njit_inside, njit_part

GAUSS = (
    (0.04691007703066800, 0.11846344252809454),
    (0.23076534494715845, 0.23931433524968324),
    (0.50000000000000000, 0.28444444444444444),
    (0.76923465505284155, 0.23931433524968324),
    (0.95308992296933200, 0.11846344252809454),
)
"""Points and weights on 0..1; exact for the square of a polynomial of the fourth degree."""


@njit_inline
def cubic_parts(before, row, h):
    """Parts b1, b2 of the cubic acceleration that fits place, rate and acceleration at both ends of a step."""
    a0, a1 = before[0, law_rows.ACCELERATION], row[0, law_rows.ACCELERATION]
    v0 = before[0, law_rows.VELOCITY]
    mean = (row[0, law_rows.VELOCITY] - v0) / h
    path = ((row[0, law_rows.POSITION] - before[0, law_rows.POSITION]) / h - v0) / h
    even = 6.0 * mean - 3.0 * (a0 + a1)
    return even, 60.0 * path - 20.0 * a0 - 10.0 * a1 - 5.0 * even


@njit_inline
def moment(k, shape, gap, change, even, odd, modal):
    """Integral over the step of the rate of mode k times a shape of the load, END, EVEN or ODD."""
    m = modal.moments[k, shape - 1]
    return m[0] * modal.old_rate[k] + m[1] * gap + m[2] * change + m[3] * even + m[4] * odd


@njit_part
def squared_rate(k, gap, change, even, odd, modal):
    """Integral over the step of the squared rate of mode k."""
    g, rate = modal.gram[k], modal.old_rate[k]
    total = g[0, 0] * rate * rate + 2.0 * rate * (g[0, 1] * gap + g[0, 2] * change)
    total += g[1, 1] * gap * gap + 2.0 * g[1, 2] * gap * change + g[2, 2] * change * change
    if even != 0.0 or odd != 0.0:
        total += 2.0 * even * (g[0, 3] * rate + g[1, 3] * gap + g[2, 3] * change) + g[3, 3] * even * even
        total += 2.0 * odd * (g[0, 4] * rate + g[1, 4] * gap + g[2, 4] * change + g[3, 4] * even)
        total += g[4, 4] * odd * odd
    return total


@njit_part
def squared_speed(before, row, h):
    """Integral over the step of the squared rate of the motion."""
    even, odd = cubic_parts(before, row, h)
    a0 = before[0, law_rows.ACCELERATION]
    change, total = row[0, law_rows.ACCELERATION] - a0, 0.0
    for s, weight in GAUSS:
        turned = a0 * s + 0.5 * change * s * s + even * (s * s / 2.0 - s**3 / 3.0)
        turned += odd * (s * s / 2.0 - s**3 + 0.5 * s**4)
        speed = before[0, law_rows.VELOCITY] + h * turned
        total += weight * speed * speed
    return h * total


@njit_inline
def rate_moment(before, row, h):
    """Integral over the step of s times the rate of the motion."""
    p0, p1 = before[0, law_rows.POSITION], row[0, law_rows.POSITION]
    mean = 0.5 * (p0 + p1) + 0.1 * h * (before[0, law_rows.VELOCITY] - row[0, law_rows.VELOCITY])
    mean += h * h / 120.0 * (before[0, law_rows.ACCELERATION] + row[0, law_rows.ACCELERATION])
    return p1 - mean


@njit_inline
def imbalance(k, modal):
    """Force imbalance p0 - w^2 q0 of mode k at the start of the step, and the change of its load."""
    gap = modal.old_push[k] - modal.square[k] * modal.old_position[k]
    return gap, modal.push[k] - modal.old_push[k]


@njit_part
def damping_loss(even, odd, modal):
    """Loss by damping of the modes in the step."""
    total = 0.0
    for k in range(modal.square.shape[0]):
        if modal.damping[k] > 0.0:
            gap, change = imbalance(k, modal)
            g = modal.participation[k]
            total += modal.damping[k] * squared_rate(k, gap, change, g * even, g * odd, modal)
    return total


@njit_part
def strokes(weights, eta, even, odd, modal):
    """Change over the step of a quantity, the weighted sum of the modes, and the integral of s times its rate."""
    total, later = 0.0, 0.0
    for k in range(modal.square.shape[0]):
        gap, change = imbalance(k, modal)
        b1, b2 = modal.participation[k] * even, modal.participation[k] * odd
        total += weights[k] * (eta[k] - modal.old_position[k])
        later += weights[k] * moment(k, at.END, gap, change, b1, b2, modal)
    return total, later


@njit_part
def add_patch_work(eta, s, before, row, h, even, odd, arm, modal):
    """Work of the patches in the step."""
    for p in range(arm.patches):
        change, later = strokes(modal.patch[p], eta, even, odd, modal)
        if arm.prescribed:
            change += modal.patch_angle[p] * (row[0, law_rows.POSITION] - before[0, law_rows.POSITION])
            later += modal.patch_angle[p] * rate_moment(before, row, h)
        f0, f1 = before[1 + p, law_rows.FORCE], row[1 + p, law_rows.FORCE]
        s[at.WORK] += f0 * change + (f1 - f0) * later


@njit_inside
def add_modal_torque_work(eta, s, tau, drag, h, modal):
    """Work of motor and friction on the driven angle, and the angular impulse; both torques are linear in the step."""
    old, old_drag = s[at.DRIVE_TORQUE], s[at.DRAG]
    turned, later = 0.0, 0.0
    if tau != old or drag != old_drag:
        turned, later = strokes(modal.angle, eta, 0.0, 0.0, modal)
    else:
        for k in range(modal.square.shape[0]):
            turned += modal.angle[k] * (eta[k] - modal.old_position[k])
    s[at.WORK] += (old - old_drag) * turned + ((tau - drag) - (old - old_drag)) * later
    s[at.LOST] -= old_drag * turned + (drag - old_drag) * later
    s[at.IMPULSE] += 0.5 * h * (old + tau)
    s[at.DRIVE_TORQUE], s[at.DRAG] = tau, drag


@njit_part
def add_modal_motion_work(eta, rate, s, before, row, h, even, odd, arm, modal):
    """Work, impulse and loss of the prescribed motion in the step."""
    c, load, damping, mass = modal.reaction_angle, modal.reaction_load, arm.eta, arm.drive_mass
    p0, v0, a0 = before[0, law_rows.POSITION], before[0, law_rows.VELOCITY], before[0, law_rows.ACCELERATION]
    p1, v1, a1 = row[0, law_rows.POSITION], row[0, law_rows.VELOCITY], row[0, law_rows.ACCELERATION]
    turned, later = p1 - p0, rate_moment(before, row, h)
    work = 0.5 * c * (p1 * p1 - p0 * p0) - load * turned + 0.5 * mass * (v1 * v1 - v0 * v0)
    impulse = c * h * (p1 - later) - load * h + mass * (v1 - v0) + damping * c * turned
    if damping > 0.0 and c != 0.0:
        lost = damping * c * squared_speed(before, row, h)
        work += lost
        s[at.LOST] += lost
    for p in range(arm.patches):
        direct, f0, f1 = modal.patch_reaction[p], before[1 + p, law_rows.FORCE], row[1 + p, law_rows.FORCE]
        work -= direct * (f0 * turned + (f1 - f0) * later)
        impulse -= direct * 0.5 * h * (f0 + f1)
    for k in range(modal.square.shape[0]):
        g, w0, w1, start = modal.participation[k], modal.old_rate[k], rate[k], modal.old_push[k]
        b1, b2 = g * even, g * odd
        gap, change = imbalance(k, modal)
        steady, growth = start - g * a0, change - g * (a1 - a0)
        part = steady * turned + growth * later + 0.5 * g * (v1 * v1 - v0 * v0) - (w1 * v1 - w0 * v0)
        part += a0 * (eta[k] - modal.old_position[k]) + (a1 - a0) * moment(k, at.END, gap, change, b1, b2, modal)
        part += even * moment(k, at.EVEN, gap, change, b1, b2, modal)
        part += odd * moment(k, at.ODD, gap, change, b1, b2, modal)
        work += g * part
        impulse += g * (0.5 * h * (start + modal.push[k]) + h * b1 / 6.0 - (w1 - w0))
    s[at.WORK] += work
    s[at.IMPULSE] += impulse
