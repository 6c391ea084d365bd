"""Joints: where they are, what springs and rotors do, and the torques of motors and laws."""

from __future__ import annotations

import math

from flexarm.methods.fem.spatial.layout import (
    F_COUNT,
    F_PARENT,
    J_CHANNEL,
    J_FRAME,
    J_LAW,
    J_NOMINAL,
    J_PSI,
    J_SENSE_MOTOR,
    J_SLIDES,
    J_TURN,
    K_DAMPER,
    K_OFFSET,
    K_ROTOR,
    K_SPRING,
    K_START,
    MOTOR_ROW,
    NOMINAL_ROW,
    PSI,
    PSI_RATE,
    PSI_ROW,
    TURN,
    TURN_RATE,
)
from flexarm.numerics.jit import njit_anywhere, njit_inside, njit_part
from flexarm.numerics.laws import ACCELERATION, POSITION, VELOCITY, drive_value


@njit_inside
def command(row, joint, jfig, i):
    """Nominal position, rate and acceleration of a joint: the command, or the start."""
    k = joint[i, J_CHANNEL]
    if joint[i, J_NOMINAL]:
        return row[k, POSITION], row[k, VELOCITY], row[k, ACCELERATION]
    return jfig[i, K_START], 0.0, 0.0


@njit_inside
def set_joint(phi, i, position, rate, push):
    """Position, rate and acceleration of a joint, with cosine and sine, which are kept as long as it stays where it is."""
    if phi[i, 0] != position:
        phi[i, 3], phi[i, 4] = math.cos(position), math.sin(position)
    phi[i, 0], phi[i, 1], phi[i, 2] = position, rate, push


@njit_anywhere
def set_joints(row, joint, jfig, j, ja, phi0, phi):
    """Nominal and actual joint values (L, 5); those of sliding joints are free lengths."""
    for i in range(joint.shape[0]):
        p, v, a = 0.0, 0.0, 0.0
        if joint[i, J_CHANNEL] >= 0:
            p, v, a = command(row, joint, jfig, i)
        set_joint(phi0, i, p + jfig[i, K_OFFSET], v, a)
        set_joint(phi, i, phi0[i, 0] + j[PSI, i], v + j[PSI_RATE, i], a + ja[0, i])


@njit_inside
def joint_rows(frames, joint, jfig, axis, j, ja, phi0, v, a, fc, jc, jd):
    """Springs, dampers and rotors on the rows of the joints; returns kinetic and spring energy and damping power.

    v, a : total velocities and accelerations of the frames. A rotor behind a spring turns with the frame before the joint and
    with the motor. Called before forces are carried to the unknowns; jc[NOMINAL_ROW] gets the rotor's part only.
    """
    moving, energy, power = 0.0, 0.0, 0.0
    for i in range(joint.shape[0]):
        if jfig[i, K_SPRING] == 0.0:
            continue
        stretch, rate = j[PSI, i] - j[TURN, i], j[PSI_RATE, i] - j[TURN_RATE, i]
        pull, drag = jfig[i, K_SPRING] * stretch, jfig[i, K_DAMPER] * rate
        energy += 0.5 * pull * stretch
        power += drag * rate
        jc[PSI_ROW, i] += pull
        jd[PSI_ROW, i] += drag
        jc[MOTOR_ROW, i] -= pull
        jd[MOTOR_ROW, i] -= drag
        S = joint[i, J_FRAME]
        P, inertia = frames[S, F_PARENT], jfig[i, K_ROTOR]
        if inertia == 0.0:
            continue
        x, y, z = axis[S, 0], axis[S, 1], axis[S, 2]
        turning, push = phi0[i, 1] + j[TURN_RATE, i], phi0[i, 2] + ja[2, i]
        if not joint[i, J_SLIDES]:
            turning += x * v[P, 3] + y * v[P, 4] + z * v[P, 5]
            push += x * a[P, 3] + y * a[P, 4] + z * a[P, 5]
            for k, e, c in (
                (3, x, v[P, 4] * z - v[P, 5] * y), (4, y, v[P, 5] * x - v[P, 3] * z), (5, z, v[P, 3] * y - v[P, 4] * x),
            ):  # fmt: skip
                fc[P, k] += inertia * (push * e + turning * c)
        moving += 0.5 * inertia * turning * turning
        jc[MOTOR_ROW, i] += inertia * push
        jc[NOMINAL_ROW, i] += inertia * push
    return moving, energy, power


@njit_part
def joint_tangent(frames, joint, jfig, axis, moved, T, springs, speed, push, band):
    """Springs, dampers and rotors in the matrix."""
    flat, spot, b = band[0], band[1], band[1].shape[1] // 2
    for i in range(joint.shape[0]):
        if jfig[i, K_SPRING] == 0.0:
            continue
        n, m = joint[i, J_PSI], joint[i, J_TURN]
        stiff = jfig[i, K_SPRING] + speed * jfig[i, K_DAMPER] if springs else 0.0
        flat[spot[n, b]] += stiff
        if m >= 0:
            flat[spot[m, b]] += stiff + push * jfig[i, K_ROTOR]
            flat[spot[n, m - n + b]] -= stiff
            flat[spot[m, n - m + b]] -= stiff
        S = joint[i, J_FRAME]
        P, inertia = frames[S, F_PARENT], push * jfig[i, K_ROTOR]
        if inertia == 0.0 or joint[i, J_SLIDES]:
            continue
        for r in range(frames[P, F_COUNT]):
            row = moved[P, r]
            by = T[P, 3, r] * axis[S, 0] + T[P, 4, r] * axis[S, 1] + T[P, 5, r] * axis[S, 2]
            for c in range(frames[P, F_COUNT]):
                at = T[P, 3, c] * axis[S, 0] + T[P, 4, c] * axis[S, 1] + T[P, 5, c] * axis[S, 2]
                flat[spot[row, moved[P, c] - row + b]] += inertia * by * at
            if m >= 0:
                flat[spot[row, m - row + b]] += inertia * by
                flat[spot[m, row - m + b]] += inertia * by


@njit_part
def sensed(joint, jfig, j, phi0, i):
    """Reading of a law, its rate, and the rate of the motor."""
    place, rate = phi0[i, 0] - jfig[i, K_OFFSET], phi0[i, 1]
    motor = TURN if joint[i, J_TURN] >= 0 else PSI
    read = motor if joint[i, J_SENSE_MOTOR] else PSI
    return place + j[read, i], rate + j[read + 1, i], rate + j[motor + 1, i]


@njit_inside
def motors(row, z, law, joint, jfig, j, phi0, h, speed, tangent, residual, band, work):
    """Take the torques of laws and drives, friction apart, off the residual, and put their slopes into the matrix."""
    flat, spot, b = band[0], band[1], band[1].shape[1] // 2
    for i in range(joint.shape[0]):
        if not joint[i, J_LAW]:
            continue
        k = joint[i, J_CHANNEL]
        y, rate, turning = sensed(joint, jfig, j, phi0, i)
        tau, dy, dv, dm = drive_value(row[k], law[k], z[k], h, y, rate, turning, work)
        psi, turn = joint[i, J_PSI], joint[i, J_TURN]
        own = turn if turn >= 0 else psi
        residual[own] -= tau
        if tangent:
            read = own if joint[i, J_SENSE_MOTOR] else psi
            flat[spot[own, read - own + b]] -= dy + speed * dv
            flat[spot[own, b]] -= speed * dm
