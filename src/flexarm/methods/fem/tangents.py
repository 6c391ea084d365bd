"""Matrices about a state: residual, tangent, masses, and the motions that rigid links and constraints leave."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.methods.base import State
from flexarm.methods.fem import assemble, far_nodes
from flexarm.methods.fem import layout as at
from flexarm.methods.fem.loop_closure import null_space
from flexarm.numerics.jit import callable_from_python

if TYPE_CHECKING:
    from flexarm.methods.fem.model import FemModel

end_of = callable_from_python(far_nodes.end_of)


def evaluate_at(
    model: FemModel, x: np.ndarray, speed: float, push: float, force: Any = 0.0, share: float = 1.0
) -> tuple[np.ndarray, np.ndarray]:
    """Residual at rest and its band derivative for given d velocity and d acceleration per position.

    A share of the weight and of constant forces (size,) acts. Rows and columns of far nodes are those of the unit matrix.
    """
    x, weight, parts, (gx, gy, *_) = x.copy(), model.constant.weight.copy(), model.parts, model.arm.gravity
    x[model.layout["unrecorded"]][: model.size] = 0.0
    parts.weight[:] = share * (weight + force)
    parts.gravity_x, parts.gravity_y = share * gx, share * gy
    assemble.evaluate(x, parts, model.work, speed, push)
    parts.weight[:] = weight
    parts.gravity_x, parts.gravity_y = gx, gy
    return model.work.residual.copy(), model.work.band.copy()


def full_mass(model: FemModel, state: State) -> np.ndarray:
    """Mass matrix (size, size) with the payload, far nodes of rigid links as if they were free."""
    band = np.empty_like(model.parts.mass)
    assemble.mass_at(state.x, model.parts, model.work, band)
    return dense(band)


def freedoms(model: FemModel, state: State) -> np.ndarray:
    """Changes of all unknowns per change of those that are free, (size, free): far nodes follow their roots,
    copies of angles the sections that they copy."""
    T, now, held = np.eye(model.size), model.work.now, model.constraints
    now.x[:] = state.x
    for n, (_, root, base, far, _) in enumerate(model.mesh.far_nodes):
        turned = (*end_of(model.parts, now, n).t, 1.0)
        for axis in range(3):
            T[far + axis] = turned[axis] * T[base] if base >= 0 else 0.0
            if axis < 2 and root >= 0:
                T[far + axis] += T[root + axis]
    for unknown, p in held.copies:
        T[unknown] = 0.0
        for m in range(held.side[p, at.SIDE_COUNT]):
            t = held.side[p, at.SIDE_NODES + 2 * m + 1]
            if t >= 0:
                T[unknown] += held.data[p, at.SIDE_WEIGHT + m] * T[t]
    return np.delete(T, far_unknowns(model), axis=1)


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
    far = [int(x) + axis for x in model.mesh.far_nodes[:, at.FAR_NODE] for axis in range(3)]
    return far + [int(k) for k in model.constraints.copies[:, at.COPY_UNKNOWN]]


def free_unknowns(model: FemModel) -> np.ndarray:
    """The others."""
    return np.flatnonzero(np.isin(np.arange(model.size), far_unknowns(model), invert=True))


def constraint_jacobian(model: FemModel, state: State) -> tuple[np.ndarray, np.ndarray]:
    """Equations of the constraints per free unknown, (rows, free), and their gaps (rows,)."""
    evaluate_at(model, state.x, 0.0, 0.0)
    rows = model.constraints.rows
    return model.work.G[:rows, free_unknowns(model)].copy(), model.work.gap[:rows].copy()


def motions(model: FemModel, state: State) -> np.ndarray:
    """Changes of all unknowns per independent motion that rigid links and constraints allow, (size, motions)."""
    T = freedoms(model, state)
    return T @ null_space(constraint_jacobian(model, state)[0]) if model.constraints.rows else T


def free_matrices(model: FemModel, state: State) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """M, C, K about a state on the free unknowns, constraints open."""
    T, free = freedoms(model, state), free_unknowns(model)
    K = dense(evaluate_at(model, state.x, 0.0, 0.0)[1])
    C = dense(evaluate_at(model, state.x, 1.0, 0.0)[1]) - K
    return T.T @ full_mass(model, state) @ T, C[np.ix_(free, free)], K[np.ix_(free, free)]


def tangent_matrices(model: FemModel, state: State) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """M, C, K about a state, in the motions that are left."""
    M, C, K = free_matrices(model, state)
    if not model.constraints.rows:
        return M, C, K
    N = null_space(constraint_jacobian(model, state)[0])
    return N.T @ M @ N, N.T @ C @ N, N.T @ K @ N


def drive_row(model: FemModel, i: int, motor: bool = True) -> np.ndarray:
    """Angle of a link's motor (or of its joint) per unknown, (size,)."""
    row, place = np.zeros(model.size), model.mesh.joints[i]
    if motor and place.motor >= 0:
        row[place.motor] = 1.0
    else:
        row[place.base] = 1.0
        if place.tip >= 0:
            row[place.tip] = -1.0
    return row
