"""A bending body as mass points: Gauss' points of its beam, and its lumps.

With kinematics of second order the sums over these points are the kinetic energy itself, so the mass matrix stays positive
definite however far the links bend. What is beyond a cut between the points is integrated with the polynomial through them.

Equations: M6, M7.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.polynomial.legendre import legvander

from flexarm.methods.modes.beamline import quadrature
from flexarm.methods.modes.integrals import Place, sections
from flexarm.methods.subdivision import SAME
from flexarm.numerics.gauss import gauss

if TYPE_CHECKING:
    from flexarm.methods.modes.bodies import Beam


class MassPoints:
    """Mass points of a body: mass and rotary inertia (points,), and where they are; those of the beam come first."""

    def __init__(self, beam: Beam):
        self.places: list[Place] = []
        self.mass, self.inertia = np.zeros(0), np.zeros(0)
        if beam.shapes is None or beam.line is None:
            return
        edges = beam.shapes.basis.edges
        self._edges, self._points = edges, 6 + -(-2 * beam.shapes.bending // (len(edges) - 1))
        x, w = (values.ravel() for values in quadrature(edges, self._points))
        self._density = beam.line.at("rhoA", x)
        self.places = [*sections(beam.shapes, x), *(lump.place for lump in beam.lumps)]
        self.mass = np.append(w * self._density, [lump.mass for lump in beam.lumps])
        turning = w * beam.line.at("rhoI", x) if beam.rotary else np.zeros(len(x))
        self.inertia = np.append(turning, [lump.inertia for lump in beam.lumps])

    def beyond(self, cut: float) -> np.ndarray:
        """Masses of the points in integrals from a cut of the beam to its tip, (points,)."""
        xi, w = gauss(self._points)
        edges, parts = self._edges, len(self._edges) - 1
        shares = []
        for a, b in pairwise(edges):
            start = 2.0 * (np.clip(cut, a, b) - a) / (b - a) - 1.0
            P = legvander(np.array([start]), self._points)[0]
            primitive = np.append(1.0 - start, (P[:-2] - P[2:])[: self._points - 1])  # (2k + 1) int P_k from start to 1
            shares.append(0.25 * (b - a) * w * (legvander(xi, self._points - 1) @ primitive))
        lumps = [is_beyond(place, cut) for place in self.places[parts * self._points :]]
        return np.append(np.concatenate(shares) * self._density, self.mass[parts * self._points :] * lumps)


def is_beyond(place: Place, x: float) -> bool:
    """Whether a place is beyond a cut at x, or on it."""
    return place.section > 0.0 and place.section >= x * (1.0 - SAME)
