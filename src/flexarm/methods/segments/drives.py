"""Motors: commands of prescribed joints, torques of driven ones, and what is known of the joints at a step point.

Equations: G10, G11, G17.
"""

from __future__ import annotations

from flexarm.methods.segments import layout as at
from flexarm.methods.segments.sweep import gear_torque
from flexarm.numerics import laws
from flexarm.numerics.jit import NO, YES, njit_part
from flexarm.numerics.law_rows import DRAG as LAW_DRAG


@njit_part
def move_rigidly_connected(now, row, part):
    """Bodies on rigid connections take the motion of the body before them, plus the command."""
    theta, omega, alpha = now.theta, now.omega, now.alpha
    for b in range(theta.shape[0]):
        if part.kind[b, at.CONNECTION] != at.RIGID:
            continue
        angle, rate, turning = part.body[b, at.ANGLE], 0.0, 0.0
        k = part.kind[b, at.CHANNEL]
        if k >= 0:
            angle, rate, turning = row[k, laws.POSITION], row[k, laws.VELOCITY], row[k, laws.ACCELERATION]
        if b > 0:
            angle, rate, turning = angle + theta[b - 1], rate + omega[b - 1], turning + alpha[b - 1]
        theta[b], omega[b], alpha[b] = angle, rate, turning


@njit_part
def side(values, joint, i, motor):
    """Angle (or rate) of the motor side, or of the link side, against the body before the joint."""
    before = values[joint[i, at.J_TIP]] if joint[i, at.J_TIP] >= 0 else 0.0
    return values[joint[i, at.J_DRIVE] if motor else joint[i, at.J_ROOT]] - before


@njit_part
def reading(now, joint, i):
    """What the law of a joint reads: angle, rate, and the rate of the motor."""
    motor = joint[i, at.J_SENSE_MOTOR] == 1
    return side(now.theta, joint, i, motor), side(now.omega, joint, i, motor), side(now.omega, joint, i, YES[0])


@njit_part
def trial_torques(now, row, z, h, by, part, work):
    """Torque of every motor that a law or a torque drives, and its slopes, into `work.motor`; states of laws stay.

    by : derivatives by the unknown, see `sweep.Derivatives`
    """
    joint, motor = part.joint, work.motor
    for i in range(joint.shape[0]):
        if joint[i, at.J_MODE] != at.DRIVEN:
            continue
        k, b = joint[i, at.J_CHANNEL], joint[i, at.J_DRIVE]
        y, rate, turning = reading(now, joint, i)
        tau, dy, dv, dm = laws.law_value(row[k], part.law[k], z[k], h, y, rate, turning, work.law)
        by_reading, by_motor = -(by.angle * dy + by.rate * dv), -by.rate * dm
        motor[b, 0] = tau
        if joint[i, at.J_SENSE_MOTOR] == 1 or joint[i, at.J_ROOT] == b:
            motor[b, 1], motor[b, 2] = by_reading + by_motor, 0.0
        else:
            motor[b, 1], motor[b, 2] = by_motor, by_reading


@njit_part
def accepted_torques(now, row, z, h, part, work):
    """Torques of the driven joints at a step point into `work.motor`; the laws take over their states (h = 0: at once)."""
    joint = part.joint
    for i in range(joint.shape[0]):
        if joint[i, at.J_MODE] == at.DRIVEN:
            k = joint[i, at.J_CHANNEL]
            y, rate, turning = reading(now, joint, i)
            work.motor[joint[i, at.J_DRIVE], 0] = laws.law_step(
                row[k], part.law[k], z[k], h, y, rate, turning, 0.0, 0.0, 0.0, work.law
            )


@njit_part
def end_joints(now, z, part, w, fresh):
    """Joint numbers at a step point from the moments in `w`; work of the motors since the last one unless `fresh`."""
    joint, data, joints, sums = part.joint, part.joint_data, now.joints, now.sums
    for i in range(joint.shape[0]):
        root, b = joint[i, at.J_ROOT], joint[i, at.J_DRIVE]
        angle, tau = side(now.theta, joint, i, YES[0]), -w[b, at.W_MOMENT]
        drag = z[joint[i, at.J_CHANNEL], LAW_DRAG] if joint[i, at.J_MODE] == at.DRIVEN else 0.0
        if joint[i, at.J_MODE] >= at.PRESCRIBED and not fresh:
            turned, rubbed = angle - joints[at.MOTOR, i], 0.5 * (joints[at.DRAG, i] + drag)
            sums[at.WORK] += turned * (0.5 * (joints[at.DRIVE, i] + tau) - rubbed)
            sums[at.LOST] -= turned * rubbed
        joints[at.DRIVE, i], joints[at.DRAG, i] = tau, drag
        joints[at.MOTOR, i], joints[at.MOTOR_RATE, i] = angle, side(now.omega, joint, i, YES[0])
        before, own = data[i, at.TIP_COMPLIANCE], data[i, at.ROOT_COMPLIANCE]
        joints[at.POSITION, i] = side(now.theta, joint, i, NO[0]) - own * w[root, at.W_MOMENT] + before * tau
        joints[at.RATE, i] = side(now.omega, joint, i, NO[0])
        if before + own > 0.0:
            winding = now.omega[root] - now.omega[root - 1] if root > 0 else now.omega[root]
            joints[at.RATE, i] -= (before + own) * part.body[root, at.K] * winding
        if joint[i, at.J_SPRING] >= 0:
            joints[at.THROUGH, i] = -w[joint[i, at.J_SPRING], at.W_MOMENT]
        else:
            joints[at.THROUGH, i] = tau - data[i, at.ROTOR] * now.alpha[root] - gear_torque(now, part, b)
