"""Constant parts of the equations: mass matrix, rotary loads of the commanded motion, weight, element figures."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexarm.arm import Arm, Link
from flexarm.drive import Wiring
from flexarm.errors import CapabilityError
from flexarm.methods.fem.mesh import Mesh, shape_functions


@dataclass(frozen=True)
class Matrices:
    """Constant arrays.

    mass : (size, size), payload excluded
    rotary : (links, size): force on the unknowns per angular acceleration Theta_i''
    rotary_total : (links,): inertia that turns with Theta_i alone
    weight : (size,) forces of gravity, payload excluded
    fixed_weight : (2,) weight carried by nodes that are fixed; figures : (elements, points, 6) = weight of the point,
    EA, GA, EI, jacobian, Kelvin-Voigt time (filled later); shape : (points, 2, order + 1) values and slopes per local coordinate
    """

    mass: np.ndarray
    rotary: np.ndarray
    rotary_total: np.ndarray
    weight: np.ndarray
    figures: np.ndarray
    shape: np.ndarray
    base_row: np.ndarray
    """(links, 1 + 3 * (order + 1)): rotary inertia row of the first section: per Theta'', and per acceleration of the
    first element's unknowns."""


def build_matrices(arm: Arm, wiring: Wiring, mesh: Mesh, integration: str) -> Matrices:
    """Integrate all elements."""
    order, size, links = mesh.order, mesh.size, len(arm.links)
    points = order if integration == "reduced" else order + 1
    xi, weights = np.polynomial.legendre.leggauss(points)
    values, slopes = shape_functions(order, xi)
    build = _Builder(arm, mesh, size, links)
    figures = np.zeros((len(mesh.link), points, 6))
    for e, i in enumerate(mesh.link):
        link, first = arm.links[i], sum(mesh.counts[:i])
        length = link.span / mesh.counts[i]
        start = (e - first) * length
        where = (start + 0.5 * (1.0 + xi) * length) / link.span
        local = link.figures(where)
        figures[e, :, 0] = 0.5 * length * weights
        figures[e, :, 1], figures[e, :, 2], figures[e, :, 3] = local["EA"], local["GA"], local["EI"]
        figures[e, :, 4] = 2.0 / length
        build.element(e, int(i), start, length)
    build.joints(wiring)
    build.lumps()
    for i, *_ in mesh.slaves:
        build.rigid(int(i))
    return Matrices(
        build.mass, build.rotary, build.rotary_total, build.weight, figures, np.stack([values, slopes], axis=1),
        build.base_row,
    )  # fmt: skip


class _Builder:
    """Collects mass and weight."""

    def __init__(self, arm: Arm, mesh: Mesh, size: int, links: int):
        self.arm, self.mesh = arm, mesh
        self.gravity = np.array(arm.gravity[:2])
        self.mass, self.rotary = np.zeros((size, size)), np.zeros((links, size))
        self.rotary_total, self.weight = np.zeros(links), np.zeros(size)
        self.base_row = np.zeros((links, 1 + 3 * (mesh.order + 1)))
        self.xi, self.weights = np.polynomial.legendre.leggauss(mesh.order + 2)
        self.values, _ = shape_functions(mesh.order, self.xi)

    def element(self, e: int, i: int, start: float, length: float) -> None:
        """Consistent mass of an element; sections may taper."""
        link = self.arm.links[i]
        local = link.figures((start + 0.5 * (1.0 + self.xi) * length) / link.span)
        scale = 0.5 * length * self.weights
        line = np.einsum("g,ga,gb->ab", scale * local["rhoA"], self.values, self.values)
        turn = np.einsum("g,ga,gb->ab", scale * local["rhoI"], self.values, self.values)
        self._add(self.mesh.connection[e].reshape(-1, 3), line, turn, i)
        if e == sum(self.mesh.counts[:i]):
            self.base_row[i, 0] += turn[0].sum()
            self.base_row[i, 3::3] += turn[0]

    def _add(self, nodes: np.ndarray, line: np.ndarray, turn: np.ndarray, i: int) -> None:
        for a in range(len(nodes)):
            for axis in range(2):
                ka = nodes[a, axis]
                if ka >= 0:
                    self.weight[ka] += line[a].sum() * self.gravity[axis]
                    for b in range(len(nodes)):
                        if nodes[b, axis] >= 0:
                            self.mass[ka, nodes[b, axis]] += line[a, b]
            ka = nodes[a, 2]
            self.rotary_total[i] += turn[a].sum()
            if ka >= 0:
                self.rotary[i, ka] += turn[a].sum()
                for b in range(len(nodes)):
                    if nodes[b, 2] >= 0:
                        self.mass[ka, nodes[b, 2]] += turn[a, b]

    def joints(self, wiring: Wiring) -> None:
        """Hubs turn with the link, rotors with the motor, motor masses with the tip before the joint."""
        modes = {joint.name: joint for joint in wiring.joints}
        for i, link in enumerate(self.arm.links):
            place, joint, wired = self.mesh.joints[i], link.joint, modes.get(link.name)
            spring = wired is not None and wired.spring
            hub = joint.hub_inertia + (0.0 if spring else joint.rotor_inertia)
            self._turning(i, [place.base], hub)
            self.base_row[i, 0] += hub
            self.base_row[i, 3] += hub
            if spring:
                self._turning(i, [place.tip, place.motor], joint.rotor_inertia)
            if i > 0 and joint.motor_mass:
                self._point(self.mesh.nodes[i - 1][-1][None, :], np.ones(1), joint.motor_mass)

    def _turning(self, i: int, combination: list[int], inertia: float) -> None:
        """An inertia whose angle is Theta_i plus the sum of some unknowns."""
        used = [k for k in combination if k >= 0]
        self.rotary_total[i] += inertia
        for a in used:
            self.rotary[i, a] += inertia
            for b in used:
                self.mass[a, b] += inertia

    def _point(self, nodes: np.ndarray, share: np.ndarray, mass: float) -> None:
        for axis in range(2):
            for a in range(len(nodes)):
                ka = nodes[a, axis]
                if ka < 0:
                    continue
                self.weight[ka] += share[a] * mass * self.gravity[axis]
                for b in range(len(nodes)):
                    if nodes[b, axis] >= 0:
                        self.mass[ka, nodes[b, axis]] += share[a] * share[b] * mass

    def lumps(self) -> None:
        """Lumped masses on the axes of flexible links, spread by the shape functions."""
        for i, link in enumerate(self.arm.links):
            for lump in link.masses if link.flexible else ():
                x, y, _ = link.place(lump.at)
                if y or not 0.0 <= x <= link.span:
                    raise CapabilityError(
                        "the method fem takes lumped masses of flexible links on their axis only",
                        field=f"arm.links.{link.name}.masses",
                    )
                nodes, share, _ = self.mesh.around(i, x, link.span)
                self._point(nodes, share, lump.mass)
                self._add(nodes, np.zeros((len(share),) * 2), lump.inertia * np.outer(share, share), i)
                if nodes[0, 2] == self.mesh.joints[i].base:
                    self.base_row[i, 0] += lump.inertia * share[0]
                    self.base_row[i, 3::3] += lump.inertia * share[0] * share

    def rigid(self, i: int) -> None:
        """Mass and weight of a rigid link in its two nodes: exact, for every point of it is r1 + A (r2 - r1)."""
        link = self.arm.links[i]
        mass, x, y, inertia = _rigid_body(link)
        L, unit, turn = link.span, np.eye(2), np.array([[0.0, -1.0], [1.0, 0.0]])
        lever, square = (x * unit + y * turn) / L, inertia / L**2 * unit
        blocks = [[mass * unit - lever - lever.T + square, lever - square], [lever.T - square, square]]
        first = [mass * unit - lever, lever]
        nodes = self.mesh.nodes[i][:, :2]
        for a in range(2):
            for k in range(2):
                if nodes[a, k] < 0:
                    continue
                self.weight[nodes[a, k]] += first[a].T[k] @ self.gravity
                for b in range(2):
                    for m in range(2):
                        if nodes[b, m] >= 0:
                            self.mass[nodes[a, k], nodes[b, m]] += blocks[a][b][k, m]


def _rigid_body(link: Link) -> tuple[float, float, float, float]:
    """Mass, its first moments along and across the link, and inertia about the root, lumps included."""
    mass = x = y = inertia = 0.0
    if link.body is not None:
        (cx, cy, *_), mass = link.body.center, link.body.mass
        about = link.body.inertia
        own = about[2] if isinstance(about, tuple) else about
        x, y, inertia = mass * cx, mass * cy, own + mass * (cx**2 + cy**2)
    elif link.section is not None:
        mass, turning = link.integrate(("rhoA", "rhoI"))
        x, inertia = link.integrate(("rhoA",), 1)[0], link.integrate(("rhoA",), 2)[0] + turning
    for lump in link.masses:
        px, py, _ = link.place(lump.at)
        mass, x, y = mass + lump.mass, x + lump.mass * px, y + lump.mass * py
        inertia += lump.inertia + lump.mass * (px**2 + py**2)
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
