"""A progress bar that appears when work takes longer than a moment; an interrupt that waits its turn."""

from __future__ import annotations

import signal
import threading
import time
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Any

from flexarm.commands.console import err, is_terminal

if TYPE_CHECKING:
    from rich.progress import Progress

DELAY = 0.4
"""Seconds of work before the bar appears."""
REFRESH = 0.05
"""Seconds between two updates."""
TIMED = ("trial", "march", "error estimate")
"""Stages of a run whose progress is simulated time."""
WORDS_FOR = {
    "build": "building",
    "trial": "trying the step",
    "march": "simulating",
    "label": "labelling",
    "error estimate": "estimating the error",
    "figures": "drawing figures",
    "animation": "drawing the animation",
}
"""What is shown of the stages of a run and its pictures; other stages say it themselves."""
WORDS = 40
"""Letters that are shown of what came last, where several bars stand below each other."""


class Bar:
    """A line on standard error with the stage, the place reached, the end, and the time left. It vanishes when done.

    Parameters
    ----------
    title : str
        What is being done, before the stage.
    wanted : bool
        False shows nothing; nor is anything shown where standard error is not a terminal.
    """

    def __init__(self, title: str = "", wanted: bool = True):
        self._title = title
        self._wanted = wanted and is_terminal()
        self._next = time.monotonic() + DELAY
        self._progress: Progress | None = None
        self._task: Any = None
        self._shown: tuple[str, float] = "", 0.0

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._progress is not None:
            self._progress.stop()

    def __call__(self, stage: str, done: float, total: float) -> None:
        """Show that `done` of `total` is done of a stage."""
        fresh = stage != self._shown[0] and self._progress is not None
        if not self._wanted or (time.monotonic() < self._next and not fresh):
            return
        self._next = time.monotonic() + REFRESH
        if self._progress is None:
            self._progress = _display()
            self._progress.start()
        if self._task is not None and fresh and total != self._shown[1]:  # other work, with a time left of its own
            self._progress.remove_task(self._task)
            self._task = None
        if self._task is None:
            self._task = self._progress.add_task("", total=total, where="")
        self._shown = stage, total
        words = f"{self._title}: {stage}" if self._title else WORDS_FOR.get(stage, stage)
        where = f"t = {done:.4g} of {total:.4g} s" if stage in TIMED else f"{done:g} of {total:g}"
        self._progress.update(self._task, description=words, completed=done, total=total, where=where)

    def step(self, done: int, end: int, what: str) -> None:
        """The same for work whose stage comes last."""
        self(what, done, end)


class Bars:
    """Several bars at once, one for each piece of work that has begun; they vanish when all is done.

    Parameters
    ----------
    wanted : bool
        False shows nothing; nor is anything shown where standard error is not a terminal.
    """

    def __init__(self, wanted: bool = True):
        self._progress = _display() if wanted and is_terminal() else None
        self._tasks: dict[str, Any] = {}

    def __enter__(self) -> Bars:
        if self._progress is not None:
            self._progress.start()
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._progress is not None:
            self._progress.stop()

    def __call__(self, title: str, done: int, end: int, what: str = "") -> None:
        """Show that `done` of `end` is done of the work called `title`, and `what` came last."""
        if self._progress is None:
            return
        if title not in self._tasks:
            self._tasks[title] = self._progress.add_task(title, total=end, where="")
        self._progress.update(self._tasks[title], completed=done, total=end, where=what[:WORDS])


def _display() -> Progress:
    """Bars of rich with what is done, where, and the time left."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=None),
        TextColumn("{task.fields[where]}", markup=False),
        TimeRemainingColumn(compact=True),
        TextColumn("left"),
    )
    return Progress(*columns, console=err(), transient=True, expand=True)


class Interrupt:
    """While it is active the first Ctrl-C is only noted; a second one breaks off at once.

    Calling it tells whether Ctrl-C was pressed.
    """

    def __init__(self) -> None:
        self.asked = False
        self._before: Any = None

    def __call__(self) -> bool:
        return self.asked

    def __enter__(self) -> Interrupt:
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.asked = True
        signal.signal(signal.SIGINT, signal.default_int_handler)
