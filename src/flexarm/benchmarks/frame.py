"""What every bench gives: contests between programs, growth of the cost with size; and how times are taken."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

Job = Callable[[], float]
"""Runs, and returns the seconds that count."""


@dataclass(frozen=True)
class Entry:
    """One program in a contest.

    Attributes
    ----------
    who : str
        Program and setting.
    us_per_step : float
        Least processor time per step, µs.
    ratio, low, high : float
        Least time over that of the first entry; least and greatest ratio of two runs that followed each other.
    error : float or None
        How far its answer is off, in the unit of the contest.
    """

    who: str
    us_per_step: float
    ratio: float
    low: float
    high: float
    error: float | None = None


@dataclass(frozen=True)
class Contest:
    """The same model in several programs; flexarm comes first.

    Attributes
    ----------
    bench, title, settings : str
        Name of the bench, the model, how it was run.
    measure : str
        What `error` is, with its unit.
    entries : tuple of Entry
        flexarm first.
    judged : str
        Who the ratio of this contest is taken to: the fastest other program.
    missing : str
        What was left out, and how to get it.
    """

    bench: str
    title: str
    settings: str
    measure: str
    entries: tuple[Entry, ...]
    missing: str = ""

    @property
    def judged(self) -> Entry | None:
        """The fastest of the others; None if flexarm was alone."""
        others = [entry for entry in self.entries if not entry.who.startswith("flexarm")]
        return min(others, key=lambda entry: entry.us_per_step, default=None)


@dataclass(frozen=True)
class Growth:
    """Cost over size.

    Attributes
    ----------
    unit : str
        What is counted: element, segment, ...
    sizes, us_per_step, ns_per_unit : tuple of float
        Size, time of a step, time per unit and pass of the solver.
    """

    bench: str
    title: str
    unit: str
    sizes: tuple[int, ...]
    us_per_step: tuple[float, ...]
    ns_per_unit: tuple[float, ...]

    @property
    def spread(self) -> float:
        """Greatest over least cost per unit: 1 means exactly linear growth."""
        return max(self.ns_per_unit) / min(self.ns_per_unit)


@dataclass
class Findings:
    """All that `bench` measured."""

    machine: dict[str, Any]
    contests: list[Contest] = field(default_factory=list)
    growths: list[Growth] = field(default_factory=list)
    numbers: dict[str, float] = field(default_factory=dict)
    """Start-up and compile times and single figures, each with its unit in the name."""
    tables: list[dict[str, Any]] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for tracking over time."""
        contests = []
        for each in self.contests:
            judged = each.judged
            contests.append({**asdict(each), "ratio": judged and judged.ratio, "ratio_to": judged and judged.who})
        return {
            "machine": self.machine,
            "contests": contests,
            "growth": [{**asdict(each), "spread": each.spread} for each in self.growths],
            "numbers": self.numbers,
            "tables": self.tables,
            "left_out": self.left_out,
        }


def timed(job: Callable[[], object]) -> float:
    """Processor time of a job in this thread, s."""
    began = time.thread_time()
    job()
    return time.thread_time() - began


def interleaved(jobs: Mapping[str, Job], repeats: int) -> dict[str, np.ndarray]:
    """Seconds of each job, (repeats,), one after the other so that noise hits all alike; a first run does not count."""
    for job in jobs.values():
        job()
    found: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(repeats):
        for name, job in jobs.items():
            found[name].append(job())
    return {name: np.array(seconds) for name, seconds in found.items()}


def entries(
    seconds: Mapping[str, np.ndarray], steps: Mapping[str, int], errors: Mapping[str, float] | None = None
) -> tuple[Entry, ...]:
    """Entries of a contest from the times of its runs; ratios are those to the first."""
    first = next(iter(seconds.values()))
    made = []
    for name, own in seconds.items():
        ratios = own / first
        error = None if errors is None else errors.get(name)
        least, most = float(ratios.min()), float(ratios.max())
        made.append(Entry(name, 1e6 * own.min() / steps[name], float(own.min() / first.min()), least, most, error))
    return tuple(made)


def growth(
    bench: str,
    title: str,
    unit: str,
    sizes: Sequence[int],
    jobs: Sequence[Job],
    repeats: int,
    work: Callable[[int], Any],
) -> Growth:
    """Cost over size; `work(k)` gives (steps, units times passes per step) of the k-th size after its runs."""
    seconds = interleaved({str(n): job for n, job in zip(sizes, jobs, strict=True)}, repeats)
    steps, units = zip(*(work(k) for k in range(len(sizes))), strict=True)
    each = [float(seconds[str(n)].min()) / count for n, count in zip(sizes, steps, strict=True)]
    per = tuple(1e9 * t / u for t, u in zip(each, units, strict=True))
    return Growth(bench, title, unit, tuple(sizes), tuple(1e6 * t for t in each), per)
