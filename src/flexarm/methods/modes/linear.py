"""Small motions about a state at rest: matrices for frequencies and control design, loops eliminated.

Equations: M19, M20.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from flexarm.errors import CapabilityError
from flexarm.methods.base import Joints, LinearModel, State
from flexarm.methods.modes.forces import spring_with_play
from flexarm.methods.output_rows import OutputRows, reactions

if TYPE_CHECKING:
    from flexarm.methods.modes.model import ModesModel

SMALL = 1e-4
"""Step of differences of the centrifugal forces by the coordinates."""


def null_space(jac: np.ndarray) -> np.ndarray:
    """Orthonormal motions that leave the loops closed, by singular value decomposition, (columns, freedoms)."""
    if not jac.size:
        return np.eye(jac.shape[1])
    _, values, right = np.linalg.svd(jac)
    rank = int(np.sum(values > 1e-9 * values.max(initial=0.0)))
    return right[rank:].T


def motions(model: ModesModel, joints: Joints, jac: np.ndarray) -> np.ndarray:
    """All coordinates per independent small motion, (size, freedoms)."""
    chosen = {"locked": model.unheld(), "free": np.arange(model.size), "held": np.arange(model.parts.moving)}[joints]
    return np.eye(model.size)[:, chosen] @ null_space(jac[:, chosen])


def frames_held(model: ModesModel, absolute: bool) -> np.ndarray:
    """Modal coordinates of the opened tree with every frame held: absolutely, or to the section that carries it."""
    part, modal = model.parts, np.array([k for k in range(model.size) if k not in model.joint_coordinates])
    bodies = [b for b in range(len(model.beams)) if part.hinge[b] >= 0]
    hinges = part.hinge[bodies]
    rows = np.zeros((len(bodies), model.size))
    for r, b in enumerate(bodies):
        if absolute:
            own = part.columns[b, : part.column_count[b]]
            rows[r, own] = model.work.J[b, 2, own]
        else:
            first, n = part.first[b], part.count[b]
            rows[r, part.hinge[b]] = 1.0
            rows[r, first : first + n] = -part.root_slope[b, :n]
    T = np.eye(model.size)[:, modal]
    T[hinges] = -np.linalg.solve(rows[:, hinges], rows[:, modal])
    return T


def tangent(
    model: ModesModel, q: np.ndarray, lam: np.ndarray, loads: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """M, C, K about q at rest on all coordinates, loops open, under loads on links of these sizes."""
    K = model.parts.stiffness + model.load_stiffness(q, lam, loads=loads)
    for j in np.flatnonzero((model.parts.play > 0.0) & (model.parts.motor >= 0)):
        sides = [model.parts.link[j], model.parts.motor[j]]
        slope = spring_with_play(model.parts.spring[j], model.parts.play[j], q[sides[0]] - q[sides[1]])[1]
        K[np.ix_(sides, sides)] += slope * np.array([[1.0, -1.0], [-1.0, 1.0]])
    return model.work.mass.copy(), model.parts.damping.copy(), K


def reduced_tangent(
    model: ModesModel, q: np.ndarray, lam: np.ndarray, joints: Joints, loads: np.ndarray | None = None
) -> tuple[np.ndarray, ...]:
    """M, C, K about q at rest on the independent motions, and those motions T (size, freedoms)."""
    matrices = tangent(model, q, lam, loads)
    if model.closes_loops or joints == "held":
        T = motions(model, joints, model.work.jac)
    else:
        T = frames_held(model, model.options.loops == "cut-absolute")
    return *(T.T @ matrix @ T for matrix in matrices), T


def linear_model(model: ModesModel, state: State, joints: Joints) -> LinearModel:
    """Matrices with the motors locked, free or held by their laws."""
    q, x = model.layout["q"], state.x[: model.record_width]
    M, C, K, T = reduced_tangent(model, x[q], x[model.layout["lam"]], joints, x[model.layout["loads"]])
    acting = [j for j, k in enumerate(model.parts.drive) if np.any(T[k])]
    inputs, coordinates = [model.wiring.joints[j].name for j in acting], [f"motion {k + 1}" for k in range(T.shape[1])]
    drive, sensed = T[model.parts.drive[acting]], T[model.parts.sense[acting]]
    elastic = np.einsum("ci,lcd,dj->lij", T, model.tree.elastic, T)
    x = x.copy()

    def loop_forces() -> OutputRows:
        matrices = tangent(model, x[q], x[model.layout["lam"]], x[model.layout["loads"]])
        moved, G = np.flatnonzero(np.any(T, axis=1)), model.work.jac
        pushed = np.eye(model.size)[:, model.parts.drive[acting]]
        return reactions(G[:, moved], T, [matrix[moved] for matrix in matrices], pushed[moved])

    forces = loop_forces if model.parts.rows and model.closes_loops else None
    return model.reader.linear_model(x, T, (M, C, K), coordinates, inputs, drive.T, sensed, q, elastic, forces)


def spinning_model(model: ModesModel, spin: float) -> LinearModel:
    """Small motions about a steady turn with locked joints, seen by an observer who turns with the arm.

    The turn is that of the root joint. Centrifugal and Coriolis forces are those of h, a quadratic form of the velocities.
    """
    part = model.parts
    roots = model.root_coordinates()
    if len(roots) != 1 or roots[0] < 0 or model.arm.loops or any(model.weight):
        raise CapabilityError("a steady turn needs a tree on one root joint, without loops and gravity", field="spin")
    q, _ = model.at_rest()
    free, unit = model.unheld(), np.eye(model.size)
    turn = spin * unit[roots[0]]

    def stiffness() -> np.ndarray:
        """Derivative of elastic and centrifugal forces."""
        moved = [model.bias(q + s * SMALL * unit[k], turn)[free] for s in (1.0, -1.0) for k in free]
        slope = np.subtract(*np.array(moved).reshape(2, len(free), len(free))) / (2.0 * SMALL)
        return part.stiffness[np.ix_(free, free)] + 0.5 * (slope + slope.T)

    for _ in range(20):
        move = np.linalg.solve(stiffness(), -(model.bias(q, turn) + part.stiffness @ q)[free])
        q[free] += move
        if np.abs(move).max() < 1e-10 * model.reach:
            break
    steady = model.bias(q, turn)
    coriolis = [(model.bias(q, turn + unit[k]) - steady - model.bias(q, unit[k]))[free] for k in free]
    base = linear_model(model, model.state_at(q), "locked")
    return replace(base, C=base.C + np.array(coriolis).T, K=stiffness())
