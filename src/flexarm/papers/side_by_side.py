"""Several papers at once, each in a process of its own; what is done is kept when the work is broken off."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flexarm.files import write_text
from flexarm.processes import side_by_side

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from flexarm.papers.paper import Drawing

Tell = Callable[[str, int, int, str], Any]
"""(paper, done, all, what) -> nothing."""


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
    return (report for _, report in side_by_side(_work, [(name, order) for name in names], tell, cancel, workers))


def _work(item: tuple[str, Order], tell: Tell, cancel: Callable[[], bool]) -> dict[str, Any]:
    return make_report(*item, tell, cancel)
