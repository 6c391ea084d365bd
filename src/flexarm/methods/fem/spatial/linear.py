"""Equilibrium and small motions about it: matrices for frequencies and control design."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.errors import CapabilityError
from flexarm.methods.base import Joints, LinearModel, State
from flexarm.methods.fem.spatial import assemble, stepping
from flexarm.methods.fem.spatial import layout as at
from flexarm.methods.fem.spatial.arrays import views
from flexarm.methods.fem.spatial.placing import place_rigidly, shift

if TYPE_CHECKING:
    from flexarm.methods.fem.spatial.model import SpatialModel

MOST_ITERATIONS = 60


def dense(band: np.ndarray) -> np.ndarray:
    """The full matrix of a band matrix."""
    n, b = band.shape[0], band.shape[1] // 2
    full = np.zeros((n, n))
    for k in range(2 * b + 1):
        rows = np.arange(max(0, b - k), min(n, n + b - k))
        full[rows, rows + k - b] = band[rows, k]
    return full


def pose_row(model: SpatialModel, pose: Any) -> np.ndarray:
    """A drive row (channels, 7) that holds all joints at `pose`."""
    row = np.zeros((max(1, model.channels), 7))
    row[: len(model.wiring.joints), 0] = np.asarray(pose, dtype=float)
    return row


def _matrix(model: SpatialModel, state: State, wanted: int, speed: float, push: float) -> tuple[np.ndarray, np.ndarray]:
    """Residual and matrix at a state whose joint values are set."""
    residual, band = np.zeros(model.size), np.zeros_like(model.band)
    x = views(state.x, model.F, model.links)
    assemble.evaluate(model.parts, x, model.scratch, wanted, speed, push, residual, band)
    return residual, band


def static_state(model: SpatialModel, pose: Any) -> State:
    """Equilibrium under gravity with the motors held at `pose`, by Newton's method."""
    state = model.empty()
    row = pose_row(model, pose)
    place_rigidly(model, state, pose, None, row)
    x = views(state.x, model.F, model.links)
    stepping.set_row(row, model.parts, x, model.scratch)
    if not any(model.arm.gravity):
        return state
    free = held_unknowns(model)
    length = model.par[at.P_LENGTH]
    for _ in range(MOST_ITERATIONS):
        stepping.set_joints(row, model.joint, model.jfig, x[4], x[9], model.scratch[6], model.scratch[5])
        residual, band = _matrix(model, state, assemble.ALL, 0.0, 0.0)
        K = dense(band)[np.ix_(free, free)]
        step = np.zeros(model.size)
        step[free] = np.linalg.solve(K, residual[free])
        if not np.all(np.isfinite(step)):
            break
        size = float(np.abs(step).max(initial=0.0))
        step *= min(1.0, 0.2 * length / max(size, 1e-300))
        shift(model, x, step)
        if size < 1e-13 * length:
            stepping.set_joints(row, model.joint, model.jfig, x[4], x[9], model.scratch[6], model.scratch[5])
            _matrix(model, state, assemble.NONE, 0.0, 0.0)
            return state
    if size < 1e-9 * length:
        return state
    raise CapabilityError("no equilibrium was found: the arm is too soft for its own weight", field="arm.gravity")


def held_unknowns(model: SpatialModel) -> np.ndarray:
    """Unknowns that are free when all motors are held: joints without spring are locked too."""
    held = set()
    for i in range(model.links):
        if model.joint[i, at.J_TURN] >= 0:
            held.add(int(model.joint[i, at.J_TURN]))
        elif model.joint[i, at.J_PSI] >= 0 and model.jfig[i, at.K_SPRING] == 0.0:
            held.add(int(model.joint[i, at.J_PSI]))
    return np.array([k for k in range(model.size) if k not in held], dtype=np.int64)


def tangent_matrices(model: SpatialModel, state: State) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """M, C, K about a state at rest; K is symmetric there, and is made so to rounding."""
    K = dense(_matrix(model, state, assemble.ALL, 0.0, 0.0)[1])
    C = dense(_matrix(model, state, assemble.ALL, 1.0, 0.0)[1]) - K
    M = dense(_matrix(model, state, assemble.MASS, 0.0, 1.0)[1])
    return 0.5 * (M + M.T), 0.5 * (C + C.T), 0.5 * (K + K.T)


def linear_model(model: SpatialModel, state: State | None, joints: Joints) -> LinearModel:
    """Matrices with the joints locked, free, or as their laws act on them (the loops open), at the start pose in equilibrium, or at `state`."""
    used = model
    if state is None:
        used = model if joints == "held" else model.rewired("motion" if joints == "locked" else "free")
        state = static_state(used, model.arm.pose)
    else:
        used.set_from(state)
    M, C, K = tangent_matrices(used, state)
    inputs, columns, sensed = [], [], []
    for i, link in enumerate(model.arm.links):
        if not used.joint[i, at.J_LAW]:
            continue
        psi, turn = int(used.joint[i, at.J_PSI]), int(used.joint[i, at.J_TURN])
        drive = turn if turn >= 0 else psi
        columns.append(np.eye(used.size)[drive])
        inputs.append(link.name)
        sensed.append(np.eye(used.size)[drive if used.joint[i, at.J_SENSE_MOTOR] else psi])
    shapes = used.reader.linear_shapes()
    tip = int(used.mesh.tips[model.arm.index(model.arm.payload_link.name)])
    return LinearModel(
        M=M, C=C, K=K, B=np.array(columns).T if columns else np.zeros((used.size, 0)),
        outputs=used.reader.frame_motion(tip)[:3], coordinates=used.reader.coordinate_names(),
        inputs=tuple(inputs), output_names=("tip.x", "tip.y", "tip.z"), shapes=shapes, stations=used.reader.stations,
        links=tuple(link.name for link in model.arm.links), sensed=np.array(sensed).reshape(len(sensed), used.size),
    )  # fmt: skip
