"""Constant parts of the equations: mass matrix, rotary loads of the commanded motion, weight, element figures."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexarm.arm import Arm
from flexarm.drive import Wiring
from flexarm.methods.fem.attached import Attached, attached_to, section_of
from flexarm.methods.fem.mesh import Mesh, reach, shape_functions
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


def build_matrices(arm: Arm, wiring: Wiring, mesh: Mesh, integration: str, beams: str) -> Matrices:
    """Integrate all elements; `beams` says what sections can do, see the option."""
    order, size, links = mesh.order, mesh.size, len(arm.links)
    points = order if integration == "reduced" else order + 1
    xi, weights = gauss(points)
    values, slopes = shape_functions(order, xi)
    slender = beams != "timoshenko"
    build = _Builder(arm, mesh, size, links, 1.0 / STIFFER if slender else 1.0)
    figures = np.zeros((len(mesh.link), points, 6))
    for e, i in enumerate(mesh.link):
        link, first = arm.links[i], sum(mesh.counts[:i])
        start, end = mesh.ends_of(int(i))[e - first : e - first + 2]
        length = end - start
        where = (start + 0.5 * (1.0 + xi) * length) / link.span
        local = link.figures(where)
        figures[e, :, 0] = 0.5 * length * weights
        figures[e, :, 1], figures[e, :, 2], figures[e, :, 3] = local["EA"], local["GA"], local["EI"]
        figures[e, :, 1] *= STIFFER if beams == "inextensible" else 1.0
        figures[e, :, 2] *= STIFFER if slender else 1.0
        figures[e, :, 4] = 2.0 / length
        build.element(e, int(i), start, length)
    build.joints(wiring)
    build.lumps()
    for i, link in enumerate(arm.links):
        if not link.flexible:
            build.rigid(i)
    return Matrices(
        build.mass, build.rotary, build.rotary_total, build.weight, figures, np.stack([values, slopes], axis=1),
        build.base_row,
    )  # fmt: skip


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

    def element(self, e: int, i: int, start: float, length: float) -> None:
        """Consistent mass of an element; sections may taper."""
        link = self.arm.links[i]
        local = link.figures((start + 0.5 * (1.0 + self.xi) * length) / link.span)
        scale = 0.5 * length * self.weights
        line = np.einsum("g,ga,gb->ab", scale * local["rhoA"], self.values, self.values)
        turn = np.einsum("g,ga,gb->ab", self.rotary_share * scale * local["rhoI"], self.values, self.values)
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
        """Hubs turn with the link, rotors with the motor."""
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
        """Point masses of flexible links: on the axis spread by the shape functions, beside it on far nodes."""
        for i, link in enumerate(self.arm.links):
            for item in attached_to(self.arm, i) if link.flexible else ():
                x = section_of(self.arm, i, item)
                nodes, share, _ = self.mesh.around(i, x, link.span)
                if (item.x, item.y) == (x, 0.0):
                    self._point(nodes, share, item.mass)
                else:
                    self._hung(i, nodes[np.argmax(share)], item, x)
                self._add(nodes, np.zeros((len(share),) * 2), item.inertia * np.outer(share, share), i)
                if nodes[0, 2] == self.mesh.joints[i].base:
                    self.base_row[i, 0] += item.inertia * share[0]
                    self.base_row[i, 3::3] += item.inertia * share[0] * share

    def _hung(self, i: int, node: np.ndarray, item: Attached, x: float) -> None:
        """A mass on a far node of its own."""
        for (link, _, base, far, _), end in zip(self.mesh.slaves, self.mesh.ends, strict=True):
            if link == i and base == node[2] and np.allclose(end, (item.x - x, item.y), rtol=0.0, atol=1e-12):
                self._point(np.array([[far, far + 1, far + 2]]), np.ones(1), item.mass)
                return

    def rigid(self, i: int) -> None:
        """Mass and weight of a rigid link in its two nodes: exact, for every point of it is r1 + A (r2 - r1)."""
        link = self.arm.links[i]
        mass, x, y, inertia = _rigid_body(self.arm, i)
        L, unit, turn = reach(link), np.eye(2), np.array([[0.0, -1.0], [1.0, 0.0]])
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
    for item in attached_to(arm, i):
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
