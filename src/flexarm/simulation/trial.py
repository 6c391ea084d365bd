"""`time.step: auto` put to the test: the run is tried with the estimated step and with half of it.

The promise is that halving the step changes the peaks of a run by less than `method.accuracy`. An estimate from the arm
and its drives cannot keep it in every case, so a model may ask for a trial: while the peaks still move, the step is
halved. Trials leave out what cannot be repeated (a controller from outside) and what would take long.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from flexarm.methods.base import Outcome
from flexarm.simulation.build import Setup
from flexarm.simulation.progress import Monitor
from flexarm.simulation.time_loop import TimeLoop

MOST_WORK = 1.5e8
"""Numbers that all trials of a run may compute, steps times state."""
CHUNK = 4096
SAFETY = 0.8
"""Share of the accuracy at which a trial is content: peaks between records are not seen by it."""


def checked(build: Callable[[float], Setup], step: float, accuracy: float, monitor: Monitor) -> Setup:
    """The setup whose step keeps the peaks, found by halving from `step` on."""
    setup = build(step)
    if setup.program.external or not setup.model.wants_trial:
        return setup
    work, peaks, change = 0.0, None, 0.0
    while True:
        finer = build(0.5 * max(interval.h for interval in setup.intervals))
        cost = _work(finer) + (_work(setup) if peaks is None else 0.0)
        if work + cost > MOST_WORK:
            setup.warnings.append(_doubt(change, accuracy))
            return build(setup.step)
        work += cost
        peaks = _peaks(setup, monitor) if peaks is None else peaks
        after = _peaks(finer, monitor)
        if peaks is None or after is None:
            return build(setup.step)
        change = float((np.abs(after - peaks) / np.maximum(np.abs(after), 1e-300)).max(initial=0.0))
        if change < SAFETY * accuracy:
            return build(setup.step)
        setup, peaks = finer, after


def _doubt(change: float, accuracy: float) -> str:
    if change == 0.0:
        return "the automatic step was not tried out, because that would take long: compare with half of it"
    return (
        f"the peaks still change by {100 * change:.2g} % when the automatic step is halved, more than method.accuracy "
        f"({100 * accuracy:g} %); give a smaller time.step, or damp the arm"
    )


def _work(setup: Setup) -> float:
    return float(setup.steps) * setup.model.record_width


def _peaks(setup: Setup, monitor: Monitor) -> np.ndarray | None:
    """Largest values of the readings that a run reports, (k,); None if the run fails."""
    loop = TimeLoop(setup)
    loop.enter()
    best = np.abs(setup.model.peaks_of(setup.model.record(loop.state)[None, :]))
    while not loop.finished:
        monitor.begin("trial", loop.time, setup.scenario.time.end)
        loop.enter()
        model = loop.model
        marched, _, _ = loop.chunk(CHUNK)
        if marched.outcome is not Outcome.SUCCESS:
            return None
        if len(marched.records):
            best = np.maximum(best, model.peaks_of(marched.records))
    return best
