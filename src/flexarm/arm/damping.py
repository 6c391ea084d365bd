"""Kelvin-Voigt damping: stress = E (strain + time * strain rate)."""

from __future__ import annotations

import math
from typing import Annotated

from pydantic import Field, model_validator

from flexarm.arm.base import Part
from flexarm.arm.quantity import Duration, Ratio
from flexarm.errors import FlexarmError


class Damping(Part):
    """Either the time constant itself, or the damping ratio that one mode shall have.

    With a ratio, the method computes the time constant ``2 ratio / omega`` from the angular frequency of that
    mode of its own model in the start pose, joints as they are driven (motion: held, torque: free).
    """

    time: Duration | None = Field(default=None, description="Kelvin-Voigt time constant")
    ratio: Ratio | None = Field(default=None, description="Damping ratio of one mode, for example 5 %")
    mode: Annotated[int, Field(ge=1)] = Field(default=1, description="Which elastic mode has that ratio")

    @model_validator(mode="after")
    def _one_of_two(self) -> Damping:
        if (self.time is None) == (self.ratio is None):
            raise ValueError("give either 'time' or 'ratio'")
        if self.time is not None and "mode" in self.model_fields_set:
            raise ValueError("'mode' goes with 'ratio', not with 'time'")
        return self

    def time_constant(self, frequencies_hz: list[float]) -> float:
        """The time constant in s, given the undamped elastic frequencies in Hz, lowest first."""
        if self.time is not None:
            return self.time
        if self.mode > len(frequencies_hz):
            raise FlexarmError(
                f"damping.mode is {self.mode}, but the model has {len(frequencies_hz)} elastic modes",
                field="arm.damping.mode",
            )
        return 2.0 * (self.ratio or 0.0) / (2.0 * math.pi * frequencies_hz[self.mode - 1])
