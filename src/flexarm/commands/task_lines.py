"""One live line for each piece of work that goes on, with the time left; plain lines where nobody looks at a terminal."""

from __future__ import annotations

import time
from types import TracebackType
from typing import TYPE_CHECKING, Any

from flexarm.commands.console import err, is_terminal, remark
from flexarm.commands.progress import WORDS_FOR

if TYPE_CHECKING:
    from rich.progress import Progress


class TaskLines:
    """Lines on standard error: name, what is being done, time so far, time left; and one for all of the work.

    Times left are guesses: expected times, corrected by how long the work that has ended really took.

    Parameters
    ----------
    expected : dict of str to float
        Seconds that each piece of work is expected to take.
    workers : int
        Pieces that go on at once.
    """

    def __init__(self, expected: dict[str, float], workers: int):
        self._expected, self._workers = expected, workers
        self._begun: dict[str, float] = {}
        self._took: dict[str, float] = {}
        self._progress: Progress | None = _display() if is_terminal() else None
        self._tasks: dict[str, Any] = {}

    def __enter__(self) -> TaskLines:
        if self._progress is not None:
            self._progress.start()
            self._tasks[""] = self._progress.add_task("all", what=self._count(), left=self._left_of_all)
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._progress is not None:
            self._progress.stop()

    def __call__(self, name: str, stage: str, done: float = 0.0, total: float = 0.0) -> None:
        """Show that a piece of work has begun, or at which stage it is."""
        if name not in self._begun:
            self._begun[name] = time.monotonic()
            if self._progress is None:
                remark(f"{name}: begun")
            else:
                self._tasks[name] = self._progress.add_task(name, what="", left=lambda: self._left(name))
        if self._progress is not None:
            words = WORDS_FOR.get(stage, stage)
            part = f" {done:g} of {total:g}" if stage == "figures" and total else ""
            self._progress.update(self._tasks[name], what=words + part)

    def end(self, name: str, outcome: str = "done") -> None:
        """Say that a piece of work has ended, and take its line away."""
        self._took[name] = time.monotonic() - self._begun.setdefault(name, time.monotonic())
        open_ones = len(self._expected) - len(self._took)
        rest = f"; {open_ones} to come, {about(self._left_of_all())}" if open_ones else ""
        sentence = f"{name}: {outcome} in {self._took[name]:.0f} s{rest}"
        if self._progress is None:
            remark(sentence)
            return
        if name in self._tasks:
            self._progress.remove_task(self._tasks.pop(name))
        self._progress.console.print(sentence)
        self._progress.update(self._tasks[""], what=self._count())

    def _count(self) -> str:
        return f"{len(self._took)} of {len(self._expected)} done"

    def _pace(self) -> float:
        """How much longer work takes than expected."""
        expected = sum(self._expected[name] for name in self._took)
        return sum(self._took.values()) / expected if expected > 0.0 else 1.0

    def _left(self, name: str) -> float:
        if name in self._took:
            return 0.0
        spent = time.monotonic() - self._begun[name] if name in self._begun else 0.0
        return max(self._pace() * self._expected[name] - spent, 1.0)

    def _left_of_all(self) -> float:
        left = [self._left(name) for name in self._expected]
        return max(sum(left) / self._workers, max(left, default=0.0))


def about(seconds: float) -> str:
    """A time left, as roughly as it is known."""
    return f"about {seconds:.0f} s left" if seconds < 90.0 else f"about {seconds / 60.0:.1f} min left"


def _display() -> Progress:
    from rich.progress import Progress, ProgressColumn, SpinnerColumn, Task, TextColumn, TimeElapsedColumn
    from rich.text import Text

    class Left(ProgressColumn):
        """The time left, asked for whenever the line is drawn."""

        def render(self, task: Task) -> Text:
            return Text(about(task.fields["left"]()))

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        TextColumn("{task.fields[what]}", markup=False),
        TimeElapsedColumn(),
        Left(),
    )
    return Progress(*columns, console=err(), transient=True, refresh_per_second=4)
