"""L-stable starting steps: what `newmark` takes after a discontinuity when something damps.

Average acceleration turns the sign of a strongly damped mode from step to step and keeps it alive. The two-stage method
of Alexander (diagonally implicit, second order, stiffly accurate) lets such modes die as they should. Both stages are
solves with ``M + g C + g^2 K``, g = (1 - 1/sqrt 2) h.

For a quadratic energy E the method obeys exactly

    E1 - E0 = h sum b_i dE/dt(stage i) - g^2 / 2 (|k_2|^2 - |k_1|^2),     |k|^2 = V K V + A M A,

so work and loss are sums over the stages, and the last term is the energy that the scheme takes: `numerical`.

Equations: F28, F29.
"""

from __future__ import annotations

import math

from flexarm.methods.fd import layout as at
from flexarm.methods.fd.energy_balance import lost_at_rate, patch_stroke
from flexarm.methods.fd.forces import forces
from flexarm.methods.fd.implicit_stage import implicit_stage
from flexarm.numerics import law_rows
from flexarm.numerics.band import multiply
from flexarm.numerics.jit import njit_part
from flexarm.numerics.rows import inside_row

SHARE = 1.0 - 1.0 / math.sqrt(2.0)
"""Place of the first stage in the step, and the implicit share of both."""
STEPS = 4
"""Starting steps after a discontinuity: what is left of a strongly damped mode is then below 1e-3 of it."""


@njit_part
def squared(slope, rate, stages):
    """|k|^2 of a stage: slope K slope + rate M rate."""
    order, product, count, total = stages.order, stages.product, stages.order.shape[0], 0.0
    for part in range(2):
        vector = slope if part == 0 else rate
        for i in range(count):
            product[0, i] = vector[order[i]]
        multiply(stages.stiffness if part == 0 else stages.mass, product[0, :count], product[1, :count])
        for i in range(count):
            total += product[0, i] * product[1, i]
    return total


@njit_part
def add_stage(q, v, slope, turn, tau, drag, row, span, s, arm, ws):
    """Work, loss and impulse of one stage that counts for the time `span`; slope = rates, or that of the motion.

    turn : slope of the rate of the motion.
    """
    drive, scale = arm.drive, arm.scale
    for p in range(arm.patches):
        s[at.WORK] += span * row[1 + p, law_rows.FORCE] * patch_stroke(slope, p, arm)
    if arm.eta > 0.0 or arm.damper > 0.0:
        s[at.LOST] += lost_at_rate(v, slope[drive], span, arm, ws)
    if arm.prescribed:
        forces(q, v, arm, ws)
        reaction, rate = -ws.forces[drive] * scale, v[drive] / scale
        s[at.WORK] += span * (reaction * slope[drive] / scale + arm.drive_mass * rate * turn / scale)
        s[at.IMPULSE] += span * reaction
        s[at.REACTION] = reaction
    else:
        turned = span * v[drive] / scale
        s[at.WORK] += (tau - drag) * turned
        s[at.LOST] -= drag * turned
        s[at.IMPULSE] += span * tau
        s[at.DRIVE_TORQUE], s[at.DRAG] = tau, drag


@njit_part
def starting_step(q, v, s, a, z, before, row, h, arm, ws, factors, stages):
    """One step in two stages, in place."""
    size, drive, g, first = arm.size, arm.drive, SHARE * h, (1.0 - SHARE) * h
    q0, v0, v1, a1, slope, rate = stages.q0, stages.v0, stages.v1, stages.a1, stages.slope, stages.rate
    for j in range(size):
        q0[j], v0[j], a[j] = q[j], v[j], 0.0
    for j in range(z.shape[1]):
        stages.z[0, j] = z[0, j]
    inside_row(before, row, h, SHARE, stages.row)
    for i in range(factors.free.shape[0]):
        q[factors.free[i]] += g * v[factors.free[i]]
    tau = implicit_stage(q, v, a, stages.z, stages.row, g, arm, ws, factors)
    for j in range(size):
        v1[j], a1[j] = v[j], a[j]
    if arm.prescribed:  # slopes that lead to the given place and rate
        v1[drive], a1[drive] = (q[drive] - q0[drive]) / g, (v[drive] - v0[drive]) / g
    add_stage(q, v, v1, a1[drive], tau, stages.z[0, law_rows.DRAG], stages.row, first, s, arm, ws)
    size1 = squared(v1, a1, stages)
    for j in range(size):
        q[j], v[j] = q0[j] + first * v1[j], v0[j] + first * a1[j]
    for i in range(factors.free.shape[0]):
        q[factors.free[i]] += g * v[factors.free[i]]
    tau = implicit_stage(q, v, a, z, row, h, arm, ws, factors)
    for j in range(size):
        slope[j], rate[j] = v[j], a[j]
    if arm.prescribed:
        slope[drive] = (q[drive] - q0[drive] - first * v1[drive]) / g
        rate[drive] = (v[drive] - v0[drive] - first * a1[drive]) / g
    add_stage(q, v, slope, rate[drive], tau, z[0, law_rows.DRAG], row, g, s, arm, ws)
    if arm.prescribed:
        s[at.IMPULSE] += arm.drive_mass * (v[drive] - v0[drive]) / arm.scale
    s[at.NUMERICAL] -= 0.5 * g * g * (squared(slope, rate, stages) - size1)
