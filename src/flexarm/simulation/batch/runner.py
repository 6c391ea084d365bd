"""The lean way through many runs: `LeanRunner`, and what a runner of a study has to give.

A runner is made once from a scenario, the fields that vary, and the signals that are wanted. It takes rows of numbers and
gives signals in blocks. The step is fixed, so a run is the same as `flexarm.simulate` of ``runner.scenario.with_(row)``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol

import numpy as np

from flexarm.drive import check_events
from flexarm.errors import ControllerError, FlexarmError
from flexarm.methods.base import Hints, Outcome
from flexarm.numerics.blas import with_one_blas_thread
from flexarm.numerics.expressions import Tape
from flexarm.scenario import Scenario
from flexarm.simulation.batch.asked import ENDS, SURELY_BOUNDED, Asked
from flexarm.simulation.batch.single_link import SingleLinks, far_bent, single_links
from flexarm.simulation.batch.tables import Remembered, SameFormulas
from flexarm.simulation.batch.variants import Variants
from flexarm.simulation.build import Setup, check_memory, prepare
from flexarm.simulation.log import Log
from flexarm.simulation.program import build_model
from flexarm.simulation.progress import SILENT
from flexarm.simulation.records import limit_records
from flexarm.simulation.rest import HoldingModel
from flexarm.simulation.run import march_all, simulate
from flexarm.simulation.time_loop import TimeLoop

CHUNK = 65536
"""Steps in one compiled call."""
BLOCK_BYTES = 64e6
"""Size of the signals of a block."""
LEAST_BLOCK, AT_ONCE = 8, 128
"""Rows that single links must be at least to be run as a block, and how many are run in one call."""
REFUSED = "REFUSED"
"""Outcome of a row that is no run: its numbers are not allowed, or the method cannot do it."""


@dataclass
class Run:
    """One variant: its record times (nt,), signals by name with time first, how it ended (an `Outcome` name, or ``REFUSED``)."""

    time: np.ndarray
    signals: dict[str, np.ndarray]
    outcome: str
    message: str

    @property
    def success(self) -> bool:
        """True if the run reached its end."""
        return self.outcome == Outcome.SUCCESS.name


@dataclass
class Block:
    """Variants one after the other, all on one grid of records.

    Attributes
    ----------
    first : int
        Row of the first variant.
    time : ndarray, shape (nt,)
        Record times, s.
    signals : dict of ndarray, shape (variants, nt, ...)
        By name; not a number after the end of a run that ended early.
    outcomes : list of str
        Names of `Outcome`, or ``REFUSED``.
    messages : list of str
        A sentence each.
    """

    first: int
    time: np.ndarray
    signals: dict[str, np.ndarray]
    outcomes: list[str] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)

    def run(self, k: int) -> Run:
        """Variant number k of the block."""
        return Run(self.time, {n: v[k] for n, v in self.signals.items()}, self.outcomes[k], self.messages[k])


class Runner(Protocol):
    """What a study wants of whatever does its runs."""

    scenario: Scenario
    fields: tuple[str, ...]

    def each(self, values: np.ndarray) -> Iterator[Run]:
        """One run for every row (variants, fields) of SI numbers, in order."""

    def blocks(self, values: np.ndarray, most_bytes: float = BLOCK_BYTES) -> Iterator[Block]:
        """The same in blocks of at most so many bytes."""


class LeanRunner:
    """Runs of variants that share method, sizes and step.

    Parameters
    ----------
    scenario : Scenario
        What the variants have in common. Scenarios with a controller from outside are refused.
    fields : sequence of str
        Dotted paths of the numbers that vary, such as ``arm.payload.mass``.
    signals : sequence of str
        Which signals of a result are wanted, such as ``travel`` or ``tip_error``.
    step : float, optional
        Step in s; default that of the scenario, and if that is ``auto``, what it means for the scenario as it is.

    Attributes
    ----------
    scenario : Scenario
        With the step, and for `fd` with the time scheme, that all variants have.
    time : ndarray, shape (nt,)
        Record times of the scenario as it is, s.
    axes, coordinates, attributes : dict
        Names of the axes of every signal (time first), values along them, unit and long name of every signal.

    Examples
    --------
    >>> import flexarm as fa
    >>> runner = LeanRunner(fa.load("tokhi-azad"), ["arm.payload.mass"], ["travel"])
    >>> [round(float(run.signals["travel"][-1]), 3) for run in runner.each([[0.0], [0.02]])]
    [0.177, 0.127]
    """

    def __init__(self, scenario: Scenario, fields: Sequence[str], signals: Sequence[str], step: float | None = None):
        if scenario.program.external:
            raise ControllerError(
                "runs with a controller from outside cannot take the lean way; use flexarm.simulate",
                field="drive.control",
            )
        self.scenario, self.fields = _fixed(scenario, step), tuple(fields)
        setup = prepare(self.scenario)
        self._describe(simulate(setup, warn=False, notes=False), signals)
        self._setup = limit_records(setup)
        self._variants, self._asked = Variants(self.scenario, self.fields), Asked(signals)
        self._formulas = [SameFormulas(self._asked.observed), SameFormulas(ENDS)]
        self._tables: dict[Any, np.ndarray] = {}
        self._links: SingleLinks | Literal[False] | None = None
        self._compiled_once = not (
            self.scenario.program.auto_servos
            or self.scenario.program.auto_shapers
            or self.scenario.program.auto_feedforward
        )

    @property
    def at_once(self) -> bool:
        """True if blocks are run in one compiled call; known after the first block."""
        return bool(self._links)

    def _describe(self, base: Any, signals: Sequence[str]) -> None:
        data = base.data
        for name in signals:
            if name not in data:
                known = ", ".join(str(n) for n in data.data_vars)
                raise FlexarmError(f"there is no signal '{name}'; a run of this scenario has {known}", field="keep")
        self.time = data["time"].values
        self.axes = {name: tuple(map(str, data[name].dims)) for name in signals}
        self.attributes = {name: dict(data[name].attrs) for name in signals}
        used = {axis for axes in self.axes.values() for axis in axes} - {"time"}
        self.coordinates = {axis: data[axis].values for axis in used if axis in data.coords}

    @with_one_blas_thread
    def one(self, values: Sequence[float] | np.ndarray) -> Run:
        """The run of one variant."""
        row = np.asarray(values, dtype=float)
        try:
            setup = self._prepare(self._variants.scenario(row))
            for formulas in self._formulas:
                formulas.share(setup.model, row)
            loop = TimeLoop(setup)
            log = Log(loop)
            loop.enter()  # the first record is that of the right-hand limits
            outcome, message = march_all(loop, log, SILENT, None, CHUNK, fresh=True)
            found, outcome, message = self._asked.of(setup, log, outcome, message)
        except FlexarmError as error:
            empty = {n: np.zeros((0, *(len(self.coordinates[a]) for a in self.axes[n][1:]))) for n in self.axes}
            return Run(np.zeros(0), empty, REFUSED, told(error))
        return Run(found.pop("time"), found, outcome.name, message)

    def each(self, values: Any) -> Iterator[Run]:
        """One run for every row (variants, fields) of SI numbers, in order; a row that is refused is a run without records."""
        for row in self._rows(values):
            yield self.one(row)

    def blocks(self, values: Any, most_bytes: float = BLOCK_BYTES) -> Iterator[Block]:
        """Runs on the grid of records of the scenario as it is; a variant with other record times is refused with a sentence."""
        rows, width = self._rows(values), sum(8.0 * np.prod(self._shape(name)) for name in self.axes)
        count = max(1, min(len(rows), int(most_bytes / max(width, 1.0))))
        for first in range(0, len(rows), count):
            yield self._block(first, rows[first : first + count])

    @with_one_blas_thread
    def _block(self, first: int, rows: np.ndarray) -> Block:
        """A block; of single links as one where that is possible."""
        signals = {n: np.full((len(rows), *self._shape(n)), np.nan) for n in self.axes}
        success = Outcome.SUCCESS
        block = Block(first, self.time, signals, [success.name] * len(rows), [success.sentence] * len(rows))
        links, left = self._single_links(rows), np.arange(len(rows))
        if links is not None:
            left = self._all_at_once(links, rows, block)
        for k in left:
            self._put(block, int(k), self.one(rows[k]))
        return block

    def _single_links(self, rows: np.ndarray) -> SingleLinks | None:
        if self._links is None and len(rows) >= LEAST_BLOCK and self._asked.direct:

            def made(row: np.ndarray) -> Setup:
                return self._prepare(self._variants.scenario(row))

            def tape(setup: Setup) -> Tape:
                return setup.model.reader.signal_tape(self._asked.observed | ENDS)[1]

            try:
                self._links = single_links(self._variants, self._setup, tape, made, rows[0]) or False
            except FlexarmError:
                return None
        return self._links or None

    def _all_at_once(self, links: SingleLinks, rows: np.ndarray, block: Block) -> np.ndarray:
        """Run rows as blocks of single links; those that are left, (n,)."""
        fields, left, at_once = links.setup.model.reader.signal_tape(self._asked.observed | ENDS)[0], [], AT_ONCE
        for a in range(0, len(rows), at_once):
            values, again = links.run(rows[a : a + at_once], len(self.time))
            first = 0
            for name, (_, shape) in fields.items():
                part = values[:, :, first : first + int(np.prod(shape, dtype=int))].reshape(*values.shape[:2], *shape)
                first += int(np.prod(shape, dtype=int))
                if name == "end_deflection":
                    again |= far_bent(links.setup, part, SURELY_BOUNDED)
                if name in block.signals:
                    block.signals[name][a : a + len(part)] = part
            left.append(a + np.flatnonzero(again))
        return np.concatenate(left)

    def _put(self, block: Block, k: int, run: Run) -> None:
        n = len(run.time)
        if n > len(self.time) or (n and not np.allclose(run.time, self.time[:n], rtol=0.0, atol=1e-9 * self.time[-1])):
            run = Run(
                run.time, {}, REFUSED, "its records are at other times than those of the others: state output.every"
            )
        for name, array in block.signals.items():
            array[k] = np.nan
            if name in run.signals:
                array[k, :n] = run.signals[name]
        block.outcomes[k], block.messages[k] = run.outcome, run.message

    def _shape(self, name: str) -> tuple[int, ...]:
        return (len(self.time), *(len(self.coordinates[axis]) for axis in self.axes[name][1:]))

    def _rows(self, values: Any) -> np.ndarray:
        rows = np.atleast_2d(np.asarray(values, dtype=float))
        if rows.ndim != 2 or rows.shape[1] != len(self.fields):
            raise FlexarmError(f"variants are rows of {len(self.fields)} numbers, not an array of shape {rows.shape}")
        return rows

    def _prepare(self, scenario: Scenario) -> Setup:
        """The set-up of a variant; from that of the scenario where the drives are the same."""
        if not (self._variants.same_drives and self._compiled_once):
            setup = limit_records(prepare(scenario))
            check_memory(setup)
            return setup
        base, program = self._setup, Remembered.of(scenario.program, self._tables)
        hints: Hints = base.model.hints
        model = build_model(scenario, program, scenario.output.watch(), hints)
        events = check_events(scenario.arm, scenario.events)
        return replace(
            base, scenario=scenario, program=program, model=model, holding=HoldingModel(model), events=events,
            warnings=[], trial=None, stabilities={},
        )  # fmt: skip


def _fixed(scenario: Scenario, step: float | None) -> Scenario:
    """The scenario with a stated step, and for `fd` with a stated time scheme."""
    options, changes = scenario.method.options, {} if step is None else {"time.step": float(step)}
    stated = scenario.with_(changes) if changes else scenario
    chosen = getattr(options, "scheme", "") == "auto"
    if stated.time.step != "auto" and not chosen:
        return stated
    setup = prepare(stated)
    scheme = {"method.scheme": setup.model.choice.scheme} if chosen else {}  # type: ignore[attr-defined]
    return scenario.with_({"time.step": setup.step, **scheme})


def told(error: FlexarmError) -> str:
    """What a refusal says, with its field."""
    return f"{error.field}: {error.message}" if error.field else error.message
