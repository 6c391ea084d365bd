"""One time step by Newton's method.

Generalised-alpha with the physical acceleration a and that of the scheme A:

    (1 - am) A+ + am A = (1 - af) a+ + af a,   q+ = q + h v + h^2 [(1/2 - beta) A + beta A+],
    v+ = v + h [(1 - gamma) A + gamma A+],     balance of forces at the end of the step.

Joint laws are part of the balance, with their slopes in the tangent. Ties act with forces such that the rates of their
gaps vanish at the end of the step; the gaps themselves are closed by a shift of the positions (so neither drifts).
"""

from __future__ import annotations

from flexarm.methods.fem.assemble import COPY, RESIDUAL, equations, fold
from flexarm.methods.fem.booking import book_stage
from flexarm.methods.fem.element import QUASI_STATIC
from flexarm.methods.fem.friction import find_answers, meet, push_friction, start_friction
from flexarm.methods.fem.joints import motors, set_frame
from flexarm.methods.fem.layout import (
    I_BY_ENERGY,
    I_ITERATIONS,
    I_RUBS,
    I_THEORY,
    P_AF,
    P_AM,
    P_BETA,
    P_GAMMA,
    P_LENGTH,
    P_TOLERANCE,
    S_FREE,
    S_OLD_C,
    S_OLD_D,
    S_STAGE,
)
from flexarm.methods.fem.quasi_static import rest_in_motion
from flexarm.methods.fem.rigid import place_far_nodes
from flexarm.methods.fem.softstep import SHARE, begin_stage, end_stage
from flexarm.methods.fem.tying import close_ties, factor_border, push_ties, tie_curvature
from flexarm.numerics.bandlu import factor, solve
from flexarm.numerics.jit import YES, njit_inline, njit_inside

CLOSER = 100.0
"""Gaps are closed so much closer than the tolerance asks: the shift that closes them is not balanced by forces any more."""
SLOW = 0.02
"""A tangent is renewed when a correction is not below this share of the one before."""


@njit_inside
def predict(part, now, h):
    """Positions and velocities at the end of the step with the acceleration of its start."""
    beta, gamma, am, q, v, a, A = part.par[P_BETA], part.par[P_GAMMA], part.par[P_AM], now.q, now.v, now.a, now.A
    for k in range(q.shape[0]):
        scheme = (a[k] - am * A[k]) / (1.0 - am)
        q[k] += h * v[k] + h * h * ((0.5 - beta) * A[k] + beta * scheme)
        v[k] += h * ((1.0 - gamma) * A[k] + gamma * scheme)
        A[k] = scheme


@njit_inside
def correct(now, residual, copy, speed, bend, push):
    """Take the solved residual off the unknowns; returns the largest correction and the work of all."""
    q, v, a, A = now.q, now.v, now.a, now.A
    largest, energy = 0.0, 0.0
    for k in range(q.shape[0]):
        step = -residual[k]
        energy += abs(step * copy[k])
        q[k] += step
        v[k] += speed * step
        A[k] += bend * step
        a[k] += push * step
        largest = max(largest, abs(step))
    return largest, energy


@njit_inside
def remember(now, work, small):
    """Keep positions, forces and torques of the start of the step for the sums of energy."""
    for i in range(now.tc.shape[0]):
        small[S_OLD_C, i], small[S_OLD_D, i] = now.tc[i], now.td[i]
    for k in range(now.q.shape[0]):
        work[0, k], work[1, k], work[2, k] = now.q[k], now.fc[k], now.fd[k]


@njit_inline
def newton(part, now, scratch, z, h, soft):
    """One step of length h to the drive row rows[0], soft or not; returns the number of iterations, -1 if it failed."""
    par, residual, copy, work = part.par, scratch.work[RESIDUAL], scratch.work[COPY], scratch.work
    speed, bend = par[P_GAMMA] / (par[P_BETA] * h), 1.0 / (par[P_BETA] * h * h)
    push = (1.0 - par[P_AM]) / (1.0 - par[P_AF]) * bend
    remember(now, work, scratch.small)
    scratch.small[S_STAGE, 1] = 1.0 if soft else 0.0
    if part.ip[I_THEORY] == QUASI_STATIC:
        set_frame(part, scratch.rows[0], now.frame)
        return rest_in_motion(part, now, scratch)
    rigid, rubbing = part.slaves.shape[0] + part.copies.shape[0] > 0, part.ip[I_RUBS] > 0
    bordered, count, largest = scratch.pivots.shape[0] > 0, 0, 0.0
    if rubbing:
        start_friction(part, z, scratch)
    for stage in range(2 if soft else 1):
        span, row = h, scratch.rows[0]
        if soft:
            speed = 1.0 / (SHARE * h)
            push = bend = speed * speed
            if stage == 0:
                span, row = SHARE * h, scratch.rows[1]
            begin_stage(now, work, h, stage)
        else:
            predict(part, now, h)
        set_frame(part, row, now.frame)
        if rigid:
            place_far_nodes(part, now)
        first_energy, previous, renew, done = 0.0, 0.0, YES[0], False
        for iteration in range(part.ip[I_ITERATIONS]):
            equations(part, now, scratch, speed, push, renew)
            motors(part, now, z, row, span, speed, renew, scratch)
            if rubbing:
                push_friction(part, scratch, residual)
            if bordered:
                push_ties(part, now, residual, scratch.small[S_FREE])
                if renew:
                    tie_curvature(part, now, scratch.band)
            if rigid:
                fold(part, now, scratch, speed, renew)
            if renew:
                if factor(scratch.band) >= 0:
                    return -1
                if bordered and not factor_border(part, now, scratch, speed):
                    return -1
                if rubbing:
                    find_answers(part, now, scratch)
            for k in range(residual.shape[0]):
                copy[k] = residual[k]
            solve(scratch.band, residual)
            shift = close_ties(part, now, scratch, speed, residual) if bordered else 0.0
            if rubbing:
                meet(part, now, scratch, row, speed, residual)
            largest, energy = correct(now, residual, copy, speed, bend, push)
            largest = max(largest, CLOSER * shift)
            if rigid:
                place_far_nodes(part, now)
            if not largest < 1e3 * par[P_LENGTH]:
                return -1
            renew = iteration > 0 and largest > SLOW * previous  # the old tangent serves as long as it converges well
            previous, count = largest, count + 1
            if iteration == 0:
                first_energy = energy
            if part.ip[I_BY_ENERGY]:
                done = energy <= par[P_TOLERANCE] * first_energy and (iteration > 0 or energy == 0.0)
            else:
                done = largest <= par[P_TOLERANCE] * par[P_LENGTH]
            if done:
                break
        if not done:
            return -1
        if soft and stage == 0:
            end_stage(now, work)
            book_stage(part, now, scratch, row)
    if soft:
        for k in range(now.q.shape[0]):
            now.A[k] = now.a[k]
    return count
