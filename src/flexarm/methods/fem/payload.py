"""The payload: a rigid body on the tip with its centre off it; its mass turns with the section."""

from __future__ import annotations

import math

from flexarm.methods.fem.element import LINK
from flexarm.methods.fem.layout import (
    ACCELERATION,
    ANGLE,
    I_PAYLOAD,
    I_THEORY,
    P_CX,
    P_CY,
    P_GX,
    P_GY,
    P_INERTIA,
    P_MASS,
    RATE,
)
from flexarm.numerics.jit import njit


@njit
def lever(q, frame, payload, par, ip):
    """Vector from the tip to the payload's centre."""
    angle = frame[ANGLE, ip[I_PAYLOAD]]
    if ip[I_THEORY] <= LINK:
        angle += q[payload[2]]
    c, s = math.cos(angle), math.sin(angle)
    return c * par[P_CX] - s * par[P_CY], s * par[P_CX] + c * par[P_CY]


@njit
def payload_weight(q, frame, payload, par, ip, fc):
    """Weight of the payload; returns its potential."""
    dx, dy = lever(q, frame, payload, par, ip)
    fx, fy = par[P_MASS] * par[P_GX], par[P_MASS] * par[P_GY]
    fc[payload[0]] -= fx
    fc[payload[1]] -= fy
    fc[payload[2]] -= dx * fy - dy * fx
    return -fx * (q[payload[0]] + dx) - fy * (q[payload[1]] + dy)


@njit
def payload_inertia(q, v, a, frame, payload, par, ip, f):
    """Add the payload's inertia forces to f; returns its kinetic energy."""
    i, t = ip[I_PAYLOAD], payload[2]
    dx, dy = lever(q, frame, payload, par, ip)
    turn, spin = frame[ACCELERATION, i] + a[t], frame[RATE, i] + v[t]
    m = par[P_MASS]
    fx = m * (a[payload[0]] - turn * dy - spin * spin * dx)
    fy = m * (a[payload[1]] + turn * dx - spin * spin * dy)
    f[payload[0]] += fx
    f[payload[1]] += fy
    f[t] += dx * fy - dy * fx + par[P_INERTIA] * turn
    vx, vy = v[payload[0]] - spin * dy, v[payload[1]] + spin * dx
    return 0.5 * (m * (vx * vx + vy * vy) + par[P_INERTIA] * spin * spin)


@njit
def payload_tangent(q, v, a, frame, payload, par, ip, speed, push, band, b):
    """Derivatives of inertia and weight of the payload; `push` is d acceleration / d position."""
    i, t = ip[I_PAYLOAD], payload[2]
    dx, dy = lever(q, frame, payload, par, ip)
    turn, spin, m = frame[ACCELERATION, i] + a[t], frame[RATE, i] + v[t], par[P_MASS]
    fx = m * (a[payload[0]] - turn * dy - spin * spin * dx - par[P_GX])
    fy = m * (a[payload[1]] + turn * dx - spin * spin * dy - par[P_GY])
    ex, ey = (-dy, dx) if ip[I_THEORY] <= LINK else (0.0, 0.0)  # change of the lever with the angle
    gx = m * (-push * dy - turn * ey - spin * spin * ex - 2.0 * spin * speed * dx)
    gy = m * (push * dx + turn * ex - spin * spin * ey - 2.0 * spin * speed * dy)
    entry = (
        (m * push, 0.0, gx),
        (0.0, m * push, gy),
        (-dy * m * push, dx * m * push, ex * fy - ey * fx + dx * gy - dy * gx + par[P_INERTIA] * push),
    )
    for r in range(3):
        for c in range(3):
            band[payload[r], payload[c] - payload[r] + b] += entry[r][c]


@njit
def payload_mass(q, frame, payload, par, ip, band):
    """Add the payload's mass matrix to a band matrix."""
    from_tip = lever(q, frame, payload, par, ip)
    dx, dy, m, b = from_tip[0], from_tip[1], par[P_MASS], band.shape[1] // 2
    entry = (
        (m, 0.0, -m * dy),
        (0.0, m, m * dx),
        (-m * dy, m * dx, par[P_INERTIA] + m * (dx * dx + dy * dy)),
    )
    for r in range(3):
        for c in range(3):
            band[payload[r], payload[c] - payload[r] + b] += entry[r][c]
