"""The time loop: one point after the other by Newton's method.

Generalised-alpha with the physical acceleration a and that of the scheme A, for displacements and, with the rotation vector
Th of a step, for rotations beside those of the stiff arm (`step_rotations`):

    Th = h w + h^2 [(1/2 - beta) A + beta A+],  s+ = s + h [(1 - gamma) A + gamma A+],
    (1 - am) A+ + am A = (1 - af) a+ + af a,  balance of forces at the end of the step.

After every tick of a sampled law come a few L-stable steps. A tangent serves
as many steps as it is worth (it is part of the state). A step that fails is taken in halves. Steps,
the quasi-static theory, accelerations at a start and a mere evaluation of forces and matrices all pass through the same
place, so that the forces of the arm are compiled once.

Equations: S11, S13.
"""

from __future__ import annotations

import numpy as np

from flexarm.methods.fem.spatial import friction, quasi_static, starting
from flexarm.methods.fem.spatial import layout as at
from flexarm.methods.fem.spatial.assemble import assemble
from flexarm.methods.fem.spatial.drives import motors, set_joints
from flexarm.methods.fem.spatial.kinematics import stiff_arm
from flexarm.methods.fem.spatial.matrix import factor, solve
from flexarm.methods.fem.spatial.scheme import Slopes, alpha_guess, correct, predict, stage_guess
from flexarm.methods.fem.spatial.simd_nodes import finish_nodes
from flexarm.methods.fem.spatial.step_end import end_step, note_start
from flexarm.methods.fem.spatial.step_rotations import begin_rotations
from flexarm.numerics.alexander import SHARE
from flexarm.numerics.copies import copy, copy_rows
from flexarm.numerics.jit import borrow, njit, njit_inline, njit_inside
from flexarm.numerics.rotations import renew
from flexarm.numerics.rows import inside_row

STEP, START, EVALUATE = range(3)
"""What `march` is to do: steps; accelerations and energy at a start; forces and a matrix."""
MOST_PARTS = 64
MOST_STATIC = 30
SURE = 1e-4
"""Share of the tolerance that the next correction, as it is estimated, must stay below."""
SLOW = 0.05
"""A tangent is renewed when a correction is not below this share of the one before."""
RENEWED = 8
"""Rotation matrices are renewed with a tangent, and after so many steps that it has served."""
TANGENT_COST = 2.0
"""What a new tangent costs, in iterations with a cached one."""


@njit_inside
def weighted_sum(residual, weight):
    """Sum of the entries of a residual with their weights."""
    one, two, n = 0.0, 0.0, residual.shape[0]
    for k in range(0, n - 1, 2):
        one += weight[k] * abs(residual[k])
        two += weight[k + 1] * abs(residual[k + 1])
    return one + two + (weight[n - 1] * abs(residual[n - 1]) if n % 2 else 0.0)


@njit_inside
def solve_correction(parts, solver, matrix):
    """Turn the residual into the correction; returns its work if the criterion asks for it."""
    residual, right_side, energy = solver.residual, solver.right_side, 0.0
    if parts.by_energy:
        copy(residual, right_side)
    solve(matrix, residual)
    if parts.by_energy:
        for k in range(residual.shape[0]):
            energy += abs(residual[k] * right_side[k])
    return energy


@njit_inside
def judge_tangent(use, fresh, h, iterations):
    """Note how a step went with its tangent; one that costs more iterations than a new one would is given up."""
    if fresh:
        use[at.MADE_FOR], use[at.FIRST_ITERATIONS], use[at.STEPS_SERVED], use[at.COST] = (
            h,
            iterations,
            1.0,
            TANGENT_COST,
        )
        return
    more = iterations - use[at.FIRST_ITERATIONS]
    use[at.STEPS_SERVED] += 1.0
    use[at.COST] += more
    if more * use[at.STEPS_SERVED] > use[at.COST]:  # beyond the mean: the next such step is better done with a new one
        use[at.MADE_FOR] = 0.0


@njit_inside
def length_of(stage, h):
    """Time from the point before: that of the whole step, or of a stage of it."""
    return h if stage == 0 else SHARE * h if stage == 1 else h - SHARE * h


@njit_inline
def first_guess(mode, stage, h, parts, state, scratch, solver):
    """First guess of the point of solver.row; returns which matrix comes first, how many iterations there may be, and slopes.

    stage : 0, or that of an L-stable step of length h
    """
    static = mode != EVALUATE and parts.theory == at.QUASI_STATIC
    wanted, limit, rate, bend, push = solver.wanted, 2, solver.rate, 0.0, solver.push
    if mode == START:
        starting.clear_accelerations(parts, state)
        wanted, rate, push = at.MASS, 0.0, 1.0
    if static:
        wanted, limit, rate, push = at.TANGENT, MOST_STATIC, 0.0, 0.0
    elif mode == STEP:
        made = -h if stage else h
        wanted, limit = at.NOTHING if state.tangent_use[at.MADE_FOR] == made else at.TANGENT, parts.iterations
        guess = alpha_guess(parts, h)
        rate, bend = parts.gamma / (parts.beta * h), 1.0 / (parts.beta * h * h)
        push = (1.0 - parts.alpha_m) / (1.0 - parts.alpha_f) * bend
        if stage:
            g = SHARE * h
            guess = stage_guess(stage, g, h)
            rate, bend, push = 1.0 / g, 1.0 / (g * g), 1.0 / (g * g)
        if parts.theory == at.EXACT:
            begin_rotations(parts, state, scratch, solver)
        predict(parts, state, solver, guess)
    if parts.friction_joints:
        friction.start_friction(mode == STEP, parts, state, solver)
    set_joints(solver.row, parts, state, scratch)
    if parts.theory == at.LINEAR:
        stiff_arm(
            parts, scratch, scratch.phi0, scratch.stiff_position, state.rotation, scratch.stiff_velocity,
            scratch.stiff_acceleration,
        )  # fmt: skip
    if static:
        quasi_static.place_stiff(parts, state, scratch, solver)
    return wanted, limit, Slopes(rate, bend, push)


@njit_inline
def correct_directly(static, parts, state, scratch, solver, matrix):
    """A correction without a time scheme: towards equilibrium if `static`, else accelerations; returns its size."""
    solve(matrix, solver.residual)
    if static:
        return quasi_static.correct_equilibrium(parts, state, scratch, solver.residual)
    if parts.friction_joints:
        friction.find_responses(parts, solver, matrix)
        friction.hold_by_friction(parts, state, scratch, solver)
    starting.set_accelerations(parts, state, scratch, solver)
    return 0.0


@njit_inline
def solve_point(mode, stage, h, parts, state, scratch, solver, matrix):
    """The point of solver.row: end of a step of length h or of a stage of it, a start, or an evaluation; returns the iterations,
    or -1 if it failed.

    The forces at the end are those of the last residual, which also tells how much of a correction was left to do.
    """
    length, static = parts.length, parts.theory == at.QUASI_STATIC and mode != EVALUATE
    wanted, limit, slopes = first_guess(mode, stage, h, parts, state, scratch, solver)
    first_energy, energy, previous, largest, before, iteration, outcome = 0.0, 0.0, 0.0, 1.0, 0.0, 0, 0
    checked, final, fresh = True, False, wanted == at.TANGENT
    while outcome == 0:
        assemble(parts, state, scratch, solver, wanted, slopes, matrix)
        if mode == EVALUATE or final:
            outcome = 1 if largest < 1e-9 * length or not static else -1
            break
        if not static:
            span = length_of(stage, h) if mode == STEP else 0.0
            motors(span, slopes.rate, wanted == at.TANGENT, parts, state, scratch, solver, matrix)
            if parts.friction_joints:
                friction.push_friction(parts, solver)
        if wanted and not factor(matrix):
            outcome = -1
            break
        if mode == START or static:
            largest = correct_directly(static, parts, state, scratch, solver, matrix)
            iteration += 1
            final = not static or largest < 1e-12 * length or iteration == limit
            wanted = at.NOTHING if final else at.TANGENT
            set_joints(solver.row, parts, state, scratch)
            continue
        after = weighted_sum(solver.residual, solver.weights)
        if not checked:
            left = largest * min(after / before, 1.0) if before > 0.0 else 0.0  # what the next correction would be
            done = left <= SURE * parts.tolerance * length
            if parts.by_energy:
                done = energy <= parts.tolerance * first_energy and (iteration > 1 or energy == 0.0)
            checked, slow = True, iteration > 1 and largest > SLOW * previous
            previous = largest
            if slow and fresh:  # a tangent of this very step does no better: as far as rounding lets it come
                done = done or left <= parts.tolerance * length
            if done:
                outcome = iteration
                break
            if slow:
                wanted, fresh, previous = at.TANGENT, True, np.inf
                continue
        wanted, checked, before = at.NOTHING, False, after
        energy = solve_correction(parts, solver, matrix)
        if parts.friction_joints:
            friction.find_responses(parts, solver, matrix)
            friction.match_friction(slopes.rate, parts, state, scratch, solver)
        first_energy = energy if iteration == 0 else first_energy
        largest = correct(parts, state, solver, slopes)
        set_joints(solver.row, parts, state, scratch)
        iteration += 1
        if not largest < 1e3 * length or iteration > limit:
            outcome = -1
    if mode == STEP and outcome > 0:
        if parts.theory == at.EXACT:
            finish_nodes(state, solver)
        elif static:
            quasi_static.note_moves(parts, state, solver)
        judge_tangent(state.tangent_use, fresh, -h if stage else h, outcome)
    elif mode != EVALUATE:
        state.tangent_use[at.MADE_FOR] = 0.0
    return outcome


@njit_inline
def divided_step(mode, count, first, last, h, parts, state, scratch, solver, matrix):
    """One step of length h between two rows of the drive table, in `count` equal parts, each of two stages if it is L-stable.

    Returns whether all of them went well, and whether the last one began with a cached tangent.
    """
    short, good, cached, stages = h / count, False, False, 1
    if mode == STEP and state.sums[at.STARTING] > 0.0:
        stages = 2
    for point in range(stages * count):
        part, stage = point // stages, point % stages + 1 if stages == 2 else 0
        if point + 1 == stages * count:
            copy_rows(last, solver.row)
        else:
            inside_row(first, last, h, (part + (SHARE if stage == 1 else 1.0)) / count, solver.row)
        note_start(state, solver)
        cached = state.tangent_use[at.MADE_FOR] == (-short if stage else short)
        tried = solve_point(mode, stage, short, parts, state, scratch, solver, matrix)
        good = tried > 0
        if good and mode != EVALUATE:
            state.sums[at.ITERATIONS] += tried if mode == STEP else 0.0
            span = length_of(stage, short) if mode == STEP else 0.0
            good = end_step(span, parts, state, scratch, solver, mode == START)
        if not good:
            break
    return good, cached


@njit
def march(mode, table, records, every, offset, h, kernel, state):
    """Step through `table`; returns steps done and records written; a step that fails in 64 parts ends it.

    A start and an evaluation (see STEP, START, EVALUATE) are at the first row of the table; they return 1, or 0 if there is no
    acceleration. A record is written whenever offset + steps done is a multiple of `every`.
    """
    table, records = borrow(table), borrow(records)
    parts, scratch, solver, matrix = kernel.parts, kernel.scratch, kernel.solver, kernel.matrix
    if mode == STEP:
        matrix = state.tangent
    frames, sums, use, written = parts.frames, state.sums, state.tangent_use, 0
    for n in range(table.shape[0] - 1 if mode == STEP else 1):
        copy(state.moving, solver.saved)
        copy_rows(state.law, solver.saved_law)
        count, good, again = 1, False, False
        while count <= MOST_PARTS:
            good, cached = divided_step(
                mode, count, table[n], table[n + 1 if mode == STEP else 0], h, parts, state, scratch, solver, matrix
            )
            if good or mode != STEP:
                break
            again = cached and not again  # first the same with a new tangent, then in halves
            halved = sums[at.HALVED] + (0.0 if again else 1.0)
            copy(solver.saved, state.moving)
            copy_rows(solver.saved_law, state.law)
            sums[at.HALVED] = halved
            count *= 1 if again else 2
        if mode != STEP:
            return 1 if good else 0, 0
        if not good:
            return n, written
        sums[at.STARTING] = max(0.0, sums[at.STARTING] - 1.0)
        if int(use[at.STEPS_SERVED]) % RENEWED == 1:
            for f in range(frames.shape[0]):
                if frames[f, at.F_KIND] == at.NODE:
                    renew(state.rotation, f)
        if every > 0 and (offset + n + 1) % every == 0:
            for k in range(records.shape[1]):
                records[written, k] = state.moving[k]
            written += 1
    return table.shape[0] - 1, written
