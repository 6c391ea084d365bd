"""Fills the table of a study: chunks go out, come back and are kept, whatever happens to those who compute them."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, wait

from flexarm.errors import FlexarmError, Interrupted
from flexarm.studies.chunk import Chunk
from flexarm.studies.places import Place
from flexarm.studies.table import Table

SECONDS = 2.0
"""Processor time of a chunk that is aimed at: a scheduler needs some milliseconds for each."""
MOST_CHUNKS = 10_000
"""Files of a study; those of long ones become larger."""
MOST_IN_CHUNK = 200_000
TRIES = 3
"""Times that a chunk is begun again after its worker died."""
PATIENCE = 0.5
"""Seconds between looks at cancel, and at whether the place still answers."""
Tell = Callable[[int, int, float], None]
"""(runs done, runs in all, runs per second)."""


def fill(
    table: Table, place: Place, per_run: float, tell: Tell, cancel: Callable[[], bool], aligned: int = 1, seconds: float = SECONDS
) -> float:  # fmt: skip
    """Do what is missing.

    Parameters
    ----------
    table : Table
        Gets the chunks.
    place : Place
        Computes them.
    per_run : float
        Processor time of a run as far as it is known, s; corrected by what comes back.
    tell : callable
        Gets the progress.
    cancel : callable
        Nothing more is begun once it is true; what is under way is waited for.
    aligned : int
        Chunks begin and end at multiples of it.
    seconds : float
        Processor time of a chunk that is aimed at, s.

    Returns
    -------
    float
        Processor time of all chunks, s.
    """
    total, gaps, begun = len(table.outcomes), list(table.gaps())[::-1], time.monotonic()
    pending: dict[Future[Chunk], tuple[int, int]] = {}
    tries: dict[int, int] = {}
    spent, first, stopping = 0.0, table.done, False
    while gaps or pending:
        stopping = stopping or cancel()
        if stopping:
            gaps = []
        while gaps and len(pending) < place.slots:
            start, end = gaps.pop()
            size = _size(per_run, total, end - start, place.slots, seconds)
            stop = min(end, start + -(-size // aligned) * aligned)
            if stop < end:
                gaps.append((stop, end))
            pending[place.submit(start, stop)] = (start, stop)
        finished, _ = wait(pending, timeout=PATIENCE, return_when=FIRST_COMPLETED)
        if not finished:
            place.check()
        for future in finished:
            start, stop = pending.pop(future, (0, 0))
            if stop == 0:
                continue  # given up together with another one
            try:
                chunk = future.result()
            except Exception as error:
                if not place.lost(error):
                    raise
                # the others of a pool that broke have failed with it
                fallen = [pending.pop(each) for each in list(pending) if each.done() and each.exception() is not None]
                for again in [(start, stop), *fallen]:
                    tries[again[0]] = tries.get(again[0], 0) + 1
                    _check_tries(tries[again[0]], *again)
                    gaps.append(again)
                continue
            table.add(chunk)
            spent += chunk.seconds
            per_run = 0.5 * per_run + 0.5 * chunk.seconds / (stop - start)
            tell(table.done, total, (table.done - first) / max(time.monotonic() - begun, 1e-9))
    if stopping and table.done < total:
        raise Interrupted(f"interrupted after {table.done} of {total} runs")
    return spent


def _size(per_run: float, total: int, left: int, slots: int, seconds: float) -> int:
    """Runs of the next chunk: so many that it takes a while, and all workers have something to do at the end."""
    wanted = max(seconds / max(per_run, 1e-9), total / MOST_CHUNKS)
    return max(1, min(int(wanted), MOST_IN_CHUNK, -(-left // max(slots, 1))))


def _check_tries(tries: int, start: int, stop: int) -> None:
    if tries > TRIES:
        raise FlexarmError(
            f"whoever computes the runs {start} to {stop - 1} dies ({tries} times): too little memory is the usual reason; "
            "what is done is kept"
        )
