"""Lines of a program: what one joint or patch is told over time."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from flexarm.drive.columns import ACCELERATION, DISTURBANCE, KI, KP, KV, POSITION, TORQUE
from flexarm.drive.control import Gains
from flexarm.drive.signal import Signal


@dataclass(frozen=True)
class Line:
    """Commands of one channel.

    Attributes
    ----------
    name : str
        Joint or patch.
    position : Signal or None
        Commanded motion, rad or m.
    effort : Signal or None
        Torque in N m, or force in N.
    schedule : tuple of Gains
        In order of time, the last one without end; empty if there is no law.
    feedforward : {"gravity", "rigid", "joint", "tip"} or None
        Torque that is added for the commanded motion, see `Drive`.
    disturbance : Signal or None
        Torque or force that acts beside the motor.
    beside : bool
        Limits or an actuator stand before the motor, or a motion is prescribed; else it is added to the torque.
    """

    name: str
    position: Signal | None = None
    effort: Signal | None = None
    schedule: tuple[Gains, ...] = ()
    feedforward: str | None = None
    disturbance: Signal | None = None
    beside: bool = False

    @property
    def signals(self) -> tuple[Signal, ...]:
        """The signals that there are."""
        return tuple(signal for signal in (self.position, self.effort, self.disturbance) if signal is not None)

    @property
    def finest(self) -> float:
        """Smallest time scale in s that a step must resolve; inf if there is none."""
        return min((signal.finest for signal in self.signals), default=math.inf)

    def breaks(self, end: float) -> list[float]:
        """Times in (0, end) at which anything jumps, not sorted."""
        times = [time for signal in self.signals for time in signal.breaks(end)]
        return times + [gains.until for gains in self.schedule if gains.until < end]

    def fill(self, out: np.ndarray, times: np.ndarray, inside: float) -> None:
        """Write the columns of the drive table, shape (nt, columns), for times of the interval around `inside`."""
        if self.position is not None:
            out[:, POSITION : ACCELERATION + 1] = self.position.evaluate(times, inside).T
        if self.effort is not None:
            out[:, TORQUE] = self.effort.evaluate(times, inside)[0]
        if self.disturbance is not None:
            out[:, DISTURBANCE] = self.disturbance.evaluate(times, inside)[0]
            if not self.beside:
                out[:, TORQUE] += out[:, DISTURBANCE]
        if self.schedule:
            out[:, KP], out[:, KV], out[:, KI] = self.gains(inside)

    def gains(self, inside: float) -> tuple[float, float, float]:
        """kp, kv, ki in the interval around `inside`; zeros if no law acts."""
        found = next((gains for gains in self.schedule if inside < gains.until), None)
        return (0.0, 0.0, 0.0) if found is None else (float(found.kp), float(found.kv), float(found.ki))
