"""A step of the generalised-alpha scheme, and the corrections of its iterations.

Equations: A27.

s.a is the physical acceleration, s.A that of the scheme; the trapezoidal rule is the case alpha_m = alpha_f = 0.
"""

from __future__ import annotations

from flexarm.methods.ancf import layout as at
from flexarm.methods.ancf.prescribed import condense, expand
from flexarm.methods.ancf.solving import add_joints, imbalance, make_tangent, solve_cached
from flexarm.numerics.alexander import SHARE
from flexarm.numerics.copies import copy
from flexarm.numerics.jit import njit_inline, njit_part

SLOW, FAIR = 0.25, 0.02
"""A cached tangent is renewed at once when a correction is not below the first share of the one before, and in the next step
when that of the last one is not below the second: what a step leaves is about this share of its last correction."""


@njit_inline
def slopes(m, h):
    """Changes of velocity, of the scheme's acceleration and of the physical one per change of position at a step's end."""
    bend = 1.0 / (m.beta * h * h)
    return m.gamma / (m.beta * h), bend, (1.0 - m.alpha_m) / (1.0 - m.alpha_f) * bend


@njit_part
def predict(m, s, h):
    """Start of the step with the old acceleration."""
    beta, gamma, am = m.beta, m.gamma, m.alpha_m
    q, v, a, A, stretch = s.q, s.v, s.a, s.A, s.stretch
    for k in range(q.shape[0]):
        scheme = (a[k] - am * A[k]) / (1.0 - am)
        q[k] += h * v[k] + h * h * ((0.5 - beta) * A[k] + beta * scheme)
        v[k] += h * ((1.0 - gamma) * A[k] + gamma * scheme)
        A[k] = scheme
    for i in range(m.links):
        if m.prescribed[i]:
            f, df, B = stretch[0, i], stretch[1, i], stretch[3, i]
            scheme = (stretch[2, i] - am * B) / (1.0 - am)
            stretch[0, i] = f + h * df + h * h * ((0.5 - beta) * B + beta * scheme)
            stretch[1, i] = df + h * ((1.0 - gamma) * B + gamma * scheme)
            stretch[3, i] = scheme


@njit_part
def update(m, s, step, speed, bend, push):
    """Move positions by `step`, and with them velocities and accelerations; returns the largest correction."""
    q, v, a, A, stretch, largest = s.q, s.v, s.a, s.A, s.stretch, 0.0
    for k in range(q.shape[0]):
        d = step[k]
        q[k] += d
        v[k] += speed * d
        A[k] += bend * d
        a[k] += push * d
        largest = max(largest, abs(d))
    for i in range(m.links):
        if m.prescribed[i]:
            d = step[m.first[i]]
            stretch[0, i] += d
            stretch[1, i] += speed * d
            stretch[2, i] += push * d
            stretch[3, i] += bend * d
    return largest


@njit_part
def broyden(pairs, step, count):
    """Correct a step made with the first tangent by Broyden's rank-one updates from the `count` steps before it."""
    for j in range(count):
        square, along = 0.0, 0.0
        for k in range(step.shape[0]):
            square += pairs[j, k] * pairs[j, k]
            along += pairs[j, k] * step[k]
        if j + 1 < count:
            for k in range(step.shape[0]):
                step[k] += pairs[j + 1, k] * along / square
        elif square > 0.0:
            for k in range(step.shape[0]):
                step[k] /= 1.0 - along / square
    copy(step, pairs[count])
    return min(count + 1, pairs.shape[0] - 1)


@njit_inline
def alpha_step(m, s, w, row, h):
    """One step of length h to `row`; returns the number of iterations, or -1 if it did not converge."""
    speed, bend, push = slopes(m, h)
    copy(s.q, w.old_q)
    predict(m, s, h)
    return correct(m, s, w, row, h, h, speed, bend, push)


@njit_part
def begin_stage(m, s, w, h, last):
    """Predict a stage of an L-stable step of length h without acceleration: the first one, or the last from what it found."""
    g, q, v, a, stretch, old = SHARE * h, s.q, s.v, s.a, s.stretch, w.old_stretch
    for k in range(q.shape[0]):
        if last:
            v[k], q[k] = w.old_v[k] + (h - g) * a[k], w.old_q[k] + (h - g) * v[k]
        else:
            w.old_q[k], w.old_v[k] = q[k], v[k]
        q[k] += g * v[k]
        a[k], s.A[k] = 0.0, 0.0
    for i in range(m.links):
        if last:
            rate = old[1, i] + (h - g) * stretch[2, i]
            stretch[0, i], stretch[1, i] = old[0, i] + (h - g) * stretch[1, i], rate
        else:
            old[0, i], old[1, i] = stretch[0, i], stretch[1, i]
        stretch[0, i] += g * stretch[1, i]
        stretch[2, i], stretch[3, i] = 0.0, 0.0


@njit_inline
def starting_step(m, s, w, row, h):
    """The same by the L-stable method of `flexarm.numerics.alexander`, with the drives at its first stage in w.rows[2]."""
    g, total = SHARE * h, 0
    for stage in range(2):
        begin_stage(m, s, w, h, stage == 1)
        last = w.rows[2] if stage == 0 else row
        count = correct(m, s, w, last, g if stage == 0 else h, -h, 1.0 / g, 1.0 / (g * g), 1.0 / (g * g))
        if count < 0:
            return -1
        total += count
    return total


@njit_part
def correct(m, s, w, row, since, made, speed, bend, push):
    """Correct a predicted end of a step or stage to balance at `row`; returns the number of iterations, or -1 if they fail.

    since : time since the states of the laws; made : mark of the tangent that serves, the step, less than 0 if it is an L-stable
    one; speed, bend, push : see `slopes`
    """
    residual = w.residual
    renew, previous, pairs, count = s.sums[at.TANGENT_STEP] != made, 0.0, 0, -1
    sure = renew or made > 0.0  # stages are predicted without acceleration: an older tangent needs a second pass
    for iteration in range(m.iterations):
        expand(m, s, row)
        imbalance(m, s, w, row, since, residual)
        if renew or m.solver == at.NEWTON:
            copy(residual, w.raw)
            s.sums[at.TANGENT_STEP] = 0.0
            if not make_tangent(m, s, w, s.q, s.v, s.a, row, since, speed, push, 1.0):
                break
            s.sums[at.TANGENT_STEP] = made
            s.sums[at.TANGENTS] += 1.0
            pairs = 0
        elif m.chords > 0:
            add_joints(m, s, w, row, since, speed, w.band)  # for the slopes of the chord laws
        condense(m, row, s.stretch[0], s.q, residual)
        solve_cached(m, s, w, speed, residual)
        for k in range(residual.shape[0]):
            residual[k] = -residual[k]
        if m.solver == at.BROYDEN:
            pairs = broyden(w.pairs, residual, pairs)
        largest = update(m, s, residual, speed, bend, push)
        if not largest < 1e3 * m.reach:
            break
        if largest <= m.tolerance * m.reach and (sure or iteration > 0):
            count = iteration + 1
            if iteration > 0 and largest > FAIR * previous:
                s.sums[at.TANGENT_STEP] = 0.0
            break
        renew = iteration > 0 and largest > SLOW * previous
        previous = largest
    if count < 0 or count > 6:
        s.sums[at.TANGENT_STEP] = 0.0
    return count
