"""Joints: where they are, what springs and rotors do, and the torques of motors and laws.

Equations: S10.
"""

from __future__ import annotations

import math

from flexarm.methods.fem.spatial import layout as at
from flexarm.methods.fem.spatial.matrix import add_entry
from flexarm.numerics.jit import njit_anywhere, njit_inside, njit_part
from flexarm.numerics.laws import ACCELERATION, POSITION, VELOCITY, drive_value
from flexarm.numerics.rotations import cross


@njit_inside
def command(row, parts, i):
    """Nominal position, rate and acceleration of a joint: the command, or the start."""
    k = parts.joints[i, at.J_CHANNEL]
    if parts.joints[i, at.J_NOMINAL]:
        return row[k, POSITION], row[k, VELOCITY], row[k, ACCELERATION]
    return parts.joint_data[i, at.K_START], 0.0, 0.0


@njit_inside
def set_joint(phi, i, position, rate, push):
    """Position, rate and acceleration of a joint, with cosine and sine, which stay as long as it does."""
    if phi[i, 0] != position:
        phi[i, 3], phi[i, 4] = math.cos(position), math.sin(position)
    phi[i, 0], phi[i, 1], phi[i, 2] = position, rate, push


@njit_anywhere
def set_joints(row, parts, state, scratch):
    """Nominal and actual joint values (L, 5); those of sliding joints are free lengths."""
    j, ja, phi0 = state.deviation, state.joint_acceleration, scratch.phi0
    for i in range(parts.joints.shape[0]):
        p, v, a = 0.0, 0.0, 0.0
        if parts.joints[i, at.J_CHANNEL] >= 0:
            p, v, a = command(row, parts, i)
        set_joint(phi0, i, p + parts.joint_data[i, at.K_OFFSET], v, a)
        set_joint(scratch.phi, i, phi0[i, 0] + j[at.PSI, i], v + j[at.PSI_RATE, i], a + ja[at.PSI, i])


@njit_inside
def pressed(i, data, phi):
    """How far a joint is beyond its stops, with its sign."""
    place = phi[i, 0] - data[i, at.K_OFFSET]
    if data[i, at.K_STOP] == 0.0:
        return 0.0
    if place > data[i, at.K_UPPER]:
        return place - data[i, at.K_UPPER]
    return min(place - data[i, at.K_LOWER], 0.0)


@njit_inside
def joint_rows(parts, state, scratch, v, a):
    """Springs, dampers and rotors on the rows of the joints; returns kinetic and spring energy and damping power.

    v, a : total velocities and accelerations of the frames. A rotor behind a spring or a gear turns with the frame before the
    joint and, at the gear's ratio, with the motor. Called before forces are carried to the unknowns; jc[NOMINAL_ROW] gets the
    rotor's part only.
    """
    frames, joints, data, axis = parts.frames, parts.joints, parts.joint_data, scratch.axis
    phi0, phi = scratch.phi0, scratch.phi
    j, ja, fc, jc, jd = state.deviation, state.joint_acceleration, state.force, state.joint_force, state.joint_damping
    moving, energy, power = 0.0, 0.0, 0.0
    for i in range(joints.shape[0]):
        ratio, own, turning, push = data[i, at.K_RATIO], at.PSI_ROW, phi[i, 1], phi[i, 2]
        if data[i, at.K_SPRING] > 0.0:
            stretch, rate = j[at.PSI, i] - j[at.TURN, i], j[at.PSI_RATE, i] - j[at.TURN_RATE, i]
            pull, drag = data[i, at.K_SPRING] * stretch, data[i, at.K_DAMPER] * rate
            energy += 0.5 * pull * stretch
            power += drag * rate
            jc[at.PSI_ROW, i] += pull
            jd[at.PSI_ROW, i] += drag
            jc[at.MOTOR_ROW, i] -= pull
            jd[at.MOTOR_ROW, i] -= drag
            own, turning, push = at.MOTOR_ROW, phi0[i, 1] + j[at.TURN_RATE, i], phi0[i, 2] + ja[at.TURN, i]
        if data[i, at.K_VISCOUS] > 0.0 or data[i, at.K_STOP] > 0.0:
            drag, beyond = data[i, at.K_VISCOUS] * phi[i, 1], pressed(i, data, phi)
            pull = data[i, at.K_STOP] * beyond
            energy += 0.5 * pull * beyond
            power += drag * phi[i, 1]
            for row in (at.PSI_ROW, at.NOMINAL_ROW):
                jc[row, i] += pull
                jd[row, i] += drag
        S = joints[i, at.J_FRAME]
        P, inertia = frames[S, at.F_PARENT], data[i, at.K_ROTOR]
        if inertia == 0.0 or ratio == 0.0:
            continue
        x, y, z = axis[S, 0], axis[S, 1], axis[S, 2]
        turning, push = ratio * turning, ratio * push
        if not joints[i, at.J_SLIDES]:
            turning += x * v[P, 3] + y * v[P, 4] + z * v[P, 5]
            push += x * a[P, 3] + y * a[P, 4] + z * a[P, 5]
            for k, e, c in (
                (3, x, v[P, 4] * z - v[P, 5] * y), (4, y, v[P, 5] * x - v[P, 3] * z), (5, z, v[P, 3] * y - v[P, 4] * x),
            ):  # fmt: skip
                fc[P, k] += inertia * (push * e + turning * c)
        moving += 0.5 * inertia * turning * turning
        jc[own, i] += ratio * inertia * push
        jc[at.NOMINAL_ROW, i] += ratio * inertia * push
    return moving, energy, power


@njit_part
def joint_tangent(parts, state, scratch, v, elastic, slopes, matrix):
    """Rotors in the matrix and, if it is that of the elastic arm, springs, dampers and what spinning rotors do as they tilt."""
    frames, joints, data, moved_by = parts.frames, parts.joints, parts.joint_data, parts.moved_by
    axis, T, rate = scratch.axis, scratch.T, slopes.rate if elastic else 0.0
    for i in range(joints.shape[0]):
        ratio = data[i, at.K_RATIO]
        n, m = joints[i, at.J_PSI], joints[i, at.J_TURN]
        if n >= 0 and elastic:
            stop = data[i, at.K_STOP] if pressed(i, data, scratch.phi) != 0.0 else 0.0
            if stop + data[i, at.K_VISCOUS] > 0.0:
                add_entry(matrix, n, n, stop + rate * data[i, at.K_VISCOUS])
        if ratio == 0.0:
            continue
        inertia, gyroscopic = slopes.acceleration * data[i, at.K_ROTOR], rate * data[i, at.K_ROTOR]
        turning = scratch.phi[i, 1]
        if data[i, at.K_SPRING] > 0.0:
            stiff = data[i, at.K_SPRING] + rate * data[i, at.K_DAMPER] if elastic else 0.0
            turning = scratch.phi0[i, 1] + state.deviation[at.TURN_RATE, i]
            add_entry(matrix, n, n, stiff)
            if m >= 0:
                add_entry(matrix, m, m, stiff + ratio * ratio * inertia)
                add_entry(matrix, n, m, -stiff)
                add_entry(matrix, m, n, -stiff)
        else:
            m = n
            if m >= 0:
                add_entry(matrix, m, m, ratio * ratio * inertia)
        S = joints[i, at.J_FRAME]
        P = frames[S, at.F_PARENT]
        if data[i, at.K_ROTOR] == 0.0 or joints[i, at.J_SLIDES]:
            continue
        x, y, z = axis[S, 0], axis[S, 1], axis[S, 2]
        cx, cy, cz = cross(v[P, 3], v[P, 4], v[P, 5], x, y, z)
        spin = gyroscopic * (ratio * turning + x * v[P, 3] + y * v[P, 4] + z * v[P, 5])
        for r in range(frames[P, at.F_COUNT]):
            row, t = moved_by[P, r], (T[P, 3, r], T[P, 4, r], T[P, 5, r])
            turn, tilt = t[0] * x + t[1] * y + t[2] * z, gyroscopic * (t[0] * cx + t[1] * cy + t[2] * cz)
            sx, sy, sz = cross(x, y, z, t[0], t[1], t[2])
            for c in range(frames[P, at.F_COUNT]):
                o = (T[P, 3, c], T[P, 4, c], T[P, 5, c])
                value = (inertia * turn + tilt) * (o[0] * x + o[1] * y + o[2] * z)
                add_entry(matrix, row, moved_by[P, c], value + spin * (o[0] * sx + o[1] * sy + o[2] * sz))
            if m >= 0:
                add_entry(matrix, row, m, ratio * (inertia * turn + tilt))
                add_entry(matrix, m, row, ratio * inertia * turn)


@njit_part
def sensed(i, parts, state, scratch):
    """Reading of a law, its rate, and the rate of the motor."""
    joints, j = parts.joints, state.deviation
    place, rate = scratch.phi0[i, 0] - parts.joint_data[i, at.K_OFFSET], scratch.phi0[i, 1]
    motor = at.TURN if joints[i, at.J_TURN] >= 0 else at.PSI
    read = motor if joints[i, at.J_SENSE_MOTOR] else at.PSI
    return place + j[read, i], rate + j[read + 1, i], rate + j[motor + 1, i]


@njit_inside
def motors(h, speed, tangent, parts, state, scratch, solver, matrix):
    """Take the torques of laws and drives, friction apart, off the residual, and put their slopes into the matrix."""
    joints = parts.joints
    for i in range(joints.shape[0]):
        if not joints[i, at.J_LAW]:
            continue
        k = joints[i, at.J_CHANNEL]
        y, rate, turning = sensed(i, parts, state, scratch)
        tau, dy, dv, dm = drive_value(solver.row[k], parts.law[k], state.law[k], h, y, rate, turning, solver.law_work)
        psi, turn = joints[i, at.J_PSI], joints[i, at.J_TURN]
        own = turn if turn >= 0 else psi
        solver.residual[own] -= tau
        if tangent:
            read = own if joints[i, at.J_SENSE_MOTOR] else psi
            add_entry(matrix, own, read, -(dy + speed * dv))
            add_entry(matrix, own, own, -(speed * dm))
