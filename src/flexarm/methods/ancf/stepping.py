"""One time step, and many of them.

Generalised-alpha with the physical acceleration a and that of the scheme A (the trapezoidal rule is its case am = af = 0):

    (1 - am) A+ + am A = (1 - af) a+ + af a,   q+ = q + h v + h^2 [(1/2 - beta) A + beta A+],
    v+ = v + h [(1 - gamma) A + gamma A+],     balance of forces at the end of the step.

A step that does not converge, or whose local error is too large, is taken in parts. What the scheme gains or loses is
measured by itself: change of energy minus the work of all forces along the step.
"""

from __future__ import annotations

from flexarm.methods.ancf.bodies import body_energy
from flexarm.methods.ancf.conserving import FAIR, SLOW, conserving_step
from flexarm.methods.ancf.layout import (
    BROYDEN,
    E_LAST,
    HALVED,
    I_CHORDS,
    I_CONSERVING,
    I_ITERATIONS,
    I_LINKS,
    I_SOLVER,
    ITERATIONS,
    J_B,
    J_MOVED,
    MADE,
    NEWTON,
    NUMERICAL,
    P_AM,
    P_BETA,
    P_CONTROL,
    P_ENERGY,
    P_GAMMA,
    P_LENGTH,
    P_STEP,
    P_TOLERANCE,
    S_WORK,
    SCALE,
    STEPS,
    STRUCK,
    TANGENTS,
    V_BEFORE,
    V_CHORD,
    V_OLD,
    V_PAIRS,
    V_RAW,
    V_RESIDUAL,
    WORK,
)
from flexarm.methods.ancf.moved import condense, expand
from flexarm.methods.ancf.restart import accelerate, borrowed, borrowed_work, slopes
from flexarm.methods.ancf.settle import moving_energy, settle
from flexarm.methods.ancf.solving import add_chords, add_joints, imbalance, make_tangent, solve, view
from flexarm.numerics.copies import copy, copy_rows
from flexarm.numerics.jit import YES, borrow, njit, njit_inline, njit_part
from flexarm.numerics.rows import inside_row

MOST_PARTS, MOST_CONSERVING = 64, 32768
"""Parts of a step; the conserving scheme, made for whips, may go further."""
FINEST = 16
"""Parts beyond which a step is no longer divided for its local error."""
SETTLING = 100.0
"""Steps before the energy is judged: at first there is hardly any to compare with."""
DONE, NOT_CONVERGED, ENERGY_ERROR = range(3)


@njit_part
def predict(joint, q, v, a, A, slide, h, beta, gamma, am):
    """Start of the step with the old acceleration."""
    for k in range(q.shape[0]):
        scheme = (a[k] - am * A[k]) / (1.0 - am)
        q[k] += h * v[k] + h * h * ((0.5 - beta) * A[k] + beta * scheme)
        v[k] += h * ((1.0 - gamma) * A[k] + gamma * scheme)
        A[k] = scheme
    for i in range(joint.shape[0]):
        if joint[i, J_MOVED]:
            f, df, B = slide[0, i], slide[1, i], slide[3, i]
            scheme = (slide[2, i] - am * B) / (1.0 - am)
            slide[0, i] = f + h * df + h * h * ((0.5 - beta) * B + beta * scheme)
            slide[1, i] = df + h * ((1.0 - gamma) * B + gamma * scheme)
            slide[3, i] = scheme


@njit_part
def update(joint, q, v, a, A, slide, step, speed, bend, push):
    """Move positions by `step`, and with them velocities and accelerations; returns the largest correction."""
    largest = 0.0
    for k in range(q.shape[0]):
        d = step[k]
        q[k] += d
        v[k] += speed * d
        A[k] += bend * d
        a[k] += push * d
        largest = max(largest, abs(d))
    for i in range(joint.shape[0]):
        if joint[i, J_MOVED]:
            d = step[joint[i, J_B]]
            slide[0, i] += d
            slide[1, i] += speed * d
            slide[2, i] += push * d
            slide[3, i] += bend * d
    return largest


@njit_part
def broyden(vec, step, count):
    """Correct a step made with the first tangent by Broyden's rank-one updates from the steps before it."""
    for j in range(V_PAIRS, V_PAIRS + count):
        square, along = 0.0, 0.0
        for k in range(step.shape[0]):
            square += vec[j, k] * vec[j, k]
            along += vec[j, k] * step[k]
        if j + 1 < V_PAIRS + count:
            for k in range(step.shape[0]):
                step[k] += vec[j + 1, k] * along / square
        elif square > 0.0:
            for k in range(step.shape[0]):
                step[k] /= 1.0 - along / square
    if V_PAIRS + count < V_CHORD:
        for k in range(step.shape[0]):
            vec[V_PAIRS + count, k] = step[k]


@njit_inline
def alpha_step(m, s, row, z, h, w):
    """One step of length h to `row`; returns the number of iterations, or -1 if it did not converge."""
    beta, gamma, am = m.par[P_BETA], m.par[P_GAMMA], m.par[P_AM]
    speed, bend, push = slopes(m.par, h)
    residual, raw, old, solver = w.vec[V_RESIDUAL], w.vec[V_RAW], w.vec[V_OLD], m.ip[I_SOLVER]
    for k in range(residual.shape[0]):
        old[k] = s.q[k]
    predict(m.joint, s.q, s.v, s.a, s.A, s.slide, h, beta, gamma, am)
    renew, previous, pairs, count, limit = s.sums[MADE] != h, 0.0, 0, -1, m.par[P_TOLERANCE] * m.par[P_LENGTH]
    for iteration in range(m.ip[I_ITERATIONS]):
        expand(m.joint, m.jfig, row, s.slide, s.q, s.v, s.a)
        imbalance(m, s, row, z, h, w, residual)
        if renew or solver == NEWTON:
            for k in range(residual.shape[0]):
                raw[k] = residual[k]
            s.sums[MADE] = 0.0
            if not make_tangent(m, s, s.q, s.v, s.a, row, z, h, speed, push, 1.0, w, raw):
                break
            s.sums[MADE] = h
            s.sums[TANGENTS] += 1.0
            pairs = 0
        elif m.ip[I_CHORDS] > 0:
            add_joints(m, s, row, z, h, speed, w, w.band)  # for the slopes of the chord laws
        condense(m.joint, m.jfig, m.ip, row, s.slide, s.q, residual)
        solve(s.band, residual)
        if m.ip[I_CHORDS] > 0:
            add_chords(m, s, speed, w, residual)
        for k in range(residual.shape[0]):
            residual[k] = -residual[k]
        if solver == BROYDEN:
            broyden(w.vec, residual, pairs)
            pairs = min(pairs + 1, V_CHORD - V_PAIRS - 1)
        largest = update(m.joint, s.q, s.v, s.a, s.A, s.slide, residual, speed, bend, push)
        if not largest < 1e3 * m.par[P_LENGTH]:
            break
        if largest <= limit:
            count = iteration + 1
            if iteration > 0 and largest > FAIR * previous:
                s.sums[MADE] = 0.0
            break
        renew = iteration > 0 and largest > SLOW * previous
        previous = largest
    if count < 0 or count > 6:
        s.sums[MADE] = 0.0
    return count


@njit_part
def local_error(elem, a, old, reach, h):
    """Estimate of the position error of a step, as a share of the reach: how much the acceleration changed."""
    largest = 0.0
    for n in range(elem.shape[0]):
        p = elem[n, E_LAST]
        largest = max(largest, abs(a[p] - old[p]), abs(a[p + 1] - old[p + 1]))
    return h * h * largest / (12.0 * reach)


@njit_part
def note_start(head, z, keep):
    """State and laws at the start of a step."""
    n = head.shape[0]
    for k in range(n):
        keep[k] = head[k]
    for i in range(z.shape[0]):
        for k in range(z.shape[1]):
            keep[n + i * z.shape[1] + k] = z[i, k]


@njit_part
def go_back(keep, head, z):
    """State and laws as they were at the start of the step."""
    n = head.shape[0]
    for k in range(n):
        head[k] = keep[k]
    for i in range(z.shape[0]):
        for k in range(z.shape[1]):
            z[i, k] = keep[n + i * z.shape[1] + k]


@njit_part
def judged(sums, par):
    """Whether the scheme has made or lost more energy than is allowed."""
    made = sums[NUMERICAL] if sums[STRUCK] > 0.0 else abs(sums[NUMERICAL])  # impacts ring beyond any step
    return par[P_ENERGY] > 0.0 and made > par[P_ENERGY] * sums[SCALE] and sums[STEPS] > SETTLING


@njit
def march(m, w, x, z, table, records, every, phase, h):
    """Step through `table`; returns steps done, records written and how it ended.

    With h = 0 accelerations, torques and energy are made anew from the right-hand limits in the first row instead.
    """
    m, w, x, z = borrowed(m), borrowed_work(w), borrow(x), borrow(z)
    table, records = borrow(table), borrow(records)
    s = view(x, m.weight.shape[0], m.ip[I_LINKS], m.ip[I_CHORDS])
    steps, written, n, fresh = table.shape[0] - 1, 0, 0, h == 0.0
    struck = 0.0  # kinetic energy before a jump of commanded rates: the jump does the work of its change
    if fresh:
        steps, s.sums[MADE] = 1, 0.0
        struck = moving_energy(m.mass, s.v, w.vec[V_RAW]) + body_energy(m.body, s.q, s.v, s.frame, table[0], YES[0])
    head = x[: x.shape[0] - s.band.size - s.columns.size]  # the kept tangent is made anew after a failure
    most = MOST_CONSERVING if m.ip[I_CONSERVING] else MOST_PARTS
    first, last, before = w.rows[0], w.rows[1], w.vec[V_BEFORE]
    while n < steps:
        note_start(head, z, w.keep)
        copy_rows(table[n], first)
        parts, part = 1, 0
        while part < parts and parts <= most:
            copy_rows(table[n if fresh else n + 1], last)
            if part + 1 < parts:
                inside_row(table[n], table[n + 1], h, (part + 1.0) / parts, last)
            copy(s.a, before)
            count = 1
            if m.ip[I_CONSERVING] and not fresh:
                count = conserving_step(m, s, last, z, h / parts, w)
            elif not fresh:
                count = alpha_step(m, s, last, z, h / parts, w)
            if count > 0 and (m.ip[I_CONSERVING] or fresh):
                accelerate(m, s, last, z, 0.0, w)
            good = count > 0
            if good:
                s.sums[ITERATIONS] += 0 if fresh else count
                expand(m.joint, m.jfig, last, s.slide, s.q, s.v, s.a)
                good = settle(m, s, last, z, h / parts, w)
            if fresh:
                s.sums[WORK] += w.small[S_WORK, 2] - struck
                accelerate(m, s, last, z, m.par[P_STEP], w)  # forces were booked with all of it
                return 0, 0, DONE
            if good and m.par[P_CONTROL] > 0.0 and parts < FINEST:
                good = local_error(m.elem, s.a, before, m.par[P_LENGTH], h / parts) <= m.par[P_CONTROL]
            part += 1
            copy_rows(last, first)
            if not good:
                halved = s.sums[HALVED] + 1.0
                go_back(w.keep, head, z)
                copy_rows(table[n], first)
                s.sums[HALVED], s.sums[MADE], part, parts = halved, 0.0, 0, 2 * parts
        if parts > most:
            return n, written, NOT_CONVERGED
        s.sums[STEPS] += 1.0
        if judged(s.sums, m.par):
            go_back(w.keep, head, z)
            s.sums[MADE] = 0.0
            return n, written, ENERGY_ERROR
        n += 1
        if every > 0 and (phase + n) % every == 0:
            copy(x[: records.shape[1]], records[written])
            written += 1
    return n, written, DONE
