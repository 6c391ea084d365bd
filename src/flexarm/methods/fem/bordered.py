"""The bordered system of arm and constraints, solved on the factored band.

With G the Jacobian of the gaps and lambda the forces,

    [ K  G^T ] [ dq      ]     [ balance of forces ]
    [ D  0   ] [ dlambda ] = - [ rates of the gaps ],   D = d (rates) / dq,

is solved on the factored band K: W = K^-1 G^T (in rows), then the small matrix S = D W. The gaps themselves close by a shift
of the positions along W. Laws whose slopes lie outside the band have a row each, behind those of the constraints: there the
torque is the unknown.

Equations: E16, E17.
"""

from __future__ import annotations

from numba import types

from flexarm.methods.fem.condensation import condense_rows
from flexarm.methods.fem.constraint_forces import (
    add_constraint_forces,
    constraint_curvature,
    constraint_rows,
    find_gaps,
)
from flexarm.methods.fem.joints import law_rows
from flexarm.numerics.bandlu import solve
from flexarm.numerics.copies import copy
from flexarm.numerics.dense import lu, lu_solve
from flexarm.numerics.jit import njit_inline, njit_inside, njit_part
from flexarm.numerics.on_demand import njit_on_demand

PUSH, FACTOR, CLOSE, VELOCITIES, START, FORCES, DERIVATIVES = range(7)
"""Tasks of `constrain`."""


@njit_part
def factor_border(part, now, work, speed):
    """G, D, W and the factored S; False if the equations are not independent.

    With speed 0 the band holds masses, and the rows D are those of G.
    """
    G, D, W, S, rows, count = work.G, work.D, work.W, work.S, work.G.shape[0], now.lam.shape[0]
    constraint_rows(part, now, work, speed)
    law_rows(part, now, work, speed)
    for r in range(rows):
        condense_rows(part, now, G[r], D[r], speed)
        copy(G[r], W[r])
        if speed == 0.0 and r < count:
            copy(G[r], D[r])
        solve(work.band, W[r])
    for r in range(rows):
        for c in range(rows):
            total = 0.0
            for k in range(G.shape[1]):
                total += D[r, k] * W[c, k]
            S[r, c] = total
    for r in range(count, rows):
        S[r, r] += 1.0
    return lu(S, rows, work.pivots)


@njit_part
def shift_along(work, x, wanted, target):
    """Add W y to x such that its product with D becomes `wanted`; y is added to `target`."""
    D, W, right, rows = work.D, work.W, work.right, work.G.shape[0]
    for r in range(rows):
        total = wanted[r]
        for k in range(x.shape[0]):
            total -= D[r, k] * x[k]
        right[r] = total
    lu_solve(work.S, rows, work.pivots, right)
    for r in range(target.shape[0]):
        target[r] += right[r]
    for r in range(rows):
        for k in range(x.shape[0]):
            x[k] += right[r] * W[r, k]


@njit_inside
def clear(values):
    """Set a vector to zero."""
    for k in range(values.shape[0]):
        values[k] = 0.0


@njit_inside
def constrain_answer(work, x):
    """Let a solution x of the band move only as the constraints allow."""
    clear(work.wanted)
    shift_along(work, x, work.wanted, work.unread_forces)


@njit_inline
def close_gaps(part, now, work, speed, residual):
    """Forces of the constraints for a step that is solved for without them (`residual` holds minus the correction), and a
    shift of the positions that closes the gaps; returns the largest shift."""
    shift, wanted = work.shift, work.wanted
    find_gaps(part, now, work)
    shift_along(work, residual, work.gap_rate, now.lam)
    if now.lam.shape[0] == 0:
        return 0.0
    for r in range(wanted.shape[0]):
        wanted[r] = speed * work.gap[r]
    clear(shift)
    shift_along(work, shift, wanted, work.unread_forces)
    largest = 0.0
    for k in range(shift.shape[0]):
        now.q[k] -= shift[k]
        largest = max(largest, abs(shift[k]))
    return largest


@njit_inside
def constrain_velocities(part, now, work):
    """Velocities after a jump that let no gap open, by the shortest way in kinetic energy (`band` holds the masses)."""
    find_gaps(part, now, work)
    clear(work.shift)
    shift_along(work, work.shift, work.gap_rate, work.unread_forces)
    for k in range(work.shift.shape[0]):
        now.v[k] -= work.shift[k]


@njit_inside
def start_constraints(part, now, work, residual):
    """Forces of the constraints after a jump; `residual` holds minus the accelerations without them."""
    clear(now.lam)
    find_gaps(part, now, work)
    shift_along(work, residual, work.gap_acceleration, now.lam)


@njit_inside
def derive(part, now, work, speed):
    """Forces of the constraints and their tangent, gaps and their derivatives."""
    add_constraint_forces(part, now, work.residual, work.unread)
    constraint_curvature(part, now, work.band)
    find_gaps(part, now, work)
    constraint_rows(part, now, work, speed)
    for r in range(work.pivots.shape[0]):
        condense_rows(part, now, work.G[r], work.D[r], speed)


@njit_on_demand(types.float64)
def constrain(part, now, work, task, speed, renew):
    """What constraints, and laws outside the band, ask of a step, compiled for arms that have some.

    task : PUSH, forces in the residual and (if `renew`) in the tangent; FACTOR, `factor_border`: 0 if the equations are not
        independent; CLOSE, `close_gaps`: the largest shift; VELOCITIES and START after a jump; FORCES at a step point, with the
        torques of the joints; DERIVATIVES, `derive`
    """
    if task == PUSH:
        add_constraint_forces(part, now, work.residual, work.unread)
        if renew:
            constraint_curvature(part, now, work.band)
    elif task == FACTOR:
        return 1.0 if factor_border(part, now, work, speed) else 0.0
    elif task == CLOSE:
        return close_gaps(part, now, work, speed, work.residual)
    elif task == VELOCITIES:
        constrain_velocities(part, now, work)
    elif task == START:
        start_constraints(part, now, work, work.residual)
    elif task == FORCES:
        add_constraint_forces(part, now, now.fc, now.tc)
    else:
        derive(part, now, work, speed)
    return 0.0
