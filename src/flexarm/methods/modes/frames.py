"""Frames of all bodies over time, for what is read off records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from flexarm.methods.modes import layout as at

if TYPE_CHECKING:
    from flexarm.methods.modes.model import ModesModel


@dataclass(frozen=True)
class Frames:
    """Origins (bodies, nt, 2) and angles (bodies, nt) of the bodies' frames."""

    model: ModesModel
    origin: np.ndarray
    angle: np.ndarray

    def world(self, body: int, local: np.ndarray) -> np.ndarray:
        """World positions (nt, points, 3) of points (nt, points, 2) in the axes of a body."""
        c, s = np.cos(self.angle[body])[:, None], np.sin(self.angle[body])[:, None]
        out = np.zeros((*local.shape[:2], 3))
        out[:, :, 0] = self.origin[body, :, :1] + c * local[:, :, 0] - s * local[:, :, 1]
        out[:, :, 1] = self.origin[body, :, 1:] + s * local[:, :, 0] + c * local[:, :, 1]
        return out

    def point(self, q: np.ndarray, k: int) -> np.ndarray:
        """World positions (nt, 2) of a packed point."""
        tree = self.model.tree
        body = int(tree.point[k])
        own = _own(self.model, q, body)
        n, width = own.shape[1], self.model.width
        local = tree.place[k] + own @ tree.point_modal[k, [at.S_X, at.S_Y], :n].T
        if self.model.second_order:
            for axis in range(2):
                first = at.S_BLOCKS + axis * width
                H = tree.point_modal[k, first : first + n, :n]
                local[:, axis] += 0.5 * np.einsum("ti,ij,tj->t", own, H, own)
        return self.world(body, local[:, None, :])[:, 0, :2]


def _own(model: ModesModel, q: np.ndarray, body: int) -> np.ndarray:
    first, n = model.tree.body[body, at.FIRST], model.tree.body[body, at.COUNT]
    return q[:, first : first + n]


def body_frames(model: ModesModel, q: np.ndarray) -> Frames:
    """Frames of all links for coordinates q (nt, size)."""
    tree, count = model.tree, len(model.beams)
    frames = Frames(model, np.zeros((count, len(q), 2)), np.zeros((count, len(q))))
    for b in range(count):
        angle = np.full(len(q), tree.figures[b, at.ANGLE])
        parent, point = tree.body[b, at.PARENT], tree.body[b, at.POINT]
        if parent >= 0:
            slope = tree.point_modal[point, at.S_SLOPE]
            carried = _own(model, q, parent)
            angle += frames.angle[parent] + turn_of(carried, slope)
            frames.origin[b] = frames.point(q, int(point))
        if tree.body[b, at.COORDINATE] >= 0:
            angle += q[:, tree.body[b, at.COORDINATE]]
        own = _own(model, q, b)
        frames.angle[b] = angle - turn_of(own, tree.modal[b, at.SLOPE])
    return frames


def turn_of(own: np.ndarray, slope: np.ndarray) -> np.ndarray:
    """Turn of a section, (nt,). Summed shape by shape, so that one row gives the same last digit as many."""
    total = np.zeros(len(own))
    for k in range(own.shape[1]):
        total += own[:, k] * slope[k]
    return total
