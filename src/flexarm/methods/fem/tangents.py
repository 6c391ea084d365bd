"""Matrices about a state: residual, tangent, masses, and the motions that rigid links and ties leave."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flexarm.methods.base import State
from flexarm.methods.fem import assemble, rigid
from flexarm.methods.fem import layout as at
from flexarm.methods.fem.closing import null_space
from flexarm.methods.fem.ties import C_SIDE, C_UNKNOWN, F_WEIGHT, T_COUNT, T_NODES
from flexarm.methods.fem.tying import GAP
from flexarm.numerics.jit import callable_from_python

if TYPE_CHECKING:
    from flexarm.methods.fem.model import FemModel

parts_of, end_of = callable_from_python(at.parts_of, views=True), callable_from_python(rigid.end_of)


def evaluate_at(
    model: FemModel, x: np.ndarray, speed: float, push: float, force: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Residual at rest and its band derivative for given d velocity and d acceleration per position.

    Constant forces (size,) act like weight. Rows and columns of far nodes of rigid links are those of the unit matrix.
    """
    x, weight = x.copy(), model.constant.weight.copy()
    x[model.layout["rest"]][: model.size] = 0.0
    if force is not None:
        model.constant.weight[:] += force
    assemble.evaluate(x, model.parts, model.scratch, speed, push)
    model.constant.weight[:] = weight
    return model.scratch.work[assemble.RESIDUAL].copy(), model.scratch.band.copy()


def full_mass(model: FemModel, state: State) -> np.ndarray:
    """Mass matrix (size, size) with the payload, far nodes of rigid links as if they were free."""
    band = np.empty_like(model.parts.mass)
    assemble.mass_at(state.x, model.parts, band)
    return dense(band)


def freedoms(model: FemModel, state: State) -> np.ndarray:
    """Changes of all unknowns per change of those that are free, (size, free): far nodes follow their roots,
    copies of angles the sections that they copy."""
    T, now = np.eye(model.size), parts_of(state.x, model.size, model.links)
    follow: list[int] = []
    for n, (_, root, base, far, _) in enumerate(model.mesh.slaves):
        swing = end_of(model.parts, now, n)[2:4]
        for axis in range(3):
            row = np.zeros(model.size)
            if axis < 2 and root >= 0:
                row += T[root + axis]
            if base >= 0:
                row += T[base] * (swing[axis] if axis < 2 else 1.0)
            T[far + axis] = row
            follow.append(int(far) + axis)
    for copy in model.ties.copies:
        side, figures = model.ties.side[copy[C_SIDE]], model.ties.figures[copy[C_SIDE]]
        T[copy[C_UNKNOWN]] = 0.0
        for m in range(side[T_COUNT]):
            if side[T_NODES + 2 * m + 1] >= 0:
                T[copy[C_UNKNOWN]] += figures[F_WEIGHT + m] * T[side[T_NODES + 2 * m + 1]]
        follow.append(int(copy[C_UNKNOWN]))
    return np.delete(T, follow, axis=1)


def dense(band: np.ndarray) -> np.ndarray:
    """The full matrix of a general band matrix."""
    n, b = band.shape[0], band.shape[1] // 2
    full = np.zeros((n, n))
    for k in range(-min(b, n - 1), min(b, n - 1) + 1):
        rows = np.arange(max(0, -k), min(n, n - k))
        full[rows, rows + k] = band[rows, k + b]
    return full


def far_unknowns(model: FemModel) -> list[int]:
    """Unknowns that are no freedoms: of far nodes, and copies of angles."""
    return [int(far) + axis for *_, far, _ in model.mesh.slaves for axis in range(3)] + [
        int(k) for k in model.ties.copies[:, C_UNKNOWN]
    ]


def free_unknowns(model: FemModel) -> np.ndarray:
    """The others."""
    return np.flatnonzero(np.isin(np.arange(model.size), far_unknowns(model), invert=True))


def tie_jacobian(model: FemModel, state: State) -> tuple[np.ndarray, np.ndarray]:
    """Equations of the ties per free unknown, (rows, free), and their gaps (rows,)."""
    evaluate_at(model, state.x, 0.0, 0.0)
    rows, all_rows = model.ties.rows, len(model.scratch.pivots)
    gaps = model.scratch.small_border[all_rows + GAP, :rows].copy()
    return model.scratch.border[:rows, free_unknowns(model)].copy(), gaps


def motions(model: FemModel, state: State) -> np.ndarray:
    """Changes of all unknowns per independent motion that rigid links and ties allow, (size, motions)."""
    T = freedoms(model, state)
    return T @ null_space(tie_jacobian(model, state)[0]) if model.ties.rows else T


def tangent_matrices(model: FemModel, state: State) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """M, C, K about a state, in the motions that are left."""
    T, free = freedoms(model, state), free_unknowns(model)
    K = dense(evaluate_at(model, state.x, 0.0, 0.0)[1])
    C = dense(evaluate_at(model, state.x, 1.0, 0.0)[1]) - K
    M, C, K = T.T @ full_mass(model, state) @ T, C[np.ix_(free, free)], K[np.ix_(free, free)]
    if not model.ties.rows:
        return M, C, K
    N = null_space(tie_jacobian(model, state)[0])
    return N.T @ M @ N, N.T @ C @ N, N.T @ K @ N
