"""Modal integrals: the constants of a body in the equations of motion.

A material point of a body lies at r0 + s_j q_j + q^T H q / 2 in the body's axes. Rotary inertia J of a lump at a section
of slope psi' adds J to I0, J psi' to P and J psi' psi'^T to the mass, not to M.

Equations: M1, M6, M7, M8.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from flexarm.methods.modes.beamline import BeamLine, quadrature
from flexarm.methods.modes.shapes import ShapeSet


@dataclass
class Place:
    """A point that is fixed to a section of a body.

    r0 : (2,) where it is undeformed; s : (2, n) shapes; slope : (n,) turn of its section; H : (2, n, n) second order
    section : where its section is along the link, m
    """

    r0: np.ndarray
    s: np.ndarray
    slope: np.ndarray
    H: np.ndarray
    section: float


def place_on(shapes: ShapeSet | None, length: float, x: float, y: float, section: float | None = None) -> Place:
    """The point (x, y) of a link: on the section at x, or on the first or last section if it lies beyond.

    What hangs on another section than the nearest one, as a payload that reaches back from the tip, names it.
    """
    at = min(max(x, 0.0), length) if section is None else section
    known = {} if shapes is None else shapes.known
    if at not in known:
        (known[at],) = sections(shapes, [at])
    axis = known[at]
    ex, turn = x - at, np.outer(axis.slope, axis.slope)
    s = axis.s + np.stack([-y * axis.slope, ex * axis.slope])
    return Place(np.array([x, y]), s, axis.slope, axis.H - np.stack([ex * turn, y * turn]), at)


def sections(shapes: ShapeSet | None, x: Any) -> list[Place]:
    """Points of a link's axis at places x."""
    x = np.asarray(x, dtype=float)
    if shapes is None:
        return [Place(np.array([at, 0.0]), np.zeros((2, 0)), np.zeros(0), np.zeros((2, 0, 0)), float(at)) for at in x]
    s, H = np.stack([shapes.along(x), shapes.across(x)], axis=1), np.zeros((len(x), 2, shapes.count, shapes.count))
    H[:, 0] = -shapes.shortening(x)
    slopes = shapes.across(x, 1)
    return [Place(np.array([at, 0.0]), s[k], slopes[k], H[k], float(at)) for k, at in enumerate(x)]


class BeamSamples:
    """A beam at Gauss' points between its breaks and cuts: places x and weights w, mass and rotary inertia there, shapes and
    slopes (points, n), and what is beyond, mass and first moment."""

    def __init__(self, line: BeamLine, shapes: ShapeSet | None, cuts: Any = ()):
        x, w = quadrature(line.breaks, 8) if shapes is None else shapes.quadrature(cuts)
        self.x, self.w = x.ravel(), w.ravel()
        self.dm, self.rhoI = self.w * line.at("rhoA", self.x), line.at("rhoI", self.x)
        none = np.zeros((len(self.x), 0))
        self.across, self.along, self.slope = none, none, none
        if shapes is not None:
            self.across, self.along, self.slope = shapes.across(self.x), shapes.along(self.x), shapes.across(self.x, 1)
        self.mass_beyond, self.moment_beyond = line.beyond(self.x, 0), line.beyond(self.x, 1)


def stiffness(line: BeamLine, shapes: ShapeSet) -> np.ndarray:
    """Elastic stiffness of a beam, (n, n)."""
    x, w = (values.ravel() for values in shapes.quadrature())
    bend, stretch = shapes.across(x, 2), shapes.along(x, 1)
    return (bend.T * (w * line.at("EI", x))) @ bend + (stretch.T * (w * line.at("EA", x))) @ stretch


@dataclass
class BodyIntegrals:
    """Sums over the parts of a body with `n` modal coordinates."""

    n: int
    mass: float = 0.0
    S: np.ndarray = field(default_factory=lambda: np.zeros(2))
    I0: float = 0.0
    N: np.ndarray = field(init=False)
    C: np.ndarray = field(init=False)
    P: np.ndarray = field(init=False)
    M: np.ndarray = field(init=False)
    rotary: np.ndarray = field(init=False)
    G: np.ndarray = field(init=False)
    H: np.ndarray = field(init=False)
    D: np.ndarray = field(init=False)
    G2: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        n = self.n
        self.N, self.C, self.P, self.H = np.zeros((2, n)), np.zeros(n), np.zeros(n), np.zeros((2, n, n))
        self.M, self.rotary, self.G, self.D, self.G2 = (np.zeros((n, n)) for _ in range(5))

    def add_lump(self, place: Place, mass: float, inertia: float = 0.0) -> None:
        """A rigid part whose centre is at `place`."""
        r0, s, slope, H = place.r0, place.s, place.slope, place.H
        self.mass += mass
        self.S += mass * r0
        self.I0 += mass * float(r0 @ r0) + inertia
        self.N += mass * s
        self.C += mass * (r0 @ s)
        self.P += mass * (r0[0] * s[1] - r0[1] * s[0]) + inertia * slope
        self.M += mass * (s.T @ s)
        self.rotary += inertia * np.outer(slope, slope)
        self.G += mass * (np.outer(s[0], s[1]) - np.outer(s[1], s[0]))
        self.H += mass * H
        self.D += mass * (r0[0] * H[0] + r0[1] * H[1])
        self.G2 += mass * (r0[0] * H[1] - r0[1] * H[0])

    def add_beam(self, beam: BeamSamples, rotary: bool, start: float = 0.0) -> None:
        """The beam itself, or its part from the place `start` on; `rotary` counts the rotary inertia of its sections."""
        on = beam.x > start
        x, w, dm, across, along, slope = (
            values[on] for values in (beam.x, beam.w, beam.dm, beam.across, beam.along, beam.slope)
        )
        self.mass += float(dm.sum())
        self.S[0] += float(dm @ x)
        self.I0 += float(dm @ x**2)
        self.N += np.stack([dm @ along, dm @ across])
        self.C += (dm * x) @ along
        self.P += (dm * x) @ across
        self.M += (across.T * dm) @ across + (along.T * dm) @ along
        self.G += (along.T * dm) @ across - (across.T * dm) @ along
        before = (beam.slope[~on].T * beam.w[~on]) @ beam.slope[~on]  # by which the whole part has come back
        self.H[0] -= (slope.T * (w * beam.mass_beyond[on])) @ slope + dm.sum() * before
        self.D -= (slope.T * (w * beam.moment_beyond[on])) @ slope + (dm @ x) * before
        if rotary:
            turn = w * beam.rhoI[on]
            self.I0 += float(turn.sum())
            self.P += turn @ slope
            self.rotary += (slope.T * turn) @ slope
