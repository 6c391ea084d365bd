"""The end of a step: forces, torques and energies there, and the sums over the step."""

from __future__ import annotations

import math

from flexarm.methods.ancf.assemble import add_inertia, element_forces
from flexarm.methods.ancf.bodies import body_energy, body_forces, turn_push
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
    K_LAW,
    K_ROTOR,
    K_SPRING,
    LOST,
    MOTOR,
    MOTOR_RATE,
    NUMERICAL,
    P_FLOOR,
    POWER,
    S_CAP,
    S_LAW,
    S_READ,
    S_WORK,
    SCALE,
    TIP,
    TORQUE,
    V_FORCE,
    V_LOAD,
    V_OLD,
    V_RAW,
    WORK,
)
from flexarm.methods.ancf.loads import patch_forces
from flexarm.numerics.jit import NO, njit_inline, njit_part
from flexarm.numerics.laws import DRAG as Z_DRAG
from flexarm.numerics.laws import law_accept


@njit_inline
def settle(m, s, row, z, h, w):
    """Forces, torques and energy at a step point; sums over the step before it unless it is a fresh start (h = 0).

    w.vec[V_OLD] holds the positions at the start of the step, w.rows[0] the drives there.
    """
    size, before, fresh = s.q.shape[0], s.sums[ENERGY], h == 0.0
    old_q, old, load = w.vec[V_OLD], w.vec[V_FORCE], w.vec[V_LOAD]
    for k in range(size):
        old[k], load[k] = s.f[k], 0.0
    energy, power = element_forces(m.elem, m.fig, m.paper, m.weight, s.q, s.v, w.el, s.f)
    kinetic = moving_energy(m.mass, s.v, w.vec[V_RAW])
    if m.ip[I_SPRINGS] > 0:
        stored, lost = spring_forces(m.joint, m.jfig, s.q, s.v, row, s.frame, w.small[S_READ], s.f)
        energy, power = energy + stored, power + lost
    add_inertia(m.mass, s.a, s.f)
    if m.body.shape[0] > 0:
        energy += body_forces(m.body, s.q, s.v, s.a, row, 1.0, s.f)
        kinetic += body_energy(m.body, s.q, s.v, s.frame, row, NO[0])
    s.sums[ENERGY] = energy + kinetic
    gained = s.sums[ENERGY] - before
    if not fresh and not m.ip[I_CONSERVING]:
        gained -= path_work(s.q, old_q, s.f, old)
    if m.patch.shape[0] > 0:
        patch_forces(m.patch, s.q, row, load)
        if not fresh:
            past = w.vec[V_RAW]
            for k in range(size):
                past[k] = 0.0
            patch_forces(m.patch, old_q, w.rows[0], past)
            s.sums[WORK] -= path_work(s.q, old_q, past, load)
    for i in range(m.ip[I_LINKS]):
        read_joint(m.joint, m.jfig, s.q, s.v, row, s.frame, i, w.small[S_READ])
        if not fresh and not m.ip[I_CONSERVING]:
            gained -= arc_work(s, old_q, old, m.joint[i, J_B], w.small[S_READ, B_ANGLE] - s.frame[BASE, i])
            if m.joint[i, J_A] >= 0:
                gained -= arc_work(s, old_q, old, m.joint[i, J_A], w.small[S_READ, A_ANGLE] - s.frame[TIP, i])
        gained -= joint_sums(m, s, load, row, z, h, w.small, i)
        note_frame(m.joint, s.frame, w.small[S_READ], s.q, s.v, i)
    if not fresh:
        lost = 0.5 * h * (s.sums[POWER] + power)
        if m.ip[I_CONSERVING]:  # work of conservative and of damping forces over the step
            gained, lost = gained - w.small[S_WORK, 0] - w.small[S_WORK, 1], w.small[S_WORK, 1]
        s.sums[LOST] += lost
        s.sums[NUMERICAL] += gained + lost
    s.sums[POWER], w.small[S_WORK, 2] = power, kinetic
    s.sums[SCALE] = max(s.sums[SCALE], kinetic, abs(s.sums[WORK]), m.par[P_FLOOR])
    return math.isfinite(energy + kinetic)


@njit_part
def moving_energy(mass, v, momentum):
    """Kinetic energy; momentum is scratch."""
    total = 0.0
    for k in range(v.shape[0]):
        momentum[k] = 0.0
    add_inertia(mass, v, momentum)
    for k in range(v.shape[0]):
        total += v[k] * momentum[k]
    return 0.5 * total


@njit_part
def path_work(q, old_q, f, old_f):
    """Work of the mean force along the step."""
    total = 0.0
    for k in range(q.shape[0]):
        total += 0.5 * (q[k] - old_q[k]) * (old_f[k] + f[k])
    return total


@njit_inline
def arc_work(s, old_q, old, p, angle):
    """What the work of the force on a section's vector is more when it is counted as torque times angle, as drives do it."""
    x, y, u, v, fx, fy = old_q[p], old_q[p + 1], s.q[p], s.q[p + 1], s.f[p], s.f[p + 1]
    torque = x * old[p + 1] - y * old[p] + u * fy - v * fx
    return 0.5 * (torque * angle - (u - x) * (old[p] + fx) - (v - y) * (old[p + 1] + fy))


@njit_inline
def joint_sums(m, s, load, row, z, h, small, i):
    """Angles and torques of a joint, and the work of its drive over the step.

    Returns the part of that work that goes into a commanded motor behind a spring: no position in q carries it.
    """
    joint, jfig, q, f, frame, read = m.joint, m.jfig, s.q, s.f, s.frame, small[S_READ]
    b, J = joint[i, J_B], jfig[i, K_ROTOR]
    moved = read[M_ANGLE] - read[A_ANGLE] - frame[MOTOR, i]
    rotor = J * turn_push(q, s.v, s.a, b) if J > 0.0 else 0.0
    drive, drag = frame[DRIVE, i], frame[DRAG, i]
    if joint[i, J_SPRING]:
        spring = jfig[i, K_SPRING] * (read[M_ANGLE] - read[B_ANGLE])
        frame[TORQUE, i] = spring + jfig[i, K_DAMPER] * (read[M_RATE] - read[B_RATE])
    if joint[i, J_MOVED]:
        fx, fy = f[b] + load[b], f[b + 1] + load[b + 1]  # less what a patch puts on the section itself
        frame[DRIVE, i] = q[b] * fy - q[b + 1] * fx
        frame[TORQUE, i] = frame[DRIVE, i] - rotor
    elif joint[i, J_COMMAND]:
        before, twist = joint[i, J_A], command(joint, jfig, row, i)[2]
        if before >= 0:
            twist += turn_push(q, s.v, s.a, before)
        frame[DRIVE, i] = frame[TORQUE, i] + J * twist
    elif joint[i, J_ACTS]:
        k = joint[i, J_CHANNEL]
        frame[DRIVE, i] = law_accept(
            row[k],
            jfig[i, K_LAW:],
            z[k],
            h,
            read[READING],
            read[READING_RATE],
            read[READ_MOTOR_RATE],
            small[S_LAW:S_CAP],
        )
        frame[DRAG, i] = z[k, Z_DRAG]
        if not joint[i, J_SPRING]:
            frame[TORQUE, i] = frame[DRIVE, i] - rotor
    beyond = 0.0
    if h > 0.0:
        if joint[i, J_COMMAND] and joint[i, J_SPRING]:
            beyond = 0.5 * moved * (drive + frame[DRIVE, i])
        resisted = 0.5 * (drag + frame[DRAG, i])
        s.sums[WORK] += moved * (0.5 * (drive + frame[DRIVE, i]) - resisted)
        s.sums[LOST] -= moved * resisted
    return beyond


@njit_part
def note_frame(joint, frame, read, q, v, i):
    """Angles of a joint into the frame."""
    frame[JOINT, i], frame[JOINT_RATE, i] = read[B_ANGLE] - read[A_ANGLE], read[B_RATE] - read[A_RATE]
    frame[MOTOR, i], frame[MOTOR_RATE, i] = read[M_ANGLE] - read[A_ANGLE], read[READ_MOTOR_RATE]
    frame[BASE, i], frame[TIP, i] = read[B_ANGLE], read[A_ANGLE]
    frame[CHORD, i] = chord(joint, q, v, frame, i)[0]
