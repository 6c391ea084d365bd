"""Loads that drives put on links in space: forces and moments on frames, which keep their direction or turn with the frame.

A force F at a lever d of a frame has the moment d x F. With t the turn of the frame, what the residual changes with it is

    - (t x d) x F        of a force that keeps its direction,
    - t x F, - t x (d x F), - t x M    of forces and moments that turn.

Equations: S7, S28.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import types

from flexarm.methods.fem.spatial import layout as at
from flexarm.methods.fem.spatial.condensation import add_block
from flexarm.methods.fem.spatial.loading import seats
from flexarm.numerics.jit import njit_part
from flexarm.numerics.laws import FORCE
from flexarm.numerics.on_demand import njit_on_demand
from flexarm.numerics.rotations import apply, cross

if TYPE_CHECKING:
    from flexarm.methods.fem.spatial.model import SpatialModel


@njit_part
def add_turned(K, row, x, y, z):
    """Add what -t x (x, y, z) changes with the turn t, in rows `row` and on of the first frame's block."""
    K[row, 4] -= z
    K[row, 5] += y
    K[row + 1, 3] += z
    K[row + 1, 5] -= x
    K[row + 2, 3] -= y
    K[row + 2, 4] += x


@njit_on_demand(types.float64)
def push_loads(parts, state, scratch, solver, v, wanted, matrix):
    """Take all loads off the forces on the frames, with their part in the tangent if that is wanted; returns their power."""
    R, fc, row, K, data, power = state.rotation, state.force, solver.row, scratch.K, parts.load_data, 0.0
    first = row.shape[0] - parts.loads
    for n in range(parts.load.shape[0]):
        size, kind, f = (
            row[first + parts.load[n, at.L_LOAD], FORCE],
            parts.load[n, at.L_KIND],
            parts.load[n, at.L_FRAME],
        )
        x, y, z = size * data[n, 0], size * data[n, 1], size * data[n, 2]
        turning = kind == at.L_TURNING or kind == at.L_TURNING_MOMENT
        if turning:
            x, y, z = apply(R, f, x, y, z)
        dx, dy, dz = apply(R, f, data[n, 3], data[n, 4], data[n, 5])
        if kind == at.L_WORLD or kind == at.L_TURNING:
            mx, my, mz = cross(dx, dy, dz, x, y, z)
        else:
            x, y, z, mx, my, mz = 0.0, 0.0, 0.0, x, y, z
        for k, force in ((0, x), (1, y), (2, z), (3, mx), (4, my), (5, mz)):
            fc[f, k] -= force
            power += force * v[f, k]
            if parts.load[n, at.L_ROOT] >= 0:
                scratch.root_load[parts.load[n, at.L_ROOT], k] -= force
        if wanted == at.TANGENT and parts.theory != at.LINEAR:
            for r in range(6):
                for c in range(6):
                    K[r, c] = 0.0
            if turning:
                add_turned(K, 0, x, y, z)
                add_turned(K, 3, mx, my, mz)
            else:
                d, pull, push = (dx, dy, dz), dx * x + dy * y + dz * z, (x, y, z)
                for r in range(3):
                    for c in range(3):
                        K[3 + r, 3 + c] = (pull if r == c else 0.0) - d[r] * push[c]
            add_block(f, f, 0, 0, parts, scratch, matrix)
    return power


def load_tables(model: SpatialModel) -> dict[str, np.ndarray]:
    """Frames that carry the loads: whole numbers and others, see `layout`."""
    rows, data = [], []
    for number, patch in enumerate(model.wiring.patches):
        i, turns = model.arm.index(patch.link), patch.axes == "link"
        kind = (at.L_TURNING if turns else at.L_WORLD) + (2 if patch.kind == "moment" else 0)
        for fraction, share in patch.points(max(1, model.mesh.counts[i])):
            root = i if fraction == 0.0 and model.arm.links[i].flexible else -1
            for frame, part, lever in seats(model, i, fraction):
                if part:
                    rows.append((number, kind, frame, root))
                    data.append((*(part * share * np.array(patch.direction)), *lever))
    return {
        "load": np.array(rows, dtype=np.int64).reshape(-1, 4), "load_data": np.array(data, dtype=float).reshape(-1, 6),
    }  # fmt: skip


def prepare_loads(model: SpatialModel) -> None:
    """Make the kernel of loads ready; arms without any never call it."""
    views = model.views(model.empty())
    push_loads.load(
        model.parts, views, model.scratch, model.solver, model.scratch.total_velocity, types.int64, model.matrix
    )
