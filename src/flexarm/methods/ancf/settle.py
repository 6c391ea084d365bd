"""The end of a step: forces, torques and energies there, and the sums over the step."""

from __future__ import annotations

import math

from flexarm.methods.ancf.assemble import element_forces
from flexarm.methods.ancf.joints import (
    A_ANGLE,
    A_RATE,
    B_ANGLE,
    B_RATE,
    M_ANGLE,
    M_RATE,
    READING,
    READING_RATE,
    chord,
    command,
    read_joint,
    spring_forces,
)
from flexarm.methods.ancf.joints import MOTOR_RATE as READ_MOTOR_RATE
from flexarm.methods.ancf.layout import (
    BASE,
    CHORD,
    DRAG,
    DRIVE,
    ENERGY,
    I_CONSERVING,
    I_LINKS,
    I_SPRINGS,
    J_A,
    J_ACTS,
    J_B,
    J_CHANNEL,
    J_COMMAND,
    J_MOVED,
    J_SPRING,
    JOINT,
    JOINT_RATE,
    K_DAMPER,
    K_ROTOR,
    K_SPRING,
    LOST,
    MOTOR,
    MOTOR_RATE,
    NUMERICAL,
    P_FLOOR,
    POWER,
    SCALE,
    TIP,
    TORQUE,
    WORK,
)
from flexarm.methods.ancf.loads import patch_forces
from flexarm.numerics.jit import njit, njit_part
from flexarm.numerics.laws import DRAG as Z_DRAG
from flexarm.numerics.laws import law_accept


@njit_part
def settle(m, s, row, z, h, w, fresh):
    """Forces, torques and energy at a step point; sums over the step before it unless it is a fresh start.

    w.vec[0], [1] and [2] hold positions, conservative and damping forces at the start of the step, w.rows the drives.
    """
    size, before = s.q.shape[0], s.sums[ENERGY]
    energy, power = element_forces(m, s.q, s.v, w, s.fc, s.fd)
    if m.ip[I_SPRINGS] > 0:
        stored, lost = spring_forces(m.joint, m.jfig, s.q, s.v, row, s.frame, w.small[0], s.fc, s.fd)
        energy, power = energy + stored, power + lost
    kinetic = inertia_forces(m.mass, s.v, s.a, s.fc)
    if m.ip[I_SPRINGS] > 0:
        kinetic += rotor_energy(m, s, row)
    s.sums[ENERGY] = energy + kinetic
    gained, resisted = s.sums[ENERGY] - before, 0.0
    load, old = w.vec[4], w.vec[5]
    load[:] = 0.0
    if m.patch.shape[0] > 0:
        old[:] = 0.0
        patch_forces(m, s.q, row, load)
        if not fresh:
            patch_forces(m, w.vec[0], w.rows, old)
            for k in range(size):
                s.sums[WORK] -= 0.5 * (s.q[k] - w.vec[0, k]) * (old[k] + load[k])
    if not fresh and not m.ip[I_CONSERVING]:
        gained -= path_work(s.q, w.vec[0], s.fc, w.vec[1])
        resisted = path_work(s.q, w.vec[0], s.fd, w.vec[2])
    for i in range(m.ip[I_LINKS]):
        read_joint(m.joint, m.jfig, s.q, s.v, row, s.frame, i, w.small[0])
        gained -= joint_sums(
            m.joint,
            m.jfig,
            m.law,
            s.q,
            s.a,
            s.fc,
            s.fd,
            s.frame,
            s.sums,
            w.vec[4],
            row,
            z,
            h,
            w.small[0],
            w.law,
            i,
            fresh,
        )
        note_frame(m.joint, s.frame, w.small[0], s.q, s.v, i)
    if not fresh:
        lost = 0.5 * h * (s.sums[POWER] + power)
        if m.ip[I_CONSERVING]:  # w.small[8]: work of conservative and of damping forces over the step
            gained, lost = gained - w.small[8, 0], w.small[8, 1]
            resisted = lost
        s.sums[LOST] += lost
        s.sums[NUMERICAL] += gained + lost - resisted
    s.sums[POWER] = power
    s.sums[SCALE] = max(s.sums[SCALE], kinetic, abs(s.sums[WORK]), m.par[P_FLOOR])
    return math.isfinite(energy + kinetic)


@njit_part
def inertia_forces(mass, v, a, f):
    """f += M a; returns the kinetic energy."""
    n, half, kinetic = mass.shape[0], mass.shape[1] // 2, 0.0
    for r in range(n):
        inertia, momentum = 0.0, 0.0
        for c in range(max(0, r - half), min(n, r + half + 1)):
            inertia += mass[r, c - r + half] * a[c]
            momentum += mass[r, c - r + half] * v[c]
        f[r] += inertia
        kinetic += 0.5 * v[r] * momentum
    return kinetic


@njit_part
def path_work(q, old_q, f, old_f):
    """Work of the mean force along the step."""
    total = 0.0
    for k in range(q.shape[0]):
        total += 0.5 * (q[k] - old_q[k]) * (old_f[k] + f[k])
    return total


@njit_part
def rotor_energy(m, s, row):
    """Kinetic energy of commanded rotors beyond that of the sections that carry them (which is in the mass)."""
    total = 0.0
    for i in range(m.ip[I_LINKS]):
        a, J = m.joint[i, J_A], m.jfig[i, K_ROTOR]
        if m.joint[i, J_SPRING] and m.joint[i, J_COMMAND] and J > 0.0:
            turn = command(m.joint, m.jfig, row, i)[1]
            square, carried = 1.0, 0.0
            if a >= 0:
                square = s.q[a] ** 2 + s.q[a + 1] ** 2
                carried = s.q[a] * s.v[a + 1] - s.q[a + 1] * s.v[a]
            total += J * turn * (carried + 0.5 * turn * square)
    return total


@njit_part
def joint_sums(joint, jfig, law, q, a, fc, fd, frame, sums, load, row, z, h, read, law_work, i, fresh):
    """Angles and torques of a joint, and the work of its drive over the step.

    Returns the part of that work that goes into a commanded motor behind a spring: no position in q carries it.
    """
    b, J = joint[i, J_B], jfig[i, K_ROTOR]
    moved = read[M_ANGLE] - read[A_ANGLE] - frame[MOTOR, i]
    rotor = J * (q[b] * a[b + 1] - q[b + 1] * a[b])
    drive, drag = frame[DRIVE, i], frame[DRAG, i]
    if joint[i, J_SPRING]:
        spring = jfig[i, K_SPRING] * (read[M_ANGLE] - read[B_ANGLE])
        frame[TORQUE, i] = spring + jfig[i, K_DAMPER] * (read[M_RATE] - read[B_RATE])
    if joint[i, J_MOVED]:
        fx, fy = fc[b] + fd[b], fc[b + 1] + fd[b + 1]
        fx, fy = fx + load[b], fy + load[b + 1]  # what a patch puts on the section itself
        frame[DRIVE, i] = q[b] * fy - q[b + 1] * fx
        frame[TORQUE, i] = frame[DRIVE, i] - rotor
    elif joint[i, J_COMMAND]:
        before, twist = joint[i, J_A], command(joint, jfig, row, i)[2]
        if before >= 0:
            twist += q[before] * a[before + 1] - q[before + 1] * a[before]
        frame[DRIVE, i] = frame[TORQUE, i] + J * twist
    elif joint[i, J_ACTS]:
        k = joint[i, J_CHANNEL]
        frame[DRIVE, i] = law_accept(
            row[k], law[k], z[k], h, read[READING], read[READING_RATE], read[READ_MOTOR_RATE], law_work
        )
        frame[DRAG, i] = z[k, Z_DRAG]
        if not joint[i, J_SPRING]:
            frame[TORQUE, i] = frame[DRIVE, i] - rotor
    beyond = 0.0
    if not fresh:
        if joint[i, J_COMMAND] and joint[i, J_SPRING]:
            beyond = 0.5 * moved * (drive + frame[DRIVE, i])
        resisted = 0.5 * (drag + frame[DRAG, i])
        sums[WORK] += moved * (0.5 * (drive + frame[DRIVE, i]) - resisted)
        sums[LOST] -= moved * resisted
    return beyond


@njit
def note_frame(joint, frame, read, q, v, i):
    """Angles of a joint into the frame."""
    frame[JOINT, i], frame[JOINT_RATE, i] = read[B_ANGLE] - read[A_ANGLE], read[B_RATE] - read[A_RATE]
    frame[MOTOR, i], frame[MOTOR_RATE, i] = read[M_ANGLE] - read[A_ANGLE], read[READ_MOTOR_RATE]
    frame[BASE, i], frame[TIP, i] = read[B_ANGLE], read[A_ANGLE]
    frame[CHORD, i] = chord(joint, q, v, frame, i)[0]
