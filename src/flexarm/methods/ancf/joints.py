"""Joints: angles of sections, springs, motors and laws, and their torques in the residual.

Equations: A18, A19, A20.

A section is a vector d in q (r_y, or r_x of a cable). A joint has up to three angles: that of the link's first section, of
the section before it, and of the motor (an unknown of its own behind a spring). Springs and motors act on sums of them.
"""

from __future__ import annotations

import math

from flexarm.methods.ancf import layout as at
from flexarm.numerics.jit import njit_inline, njit_part
from flexarm.numerics.laws import ACCELERATION, POSITION, VELOCITY, law_value

TWO_PI = 2.0 * math.pi


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
def command(m, row, i):
    """Angle, rate and acceleration that a joint is told to have; its start position if it is fixed."""
    k = m.channel[i]
    if k < 0:
        return m.start[i], 0.0, 0.0
    return row[k, POSITION], row[k, VELOCITY], row[k, ACCELERATION]


@njit_part
def chord(m, s, i):
    """Angle of the line from a link's root to its tip, and its rate."""
    r, t, q, v = m.root[i], m.tip[i], s.q, s.v
    x, y, dx, dy = q[t] - q[r], q[t + 1] - q[r + 1], v[t] - v[r], v[t + 1] - v[r + 1]
    return unwound(x, y, s.chord_angle[i]), (x * dy - y * dx) / (x * x + y * y)


@njit_part
def read_joint(m, s, w, row, i):
    """Absolute angles and rates of the joint's sections and motor, and the law's reading, into the workspace."""
    q, v, b, a, p = s.q, s.v, m.first[i], m.before[i], m.motor[i]
    offset = m.offset[i]
    w.first_angle[i] = unwound(q[b], q[b + 1], s.first_angle[i] + offset) - offset
    w.first_rate[i] = turn_rate(q, v, b)
    w.before_angle[i], w.before_rate[i] = 0.0, 0.0
    if a >= 0:
        offset -= m.turn[i]
        w.before_angle[i] = unwound(q[a], q[a + 1], s.before_angle[i] + offset) - offset
        w.before_rate[i] = turn_rate(q, v, a)
    if m.commanded[i]:
        place, rate, _ = command(m, row, i)
        w.motor_angle[i], w.motor_rate[i] = w.before_angle[i] + place, w.before_rate[i] + rate
    elif m.sprung[i]:
        w.motor_angle[i], w.motor_rate[i] = q[p], v[p]
    else:
        w.motor_angle[i], w.motor_rate[i] = w.first_angle[i], w.first_rate[i]
    if m.sensor[i] == at.CHORD_SENSOR:
        w.reading[i], w.reading_rate[i] = chord(m, s, i)
        if i > 0:
            angle, rate = chord(m, s, i - 1)
            w.reading[i] -= angle
            w.reading_rate[i] -= rate
    elif m.sensor[i] == at.MOTOR_SENSOR:
        w.reading[i], w.reading_rate[i] = w.motor_angle[i] - w.before_angle[i], w.motor_rate[i] - w.before_rate[i]
    else:
        w.reading[i], w.reading_rate[i] = w.first_angle[i] - w.before_angle[i], w.first_rate[i] - w.before_rate[i]


@njit_part
def law_torque(m, s, w, row, h, i):
    """Torque of a joint's law or drive, and its slopes by reading, its rate and the motor's rate; read the joint first."""
    k = m.channel[i]
    motor_rate = w.motor_rate[i] - w.before_rate[i]
    return law_value(row[k], m.law[i], s.z[k], h, w.reading[i], w.reading_rate[i], motor_rate, w.law)


@njit_part
def put_torque(q, p, torque, f):
    """A torque on the section vector at p."""
    scale = torque / (q[p] * q[p] + q[p + 1] * q[p + 1])
    f[p] -= scale * q[p + 1]
    f[p + 1] += scale * q[p]


@njit_part
def spring_forces(m, s, w, row, f):
    """Add springs and dampers of joints, which turn the first section forward and what lies before the spring backward.

    Returns energy and power.
    """
    energy, power = 0.0, 0.0
    for i in range(m.links):
        if not m.sprung[i]:
            continue
        read_joint(m, s, w, row, i)
        wound, rate = w.first_angle[i] - w.motor_angle[i], w.first_rate[i] - w.motor_rate[i]
        energy += 0.5 * m.spring[i] * wound * wound
        power += m.damper[i] * rate * rate
        torque = m.spring[i] * wound + m.damper[i] * rate
        put_torque(s.q, m.first[i], torque, f)
        if not m.commanded[i]:
            f[m.motor[i]] -= torque
        elif m.before[i] >= 0:
            put_torque(s.q, m.before[i], -torque, f)
    return energy, power


@njit_part
def motor_forces(m, s, w, row, h, residual):
    """Take the torques of laws and drives off the residual: forward on motor or first section, backward on the one before."""
    for i in range(m.links):
        if not m.acts[i]:
            continue
        read_joint(m, s, w, row, i)
        torque = -law_torque(m, s, w, row, h, i)[0]
        if m.sprung[i]:
            residual[m.motor[i]] += torque
        else:
            put_torque(s.q, m.first[i], torque, residual)
        if m.before[i] >= 0:
            put_torque(s.q, m.before[i], -torque, residual)
