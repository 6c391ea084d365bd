"""The linear model of the arm for frequencies, control design and export.

Equations: F20.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from flexarm.methods.base import LinearModel, State
from flexarm.methods.fd.layout import HUB, MOTOR, NODE
from flexarm.methods.fd.observe import FdReader
from flexarm.methods.fd.packing import sensor_coordinate
from flexarm.methods.fd.system import System, tip_slope_row

if TYPE_CHECKING:
    from flexarm.methods.fd.model import FdModel


def linear_model(fd: FdModel, system: System, sensor: str, state: State) -> LinearModel:
    """Matrices of a system on its free coordinates, the control loop of a law open; readings about a state."""
    free, size, name, reader = system.free, system.size, fd.link.name, FdReader(fd, system)
    expand = _expand(system) @ _with_rotation(system)
    x = fd.record(state)
    driven = system.prescribed < 0
    sense, per_unit = sensor_coordinate(system, sensor)
    M, restoring, damper, bending = (
        _on_free(matrix, system) for matrix in (system.M, system.restoring, system.damper, system.bending)
    )
    turned = _rotation_place(system)
    if turned >= 0:  # a rotation bends nothing, known without rounding
        bending[turned] = bending[:, turned] = 0.0
    B = (system.torque[free] @ _with_rotation(system))[:, None] if driven else []
    sensed = per_unit * expand[sense][None, :] if driven else []
    names, matrices = [_name(int(j), system.grid.n) for j in free], (M, fd.eta * bending + damper, bending + restoring)
    return reader.linear_model(x, expand, matrices, names, (name,) if driven else (), B, sensed, slice(size))


def _rotation_place(system: System) -> int:
    """Place among the free coordinates of the one that stands for the rotation of the whole link, -1 if none does.

    Gravity and springs that hold the rotation are small beside the bending stiffness, and would drown in its rounding.
    """
    held = system.prescribed >= 0 and system.grid.spring == 0.0
    if held or system.ends.pinned_tip or not np.any(system.restoring):
        return -1
    return int(np.flatnonzero(system.free == (HUB if system.hub_state else NODE + 1))[0])


def _with_rotation(system: System) -> np.ndarray:
    """Free coordinates from those in which the others are counted from the rotated link, (free, free)."""
    T = np.eye(len(system.free))
    k = _rotation_place(system)
    if k >= 0:
        rotation = system.grid.rotation[system.free]
        if system.grid.spring > 0.0:
            rotation[system.free == MOTOR] = 0.0
        T[:, k] = rotation / rotation[k]
    return T


def _on_free(matrix: np.ndarray, system: System) -> np.ndarray:
    T = _with_rotation(system)
    return T.T @ matrix[np.ix_(system.free, system.free)] @ T


def _expand(system: System) -> np.ndarray:
    """All coordinates from the free ones, (N, free): slopes that are no coordinates follow from the nodes."""
    T = np.zeros((system.size, len(system.free)))
    T[system.free, np.arange(len(system.free))] = 1.0
    if not system.hub_state:
        T[HUB] = system.hub_row @ T
    if system.grid.spring == 0.0:
        T[MOTOR] = T[HUB]
    if not system.tip_state:
        T[NODE + system.grid.n + 1] = tip_slope_row(system.grid, False) @ T
    return T


def condensed(model: LinearModel) -> LinearModel:
    """Coordinates that have neither mass nor damping follow statically."""
    slave = (np.diag(model.M) <= 0.0) & (np.abs(model.C).sum(axis=1) == 0.0)
    if not slave.any():
        return model
    keep = ~slave
    T = np.zeros((len(slave), int(keep.sum())))
    T[keep] = np.eye(int(keep.sum()))
    T[slave] = -np.linalg.solve(model.K[np.ix_(slave, slave)], model.K[np.ix_(slave, keep)])
    return replace(
        model, M=T.T @ model.M @ T, C=T.T @ model.C @ T, K=T.T @ model.K @ T, B=T.T @ model.B, sensed=model.sensed @ T,
        find_rows=lambda: model.rows.of(T), find_shapes=lambda: np.einsum("ij,ikla->jkla", T, model.shapes),
        coordinates=tuple(c for c, k in zip(model.coordinates, keep, strict=True) if k),
    )  # fmt: skip


def _name(j: int, n: int) -> str:
    if j == MOTOR:
        return "motor angle"
    if j == HUB:
        return "hub angle"
    return "tip slope" if j == NODE + n + 1 else f"y{j - NODE}"
