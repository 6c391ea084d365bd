"""Motions that need not end: oscillation, spin-up, constant speed.

Legend: w speed, T duration, A amplitude, q start position.
"""

from __future__ import annotations

import math
from typing import Literal

from pydantic import Field

from flexarm.arm.quantity import Angle, Frequency, PositiveTime
from flexarm.drive.piecewise import Row, Wave
from flexarm.drive.profiles.base import Displacement, Shape, Speed


class SineMotion(Shape):
    """q + A (sin(2 pi f tau + phase) - sin(phase)): it begins where the joint is and stays where it ends.

    With phase -90 deg it begins at rest; the acceleration then jumps. With phase 0 the velocity jumps.
    """

    profile: Literal["sine"] = Field(description="Name of the profile")
    amplitude: Displacement = Field(description="Half the distance between the turning points")
    frequency: Frequency = Field(description="Frequency")
    phase: Angle = Field(default=0.0, description="Phase at the start")
    duration: PositiveTime | None = Field(default=None, description="When it stops; for ever when left out")

    @property
    def length(self) -> float:
        return math.inf if self.duration is None else self.duration

    @property
    def finest(self) -> float:
        return 1.0 / (20.0 * self.frequency)

    def rows(self, begin: float, value: float) -> list[Row]:
        """The oscillation, then rest where it stops."""
        offset = value - self.amplitude * math.sin(self.phase)
        wave = Row(begin, (offset,), (Wave(self.amplitude, 2.0 * math.pi * self.frequency, self.phase),))
        if self.duration is None:
            return [wave]
        return [wave, Row(begin + self.duration, (wave.value(self.duration),))]


class SpinUp(Shape):
    """(w/T) (tau^2/2 + (T/2 pi)^2 (cos(2 pi tau/T) - 1)) until T, then the constant speed w."""

    profile: Literal["spin-up"] = Field(description="Name of the profile")
    speed: Speed = Field(description="Speed that is reached")
    duration: PositiveTime = Field(description="Time until the speed is reached")

    @property
    def length(self) -> float:
        return self.duration

    @property
    def finest(self) -> float:
        return self.duration / 20.0

    def rows(self, begin: float, value: float) -> list[Row]:
        """The smooth start, then constant speed."""
        w, T = self.speed, self.duration
        size = w * T / (4.0 * math.pi**2)
        rise = Row(begin, (value - size, 0.0, w / (2.0 * T)), (Wave(size, 2.0 * math.pi / T, math.pi / 2.0),))
        return [rise, Row(begin + T, (value + w * T / 2.0, w))]


class ConstantMotion(Shape):
    """The joint is held, or turns at a constant `speed`; after `duration` it stands still."""

    profile: Literal["constant"] = Field(description="Name of the profile")
    speed: Speed = Field(default=0.0, description="Speed; 0 holds the joint")
    duration: PositiveTime | None = Field(default=None, description="When it stops; for ever when left out")

    @property
    def length(self) -> float:
        return math.inf if self.duration is None else self.duration

    def rows(self, begin: float, value: float) -> list[Row]:
        """Constant speed, then rest."""
        first = Row(begin, (value, self.speed))
        if self.duration is None:
            return [first]
        return [first, Row(begin + self.duration, (value + self.speed * self.duration,))]
