"""Gauges and point sensors: what a scenario says of them, and what they read, for all methods alike.

A new kind of sensor is one function in this file and one entry in `KINDS`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

from pydantic import Field, field_validator

from flexarm.arm.base import Label, Part
from flexarm.arm.quantity import Duration, Fraction, PositiveTime

if TYPE_CHECKING:
    from flexarm.methods.reader import Reader


class Gauge(Part):
    """A strain gauge on the surface of a flexible link."""

    link: str = Field(description="Link that carries it")
    at: Fraction = Field(description="Where along the link, as a fraction of its length")
    side: Literal["top", "bottom", "z", "-z"] = Field(
        default="top", description="Surface in beam axes: top or y, bottom or -y; in space also z, -z"
    )
    reads: Literal["strain", "bending"] = Field(
        default="strain",
        description="strain: all of it; bending: without axial strain, as a half bridge on both sides reads",
    )
    name: Label | None = Field(default=None, description="Name in the result; link@at when left out")

    @field_validator("side", mode="before")
    @classmethod
    def _by_axis(cls, value: Any) -> Any:
        return {"y": "top", "-y": "bottom"}.get(value, value) if isinstance(value, str) else value

    @property
    def label(self) -> str:
        """Name in the result."""
        side = "" if self.side == "top" else f":{self.side}"
        return self.name or f"{self.link}@{self.at:g}{side}"


def displacement(reader: Reader, link: int, at: float) -> Any:
    """Displacement in the link's x-y plane from the tangent at its root, m."""
    return reader.displacements(link, [at])[0, 1]


def slope(reader: Reader, link: int, at: float) -> Any:
    """Turning of the section about the link's z axis from that at its root, rad."""
    return reader.slopes(link, [at])[0]


def strain(reader: Reader, link: int, at: float) -> Any:
    """Strain along the link on its top, as a gauge there reads it; no unit."""
    return reader.strain(link, at, "top")


class SensorKind(NamedTuple):
    """A formula of the state from the reader, the link's number and a fraction of its length; its unit; for flexible links alone?"""

    formula: Callable[[Reader, int, float], Any]
    unit: str
    of_flexible: bool = False


KINDS = {
    "displacement": SensorKind(displacement, "m"),
    "slope": SensorKind(slope, "rad"),
    "strain": SensorKind(strain, "1", of_flexible=True),
}
"""What a point sensor can measure."""
if TYPE_CHECKING:
    Kind = str
else:
    Kind = Literal[tuple(KINDS)]


class SensorPoint(Part):
    """A sensor at a point of a link; `KINDS` says what each kind reads."""

    name: Label = Field(description="Name in the result")
    link: str = Field(description="Link that carries it")
    at: Fraction = Field(description="Where along the link, as a fraction of its length")
    kind: Kind = Field(default="displacement", description="What it measures")


class Measured(Part):
    """What a sensor makes of a reading before sampled laws and controllers see it; numbers are in the SI unit of the reading."""

    reading: str = Field(description="Name of the reading: of a joint, the tip, a gauge or a sensor")
    bias: Annotated[float, Field(allow_inf_nan=False)] = Field(default=0.0, description="What is added to it")
    noise: Annotated[float, Field(ge=0, allow_inf_nan=False)] = Field(
        default=0.0, description="Standard deviation of normal noise, new in every sample"
    )
    quantum: Annotated[float, Field(ge=0, allow_inf_nan=False)] = Field(
        default=0.0,
        description="Smallest difference that it tells, such as a turn over the counts of an encoder; 0: none",
    )
    period: PositiveTime | None = Field(
        default=None, description="Time between two samples, a multiple of the laws' period; that period when left out"
    )
    delay: Duration = Field(default=0.0, description="How late samples arrive, a multiple of the laws' period")
    seed: Annotated[int, Field(ge=0, lt=2**53)] | None = Field(
        default=None, description="Of the noise; its number in the list when left out"
    )


@dataclass(frozen=True)
class Watch:
    """What a run shall report besides the standard signals."""

    gauges: tuple[Gauge, ...] = ()
    sensors: tuple[SensorPoint, ...] = ()
    stations: int = 21
