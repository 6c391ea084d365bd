"""Kelvin-Voigt damping: stress = E (strain + time * strain rate)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated

from pydantic import Field, model_validator

from flexarm.arm.base import Part
from flexarm.arm.quantity import Duration, Ratio
from flexarm.errors import FlexarmError

LEAST_BENDING = 0.05
"""A mode with a smaller share of bending in its potential energy is no elastic mode of the links."""


class Damping(Part):
    """Either the time constant itself, or the damping ratio that one mode shall have.

    With a ratio, the method computes the time constant from that mode of its own model in the start pose, joints as
    they are driven (motion: held, torque: free), so that the mode has just this ratio even if part of its energy is in
    a joint spring or in gravity.
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

    def time_constant(self, frequencies_hz: Sequence[float], bending: Sequence[float] | None = None) -> float:
        """The Kelvin-Voigt time in s.

        Parameters
        ----------
        frequencies_hz : sequence of float
            Undamped frequencies, lowest first.
        bending : sequence of float, optional
            Share of the links' strain energy in the potential energy of each mode (default: all of it). A mode that
            hardly bends the links, such as the swing of a hanging arm, is not counted.
        """
        if self.time is not None:
            return self.time
        shares = [1.0] * len(frequencies_hz) if bending is None else bending
        elastic = [(f, share) for f, share in zip(frequencies_hz, shares, strict=True) if share > LEAST_BENDING]
        if self.mode > len(elastic):
            raise FlexarmError(
                f"damping.mode is {self.mode}, but the model has {len(elastic)} elastic modes",
                field="arm.damping.mode",
            )
        hz, share = elastic[self.mode - 1]
        return 2.0 * (self.ratio or 0.0) / (2.0 * math.pi * hz * share)
