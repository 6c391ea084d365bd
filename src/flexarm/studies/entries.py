"""What a study file may say of one varied thing: the forms, before they are tied to fields of a scenario."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from flexarm.arm.base import Part, Truth

Value = float | int | str
Values = Annotated[tuple[Any, ...], Field(min_length=1)]


class Entry(Part):
    """What all forms have."""

    fields: tuple[str, ...] | None = Field(
        default=None, description="Fields that get the value together; without it the name of the entry is the field"
    )
    relative: Truth = Field(default=False, description="Numbers are multiples of the scenario's own values")


class Listed(Entry):
    """Some values."""

    values: Values = Field(description="Values, one after the other; texts, lists and whole numbers too")


class Range(Entry):
    """Evenly spaced values."""

    from_: Value = Field(alias="from", description="First value")
    to: Value = Field(description="Last value")
    count: Annotated[int, Field(ge=2, le=1_000_000)] = Field(description="How many values")
    spacing: Literal["linear", "logarithmic"] = Field(default="linear", description="Even steps, or even ratios")


class Variants(Part):
    """Whole variants: several fields at once, each variant with a name."""

    variants: dict[str, dict[str, Any]] = Field(
        min_length=1, description="Changes of the scenario by the variant's name"
    )
    weights: tuple[float, ...] | None = Field(default=None, description="Drawn with these probabilities, not listed")


class NormalEntry(Entry):
    """The bell curve."""

    distribution: Literal["normal"]
    mean: Value | None = Field(default=None, description="Mean; the scenario's own value when left out")
    sd: Value = Field(description="Standard deviation")
    low: Value | None = Field(default=None, description="Cut off below")
    high: Value | None = Field(default=None, description="Cut off above")


class LogNormalEntry(Entry):
    """The bell curve of the logarithm."""

    distribution: Literal["log-normal"]
    median: Value | None = Field(default=None, description="Median; the scenario's own value when left out")
    sigma: Annotated[float, Field(gt=0, le=10)] = Field(description="Standard deviation of the natural logarithm")
    low: Value | None = Field(default=None, description="Cut off below")
    high: Value | None = Field(default=None, description="Cut off above")


class UniformEntry(Entry):
    """Even between two limits."""

    distribution: Literal["uniform", "log-uniform"]
    low: Value = Field(description="Least value")
    high: Value = Field(description="Largest value")


class DiscreteEntry(Entry):
    """Some values with probabilities."""

    distribution: Literal["discrete"]
    values: Values = Field(description="Values")
    weights: tuple[float, ...] | None = Field(
        default=None, description="Their probabilities, or multiples of them; even when left out"
    )


DISTRIBUTIONS: dict[str, type[Entry]] = {
    "normal": NormalEntry, "log-normal": LogNormalEntry, "uniform": UniformEntry, "log-uniform": UniformEntry,
    "discrete": DiscreteEntry,
}  # fmt: skip
