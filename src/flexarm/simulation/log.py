"""The records of a run as they come in."""

from __future__ import annotations

import itertools

import numpy as np

from flexarm.methods.base import Model
from flexarm.simulation.time_loop import TimeLoop


class Log:
    """Records of a run, in pieces; a new piece begins where an event changed the model."""

    def __init__(self, loop: TimeLoop):
        self.times: list[np.ndarray] = [np.zeros(1)]
        self.rows: list[np.ndarray] = []
        self.records: list[np.ndarray] = []
        self.pressures: list[np.ndarray] = []
        self.marks: list[int] = []
        """Number of records before each change of the model."""
        self.models: list[Model] = [loop.model]

    def first(self, loop: TimeLoop) -> None:
        """Note the start."""
        self.records.append(loop.model.record(loop.state)[None, :])
        self.rows.append(loop.table(0, 0, 0))
        self.pressures.append(loop.model.pressures(loop.state)[None])

    def add(self, times: np.ndarray, rows: np.ndarray, records: np.ndarray, pressures: np.ndarray) -> None:
        """Append records."""
        if len(records):
            self.times.append(times[: len(records)])
            self.rows.append(rows[: len(records)])
            self.records.append(records)
            self.pressures.append(pressures)

    def last(self, loop: TimeLoop) -> None:
        """Note the end, where the rhythm of the records has not met it."""
        grid = loop.intervals[loop.state.interval]
        if self.times[-1][-1] < grid.stop:
            row = loop.held_in(loop.table(loop.state.interval, grid.steps - 1, 1))[1:]
            state, model = loop.state, loop.model
            self.add(np.array([grid.stop]), row, model.record(state)[None, :], model.pressures(state)[None])

    def note_model(self, loop: TimeLoop) -> None:
        """Begin a new piece if the model has changed."""
        if loop.model is not self.models[-1]:
            self.models.append(loop.model)
            self.marks.append(sum(len(r) for r in self.records))

    def pieces(self) -> list[tuple[Model, slice]]:
        """Models of the run, and which records are theirs."""
        edges = [0, *self.marks, sum(len(records) for records in self.records)]
        return [
            (model, slice(a, b)) for model, (a, b) in zip(self.models, itertools.pairwise(edges), strict=True) if b > a
        ]

    def arrays(self) -> dict[str, np.ndarray]:
        """All records, by what they are."""
        return {
            "times": np.concatenate(self.times),
            "rows": np.concatenate(self.rows),
            "records": np.concatenate(self.records),
            "pressures": np.concatenate(self.pressures),
        }

    def restore(self, arrays: dict[str, np.ndarray], marks: list[int], loop: TimeLoop) -> None:
        """Continue from a checkpoint."""
        self.times, self.rows, self.records = [arrays["times"]], [arrays["rows"]], [arrays["records"]]
        self.pressures = [arrays["pressures"]]
        self.marks = list(marks)
        models = [loop.setup.model]
        state = loop.state
        for event in loop.setup.events[: loop.events_done]:
            models.append(models[-1].change(state, event.payload, event.rule)[0])
        self.models = [*models[:-1], loop.model]
