"""Shapes of a beam in space as fields of strain, and where they put its sections, to second order.

One coordinate stands for one field of stretch, shear, twist and curvature. Turns and displacements of the sections follow by
integration, once for the first order and once more for the second; the elastic energy is exact. Bending moments are polynomials,
shear follows from them by the static law and takes no coordinate.

Fields are known at Gauss' points of every part of the beam between its breaks, and are polynomials through them.

Equations: N1, N2, N3, N4, N5.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.polynomial.legendre import legder, legval, legvander

from flexarm.arm import Link
from flexarm.numerics.gauss import gauss
from flexarm.rigid.beam import Leg

STIFFNESSES = ("EA", "GA", "GA_z", "GJ", "EI_y", "EI")
"""Of stretch, shear along y and z, twist, curvature about y and z."""
ROTARY = ("rhoJ", "rhoI_y", "rhoI")
NEAR = 1e-9
"""Places nearer to each other than this share of the length are one."""
CROSS = np.zeros((3, 3, 3))
CROSS[0, 1, 2] = CROSS[1, 2, 0] = CROSS[2, 0, 1] = 1.0
CROSS[0, 2, 1] = CROSS[2, 1, 0] = CROSS[1, 0, 2] = -1.0


@dataclass(frozen=True)
class Section:
    """A section at x: with coordinates q it lies at x e_x + s q + q^T b q / 2 and is turned by the vector theta q + q^T Psi q / 2.

    s, theta : (3, n); b, Psi : (3, n, n)
    """

    x: float
    s: np.ndarray
    b: np.ndarray
    theta: np.ndarray
    Psi: np.ndarray


@dataclass(frozen=True)
class Counts:
    """Numbers of shapes: bending in each plane, torsion, axial."""

    bending: int
    torsion: int
    axial: int


class StrainFields:
    """Shapes of one straight stretch of a flexible link.

    Parameters
    ----------
    link, leg : Link, Leg
        The link, and which stretch of its beam.
    counts : Counts
        How many shapes.
    second_order : bool
        Counts the second order, and turns and deflections from the line between the ends in place of the root's tangent.
    lumps, branches : sequence of float
        Places along the stretch, m, at which bending moments have a kink; of the second all moments and the axial force also jump.
    """

    def __init__(
        self, link: Link, leg: Leg, counts: Counts, second_order: bool, lumps: Sequence[float] = (), branches: Sequence[float] = ()
    ):  # fmt: skip
        assert link.section is not None
        self.link, self.leg, self.length, self.counts = link, leg, leg.last - leg.first, counts
        breaks = [x * link.span - leg.first for x in link.section.breaks]
        self.kinks, self.jumps = self._inside((*lumps, *branches)), self._inside(branches)
        self.edges = np.array([0.0, *self._inside((*breaks, *self.kinks)), self.length])
        self._points = 2 * counts.bending + (12 if link.section.uniform else 24)
        xi, self._weights = gauss(self._points)
        self._fit = np.linalg.inv(legvander(xi, self._points - 1))
        P = legvander(xi, self._points)
        order = 2.0 * np.arange(1, self._points) + 1.0
        summed = np.column_stack([xi + 1.0, (P[:, 2:] - P[:, :-2]) / order])
        self._sum = summed @ self._fit
        self._half = 0.5 * np.diff(self.edges)
        self.x = self.edges[:-1, None] + self._half[:, None] * (1.0 + xi)
        self._integrate(second_order)

    def _inside(self, places: Sequence[float]) -> list[float]:
        """Places inside the stretch, in order, each once."""
        found: list[float] = []
        for x in sorted(places):
            if NEAR * self.length < x - (found[-1] if found else 0.0) and x < (1.0 - NEAR) * self.length:
                found.append(x)
        return found

    @property
    def bending(self) -> int:
        """Bending shapes in each plane, those with a kink or a jump included."""
        return self.counts.bending + len(self.kinks) + len(self.jumps)

    @property
    def torsion(self) -> int:
        """Torsion shapes, those with a jump included."""
        return self.counts.torsion and self.counts.torsion + len(self.jumps)

    @property
    def axial(self) -> int:
        """Axial shapes, those with a jump included."""
        return self.counts.axial and self.counts.axial + len(self.jumps)

    @property
    def count(self) -> int:
        """Number of coordinates."""
        return 2 * self.bending + self.torsion + self.axial

    @property
    def names(self) -> list[str]:
        """Names of the coordinates without that of the link."""
        kinds = ("bending y", "bending z", "torsion", "axial")
        families = zip(kinds, (self.bending, self.bending, self.torsion, self.axial), strict=True)
        return [f"{name} {k + 1}" for name, count in families for k in range(count)]

    def properties(self, x: np.ndarray) -> dict[str, np.ndarray]:
        """Stiffness and mass per length at places of the stretch, m."""
        return self.link.properties((self.leg.first + np.ravel(x)) / self.link.span)

    def _moments(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Bending moments of the shapes of one plane over that of the root's stiffness, and their slopes, (points, bending)."""
        t, n = 2.0 * x / self.length - 1.0, self.counts.bending
        slopes = [legval(t, legder(np.eye(n)[k])) * 2.0 / self.length if k else 0.0 * t for k in range(n)]
        hats = [np.maximum(0.0, 1.0 - x / kink) for kink in self.kinks]
        falls = [np.where(x < kink, -1.0 / kink, 0.0) for kink in self.kinks]
        steps = self._steps(x)
        return np.column_stack([legvander(t, n - 1), *hats, steps]), np.column_stack([*slopes, *falls, 0.0 * steps])

    def _steps(self, x: np.ndarray) -> np.ndarray:
        """What is one before each jump and nothing beyond, (points, jumps)."""
        return (x[:, None] < np.array(self.jumps)).astype(float).reshape(len(x), -1)

    def strains(self, x: Any) -> np.ndarray:
        """Strains of the shapes at places of the stretch, (points, 6, n)."""
        x = np.ravel(np.asarray(x, dtype=float))
        return self._raw_strains(x) * self._scale

    def _raw_strains(self, x: np.ndarray) -> np.ndarray:
        found, root = self.properties(x), self.properties(np.zeros(1))
        n, out = self.bending, np.zeros((len(x), 6, self.count))
        moment, slope = self._moments(x)
        for first, curvature, shear, sign, EI, GA in ((0, 5, 1, 1.0, "EI", "GA"), (n, 4, 2, -1.0, "EI_y", "GA_z")):
            own = slice(first, first + n)
            out[:, curvature, own] = sign * moment * (root[EI] / found[EI])[:, None]
            out[:, shear, own] = -slope * (root[EI] / found[GA])[:, None]
        t = 2.0 * x / self.length - 1.0
        first = 2 * n
        for row, name, smooth, count in (
            (3, "GJ", self.counts.torsion, self.torsion),
            (0, "EA", self.counts.axial, self.axial),
        ):
            if count:
                forces = np.column_stack([legvander(t, smooth - 1), self._steps(x)])
                out[:, row, first : first + count] = forces * (root[name] / found[name])[:, None]
            first += count
        return out

    def _integral(self, values: np.ndarray) -> np.ndarray:
        """Integral from the root of what is given at Gauss' points (parts, points, ...), there."""
        within = np.einsum("gh,ph...,p->pg...", self._sum, values, self._half)
        parts = np.einsum("g,pg...,p->p...", self._weights, values, self._half)
        before = np.concatenate([np.zeros_like(parts[:1]), np.cumsum(parts, axis=0)[:-1]])
        return within + before[:, None]

    def _at(self, values: np.ndarray, x: np.ndarray) -> np.ndarray:
        """What is given at Gauss' points at places x, (len(x), ...)."""
        part = np.clip(np.searchsorted(self.edges, x, "right") - 1, 0, len(self._half) - 1)
        inner = (x - self.edges[part]) / self._half[part] - 1.0
        return np.einsum("xg,xg...->x...", legvander(inner, self._points - 1) @ self._fit, values[part])

    def _integrate(self, second_order: bool) -> None:
        """Fields of turn and displacement at Gauss' points, and the scale of the shapes: largest displacement or twist of one."""
        strain = self._raw_strains(self.x.ravel()).reshape(*self.x.shape, 6, self.count)
        turn, moved = self._first_order(strain, np.zeros((3, self.count)))
        dense = np.linspace(0.0, self.length, 201)
        shift, twist = np.abs(self._at(moved, dense)).max(axis=(0, 1)), np.abs(self._at(turn, dense)[:, 0]).max(axis=0)
        self._scale = 1.0 / np.where(shift > 0.0, shift, np.where(twist > 0.0, twist, 1.0))
        strain = strain * self._scale
        start = np.zeros((3, self.count))
        if second_order:
            end = self._at(moved, np.array([self.length]))[0] * self._scale
            start[1], start[2] = end[2] / self.length, -end[1] / self.length
        self.start = start
        self._strain = strain
        self._turn, self._moved = self._first_order(strain, start)
        none = np.zeros((*self.x.shape, 3, self.count, self.count))
        self._b, self._Psi = none, none
        if second_order:
            self._b, self._Psi = self._second_order(strain, start)

    def _first_order(self, strain: np.ndarray, start: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """theta and s, (parts, points, 3, n)."""
        turn = start + self._integral(strain[..., 3:, :])
        rate = strain[..., :3, :].copy()
        rate[..., 1, :] += turn[..., 2, :]
        rate[..., 2, :] -= turn[..., 1, :]
        return turn, self._integral(rate)

    def _second_order(self, strain: np.ndarray, start: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """b and Psi, (parts, points, 3, n, n)."""

        def product(a: np.ndarray, c: np.ndarray) -> np.ndarray:
            return np.einsum("uvw,...vj,...wk->...ujk", CROSS, a, c)

        def past_axis(a: np.ndarray) -> np.ndarray:
            """a x e_x."""
            return np.stack([np.zeros_like(a[..., 0, :]), a[..., 2, :], -a[..., 1, :]], axis=-2)

        curvature, stretch = strain[..., 3:, :], strain[..., :3, :]
        bent = self._integral(curvature)
        rate = 0.5 * product(start, past_axis(start)) + product(start, past_axis(bent))
        rate = rate + self._integral(product(bent, past_axis(curvature))) + product(self._turn, stretch)
        b = self._integral(rate)
        Psi = 0.5 * (product(start, bent) + self._integral(product(bent, curvature)))
        return b + np.swapaxes(b, -1, -2), Psi + np.swapaxes(Psi, -1, -2)

    def sections(self, x: Any) -> list[Section]:
        """Sections at places of the stretch, m."""
        x = np.clip(np.ravel(np.asarray(x, dtype=float)), 0.0, self.length)
        fields = [self._at(values, x) for values in (self._moved, self._b, self._turn, self._Psi)]
        return [Section(float(at), *(field[k] for field in fields)) for k, at in enumerate(x)]

    def mass_points(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Gauss' points of the mass: places, masses, and rotary inertias about the axes of the sections (points, 3)."""
        xi, w = gauss(self.counts.bending + 4)
        at = np.concatenate([a + 0.5 * (b - a) * (1.0 + xi) for a, b in pairwise(self.edges)])
        weight = np.concatenate([0.5 * (b - a) * w for a, b in pairwise(self.edges)])
        found = self.properties(at)
        return at, weight * found["rhoA"], np.column_stack([weight * found[name] for name in ROTARY])

    def stiffness(self) -> np.ndarray:
        """Elastic stiffness, (n, n)."""
        found = self.properties(self.x)
        w = (self._weights * self._half[:, None]).ravel()
        strain = self._strain.reshape(-1, 6, self.count)
        C = np.column_stack([found[name] for name in STIFFNESSES])
        return np.einsum("x,xr,xrj,xrk->jk", w, C, strain, strain)
