"""Step tables: what a stepping motor's controller needs to play a motion, and how it is written out."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from flexarm.drive.delays import LAST, DelayBytes, delay_bytes, wait_time
from flexarm.drive.signal import PieceSignal
from flexarm.drive.stepping_motor.steps import FixedSteps, FollowingSteps
from flexarm.errors import FlexarmError, ScenarioError

FULL = (0x01, 0x02, 0x04, 0x08)
HALF = (0x0C, 0x08, 0x09, 0x01, 0x03, 0x02, 0x06, 0x04)
"""Windings that are on, one bit each, from step to step."""


@dataclass(frozen=True, eq=False)
class StepTable:
    """Steps of a motor, in order of time.

    Attributes
    ----------
    times : ndarray, shape (n,)
        When each step is made, s.
    directions : ndarray of int, shape (n,)
        1 or -1.
    size : float
        Size of a step at the joint, rad.
    start : float
        Joint position before the first step, rad.
    end : float
        Time at which the command rests, s.
    half : bool
        Half steps.
    begins : tuple of int
        Numbers of the steps at which a run begins: the first one, and those after a rest or a turn.

    Examples
    --------
    >>> from flexarm.drive.profiles import MOTION_PROFILES, motion_signal
    >>> from flexarm.drive.profiles.moves import Quintic
    >>> move = Quintic(profile="quintic", by=math.pi / 2, duration=1.0)
    >>> table = step_table(motion_signal((move,), 0.0), 200)
    >>> len(table.times), round(math.degrees(table.landing), 6), round(table.top_rate)
    (50, 90.0, 94)
    """

    times: np.ndarray
    directions: np.ndarray
    size: float
    start: float
    end: float
    half: bool = False
    begins: tuple[int, ...] = (0,)

    @property
    def delays(self) -> np.ndarray:
        """Wait in s after each step until the next one; after the last until the command rests, shape (n,)."""
        return np.diff(np.append(self.times, max(self.end, float(self.times[-1])))) if len(self.times) else np.zeros(0)

    @property
    def counts(self) -> np.ndarray:
        """Steps from the start after each step, shape (n,)."""
        return np.cumsum(self.directions)

    @property
    def positions(self) -> np.ndarray:
        """Joint position after each step, rad, shape (n,)."""
        return self.start + self.size * self.counts

    @property
    def landing(self) -> float:
        """Joint position after the last step, rad."""
        return float(self.positions[-1]) if len(self.times) else self.start

    @property
    def top_rate(self) -> float:
        """Largest number of steps per second."""
        return float(1.0 / np.diff(self.times).min()) if len(self.times) > 1 else 0.0

    @property
    def phases(self) -> np.ndarray:
        """Windings that are on after each step, one bit each, shape (n,)."""
        sequence = np.array(HALF if self.half else FULL)
        return sequence[self.counts % len(sequence)]

    @property
    def one_way(self) -> bool:
        """True if all steps go one way without a rest between."""
        return len(self.begins) == 1 and bool(np.all(self.directions == self.directions[:1]))

    def swept(self, sweeps: int) -> StepTable:
        """There and back `sweeps` times: the way back takes the delays of the way there from the last to the first."""
        if not self.one_way:
            raise FlexarmError("sweeps go there and back over one move: give a motion that goes one way without a rest")
        delays = np.tile(np.concatenate([self.delays, self.delays[::-1]]), sweeps)
        times = self.times[0] + np.concatenate([[0.0], np.cumsum(delays)])
        ways = np.tile(np.repeat([1, -1], len(self.times)), sweeps) * self.directions[0]
        begins = tuple(range(0, len(ways), len(self.times)))
        return replace(self, times=times[:-1], directions=ways, end=float(times[-1]), begins=begins)

    def bytes(self, overhead: float = 0.0, carry: bool = True) -> DelayBytes:
        """Delay bytes of all steps, each run for itself; see `delay_bytes`.

        A pause between two runs that is longer than the loop can wait is no delay of the table: the longest stands there.
        """
        edges = [*self.begins, len(self.times)]
        delays = self.delays.copy()
        for last in (b - 1 for b in edges[1:-1]):
            delays[last] = min(delays[last], float(wait_time(LAST)) + overhead)
        made = [delay_bytes(delays[a:b], overhead, carry) for a, b in pairwise(edges) if b > a]
        if not made:
            return delay_bytes(np.zeros(0))
        cut = np.concatenate([part.cut + a for part, a in zip(made, edges, strict=False)])
        joined = [np.concatenate([getattr(part, name) for part in made]) for name in ("byte", "delays", "resolution")]
        return DelayBytes(joined[0], joined[1], cut, joined[2], sum(part.error for part in made))

    def with_bytes(self, overhead: float = 0.0) -> StepTable:
        """The steps as the delay bytes play them: each run begins at its own time."""
        made = self.bytes(overhead).delays
        times = self.times.copy()
        if not len(times):
            return self
        for a, b in zip(self.begins, [*self.begins[1:], len(times)], strict=True):
            times[a:b] = times[a] + np.concatenate([[0.0], np.cumsum(made[a : b - 1])])
        end = max(self.end, float(times[-1])) if len(times) else self.end
        return replace(self, times=times, end=end)

    def steps(self) -> FixedSteps:
        """The same for a signal."""
        return FixedSteps(self.times, self.directions, self.size, self.start)


def step_size(steps_per_turn: int, half: bool = False, ratio: float = 1.0) -> float:
    """Size of a step at the joint in rad; `ratio` turns of the motor are one of the joint."""
    return 2.0 * math.pi / (steps_per_turn * (2 if half else 1) * ratio)


def step_table(command: PieceSignal, steps_per_turn: int, half: bool = False, ratio: float = 1.0) -> StepTable:
    """The steps that follow a command (rad) which comes to rest.

    Parameters
    ----------
    command : PieceSignal
        Joint position over time, see `motion_signal`.
    steps_per_turn : int
        Full steps of the motor per turn.
    half : bool
        Half steps: twice as many.
    ratio : float
        Turns of the motor per turn of the joint.
    """
    size = step_size(steps_per_turn, half, ratio)
    steps = FollowingSteps(command, size)
    if not math.isfinite(steps.ends):
        raise ScenarioError("the motion never ends, so its steps fill no table: give it a duration")
    times, directions = steps.until(steps.ends)
    return StepTable(times, directions, size, command.initial, steps.ends, half, _begins(command, times, directions))


def _begins(command: PieceSignal, times: np.ndarray, directions: np.ndarray) -> tuple[int, ...]:
    """Numbers of the steps at which a run begins: the first, and those after a rest or a change of direction."""
    pieces = command.pieces
    rests = pieces.start[pieces.resting & (np.arange(len(pieces)) > 0)]
    after = np.searchsorted(times, rests)
    turns = np.flatnonzero(np.diff(directions)) + 1
    found = {0, *after.tolist(), *turns.tolist()}
    return tuple(sorted(k for k in found if k < len(times))) or (0,)
