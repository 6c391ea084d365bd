"""Models whose state is one vector that a compiled loop steps through a drive table."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np

from flexarm.methods.base import Marched, Model, Outcome, State, Steps
from flexarm.methods.signals import Signals

NO_RECORDS = np.zeros((0, 0))


class SteppedModel(Model):
    """Verbs that follow from `_run`; a record is the first `record_width` numbers of the state."""

    reader: Any
    """Gives `measure` (a state's readings) and `signals` (what a run shows)."""

    @abstractmethod
    def _run(self, state: State, table: np.ndarray, records: np.ndarray, every: int, phase: int) -> tuple[int, int]:
        """Step through a table in place; returns steps done and records written."""

    def march(self, state: State, plan: Steps) -> Marched:
        """Many compiled steps; a step that fails ends at the state before it."""
        new = state.copy()
        every, phase = plan.record_every, plan.record_offset
        rows = (phase + plan.count) // every - phase // every if every else 0
        records = np.empty((rows, self.record_width))
        done, written = self._run(new, plan.table, records, every, phase)
        new.step += done
        outcome = Outcome.SUCCESS if done == plan.count else Outcome.NOT_CONVERGED
        return Marched(new, records[:written], outcome, done)

    def advance(self, state: State, plan: Steps) -> bool:
        """In place, no records."""
        done, _ = self._run(state, plan.table, NO_RECORDS, 0, 0)
        state.step += done
        return done == plan.count

    def record(self, state: State) -> np.ndarray:
        """The record of a state, shape (record_width,)."""
        return state.x[: self.record_width].copy()

    def measure(self, state: State, out: np.ndarray) -> np.ndarray:
        """Readings in the order of `sensors`."""
        return self.reader.measure(state.x, out)

    def observe(self, times: np.ndarray, records: np.ndarray, table: np.ndarray) -> Signals:
        """What the records show."""
        return self.reader.signals(times, records)


def halved_remark(count: float) -> list[str]:
    """How often steps had to be halved, in words."""
    return [f"steps were halved {int(count)} times to converge; a smaller time.step is safer"] if count else []
