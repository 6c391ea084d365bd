"""Analytic pieces of a signal: a polynomial plus sines on each interval of time.

Every profile is made of such pieces, so that value and derivatives of any order are exact.
Legend: tau time since the start of the piece, u = sum c_k tau^k + sum S_j sin(omega_j tau + phi_j).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

DEGREE = 9


class Wave(NamedTuple):
    """A sine of a piece: S sin(omega tau + phi)."""

    amplitude: float
    omega: float
    phase: float = 0.0


class Row(NamedTuple):
    """One piece: begins at `start` and lasts until the next one begins.

    `smooth` promises that value and two derivatives are continuous at its start (knots of a spline), where
    rounding could otherwise look like a jump.
    """

    start: float
    poly: tuple[float, ...] = (0.0,)
    waves: tuple[Wave, ...] = ()
    smooth: bool = False

    def value(self, tau: float) -> float:
        """Value at the time `tau` after the start of the piece."""
        sines = sum(wave.amplitude * float(np.sin(wave.omega * tau + wave.phase)) for wave in self.waves)
        return sum(c * tau**k for k, c in enumerate(self.poly)) + sines


class Pieces:
    """Rows as arrays, evaluated together.

    Parameters
    ----------
    rows : sequence of Row
        In order of time; a row of no length is left out.
    """

    def __init__(self, rows: Sequence[Row]):
        kept = [
            row for row, after in zip(rows, [*rows[1:], None], strict=True) if after is None or row.start < after.start
        ]
        self.start = np.array([row.start for row in kept])
        self.poly = np.zeros((len(kept), DEGREE + 1))
        for k, row in enumerate(kept):
            self.poly[k, : len(row.poly)] = row.poly
        self.waves = np.zeros((max((len(row.waves) for row in kept), default=0), 3, len(kept)))
        """Amplitude, omega and phase of the sines, shape (sine, 3, n); those that a piece has not are zero."""
        for k, row in enumerate(kept):
            self.waves[: len(row.waves), :, k] = row.waves or np.zeros((0, 3))
        self.smooth = np.array([row.smooth for row in kept])
        self._slopes = [self.poly]
        for order in range(1, DEGREE + 1):
            self._slopes.append(self._slopes[-1][:, 1:] * np.arange(1, DEGREE + 2 - order))
        self._used = [int(np.flatnonzero(np.any(each, axis=0)).max(initial=-1)) for each in self._slopes]

    def __len__(self) -> int:
        return len(self.start)

    @property
    def lengths(self) -> np.ndarray:
        """Length of each piece in s, shape (n,); the last one is infinite."""
        return np.append(np.diff(self.start), np.inf)

    @property
    def fastest(self) -> np.ndarray:
        """Largest omega of the sines of each piece in rad/s, shape (n,); 0 if there is none."""
        return np.where(self.waves[:, 0] != 0.0, self.waves[:, 1], 0.0).max(axis=0, initial=0.0)

    @property
    def resting(self) -> np.ndarray:
        """True for pieces on which nothing changes, shape (n,)."""
        return ~np.any(self.poly[:, 1:], axis=1) & (self.fastest == 0.0)

    def vanishes(self, order: int) -> bool:
        """True if the derivative of this order is zero on all pieces."""
        return not self.waves[:, 0].any() and (order > DEGREE or self._used[order] < 0)

    def derivative(self, order: int, piece: np.ndarray | np.intp, tau: np.ndarray) -> np.ndarray:
        """Derivative of any order at `tau` after the start of the given pieces, or of one piece, shape (n,)."""
        total = np.zeros(tau.shape)
        if order <= DEGREE:
            slopes = self._slopes[order]
            for k in range(self._used[order], -1, -1):
                total = total * tau + slopes[piece, k]
        for amplitude, omegas, phase in self.waves:
            omega = omegas[piece]
            angle = omega * tau + phase[piece]
            wave = (np.sin, np.cos)[order % 2](angle) * (-1.0 if order % 4 >= 2 else 1.0)
            total = total + amplitude[piece] * omega**order * wave
        return total

    def jumps(self) -> np.ndarray:
        """Jumps of value, first and second derivative at the start of pieces 1, 2, ..., shape (3, n - 1).

        Differences that are mere rounding are set to zero.
        """
        n = len(self) - 1
        left, right = np.arange(n), np.arange(1, n + 1)
        length = np.append(np.diff(self.start), 0.0)
        sizes = np.zeros((3, n))
        for order in range(3):
            size = self.derivative(order, right, np.zeros(n)) - self.derivative(order, left, length[:-1])
            powers = length[:, None] ** np.arange(DEGREE + 1 - order)
            sines = np.sum(np.abs(self.waves[:, 0]) * self.waves[:, 1] ** order, axis=0)
            bound = np.sum(np.abs(self._slopes[order]) * powers, axis=1) + sines
            noise = 1e-9 * np.maximum(bound[left], bound[right])
            sizes[order] = np.where(self.smooth[right] | (np.abs(size) <= noise), 0.0, size)
        return sizes
