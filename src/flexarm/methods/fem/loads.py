"""Loads that drives put on links: forces that keep their direction or turn with a section, and moments, at places between nodes.

Each acts on the nodes around its place by their shape functions. Their sizes stand at the end of the state.

Equations: E10.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import types

from flexarm.methods.fem import layout as at
from flexarm.numerics.jit import njit_inside, njit_part
from flexarm.numerics.laws import FORCE
from flexarm.numerics.on_demand import njit_on_demand

if TYPE_CHECKING:
    from flexarm.methods.fem.model import FemModel

NODES = 4
"""Nodes around a place at most."""


@njit_inside
def take_loads(part, now, row):
    """Sizes of the loads from a drive row into the state."""
    first = row.shape[0] - now.loads.shape[0]
    for k in range(now.loads.shape[0]):
        now.loads[k] = row[first + k, FORCE]


@njit_part
def load_at(part, now, n):
    """Force and moment of load point n, (fx, fy, moment)."""
    size, kind, x, y = (
        now.loads[part.load[n, at.L_LOAD]],
        part.load[n, at.L_KIND],
        part.load_data[n, 0],
        part.load_data[n, 1],
    )
    if kind == at.L_MOMENT:
        return 0.0, 0.0, size * x
    if kind == at.L_WORLD:
        return size * x, size * y, 0.0
    angle = now.frame[at.ANGLE, part.load[n, at.L_LINK]]
    for m in range(NODES):
        k = part.load[n, at.L_NODES + 3 * m + 2]
        if k >= 0:
            angle += part.load_data[n, 2 + m] * now.q[k]
    c, s = np.cos(angle), np.sin(angle)
    return size * (c * x - s * y), size * (s * x + c * y), 0.0


@njit_on_demand(types.float64)
def push_loads(part, now, sign, out):
    """Add `sign` times all loads to forces on the unknowns."""
    for n in range(part.load.shape[0]):
        force = load_at(part, now, n)
        for m in range(NODES):
            for axis in range(3):
                k = part.load[n, at.L_NODES + 3 * m + axis]
                if k >= 0:
                    out[k] += sign * part.load_data[n, 2 + m] * force[axis]
    return 0.0


@njit_on_demand(types.float64)
def load_tangent(part, now, band):
    """Take the derivatives of forces that turn with their sections off the tangent."""
    b = band.shape[1] // 2
    for n in range(part.load.shape[0]):
        if part.load[n, at.L_KIND] != at.L_TURNING:
            continue
        fx, fy, _ = load_at(part, now, n)
        for m in range(NODES):
            for axis in range(2):
                row, slope = part.load[n, at.L_NODES + 3 * m + axis], -fy if axis == 0 else fx
                for c in range(NODES if row >= 0 else 0):
                    column = part.load[n, at.L_NODES + 3 * c + 2]
                    if column >= 0:
                        band[row, column - row + b] -= part.load_data[n, 2 + m] * part.load_data[n, 2 + c] * slope
    return 0.0


@njit_on_demand(types.float64)
def load_work(part, now, work):
    """Work of the loads along a step, from their means: positions moved, moments also by the commanded turning."""
    total, start = 0.0, work.start_loads
    for k in range(now.q.shape[0]):
        work.load[k] = 0.0
    push_loads((part, now, 1.0, work.load))
    for k in range(now.q.shape[0]):
        total += 0.5 * (now.q[k] - work.start_q[k]) * (start[k] + work.load[k])
    for n in range(part.load.shape[0]):
        if part.load[n, at.L_KIND] == at.L_MOMENT:
            i = part.load[n, at.L_LINK]
            before = work.start_sizes[part.load[n, at.L_LOAD]]
            mean = 0.5 * part.load_data[n, 0] * (before + now.loads[part.load[n, at.L_LOAD]])
            total += mean * (now.frame[at.ANGLE, i] - work.start_theta[i])
    return total


@njit_on_demand(types.float64)
def start_loads(part, now, work):
    """Note the loads at the start of a step."""
    for k in range(now.q.shape[0]):
        work.start_loads[k] = 0.0
    push_loads((part, now, 1.0, work.start_loads))
    for k in range(now.loads.shape[0]):
        work.start_sizes[k] = now.loads[k]
    for i in range(part.links):
        work.start_theta[i] = now.frame[at.ANGLE, i]
    return 0.0


def load_tables(model: FemModel) -> dict[str, np.ndarray]:
    """Places of all loads: whole numbers and others, see `layout`."""
    rows, data = [], []
    for number, patch in enumerate(model.wiring.patches):
        i = model.arm.index(patch.link)
        span, kind = model.arm.links[i].span, at.L_MOMENT
        if patch.kind == "force":
            kind = at.L_TURNING if patch.axes == "link" else at.L_WORLD
        x, y, z = patch.direction
        for fraction, share in patch.points(max(1, model.mesh.counts[i])):
            nodes, weights, _ = model.mesh.around(i, fraction * span, span)
            if kind == at.L_MOMENT and not model.mesh.counts[i]:  # a rigid link turns as a whole, with its base
                nodes, weights = nodes[:1], np.ones(1)
            used = np.full(3 * NODES, -1)
            used[: nodes.size] = nodes.ravel()
            rows.append((number, kind, i, *used))
            first = (z * share, 0.0) if kind == at.L_MOMENT else (x * share, y * share)
            data.append((*first, *weights, *np.zeros(NODES - len(weights))))
    return {
        "load": np.array(rows, dtype=np.int64).reshape(len(rows), at.L_NODES + 3 * NODES),
        "load_data": np.array(data, dtype=float).reshape(len(data), 2 + NODES),
    }


def prepare_loads(model: FemModel) -> None:
    """Make the kernels of loads ready; arms without any never call them."""
    now = model.work.now
    push_loads.load(model.parts, now, types.float64, model.work.load)
    load_tangent.load(model.parts, now, model.work.band)
    load_work.load(model.parts, now, model.work)
    start_loads.load(model.parts, now, model.work)
