"""The time scheme: first guess of a step, and how a correction of the unknowns moves everything with them.

Equations: S11, S26.
"""

from __future__ import annotations

from typing import NamedTuple

from flexarm.methods.fem.spatial import layout as at
from flexarm.methods.fem.spatial.simd_nodes import correct_nodes, predict_nodes, store_nodes
from flexarm.numerics.jit import njit_apart, njit_inside


class Slopes(NamedTuple):
    """Change of rates, of scheme accelerations and of accelerations per change of the unknowns."""

    rate: float
    scheme: float
    acceleration: float


class Guess(NamedTuple):
    """First guess of the end of a step: of the move per rate v and scheme acceleration A at its start and scheme acceleration at
    its end; of the rate per both accelerations; of that at the end per physical acceleration a and A; share of a that stays."""

    move_v: float
    move_start: float
    move_end: float
    rate_start: float
    rate_end: float
    end_a: float
    end_start: float
    stays: float


@njit_inside
def alpha_guess(parts, h):
    """Of generalised-alpha: the physical acceleration stays."""
    beta, gamma, am = parts.beta, parts.gamma, parts.alpha_m
    move, rate = h * h * (0.5 - beta), h * (1.0 - gamma)
    return Guess(h, move, h * h * beta, rate, h * gamma, 1.0 / (1.0 - am), -am / (1.0 - am), 1.0)


@njit_inside
def stage_guess(stage, g, h):
    """Of a stage of the L-stable method of `flexarm.numerics.alexander` for a step of length h, without acceleration: the first,
    of length g from the start of the step, or the last, of length h - g from the end of the first."""
    if stage == 1:
        return Guess(g, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    return Guess(h - g, g * (h - 2.0 * g), 0.0, h - 2.0 * g, 0.0, 0.0, 0.0, 0.0)


@njit_apart
def predict(parts, state, solver, guess):
    """First guess of the end of the step."""
    if parts.theory == at.EXACT:
        predict_nodes(solver.node_groups, guess)
        store_nodes(state, solver)
    else:
        predict_small(parts, state, solver.step, guess)
    joints, j, ja = parts.joints, state.deviation, state.joint_acceleration
    for i in range(joints.shape[0]):
        for column, place in ((at.J_PSI, at.PSI), (at.J_TURN, at.TURN)):
            if joints[i, column] < 0:
                continue
            start = ja[place + 1, i]
            end = guess.end_a * ja[place, i] + guess.end_start * start
            j[place, i] += guess.move_v * j[place + 1, i] + guess.move_start * start + guess.move_end * end
            j[place + 1, i] += guess.rate_start * start + guess.rate_end * end
            ja[place, i], ja[place + 1, i] = guess.stays * ja[place, i], end


@njit_apart
def predict_small(parts, state, step, guess):
    """The guess in the linear theory: displacements and small rotations beside the stiff arm."""
    frames = parts.frames
    v, a, A = state.velocity, state.acceleration, state.scheme_acceleration
    for f in range(frames.shape[0]):
        if frames[f, at.F_KIND] != at.NODE:
            continue
        for k in range(6):
            end = guess.end_a * a[f, k] + guess.end_start * A[f, k]
            step[f, k] = guess.move_v * v[f, k] + guess.move_start * A[f, k] + guess.move_end * end
            v[f, k] += guess.rate_start * A[f, k] + guess.rate_end * end
            a[f, k], A[f, k] = guess.stays * a[f, k], end
        for k in range(3):
            state.position[f, k] += step[f, k]
            state.small_rotation[f, k] += step[f, 3 + k]


@njit_apart
def correct(parts, state, solver, slopes):
    """Take the correction, the negative of solver.residual, over; returns its largest entry."""
    if parts.theory == at.EXACT:
        largest = correct_nodes(solver, slopes)
        store_nodes(state, solver)
    else:
        largest = correct_small(parts, state, solver, slopes)
    joints, j, ja = parts.joints, state.deviation, state.joint_acceleration
    for i in range(joints.shape[0]):
        for column, place in ((at.J_PSI, at.PSI), (at.J_TURN, at.TURN)):
            if joints[i, column] >= 0:
                d = -solver.residual[joints[i, column]]
                largest = max(largest, abs(d))
                j[place, i] += d
                j[place + 1, i] += slopes.rate * d
                ja[place, i] += slopes.acceleration * d
                ja[place + 1, i] += slopes.scheme * d
    return largest


@njit_apart
def correct_small(parts, state, solver, slopes):
    """The correction in the linear theory; returns its largest entry."""
    frames, change, largest = parts.frames, solver.residual, 0.0
    v, a, A = state.velocity, state.acceleration, state.scheme_acceleration
    for f in range(frames.shape[0]):
        if frames[f, at.F_KIND] != at.NODE:
            continue
        dof = frames[f, at.F_DOF]
        for k in range(6):
            d = -change[dof + k]
            largest = max(largest, abs(d))
            solver.step[f, k] += d
            v[f, k] += slopes.rate * d
            a[f, k] += slopes.acceleration * d
            A[f, k] += slopes.scheme * d
        for k in range(3):
            state.position[f, k] -= change[dof + k]
            state.small_rotation[f, k] -= change[dof + 3 + k]
    return largest
