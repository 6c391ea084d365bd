"""Where the tip is: a walk along the bodies that carry it, for readings at every control period."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from flexarm.methods.modes import layout as at
from flexarm.methods.modes.layout import S_BLOCKS, S_SLOPE, S_X, S_Y
from flexarm.numerics.jit import njit

if TYPE_CHECKING:
    from flexarm.methods.modes.model import ModesModel


class TipWalk:
    """The bodies from the ground to the tip, each with the point that carries the next one; the last carries the tip."""

    def __init__(self, model: ModesModel, link: int, end: np.ndarray):
        tree, path = model.tree, [link]
        while tree.body[path[0], at.PARENT] >= 0:
            path.insert(0, int(tree.body[path[0], at.PARENT]))
        blocks = tree.point_modal.shape[1]
        self._shapes = np.zeros((len(path), blocks + 1, model.width))
        """Shapes of the carrying points as in `layout`, then the slopes of the shapes at the roots."""
        self._figures = np.zeros((len(path), 3))
        """Constant angle of the joint, place of the carrying point."""
        for k, body in enumerate(path):
            self._figures[k, 0], self._shapes[k, blocks] = tree.figures[body, at.ANGLE], tree.modal[body, at.SLOPE]
            if k + 1 < len(path):
                point = tree.body[path[k + 1], at.POINT]
                self._figures[k, 1:], self._shapes[k, :blocks] = tree.place[point], tree.point_modal[point]
        self._figures[-1, 1:] = end
        shapes = model.beams[link].shapes
        if shapes is not None:
            n = shapes.count
            self._shapes[-1, S_X, :n], self._shapes[-1, S_Y, :n] = shapes.along([end[0]])[0], shapes.across([end[0]])[0]
            self._shapes[-1, S_BLOCKS : S_BLOCKS + n, :n] = -shapes.shortening(float(end[0]))
        self._bodies = np.ascontiguousarray(tree.body[path])
        self._order = int(model.second_order)

    def read(self, x: np.ndarray, out: np.ndarray) -> None:
        """The tip, (nt, 2) or more columns into `out`, of states or records (nt, n) that begin with the coordinates."""
        walk(x, self._bodies, self._figures, self._shapes, self._order, out)


@njit
def walk(records, body, figures, shapes, order, out):
    """Places of the last carrying point into the first two columns of `out`."""
    width = shapes.shape[2]
    for t in range(records.shape[0]):
        q, x, y, angle = records[t], 0.0, 0.0, 0.0
        for b in range(body.shape[0]):
            first, n, px, py, turn = body[b, at.FIRST], body[b, at.COUNT], figures[b, 1], figures[b, 2], 0.0
            angle += figures[b, 0]
            if body[b, at.COORDINATE] >= 0:
                angle += q[body[b, at.COORDINATE]]
            for i in range(n):
                sx, sy = shapes[b, S_X, i], shapes[b, S_Y, i]
                if order:
                    for j in range(n):
                        sx += 0.5 * shapes[b, S_BLOCKS + i, j] * q[first + j]
                        sy += 0.5 * shapes[b, S_BLOCKS + width + i, j] * q[first + j]
                px += sx * q[first + i]
                py += sy * q[first + i]
                turn += shapes[b, S_SLOPE, i] * q[first + i]
                angle -= shapes[b, shapes.shape[1] - 1, i] * q[first + i]
            c, s = math.cos(angle), math.sin(angle)
            x += c * px - s * py
            y += s * px + c * py
            angle += turn
        out[t, 0], out[t, 1] = x, y
