"""The table of a study while it fills: a row for every run, and which runs are done."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from flexarm.studies.chunk import Chunk
from flexarm.studies.plan import Plan
from flexarm.studies.store import Store

if TYPE_CHECKING:
    from numpy.typing import NDArray

WAITING = 255
"""In place of an outcome: this run has not been done yet."""


class Table:
    """Numbers (runs, kept), signals (runs, signals, times), outcomes and messages of all runs of a plan."""

    def __init__(self, plan: Plan, store: Store | None = None):
        count, asked = plan.count, plan.asked
        self.numbers = np.full((count, len(asked.numbers)), np.nan)
        self.signals = np.full((count, len(asked.signals), len(asked.grid)), np.nan)
        self.outcomes: NDArray[np.uint8] = np.full(count, WAITING, dtype=np.uint8)
        self.messages: dict[int, str] = {}
        self._store, self.done = store, 0
        if store is not None:
            for chunk in store.chunks():
                self._put(chunk)

    def add(self, chunk: Chunk) -> None:
        """Take in a chunk: on disk first, so that what the table shows is kept."""
        if self._store is not None:
            self._store.add(chunk)
        self._put(chunk)

    def _put(self, chunk: Chunk) -> None:
        rows = slice(chunk.start, chunk.stop)
        self.done += int((self.outcomes[rows] == WAITING).sum())
        self.numbers[rows], self.signals[rows], self.outcomes[rows] = chunk.numbers, chunk.signals, chunk.outcomes
        self.messages.update(chunk.messages)

    def gaps(self) -> Iterator[tuple[int, int]]:
        """Ranges of runs that are not done."""
        waiting = np.concatenate([[False], self.outcomes == WAITING, [False]])
        edges = np.flatnonzero(np.diff(waiting.astype(np.int8)))
        yield from zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)
