"""Assumed shapes of a beam: bending modes of a family with the link's own taper, and axial shapes.

clamped-free, clamped-mass, pinned-pinned and pinned-free are eigenmodes of the beam under those end conditions.
`component` (Craig-Bampton): the deflections by a displacement and by a turn of the tip, then clamped-clamped modes; these
carry any force and moment at the tip and so suit every place in a mechanism.

Equations: M2, M5.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from scipy.linalg import eigh

from flexarm.errors import CapabilityError
from flexarm.methods.modes.beamline import BeamLine, quadrature
from flexarm.methods.modes.options import Shapes
from flexarm.numerics.beambasis import BeamBasis


@dataclass(frozen=True)
class ShapeSet:
    """Shapes of one link: bending first, then axial ones.

    coefficients : (basis size, bending) of the bending shapes in `basis`, largest deflection from the root's tangent 1
    axial : number of axial shapes: x / L, then sin(k pi x / L)
    """

    basis: BeamBasis
    coefficients: np.ndarray
    axial: int
    length: float

    @cached_property
    def known(self) -> dict[float, Any]:
        """Points of the axis that have been worked out, by their places in m; see `integrals.place_on`."""
        return {}

    @property
    def bending(self) -> int:
        """Number of bending shapes."""
        return self.coefficients.shape[1]

    @property
    def count(self) -> int:
        """Number of all shapes."""
        return self.bending + self.axial

    def across(self, x: Any, order: int = 0) -> np.ndarray:
        """Deflection of all shapes, its slope or curvature at x, (points, count)."""
        x = np.atleast_1d(np.asarray(x, dtype=float))
        out = np.zeros((len(x), self.count))
        out[:, : self.bending] = self.basis.evaluate(x, order) @ self.coefficients
        return out

    def along(self, x: Any, order: int = 0) -> np.ndarray:
        """Axial displacement of all shapes, or its derivative, at x, (points, count)."""
        x = np.atleast_1d(np.asarray(x, dtype=float))
        out = np.zeros((len(x), self.count))
        for k in range(self.axial):
            wave = k * np.pi / self.length
            if k == 0:
                out[:, self.bending] = x / self.length if order == 0 else 1.0 / self.length
            else:
                out[:, self.bending + k] = np.sin(wave * x) if order == 0 else wave * np.cos(wave * x)
        return out

    def from_chord(self) -> ShapeSet:
        """The same deflections, counted from the line between root and tip in place of the root's tangent."""
        chord = np.zeros(self.basis.size)  # the straight line x
        ends = 2 * len(self.basis.edges)
        chord[:ends:2], chord[1:ends:2] = self.basis.edges, 1.0
        tip = self.basis.evaluate([self.length])[0] @ self.coefficients
        return replace(self, coefficients=self.coefficients - np.outer(chord, tip / self.length))

    def quadrature(self, cuts: Any = (), extra: int = 7) -> tuple[np.ndarray, np.ndarray]:
        """Gauss' places and weights over the beam, in parts that end at its breaks and at the cuts, (parts, points) each: exact
        for products of two slopes and a polynomial of twice the degree `extra`."""
        return quadrature(np.unique(np.concatenate([self.basis.edges, np.ravel(cuts)])), self.basis.bubbles + 3 + extra)

    def shortening(self, x: Any) -> np.ndarray:
        """B(x) = int_0^x psi' psi'^T ds at places x, (points, count, count): the axis there comes back by q^T B q / 2."""
        at, w = self.quadrature(x, extra=0)
        slope = self.across(at.ravel(), 1).reshape(*at.shape, self.count)
        parts = np.einsum("pgi,pg,pgj->pij", slope, w, slope)
        sums = np.concatenate([np.zeros_like(parts[:1]), np.cumsum(parts, axis=0)])
        return sums[np.searchsorted(at[:, -1], np.ravel(x))]


def shape_set(
    line: BeamLine,
    family: Shapes,
    bending: int,
    axial: int,
    tip: tuple[float, float],
    field: str,
    lumps: Iterable[tuple[float, float, float]] = (),
) -> ShapeSet:
    """Shapes of a link.

    Parameters
    ----------
    family : Shapes
        Which shapes.
    bending, axial : int
        How many.
    tip : (float, float)
        Mass and rotary inertia at the tip, for clamped-mass.
    field : str
        Field to name in a refusal.
    lumps : iterable of (float, float, float)
        Place, mass and rotary inertia of lumps on the axis, which the modes of `component` know.
    """
    elements = len(line.breaks) - 1
    basis = BeamBasis(line.breaks, max(6, -(-(2 * bending + 14) // elements)))
    x, w = basis.gauss()
    value, bend = basis.evaluate(x), basis.evaluate(x, 2)
    mass = (value.T * (w * line.at("rhoA", x))) @ value
    stiff = (bend.T * (w * line.at("EI", x))) @ bend
    (root, root_slope), (end, end_slope) = basis.node(0), basis.node(-1)
    if family.type == "clamped-mass":
        mass[end, end] += tip[0]
        mass[end_slope, end_slope] += tip[1]
    for place, weight, turning in lumps if family.type == "component" else ():
        shift, slope = basis.evaluate([place])[0], basis.evaluate([place], 1)[0]
        mass += weight * np.outer(shift, shift) + turning * np.outer(slope, slope)
    fixed = {
        "clamped-free": (root, root_slope), "clamped-mass": (root, root_slope), "pinned-pinned": (root, end),
        "pinned-free": (root,), "component": (root, root_slope, end, end_slope),
    }[family.type]  # fmt: skip
    free = np.setdiff1d(np.arange(basis.size), fixed)
    found = np.zeros((basis.size, bending))
    first = 0
    if family.type == "component":
        first = min(bending, 2)
        found[:, :first] = _end_shapes(stiff, basis, bending)
    rigid = 1 if family.type == "pinned-free" else 0
    wanted = bending - first
    if wanted + rigid > len(free):
        raise CapabilityError("so many shapes cannot be computed; use fewer", field=field)
    curve = np.zeros(basis.size)  # the parabola x^2, whose Rayleigh quotient is of the size of the first mode's
    curve[: 2 * len(basis.edges) : 2], curve[1 : 2 * len(basis.edges) : 2] = basis.edges**2, 2.0 * basis.edges
    shift = float(curve @ stiff @ curve / (curve @ mass @ curve)) if rigid else 0.0
    if wanted:
        found[free, first:] = _modes(stiff[np.ix_(free, free)], mass[np.ix_(free, free)], wanted + rigid, shift)[
            :, rigid:
        ]
    grid = basis.evaluate(np.linspace(0.0, line.length, 401)) @ found
    sign = np.where(basis.evaluate([0.02 * line.length])[0] @ found < 0.0, -1.0, 1.0)
    return ShapeSet(basis, found * sign / np.abs(grid).max(axis=0), axial, line.length)


def _modes(stiff: np.ndarray, mass: np.ndarray, count: int, shift: float) -> np.ndarray:
    """The lowest modes as columns. The inverse problem keeps them exact though the highest are 1e10 times as fast; a
    shift makes it solvable for a beam that can turn freely."""
    values, vectors = eigh(mass, stiff + shift * mass)
    return vectors[:, np.argsort(-values)[:count]]


def _end_shapes(stiff: np.ndarray, basis: BeamBasis, count: int) -> np.ndarray:
    """Deflections of the clamped beam by displacement and turn of its tip; one alone: by a force at the tip."""
    root = list(basis.node(0))
    end, end_slope = basis.node(-1)
    free = np.setdiff1d(np.arange(basis.size), root)
    out = np.zeros((basis.size, 2))
    loads = np.zeros((basis.size, 2))
    loads[end, 0] = loads[end_slope, 1] = 1.0
    out[free] = np.linalg.solve(stiff[np.ix_(free, free)], loads[free])
    if count == 1:
        return out[:, :1]
    return out @ np.linalg.inv(out[[end, end_slope]])
