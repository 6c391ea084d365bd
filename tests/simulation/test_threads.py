"""Runs in several threads: the same numbers, to the last bit, as one after the other."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable

import numpy as np
import pytest

import flexarm as fa
from flexarm.simulation.control_loops import law_warnings

CASES = {
    "fd": ("pd-hub", {"time.end": "0.2 s"}),
    "fd, another payload": ("pd-hub", {"time.end": "0.2 s", "arm.payload.mass": "30 g"}),
    "fem": ("naganathan-flexible", {"time.end": "0.2 s"}),
    "fem, finer": ("naganathan-flexible", {"time.end": "0.2 s", "method.resolution": 5}),
}


@pytest.fixture(autouse=True)
def impatient():
    """Threads change places often."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


def at_once(jobs: dict[str, Callable[[], object]]) -> dict[str, object]:
    """What jobs that begin together give, each in a thread of its own; an exception counts as what it gave."""
    found: dict[str, object] = {}
    begin = threading.Barrier(len(jobs))

    def work(name: str) -> None:
        begin.wait()
        try:
            found[name] = jobs[name]()
        except Exception as error:
            found[name] = error

    threads = [threading.Thread(target=work, args=(name,)) for name in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


@pytest.mark.parametrize("names", [("fd", "fem"), tuple(CASES)], ids=["two", "four"])
def test_runs_in_threads_are_those_of_one_thread(names):
    def run(name: str) -> tuple[np.ndarray, list[str]]:
        scenario, changes = CASES[name]
        result = fa.simulate(fa.load(scenario).with_(changes))
        return result.data["tip_position"].values, result.notes

    alone = {name: run(name) for name in names}
    together = at_once({name: lambda name=name: run(name) for name in names})
    for name, (tip, notes) in alone.items():
        assert np.array_equal(together[name][0], tip) and together[name][1] == notes


def test_one_scenario_in_two_threads():
    scenario = fa.load("pd-hub").with_({"time.end": "0.2 s"})
    alone = fa.simulate(scenario).data["tip_position"].values
    both = at_once({name: lambda: fa.simulate(scenario).data["tip_position"].values for name in ("a", "b")})
    assert np.array_equal(both["a"], alone) and np.array_equal(both["b"], alone)


def test_laws_of_many_scenarios_are_looked_at_in_four_threads():
    base = fa.load("pd-hub")

    def look(thread: int) -> list[list[str]]:
        return [law_warnings(base.with_({"drive.link.control.kp": 3.0 + 0.01 * (4 * k + thread)}), 1) for k in range(6)]

    assert at_once({str(k): lambda k=k: look(k) for k in range(4)}) == {str(k): look(k) for k in range(4)}
