"""Many runs: one after the other, or side by side in processes when that pays; the numbers are the same to the last bit."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from flexarm.errors import FlexarmError
from flexarm.processes import cores, side_by_side
from flexarm.result import Result
from flexarm.scenario import Scenario
from flexarm.simulation.run import simulate

PAYS = 3.0
"""Seconds of work that must be left, as the first run tells, before processes are started."""
Keep = Callable[[Result], Any]
"""What is kept of a run. A function of a module, or a partial of one: another process must find it. What it gives is picklable."""


def run_many(scenarios: Sequence[Scenario], keep: Keep, workers: int | None = None) -> list[Any]:
    """Run scenarios and keep something of each.

    Parameters
    ----------
    scenarios : sequence of Scenario
        What to run.
    keep : callable
        ``keep(result)``, for example ``operator.attrgetter("outcome")``.
    workers : int, optional
        Processes at once; by default as many as there are processors, and one if little work is left after the first run.

    Returns
    -------
    list
        For each scenario what was kept, or the error (`FlexarmError`) with which its run was refused or ended early.
    """
    found: list[Any] = []
    if workers is None and scenarios:
        begun = time.perf_counter()
        found.append(_one((scenarios[0], keep)))
        left = (len(scenarios) - 1) * (time.perf_counter() - begun)
        workers = 1 if left < PAYS or cores() < 2 else None
    orders = [(scenario, keep) for scenario in scenarios[len(found) :]]
    late: list[Any] = [None] * len(orders)
    for number, kept in side_by_side(_one, orders, workers=workers):
        late[number] = kept
    return found + late


def _one(order: tuple[Scenario, Keep], *_: Any) -> Any:
    scenario, keep = order
    try:
        result = simulate(scenario, warn=False, notes=False)
        return keep(result) if result.success else FlexarmError(result.message)
    except FlexarmError as error:
        return error
