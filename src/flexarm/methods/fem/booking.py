"""What happens along a step: torques, energies, work of the drives, losses, and the loss of the time scheme itself.

What the scheme gains or loses is measured by itself: change of energy minus the work of all forces along the step.
"""

from __future__ import annotations

import numpy as np

from flexarm.methods.fem.assemble import add_inertia, damping_power, kinetic, split_forces
from flexarm.methods.fem.friction import F_TORQUE
from flexarm.methods.fem.joints import motor_turn, nominal, relative, sensed
from flexarm.methods.fem.layout import (
    ACCELERATION,
    DRAG,
    DRIVE,
    ENERGY,
    I_CARRIES,
    I_LINKS,
    J_BASE,
    J_CHANNEL,
    J_FRAME,
    J_LAW,
    J_MOTOR,
    J_MOVED,
    J_PARENT,
    J_TIP,
    JOINT,
    JOINT_RATE,
    K_ROTOR,
    K_SPRING,
    LOST,
    MOTOR,
    NUMERICAL,
    POWER,
    S_OLD_C,
    S_OLD_D,
    S_PLACE,
    S_STAGE,
    S_STAGE_POWER,
    S_TURN,
    TORQUE,
    WORK,
)
from flexarm.methods.fem.payload import payload_inertia
from flexarm.methods.fem.rigid import R_BASE, R_LINK, fold_forces
from flexarm.methods.fem.softstep import SHARE
from flexarm.methods.fem.tying import push_ties
from flexarm.numerics.jit import njit_inline, njit_inside
from flexarm.numerics.laws import DRAG as Z_DRAG
from flexarm.numerics.laws import FRICTION, law_step
from flexarm.numerics.laws import TORQUE as Z_TORQUE


@njit_inside
def angle_of(values, k):
    """Entry k, or 0 where there is none (k < 0)."""
    return values[k] if k >= 0 else 0.0


@njit_inside
def balance(part, now):
    """Torque through each joint and of its motor; tc then holds the part that is not damping."""
    joint, jfig, frame, tc, td, a = part.joint, part.jfig, now.frame, now.tc, now.td, now.a
    for i in range(part.ip[I_LINKS]):
        turning = part.root_row[i, 0] * frame[ACCELERATION, i]
        for k in range(part.root_at.shape[1]):
            turning += part.root_row[i, 1 + k] * angle_of(a, part.root_at[i, k])
        tc[i] += turning
        if jfig[i, K_SPRING] > 0.0:
            frame[TORQUE, i] = tc[i] + td[i]
            if joint[i, J_FRAME]:
                rotor = frame[ACCELERATION, i] + angle_of(a, joint[i, J_TIP]) + angle_of(a, joint[i, J_MOTOR])
                tc[i] += jfig[i, K_ROTOR] * rotor
        else:
            rotor = frame[ACCELERATION, i] + angle_of(a, joint[i, J_BASE])
            frame[TORQUE, i] = tc[i] + td[i] - jfig[i, K_ROTOR] * rotor
        if joint[i, J_MOVED]:
            frame[DRIVE, i] = tc[i] + td[i]


@njit_inside
def book_law(part, now, scratch, z, row, h, i, turn, fresh):
    """Take over the torque of a law at the end of the step, and book its work and the friction's loss."""
    k, frame, sums = part.joint[i, J_CHANNEL], now.frame, now.sums
    y, reading, turning = sensed(part, now, row, i)
    tau = law_step(row[k], part.law[k], z[k], h, y, reading, turning, 0.0, 0.0, 0.0, scratch.law_work)
    if part.law[k, FRICTION] > 0.0:  # that with which the step was balanced
        tau += scratch.friction[F_TORQUE, i] - z[k, Z_DRAG]
        z[k, Z_DRAG], z[k, Z_TORQUE] = scratch.friction[F_TORQUE, i], tau
    if not fresh:
        moved = turn - scratch.small[S_TURN, i]
        drag = 0.5 * (frame[DRAG, i] + z[k, Z_DRAG])
        sums[WORK] += moved * (0.5 * (frame[DRIVE, i] + tau) - drag)
        sums[LOST] -= moved * drag
    frame[DRIVE, i], frame[DRAG, i] = tau, z[k, Z_DRAG]
    if part.jfig[i, K_SPRING] == 0.0:
        frame[TORQUE, i] = tau - part.jfig[i, K_ROTOR] * (frame[ACCELERATION, i] + now.a[part.joint[i, J_BASE]])


@njit_inside
def turns_as_one(part, i):
    """Whether link i is rigid: what turns its far end turns its root."""
    found = False
    for n in range(part.slaves.shape[0]):
        found = found or (part.slaves[n, R_LINK] == i and part.slaves[n, R_BASE] == part.joint[i, J_BASE])
    return found


@njit_inside
def lean_on_parents(part, now, i, torque):
    """A motor without a spring (whose force is among those of the arm) leans on the link that carries it.

    A rigid one hands the torque on to its own joint, and, if that is held by its command, to the link before it; a
    flexible one feels it in its sections.
    """
    link = part.joint[i, J_PARENT]
    while link >= 0 and turns_as_one(part, link):
        now.tc[link] += torque
        if not part.joint[link, J_LAW]:
            now.frame[TORQUE, link] += torque
        if part.joint[link, J_MOVED]:
            now.frame[DRIVE, link] += torque
        if part.joint[link, J_LAW] or part.jfig[link, K_SPRING] > 0.0:
            return
        link = part.joint[link, J_PARENT]


@njit_inline
def book_joints(part, now, scratch, z, row, h, fresh):
    """Angles and torques of the joints, and the work of their drives.

    Returns what the commanded turning takes out of the energy, and what it pushes against damping.
    """
    joint, jfig, frame, small, q, v = part.joint, part.jfig, now.frame, scratch.small, now.q, now.v
    given, resisted = 0.0, 0.0
    for back in range(part.ip[I_LINKS]):  # children first: their motors lean on the links before them
        i = part.ip[I_LINKS] - 1 - back
        place, speed = nominal(row, joint, jfig, i)
        angle, rate = relative(q, v, joint, i)
        turn = place + motor_turn(q, v, joint, i)[0]
        frame[JOINT, i], frame[JOINT_RATE, i] = place + angle, speed + rate
        frame[MOTOR, i] = place if joint[i, J_MOVED] else turn
        soft = joint[i, J_MOVED] and small[S_STAGE, 1] > 0.0
        if soft and not fresh:  # by the stages: the torque with which a soft step begins may be that of an impulse
            work = h * ((1.0 - SHARE) * small[S_STAGE_POWER, i] + SHARE * speed * (now.tc[i] + now.td[i]))
            given += work
            now.sums[WORK] += work
        elif joint[i, J_FRAME] and not fresh:
            moved = place - small[S_PLACE, i]
            resisted += 0.5 * moved * (small[S_OLD_D, i] + now.td[i])
            given += 0.5 * moved * (small[S_OLD_C, i] + now.tc[i])
        small[S_PLACE, i] = place
        if joint[i, J_MOVED]:
            if not fresh and not soft:
                torque = small[S_OLD_C, i] + now.tc[i] + small[S_OLD_D, i] + now.td[i]
                now.sums[WORK] += 0.5 * (place - small[S_TURN, i]) * torque
            small[S_TURN, i] = place
        else:
            if joint[i, J_LAW]:
                book_law(part, now, scratch, z, row, h, i, turn, fresh)
                if jfig[i, K_SPRING] == 0.0:
                    lean_on_parents(part, now, i, frame[DRIVE, i])
            small[S_TURN, i] = turn
    return given, resisted


@njit_inside
def forces_at(part, now, scratch):
    """Forces with those of inertia and of the ties into fc and fd, torques of the joints; returns the energy."""
    energy = split_forces(part, now, scratch)
    add_inertia(part, now, now.fc)
    energy += kinetic(part, now)
    if part.ip[I_CARRIES]:
        energy += payload_inertia(part, now, now.fc)
    if part.side.shape[0] > 0:
        push_ties(part, now, now.fc, now.tc)
    if part.slaves.shape[0] > 0:
        fold_forces(part, now, now.fc, now.tc)
        fold_forces(part, now, now.fd, now.td)
    balance(part, now)
    return energy


@njit_inside
def settle(part, now, scratch, z, row, h, fresh):
    """Forces, torques, energies at a step point; the sums over the step before unless it is a fresh start.

    work[0] holds the positions at the start of the step, work[1] the forces there, work[2] those of damping. The loss is
    booked by its own power; what the forces resisted beside it is an error of the scheme.
    """
    work, small, sums = scratch.work, scratch.small, now.sums
    energy = forces_at(part, now, scratch)
    gained, resisted = energy - sums[ENERGY], 0.0
    sums[ENERGY] = energy
    if not fresh:
        for k in range(now.q.shape[0]):
            moved = now.q[k] - work[0, k]
            gained -= 0.5 * moved * (work[1, k] + now.fc[k])
            resisted += 0.5 * moved * (work[2, k] + now.fd[k])
    given, against = book_joints(part, now, scratch, z, row, h, fresh)
    power = damping_power(part, now, scratch)
    if not fresh:
        lost = 0.5 * h * (sums[POWER] + power)
        if small[S_STAGE, 1] > 0.0:
            lost = h * ((1.0 - SHARE) * small[S_STAGE, 0] + SHARE * power)
        sums[LOST] += lost
        sums[NUMERICAL] += gained - given + lost - resisted - against
    sums[POWER] = power
    return np.isfinite(energy)


@njit_inside
def book_stage(part, now, scratch, row):
    """Power of damping and of the commanded joints in the first stage of a soft step."""
    small = scratch.small
    forces_at(part, now, scratch)
    small[S_STAGE, 0] = damping_power(part, now, scratch)
    for i in range(part.ip[I_LINKS]):
        speed = nominal(row, part.joint, part.jfig, i)[1]
        small[S_STAGE_POWER, i] = speed * (now.tc[i] + now.td[i])
