"""Curves in space, made of smooth pieces: straight lines, arcs, splines.

The parameter u of a curve is its arc length in m (of tables, the time in s). Legend: r place, r' and r'' its
derivatives with respect to u; v the parameter within a piece, from 0 to its length.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from flexarm.numerics.gauss import gauss

Rows = tuple[np.ndarray, np.ndarray, np.ndarray]
"""r, r', r'', each of shape (n, 3)."""


class Piece(Protocol):
    """A smooth piece."""

    @property
    def length(self) -> float:
        """Range of its parameter."""
        ...

    @property
    def knots(self) -> np.ndarray:
        """Parameters, with both ends, between which it is analytic."""
        ...

    def at(self, v: np.ndarray) -> Rows:
        """Place and two derivatives at parameters (n,)."""
        ...


class _Analytic:
    """A piece that is analytic all along."""

    length: float

    @property
    def knots(self) -> np.ndarray:
        """Its ends."""
        return np.array([0.0, self.length])


@dataclass(frozen=True)
class Straight(_Analytic):
    """From a to b; the parameter runs evenly over `length`."""

    a: np.ndarray
    b: np.ndarray
    length: float

    @classmethod
    def between(cls, a: np.ndarray, b: np.ndarray) -> Straight:
        """With the arc length as parameter."""
        return cls(a, b, float(np.linalg.norm(b - a)))

    def at(self, v: np.ndarray) -> Rows:
        slope = (self.b - self.a) / self.length
        rate = np.tile(slope, (len(v), 1))
        return self.a + v[:, None] * slope, rate, np.zeros_like(rate)


@dataclass(frozen=True)
class Arc(_Analytic):
    """Part of a circle: centre + radius (cos(angle) e1 + sin(angle) e2), from angle 0 to `sweep`."""

    centre: np.ndarray
    radius: float
    e1: np.ndarray
    e2: np.ndarray
    sweep: float

    @property
    def length(self) -> float:  # type: ignore[override]
        return self.radius * self.sweep

    def at(self, v: np.ndarray) -> Rows:
        angle = v / self.radius
        out = np.cos(angle)[:, None] * self.e1 + np.sin(angle)[:, None] * self.e2
        along = np.cos(angle)[:, None] * self.e2 - np.sin(angle)[:, None] * self.e1
        return self.centre + self.radius * out, along, -out / self.radius


class SplinePiece:
    """A spline whose own parameter is turned into arc length.

    Parameters
    ----------
    spline : scipy.interpolate.CubicSpline
        Places (3,) over its own parameter w, with two continuous derivatives.
    """

    def __init__(self, spline: Any):
        self._spline = spline
        nodes, self._weights = gauss(16)
        self._nodes = 0.5 * (nodes + 1.0)
        # four parts per interval between knots: there the speed is smooth enough for the quadrature to be exact
        knots = spline.x
        shares = np.arange(4) / 4.0
        self._w = np.append((knots[:-1, None] + shares * np.diff(knots)[:, None]).ravel(), knots[-1])
        parts = self._arc(self._w[:-1], np.diff(self._w))
        self._s = np.concatenate([[0.0], np.cumsum(parts)])

    @property
    def length(self) -> float:
        return float(self._s[-1])

    @property
    def knots(self) -> np.ndarray:
        return self._s[::4]

    def _arc(self, begin: np.ndarray, width: np.ndarray) -> np.ndarray:
        """Arc lengths (n,) from `begin` over `width` of the spline's parameter."""
        w = begin[:, None] + width[:, None] * self._nodes
        speed = np.linalg.norm(self._spline(w, 1), axis=-1)
        return 0.5 * width * (speed * self._weights).sum(axis=1)

    def at(self, v: np.ndarray) -> Rows:
        v = np.clip(v, 0.0, self._s[-1])
        k = np.clip(np.searchsorted(self._s, v, "right") - 1, 0, len(self._s) - 2)
        begin, share = self._w[k], (v - self._s[k]) / np.diff(self._s)[k]
        width = share * np.diff(self._w)[k]
        for _ in range(5):  # Newton's method; converged after three or four rounds
            miss = self._arc(begin, width) - (v - self._s[k])
            width = width - miss / np.linalg.norm(self._spline(begin + width, 1), axis=-1)
        w = begin + width
        first, second = self._spline(w, 1), self._spline(w, 2)
        speed = np.linalg.norm(first, axis=1)[:, None]
        along = first / speed
        return self._spline(w), along, (second - (second * along).sum(axis=1)[:, None] * along) / speed**2


class TimedSpline:
    """A spline whose parameter is taken as it is."""

    def __init__(self, spline: Any):
        self._spline = spline

    @property
    def length(self) -> float:
        return float(self._spline.x[-1])

    @property
    def knots(self) -> np.ndarray:
        return self._spline.x

    def at(self, v: np.ndarray) -> Rows:
        return self._spline(v), self._spline(v, 1), self._spline(v, 2)


class Curve:
    """Pieces one after the other.

    Parameters
    ----------
    pieces : sequence of Piece
        Each begins where the one before ends.
    stops : sequence of int
        Numbers of the pieces at whose start the tip comes to rest.
    """

    def __init__(self, pieces: Sequence[Piece], stops: Sequence[int] = ()):
        self.pieces = tuple(pieces)
        self.edges = np.concatenate([[0.0], np.cumsum([piece.length for piece in self.pieces])])
        self.stops = tuple(stops)

    @property
    def length(self) -> float:
        """Range of the parameter."""
        return float(self.edges[-1])

    def piece_of(self, u: Any) -> np.ndarray:
        """Number of the piece at each parameter."""
        return np.clip(np.searchsorted(self.edges, u, "right") - 1, 0, len(self.pieces) - 1)

    def at(self, u: np.ndarray, piece: np.ndarray | None = None) -> Rows:
        """Place and two derivatives with respect to u, each (n, 3), on the given pieces (default: those at u)."""
        piece = self.piece_of(u) if piece is None else np.broadcast_to(piece, u.shape)
        out = np.zeros((3, len(u), 3))
        for k in np.unique(piece):
            rows = np.flatnonzero(piece == k)
            v = np.clip(u[rows] - self.edges[k], 0.0, self.pieces[k].length)
            for part, values in zip(out, self.pieces[k].at(v), strict=True):
                part[rows] = values
        return out[0], out[1], out[2]

    def repeated(self, turns: int) -> Curve:
        """The closed curve run through several times."""
        n = len(self.pieces)
        joined = (0, *self.stops) if self.stops else ()
        stops = [k + n * turn for turn in range(turns) for k in joined if k + n * turn > 0]
        return Curve(self.pieces * turns, stops)


def through_corners(points: np.ndarray, closed: bool, radius: float) -> list[Piece]:
    """Straight sides between points (n, 3); with a radius the corners between them are rounded.

    A closed polygon with rounded corners begins behind its first corner.
    """
    if closed:
        points = np.concatenate([points, points[:1]])
    if not radius:
        return [Straight.between(a, b) for a, b in itertools.pairwise(points)]
    count = len(points) - 1
    corners = range(1, count + 1) if closed else range(1, count)
    begin, end = points[:-1].copy(), points[1:].copy()
    arcs: dict[int, Arc] = {}
    for k in corners:
        before, after = k - 1, k % count
        arc, tangent = _rounding(points[before], points[k], points[after + 1], radius)
        if arc is not None:
            arcs[k] = arc
        for side, sign in ((before, -1.0), (after, 1.0)):
            along = points[side + 1] - points[side]
            along = along / np.linalg.norm(along)
            if sign < 0:
                end[side] = end[side] - tangent * along
            else:
                begin[side] = begin[side] + tangent * along
    pieces: list[Piece] = []
    for k in range(count):
        side, left = points[k + 1] - points[k], end[k] - begin[k]
        if (left @ side) < -1e-12 * (side @ side):
            raise ValueError(
                f"a corner radius of {radius:g} m does not fit on the side from {place(points[k])} to "
                f"{place(points[k + 1])}, which is {np.linalg.norm(side):g} m long: make it smaller"
            )
        if np.linalg.norm(left) > 1e-12 * np.linalg.norm(side):
            pieces.append(Straight.between(begin[k], end[k]))
        if k + 1 in arcs:
            pieces.append(arcs[k + 1])
    return pieces


def _rounding(a: np.ndarray, b: np.ndarray, c: np.ndarray, radius: float) -> tuple[Arc | None, float]:
    """The arc in place of the corner at b, and how much of the sides it takes."""
    first, second = (b - a) / np.linalg.norm(b - a), (c - b) / np.linalg.norm(c - b)
    across = second - (second @ first) * first
    turn = float(np.arctan2(np.linalg.norm(across), second @ first))
    if turn < 1e-12:
        return None, 0.0
    if np.pi - turn < 1e-6:
        raise ValueError(f"the path turns straight back at {place(b)}; such a corner cannot be rounded")
    across = across / np.linalg.norm(across)
    tangent = radius * np.tan(0.5 * turn)
    return Arc(b - tangent * first + radius * across, radius, -across, first, turn), tangent


def place(point: np.ndarray) -> str:
    """A point in words; the third coordinate only where there is one."""
    return "(" + ", ".join(f"{float(x):.6g}" for x in (point if point[2] else point[:2])) + ") m"
