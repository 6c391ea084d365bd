"""Constant parts of the equations: mass matrix, weight, stiffness at the points of the elements.

Everything that has mass moves with p = N q for a constant matrix N, also off the axis and beyond the tip, because the
directions of a section are unknowns themselves: so the mass matrix never changes.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from flexarm.arm import Arm, Link
from flexarm.methods.ancf.beam import PLACE
from flexarm.methods.ancf.mesh import Mesh, hermite

QUARTER = np.array([[0.0, -1.0], [1.0, 0.0]])
"""Quarter turn."""
POINTS, WEIGHTS = np.polynomial.legendre.leggauss(6)
"""Points of the mass of an element."""
LOBATTO, GAUSS = (1.0 / 6.0, 4.0 / 6.0, 1.0 / 6.0), (0.5, 0.5)


@dataclass(frozen=True)
class Point:
    """A point that moves with a section: p = r + along e1 + across e2, and the section's vector."""

    place: np.ndarray
    """(2, size)"""
    section: np.ndarray
    """(2, size)"""


def point_on(arm: Arm, mesh: Mesh, link: int, x: float, y: float = 0.0) -> Point:
    """The point at x along and y across the undeformed link; beyond its ends it rides on the end section."""
    span = arm.links[link].span
    inside = min(max(x, 0.0), span)
    e, xi = mesh.element_at(link, inside / span)
    length, con = mesh.lengths(arm, link)[e - sum(mesh.counts[:link])], mesh.connection[e]
    values, slopes, _ = hermite(xi, length)
    r, axis, section = (np.zeros((2, mesh.size)) for _ in range(3))
    for j in range(4):
        for c in range(2):
            r[c, con[j] + c] += values[j]
            axis[c, con[j] + c] += slopes[j]
    if mesh.sheared[link]:
        for place, share in ((con[4], 1.0 - xi), (con[5], xi)):
            for c in range(2):
                section[c, place + c] += share
        along, across = -QUARTER @ section, section
    else:
        section, along, across = axis, axis, QUARTER @ axis
    return Point(r + (x - inside) * along + y * across, section)


class MassBuilder:
    """Collects mass and weight."""

    def __init__(self, arm: Arm, mesh: Mesh, commanded: tuple[bool, ...]):
        self.arm, self.mesh, self.commanded = arm, mesh, commanded
        self.mass, self.weight = np.zeros((mesh.size, mesh.size)), np.zeros(mesh.size)
        self.gravity = np.array(arm.gravity[:2])
        for e, i in enumerate(mesh.owner):
            self._element(e, int(i))
        self._joints()
        for i, link in enumerate(arm.links):
            for lump in link.masses:
                x, y, _ = link.place(lump.at)
                self._body(point_on(arm, mesh, i, x, y), lump.mass, lump.inertia)
        tip = arm.index(arm.payload_link.name)
        x, y, _ = arm.payload.offset_vector
        load = arm.payload
        self._body(point_on(arm, mesh, tip, arm.links[tip].span + x, y), load.mass, load.inertia_z)

    def _body(self, at: Point, mass: float, inertia: float) -> None:
        self.mass += mass * at.place.T @ at.place + inertia * at.section.T @ at.section
        self.weight += mass * at.place.T @ self.gravity

    def _element(self, e: int, i: int) -> None:
        """Consistent mass of an element; sections may taper. A cable has no rotary inertia."""
        link, mesh = self.arm.links[i], self.mesh
        n, con = e - sum(mesh.counts[:i]), mesh.connection[e]
        start, end = mesh.ends[i][n : n + 2]
        length, places = (end - start) * link.span, 0.5 * (1.0 + POINTS)
        local = link.figures(start + (end - start) * places)
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
        """Hubs (and rotors without spring) turn with the first section, other rotors with motor or section before."""
        for i, link in enumerate(self.arm.links):
            joint, mesh = link.joint, self.mesh
            motor = mesh.motor[i]
            self._turn(mesh.section(i, 0), joint.hub_inertia + (0.0 if motor >= 0 else joint.rotor_inertia))
            if motor >= 0 and not self.commanded[i]:
                self.mass[motor, motor] += joint.rotor_inertia
            elif motor >= 0 and i > 0:
                self._turn(mesh.section(i - 1, -1), joint.rotor_inertia)
            if i > 0 and joint.motor_mass:
                self._body(point_on(self.arm, mesh, i - 1, self.arm.links[i - 1].span), joint.motor_mass, 0.0)

    def _turn(self, place: int, inertia: float) -> None:
        self.mass[[place, place + 1], [place, place + 1]] += inertia


def beam_figures(link: Link, ends: np.ndarray) -> np.ndarray:
    """Stiffness times weight of the elements of a link, (elements, 9): see `layout.Arm.fig`."""
    out, inner = np.zeros((len(ends) - 1, 9)), np.array([*PLACE[:2], *PLACE[3:]])
    for e, (start, end) in enumerate(pairwise(ends)):
        length = (end - start) * link.span
        left = link.figures(start + (end - start) * inner)
        right = link.figures([end], "left")
        EA = np.array([left["EA"][0], left["EA"][1], right["EA"][0]])
        out[e, :3] = length * np.array(LOBATTO) * EA
        out[e, 3:5] = length * np.array(GAUSS) * left["GA"][2:]
        out[e, 5:7] = length * np.array(GAUSS) * left["EI"][2:]
        out[e, 7:9] = 0.5 * length * EA[[0, 2]]
    return out


def continuum_figures(link: Link, ends: np.ndarray, plane: str) -> tuple[np.ndarray, np.ndarray]:
    """Stiffness times weight (elements, 15, 3) and shapes (elements, 15, 12) of the paper's element.

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
    along, w_along = np.polynomial.legendre.leggauss(5)
    across, w_across = np.polynomial.legendre.leggauss(3)
    fig, shape = np.zeros((len(ends) - 1, 15, 3)), np.zeros((len(ends) - 1, 15, 12))
    for e, (start, end) in enumerate(pairwise(ends)):
        length = (end - start) * link.span
        for a, xi in enumerate(0.5 * (1.0 + along)):
            local = link.figures([start + (end - start) * xi])
            area, inertia = local["EA"][0] / E, local["EI"][0] / E
            height = np.sqrt(12.0 * inertia / area)
            slopes = hermite(xi, length)[1]
            for b, eta in enumerate(across):
                y, k = 0.5 * height * eta, 3 * a + b
                weight = 0.5 * length * w_along[a] * 0.5 * w_across[b] * area
                fig[e, k] = weight * np.array([0.5 * (c11 + c12), 0.5 * (c11 - c12), G])
                shape[e, k, :6] = [*slopes, -y / length, y / length]
                shape[e, k, 10:] = 1.0 - xi, xi
    return fig, shape
