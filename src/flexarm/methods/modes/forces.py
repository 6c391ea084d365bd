"""Forces of springs, dampers and motors, and the accelerations that follow from them at one instant.

Legend: M q'' + h + K q + D q' + Phi_q^T lambda = tau;  y the moving coordinates, p the prescribed ones.
"""

from __future__ import annotations

import math

from flexarm.methods.modes.dynamics import assemble
from flexarm.methods.modes.kinematics import move_bodies
from flexarm.methods.modes.layout import (
    F_GAP,
    F_SPRING,
    J_CHANNEL,
    J_DRIVE,
    J_LINK,
    J_MOTOR,
    J_MOVED,
    J_SENSE,
    PAR_GX,
    PAR_GY,
    PAR_ORDER,
)
from flexarm.methods.modes.loops import expand, loop_equations, partition, reduce_matrix, reduce_vector
from flexarm.methods.modes.rooms import borrow_parts, borrow_room
from flexarm.numerics.dense import cholesky, cholesky_solve
from flexarm.numerics.jit import njit, njit_part
from flexarm.numerics.laws import FRICTION, SMOOTH, law_value, solve_small

DY, DV, DM, DS = range(4)
"""Slopes of a joint: of its torque by reading, its rate and the motor's rate; of its spring with play."""


@njit
def spring_with_play(k, gap, turned):
    """Torque of a spring that is loose over `gap`, its slope and its energy; `turned` is link minus motor side."""
    past = abs(turned) - 0.5 * gap
    if past <= 0.0:
        return 0.0, 0.0, 0.0
    sign = 1.0 if turned > 0.0 else -1.0
    return k * past * sign, k, 0.5 * k * past * past


@njit_part
def add_joint_forces(parts, room, q, v, row, z, h, stage, f):
    """Add torques of laws and of springs with play to f (size,); returns power of drives, friction loss, energy."""
    joint, figures, law = parts.joint, parts.joint_figures, parts.law
    drive, loss, energy = 0.0, 0.0, 0.0
    for j in range(joint.shape[0]):
        link, motor, at = joint[j, J_LINK], joint[j, J_MOTOR], joint[j, J_DRIVE]
        for k in range(4):
            room.slope[stage, j, k] = 0.0
        if figures[j, F_GAP] > 0.0 and motor >= 0:
            push, slope, stored = spring_with_play(figures[j, F_SPRING], figures[j, F_GAP], q[link] - q[motor])
            f[link] -= push
            f[motor] += push
            room.slope[stage, j, DS] = slope
            energy += stored
        if not joint[j, J_MOVED]:
            k, sense = joint[j, J_CHANNEL], joint[j, J_SENSE]
            tau, dy, dv, dm = law_value(row[k], law[k], z[k], h, q[sense], v[sense], v[at], room.law_work)
            drag = 0.0
            if law[k, FRICTION] > 0.0:
                drag = -law[k, FRICTION] * math.tanh(v[at] / law[k, SMOOTH])
            f[at] += tau
            room.slope[stage, j, DY], room.slope[stage, j, DV], room.slope[stage, j, DM] = dy, dv, dm
            room.torque[j, 0], room.torque[j, 1] = tau, drag
            drive += (tau - drag) * v[at]
            loss -= drag * v[at]
    return drive, loss, energy


@njit_part
def place_all(parts, room, q, v):
    """Kinematics of all bodies, and loop equations if there are any."""
    order = parts.par[PAR_ORDER] > 0.0
    move_bodies(
        q, v, order, parts.body, parts.figures, parts.modal, parts.point, parts.place, parts.point_modal, parts.columns,
        parts.column_count, room.kin, room.J,
    )  # fmt: skip
    if room.phi.shape[0] > 0:
        loop_equations(
            q, v, order, parts.body, parts.point, parts.place, parts.point_modal, parts.columns, parts.column_count,
            room.kin, room.J, parts.loop, parts.weld, room.ends, room.sides, room.phi, room.jac, room.gamma,
        )  # fmt: skip


@njit_part
def loop_forces(room, moving, rows):
    """Solve Phi_q^T lambda = -balance on the dependent coordinates."""
    for i in range(rows):
        col = room.order[i]
        for r in range(rows):
            room.square[0, i, r] = room.jac[r, col]
        room.lam[i] = -room.balance[col]
    solve_small(room.square[0], room.lam, rows)


@njit_part
def solve_moving(parts, room, f, a):
    """Moving part of a from M a + Phi_q^T lambda = f and Phi_q a = room.right, its prescribed part given.

    Mass matrix and loops are those that `room` holds; `room.right` is changed. Returns False if there is no solution.
    """
    size, moving, rows, M = a.shape[0], parts.moving, room.phi.shape[0], room.M
    for r in range(rows):
        for j in range(moving, size):
            room.right[r] -= room.jac[r, j] * a[j]
    if not partition(room.jac, moving, room.right, room.table, room.order, rows):
        return False
    reduce_matrix(M, moving, room.table, room.order, rows, room.half, room.S)
    if not cholesky(room.S, moving - rows):
        return False
    rest = room.vectors[0]
    for i in range(moving):
        total = f[i]
        for j in range(moving, size):
            total -= M[i, j] * a[j]
        for k in range(rows):
            total -= M[i, room.order[k]] * room.table[k, moving]
        rest[i] = total
    reduce_vector(rest, moving, room.table, room.order, rows, room.rhs)
    cholesky_solve(room.S, moving - rows, room.rhs)
    expand(room.rhs, moving, room.table, room.order, rows, 1.0, a)
    return True


@njit_part
def kinetic_energy(M, v):
    """v^T M v / 2."""
    total = 0.0
    for i in range(v.shape[0]):
        for j in range(v.shape[0]):
            total += 0.5 * v[i] * M[i, j] * v[j]
    return total


@njit_part
def fill_mass(parts, room, q, v):
    """Kinematics, mass matrix and velocity terms at q, v; returns the potential of gravity."""
    place_all(parts, room, q, v)
    par = parts.par
    return assemble(
        q, v, par[PAR_ORDER] > 0.0, par[PAR_GX], par[PAR_GY], parts.body, parts.figures, parts.modal, parts.columns,
        parts.column_count, room.kin, room.J, room.w, room.terms, room.M, room.h,
    )  # fmt: skip


@njit
def take_poses(parts, room, q, v, out):
    """Kinetic energy and potential of gravity for each row of q and v (n, size), into out (n, 2).

    `room` keeps kinematics, mass matrix, velocity terms and loop equations of the last row.
    """
    parts, room = borrow_parts(parts), borrow_room(room)
    for k in range(q.shape[0]):
        potential = fill_mass(parts, room, q[k], v[k])
        out[k, 0], out[k, 1] = kinetic_energy(room.M, v[k]), potential


@njit_part
def evaluate(parts, room, q, v, a, row, z, h, stage):
    """Accelerations a (moving part) at an instant; a of prescribed coordinates is given.

    room.power[stage] becomes power of the drives, loss, power into store, stored energy; room.balance what the loops and
    motions must supply, room.lam the loop forces. Returns False if there is no solution.
    """
    size, moving, rows = q.shape[0], parts.moving, room.phi.shape[0]
    M, f = room.M, room.balance
    potential = fill_mass(parts, room, q, v)
    loss, elastic, into = 0.0, 0.0, 0.0
    for i in range(size):
        stiff, damp = 0.0, 0.0
        for j in range(size):
            stiff += parts.K[i, j] * q[j]
            damp += parts.D[i, j] * v[j]
        f[i] = -room.h[i] - stiff - damp
        elastic += 0.5 * q[i] * stiff
        loss += v[i] * damp
        into += v[i] * (room.h[i] + stiff)
    drive, rubbed, stored = add_joint_forces(parts, room, q, v, row, z, h, stage, f)
    for r in range(rows):
        room.right[r] = -room.gamma[r]
    if not solve_moving(parts, room, f, a):
        return False
    kinetic = kinetic_energy(M, v)
    for i in range(size):
        inertia = 0.0
        for j in range(size):
            inertia += M[i, j] * a[j]
        f[i] = inertia - f[i]
        into += v[i] * inertia
    if rows > 0:
        loop_forces(room, moving, rows)
    for j in range(parts.joint.shape[0]):
        if parts.joint[j, J_MOVED]:
            at = parts.joint[j, J_DRIVE]
            tau = f[at]
            for r in range(rows):
                tau += room.jac[r, at] * room.lam[r]
            room.torque[j, 0], room.torque[j, 1] = tau, 0.0
            drive += tau * v[at]
        if parts.joint_figures[j, F_GAP] > 0.0 and parts.joint[j, J_MOTOR] >= 0:
            link, motor = parts.joint[j, J_LINK], parts.joint[j, J_MOTOR]
            push = spring_with_play(
                parts.joint_figures[j, F_SPRING], parts.joint_figures[j, F_GAP], q[link] - q[motor]
            )[0]
            into += push * (v[link] - v[motor])
    room.power[stage, 0], room.power[stage, 1], room.power[stage, 2] = drive, loss + rubbed, into
    room.power[stage, 3] = kinetic + elastic + stored + potential
    return math.isfinite(kinetic) and math.isfinite(into)
