"""Runs of a study the lean way, where all that is kept are formulas over signals: no scenario and no result for each of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from flexarm.errors import FlexarmError
from flexarm.result import LABELS
from flexarm.scenario import Scenario
from flexarm.simulation.batch import LeanRunner
from flexarm.studies.formula import TAILS, Formula, Value
from flexarm.studies.runner import OUTCOMES, SUCCESS, Asked, Block, OneByOne
from flexarm.studies.unit_powers import powers_of
from flexarm.studies.variables import Variable

ALIGNED = 128
"""Runs that go through one compiled call together. Their bits depend on their neighbours, so it is always the same ones."""
STARTS = 8
"""Variants with which such calls are prepared, the same ones in every process."""


def signals_of(asked: Asked) -> tuple[str, ...] | None:
    """Signals that the formulas are made of; None if something else is wanted too."""
    found: dict[str, None] = {}
    if any(not isinstance(each, Formula) for each in asked.numbers.values()):
        return None
    for formula in asked.formulas:
        if formula.calls:
            return None
        for name in formula.names:
            stem, _, tail = name.rpartition("_")
            signal = name if name in LABELS else stem if tail in TAILS else ""
            if signal not in LABELS or signal in ("time", "s"):
                return None
            found[signal] = None
    return tuple(found)


class Signals:
    """Signals of a block, as formulas want them."""

    def __init__(self, runner: LeanRunner, time: np.ndarray, signals: dict[str, np.ndarray]):
        self._runner, self._time, self._signals = runner, time, signals

    @property
    def names(self) -> Sequence[str]:
        """`Source.names`."""
        return list(self._signals)

    def find(self, name: str) -> Value | None:
        """`Source.find`."""
        if name not in self._signals:
            return None
        runner = self._runner
        labels = tuple(tuple(str(each) for each in runner.coordinates[axis]) for axis in runner.axes[name][1:])
        unit = powers_of(str(runner.attributes[name].get("units", "1")))
        return Value(self._signals[name], unit, self._time, labels)

    def call(self, name: str, arguments: tuple[Any, ...]) -> Value:
        """`Source.call`: there is nothing to call here."""
        raise FlexarmError(f"{name} is not known of these runs")


class Lean:
    """`LeanRunner` behind the contract of this room.

    Parameters
    ----------
    scenario : Scenario
        Of the group, with its step.
    variables : sequence of Variable
        Numbers that vary.
    signals : sequence of str
        What the formulas want.
    spare : OneByOne
        Takes rows with which the lean way fails.
    starts : ndarray, shape (rows, variables)
        With which compiled calls are prepared.
    """

    def __init__(
        self,
        scenario: Scenario,
        variables: Sequence[Variable],
        signals: Sequence[str],
        spare: OneByOne,
        starts: np.ndarray,
    ):
        self._variables, self._spare = variables, spare
        fields = [field.name for variable in variables for field in variable.fields]
        self._runner = LeanRunner(scenario, fields, signals)
        others = any(field.split(".")[0] in ("time", "output") for field in fields)
        self._one_grid = scenario.output.every is not None and not others
        if self._one_grid and len(starts):
            for _ in self._runner.blocks(self._fields(starts)):
                pass

    @property
    def at_once(self) -> bool:
        """True if blocks of variants go through one compiled call."""
        return self._runner.at_once

    def blocks(self, values: np.ndarray) -> Iterator[Block]:
        """`Runner.blocks`."""
        rows = self._fields(values)
        if not self._one_grid:
            for k, row in enumerate(rows):
                yield self._one(row, values[k])
            return
        try:
            for found in self._runner.blocks(rows):
                numbers = np.array([OUTCOMES.index(name) for name in found.outcomes])
                messages = {k: found.messages[k] for k in np.flatnonzero(numbers != SUCCESS).tolist()}
                yield Block(Signals(self._runner, found.time, found.signals), numbers, messages)
        except FlexarmError:
            raise
        except Exception:  # one of them must not end the others
            yield from self._spare.blocks(values)

    def _one(self, row: np.ndarray, values: np.ndarray) -> Block:
        try:
            run = self._runner.one(row)
        except Exception:  # a row with which the lean way fails
            return next(self._spare.blocks(values[None]))
        number = np.array([OUTCOMES.index(run.outcome)])
        source = Signals(self._runner, run.time, {name: each[None] for name, each in run.signals.items()})
        return Block(source if run.success else None, number, {} if run.success else {0: run.message})

    def _fields(self, values: np.ndarray) -> np.ndarray:
        """Values of the fields: several may share a variable, or be multiples of it."""
        columns = [
            values[:, k] * field.value if variable.relative else values[:, k]
            for k, variable in enumerate(self._variables)
            for field in variable.fields
        ]
        return np.column_stack(columns) if columns else np.zeros((len(values), 0))
