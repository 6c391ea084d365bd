"""What a scenario says besides the arm and its drives: method, time, output."""

from __future__ import annotations

from collections import Counter
from difflib import get_close_matches
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    Field,
    SerializeAsAny,
    ValidationError,
    ValidationInfo,
    model_validator,
)

from flexarm import methods
from flexarm.arm.base import Part
from flexarm.arm.quantity import PositiveTime
from flexarm.methods.base import MethodOptions
from flexarm.methods.sensors import Gauge, Measured, SensorPoint, Watch
from flexarm.scenario.problems import OptionsError, PlacedErrors


class MethodChoice(Part):
    """The method and its own options. A file writes them side by side: ``{name: fd, resolution: 19}``.

    Attributes
    ----------
    name : str
        Name of the method.
    options : MethodOptions
        Checked by the method's own `Options` model.
    """

    name: str = Field(description="Name of the method")
    options: SerializeAsAny[MethodOptions] = Field(description="Options of the method")

    @model_validator(mode="before")
    @classmethod
    def _from_flat_form(cls, value: Any, info: ValidationInfo) -> Any:
        if isinstance(value, str):
            value = {"name": value}
        if not isinstance(value, dict):
            return value
        if not isinstance(value.get("name"), str):
            raise ValueError(f"the method needs a name; available are {', '.join(methods.method_names())}")
        name = value["name"]
        options: Any = {key: item for key, item in value.items() if key != "name"}
        try:
            Options = options_of(name)
        except ValueError as error:
            raise PlacedErrors([(("name",), str(error))]) from None
        if set(options) == {"options"} and isinstance(options["options"], (BaseModel, dict)):
            options = options["options"]
        if isinstance(options, Options):
            return {"name": name, "options": options}
        if isinstance(options, BaseModel):
            raise ValueError(f"the options given are those of another method than '{name}'")
        try:
            return {"name": name, "options": Options.model_validate(options, context=info.context)}
        except ValidationError as error:
            raise OptionsError(Options, error) from None


def options_of(name: str) -> type[MethodOptions]:
    """Model of the options of a method; refuses an unknown one with a list of those that there are."""
    known = methods.method_names()
    if name not in known:
        near = get_close_matches(name, known, 1)
        hint = f"did you mean '{near[0]}'? Available are" if near else "available are"
        raise ValueError(f"there is no method '{name[:40]}' in this version; {hint} {', '.join(known)}")
    return methods.get_method(name).Options


class Timing(Part):
    """How long the run lasts, in which steps, and how it starts."""

    end: PositiveTime = Field(description="End of the run; it starts at 0")
    step: Literal["auto"] | PositiveTime = Field(
        default="auto", description="Longest time step; auto lets the method choose"
    )
    start: Literal["undeformed", "equilibrium", "locked"] = Field(
        default="undeformed",
        description="Links straight at the start; at rest under gravity, loads and drives; or bent by gravity and loads with "
        "the joints locked at their start until t = 0",
    )


class Output(Part):
    """What is kept of a run."""

    every: PositiveTime | None = Field(
        default=None, description="Time between two records; every step if left out, as far as `records` allows"
    )
    records: Annotated[int, Field(ge=2)] | Literal["all"] = Field(
        default=20_000,
        description="Most records of a run without `every`: of more steps every second, fourth, ... is kept; all keeps each",
    )
    gauges: tuple[Gauge, ...] = Field(default=(), description="Strain gauges")
    sensors: tuple[SensorPoint, ...] = Field(default=(), description="Sensors at points of the links")
    measured: tuple[Measured, ...] = Field(
        default=(), description="What sensors make of readings before sampled laws and controllers see them"
    )
    stations: Annotated[int, Field(ge=2, le=1001)] = Field(
        default=21, description="Points along each link where its shape is recorded"
    )

    @model_validator(mode="after")
    def _names_differ(self) -> Output:
        names = [*(gauge.label for gauge in self.gauges), *(sensor.name for sensor in self.sensors)]
        for name, count in Counter(names).items():
            if count > 1:
                raise ValueError(f"{count} gauges or sensors are called '{name}': give them different names")
        for name, count in Counter(each.reading for each in self.measured).items():
            if count > 1:
                raise ValueError(f"'{name}' is measured {count} times: put it into one entry")
        return self

    def watch(self) -> Watch:
        """The same in the terms of the methods."""
        return Watch(self.gauges, self.sensors, self.stations)
