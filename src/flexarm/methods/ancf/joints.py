"""Joints: angles of sections, springs, motors and laws, and what they put into residual and tangent.

A section is a vector d in q (r_y, or r_x of a cable); its angle turns by dtheta = (d x dd)/|d|^2, so a torque T on it is
the force T R90 d/|d|^2 on d. A joint has up to three angles: 0 the link's first section, 1 the section before it, 2 the
motor (an unknown of its own behind a spring). Springs and motors act on sums of them.
"""

from __future__ import annotations

import math

from flexarm.methods.ancf.layout import (
    BASE,
    CHORD,
    CHORD_SENSOR,
    J_A,
    J_ACTS,
    J_B,
    J_CHANNEL,
    J_COMMAND,
    J_END,
    J_PSI,
    J_ROOT,
    J_SENSE,
    J_SPRING,
    K_DAMPER,
    K_LAW,
    K_OFFSET,
    K_SPRING,
    K_START,
    K_TURN,
    MOTOR_SENSOR,
    S_CAP,
    S_LAW,
    S_READ,
    TIP,
)
from flexarm.numerics.jit import njit_inline, njit_part
from flexarm.numerics.laws import ACCELERATION, POSITION, VELOCITY, law_value

TWO_PI = 2.0 * math.pi
B_ANGLE, B_RATE, A_ANGLE, A_RATE, M_ANGLE, M_RATE, READING, READING_RATE, MOTOR_RATE = range(9)


@njit_inline
def unwound(x, y, last):
    """Angle of (x, y) that is nearest to the last one."""
    angle = math.atan2(y, x)
    return angle + TWO_PI * math.floor((last - angle) / TWO_PI + 0.5)


@njit_inline
def turn_rate(q, v, p):
    """Turning rate of the vector at p."""
    return (q[p] * v[p + 1] - q[p + 1] * v[p]) / (q[p] * q[p] + q[p + 1] * q[p + 1])


@njit_part
def command(joint, jfig, row, i):
    """Angle, rate and acceleration that a joint is told to have; its start position if it is fixed."""
    k = joint[i, J_CHANNEL]
    if k < 0:
        return jfig[i, K_START], 0.0, 0.0
    return row[k, POSITION], row[k, VELOCITY], row[k, ACCELERATION]


@njit_part
def chord(joint, q, v, frame, i):
    """Angle of the line from a link's root to its tip, and its rate."""
    r, t = joint[i, J_ROOT], joint[i, J_END]
    x, y, dx, dy = q[t] - q[r], q[t + 1] - q[r + 1], v[t] - v[r], v[t + 1] - v[r + 1]
    return unwound(x, y, frame[CHORD, i]), (x * dy - y * dx) / (x * x + y * y)


@njit_part
def read_joint(joint, jfig, q, v, row, frame, i, out):
    """Absolute angles and rates of the joint's sections and motor, the law's reading, and the motor's rate, into out."""
    b, a, p = joint[i, J_B], joint[i, J_A], joint[i, J_PSI]
    offset = jfig[i, K_OFFSET]
    out[B_ANGLE] = unwound(q[b], q[b + 1], frame[BASE, i] + offset) - offset
    out[B_RATE] = turn_rate(q, v, b)
    out[A_ANGLE], out[A_RATE] = 0.0, 0.0
    if a >= 0:
        offset -= jfig[i, K_TURN]
        out[A_ANGLE] = unwound(q[a], q[a + 1], frame[TIP, i] + offset) - offset
        out[A_RATE] = turn_rate(q, v, a)
    if joint[i, J_COMMAND]:
        place, rate, _ = command(joint, jfig, row, i)
        out[M_ANGLE], out[M_RATE] = out[A_ANGLE] + place, out[A_RATE] + rate
    elif joint[i, J_SPRING]:
        out[M_ANGLE], out[M_RATE] = q[p], v[p]
    else:
        out[M_ANGLE], out[M_RATE] = out[B_ANGLE], out[B_RATE]
    out[MOTOR_RATE] = out[M_RATE] - out[A_RATE]
    sensor = joint[i, J_SENSE]
    if sensor == CHORD_SENSOR:
        out[READING], out[READING_RATE] = chord(joint, q, v, frame, i)
        if i > 0:
            angle, rate = chord(joint, q, v, frame, i - 1)
            out[READING] -= angle
            out[READING_RATE] -= rate
    elif sensor == MOTOR_SENSOR:
        out[READING], out[READING_RATE] = out[M_ANGLE] - out[A_ANGLE], out[MOTOR_RATE]
    else:
        out[READING], out[READING_RATE] = out[B_ANGLE] - out[A_ANGLE], out[B_RATE] - out[A_RATE]


@njit_part
def put_torque(q, p, torque, f):
    """A torque on the section vector at p."""
    scale = torque / (q[p] * q[p] + q[p + 1] * q[p + 1])
    f[p] -= scale * q[p + 1]
    f[p + 1] += scale * q[p]


@njit_inline
def put_spring(joint, q, i, torque, f):
    """A torque that turns the first section forward and what lies before the spring backward."""
    put_torque(q, joint[i, J_B], torque, f)
    if not joint[i, J_COMMAND]:
        f[joint[i, J_PSI]] -= torque
    elif joint[i, J_A] >= 0:
        put_torque(q, joint[i, J_A], -torque, f)


@njit_inline
def put_motor(joint, q, i, torque, f):
    """The motor's torque: forward on motor or first section, backward on the section before."""
    if joint[i, J_SPRING]:
        f[joint[i, J_PSI]] += torque
    else:
        put_torque(q, joint[i, J_B], torque, f)
    if joint[i, J_A] >= 0:
        put_torque(q, joint[i, J_A], -torque, f)


@njit_part
def spring_forces(joint, jfig, q, v, row, frame, read, f):
    """Springs and dampers of joints; returns energy and power."""
    energy, power = 0.0, 0.0
    for i in range(joint.shape[0]):
        if not joint[i, J_SPRING]:
            continue
        read_joint(joint, jfig, q, v, row, frame, i, read)
        wound, rate = read[B_ANGLE] - read[M_ANGLE], read[B_RATE] - read[M_RATE]
        energy += 0.5 * jfig[i, K_SPRING] * wound * wound
        power += jfig[i, K_DAMPER] * rate * rate
        put_spring(joint, q, i, jfig[i, K_SPRING] * wound + jfig[i, K_DAMPER] * rate, f)
    return energy, power


@njit_part
def motor_forces(joint, jfig, q, v, row, z, h, frame, small, residual):
    """Take the torques of laws and drives off the residual."""
    read, law_work = small[S_READ], small[S_LAW:S_CAP]
    for i in range(joint.shape[0]):
        if joint[i, J_ACTS]:
            k = joint[i, J_CHANNEL]
            read_joint(joint, jfig, q, v, row, frame, i, read)
            tau = law_value(
                row[k], jfig[i, K_LAW:], z[k], h, read[READING], read[READING_RATE], read[MOTOR_RATE], law_work
            )[0]
            put_motor(joint, q, i, -tau, residual)
