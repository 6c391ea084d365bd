"""`bench_against`: this installation beside another one, run in turn, row by row."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from flexarm.benchmarks import BENCHES
from flexarm.benchmarks.measure import checked, machine
from flexarm.benchmarks.pairs import PairRatio, pair_ratio
from flexarm.benchmarks.side import Side, here
from flexarm.benchmarks.starting import FIRST, MORE, SAMPLES
from flexarm.benchmarks.worker import ROWS

ROUNDS, PAIRS, COMPILE_PAIRS = 8, 3, 2
"""Rounds of new processes, pairs of runs per row in each; pairs of first runs."""
WORK = 0.1
"""Processor time in s that the work of one measurement shall take here; the other side does the same work."""
Pair = tuple[float, float]
"""Processor times in s, here and there."""


@dataclass
class Against:
    """This installation beside another.

    Attributes
    ----------
    machine, here, there : dict
        Where it was measured, and the two installations: `flexarm`, `place`, `python`.
    rows : list of PairRatio
        Ratios of processor times, this over the other.
    left_out : list of str
        Rows that one of them cannot do, with the reason.
    """

    machine: dict[str, Any]
    here: dict[str, Any]
    there: dict[str, Any]
    rows: list[PairRatio] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)

    @property
    def slower(self) -> list[PairRatio]:
        """Rows whose whole interval lies above 1.05."""
        return [each for each in self.rows if each.low > 1.05]

    def to_dict(self) -> dict[str, Any]:
        """Plain data for tracking over time."""
        return asdict(self)


def bench_against(
    python: str,
    names: Sequence[str] | None = None,
    rounds: int = ROUNDS,
    compiling: bool = False,
    progress: Callable[[int, int, str], Any] | None = None,
    cancel: Callable[[], bool] | None = None,
    rows: Sequence[str] | None = None,
    work: float = WORK,
) -> Against:
    """Measure this installation and another one in turn, on this machine, now.

    In each round both start a new worker. Row by row they are warmed up and then do the same work one after the other,
    the first of a pair being second in the next.

    Parameters
    ----------
    python : str
        Path of a Python interpreter in which another flexarm is installed.
    names : sequence of str, optional
        Which benches (see `BENCHES`); all when left out.
    rounds : int
        Rounds, each of `PAIRS` pairs of measurements per row.
    compiling : bool
        Whether to measure first runs with an empty cache too, which takes minutes.
    progress, cancel : callable, optional
        Called with (done, all, what); asked between two rows.
    rows : sequence of str, optional
        Which rows (see `ROWS` in benchmarks/worker.py); all of the benches when left out.
    work : float
        Processor time of one measurement, s.
    """
    benches = [checked(name) for name in names] if names else list(BENCHES)
    chosen = [row for row, (bench, _) in ROWS.items() if bench in benches and (rows is None or row in rows)]
    first_runs = list(benches) if compiling else []
    total = rounds * len(chosen) + len(first_runs)
    times: dict[str, list[list[Pair]]] = {}
    counts: dict[str, int] = {}
    found: Against | None = None
    done = 0

    def going_on(what: str) -> bool:
        if progress is not None:
            progress(done, total, what)
        return cancel is None or not cancel()

    for number in range(rounds):
        with here() as own, Side(python) as other:
            found = found or Against(machine(), own.about, other.about)
            for row in [each for each in chosen if number == 0 or each in times]:
                if not going_on(row):
                    break
                made = _pairs(own, other, row, counts, work)
                found.left_out.append(made) if isinstance(made, str) else times.setdefault(row, []).append(made)
                done += 1
            while first_runs and number == rounds - 1 and going_on(f"compiling {first_runs[0]}"):
                name = first_runs.pop(0)
                made = _first_runs(own, other, name)
                if isinstance(made, str):
                    found.left_out.append(made)
                else:
                    times[f"first run with an empty cache, {name}"] = [[pair] for pair in made]
                done += 1
    assert found is not None
    found.rows = [pair_ratio(row, each) for row, each in times.items()]
    return found


def _turns(pairs: int, own: Callable[[], float], other: Callable[[], float]) -> Iterator[Pair]:
    """Times (own, other) of runs that follow each other; who is first changes from pair to pair."""
    for k in range(pairs):
        if k % 2:
            second = other()
            yield own(), second
        else:
            first = own()
            yield first, other()


def _pairs(own: Side, other: Side, row: str, counts: dict[str, int], work: float) -> list[Pair] | str:
    """Times of the pairs of one round; a sentence if one of the installations cannot do it."""
    for side, whose in ((own, "this installation"), (other, "the other installation")):
        told = side.ask(prepare=row)
        if "skip" in told:
            return f"{row}, which {whose} cannot do: {told['skip']}"
    if row not in counts:
        counts[row] = own.ask(calibrate=row, seconds=work).get("count", 1)

    def run(side: Side) -> float:
        return float(side.ask(run=row, count=counts[row])["seconds"])

    try:
        return list(_turns(PAIRS, lambda: run(own), lambda: run(other)))
    except KeyError:
        return f"{row}, which failed while it was measured"


def _first_runs(own: Side, other: Side, name: str) -> list[Pair] | str:
    scenario, end, method = SAMPLES[name]
    code = FIRST.format(scenario=scenario, end=end, method=method, more=MORE.get(name, ""))
    try:
        return list(_turns(COMPILE_PAIRS, lambda: own.first_run(code), lambda: other.first_run(code)))
    except subprocess.CalledProcessError:
        return f"first run with an empty cache, {name}, which one of the installations cannot do"
