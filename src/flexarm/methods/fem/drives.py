"""Joints under torque: the angles that motors turn and laws read, and their torques in residual and tangent."""

from __future__ import annotations

from flexarm.methods.fem.layout import (
    I_LINKS,
    J_BASE,
    J_CHANNEL,
    J_FRAME,
    J_LAW,
    J_MOTOR,
    J_OWN,
    J_SENSE_MOTOR,
    J_TIP,
    K_START,
)
from flexarm.numerics.jit import njit
from flexarm.numerics.laws import POSITION, VELOCITY, law_value


@njit
def relative(q, v, joint, i):
    """Turning of the link's first section against the section before the joint, and its rate."""
    angle, rate = 0.0, 0.0
    if joint[i, J_OWN]:
        angle, rate = q[joint[i, J_BASE]], v[joint[i, J_BASE]]
        if joint[i, J_TIP] >= 0:
            angle -= q[joint[i, J_TIP]]
            rate -= v[joint[i, J_TIP]]
    return angle, rate


@njit
def motor_turn(q, v, joint, i):
    """Angle on which the motor's torque works, from its start, and its rate."""
    if joint[i, J_MOTOR] >= 0:
        return q[joint[i, J_MOTOR]], v[joint[i, J_MOTOR]]
    return relative(q, v, joint, i)


@njit
def nominal(row, joint, jfig, i):
    """Angle and rate of a joint without its unknowns: the command, or the start."""
    if joint[i, J_FRAME]:
        return row[joint[i, J_CHANNEL], POSITION], row[joint[i, J_CHANNEL], VELOCITY]
    return jfig[i, K_START], 0.0


@njit
def sensed(q, v, row, joint, jfig, i):
    """Reading of a law, its rate, and the rate of the motor."""
    place, speed = nominal(row, joint, jfig, i)
    turn, turning = motor_turn(q, v, joint, i)
    angle, rate = (turn, turning) if joint[i, J_SENSE_MOTOR] else relative(q, v, joint, i)
    return place + angle, speed + rate, speed + turning


@njit
def push_drive(joint, i, torque, f):
    """Put the motor's torque on the unknowns that it moves."""
    if joint[i, J_MOTOR] >= 0:
        f[joint[i, J_MOTOR]] += torque
        return
    f[joint[i, J_BASE]] += torque
    if joint[i, J_TIP] >= 0:
        f[joint[i, J_TIP]] -= torque


@njit
def drive_slope(joint, i, by_reading, by_motor, band, b):
    """Derivative of the motor's force by the unknowns; the first slope is by the law's reading."""
    for r in range(3):
        row = joint[i, J_MOTOR] if r == 2 else joint[i, J_TIP] if r == 1 else joint[i, J_BASE]
        drive = _part(joint[i, J_MOTOR] >= 0, r)
        if row < 0 or drive == 0.0:
            continue
        for c in range(3):
            column = joint[i, J_MOTOR] if c == 2 else joint[i, J_TIP] if c == 1 else joint[i, J_BASE]
            if column < 0:
                continue
            slope = by_reading * _part(joint[i, J_SENSE_MOTOR] and joint[i, J_MOTOR] >= 0, c)
            slope += by_motor * _part(joint[i, J_MOTOR] >= 0, c)
            band[row, column - row + b] -= drive * slope


@njit
def _part(motor, k):
    """Share of base (0), section before (1) and motor (2) in the angle of the motor or of the joint."""
    if motor:
        return 1.0 if k == 2 else 0.0
    return 1.0 if k == 0 else -1.0 if k == 1 else 0.0


@njit
def motors(row, z, law, q, v, joint, jfig, h, speed, ip, residual, band, work):
    """Torques of laws and drives in residual and tangent."""
    b = band.shape[1] // 2
    for i in range(ip[I_LINKS]):
        if joint[i, J_LAW]:
            k = joint[i, J_CHANNEL]
            y, rate, turning = sensed(q, v, row, joint, jfig, i)
            tau, dy, dv, dm = law_value(row[k], law[k], z[k], h, y, rate, turning, work)
            push_drive(joint, i, -tau, residual)
            drive_slope(joint, i, dy + speed * dv, speed * dm, band, b)
