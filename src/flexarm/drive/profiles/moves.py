"""Moves from rest to rest by a distance or to a place, in a given time.

Legend: h distance, T duration, s = tau/T, r rise.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Sequence
from typing import Literal

from pydantic import Field, model_validator

from flexarm.arm.quantity import PositiveTime
from flexarm.drive.piecewise import Row, Wave
from flexarm.drive.profiles.base import Displacement, Shape


class Move(Shape):
    """A move that begins and ends at rest."""

    by: Displacement | None = Field(default=None, description="Distance from where the joint is")
    to: Displacement | None = Field(default=None, description="Joint position to go to")
    duration: PositiveTime = Field(description="How long the move lasts")

    @model_validator(mode="after")
    def _one_target(self) -> Move:
        if (self.by is None) == (self.to is None):
            raise ValueError("give either 'by' (a distance) or 'to' (a joint position)")
        return self

    @property
    def length(self) -> float:
        return self.duration

    def rows(self, begin: float, value: float) -> list[Row]:
        """The move, then rest at its end."""
        end = self.to if self.to is not None else value + (self.by or 0.0)
        return [*self.moving(begin, value, end - value), Row(begin + self.duration, (end,))]

    @abstractmethod
    def moving(self, begin: float, value: float, h: float) -> list[Row]:
        """Pieces of the move itself, over the distance `h`."""


class BangBangMove(Move):
    """Full acceleration for half the time, then full deceleration: 4h/T^2 and -4h/T^2."""

    profile: Literal["bang-bang"] = Field(description="Name of the profile")

    def moving(self, begin: float, value: float, h: float) -> list[Row]:
        T = self.duration
        a = 4.0 * h / T**2
        return integrate_twice(begin, value, [(0.0, a, a), (T / 2, -a, -a)], T)


class Cycloid(Move):
    """h (s - sin(2 pi s) / 2 pi): acceleration is a sine and begins and ends at zero."""

    profile: Literal["cycloid"] = Field(description="Name of the profile")

    @property
    def finest(self) -> float:
        return self.duration / 20.0

    def moving(self, begin: float, value: float, h: float) -> list[Row]:
        T = self.duration
        return [Row(begin, (value, h / T), (Wave(-h / (2.0 * math.pi), 2.0 * math.pi / T),))]


class Versine(Move):
    """h/2 (1 - cos(pi s)): acceleration jumps at both ends."""

    profile: Literal["versine"] = Field(description="Name of the profile")

    @property
    def finest(self) -> float:
        return self.duration / 10.0

    def moving(self, begin: float, value: float, h: float) -> list[Row]:
        return [Row(begin, (value + h / 2.0,), (Wave(-h / 2.0, math.pi / self.duration, math.pi / 2.0),))]


class Quintic(Move):
    """h (10 s^3 - 15 s^4 + 6 s^5)."""

    profile: Literal["quintic"] = Field(description="Name of the profile")

    @property
    def finest(self) -> float:
        return self.duration / 20.0

    def moving(self, begin: float, value: float, h: float) -> list[Row]:
        T = self.duration
        return [Row(begin, (value, 0.0, 0.0, 10.0 * h / T**3, -15.0 * h / T**4, 6.0 * h / T**5))]


class Nonic(Move):
    """h s^5 (126 - 420 s + 540 s^2 - 315 s^3 + 70 s^4): four derivatives are continuous and vanish at both ends."""

    profile: Literal["nonic"] = Field(description="Name of the profile")

    @property
    def finest(self) -> float:
        return self.duration / 20.0

    def moving(self, begin: float, value: float, h: float) -> list[Row]:
        T = self.duration
        powers = (h * c / T**k for k, c in enumerate((126.0, -420.0, 540.0, -315.0, 70.0), 5))
        return [Row(begin, (value, 0.0, 0.0, 0.0, 0.0, *powers))]


class TrapezoidVelocity(Move):
    """Constant acceleration for `rise`, constant speed h/(T - r), constant deceleration for `rise`."""

    profile: Literal["trapezoid-velocity"] = Field(description="Name of the profile")
    rise: PositiveTime = Field(description="Length of the acceleration, and of the deceleration")

    @model_validator(mode="after")
    def _fits(self) -> TrapezoidVelocity:
        check_rise(self.rise, self.duration, 2)
        return self

    def moving(self, begin: float, value: float, h: float) -> list[Row]:
        T = self.duration
        r = min(self.rise, T / 2)
        a = h / (r * (T - r))
        return integrate_twice(begin, value, [(0.0, a, a), (r, 0.0, 0.0), (T - r, -a, -a)], T)


class TrapezoidAcceleration(Move):
    """Acceleration is a trapezoid for half the time, then its mirror image; each ramp lasts `rise`.

    The plateau is 2h / (T (T/2 - r)).
    """

    profile: Literal["trapezoid-acceleration"] = Field(description="Name of the profile")
    rise: PositiveTime = Field(description="Length of each ramp of the acceleration, at most a quarter of duration")

    @model_validator(mode="after")
    def _fits(self) -> TrapezoidAcceleration:
        check_rise(self.rise, self.duration, 4)
        return self

    @property
    def finest(self) -> float:
        return self.rise

    def moving(self, begin: float, value: float, h: float) -> list[Row]:
        T = self.duration
        r = min(self.rise, T / 4)
        a = 2.0 * h / (T * (T / 2 - r))
        knots = [(0.0, 0.0, a), (r, a, a), (T / 2 - r, a, -a), (T / 2 + r, -a, -a), (T - r, -a, 0.0)]
        return integrate_twice(begin, value, knots, T)


def check_rise(rise: float, duration: float, ramps: int) -> None:
    """Refuse a `rise` that does not fit `ramps` times into the duration."""
    if ramps * rise > duration * (1.0 + 1e-12):
        raise ValueError(
            f"rise is {rise:g} s, but {ramps} of them must fit into the duration: at most {duration / ramps:g} s"
        )


def integrate_twice(
    begin: float, value: float, knots: Sequence[tuple[float, float, float]], duration: float
) -> list[Row]:
    """Pieces of a motion from rest whose acceleration is linear between knots.

    Parameters
    ----------
    begin, value : float
        Time and position at the start.
    knots : sequence of (time, acceleration there, acceleration before the next knot)
        Times count from `begin`.
    duration : float
        Time of the end of the last interval.
    """
    rows, q, v = [], value, 0.0
    ends = [time for time, _, _ in knots[1:]] + [duration]
    for (time, a, b), end in zip(knots, ends, strict=True):
        d = end - time
        if d <= 0.0:
            continue
        jerk = (b - a) / d
        rows.append(Row(begin + time, (q, v, a / 2.0, jerk / 6.0)))
        q += d * (v + d * (a / 2.0 + d * jerk / 6.0))
        v += d * (a + d * jerk / 2.0)
    return rows
