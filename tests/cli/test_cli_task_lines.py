"""Lines of progress: what a terminal shows, what is said without one, and the guess of the time left."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console

from flexarm.commands import task_lines


@pytest.fixture
def clock(monkeypatch):
    """Time that passes when it is told to."""
    now = [100.0]
    monkeypatch.setattr(task_lines.time, "monotonic", lambda: now[0])

    def wait(seconds: float) -> None:
        now[0] += seconds

    return wait


def test_the_time_left_follows_what_was_needed(clock, monkeypatch):
    """Two at once: work that took twice as long as expected makes the rest twice as long."""
    monkeypatch.setattr(task_lines, "is_terminal", lambda: False)
    said: list[str] = []
    monkeypatch.setattr(task_lines, "remark", said.append)
    with task_lines.TaskLines({"a": 10.0, "b": 30.0, "c": 20.0}, workers=2) as lines:
        lines("a", "build")
        lines("b", "build")
        clock(20.0)
        lines.end("a")  # b has 2 * 30 - 20 = 40 s to go, c all of its 40 s
        lines("c", "march")
        clock(50.0)
        lines.end(
            "c", "failed"
        )  # three times 30 expected, 70 needed: b has 70 - 70 s to go, and says at least a second
        lines.end("b")
    assert said == [
        "a: begun", "b: begun", "a: done in 20 s; 2 to come, about 40 s left", "c: begun",
        "c: failed in 50 s; 1 to come, about 1 s left", "b: done in 70 s",
    ]  # fmt: skip


def test_a_terminal_shows_a_line_per_task(monkeypatch):
    screen = Console(file=io.StringIO(), force_terminal=True, width=100, highlight=False)
    monkeypatch.setattr(task_lines, "is_terminal", lambda: True)
    monkeypatch.setattr(task_lines, "err", lambda: screen)
    with task_lines.TaskLines({"a": 10.0, "b": 100.0}, workers=2) as lines:
        lines("a", "figures", 2, 3)
        lines("b", "compiling")
        lines._progress.refresh()
        lines.end("a")
        lines._progress.refresh()
    shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", screen.file.getvalue())
    assert re.search(r"a +drawing figures 2 of 3 +0:00:00 about 10 s left", shown)
    assert re.search(r"b +compiling +0:00:00 about 1.7 min left", shown)
    assert "all 0 of 2 done" in shown and "all 1 of 2 done" in shown and "a: done in 0 s; 1 to come" in shown
