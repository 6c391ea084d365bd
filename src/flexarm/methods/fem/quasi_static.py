"""The quasi-static theory: deformation at rest under the inertia of the stiff motion."""

from __future__ import annotations

import numpy as np

from flexarm.methods.fem.assemble import RESIDUAL, equations, fold
from flexarm.methods.fem.layout import ACCELERATION, ANGLE, I_LINKS, RATE
from flexarm.methods.fem.rigid import place_far_nodes
from flexarm.numerics.bandlu import factor, solve
from flexarm.numerics.jit import YES, njit_inside, njit_part


@njit_inside
def stiff_motion(part, now, small):
    """Velocities and accelerations of the stiff arm at its commands, for every unknown.

    seat : (size, 3) link, axis (0, 1: x, y; else an angle) and distance from the joint of every unknown
    """
    frame, seat, lengths, v, a = now.frame, part.seat, part.lengths, now.v, now.a
    vx, vy, ax, ay = 0.0, 0.0, 0.0, 0.0
    for i in range(part.ip[I_LINKS]):
        small[0, i], small[1, i], small[2, i], small[3, i] = vx, vy, ax, ay
        c, s = np.cos(frame[ANGLE, i]), np.sin(frame[ANGLE, i])
        w, turn = frame[RATE, i], frame[ACCELERATION, i]
        vx, vy = vx - w * s * lengths[i], vy + w * c * lengths[i]
        ax, ay = ax + (-turn * s - w * w * c) * lengths[i], ay + (turn * c - w * w * s) * lengths[i]
    for k in range(seat.shape[0]):
        link, axis, r = int(seat[k, 0]), int(seat[k, 1]), seat[k, 2]
        c, s = np.cos(frame[ANGLE, link]), np.sin(frame[ANGLE, link])
        w, turn = frame[RATE, link], frame[ACCELERATION, link]
        if axis == 0:
            v[k], a[k] = small[0, link] - w * s * r, small[2, link] + (-turn * s - w * w * c) * r
        elif axis == 1:
            v[k], a[k] = small[1, link] + w * c * r, small[3, link] + (turn * c - w * w * s) * r
        else:
            v[k], a[k] = 0.0, 0.0


@njit_part
def rest_in_motion(part, now, scratch):
    """The quasi-static deformation: stiffness against the inertia of the stiff motion and the weight; 1, or -1 if there
    is none."""
    residual = scratch.work[RESIDUAL]
    stiff_motion(part, now, scratch.small)
    for _ in range(3):
        place_far_nodes(part, now)
        equations(part, now, scratch, 0.0, 0.0, YES[0])
        fold(part, now, scratch, 0.0, YES[0])
        if factor(scratch.band) >= 0:
            return -1
        solve(scratch.band, residual)
        for k in range(residual.shape[0]):
            now.q[k] -= residual[k]
    place_far_nodes(part, now)
    return 1
