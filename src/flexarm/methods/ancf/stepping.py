"""One time step, and many of them.

Generalised-alpha with the physical acceleration a and that of the scheme A (the trapezoidal rule is its case am = af = 0):

    (1 - am) A+ + am A = (1 - af) a+ + af a,   q+ = q + h v + h^2 [(1/2 - beta) A + beta A+],
    v+ = v + h [(1 - gamma) A + gamma A+],     balance of forces at the end of the step.

A step that does not converge, or whose local error is too large, is taken in parts. What the scheme gains or loses is
measured by itself: change of energy minus the work of all forces along the step.
"""

from __future__ import annotations

from flexarm.methods.ancf.conserving import conserving_step
from flexarm.methods.ancf.layout import (
    BROYDEN,
    HALVED,
    I_CHORDS,
    I_CONSERVING,
    I_ITERATIONS,
    I_SOLVER,
    ITERATIONS,
    J_B,
    J_MOVED,
    NEWTON,
    NUMERICAL,
    P_AF,
    P_AM,
    P_BETA,
    P_CONTROL,
    P_ENERGY,
    P_GAMMA,
    P_LENGTH,
    P_TOLERANCE,
    SCALE,
    STEPS,
    STRUCK,
    TANGENTS,
)
from flexarm.methods.ancf.moved import condense, expand
from flexarm.methods.ancf.restart import accelerate, borrowed, borrowed_work
from flexarm.methods.ancf.settle import settle
from flexarm.methods.ancf.solving import add_chords, add_joints, imbalance, make_tangent, solve, view
from flexarm.numerics.jit import borrow, njit, njit_part
from flexarm.numerics.rows import inside_row

MOST_PARTS, MOST_CONSERVING = 64, 4096
"""Parts of a step; the conserving scheme, made for whips, may go further."""
SLOW = 0.25
"""A kept tangent is renewed when a correction is not below this share of the one before."""
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
def broyden(w, step, count):
    """Correct a step made with the first tangent by Broyden's rank-one updates from the steps before it."""
    for j in range(count - 1):
        square, along = 0.0, 0.0
        for k in range(step.shape[0]):
            square += w.pairs[j, k] * w.pairs[j, k]
            along += w.pairs[j, k] * step[k]
        for k in range(step.shape[0]):
            step[k] += w.pairs[j + 1, k] * along / square
    if count > 0:
        square, along = 0.0, 0.0
        for k in range(step.shape[0]):
            square += w.pairs[count - 1, k] * w.pairs[count - 1, k]
            along += w.pairs[count - 1, k] * step[k]
        if square > 0.0:
            for k in range(step.shape[0]):
                step[k] /= 1.0 - along / square
    if count < w.pairs.shape[0]:
        w.pairs[count, :] = step


@njit_part
def alpha_step(m, s, row, z, h, w):
    """One step of length h to `row`; returns the number of iterations, or -1 if it did not converge."""
    beta, gamma, am, af = m.par[P_BETA], m.par[P_GAMMA], m.par[P_AM], m.par[P_AF]
    speed, bend = gamma / (beta * h), 1.0 / (beta * h * h)
    push = (1.0 - am) / (1.0 - af) * bend
    residual, raw, solver = w.vec[3], w.vec[4], m.ip[I_SOLVER]
    w.vec[0, :], w.vec[1, :], w.vec[2, :] = s.q, s.fc, s.fd
    predict(m.joint, s.q, s.v, s.a, s.A, s.slide, h, beta, gamma, am)
    renew, previous, pairs = s.made[0] != h, 0.0, 0
    for iteration in range(m.ip[I_ITERATIONS]):
        expand(m.joint, m.jfig, row, s.slide, s.q, s.v, s.a)
        imbalance(m, s, row, z, h, w, residual)
        if renew or solver == NEWTON:
            raw[:] = residual
            s.made[0] = 0.0
            if not make_tangent(m, s, s.q, s.v, row, z, h, speed, push, 1.0, w, raw):
                return -1
            s.made[0] = h
            s.sums[TANGENTS] += 1.0
            pairs = 0
        elif m.ip[I_CHORDS] > 0:
            add_joints(m, s, row, z, h, speed, w, w.band)  # for the slopes of the chord laws
        condense(m.joint, m.jfig, m.fixed, row, s.slide, s.q, residual)
        solve(s.band, residual)
        if m.ip[I_CHORDS] > 0:
            add_chords(m, s, speed, w, residual)
        for k in range(residual.shape[0]):
            residual[k] = -residual[k]
        if solver == BROYDEN:
            broyden(w, residual, pairs)
            pairs = min(pairs + 1, w.pairs.shape[0] - 1)
        largest = update(m.joint, s.q, s.v, s.a, s.A, s.slide, residual, speed, bend, push)
        if not largest < 1e3 * m.par[P_LENGTH]:
            s.made[0] = 0.0
            return -1
        if largest <= m.par[P_TOLERANCE] * m.par[P_LENGTH]:
            if iteration > 5:
                s.made[0] = 0.0
            return iteration + 1
        renew = iteration > 0 and largest > SLOW * previous
        previous = largest
    s.made[0] = 0.0
    return -1


@njit_part
def local_error(con, a, old, reach, h):
    """Estimate of the position error of a step, as a share of the reach: how much the acceleration changed."""
    largest = 0.0
    for n in range(con.shape[0]):
        p = con[n, 2]
        largest = max(largest, abs(a[p] - old[p]), abs(a[p + 1] - old[p + 1]))
    return h * h * largest / (12.0 * reach)


@njit_part
def one_step(m, s, row, z, h, w):
    """A step by the chosen scheme, settled; False if it failed."""
    w.vec[6, :] = s.a
    if m.ip[I_CONSERVING]:
        count = conserving_step(m, s, row, z, h, w)
        if count > 0:
            accelerate(m, s, row, z, w)
    else:
        count = alpha_step(m, s, row, z, h, w)
    if count <= 0:
        return False
    s.sums[ITERATIONS] += count
    expand(m.joint, m.jfig, row, s.slide, s.q, s.v, s.a)
    return settle(m, s, row, z, h, w, False)


@njit_part
def copy_head(source, target, count):
    """The first numbers of a state."""
    for k in range(count):
        target[k] = source[k]


@njit
def march(m, w, x, z, table, records, every, phase, h):
    """Step through `table`; returns steps done, records written and how it ended."""
    m, w, x, z = borrowed(m), borrowed_work(w), borrow(x), borrow(z)
    table, records = borrow(table), borrow(records)
    s = view(m, x)
    width, written = records.shape[1], 0
    head = x.shape[0] - s.band.size - s.columns.size  # the kept tangent is made anew after a failure
    most = MOST_CONSERVING if m.ip[I_CONSERVING] else MOST_PARTS
    for n in range(table.shape[0] - 1):
        copy_head(x, w.keep, head)
        w.keep_z[:] = z
        parts = 1
        w.rows[:] = table[n]
        while parts <= most:
            good = True
            for part in range(parts):
                if part + 1 == parts:
                    w.inner[:] = table[n + 1]
                else:
                    inside_row(table[n], table[n + 1], h, (part + 1.0) / parts, w.inner)
                good = one_step(m, s, w.inner, z, h / parts, w)
                if good and m.par[P_CONTROL] > 0.0 and parts < FINEST:
                    good = local_error(m.con, s.a, w.vec[6], m.par[P_LENGTH], h / parts) <= m.par[P_CONTROL]
                if not good:
                    break
                w.rows[:] = w.inner
            if good:
                break
            w.rows[:] = table[n]
            halved = s.sums[HALVED] + 1.0
            copy_head(w.keep, x, head)
            z[:] = w.keep_z
            s.sums[HALVED], s.made[0] = halved, 0.0
            copy_head(x, w.keep, head)
            parts *= 2
        if parts > most:
            return n, written, NOT_CONVERGED
        s.sums[STEPS] += 1.0
        allowed = m.par[P_ENERGY] * s.sums[SCALE]
        made = s.sums[NUMERICAL] if s.sums[STRUCK] > 0.0 else abs(s.sums[NUMERICAL])  # impacts ring beyond any step
        if made > allowed and m.par[P_ENERGY] > 0.0 and s.sums[STEPS] > SETTLING:
            copy_head(w.keep, x, head)
            z[:] = w.keep_z
            s.made[0] = 0.0
            return n, written, ENERGY_ERROR
        if every > 0 and (phase + n + 1) % every == 0:
            for k in range(width):
                records[written, k] = x[k]
            written += 1
    return table.shape[0] - 1, written, DONE
