"""Joints: angles that motors turn and laws read, springs, and the torques of motors in residual and tangent."""

from __future__ import annotations

import math

from flexarm.methods.fem.layout import (
    ACCELERATION,
    ANGLE,
    I_LINKS,
    J_BASE,
    J_BORDER,
    J_CHANNEL,
    J_CHORD,
    J_FRAME,
    J_FROM,
    J_LAW,
    J_MOTOR,
    J_OWN,
    J_PARENT,
    J_SENSE_MOTOR,
    J_TIP,
    J_TO,
    K_START,
    RATE,
    S_DM,
    S_DV,
    S_DY,
    W_RESIDUAL,
)
from flexarm.numerics.jit import njit_inline, njit_inside, njit_part
from flexarm.numerics.laws import ACCELERATION as COMMAND_ACCELERATION
from flexarm.numerics.laws import POSITION, VELOCITY, drive_value


@njit_inside
def set_frame(part, row, frame):
    """Angles Theta, rates and accelerations of all links from the commands."""
    for i in range(part.ip[I_LINKS]):
        p, angle, rate, acceleration = part.joint[i, J_PARENT], 0.0, 0.0, 0.0
        if p >= 0:
            angle, rate, acceleration = frame[ANGLE, p], frame[RATE, p], frame[ACCELERATION, p]
        if part.joint[i, J_FRAME]:
            k = part.joint[i, J_CHANNEL]
            angle += row[k, POSITION]
            rate += row[k, VELOCITY]
            acceleration += row[k, COMMAND_ACCELERATION]
        else:
            angle += part.jfig[i, K_START]
        frame[ANGLE, i], frame[RATE, i], frame[ACCELERATION, i] = angle, rate, acceleration


@njit_inside
def wind(q, v, joint, i):
    """Winding of a joint spring and its rate: link side minus motor side."""
    wound, rate = q[joint[i, J_BASE]], v[joint[i, J_BASE]]
    for k in (joint[i, J_TIP], joint[i, J_MOTOR]):
        if k >= 0:
            wound -= q[k]
            rate -= v[k]
    return wound, rate


@njit_inside
def share(joint, i, torque, f):
    """Put a spring's torque on link, motor and the section before the joint."""
    f[joint[i, J_BASE]] += torque
    for k in (joint[i, J_TIP], joint[i, J_MOTOR]):
        if k >= 0:
            f[k] -= torque


@njit_inside
def couple(joint, i, stiffness, band, b):
    """Derivative of `share` for a torque that grows with the winding."""
    place = (joint[i, J_BASE], joint[i, J_TIP], joint[i, J_MOTOR])
    for r in range(3):
        for c in range(3):
            if place[r] >= 0 and place[c] >= 0:
                sign = 1.0 if (r == 0) == (c == 0) else -1.0
                band[place[r], place[c] - place[r] + b] += sign * stiffness


@njit_inside
def relative(q, v, joint, i):
    """Turning of the link's first section against the section before the joint, and its rate."""
    angle, rate = 0.0, 0.0
    if joint[i, J_OWN]:
        angle, rate = q[joint[i, J_BASE]], v[joint[i, J_BASE]]
        if joint[i, J_TIP] >= 0:
            angle -= q[joint[i, J_TIP]]
            rate -= v[joint[i, J_TIP]]
    return angle, rate


@njit_inside
def motor_turn(q, v, joint, i):
    """Angle on which the motor's torque works, from its start, and its rate."""
    if joint[i, J_MOTOR] >= 0:
        return q[joint[i, J_MOTOR]], v[joint[i, J_MOTOR]]
    return relative(q, v, joint, i)


@njit_inside
def nominal(row, joint, jfig, i):
    """Angle and rate of a joint without its unknowns: the command, or the start."""
    if joint[i, J_FRAME]:
        return row[joint[i, J_CHANNEL], POSITION], row[joint[i, J_CHANNEL], VELOCITY]
    return jfig[i, K_START], 0.0


@njit_inside
def chord(part, now, i):
    """Angle of the line from a link's root to its last node, unwound by the angle of the first section, and its rate."""
    q, v, r, t, base = now.q, now.v, part.joint[i, J_FROM], part.joint[i, J_TO], part.joint[i, J_BASE]
    x, y, dx, dy = q[t], q[t + 1], v[t], v[t + 1]
    if r >= 0:
        x, y, dx, dy = x - q[r], y - q[r + 1], dx - v[r], dy - v[r + 1]
    phi = now.frame[ANGLE, i]
    if base >= 0:
        phi += q[base]
    c, s = math.cos(phi), math.sin(phi)
    return phi + math.atan2(c * y - s * x, c * x + s * y), (x * dy - y * dx) / (x * x + y * y)


@njit_inside
def sensed(part, now, row, i):
    """Reading of a law, its rate, and the rate of the motor."""
    joint, q, v = part.joint, now.q, now.v
    place, speed = nominal(row, joint, part.jfig, i)
    turn, turning = motor_turn(q, v, joint, i)
    if joint[i, J_CHORD]:
        y, rate = chord(part, now, i)
        if joint[i, J_PARENT] >= 0:
            before, turned = chord(part, now, joint[i, J_PARENT])
            y, rate = y - before, rate - turned
        return y, rate, speed + turning
    angle, rate = (turn, turning) if joint[i, J_SENSE_MOTOR] else relative(q, v, joint, i)
    return place + angle, speed + rate, speed + turning


@njit_part
def chord_slope(part, now, i, sign, dy, dv, speed, row):
    """Add the derivative of a torque by all unknowns to `row`, for slopes dy and dv by the chord of link i and its rate."""
    q, v, r, t = now.q, now.v, part.joint[i, J_FROM], part.joint[i, J_TO]
    x, y, dx, dz = q[t], q[t + 1], v[t], v[t + 1]
    if r >= 0:
        x, y, dx, dz = x - q[r], y - q[r + 1], dx - v[r], dz - v[r + 1]
    square = x * x + y * y
    xx, xy = 2.0 * x * y / (square * square), (y * y - x * x) / (square * square)
    wx = sign * (-(dy + speed * dv) * y / square + dv * (xx * dx + xy * dz))
    wy = sign * ((dy + speed * dv) * x / square + dv * (xy * dx - xx * dz))
    row[t] += wx
    row[t + 1] += wy
    if r >= 0:
        row[r] -= wx
        row[r + 1] -= wy


@njit_inline
def law_rows(part, now, scratch, speed, out, back):
    """Rows of laws whose slopes lie outside the band: minus the direction of the motor into `out`, slopes into `back`."""
    joint, small = part.joint, scratch.small
    for i in range(part.ip[I_LINKS]):
        r = joint[i, J_BORDER]
        if r < 0:
            continue
        push_drive(joint, i, -1.0, out[r])
        if speed == 0.0:
            continue
        dy, dv = small[S_DY, i], small[S_DV, i]
        if joint[i, J_CHORD]:
            chord_slope(part, now, i, 1.0, dy, dv, speed, back[r])
            if joint[i, J_PARENT] >= 0:
                chord_slope(part, now, joint[i, J_PARENT], -1.0, dy, dv, speed, back[r])
        reading = 0.0 if joint[i, J_CHORD] else dy + speed * dv
        has_motor = joint[i, J_MOTOR] >= 0
        for c in range(3):
            k = joint[i, J_MOTOR] if c == 2 else joint[i, J_TIP] if c == 1 else joint[i, J_BASE]
            if k >= 0:
                back[r, k] += reading * _part(joint[i, J_SENSE_MOTOR] and has_motor, c)
                back[r, k] += speed * small[S_DM, i] * _part(has_motor, c)


@njit_inside
def push_drive(joint, i, torque, f):
    """Put the motor's torque on the unknowns that it moves."""
    if joint[i, J_MOTOR] >= 0:
        f[joint[i, J_MOTOR]] += torque
        return
    f[joint[i, J_BASE]] += torque
    if joint[i, J_TIP] >= 0:
        f[joint[i, J_TIP]] -= torque


@njit_inside
def drive_slope(joint, i, slope, at_motor, band, b):
    """Derivative of the motor's force by the unknowns; the slope is by the angle of the motor or of the joint."""
    for r in range(3):
        row = joint[i, J_MOTOR] if r == 2 else joint[i, J_TIP] if r == 1 else joint[i, J_BASE]
        drive = _part(joint[i, J_MOTOR] >= 0, r)
        if row < 0 or drive == 0.0:
            continue
        for c in range(3):
            column = joint[i, J_MOTOR] if c == 2 else joint[i, J_TIP] if c == 1 else joint[i, J_BASE]
            if column < 0:
                continue
            band[row, column - row + b] -= drive * slope * _part(at_motor, c)


@njit_inside
def _part(motor, k):
    """Share of base (0), section before (1) and motor (2) in the angle of the motor or of the joint."""
    if motor:
        return 1.0 if k == 2 else 0.0
    return 1.0 if k == 0 else -1.0 if k == 1 else 0.0


@njit_inline
def motors(part, now, z, row, h, speed, renew, scratch):
    """Torques of laws and drives, friction apart, in the residual and, if `renew`, in the tangent or beside it."""
    joint, law, small = part.joint, part.law, scratch.small
    for i in range(part.ip[I_LINKS]):
        if joint[i, J_LAW]:
            k = joint[i, J_CHANNEL]
            y, rate, turning = sensed(part, now, row, i)
            tau, dy, dv, dm = drive_value(row[k], law[k], z[k], h, y, rate, turning, scratch.law_work)
            push_drive(joint, i, -tau, scratch.work[W_RESIDUAL])
            if renew:
                if joint[i, J_BORDER] >= 0:
                    small[S_DY, i], small[S_DV, i], small[S_DM, i] = dy, dv, dm
                else:
                    has_motor, b = joint[i, J_MOTOR] >= 0, scratch.band.shape[1] // 2
                    drive_slope(joint, i, dy + speed * dv, joint[i, J_SENSE_MOTOR] and has_motor, scratch.band, b)
                    if dm != 0.0:
                        drive_slope(joint, i, speed * dm, has_motor, scratch.band, b)
