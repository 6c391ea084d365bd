"""Joints: angles that motors turn and laws read, springs, and the torques of motors in residual and tangent.

Equations: E1, E2.
"""

from __future__ import annotations

from flexarm.methods.fem import layout as at
from flexarm.methods.fem.chords import chord, chord_slope
from flexarm.methods.fem.far_nodes import value_of
from flexarm.numerics import laws
from flexarm.numerics.jit import njit_inline, njit_inside


@njit_inside
def set_frame(part, row, frame):
    """Angles Theta, rates and accelerations of all links from the commands."""
    for i in range(part.links):
        p, angle, rate, acceleration = part.joint[i, at.J_PARENT], 0.0, 0.0, 0.0
        if p >= 0:
            angle, rate, acceleration = frame[at.ANGLE, p], frame[at.RATE, p], frame[at.ACCELERATION, p]
        if part.joint[i, at.J_FRAME]:
            k = part.joint[i, at.J_CHANNEL]
            angle += row[k, laws.POSITION]
            rate += row[k, laws.VELOCITY]
            acceleration += row[k, laws.ACCELERATION]
        else:
            angle += part.joint_data[i, at.START]
        frame[at.ANGLE, i], frame[at.RATE, i], frame[at.ACCELERATION, i] = angle, rate, acceleration


@njit_inside
def command_of(part, now, row, i):
    """What the command gives to a joint's angle, rate or acceleration: that row of the frame, less the parent's."""
    p = part.joint[i, at.J_PARENT]
    return now.frame[row, i] - (now.frame[row, p] if p >= 0 else 0.0)


@njit_inside
def winding(q, v, joint, i):
    """Winding of a joint spring and its rate: link side minus motor side."""
    wound, rate = q[joint[i, at.J_BASE]], v[joint[i, at.J_BASE]]
    for k in (joint[i, at.J_TIP], joint[i, at.J_MOTOR]):
        if k >= 0:
            wound -= q[k]
            rate -= v[k]
    return wound, rate


@njit_inside
def add_torque(joint, i, torque, f):
    """Put a spring's torque on link, motor and the section before the joint."""
    f[joint[i, at.J_BASE]] += torque
    for k in (joint[i, at.J_TIP], joint[i, at.J_MOTOR]):
        if k >= 0:
            f[k] -= torque


@njit_inside
def add_stiffness(joint, i, stiffness, band):
    """Derivative of `add_torque` for a torque that grows with the winding."""
    place, b = (joint[i, at.J_BASE], joint[i, at.J_TIP], joint[i, at.J_MOTOR]), band.shape[1] // 2
    for r in range(3):
        for c in range(3):
            if place[r] >= 0 and place[c] >= 0:
                sign = 1.0 if (r == 0) == (c == 0) else -1.0
                band[place[r], place[c] - place[r] + b] += sign * stiffness


@njit_inside
def relative(q, v, joint, i):
    """Turning of the link's first section against the section before the joint, and its rate."""
    base, tip = joint[i, at.J_BASE], joint[i, at.J_TIP]
    if joint[i, at.J_OWN]:
        return q[base] - value_of(q, tip), v[base] - value_of(v, tip)
    return 0.0, 0.0


@njit_inside
def motor_turn(q, v, joint, i):
    """Angle on which the motor's torque works, from its start, and its rate."""
    if joint[i, at.J_MOTOR] >= 0:
        return q[joint[i, at.J_MOTOR]], v[joint[i, at.J_MOTOR]]
    return relative(q, v, joint, i)


@njit_inside
def nominal(part, row, i):
    """Angle and rate of a joint without its unknowns: the command, or the start."""
    if part.joint[i, at.J_FRAME]:
        k = part.joint[i, at.J_CHANNEL]
        return row[k, laws.POSITION], row[k, laws.VELOCITY]
    return part.joint_data[i, at.START], 0.0


@njit_inside
def sensed(part, now, row, i):
    """Reading of a law, its rate, and the rate of the motor."""
    joint, q, v = part.joint, now.q, now.v
    place, speed = nominal(part, row, i)
    turn, turning = motor_turn(q, v, joint, i)
    if joint[i, at.J_CHORD]:
        y, rate = chord(part, now, i)
        if joint[i, at.J_PARENT] >= 0:
            before, turned = chord(part, now, joint[i, at.J_PARENT])
            y, rate = y - before, rate - turned
        return y, rate, speed + turning
    angle, rate = (turn, turning) if joint[i, at.J_SENSE_MOTOR] else relative(q, v, joint, i)
    return place + angle, speed + rate, speed + turning


@njit_inside
def push_drive(joint, i, torque, f):
    """Put the motor's torque on the unknowns that it moves."""
    if joint[i, at.J_MOTOR] >= 0:
        f[joint[i, at.J_MOTOR]] += torque
        return
    f[joint[i, at.J_BASE]] += torque
    if joint[i, at.J_TIP] >= 0:
        f[joint[i, at.J_TIP]] -= torque


@njit_inside
def angle_share(motor, k):
    """Share of base (0), section before (1) and motor (2), the first columns of `joint`, in the angle of the motor or of the
    joint."""
    if motor:
        return 1.0 if k == 2 else 0.0
    return 1.0 if k == 0 else -1.0 if k == 1 else 0.0


@njit_inside
def drive_slope(joint, i, slope, of_motor, band):
    """Derivative of the motor's force by the unknowns; the slope is by the angle of the motor or of the joint."""
    own, b = joint[i, at.J_MOTOR] >= 0, band.shape[1] // 2
    for r in range(3):
        row, drive = joint[i, r], angle_share(own, r)
        for c in range(3 if row >= 0 and drive != 0.0 else 0):
            column = joint[i, c]
            if column >= 0:
                band[row, column - row + b] -= drive * slope * angle_share(of_motor, c)


@njit_inline
def law_rows(part, now, work, speed):
    """Rows of laws whose slopes lie outside the band: minus the direction of the motor into G, slopes into D."""
    joint = part.joint
    for i in range(part.links):
        r = joint[i, at.J_BORDER]
        if r < 0:
            continue
        push_drive(joint, i, -1.0, work.G[r])
        if speed == 0.0:
            continue
        dy, dv = work.slope_position[i], work.slope_rate[i]
        if joint[i, at.J_CHORD]:
            chord_slope(part, now, i, 1.0, dy, dv, speed, work.D[r])
            if joint[i, at.J_PARENT] >= 0:
                chord_slope(part, now, joint[i, at.J_PARENT], -1.0, dy, dv, speed, work.D[r])
        reading = 0.0 if joint[i, at.J_CHORD] else dy + speed * dv
        own = joint[i, at.J_MOTOR] >= 0
        for c in range(3):
            if joint[i, c] >= 0:
                work.D[r, joint[i, c]] += reading * angle_share(joint[i, at.J_SENSE_MOTOR] and own, c)
                work.D[r, joint[i, c]] += speed * work.slope_motor[i] * angle_share(own, c)


@njit_inline
def motors(part, now, work, z, row, h, speed, renew):
    """Torques of laws and drives, friction apart, in the residual and, if `renew`, in the tangent or beside it."""
    joint = part.joint
    for i in range(part.links):
        if joint[i, at.J_LAW]:
            k = joint[i, at.J_CHANNEL]
            y, rate, turning = sensed(part, now, row, i)
            tau, dy, dv, dm = laws.drive_value(row[k], part.law[k], z[k], h, y, rate, turning, work.law_work)
            push_drive(joint, i, -tau, work.residual)
            if renew:
                if joint[i, at.J_BORDER] >= 0:
                    work.slope_position[i], work.slope_rate[i], work.slope_motor[i] = dy, dv, dm
                else:
                    own = joint[i, at.J_MOTOR] >= 0
                    drive_slope(joint, i, dy + speed * dv, joint[i, at.J_SENSE_MOTOR] and own, work.band)
                    if dm != 0.0:
                        drive_slope(joint, i, speed * dm, own, work.band)
