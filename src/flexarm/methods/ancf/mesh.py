"""Nodes, elements and the numbering of the unknowns.

Equations: A2.

A node has the position r, its slope r_x along the link and, unless the link is a cable, the section vector r_y: two
numbers each. Links share r at a joint and have their own slopes there. Along the chain a joint is numbered
[r_x, r_y of the tip | r | motor angle | r_x, r_y of the next link], which keeps the band narrow.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from flexarm.arm import Arm, Link
from flexarm.methods.subdivision import attachment_places, element_ends


@dataclass(frozen=True)
class Mesh:
    """Numbering.

    nodes : per link (nodes, 3) places of r, r_x, r_y (-1: cable); sheared : per link
    connection : (elements, 6) places of r, r_x at both ends, then r_y; owner : (elements,) link
    motor : per link the place of its motor angle, -1 if there is no spring
    ends : per link the fractions of its length at which its elements end, (elements + 1,)
    """

    size: int
    half_width: int
    nodes: tuple[np.ndarray, ...]
    sheared: tuple[bool, ...]
    connection: np.ndarray
    owner: np.ndarray
    motor: tuple[int, ...]
    counts: tuple[int, ...]
    ends: tuple[np.ndarray, ...]

    def section(self, link: int, node: int) -> int:
        """Place of the vector that tells the direction of a section."""
        return int(self.nodes[link][node][2 if self.sheared[link] else 1])

    def element_at(self, link: int, fraction: float) -> tuple[int, float]:
        """Element and its local coordinate 0..1 at a fraction of a link's length."""
        ends = self.ends[link]
        e = int(np.clip(np.searchsorted(ends, fraction, "right") - 1, 0, len(ends) - 2))
        return sum(self.counts[:link]) + e, float((fraction - ends[e]) / (ends[e + 1] - ends[e]))

    def lengths(self, arm: Arm, link: int) -> np.ndarray:
        """Lengths of a link's elements, m."""
        return np.diff(self.ends[link]) * arm.links[link].span


def build_mesh(arm: Arm, counts: tuple[int, ...], sheared: tuple[bool, ...], prescribed: tuple[bool, ...]) -> Mesh:
    """Number the unknowns along the chain; `prescribed`: per link whether its first section follows a command.

    A link whose section has more parts than `counts` has elements gets one for each part.
    """
    number = 0
    ends = tuple(
        element_ends(link, count, attachment_places(arm, i), _rotary_lumps(link))
        for i, (link, count) in enumerate(zip(arm.links, counts, strict=True))
    )
    counts = tuple(len(places) - 1 for places in ends)

    def pair() -> int:
        nonlocal number
        number += 2
        return number - 2

    nodes, motors, connection, owner = [], [], [], []
    shared = pair()
    for i, link in enumerate(arm.links):
        motor = -1
        if link.joint.type != "fixed" and link.joint.stiffness is not None:
            motor, number = number, number + 1
        motors.append(motor)
        table = np.full((counts[i] + 1, 3), -1, dtype=np.int64)
        for a in range(counts[i] + 1):
            last = a == counts[i]
            table[a, 0] = shared if a == 0 else -1 if last else pair()
            table[a, 1] = pair()
            if sheared[i]:
                table[a, 2] = pair()
            if last:
                table[a, 0] = shared = pair()
        nodes.append(table)
        for a in range(counts[i]):
            connection.append([*table[a, :2], *table[a + 1, :2], table[a, 2], table[a + 1, 2]])
            owner.append(i)
    con, spread = np.array(connection, dtype=np.int64), 0
    for e, row in enumerate(con):
        used = [k for k in row if k >= 0]
        i = owner[e]
        if i > 0 and e == sum(counts[:i]) and prescribed[i]:  # a commanded first section brings in the one before it
            used.append(nodes[i - 1][-1][2 if sheared[i - 1] else 1])
        if motors[i] >= 0 and e == sum(counts[:i]):
            used.append(motors[i])
        spread = max(spread, max(used) + 1 - min(used))
        if i > 0 and e == sum(counts[:i]):  # springs and laws join the sections on both sides of a joint
            spread = max(spread, nodes[i][0][2 if sheared[i] else 1] + 1 - nodes[i - 1][-1][2 if sheared[i - 1] else 1])
    return Mesh(
        number, spread, tuple(nodes), sheared, con, np.array(owner, dtype=np.int64), tuple(motors), counts, ends
    )


def _rotary_lumps(link: Link) -> list[float]:
    """Fractions of a link's length where lumps turn with a section, so that there must be a node."""
    found = [(*link.place(lump.at)[:2], lump.inertia) for lump in link.masses]
    return [x / link.span for x, y, inertia in found if y or inertia]


def hermite(xi: Any, length: float) -> np.ndarray:
    """Cubic polynomials of r, r_x at both ends: values, first and second derivatives by x, shape (3, 4), or (3, 4, n) at n places."""
    x, L = xi, length
    return np.array([
        [1 - 3 * x**2 + 2 * x**3, L * (x - 2 * x**2 + x**3), 3 * x**2 - 2 * x**3, L * (x**3 - x**2)],
        [(6 * x**2 - 6 * x) / L, 1 - 4 * x + 3 * x**2, (6 * x - 6 * x**2) / L, 3 * x**2 - 2 * x],
        [(12 * x - 6) / L**2, (6 * x - 4) / L, (6 - 12 * x) / L**2, (6 * x - 2) / L],
    ])  # fmt: skip
