"""Equilibrium and small motions about it: matrices for frequencies and control design.

Equations: S28.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.errors import CapabilityError
from flexarm.methods.base import Joints, LinearModel, State
from flexarm.methods.fem.spatial import layout as at
from flexarm.methods.fem.spatial.loading import PointLoad, held_roots, load_stiffness, on_unknowns
from flexarm.methods.fem.spatial.placing import place_rigidly, shift

if TYPE_CHECKING:
    from flexarm.methods.fem.spatial.model import SpatialModel

MOST_ITERATIONS = 60
LOAD_PARTS = (1, 4, 16, 64)
"""In how many parts loads are put on, until an equilibrium is found."""


def pose_row(model: SpatialModel, pose: Any) -> np.ndarray:
    """A drive row (channels, 7) that holds all joints at `pose`."""
    row = np.zeros((max(1, model.channels), 7))
    row[: len(model.wiring.joints), 0] = np.asarray(pose, dtype=float)
    return row


def static_state(model: SpatialModel, pose: Any, loads: Sequence[PointLoad] = ()) -> State:
    """Equilibrium under gravity and point loads with the motors held at `pose`, by Newton's method.

    If the full loads are too much at once they are put on in parts.
    """
    state = model.empty()
    row = pose_row(model, pose)
    place_rigidly(model, state, pose, None, row)
    model.look(state, row)
    if not any(model.arm.gravity) and not loads:
        return state
    for parts in LOAD_PARTS if loads else (1,):
        trial = state.copy()
        if all(_relax(model, trial, loads, (k + 1) / parts) for k in range(parts)):
            held_roots(model, trial, loads)
            return trial
    if loads:
        raise CapabilityError("no equilibrium was found: the arm is too soft for these loads", field="loads")
    raise CapabilityError("no equilibrium was found: the arm is too soft for its own weight", field="arm.gravity")


def _relax(model: SpatialModel, state: State, loads: Sequence[PointLoad], share: float) -> bool:
    """Move a state to equilibrium with a share of the loads, in place; False if the corrections do not die out."""
    x, free, length = model.views(state), held_unknowns(model), model.parts.length
    acting = [(link, fraction, share * load) for link, fraction, load in loads]
    size = np.inf
    for _ in range(MOST_ITERATIONS):
        residual, K = loaded_balance(model, state, acting)
        step = np.zeros(model.size)
        try:
            step[free] = np.linalg.solve(K[np.ix_(free, free)], residual[free])
        except np.linalg.LinAlgError:
            return False
        if not np.all(np.isfinite(step)):
            return False
        size = float(np.abs(step).max(initial=0.0))
        step *= min(1.0, 0.2 * length / max(size, 1e-300))
        shift(model, x, step)
        if size < 1e-13 * length:
            break
    model.look(state)
    return size < 1e-9 * length


def loaded_balance(model: SpatialModel, state: State, loads: Sequence[PointLoad]) -> tuple[np.ndarray, np.ndarray]:
    """Residual (size,) and tangent (size, size) at rest under point loads, drives as at the last look."""
    residual, matrix, _ = model.look(state, None, at.TANGENT)
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
    K = model.look(state, None, at.TANGENT).matrix.dense()
    C = model.look(state, None, at.TANGENT, 1.0).matrix.dense() - K
    M = model.look(state, None, at.MASS, 0.0, 1.0).matrix.dense()
    return 0.5 * (M + M.T), 0.5 * (C + C.T), 0.5 * (K + K.T)


def linear_model(model: SpatialModel, state: State | None, joints: Joints) -> LinearModel:
    """Matrices with the joints locked, free, or as their laws act on them (the loops open), at the start pose in equilibrium, or at `state`."""
    used = model
    if state is None:
        used = model if joints == "held" else model.rewired("motion" if joints == "locked" else "free")
        state = static_state(used, model.arm.pose)
    else:
        used.look(state, used.row_of(state))
    M, C, K = tangent_matrices(used, state)
    inputs, columns, sensed = [], [], []
    for i, link in enumerate(model.arm.links):
        if not used.joints[i, at.J_LAW]:
            continue
        psi, turn = int(used.joints[i, at.J_PSI]), int(used.joints[i, at.J_TURN])
        drive = turn if turn >= 0 else psi
        columns.append(np.eye(used.size)[drive])
        inputs.append(link.name)
        sensed.append(np.eye(used.size)[drive if used.joints[i, at.J_SENSE_MOTOR] else psi])
    shapes = used.reader.linear_shapes()
    tip = int(used.mesh.tips[model.arm.index(model.arm.payload_link.name)])
    return LinearModel(
        M=M, C=C, K=K, B=np.array(columns).T if columns else np.zeros((used.size, 0)),
        outputs=used.reader.frame_motion(tip)[:3], coordinates=used.reader.coordinate_names(),
        inputs=tuple(inputs), output_names=("tip.x", "tip.y", "tip.z"), shapes=shapes, stations=used.reader.stations,
        links=tuple(link.name for link in model.arm.links), sensed=np.array(sensed).reshape(len(sensed), used.size),
    )  # fmt: skip
