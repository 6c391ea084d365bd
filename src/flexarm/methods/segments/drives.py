"""Motors: commands of moved joints, torques of driven ones, and the angles that laws read."""

from __future__ import annotations

from flexarm.methods.segments.layout import (
    ANGLE,
    CHANNEL,
    CONNECTION,
    DRIVEN,
    J_CHANNEL,
    J_DRIVE,
    J_MODE,
    J_ROOT,
    J_SENSE_MOTOR,
    J_TIP,
    RIGID,
)
from flexarm.numerics.jit import njit, njit_part
from flexarm.numerics.laws import ACCELERATION, POSITION, VELOCITY, law_value


@njit
def follow(theta, omega, alpha, row, body, kind):
    """Bodies on rigid connections take the motion of the body before them, plus the command."""
    for b in range(theta.shape[0]):
        if kind[b, CONNECTION] != RIGID:
            continue
        angle, rate, turning = body[b, ANGLE], 0.0, 0.0
        k = kind[b, CHANNEL]
        if k >= 0:
            angle, rate, turning = row[k, POSITION], row[k, VELOCITY], row[k, ACCELERATION]
        if b > 0:
            angle, rate, turning = angle + theta[b - 1], rate + omega[b - 1], turning + alpha[b - 1]
        theta[b], omega[b], alpha[b] = angle, rate, turning


@njit_part
def side(values, joint, i, motor):
    """Angle (or rate) of the motor side, or of the link side, against the body before the joint."""
    before = values[joint[i, J_TIP]] if joint[i, J_TIP] >= 0 else 0.0
    return values[joint[i, J_DRIVE] if motor else joint[i, J_ROOT]] - before


@njit_part
def torques(theta, omega, row, z, law, h, speed, place, joint, motor, work):
    """Torque of every motor that a law or a torque drives, and its slopes, into `motor` (B, 3)."""
    for i in range(joint.shape[0]):
        if joint[i, J_MODE] != DRIVEN:
            continue
        k, b = joint[i, J_CHANNEL], joint[i, J_DRIVE]
        reads_motor = joint[i, J_SENSE_MOTOR] == 1
        y, rate = side(theta, joint, i, reads_motor), side(omega, joint, i, reads_motor)
        tau, dy, dv, dm = law_value(row[k], law[k], z[k], h, y, rate, side(omega, joint, i, True), work)
        motor[b, 0] = tau
        reading, turning = -(place * dy + speed * dv), -speed * dm
        if reads_motor or joint[i, J_ROOT] == b:
            motor[b, 1], motor[b, 2] = reading + turning, 0.0
        else:
            motor[b, 1], motor[b, 2] = turning, reading
