"""Pieces of work side by side, each in a process of its own; what is done is handed over as soon as it is."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any

from flexarm.errors import FlexarmError

Tell = Callable[..., Any]
"""Called with whatever a piece of work has to say; in the process that started it."""
Work = Callable[[Any, Tell, Callable[[], bool]], Any]
"""(item, tell, cancel) -> what it makes of the item. A module-level function: another process must find it."""
WAIT = 0.2
"""Seconds between two looks at the caller's wish to stop."""


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def side_by_side(
    work: Work,
    items: Sequence[Any],
    tell: Tell = lambda *message: None,
    cancel: Callable[[], bool] = lambda: False,
    workers: int | None = None,
    grace: float | None = None,
) -> Iterator[tuple[int, Any]]:
    """What `work` makes of each item, with the number of the item, as soon as it is made.

    Items are begun in their order. Without a second item or a second processor all is done in this process.

    Parameters
    ----------
    work : callable
        ``work(item, tell, cancel)``, a function of a module. Item and answer must be picklable.
    items : sequence
        What to work on.
    tell : callable, optional
        Gets what the pieces of work say, in this process.
    cancel : callable, optional
        True once the work shall stop: nothing more is begun, and what has begun is asked to stop (its own `cancel`).
    workers : int, optional
        Processes at once; as many as there are processors when left out.
    grace : float, optional
        Seconds that work gets to stop by itself before its process is ended; for ever when left out.
    """
    most = min(len(items), workers or cores())
    if most < 2:
        for number, item in enumerate(items):
            if not cancel():
                yield number, work(item, tell, cancel)
        return
    context = multiprocessing.get_context()
    stop, begun, deadline = context.Event(), 0, float("inf")
    running: dict[Any, _Running] = {}
    try:
        while running or begun < len(items):
            if cancel() and not stop.is_set():
                stop.set()
                begun, deadline = len(items), time.monotonic() + (float("inf") if grace is None else grace)
            while begun < len(items) and len(running) < most:
                started = _start(context, work, begun, items[begun], stop)
                running[started.end] = started
                begun += 1
            if time.monotonic() > deadline:
                return
            for end in wait(list(running), timeout=WAIT):
                kind, content = _message(running[end])
                if kind == "says":
                    tell(*content)
                    continue
                done = running.pop(end)
                done.process.join()
                if kind == "failed":
                    raise content
                yield done.number, content
    finally:
        for left in running.values():
            left.process.terminate()
        for left in running.values():
            left.process.join()


@dataclass(frozen=True)
class _Running:
    """A process, the number of its item, and the end of the line to it."""

    process: Any
    number: int
    end: Connection


def _start(context: Any, work: Work, number: int, item: Any, stop: Any) -> _Running:
    end, other = context.Pipe(duplex=False)
    process = context.Process(target=_run, args=(work, item, other, stop), daemon=True)
    process.start()
    other.close()  # so that the end of the process is noticed
    return _Running(process, number, end)


def _message(running: _Running) -> tuple[str, Any]:
    try:
        return running.end.recv()
    except EOFError:
        running.process.join()
        code = running.process.exitcode
        return "failed", FlexarmError(
            f"a process ended in the middle of its work (exit code {code}): too little memory is the usual reason"
        )


def _run(work: Work, item: Any, line: Connection, stop: Any) -> None:
    """In the other process. Ctrl-C is for the one that started it, which says when to stop."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        line.send(("done", work(item, lambda *message: line.send(("says", message)), stop.is_set)))
    except Exception as error:
        line.send(("failed", error))
