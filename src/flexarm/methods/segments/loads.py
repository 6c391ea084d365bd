"""Loads that drives put on links: forces that keep their direction or turn with a body, and moments.

Equations: G6.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numba import types

from flexarm.methods.segments import layout as at
from flexarm.numerics.jit import njit_part
from flexarm.numerics.laws import FORCE
from flexarm.numerics.on_demand import njit_on_demand

if TYPE_CHECKING:
    from flexarm.methods.base import State
    from flexarm.methods.segments.model import SegmentsModel


@njit_part
def take_loads(now, row):
    """Sizes of the loads from a drive row into the state."""
    first = row.shape[0] - now.loads.shape[0]
    for k in range(now.loads.shape[0]):
        now.loads[k] = row[first + k, FORCE]


@njit_on_demand(types.float64)
def spread_loads(now, part, work):
    """Forces and moments of all loads on the bodies, and their changes with the bodies' angles, into `work.body`."""
    w, data = work.body, part.load_data
    for b in range(w.shape[0]):
        for k in range(at.W_LX, at.W_DM + 1):
            w[b, k] = 0.0
    for n in range(part.load.shape[0]):
        size, kind, b = now.loads[part.load[n, at.L_LOAD]], part.load[n, at.L_KIND], part.load[n, at.L_BODY]
        if kind == at.L_MOMENT:
            w[b, at.W_LM] += size * data[n, 0]
            continue
        c, s, fx, fy, dx, dy = w[b, at.W_C], w[b, at.W_S], size * data[n, 0], size * data[n, 1], 0.0, 0.0
        if kind == at.L_TURNING:
            fx, fy = c * fx - s * fy, s * fx + c * fy
            dx, dy = -fy, fx
        px, py = c * data[n, 2] - s * data[n, 3], s * data[n, 2] + c * data[n, 3]
        w[b, at.W_LX] += fx
        w[b, at.W_LY] += fy
        w[b, at.W_LM] += px * fy - py * fx
        w[b, at.W_DX] += dx
        w[b, at.W_DY] += dy
        w[b, at.W_DM] += px * dy - py * dx - px * fx - py * fy
    return 0.0


@njit_on_demand(types.float64)
def load_work(now, part, work):
    """Work of the loads along a step: their means times the way of their places."""
    w, body, data, total = work.body, part.body, part.load_data, 0.0
    x0, y0, x1, y1 = 0.0, 0.0, 0.0, 0.0
    for b in range(w.shape[0]):
        old, new = w[b, at.W_THETA], now.theta[b]
        c0, s0, c1, s1 = math.cos(old), math.sin(old), w[b, at.W_C], w[b, at.W_S]
        for n in range(part.load.shape[0]):
            if part.load[n, at.L_BODY] != b:
                continue
            k, kind = part.load[n, at.L_LOAD], part.load[n, at.L_KIND]
            fx, fy, px, py = data[n, 0], data[n, 1], data[n, 2], data[n, 3]
            before, after = 0.5 * work.start_loads[k], 0.5 * now.loads[k]
            if kind == at.L_MOMENT:
                total += (before + after) * fx * (new - old)
                continue
            dx, dy = x1 + c1 * px - s1 * py - x0 - c0 * px + s0 * py, y1 + s1 * px + c1 * py - y0 - s0 * px - c0 * py
            if kind == at.L_WORLD:
                total += (before + after) * (fx * dx + fy * dy)
            else:
                total += (before * (c0 * fx - s0 * fy) + after * (c1 * fx - s1 * fy)) * dx
                total += (before * (s0 * fx + c0 * fy) + after * (s1 * fx + c1 * fy)) * dy
        ox, oy = body[b, at.OX], body[b, at.OY]
        x0, y0 = x0 + c0 * ox - s0 * oy, y0 + s0 * ox + c0 * oy
        x1, y1 = x1 + c1 * ox - s1 * oy, y1 + s1 * ox + c1 * oy
    return total


def load_tables(model: SegmentsModel) -> tuple[np.ndarray, np.ndarray]:
    """Places of all loads: whole numbers and others, see `layout`."""
    rows, data = [], []
    for number, patch in enumerate(model.wiring.patches):
        i, kind = model.arm.index(patch.link), at.L_MOMENT
        if patch.kind == "force":
            kind = at.L_TURNING if patch.axes == "link" else at.L_WORLD
        x, y, z = patch.direction
        for fraction, share in patch.points(max(1, model.counts[i])):
            body, along = model.seat(i, fraction)
            rows.append((number, kind, body))
            place = along * model.chain.body[body, [at.OX, at.OY]]
            data.append((*((z * share, 0.0) if kind == at.L_MOMENT else (x * share, y * share)), *place))
    return np.array(rows, dtype=np.int64).reshape(-1, 3), np.array(data, dtype=float).reshape(-1, 4)


def prepare_loads(model: SegmentsModel) -> None:
    """Make the kernels of loads ready; arms without any never call them."""
    now = at.parts_of.py_func(model.empty().x, model.parts)
    spread_loads.load(now, model.parts, model.work)
    load_work.load(now, model.parts, model.work)


def load_stiffness(model: SegmentsModel, state: State) -> np.ndarray:
    """What the loads of a state change with the angles of all bodies, (B, B)."""
    body, theta, loads = model.chain.body, state.x[model.layout["theta"]], state.x[model.layout["loads"]]
    K = np.zeros((len(body), len(body)))
    turn = np.exp(1j * theta)
    out = (body[:, at.OX] + 1j * body[:, at.OY]) * turn
    for (load, kind, b), (x, y, px, py) in zip(model.parts.load, model.parts.load_data, strict=True):
        if kind == at.L_MOMENT:
            continue
        force = loads[load] * (x + 1j * y) * (turn[b] if kind == at.L_TURNING else 1.0)
        arms = np.append(out[:b], (px + 1j * py) * turn[b])
        K[np.arange(b + 1), np.arange(b + 1)] -= (arms.conj() * force).real
        if kind == at.L_TURNING:
            K[: b + 1, b] += (arms.conj() * 1j * force).imag
    return K
