"""Equilibrium, and the stiffness that weight and loop forces add to it.

A force F at a point of a body adds -F.d2r/dq2 to the stiffness. Along the tree positions are sums of A rho, so every body
contributes through the point that carries the next one, loaded by all that hangs on it:

    d2(F.A rho) = -F.A rho J^T J + F.E A s_k (J^T e_k + e_k^T J) + F.A H .
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flexarm.errors import CapabilityError
from flexarm.methods.modes import layout as at

if TYPE_CHECKING:
    from flexarm.methods.modes.model import ModesModel

MOST_ITERATIONS = 80


def weigh(model: ModesModel, q: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Mass matrix, weight forces on the left-hand side (size,), loop equations and their Jacobian at rest."""
    tree, room = model.tree, model.room
    model.take_pose(q)
    return room.M.copy(), room.h.copy(), room.phi[: tree.rows].copy(), room.jac.copy()


def load_stiffness(model: ModesModel, q: np.ndarray, lam: np.ndarray, only_second_order: bool = False) -> np.ndarray:
    """Stiffness (size, size) of weight and loop forces at q; or only its part by shortening (geometric stiffness)."""
    tree = model.tree
    model.take_pose(q)
    g = np.array(model.arm.gravity[:2])
    K = np.zeros((model.size, model.size))
    force = [tree.figures[b, at.MASS] * g for b in range(len(tree.body))]
    second = only_second_order or model.second_order
    for b in range(len(tree.body)):
        u, N = tree.figures[b, [at.MOMENT_X, at.MOMENT_Y]], tree.modal[b, [at.NX, at.NY]]
        H = _blocks(tree.modal[b], at.BLOCKS + at.B_HX * model.width, model.width)
        _add(model, K, b, g, u, N, H, q, second, only_second_order)
    for k, (first, last, *_) in enumerate(tree.loop):
        row = tree.loop[k, at.L_ROW]
        for point, sign in ((first, -1.0), (last, 1.0)):
            _add_point(model, K, point, sign * lam[row : row + 2], q, second, only_second_order)
            force[tree.point[point]] = force[tree.point[point]] + sign * lam[row : row + 2]
    for b in reversed(range(len(tree.body))):
        parent = tree.body[b, at.PARENT]
        if parent >= 0:
            _add_point(model, K, tree.body[b, at.POINT], force[b], q, second, only_second_order)
            force[parent] = force[parent] + force[b]
    return K


def _blocks(modal: np.ndarray, first: int, width: int) -> np.ndarray:
    return np.stack([modal[first : first + width], modal[first + width : first + 2 * width]])


def _add_point(
    model: ModesModel, K: np.ndarray, point: int, force: np.ndarray, q: np.ndarray, second: bool, only: bool
) -> None:
    modal = model.tree.point_modal[point]
    H = _blocks(modal, at.S_BLOCKS, model.width)
    b = int(model.tree.point[point])
    _add(model, K, b, force, model.tree.place[point], modal[[at.S_X, at.S_Y]], H, q, second, only)


def _add(
    model: ModesModel, K: np.ndarray, b: int, force: np.ndarray, r0: np.ndarray, s: np.ndarray, H: np.ndarray,
    q: np.ndarray, second: bool, only: bool,
) -> None:  # fmt: skip
    tree, room = model.tree, model.room
    n, first = tree.body[b, at.COUNT], tree.body[b, at.FIRST]
    own = slice(first, first + n)
    c, sine = room.kin[b, at.K_COS], room.kin[b, at.K_SIN]
    local = np.array([c * force[0] + sine * force[1], -sine * force[0] + c * force[1]])
    s, H = s[:, :n], H[:, :n, :n]
    if second:
        K[own, own] -= np.einsum("a,aij->ij", local, H)
    if only:
        return
    if model.second_order:
        rho, s = (
            r0 + s @ q[own] + 0.5 * np.einsum("aij,i,j->a", H, q[own], q[own]),
            s + np.einsum("aij,j->ai", H, q[own]),
        )
    else:
        rho = r0 + s @ q[own]
    J = room.J[b, 2].copy()
    keep = np.zeros(model.size)
    keep[tree.columns[b, : tree.column_count[b]]] = 1.0
    J *= keep
    K += float(local @ rho) * np.outer(J, J)
    turned = local[1] * s[0] - local[0] * s[1]  # F . E A s
    K[:, own] -= np.outer(J, turned)
    K[own, :] -= np.outer(turned, J)


def equilibrium(model: ModesModel, pose: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates and loop forces at rest with the motors held at `pose` (closed, joint order), by Newton's method."""
    q = model.stiff(pose)
    free, rows = model.unheld(), model.tree.rows
    if not any(model.arm.gravity[:2]) and not np.any(model.parts.K @ q):
        return q, np.zeros(rows)
    lam = np.zeros(rows)
    for _ in range(MOST_ITERATIONS):
        _, h, phi, jac = weigh(model, q)
        residual = (h + model.parts.K @ q)[free] + jac[:, free].T @ lam
        K = (model.parts.K + load_stiffness(model, q, lam))[np.ix_(free, free)]
        matrix = np.block([[K, jac[:, free].T], [jac[:, free], np.zeros((rows, rows))]])
        scale = np.concatenate([1.0 / np.sqrt(np.abs(np.diag(K)) + 1e-9 * np.abs(K).max()), np.ones(rows)])
        scale[len(free) :] = 1.0 / np.maximum(np.linalg.norm(jac[:, free] * scale[: len(free)], axis=1), 1e-300)
        right = -np.concatenate([residual, phi])
        step = scale * np.linalg.lstsq(matrix * np.outer(scale, scale), scale * right, rcond=1e-13)[0]
        if not np.all(np.isfinite(step)):
            break
        largest = float(np.abs(step[: len(free)]).max(initial=0.0))
        share = min(1.0, 0.3 * model.reach / max(largest, 1e-300))
        q[free] += share * step[: len(free)]
        lam = lam + share * step[len(free) :]
        if largest < 1e-13 * model.reach:
            return q, lam
        if largest < 1e-9 * model.reach and share == 1.0:
            rounding = 1e-12 * (np.abs(model.parts.K) @ np.abs(q)).max(initial=0.0) + 1e-12 * np.abs(h).max(initial=0.0)
            if np.abs(residual).max(initial=0.0) <= 1e2 * rounding:
                return q, lam
    raise CapabilityError("no equilibrium was found: the arm is too soft for its own weight", field="arm.gravity")
