"""Smooth piecewise polynomials for a beam: Hermite cubics at the nodes, and inside every element the twice integrated
Legendre polynomials, which vanish with their slope at both ends. Few functions give eigenmodes to rounding."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.polynomial import legendre

from flexarm.numerics.gauss import gauss

CUBICS = np.array([[[1, 1, -1, 1], [0, -1, 0, 1], [-3, -1, 3, -1], [2, 1, 2, -1]],
                   [[0, 0, 0, 0], [3, 3, -3, 3], [0, -2, 0, 2], [-3, -1, 3, -1]],
                   [[0, 0, 0, 0], [0, 0, 0, 0], [6, 6, -6, 6], [0, -2, 0, 2]]]) / 4.0  # fmt: skip
"""Powers 3, 2, 1, 0 of the Hermite cubics (value, slope at the near end; value, slope at the far one), by order of derivative."""


class BeamBasis:
    """Functions with continuous slope on elements between `edges`.

    Unknowns: value and slope at node 0, at node 1, ..., then `bubbles` per element.

    Parameters
    ----------
    edges : array_like, shape (elements + 1,)
        Ends of the elements, increasing, m.
    bubbles : int
        Inner functions per element.
    """

    def __init__(self, edges: Any, bubbles: int):
        self.edges = np.asarray(edges, dtype=float)
        self.bubbles = bubbles
        self.elements = len(self.edges) - 1
        self.size = 2 * (self.elements + 1) + self.elements * bubbles

    def gauss(self, extra: int = 6) -> tuple[np.ndarray, np.ndarray]:
        """Points and weights that integrate a product of two functions and a smooth figure, each (points,)."""
        xi, w = gauss(self.bubbles + 4 + extra)
        half = 0.5 * np.diff(self.edges)
        middle = 0.5 * (self.edges[1:] + self.edges[:-1])
        return (middle[:, None] + half[:, None] * xi).ravel(), (half[:, None] * w).ravel()

    def evaluate(self, x: Any, order: int = 0) -> np.ndarray:
        """Values (0), slopes (1) or curvatures (2) of all functions at `x`, shape (len(x), size)."""
        x = np.atleast_1d(np.asarray(x, dtype=float))
        e = np.clip(np.searchsorted(self.edges, x, "right") - 1, 0, self.elements - 1)
        length = np.diff(self.edges)[e]
        xi = 2.0 * (x - self.edges[e]) / length - 1.0
        out = np.zeros((len(x), self.size))
        rows, scale = np.arange(len(x)), (2.0 / length) ** order
        out[rows[:, None], 2 * e[:, None] + np.arange(4)] = _hermite(xi, length, order) * scale[:, None]
        first = 2 * (self.elements + 1) + e * self.bubbles
        out[rows[:, None], first[:, None] + np.arange(self.bubbles)] = (
            _bubbles(xi, self.bubbles, order) * scale[:, None]
        )
        return out

    def node(self, k: int) -> tuple[int, int]:
        """Indices of value and slope at a node; -1 is the last one."""
        k %= self.elements + 1
        return 2 * k, 2 * k + 1


def _hermite(xi: np.ndarray, length: np.ndarray, order: int) -> np.ndarray:
    """Derivative of the four cubics by xi, (len(xi), 4); slopes count per metre."""
    found = np.vander(xi, 4) @ CUBICS[order]
    found[:, 1::2] *= 0.5 * length[:, None]
    return found


def _bubbles(xi: np.ndarray, count: int, order: int) -> np.ndarray:
    """Twice integrated Legendre polynomials of degree 2, 3, ..., or their derivatives by xi, (len(xi), count)."""
    if not count:
        return np.zeros((len(xi), 0))
    P = legendre.legvander(xi, count + 3)
    k = np.arange(2, count + 2)
    if order == 2:
        return P[:, 2 : count + 2]
    if order == 1:
        return (P[:, k + 1] - P[:, k - 1]) / (2 * k + 1)
    upper = (P[:, k + 2] - P[:, k]) / (2 * k + 3)
    lower = (P[:, k] - P[:, k - 2]) / (2 * k - 1)
    return (upper - lower) / (2 * k + 1)
