"""Natural frequencies of a straight beam with any section, by shooting: nothing of the methods is used.

The beam equations are integrated from the root to the tip as they stand, piece by piece between the jumps of the
section, and the frequency is sought at which the tip can be free:

    w' = phi + Q / GA,   phi' = M / EI,   M' = -Q - rhoI omega^2 phi,   Q' = -rhoA omega^2 w.

Without `shear` 1/GA and rhoI are zero (Euler-Bernoulli).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.polynomial import Polynomial
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import flexarm as fa

FIGURES = ("EI", "rhoA", "GA", "rhoI")
DEGREE = 4
"""Figures of sections whose sizes change linearly are polynomials of at most this degree."""


@dataclass(frozen=True)
class Stretch:
    """A part of the beam of some length with smooth figures, polynomials in the distance from its beginning."""

    length: float
    figures: tuple[list[float], ...]
    """Coefficients of EI, rhoA, GA and rhoI, the highest power first."""
    mass: float = 0.0
    inertia: float = 0.0
    """Point mass and rotary inertia at its end, kg and kg m^2."""


def stretches(arm: fa.Arm) -> list[Stretch]:
    """The links of an arm one behind the other in a straight line, cut at the stations of their sections and at lumps (given by fractions)."""
    found: list[Stretch] = []
    for i, link in enumerate(arm.links):
        lumps = {lump.at: (lump.mass, lump.inertia) for lump in link.masses}
        places = sorted({station.at for station in link.section.stations} | lumps.keys())
        for a, b in pairwise(places):
            inner = a + (b - a) * (0.5 - 0.5 * np.cos(np.pi * (np.arange(DEGREE + 1) + 0.5) / (DEGREE + 1)))
            figures, s, length = link.properties(inner), (inner - a) * link.span, (b - a) * link.span
            parts = [Polynomial.fit(s, figures[name], DEGREE, domain=[0.0, length]).convert() for name in FIGURES]
            powers = tuple(part.coef.tolist()[::-1] for part in parts)
            last = b == 1.0 and i + 1 < len(arm.links)
            carried = (arm.links[i + 1].joint.motor_mass, 0.0) if last else lumps.get(b, (0.0, 0.0))
            found.append(Stretch(length, powers, *carried))
    return found


def _value(coefficients: list[float], s: float) -> float:
    """A polynomial at one place, highest power first; numpy is slow for single numbers."""
    total = 0.0
    for coefficient in coefficients:
        total = total * s + coefficient
    return total


def _tip(parts: Sequence[Stretch], omega: float, shear: bool, free: bool, hub: float) -> np.ndarray:
    """w, phi, M, Q at the tip for the two motions that the root allows, (4, 2)."""
    state = np.zeros((4, 2))
    if free:  # the root turns with the hub: unit turn with its moment, and unit shear
        state[1, 0], state[2, 0], state[3, 1] = 1.0, -hub * omega**2, 1.0
    else:
        state[2, 0], state[3, 1] = 1.0, 1.0
    for part in parts:
        stiff, heavy, slack, turning = part.figures

        def slopes(s, y, stiff=stiff, heavy=heavy, slack=slack, turning=turning):  # type: ignore[no-untyped-def]
            w0, w1, phi0, phi1, M0, M1, Q0, Q1 = y.tolist()
            bend, push = 1.0 / _value(stiff, s), -_value(heavy, s) * omega**2
            soft, turn = (1.0 / _value(slack, s), _value(turning, s) * omega**2) if shear else (0.0, 0.0)
            by_shear, by_turn = (phi0 + soft * Q0, phi1 + soft * Q1), (-Q0 - turn * phi0, -Q1 - turn * phi1)
            return (*by_shear, bend * M0, bend * M1, *by_turn, push * w0, push * w1)

        found = solve_ivp(slopes, (0.0, part.length), state.ravel(), "DOP853", rtol=1e-7, atol=1e-11)
        state = found.y[:, -1].reshape(4, 2)
        state[2:] -= omega**2 * np.array([part.inertia * state[1], part.mass * state[0]])
    return state


def exact_hz(arm: fa.Arm, n: int, shear: bool, free: bool = False, top: float = 2000.0) -> np.ndarray:
    """The lowest `n` bending frequencies of a straight arm, joints locked, or the first one free (payload along it)."""
    parts, load = stretches(arm), arm.payload
    ahead, hub = load.offset_vector[0], arm.links[0].joint.hub_inertia

    def short(hz: float) -> float:
        omega = 2.0 * np.pi * hz
        w, phi, M, Q = _tip(parts, omega, shear, free, hub)
        push = load.mass * omega**2 * (w + ahead * phi)
        turning = load.inertia_z * omega**2 * phi + ahead * push
        return float(np.linalg.det(np.array([M - turning, Q - push])))

    found: list[float] = []
    grid = np.geomspace(1.0, top, 75)
    last = short(grid[0])
    for a, b in pairwise(grid):
        now = short(b)
        if last * now < 0.0:
            found.append(float(brentq(short, a, b, xtol=1e-7, rtol=1e-8)))
            if len(found) == n:
                return np.array(found)
        last = now
    raise AssertionError("too few frequencies in the range")
