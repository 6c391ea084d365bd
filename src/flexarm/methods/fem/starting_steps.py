"""L-stable starting steps: what is taken after a jump when anything damps.

Strongly damped modes die within a step. The accelerations with which they begin are huge, and a scheme that starts from
them (all of the Newmark family do) keeps such modes alive for many steps; that of `flexarm.numerics.alexander` does not.

Equations: E13, E14.
"""

from __future__ import annotations

from flexarm.methods.fem import layout as at
from flexarm.numerics.alexander import SHARE, STEPS
from flexarm.numerics.copies import copy
from flexarm.numerics.jit import njit_inside


@njit_inside
def begin_stage(now, work, h, stage):
    """Positions and velocities with a guess of the acceleration: that of the start (none after a jump, where it may be huge),
    then that of the first stage."""
    q, v, a, g = now.q, now.v, now.a, SHARE * h
    known = 1.0 if now.sums[at.STARTING] < STEPS else 0.0
    for k in range(q.shape[0]):
        if stage == 0:
            work.start_v[k], a[k] = v[k], known * a[k]
            v[k] += g * a[k]
            q[k] += g * v[k]
        else:
            a[k] = work.stage_a[k]
            v[k] = work.start_v[k] + h * a[k]
            q[k] = work.start_q[k] + (h - g) * work.stage_v[k] + g * v[k]


@njit_inside
def end_stage(now, work):
    """Keep what the second stage reads of the first."""
    copy(now.v, work.stage_v)
    copy(now.a, work.stage_a)
