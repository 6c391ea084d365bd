"""The unknowns of a fit: numbers of the scenario, and lag, offset and scale of the sensors."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from flexarm.control.fields import NumericField, numeric_field
from flexarm.control.fit_data import Experiment
from flexarm.errors import FlexarmError, check_word
from flexarm.scenario import Scenario

SENSOR = ("lag", "offset", "scale")
CLOSE = 1e-9
"""How near, as a share of the start value, a number may come to a limit that it must not reach."""


@dataclass(frozen=True)
class Unknown:
    """One number to be found.

    Attributes
    ----------
    name : str
        Field of the scenario, or ``lag``, ``offset``, ``scale`` with the log and the signal that it belongs to.
    start, size, low, high : float
        First value, the size by which it is divided, and limits, in `unit`.
    field : NumericField or None
        Of the scenario; None for what belongs to a sensor.
    kind : str
        ``field``, ``lag``, ``offset`` or ``scale``.
    log, column : int
        Which log and which of its columns a sensor's number belongs to.
    """

    name: str
    start: float
    size: float
    low: float
    high: float
    unit: str
    field: NumericField | None = None
    kind: str = "field"
    log: int = 0
    column: int = 0


def field_unknowns(
    scenario: Scenario, wanted: Mapping[str, Any], bounds: Mapping[str, tuple[Any, Any]]
) -> list[Unknown]:
    """Numbers of the scenario among what is wanted, with their start values."""
    made: list[Unknown] = []
    for name, start in wanted.items():
        if name in SENSOR:
            continue
        found = numeric_field(scenario, name, start)
        if found.value == 0.0:
            raise FlexarmError(
                "it is zero, which tells no size to begin with: give a start value for the fit", field=name
            )
        if any(found.name == other.name for other in made):
            raise FlexarmError("it is named twice: leave one out", field=name)
        size = abs(found.value)
        low, high = max(found.low, found.low + CLOSE * size), min(found.high, found.high - CLOSE * size)
        if name in bounds:
            given = [
                end if edge is None else numeric_field(scenario, name, edge).value
                for edge, end in zip(bounds[name], (low, high), strict=True)
            ]
            low, high = max(low, given[0]), min(high, given[1])
        if not low <= found.value <= high or not low < high:
            raise FlexarmError(
                f"its start value {found.value:g} must lie between the bounds {low:g} and {high:g} {found.unit}".strip(),
                field=name,
            )
        made.append(Unknown(found.name, found.value, size, low, high, found.unit, found))
    return made


def sensor_unknowns(wanted: Mapping[str, Any], experiments: Sequence[Experiment]) -> list[Unknown]:
    """Lag of each log, offset and scale of each column, as far as they are wanted."""
    made = []
    several = len(experiments) > 1
    for i, each in enumerate(experiments):
        where = f" of {each.name}" if several else ""
        if "lag" in wanted:
            apart = float(np.median(np.diff(each.columns[0].log.time)))
            made.append(Unknown(f"lag{where}", each.lag, apart, -math.inf, math.inf, "s", kind="lag", log=i))
        for k, column in enumerate(each.columns):
            of = f" of {column.signal}{' in ' + each.name if several else ''}"
            spread = float(np.std(column.log.values)) or 1.0
            if "offset" in wanted:
                unit = "" if column.log.unit == "1" else column.log.unit
                made.append(
                    Unknown(
                        "offset" + of,
                        each.offsets[k],
                        spread,
                        -math.inf,
                        math.inf,
                        unit,
                        kind="offset",
                        log=i,
                        column=k,
                    )
                )
            if "scale" in wanted:
                made.append(Unknown("scale" + of, 1.0, 1.0, -math.inf, math.inf, "", kind="scale", log=i, column=k))
    return made


def as_wanted(parameters: Any) -> dict[str, Any]:
    """Names with start values, None where the scenario's is meant."""
    if isinstance(parameters, str):
        parameters = [parameters]
    wanted = dict(parameters) if isinstance(parameters, Mapping) else dict.fromkeys(parameters)
    if not wanted:
        raise FlexarmError("name at least one parameter to fit, such as arm.payload.mass", field="parameters")
    for name in wanted:
        if "." not in name:
            check_word(name, SENSOR, "parameters")
    return wanted
