"""Axial force, shear force and bending moment along the links, from the strains of the elements (elastic part).

Equations: A39, A40, A41.

Each is taken where the element has it at its best: axial force as the mean over an element (within it, bending makes it
waver), shear force and moment at the Gauss points; between and beyond them it runs straight.
"""

from __future__ import annotations

import numpy as np

from flexarm.arm import Arm
from flexarm.methods.ancf.beam import PLACE
from flexarm.methods.ancf.matrices import LOBATTO
from flexarm.methods.ancf.mesh import Mesh, hermite


class Sections:
    """Section forces of one arm."""

    def __init__(self, arm: Arm, mesh: Mesh):
        self.arm, self.mesh = arm, mesh
        self._stiffness = [self._properties(i) for i in range(len(arm.links))]

    def _properties(self, i: int) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        """Places (fractions of the link) of the five points of every element, and the stiffnesses there."""
        ends, link = self.mesh.ends[i], self.arm.links[i]
        places = (ends[:-1, None] + np.diff(ends)[:, None] * np.array(PLACE)).ravel()
        stiffness, before = link.figures(places), link.figures(ends[1:], "left")
        for name, values in stiffness.items():  # the last point of an element lies before a step at its end
            values[2::5] = before[name]
        return places, stiffness

    def at(self, q: np.ndarray, i: int, fractions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Axial force, shear force (N) and moment (N*m) at fractions of a link, (nt, fractions) each."""
        places, stiffness = self._stiffness[i]
        axial, shear, bend = self._strains(q, i)
        lobatto = np.array([k % 5 in (0, 1, 2) for k in range(len(places))])
        count = self.mesh.counts[i]
        mean = (stiffness["EA"] * axial).reshape(len(q), count, 5)[:, :, :3] @ np.array(LOBATTO)
        N = _along(0.5 * (self.mesh.ends[i][1:] + self.mesh.ends[i][:-1]), mean, fractions)
        Q = _along(places[~lobatto], (stiffness["GA"] * shear)[:, ~lobatto], fractions)
        M = _along(places[~lobatto], (stiffness["EI"] * bend)[:, ~lobatto], fractions)
        if not self.mesh.sheared[i]:  # no shear strain: the force that balances the moment
            slope = np.gradient(
                (stiffness["EI"] * bend)[:, ~lobatto], places[~lobatto] * self.arm.links[i].span, axis=1
            )
            Q = _along(places[~lobatto], -slope, fractions)
        return N, Q, M

    def _strains(self, q: np.ndarray, i: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Axial strain, shear strain and curvature at all points of a link, (nt, points) each."""
        mesh, lengths = self.mesh, self.mesh.lengths(self.arm, i)
        columns: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
        for e, length in zip(np.flatnonzero(mesh.owner == i), lengths, strict=True):
            con = mesh.connection[e]
            vectors = [q[:, p : p + 2] for p in con[: 6 if mesh.sheared[i] else 4]]
            low = high = np.zeros(len(q))
            if mesh.sheared[i]:
                low, high = _shear(vectors[1], vectors[4]), _shear(vectors[3], vectors[5])
            for x in PLACE:
                _, slopes, bends = hermite(x, length)
                a = sum(h * v for h, v in zip(slopes, vectors[:4], strict=True))
                b = sum(h * v for h, v in zip(bends, vectors[:4], strict=True))
                square = np.sum(a**2, axis=1)
                gamma, f = (1.0 - x) * low + x * high, np.sqrt(square)
                kappa = _cross(a, b) / square - (high - low) / length
                columns.append((f * np.cos(gamma) - 1.0, f * np.sin(gamma), kappa))
        axial, shear, bend = (np.array([c[k] for c in columns]).T for k in range(3))
        return axial, shear, bend


def _cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]


def _shear(slope: np.ndarray, section: np.ndarray) -> np.ndarray:
    """Shear angle of a node, (nt,)."""
    return np.arctan2(np.sum(slope * section, axis=1), _cross(slope, section))


def _along(places: np.ndarray, values: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Values (nt, places) at wanted places: straight pieces, continued beyond the ends; (nt, wanted)."""
    keep = np.concatenate([[True], np.diff(places) > 1e-12])
    places, values = places[keep], values[:, keep]
    if len(places) == 1:
        return np.repeat(values, len(wanted), axis=1)
    k = np.clip(np.searchsorted(places, wanted) - 1, 0, len(places) - 2)
    share = (wanted - places[k]) / (places[k + 1] - places[k])
    return (1.0 - share) * values[:, k] + share * values[:, k + 1]
