"""The end of a step: forces, torques and energies there, and the sums over the step.

Equations: A34, A35, A36.
"""

from __future__ import annotations

import math

from flexarm.methods.ancf import layout as at
from flexarm.methods.ancf.assemble import add_inertia, element_forces
from flexarm.methods.ancf.bodies import body_energy, body_forces
from flexarm.methods.ancf.gears import motor_push
from flexarm.methods.ancf.joints import chord, command, read_joint, spring_forces
from flexarm.methods.ancf.loads import patch_forces
from flexarm.methods.ancf.section_turns import turn_acceleration
from flexarm.numerics.copies import copy
from flexarm.numerics.jit import NO, njit_inline, njit_part
from flexarm.numerics.laws import DRAG, FORCE, law_accept


@njit_part
def end_step(m, s, w, row, h):
    """Forces, torques and energy at a step point; sums over the step before it unless it is a fresh start (h = 0).

    w.old_q holds the positions at the start of the step, w.rows[0] the drives there. False if the energy is not finite.
    """
    before, over_step = s.sums[at.ENERGY], h > 0.0
    by_path = over_step and not m.conserving
    copy(s.f, w.force)
    for k in range(s.q.shape[0]):
        w.load[k] = 0.0
    energy, power = element_forces(m, w, s.q, s.v, s.f)
    kinetic = kinetic_energy(m, s.v, w.raw)
    if m.springs > 0:
        stored, lost = spring_forces(m, s, w, row, s.f)
        energy, power = energy + stored, power + lost
    add_inertia(m, s.a, s.f)
    if m.body_mass.shape[0] > 0:
        energy += body_forces(m, s.q, s.v, s.a, row, 1.0, s.f)
        kinetic += body_energy(m, s, row, NO[0])
    s.sums[at.ENERGY] = energy + kinetic
    gained = s.sums[at.ENERGY] - before
    if by_path:
        gained -= path_work(s.q, w.old_q, s.f, w.force)
    if m.patch_share.shape[0] > 0:
        patch_forces(m, s.q, row, w.load)
        note_patches(m, s, row)
        if over_step:
            for k in range(s.q.shape[0]):
                w.raw[k] = 0.0
            patch_forces(m, w.old_q, w.rows[0], w.raw)
            s.sums[at.WORK] -= path_work(s.q, w.old_q, w.raw, w.load)
    for i in range(m.links):
        read_joint(m, s, w, row, i)
        if by_path:
            gained -= arc_work(s, w, m.first[i], w.first_angle[i] - s.first_angle[i])
            if m.before[i] >= 0:
                gained -= arc_work(s, w, m.before[i], w.before_angle[i] - s.before_angle[i])
        gained -= joint_sums(m, s, w, row, h, i)
        note_angles(m, s, w, i)
    if over_step:
        lost = 0.5 * h * (s.sums[at.POWER] + power)
        if m.conserving:
            gained, lost = gained - w.balance[at.CONSERVED] - w.balance[at.DAMPED], w.balance[at.DAMPED]
        s.sums[at.LOST] += lost
        s.sums[at.NUMERICAL] += gained + lost
    s.sums[at.POWER], w.balance[at.KINETIC] = power, kinetic
    s.sums[at.SCALE] = max(s.sums[at.SCALE], kinetic, abs(s.sums[at.WORK]), m.least_energy)
    return math.isfinite(energy + kinetic)


@njit_part
def kinetic_energy(m, v, momentum):
    """Kinetic energy without what bodies add; momentum is workspace."""
    total = 0.0
    for k in range(v.shape[0]):
        momentum[k] = 0.0
    add_inertia(m, v, momentum)
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
def arc_work(s, w, p, angle):
    """What the work of the force on a section's vector is more when it is counted as torque times angle, as drives do it."""
    x, y, u, v, old, fx, fy = w.old_q[p], w.old_q[p + 1], s.q[p], s.q[p + 1], w.force, s.f[p], s.f[p + 1]
    torque = x * old[p + 1] - y * old[p] + u * fy - v * fx
    return 0.5 * (torque * angle - (u - x) * (old[p] + fx) - (v - y) * (old[p + 1] + fy))


@njit_inline
def joint_sums(m, s, w, row, h, i):
    """Torques of a joint, and the work of its drive over the step.

    Returns the part of that work that goes into a commanded motor behind a spring or a gear: no position in q carries it.
    """
    b, J, ratio = m.first[i], m.rotor[i], m.ratio[i]
    turned = w.motor_angle[i] - w.before_angle[i] - s.motor[i]
    rotor = 0.0
    if ratio != 0.0:
        rotor = ratio * command(m, row, i)[2]
        if m.before[i] >= 0:
            rotor += turn_acceleration(s.q, s.v, s.a, m.before[i])
        rotor *= ratio * J
    elif J != 0.0:
        rotor = J * turn_acceleration(s.q, s.v, s.a, b)
        if m.gear[i] != 0.0:
            rotor += m.gear[i] * motor_push(m, s.q, s.v, s.a, i)
    drive, through, drag = s.drive[i], s.torque[i], s.drag[i]
    if m.sprung[i]:
        spring = m.spring[i] * (w.motor_angle[i] - w.first_angle[i])
        s.torque[i] = spring + m.damper[i] * (w.motor_rate[i] - w.first_rate[i])
    if m.prescribed[i]:
        fx, fy = s.f[b] + w.load[b], s.f[b + 1] + w.load[b + 1]  # less what a patch puts on the section itself
        held = s.q[b] * fy - s.q[b + 1] * fx
        s.drive[i] = held + rotor if ratio != 0.0 else held
        s.torque[i] = held if ratio != 0.0 else held - rotor
    elif m.commanded[i]:
        s.drive[i] = s.torque[i] + rotor
    elif m.acts[i]:
        k, rate = m.channel[i], w.motor_rate[i] - w.before_rate[i]
        s.drive[i] = law_accept(row[k], m.law[i], s.z[k], h, w.reading[i], w.reading_rate[i], rate, w.law)
        s.drag[i] = s.z[k, DRAG]
        if not m.sprung[i]:
            s.torque[i] = s.drive[i] - rotor
    beyond = 0.0
    if h > 0.0:
        if m.commanded[i] and m.sprung[i]:
            beyond = 0.5 * turned * (drive + s.drive[i])
        elif ratio != 0.0:
            beyond = 0.5 * turned * (drive - through + rotor)
        resisted = 0.5 * (drag + s.drag[i])
        s.sums[at.WORK] += turned * (0.5 * (drive + s.drive[i]) - resisted)
        s.sums[at.LOST] -= turned * resisted
    return beyond


@njit_part
def note_patches(m, s, row):
    """Loads of the patches into the state."""
    for k in range(m.patch_channel.shape[0]):
        s.patch[m.patch_channel[k] - m.patch_channel[0]] = row[m.patch_channel[k], FORCE]


@njit_part
def note_angles(m, s, w, i):
    """Angles of a joint into the state."""
    s.joint[i], s.joint_rate[i] = w.first_angle[i] - w.before_angle[i], w.first_rate[i] - w.before_rate[i]
    s.motor[i], s.motor_rate[i] = w.motor_angle[i] - w.before_angle[i], w.motor_rate[i] - w.before_rate[i]
    s.first_angle[i], s.before_angle[i] = w.first_angle[i], w.before_angle[i]
    s.chord_angle[i] = chord(m, s, i)[0]
