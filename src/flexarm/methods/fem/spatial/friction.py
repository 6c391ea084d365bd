"""Dry friction in the joints, met inside the Newton iteration.

Newton's method on the steep law overshoots. Instead, the answer of the arm to a force in each joint that rubs is solved
for with the factored matrix; then rate and friction of that joint are one scalar equation, solved exactly. Since rates
of joints are linear in the unknowns, friction and rates agree after every correction, and the residual tells the rest.

`rubbing` (links + 3, size or links): the answer to a unit force in each joint; then the friction in force, the rates
that the correction leads to, and how many joints rub (first entry).
"""

from __future__ import annotations

import numpy as np

from flexarm.methods.fem.spatial.drives import sensed
from flexarm.methods.fem.spatial.layout import J_CHANNEL, J_LAW, J_PSI, J_TURN
from flexarm.methods.fem.spatial.matrix import solve
from flexarm.numerics.jit import njit_inside, njit_part
from flexarm.numerics.laws import DRAG, FRICTION, held_friction, rub

SWEEPS = 30


def make_rubbing(joint: np.ndarray, law: np.ndarray, size: int) -> np.ndarray:
    """The array of this module."""
    rubbing = np.zeros((len(joint) + 3, max(size, len(joint))))
    rubbing[-1, 0] = sum(bool(row[J_LAW]) and law[row[J_CHANNEL], FRICTION] > 0.0 for row in joint)
    return rubbing


@njit_inside
def rubs(i, joint, law):
    """True if joint i has dry friction that the step must find."""
    return joint[i, J_LAW] == 1 and law[joint[i, J_CHANNEL], FRICTION] > 0.0


@njit_inside
def driven(i, joint):
    """The unknown on which the motor of joint i works."""
    return joint[i, J_TURN] if joint[i, J_TURN] >= 0 else joint[i, J_PSI]


@njit_part
def begin_friction(joint, law, z, step, rubbing):
    """The friction of the last step is the first guess of a step; a start has none yet."""
    L = joint.shape[0]
    for i in range(L):
        if rubs(i, joint, law):
            rubbing[L, i] = z[joint[i, J_CHANNEL], DRAG] if step else 0.0


@njit_part
def push_friction(joint, law, rubbing, residual):
    """Friction in force, in the residual."""
    L = joint.shape[0]
    for i in range(L):
        if rubs(i, joint, law):
            residual[driven(i, joint)] -= rubbing[L, i]


@njit_part
def find_answers(joint, law, band, rubbing, size):
    """Answers of all unknowns to a unit force in every joint that rubs, with the factored matrix."""
    for i in range(joint.shape[0]):
        if rubs(i, joint, law):
            answer = rubbing[i, :size]
            for k in range(size):
                answer[k] = 0.0
            answer[driven(i, joint)] = 1.0
            solve(band, answer)


@njit_part
def meet(joint, jfig, law, j, phi0, speed, rubbing, change):
    """Let friction and rates agree with the linear answer of the arm; `change` holds minus the correction."""
    L = joint.shape[0]
    for i in range(L):
        if rubs(i, joint, law):
            rubbing[L + 1, i] = sensed(joint, jfig, j, phi0, i)[2] - speed * change[driven(i, joint)]
    for _ in range(SWEEPS if rubbing[L + 2, 0] > 1.0 else 1):
        largest = 0.0
        for i in range(L):
            if not rubs(i, joint, law):
                continue
            own, old = law[joint[i, J_CHANNEL]], rubbing[L, i]
            new = rub(own, rubbing[L + 1, i], speed * rubbing[i, driven(i, joint)], old)
            rubbing[L, i] = new
            take(i, new - old, speed, joint, law, rubbing, change)
            largest = max(largest, abs(new - old) / own[FRICTION])
        if largest < 1e-14:
            break


@njit_part
def take(i, more, speed, joint, law, rubbing, change):
    """Let the friction of joint i grow by `more`: the correction, and the rates that it leads to."""
    L = joint.shape[0]
    for k in range(change.shape[0]):
        change[k] -= more * rubbing[i, k]
    for n in range(L):
        if rubs(n, joint, law):
            rubbing[L + 1, n] += more * speed * rubbing[i, driven(n, joint)]


@njit_part
def hold(joint, jfig, law, j, phi0, rubbing, change):
    """Friction after a jump; `change` holds minus the accelerations without it, the answers are of the mass matrix."""
    L = joint.shape[0]
    for i in range(L):
        if rubs(i, joint, law):
            n = driven(i, joint)
            rate, pull = sensed(joint, jfig, j, phi0, i)[2], phi0[i, 2] - change[n]
            rubbing[L, i] = held_friction(law[joint[i, J_CHANNEL]], rate, pull, rubbing[i, n])
            take(i, rubbing[L, i], 0.0, joint, law, rubbing, change)
