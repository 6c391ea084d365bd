"""A study, ready to run: what varies, how it is drawn, what is kept, and with which step each of its groups runs."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from flexarm._version import __version__
from flexarm.control.fields import numeric_field
from flexarm.errors import FlexarmError
from flexarm.scenario import Scenario
from flexarm.studies.formula import Formula
from flexarm.studies.lean import Lean, signals_of
from flexarm.studies.runner import Asked, OneByOne, Runner
from flexarm.studies.sampling import Design
from flexarm.studies.variables import Variable

Group = tuple[int, ...]
"""The options that the choices of a study have taken: runs of a group differ by numbers alone."""


@dataclass(frozen=True)
class Plan:
    """A study.

    Attributes
    ----------
    name : str
        Title.
    scenario : Scenario
        What is varied.
    variables : tuple of Variable
        One for each column of `design`.
    asked : Asked
        What is kept.
    limits : tuple of str
        What is wanted of the kept numbers, as ``tip_error_peak < 2 mm``.
    correlations : tuple of (int, int, float)
        Pairs of variables that are drawn together.
    settings : dict
        What is fixed for all runs of a group: the step, and the time scheme where that is left to the program.
    starts : dict
        Some rows of numbers of each group, (rows, numbers), with which compiled calls for many variants are prepared.
    aligned : int
        Chunks begin and end at multiples of it.
    """

    name: str
    scenario: Scenario
    variables: tuple[Variable, ...]
    design: Design
    asked: Asked
    limits: tuple[str, ...] = ()
    correlations: tuple[tuple[int, int, float], ...] = ()
    settings: Mapping[Group, Mapping[str, Any]] = field(default_factory=dict)
    starts: Mapping[Group, np.ndarray] = field(default_factory=dict)
    aligned: int = 1
    _runners: dict[Group, Runner] = field(default_factory=dict, compare=False, repr=False)

    @property
    def count(self) -> int:
        """Runs in all."""
        return self.design.count

    @property
    def choices(self) -> list[int]:
        """Columns that choose among variants."""
        return [k for k, variable in enumerate(self.variables) if variable.options]

    @property
    def numbers(self) -> list[int]:
        """Columns of numbers."""
        return [k for k, variable in enumerate(self.variables) if not variable.options]

    @property
    def id(self) -> str:
        """The same for studies that give the same table."""
        data = {
            "version": __version__,
            "scenario": self.scenario.hash,
            "variables": [_plain(variable) for variable in self.variables],
            "design": [self.design.kind, self.design.runs, self.design.seed] if self.design.drawn else [],
            "correlations": self.correlations,
            "numbers": {name: _named(each) for name, each in self.asked.numbers.items()},
            "signals": {name: each.text for name, each in self.asked.signals.items()},
            "grid": self.asked.grid.tolist(),
            "static": repr(self.asked.static),
        }
        return hashlib.sha256(json.dumps(data, sort_keys=True, default=str).encode()).hexdigest()

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_runners": {}}

    def fixed(self, **changes: Any) -> Plan:
        """The study with other `settings`, `starts` or `aligned`."""
        return replace(self, **changes, _runners={})

    def base(self, group: Group) -> Scenario:
        """The scenario of a group, its numbers not yet varied."""
        changes: dict[str, Any] = {}
        for k, option in zip(self.choices, group, strict=True):
            changes.update(self.variables[k].changes(option))
        scenario = self.scenario.with_(changes) if changes else self.scenario
        return scenario.with_(self.settings[group]) if self.settings.get(group) else scenario

    def runner(self, group: Group) -> Runner:
        """What runs the variants of a group."""
        if group not in self._runners:
            self._runners[group] = self._lean(group) or self.one_by_one(group)
        return self._runners[group]

    def _lean(self, group: Group) -> Lean | None:
        """The lean way, where it can be taken."""
        signals, base = signals_of(self.asked), self.base(group)
        if signals is None or base.time.step == "auto":
            return None
        varied = [_of_group(self.variables[k], base) for k in self.numbers]
        starts = self.starts.get(group, np.zeros((0, len(varied))))
        try:
            return Lean(base, varied, signals, self.one_by_one(group), starts)
        except FlexarmError:
            return None

    def one_by_one(self, group: Group) -> OneByOne:
        """What makes a scenario of each variant of a group."""
        base = self.base(group)
        return OneByOne(base, [_of_group(self.variables[k], base) for k in self.numbers], self.asked)

    def groups(self, values: np.ndarray) -> Iterator[tuple[np.ndarray, Runner, list[int]]]:
        """Rows of each group, what runs them, and the columns that it takes."""
        for group, rows in self.members(values):
            yield rows, self.runner(group), self.numbers

    def members(self, values: np.ndarray) -> Iterator[tuple[Group, np.ndarray]]:
        """Groups among these rows of values, with their rows."""
        if not self.choices:
            yield (), np.arange(len(values))
            return
        found, which = np.unique(values[:, self.choices].astype(int), axis=0, return_inverse=True)
        for k, options in enumerate(found):
            yield tuple(int(option) for option in options), np.flatnonzero(which.reshape(-1) == k)


def _of_group(variable: Variable, base: Scenario) -> Variable:
    """Multiples of a field's own value are multiples of the one in the group."""
    if not variable.relative:
        return variable
    return replace(variable, fields=tuple(numeric_field(base, each.name) for each in variable.fields))


def _plain(variable: Variable) -> list[Any]:
    fields = [each.name for each in variable.fields]
    return [
        variable.name,
        fields,
        variable.relative,
        variable.points,
        repr(variable.law),
        [[a, dict(b)] for a, b in variable.options],
    ]


def _named(each: Any) -> str:
    if isinstance(each, Formula):
        return each.text
    return f"{getattr(each, '__module__', '')}.{getattr(each, '__qualname__', type(each).__name__)}"


def check_names(plan: Plan) -> None:
    """Refuse names that the table could not tell apart or hold."""
    own = {"run", "time", "outcome", "message"}
    names = [variable.name for variable in plan.variables] + [*plan.asked.numbers, *plan.asked.signals]
    for name in names:
        if name in own or names.count(name) > 1:
            raise FlexarmError(
                f"the name '{name}' stands for two columns of the table: name one of them otherwise", field="keep"
            )
        if "/" in name or not name.strip():
            raise FlexarmError(
                f"'{name}' cannot name a column: give the formula a name, as keep: {{my_number: {name}}}", field="keep"
            )
