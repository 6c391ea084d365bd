"""The beam of a link along its length: stiffness and mass as exact polynomials between the stations of its section."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.polynomial import Polynomial

from flexarm.arm import Link
from flexarm.numerics.gauss import gauss

DEGREE = 4
"""Properties of a section whose sizes change linearly are polynomials of at most this degree."""
NEAR = 1e-9
"""Places nearer to each other than this share of the length are one."""
PROPERTIES = ("rhoA", "rhoI", "EI", "EA", "fibre")


class BeamLine:
    """Properties of a link anywhere on its beam.

    Parameters
    ----------
    link : Link
        With section and material. Lumps inside it count as breaks: the curvature may jump there.
    """

    def __init__(self, link: Link):
        assert link.section is not None
        self.length = link.span
        lumps = [link.place(lump.at)[0] / link.span for lump in link.masses]
        inside = [x for x in (*link.section.breaks, *lumps) if NEAR < x < 1.0 - NEAR]
        inside = [x for k, x in enumerate(sorted(inside)) if k == 0 or x - sorted(inside)[k - 1] > NEAR]
        self.breaks = np.array([0.0, *inside, 1.0]) * link.span
        inner = 0.5 - 0.5 * np.cos(np.pi * (np.arange(DEGREE + 1) + 0.5) / (DEGREE + 1))
        powers = np.vander(2.0 * inner - 1.0, increasing=True)
        self._pieces: dict[str, list[Polynomial]] = {name: [] for name in PROPERTIES}
        for a, b in pairwise(self.breaks):
            x = a + (b - a) * inner
            values = link.properties(x / link.span)
            coefficients = np.linalg.solve(powers, np.column_stack([values[name] for name in PROPERTIES]))
            for name, own in zip(PROPERTIES, coefficients.T, strict=True):
                self._pieces[name].append(Polynomial(own, domain=[a, b]))
        mass = self._pieces["rhoA"]
        levers = [Polynomial.identity(domain=piece.domain) for piece in mass]
        self._moments = [
            [piece.integ() for piece in mass],
            [(piece * lever).integ() for piece, lever in zip(mass, levers, strict=True)],
        ]

    def at(self, name: str, x: np.ndarray) -> np.ndarray:
        """A property at places x (points,) in m."""
        piece = np.clip(np.searchsorted(self.breaks, x, "right") - 1, 0, len(self.breaks) - 2)
        out = np.empty(len(x))
        for k, polynomial in enumerate(self._pieces[name]):
            out[piece == k] = polynomial(x[piece == k])
        return out

    def beyond(self, x: np.ndarray, power: int) -> np.ndarray:
        """Integral of rhoA s^power from x to the tip, (points,)."""
        out = np.zeros(len(x))
        for (a, b), primitive in zip(pairwise(self.breaks), self._moments[power], strict=True):
            out += primitive(b) - primitive(np.clip(x, a, b))
        return out


def quadrature(edges: np.ndarray, points: int) -> tuple[np.ndarray, np.ndarray]:
    """Places and weights of Gauss' rule between the edges, (parts, points) each."""
    xi, w = gauss(points)
    middle, half = 0.5 * (edges[1:] + edges[:-1]), 0.5 * np.diff(edges)
    return middle[:, None] + half[:, None] * xi, half[:, None] * w
