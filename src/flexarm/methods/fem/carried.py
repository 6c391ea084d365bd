"""Kinematics of a point that a section carries along at a fixed offset: the payload's centre, the end of a rigid link.

With d the offset turned into the world and t its quarter turn, d moves by t per angle of the section. The theories of
large rotations turn d by Theta + chi; those of small displacements about the command take d = d0 + chi t0 with d0 turned
by Theta alone.
"""

from __future__ import annotations

import math

from flexarm.methods.fem.element import LINK, QUASI_STATIC
from flexarm.methods.fem.layout import ACCELERATION, ANGLE, I_THEORY, RATE
from flexarm.numerics.jit import njit_inside


@njit_inside
def carried(part, now, i, chi, rate, turning, cx, cy):
    """Where the point is, how it moves, and what one more angle does.

    i : link whose Theta counts; chi, rate, turning : angle of the section and its derivatives; cx, cy : offset

    Returns
    -------
    d (2), t (2), velocity (2), acceleration (2) relative to the section's node; then the rate w and acceleration that
    `excess` reads, and the second derivative of d by the angle (2).
    """
    theory, frame = part.ip[I_THEORY], now.frame
    large = theory <= LINK
    angle = frame[ANGLE, i] + chi if large else frame[ANGLE, i]
    c, s = math.cos(angle), math.sin(angle)
    dx, dy = c * cx - s * cy, s * cx + c * cy
    tx, ty = -dy, dx
    w, turn = frame[RATE, i] + rate, frame[ACCELERATION, i] + turning
    if large:
        ax, ay = turn * tx - w * w * dx, turn * ty - w * w * dy
        return dx, dy, tx, ty, w * tx, w * ty, ax, ay, w, turn, -dx, -dy
    W, T = frame[RATE, i], frame[ACCELERATION, i]
    lean = 0.0 if theory == QUASI_STATIC else chi
    vx, vy = w * tx - lean * W * dx, w * ty - lean * W * dy
    along, across = W * W + 2.0 * W * rate + lean * T, turn - lean * W * W
    ax, ay = across * tx - along * dx, across * ty - along * dy
    if theory == QUASI_STATIC:  # only the stiff motion has inertia: nothing of it follows the deformation
        W, T = 0.0, 0.0
    return dx + chi * tx, dy + chi * ty, tx, ty, vx, vy, ax, ay, W, T, 0.0, 0.0


@njit_inside
def excess(tx, ty, w, turn, speed):
    """Changes of velocity and acceleration per angle beyond speed * t and push * t; t turned back is d."""
    dx, dy, swing = ty, -tx, turn + 2.0 * w * speed
    return -w * dx, -w * dy, -swing * dx - w * w * tx, -swing * dy - w * w * ty
