"""The compiled steps of a run alone, for measuring: no records, no labels, drive tables made before."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.methods.base import Outcome, State, Steps
from flexarm.methods.signals import Signals
from flexarm.simulation.build import prepare
from flexarm.simulation.time_loop import TimeLoop

if TYPE_CHECKING:
    from flexarm.scenario import Scenario


class MarchOnly:
    """A scenario from its start to its end, as often as wanted.

    Attributes
    ----------
    steps : int
        Steps of a run.
    state : State
        Where the last run ended.
    """

    def __init__(self, scenario: Scenario):
        setup = prepare(scenario)
        loop = TimeLoop(setup)
        self.model, self._first = setup.model, loop.state
        self._parts = [
            (grid.h, np.ascontiguousarray(loop.table(k, 0, grid.steps))) for k, grid in enumerate(setup.intervals)
        ]
        self._end = setup.intervals[-1].stop
        self.steps = setup.steps
        self.state: State = self._first

    def run(self) -> float:
        """All steps; the processor time in s of the steps, without what is done between intervals.

        Times are those of the thread's own processor time, because machines are shared.
        """
        state, spent = self._first.copy(), 0.0
        for h, table in self._parts:
            self.model.prepare(h)
            state = self.model.restart(state, table[0])
            steps = Steps(h, table, 0)
            began = time.thread_time()
            finished = self.model.advance(state, steps)
            spent += time.thread_time() - began
            if not finished:
                raise RuntimeError("the run did not reach its end")
        self.state = state
        return spent

    @property
    def passes(self) -> float:
        """Newton passes per step of the last run; not a number if the method does not iterate."""
        return self.model.newton_passes(self.state) / self.steps

    @property
    def data(self) -> Signals:
        """Signals at the end of the last run."""
        row = self._parts[-1][1][-1:]
        return self.model.observe(np.array([self._end]), self.model.record(self.state)[None, :], row)

    @property
    def tip(self) -> np.ndarray:
        """Position of the tip after the last run, shape (3,), m."""
        return self.data["tip_position"][-1].copy()


CHUNK = 4096
"""Steps in one call."""


class MarchTicks:
    """A scenario with control ticks from its start to its end, as often as wanted: steps and laws, without labels.

    Attributes
    ----------
    steps : int
        Steps of a run.
    tip : ndarray, shape (3,)
        Position of the tip after the last run, m.
    """

    def __init__(self, scenario: Scenario, controller: Any = None):
        self._setup, self._controller = prepare(scenario), controller
        self.steps, self.tip = self._setup.steps, np.zeros(3)

    def run(self) -> float:
        """All steps; the processor time in s of the thread."""
        loop = TimeLoop(self._setup, self._controller)
        loop.load()
        began = time.thread_time()
        while not loop.finished:
            if loop.chunk(CHUNK)[0].outcome is not Outcome.SUCCESS:
                raise RuntimeError("the run did not reach its end")
        spent = time.thread_time() - began
        self.tip = loop.model.reader.graph.tape(loop.model.reader.tip).values(loop.state.x)
        return spent
