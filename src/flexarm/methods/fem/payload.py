"""The payload: a rigid body on the tip with its centre off it; its mass turns with the section."""

from __future__ import annotations

from flexarm.methods.fem.carried import carried, excess
from flexarm.methods.fem.layout import ACCELERATION, I_PAYLOAD, P_CX, P_CY, P_GX, P_GY, P_INERTIA, P_MASS, RATE
from flexarm.numerics.jit import njit_inside


@njit_inside
def centre(part, now):
    """`carried` for the payload's centre."""
    t, par = part.payload[2], part.par
    return carried(part, now, part.ip[I_PAYLOAD], now.q[t], now.v[t], now.a[t], par[P_CX], par[P_CY])


@njit_inside
def payload_weight(part, now, fc):
    """Weight of the payload; returns its potential."""
    payload, par, q = part.payload, part.par, now.q
    at = centre(part, now)
    dx, dy, tx, ty = at[0], at[1], at[2], at[3]
    fx, fy = par[P_MASS] * par[P_GX], par[P_MASS] * par[P_GY]
    fc[payload[0]] -= fx
    fc[payload[1]] -= fy
    fc[payload[2]] -= tx * fx + ty * fy
    return -fx * (q[payload[0]] + dx) - fy * (q[payload[1]] + dy)


@njit_inside
def payload_inertia(part, now, f):
    """Add the payload's inertia forces to f; returns its kinetic energy."""
    payload, par, v, a = part.payload, part.par, now.v, now.a
    at = centre(part, now)
    tx, ty, vx, vy, ax, ay = at[2], at[3], at[4], at[5], at[6], at[7]
    spin, turn = turning_of(part, now)
    m = par[P_MASS]
    fx, fy = m * (a[payload[0]] + ax), m * (a[payload[1]] + ay)
    f[payload[0]] += fx
    f[payload[1]] += fy
    f[payload[2]] += tx * fx + ty * fy + par[P_INERTIA] * turn
    vx, vy = vx + v[payload[0]], vy + v[payload[1]]
    return 0.5 * (m * (vx * vx + vy * vy) + par[P_INERTIA] * spin * spin)


@njit_inside
def turning_of(part, now):
    """Rate and acceleration of the payload's angle."""
    i, t = part.ip[I_PAYLOAD], part.payload[2]
    return now.frame[RATE, i] + now.v[t], now.frame[ACCELERATION, i] + now.a[t]


@njit_inside
def payload_tangent(part, now, speed, push, band, b):
    """Derivatives of inertia and weight of the payload; `push` is d acceleration / d position."""
    payload, par, a = part.payload, part.par, now.a
    _dx, _dy, tx, ty, _vx, _vy, ax, ay, w, turn, bx, by = centre(part, now)
    m = par[P_MASS]
    _, _, ex, ey = excess(tx, ty, w, turn, speed)
    fx, fy = m * (a[payload[0]] + ax - par[P_GX]), m * (a[payload[1]] + ay - par[P_GY])
    gx, gy = m * (push * tx + ex), m * (push * ty + ey)
    entry = (
        (m * push, 0.0, gx),
        (0.0, m * push, gy),
        (tx * m * push, ty * m * push, bx * fx + by * fy + tx * gx + ty * gy + par[P_INERTIA] * push),
    )
    for r in range(3):
        for c in range(3):
            band[payload[r], payload[c] - payload[r] + b] += entry[r][c]


@njit_inside
def payload_mass(part, now, band):
    """Add the payload's mass matrix to a band matrix."""
    payload, par = part.payload, part.par
    at = centre(part, now)
    tx, ty = at[2], at[3]
    m, b = par[P_MASS], band.shape[1] // 2
    entry = (
        (m, 0.0, m * tx),
        (0.0, m, m * ty),
        (m * tx, m * ty, par[P_INERTIA] + m * (tx * tx + ty * ty)),
    )
    for r in range(3):
        for c in range(3):
            band[payload[r], payload[c] - payload[r] + b] += entry[r][c]
