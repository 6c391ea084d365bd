"""The end of a step: forces, torques and energies there, and the sums over the step.

What the scheme gains or loses is measured by itself: change of energy minus the work of all forces along the step.

Equations: E11, E12.
"""

from __future__ import annotations

import numpy as np

from flexarm.methods.fem import bordered, condensation
from flexarm.methods.fem import layout as at
from flexarm.methods.fem.assemble import add_inertia, damping_power, kinetic, split_forces
from flexarm.methods.fem.condensation import follow
from flexarm.methods.fem.energy_balance import account_joints
from flexarm.methods.fem.joint_torques import find_joint_torques
from flexarm.methods.fem.joints import nominal
from flexarm.methods.fem.loads import load_work
from flexarm.methods.fem.payload import payload_inertia
from flexarm.numerics.alexander import SHARE
from flexarm.numerics.jit import NO, njit_inside


@njit_inside
def forces_at(part, now, work):
    """Forces with those of inertia and of the constraints into fc and fd, torques of the joints; returns the energy."""
    energy = split_forces(part, now, work)
    add_inertia(part, now, now.fc)
    energy += kinetic(part, now)
    if part.carries:
        energy += payload_inertia(part, now, now.fc)
    if part.side.shape[0] > 0:
        bordered.constrain((part, now, work, bordered.FORCES, 0.0, NO[0]))
    if part.far_nodes.shape[0] > 0:
        follow((part, now, work, condensation.FORCES, 0.0, NO[0]))
    find_joint_torques(part, now)
    return energy


@njit_inside
def end_step(part, now, work, z, row, h, fresh):
    """Forces, torques, energies at a step point; the sums over the step before unless it is a fresh start.

    The loss is accounted by its own power; what the forces resisted beside it is an error of the scheme.
    """
    sums = now.sums
    energy = forces_at(part, now, work)
    gained, resisted = energy - sums[at.ENERGY], 0.0
    sums[at.ENERGY] = energy
    if not fresh:
        for k in range(now.q.shape[0]):
            moved = now.q[k] - work.start_q[k]
            gained -= 0.5 * moved * (work.start_fc[k] + now.fc[k])
            resisted += 0.5 * moved * (work.start_fd[k] + now.fd[k])
        if part.loads:
            pushed = load_work((part, now, work))
            gained -= pushed
            sums[at.WORK] += pushed
    given, against = account_joints(part, now, work, z, row, h, fresh)
    power = damping_power(part, now, work)
    if not fresh:
        lost = 0.5 * h * (sums[at.POWER] + power)
        if sums[at.STARTING] > 0.0:
            lost = h * ((1.0 - SHARE) * work.stage_loss[0] + SHARE * power)
        sums[at.LOST] += lost
        sums[at.NUMERICAL] += gained - given + lost - resisted - against
    sums[at.POWER] = power
    return np.isfinite(energy)


@njit_inside
def end_first_stage(part, now, work, row):
    """Power of damping and of the commanded joints in the first stage of a starting step."""
    forces_at(part, now, work)
    work.stage_loss[0] = damping_power(part, now, work)
    for i in range(part.links):
        work.stage_power[i] = nominal(part, row, i)[1] * (now.tc[i] + now.td[i])
