"""One time step by Newton's method.

Generalised-alpha with the physical acceleration a and that of the scheme A:

    (1 - am) A+ + am A = (1 - af) a+ + af a,   q+ = q + h v + h^2 [(1/2 - beta) A + beta A+],
    v+ = v + h [(1 - gamma) A + gamma A+],     balance of forces at the end of the step.

Joint laws are part of the balance, with their slopes in the tangent. Constraints act with forces such that the rates of their
gaps vanish at the end of the step; the gaps themselves are closed by a shift of the positions (so neither drifts).

Equations: E8, E9.
"""

from __future__ import annotations

from flexarm.methods.fem import bordered, condensation, friction
from flexarm.methods.fem import layout as at
from flexarm.methods.fem.assemble import equations
from flexarm.methods.fem.bordered import constrain
from flexarm.methods.fem.condensation import follow, has_followers
from flexarm.methods.fem.friction import rub
from flexarm.methods.fem.joints import motors, set_frame
from flexarm.methods.fem.loads import start_loads, take_loads
from flexarm.methods.fem.quasi_static import quasi_static_deformation
from flexarm.methods.fem.starting_steps import begin_stage, end_stage
from flexarm.methods.fem.step_end import end_first_stage
from flexarm.numerics.alexander import SHARE
from flexarm.numerics.bandlu import factor, solve
from flexarm.numerics.copies import copy
from flexarm.numerics.jit import YES, njit_inline, njit_inside

CLOSER = 100.0
"""Gaps are closed so much closer than the tolerance asks: the shift that closes them is not balanced by forces any more."""
SLOW = 0.02
"""A tangent is renewed when a correction is not below this share of the one before."""


@njit_inside
def predict(part, now, h):
    """Positions and velocities at the end of the step with the acceleration of its start."""
    beta, gamma, am, q, v, a, A = part.beta, part.gamma, part.alpha_m, now.q, now.v, now.a, now.A
    for k in range(q.shape[0]):
        scheme = (a[k] - am * A[k]) / (1.0 - am)
        q[k] += h * v[k] + h * h * ((0.5 - beta) * A[k] + beta * scheme)
        v[k] += h * ((1.0 - gamma) * A[k] + gamma * scheme)
        A[k] = scheme


@njit_inside
def correct(now, work, speed, bend, push):
    """Take the solved residual off the unknowns; returns the largest correction and the work of all."""
    q, v, a, A, largest, energy = now.q, now.v, now.a, now.A, 0.0, 0.0
    for k in range(q.shape[0]):
        step = -work.residual[k]
        energy += abs(step * work.copy[k])
        q[k] += step
        v[k] += speed * step
        A[k] += bend * step
        a[k] += push * step
        largest = max(largest, abs(step))
    return largest, energy


@njit_inside
def store_start(now, work):
    """Keep positions, forces and torques of the start of the step for the energy balance."""
    copy(now.tc, work.start_tc)
    copy(now.td, work.start_td)
    copy(now.q, work.start_q)
    copy(now.fc, work.start_fc)
    copy(now.fd, work.start_fd)


@njit_inline
def newton(part, now, work, z, h):
    """One step of length h to the drive row rows[0]; returns the number of iterations, -1 if it failed."""
    speed, bend = part.gamma / (part.beta * h), 1.0 / (part.beta * h * h)
    push = (1.0 - part.alpha_m) / (1.0 - part.alpha_f) * bend
    store_start(now, work)
    if part.loads:
        start_loads((part, now, work))
        take_loads(part, now, work.rows[0])
    if part.theory == at.QUASI_STATIC:
        set_frame(part, work.rows[0], now.frame)
        return quasi_static_deformation((part, now, work))
    follows, constrained = has_followers(part), work.pivots.shape[0] > 0
    starting, count, largest = now.sums[at.STARTING] > 0.0, 0, 0.0
    if part.friction:
        rub((part, now, work, z, work.rows[0], friction.BEGIN, speed))
    for stage in range(2 if starting else 1):
        span, row = h, work.rows[0]
        if starting:
            speed = 1.0 / (SHARE * h)
            push = bend = speed * speed
            if stage == 0:
                span, row = SHARE * h, work.rows[1]
            begin_stage(now, work, h, stage)
        else:
            predict(part, now, h)
        set_frame(part, row, now.frame)
        if part.loads:
            take_loads(part, now, row)
        if follows:
            follow((part, now, work, condensation.PLACE, speed, YES[0]))
        first_energy, previous, renew, done = 0.0, 0.0, YES[0], False
        for iteration in range(part.iterations):
            equations(part, now, work, speed, push, renew)
            motors(part, now, work, z, row, span, speed, renew)
            if part.friction:
                rub((part, now, work, z, row, friction.PUSH, speed))
            if constrained:
                constrain((part, now, work, bordered.PUSH, speed, renew))
            if follows:
                follow((part, now, work, condensation.EQUATIONS, speed, renew))
            if renew:
                if factor(work.band) >= 0:
                    return -1
                if constrained and constrain((part, now, work, bordered.FACTOR, speed, renew)) == 0.0:
                    return -1
                if part.friction:
                    rub((part, now, work, z, row, friction.ANSWERS, speed))
            copy(work.residual, work.copy)
            solve(work.band, work.residual)
            shift = constrain((part, now, work, bordered.CLOSE, speed, renew)) if constrained else 0.0
            if part.friction:
                rub((part, now, work, z, row, friction.MATCH, speed))
            largest, energy = correct(now, work, speed, bend, push)
            largest = max(largest, CLOSER * shift)
            if follows:
                follow((part, now, work, condensation.PLACE, speed, renew))
            if not largest < 1e3 * part.reach:
                return -1
            renew = iteration > 0 and largest > SLOW * previous  # the old tangent serves as long as it converges well
            previous, count = largest, count + 1
            if iteration == 0:
                first_energy = energy
            if part.by_energy:
                done = energy <= part.tolerance * first_energy and (iteration > 0 or energy == 0.0)
            else:
                done = largest <= part.tolerance * part.reach
            if done:
                break
        if not done:
            return -1
        if starting and stage == 0:
            end_stage(now, work)
            end_first_stage(part, now, work, row)
    if starting:
        copy(now.a, now.A)
    return count
