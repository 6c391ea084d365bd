"""The end of a step: back onto the loops, then accelerations, torques, energy and the sums over the step.

What the scheme gains by itself is measured: change of the stored energy minus the power into store along the step.
"""

from __future__ import annotations

import math

from flexarm.methods.modes.forces import evaluate, fill_mass, kinetic_energy, place_all, solve_moving
from flexarm.methods.modes.layout import (
    CLOCK,
    COUNT,
    DRAG,
    DRIVE,
    ENERGY,
    F_DAMPER,
    F_GAP,
    F_INERTIA,
    F_SPRING,
    FIRST,
    GAP,
    J_CHANNEL,
    J_DRIVE,
    J_LINK,
    J_MOTOR,
    J_MOVED,
    J_ROTOR,
    J_SENSE,
    JOINT_ROWS,
    L_ROW,
    LOSS,
    LOST,
    NUMERICAL,
    PAR_SIZE,
    PAR_STOP,
    POWER,
    SIGMA,
    SIGMA_LOOP,
    SIGMA_TIME,
    SLOPE,
    STORING,
    TORQUE,
    WORK,
)
from flexarm.methods.modes.loops import gram, symmetric_values
from flexarm.methods.modes.rooms import C_WEIGHT
from flexarm.methods.modes.stages import prescribe
from flexarm.numerics.jit import njit, njit_part
from flexarm.numerics.laws import law_step, solve_small

DONE, NOT_CONVERGED, SINGULAR = range(3)
"""How a step ends."""


@njit_part
def project(parts, room, q, v):
    """Put positions and velocities onto the loops, the shortest way; returns the largest error that is left, m."""
    rows, moving = room.phi.shape[0], parts.moving
    if rows == 0:
        return 0.0
    gap = 0.0
    for attempt in range(8):
        place_all(parts, room, q, v)
        last, gap = gap, 0.0
        for r in range(rows):
            gap = max(gap, abs(room.phi[r]))
        if gap <= 1e-15 * parts.par[PAR_SIZE] or (attempt > 1 and gap >= 0.5 * last):
            break
        gram(room.jac, moving, rows, room.square[0])
        for r in range(rows):
            room.right[r] = room.phi[r]
        solve_small(room.square[0], room.right, rows)
        for k in range(moving):
            for r in range(rows):
                q[k] -= room.jac[r, k] * room.right[r]
    gram(room.jac, moving, rows, room.square[0])
    for r in range(rows):
        total = 0.0
        for k in range(v.shape[0]):
            total += room.jac[r, k] * v[k]
        room.right[r] = total
    solve_small(room.square[0], room.right, rows)
    for k in range(moving):
        for r in range(rows):
            v[k] -= room.jac[r, k] * room.right[r]
    return gap


@njit_part
def watch_loops(parts, room, s):
    """Ratio of the smallest to the largest singular value of the loop equations; keeps the smallest of the run."""
    rows = room.phi.shape[0]
    if rows == 0:
        return 1.0
    gram(room.jac, parts.moving, rows, room.square[0])
    symmetric_values(room.square[0], rows, room.square[1])
    low, high, place = room.square[0, 0, 0], room.square[0, 0, 0], 0
    for r in range(1, rows):
        value = room.square[0, r, r]
        high = max(high, value)
        if value < low:
            low, place = value, r
    ratio = math.sqrt(max(low, 0.0) / high) if high > 0.0 else 0.0
    if ratio < s[SIGMA]:
        s[SIGMA], s[SIGMA_TIME] = ratio, s[CLOCK]
        row = 0
        for r in range(rows):
            if abs(room.square[1, r, place]) > abs(room.square[1, row, place]):
                row = r
        for k in range(parts.loop.shape[0]):
            if parts.loop[k, L_ROW] <= row:
                s[SIGMA_LOOP] = k
    return ratio


@njit_part
def joint_torques(parts, room, x, out):
    """Torques through the joints, of the motors, and friction at a step point, (3, joints)."""
    size, joint, figures = parts.K.shape[0], parts.joint, parts.joint_figures
    q, v, a = x[:size], x[size : 2 * size], x[2 * size : 3 * size]
    count = joint.shape[0]
    for j in range(count):
        link, motor = joint[j, J_LINK], joint[j, J_MOTOR]
        out[DRIVE * count + j] = room.torque[j, 0] - room.torque[j, 1]
        out[DRAG * count + j] = room.torque[j, 1]
        if motor >= 0:
            turned = q[link] - q[motor]
            gap = 0.5 * figures[j, F_GAP]
            past = turned - gap if turned > gap else turned + gap if turned < -gap else 0.0
            out[TORQUE * count + j] = -figures[j, F_SPRING] * past - figures[j, F_DAMPER] * (v[link] - v[motor])
        else:
            b, turning = joint[j, J_ROTOR], 0.0
            for m in range(parts.column_count[b]):
                turning += room.J[b, 2, parts.columns[b, m]] * a[parts.columns[b, m]]
            for i in range(parts.body[b, COUNT]):
                turning += parts.modal[b, SLOPE, i] * a[parts.body[b, FIRST] + i]
            out[TORQUE * count + j] = room.torque[j, 0] - figures[j, F_INERTIA] * turning


@njit_part
def accept_laws(parts, room, q, v, row, z, h):
    """Take over the states of the joint laws at the end of a step; h = 0 re-evaluates them after a jump."""
    for j in range(parts.joint.shape[0]):
        if not parts.joint[j, J_MOVED]:
            k, sense = parts.joint[j, J_CHANNEL], parts.joint[j, J_SENSE]
            rate = v[parts.joint[j, J_DRIVE]]
            law_step(row[k], parts.law[k], z[k], h, q[sense], v[sense], rate, 0.0, 0.0, 0.0, room.law_work)


@njit_part
def kick(parts, room, q, v, before):
    """Where prescribed velocities jump the rest of the arm answers by its momentum; returns the work of that blow.

    before : velocities until now; v holds them too, but for those that are prescribed
    """
    size, moving, blow = v.shape[0], parts.moving, room.vectors[2]
    jumped = False
    for k in range(moving, size):
        blow[k] = v[k] - before[k]
        jumped = jumped or abs(blow[k]) > 1e-12 * (1.0 + abs(v[k]))
    if not jumped:
        return 0.0
    fill_mass(parts, room, q, v)
    for k in range(size):
        room.balance[k] = 0.0
    for r in range(room.phi.shape[0]):
        room.right[r] = 0.0
    energy = kinetic_energy(room.M, before)
    if not solve_moving(parts, room, room.balance, blow):
        return 0.0
    for k in range(moving):
        v[k] += blow[k]
    return kinetic_energy(room.M, v) - energy


@njit
def settle(parts, room, x, row, z, h, fresh):
    """Step point: back onto the loops, accelerations, torques, energy; sums over the step unless it is a fresh start.

    Returns DONE, NOT_CONVERGED or SINGULAR.
    """
    size, rows, count = parts.K.shape[0], room.phi.shape[0], parts.joint.shape[0]
    q, v, a = x[:size], x[size : 2 * size], x[2 * size : 3 * size]
    s = x[3 * size + rows + JOINT_ROWS * count :]
    before = room.vectors[1]
    for k in range(size):
        before[k] = v[k]
    prescribe(parts, row, q, v, a)
    if fresh:
        s[WORK] += kick(parts, room, q, v, before)
    gap = project(parts, room, q, v)
    if fresh:
        accept_laws(parts, room, q, v, row, z, 0.0)
    if not evaluate(parts, room, q, v, a, row, z, h, room.power.shape[0] - 1):
        return NOT_CONVERGED
    for r in range(rows):
        x[3 * size + r] = room.lam[r]
    joint_torques(parts, room, x, x[3 * size + rows : 3 * size + rows + JOINT_ROWS * count])
    drive, loss, into, energy = room.power[2, 0], room.power[2, 1], room.power[2, 2], room.power[2, 3]
    s[GAP] = max(s[GAP], gap)
    if not fresh:
        b0, b1, b2 = h * parts.scheme[C_WEIGHT], h * parts.scheme[C_WEIGHT + 1], h * parts.scheme[C_WEIGHT + 2]
        s[WORK] += b0 * s[POWER] + b1 * room.power[0, 0] + b2 * drive
        s[LOST] += b0 * s[LOSS] + b1 * room.power[0, 1] + b2 * loss
        s[NUMERICAL] += energy - s[ENERGY] - b0 * s[STORING] - b1 * room.power[0, 2] - b2 * into
        s[CLOCK] += h
        accept_laws(parts, room, q, v, row, z, h)
    s[POWER], s[LOSS], s[STORING], s[ENERGY] = drive, loss, into, energy
    if watch_loops(parts, room, s) < parts.par[PAR_STOP] and not fresh:
        return SINGULAR
    return DONE
