"""Kinematics of a point at a fixed offset on a section: the payload's centre, the end of a rigid link.

With d the offset turned into the world and t its quarter turn, d moves by t per angle of the section. The theories of
large rotations turn d by Theta + chi; those of small displacements about the command take d = d0 + chi t0 with d0 turned
by Theta alone.

Equations: E7.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from flexarm.methods.fem import layout as at
from flexarm.numerics.jit import njit_inside

Pair = tuple[float, float]


class Offset(NamedTuple):
    """Such a point relative to the section's node: place d, its change t and second derivative b per angle of the section,
    velocity v and acceleration a; then rate w and acceleration `turn` of the angle that `turning_terms` reads."""

    d: Pair
    t: Pair
    v: Pair
    a: Pair
    b: Pair
    w: float
    turn: float


@njit_inside
def offset_point(part, now, i, chi, rate, turning, cx, cy):
    """The point at (cx, cy) on a section of link i that deviates by chi, with its rate and acceleration."""
    theory, frame = part.theory, now.frame
    large = theory <= at.LINK
    angle = frame[at.ANGLE, i] + chi if large else frame[at.ANGLE, i]
    c, s = math.cos(angle), math.sin(angle)
    dx, dy = c * cx - s * cy, s * cx + c * cy
    tx, ty = -dy, dx
    w, turn = frame[at.RATE, i] + rate, frame[at.ACCELERATION, i] + turning
    if large:
        a = (turn * tx - w * w * dx, turn * ty - w * w * dy)
        return Offset((dx, dy), (tx, ty), (w * tx, w * ty), a, (-dx, -dy), w, turn)
    W, T = frame[at.RATE, i], frame[at.ACCELERATION, i]
    lean = 0.0 if theory == at.QUASI_STATIC else chi
    v = (w * tx - lean * W * dx, w * ty - lean * W * dy)
    along, across = W * W + 2.0 * W * rate + lean * T, turn - lean * W * W
    a = (across * tx - along * dx, across * ty - along * dy)
    if theory == at.QUASI_STATIC:  # only the stiff motion has inertia: nothing of it follows the deformation
        W, T = 0.0, 0.0
    return Offset((dx + chi * tx, dy + chi * ty), (tx, ty), v, a, (0.0, 0.0), W, T)


@njit_inside
def turning_terms(point, speed):
    """Changes of velocity and of acceleration per angle beyond speed * t and push * t; t turned back is d."""
    (tx, ty), w = point.t, point.w
    dx, dy, swing = ty, -tx, point.turn + 2.0 * w * speed
    return (-w * dx, -w * dy), (-swing * dx - w * w * tx, -swing * dy - w * w * ty)
