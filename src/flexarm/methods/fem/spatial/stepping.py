"""One time step by Newton's method, and many of them.

Generalised-alpha with the physical acceleration a and that of the scheme A, for displacements and, with the rotation vector
Th of a step, for rotations beside those of the stiff arm (`turning`):

    Th = h w + h^2 [(1/2 - beta) A + beta A+],  s+ = s + h [(1 - gamma) A + gamma A+],
    (1 - am) A+ + am A = (1 - af) a+ + af a,  balance of forces at the end of the step.

The tangent serves all iterations of a step as long as they converge well. A step that fails is taken in halves.
"""

from __future__ import annotations

from flexarm.methods.fem.spatial.arrays import borrowed_parts, borrowed_scratch, borrowed_solver, views
from flexarm.methods.fem.spatial.assemble import ALL, MASS, NONE, evaluate
from flexarm.methods.fem.spatial.drives import motors, set_joints
from flexarm.methods.fem.spatial.kinematics import nominal
from flexarm.methods.fem.spatial.layout import (
    EXACT,
    F_DOF,
    F_KIND,
    HALVED,
    I_BY_ENERGY,
    I_ITERATIONS,
    I_THEORY,
    ITERATIONS,
    J_PSI,
    J_TURN,
    LINEAR,
    NODE,
    P_AF,
    P_AM,
    P_BETA,
    P_GAMMA,
    P_LENGTH,
    P_TOLERANCE,
    QUASI_STATIC,
    SUMS,
)
from flexarm.methods.fem.spatial.scheme import correct, predict
from flexarm.methods.fem.spatial.settling import note_start, settle
from flexarm.methods.fem.spatial.turning import begin, beside, stiff_arm, whole_turns
from flexarm.numerics import bandlu
from flexarm.numerics.jit import borrow, njit, njit_part
from flexarm.numerics.rotations import apply, relative, renew, turn
from flexarm.numerics.rows import inside_row

factor, solve = bandlu.factor, bandlu.solve
MOST_PARTS = 64
MOST_STATIC = 30
SURE = 0.01
"""Share of the tolerance that the next correction, as it is estimated, must stay below."""
SLOW = 0.05
"""A tangent is renewed when a correction is not below this share of the one before."""


@njit
def set_row(row, parts, state, scratch):
    """Joint values for the drives in `row`, and the motion of the stiff arm if the theory needs it."""
    frames, gfig, joint, jfig, slide, ip = parts[0], parts[1], parts[5], parts[6], parts[9], parts[11]
    axis, lever, phi, phi0, nr, nv, na = scratch[3:10]
    set_joints(row, joint, jfig, state[4], state[9], phi0, phi)
    if ip[I_THEORY] == LINEAR:
        nominal(frames, gfig, joint, slide, phi0, nr, state[1], nv, na, axis, lever)


@njit_part
def newton(row, z, law, h, parts, state, scratch, solver, law_work):
    """One step of length h to `row`; returns the number of iterations, or -1 if it did not converge."""
    residual, other, band = solver[:3]
    joint, jfig, par, ip = parts[5], parts[6], parts[10], parts[11]
    if ip[I_THEORY] == QUASI_STATIC:
        note_start(state, solver)
        return rest_in_motion(row, parts, state, scratch, solver)
    speed, bend = par[P_GAMMA] / (par[P_BETA] * h), 1.0 / (par[P_BETA] * h * h)
    push = (1.0 - par[P_AM]) / (1.0 - par[P_AF]) * bend
    note_start(state, solver)
    exact = ip[I_THEORY] == EXACT
    if exact:
        begin(row, parts, state, scratch, solver)
    predict(parts, state, solver, h)
    first_energy, previous, renew_it = 0.0, 0.0, True
    for iteration in range(ip[I_ITERATIONS]):
        if iteration == 0:
            set_row(row, parts, state, scratch)
        else:
            set_joints(row, joint, jfig, state[4], state[9], scratch[6], scratch[5])
        evaluate(parts, state, scratch, ALL if renew_it else NONE, speed, push, residual, band)
        motors(row, z, law, joint, jfig, state[4], scratch[6], h, speed, renew_it, residual, band, law_work)
        if renew_it and factor(band) >= 0:
            return -1
        for k in range(residual.shape[0]):
            other[k] = residual[k]
        solve(band, residual)
        energy = 0.0
        for k in range(residual.shape[0]):
            energy += abs(residual[k] * other[k])
        largest = correct(parts, state, solver, residual, speed, bend, push)
        if not largest < 1e3 * par[P_LENGTH]:
            return -1
        rate = min(largest / previous, 1.0) if previous > 0.0 else 1.0
        renew_it = iteration > 0 and largest > SLOW * previous
        previous = largest
        if iteration == 0:
            first_energy = energy
        done = largest * rate <= SURE * par[P_TOLERANCE] * par[P_LENGTH]  # what the next correction would be
        if ip[I_BY_ENERGY]:
            done = energy <= par[P_TOLERANCE] * first_energy and (iteration > 0 or energy == 0.0)
        if done:
            if exact:
                whole_turns(parts, state, solver)
            return iteration + 1
    return -1


@njit_part
def rest_in_motion(row, parts, state, scratch, solver):
    """The quasi-static deformation: equilibrium with the inertia of the stiff motion and the weight."""
    residual, band, old, step = solver[0], solver[2], solver[3], solver[4]
    frames, gfig, joint, jfig, slide = parts[0], parts[1], parts[5], parts[6], parts[9]
    r, R, v, a = state[0], state[1], state[3], state[7]
    w = scratch[1]
    axis, lever, phi, phi0, nr, nv, na = scratch[3:10]
    set_joints(row, joint, jfig, state[4], state[9], phi0, phi)
    old[:, :] = R
    nominal(frames, gfig, joint, slide, phi0, nr, R, nv, na, axis, lever)
    for f in range(frames.shape[0]):
        if frames[f, F_KIND] == NODE:
            for k in range(6):
                v[f, k], a[f, k] = nv[f, k], na[f, k]
            for k in range(3):
                step[f, k], r[f, k] = r[f, k], nr[f, k]
    largest = 1.0
    for _ in range(MOST_STATIC):
        evaluate(parts, state, scratch, ALL, 0.0, 0.0, residual, band)
        if factor(band) >= 0:
            return -1
        solve(band, residual)
        largest = 0.0
        for f in range(frames.shape[0]):
            if frames[f, F_KIND] != NODE:
                continue
            dof = frames[f, F_DOF]
            turn(-residual[dof + 3], -residual[dof + 4], -residual[dof + 5], R, f, w, 0)
            for k in range(9):
                R[f, k] = w[0, k]
            for k in range(3):
                r[f, k] -= residual[dof + k]
                largest = max(largest, abs(residual[dof + k]))
        if largest < 1e-12 * parts[10][P_LENGTH]:
            break
    for f in range(frames.shape[0]):
        if frames[f, F_KIND] == NODE:
            x, y, z = relative(old, f, R, f)
            x, y, z = apply(old, f, x, y, z)
            step[f, 3], step[f, 4], step[f, 5] = x, y, z
            for k in range(3):
                step[f, k] = r[f, k] - step[f, k]
    return 1 if largest < 1e-9 * parts[10][P_LENGTH] else -1


@njit
def march(x, z, table, records, every, phase, h, law, arrays, scratch, solver, law_work, keep, keep_z, rows):
    """Step through `table`; returns steps done and records written; a step that fails in 64 parts ends it."""
    x, z, table, records, law = borrow(x), borrow(z), borrow(table), borrow(records), borrow(law)
    keep, keep_z, rows, law_work = borrow(keep), borrow(keep_z), borrow(rows), borrow(law_work)
    parts = borrowed_parts(arrays)
    work = borrowed_scratch(scratch)
    tools = borrowed_solver(solver)
    F, L = parts[0].shape[0], parts[5].shape[0]
    state = views(x, F, L)
    sums, width, written = state[6], records.shape[1], 0
    for n in range(table.shape[0] - 1):
        keep[:] = x
        keep_z[:] = z
        count = 1
        while count <= MOST_PARTS:
            good = True
            for part in range(count):
                if part + 1 == count:
                    rows[:] = table[n + 1]
                else:
                    inside_row(table[n], table[n + 1], h, (part + 1.0) / count, rows)
                tried = newton(rows, z, law, h / count, parts, state, work, tools, law_work)
                good = tried > 0
                if good:
                    sums[ITERATIONS] += tried
                    good = settle(rows, z, law, h / count, parts, state, work, tools, law_work, False)
                if not good:
                    break
            if good:
                break
            x[:] = keep
            z[:] = keep_z
            sums[HALVED] += 1.0
            keep[width - SUMS + HALVED] = sums[HALVED]
            count *= 2
        if count > MOST_PARTS:
            return n, written
        for f in range(F):
            renew(state[1], f)
        if every > 0 and (phase + n + 1) % every == 0:
            for k in range(width):
                records[written, k] = x[k]
            written += 1
    return table.shape[0] - 1, written


@njit
def restart(x, z, row, law, parts, scratch, solver, law_work):
    """Accelerations, torques and energy from the right-hand limits in `row`; False if there is no acceleration."""
    F, L = parts[0].shape[0], parts[5].shape[0]
    state = views(x, F, L)
    residual, _other, band, _old, _step = solver[:5]
    frames, joint, jfig, ip = parts[0], parts[5], parts[6], parts[11]
    a, A, ja = state[7], state[8], state[9]
    for f in range(F):
        if frames[f, F_KIND] == NODE:
            for k in range(6):
                a[f, k] = 0.0
    for i in range(L):
        ja[0, i] = ja[2, i] = 0.0
    set_row(row, parts, state, scratch)
    if ip[I_THEORY] == QUASI_STATIC:
        rest_in_motion(row, parts, state, scratch, solver)
    else:
        evaluate(parts, state, scratch, MASS, 0.0, 1.0, residual, band)
        motors(row, z, law, joint, jfig, state[4], scratch[6], 0.0, 0.0, False, residual, band, law_work)
        if factor(band) >= 0:
            return False
        solve(band, residual)
        for f in range(F):
            if frames[f, F_KIND] == NODE:
                for k in range(6):
                    a[f, k] = A[f, k] = -residual[frames[f, F_DOF] + k]
        if ip[I_THEORY] == EXACT:
            stiff_arm(parts, state, scratch, solver)
            for f in range(F):
                if frames[f, F_KIND] == NODE:
                    beside(f, state[1], state[3], a, solver[11], solver[10])
                    for k in range(3, 6):
                        A[f, k] = solver[10][f, k]
        for i in range(L):
            for n, place in ((J_PSI, 0), (J_TURN, 2)):
                if joint[i, n] >= 0:
                    ja[place, i] = ja[place + 1, i] = -residual[joint[i, n]]
    set_row(row, parts, state, scratch)
    return settle(row, z, law, 0.0, parts, state, scratch, solver, law_work, True)
