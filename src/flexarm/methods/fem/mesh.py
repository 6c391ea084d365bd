"""Nodes, elements and the numbering of the unknowns.

Every node has a position (x, y) and a section angle theta = Theta_i(t) + chi, where Theta_i is the sum of the commanded
relative angles up to link i. A joint that follows its command shares x, y and chi with the tip before it, so it needs
no constraint. A joint that does not (torque, free, or with a series spring) shares x and y and has a chi of its own;
one with a spring and a torque also has the angle psi of its motor.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexarm.arm import Arm
from flexarm.drive import Wiring


@dataclass(frozen=True)
class JointPlace:
    """Unknowns at a joint; -1 where there is none (the ground, or what follows a command)."""

    base: int
    """chi of the link's first section, -1 if it is fixed to the ground and commanded."""
    tip: int
    """chi of the section before the joint, -1 on the ground."""
    motor: int
    """psi, -1 if the motor has no angle of its own."""
    own: bool
    """True if the link's first section turns on its own."""


@dataclass(frozen=True)
class Mesh:
    """Numbering and geometry.

    nodes : per link an array (nodes, 3) of indices of x, y, chi (-1: fixed)
    places : per link the distances of the nodes from the joint, (nodes,)
    connection : (elements, 3 (order + 1)) indices; link : (elements,) link of each element
    first : per link its first element
    """

    order: int
    size: int
    half_width: int
    nodes: tuple[np.ndarray, ...]
    places: tuple[np.ndarray, ...]
    connection: np.ndarray
    link: np.ndarray
    joints: tuple[JointPlace, ...]
    counts: tuple[int, ...]
    """Elements per link; 0 for a rigid link, which has a root and a far node."""
    slaves: np.ndarray
    """(rigid links, 5), see `rigid`."""

    def element_at(self, link: int, distance: float, length: float) -> tuple[int, float]:
        """Element of a flexible link and the local coordinate -1..1 at a distance from the joint."""
        count = self.counts[link]
        place = distance / length * count
        e = min(int(place), count - 1)
        return sum(self.counts[:link]) + e, 2.0 * (place - e) - 1.0

    def around(self, link: int, distance: float, length: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Nodes (n, 3) around a place on a link, and there the shape functions (n,) and their slopes (n,), 1/m."""
        if not self.counts[link]:  # a rigid link: straight between its two nodes
            share = distance / length
            return self.nodes[link], np.array([1.0 - share, share]), np.array([-1.0, 1.0]) / length
        e, xi = self.element_at(link, distance, length)
        values, slopes = shape_functions(self.order, np.array([xi]))
        return self.connection[e].reshape(-1, 3), values[0], slopes[0] * 2.0 * self.counts[link] / length


def build_mesh(arm: Arm, wiring: Wiring, counts: tuple[int, ...], order: int, whole_links: bool = False) -> Mesh:
    """Number the unknowns along the chain, so that the matrices have a narrow band.

    `whole_links` makes it as wide as a link, for the theory in which every element feels the link's first section.
    """
    number = 0

    def new() -> int:
        nonlocal number
        number += 1
        return number - 1

    nodes, places, joints, owner, slaves = [], [], [], [], []
    connection: list[np.ndarray] = []
    tip = np.array([-1, -1, -1])
    modes = {joint.name: joint for joint in wiring.joints}
    for i, link in enumerate(arm.links):
        joint = modes.get(link.name)
        own = joint is not None and (joint.mode != "motion" or joint.spring)
        motor = new() if joint is not None and joint.spring and joint.mode != "motion" else -1
        base = new() if own else int(tip[2])
        joints.append(JointPlace(base, int(tip[2]), motor, own))
        table = np.empty((counts[i] * order + 1 if link.flexible else 2, 3), dtype=np.int64)
        table[0] = tip[0], tip[1], base
        for a in range(1, len(table)):
            table[a] = new(), new(), new()
        nodes.append(table)
        places.append(np.linspace(0.0, link.span, len(table)))
        if not link.flexible:
            beyond = len(connection) if i + 1 < len(arm.links) and arm.links[i + 1].flexible else -1
            slaves.append((i, tip[0], base, table[1, 0], beyond))
        for e in range(counts[i]):
            connection.append(table[e * order : (e + 1) * order + 1].ravel())
            owner.append(i)
        tip = table[-1]
    band = np.array(connection, dtype=np.int64).reshape(len(connection), 3 * (order + 1))
    rigid = np.array(slaves, dtype=np.int64).reshape(len(slaves), 5)
    groups = [list(row) for row in band] + [[p.base, p.tip, p.motor] for p in joints] + [list(t[-1]) for t in nodes]
    groups += [list(nodes[i].ravel()) for i in rigid[:, 0]]
    if whole_links:
        groups += [[*table.ravel(), place.base] for table, place in zip(nodes, joints, strict=True)]
    return Mesh(
        order, number, _spread(groups, rigid), tuple(nodes), tuple(places), band, np.array(owner, dtype=np.int64),
        tuple(joints), counts, rigid,
    )  # fmt: skip


def _spread(groups: list[list[int]], rigid: np.ndarray) -> int:
    """Half-width of the band that holds every group of unknowns; far nodes of rigid links bring those of the root."""
    widest = 0
    for group in groups:
        used = {int(k) for k in group if k >= 0}
        for _, root, base, far, _ in rigid[::-1]:
            if used & {far, far + 1, far + 2}:
                used |= {int(k) for k in (root, root + 1 if root >= 0 else -1, base) if k >= 0}
        widest = max(widest, max(used, default=0) - min(used, default=0))
    return widest


def shape_functions(order: int, xi: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Lagrange polynomials on equidistant nodes and their slopes at xi in -1..1, each (len(xi), order + 1)."""
    nodes = np.linspace(-1.0, 1.0, order + 1)
    values, slopes = np.empty((len(xi), order + 1)), np.empty((len(xi), order + 1))
    for a in range(order + 1):
        others = np.delete(nodes, a)
        polynomial = np.poly1d(others, r=True) / np.prod(nodes[a] - others) if order else np.poly1d([1.0])
        values[:, a], slopes[:, a] = polynomial(xi), polynomial.deriv()(xi)
    return values, slopes
