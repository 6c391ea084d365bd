"""Drive rows ahead of the present step, with the torques that are held written into them.

Evaluating drives has a fixed cost, so the short pieces between control ticks are cut from a longer table.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from flexarm.drive import KI, KP, POSITION, TORQUE, VELOCITY, Program
from flexarm.numerics.timegrid import Interval

AHEAD = 4096
"""Steps that are looked ahead."""


class DriveRows:
    """Drive tables of a run, and the part of them that lies ahead.

    Attributes
    ----------
    held : dict
        Torques by channel that replace what the drives say there; the laws' gains are off for these channels.
    """

    def __init__(self, program: Program, intervals: Sequence[Interval]):
        self._program, self._intervals = program, intervals
        self._joints = len(program.wiring.joints)
        self.held: dict[int, float] = {}
        self._interval, self._first, self._last = -1, 0, -1
        self._plain = self._rows = self._references = np.zeros((0, 0, 0))
        self._columns: dict[int, np.ndarray] = {}
        """Torques of the held channels in `_rows`."""

    def table(self, interval: int, step: int, steps: int) -> np.ndarray:
        """What the drives say from `step` over `steps` steps of an interval, shape (steps + 1, channels, 7)."""
        grid = self._intervals[interval]
        times = grid.start + np.arange(step, step + steps + 1) * grid.h
        return self._program.table(times, grid.inside)

    def drives(self, interval: int, step: int) -> tuple[np.ndarray, np.ndarray]:
        """Row (channels, 7) of the drives at a step point, and the commanded positions and velocities (joints, 2)."""
        if interval != self._interval or not self._first <= step <= self._last:
            self._look(interval, step, 1)
        k = step - self._first
        return self._plain[k], self._references[k]

    def piece(self, interval: int, step: int, steps: int) -> np.ndarray:
        """Rows from `step` over `steps` steps with the held torques, (steps + 1, channels, 7); valid until the next call."""
        if interval != self._interval or not (self._first <= step and step + steps <= self._last):
            self._look(interval, step, steps)
        a, b = step - self._first, step - self._first + steps + 1
        if self.held:
            if len(self.held) != len(self._columns):
                self._begin_holding()
            for channel, torque in self.held.items():
                self._columns[channel][a:b] = torque
        return self._rows[a:b]

    def _look(self, interval: int, step: int, steps: int) -> None:
        count = min(max(steps, AHEAD), self._intervals[interval].steps - step)
        self._interval, self._first, self._last = interval, step, step + count
        self._plain = self._rows = self.table(interval, step, count)
        self._references = self._plain[:, : self._joints, POSITION : VELOCITY + 1]
        self._columns = {}

    def held_in(self, table: np.ndarray) -> np.ndarray:
        """A table (..., channels, 7) with the held torques in it; the laws' gains are off there."""
        table = table.copy()
        for channel, torque in self.held.items():
            table[..., channel, KP : KI + 1] = 0.0
            table[..., channel, TORQUE] = torque
        return table

    def _begin_holding(self) -> None:
        self._rows = self.held_in(self._plain)
        self._columns = {channel: self._rows[:, channel, TORQUE] for channel in self.held}
