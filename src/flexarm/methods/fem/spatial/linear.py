"""Equilibrium and small motions about it: matrices for frequencies and control design.

Equations: S28.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.methods.base import Joints, LinearModel, State
from flexarm.methods.equilibrium import find_equilibrium, limited
from flexarm.methods.fem.spatial import layout as at
from flexarm.methods.fem.spatial.loading import PointLoad, held_roots, load_stiffness, on_unknowns
from flexarm.methods.fem.spatial.packing import state_places
from flexarm.methods.fem.spatial.placing import frame_motions, place_rigidly, shift
from flexarm.numerics.law_rows import FORCE

if TYPE_CHECKING:
    from flexarm.methods.fem.spatial.model import SpatialModel


def static_state(
    model: SpatialModel, pose: Any, loads: Sequence[PointLoad] = (), row: np.ndarray | None = None
) -> State:
    """Equilibrium under gravity and point loads with the motors held at `pose`; `row` has other commands."""
    joints, pushes = len(model.wiring.joints), np.zeros(model.parts.loads)
    if row is not None and len(pushes):
        pushes = row[joints:, FORCE].copy()
    state, row = model.empty(), model.posed_row(pose if row is None else row[:joints, 0])
    place_rigidly(model, state, pose, None, row)
    model.evaluate(state, row)
    if not any(model.arm.gravity) and not loads and not np.any(pushes):
        return state
    free, length, gravity = held_unknowns(model), model.parts.length, model.parts.gravity

    def correct(trial: State, share: float) -> float | None:
        gravity[:] = share * np.array(model.arm.gravity)
        row[joints : joints + len(pushes), FORCE] = share * pushes
        model.evaluate(trial, row)
        residual, K = loaded_balance(
            model, trial, [load._replace(force=share * load.force, moment=share * load.moment) for load in loads]
        )
        step = np.zeros(model.size)
        try:
            step[free] = np.linalg.solve(K[np.ix_(free, free)], residual[free])
        except np.linalg.LinAlgError:
            return None
        step, size = limited(step, length)
        shift(model, model.views(trial), step)
        return size

    try:
        found = find_equilibrium(state, correct, bool(loads) or bool(np.any(pushes)))
    finally:
        gravity[:] = model.arm.gravity
    model.evaluate(found)
    held_roots(model, found, loads)
    return found


def loaded_balance(model: SpatialModel, state: State, loads: Sequence[PointLoad]) -> tuple[np.ndarray, np.ndarray]:
    """Residual (size,) and tangent (size, size) at rest under point loads, drives as at the last look."""
    residual, matrix, _ = model.evaluate(state, None, at.TANGENT)
    K = matrix.dense()
    if loads:
        residual -= on_unknowns(model, model.views(state), loads)
        K -= load_stiffness(model, state, loads)
    return residual, K


def is_stable(model: SpatialModel, state: State, loads: Sequence[PointLoad]) -> bool:
    """True if the energy has a minimum at an equilibrium with all motors held."""
    free = held_unknowns(model)
    K = loaded_balance(model, state, loads)[1][np.ix_(free, free)]
    scale = 1.0 / np.sqrt(np.maximum(np.abs(np.diag(K)), 1e-300))
    return bool(np.linalg.eigvalsh(0.5 * (K + K.T) * np.outer(scale, scale)).min(initial=1.0) > 0.0)


def held_unknowns(model: SpatialModel) -> np.ndarray:
    """Unknowns that are free when all motors are held: joints without spring are locked too."""
    held = set()
    for i in range(model.links):
        if model.joints[i, at.J_TURN] >= 0:
            held.add(int(model.joints[i, at.J_TURN]))
        elif model.joints[i, at.J_PSI] >= 0 and model.joint_data[i, at.K_SPRING] == 0.0:
            held.add(int(model.joints[i, at.J_PSI]))
    return np.array([k for k in range(model.size) if k not in held], dtype=np.int64)


def tangent_matrices(model: SpatialModel, state: State) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """M, C, K about a state at rest that was looked at last; K is symmetric there, and is made so to rounding."""
    K = model.evaluate(state, None, at.TANGENT).matrix.dense()
    C = model.evaluate(state, None, at.TANGENT, 1.0).matrix.dense() - K
    M = model.evaluate(state, None, at.MASS, 0.0, 1.0).matrix.dense()
    turning = any(patch.axes == "link" for patch in model.wiring.patches)  # their K is not symmetric
    return 0.5 * (M + M.T), 0.5 * (C + C.T), K if turning else 0.5 * (K + K.T)


def linear_model(model: SpatialModel, state: State, joints: Joints) -> LinearModel:
    """Matrices about a state that was looked at last."""
    M, C, K = tangent_matrices(model, state)
    acting = np.flatnonzero(model.joints[:, at.J_LAW])
    inputs = [model.arm.links[i].name for i in acting]
    by_motor = model.joints[acting, at.J_SENSE_MOTOR]
    sensed = [f"{name}.{'motor_position' if m else 'position'}" for name, m in zip(inputs, by_motor, strict=True)]
    x, T = state.x[: model.record_width], state_changes(model, state)
    return model.reader.linear_model(x, T, (M, C, K), coordinate_names(model), inputs, None, sensed)


def state_changes(model: SpatialModel, state: State) -> np.ndarray:
    """What the numbers of a record change with the unknowns, (record_width, size), at the state that was looked at last."""
    place, moves = state_places(model.F, model.links), frame_motions(model)
    change = np.zeros((model.record_width, model.size))
    change[place["position"]], change[place["small_rotation"]] = moves[:, :3], moves[:, 3:]
    if model.options.theory != "linear":
        R = model.views(state).rotation.reshape(-1, 3, 3)
        turned = np.cross(moves[:, 3:, None], R[..., None], axis=1)
        change[place["rotation"]] = turned.reshape(model.F, 9, model.size)
    for k, row, i in model.mesh.joint_unknowns:
        change[place["deviation"][row, i], k] = 1.0
        change[place["joint_record"][at.JOINT if row == at.PSI else at.MOTOR, i], k] = 1.0
        if row == at.PSI and model.mesh.turn[i] < 0 and not model.joints[i, at.J_PRESCRIBED]:
            change[place["joint_record"][at.MOTOR, i], k] = 1.0
    return change


def coordinate_names(model: SpatialModel) -> tuple[str, ...]:
    """Names of the unknowns."""
    names = [""] * model.size
    for k, row, i in model.mesh.joint_unknowns:
        names[k] = f"{model.arm.links[i].name} {'joint' if row == at.PSI else 'motor'}"
    for link, nodes in zip(model.arm.links, model.mesh.nodes, strict=True):
        for n, f in enumerate(nodes):
            dof = model.mesh.frames[f, at.F_DOF]
            if dof >= 0 and not names[dof]:
                for k, letter in enumerate(("x", "y", "z", "turn x", "turn y", "turn z")):
                    names[dof + k] = f"{link.name} {letter}{n}"
    return tuple(names)
