"""The time scheme: first guess of a step, and how a correction of the unknowns moves everything with them.

Equations: S11, S26.
"""

from __future__ import annotations

from typing import NamedTuple

from flexarm.methods.fem.spatial import layout as at
from flexarm.methods.fem.spatial.simd_nodes import correct_nodes, predict_nodes, store_nodes
from flexarm.numerics.jit import njit_inside


class Slopes(NamedTuple):
    """Change of rates, of scheme accelerations and of accelerations per change of the unknowns."""

    rate: float
    scheme: float
    acceleration: float


@njit_inside
def predict(parts, state, solver, h):
    """First guess of the end of the step: the physical acceleration stays."""
    if parts.theory == at.EXACT:
        predict_nodes(solver.node_groups, h, parts)
        store_nodes(state, solver)
    else:
        predict_small(parts, state, solver.step, h)
    joints, j, ja, beta, gamma, am = (
        parts.joints, state.deviation, state.joint_acceleration, parts.beta, parts.gamma, parts.alpha_m
    )  # fmt: skip
    for i in range(joints.shape[0]):
        for column, place in ((at.J_PSI, at.PSI), (at.J_TURN, at.TURN)):
            if joints[i, column] < 0:
                continue
            scheme = (ja[place, i] - am * ja[place + 1, i]) / (1.0 - am)
            j[place, i] += h * j[place + 1, i] + h * h * ((0.5 - beta) * ja[place + 1, i] + beta * scheme)
            j[place + 1, i] += h * ((1.0 - gamma) * ja[place + 1, i] + gamma * scheme)
            ja[place + 1, i] = scheme


@njit_inside
def predict_small(parts, state, step, h):
    """The guess in the linear theory: displacements and small rotations beside the stiff arm."""
    frames, beta, gamma, am = parts.frames, parts.beta, parts.gamma, parts.alpha_m
    v, a, A = state.velocity, state.acceleration, state.scheme_acceleration
    for f in range(frames.shape[0]):
        if frames[f, at.F_KIND] != at.NODE:
            continue
        for k in range(6):
            scheme = (a[f, k] - am * A[f, k]) / (1.0 - am)
            step[f, k] = h * v[f, k] + h * h * ((0.5 - beta) * A[f, k] + beta * scheme)
            v[f, k] += h * ((1.0 - gamma) * A[f, k] + gamma * scheme)
            A[f, k] = scheme
        for k in range(3):
            state.position[f, k] += step[f, k]
            state.small_rotation[f, k] += step[f, 3 + k]


@njit_inside
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


@njit_inside
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
