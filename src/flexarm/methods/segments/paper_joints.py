"""Joints of the document's scheme after a step: angles, torques, and the work of their motors."""

from __future__ import annotations

from flexarm.methods.segments.drives import side
from flexarm.methods.segments.layout import (
    DRIVE,
    F_ROOT,
    F_ROTOR,
    F_TIP,
    J_CHANNEL,
    J_DRIVE,
    J_MODE,
    J_ROOT,
    J_SPRING,
    MOTOR,
    MOTOR_RATE,
    MOVED,
    POSITION,
    RATE,
    THROUGH,
    WORK,
    K,
)
from flexarm.numerics.jit import njit_part
from flexarm.numerics.laws import POSITION as COMMAND


@njit_part
def read_joints(theta, omega, alpha, z, joints, s, first, last, body, joint, jfig):
    """Joint numbers from the states z behind the elements (connection b stands at place 2 b), and work of the motors.

    first, last : drive rows at both ends of the step
    """
    for i in range(joint.shape[0]):
        root, b, k = joint[i, J_ROOT], joint[i, J_DRIVE], joint[i, J_CHANNEL]
        tau, moment = -z[2 * b, 3], z[2 * root, 3]
        if joint[i, J_MODE] == MOVED:
            s[WORK] += 0.5 * (joints[DRIVE, i] + tau) * (last[k, COMMAND] - first[k, COMMAND])
        joints[DRIVE, i] = tau
        joints[MOTOR, i], joints[MOTOR_RATE, i] = side(theta, joint, i, True), side(omega, joint, i, True)
        joints[POSITION, i] = side(theta, joint, i, False) - jfig[i, F_ROOT] * moment + jfig[i, F_TIP] * tau
        winding = omega[root] - omega[root - 1] if root > 0 else omega[root]
        joints[RATE, i] = side(omega, joint, i, False)
        joints[RATE, i] -= (jfig[i, F_ROOT] + jfig[i, F_TIP]) * body[root, K] * winding
        if joint[i, J_SPRING] >= 0:
            joints[THROUGH, i] = -z[2 * joint[i, J_SPRING], 3]
        else:
            joints[THROUGH, i] = tau - jfig[i, F_ROTOR] * alpha[root]
