"""Constraints: what holds chains of links together beyond the numbering of the unknowns.

A link that begins a chain of its own is held to a place on its parent; the pin of a loop holds two places together. A
constraint has two sides, each a place on a link: nodes with weights (the shape functions there), and an offset that turns
with the section. Two equations hold the places together, a third one the angle where the joint follows a command, is fixed,
or is welded.

Equations: E15.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexarm.arm import Arm
from flexarm.methods.fem import layout as at
from flexarm.methods.fem.mesh import Mesh


@dataclass
class Constraints:
    """Tables of the constraints (see `layout`), and the loop to which each equation belongs (-1: a link on its parent)."""

    side: np.ndarray
    data: np.ndarray
    copies: np.ndarray
    owner: list[int]

    @property
    def rows(self) -> int:
        """Number of equations."""
        return len(self.owner)


def build_constraints(arm: Arm, mesh: Mesh) -> Constraints:
    """Constraints of links to their parents, in the order of the links, then those of the loops."""
    sides: list[tuple[list[int], list[float]]] = []
    copies: list[tuple[int, int]] = []
    owner: list[int] = []
    for i, link in enumerate(arm.links):
        place = mesh.joints[i]
        if not place.separate:
            continue
        row, rows = len(owner), 2 if place.own else 3
        owner += [-1] * rows
        child = [int(mesh.nodes[i][0, 0]), place.base]
        sides.append(([row, rows, i, at.CHILD, 1, *child], [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]))
        sides.append(_side(arm, mesh, arm.index(arm.parent(link.name)), link.at, row, rows, at.PARENT))
        if place.own:
            copies.append((place.tip, len(sides) - 1))
    for k, loop in enumerate(arm.loops):
        row, rows = len(owner), 3 if loop.type == "fixed" else 2
        owner += [k] * rows
        for name, where in loop.places:
            sides.append(_side(arm, mesh, arm.index(name), where, row, rows, at.PIN))
    side, data = np.full((len(sides), at.SIDE_NODES + 8), -1, dtype=np.int64), np.zeros((len(sides), 7))
    for p, (whole, real) in enumerate(sides):
        side[p, : len(whole)], data[p] = whole, real
    return Constraints(side, data, np.array(copies, dtype=np.int64).reshape(len(copies), 2), owner)


def _side(
    arm: Arm, mesh: Mesh, i: int, where: float | str, row: int, rows: int, kind: int
) -> tuple[list[int], list[float]]:
    """Nodes, weights and offset of a place on a link; beyond the ends of a beam its end section carries it."""
    link = arm.links[i]
    x, y, _ = link.place(where)
    if not link.flexible:
        nodes, weights, along = mesh.nodes[i][:1], np.ones(1), 0.0
    else:
        along = float(np.clip(x, 0.0, link.span))
        nodes, weights, _ = mesh.around(i, along, link.span)
    used = [a for a in range(len(weights)) if abs(weights[a]) > 1e-12]
    whole = [row, rows, i, kind, len(used)]
    for a in used:
        whole += [int(nodes[a, 0]), int(nodes[a, 2])]
    real = [float(weights[a]) for a in used] + [0.0] * (4 - len(used))
    return whole, [*real, x - along, y, 0.0]
