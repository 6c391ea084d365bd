"""What varies, tied to the fields of a scenario: numbers in SI units, or choices between whole variants."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from pydantic import ValidationError

from flexarm.arm.quantity import Quantity
from flexarm.control.fields import NoNumber, NumericField, numeric_field
from flexarm.errors import FlexarmError, check_word
from flexarm.scenario import Scenario
from flexarm.scenario.errors import translate
from flexarm.scenario.node import Node, plain
from flexarm.scenario.units import QuantityError, read_quantity
from flexarm.studies.entries import (
    DISTRIBUTIONS,
    DiscreteEntry,
    Entry,
    Listed,
    LogNormalEntry,
    NormalEntry,
    Range,
    UniformEntry,
    Variants,
)
from flexarm.studies.laws import Discrete, Law, LogUniform, Normal, Uniform


@dataclass(frozen=True)
class Variable:
    """Something that varies.

    Attributes
    ----------
    name : str
        As the file calls it.
    fields : tuple of NumericField
        Numbers of the scenario that get the value; none if it is a choice.
    unit : str
        Of the value; ``1`` if it has none.
    relative : bool
        The value is a multiple of each field's own.
    points, law : tuple of float, Law
        Listed values, or the distribution; of a choice, numbers of its options.
    options : tuple of (str, mapping)
        Of a choice: label and changes of the scenario.
    """

    name: str
    fields: tuple[NumericField, ...] = ()
    unit: str = "1"
    relative: bool = False
    points: tuple[float, ...] | None = None
    law: Law | None = None
    options: tuple[tuple[str, Mapping[str, Any]], ...] = ()

    def changes(self, value: float) -> dict[str, Any]:
        """What a value changes in the scenario."""
        if self.options:
            return dict(self.options[int(value)][1])
        return {f.name: f.text(float(value) * (f.value if self.relative else 1.0)) for f in self.fields}


def read_variable(scenario: Scenario, name: str, node: Node) -> Variable:
    """One entry of ``vary``.

    Raises
    ------
    ScenarioError, FlexarmError
        With the place: no such field, a unit that does not fit, values that the scenario does not allow.
    """
    entry, where = _entry(name, node), f"vary.{name}"
    try:
        if isinstance(entry, Variants):
            return _variants(scenario, name, entry)
        paths = entry.fields or (name,)
        if (
            isinstance(entry, (Listed, DiscreteEntry))
            and not entry.relative
            and _no_numbers(scenario, paths, entry.values)
        ):
            return _choice(scenario, name, paths, entry)
        return _number(scenario, name, paths, entry)
    except FlexarmError as error:
        place = where if not error.field or error.field == name else f"{where} ({error.field})"
        raise FlexarmError(error.message, field=place, file=node.file, line=node.line) from None


def _entry(name: str, node: Node) -> Entry | Variants:
    """The form of an entry."""
    if isinstance(node.value, list):
        node = Node({"values": node}, node.file, node.line)
    if not isinstance(node.value, dict):
        raise node.error(
            "it wants a list of values, {from:, to:, count:}, {distribution: ...} or {variants: ...}", f"vary.{name}"
        )
    kind: type[Entry] | type[Variants] = Listed
    if "distribution" in node.value:
        check_word(str(node.value["distribution"].value), tuple(DISTRIBUTIONS), f"vary.{name}.distribution")
        kind = DISTRIBUTIONS[str(node.value["distribution"].value)]
    elif "variants" in node.value:
        kind = Variants
    elif "from" in node.value or "to" in node.value:
        kind = Range
    try:
        return kind.model_validate(plain(node))
    except ValidationError as error:
        found = translate(error, kind, node)
        raise FlexarmError(
            found.message, field=f"vary.{name}.{found.field}".rstrip("."), file=found.file, line=found.line
        ) from None


def _no_numbers(scenario: Scenario, paths: tuple[str, ...], values: tuple[Any, ...]) -> bool:
    """True if the fields hold texts, lists, truths or whole numbers: then values are taken as they are."""
    if any(isinstance(value, (bool, list, dict, tuple)) or value is None for value in values):
        return True
    try:
        for path in paths:
            numeric_field(scenario, path, values[0])
    except NoNumber:
        return True
    return False


def _choice(scenario: Scenario, name: str, paths: tuple[str, ...], entry: Listed | DiscreteEntry) -> Variable:
    """Values that are no numbers of their own: each is tried."""
    # another name drops the options of the old method, its own name keeps them
    named = ["method.name" if path == "method" and isinstance(entry.values[0], str) else path for path in paths]
    options = tuple((str(value), dict.fromkeys(named, value)) for value in entry.values)
    weights = entry.weights if isinstance(entry, DiscreteEntry) else None
    return _options(scenario, name, options, weights or (1.0,) * len(options), isinstance(entry, DiscreteEntry))


def _variants(scenario: Scenario, name: str, entry: Variants) -> Variable:
    options = tuple((label, changes) for label, changes in entry.variants.items())
    return _options(scenario, name, options, entry.weights or (), entry.weights is not None)


def _options(scenario: Scenario, name: str, options: Any, weights: tuple[float, ...], drawn: bool) -> Variable:
    labels = [label for label, _ in options]
    if len(set(labels)) < len(labels):
        raise FlexarmError("a value stands in the list twice: take one of them out")
    for _, changes in options:
        scenario.with_(changes)
    numbers = tuple(float(k) for k in range(len(options)))
    if drawn:
        return Variable(name, law=Discrete(numbers, _weights(weights, len(options))), options=options)
    return Variable(name, points=numbers, options=options)


def _weights(weights: tuple[float, ...], count: int) -> tuple[float, ...]:
    if len(weights) != count or any(not 0.0 <= w < np.inf for w in weights) or sum(weights) <= 0.0:
        raise FlexarmError(f"weights want {count} numbers that are not negative, one for each value")
    return weights


def _number(scenario: Scenario, name: str, paths: tuple[str, ...], entry: Entry) -> Variable:
    """Values of numbers of the scenario."""
    fields = tuple(numeric_field(scenario, path, None if entry.relative else _example(entry)) for path in paths)
    first = fields[0]
    if any(f.units != first.units for f in fields) and not entry.relative:
        raise FlexarmError(
            f"its fields have different units ({', '.join(f.units for f in fields)}): tie them with relative: true"
        )
    unit = "1" if entry.relative else first.units

    def read(value: Any, what: str) -> float:
        try:
            return float(read_quantity(value, Quantity(unit)))
        except QuantityError as error:
            raise FlexarmError(error.about(what)) from None

    points, law = _law(entry, read, 1.0 if entry.relative else first.value)
    reach = (min(points), max(points)) if points is not None else law.reach if law is not None else (0.0, 0.0)
    for f in fields:
        _check_reach(f, reach, entry)
    return Variable(
        name, fields, first.unit or unit.split("|")[0] if not entry.relative else "1", entry.relative, points, law
    )


def _example(entry: Entry) -> Any:
    """A value of the entry, for fields that the scenario leaves out; None takes the scenario's own."""
    if isinstance(entry, (Listed, DiscreteEntry)):
        return entry.values[0]
    if isinstance(entry, Range):
        return entry.to
    if isinstance(entry, UniformEntry):
        return entry.high
    return entry.mean if isinstance(entry, NormalEntry) else entry.median if isinstance(entry, LogNormalEntry) else None


def _law(entry: Entry, read: Any, own: float) -> tuple[tuple[float, ...] | None, Law | None]:
    """Listed values, or the distribution."""
    if isinstance(entry, Listed):
        return tuple(read(value, "a value") for value in entry.values), None
    if isinstance(entry, Range):
        return _range(read(entry.from_, "from"), read(entry.to, "to"), entry), None
    if isinstance(entry, DiscreteEntry):
        values = tuple(read(value, "a value") for value in entry.values)
        return None, Discrete(values, _weights(entry.weights or (1.0,) * len(values), len(values)))
    if isinstance(entry, UniformEntry):
        low, high = read(entry.low, "low"), read(entry.high, "high")
        if not low < high:
            raise FlexarmError(f"low ({low:g}) must be less than high ({high:g})")
        if entry.distribution == "log-uniform" and low <= 0.0:
            raise FlexarmError(f"log-uniform wants positive limits, not {low:g}")
        return None, Uniform(low, high) if entry.distribution == "uniform" else LogUniform(low, high)
    assert isinstance(entry, (NormalEntry, LogNormalEntry))
    middle = entry.mean if isinstance(entry, NormalEntry) else entry.median
    mean = own if middle is None else read(middle, "mean")
    sd = entry.sigma if isinstance(entry, LogNormalEntry) else read(entry.sd, "sd")
    low = -np.inf if entry.low is None else read(entry.low, "low")
    high = np.inf if entry.high is None else read(entry.high, "high")
    if sd <= 0.0:
        raise FlexarmError(f"sd must be positive, not {sd:g}; without spread take it out of vary")
    if not low < high:
        raise FlexarmError(f"low ({low:g}) must be less than high ({high:g})")
    if isinstance(entry, LogNormalEntry) and mean <= 0.0:
        raise FlexarmError(f"the median of log-normal must be positive, not {mean:g}")
    return None, Normal(mean, sd, low, high, isinstance(entry, LogNormalEntry))


def _range(first: float, last: float, entry: Range) -> tuple[float, ...]:
    if entry.spacing == "linear":
        return tuple(np.linspace(first, last, entry.count).tolist())
    if min(first, last) <= 0.0:
        raise FlexarmError("logarithmic spacing wants positive values")
    return tuple(np.geomspace(first, last, entry.count).tolist())


def _check_reach(field: NumericField, reach: tuple[float, float], entry: Entry) -> None:
    """Refuse values that the field cannot have."""
    factor = field.value if entry.relative else 1.0
    low, high = sorted((reach[0] * factor, reach[1] * factor))
    unit = f" {field.unit}" if field.unit else ""
    for value, allowed, word in ((low, field.low, "least"), (high, field.high, "most")):
        if (value < allowed) if word == "least" else (value > allowed):
            cut = "low" if word == "least" else "high"
            advice = (
                f"cut it off ({cut}:), or take log-normal or uniform"
                if hasattr(entry, "distribution")
                else "take other values"
            )
            raise FlexarmError(
                f"values can reach {value:.4g}{unit}, but {field.name} is at {word} {allowed:g}{unit}: {advice}"
            )
