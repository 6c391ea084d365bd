"""How well a paced run kept up, in words, numbers and histograms for the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from flexarm.commands.console import facts, heading, out, table
from flexarm.commands.histogram import lines
from flexarm.commands.numbers import say
from flexarm.simulation.realtime import percentiles

if TYPE_CHECKING:
    from flexarm.simulation.realtime import Timing

MOST_TIMES = 8
"""How many missed deadlines are listed."""


def report(title: str, timing: Timing, files: list[Path]) -> None:
    """Print how much was done, real-time factor, missed deadlines, percentiles and histograms."""
    heading(title)
    rows = [("done", f"{timing.steps} of {timing.planned} periods of {say(timing.period, 's')}")]
    if timing.steps:
        factor = timing.real_time_factor
        pace = f"{1 / factor:.3g} times faster than needed" if factor < 1 else "too slow for this rate"
        rows.append(("real-time factor", f"{factor:.3g} (mean time per step / period), {pace}"))
        rows.append(("missed deadlines", misses(timing)))
    out().print(facts(rows))
    if timing.steps:
        _jitter(timing)
    if files:
        heading(f"Files in {files[0].parent}")
        out().print("  ".join(path.name for path in files))


def _jitter(timing: Timing) -> None:
    pairs = {"begun late by": timing.wake, "computing time": timing.compute}
    found = {words: percentiles(values) for words, values in pairs.items()}
    names = list(next(iter(found.values())))
    cells = [[words, *(say(values[name], "s") for name in names)] for words, values in found.items()]
    out().print()
    out().print(table(["percentiles", *names], cells, range(1, len(names) + 1)))
    for words, values in pairs.items():
        heading(f"{words[0].upper()}{words[1:]} (number of periods; bars logarithmic)")
        for line in lines(values, max(out().width - 32, 10)):
            out().print(line, soft_wrap=True)


def misses(timing: Timing) -> str:
    """How many deadlines were missed, the worst, and when."""
    if not len(timing.missed):
        return "none"
    times = [f"{at:.4g}" for at in timing.missed_times[:MOST_TIMES]]
    more = len(timing.missed) - len(times)
    tail = f" and {more} more" if more > 0 else ""
    return f"{len(timing.missed)}, worst by {say(timing.worst_lateness, 's')}, at t = {', '.join(times)} s{tail}"
