"""The end of a step: back onto the loops, then accelerations, torques, and the energy balance of the step.

What the scheme gains by itself is measured: change of the stored energy minus the power into store along the step.

Equations: M25, M26, M29.
"""

from __future__ import annotations

from flexarm.methods.modes import layout as at
from flexarm.methods.modes.evaluation import assemble, kinetic_energy, rotor_torque
from flexarm.methods.modes.forces import evaluate, solve_moving, spring_with_play
from flexarm.methods.modes.loop_equations import project, watch_loops
from flexarm.methods.modes.stages import prescribe
from flexarm.numerics.copies import copy
from flexarm.numerics.jit import njit, njit_part
from flexarm.numerics.laws import FORCE, law_step

DONE, NOT_CONVERGED, SINGULAR = range(3)
"""How a step ends."""


@njit_part
def joint_torques(part, work, now):
    """Torques through the joints and of the motors at a step point."""
    count = part.link.shape[0]
    for j in range(count):
        link, motor = part.link[j], part.motor[j]
        now.torques[at.DRIVE * count + j] = work.torque[j] - work.friction[j]
        if motor >= 0:
            push = spring_with_play(part.spring[j], part.play[j], now.q[link] - now.q[motor])[0]
            through = -push - part.damper[j] * (now.v[link] - now.v[motor])
        else:
            through = work.torque[j] - rotor_torque(part, work, j, now.a)
        now.torques[at.TORQUE * count + j] = through


@njit_part
def accept_laws(part, work, q, v, row, z, h):
    """Take over the states of the joint laws at the end of a step; h = 0 re-evaluates them after a jump."""
    for j in range(part.link.shape[0]):
        if not part.prescribed[j]:
            sense, rate = part.sense[j], v[part.drive[j]]
            law_step(row[j], part.law[j], z[j], h, q[sense], v[sense], rate, 0.0, 0.0, 0.0, work.law_work)


@njit_part
def answer_velocity_jump(part, work, q, v):
    """Where prescribed velocities jump the rest of the arm answers by its momentum; returns the work of that impulse.

    work.old_v holds the velocities until now; so does v, but for those that are prescribed.
    """
    jump, jumped = work.jump, False
    for k in range(part.moving, part.size):
        jump[k] = v[k] - work.old_v[k]
        jumped = jumped or abs(jump[k]) > 1e-12 * (1.0 + abs(v[k]))
    if not jumped:
        return 0.0
    assemble(part, work, q, v)
    for k in range(part.size):
        work.balance[k] = 0.0
    for r in range(part.rows):
        work.right[r] = 0.0
    energy = kinetic_energy(work.mass, work.old_v)
    if not solve_moving(part, work, work.balance, jump):
        return 0.0
    for k in range(part.moving):
        v[k] += jump[k]
    return kinetic_energy(work.mass, v) - energy


@njit_part
def balance_energy(part, work, s, h):
    """Add work, loss and gain of the scheme over a step to the sums; row 0 of the powers is its end."""
    b0, b1, b2 = h * part.weights[0], h * part.weights[1], h * part.weights[2]
    s[at.WORK] += b0 * s[at.POWER] + b1 * work.power[1] + b2 * work.power[0]
    s[at.LOST] += b0 * s[at.LOSS] + b1 * work.loss[1] + b2 * work.loss[0]
    stored = b0 * s[at.STORING] + b1 * work.storing[1] + b2 * work.storing[0]
    s[at.NUMERICAL] += work.energy[0] - s[at.ENERGY] - stored
    s[at.CLOCK] += h


@njit
def end_step(part, work, x, row, z, h, fresh):
    """Step point: back onto the loops, accelerations, torques, energy; sums over the step unless it is a fresh start.

    Returns DONE, NOT_CONVERGED or SINGULAR.
    """
    now = at.views(part, x)
    q, v, s = now.q, now.v, now.sums
    copy(v, work.old_v)
    prescribe(part, row, q, v, now.a)
    if fresh:
        s[at.WORK] += answer_velocity_jump(part, work, q, v)
    gap = project(part, work, q, v)
    if fresh:
        accept_laws(part, work, q, v, row, z, 0.0)
    if not evaluate(part, work, q, v, now.a, row, z, h, at.STEP_POINT[0]):
        return NOT_CONVERGED
    copy(work.lam, now.lam)
    for k in range(part.loads):
        now.loads[k] = row[row.shape[0] - part.loads + k, FORCE]
    joint_torques(part, work, now)
    s[at.GAP] = max(s[at.GAP], gap)
    if not fresh:
        balance_energy(part, work, s, h)
        accept_laws(part, work, q, v, row, z, h)
    s[at.POWER], s[at.LOSS], s[at.STORING], s[at.ENERGY] = work.power[0], work.loss[0], work.storing[0], work.energy[0]
    if watch_loops(part, work, s) < part.singular and not fresh:
        return SINGULAR
    return DONE
