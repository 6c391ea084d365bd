"""Mass, first moment and inertia tensor of point masses and of stretches of beam."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from flexarm.arm import Link
from flexarm.numerics.gauss import gauss
from flexarm.rigid.beam import Leg


class MassLine:
    """Mass per length along a beam, as exact polynomials between the stations of its section."""

    def __init__(self, link: Link):
        assert link.section is not None
        edges = np.array([0.0, *link.section.breaks, 1.0])
        inner = np.array([0.2, 0.5, 0.8])
        self.edges = edges * link.span
        # areas are quadratic between stations: dimensions change linearly there
        powers = np.vander(inner, increasing=True)
        self._pieces = [
            np.linalg.solve(powers, link.properties(a + (b - a) * inner)["rhoA"]) for a, b in pairwise(edges)
        ]
        """Powers 0, 1, 2 of the share of the way between two stations, (3,) each."""

    def moments(self, first: Any, last: float) -> np.ndarray:
        """Integrals of rhoA times 1, s and s^2 over first <= s <= last, (3, n) for n values of `first`."""
        start = np.atleast_1d(np.asarray(first, dtype=float))
        out, (xi, weights) = np.zeros((3, len(start))), gauss(3)  # exact for the fourth power
        for a, b, (c0, c1, c2) in zip(self.edges[:-1], self.edges[1:], self._pieces, strict=True):
            low, high = np.clip(start, a, b), min(max(last, a), b)
            half = 0.5 * np.maximum(high - low, 0.0)[:, None]
            s = low[:, None] + half * (1.0 + xi)
            t = (s - a) / (b - a)
            mass = half * weights * (c0 + t * (c1 + t * c2))
            out += np.stack([mass.sum(axis=1), (mass * s).sum(axis=1), (mass * s * s).sum(axis=1)])
        return out


@dataclass(frozen=True)
class Inertia:
    """Mass, first moment about the body origin and inertia tensor about it, in body axes; time axis first."""

    mass: np.ndarray
    moment: np.ndarray
    tensor: np.ndarray

    def __add__(self, other: Inertia) -> Inertia:
        return Inertia(self.mass + other.mass, self.moment + other.moment, self.tensor + other.tensor)


NOTHING = Inertia(np.zeros(1), np.zeros((1, 3)), np.zeros((1, 3, 3)))


def point_mass(mass: float, place: np.ndarray, rotary: Any = 0.0) -> Inertia:
    """A body at a place, with a rotary inertia (one number, three, or a matrix) about its own centre."""
    own = np.asarray(rotary, dtype=float)
    own = own if own.ndim == 2 else np.diag(np.broadcast_to(own, 3))
    tensor = mass * ((place @ place) * np.eye(3) - np.outer(place, place)) + own
    return Inertia(np.array([mass]), mass * place[None], tensor[None])


def rod(line: MassLine, leg: Leg, first: Any) -> Inertia:
    """The beam along one leg, from the distance `first` (one, or one per instant) to the leg's end."""
    m0, s1, s2 = line.moments(np.maximum(first, leg.first), leg.last)
    m1, m2 = s1 - leg.first * m0, s2 - 2.0 * leg.first * s1 + leg.first**2 * m0
    a, d = leg.start, leg.direction
    mixed = np.outer(a, d) + np.outer(d, a)
    second = np.multiply.outer(m0, np.outer(a, a)) + np.multiply.outer(m1, mixed)
    second += np.multiply.outer(m2, np.outer(d, d))
    trace = np.trace(second, axis1=1, axis2=2)
    tensor = trace[:, None, None] * np.eye(3) - second
    return Inertia(m0, np.multiply.outer(m0, a) + np.multiply.outer(m1, d), tensor)


def rotary(link: Link, leg: Leg, outside: Any) -> Inertia:
    """Rotary inertia of a flexible link's cross sections along one leg, of which the share `outside` counts.

    A share per instant is for sections that are the same all along.
    """
    nodes, weights = gauss(6)
    edges = [leg.first / link.span, *link.section.breaks, leg.last / link.span]  # type: ignore[union-attr]
    edges = sorted(x for x in edges if leg.first / link.span <= x <= leg.last / link.span)
    total = np.zeros(3)
    for a, b in pairwise(edges):
        properties = link.properties(a + (b - a) * 0.5 * (1.0 + nodes))
        w = 0.5 * (b - a) * link.span * weights
        total += [float(w @ properties[name]) for name in ("rhoJ", "rhoI_y", "rhoI")]
    share = np.atleast_1d(np.asarray(outside, dtype=float))
    tensor = leg.axes @ np.diag(total) @ leg.axes.T
    zero = np.zeros(len(share))
    return Inertia(zero, np.zeros((len(share), 3)), np.multiply.outer(share, tensor))
