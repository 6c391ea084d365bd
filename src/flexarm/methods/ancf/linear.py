"""Equilibrium and small motions about it: matrices for frequencies and control design.

Equations: A37, A38.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.errors import CapabilityError
from flexarm.methods.ancf.at_rest import balance, update_dependent
from flexarm.methods.ancf.body_matrices import mass_at, spun_bodies
from flexarm.methods.ancf.packing import from_band
from flexarm.methods.base import Joints, LinearModel, State
from flexarm.methods.equilibrium import find_equilibrium, limited
from flexarm.numerics import laws

if TYPE_CHECKING:
    from flexarm.methods.ancf.model import AncfModel

SENSED = ("position", "motor_position", "chord_position")
"""Readings of the sensors of laws, in the order of their numbers."""
MOST_ITERATIONS = 80
"""Of Newton's method for a steady turn."""


def evaluate(
    model: AncfModel, state: State, row: np.ndarray, speed: float, force: np.ndarray, share: float = 1.0
) -> tuple[np.ndarray, np.ndarray]:
    """Condensed residual at rest and its band derivative, motors without torque and friction; a share of weight, patches and
    `force`."""
    s, w, loads, z = model.view(state), model.workspace, row.copy(), state.z.copy()
    state.z[:] = 0.0
    loads[: len(model.wiring.joints), 3:] = 0.0
    loads[:, 3] *= share
    friction = model.parts.law[:, laws.FRICTION].copy()
    model.parts.law[:, laws.FRICTION] = 0.0
    balance(model.parts, s, w, row, loads, force, speed, share)
    model.parts.law[:, laws.FRICTION], state.z[:] = friction, z
    return w.residual.copy(), w.band.copy()


def static_state(model: AncfModel, pose: Any, row: np.ndarray | None = None, force: np.ndarray | None = None) -> State:
    """Equilibrium under gravity, patches in `row` and constant forces (size,), all motors held at `pose`."""
    held = model if model.held else model.with_held_motors
    rows = held.posed_row(pose)
    if row is not None and len(model.wiring.patches):
        rows[len(model.wiring.joints) :] = row[len(model.wiring.joints) :]
    state = held.empty()
    held.place_rigidly(state, pose, None, rows)
    push = np.zeros(model.size) if force is None else force

    def correct(state: State, share: float) -> float:
        residual, band = evaluate(held, state, rows, 0.0, push, share)
        step, size = limited(-_solve(band, residual), held.parts.reach)
        held.shift(state, step)
        update_dependent(held.parts, held.view(state), held.workspace, rows)
        return size

    if np.any(held.parts.weight) or np.any(push) or np.any(rows[len(model.wiring.joints) :, 3]):
        state = find_equilibrium(state, correct, bool(np.any(push)))
    held.view(state).patch[:] = rows[len(model.wiring.joints) :, laws.FORCE][: len(model.wiring.patches)]
    return model.adopt(state, held)


def _solve(band: np.ndarray, residual: np.ndarray) -> np.ndarray:
    """Solution of a band system with pivoting; not a number if there is none."""
    from scipy.linalg.lapack import dgbsv

    n, half = band.shape[0], band.shape[1] // 2
    rows = np.zeros((3 * half + 1, n))  # LAPACK keeps columns upright, and room for pivoting above them
    for k in range(max(-half, 1 - n), min(half, n - 1) + 1):
        rows[2 * half - k, max(0, k) : n + min(0, k)] = band[max(0, -k) : n - max(0, k), k + half]
    _, _, solution, failed = dgbsv(half, half, rows, residual)
    return np.full(n, np.nan) if failed else solution


def free_places(model: AncfModel) -> np.ndarray:
    """Unknowns that move: not the ground's, not the idle half of commanded sections."""
    m = model.parts
    return np.setdiff1d(np.arange(model.size), np.concatenate([m.fixed, m.first[m.prescribed > 0] + 1]))


def position_map(model: AncfModel, state: State, row: np.ndarray) -> np.ndarray:
    """(size, free): change of all positions with the unknowns that move."""
    m, s, T = model.parts, model.view(state), np.eye(model.size)
    for i in np.flatnonzero(m.prescribed):
        b, before, k = m.first[i], m.before[i], m.channel[i]
        psi = (row[k, 0] if k >= 0 else m.start[i]) + m.turn[i]
        R = np.array([[np.cos(psi), -np.sin(psi)], [np.sin(psi), np.cos(psi)]])
        a = s.q[before : before + 2] if before >= 0 else np.array([1.0, 0.0])
        T[b : b + 2, b], T[b : b + 2, b + 1] = R @ a, 0.0
        if before >= 0:
            T[b : b + 2, before : before + 2] = s.stretch[0, i] * R
    return T[:, free_places(model)]


def tangent_matrices(
    model: AncfModel, state: State, row: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """M, C, K of the unknowns that move, and the map to all positions."""
    none, free = np.zeros(model.size), free_places(model)
    K = from_band(evaluate(model, state, row, 0.0, none)[1])
    C = from_band(evaluate(model, state, row, 1.0, none)[1]) - K
    T = position_map(model, state, row)
    M = T.T @ mass_at(model, model.view(state).q) @ T
    return M, C[np.ix_(free, free)], K[np.ix_(free, free)], T


def linear_model(model: AncfModel, state: State, joints: Joints) -> LinearModel:
    """Matrices about a state."""
    M, C, K, T = tangent_matrices(model, state, model.row_of(state))
    m, q, x = model.parts, model.layout["q"], state.x[: model.record_width]
    acting = np.flatnonzero(m.acts)
    inputs, names = [model.arm.links[i].name for i in acting], model.coordinate_names()
    sensed = [f"{name}.{SENSED[m.sensor[i]]}" for name, i in zip(inputs, acting, strict=True)]
    free = [names[k] for k in free_places(model)]
    return model.reader.linear_model(x, T, (M, C, K), free, inputs, None, sensed, q)


def spinning_model(model: AncfModel, spin: float) -> LinearModel:
    """Small motions about a steady turn with locked joints, in axes that turn with the arm.

    All vectors turn alike, so there M u'' + 2 spin M J u' + (K - spin^2 M) u = 0 with the quarter turn J, and what the
    offsets of rigid bodies add.
    """
    if any(model.arm.gravity[:2]):
        raise CapabilityError("a steady turn needs an arm without gravity", field="spin")
    used = model.rewired("motion")
    row, state = used.posed_row(model.arm.pose), used.empty()
    used.place_rigidly(state, model.arm.pose, None, row)
    M, s = used.mass.copy(), used.view(state)
    motors = [p for p in used.mesh.motor if p >= 0]
    M[motors] = 0.0
    J = np.zeros_like(M)
    for places in {int(p) for table in used.mesh.nodes for p in table.ravel() if p >= 0}:
        J[places, places + 1], J[places + 1, places] = -1.0, 1.0
    free = free_places(used)
    for _ in range(MOST_ITERATIONS):
        force, slope, gyro = spun_bodies(used.parts, s.q)
        residual, band = evaluate(used, state, row, 0.0, spin**2 * (M @ s.q + force))
        T = position_map(used, state, row)
        K = from_band(band)[np.ix_(free, free)] - spin**2 * T.T @ (M + slope) @ T
        step = np.zeros(used.size)
        step[free] = -np.linalg.solve(K, residual[free])
        used.shift(state, step)
        update_dependent(used.parts, s, used.workspace, row)
        if np.abs(step).max() < 1e-12 * used.parts.reach:
            break
    base = linear_model(used, state, "locked")
    C, K = 2.0 * spin * M @ J + spin * gyro, spin**2 * (M + slope)
    return replace(base, C=base.C + T.T @ C @ T, K=base.K - T.T @ K @ T)
