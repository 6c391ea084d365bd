"""Frames of all bodies over time, for what is read off records.

Equations: M9.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

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
        part = self.model.parts
        body = int(part.owner[k])
        own = _own(self.model, q, body)
        n = own.shape[1]
        local = part.r0[k] + own @ part.s[k, :, :n].T
        if self.model.second_order:
            local += 0.5 * np.einsum("ti,aij,tj->ta", own, part.second[k, :, :n, :n], own)
        return self.world(body, local[:, None, :])[:, 0, :2]


def _own(model: ModesModel, q: np.ndarray, body: int) -> np.ndarray:
    first, n = model.parts.first[body], model.parts.count[body]
    return q[:, first : first + n]


def body_frames(model: ModesModel, q: np.ndarray) -> Frames:
    """Frames of all links for coordinates q (nt, size)."""
    part, count = model.parts, len(model.beams)
    frames = Frames(model, np.zeros((count, len(q), 2)), np.zeros((count, len(q))))
    for b in range(count):
        angle = np.full(len(q), part.angle[b])
        parent, point = part.parent[b], part.mount[b]
        if parent >= 0:
            angle += frames.angle[parent] + turn_of(_own(model, q, parent), part.slope[point])
            frames.origin[b] = frames.point(q, int(point))
        if part.hinge[b] >= 0:
            angle += q[:, part.hinge[b]]
        frames.angle[b] = angle - turn_of(_own(model, q, b), part.root_slope[b])
    return frames


def turn_of(own: np.ndarray, slope: np.ndarray) -> np.ndarray:
    """Turn of a section, (nt,). Summed shape by shape, so that one row gives the same last digit as many."""
    total = np.zeros(len(own))
    for k in range(own.shape[1]):
        total += own[:, k] * slope[k]
    return total
