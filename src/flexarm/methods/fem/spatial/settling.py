"""What is known at the end of a step: torques, energy, and what drives, damping and the scheme did to it.

The scheme's own gain is the change of energy minus the work of all forces along the step; the loss by damping is
counted by its power; what material carries through a sliding joint counts as work.
"""

from __future__ import annotations

import numpy as np

from flexarm.methods.fem.spatial.drives import sensed
from flexarm.methods.fem.spatial.layout import (
    DRAG,
    DRIVE,
    ELASTIC,
    F_KIND,
    FLOW,
    GRAVITY,
    I_THEORY,
    J_CHANNEL,
    J_FRAME,
    J_LAW,
    J_MOVED,
    J_SLIDES,
    J_TURN,
    JOINT,
    JOINT_RATE,
    K_LEAST,
    K_MOST,
    K_OFFSET,
    K_ROTOR,
    K_SPRING,
    KINETIC,
    LINEAR,
    LINK_ROW,
    LOST,
    MOTOR,
    MOTOR_RATE,
    MOTOR_ROW,
    NODE,
    NOMINAL_ROW,
    NUMERICAL,
    POWER,
    PSI,
    PSI_ROW,
    PUSH,
    ROOT,
    TORQUE,
    TURN,
    WORK,
)
from flexarm.numerics.jit import njit_inline
from flexarm.numerics.laws import DRAG as Z_DRAG
from flexarm.numerics.laws import FRICTION, law_step
from flexarm.numerics.laws import TORQUE as Z_TORQUE
from flexarm.numerics.rotations import apply_back

O_PSI, O_TURN, O_NOMINAL, O_FLOW = 8, 9, 10, 11
O_ROWS = 12
SLACK = 1e-9
"""Rows of what is kept of the joints from the start of the step; the first eight are jc and jd."""


@njit_inline
def note_start(state, solver):
    """Keep forces and joint values of the start of the step."""
    j, figures, fc, fd, jc, jd = state[4], state[5], state[10], state[11], state[12], state[13]
    ofc, ofd, before = solver.ofc, solver.ofd, solver.before
    for f in range(fc.shape[0]):
        for k in range(6):
            ofc[f, k], ofd[f, k] = fc[f, k], fd[f, k]
    for i in range(j.shape[1]):
        for k in range(4):
            before[k, i], before[4 + k, i] = jc[k, i], jd[k, i]
        before[O_PSI, i], before[O_TURN, i] = j[PSI, i], j[TURN, i]
        before[O_NOMINAL, i], before[O_FLOW, i] = figures[JOINT, i] - j[PSI, i], figures[FLOW, i]


@njit_inline
def settle(row, z, law, h, parts, state, scratch, solver, law_work, fresh):
    """Torques and energies at a step point whose forces are known; the sums over the step before unless it is a fresh start.

    False if they are not finite, or if the free length of a beam is beyond its limits."""
    frames, joint, jfig = parts.frames, parts.joint, parts.jfig
    j, figures, s, fc, fd, jc, jd = state[4], state[5], state[6], state[10], state[11], state[12], state[13]
    phi, phi0, step = scratch.phi, scratch.phi0, solver.step
    ofc, ofd, before = solver.ofc, solver.ofd, solver.before
    found = solver.found
    kinetic, elastic, gravity, power = found[0], found[1], found[2], found[3]
    energy = kinetic + elastic + gravity
    gained, resisted = energy - s[KINETIC] - s[ELASTIC] - s[GRAVITY], 0.0
    s[KINETIC], s[ELASTIC], s[GRAVITY] = kinetic, elastic, gravity
    for f in range(frames.shape[0]):
        if frames[f, F_KIND] == NODE and not fresh:
            for k in range(6):
                gained -= 0.5 * step[f, k] * (ofc[f, k] + fc[f, k])
                resisted += 0.5 * step[f, k] * (ofd[f, k] + fd[f, k])
    inside = True
    for i in range(joint.shape[0]):
        inside = inside and jfig[i, K_LEAST] * (1.0 - SLACK) <= phi[i, 0] <= jfig[i, K_MOST] * (1.0 + SLACK)
        place = phi0[i, 0] - jfig[i, K_OFFSET]
        figures[JOINT, i], figures[JOINT_RATE, i] = place + j[PSI, i], phi[i, 1]
        figures[PUSH, i] = phi0[i, 2]
        motor = TURN if joint[i, J_TURN] >= 0 else PSI
        turned, turning = (0.0, 0.0) if joint[i, J_MOVED] else (j[motor, i], j[motor + 1, i])
        figures[MOTOR, i], figures[MOTOR_RATE, i] = place + turned, phi0[i, 1] + turning
        through = jc[LINK_ROW, i] + jd[LINK_ROW, i]
        if jfig[i, K_SPRING] == 0.0 and not joint[i, J_SLIDES]:
            through -= jfig[i, K_ROTOR] * axial_push(joint[i, J_FRAME], parts, state, scratch)
        if jfig[i, K_SPRING] > 0.0:
            through -= jc[PSI_ROW, i] + jd[PSI_ROW, i]
        figures[TORQUE, i] = through
        root_forces(i, joint[i, J_FRAME], state, scratch.rear)
        if not fresh:
            for k, moved in (
                (PSI_ROW, j[PSI, i] - before[O_PSI, i]), (MOTOR_ROW, j[TURN, i] - before[O_TURN, i]),
                (NOMINAL_ROW, place - before[O_NOMINAL, i]),
            ):  # fmt: skip
                gained -= 0.5 * moved * (before[k, i] + jc[k, i])
                resisted += 0.5 * moved * (before[4 + k, i] + jd[k, i])
            brought = 0.5 * h * (before[O_FLOW, i] + figures[FLOW, i])
            gained -= brought
            s[WORK] += brought
        k = NOMINAL_ROW
        if joint[i, J_MOVED]:
            figures[DRIVE, i] = jc[k, i] + jd[k, i]
            if not fresh:
                pull = before[k, i] + before[4 + k, i] + jc[k, i] + jd[k, i]
                s[WORK] += 0.5 * (place - before[O_NOMINAL, i]) * pull
        elif joint[i, J_LAW]:
            k = joint[i, J_CHANNEL]
            y, reading, speed = sensed(joint, jfig, j, phi0, i)
            tau = law_step(row[k], law[k], z[k], h, y, reading, speed, 0.0, 0.0, 0.0, law_work)
            if law[k, FRICTION] > 0.0:  # that with which the step was balanced
                friction = solver.rubbing[joint.shape[0], i]
                tau += friction - z[k, Z_DRAG]
                z[k, Z_DRAG], z[k, Z_TORQUE] = friction, tau
            if not fresh:
                own = O_TURN if motor == TURN else O_PSI
                moved = place + turned - before[O_NOMINAL, i] - before[own, i]
                drag = 0.5 * (figures[DRAG, i] + z[k, Z_DRAG])
                s[WORK] += moved * (0.5 * (figures[DRIVE, i] + tau) - drag)
                s[LOST] -= moved * drag
            figures[DRIVE, i], figures[DRAG, i] = tau, z[k, Z_DRAG]
            if jfig[i, K_SPRING] == 0.0:  # the same as the link's row, without the rounding of its large forces
                figures[TORQUE, i] += tau - jc[LINK_ROW, i] - jd[LINK_ROW, i]
    if not fresh:  # the loss itself, by its power; what the forces resisted beside it is an error of the scheme
        lost = 0.5 * h * (s[POWER] + power)
        s[LOST] += lost
        s[NUMERICAL] += gained + lost - resisted
    s[POWER] = power
    return inside and np.isfinite(energy)


@njit_inline
def axial_push(f, parts, state, scratch):
    """Angular acceleration of a frame about the axis of its joint."""
    axis, ta = scratch.axis, scratch.ta
    acc = state[7] if parts.ip[I_THEORY] != LINEAR else ta
    return axis[f, 0] * acc[f, 3] + axis[f, 1] * acc[f, 4] + axis[f, 2] * acc[f, 5]


@njit_inline
def root_forces(i, f, state, rear):
    """Section force and moment at the root of link i, in its axes: the frame's forces hold it and the part behind the joint."""
    R, figures, fc, fd = state[1], state[5], state[10], state[11]
    for k in (0, 3):
        x, y, z = fc[f, k] + fd[f, k], fc[f, k + 1] + fd[f, k + 1], fc[f, k + 2] + fd[f, k + 2]
        x, y, z = apply_back(R, f, x - rear[i, k], y - rear[i, k + 1], z - rear[i, k + 2])
        figures[ROOT + k, i], figures[ROOT + k + 1, i], figures[ROOT + k + 2, i] = -x, -y, -z
