"""Nodes, elements and the numbering of the unknowns.

Every node has a position (x, y) and a section angle theta = Theta_i(t) + chi, where Theta_i is the sum of the commanded
relative angles up to link i. A joint that follows its command shares x, y and chi with the tip before it, so it needs
no constraint. A joint that does not (torque, free, or with a series spring) shares x and y and has a chi of its own;
one with a spring and a torque also has the angle psi of its motor.

Links that do not stand on a tip, or share it with another link, begin a chain with a root node of its own; `constraints`
hold it to its parent, and hold the pins of loops together.

Equations: E1.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from flexarm.arm import GROUND, Arm, Link
from flexarm.drive import Wiring
from flexarm.methods.fem.point_masses import carrying_section, off_axis
from flexarm.methods.subdivision import attachment_places, element_ends


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
    separate: bool
    """True if the link begins a chain of its own and is held to its parent by a constraint; `tip` is then a copy of the angle there."""


@dataclass(frozen=True)
class Mesh:
    """Numbering and geometry.

    nodes : per link an array (nodes, 3) of indices of x, y, chi (-1: fixed)
    places : per link the distances of the nodes from the joint, (nodes,)
    connection : (elements, 3 (order + 1)) indices; link : (elements,) link of each element
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
    far_nodes: np.ndarray
    """(far nodes, 5), see `rigid`: of rigid links, and of masses that a section carries at an offset."""
    ends: np.ndarray
    """(far nodes, 2) offset of each from its root along and across the link, m."""

    def first(self, link: int) -> int:
        """First element of a link."""
        return sum(self.counts[:link])

    def element_at(self, link: int, distance: float, length: float) -> tuple[int, float]:
        """Element of a flexible link and the local coordinate -1..1 at a distance from the joint."""
        ends = self.ends_of(link)
        e = int(np.clip(np.searchsorted(ends, distance, "right") - 1, 0, len(ends) - 2))
        return self.first(link) + e, 2.0 * (distance - ends[e]) / (ends[e + 1] - ends[e]) - 1.0

    def ends_of(self, link: int) -> np.ndarray:
        """Distances of the ends of a flexible link's elements from the joint, (elements + 1,)."""
        return self.places[link][:: self.order]

    def around(self, link: int, distance: float, length: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Nodes (n, 3) around a place on a link, and there the shape functions (n,) and their slopes (n,), 1/m."""
        nodes, values, slopes = self.around_each(link, np.array([distance]), length)
        return nodes[0], values[0], slopes[0]

    def around_each(self, link: int, distances: np.ndarray, length: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """As `around` for many places: nodes (places, n, 3), shape functions and slopes (places, n)."""
        if not self.counts[link]:  # a rigid link: straight between its two nodes
            share = distances / length if length else 0.0 * distances
            slopes = np.array([-1.0, 1.0]) / (length or 1.0)
            values = np.column_stack([1.0 - share, share])
            return np.tile(self.nodes[link], (len(share), 1, 1)), values, np.tile(slopes, (len(share), 1))
        ends = self.ends_of(link)
        e = np.clip(np.searchsorted(ends, distances, "right") - 1, 0, len(ends) - 2)
        size = ends[e + 1] - ends[e]
        values, slopes = shape_functions(self.order, 2.0 * (distances - ends[e]) / size - 1.0)
        nodes = self.connection[self.first(link) + e].reshape(len(e), -1, 3)
        return nodes, values, slopes * (2.0 / size)[:, None]


def build_mesh(arm: Arm, wiring: Wiring, counts: tuple[int, ...], order: int, whole_links: bool = False) -> Mesh:
    """Number the unknowns chain by chain, so that the matrices have a narrow band.

    A link whose section has more parts than `counts` has elements gets one for each part. `whole_links` makes the band as
    wide as a link, for the theory in which every element feels the link's first section.
    """
    places = [_places(arm, wiring, i, count, order) for i, count in enumerate(counts)]
    counts = tuple((len(places[i]) - 1) // order if link.flexible else 0 for i, link in enumerate(arm.links))
    build = _Numbering(arm, wiring, counts, order, places)
    for i, goes_on in chain_order(arm):
        build.link(i, goes_on)
    nodes, joints = build.nodes, build.joints
    tables = [nodes[i][e * order + np.arange(order + 1)].ravel() for i in range(len(counts)) for e in range(counts[i])]
    band = np.array(tables, dtype=np.int64).reshape(len(tables), 3 * (order + 1))
    owner = np.repeat(np.arange(len(counts)), counts).astype(np.int64)
    rigid = np.array(build.far_nodes, dtype=np.int64).reshape(len(build.far_nodes), 5)
    ends = np.array(build.ends).reshape(len(build.ends), 2)
    every = range(len(counts))
    groups = [list(row) for row in band] + [[joints[i].base, joints[i].tip, joints[i].motor] for i in every]
    groups += [list(nodes[i][-1]) for i in every] + [[far, far + 1, far + 2] for far in rigid[:, 3]]
    if whole_links:
        groups += [[*nodes[i].ravel(), joints[i].base] for i in every]
    return Mesh(
        order, build.number, _spread(groups, rigid), tuple(nodes[i] for i in every),
        tuple(places), band, owner,
        tuple(joints[i] for i in every), counts, rigid, ends,
    )  # fmt: skip


def reach(link: Link) -> float:
    """Distance of a link's last node from its root; a bare body gets one at a metre, to carry its inertia."""
    return link.span or 1.0


def _places(arm: Arm, wiring: Wiring, i: int, count: int, order: int) -> np.ndarray:
    """Distances of a link's nodes from its root; sections that carry masses at an offset have one."""
    link = arm.links[i]
    if not link.flexible:
        return np.array([0.0, reach(link)])
    beside = [carrying_section(arm, i, item) / link.span for item in off_axis(arm, i)]
    ends = element_ends(link, count, attachment_places(arm, i, wiring.patches), beside) * link.span
    inner = ends[:-1, None] + np.diff(ends)[:, None] * np.arange(order) / order
    return np.append(inner.ravel(), link.span)


def chain_order(arm: Arm) -> list[tuple[int, bool]]:
    """Links in the order of numbering, and whether each goes on from the ground or from the last node of its parent.

    Of the links that stand on a tip one goes on; the others begin chains of their own.
    """
    children: dict[str, list[int]] = {}
    for i, link in enumerate(arm.links):
        children.setdefault(arm.parent(link.name), []).append(i)
    found, waiting = [], [(i, True) for i in children.get(GROUND, [])]
    while waiting:
        i, goes_on = waiting.pop(0)
        found.append((i, goes_on))
        links = children.get(arm.links[i].name, [])
        next_one = next((c for c in links if arm.links[c].at in ("tip", 1.0) and arm.links[i].span > 0.0), None)
        waiting = [(c, c == next_one) for c in sorted(links, key=lambda c: c != next_one)] + waiting
    return found


class _Numbering:
    """Gives out the unknowns, link after link."""

    def __init__(self, arm: Arm, wiring: Wiring, counts: tuple[int, ...], order: int, places: list[np.ndarray]):
        self.arm, self.counts, self.order, self.places, self.number = arm, counts, order, places, 0
        self.wired = {joint.name: joint for joint in wiring.joints}
        self.nodes: dict[int, np.ndarray] = {}
        self.joints: dict[int, JointPlace] = {}
        self.far_nodes: list[tuple[int, ...]] = []
        self.ends: list[tuple[float, float]] = []

    def new(self) -> int:
        """The next unknown."""
        self.number += 1
        return self.number - 1

    def link(self, i: int, goes_on: bool) -> None:
        """Unknowns of a link and of the joint at its root."""
        link, parent = self.arm.links[i], self.arm.parent(self.arm.links[i].name)
        wired = self.wired.get(link.name)
        own = wired is not None and (wired.mode != "motion" or wired.spring)
        before = np.array([-1, -1, -1])
        if not goes_on:
            before[2] = self.new() if own else -1
        elif parent != GROUND:
            before = self.nodes[self.arm.index(parent)][-1].copy()
        motor = self.new() if wired is not None and wired.spring and wired.mode != "motion" else -1
        if not goes_on:
            before[:2] = self.new(), self.new()
        base = self.new() if own or not goes_on else int(before[2])
        self.joints[i] = JointPlace(base, int(before[2]), motor, own, not goes_on)
        table = np.empty((len(self.places[i]), 3), dtype=np.int64)
        table[0] = before[0], before[1], base
        self._add_far_nodes(i, table, [0])
        for a in range(1, len(table)):
            table[a] = self.new(), self.new(), self.new()
        self.nodes[i] = table
        self._add_far_nodes(i, table, range(1, len(table)))
        if not link.flexible:
            self.far_nodes.append((i, int(before[0]), base, int(table[1, 0]), self._beyond(i)))
            self.ends.append((reach(link), 0.0))

    def _add_far_nodes(self, i: int, table: np.ndarray, nodes: Iterable[int]) -> None:
        """Far nodes for masses that some of a link's sections carry at an offset."""
        places = self.places[i]
        for a in nodes:
            for item in off_axis(self.arm, i):
                x = carrying_section(self.arm, i, item)
                if abs(places[a] - x) < 1e-9 * places[-1]:
                    far = self.new(), self.new(), self.new()
                    self.far_nodes.append((i, int(table[a, 0]), int(table[a, 2]), far[0], -1))
                    self.ends.append((item.x - x, item.y))

    def _beyond(self, i: int) -> int:
        """First element of the flexible link that goes on from a rigid one, -1 if there is none."""
        name = self.arm.links[i].name
        for c, goes_on in chain_order(self.arm):
            if goes_on and self.arm.parent(self.arm.links[c].name) == name:
                return sum(self.counts[:c]) if self.arm.links[c].flexible else -1
        return -1


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
    values, slopes = _polynomials(order)
    powers = xi[:, None] ** np.arange(order + 1)
    return powers @ values, powers[:, : len(slopes)] @ slopes


@functools.cache
def _polynomials(order: int) -> tuple[np.ndarray, np.ndarray]:
    """Coefficients (powers from 0, node) of the Lagrange polynomials and of their slopes."""
    values = np.linalg.inv(np.vander(np.linspace(-1.0, 1.0, order + 1), increasing=True))
    return values, np.arange(1, order + 1)[:, None] * values[1:]
