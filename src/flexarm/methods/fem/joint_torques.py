"""Torques through the joints at a step point, from the forces on the first sections of the links.

Equations: E2.
"""

from __future__ import annotations

from flexarm.methods.fem import layout as at
from flexarm.methods.fem.far_nodes import value_of
from flexarm.methods.fem.joints import command_of, motor_turn
from flexarm.numerics.jit import njit_inside


@njit_inside
def gear_torque(part, now, i):
    """Torque that a geared rotor takes to turn with its joint alone."""
    inertia = part.joint_data[i, at.GEAR]
    if inertia == 0.0:
        return 0.0
    turning = command_of(part, now, at.ACCELERATION, i)
    if not part.joint[i, at.J_PRESCRIBED]:
        turning += motor_turn(now.v, now.a, part.joint, i)[1]
    return inertia * turning


@njit_inside
def find_joint_torques(part, now):
    """Torque through each joint and of its motor; tc then holds the part that is not damping."""
    joint, frame, tc, td, a = part.joint, now.frame, now.tc, now.td, now.a
    for i in range(part.links):
        turning = part.root_row[i, 0] * frame[at.ACCELERATION, i]
        for k in range(part.root_at.shape[1]):
            turning += part.root_row[i, 1 + k] * value_of(a, part.root_at[i, k])
        tc[i] += turning
        if part.joint_data[i, at.SPRING] > 0.0:
            frame[at.TORQUE, i] = tc[i] + td[i]
            if joint[i, at.J_FRAME]:
                rotor = frame[at.ACCELERATION, i] + value_of(a, joint[i, at.J_TIP]) + value_of(a, joint[i, at.J_MOTOR])
                tc[i] += part.joint_data[i, at.ROTOR] * rotor + gear_torque(part, now, i)
        else:
            rotor = frame[at.ACCELERATION, i] + value_of(a, joint[i, at.J_BASE])
            frame[at.TORQUE, i] = tc[i] + td[i] - part.joint_data[i, at.ROTOR] * rotor
            tc[i] += gear_torque(part, now, i)
        if joint[i, at.J_PRESCRIBED]:
            frame[at.DRIVE, i] = tc[i] + td[i]


@njit_inside
def turns_as_one(part, i):
    """Whether link i is rigid: what turns its far end turns its root."""
    found = False
    for n in range(part.far_nodes.shape[0]):
        own = part.far_nodes[n, at.FAR_BASE] == part.joint[i, at.J_BASE]
        found = found or (part.far_nodes[n, at.FAR_LINK] == i and own)
    return found


@njit_inside
def add_motor_reactions(part, now, i, torque):
    """A motor without a spring (whose force is among those of the arm) leans on the link that carries it.

    A rigid one hands the torque on to its own joint, and, if that is held by its command, to the link before it; a
    flexible one feels it in its sections.
    """
    link = part.joint[i, at.J_PARENT]
    while link >= 0 and turns_as_one(part, link):
        now.tc[link] += torque
        sprung = part.joint_data[link, at.SPRING] > 0.0
        if sprung or not part.joint[link, at.J_LAW]:  # without a spring the law tells the torque
            now.frame[at.TORQUE, link] += torque
        if part.joint[link, at.J_PRESCRIBED]:
            now.frame[at.DRIVE, link] += torque
        if sprung or part.joint[link, at.J_LAW]:
            return
        link = part.joint[link, at.J_PARENT]
