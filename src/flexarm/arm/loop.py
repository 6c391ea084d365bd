"""Loops: pins that close a chain of links."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, field_validator

from flexarm.arm.base import Label, Part


class Loop(Part):
    """A pin between places of two links, each written ``link.place`` (``actuating.tip``, ``upper.rear``)."""

    name: Label = Field(default="loop", description="Name")
    pin: Annotated[tuple[str, ...], Field(min_length=2, max_length=2)] = Field(
        description="The two places that coincide"
    )
    type: Literal["revolute", "fixed"] = Field(default="revolute", description="Hinge, or welded")

    @field_validator("pin")
    @classmethod
    def _dotted(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for place in value:
            if place.count(".") != 1:
                raise ValueError(f"'{place}' is not of the form link.place, for example upper.tip")
        if len({place.split(".")[0] for place in value}) == 1:
            raise ValueError(f"both places are on link '{value[0].split('.')[0]}': a pin closes a loop of two links")
        return value

    @property
    def places(self) -> tuple[tuple[str, str], tuple[str, str]]:
        """The two (link, place) pairs."""
        a, b = (tuple(place.split(".")) for place in self.pin)
        return a, b  # type: ignore[return-value]
