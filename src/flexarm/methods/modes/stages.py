"""The stages of one time step.

Two-stage collocation that ends at a stage (Lobatto IIIA or Radau IIA). With a_0 the acceleration at the start,

    q_i = q_0 + c_i h v_0 + h^2 sum B_ij a_j,   v_i = v_0 + h sum A_ij a_j,   a_i = f(t_i, q_i, v_i),   B = A A,

where f has the loops' forces in it, so every stage keeps them at the level of accelerations. Newton's method with the
elastic, damping and law terms of the derivative, on the motions N that the loops leave:

    a += -g + N s,   sum_j N^T (delta_ij M + h^2 B_ij K_i + h A_ij D_i) N s_j = sum_j N^T (h^2 B_ij K_i + h A_ij D_i) g_j .

"""

from __future__ import annotations

import math

from flexarm.methods.modes.forces import DM, DS, DV, DY, evaluate
from flexarm.methods.modes.layout import (
    J_DRIVE,
    J_LINK,
    J_MOTOR,
    J_MOVED,
    J_SENSE,
    PAR_SIZE,
    PAR_TOLERANCE,
)
from flexarm.methods.modes.loops import expand, reduce_matrix, reduce_vector
from flexarm.methods.modes.rooms import C_POSITION, C_TIME, C_VELOCITY
from flexarm.numerics.dense import lu, lu_solve
from flexarm.numerics.jit import NO, YES, njit_part
from flexarm.numerics.laws import ACCELERATION, POSITION, VELOCITY

V_Q, V_V, V_A, V_G, V_F = 1, 4, 7, 9, 11
"""Rows of the scratch vectors: positions and velocities at start and stages, accelerations of the stages, defects,
evaluated accelerations; from V_FIRST on work space, and the acceleration at the start."""
V_FIRST, V_START = 13, 17


@njit_part
def prescribe(parts, row, q, v, a):
    """Prescribed coordinates from a row of the drive table."""
    for k in range(parts.channel.shape[0]):
        i, channel = parts.moving + k, parts.channel[k]
        q[i], v[i], a[i] = row[channel, POSITION], row[channel, VELOCITY], row[channel, ACCELERATION]


@njit_part
def with_slopes(A, B, parts, room, stage, damping, x, out):
    """out = A x (stiffness) or B x (damping) over the moving coordinates, with the slopes of laws and loose springs."""
    moving = parts.moving
    base = B if damping else A
    for i in range(moving):
        total = 0.0
        for j in range(moving):
            total += base[i, j] * x[j]
        out[i] = total
    for j in range(parts.joint.shape[0]):
        link, motor = parts.joint[j, J_LINK], parts.joint[j, J_MOTOR]
        drive, sense = parts.joint[j, J_DRIVE], parts.joint[j, J_SENSE]
        s = room.slope[stage, j]
        if not parts.joint[j, J_MOVED]:
            if damping:
                out[drive] -= s[DV] * x[sense] + s[DM] * x[drive]
            else:
                out[drive] -= s[DY] * x[sense]
        if not damping and s[DS] != 0.0:
            turned = x[link] - (x[motor] if motor < moving else 0.0)
            out[link] += s[DS] * turned
            if motor < moving:
                out[motor] -= s[DS] * turned


@njit_part
def stage_matrix(parts, room, stage, damping, out):
    """Reduced stiffness or damping of a stage."""
    moving, half = parts.moving, room.KS[3]
    base = parts.D if damping else parts.K
    for i in range(moving):
        for j in range(moving):
            half[i, j] = base[i, j]
    for j in range(parts.joint.shape[0]):
        link, motor = parts.joint[j, J_LINK], parts.joint[j, J_MOTOR]
        drive, sense = parts.joint[j, J_DRIVE], parts.joint[j, J_SENSE]
        s = room.slope[stage, j]
        if not parts.joint[j, J_MOVED]:
            if damping:
                half[drive, sense] -= s[DV]
                half[drive, drive] -= s[DM]
            else:
                half[drive, sense] -= s[DY]
        if not damping and s[DS] != 0.0:
            half[link, link] += s[DS]
            if motor < moving:
                half[link, motor] -= s[DS]
                half[motor, link] -= s[DS]
                half[motor, motor] += s[DS]
    reduce_matrix(half, moving, room.table, room.order, room.phi.shape[0], room.half, out)


@njit_part
def newton_matrix(parts, room, h):
    """Factor the matrix of both stages; loops and mass as at the stage that was evaluated last."""
    rows, scheme = room.phi.shape[0], parts.scheme
    free = parts.moving - rows
    reduce_matrix(room.M, parts.moving, room.table, room.order, rows, room.half, room.KS[2])
    for i in range(2):
        if i == 0 or parts.joint.shape[0] > 0:
            stage_matrix(parts, room, i, NO[0], room.KS[0])
            stage_matrix(parts, room, i, YES[0], room.KS[1])
        for j in range(2):
            b, a = h * h * scheme[C_POSITION + 3 * i + j + 1], h * scheme[C_VELOCITY + 3 * i + j + 1]
            for r in range(free):
                for c in range(free):
                    value = b * room.KS[0, r, c] + a * room.KS[1, r, c]
                    if i == j:
                        value += room.KS[2, r, c]
                    room.big[i * free + r, j * free + c] = value
    return lu(room.big, 2 * free, room.pivots)


@njit_part
def correct(parts, room, h):
    """One Newton correction of the stages' accelerations; returns the largest change of a position."""
    moving, rows, scheme = parts.moving, room.phi.shape[0], parts.scheme
    free, V = moving - rows, room.vectors
    for i in range(2):
        total = V[V_FIRST]
        for k in range(moving):
            total[k] = 0.0
        for j in range(2):
            b, a = h * h * scheme[C_POSITION + 3 * i + j + 1], h * scheme[C_VELOCITY + 3 * i + j + 1]
            with_slopes(parts.K, parts.D, parts, room, i, NO[0], V[V_G + j], V[V_FIRST + 1])
            with_slopes(parts.K, parts.D, parts, room, i, YES[0], V[V_G + j], V[V_FIRST + 2])
            for k in range(moving):
                total[k] += b * V[V_FIRST + 1, k] + a * V[V_FIRST + 2, k]
        reduce_vector(total, moving, room.table, room.order, rows, V[V_FIRST + 3])
        for k in range(free):
            room.rhs[i * free + k] = V[V_FIRST + 3, k]
    lu_solve(room.big, 2 * free, room.pivots, room.rhs)
    largest = 0.0
    for i in range(2):
        for k in range(free):
            V[V_FIRST + 3, k] = room.rhs[i * free + k]
        expand(V[V_FIRST + 3], moving, room.table, room.order, rows, 0.0, V[V_FIRST])
        for k in range(moving):
            change = V[V_FIRST, k] - V[V_G + i, k]
            V[V_A + i, k] += change
            if not abs(change) <= largest:
                largest = abs(change)
    return largest * h * h


@njit_part
def set_stages(parts, room, h):
    """Moving coordinates of both stages from the accelerations."""
    V, scheme = room.vectors, parts.scheme
    for i in range(2):
        c = scheme[C_TIME + i] * h
        for k in range(parts.moving):
            v, q = 0.0, 0.0
            for j in range(3):
                a = V[V_START, k] if j == 0 else V[V_A + j - 1, k]
                v += scheme[C_VELOCITY + 3 * i + j] * a
                q += scheme[C_POSITION + 3 * i + j] * a
            V[V_V + 1 + i, k] = V[V_V, k] + h * v
            V[V_Q + 1 + i, k] = V[V_Q, k] + c * V[V_V, k] + h * h * q


@njit_part
def slopes_differ(room, kept):
    """True if a law or a loose spring has another slope than when the matrix was made."""
    for stage in range(2):
        for j in range(room.slope.shape[1]):
            for k in range(4):
                old, new = kept[stage, j, k], room.slope[stage, j, k]
                if abs(old - new) > 1e-3 * abs(new) + 1e-300:
                    return True
    return False


@njit_part
def newton(parts, room, x, z, h, kept, iterations):
    """Find the stages of a step from x to the rows of room.rows; the end is left in x. Returns False on failure."""
    size, moving, V = parts.K.shape[0], parts.moving, room.vectors
    for k in range(size):
        V[V_Q, k], V[V_V, k], V[V_START, k] = x[k], x[size + k], x[2 * size + k]
    for i in range(2):
        for k in range(moving):
            V[V_A + i, k] = x[2 * size + k]
        prescribe(parts, room.rows[i], V[V_Q + 1 + i], V[V_V + 1 + i], V[V_F + i])
    made, before = False, math.inf
    for _ in range(iterations):
        set_stages(parts, room, h)
        for i in range(2):
            if not evaluate(
                parts,
                room,
                V[V_Q + 1 + i],
                V[V_V + 1 + i],
                V[V_F + i],
                room.rows[i],
                z,
                parts.scheme[C_TIME + i] * h,
                i,
            ):
                return False
            for k in range(moving):
                V[V_G + i, k] = V[V_A + i, k] - V[V_F + i, k]
        if not made or slopes_differ(room, kept):
            if not newton_matrix(parts, room, h):
                return False
            made = True
            for i in range(2):
                for j in range(room.slope.shape[1]):
                    for k in range(4):
                        kept[i, j, k] = room.slope[i, j, k]
        change = correct(parts, room, h)
        if not change < 1e3 * parts.par[PAR_SIZE]:
            return False
        close = change < 1e2 * parts.par[PAR_TOLERANCE] and change > 0.5 * before  # rounding ends it
        if change <= parts.par[PAR_TOLERANCE] or close:
            set_stages(parts, room, h)
            for k in range(size):
                x[k], x[size + k] = V[V_Q + 2, k], V[V_V + 2, k]
            return True
        before = change
    return False
