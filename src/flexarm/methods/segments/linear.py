"""Equilibrium, and small motions about a state: mass, damping and stiffness on the angles of the chain.

With u_j = m_j c_j + (mass beyond j) o_j (c, o: vectors to centre and outboard point of body j), the mass matrix on all absolute
angles is M_ij = o_i . u_j for i < j, the forces of the rates are G_ij omega_j^2 with G_ij = - o_i x u_j, and gravity adds
g . u_j to the stiffness. Angles on rigid connections are those of the body before them.

Equations: G18, G19.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.errors import CapabilityError
from flexarm.methods.base import Joints, LinearModel, State
from flexarm.methods.segments import layout as at
from flexarm.methods.segments.stepping import relax

if TYPE_CHECKING:
    from flexarm.methods.segments.model import SegmentsModel

LOAD_PARTS = (1, 4, 16, 64)
"""In how many parts gravity is put on, until an equilibrium is found."""


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
    return M, G - G.T, u


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
    K = np.zeros((len(body), len(body)))
    for b in np.flatnonzero(kind[:, at.CONNECTION] == at.SPRING):
        K[b, b] += body[b, column]
        if b > 0:
            K[b - 1, b - 1] += body[b, column]
            K[b, b - 1] -= body[b, column]
            K[b - 1, b] -= body[b, column]
    return K


def all_angles(model: SegmentsModel, state: State) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """M, C, K on all angles about a state; rates of the state count, its accelerations do not."""
    body, kind = model.chain.body, model.chain.kind
    theta, omega = state.x[model.layout["theta"]], state.x[model.layout["omega"]]
    M, G, u = inertia(body, theta)
    D = M - np.diag(body[:, at.J])
    C = spring_matrix(body, kind, at.C) + 2.0 * G * omega
    K = spring_matrix(body, kind, at.K) + np.diag(u @ np.array(model.arm.gravity[:2]))
    K += np.diag(D @ omega**2) - D * omega**2
    return M, C, K


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


def static_state(model: SegmentsModel, pose: Any, spin: float = 0.0) -> State:
    """Equilibrium under gravity, or in a steady turn, with all motors held at `pose`, by the sweep itself.

    If the whole load is too much at once it is put on in parts.
    """
    state = model.empty()
    theta = state.x[model.layout["theta"]]
    theta[:] = rigid_angles(model, pose)
    if not any(model.arm.gravity[:2]) and not spin:
        return state
    kind = model.chain.kind.copy()
    kind[kind[:, at.CONNECTION] == at.TORQUE, at.CONNECTION] = at.RIGID
    held, row = model.packed(kind), np.zeros_like(model.work.row)
    row[: len(model.wiring.joints), 0] = pose

    def relaxed(x: np.ndarray, share: float) -> bool:
        held.gravity_x, held.gravity_y = (share * float(g) for g in model.arm.gravity[:2])
        return relax(x, row, spin * np.sqrt(share), held, model.work)

    for parts in LOAD_PARTS:
        trial = state.copy()
        if all(relaxed(trial.x, (n + 1) / parts) for n in range(parts)):
            return trial
    raise CapabilityError("no equilibrium was found: the arm is too soft for its own weight", field="arm.gravity")


def linear_model(model: SegmentsModel, state: State | None, joints: Joints) -> LinearModel:
    """Matrices with the joints locked, free, or as their laws act on them (the loops open)."""
    used = model
    if state is None:
        used = model if joints == "held" else model.rewired("motion" if joints == "locked" else "free")
        state = static_state(used, model.arm.pose)
    T = mapping(used.chain.kind)
    M, C, K = tangent_matrices(used, state)
    inputs, columns, sensed = [], [], []
    for i, row in enumerate(used.chain.joint):
        if row[at.J_MODE] != at.DRIVEN:
            continue
        drive = _difference(T, row, at.J_DRIVE)
        inputs.append(model.arm.links[i].name)
        columns.append(drive)
        sensed.append(drive if row[at.J_SENSE_MOTOR] else _difference(T, row, at.J_ROOT))
    theta, x = used.layout["theta"], state.x[: used.record_width]
    shapes = np.einsum("lsax,xn->nlsa", used.reader.shape_rows(x)[..., theta], T)
    tip = used.reader.rows(x, ("tip.x", "tip.y"))[:, theta] @ T
    return LinearModel(
        M=M, C=C, K=K, B=np.array(columns).T if columns else np.zeros((len(M), 0)), outputs=tip,
        coordinates=coordinate_names(used), inputs=tuple(inputs), output_names=("tip.x", "tip.y"), shapes=shapes,
        stations=used.reader.stations, links=tuple(link.name for link in model.arm.links),
        sensed=np.array(sensed).reshape(len(sensed), len(M)),
    )  # fmt: skip


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
    state = static_state(used, model.arm.pose, spin)
    state.x[used.layout["omega"]] = spin
    return linear_model(used, state, "locked")
