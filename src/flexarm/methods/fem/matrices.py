"""Constant parts of the equations: mass matrix, rotary loads of the commanded motion, weight, element properties.

Equations: E2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flexarm.arm import GROUND, Arm, Link
from flexarm.drive import Wiring
from flexarm.methods.fem import layout as at
from flexarm.methods.fem.corrected import Property, bending_stiffness, mean_stiffness, nodal_masses
from flexarm.methods.fem.mesh import Mesh, reach, shape_functions
from flexarm.methods.fem.point_masses import PointMass, carrying_section, point_masses_of
from flexarm.numerics.gauss import gauss

STIFFER = 1e3
"""What is left out of a beam is made so many times stiffer, and its rotary inertia so many times less."""


@dataclass(frozen=True)
class Matrices:
    """Constant arrays.

    mass : (size, size), payload excluded
    rotary : (links, size): force on the unknowns per angular acceleration Theta_i''
    rotary_total : (links,): inertia that turns with Theta_i alone
    weight : (size,) forces of gravity, payload excluded
    properties : (elements, points, 6), see `layout`; the Kelvin-Voigt time is filled in later
    shape : (points, 2, order + 1) values and slopes per local coordinate
    """

    mass: np.ndarray
    rotary: np.ndarray
    rotary_total: np.ndarray
    weight: np.ndarray
    properties: np.ndarray
    shape: np.ndarray
    base_row: np.ndarray
    """(links, 1 + 3 * (order + 1)): rotary inertia row of the first section: per Theta'', and per acceleration of the
    first element's unknowns."""


def build_matrices(
    arm: Arm, wiring: Wiring, mesh: Mesh, integration: str, beams: str, corrected: Sequence[bool]
) -> Matrices:
    """Integrate all elements; `beams` says what sections can do, see the option; links with `corrected` elements are so."""
    order, size, links = mesh.order, mesh.size, len(arm.links)
    points = order + 1 if integration == "exact" else order
    xi, weights = gauss(points)
    values, slopes = shape_functions(order, xi)
    slender = beams != "timoshenko"
    build = _Builder(arm, mesh, size, links, 1.0 / STIFFER if slender else 1.0)
    properties = np.zeros((len(mesh.link), points, 6))
    for e, i in enumerate(mesh.link):
        link, n = arm.links[i], e - mesh.first(i)
        start, end = mesh.ends_of(int(i))[n : n + 2]
        length = end - start
        where = (start + 0.5 * (1.0 + xi) * length) / link.span
        local = link.properties(where)
        own = properties[e].T
        own[at.MEASURE], own[at.JACOBIAN] = 0.5 * length * weights, 2.0 / length
        own[at.EA] = local["EA"] * (STIFFER if beams == "inextensible" else 1.0)
        own[at.GA] = local["GA"] * (STIFFER if slender else 1.0)
        own[at.EI] = local["EI"]
        build.element(e, int(i), start, length, consistent=not corrected[i])
    build.joints(wiring)
    build.lumps()
    for i, link in enumerate(arm.links):
        if not link.flexible:
            build.rigid(i)
        elif corrected[i]:
            _correct(link, mesh.places[i], properties[mesh.first(i) : mesh.first(i) + mesh.counts[i], 0].T)
            build.nodes(i)
    return Matrices(
        build.mass, build.rotary, build.rotary_total, build.weight, properties, np.stack([values, slopes], axis=1),
        build.base_row,
    )  # fmt: skip


def _correct(link: Link, places: np.ndarray, own: np.ndarray) -> None:
    """Stiffnesses of corrected elements into the table (6, elements) of a link, which has those of the sections in their middles."""

    def of(name: str, factor: float) -> Property:
        return lambda x: factor * link.properties(x / link.span)[name]

    middle = link.properties(0.5 * (places[1:] + places[:-1])[:1] / link.span)
    stretched, sheared = (own[k, 0] / middle[name][0] for k, name in ((at.EA, "EA"), (at.GA, "GA")))
    own[at.EA] = mean_stiffness(places, of("EA", stretched))
    own[at.EI], own[at.GA] = bending_stiffness(places, of("EI", 1.0), of("GA", sheared))


class _Builder:
    """Collects mass and weight."""

    def __init__(self, arm: Arm, mesh: Mesh, size: int, links: int, rotary_share: float):
        self.arm, self.mesh, self.rotary_share = arm, mesh, rotary_share
        self.gravity = np.array(arm.gravity[:2])
        self.mass, self.rotary = np.zeros((size, size)), np.zeros((links, size))
        self.rotary_total, self.weight = np.zeros(links), np.zeros(size)
        self.base_row = np.zeros((links, 1 + 3 * (mesh.order + 1)))
        self.xi, self.weights = gauss(mesh.order + 2)
        self.values, _ = shape_functions(mesh.order, self.xi)

    def element(self, e: int, i: int, start: float, length: float, consistent: bool) -> None:
        """Consistent rotary inertia of an element, and mass if wanted; sections may taper."""
        link = self.arm.links[i]
        local = link.properties((start + 0.5 * (1.0 + self.xi) * length) / link.span)
        scale = 0.5 * length * self.weights
        turn = np.einsum("g,ga,gb->ab", self.rotary_share * scale * local["rhoI"], self.values, self.values)
        nodes = self.mesh.connection[e].reshape(-1, 3)
        if consistent:
            self._line(nodes, np.einsum("g,ga,gb->ab", scale * local["rhoA"], self.values, self.values))
        self._turn(nodes[:, 2], turn, i)
        if e == self.mesh.first(i):
            self.base_row[i, 0] += turn[0].sum()
            self.base_row[i, 3::3] += turn[0]

    def nodes(self, i: int) -> None:
        """Mass of a link in its nodes."""
        link = self.arm.links[i]
        own, beside = nodal_masses(self.mesh.places[i], lambda x: link.properties(x / link.span)["rhoA"])
        self._line(self.mesh.nodes[i], np.diag(own) + np.diag(beside, 1) + np.diag(beside, -1))

    def _spread(self, places: np.ndarray, matrix: np.ndarray) -> None:
        """Add a matrix to the masses of some unknowns (-1: none)."""
        used = np.flatnonzero(places >= 0)
        self.mass[np.ix_(places[used], places[used])] += matrix[np.ix_(used, used)]

    def _line(self, nodes: np.ndarray, line: np.ndarray) -> None:
        """Mass and weight (nodes, nodes) that move with x and y of some nodes."""
        for axis in range(2):
            self._spread(nodes[:, axis], line)
            used = nodes[:, axis] >= 0
            self.weight[nodes[used, axis]] += line.sum(axis=1)[used] * self.gravity[axis]

    def _turn(self, angles: np.ndarray, turn: np.ndarray, i: int) -> None:
        """Inertia (angles, angles) that turns with Theta_i plus a weighted mean of some angles."""
        self._spread(angles, turn)
        self.rotary_total[i] += turn.sum()
        self.rotary[i, angles[angles >= 0]] += turn.sum(axis=1)[angles >= 0]

    def joints(self, wiring: Wiring) -> None:
        """Hubs turn with the link, rotors with the motor; what geared ones put on its carrier is among the lumps."""
        modes = {joint.name: joint for joint in wiring.joints}
        for i, link in enumerate(self.arm.links):
            place, joint, wired = self.mesh.joints[i], link.joint, modes.get(link.name)
            spring = wired is not None and wired.spring
            hub = joint.hub_inertia + (0.0 if spring else joint.rotor.with_motor)
            self._turn(np.array([place.base]), np.full((1, 1), hub), i)
            self.base_row[i, 0] += hub
            self.base_row[i, 3] += hub
            if spring:
                angles = np.array([place.tip, place.motor])
                self._spread(angles, np.full((2, 2), joint.rotor.with_motor))
                self.rotary[i, angles[angles >= 0]] += joint.rotor.with_motor
                self.rotary_total[i] += joint.rotor.with_motor
            if joint.rotor.with_joint:
                self._gear(i, joint.rotor.with_joint, spring)

    def _gear(self, i: int, inertia: float, spring: bool) -> None:
        """Inertia of a geared rotor that feels its joint alone: the command (Theta_i less that of the parent) and its unknowns."""
        place, parent = self.mesh.joints[i], self.arm.parent(self.arm.links[i].name)
        angles, signs = np.array([place.motor]), np.ones(1)
        if not spring:
            angles, signs = np.array([place.base, place.tip] if place.own else [-1, -1]), np.array([1.0, -1.0])
        self._spread(angles, inertia * np.outer(signs, signs))
        used = angles >= 0
        self.rotary[i, angles[used]] += inertia * signs[used]
        if parent != GROUND:
            self.rotary[self.arm.index(parent), angles[used]] -= inertia * signs[used]

    def lumps(self) -> None:
        """Point masses of flexible links: on the axis spread by the shape functions, beside it on far nodes."""
        for i, link in enumerate(self.arm.links):
            for item in point_masses_of(self.arm, i) if link.flexible else ():
                x = carrying_section(self.arm, i, item)
                nodes, share, _ = self.mesh.around(i, x, link.span)
                if (item.x, item.y) == (x, 0.0):
                    self._line(nodes, item.mass * np.outer(share, share))
                else:
                    self._add_offset_mass(i, nodes[np.argmax(share)], item, x)
                self._turn(nodes[:, 2], item.inertia * np.outer(share, share), i)
                if nodes[0, 2] == self.mesh.joints[i].base:
                    self.base_row[i, 0] += item.inertia * share[0]
                    self.base_row[i, 3::3] += item.inertia * share[0] * share

    def _add_offset_mass(self, i: int, node: np.ndarray, item: PointMass, x: float) -> None:
        """A mass on a far node of its own."""
        for (link, _, base, far, _), end in zip(self.mesh.far_nodes, self.mesh.ends, strict=True):
            if link == i and base == node[2] and np.allclose(end, (item.x - x, item.y), rtol=0.0, atol=1e-12):
                self._line(np.array([[far, far + 1]]), np.full((1, 1), item.mass))
                return

    def rigid(self, i: int) -> None:
        """Mass and weight of a rigid link in its two nodes: exact, for every point of it is r1 + A (r2 - r1)."""
        link = self.arm.links[i]
        mass, x, y, inertia = _rigid_body(self.arm, i)
        L, unit, turn = reach(link), np.eye(2), np.array([[0.0, -1.0], [1.0, 0.0]])
        lever, square = (x * unit + y * turn) / L, inertia / L**2 * unit
        blocks = [[mass * unit - lever - lever.T + square, lever - square], [lever.T - square, square]]
        first = [mass * unit - lever, lever]
        places = self.mesh.nodes[i][:, :2].ravel()
        self._spread(places, np.block(blocks))
        self.weight[places[places >= 0]] += (np.hstack(first).T @ self.gravity)[places >= 0]


def _rigid_body(arm: Arm, i: int) -> tuple[float, float, float, float]:
    """Mass, its first moments along and across the link, and inertia about the root, point masses included."""
    link = arm.links[i]
    mass = x = y = inertia = 0.0
    if link.body is not None:
        (cx, cy, *_), mass = link.body.center, link.body.mass
        about = link.body.inertia
        own = about[2] if isinstance(about, tuple) else about
        x, y, inertia = mass * cx, mass * cy, own + mass * (cx**2 + cy**2)
    elif link.section is not None:
        mass, turning = link.integrate(("rhoA", "rhoI"))
        x, inertia = link.integrate(("rhoA",), 1)[0], link.integrate(("rhoA",), 2)[0] + turning
    for item in point_masses_of(arm, i):
        mass, x, y = mass + item.mass, x + item.mass * item.x, y + item.mass * item.y
        inertia += item.inertia + item.mass * (item.x**2 + item.y**2)
    return mass, x, y, inertia


def band_forms(matrix: np.ndarray, half_width: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A matrix by rows of its band, (size, 2 half_width + 1), and by the diagonals that hold anything.

    Returns the band, the offsets (n,) of those diagonals, and them, (n, size): entry r of offset k is [r, r + k].
    """
    size, b = len(matrix), half_width
    band = np.zeros((size, 2 * b + 1))
    for r in range(size):
        for c in range(max(0, r - b), min(size, r + b + 1)):
            band[r, c - r + b] = matrix[r, c]
    used = np.flatnonzero(band.any(axis=0))
    return band, (used - b).astype(np.int64), np.ascontiguousarray(band[:, used].T)


def sparse(rotary: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Entries of (links, size) that are not zero: unknown, link, value."""
    link, unknown = np.nonzero(rotary)
    return unknown.astype(np.int64), link.astype(np.int64), rotary[link, unknown]
