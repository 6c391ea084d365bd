"""Signals: functions of time with exact derivatives and declared break times."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Protocol

import numpy as np

from flexarm.drive.piecewise import Pieces, Row


class Signal(Protocol):
    """A command as a function of time, smooth between its breaks.

    The program divides time into intervals at the breaks of all signals and calls `evaluate` for one
    interval at a time.
    """

    finest: float
    """Smallest time scale, in s, that a time step must resolve; inf if there is none."""

    def breaks(self, end: float) -> list[float]:
        """Times in (0, end) where the value, or a derivative that matters, jumps."""
        ...

    def evaluate(self, t: np.ndarray, inside: float) -> np.ndarray:
        """Value, first and second derivative at times `t`, shape (3, n).

        The pieces that are active at the time `inside`, strictly between two breaks, are used; so at a break
        the limit from the side of `inside` results.
        """
        ...

    def jumps(self) -> tuple[np.ndarray, np.ndarray]:
        """Break times from 0 on, shape (n,), and jumps of value and two derivatives there, shape (3, n)."""
        ...


class SumSignal:
    """The sum of some signals."""

    def __init__(self, *parts: Signal):
        self.parts = parts
        self.finest = min(part.finest for part in parts)

    def breaks(self, end: float) -> list[float]:
        """Times in (0, end) where one of them jumps."""
        return sorted({time for part in self.parts for time in part.breaks(end)})

    def evaluate(self, t: np.ndarray, inside: float) -> np.ndarray:
        """Value, first and second derivative, shape (3, n)."""
        return np.sum([part.evaluate(t, inside) for part in self.parts], axis=0)

    def jumps(self) -> tuple[np.ndarray, np.ndarray]:
        """Break times from 0 on, shape (n,), and the sizes of the jumps, shape (3, n)."""
        times, sizes = zip(*(part.jumps() for part in self.parts), strict=True)
        return np.concatenate(times), np.concatenate(sizes, axis=1)


class PieceSignal:
    """A signal made of analytic pieces.

    Parameters
    ----------
    rows : sequence of Row
        Pieces in order of time, the first from t = 0.
    initial : float
        Value before t = 0, where the signal is at rest.
    orders : {1, 3}
        3: jumps of the value and two derivatives are breaks (motions). 1: those of the value alone (torques).
    finest : float
        Smallest time scale in s that a step must resolve.
    """

    def __init__(self, rows: Sequence[Row], *, initial: float = 0.0, orders: int = 3, finest: float = math.inf):
        # what is before t = 0 is a piece like the others, so that a jump at t = 0 is found like the others
        self.pieces = Pieces([Row(-1.0, (initial,)), *rows])
        self.initial = initial
        self.finest = finest
        self.orders = orders
        sizes = self.pieces.jumps()
        sizes[orders:] = 0.0
        at = np.flatnonzero(np.any(sizes != 0.0, axis=0))
        self._sizes = sizes[:, at]
        self._after_break = at + 1

    @property
    def span(self) -> tuple[float, float]:
        """Times in s between which it changes; the second is inf if it never rests."""
        moving = np.flatnonzero(~self.pieces.resting)
        ends = np.append(self.pieces.start, math.inf)
        times = np.concatenate([ends[moving], ends[moving + 1], self.pieces.start[self._after_break]])
        return float(times.min(initial=math.inf) if len(times) else 0.0), float(times.max(initial=0.0))

    def breaks(self, end: float) -> list[float]:
        """Times in (0, end) where the signal jumps."""
        return [float(t) for t in self.pieces.start[self._after_break] if 0.0 < t < end]

    def jumps(self) -> tuple[np.ndarray, np.ndarray]:
        """Break times from 0 on, shape (n,), and the sizes of the jumps, shape (3, n)."""
        return self.pieces.start[self._after_break], self._sizes

    def evaluate(self, t: np.ndarray, inside: float) -> np.ndarray:
        """Value, first and second derivative, shape (3, n)."""
        t = np.asarray(t, dtype=float)
        piece = locate(self.pieces.start, self._after_break, t, inside)
        tau = t - self.pieces.start[piece]
        return np.stack([self.pieces.derivative(order, piece, tau) for order in range(3)])


def locate(start: np.ndarray, breaks: np.ndarray, t: np.ndarray, inside: float) -> np.ndarray | np.intp:
    """Number of the piece that holds at each time, within the interval between two breaks around `inside`; one number if one holds
    in all of it.

    Parameters
    ----------
    start : ndarray, shape (n,)
        Start times of the pieces in s.
    breaks : ndarray of int
        Numbers of the pieces that begin at a break.
    """
    interval = int(np.searchsorted(start[breaks], inside, "right"))
    first = int(breaks[interval - 1]) if interval else 0
    last = int(breaks[interval]) - 1 if interval < len(breaks) else len(start) - 1
    if first == last:
        return np.intp(first)
    return np.clip(np.searchsorted(start, t, "right") - 1, first, last)
