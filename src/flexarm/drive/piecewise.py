"""Analytic pieces of a signal: a polynomial plus a sine on each interval of time.

Every profile is made of such pieces, so that value and derivatives of any order are exact.
Legend: tau time since the start of the piece, u = sum c_k tau^k + S sin(omega tau + phi).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

DEGREE = 5


class Row(NamedTuple):
    """One piece: begins at `start` and lasts until the next one begins.

    `smooth` promises that value and two derivatives are continuous at its start (knots of a spline), where
    rounding could otherwise look like a jump.
    """

    start: float
    poly: tuple[float, ...] = (0.0,)
    amplitude: float = 0.0
    omega: float = 0.0
    phase: float = 0.0
    smooth: bool = False

    def value(self, tau: float) -> float:
        """Value at the time `tau` after the start of the piece."""
        return sum(c * tau**k for k, c in enumerate(self.poly)) + self.amplitude * float(
            np.sin(self.omega * tau + self.phase)
        )


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
        self.amplitude = np.array([row.amplitude for row in kept])
        self.omega = np.array([row.omega for row in kept])
        self.phase = np.array([row.phase for row in kept])
        self.smooth = np.array([row.smooth for row in kept])
        self._slopes = [self.poly]
        for order in range(1, DEGREE + 1):
            self._slopes.append(self._slopes[-1][:, 1:] * np.arange(1, DEGREE + 2 - order))
        self._used = [int(np.flatnonzero(np.any(each, axis=0)).max(initial=-1)) for each in self._slopes]
        self._wavy = bool(np.any(self.amplitude))

    def __len__(self) -> int:
        return len(self.start)

    @property
    def lengths(self) -> np.ndarray:
        """Length of each piece in s, shape (n,); the last one is infinite."""
        return np.append(np.diff(self.start), np.inf)

    def vanishes(self, order: int) -> bool:
        """True if the derivative of this order is zero on all pieces."""
        return not self._wavy and (order > DEGREE or self._used[order] < 0)

    def derivative(self, order: int, piece: np.ndarray | np.intp, tau: np.ndarray) -> np.ndarray:
        """Derivative of any order at `tau` after the start of the given pieces, or of one piece, shape (n,)."""
        total = np.zeros(tau.shape)
        if order <= DEGREE:
            slopes = self._slopes[order]
            for k in range(self._used[order], -1, -1):
                total = total * tau + slopes[piece, k]
        if self._wavy:
            omega = self.omega[piece]
            angle = omega * tau + self.phase[piece]
            wave = (np.sin, np.cos)[order % 2](angle) * (-1.0 if order % 4 >= 2 else 1.0)
            total = total + self.amplitude[piece] * omega**order * wave
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
            bound = np.sum(np.abs(self._slopes[order]) * powers, axis=1) + np.abs(self.amplitude) * self.omega**order
            noise = 1e-9 * np.maximum(bound[left], bound[right])
            sizes[order] = np.where(self.smooth[right] | (np.abs(size) <= noise), 0.0, size)
        return sizes
