"""What all profiles share: when they start, how long they last, how they become pieces."""

from __future__ import annotations

import math
from abc import abstractmethod
from typing import Annotated

from pydantic import Field

from flexarm.arm.base import Part
from flexarm.arm.quantity import Duration, Quantity
from flexarm.drive.piecewise import Row

POSITION_UNIT = "rad|m"
EFFORT_UNIT = "N*m|N"

Displacement = Annotated[float, Field(allow_inf_nan=False), Quantity(POSITION_UNIT)]
"""Angle or length of a motion."""
Speed = Annotated[float, Field(allow_inf_nan=False), Quantity("rad/s|m/s")]
Effort = Annotated[float, Field(allow_inf_nan=False), Quantity(EFFORT_UNIT)]
"""Torque or force."""


class Shape(Part):
    """A profile: one item of a sequence."""

    start: Duration = Field(default=0.0, description="Wait before it begins, counted from the end of the item before")

    @property
    def length(self) -> float:
        """How long it lasts in s, without the wait; inf if it goes on for ever."""
        return math.inf

    @property
    def finest(self) -> float:
        """Time in s that a step must resolve; inf if there is none."""
        return math.inf

    @abstractmethod
    def rows(self, begin: float, value: float) -> list[Row]:
        """Pieces of the signal.

        Parameters
        ----------
        begin : float
            Time in s at which the profile begins.
        value : float
            Value of the signal just before (position of the joint; 0 for torques).

        Returns
        -------
        list of Row
            In order of time; the last one holds when the profile is over.
        """
