"""Equilibrium: the arm at rest under weight and constant forces, with its motors held."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.methods.base import State
from flexarm.methods.equilibrium import find_equilibrium, limited
from flexarm.methods.fem import joints, tangents
from flexarm.methods.fem import layout as at
from flexarm.methods.fem.far_nodes import place_followers
from flexarm.methods.fem.loop_closure import closed_pose
from flexarm.numerics.jit import callable_from_python
from flexarm.numerics.law_rows import FORCE

if TYPE_CHECKING:
    from flexarm.methods.fem.model import FemModel

set_frame = callable_from_python(joints.set_frame)


def set_pose(model: FemModel, state: State, pose: Any, row: np.ndarray | None = None) -> None:
    """Stiff arm at `pose` with its loops closed, at rest; commands there too, or those of `row`."""
    pose = closed_pose(model.arm, pose)
    rows = model.posed_row(pose if row is None else row[: len(pose), 0])
    model.place_rigidly(state, pose, None, rows)
    frame = state.x[model.layout["frame"]].reshape(at.FRAME, model.links)
    set_frame(model.parts, rows, frame)


def static_state(model: FemModel, pose: Any, force: np.ndarray | None = None, row: np.ndarray | None = None) -> State:
    """Equilibrium under gravity and constant forces (size,), with the motors held at `pose`; `row` has other commands."""
    state, loads = model.empty(), np.zeros(model.parts.loads)
    if row is not None and len(loads):
        loads = row[len(model.wiring.joints) :, FORCE]
    loaded = (force is not None and bool(np.any(force))) or bool(np.any(loads))
    set_pose(model, state, pose, row)
    if not any(model.arm.gravity[:2]) and not loaded:
        return state
    T = None if model.constraints.rows else _held_motors(model)

    def correct(state: State, share: float) -> float | None:
        state.x[model.layout["loads"]] = share * loads
        residual, band = tangents.evaluate_at(model, state.x, 0.0, 0.0, 0.0 if force is None else force, share)
        try:
            if model.constraints.rows:
                step, pull = _solve_constrained(model, state, band, residual)
                state.x[model.layout["lam"]] += pull
            else:
                step = -_solve_band(band, residual) if T is None else _solve_held(band, residual, T)
        except np.linalg.LinAlgError:
            return None
        step, size = limited(step, model.parts.reach)
        state.x[model.layout["q"]] += step
        if len(model.parts.far_nodes) or len(model.parts.copies):
            place_followers(state.x, model.parts, model.work)
        return size

    return find_equilibrium(
        state, correct, loaded, (lambda _, found, share: not _crushed(model, found)) if loaded else None
    )


def _crushed(model: FemModel, state: State) -> bool:
    """True if some section is pressed to nothing, which no beam stands."""
    for i in np.flatnonzero(model.mesh.counts):
        axial = model.reader.point_forces(model.record(state), int(i))[0]
        if np.any(axial <= -model.parts.properties[model.mesh.link == i, :, at.EA].ravel()):
            return True
    return False


def is_stable(model: FemModel, state: State) -> bool:
    """True if the energy has a minimum at an equilibrium with all motors held: all pivots are positive."""
    from flexarm.numerics.bandlu import factor

    band = tangents.evaluate_at(model, state.x, 0.0, 0.0)[1]
    return factor(band) < 0 and bool(np.all(band[:, band.shape[1] // 2] > 0.0))


def _held_motors(model: FemModel) -> np.ndarray | None:
    """Unknowns from those that are left when motors are held; None if all are left.

    A motor that is held keeps its angle to the section before it: its unknown is expressed by that section's.
    """
    acting = [p for i, p in enumerate(model.mesh.joints) if model.parts.joint[i, at.J_LAW]]
    if not acting:
        return None
    held = np.array([p.motor if p.motor >= 0 else p.base for p in acting], dtype=int)
    master = {int(far) + 2: int(base) for _, _, base, far, _ in model.mesh.far_nodes}
    tips = {int(p.base): master.get(int(p.tip), int(p.tip)) for p in acting if p.motor < 0}
    T = np.eye(model.size)
    for k in held:
        T[k, k] = 0.0
        if tips.get(int(k), -1) >= 0:
            T[k] = T[tips[int(k)]]
    return T[:, np.setdiff1d(np.arange(model.size), held)]


def _solve_held(band: np.ndarray, residual: np.ndarray, T: np.ndarray) -> np.ndarray:
    return -T @ np.linalg.solve(T.T @ tangents.dense(band) @ T, T.T @ residual)


def _solve_constrained(
    model: FemModel, state: State, band: np.ndarray, residual: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Correction of all unknowns and of the constraints' forces; motors that are held count as further equations."""
    T, free = tangents.freedoms(model, state), tangents.free_unknowns(model)
    G, gaps = tangents.constraint_jacobian(model, state)
    rows = np.vstack([G, _held_rows(model) @ T])
    right = -np.concatenate([residual[free], gaps, np.zeros(len(rows) - len(G))])
    K = tangents.dense(band)[np.ix_(free, free)]
    size = 1.0 / np.sqrt(np.abs(np.diag(K)) + 1e-9 * np.abs(K).max())
    scale = np.concatenate([size, 1.0 / np.maximum(np.linalg.norm(rows * size, axis=1), 1e-300)])
    matrix = np.block([[K, rows.T], [rows, np.zeros((len(rows), len(rows)))]])
    found = scale * np.linalg.lstsq(matrix * np.outer(scale, scale), scale * right, rcond=1e-13)[0]
    return T @ found[: len(free)], found[len(free) : len(free) + len(G)]


def _held_rows(model: FemModel) -> np.ndarray:
    """Angles of the motors that are held, per unknown, (held, size); joints that follow from loops are not held."""
    held = [
        i for i in range(model.links) if model.parts.joint[i, at.J_LAW] and model.arm.links[i].name not in model.passive
    ]
    return np.array([tangents.drive_row(model, i) for i in held]).reshape(len(held), model.size)


def _solve_band(band: np.ndarray, residual: np.ndarray) -> np.ndarray:
    """Solution of a general band system, with pivoting."""
    from scipy.linalg import solve_banded

    n, b = band.shape[0], band.shape[1] // 2
    columns = np.zeros((2 * b + 1, n))
    for k in range(2 * b + 1):
        shift = k - b  # column minus row
        rows = slice(max(0, -shift), n - max(0, shift))
        columns[b - shift, max(0, shift) : n - max(0, -shift)] = band[rows, k]
    return solve_banded((b, b), columns, residual, overwrite_ab=True)
