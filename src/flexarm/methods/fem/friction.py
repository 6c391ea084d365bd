"""Dry friction in the joints, met inside the Newton iteration.

Newton's method on the steep law overshoots. Instead, the answer of the arm to a torque in each joint with friction is solved
for with the factored tangent; then rate and friction torque of that joint are one scalar equation, solved exactly.

Equations: E20, E21.
"""

from __future__ import annotations

from numba import types

from flexarm.methods.fem import layout as at
from flexarm.methods.fem.bordered import clear, constrain_answer
from flexarm.methods.fem.condensation import condense_forces
from flexarm.methods.fem.far_nodes import followed
from flexarm.methods.fem.joints import push_drive, sensed
from flexarm.numerics import laws
from flexarm.numerics.bandlu import solve
from flexarm.numerics.jit import njit_inline, njit_inside, njit_part
from flexarm.numerics.on_demand import njit_on_demand

SWEEPS = 30
BEGIN, PUSH, ANSWERS, MATCH, HOLD = range(5)
"""Tasks of `rub`."""


@njit_inside
def has_friction(part, i):
    """True if joint i has dry friction that the step must find."""
    return part.joint[i, at.J_LAW] and part.law[part.joint[i, at.J_CHANNEL], laws.FRICTION] > 0.0


@njit_inside
def drive_part(part, i, values):
    """Part of the unknowns' values in the angle on which the motor of joint i works."""
    if part.joint[i, at.J_MOTOR] >= 0:
        return values[part.joint[i, at.J_MOTOR]]
    total = values[part.joint[i, at.J_BASE]]
    if part.joint[i, at.J_TIP] >= 0:
        total -= followed(part, part.joint[i, at.J_TIP], values)
    return total


@njit_part
def find_answers(part, now, work):
    """Answers of all unknowns to a unit torque in every joint with friction, with the factored tangent."""
    for i in range(part.links):
        if has_friction(part, i):
            answer = work.answers[i]
            clear(answer)
            push_drive(part.joint, i, 1.0, answer)
            condense_forces(part, now, answer, work.unread)
            solve(work.band, answer)
            if work.pivots.shape[0] > 0:
                constrain_answer(work, answer)


@njit_inside
def start_friction(part, z, work):
    """The friction of the last step is the first guess."""
    for i in range(part.links):
        if has_friction(part, i):
            work.friction_torque[i] = z[part.joint[i, at.J_CHANNEL], laws.DRAG]


@njit_inside
def push_friction(part, work):
    """Friction torques in force, in the residual."""
    for i in range(part.links):
        if has_friction(part, i):
            push_drive(part.joint, i, -work.friction_torque[i], work.residual)


@njit_inline
def match_friction(part, now, work, row, speed):
    """Let friction and rates agree with the linear answer of the arm; the residual holds minus the correction."""
    residual, torque, expected, count = work.residual, work.friction_torque, work.friction_rate, 0
    for i in range(part.links):
        if has_friction(part, i):
            count += 1
            rate = sensed(part, now, row, i)[2]
            expected[i] = rate - speed * drive_part(part, i, residual)
    for _ in range(SWEEPS if count > 1 else 1):
        largest = 0.0
        for i in range(part.links):
            if has_friction(part, i):
                law, answer = part.law[part.joint[i, at.J_CHANNEL]], work.answers[i]
                old = torque[i]
                torque[i] = laws.rub(law, expected[i], speed * drive_part(part, i, answer), old)
                change = torque[i] - old
                for k in range(residual.shape[0]):
                    residual[k] -= change * answer[k]
                for j in range(part.links):
                    if has_friction(part, j):
                        expected[j] += speed * drive_part(part, j, answer) * change
                largest = max(largest, abs(change) / law[laws.FRICTION])
        if largest < 1e-14:
            break


@njit_inline
def hold_by_friction(part, now, work, z, row):
    """Friction after a jump, in the residual of accelerations; `band` holds the factored mass matrix.

    The residual holds minus the accelerations without friction.
    """
    residual = work.residual
    find_answers(part, now, work)
    for i in range(part.links):
        if has_friction(part, i):
            rate = sensed(part, now, row, i)[2]
            pull, gain = -drive_part(part, i, residual), drive_part(part, i, work.answers[i])
            found = laws.held_friction(part.law[part.joint[i, at.J_CHANNEL]], rate, pull, gain)
            work.friction_torque[i] = found
            for n in range(residual.shape[0]):
                residual[n] -= found * work.answers[i, n]


@njit_on_demand(types.none)
def rub(part, now, work, z, row, task, speed):
    """What dry friction asks of a step, compiled for arms that have some: one of the tasks BEGIN (`start_friction`), PUSH, ANSWERS,
    MATCH, HOLD."""
    if task == BEGIN:
        start_friction(part, z, work)
    elif task == PUSH:
        push_friction(part, work)
    elif task == ANSWERS:
        find_answers(part, now, work)
    elif task == MATCH:
        match_friction(part, now, work, row, speed)
    else:
        hold_by_friction(part, now, work, z, row)
