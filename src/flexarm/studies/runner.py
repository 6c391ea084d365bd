"""Runs of many variants of one scenario: the small contract, and the runner that makes a scenario of each variant."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from flexarm.errors import FlexarmError
from flexarm.methods.base import Outcome
from flexarm.numerics.blas import one_blas_thread
from flexarm.scenario import Scenario
from flexarm.simulation.run import simulate
from flexarm.studies.formula import Formula, Source
from flexarm.studies.sources import ARM, STATIC, OneRun
from flexarm.studies.variables import Variable

OUTCOMES = (*(outcome.name for outcome in Outcome), "REFUSED", "FAILED")
"""How a run of a study can end, by number: as any run, refused by the scenario or method, or by a fault of the program."""
SUCCESS, REFUSED, FAILED = OUTCOMES.index("SUCCESS"), OUTCOMES.index("REFUSED"), OUTCOMES.index("FAILED")


@dataclass(frozen=True)
class Block:
    """Some runs, one after the other.

    Attributes
    ----------
    source : Source or None
        Where formulas find their signals; None if the runs gave nothing.
    outcomes : ndarray, shape (runs,)
        Numbers of `OUTCOMES`.
    messages : dict
        What is to be said of runs that did not succeed, by their number in the block.
    """

    source: Source | None
    outcomes: np.ndarray
    messages: dict[int, str] = field(default_factory=dict)


class Runner(Protocol):
    """Runs variants of one scenario."""

    def blocks(self, values: np.ndarray) -> Iterator[Block]:
        """The runs of `values` (runs, variables), SI units, in blocks that fit into memory."""
        ...


@dataclass(frozen=True)
class Asked:
    """What is kept of every run.

    numbers : formulas, or functions of a result, by name; signals : formulas by name; grid : instants of the signals, s;
    static : loads and hold of static analyses.
    """

    numbers: Mapping[str, Formula | Callable[..., Any]]
    signals: Mapping[str, Formula] = field(default_factory=dict)
    grid: np.ndarray = field(default_factory=lambda: np.zeros(0))
    static: Mapping[str, Any] = field(default_factory=dict)

    @property
    def formulas(self) -> list[Formula]:
        """All formulas."""
        return [each for each in (*self.numbers.values(), *self.signals.values()) if isinstance(each, Formula)]

    @property
    def runs(self) -> bool:
        """True if anything needs a run, and not only an analysis of the arm."""
        functions = any(not isinstance(each, Formula) for each in self.numbers.values())
        return functions or any(not _analysis(name) for formula in self.formulas for name in formula.names)

    @property
    def modes(self) -> int:
        """How many natural frequencies are wanted."""
        return max((call[1] for formula in self.formulas for call in formula.calls), default=0)


def _analysis(name: str) -> bool:
    return any(known == name or known.startswith(f"{name}.") for known in (*STATIC, *ARM))


class OneByOne:
    """A scenario for each variant: takes everything that a scenario can say."""

    def __init__(self, scenario: Scenario, variables: Sequence[Variable], asked: Asked):
        self._scenario, self._variables, self._asked = scenario, variables, asked

    def scenario(self, row: np.ndarray) -> Scenario:
        """The scenario of one variant."""
        changes: dict[str, Any] = {}
        for variable, value in zip(self._variables, row, strict=True):
            changes.update(variable.changes(value))
        return self._scenario.with_(changes) if changes else self._scenario

    def blocks(self, values: np.ndarray) -> Iterator[Block]:
        """`Runner.blocks`: one run in each."""
        for row in values:
            yield self._one(row)

    def _one(self, row: np.ndarray) -> Block:
        try:
            with one_blas_thread():
                return self.run(row)
        except FlexarmError as error:
            return Block(None, np.array([REFUSED]), {0: str(error)})
        except Exception as error:  # one variant of a million must not end the others
            return Block(None, np.array([FAILED]), {0: f"{type(error).__name__}: {error}"})

    def run(self, row: np.ndarray) -> Block:
        """One variant; raises what it is refused with."""
        scenario = self.scenario(row)
        result = simulate(scenario, warn=False, notes=False) if self._asked.runs else None
        source = OneRun(scenario, result, self._asked.static, self._asked.modes)
        if result is None or result.success:
            return Block(source, np.array([SUCCESS]))
        return Block(source, np.array([OUTCOMES.index(result.outcome.name)]), {0: result.message})
