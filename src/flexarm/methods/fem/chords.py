"""Chords of links (the line from root to tip) that laws read inside the step, and the slopes of their torques.

Equations: E23.
"""

from __future__ import annotations

import math

from flexarm.methods.fem import layout as at
from flexarm.numerics.jit import njit_inside, njit_part


@njit_inside
def chord(part, now, i):
    """Angle of the line from a link's root to its last node, unwound by the angle of the first section, and its rate."""
    q, v, r, t, base = now.q, now.v, part.joint[i, at.J_FROM], part.joint[i, at.J_TO], part.joint[i, at.J_BASE]
    x, y, dx, dy = q[t], q[t + 1], v[t], v[t + 1]
    if r >= 0:
        x, y, dx, dy = x - q[r], y - q[r + 1], dx - v[r], dy - v[r + 1]
    phi = now.frame[at.ANGLE, i]
    if base >= 0:
        phi += q[base]
    c, s = math.cos(phi), math.sin(phi)
    return phi + math.atan2(c * y - s * x, c * x + s * y), (x * dy - y * dx) / (x * x + y * y)


@njit_part
def chord_slope(part, now, i, sign, dy, dv, speed, row):
    """Add the derivative of a torque by all unknowns to `row`, for slopes dy and dv by the chord of link i and its rate."""
    q, v, r, t = now.q, now.v, part.joint[i, at.J_FROM], part.joint[i, at.J_TO]
    x, y, dx, dz = q[t], q[t + 1], v[t], v[t + 1]
    if r >= 0:
        x, y, dx, dz = x - q[r], y - q[r + 1], dx - v[r], dz - v[r + 1]
    square = x * x + y * y
    xx, xy = 2.0 * x * y / (square * square), (y * y - x * x) / (square * square)
    wx = sign * (-(dy + speed * dv) * y / square + dv * (xx * dx + xy * dz))
    wy = sign * ((dy + speed * dv) * x / square + dv * (xy * dx - xx * dz))
    row[t] += wx
    row[t + 1] += wy
    if r >= 0:
        row[r] -= wx
        row[r + 1] -= wy
