"""Modal integrals: the constants of a body in the equations of motion.

A material point of a body lies at r0 + s_j q_j + q^T H q / 2 in the body's axes. Rotary inertia J of a lump at a section
of slope psi' adds J to I0, J psi' to P and J psi' psi'^T to the mass, not to M.

Equations: M1, M6, M7, M8.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from flexarm.methods.modes.beamline import BeamLine
from flexarm.methods.modes.shapes import ShapeSet
from flexarm.numerics.gauss import gauss


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
    r0, at = np.array([x, y]), min(max(x, 0.0), length) if section is None else section
    if shapes is None:
        return Place(r0, np.zeros((2, 0)), np.zeros(0), np.zeros((2, 0, 0)), at)
    ex, ey = x - at, y
    slope, across, along = shapes.across([at], 1)[0], shapes.across([at])[0], shapes.along([at])[0]
    s = np.stack([along - ey * slope, across + ex * slope])
    turn = np.outer(slope, slope)
    return Place(r0, s, slope, np.stack([-shapes.shortening(at) - ex * turn, -ey * turn]), at)


@dataclass
class BodyIntegrals:
    """Sums over the parts of a body with `n` modal coordinates; `K` is its elastic stiffness."""

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
    K: np.ndarray = field(init=False)
    root_slope: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        n = self.n
        self.N, self.C, self.P, self.root_slope = np.zeros((2, n)), np.zeros(n), np.zeros(n), np.zeros(n)
        self.M, self.rotary, self.G, self.D, self.G2, self.K = (np.zeros((n, n)) for _ in range(6))
        self.H = np.zeros((2, n, n))

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

    def add_beam(self, line: BeamLine, shapes: ShapeSet | None, rotary: bool, start: float = 0.0) -> None:
        """The beam itself, or its part from the place `start` on; `rotary` counts the rotary inertia of its sections."""
        if shapes is None:
            self.mass += float(line.beyond(np.zeros(1), 0)[0])
            self.S[0] += float(line.beyond(np.zeros(1), 1)[0])
            x, w = gauss(8)
            for a, b in zip(line.breaks[:-1], line.breaks[1:], strict=True):
                at = 0.5 * (a + b) + 0.5 * (b - a) * x
                weight = 0.5 * (b - a) * w
                self.I0 += float(weight @ (line.at("rhoA", at) * at**2))
                self.I0 += float(weight @ line.at("rhoI", at)) if rotary else 0.0
            return
        x, w = shapes.quadrature(start, line.length)
        dm = w * line.at("rhoA", x)
        across, along, slope = shapes.across(x), shapes.along(x), shapes.across(x, 1)
        self.mass += float(dm.sum())
        self.S[0] += float(dm @ x)
        self.I0 += float(dm @ x**2)
        self.N += np.stack([dm @ along, dm @ across])
        self.C += (dm * x) @ along
        self.P += (dm * x) @ across
        self.M += (across.T * dm) @ across + (along.T * dm) @ along
        self.G += (along.T * dm) @ across - (across.T * dm) @ along
        before, root = shapes.shortening(start), np.array([start])  # by which the whole part has come back
        self.H[0] -= (slope.T * (w * line.beyond(x, 0))) @ slope + line.beyond(root, 0) * before
        self.D -= (slope.T * (w * line.beyond(x, 1))) @ slope + line.beyond(root, 1) * before
        bend, stretch = shapes.across(x, 2), shapes.along(x, 1)
        self.K += (bend.T * (w * line.at("EI", x))) @ bend + (stretch.T * (w * line.at("EA", x))) @ stretch
        self.root_slope += shapes.across([0.0], 1)[0]
        if rotary:
            turn = w * line.at("rhoI", x)
            self.I0 += float(turn.sum())
            self.P += turn @ slope
            self.rotary += (slope.T * turn) @ slope
