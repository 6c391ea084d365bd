"""The stages of one time step: collocation (Lobatto IIIA or Radau IIA), solved by Newton's method.

Every stage keeps the loops at the level of accelerations. The derivative has the elastic and damping terms and the slopes
of laws and loose springs; mass, loops and slopes are those of the instant at which the matrix was made.

Equations: M27, M28.
"""

from __future__ import annotations

import math

from flexarm.methods.modes import layout as at
from flexarm.methods.modes.forces import evaluate
from flexarm.methods.modes.independent import expand, reduce_matrix, reduce_vector
from flexarm.numerics.copies import copy, copy_rows
from flexarm.numerics.dense import lu, lu_solve
from flexarm.numerics.jit import njit_part
from flexarm.numerics.laws import ACCELERATION, FRICTION, POSITION, SMOOTH, VELOCITY


@njit_part
def prescribe(part, row, q, v, a):
    """Prescribed coordinates from a row of the drive table."""
    for k in range(part.channel.shape[0]):
        i, channel = part.moving + k, part.channel[k]
        q[i], v[i], a[i] = row[channel, POSITION], row[channel, VELOCITY], row[channel, ACCELERATION]


@njit_part
def fill_coupling(part, work, i, j, h):
    """work.coupling[i, j] = h^2 B_ij K_i + h A_ij D_i over the moving coordinates, slopes of the joints included."""
    moving, W = part.moving, work.coupling[i, j]
    b, a = h * h * part.position_weights[i, j], h * part.velocity_weights[i, j]
    for r in range(moving):
        for c in range(moving):
            W[r, c] = b * part.stiffness[r, c] + a * part.damping[r, c]
    for k in range(part.link.shape[0]):
        link, motor, drive, sense, slope = part.link[k], part.motor[k], part.drive[k], part.sense[k], work.slope[i, k]
        if not part.prescribed[k]:
            W[drive, sense] -= b * slope[at.BY_READING] + a * slope[at.BY_RATE]
            W[drive, drive] -= a * slope[at.BY_MOTOR_RATE]
        if slope[at.BY_TWIST] != 0.0:
            stiff = b * slope[at.BY_TWIST]
            W[link, link] += stiff
            if motor < moving:
                W[link, motor] -= stiff
                W[motor, link] -= stiff
                W[motor, motor] += stiff


@njit_part
def fill_newton_matrix(part, work, h):
    """Factor the matrix of both stages; loops and mass as at the stage that was evaluated last."""
    free = part.moving - part.rows
    reduce_matrix(part, work, work.mass, work.reduced)
    for i in range(1, 3):
        copy_rows(work.slope[i], work.matrix_slope[i])
        for j in range(1, 3):
            fill_coupling(part, work, i, j, h)
            reduce_matrix(part, work, work.coupling[i, j], work.block)
            for r in range(free):
                for c in range(free):
                    value = work.block[r, c]
                    if i == j:
                        value += work.reduced[r, c]
                    work.newton_matrix[(i - 1) * free + r, (j - 1) * free + c] = value
    return lu(work.newton_matrix, 2 * free, work.pivots)


@njit_part
def correct(part, work, h):
    """One Newton correction of the stages' accelerations; returns the largest change of a position."""
    moving, total, reduced, right = part.moving, work.total, work.reduced_vector, work.newton_right
    free = moving - part.rows
    for i in range(1, 3):
        for r in range(moving):
            total[r] = 0.0
            for j in range(1, 3):
                for c in range(moving):
                    total[r] += work.coupling[i, j, r, c] * work.defect[j, c]
        reduce_vector(part, work, total, reduced)
        for k in range(free):
            right[(i - 1) * free + k] = reduced[k]
    lu_solve(work.newton_matrix, 2 * free, work.pivots, right)
    largest = 0.0
    for i in range(1, 3):
        for k in range(free):
            reduced[k] = right[(i - 1) * free + k]
        expand(part, work, reduced, 0.0, total)
        for k in range(moving):
            change = total[k] - work.defect[i, k]
            work.a[i, k] += change
            if not abs(change) <= largest:
                largest = abs(change)
    return largest * h * h


@njit_part
def set_stages(part, work, h):
    """Moving coordinates of both stages from the accelerations."""
    for i in range(1, 3):
        c = part.stage_time[i] * h
        for k in range(part.moving):
            v, q = 0.0, 0.0
            for j in range(3):
                v += part.velocity_weights[i, j] * work.a[j, k]
                q += part.position_weights[i, j] * work.a[j, k]
            work.v[i, k] = work.v[0, k] + h * v
            work.q[i, k] = work.q[0, k] + c * work.v[0, k] + h * h * q


@njit_part
def slopes_differ(work):
    """True if a law or a loose spring has another slope than when the matrix was made."""
    for stage in range(1, 3):
        for j in range(work.slope.shape[1]):
            for k in range(at.SLOPES):
                old, new = work.matrix_slope[stage, j, k], work.slope[stage, j, k]
                if abs(old - new) > 1e-3 * abs(new) + 1e-300:
                    return True
    return False


@njit_part
def watch_friction(part, work, first):
    """Where an iteration reverses the motion of a joint with friction, the next one takes friction as a line through rest: from
    its flat ends Newton's method would leap from side to side. Returns True if there is such a joint."""
    found = False
    for j in range(part.link.shape[0]):
        if part.law[j, FRICTION] > 0.0:
            for i in range(1, 3):
                before, now = work.slid[i, j], work.v[i, part.drive[j]]
                leaps = not first and before * now < 0.0 and max(abs(before), abs(now)) > part.law[j, SMOOTH]
                work.reversed[i, j], work.slid[i, j] = 1.0 if leaps else 0.0, now
                found = found or leaps
    return found


@njit_part
def newton(part, work, q, v, a, z, h):
    """Find the stages of a step to the rows work.rows; the end is left in q and v. Returns False on failure."""
    copy(q, work.q[0])
    copy(v, work.v[0])
    for i in range(3):
        copy(a, work.a[i])
    for i in range(1, 3):
        prescribe(part, work.rows[i], work.q[i], work.v[i], work.found_a[i])
    made, before = False, math.inf
    for iteration in range(part.iterations):
        set_stages(part, work, h)
        leaps = watch_friction(part, work, iteration == 0)
        for i in range(1, 3):
            time = part.stage_time[i] * h
            if not evaluate(part, work, work.q[i], work.v[i], work.found_a[i], work.rows[i], z, time, i):
                return False
            for k in range(part.moving):
                work.defect[i, k] = work.a[i, k] - work.found_a[i, k]
        if not made or slopes_differ(work):
            if not fill_newton_matrix(part, work, h):
                return False
            made = True
        change = correct(part, work, h)
        if not change < 1e3 * part.reach:
            return False
        close = change < 1e2 * part.tolerance and change > 0.5 * before  # rounding ends it
        if (change <= part.tolerance or close) and not leaps:
            set_stages(part, work, h)
            copy(work.q[2], q)
            copy(work.v[2], v)
            return True
        before = change
    return False
