"""The quasi-static theory: deformation in equilibrium with the inertia of the stiff motion.

Equations: E2.
"""

from __future__ import annotations

import numpy as np
from numba import types

from flexarm.methods.fem import layout as at
from flexarm.methods.fem.assemble import equations
from flexarm.methods.fem.condensation import condense
from flexarm.methods.fem.far_nodes import place_far_nodes
from flexarm.numerics.bandlu import factor, solve
from flexarm.numerics.jit import YES, njit_inside
from flexarm.numerics.on_demand import njit_on_demand


@njit_inside
def rigid_motion(part, now, root):
    """Velocities and accelerations of the stiff arm at its commands, for every unknown.

    seat : (size, 3) link, axis (0, 1: x, y; else an angle) and distance from the joint of every unknown
    root : (4, links) velocity and acceleration of the links' roots, found on the way
    """
    frame, seat, lengths, v, a = now.frame, part.seat, part.lengths, now.v, now.a
    vx, vy, ax, ay = 0.0, 0.0, 0.0, 0.0
    for i in range(part.links):
        root[0, i], root[1, i], root[2, i], root[3, i] = vx, vy, ax, ay
        c, s = np.cos(frame[at.ANGLE, i]), np.sin(frame[at.ANGLE, i])
        w, turn = frame[at.RATE, i], frame[at.ACCELERATION, i]
        vx, vy = vx - w * s * lengths[i], vy + w * c * lengths[i]
        ax, ay = ax + (-turn * s - w * w * c) * lengths[i], ay + (turn * c - w * w * s) * lengths[i]
    for k in range(seat.shape[0]):
        link, axis, r = int(seat[k, 0]), int(seat[k, 1]), seat[k, 2]
        c, s = np.cos(frame[at.ANGLE, link]), np.sin(frame[at.ANGLE, link])
        w, turn = frame[at.RATE, link], frame[at.ACCELERATION, link]
        if axis == 0:
            v[k], a[k] = root[0, link] - w * s * r, root[2, link] + (-turn * s - w * w * c) * r
        elif axis == 1:
            v[k], a[k] = root[1, link] + w * c * r, root[3, link] + (turn * c - w * w * s) * r
        else:
            v[k], a[k] = 0.0, 0.0


@njit_on_demand(types.int64)
def quasi_static_deformation(part, now, work):
    """The quasi-static deformation: stiffness against the inertia of the stiff motion and the weight; 1, or -1 if there
    is none."""
    residual = work.residual
    rigid_motion(part, now, work.root_motion)
    for _ in range(3):
        place_far_nodes(part, now)
        equations(part, now, work, 0.0, 0.0, YES[0])
        condense(part, now, work, 0.0, YES[0])
        if factor(work.band) >= 0:
            return -1
        solve(work.band, residual)
        for k in range(residual.shape[0]):
            now.q[k] -= residual[k]
    place_far_nodes(part, now)
    return 1
