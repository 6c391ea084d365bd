"""The formulas of Tokhi and Azad as they are printed, beside the repaired ones, so that both can be run.

Legend: h section length, dt step, c = EI dt^2/(rho h^4), b = 4c, a = 2 - 6c; F1, F2 belong to inertia and mass of the
payload; P and T give the fictitious points y_{n+2} and y_{n+1} from y_{n-3} .. y_n.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from flexarm.papers.tokhi_azad.runs import HALF, TORQUE

Stencil = Mapping[int, float]

THIRD_PRINTED: Stencil = {2: 1.0, 1: -2.0, -1: -2.0, -2: 1.0}
THIRD_RIGHT: Stencil = {2: 1.0, 1: -2.0, -1: 2.0, -2: -1.0}
"""Equation (8), to be divided by 2 h^3."""
SHEAR_PRINTED: Stencil = {-2: 1.0 + 2.0, 1: 2.0, 2: -1.0}
SHEAR_RIGHT: Stencil = {-2: 1.0, -1: -2.0, 1: 2.0, 2: -1.0}
"""The bracket of equation (26), -2 h^3 times the third derivative."""


def apply(stencil: Stencil, function: Callable[[float], float], x: float, h: float) -> float:
    """Weighted sum of the function's values about `x`."""
    return sum(weight * function(x + k * h) for k, weight in stencil.items())


@dataclass(frozen=True)
class Numbers:
    """The letters of the document for one grid, step and payload."""

    EI: float
    rho: float
    length: float
    sections: int
    dt: float
    hub_inertia: float = 0.0
    mass: float = 0.0
    inertia: float = 0.0

    @property
    def h(self) -> float:
        """Section length, m."""
        return self.length / self.sections

    @property
    def abc(self) -> tuple[float, float, float]:
        """a, b, c."""
        c = self.EI * self.dt**2 / (self.rho * self.h**4)
        return 2.0 - 6.0 * c, 4.0 * c, c

    def f1(self, printed: bool = False) -> float:
        """F1; the factor 2 in print belongs to a centred slope, but the slope in (27) is one-sided."""
        return (2.0 if printed else 1.0) * self.EI * self.dt**2 / (self.inertia * self.h)

    @property
    def f2(self) -> float:
        """F2."""
        return self.EI * self.dt**2 / (2.0 * self.mass * self.h**3)

    def q4(self, printed: bool = False) -> float:
        """What a unit torque adds to y_1 in equation (30)."""
        inertia = self.rho * self.h**3 + self.hub_inertia
        return self.dt**2 / (self.h * inertia) if printed else self.dt**2 * self.h / inertia

    def hub_row(self) -> tuple[float, float, float]:
        """Q1, Q2, Q3 of equation (30)."""
        below = self.h * (self.rho * self.h**3 + self.hub_inertia)
        push = self.dt**2 * self.EI
        top = 2.0 * self.rho * self.h**4 + 2.0 * self.hub_inertia * self.h - 5.0 * push
        return top / below, 4.0 * push / below, -push / below

    def free_rows(self) -> np.ndarray:
        """Rows (16), (19) and (22) of a link without hub inertia and payload: three, four and four elements."""
        _, b, c = self.abc
        return np.array([2 - 5 * c, b, -c, -c, b, 2 - 5 * c, 2 * c, 0.0, -2 * c, 4 * c, 2 - 2 * c])

    def t(self, printed: bool = False, f1: float | None = None) -> np.ndarray:
        """T1 .. T4."""
        a, b, c = self.abc
        F1, F2 = self.f1() if f1 is None else f1, self.f2
        D = F2 * (b - c) + F1 * (c + F2) + c**2
        if printed:
            front = D / (c * (c + F2) ** 2)
            return np.array([
                -D / (c + F2),
                front * (c * (b + c) + (c + F2) * (c - F2)),
                front * (F1 * (c - b) + 2 * F2 * (c + F2) + c * (10 * c - b)),
                front * ((2 - a) + (F2 + c) - c * (2 * F2 + 10 * c)),
            ])  # fmt: skip
        return np.array([
            -c * (c + F2),
            (b + c) * (c + F2) - c * (c - F2),
            -(F1 + 6 * c + b) * (c + F2) + c * (b - 2 * F2),
            (2 * F1 + b + 6 * c) * (c + F2) - 6 * c**2,
        ]) / D  # fmt: skip

    def p(self, printed: bool = False, f1: float | None = None) -> np.ndarray:
        """P1 .. P4."""
        a, b, c = self.abc
        F1, F2 = self.f1() if f1 is None else f1, self.f2
        D = F2 * (b - c) + F1 * (c + F2) + c**2
        first = (-b - 2 * F2) / (F2 * (F1 + b - 1) + F1 * c) if printed else -c * (b + 2 * F2) / D
        second = (b * (3 * F2 + b) + c * (3 * F2 - c) - F1 * (c - F2)) / D
        third = (b**2 - 9 * b * c - 2 * F2 * (b + 11 * c + 2 * (F2 if printed else F1))) / D
        fourth = (F1 * (a - 2 + 2 * b + 4 * F2) + (a - 2) * (b + c) + 10 * c * (b + 2 * F2)) / D
        return np.array([first, second, third, fourth])

    def tip_rows(self, f1: float | None = None) -> np.ndarray:
        """M1 .. M4 and N1 .. N4 of (38) and (39) from the repaired T and P, shape (2, 4)."""
        a, b, c = self.abc
        T, P = self.t(f1=f1), self.p(f1=f1)
        return np.array([[-c, b, a, b] - c * T, b * T - c * P + [0.0, -c, b, a]])


def march(
    A: np.ndarray,
    push: np.ndarray,
    dt: float,
    end: float,
    tip: int,
    first_without_torque: bool = False,
    forgotten: int | None = None,
) -> np.ndarray:
    """Tip over time by ``y_new = A y - y_old + push tau`` under the bang-bang torque, from rest.

    Parameters
    ----------
    A, push : ndarray
        The recursion.
    dt, end : float
        Step and end, s.
    tip : int
        Index of the tip.
    first_without_torque : bool
        Start with y_1 = y_0, as the document does for a link at rest, in place of y_1 = y_0 + dt^2/2 a_0.
    forgotten : int, optional
        Row whose -y_old is left out, as in the printed equation (16).
    """
    steps, jump = round(end / dt), round(HALF / dt)
    torque = np.zeros(max(steps, 2 * jump + 1))
    torque[:jump], torque[jump : 2 * jump] = TORQUE, -TORQUE
    # at a jump the mean of both sides; the first step takes half, because the acceleration acts from its start
    torque[0], torque[jump], torque[2 * jump] = 0.0 if first_without_torque else 0.5 * TORQUE, 0.0, -0.5 * TORQUE
    old, y, track = np.zeros(len(A)), np.zeros(len(A)), np.zeros(steps + 1)
    for j in range(steps):
        if forgotten is not None:
            old[forgotten] = 0.0
        old, y = y, A @ y - old + push * torque[j]
        track[j + 1] = y[tip]
    return track
