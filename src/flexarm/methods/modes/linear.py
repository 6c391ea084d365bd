"""Small motions about a state at rest: matrices for frequencies and control design, loops eliminated."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from flexarm.errors import CapabilityError
from flexarm.methods.base import Joints, LinearModel, State
from flexarm.methods.modes import layout as at
from flexarm.methods.modes.rest import load_stiffness, weigh

if TYPE_CHECKING:
    from flexarm.methods.modes.model import ModesModel


def null_space(jac: np.ndarray) -> np.ndarray:
    """Orthonormal motions that leave the loops closed, by singular value decomposition, (columns, freedoms)."""
    if not jac.size:
        return np.eye(jac.shape[1])
    _, values, right = np.linalg.svd(jac)
    rank = int(np.sum(values > 1e-9 * values.max(initial=0.0)))
    return right[rank:].T


def tangent(model: ModesModel, q: np.ndarray, lam: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """M, C, K (size, size) about q at rest, and the Jacobian of the loops."""
    M, _, _, jac = weigh(model, q)
    K = model.parts.K + load_stiffness(model, q, lam)
    return M, model.parts.D.copy(), K, jac


def motions(model: ModesModel, joints: Joints, jac: np.ndarray) -> np.ndarray:
    """All coordinates per independent small motion, (size, freedoms)."""
    if joints == "locked":
        kept = model.unheld()
    elif joints == "free":
        kept = np.arange(model.size)
    else:
        kept = np.arange(model.tree.moving)
    T = np.zeros((model.size, len(kept)))
    T[kept, np.arange(len(kept))] = 1.0
    return T @ null_space(jac[:, kept])


def frames_held(model: ModesModel, absolute: bool) -> np.ndarray:
    """Modal coordinates of the opened tree with every frame held: absolutely, or to the section that carries it."""
    tree, room = model.tree, model.room
    joints = [int(b[at.COORDINATE]) for b in tree.body[: len(model.beams)] if b[at.COORDINATE] >= 0]
    bodies = [k for k, b in enumerate(tree.body[: len(model.beams)]) if b[at.COORDINATE] >= 0]
    modal = [k for k in range(model.size) if k not in model.joint_coordinates]
    T = np.zeros((model.size, len(modal)))
    T[modal, np.arange(len(modal))] = 1.0
    rows = np.zeros((len(bodies), model.size))
    for r, b in enumerate(bodies):
        own = tree.columns[b, : tree.column_count[b]]
        rows[r, own] = room.J[b, 2, own]
        if not absolute:
            rows[r] = 0.0
            first, n = tree.body[b, at.FIRST], tree.body[b, at.COUNT]
            rows[r, tree.body[b, at.COORDINATE]] = 1.0
            rows[r, first : first + n] = -tree.modal[b, at.SLOPE, :n]
    T[joints] = -np.linalg.solve(rows[:, joints], rows[:, modal])
    return T


def linear_model(model: ModesModel, state: State | None, joints: Joints) -> LinearModel:
    """Matrices with the motors locked, free or held by their laws."""
    if state is None:
        q, lam = model.rest_state()
    else:
        q, lam = state.x[model.layout["q"]].copy(), state.x[model.layout["lam"]]
    M, C, K, jac = tangent(model, q, lam)
    if model.cut:
        T = frames_held(model, model.options.loops == "cut-absolute")
        M, _, _, _ = tangent(model, q, lam)
    else:
        T = motions(model, joints, jac)
    inputs, columns, sensed = [], [], []
    for j, wired in enumerate(model.wiring.joints):
        row = np.zeros(model.size)
        row[model.tree.joint[j, at.J_DRIVE]] = 1.0
        if not np.any(row @ T):
            continue
        inputs.append(wired.name)
        columns.append(row)
        sense = np.zeros(model.size)
        sense[model.tree.joint[j, at.J_SENSE]] = 1.0
        sensed.append(sense @ T)
    B = np.array(columns).T if columns else np.zeros((model.size, 0))
    shapes, stations = model.reader.linear_shapes(q)
    return LinearModel(
        M=T.T @ M @ T, C=T.T @ C @ T, K=T.T @ K @ T, B=T.T @ B, outputs=model.reader.tip_rows(q) @ T,
        coordinates=tuple(f"motion {k + 1}" for k in range(T.shape[1])), inputs=tuple(inputs),
        output_names=("tip.x", "tip.y"), shapes=np.einsum("cm,clsa->mlsa", T, shapes), stations=stations,
        links=tuple(link.name for link in model.arm.links),
        elastic=np.einsum("ci,lcd,dj->lij", T, model.tree.elastic, T),
        sensed=np.array(sensed).reshape(len(sensed), T.shape[1]),
    )  # fmt: skip


def spinning_model(model: ModesModel, spin: float) -> LinearModel:
    """Small motions about a steady turn with locked joints, seen by an observer who turns with the arm.

    The turn is that of the root joint, so the centrifugal potential is -spin^2 / 2 times the mass matrix' entry of that
    joint. Its derivatives are differences of the exact matrix; Coriolis terms follow from h, which is a quadratic form
    of the velocities.
    """
    roots = [b for b in range(len(model.beams)) if model.tree.body[b, at.PARENT] < 0]
    root = model.tree.body[roots[0], at.COORDINATE] if len(roots) == 1 else -1
    if root < 0 or model.arm.loops or any(model.arm.gravity[:2]):
        raise CapabilityError("a steady turn needs a tree on one root joint, without loops and gravity", field="spin")
    q, _ = model.rest_state()
    free = model.unheld()
    step = 1e-4 * np.ones(model.size)

    def inertia(at_q: np.ndarray) -> float:
        return float(weigh(model, at_q)[0][root, root])

    def gradient(at_q: np.ndarray) -> np.ndarray:
        out = np.zeros(len(free))
        for k, i in enumerate(free):
            values = []
            for share in (2.0, 1.0, -1.0, -2.0):
                moved = at_q.copy()
                moved[i] += share * step[i]
                values.append(inertia(moved))
            out[k] = (-values[0] + 8.0 * values[1] - 8.0 * values[2] + values[3]) / (12.0 * step[i])
        return out

    def curvature(at_q: np.ndarray) -> np.ndarray:
        out = np.zeros((len(free), len(free)))
        for k, i in enumerate(free):
            up, down = at_q.copy(), at_q.copy()
            up[i] += step[i]
            down[i] -= step[i]
            out[k] = (gradient(up) - gradient(down)) / (2.0 * step[i])
        return 0.5 * (out + out.T)

    K = model.parts.K[np.ix_(free, free)]
    for _ in range(20):
        pull = 0.5 * spin**2 * gradient(q)
        move = np.linalg.solve(K - 0.5 * spin**2 * curvature(q), pull - (model.parts.K @ q)[free])
        q[free] += move
        if np.abs(move).max() < 1e-10 * model.reach:
            break
    base = linear_model(model, model.state_at(q), "locked")
    return replace(base, C=base.C + _coriolis(model, q, root, spin, free), K=K - 0.5 * spin**2 * curvature(q))


def _coriolis(model: ModesModel, q: np.ndarray, root: int, spin: float, free: np.ndarray) -> np.ndarray:
    """Terms of h that are linear in the small velocities, about a steady turn."""

    def bias(v: np.ndarray) -> np.ndarray:
        return model.bias(q, v)

    steady = np.zeros(model.size)
    steady[root] = spin
    out = np.zeros((len(free), len(free)))
    for k, i in enumerate(free):
        unit = np.zeros(model.size)
        unit[i] = 1.0
        out[:, k] = (bias(steady + unit) - bias(steady) - bias(unit))[free]
    return out
