"""Equilibrium: the arm at rest under weight and constant forces, with its motors held."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.errors import CapabilityError
from flexarm.methods.base import State
from flexarm.methods.fem import joints
from flexarm.methods.fem import layout as at
from flexarm.methods.fem.far_nodes import place_far_nodes
from flexarm.methods.fem.loop_closure import closed_pose
from flexarm.methods.fem.tangents import (
    constraint_jacobian,
    dense,
    drive_row,
    evaluate_at,
    free_unknowns,
    freedoms,
    parts_of,
)
from flexarm.numerics.jit import callable_from_python

if TYPE_CHECKING:
    from flexarm.methods.fem.model import FemModel

set_frame = callable_from_python(joints.set_frame)
MOST_ITERATIONS = 60
LOAD_PARTS = (1, 4, 16, 64)
"""In how many parts constant forces are put on, until an equilibrium is found."""


def set_pose(model: FemModel, state: State, pose: Any) -> None:
    """Stiff arm at `pose` with its loops closed, at rest, commands there too."""
    pose, rows = closed_pose(model.arm, pose), np.zeros((max(1, model.channels), 7))
    rows[: len(model.wiring.joints), 0] = np.asarray(pose, dtype=float)
    model.place_rigidly(state, pose, None, rows)
    frame = state.x[model.layout["frame"]].reshape(at.FRAME, model.links)
    set_frame(model.parts, rows, frame)


def static_state(model: FemModel, pose: Any, force: np.ndarray | None = None) -> State:
    """Equilibrium under gravity and constant forces (size,), with the motors held at `pose`, by Newton's method.

    If the full forces are too much at once they are put on in parts.
    """
    state = model.empty()
    set_pose(model, state, pose)
    loaded = force is not None and bool(np.any(force))
    if not any(model.arm.gravity[:2]) and not loaded:
        return state
    T = None if model.constraints.rows else _held_motors(model)
    none = np.zeros(model.size)
    for parts in LOAD_PARTS if loaded else (1,):
        trial = state.copy()
        shares = [none if force is None else (k + 1) / parts * force for k in range(parts)]
        if parts > 1:
            shares.insert(0, none)
        if all(_relax(model, trial, share, T) for share in shares) and not (loaded and _crushed(model, trial)):
            return trial
    if loaded:
        raise CapabilityError("no equilibrium was found: the arm is too soft for these loads", field="loads")
    raise CapabilityError("no equilibrium was found: the arm is too soft for its own weight", field="arm.gravity")


def _crushed(model: FemModel, state: State) -> bool:
    """True if some section is pressed to nothing, which no beam stands."""
    record = model.record(state)[None, :]
    for i in np.flatnonzero(model.mesh.counts):
        axial = model.reader.section_forces(record, int(i))[1][0]
        if np.any(axial <= -model.constant.properties[model.mesh.link == i, :, at.EA].ravel()):
            return True
    return False


def is_stable(model: FemModel, state: State) -> bool:
    """True if the energy has a minimum at an equilibrium with all motors held: all pivots are positive."""
    from flexarm.numerics.bandlu import factor

    band = evaluate_at(model, state.x, 0.0, 0.0)[1]
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


def _relax(model: FemModel, state: State, force: np.ndarray, T: np.ndarray | None) -> bool:
    """Move the state to equilibrium, in place; False if the corrections do not die out."""
    length, last = model.parts.reach, np.inf
    q = state.x[model.layout["q"]]
    for _ in range(MOST_ITERATIONS):
        residual, band = evaluate_at(model, state.x, 0.0, 0.0, force)
        try:
            if model.constraints.rows:
                step, pull = _solve_constrained(model, state, band, residual)
                state.x[model.layout["lam"]] += pull
            else:
                step = -_solve_band(band, residual) if T is None else _solve_held(band, residual, T)
        except np.linalg.LinAlgError:
            return False
        largest = float(np.abs(step).max())
        if not np.isfinite(largest):
            return False
        scale = min(1.0, 0.3 * length / max(largest, 1e-300))
        q += scale * step
        place_far_nodes(model.parts, parts_of(state.x, model.size, model.links))
        # slender beams end at the rounding of their axial stiffness: there the corrections stop shrinking
        if largest < 1e-12 * length or (largest < 1e-8 * length and largest > 0.25 * last):
            return True
        last = largest
    return False


def _solve_held(band: np.ndarray, residual: np.ndarray, T: np.ndarray) -> np.ndarray:
    return -T @ np.linalg.solve(T.T @ dense(band) @ T, T.T @ residual)


def _solve_constrained(
    model: FemModel, state: State, band: np.ndarray, residual: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Correction of all unknowns and of the constraints' forces; motors that are held count as further equations."""
    T, free = freedoms(model, state), free_unknowns(model)
    G, gaps = constraint_jacobian(model, state)
    rows = np.vstack([G, _held_rows(model) @ T])
    right = -np.concatenate([residual[free], gaps, np.zeros(len(rows) - len(G))])
    K = dense(band)[np.ix_(free, free)]
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
    return np.array([drive_row(model, i) for i in held]).reshape(len(held), model.size)


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
