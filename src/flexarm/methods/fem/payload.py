"""The payload: a rigid body on the tip with its centre off it; its mass turns with the section.

Equations: E7.
"""

from __future__ import annotations

from flexarm.methods.fem import layout as at
from flexarm.methods.fem.offset_point import offset_point, turning_terms
from flexarm.numerics.jit import njit_inside


@njit_inside
def centre(part, now):
    """`offset_point` for the payload's centre."""
    t = part.payload[2]
    return offset_point(part, now, part.payload_link, now.q[t], now.v[t], now.a[t], part.payload_x, part.payload_y)


@njit_inside
def payload_weight(part, now, fc):
    """Weight of the payload; returns its potential."""
    payload, q, point = part.payload, now.q, centre(part, now)
    fx, fy = part.payload_mass * part.gravity_x, part.payload_mass * part.gravity_y
    fc[payload[0]] -= fx
    fc[payload[1]] -= fy
    fc[payload[2]] -= point.t[0] * fx + point.t[1] * fy
    return -fx * (q[payload[0]] + point.d[0]) - fy * (q[payload[1]] + point.d[1])


@njit_inside
def payload_inertia(part, now, f):
    """Add the payload's inertia forces to f; returns its kinetic energy."""
    payload, v, a, i, point = part.payload, now.v, now.a, part.payload_link, centre(part, now)
    m, inertia = part.payload_mass, part.payload_inertia
    spin, turn = now.frame[at.RATE, i] + v[payload[2]], now.frame[at.ACCELERATION, i] + a[payload[2]]
    fx, fy = m * (a[payload[0]] + point.a[0]), m * (a[payload[1]] + point.a[1])
    f[payload[0]] += fx
    f[payload[1]] += fy
    f[payload[2]] += point.t[0] * fx + point.t[1] * fy + inertia * turn
    vx, vy = point.v[0] + v[payload[0]], point.v[1] + v[payload[1]]
    return 0.5 * (m * (vx * vx + vy * vy) + inertia * spin * spin)


@njit_inside
def add_block(payload, entry, band):
    """Add a matrix of the payload's three unknowns to a band matrix."""
    b = band.shape[1] // 2
    for r in range(3):
        for c in range(3):
            band[payload[r], payload[c] - payload[r] + b] += entry[r][c]


@njit_inside
def payload_tangent(part, now, speed, push, band):
    """Derivatives of inertia and weight of the payload; `push` is d acceleration / d position."""
    payload, a, m, point = part.payload, now.a, part.payload_mass, centre(part, now)
    (tx, ty), (bx, by) = point.t, point.b
    _, (ex, ey) = turning_terms(point, speed)
    fx, fy = m * (a[payload[0]] + point.a[0] - part.gravity_x), m * (a[payload[1]] + point.a[1] - part.gravity_y)
    gx, gy = m * (push * tx + ex), m * (push * ty + ey)
    turn = bx * fx + by * fy + tx * gx + ty * gy + part.payload_inertia * push
    add_block(payload, ((m * push, 0.0, gx), (0.0, m * push, gy), (tx * m * push, ty * m * push, turn)), band)


@njit_inside
def payload_mass(part, now, band):
    """Add the payload's mass matrix to a band matrix."""
    m, (tx, ty) = part.payload_mass, centre(part, now).t
    turn = part.payload_inertia + m * (tx * tx + ty * ty)
    add_block(part.payload, ((m, 0.0, m * tx), (0.0, m, m * ty), (m * tx, m * ty, turn)), band)
