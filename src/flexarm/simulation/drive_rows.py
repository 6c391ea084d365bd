"""Drive rows ahead of the present step, and the same with the torques that are held written into them.

Evaluating drives has a fixed cost, so short pieces are cut from a longer table.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from flexarm.drive import KI, KP, TORQUE, Program
from flexarm.numerics.timegrid import Interval

AHEAD = 4096
"""Steps that are looked ahead."""


def with_held(table: np.ndarray, held: np.ndarray) -> np.ndarray:
    """A copy of a table (..., channels, 7) with torques that are held (channels,) in it, where these are numbers; the laws' gains
    are off there."""
    table = table.copy()
    for channel in np.flatnonzero(~np.isnan(held)):
        table[..., channel, KP : KI + 1] = 0.0
        table[..., channel, TORQUE] = held[channel]
    return table


class DriveRows:
    """Drive tables of a run, and the part of them that lies ahead.

    Attributes
    ----------
    first : int
        Step of the interval at which the part begins.
    told, held : ndarray, shape (rows, channels, 7)
        What the drives say there; the same with the torques that are held, as far as they are known.
    """

    def __init__(self, program: Program, intervals: Sequence[Interval]):
        self._program, self._intervals = program, intervals
        self._interval, self.first, self._last = -1, 0, -1
        self.told = self.held = np.zeros((0, 0, 0))

    def table(self, interval: int, step: int, steps: int) -> np.ndarray:
        """What the drives say from `step` over `steps` steps of an interval, shape (steps + 1, channels, 7)."""
        grid = self._intervals[interval]
        times = grid.start + np.arange(step, step + steps + 1) * grid.h
        return self._program.table(times, grid.inside)

    def look(self, interval: int, step: int, steps: int, held: np.ndarray) -> None:
        """Have the rows from `step` over `steps` steps at hand, with torques (channels,) held from there on."""
        if interval == self._interval and self.first <= step and step + steps <= self._last:
            return
        count = min(max(steps, AHEAD), self._intervals[interval].steps - step)
        self._interval, self.first, self._last = interval, step, step + count
        self.told = self.held = self.table(interval, step, count)
        if len(held):
            self.held = with_held(self.told, held)

    def row(self, interval: int, step: int, held: np.ndarray) -> np.ndarray:
        """Row (channels, 7) of the drives at a step point; torques are held from there on."""
        self.look(interval, step, min(1, self._intervals[interval].steps - step), held)
        return self.told[step - self.first]
