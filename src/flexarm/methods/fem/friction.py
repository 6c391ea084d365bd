"""Dry friction in the joints, met inside the Newton iteration.

Newton's method on the steep law overshoots. Instead, the answer of the arm to a torque in each joint that rubs is solved
for with the factored tangent; then rate and friction torque of that joint are one scalar equation, solved exactly.
"""

from __future__ import annotations

from flexarm.methods.fem.joints import push_drive, sensed
from flexarm.methods.fem.layout import I_LINKS, J_BASE, J_CHANNEL, J_LAW, J_MOTOR, J_TIP, S_FREE
from flexarm.methods.fem.rigid import R_BASE, R_FAR, fold_forces
from flexarm.methods.fem.ties import C_SIDE, C_UNKNOWN, F_WEIGHT, T_COUNT, T_NODES
from flexarm.methods.fem.tying import answer_ties
from flexarm.numerics.bandlu import solve
from flexarm.numerics.jit import njit_inline, njit_inside, njit_part
from flexarm.numerics.laws import DRAG, FRICTION, held_friction, rub

F_TORQUE, F_RATE = range(2)
"""Rows of the scratch `friction`: torque in force, rate that the iteration expects."""
SWEEPS = 30


@njit_inside
def rubs(part, i):
    """True if joint i has dry friction that the step must find."""
    return part.joint[i, J_LAW] and part.law[part.joint[i, J_CHANNEL], FRICTION] > 0.0


@njit_inside
def drive_part(part, i, values):
    """Part of the unknowns' values in the angle on which the motor of joint i works."""
    if part.joint[i, J_MOTOR] >= 0:
        return values[part.joint[i, J_MOTOR]]
    total = values[part.joint[i, J_BASE]]
    if part.joint[i, J_TIP] >= 0:
        total -= followed(part, part.joint[i, J_TIP], values)
    return total


@njit_inside
def followed(part, k, values):
    """Value of an angle, which may follow the base of a rigid link, or the section on which a tied link stands."""
    for n in range(part.copies.shape[0]):
        if part.copies[n, C_UNKNOWN] == k:
            p, total = part.copies[n, C_SIDE], 0.0
            for m in range(part.side[p, T_COUNT]):
                t = part.side[p, T_NODES + 2 * m + 1]
                total += part.side_figures[p, F_WEIGHT + m] * ridden(part, t, values)
            return total
    return ridden(part, k, values)


@njit_inside
def ridden(part, k, values):
    """Value of an angle, which may be that of the far node of a rigid link; 0 on the ground."""
    for back in range(part.slaves.shape[0]):
        n = part.slaves.shape[0] - 1 - back
        if part.slaves[n, R_FAR] + 2 == k:
            k = part.slaves[n, R_BASE]
    return values[k] if k >= 0 else 0.0


@njit_part
def find_answers(part, now, scratch):
    """Answers of all unknowns to a unit torque in every joint that rubs, with the factored tangent."""
    for i in range(part.ip[I_LINKS]):
        if rubs(part, i):
            answer = scratch.answers[i]
            for k in range(answer.shape[0]):
                answer[k] = 0.0
            push_drive(part.joint, i, 1.0, answer)
            fold_forces(part, now, answer, scratch.small[S_FREE])
            solve(scratch.band, answer)
            if scratch.pivots.shape[0] > 0:
                answer_ties(scratch, answer)


@njit_inside
def start_friction(part, z, scratch):
    """The friction of the last step is the first guess."""
    for i in range(part.ip[I_LINKS]):
        if rubs(part, i):
            scratch.friction[F_TORQUE, i] = z[part.joint[i, J_CHANNEL], DRAG]


@njit_inside
def push_friction(part, scratch, residual):
    """Friction torques in force, in the residual."""
    for i in range(part.ip[I_LINKS]):
        if rubs(part, i):
            push_drive(part.joint, i, -scratch.friction[F_TORQUE, i], residual)


@njit_inline
def meet(part, now, scratch, row, speed, residual):
    """Let friction and rates agree with the linear answer of the arm; `residual` holds minus the correction."""
    links, friction = part.ip[I_LINKS], scratch.friction
    count = 0
    for i in range(links):
        if rubs(part, i):
            count += 1
            rate = sensed(part, now, row, i)[2]
            friction[F_RATE, i] = rate - speed * drive_part(part, i, residual)
    for _ in range(SWEEPS if count > 1 else 1):
        largest = 0.0
        for i in range(links):
            if rubs(part, i):
                gain = speed * drive_part(part, i, scratch.answers[i])
                old = friction[F_TORQUE, i]
                new = rub(part.law[part.joint[i, J_CHANNEL]], friction[F_RATE, i], gain, old)
                friction[F_TORQUE, i] = new
                for k in range(residual.shape[0]):
                    residual[k] -= (new - old) * scratch.answers[i, k]
                for j in range(links):
                    if rubs(part, j):
                        friction[F_RATE, j] += speed * drive_part(part, j, scratch.answers[i]) * (new - old)
                largest = max(largest, abs(new - old) / part.law[part.joint[i, J_CHANNEL], FRICTION])
        if largest < 1e-14:
            break


@njit_inline
def hold(part, now, scratch, z, row, residual):
    """Friction after a jump, in the residual of accelerations; `band` holds the factored mass matrix.

    `residual` holds minus the accelerations without friction.
    """
    find_answers(part, now, scratch)
    for i in range(part.ip[I_LINKS]):
        if rubs(part, i):
            k = part.joint[i, J_CHANNEL]
            rate = sensed(part, now, row, i)[2]
            pull, gain = -drive_part(part, i, residual), drive_part(part, i, scratch.answers[i])
            found = held_friction(part.law[k], rate, pull, gain)
            scratch.friction[F_TORQUE, i] = found
            for n in range(residual.shape[0]):
                residual[n] -= found * scratch.answers[i, n]
