"""Dry friction in the joints, met inside the Newton iteration.

Newton's method on the steep law overshoots. Instead, the response of the arm to a force in each joint that rubs is solved
for with the factored matrix; then rate and friction of that joint are one scalar equation, solved exactly. Since rates
of joints are linear in the unknowns, friction and rates agree after every correction, and the residual tells the rest.

Of `solver`: friction, friction_rate (L,) the friction in force and the rates that the correction leads to;
friction_response (L, size) of all unknowns to a unit force in each joint.

Equations: S17.
"""

from __future__ import annotations

import numpy as np

from flexarm.methods.fem.spatial import layout as at
from flexarm.methods.fem.spatial.drives import sensed
from flexarm.methods.fem.spatial.matrix import solve
from flexarm.numerics.jit import njit_inside, njit_part
from flexarm.numerics.laws import DRAG, FRICTION, held_friction, rub

SWEEPS = 30


def count_friction_joints(joints: np.ndarray, law: np.ndarray) -> int:
    """How many joints have dry friction that a step must find."""
    return sum(bool(row[at.J_LAW]) and law[row[at.J_CHANNEL], FRICTION] > 0.0 for row in joints)


@njit_inside
def has_friction(i, parts):
    """True if joint i has dry friction that the step must find."""
    return parts.joints[i, at.J_LAW] == 1 and parts.law[parts.joints[i, at.J_CHANNEL], FRICTION] > 0.0


@njit_inside
def driven_unknown(i, parts):
    """The unknown on which the motor of joint i works."""
    return parts.joints[i, at.J_TURN] if parts.joints[i, at.J_TURN] >= 0 else parts.joints[i, at.J_PSI]


@njit_part
def start_friction(step, parts, state, solver):
    """The friction of the last step is the first guess of a step; a start has none yet."""
    for i in range(parts.joints.shape[0]):
        if has_friction(i, parts):
            solver.friction[i] = state.law[parts.joints[i, at.J_CHANNEL], DRAG] if step else 0.0


@njit_part
def push_friction(parts, solver):
    """Friction in force, in the residual."""
    for i in range(parts.joints.shape[0]):
        if has_friction(i, parts):
            solver.residual[driven_unknown(i, parts)] -= solver.friction[i]


@njit_part
def find_responses(parts, solver, matrix):
    """Responses of all unknowns to a unit force in every joint that rubs, with the factored matrix."""
    for i in range(parts.joints.shape[0]):
        if has_friction(i, parts):
            response = solver.friction_response[i]
            for k in range(response.shape[0]):
                response[k] = 0.0
            response[driven_unknown(i, parts)] = 1.0
            solve(matrix, response)


@njit_part
def match_friction(speed, parts, state, scratch, solver):
    """Let friction and rates agree with the linear response of the arm; solver.residual holds minus the correction."""
    L, friction, rate = parts.joints.shape[0], solver.friction, solver.friction_rate
    for i in range(L):
        if has_friction(i, parts):
            rate[i] = sensed(i, parts, state, scratch)[2] - speed * solver.residual[driven_unknown(i, parts)]
    for _ in range(SWEEPS if parts.friction_joints > 1 else 1):
        largest = 0.0
        for i in range(L):
            if not has_friction(i, parts):
                continue
            own, old = parts.law[parts.joints[i, at.J_CHANNEL]], friction[i]
            new = rub(own, rate[i], speed * solver.friction_response[i, driven_unknown(i, parts)], old)
            friction[i] = new
            change_friction(i, new - old, speed, parts, solver)
            largest = max(largest, abs(new - old) / own[FRICTION])
        if largest < 1e-14:
            break


@njit_part
def change_friction(i, more, speed, parts, solver):
    """Let the friction of joint i grow by `more`: the correction, and the rates that it leads to."""
    change, response = solver.residual, solver.friction_response[i]
    for k in range(change.shape[0]):
        change[k] -= more * response[k]
    for n in range(parts.joints.shape[0]):
        if has_friction(n, parts):
            solver.friction_rate[n] += more * speed * response[driven_unknown(n, parts)]


@njit_part
def hold_by_friction(parts, state, scratch, solver):
    """Friction after a jump; solver.residual holds minus the accelerations without it, responses are of the mass matrix."""
    for i in range(parts.joints.shape[0]):
        if has_friction(i, parts):
            n = driven_unknown(i, parts)
            rate, pull = sensed(i, parts, state, scratch)[2], scratch.phi0[i, 2] - solver.residual[n]
            own = parts.law[parts.joints[i, at.J_CHANNEL]]
            solver.friction[i] = held_friction(own, rate, pull, solver.friction_response[i, n])
            change_friction(i, solver.friction[i], 0.0, parts, solver)
