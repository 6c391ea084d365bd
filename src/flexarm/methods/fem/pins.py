"""What is read off the pins of loops: forces, moments, gaps; and how bodies without a length are drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.arm import Arm
from flexarm.methods.fem import layout as at

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
    held, count = model.constraints, len(model.arm.loops)
    if not count:
        return {}
    lam = records[:, model.layout["lam"]]
    force, moment, gap = np.zeros((len(lam), count, 3)), np.zeros((len(lam), count)), np.zeros((len(lam), count))
    first = np.flatnonzero(held.side[:, at.SIDE_KIND] == at.PIN)[::2]
    for k, p in enumerate(first):
        row = held.side[p, at.SIDE_ROW]
        force[:, k, :2] = -lam[:, row : row + 2]
        if held.side[p, at.SIDE_ROWS] == 3:
            moment[:, k] = -lam[:, row + 2]
        gap[:, k] = np.linalg.norm(_place(model, records, p) - _place(model, records, p + 1), axis=1)
    dims = ("time", "loop")
    return {"loop_force": ((*dims, "axis"), force), "loop_moment": (dims, moment), "loop_error": (dims, gap)}


def _place(model: FemModel, records: np.ndarray, p: int) -> np.ndarray:
    """Where a side of a constraint is, (nt, 2)."""
    side, data = model.constraints.side[p], model.constraints.data[p]
    padded = np.concatenate([records[:, : model.size], np.zeros((len(records), 1))], axis=1)
    place, chi = np.zeros((len(records), 2)), np.zeros(len(records))
    for a in range(side[at.SIDE_COUNT]):
        k, t = side[at.SIDE_NODES + 2 * a], side[at.SIDE_NODES + 2 * a + 1]
        chi += data[at.SIDE_WEIGHT + a] * padded[:, t]
        if k >= 0:
            place += data[at.SIDE_WEIGHT + a] * padded[:, [k, k + 1]]
    frame = records[:, model.layout["frame"]].reshape(len(records), at.FRAME, model.links)
    return place + turned(data[[at.SIDE_X, at.SIDE_Y]], frame[:, at.ANGLE, side[at.SIDE_LINK]] + chi)
