"""Section forces of beam and cable elements, by the equilibrium of an element.

Equations: A39, A40, A41.

A cable has no shear strain, and the shear angle of a node belongs to both elements there, though the shear force jumps at a lump: so
forces are not taken from these strains. The force p on the far end r_j of an element is the mean of the section force n over it,
weighted with the derivative of its polynomial H_j; and n changes along the element by the inertia and the weight that it
passes. With that n is balanced at every node, at rest and in motion, on any mesh.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.methods.ancf.beam import PLACE
from flexarm.methods.ancf.layout import SHEAR as SHEARED
from flexarm.methods.ancf.matrices import GAUSS, LOBATTO, POINTS, WEIGHTS
from flexarm.methods.ancf.mesh import hermite
from flexarm.methods.ancf.packing import patch_points
from flexarm.methods.ancf.section_forces import AXIAL, CURVATURE, SHEAR, shear_angles
from flexarm.methods.subdivision import SAME
from flexarm.numerics.along import by_slopes, part_before

if TYPE_CHECKING:
    from flexarm.methods.ancf.observe import AncfReader

MIDDLE, FIRST_GAUSS = 1, len(LOBATTO)
"""Numbers of an element's points: the Lobatto point in its middle, the first of its Gauss points."""


class BalancedSections:
    """Formulas of the section forces of all links."""

    def __init__(self, reader: AncfReader):
        self.reader, self.graph, self.model = reader, reader.graph, reader.model
        self._mean: Any = cache(self._find_mean)
        self._shear_at_gauss: Any = cache(self._find_shear_at_gauss)
        self._whole: Any = cache(self._find_whole)
        self._shear_angles: Any = cache(lambda e: shear_angles(self.graph, self.model.parts, e))

    def forces(self, link: int, fractions: Sequence[float]) -> np.ndarray:
        """Axial force, shear force and moment, damping included, (3, k); on a node those of the element before it."""
        mesh, out = self.model.mesh, np.empty((3, len(fractions)), dtype=object)
        ends, first, span = mesh.ends[link], sum(mesh.counts[:link]), self.reader.arm.links[link].span
        elements = part_before(ends, fractions)
        for k, (fraction, e) in enumerate(zip(fractions, elements, strict=True)):
            xi = float((fraction - ends[e]) / (ends[e + 1] - ends[e]))
            out[:2, k] = self._in_axes(link, first + e, xi)
            moments = [
                self._felt(first + e, FIRST_GAUSS + g, CURVATURE) * self._bending(first + e)[g] for g in range(2)
            ]
            length = float(ends[e + 1] - ends[e]) * span
            weights = -length * by_slopes(np.array(PLACE[FIRST_GAUSS:]), [xi])[0]
            terms = [*moments, *self._shear_at_gauss(link, first + e)]
            out[2, k] = self.graph.total(terms, [0.5, 0.5, *weights.tolist()])
        return out

    def _bending(self, e: int) -> np.ndarray:
        """EI at the Gauss points of an element, (2,)."""
        return self.model.parts.bending[e] / (np.array(GAUSS) * self.model.parts.length[e])

    def _felt(self, e: int, point: int, part: int) -> Any:
        """A strain at a point of an element, with its rate times the time of damping."""
        strain, time = self.reader.strains(e)[point][part], float(self.model.parts.damping_time[e])
        return strain + time * self.graph.rate(strain) if time else strain

    def _vector(self, e: int, weights: np.ndarray, first: int = 0) -> np.ndarray:
        """Weighted sum of the vectors r, r_x at both ends of an element, or of other numbers with places from `first` on, (2,)."""
        places = self.model.parts.connection[e, :4] + first
        return np.array([self.graph.state_sum(places + axis, weights) for axis in range(2)], dtype=object)

    def _find_mean(self, e: int) -> np.ndarray:
        """Force p on the far end of an element, elastic and of damping, (2,)."""
        m, sheared = self.model.parts, self.model.parts.kind[e] == SHEARED
        a, own = self._vector(e, m.slope[e, MIDDLE]), self.reader.strains(e)
        stretched = float(m.axial[e, MIDDLE] * m.slope[e, MIDDLE, 2]) * self._felt(e, MIDDLE, AXIAL)
        square = a[0] * a[0] + a[1] * a[1]
        if sheared:  # f cos(gamma) = 1 + axial, f sin(gamma) = shear
            stretched = stretched * (1.0 + own[MIDDLE][AXIAL]) / square
        else:
            stretched = stretched / np.sqrt(square)
        force = stretched * a
        for g in range(FIRST_GAUSS, FIRST_GAUSS + 2):
            a, b = self._vector(e, m.slope[e, g]), self._vector(e, m.curve[e, g - FIRST_GAUSS])
            square, along = a[0] * a[0] + a[1] * a[1], float(m.slope[e, g, 2])
            bend = (a[0] * b[1] - a[1] * b[0]) / square
            by_a, by_b = np.array([b[1], -b[0]]) - 2.0 * bend * a, np.array([-a[1], a[0]])
            moment = float(m.bending[e, g - FIRST_GAUSS]) * self._felt(e, g, CURVATURE) / square
            force = force + moment * (along * by_a + float(m.curve[e, g - FIRST_GAUSS, 2]) * by_b)
            if sheared:
                push = float(m.shear[e, g - FIRST_GAUSS]) * self._felt(e, g, SHEAR) * own[g][SHEAR]
                force = force + along * push / square * a
        return force

    def _masses(self, link: int, e: int, stop: float) -> tuple[np.ndarray, np.ndarray]:
        """Polynomials of r, r_x at both ends where an element has its mass up to `stop`, (4, n), and these masses, (n,)."""
        mesh, part = self.model.mesh, self.reader.arm.links[link]
        n = e - sum(mesh.counts[:link])
        start, end = mesh.ends[link][n : n + 2]
        length, places = float(end - start) * part.span, 0.5 * stop * (1.0 + POINTS)
        own = 0.5 * stop * length * WEIGHTS * part.properties(start + (end - start) * places)["rhoA"]
        for lump in part.masses:  # those on nodes are between elements
            p = (part.place(lump.at)[0] / part.span - start) / (end - start)
            if SAME < p < min(stop, 1.0 - SAME):
                places, own = np.append(places, p), np.append(own, lump.mass)
        return hermite(places, length)[0], own

    def _find_whole(self, link: int, e: int) -> tuple[np.ndarray, float]:
        """Weights of the accelerations of r, r_x at both ends of an element (4,), and mass, in what its mean p has passed."""
        H, own = self._masses(link, e, 1.0)
        return H @ (own * H[0]), float(own @ H[0])

    def _passed(self, link: int, e: int, xi: float) -> tuple[np.ndarray, float]:
        """What n has more at xi than its mean p: weights of the accelerations of r, r_x at both ends (4,), and mass."""
        (whole, total), (H, own) = self._whole(link, e), self._masses(link, e, xi)
        return H @ own - whole, float(own.sum()) - total

    def _force(self, link: int, e: int, xi: float) -> np.ndarray:
        """n at a place of an element in the axes of the ground, (2,)."""
        weights, mass = self._passed(link, e, xi)
        moving = self._vector(e, weights, self.model.layout["a"].start)
        return self._mean(e) + moving - mass * self.model.parts.gravity + self._patches(link, e, xi)

    def _patches(self, link: int, e: int, xi: float) -> Any:
        """What patches on an element do to n there, (2,)."""
        mesh, total = self.model.mesh, np.zeros(2)
        for k, patch in enumerate(self.model.wiring.patches):
            if self.reader.arm.index(patch.link) != link:
                continue
            load = self.graph.state(self.model.layout["patch"].start + k)
            for fraction, share in patch_points(patch, mesh.counts[link]):
                own, p = mesh.element_at(link, fraction)
                if own != e:
                    continue
                values, slopes, _ = hermite(p, float(self.model.parts.length[e]))
                d = self._axis(e, p)
                square, across = d[0] * d[0] + d[1] * d[1], np.array([-d[1], d[0]], dtype=object)
                if patch.kind == "force":
                    x, y, _ = patch.direction
                    along = np.array([d[0], d[1]], dtype=object) / np.sqrt(square)
                    turned = np.array([x, y]) if patch.axes == "world" else x * along + y / np.sqrt(square) * across
                    total = total + share * (values[0] - float(p < xi)) * load * turned
                elif not mesh.sheared[link]:  # else it acts on section vectors alone
                    total = total + share * slopes[0] * load / square * across
        return total

    def _axis(self, e: int, xi: float) -> np.ndarray:
        """Direction across the section at a place of an element: its slope, turned back by the shear angle, (2,)."""
        slope = self._vector(e, hermite(xi, float(self.model.parts.length[e]))[1])
        low, high = self._shear_angles(e)
        angle = (1.0 - xi) * low + xi * high
        c, s = np.cos(angle), np.sin(angle)
        return np.array([c * slope[0] + s * slope[1], c * slope[1] - s * slope[0]], dtype=object)

    def _in_axes(self, link: int, e: int, xi: float) -> tuple[Any, Any]:
        """Axial and shear force at a place of an element."""
        n, d = self._force(link, e, xi), self._axis(e, xi)
        size = np.sqrt(d[0] * d[0] + d[1] * d[1])
        return (n[0] * d[0] + n[1] * d[1]) / size, (n[1] * d[0] - n[0] * d[1]) / size

    def _find_shear_at_gauss(self, link: int, e: int) -> list[Any]:
        """Shear forces at the Gauss points of an element."""
        return [self._in_axes(link, e, xi)[1] for xi in PLACE[FIRST_GAUSS:]]
