"""Numbers of a scenario by their dotted names: what they are, which unit and limits they have, and other values for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import annotated_types
from pydantic import BaseModel

from flexarm.arm import Section
from flexarm.arm.quantity import Quantity
from flexarm.errors import FlexarmError
from flexarm.scenario import MethodChoice, Scenario
from flexarm.scenario.dump import inside, unit_of_field
from flexarm.scenario.keys import field_keys


class NoNumber(FlexarmError):
    """A field that holds something else than a number that can change a little."""


@dataclass(frozen=True)
class NumericField:
    """A number of a scenario.

    Attributes
    ----------
    name : str
        Dotted path, such as ``arm.links.fore.material.E``; list members by name, joint, link or index.
    value : float
        In the SI unit `unit`.
    unit : str
        Empty if it has none, or a choice of several.
    low, high : float
        Between which the scenario allows it.
    units : str
        All units that fit, separated by ``|``; ``1`` if it has none.
    """

    name: str
    value: float
    unit: str
    low: float
    high: float
    units: str = "1"

    def text(self, value: float) -> str | float:
        """Another value as a file would hold it."""
        return f"{value!r} {self.unit}" if self.unit else value


def numeric_field(scenario: Scenario, name: str, start: Any = None) -> NumericField:
    """The number that a dotted name means.

    Parameters
    ----------
    scenario : Scenario
        Where it stands.
    name : str
        Dotted path; ``links[0]`` is the same as ``links.0``.
    start : float or str, optional
        Another value to begin with, in SI units or with a unit.

    Examples
    --------
    >>> from flexarm.scenario import load
    >>> numeric_field(load("tokhi-azad"), "arm.links[0].material.E").value
    71100000000.0
    """
    path = name.strip().replace("[", ".").replace("]", "")
    if start is not None:
        scenario = scenario.with_({path: start})
    owner, key, value = _find(scenario, path, name)
    if value is None:
        raise FlexarmError("it has no value in the scenario: give one there, or a value to start from", field=name)
    if isinstance(value, (bool, int)) or not isinstance(value, float):
        kind = "a whole number" if isinstance(value, int) and not isinstance(value, bool) else "no number"
        raise NoNumber(f"it is {kind}, and only numbers that can change a little will do here", field=name)
    field, low, high = type(owner).model_fields[key], -float("inf"), float("inf")
    for rule in [*field.metadata, *inside(field.annotation)]:
        low = max(low, *(float(getattr(rule, k, low)) for k in ("ge", "gt") if _bounds(rule)), low)
        high = min(high, *(float(getattr(rule, k, high)) for k in ("le", "lt") if _bounds(rule)), high)
    unit = unit_of_field(owner, key, field) or ""
    choice = [q.unit for q in [*field.metadata, *inside(field.annotation)] if isinstance(q, Quantity)]
    return NumericField(path, value, unit, low, high, unit or "|".join(dict.fromkeys(choice)) or "1")


def with_values(scenario: Scenario, fields: Mapping[NumericField, float]) -> Scenario:
    """The scenario with other values of some numbers, in SI units."""
    return scenario.with_({field.name: field.text(value) for field, value in fields.items()})


def _bounds(rule: Any) -> bool:
    return isinstance(rule, (annotated_types.Ge, annotated_types.Gt, annotated_types.Le, annotated_types.Lt))


def _find(scenario: Scenario, path: str, name: str) -> tuple[BaseModel, str, Any]:
    """The model that holds a number, the name of its field, and what stands there."""
    owner: Any = scenario
    key, value = "", scenario
    steps = path.split(".")
    for i, step in enumerate(steps):
        if isinstance(value, MethodChoice) and step != "name":
            value = value.options
        if isinstance(value, Section):
            value = value.stations if step.isdigit() else value.stations[0]
        if isinstance(value, tuple):
            value, used = _member(value, step, ".".join(steps[:i]), name)
            if used:
                continue
        if not isinstance(value, BaseModel):
            where = ".".join(steps[:i])
            raise FlexarmError(
                f"the scenario does not give {where}: write it there, or give a value to start from"
                if value is None
                else f"there is no '{step}' in {where}, which is '{value}'",
                field=name,
            )
        owner, key = value, _key(value, step, ".".join(steps[:i]) or "the scenario", name)
        value = getattr(value, key)
    return owner, key, value


def _member(members: tuple, step: str, where: str, name: str) -> tuple[Any, bool]:
    """The member that a step means; of a list of one, that one whatever the step is (False: the step is still to be made)."""
    if step.isdigit() and int(step) < len(members):
        return members[int(step)], True
    names = [
        [label for key in ("name", "joint", "link", "names") for label in _labels(getattr(each, key, None))]
        for each in members
    ]
    found = [each for each, labels in zip(members, names, strict=True) if step in labels]
    if len(found) == 1:
        return found[0], True
    if len(members) == 1 and isinstance(members[0], BaseModel) and step in field_keys(type(members[0])):
        return members[0], False
    known = list(dict.fromkeys(label for labels in names for label in labels))
    raise FlexarmError(f"there is no '{step}' in {where}; {_hint(step, known)}", field=name)


def _labels(value: Any) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value or ())


def _key(model: BaseModel, step: str, where: str, name: str) -> str:
    """Name of the field of a model that has this key in files."""
    for own, field in type(model).model_fields.items():
        if not field.exclude and step == (field.alias or own):
            return own
    raise FlexarmError(f"there is no '{step}' in {where}; {_hint(step, list(field_keys(type(model))))}", field=name)


def _hint(step: str, known: list[str]) -> str:
    near = get_close_matches(step, known, 1, 0.5)
    return f"did you mean '{near[0]}'?" if near else f"it has {', '.join(known)}"
