"""Ties: what holds chains of links together beyond the numbering of the unknowns.

A link that begins a chain of its own is tied to a place on its parent; the pin of a loop ties two places. A tie has two
sides, each a place on a link: nodes with weights (the shape functions there), and an offset that the section carries. Two
equations hold the places together, a third one the angle where the joint follows a command, is fixed, or is welded.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from flexarm.arm import Arm
from flexarm.drive import Wiring
from flexarm.methods.fem.mesh import Mesh

T_ROW, T_ROWS, T_LINK, T_KIND, T_COUNT, T_NODES = range(6)
"""Columns of the sides (2 ties, T_NODES + 8): first equation, equations, link, kind, nodes, then x and chi of each."""
PIN, CHILD, PARENT = range(3)
"""Kinds of sides: of a loop; the root of a link that is tied to its parent; the place on that parent."""
F_WEIGHT, F_X, F_Y, F_ANGLE = 0, 4, 5, 6
"""Columns of the figures (2 ties, 7): weights of the nodes, offset along and across, angle that a welded loop holds."""
C_UNKNOWN, C_SIDE = range(2)
"""Columns of the copies: the unknown, and the side of a tie whose section it copies."""


@dataclass
class Ties:
    """Tables of the ties; rows of the equations, and the loop to which each belongs (-1: a link on its parent)."""

    side: np.ndarray
    figures: np.ndarray
    copies: np.ndarray
    rows: int
    owner: list[int] = field(default_factory=list)
    loops: list[int] = field(default_factory=list)
    """First equation of every loop."""


def build_ties(arm: Arm, wiring: Wiring, mesh: Mesh) -> Ties:
    """Ties of links to their parents, in the order of the links, then those of the loops."""
    sides: list[tuple[list[int], list[float]]] = []
    copies: list[tuple[int, int]] = []
    owner: list[int] = []
    first: list[int] = []
    for i, link in enumerate(arm.links):
        place = mesh.joints[i]
        if not place.tied:
            continue
        row, rows = len(owner), 2 if place.own else 3
        owner += [-1] * rows
        child = [int(mesh.nodes[i][0, 0]), place.base]
        sides.append(([row, rows, i, CHILD, 1, *child], [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]))
        sides.append(_side(arm, mesh, arm.index(arm.parent(link.name)), link.at, row, rows, PARENT))
        if place.own:
            copies.append((place.tip, len(sides) - 1))
    for k, loop in enumerate(arm.loops):
        row, rows = len(owner), 3 if loop.type == "fixed" else 2
        owner += [k] * rows
        first.append(row)
        for name, where in loop.places:
            sides.append(_side(arm, mesh, arm.index(name), where, row, rows, PIN))
    side, figures = np.full((len(sides), T_NODES + 8), -1, dtype=np.int64), np.zeros((len(sides), 7))
    for p, (whole, real) in enumerate(sides):
        side[p, : len(whole)], figures[p] = whole, real
    return Ties(side, figures, np.array(copies, dtype=np.int64).reshape(len(copies), 2), len(owner), owner, first)


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
