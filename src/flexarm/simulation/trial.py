"""`time.step: auto`: the run is tried with shorter and shorter steps until its peaks hold still.

The promise is that halving the step changes the peaks of a run by less than `method.accuracy`. No estimate from the arm
and its drives keeps it in every case, so the run itself is done, first with a step that just resolves the first modes,
then with half of it, and so on, until the promise is seen to be kept. Peaks of two runs may agree by chance, so

* the change before must not be more than four times as large as allowed, for it falls to a quarter at best;
* where every step is recorded, what a peak is missed by between two steps, as far as the parabola through it and its
  neighbours tells, must be below the accuracy too.

The run whose step is found is the answer; it is not done again. A trial of a run that would take long is cut short. Trials end
when their time is over, unless changes fall so fast that a few more of them will do. A
controller from outside cannot be asked twice, so the estimate of the method stands. Where peaks do not come to rest,
as those of undamped arms after a jump, a note says by how much they still change. Where a sampled law
whose loop is unstable loses its joint with one step and with half of it, no step would do.
"""

from __future__ import annotations

import time as clock
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from flexarm.methods.base import Outcome
from flexarm.simulation.build import MOST_BYTES, Setup, check_memory, record_bytes
from flexarm.simulation.log import Log
from flexarm.simulation.progress import Monitor
from flexarm.simulation.records import limit_records
from flexarm.simulation.time_loop import TimeLoop

SECONDS, HOPEFUL_SECONDS, MOST_SECONDS = 2.0, 12.0, 30.0
"""Time that the trials of a run may take, by the speed that its method says of itself; the second if the changes so far say
that it is enough, the third for long runs."""
LEVELS = 4
"""Halvings for which there is time in any case; where that is more than the most, the first part of the run is tried."""
CHUNK_SECONDS, LEAST_CHUNK, MOST_CHUNK = 0.02, 1024, 32768
"""Time between two looks at progress, by the speed that the method says of itself, and least and most steps in it."""
SAFETY = 0.8
"""Share of the accuracy at which a trial is content: peaks between records are not seen by it."""
BEST_RATIO = 0.25
"""Least ratio of two successive changes that is believed."""
STRONG = 0.3
"""The first change, which no other one confirms, has to be smaller by this factor."""
STALLED, HALVINGS, PATIENCE = 0.7, 3, 0.25
"""Changes that fall by less than this factor in so many halvings do not come to rest, once this share of the time is over."""
Build = Callable[..., Setup]
"""Set-up of the run for a step in s, and up to a time in s."""


@dataclass
class Trial:
    """A run that was done to judge its step.

    Attributes
    ----------
    setup : Setup
        With the records that it keeps.
    loop, log : TimeLoop, Log
        Where it ended, and what it recorded.
    peaks : ndarray or None
        Largest values of what a run reports, (k,); None if it failed.
    missed : ndarray
        How much of them falls between two steps, (k,).
    seconds : float
        Time that its steps took.
    """

    setup: Setup
    loop: TimeLoop
    log: Log
    peaks: np.ndarray | None
    missed: np.ndarray
    seconds: float


def checked(build: Build, step: float, estimate: Callable[[], float], accuracy: float, monitor: Monitor) -> Setup:
    """The set-up whose step keeps the peaks, found by halving from `step` on, with its run if that is done.

    Where nothing moves that could be judged the `estimate` stands.
    """
    first = build(step)
    until = first.scenario.time.end * min(1.0, MOST_SECONDS / (2.0 ** (LEVELS + 1) * _seconds(first)))
    start = limit_records(first if until == first.scenario.time.end else build(step, until))
    check_memory(start)
    coarse, spent, changes = _tried(start, monitor), 0.0, [np.inf]
    allowed = max(SECONDS, 2.0 ** (LEVELS + 1) * _seconds(coarse.setup))
    if coarse.peaks is not None and not coarse.loop.model.reader.moves(coarse.peaks):
        return build(min(step, estimate()))
    while True:
        finer = limit_records(build(0.5 * max(interval.h for interval in coarse.setup.intervals), until))
        spent += _seconds(finer)
        patient = spent <= PATIENCE * allowed or len(changes) <= LEVELS + HALVINGS
        stalled = not patient and changes[-1] >= STALLED * changes[-1 - HALVINGS]
        over = spent > allowed and spent + _still_needed(changes, accuracy, _seconds(finer)) > HOPEFUL_SECONDS
        if over or record_bytes(finer) > MOST_BYTES or stalled:
            return _settled(coarse, build, _doubt(changes[-1], accuracy))
        fine = _tried(finer, monitor)
        changes.append(_change(coarse, fine))
        now, before = changes[-1], changes[-2]
        sure = max(now, BEST_RATIO * before) if np.isfinite(before) else now / STRONG
        if max(sure, _missed(coarse)) < SAFETY * accuracy or _both_lost(coarse, fine):
            return _settled(coarse, build)
        coarse = fine


def _both_lost(coarse: Trial, fine: Trial) -> bool:
    """True if a sampled law whose loop is unstable has lost its joint with both steps: it is the law, not the step."""
    from flexarm.simulation.control_loops import BEFORE_A_RUN, loop_stability

    if not (coarse.loop.lost and fine.loop.lost):
        return False
    found = loop_stability(coarse.setup, BEFORE_A_RUN)
    return found is not None and not found.stable


def _settled(trial: Trial, build: Build, doubt: str = "") -> Setup:
    """The set-up of a trial, prepared for its steps; a trial of the whole run is the run."""
    setup, stop = build(trial.setup.step), trial.setup.intervals[-1].stop
    whole = stop == setup.intervals[-1].stop
    if not whole:
        setup.warnings.append(f"the automatic step was tried out over the first {stop:.3g} s: all would take long")
    if doubt:
        setup.warnings.append(doubt)
    ended = trial if whole and trial.peaks is not None else None
    return replace(setup, trial=ended, stabilities=trial.setup.stabilities)


def _doubt(change: float, accuracy: float) -> str:
    if not np.isfinite(change):
        return "the automatic step could not be tried out: compare with half of it"
    return (
        f"the peaks still changed by {100 * change:.2g} % when the automatic step was last halved, more than method.accuracy "
        f"({100 * accuracy:g} %); give a smaller time.step, or damp the arm"
    )


def _still_needed(changes: list[float], accuracy: float, seconds: float) -> float:
    """Time of the trials after the next one, which takes `seconds`, if changes fall on as they did in the last halvings."""
    before = changes[-1 - HALVINGS] if len(changes) > HALVINGS else np.inf
    if not (np.isfinite(before) and changes[-1] < STALLED * before):
        return np.inf
    fall = np.log(changes[-1] / before) / HALVINGS
    more = np.ceil(np.log(SAFETY * accuracy / changes[-1]) / fall)
    return float(seconds * (2.0 ** max(more, 1.0) - 2.0))


def _seconds(setup: Setup) -> float:
    """About how long the steps of a run take."""
    return float(setup.steps) * setup.model.record_width / setup.model.numbers_per_second


def _chunk(setup: Setup) -> int:
    """Steps between two looks at progress."""
    return int(np.clip(CHUNK_SECONDS * setup.steps / _seconds(setup), LEAST_CHUNK, MOST_CHUNK))


def _change(coarse: Trial, fine: Trial) -> float:
    """Largest change of a peak as a share of it, or of a fiftieth of the largest peak of its kind."""
    if coarse.peaks is None or fine.peaks is None:
        return np.inf
    sizes = fine.loop.model.reader.sizes(fine.peaks)
    return float((np.abs(fine.peaks - coarse.peaks) / sizes).max(initial=0.0))


def _missed(trial: Trial) -> float:
    """Largest share of a peak that falls between two steps."""
    if trial.peaks is None:
        return np.inf
    return float((trial.missed / trial.loop.model.reader.sizes(trial.peaks)).max(initial=0.0))


def _tried(setup: Setup, monitor: Monitor) -> Trial:
    loop = TimeLoop(setup)
    loop.load()
    log, chunk, began = Log(loop), _chunk(setup), clock.perf_counter()
    log.first(loop)
    while not loop.finished:
        monitor.begin("trial", loop.time, setup.intervals[-1].stop)
        loop.enter()
        log.note_model(loop)
        marched, times, rows = loop.chunk(chunk)
        log.add(times, rows, marched.records, marched.pressures)
        if marched.outcome is not Outcome.SUCCESS:
            return Trial(setup, loop, log, None, np.zeros(0), 0.0)
    seconds, records = clock.perf_counter() - began, np.concatenate(log.records)
    sizes = np.concatenate([model.reader.judged(records[part], records[0]) for model, part in log.pieces()])
    peaks, missed = _peaks(sizes, every_step=all(interval.record_every == 1 for interval in setup.intervals))
    log.last(loop)
    return Trial(setup, loop, log, peaks, missed, seconds)


def _peaks(sizes: np.ndarray, every_step: bool) -> tuple[np.ndarray, np.ndarray]:
    """Peaks of records (n, k), and what lies above them between records, (k,) each."""
    columns, at = np.arange(sizes.shape[1]), sizes.argmax(axis=0)
    peaks, missed = sizes[at, columns], np.zeros(len(columns))
    inside = (at > 0) & (at < len(sizes) - 1) & every_step
    k, i = columns[inside], at[inside]
    before, peak, after = sizes[i - 1, k], sizes[i, k], sizes[i + 1, k]
    missed[k] = (after - before) ** 2 / np.maximum(8.0 * (2.0 * peak - before - after), 1e-300)
    return peaks, missed
