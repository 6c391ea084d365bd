"""Constant parts of the equations: mass matrix, weight, stiffness at the points of the elements, table of rigid bodies.

Equations: A2, A3, A12.

Links and masses on their axes move with p = N q for a constant matrix N, so their mass matrix never changes. What is rigid and
turns with a section is listed for `bodies`; here its mass counts as if it sat on the axis.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from flexarm.arm import Arm, Link
from flexarm.methods.ancf.beam import PLACE
from flexarm.methods.ancf.mesh import Mesh, hermite
from flexarm.numerics.gauss import gauss

POINTS, WEIGHTS = gauss(6)
"""Points of the mass of an element."""
LOBATTO, GAUSS = (1.0 / 6.0, 4.0 / 6.0, 1.0 / 6.0), (0.5, 0.5)


@dataclass(frozen=True)
class Point:
    """A point on the axis, and the vector of the section there."""

    place: np.ndarray
    """(2, size)"""
    section: np.ndarray
    """(2, size)"""


def point_on(arm: Arm, mesh: Mesh, link: int, x: float) -> Point:
    """The point at x along the undeformed link."""
    e, xi = mesh.element_at(link, x / arm.links[link].span)
    length, con = mesh.lengths(arm, link)[e - sum(mesh.counts[:link])], mesh.connection[e]
    values, slopes, _ = hermite(xi, length)
    r, section = np.zeros((2, mesh.size)), np.zeros((2, mesh.size))
    for j in range(4):
        for c in range(2):
            r[c, con[j] + c] += values[j]
            if not mesh.sheared[link]:
                section[c, con[j] + c] += slopes[j]
    if mesh.sheared[link]:
        for place, share in ((con[4], 1.0 - xi), (con[5], xi)):
            for c in range(2):
                section[c, place + c] += share
    return Point(r, section)


class MassBuilder:
    """Collects mass, weight and rigid bodies."""

    def __init__(self, arm: Arm, mesh: Mesh, commanded: Sequence[bool], channels: Sequence[int]):
        self.arm, self.mesh, self.commanded, self.channels = arm, mesh, commanded, channels
        self._places: list[tuple[int, ...]] = []
        self._bodies: list[tuple[float, ...]] = []
        self.mass, self.weight = np.zeros((mesh.size, mesh.size)), np.zeros(mesh.size)
        self.gravity = np.array(arm.gravity[:2])
        for e, i in enumerate(mesh.owner):
            self._element(e, int(i))
        self._joints()
        for i, link in enumerate(arm.links):
            for lump in link.masses:
                self._body(i, *link.place(lump.at)[:2], lump.mass, lump.inertia)
        tip, load = arm.index(arm.payload_link.name), arm.payload
        x, y, _ = load.offset_vector
        span = arm.links[tip].span
        self._body(tip, span + x, y, load.mass, load.inertia_z, section=span)

    @property
    def bodies(self) -> dict[str, np.ndarray]:
        """What turns with a section, as `layout.Parts` names it."""
        count = len(self._bodies)
        places = np.array(self._places, dtype=np.int64).reshape(count, 4).T.copy()
        numbers = np.array(self._bodies, dtype=float).reshape(count, 4)
        names = ("body_node", "body_section", "body_joint", "body_channel")
        return dict(zip(names, places, strict=True)) | {
            "body_ratio": np.array([self.arm.links[i].joint.ratio for i in places[2]]),
            "body_mass": numbers[:, 0].copy(), "body_inertia": numbers[:, 1].copy(), "body_offset": numbers[:, 2:].copy(),
        }  # fmt: skip

    def _body(self, link: int, x: float, y: float, mass: float, inertia: float, section: float | None = None) -> None:
        """A body at x along and y across the undeformed link; it rides on a given section, or on the nearest one."""
        span = self.arm.links[link].span
        inside = min(max(x, 0.0), span) if section is None else section
        point = point_on(self.arm, self.mesh, link, inside)
        self.mass += mass * point.place.T @ point.place
        self.weight += mass * point.place.T @ self.gravity
        if inertia or (mass and (x, y) != (inside, 0.0)):
            node = int(np.argmin(np.abs(self.mesh.ends[link] - inside / span)))
            self._turn(link, node, inertia, mass, x - inside, y)

    def _turn(self, link: int, node: int, inertia: float, mass: float = 0.0, x: float = 0.0, y: float = 0.0) -> None:
        """A body at an offset (x, y) from a node, turning with the section there; its offset as the section's vector has it."""
        if inertia or mass:
            offset = (y, -x) if self.mesh.sheared[link] else (x, y)
            place, section = self.mesh.nodes[link][node][0], self.mesh.section(link, node)
            self._places.append((place, section, -1, -1))
            self._bodies.append((mass, inertia, *offset))

    def _element(self, e: int, i: int) -> None:
        """Consistent mass of an element; sections may taper. A cable has no rotary inertia."""
        link, mesh = self.arm.links[i], self.mesh
        n, con = e - sum(mesh.counts[:i]), mesh.connection[e]
        start, end = mesh.ends[i][n : n + 2]
        length, places = (end - start) * link.span, 0.5 * (1.0 + POINTS)
        local = link.properties(start + (end - start) * places)
        for t, weight, rhoA, rhoI in zip(places, 0.5 * length * WEIGHTS, local["rhoA"], local["rhoI"], strict=True):
            values = hermite(t, length)[0]
            line = weight * rhoA * np.outer(values, values)
            for c in range(2):
                self.mass[np.ix_(con[:4] + c, con[:4] + c)] += line
                self.weight[con[:4] + c] += weight * rhoA * values * self.gravity[c]
            if mesh.sheared[i]:
                share = np.array([1.0 - t, t])
                turn = weight * rhoI * np.outer(share, share)
                for c in range(2):
                    self.mass[np.ix_(con[4:] + c, con[4:] + c)] += turn

    def _joints(self) -> None:
        """Hubs turn with the first section; rotors with it or with the motor, commanded ones behind a spring or a gear with the
        section before and with the command."""
        for i, link in enumerate(self.arm.links):
            joint, mesh = link.joint, self.mesh
            motor, rotor = mesh.motor[i], joint.rotor
            own = self.commanded[i] and (motor >= 0 or joint.gear is not None)
            turns = 0.0 if own else rotor.with_motor if i else rotor.reflected
            self._turn(i, 0, joint.hub_inertia + (0.0 if motor >= 0 else turns))
            if motor >= 0:
                self.mass[motor, motor] += turns
            if own and joint.rotor_inertia:
                before = mesh.section(i - 1, -1) if i else -1
                self._places.append((-1, before, i, self.channels[i]))
                self._bodies.append((0.0, joint.rotor_inertia, 0.0, 0.0))
            if i and not own:
                self._turn(i - 1, len(mesh.nodes[i - 1]) - 1, rotor.with_carrier)
            if i > 0 and (joint.motor_mass or joint.motor_inertia):
                self._body(i - 1, self.arm.links[i - 1].span, 0.0, joint.motor_mass, joint.motor_inertia)


def beam_properties(link: Link, ends: np.ndarray) -> dict[str, np.ndarray]:
    """Length, stiffness times weight and derivatives of the polynomials of a link's elements: see `layout.Parts`."""
    start, part = ends[:-1, None], np.diff(ends)[:, None]
    inner, length = link.properties((start + part * np.array([*PLACE[:2], *PLACE[3:]])).ravel()), part * link.span
    here = {name: inner[name].reshape(-1, 4) for name in ("EA", "GA", "EI")}
    EA = np.column_stack([here["EA"][:, :2], link.properties(ends[1:], "left")["EA"]])
    return {
        "length": length[:, 0], "axial": length * np.array(LOBATTO) * EA,
        "shear": length * np.array(GAUSS) * here["GA"][:, 2:], "bending": length * np.array(GAUSS) * here["EI"][:, 2:],
        "thickness": 0.5 * length * EA[:, [0, 2]], "slope": np.array([[hermite(x, L)[1] for x in PLACE] for L in length[:, 0]]),
        "curve": np.array([[hermite(x, L)[2] for x in PLACE[3:]] for L in length[:, 0]]),
    }  # fmt: skip


def continuum_properties(link: Link, ends: np.ndarray, plane: str) -> tuple[np.ndarray, np.ndarray]:
    """Shapes (elements, 15, 12) and stiffness times weight (elements, 15, 3) of the paper's element.

    The section is the rectangle with the same area and inertia. Shear has no coefficient, as in the paper.
    """
    assert link.material is not None
    E, nu, G = link.material.E, link.material.nu, link.material.shear_modulus
    if plane == "stress":
        c11 = E / (1.0 - nu**2)
        c12 = nu * c11
    else:
        c11 = E * (1.0 - nu) / ((1.0 + nu) * (1.0 - 2.0 * nu))
        c12 = E * nu / ((1.0 + nu) * (1.0 - 2.0 * nu))
    along, w_along = gauss(5)
    across, w_across = gauss(3)
    stiffness, shape = np.zeros((len(ends) - 1, 15, 3)), np.zeros((len(ends) - 1, 15, 12))
    for e, (start, end) in enumerate(pairwise(ends)):
        length = (end - start) * link.span
        for a, xi in enumerate(0.5 * (1.0 + along)):
            local = link.properties([start + (end - start) * xi])
            area, inertia = local["EA"][0] / E, local["EI"][0] / E
            height = np.sqrt(12.0 * inertia / area)
            slopes = hermite(xi, length)[1]
            for b, eta in enumerate(across):
                y, k = 0.5 * height * eta, 3 * a + b
                weight = 0.5 * length * w_along[a] * 0.5 * w_across[b] * area
                stiffness[e, k] = weight * np.array([0.5 * (c11 + c12), 0.5 * (c11 - c12), G])
                shape[e, k, :6] = [*slopes, -y / length, y / length]
                shape[e, k, 10:] = 1.0 - xi, xi
    return shape, stiffness
