"""What is known at the end of a step: torques, energies, and the energy balance of drives, damping and scheme.

The scheme's own gain is the change of energy minus the work of all forces along the step; the loss by damping is
accounted by its power; what material carries through a sliding joint counts as work.

Equations: S18.
"""

from __future__ import annotations

import numpy as np

from flexarm.methods.fem.spatial import layout as at
from flexarm.methods.fem.spatial.drives import sensed
from flexarm.numerics import laws
from flexarm.numerics.jit import njit_apart, njit_inside
from flexarm.numerics.rotations import apply_back

O_DAMPING, O_PSI, O_TURN, O_NOMINAL, O_FLOW, O_ROWS = 4, 8, 9, 10, 11, 12
"""Rows of what is noted of the joints at the start of the step: joint_force, joint_damping, positions, power of the flow."""
SLACK = 1e-9


@njit_inside
def note_start(state, solver):
    """Note forces and joint values of the start of the step."""
    j, record, fc, fd = state.deviation, state.joint_record, state.force, state.damping_force
    jc, jd, before = state.joint_force, state.joint_damping, solver.start_joint
    for f in range(fc.shape[0]):
        for k in range(6):
            solver.start_force[f, k], solver.start_damping_force[f, k] = fc[f, k], fd[f, k]
    for i in range(j.shape[1]):
        for k in range(4):
            before[k, i], before[O_DAMPING + k, i] = jc[k, i], jd[k, i]
        before[O_PSI, i], before[O_TURN, i] = j[at.PSI, i], j[at.TURN, i]
        before[O_NOMINAL, i], before[O_FLOW, i] = record[at.JOINT, i] - j[at.PSI, i], record[at.FLOW, i]


@njit_apart
def end_step(h, parts, state, scratch, solver, fresh):
    """Torques and energies at a step point whose forces are known; the sums over the step before unless it is a fresh start.

    False if they are not finite, or if the free length of a beam is beyond its limits."""
    frames, data, sums, phi, found = parts.frames, parts.joint_data, state.sums, scratch.phi, solver.energies
    kinetic, elastic, gravity, power = found[0], found[1], found[2], found[3]
    energy = kinetic + elastic + gravity
    gained, resisted = energy - sums[at.KINETIC] - sums[at.ELASTIC] - sums[at.GRAVITY], 0.0
    sums[at.KINETIC], sums[at.ELASTIC], sums[at.GRAVITY] = kinetic, elastic, gravity
    for f in range(frames.shape[0]):
        if frames[f, at.F_KIND] == at.NODE and not fresh:
            for k in range(6):
                gained -= 0.5 * solver.step[f, k] * (solver.start_force[f, k] + state.force[f, k])
                resisted += 0.5 * solver.step[f, k] * (solver.start_damping_force[f, k] + state.damping_force[f, k])
    inside = True
    for i in range(parts.joints.shape[0]):
        inside = inside and data[i, at.K_LEAST] * (1.0 - SLACK) <= phi[i, 0] <= data[i, at.K_MOST] * (1.0 + SLACK)
        record_joint(i, parts, state, scratch)
        if not fresh:
            gained, resisted = account_joint(i, h, parts, state, scratch, solver, gained, resisted)
        if parts.joints[i, at.J_LAW] and not parts.joints[i, at.J_PRESCRIBED]:
            end_law(i, h, parts, state, scratch, solver, fresh)
    if parts.loads:
        if not fresh:
            pushed = 0.5 * h * (sums[at.PUSH_POWER] + scratch.push_power[0])
            gained -= pushed
            sums[at.WORK] += pushed
        sums[at.PUSH_POWER] = scratch.push_power[0]
    if not fresh:  # the loss itself, by its power; what the forces resisted beside it is an error of the scheme
        lost = 0.5 * h * (sums[at.POWER] + power)
        sums[at.LOST] += lost
        sums[at.NUMERICAL] += gained + lost - resisted
    sums[at.POWER] = power
    return inside and np.isfinite(energy)


@njit_inside
def record_joint(i, parts, state, scratch):
    """Position and rate of joint and motor, torque through the joint, section forces at the root."""
    joints, data, j, record, phi0 = parts.joints, parts.joint_data, state.deviation, state.joint_record, scratch.phi0
    jc, jd = state.joint_force, state.joint_damping
    place = phi0[i, 0] - data[i, at.K_OFFSET]
    record[at.JOINT, i], record[at.JOINT_RATE, i] = place + j[at.PSI, i], scratch.phi[i, 1]
    record[at.PUSH, i] = phi0[i, 2]
    motor = at.TURN if joints[i, at.J_TURN] >= 0 else at.PSI
    turned, turning = (0.0, 0.0) if joints[i, at.J_PRESCRIBED] else (j[motor, i], j[motor + 1, i])
    record[at.MOTOR, i], record[at.MOTOR_RATE, i] = place + turned, phi0[i, 1] + turning
    through = jc[at.LINK_ROW, i] + jd[at.LINK_ROW, i]
    if data[i, at.K_RATIO] == 0.0 and not joints[i, at.J_SLIDES]:
        through -= data[i, at.K_ROTOR] * axial_push(joints[i, at.J_FRAME], parts, state, scratch)
    if data[i, at.K_SPRING] > 0.0:
        through -= jc[at.PSI_ROW, i] + jd[at.PSI_ROW, i]
    record[at.TORQUE, i] = through
    root_forces(i, joints[i, at.J_FRAME], state, scratch.root_load)
    if joints[i, at.J_PRESCRIBED]:
        record[at.DRIVE, i] = jc[at.NOMINAL_ROW, i] + jd[at.NOMINAL_ROW, i]


@njit_inside
def account_joint(i, h, parts, state, scratch, solver, gained, resisted):
    """Take the work of conservative forces on a joint off `gained`, add that of damping to `resisted`, and return both.

    The work of a prescribed motion and of the material that flows through the joint goes to the sums.
    """
    j, jc, jd, before = state.deviation, state.joint_force, state.joint_damping, solver.start_joint
    place = scratch.phi0[i, 0] - parts.joint_data[i, at.K_OFFSET]
    for k, moved in (
        (at.PSI_ROW, j[at.PSI, i] - before[O_PSI, i]), (at.MOTOR_ROW, j[at.TURN, i] - before[O_TURN, i]),
        (at.NOMINAL_ROW, place - before[O_NOMINAL, i]),
    ):  # fmt: skip
        gained -= 0.5 * moved * (before[k, i] + jc[k, i])
        resisted += 0.5 * moved * (before[O_DAMPING + k, i] + jd[k, i])
    brought = 0.5 * h * (before[O_FLOW, i] + state.joint_record[at.FLOW, i])
    state.sums[at.WORK] += brought
    if parts.joints[i, at.J_PRESCRIBED]:
        k = at.NOMINAL_ROW
        pull = before[k, i] + before[O_DAMPING + k, i] + jc[k, i] + jd[k, i]
        state.sums[at.WORK] += 0.5 * (place - before[O_NOMINAL, i]) * pull
    return gained - brought, resisted


@njit_inside
def end_law(i, h, parts, state, scratch, solver, fresh):
    """Torque and friction of a joint with a law, and their work along the step."""
    joints, record, before, z, law = parts.joints, state.joint_record, solver.start_joint, state.law, parts.law
    k = joints[i, at.J_CHANNEL]
    y, reading, speed = sensed(i, parts, state, scratch)
    tau = laws.law_step(solver.row[k], law[k], z[k], h, y, reading, speed, 0.0, 0.0, 0.0, solver.law_work)
    if law[k, laws.FRICTION] > 0.0:  # that with which the step was balanced
        tau += solver.friction[i] - z[k, laws.DRAG]
        z[k, laws.DRAG], z[k, laws.TORQUE] = solver.friction[i], tau
    if not fresh:
        own = O_TURN if joints[i, at.J_TURN] >= 0 else O_PSI
        moved = record[at.MOTOR, i] - before[O_NOMINAL, i] - before[own, i]
        drag = 0.5 * (record[at.DRAG, i] + z[k, laws.DRAG])
        state.sums[at.WORK] += moved * (0.5 * (record[at.DRIVE, i] + tau) - drag)
        state.sums[at.LOST] -= moved * drag
    record[at.DRIVE, i], record[at.DRAG, i] = tau, z[k, laws.DRAG]
    if parts.joint_data[i, at.K_SPRING] == 0.0:  # the same as the link's row, without the rounding of its large forces
        record[at.TORQUE, i] += tau - state.joint_force[at.PSI_ROW, i] - state.joint_damping[at.PSI_ROW, i]


@njit_inside
def axial_push(f, parts, state, scratch):
    """Angular acceleration of a frame about the axis of its joint."""
    axis = scratch.axis
    acc = state.acceleration if parts.theory != at.LINEAR else scratch.total_acceleration
    return axis[f, 0] * acc[f, 3] + axis[f, 1] * acc[f, 4] + axis[f, 2] * acc[f, 5]


@njit_inside
def root_forces(i, f, state, load):
    """Section force and moment at the root of link i, in its axes: the frame's forces hold it, its hub and the part behind the joint."""
    R, record, fc, fd = state.rotation, state.joint_record, state.force, state.damping_force
    for k in (0, 3):
        x, y, z = fc[f, k] + fd[f, k], fc[f, k + 1] + fd[f, k + 1], fc[f, k + 2] + fd[f, k + 2]
        x, y, z = apply_back(R, f, x - load[i, k], y - load[i, k + 1], z - load[i, k + 2])
        record[at.ROOT + k, i], record[at.ROOT + k + 1, i], record[at.ROOT + k + 2, i] = -x, -y, -z
