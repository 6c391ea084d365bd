"""Several papers at once, each in a process of its own; what is done is kept when the work is broken off."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from queue import Empty
from typing import TYPE_CHECKING, Any

from flexarm.files import write_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from flexarm.papers.paper import Drawing

Tell = Callable[[str, int, int, str], Any]
"""(paper, done, all, what) -> nothing."""
WAIT = 0.2
"""Seconds between two looks at the messages of the processes."""


@dataclass(frozen=True)
class Order:
    """What shall be made of each paper.

    Attributes
    ----------
    folder : Path
        Each paper gets a folder in it.
    formats : tuple of str
        Formats of the figures.
    figures, quick, force : bool
        Whether to draw; whether to leave out what is slow; whether files may be replaced.
    """

    folder: Path
    formats: tuple[str, ...] = ("png",)
    figures: bool = True
    quick: bool = False
    force: bool = False


class _Stopped(Exception):
    """The work was broken off between two figures."""


def make_report(name: str, order: Order, tell: Tell, cancel: Callable[[], bool]) -> dict[str, Any]:
    """Work out one paper, write its files, and give back its report with the pictures in it."""
    from flexarm.papers import draw_figures, evaluate, get_paper
    from flexarm.papers.report import slow_parts
    from flexarm.view.page import png_data

    began, paper, pictures = time.perf_counter(), get_paper(name), []
    names = [item.name for item in paper.figures() if not (order.quick and item.name in slow_parts(paper))]
    names = names if order.figures else []

    def keep(item: Drawing, picture: Figure) -> None:
        pictures.append({"name": item.name, "caption": item.caption, "data": png_data(picture)})

    def drew(done: int, end: int, what: str) -> None:
        tell(name, size + done, size + end, what)
        if cancel():
            raise _Stopped

    report = evaluate(paper, lambda done, end, what: tell(name, done, end + len(names), what), cancel, order.quick)
    size = len(report.claims) + len(report.checks) + len(report.tables)
    folder, complete = order.folder / paper.id, report.complete
    write_text(folder / "report.json", report.to_json(), order.force)
    write_text(folder / "report.md", report.to_markdown(), order.force)
    if names and complete:
        try:
            draw_figures(paper, folder, order.formats, order.force, names, drew, keep)
        except _Stopped:
            complete = len(pictures) == len(names)
    found = report.to_dict()
    return {**found, "complete": complete, "seconds": round(time.perf_counter() - began, 1), "pictures": pictures}


def make_reports(
    names: Sequence[str], order: Order, tell: Tell, cancel: Callable[[], bool], workers: int | None = None
) -> Iterator[dict[str, Any]]:
    """The report of each paper, as soon as it is done; after a cancellation, of those that were begun."""
    most = min(len(names), workers or os.cpu_count() or 1)
    if most < 2:
        for name in names:
            if not cancel():
                yield make_report(name, order, tell, cancel)
        return
    context = multiprocessing.get_context()
    messages, stop = context.Queue(), context.Event()
    with ProcessPoolExecutor(most, mp_context=context, initializer=_begin, initargs=(messages, stop)) as pool:
        waiting: set[Future[dict[str, Any] | None]] = {pool.submit(_work, name, order) for name in names}
        while waiting:
            if cancel() and not stop.is_set():
                stop.set()
                waiting = {each for each in waiting if not each.cancel()}
            ready, waiting = wait(waiting, timeout=WAIT, return_when=FIRST_COMPLETED)
            _pass_on(messages, tell)
            for each in ready:
                if not each.cancelled() and (report := each.result()) is not None:
                    yield report


def _pass_on(messages: Any, tell: Tell) -> None:
    """What the processes have said since the last look."""
    while True:
        try:
            tell(*messages.get_nowait())
        except Empty:
            return


_MESSAGES: Any = None
_STOP: Any = None


def _begin(messages: Any, stop: Any) -> None:
    """A process of the pool: Ctrl-C is for the one that started it, which says when to stop."""
    global _MESSAGES, _STOP
    _MESSAGES, _STOP = messages, stop
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _work(name: str, order: Order) -> dict[str, Any] | None:
    """One paper in a process of the pool; None if the work was broken off before."""
    if _STOP.is_set():
        return None
    return make_report(name, order, lambda *message: _MESSAGES.put(message), _STOP.is_set)
