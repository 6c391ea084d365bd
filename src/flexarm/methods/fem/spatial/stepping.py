"""The time loop: one point after the other by Newton's method.

Generalised-alpha with the physical acceleration a and that of the scheme A, for displacements and, with the rotation vector
Th of a step, for rotations beside those of the stiff arm (`turning`):

    Th = h w + h^2 [(1/2 - beta) A + beta A+],  s+ = s + h [(1 - gamma) A + gamma A+],
    (1 - am) A+ + am A = (1 - af) a+ + af a,  balance of forces at the end of the step.

A tangent serves as many steps as it is worth (it is part of the state). A step that fails is taken in halves. Steps,
the quasi-static theory, accelerations at a start and a mere look at forces and matrices all pass through the same
place, so that the forces of the arm are compiled once.
"""

from __future__ import annotations

from flexarm.methods.fem.spatial.arrays import borrowed_parts, borrowed_scratch, borrowed_solver, views
from flexarm.methods.fem.spatial.assemble import ALL, MASS, NONE, assemble
from flexarm.methods.fem.spatial.drives import motors, set_joints
from flexarm.methods.fem.spatial.friction import begin_friction, find_answers, hold, meet, push_friction
from flexarm.methods.fem.spatial.layout import (
    EXACT,
    F_KIND,
    HALVED,
    I_BY_ENERGY,
    I_ITERATIONS,
    I_THEORY,
    ITERATIONS,
    KEPT,
    KEPT_COST,
    KEPT_ITERATIONS,
    KEPT_STEP,
    KEPT_STEPS,
    LINEAR,
    NODE,
    P_AF,
    P_AM,
    P_BETA,
    P_GAMMA,
    P_LENGTH,
    P_TOLERANCE,
    QUASI_STATIC,
)
from flexarm.methods.fem.spatial.matrix import factor, solve
from flexarm.methods.fem.spatial.node_lanes import finish_nodes
from flexarm.methods.fem.spatial.scheme import correct, predict
from flexarm.methods.fem.spatial.settling import note_start, settle
from flexarm.methods.fem.spatial.starting import no_accelerations, take_accelerations
from flexarm.methods.fem.spatial.still import go_still, note_moves, place_stiff, stiff_arm
from flexarm.methods.fem.spatial.turning import begin
from flexarm.numerics.jit import borrow, njit, njit_inline, njit_inside
from flexarm.numerics.rotations import renew
from flexarm.numerics.rows import inside_row

STEP, START, LOOK = range(3)
"""What `march` is to do: steps; accelerations and energy at a start; forces and a matrix."""
MOST_PARTS = 64
MOST_STATIC = 30
SURE = 1e-3
"""Share of the tolerance that the next correction, as it is estimated, must stay below."""
SLOW = 0.05
"""A tangent is renewed when a correction is not below this share of the one before."""
RENEWED = 8
"""Rotation matrices are renewed with a tangent, and after so many steps that it has served."""
TANGENT = 2.0
"""What a new tangent costs, in iterations with a kept one."""


@njit_inside
def size_of(residual, weight):
    """Sum of the entries of a residual with their weights."""
    one, two, n = 0.0, 0.0, residual.shape[0]
    for k in range(0, n - 1, 2):
        one += weight[k] * abs(residual[k])
        two += weight[k + 1] * abs(residual[k + 1])
    return one + two + (weight[n - 1] * abs(residual[n - 1]) if n % 2 else 0.0)


@njit_inside
def solved(residual, other, band, by_energy):
    """Turn the residual into the correction; returns its work if the criterion asks for it."""
    energy, n = 0.0, residual.shape[0]
    if by_energy:
        for k in range(n):
            other[k] = residual[k]
    solve(band, residual)
    if by_energy:
        for k in range(n):
            energy += abs(residual[k] * other[k])
    return energy


@njit_inside
def judge_tangent(kept, fresh, h, iterations):
    """Note how a step went with its tangent; one that costs more iterations than a new one would is given up."""
    if fresh:
        kept[KEPT_STEP], kept[KEPT_ITERATIONS], kept[KEPT_STEPS], kept[KEPT_COST] = h, iterations, 1.0, TANGENT
        return
    more = iterations - kept[KEPT_ITERATIONS]
    kept[KEPT_STEPS] += 1.0
    kept[KEPT_COST] += more
    if more * kept[KEPT_STEPS] > kept[KEPT_COST]:  # beyond the mean: the next such step is better done with a new one
        kept[KEPT_STEP] = 0.0


@njit_inline
def set_out(mode, row, h, parts, state, scratch, solver, kept, wanted, speed, push):
    """First guess of the point of `row`; returns which matrix comes first, how many iterations there may be, and factors.

    The factors: change of rate, of scheme acceleration and of acceleration per change of an unknown.
    """
    joint, jfig, par, ip = parts[5], parts[6], parts[10], parts[11]
    bend, limit, tangent = 0.0, 2, wanted
    if mode == START:
        no_accelerations(parts[0], state[7], state[9])
        tangent, speed, push = MASS, 0.0, 1.0
    if mode != LOOK and ip[I_THEORY] == QUASI_STATIC:
        tangent, limit, speed, push = ALL, MOST_STATIC, 0.0, 0.0
    elif mode == STEP:
        tangent, limit = NONE if kept[KEPT_STEP] == h else ALL, ip[I_ITERATIONS]
        speed, bend = par[P_GAMMA] / (par[P_BETA] * h), 1.0 / (par[P_BETA] * h * h)
        push = (1.0 - par[P_AM]) / (1.0 - par[P_AF]) * bend
        if ip[I_THEORY] == EXACT:
            begin(row, parts, state, scratch, solver)
        predict(parts, state, solver, h)
    set_joints(row, joint, jfig, state[4], state[9], scratch[6], scratch[5])
    if ip[I_THEORY] == LINEAR:
        stiff_arm(parts, scratch, scratch[7], state[1], scratch[8], scratch[9])
    if mode != LOOK and ip[I_THEORY] == QUASI_STATIC:
        place_stiff(parts, state, scratch, solver)
    return tangent, limit, speed, bend, push


@njit_inline
def at_once(still, parts, state, scratch, solver, band, law):
    """A correction without a time scheme: towards equilibrium if `still`, else accelerations; returns its size."""
    solve(band, solver[0])
    if still:
        return go_still(parts[0], solver[0], state[0], state[1], scratch[1])
    if solver[16][-1, 0] > 0.0:
        find_answers(parts[5], law, band, solver[16], solver[0].shape[0])
        hold(parts[5], parts[6], law, state[4], scratch[6], solver[16], solver[0])
    take_accelerations(parts, state, scratch, solver)
    return 0.0


@njit_inline
def reach(mode, row, z, law, h, parts, state, scratch, solver, law_work, wanted, speed, push, kept, band):
    """The point of `row`: end of a step of length h, a start, or a look at it; returns the iterations, or -1 if it failed.

    The forces at the end are those of the last residual, which also tells how much of a correction was left to do.
    """
    residual, found = solver[0], solver[13]
    joint, jfig, par, ip = parts[5], parts[6], parts[10], parts[11]
    still = ip[I_THEORY] == QUASI_STATIC and mode != LOOK
    rubbing, rubs = solver[16], solver[16][-1, 0] > 0.0
    if rubs:
        begin_friction(joint, law, z, mode == STEP, rubbing)
    tangent, limit, speed, bend, push = set_out(
        mode, row, h, parts, state, scratch, solver, kept, wanted, speed, push
    )  # fmt: skip
    first_energy, energy, previous, largest, before, iteration, outcome = 0.0, 0.0, 0.0, 1.0, 0.0, 0, 0
    checked, final, fresh = True, False, tangent == ALL
    while outcome == 0:
        found[0], found[1], found[2], found[3] = assemble(parts, state, scratch, tangent, speed, push, residual, band)
        if mode == LOOK or final:
            outcome = 1 if largest < 1e-9 * par[P_LENGTH] or not still else -1
            break
        if not still:
            span = h if mode == STEP else 0.0
            motors(
                row, z, law, joint, jfig, state[4], scratch[6], span, speed, tangent == ALL, residual, band, law_work
            )
            if rubs:
                push_friction(joint, law, rubbing, residual)
        if tangent and not factor(band):
            outcome = -1
            break
        if mode == START or still:
            largest = at_once(still, parts, state, scratch, solver, band, law)
            iteration += 1
            final = not still or largest < 1e-12 * par[P_LENGTH] or iteration == limit
            tangent = NONE if final else ALL
            set_joints(row, joint, jfig, state[4], state[9], scratch[6], scratch[5])
            continue
        after = size_of(residual, solver[14])
        if not checked:
            left = largest * min(after / before, 1.0) if before > 0.0 else 0.0  # what the next correction would be
            done = left <= SURE * par[P_TOLERANCE] * par[P_LENGTH]
            if ip[I_BY_ENERGY]:
                done = energy <= par[P_TOLERANCE] * first_energy and (iteration > 1 or energy == 0.0)
            checked, slow = True, iteration > 1 and largest > SLOW * previous
            previous = largest
            if slow and fresh:  # a tangent of this very step does no better: as far as rounding lets it come
                done = done or left <= par[P_TOLERANCE] * par[P_LENGTH]
            if done:
                outcome = iteration
                break
            if slow:
                tangent, fresh = ALL, True
                continue
        tangent, checked, before = NONE, False, after
        energy = solved(residual, solver[1], band, ip[I_BY_ENERGY] == 1)
        if rubs:
            find_answers(joint, law, band, rubbing, residual.shape[0])
            meet(joint, jfig, law, state[4], scratch[6], speed, rubbing, residual)
        first_energy = energy if iteration == 0 else first_energy
        largest = correct(parts, state, solver, residual, speed, bend, push)
        set_joints(row, joint, jfig, state[4], state[9], scratch[6], scratch[5])
        iteration += 1
        if not largest < 1e3 * par[P_LENGTH] or iteration > limit:
            outcome = -1
    if mode == STEP and outcome > 0:
        if ip[I_THEORY] == EXACT:
            finish_nodes(solver[9], solver[15], state[8], solver[4])
        elif still:
            note_moves(parts, state, solver)
        judge_tangent(kept, fresh, h, outcome)
        if rubs:  # friction changes the force at a fixed residual: an old tangent would not tell how far the step is
            kept[KEPT_STEP] = 0.0
    elif mode != LOOK:
        kept[KEPT_STEP] = 0.0
    return outcome


@njit_inside
def copy(a, b):
    """b = a."""
    for k in range(b.shape[0]):
        b[k] = a[k]


@njit
def march(
    mode, x, z, table, records, every, phase, h, law, arrays, scratch, solver, law_work, keep, keep_z, rows, wanted, speed,
    push,
):  # fmt: skip
    """Step through `table`; returns steps done and records written; a step that fails in 64 parts ends it.

    A start and a look (see STEP, START, LOOK) are at the first row of the table; they return 1, or 0 if there is no
    acceleration. `wanted`, `speed` and `push` say which matrix is looked at (see `assemble`).
    """
    x, z, table, records, law = borrow(x), borrow(z), borrow(table), borrow(records), borrow(law)
    keep, keep_z, rows, law_work = borrow(keep), borrow(keep_z), borrow(rows), borrow(law_work)
    parts, work, tools = borrowed_parts(arrays), borrowed_scratch(scratch), borrowed_solver(solver)
    frames, state = parts[0], views(x, parts[0].shape[0], parts[5].shape[0])
    sums, kept, written = state[6], x[keep.shape[0] : keep.shape[0] + KEPT], 0
    band = (x[keep.shape[0] + KEPT :] if mode == STEP else tools[2][0], tools[2][1], tools[2][2])
    for n in range(table.shape[0] - 1 if mode == STEP else 1):
        copy(x, keep)
        keep_z[:] = z
        count, good = 1, False
        while count <= MOST_PARTS:
            for part in range(count):
                if mode != STEP:
                    rows[:] = table[0]
                elif part + 1 == count:
                    rows[:] = table[n + 1]
                else:
                    inside_row(table[n], table[n + 1], h, (part + 1.0) / count, rows)
                note_start(state, tools)
                tried = reach(
                    mode, rows, z, law, h / count, parts, state, work, tools, law_work, wanted, speed, push, kept, band
                )  # fmt: skip
                good = tried > 0
                if good and mode != LOOK:
                    sums[ITERATIONS] += tried if mode == STEP else 0.0
                    long = h / count if mode == STEP else 0.0
                    good = settle(rows, z, law, long, parts, state, work, tools, law_work, mode == START)
                if not good:
                    break
            if good or mode != STEP:
                break
            halved = sums[HALVED] + 1.0
            copy(keep, x[: keep.shape[0]])
            z[:] = keep_z
            sums[HALVED] = halved
            count *= 2
        if mode != STEP:
            return 1 if good else 0, 0
        if not good:
            return n, written
        if int(kept[KEPT_STEPS]) % RENEWED == 1:
            for f in range(frames.shape[0]):
                if frames[f, F_KIND] == NODE:
                    renew(state[1], f)
        if every > 0 and (phase + n + 1) % every == 0:
            for k in range(records.shape[1]):
                records[written, k] = x[k]
            written += 1
    return table.shape[0] - 1, written
