"""The energy-momentum conserving step.

Equations: A28, A29.

The work of the mean forces over the step is exactly the change of elastic energy (see `beam_mean`), and a torque is the mean
of both ends on a gradient that does the work torque times angle. Without drives and damping, energy is kept to the
tolerance of the solver however long the step. Laws are solved at the end of the step. The tangent is that of the mean
shape.
"""

from __future__ import annotations

from numba import types

from flexarm.methods.ancf import layout as at
from flexarm.methods.ancf.generalised_alpha import FAIR, SLOW
from flexarm.methods.ancf.mean_forces import count_work, mean_residual
from flexarm.methods.ancf.prescribed import condense, expand
from flexarm.methods.ancf.solving import add_joints, make_tangent, solve_cached
from flexarm.numerics.copies import copy
from flexarm.numerics.jit import njit_part
from flexarm.numerics.on_demand import njit_on_demand


@njit_part
def midway(m, s, w, row):
    """Mean row, mean positions and mean stretches of the step, into the workspace."""
    for c in range(row.shape[0]):
        for k in range(row.shape[1]):
            w.rows[2, c, k] = 0.5 * (w.rows[0, c, k] + row[c, k])
    for k in range(s.q.shape[0]):
        w.middle[k] = 0.5 * (w.old_q[k] + s.q[k])
    for i in range(m.links):
        w.mean_stretch[i] = 0.5 * (w.old_stretch[0, i] + s.stretch[0, i])


@njit_part
def end_velocities(m, s, w, row, h):
    """Velocities at the end from positions there; prescribed sections follow."""
    for k in range(s.q.shape[0]):
        s.v[k] = 2.0 * (s.q[k] - w.old_q[k]) / h - w.old_v[k]
    for i in range(m.links):
        s.stretch[1, i] = 2.0 * (s.stretch[0, i] - w.old_stretch[0, i]) / h - w.old_stretch[1, i]
    expand(m, s, row)


@njit_on_demand(types.int64)
def conserving_step(m, s, w, row, h):
    """One step of length h to `row`; returns the number of iterations, or -1 if it did not converge."""
    residual = w.residual
    for k in range(s.q.shape[0]):
        w.old_q[k], w.old_v[k] = s.q[k], s.v[k]
        s.q[k] += h * s.v[k] + 0.5 * h * h * s.a[k]
    for i in range(m.links):
        w.old_stretch[0, i], w.old_stretch[1, i] = s.stretch[0, i], s.stretch[1, i]
        s.stretch[0, i] += h * s.stretch[1, i] + 0.5 * h * h * s.stretch[2, i]
    speed, push = 2.0 / h, 2.0 / (h * h)
    renew, previous = s.sums[at.TANGENT_STEP] != h, 0.0
    for iteration in range(m.iterations):
        end_velocities(m, s, w, row, h)
        midway(m, s, w, row)
        mean_residual(m, s, w, row, h, residual)
        if renew or m.solver == at.NEWTON:
            s.sums[at.TANGENT_STEP] = 0.0
            copy(residual, w.raw)
            for k in range(s.q.shape[0]):
                w.load[k] = (s.q[k] - w.old_q[k]) / h
            if not make_tangent(m, s, w, w.middle, w.load, w.force, row, h, speed, push, 0.5):
                return -1
            s.sums[at.TANGENT_STEP] = h
            s.sums[at.TANGENTS] += 1.0
        elif m.chords > 0:
            add_joints(m, s, w, row, h, speed, w.band)  # for the slopes of the chord laws
        condense(m, w.rows[2], w.mean_stretch, w.middle, residual)
        solve_cached(m, s, w, speed, residual)
        largest = 0.0
        for k in range(s.q.shape[0]):
            s.q[k] -= residual[k]
            largest = max(largest, abs(residual[k]))
        for i in range(m.links):
            if m.prescribed[i]:
                s.stretch[0, i] -= residual[m.first[i]]
        if not largest < 1e3 * m.reach:
            break
        if largest <= m.tolerance * m.reach:
            end_velocities(m, s, w, row, h)
            count_work(m, s, w, row, h)
            if iteration > 0 and largest > FAIR * previous:
                s.sums[at.TANGENT_STEP] = 0.0
            return iteration + 1
        renew = iteration > 0 and largest > SLOW * previous
        previous = largest
    s.sums[at.TANGENT_STEP] = 0.0
    return -1
