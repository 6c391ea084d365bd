"""A chunk of a study: some runs one after the other, reduced to what is kept, on its way from a worker to the table."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.errors import FlexarmError
from flexarm.studies.formula import Formula, Source
from flexarm.studies.reducers import on_grid
from flexarm.studies.runner import REFUSED, SUCCESS, Asked, Block
from flexarm.studies.sources import OneRun

if TYPE_CHECKING:
    from flexarm.studies.plan import Plan


@dataclass
class Chunk:
    """Runs `start` to `stop`.

    numbers : (runs, kept); signals : (runs, signals, times); outcomes : (runs,) numbers of `OUTCOMES`; messages : by number
    of the run in the study; seconds : processor time that it took.
    """

    start: int
    stop: int
    numbers: np.ndarray
    signals: np.ndarray
    outcomes: np.ndarray
    messages: dict[int, str]
    seconds: float = 0.0


def run_chunk(plan: Plan, start: int, stop: int) -> Chunk:
    """Run part of a study."""
    began, count, asked = time.thread_time(), stop - start, plan.asked
    made = Chunk(
        start, stop, np.full((count, len(asked.numbers)), np.nan), np.full((count, len(asked.signals), len(asked.grid)), np.nan),
        np.zeros(count, dtype=np.uint8), {},
    )  # fmt: skip
    values = plan.design.values(start, stop)
    size = plan.aligned if plan.aligned > 1 else count
    for first in range(0, count, size):
        for rows, runner, columns in plan.groups(values[first : first + size]):
            done = first + rows
            for block in runner.blocks(values[done][:, columns]):
                some, done = done[: len(block.outcomes)], done[len(block.outcomes) :]
                _keep(made, some, block, asked)
    made.seconds = time.thread_time() - began
    return made


def _keep(made: Chunk, rows: np.ndarray, block: Block, asked: Asked) -> None:
    """Reduce a block into its rows of the chunk; what failed keeps no numbers, but says why."""
    outcomes, messages = np.array(block.outcomes, dtype=np.uint8), dict(block.messages)
    if block.source is not None and (outcomes == SUCCESS).any():
        try:
            numbers, signals = reduce_block(block.source, len(rows), asked)
        except FlexarmError as error:
            if len(rows) > 1:
                raise
            outcomes[:], messages[0] = REFUSED, str(error)
        else:
            good = outcomes == SUCCESS
            made.numbers[rows[good]], made.signals[rows[good]] = numbers[good], signals[good]
    made.outcomes[rows] = outcomes
    made.messages.update({made.start + int(rows[k]): text for k, text in messages.items() if text})


def reduce_block(source: Source, count: int, asked: Asked) -> tuple[np.ndarray, np.ndarray]:
    """Kept numbers (runs, kept) and signals (runs, signals, times) of a block."""
    numbers = np.empty((count, len(asked.numbers)))
    for k, (name, each) in enumerate(asked.numbers.items()):
        numbers[:, k] = number_of(source, name, each)[0]
    signals = np.empty((count, len(asked.signals), len(asked.grid)))
    for k, (name, formula) in enumerate(asked.signals.items()):
        found = formula.value(source)
        if found.time is None or found.labels:
            raise FlexarmError(
                f"'{formula.text}' is not one number over time: choose a component, or keep it as a number",
                field=f"signals.{name}",
            )
        signals[:, k] = on_grid(found.values, found.time, asked.grid)
    return numbers, signals


def number_of(source: Source, name: str, each: Any) -> tuple[np.ndarray, Any]:
    """A kept number of every run of a block, and its unit (None of a function)."""
    if not isinstance(each, Formula):
        assert isinstance(source, OneRun)
        try:
            return np.array([float(each(source.result))]), None
        except FlexarmError:
            raise
        except Exception as error:
            raise FlexarmError(f"the function raised {type(error).__name__}: {error}", field=f"keep.{name}") from None
    found = each.value(source)
    if found.time is not None:
        raise FlexarmError(
            f"'{each.text}' is a signal: take a number of it, as max({each.text}), or keep it under signals",
            field=f"keep.{name}",
        )
    if found.labels:
        raise FlexarmError(
            f"'{each.text}' has components: choose one of {', '.join(found.labels[0])}, or norm()", field=f"keep.{name}"
        )
    return found.values, found.unit
