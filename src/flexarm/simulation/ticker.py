"""Calls of the compiled loop over control ticks, with everything that it reads at hand."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING

import numpy as np

from flexarm.errors import ControllerError
from flexarm.methods.base import Model, State, Steps
from flexarm.numerics import tick_loop as at
from flexarm.numerics.timegrid import Interval
from flexarm.simulation.controllers import failed
from flexarm.simulation.drive_rows import DriveRows

if TYPE_CHECKING:
    from flexarm.simulation.tick_laws import Stages


class Ticker:
    """Steps of a run that has control ticks.

    Parameters
    ----------
    stages : Stages
        What is called at a tick.
    rows : DriveRows
        Drives of the run.
    asks : int
        Whether calls end at ticks, for torques from Python (see `tick_loop.ASKS`).
    """

    def __init__(self, stages: Stages, rows: DriveRows, asks: int):
        self._stages, self._rows = stages, rows
        self.y = np.zeros(len(stages.readings))
        self._at, self._times = np.zeros(at.COUNT, dtype=np.int64), np.zeros(2)
        self._at[at.ASKS] = asks
        self._state: State | None = None
        self._made_of: tuple[object, ...] = ()
        self._call: at.Call | None = None
        self._out: tuple[np.ndarray, np.ndarray, np.ndarray] | None = None
        self._model: Model | None = None

    def begin(self, ticked: bool) -> None:
        """An interval begins, or goes on where its first tick is over."""
        self._at[at.TICKED], self._at[at.ASKED] = ticked, 0

    def aim(self, model: Model, state: State, grid: Interval, steps: int, record: bool = False) -> None:
        """Be ready for `steps` steps from the present one."""
        numbers = self._at
        self._rows.look(state.interval, state.step, max(steps, min(1, grid.steps - state.step)), state.held)
        every, offset = (grid.record_every if record else 0), grid.record_offset
        numbers[at.STEP], numbers[at.STOP], numbers[at.LAST] = state.step, state.step + steps, grid.steps
        numbers[at.FIRST] = self._rows.first
        numbers[at.WRITTEN], numbers[at.RECORD_EVERY], numbers[at.RECORD_OFFSET] = 0, every, offset
        numbers[at.TICK_EVERY], numbers[at.TICK_OFFSET] = grid.tick_every, grid.tick_offset
        self._times[:] = grid.start, grid.h
        self._state = state
        if record or self._out is None or model is not self._model:
            table = self._rows.told[: steps + 1]
            count = Steps(grid.h, table, every, offset + state.step).records
            shapes = (
                (count, model.record_width),
                (count, model.channels, model.wiring.row_width),
                (count, len(model.with_oil), 2),
            )
            self._out = np.empty(shapes[0]), np.empty(shapes[1]), np.empty(shapes[2])
        made_of = (model, state.x, state.z, state.memory, state.held, self._rows.told, *self._out)
        if self._call is None or any(map(operator.is_not, made_of, self._made_of)):
            if not self._made_of or self._rows.told is not self._made_of[5]:
                model.check_table(self._rows.told)
            self._make(model, state, made_of)

    def _make(self, model: Model, state: State, made_of: tuple[object, ...]) -> None:
        assert self._out is not None
        if model is not self._model or self._call is None or state.x is not self._made_of[1]:
            self._steps = model.between_ticks(state)
            self._tape = model.reader.tape(self._stages.readings).operations
        self._model, self._made_of = model, made_of
        self._call = at.Call(
            state.x, state.z, state.memory, state.held, self._rows.told, self._rows.held, *self._out, self._tape, self.y,
            self._stages.table(), np.array(model.with_oil, dtype=np.int64), self._at, self._times, self._steps.address,
            self._steps.method.address,
        )  # fmt: skip

    def run(self, only_tick: bool = False) -> int:
        """Go on; returns how it ended."""
        assert self._state is not None
        try:
            return int(at.run_ticks(self._call, only_tick))
        except Exception as error:  # of a compiled law
            raise ControllerError(failed(self.time, error)) from error
        finally:
            self._state.step = int(self._at[at.STEP])

    def stop_at_next_tick(self, grid: Interval) -> None:
        """Let the present steps end there."""
        step = int(self._at[at.STEP])
        self._at[at.STOP] = min(self._at[at.STOP], step + grid.steps_to_tick(step))

    @property
    def waiting(self) -> bool:
        """True at a tick whose readings are taken and whose torques are to come."""
        return bool(self._at[at.ASKED])

    @property
    def said(self) -> int:
        """The number with which steps or a stage ended."""
        return int(self._at[at.ENDED])

    @property
    def time(self) -> float:
        """Present time, s."""
        return float(self._times[0] + self._at[at.STEP] * self._times[1])

    @property
    def told(self) -> np.ndarray:
        """What the drives say at the present step, (channels, 7)."""
        return self._rows.told[self._at[at.STEP] - self._at[at.FIRST]]

    def written(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Records, their drive rows and pressures."""
        assert self._out is not None
        records, rows, pressures = (each[: self._at[at.WRITTEN]] for each in self._out)
        return records, rows, pressures
