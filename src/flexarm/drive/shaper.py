"""The field `shaper` of a drive: which shaper, for which modes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator, model_validator

from flexarm.arm.base import Part
from flexarm.arm.quantity import Frequency, Quantity, Ratio
from flexarm.drive.impulses import Impulses, ShaperType, shaper_impulses
from flexarm.drive.profiles.base import Displacement

Share = Annotated[float, Field(gt=0, lt=1, allow_inf_nan=False), Quantity("1")]
ModeNumber = Annotated[int, Field(ge=1, le=1000, strict=True)]
MOST_MODES = 4
"""Impulses multiply: four modes with zvdd are 256 of them."""


class InputShaper(Part):
    """Delays parts of the command so that they cancel each other's vibration. Made for modes of the arm as it follows the command
    (a joint on a motion is clamped, a torque leaves it free, a law holds it), or for stated frequencies."""

    type: ShaperType = Field(description="Zero vibration, with its first or second derivative, or extra insensitive")
    tolerance: Share | None = Field(
        default=None, description="Of ei: vibration that is left at the frequency itself; 5 % when left out"
    )
    modes: Annotated[tuple[ModeNumber, ...], Field(min_length=1, max_length=MOST_MODES)] | None = Field(
        default=None, description="Numbers of the modes, lowest first; [1] when left out"
    )
    at: Literal["start", "end", "mean"] | tuple[Displacement, ...] | None = Field(
        default=None,
        description="Pose whose modes are meant: start or end of the motion, the mean over its time, or positions of all joints; "
        "mean when left out",
    )
    frequency: Frequency | Annotated[tuple[Frequency, ...], Field(min_length=1, max_length=MOST_MODES)] | None = Field(
        default=None, description="Natural frequency, in place of modes; one per mode"
    )
    damping: Ratio | tuple[Ratio, ...] | None = Field(
        default=None, description="Damping ratio that goes with frequency; 0 when left out"
    )

    @field_validator("modes", mode="before")
    @classmethod
    def _listed(cls, value: Any) -> Any:
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            raise ValueError(f"write the numbers of the modes as a list, for example [{value:g}]")
        return value

    @model_validator(mode="after")
    def _consistent(self) -> InputShaper:
        if self.tolerance is not None and self.type != "ei":
            raise ValueError(f"tolerance goes with type: ei; {self.type} leaves nothing at its own frequency")
        if self.frequency is None:
            if self.damping is not None:
                raise ValueError("damping goes with frequency; that of modes follows from the arm")
        elif self.modes is not None or self.at is not None:
            raise ValueError("a shaper has modes (and at) or a stated frequency (and damping), not both")
        if self.modes is not None and len(set(self.modes)) < len(self.modes):
            raise ValueError("a mode is named twice")
        stated = 1 if not isinstance(self.frequency, tuple) else len(self.frequency)
        if isinstance(self.damping, tuple) and len(self.damping) != stated:
            raise ValueError(
                f"damping has {len(self.damping)} values for {stated} frequencies: give one number or {stated}"
            )
        return self

    @property
    def numbers(self) -> tuple[int, ...]:
        """Numbers of the modes."""
        return self.modes or (1,)

    @property
    def frequencies(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Stated frequencies in Hz and damping ratios; none if it is made for modes."""
        if self.frequency is None:
            return (), ()
        hz = self.frequency if isinstance(self.frequency, tuple) else (self.frequency,)
        return hz, self.damping if isinstance(self.damping, tuple) else (self.damping or 0.0,) * len(hz)

    @property
    def stated(self) -> Impulses | None:
        """Its impulses, if the frequencies are stated."""
        return self.impulses(*self.frequencies) if self.frequency is not None else None

    def impulses(self, hz: Sequence[float], damping: Sequence[float]) -> Impulses:
        """The impulses for modes with these frequencies in Hz and damping ratios."""
        each = (shaper_impulses(self.type, f, zeta, self.tolerance) for f, zeta in zip(hz, damping, strict=True))
        return reduce(Impulses.then, each)
