"""Where the tip is: a walk along the bodies that carry it, for readings at every control period.

Equations: M1, M9.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from flexarm.methods.modes.integrals import place_on
from flexarm.numerics.bundle import Bundle
from flexarm.numerics.jit import njit

if TYPE_CHECKING:
    from flexarm.methods.modes.model import ModesModel


class Path(Bundle):
    """The bodies from the ground to the tip, each with the point on it that carries the next one; the last carries the
    tip. Fields as in `Parts`."""

    first: np.ndarray
    count: np.ndarray
    hinge: np.ndarray
    angle: np.ndarray
    root_slope: np.ndarray
    r0: np.ndarray
    s: np.ndarray
    slope: np.ndarray
    second: np.ndarray
    second_order: int


def path_to(model: ModesModel, link: int, end: np.ndarray) -> Path:
    """The path to the place `end` (2,) of a link."""
    part, bodies = model.parts, [link]
    while part.parent[bodies[0]] >= 0:
        bodies.insert(0, int(part.parent[bodies[0]]))
    points = part.mount[bodies[1:]]
    last = place_on(model.beams[link].shapes, model.beams[link].link.span, float(end[0]), float(end[1]))
    n = len(last.slope)
    ends = [np.concatenate([values[points], np.zeros((1, *values.shape[1:]))]) for values in (part.s, part.slope, part.second)]
    ends[0][-1, :, :n], ends[1][-1, :n], ends[2][-1, :, :n, :n] = last.s, last.slope, last.H
    return Path(
        part.first[bodies], part.count[bodies], part.hinge[bodies], part.angle[bodies], part.root_slope[bodies],
        np.vstack([part.r0[points], end]), *ends, part.second_order,
    )  # fmt: skip


@njit
def walk(path, records, out):
    """Places of the tip into the first two columns of `out` (nt, 2 or more), for states that begin with q."""
    for t in range(records.shape[0]):
        q, x, y, angle = records[t], 0.0, 0.0, 0.0
        for b in range(path.first.shape[0]):
            first, n, px, py, turn = path.first[b], path.count[b], path.r0[b, 0], path.r0[b, 1], 0.0
            angle += path.angle[b]
            if path.hinge[b] >= 0:
                angle += q[path.hinge[b]]
            for i in range(n):
                sx, sy = path.s[b, 0, i], path.s[b, 1, i]
                if path.second_order:
                    for j in range(n):
                        sx += 0.5 * path.second[b, 0, i, j] * q[first + j]
                        sy += 0.5 * path.second[b, 1, i, j] * q[first + j]
                px += sx * q[first + i]
                py += sy * q[first + i]
                turn += path.slope[b, i] * q[first + i]
                angle -= path.root_slope[b, i] * q[first + i]
            c, s = math.cos(angle), math.sin(angle)
            x += c * px - s * py
            y += s * px + c * py
            angle += turn
        out[t, 0], out[t, 1] = x, y
