"""When a stepping motor must step to follow a command: the times at which the nearest step changes.

The motor stands at ``start + k size`` with k the whole number nearest to ``(command - start) / size``, so it is never
more than half a step away. Legend: x = (command - start) / size + 1/2; k rises when x passes k + 1 and falls when x
passes below k.
"""

from __future__ import annotations

import math
from typing import Protocol

import numpy as np

from flexarm.drive.piecewise import Pieces
from flexarm.drive.signal import PieceSignal
from flexarm.errors import ScenarioError

MARGIN = 1e-9
"""Share of a step by which a level must be passed, so that a command that ends on it does not make the motor chatter."""
MOST_STEPS = 2_000_000
TOO_MANY = f"the motion makes more than {MOST_STEPS} motor steps: turn less far, or make the steps larger"
POINTS = 17
"""Looks at a polynomial piece for its turning points (it has four at most), and at half a period of a sine."""
HALVINGS = 60
STEPS_PER_BLOCK = 256


class Steps(Protocol):
    """Steps of a motor in order of time."""

    size: float
    start: float

    def until(self, time: float) -> tuple[np.ndarray, np.ndarray]:
        """Times in s and directions (1 or -1) of at least all steps up to `time`, always from the first one on."""
        ...


class FixedSteps:
    """Steps at given times.

    Parameters
    ----------
    times, directions : ndarray, shape (n,)
        Increasing times in s; 1 or -1.
    size, start : float
        Size of a step and position before the first one, rad.
    """

    def __init__(self, times: np.ndarray, directions: np.ndarray, size: float, start: float):
        self.times, self.directions, self.size, self.start = times, directions, size, start

    def until(self, time: float) -> tuple[np.ndarray, np.ndarray]:
        """All steps."""
        return self.times, self.directions


class FollowingSteps:
    """Steps that follow a command; those of a command without end are found as far as they are asked for.

    Parameters
    ----------
    command : PieceSignal
        Position in rad, continuous.
    size : float
        Size of a step in rad.
    """

    def __init__(self, command: PieceSignal, size: float):
        self.size, self.start = size, command.initial
        self._pieces = command.pieces
        self._times, self._directions, self._count = np.zeros(0), np.zeros(0, dtype=np.int64), 0
        self._block = 0
        last = len(self._pieces) - 1
        self._length = _block_length(self._pieces, last, size)
        finite = np.arange(1, last)
        self._find(*_knots(self._pieces, finite, self._pieces.lengths[finite]))
        if not math.isfinite(self._length):
            self._find(np.array([last]), np.zeros(1))

    @property
    def ends(self) -> float:
        """Time in s from which on the command rests; inf if it never does."""
        return float(self._pieces.start[-1]) if not math.isfinite(self._length) else math.inf

    @property
    def top_speed(self) -> float:
        """Largest speed of the command in rad/s."""
        pieces = self._pieces
        lengths = np.where(np.isfinite(pieces.lengths), pieces.lengths, min(self._length, 1.0))
        which, tau = _knots(pieces, np.arange(1, len(pieces)), lengths[1:], refine=False)
        return float(np.abs(pieces.derivative(1, which, tau)).max(initial=0.0))

    def until(self, time: float) -> tuple[np.ndarray, np.ndarray]:
        """Times and directions of at least all steps up to `time`."""
        last = len(self._pieces) - 1
        away = abs(float(self._pieces.poly[last, 1])) * (time - float(self._pieces.start[last])) / self.size
        if away > MOST_STEPS and not self._pieces.poly[last, 2:].any():
            raise ScenarioError(TOO_MANY)
        while float(self._pieces.start[last]) + self._block * self._length <= time and math.isfinite(self._length):
            which, tau = _knots(self._pieces, np.array([last]), np.array([self._length]))
            self._find(which, tau + self._block * self._length)
            self._block += 1
        return self._times, self._directions

    def _find(self, which: np.ndarray, tau: np.ndarray) -> None:
        """Add the steps between knots `tau` (s after the start of their pieces); the command turns at knots only."""
        x = (self._pieces.derivative(0, which, tau) - self.start) / self.size + 0.5
        cells, levels, signs = list[int](), list[int](), list[int]()
        for i, value in enumerate(x.tolist()):
            if abs(value - self._count) + len(cells) + len(self._times) > MOST_STEPS:
                raise ScenarioError(TOO_MANY)
            while value > self._count + 1 + MARGIN:
                self._count += 1
                cells.append(i)
                levels.append(self._count)
                signs.append(1)
            while value < self._count - MARGIN:
                cells.append(i)
                levels.append(self._count)
                signs.append(-1)
                self._count -= 1
        if cells:
            times = _passing(self._pieces, which, tau, np.array(cells), np.array(levels) - 0.5, np.array(signs), self)
            self._times = np.concatenate([self._times, times])
            self._directions = np.concatenate([self._directions, np.array(signs)])


def _block_length(pieces: Pieces, piece: int, size: float) -> float:
    """Length in s of the blocks in which the endless last piece is worked through; inf if it rests."""
    slopes = np.abs(pieces.poly[piece, 1:])
    if pieces.fastest[piece]:
        return float(2.0 * math.pi / pieces.fastest[piece])
    if not slopes.any():
        return math.inf
    return float(STEPS_PER_BLOCK * size / slopes[0]) if slopes[0] and not slopes[1:].any() else 1.0


def _knots(
    pieces: Pieces, which: np.ndarray, lengths: np.ndarray, refine: bool = True
) -> tuple[np.ndarray, np.ndarray]:
    """Numbers of pieces and times after their starts between which the command runs one way."""
    counts = POINTS + np.ceil(POINTS * pieces.fastest[which] * lengths / np.pi)
    piece = np.repeat(which, counts.astype(np.int64))
    share = np.concatenate([np.linspace(0.0, 1.0, int(n)) for n in counts]) if len(counts) else np.zeros(0)
    tau = share * np.repeat(lengths, counts.astype(np.int64))
    if not refine or not len(tau):
        return piece, tau
    rate = pieces.derivative(1, piece, tau)
    turns = np.flatnonzero((piece[1:] == piece[:-1]) & (rate[1:] * rate[:-1] < 0.0))
    sign = np.sign(rate[turns + 1])
    at = _halve(pieces, 1, piece[turns], tau[turns], tau[turns + 1], np.zeros(len(turns)), sign)
    return np.insert(piece, turns + 1, piece[turns]), np.insert(tau, turns + 1, at)


def _passing(
    pieces: Pieces, which: np.ndarray, tau: np.ndarray, cells: np.ndarray, levels: np.ndarray, signs: np.ndarray,
    steps: FollowingSteps,
) -> np.ndarray:  # fmt: skip
    """Times in s at which the command passes levels (in steps) on its way to the knots `cells`."""
    before = np.maximum(cells - 1, 0)
    inner = which[before] == which[cells]
    low = np.where(inner, tau[before], tau[cells])
    piece = which[cells]
    at = _halve(pieces, 0, piece, low, tau[cells], steps.start + levels * steps.size, signs)
    return pieces.start[piece] + at


def _halve(
    pieces: Pieces,
    order: int,
    piece: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    level: np.ndarray,
    sign: np.ndarray,
) -> np.ndarray:
    """Times after the start of pieces at which a derivative passes a level in the direction `sign`, by halving."""
    low, high = low.copy(), high.copy()
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        below = sign * (pieces.derivative(order, piece, middle) - level) < 0.0
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return high
