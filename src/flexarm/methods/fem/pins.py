"""What is read off the pins of loops: forces, moments, gaps; and how bodies without a length are drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.arm import Arm
from flexarm.methods.fem import layout as at
from flexarm.methods.fem.ties import F_WEIGHT, F_X, F_Y, PIN, T_COUNT, T_KIND, T_LINK, T_NODES, T_ROW, T_ROWS

if TYPE_CHECKING:
    from flexarm.methods.fem.model import FemModel


def turned(vector: np.ndarray, angle: np.ndarray) -> np.ndarray:
    """A vector (2,) turned by angles (nt,), as (nt, 2)."""
    c, s = np.cos(angle), np.sin(angle)
    return np.column_stack([c * vector[0] - s * vector[1], s * vector[0] + c * vector[1]])


def drawn_end(arm: Arm, i: int) -> np.ndarray:
    """End of a body without a length as it is drawn: the farthest place that it carries, (2,)."""
    link = arm.links[i]
    used = [other.at for other in arm.links if arm.parent(other.name) == link.name]
    used += [place for loop in arm.loops for owner, place in loop.places if owner == link.name]
    ends = [np.array(link.place(place)[:2]) for place in used]
    return max(ends, key=lambda end: float(np.linalg.norm(end)), default=np.zeros(2))


def loop_signals(model: FemModel, records: np.ndarray) -> dict[str, Any]:
    """Force (and moment, if welded) of each loop's pin on its first link, and how far the loop is open."""
    ties, count = model.ties, len(model.arm.loops)
    if not count:
        return {}
    lam = records[:, model.layout["lam"]]
    force, moment, gap = np.zeros((len(lam), count, 3)), np.zeros((len(lam), count)), np.zeros((len(lam), count))
    first = np.flatnonzero(ties.side[:, T_KIND] == PIN)[::2]
    for k, p in enumerate(first):
        row = ties.side[p, T_ROW]
        force[:, k, :2] = -lam[:, row : row + 2]
        if ties.side[p, T_ROWS] == 3:
            moment[:, k] = -lam[:, row + 2]
        gap[:, k] = np.linalg.norm(_place(model, records, p) - _place(model, records, p + 1), axis=1)
    dims = ("time", "loop")
    return {"loop_force": ((*dims, "axis"), force), "loop_moment": (dims, moment), "loop_error": (dims, gap)}


def _place(model: FemModel, records: np.ndarray, p: int) -> np.ndarray:
    """Where a side of a tie is, (nt, 2)."""
    side, figures = model.ties.side[p], model.ties.figures[p]
    padded = np.concatenate([records[:, : model.size], np.zeros((len(records), 1))], axis=1)
    place, chi = np.zeros((len(records), 2)), np.zeros(len(records))
    for a in range(side[T_COUNT]):
        k, t = side[T_NODES + 2 * a], side[T_NODES + 2 * a + 1]
        chi += figures[F_WEIGHT + a] * padded[:, t]
        if k >= 0:
            place += figures[F_WEIGHT + a] * padded[:, [k, k + 1]]
    frame = records[:, model.layout["frame"]].reshape(len(records), at.FRAME, model.links)
    return place + turned(figures[[F_X, F_Y]], frame[:, at.ANGLE, side[T_LINK]] + chi)
