"""Work of the drives along a step, and what prescribed and commanded turning takes out of the energy.

A drive does the work of its mean torque along the angle by which it turns. In a starting step prescribed joints are
accounted by the powers of its two stages: the torque with which it begins may be that of an impulse.

Equations: E12.
"""

from __future__ import annotations

from flexarm.methods.fem import layout as at
from flexarm.methods.fem.joint_torques import add_motor_reactions, gear_torque
from flexarm.methods.fem.joints import motor_turn, nominal, relative, sensed
from flexarm.numerics import laws
from flexarm.numerics.alexander import SHARE
from flexarm.numerics.jit import njit_inline, njit_inside


@njit_inside
def account_law(part, now, work, z, row, h, i, turn, fresh):
    """Take over the torque of a law at the end of the step, and account for its work and the friction's loss."""
    k, frame, sums = part.joint[i, at.J_CHANNEL], now.frame, now.sums
    y, reading, turning = sensed(part, now, row, i)
    tau = laws.law_step(row[k], part.law[k], z[k], h, y, reading, turning, 0.0, 0.0, 0.0, work.law_work)
    if part.law[k, laws.FRICTION] > 0.0:  # that with which the step was balanced
        tau += work.friction_torque[i] - z[k, laws.DRAG]
        z[k, laws.DRAG], z[k, laws.TORQUE] = work.friction_torque[i], tau
    if not fresh:
        moved = turn - work.drive_angle[i]
        drag = 0.5 * (frame[at.DRAG, i] + z[k, laws.DRAG])
        sums[at.WORK] += moved * (0.5 * (frame[at.DRIVE, i] + tau) - drag)
        sums[at.LOST] -= moved * drag
    frame[at.DRIVE, i], frame[at.DRAG, i] = tau, z[k, laws.DRAG]
    if part.joint_data[i, at.SPRING] == 0.0:
        rotor = frame[at.ACCELERATION, i] + now.a[part.joint[i, at.J_BASE]]
        frame[at.TORQUE, i] = tau - part.joint_data[i, at.ROTOR] * rotor - gear_torque(part, now, i)
        add_motor_reactions(part, now, i, tau)


@njit_inline
def account_joints(part, now, work, z, row, h, fresh):
    """Angles and torques of the joints, and the work of their drives.

    Returns what the commanded turning takes out of the energy, and what it pushes against damping.
    """
    joint, frame, q, v, tc, td = part.joint, now.frame, now.q, now.v, now.tc, now.td
    given, resisted = 0.0, 0.0
    for back in range(part.links):  # children first: their motors lean on the links before them
        i = part.links - 1 - back
        place, speed = nominal(part, row, i)
        angle, rate = relative(q, v, joint, i)
        turn = place + motor_turn(q, v, joint, i)[0]
        prescribed = joint[i, at.J_PRESCRIBED]
        frame[at.JOINT, i], frame[at.JOINT_RATE, i] = place + angle, speed + rate
        frame[at.MOTOR, i] = place if prescribed else turn
        by_stages = prescribed and now.sums[at.STARTING] > 0.0
        if by_stages and not fresh:
            done = h * ((1.0 - SHARE) * work.stage_power[i] + SHARE * speed * (tc[i] + td[i]))
            given += done
            now.sums[at.WORK] += done
        elif joint[i, at.J_FRAME] and not fresh:
            moved = place - work.command_angle[i]
            resisted += 0.5 * moved * (work.start_td[i] + td[i])
            given += 0.5 * moved * (work.start_tc[i] + tc[i])
        work.command_angle[i] = place
        if prescribed:
            if not fresh and not by_stages:
                torque = work.start_tc[i] + tc[i] + work.start_td[i] + td[i]
                now.sums[at.WORK] += 0.5 * (place - work.drive_angle[i]) * torque
            work.drive_angle[i] = place
        else:
            if joint[i, at.J_LAW]:
                account_law(part, now, work, z, row, h, i, turn, fresh)
            work.drive_angle[i] = turn
    return given, resisted
