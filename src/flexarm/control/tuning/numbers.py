"""Any numbers of a scenario, and of a law that is made from them, as what is searched for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite, sqrt
from typing import Any

from flexarm.control.fields import NumericField, numeric_field, with_values
from flexarm.control.tuning.gains import stated_limits
from flexarm.errors import FlexarmError
from flexarm.scenario import Scenario

LAW = "law."
"""Names that begin so are not of the scenario: they are given to the function that makes the law."""
Ranges = Mapping[str, tuple[Any, Any] | None]


class Numbers:
    """Numbers by their dotted names.

    Parameters
    ----------
    scenario : Scenario
        Where they stand.
    parameters : mapping or sequence
        Names, with least and largest value (in SI units, or texts with units) or None: from 1/span to span times the present one.
    span : float
        For those without a range.
    """

    switches: Mapping[int, tuple[float, ...]] = {}

    def __init__(self, scenario: Scenario, parameters: Ranges | Sequence[str], span: float):
        self.scenario = scenario
        wanted: Ranges = parameters if isinstance(parameters, Mapping) else dict.fromkeys(parameters)
        if not wanted:
            raise FlexarmError("there is nothing to tune: name at least one number", field="parameters")
        self.fields: dict[str, NumericField] = {}
        self.ranges: dict[str, tuple[float, float]] = {}
        self.present: dict[str, float] = {}
        for name, limits in wanted.items():
            self._add(name, limits, span)

    def _add(self, name: str, limits: tuple[Any, Any] | None, span: float) -> None:
        if name.startswith(LAW):
            if limits is None:
                raise FlexarmError("a number of the law needs its least and largest value", field=name)
            low, high = (float(limit) for limit in limits)
            value = sqrt(low * high) if low > 0.0 else 0.5 * (low + high)
        else:
            field = self.fields[name] = numeric_field(self.scenario, name)
            value = field.value
            if limits is None:
                if not value > 0.0:
                    raise FlexarmError(
                        f"it is {value:g}, from which no range follows: give least and largest value", field=name
                    )
                low, high = max(value / span, field.low), min(value * span, field.high)
            else:
                low, high = (numeric_field(self.scenario, name, limit).value for limit in limits)
            value = min(max(value, low), high)
        if not (isfinite(low) and isfinite(high) and low < high):
            raise FlexarmError(f"its least value {low:g} must lie below the largest, {high:g}", field=name)
        self.ranges[name], self.present[name] = (low, high), value

    def with_(self, values: Mapping[str, float]) -> Scenario:
        """The scenario with other values."""
        return with_values(self.scenario, {field: values[name] for name, field in self.fields.items()})

    def of_law(self, values: Mapping[str, float]) -> dict[str, float]:
        """What the function that makes the law is given."""
        return {name.removeprefix(LAW): value for name, value in values.items() if name.startswith(LAW)}

    def limits(self) -> dict[str, float]:
        """Torque limits that the laws of the scenario state, by joint."""
        return stated_limits(self.scenario)
