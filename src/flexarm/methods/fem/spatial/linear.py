"""Equilibrium and small motions about it: matrices for frequencies and control design."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.errors import CapabilityError
from flexarm.methods.base import Joints, LinearModel, State
from flexarm.methods.fem.spatial import layout as at
from flexarm.methods.fem.spatial.arrays import views
from flexarm.methods.fem.spatial.assemble import ALL, MASS
from flexarm.methods.fem.spatial.matrix import dense
from flexarm.methods.fem.spatial.placing import place_rigidly, shift

if TYPE_CHECKING:
    from flexarm.methods.fem.spatial.model import SpatialModel

MOST_ITERATIONS = 60


def pose_row(model: SpatialModel, pose: Any) -> np.ndarray:
    """A drive row (channels, 7) that holds all joints at `pose`."""
    row = np.zeros((max(1, model.channels), 7))
    row[: len(model.wiring.joints), 0] = np.asarray(pose, dtype=float)
    return row


def static_state(model: SpatialModel, pose: Any) -> State:
    """Equilibrium under gravity with the motors held at `pose`, by Newton's method."""
    state = model.empty()
    row = pose_row(model, pose)
    place_rigidly(model, state, pose, None, row)
    x = views(state.x, model.F, model.links)
    if not any(model.arm.gravity):
        model.look(state, row)
        return state
    free = held_unknowns(model)
    length = model.par[at.P_LENGTH]
    for _ in range(MOST_ITERATIONS):
        residual, band, _ = model.look(state, row, ALL)
        K = dense(band)[np.ix_(free, free)]
        step = np.zeros(model.size)
        step[free] = np.linalg.solve(K, residual[free])
        if not np.all(np.isfinite(step)):
            break
        size = float(np.abs(step).max(initial=0.0))
        step *= min(1.0, 0.2 * length / max(size, 1e-300))
        shift(model, x, step)
        if size < 1e-13 * length:
            model.look(state)
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
    """M, C, K about a state at rest that was looked at last; K is symmetric there, and is made so to rounding."""
    K = dense(model.look(state, None, ALL)[1])
    C = dense(model.look(state, None, ALL, 1.0)[1]) - K
    M = dense(model.look(state, None, MASS, 0.0, 1.0)[1])
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
