"""Formulas over the signals of runs, from a small safe set: a text is taken apart, checked, and worked out here; nothing is executed.

All work is done for many runs at once: values have the runs first, then time, then what else the signal has.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from fractions import Fraction
from typing import Any, Protocol

import numpy as np

from flexarm.errors import FlexarmError
from flexarm.scenario.unit_words import unit_of
from flexarm.studies import unit_powers as units
from flexarm.studies.reducers import ELEMENTWISE, REDUCERS, WITH_NUMBER
from flexarm.studies.unit_powers import ANY, Powers

MOST_LETTERS, MOST_DEPTH = 500, 40
QUANTITY = re.compile(
    r"(?<![\w.])(\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?)\s*([A-Za-zµ°%][A-Za-zµ°%]*\d?)(?![\w(.\[])"
)
"""A number with a unit of one word, as in ``at(travel, 300 ms)``."""
TAILS = ("peak", "rms", "end")
"""What a name such as ``tip_deflection_peak`` takes of a signal; of a vector the length counts, else the absolute value."""


@dataclass(frozen=True)
class Value:
    """What a part of a formula is worth, for many runs.

    values : (runs, times, ...) if `time` is given, else (runs, ...); labels : names along what follows; unit : its powers.
    """

    values: np.ndarray
    unit: Powers | None
    time: np.ndarray | None = None
    labels: tuple[tuple[str, ...], ...] = ()


class Source(Protocol):
    """Where formulas find their names: one run or a block of runs."""

    def find(self, name: str) -> Value | None:
        """A signal or a number of the runs."""
        ...

    @property
    def names(self) -> Sequence[str]:
        """All names, for hints."""
        ...

    def call(self, name: str, arguments: tuple[Any, ...]) -> Value:
        """``frequency`` and its like."""
        ...


CALLS = ("frequency", "damping")
"""Functions that ask for an analysis of the arm, with constant arguments."""


class Formula:
    """A formula of a study.

    Parameters
    ----------
    text : str
        For example ``max(abs(joint_torque.upper)) / 2``.

    Raises
    ------
    FlexarmError
        If it is not in the safe set.
    """

    def __init__(self, text: str):
        self.text = str(text).strip()
        if len(self.text) > MOST_LETTERS:
            raise FlexarmError(f"a formula has at most {MOST_LETTERS} letters")
        self._units: list[tuple[float, str]] = []
        try:
            self._tree = ast.parse(QUANTITY.sub(self._quantity, self.text), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            raise FlexarmError(f"'{self.text}' is not a formula: write it like max(abs(joint_torque.upper))") from None
        self._depth = 0
        self.names: set[str] = set()
        self.calls: set[tuple[Any, ...]] = set()
        self._look(self._tree, 0)

    def __reduce__(self) -> tuple[Any, ...]:
        return Formula, (self.text,)

    def _quantity(self, found: re.Match[str]) -> str:
        try:
            unit = unit_of(found[2])
        except ValueError:
            return found[0]
        self._units.append((float(Fraction(found[1]) * unit.factor), found[2]))
        return f"__quantity__({len(self._units) - 1})"

    def _look(self, node: ast.expr, depth: int) -> None:
        """Refuse everything that is not in the set; note the names."""
        if depth > MOST_DEPTH:
            raise FlexarmError(f"the formula is nested deeper than {MOST_DEPTH} levels")
        if isinstance(node, ast.Constant) and type(node.value) in (int, float):
            return
        if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)):
            self.names.add(_path(node, self.text)[0])
            return
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
            return self._look(node.operand, depth + 1)
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow)):
            self._look(node.left, depth + 1)
            return self._look(node.right, depth + 1)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
            return self._look_call(node.func.id, node.args, depth)
        raise FlexarmError(
            f"'{ast.unparse(node)[:60]}' is not in the safe set: numbers, signals, + - * / **, and {_known()}"
        )

    def _look_call(self, name: str, arguments: list[ast.expr], depth: int) -> None:
        if name == "__quantity__" and self._units:
            return
        if name in CALLS:
            given = tuple(_constant(each, name) for each in arguments)
            if not given or not isinstance(given[0], int) or given[0] < 1 or len(given) > 2 or given[0] > 50:
                raise FlexarmError(
                    f"{name} wants the number of a mode, as {name}(1), and how joints are held, as {name}(1, 'free')"
                )
            if len(given) > 1 and given[1] not in ("locked", "free", "held"):
                raise FlexarmError(f"joints are 'locked', 'free' or 'held', not '{given[1]}'")
            self.calls.add((name, *given))
            return
        wanted = _arguments(name)
        if wanted is None:
            near = get_close_matches(name, [*ELEMENTWISE, *REDUCERS, *WITH_NUMBER, "norm", *CALLS], 1)
            hint = f"; did you mean '{near[0]}'?" if near else f"; there are {_known()}"
            raise FlexarmError(f"there is no function '{name[:40]}' in formulas{hint}")
        if len(arguments) != wanted:
            raise FlexarmError(f"{name} wants {wanted} argument{'s' * (wanted > 1)}, not {len(arguments)}")
        for each in arguments:
            self._look(each, depth + 1)

    def value(self, source: Source) -> Value:
        """Its worth for the runs of a source."""
        with np.errstate(all="ignore"):
            return self._value(self._tree, source)

    def _value(self, node: ast.expr, source: Source) -> Value:
        if isinstance(node, ast.Constant):
            return Value(np.array(float(node.value)), ANY)  # type: ignore[arg-type]
        if isinstance(node, ast.UnaryOp):
            inner = self._value(node.operand, source)
            return replace(inner, values=-inner.values) if isinstance(node.op, ast.USub) else inner
        if isinstance(node, ast.BinOp):
            return _joined(node.op, self._value(node.left, source), self._value(node.right, source), self.text)
        if isinstance(node, ast.Call):
            assert isinstance(node.func, ast.Name)
            return self._call(node.func.id, node.args, source)
        return _named(_path(node, self.text), source)

    def _call(self, name: str, arguments: list[ast.expr], source: Source) -> Value:
        if name == "__quantity__":
            quantity, word = self._units[int(_constant(arguments[0], name))]
            return Value(np.array(quantity), _si(word))
        if name in CALLS:
            return source.call(name, tuple(_constant(each, name) for each in arguments))
        parts = [self._value(each, source) for each in arguments]
        if name == "norm":
            return length(parts[0])
        if name in ELEMENTWISE:
            return _elementwise(name, parts, self.text)
        if parts[0].time is None:
            raise FlexarmError(
                f"{name} wants a signal over time, and '{ast.unparse(arguments[0])}' has been reduced to a number already"
            )
        return _over_time(name, parts)


def _over_time(name: str, parts: list[Value]) -> Value:
    """What a function makes of a signal over time."""
    first, time, seconds = parts[0], parts[0].time, {"s": Fraction(1)}
    assert time is not None
    if name in REDUCERS:
        function, power = REDUCERS[name]
        unit = seconds if name.startswith("time_of") else units.times(first.unit, seconds if power else {})
        return Value(function(_scalar(first, name).values, time), unit)
    if parts[1].values.ndim:
        raise FlexarmError(f"the second argument of {name} is a plain number or quantity")
    number = float(parts[1].values)
    if name == "after":
        late = time >= number - 1e-12
        if not late.any():
            raise FlexarmError(f"nothing is left of the run after {number:g} s")
        return replace(first, values=first.values[:, late], time=time[late])
    return Value(
        WITH_NUMBER[name](_scalar(first, name).values, time, number), seconds if name == "settling" else first.unit
    )


def length(value: Value) -> Value:
    """Length of a vector, or the absolute value of what has no components."""
    if not value.labels:
        return replace(value, values=np.abs(value.values))
    if len(value.labels) > 1:
        raise FlexarmError("norm wants a vector: choose one of " + ", ".join(value.labels[0]))
    return replace(value, values=np.sqrt(np.sum(value.values**2, axis=-1)), labels=())


def _scalar(value: Value, name: str) -> Value:
    if value.labels:
        raise FlexarmError(
            f"{name} wants one number over time: choose a component ({', '.join(value.labels[0])}), or norm()"
        )
    # sums go along memory, so that a run has the same bits alone and among others
    return replace(value, values=np.ascontiguousarray(value.values))


def _arguments(name: str) -> int | None:
    if name in ELEMENTWISE:
        return ELEMENTWISE[name][1]
    return 1 if name in REDUCERS or name == "norm" else 2 if name in WITH_NUMBER or name == "after" else None


def _known() -> str:
    return ", ".join([*ELEMENTWISE, "norm", *REDUCERS, "after", *WITH_NUMBER, *CALLS])


def _constant(node: ast.expr, name: str) -> Any:
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float, str)):
        return node.value
    if isinstance(node, ast.Name):
        return node.id
    raise FlexarmError(f"{name} wants plain numbers and words, not '{ast.unparse(node)[:40]}'")


def _path(node: ast.expr, text: str) -> list[str]:
    """The steps of a name such as ``strain['link@0.5']`` or ``joint_torque.upper``."""
    if isinstance(node, ast.Name) and not node.id.startswith("_"):
        return [node.id]
    if isinstance(node, ast.Attribute) and not node.attr.startswith("_"):
        return [*_path(node.value, text), node.attr]
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        return [*_path(node.value, text), str(node.slice.value)]
    raise FlexarmError(f"'{ast.unparse(node)[:60]}' is not a name of a signal, such as joint_torque.upper")


def _named(path: list[str], source: Source) -> Value:
    """A signal or number, with its component."""
    name, used = ".".join(path[:2]), 2  # numbers of an analysis have two steps, as static.tip_rotation
    value = source.find(name) if len(path) > 1 else None
    if value is None:
        name, used = path[0], 1
        value = source.find(name)
    if value is None:
        stem, _, tail = name.rpartition("_")
        value = source.find(stem) if tail in TAILS else None
        if value is None:
            near = get_close_matches(name, source.names, 1, 0.6)
            hint = f"did you mean '{near[0]}'?" if near else f"there are {', '.join(source.names)}"
            raise FlexarmError(f"the runs have no '{name}'; {hint}")
        if value.time is not None:
            value = _tail(value, tail, path[used:], name)
            used = len(path)
    for step in path[used:]:
        value = component(value, step, name)
    return value


def _tail(value: Value, tail: str, steps: list[str], name: str) -> Value:
    """As the summary of a run has it: ``tip_deflection_peak``, ``joint_torque_peak.upper``."""
    for step in steps:
        value = component(value, step, name)
    if value.labels and value.labels[0] != ("x", "y", "z"):
        raise FlexarmError(
            f"{name} has components: write {name}.{value.labels[0][0]}, or another of {', '.join(value.labels[0])}"
        )
    if tail == "end" and not value.labels:
        return Value(value.values[:, -1].copy(), value.unit)
    sizes = _scalar(length(value), name)
    assert sizes.time is not None
    return Value(REDUCERS[tail][0](sizes.values, sizes.time), value.unit)


def component(value: Value, step: str, name: str) -> Value:
    """One component of a value, by its label or number."""
    if not value.labels:
        raise FlexarmError(f"{name} has no component '{step}'")
    known, axis = value.labels[0], 1 if value.time is None else 2
    if step in known:
        at = known.index(step)
    elif step.isdigit() and int(step) < len(known):
        at = int(step)
    else:
        raise FlexarmError(f"{name} has no component '{step}'; it has {', '.join(known)}")
    return replace(value, values=np.take(value.values, at, axis=axis), labels=value.labels[1:])


def _si(word: str) -> Powers:
    """Unit of a quantity once it is in SI units."""
    dimension = unit_of(word).dimension
    known = {"N": "N", "Pa": "Pa", "Hz": "Hz", "J": "J", "W": "W"}
    plain = next((unit for unit in known if unit_of(unit).dimension == dimension and word.endswith(unit)), None)
    if plain is not None:
        return {plain: Fraction(1)}
    return {base: Fraction(power) for base, power in zip(dimension._fields, dimension, strict=True) if power}


def _aligned(one: Value, other: Value, text: str) -> tuple[np.ndarray, np.ndarray, Value]:
    """Two values in forms that can be combined, and the one that tells time and labels."""
    a, b = one.values, other.values
    wide, narrow = (one, other) if (one.time is not None, a.ndim) >= (other.time is not None, b.ndim) else (other, one)
    if one.time is not None and other.time is not None and len(one.time) != len(other.time):
        raise FlexarmError(f"in '{text}' signals over different times meet: use after() on both of them")
    if one.labels and other.labels and one.labels != other.labels:
        raise FlexarmError(f"in '{text}' signals with different components meet: choose one of each")

    def stretched(value: Value) -> np.ndarray:
        array = value.values
        if array.ndim == 0:
            return array
        if value.time is None and wide.time is not None:
            array = array[:, None] if array.ndim == 1 else array[:, None, :]
        return array.reshape(array.shape + (1,) * (wide.values.ndim - array.ndim))

    return stretched(one), stretched(other), replace(wide, labels=wide.labels or narrow.labels)


def _joined(op: ast.operator, one: Value, other: Value, text: str) -> Value:
    a, b, form = _aligned(one, other, text)
    if isinstance(op, (ast.Add, ast.Sub)):
        if not units.same(one.unit, other.unit):
            raise FlexarmError(
                f"in '{text}' {units.text_of(one.unit)} and {units.text_of(other.unit)} are added: their units do not fit"
            )
        unit = other.unit if one.unit is None else one.unit
        return replace(form, values=a + b if isinstance(op, ast.Add) else a - b, unit=unit)
    if isinstance(op, ast.Pow):
        if other.values.ndim:
            raise FlexarmError(f"in '{text}' a power has to be a plain number")
        return replace(
            form, values=a**b, unit=units.to_power(one.unit, Fraction(float(other.values)).limit_denominator(100))
        )
    quotient = isinstance(op, ast.Div)
    return replace(
        form, values=a / b if quotient else a * b, unit=units.times(one.unit, other.unit, -1 if quotient else 1)
    )


def _elementwise(name: str, parts: list[Value], text: str) -> Value:
    function: Callable[..., np.ndarray]
    function, _, kind = ELEMENTWISE[name]
    first = parts[0]
    if len(parts) == 2:
        a, b, form = _aligned(first, parts[1], text)
        if not units.same(first.unit, parts[1].unit):
            raise FlexarmError(f"{name} in '{text}' wants two values of one unit")
        unit = {"rad": Fraction(1)} if kind == "angle" else parts[1].unit if first.unit is None else first.unit
        return replace(form, values=function(a, b), unit=unit)
    if kind == "plain" and first.unit not in (None, {}, {"rad": Fraction(1)}):
        raise FlexarmError(f"{name} in '{text}' wants a plain number or an angle, not {units.text_of(first.unit)}")
    unit = units.to_power(first.unit, Fraction(1, 2)) if kind == "root" else {} if kind == "plain" else first.unit
    return replace(first, values=function(first.values), unit=unit)
