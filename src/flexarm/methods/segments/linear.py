"""Equilibrium, and small motions about a state: mass, damping and stiffness on the angles of the chain.

With u_j = m_j c_j + (mass beyond j) o_j (c, o: vectors to centre and outboard point of body j), the mass matrix on all absolute
angles is M_ij = o_i . u_j for i < j (geared rotors add theirs, `across`), the forces of the rates are G_ij omega_j^2 with
G_ij = - o_i x u_j, and gravity adds g . u_j to the stiffness. Angles on rigid connections are those of the body before them.

Equations: G18, G19.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.errors import CapabilityError
from flexarm.methods.base import Joints, LinearModel, State
from flexarm.methods.equilibrium import find_equilibrium
from flexarm.methods.segments import layout as at
from flexarm.methods.segments.loads import load_stiffness
from flexarm.methods.segments.stepping import correct_equilibrium
from flexarm.numerics.law_rows import FORCE

if TYPE_CHECKING:
    from flexarm.methods.segments.model import SegmentsModel

LARGEST_TURN = 3.0
"""A correction of an equilibrium beyond this (rad) does not lead to one."""


def directions(body: np.ndarray, theta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Vectors inboard-outboard and inboard-centre of all bodies in the world, (..., B, 2) each."""
    c, s = np.cos(theta), np.sin(theta)
    out = np.stack([body[:, at.OX] * c - body[:, at.OY] * s, body[:, at.OX] * s + body[:, at.OY] * c], axis=-1)
    centre = np.stack([body[:, at.CX] * c - body[:, at.CY] * s, body[:, at.CX] * s + body[:, at.CY] * c], axis=-1)
    return out, centre


def inertia(body: np.ndarray, theta: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """M and G on all angles (B, B), and the first moments u (B, 2)."""
    out, centre = directions(body, theta)
    mass = body[:, at.M]
    beyond = np.concatenate([np.cumsum(mass[::-1])[::-1][1:], [0.0]])
    u = mass[:, None] * centre + beyond[:, None] * out
    dot, cross = out @ u.T, np.outer(out[:, 0], u[:, 1]) - np.outer(out[:, 1], u[:, 0])
    upper = np.triu(dot, 1)
    M = upper + upper.T
    np.fill_diagonal(M, body[:, at.J] + mass * np.sum(centre**2, axis=1) + beyond * np.sum(out**2, axis=1))
    G = -np.triu(cross, 1)
    return M + across(body[:, at.GEAR]), G - G.T, u


def across(values: np.ndarray) -> np.ndarray:
    """Matrix on the angles (B, B) of stiffness, damping or inertia (B,) that feels each body's turn against the one before."""
    out = np.diag(values)
    out[:-1, :-1] += np.diag(values[1:])
    return out - np.diag(values[1:], 1) - np.diag(values[1:], -1)


def mapping(kind: np.ndarray) -> np.ndarray:
    """All angles from the independent ones, (B, n)."""
    independent = kind[:, at.CONNECTION] != at.RIGID
    T = np.zeros((len(kind), int(independent.sum())))
    column = -1
    for b, free in enumerate(independent):
        if free:
            column += 1
            T[b, column] = 1.0
        elif b > 0:
            T[b] = T[b - 1]
    return T


def spring_matrix(body: np.ndarray, kind: np.ndarray, column: int) -> np.ndarray:
    """Stiffness (or damping) of all springs on the angles, (B, B)."""
    return across(np.where(kind[:, at.CONNECTION] == at.SPRING, body[:, column], 0.0))


def all_angles(model: SegmentsModel, state: State) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """M, C, K on all angles about a state; rates of the state count, its accelerations do not."""
    body, kind = model.chain.body, model.chain.kind
    theta, omega = state.x[model.layout["theta"]], state.x[model.layout["omega"]]
    M, G, u = inertia(body, theta)
    D = M - np.diag(body[:, at.J]) - across(body[:, at.GEAR])
    C = spring_matrix(body, kind, at.C) + 2.0 * G * omega
    K = spring_matrix(body, kind, at.K) + np.diag(u @ np.array(model.arm.gravity[:2]))
    K += np.diag(D @ omega**2) - D * omega**2
    return M, C, K - load_stiffness(model, state)


def tangent_matrices(model: SegmentsModel, state: State) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """M, C, K on the independent angles."""
    T = mapping(model.chain.kind)
    M, C, K = all_angles(model, state)
    return T.T @ M @ T, T.T @ C @ T, T.T @ K @ T


def rigid_angles(model: SegmentsModel, pose: Any) -> np.ndarray:
    """Absolute angles (B,) of the undeformed arm at `pose` (one number per joint)."""
    turn = np.zeros(model.chain.size)
    for i, row in enumerate(model.chain.joint):
        k = row[at.J_CHANNEL]
        turn[row[at.J_DRIVE]] = float(pose[k]) if k >= 0 else model.arm.links[i].joint.start
    return np.cumsum(turn)


def static_state(model: SegmentsModel, pose: Any, spin: float = 0.0, row: np.ndarray | None = None) -> State:
    """Equilibrium under gravity and the loads of a drive row, or in a steady turn at the rate `spin`, with all motors held at
    `pose`, by the sweep itself."""
    state, joints, told = model.empty(), len(model.wiring.joints), row
    state.x[model.layout["theta"]] = rigid_angles(model, pose)
    loads = np.zeros(len(model.wiring.patches)) if told is None else told[joints:, FORCE]
    if not any(model.arm.gravity[:2]) and not spin and not np.any(loads):
        return state
    kind = model.chain.kind.copy()
    kind[kind[:, at.CONNECTION] == at.TORQUE, at.CONNECTION] = at.RIGID
    held, row = model.packed(kind), np.zeros_like(model.work.rows[0])
    row[:joints, 0] = pose

    def correct(trial: State, share: float) -> float | None:
        held.gravity_x, held.gravity_y = (share * float(g) for g in model.arm.gravity[:2])
        trial.x[model.layout["loads"]] = share * loads
        size = correct_equilibrium(trial.x, row, spin * np.sqrt(share), held, model.work)
        return size if size < LARGEST_TURN else None

    return find_equilibrium(state, correct, bool(np.any(loads)))


def linear_model(model: SegmentsModel, state: State, joints: Joints) -> LinearModel:
    """Matrices about a state."""
    T = mapping(model.chain.kind)
    M, C, K = tangent_matrices(model, state)
    inputs, columns, sensed = [], [], []
    for i, row in enumerate(model.chain.joint):
        if row[at.J_MODE] != at.DRIVEN:
            continue
        drive = _difference(T, row, at.J_DRIVE)
        inputs.append(model.arm.links[i].name)
        columns.append(drive)
        sensed.append(drive if row[at.J_SENSE_MOTOR] else _difference(T, row, at.J_ROOT))
    x, names = state.x[: model.record_width], coordinate_names(model)
    return model.reader.linear_model(x, changes(model, T), (M, C, K), names, inputs, np.transpose(columns), sensed)


def changes(model: SegmentsModel, T: np.ndarray) -> np.ndarray:
    """Change of a record per unit of each independent angle: all angles, and those of the joints, (width, n)."""
    out, links = np.zeros((model.record_width, T.shape[1])), len(model.arm.links)
    out[model.layout["theta"]] = T
    joints = out[model.layout["joints"]].reshape(at.JOINTS, links, T.shape[1])
    for i, row in enumerate(model.chain.joint):
        root = row[at.J_ROOT]
        bend = model.chain.body[root, at.K] * (T[root] - (T[root - 1] if root else 0.0))
        merged = model.joint_data[i, at.ROOT_COMPLIANCE] + model.joint_data[i, at.TIP_COMPLIANCE]
        joints[at.POSITION, i] = _difference(T, row, at.J_ROOT) - merged * bend
        joints[at.MOTOR, i] = _difference(T, row, at.J_DRIVE)
    return out


def _difference(T: np.ndarray, row: np.ndarray, part: int) -> np.ndarray:
    """Row of the angle of a side of the joint against the body before it, on the independent angles."""
    before = T[row[at.J_TIP]] if row[at.J_TIP] >= 0 else 0.0
    return T[row[part]] - before


def coordinate_names(model: SegmentsModel) -> tuple[str, ...]:
    """Names of the independent angles."""
    names, count = [], dict.fromkeys(range(len(model.arm.links)), 0)
    for connection, _, link in model.chain.kind:
        if connection != at.RIGID:
            names.append(f"{model.arm.links[link].name} angle {count[link]}")
        count[link] += 1
    return tuple(names)


def spinning_model(model: SegmentsModel, spin: float) -> LinearModel:
    """Small motions about a steady turn with locked joints; the angles turn with the arm."""
    if any(model.arm.gravity[:2]):
        raise CapabilityError("a steady turn needs an arm without gravity", field="spin")
    used = model.rewired("motion")
    return linear_model(used, static_state(used, model.arm.pose, spin), "locked")
