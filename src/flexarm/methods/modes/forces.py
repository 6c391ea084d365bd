"""Forces of springs, dampers and motors, and the accelerations that follow from them at one instant.

Equations: M3, M22, M24, M25.
"""

from __future__ import annotations

import math

from flexarm.methods.modes import layout as at
from flexarm.methods.modes.evaluation import assemble, kinetic_energy
from flexarm.methods.modes.independent import expand, partition, reduce_matrix, reduce_vector
from flexarm.methods.modes.loads import add_loads
from flexarm.numerics.dense import cholesky, cholesky_solve
from flexarm.numerics.jit import njit, njit_part
from flexarm.numerics.laws import FRICTION, SMOOTH, drive_value, smooth_friction, solve_small


@njit
def spring_with_play(k, gap, turned):
    """Torque of a spring that is loose over `gap`, its slope and its energy; `turned` is link minus motor side."""
    past = abs(turned) - 0.5 * gap
    if past <= 0.0:
        return 0.0, 0.0, 0.0
    sign = 1.0 if turned > 0.0 else -1.0
    return k * past * sign, k, 0.5 * k * past * past


@njit_part
def add_joint_forces(part, work, q, v, row, z, h, stage):
    """Add torques of laws and of springs with play to work.balance, and what they do to the powers of the stage."""
    f, slope = work.balance, work.slope[stage]
    for j in range(part.link.shape[0]):
        link, motor, drive, sense, law = part.link[j], part.motor[j], part.drive[j], part.sense[j], part.law[j]
        for k in range(at.SLOPES):
            slope[j, k] = 0.0
        if part.play[j] > 0.0 and motor >= 0:
            push, slope[j, at.BY_TWIST], stored = spring_with_play(part.spring[j], part.play[j], q[link] - q[motor])
            f[link] -= push
            f[motor] += push
            work.storing[stage] += push * (v[link] - v[motor])
            work.energy[stage] += stored
        if not part.prescribed[j]:
            tau, dy, dv, dm = drive_value(row[j], law, z[j], h, q[sense], v[sense], v[drive], work.law_work)
            drag, by_rate = smooth_friction(law, v[drive])
            if work.reversed[stage, j]:
                by_rate = -law[FRICTION] / law[SMOOTH]
                drag = by_rate * v[drive]
            f[drive] += tau + drag
            slope[j, at.BY_READING], slope[j, at.BY_RATE], slope[j, at.BY_MOTOR_RATE] = dy, dv, dm + by_rate
            work.torque[j], work.friction[j] = tau + drag, drag
            work.power[stage] += tau * v[drive]
            work.loss[stage] -= drag * v[drive]


@njit_part
def loop_forces(part, work):
    """Solve Phi_q^T lambda = -balance on the dependent coordinates."""
    for i in range(part.rows):
        col = work.order[i]
        for r in range(part.rows):
            work.gram[i, r] = work.jac[r, col]
        work.lam[i] = -work.balance[col]
    solve_small(work.gram, work.lam, part.rows)


@njit_part
def solve_moving(part, work, f, a):
    """Moving part of a from M a + Phi_q^T lambda = f and Phi_q a = work.right, its prescribed part given.

    Mass matrix and loops are those that `work` holds; work.right is changed. Returns False if there is no solution.
    """
    size, moving, rows, M, total = part.size, part.moving, part.rows, work.mass, work.total
    for r in range(rows):
        for j in range(moving, size):
            work.right[r] -= work.jac[r, j] * a[j]
    if not partition(part, work):
        return False
    reduce_matrix(part, work, M, work.reduced)
    if not cholesky(work.reduced, moving - rows):
        return False
    for i in range(moving):
        total[i] = f[i]
        for j in range(moving, size):
            total[i] -= M[i, j] * a[j]
        for k in range(rows):
            total[i] -= M[i, work.order[k]] * work.table[k, moving]
    reduce_vector(part, work, total, work.reduced_vector)
    cholesky_solve(work.reduced, moving - rows, work.reduced_vector)
    expand(part, work, work.reduced_vector, 1.0, a)
    return True


@njit_part
def evaluate(part, work, q, v, a, row, z, h, stage):
    """Accelerations a (moving part) at an instant; a of prescribed coordinates is given.

    work.power, loss, storing and energy of the stage become power of the drives, loss, power into store, stored energy;
    work.balance what the loops and motions must supply, work.lam the loop forces. Returns False if there is no solution.
    """
    f = work.balance
    potential = assemble(part, work, q, v)
    loss, elastic, storing = 0.0, 0.0, 0.0
    for i in range(part.size):
        stiff, damp = 0.0, 0.0
        for j in range(part.size):
            stiff += part.stiffness[i, j] * q[j]
            damp += part.damping[i, j] * v[j]
        f[i] = -work.bias[i] - stiff - damp
        elastic += 0.5 * q[i] * stiff
        loss += v[i] * damp
        storing += v[i] * (work.bias[i] + stiff)
    work.power[stage], work.loss[stage], work.storing[stage] = 0.0, loss, storing
    work.energy[stage] = kinetic_energy(work.mass, v) + elastic + potential
    add_joint_forces(part, work, q, v, row, z, h, stage)
    if part.loads:
        work.power[stage] += add_loads((part, work, q, v, row))
    for r in range(part.rows):
        work.right[r] = -work.phi_gamma[r]
    if not solve_moving(part, work, f, a):
        return False
    for i in range(part.size):
        inertia = 0.0
        for j in range(part.size):
            inertia += work.mass[i, j] * a[j]
        f[i] = inertia - f[i]
        work.storing[stage] += v[i] * inertia
    if part.rows > 0:
        loop_forces(part, work)
    for j in range(part.link.shape[0]):
        if part.prescribed[j]:
            drive = part.drive[j]
            tau = f[drive]
            for r in range(part.rows):
                tau += work.jac[r, drive] * work.lam[r]
            work.torque[j], work.friction[j] = tau, 0.0
            work.power[stage] += tau * v[drive]
    return math.isfinite(work.energy[stage]) and math.isfinite(work.storing[stage])
