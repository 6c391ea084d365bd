"""Torques and forces as functions of time: an amplitude times a shape, and nothing before and after.

Legend: A amplitude, T duration, s = tau/T, r rise.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from typing import Literal

from pydantic import Field, model_validator

from flexarm.arm.quantity import Angle, Frequency, PositiveTime
from flexarm.drive.piecewise import Row, Wave
from flexarm.drive.profiles.base import Effort, Shape
from flexarm.drive.profiles.moves import check_rise


class Pulse(Shape):
    """A torque that acts for a given time."""

    amplitude: Effort = Field(description="Largest torque or force")
    duration: PositiveTime = Field(description="How long it acts")

    @property
    def length(self) -> float:
        return self.duration

    def rows(self, begin: float, value: float) -> list[Row]:
        """The pulse, then nothing."""
        return [*self.acting(begin), Row(begin + self.duration)]

    @abstractmethod
    def acting(self, begin: float) -> list[Row]:
        """Pieces of the pulse itself."""


class BangBangTorque(Pulse):
    """A for the first half of the duration, -A for the second."""

    profile: Literal["bang-bang"] = Field(description="Name of the profile")

    def acting(self, begin: float) -> list[Row]:
        return [Row(begin, (self.amplitude,)), Row(begin + self.duration / 2.0, (-self.amplitude,))]


class VersineTorque(Pulse):
    """A/2 (1 - cos(2 pi s)): from zero to A and back."""

    profile: Literal["versine"] = Field(description="Name of the profile")

    @property
    def finest(self) -> float:
        return self.duration / 20.0

    def acting(self, begin: float) -> list[Row]:
        half = self.amplitude / 2.0
        return [Row(begin, (half,), (Wave(-half, 2.0 * math.pi / self.duration, math.pi / 2.0),))]


class TrapezoidTorque(Pulse):
    """Rises to A within `rise`, stays, and falls to zero within `rise`."""

    profile: Literal["trapezoid", "trapezoid-velocity"] = Field(description="Name of the profile")
    rise: PositiveTime = Field(description="Length of the rise, and of the fall")

    @model_validator(mode="after")
    def _fits(self) -> TrapezoidTorque:
        check_rise(self.rise, self.duration, 2)
        return self

    @property
    def finest(self) -> float:
        return self.rise

    def acting(self, begin: float) -> list[Row]:
        A, T = self.amplitude, self.duration
        r = min(self.rise, T / 2)
        rows = [Row(begin, (0.0, A / r)), Row(begin + r, (A,)), Row(begin + (T - r), (A, -A / r))]
        return rows if T - r > r else [rows[0], rows[2]]


class ConstantTorque(Shape):
    """A from the start on, for `duration` if it is given."""

    profile: Literal["constant"] = Field(description="Name of the profile")
    amplitude: Effort = Field(description="Torque or force")
    duration: PositiveTime | None = Field(default=None, description="How long it acts; for ever when left out")

    @property
    def length(self) -> float:
        return math.inf if self.duration is None else self.duration

    def rows(self, begin: float, value: float) -> list[Row]:
        """The constant, then nothing."""
        rows = [Row(begin, (self.amplitude,))]
        return rows if self.duration is None else [*rows, Row(begin + self.duration)]


class SineTorque(Shape):
    """A sin(2 pi f tau + phase), for `duration` if it is given."""

    profile: Literal["sine"] = Field(description="Name of the profile")
    amplitude: Effort = Field(description="Largest torque or force")
    frequency: Frequency = Field(description="Frequency")
    phase: Angle = Field(default=0.0, description="Phase at the start")
    duration: PositiveTime | None = Field(default=None, description="How long it acts; for ever when left out")

    @property
    def length(self) -> float:
        return math.inf if self.duration is None else self.duration

    @property
    def finest(self) -> float:
        return 1.0 / (20.0 * self.frequency)

    def rows(self, begin: float, value: float) -> list[Row]:
        """The oscillation, then nothing."""
        rows = [Row(begin, (0.0,), (Wave(self.amplitude, 2.0 * math.pi * self.frequency, self.phase),))]
        return rows if self.duration is None else [*rows, Row(begin + self.duration)]
