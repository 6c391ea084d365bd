"""The linear model of the arm for frequencies, control design and export."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from flexarm.arm import Link
from flexarm.methods.base import LinearModel, Watch
from flexarm.methods.fd.layout import HUB, MOTOR, NODE
from flexarm.methods.fd.packing import sensor_coordinate
from flexarm.methods.fd.readings import displacement_rows, measured
from flexarm.methods.fd.system import System, tip_slope_row


def linear_model(
    system: System, link: Link, eta: float, gains: tuple[float, float, float], sensor: str, watch: Watch
) -> LinearModel:
    """Matrices on the free coordinates; a law's proportional and rate gains may be part of K and C."""
    free, size = system.free, system.size
    K, C = system.K.copy(), eta * system.bending + system.damper
    kp, kv, _ = gains
    if system.prescribed < 0 and (kp or kv):
        sense, per_unit = sensor_coordinate(system, sensor)
        row = np.zeros(size)
        row[sense] = per_unit
        K += kp * np.outer(system.torque, row)
        C = C + kv * np.outer(system.torque, row)
    expand = _expand(system)
    stations = np.linspace(0.0, 1.0, watch.stations)
    across = displacement_rows(system, stations) @ expand
    angle = system.grid.reference
    shapes = np.zeros((len(free), 1, len(stations), 3))
    shapes[:, 0, :, 0] = -np.sin(angle) * across.T
    shapes[:, 0, :, 1] = np.cos(angle) * across.T
    names, rows = measured(system, link, watch)
    torque = system.torque[free][:, None] if system.prescribed < 0 else np.zeros((len(free), 0))
    return LinearModel(
        M=system.M[np.ix_(free, free)], C=C[np.ix_(free, free)], K=K[np.ix_(free, free)], B=torque,
        outputs=rows[:, :size] @ expand, coordinates=tuple(_name(int(j), system.grid.n) for j in free),
        inputs=(link.name,) if torque.shape[1] else (), output_names=names, shapes=shapes, stations=stations,
        links=(link.name,),
    )  # fmt: skip


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
        model, M=T.T @ model.M @ T, C=T.T @ model.C @ T, K=T.T @ model.K @ T, B=T.T @ model.B,
        outputs=model.outputs @ T, shapes=np.einsum("ij,ikla->jkla", T, model.shapes),
        coordinates=tuple(c for c, k in zip(model.coordinates, keep, strict=True) if k),
    )  # fmt: skip


def _name(j: int, n: int) -> str:
    if j == MOTOR:
        return "motor angle"
    if j == HUB:
        return "hub angle"
    return "tip slope" if j == NODE + n + 1 else f"y{j - NODE}"
