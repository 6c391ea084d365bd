"""`simulate`: a whole run from a scenario to a labelled result."""

from __future__ import annotations

import itertools
import time as clock
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from flexarm.errors import ControllerError, FlexarmError, OutputError
from flexarm.methods.base import Model, Outcome, Steps
from flexarm.result import Result
from flexarm.scenario import Scenario, load
from flexarm.simulation import checkpoint as saving
from flexarm.simulation.build import Setup, check_memory, prepare
from flexarm.simulation.control_loops import BEFORE_A_RUN, law_warnings
from flexarm.simulation.controllers import Controller
from flexarm.simulation.label import label
from flexarm.simulation.records import limit_records
from flexarm.simulation.step_doubling import add_error_estimate
from flexarm.simulation.time_limit import DEFAULT, TimeLimit
from flexarm.simulation.time_loop import TimeLoop

CHUNK = 4096
CHECKPOINT_SECONDS = 10.0


class Log:
    """Records of a run, in pieces; a new piece begins where an event changed the model."""

    def __init__(self, loop: TimeLoop):
        self.times: list[np.ndarray] = [np.zeros(1)]
        self.rows: list[np.ndarray] = []
        self.records: list[np.ndarray] = []
        self.marks: list[int] = []
        """Number of records before each change of the model."""
        self.models: list[Model] = [loop.model]

    def first(self, loop: TimeLoop) -> None:
        """Note the start."""
        self.records.append(loop.model.record(loop.state)[None, :])
        self.rows.append(loop.table(0, 0, 1)[:1])

    def add(self, times: np.ndarray, rows: np.ndarray, records: np.ndarray) -> None:
        """Append records."""
        if len(records):
            self.times.append(times[: len(records)])
            self.rows.append(rows[: len(records)])
            self.records.append(records)

    def last(self, loop: TimeLoop) -> None:
        """Note the end, where the rhythm of the records has not met it."""
        grid = loop.intervals[loop.state.interval]
        if self.times[-1][-1] < grid.stop:
            row = loop.held_in(loop.table(loop.state.interval, grid.steps - 1, 1))[1:]
            self.add(np.array([grid.stop]), row, loop.model.record(loop.state)[None, :])

    def note_model(self, loop: TimeLoop) -> None:
        """Begin a new piece if the model has changed."""
        if loop.model is not self.models[-1]:
            self.models.append(loop.model)
            self.marks.append(sum(len(r) for r in self.records))

    def arrays(self) -> dict[str, np.ndarray]:
        """All records as three arrays."""
        return {
            "times": np.concatenate(self.times),
            "rows": np.concatenate(self.rows),
            "records": np.concatenate(self.records),
        }

    def restore(self, arrays: dict[str, np.ndarray], marks: list[int], loop: TimeLoop) -> None:
        """Continue from a checkpoint."""
        self.times, self.rows, self.records = [arrays["times"]], [arrays["rows"]], [arrays["records"]]
        self.marks = list(marks)
        models = [loop.setup.model]
        state = loop.state
        for event in loop.setup.events[: loop.events_done]:
            models.append(models[-1].change(state, event.payload, event.rule)[0])
        self.models = [*models[:-1], loop.model]


def simulate(
    scenario: Scenario | str | Path,
    method: str | None = None,
    *,
    controller: Controller | None = None,
    progress: Callable[[float, float], Any] | None = None,
    cancel: Callable[[], bool] | None = None,
    checkpoint: str | Path | None = None,
    resume: str | Path | None = None,
    chunk: int = CHUNK,
    warn: bool = True,
    controller_limit: float = DEFAULT,
) -> Result:
    """Run a scenario.

    Parameters
    ----------
    scenario : Scenario, str or Path
        A scenario, the name of a bundled one, or a file.
    method : str, optional
        Another method than the scenario's.
    controller : callable, optional
        ``controller(time, reading) -> torques`` for joints with ``control: {type: external, period: ...}``.
    progress : callable, optional
        Called with (simulated time, end) now and then.
    cancel : callable, optional
        The run stops, keeping what it has, once this returns True.
    checkpoint, resume : path, optional
        Where to save the state of the run now and then; where to continue from.
    chunk : int
        Steps between looks at `progress` and `cancel`; it does not change a bit of the answer.
    warn : bool
        Look at the closed loop in a few poses first: gains that destabilise the arm are named in the notes.
    controller_limit : float
        Real time in s that one call of the controller may take; a run whose controller takes longer ends and keeps
        what it has.

    Returns
    -------
    Result
        With ``.data`` (xarray.Dataset), ``.success``, ``.outcome``, ``.timing``.

    Examples
    --------
    >>> import flexarm as fa
    >>> result = fa.simulate("tokhi-azad")
    >>> round(float(result.data.travel[-1]), 3)
    0.177
    """
    if chunk < 1:
        raise FlexarmError(f"chunk is the number of steps between two looks at progress, at least 1, not {chunk}")
    times = [clock.perf_counter()]
    setup = prepare(_chosen(scenario, method))
    limit_records(setup)
    if warn:
        setup.warnings.extend(law_warnings(setup.scenario, BEFORE_A_RUN))
    loop, log = _begin(setup, controller, checkpoint, resume)
    times.append(clock.perf_counter())
    with TimeLimit(controller_limit) as loop.time_limit:
        loop.enter()
    loop.model.march(loop.state, Steps(setup.step, loop.table(0, 0, 0), 0))  # no step: only loads the kernels
    times.append(clock.perf_counter())
    with TimeLimit(controller_limit) as loop.time_limit:
        outcome, message = _march(loop, log, progress, cancel, checkpoint, chunk, fresh=resume is None)
    times.append(clock.perf_counter())
    result = label(setup, loop, log, outcome, message)
    result.timing = _timing(times, loop)
    if result.success and setup.model.estimates_error:
        if controller is None:
            add_error_estimate(result, setup.scenario, setup.step, partial(simulate, warn=False))
        else:
            result.notes.append("error estimate: none, because a controller cannot be run twice")
    return result


def _chosen(scenario: Scenario | str | Path, method: str | None) -> Scenario:
    """The scenario, read if it is a name or a file, with the method that is asked for."""
    if not isinstance(scenario, Scenario):
        scenario = load(scenario)
    if method is None or method == scenario.method.name:
        return scenario
    return scenario.with_({"method": {"name": method}})


def _begin(
    setup: Setup, controller: Controller | None, checkpoint: str | Path | None, resume: str | Path | None
) -> tuple[TimeLoop, Log]:
    """TimeLoop and log at the start, or where a checkpoint left them; refuses what cannot work."""
    check_memory(setup)
    _check_controller(setup, controller)
    if checkpoint is not None or resume is not None:
        saving.check_controller(controller)
    loop = TimeLoop(setup, controller)
    log = Log(loop)
    if resume is not None:
        saving.restore(resume, loop, log)
    return loop, log


def _timing(times: list[float], loop: TimeLoop) -> dict[str, float]:
    """Seconds of the parts of a run that has just been labelled; `times` are its start and the ends of the other parts."""
    build, load_kernels, march = (after - before for before, after in itertools.pairwise(times))
    return {
        "build": build,
        "compile": load_kernels,
        "march": march,
        "label": clock.perf_counter() - times[-1],
        "real_time_factor": loop.time / max(march, 1e-12),
        "steps": sum(grid.steps for grid in loop.intervals),
    }


def _save(checkpoint: str | Path, loop: TimeLoop, log: Log) -> None:
    """Write a checkpoint; if that fails the run goes on and says so at its end."""
    try:
        saving.save(checkpoint, loop, log)
    except OutputError as error:
        note = f"no checkpoint: {error}"
        if note not in loop.setup.warnings:
            loop.setup.warnings.append(note)


def _check_controller(setup: Setup, controller: Controller | None) -> None:
    names = setup.program.external
    if names and controller is None:
        raise ControllerError(
            f"joint {', '.join(names)} takes its torque from a controller: give one "
            "(--controller file.py:name, or controller= in Python)",
            field="drive.control",
        )
    if controller is not None and not names:
        raise ControllerError(
            "a controller was given, but no joint has control: {type: external, period: ...}",
            field="drive.control",
        )


def _march(
    loop: TimeLoop,
    log: Log,
    progress: Callable[[float, float], Any] | None,
    cancel: Callable[[], bool] | None,
    checkpoint: str | Path | None,
    chunk: int,
    fresh: bool,
) -> tuple[Outcome, str]:
    """The loop. Whatever happens, the log holds all records up to the last good step."""
    end, saved = loop.setup.scenario.time.end, clock.monotonic()
    outcome, message = Outcome.SUCCESS, ""
    try:
        if fresh:
            log.first(loop)
        while not loop.finished:
            loop.enter()
            log.note_model(loop)
            marched, times, rows = loop.chunk(chunk)
            log.add(times, rows, marched.records)
            if marched.outcome is not Outcome.SUCCESS:
                outcome = marched.outcome
                message = f"{outcome.sentence} (at t = {loop.time:.6g} s)"
                break
            if progress is not None:
                progress(loop.time, end)
            if checkpoint is not None and clock.monotonic() - saved > CHECKPOINT_SECONDS:
                _save(checkpoint, loop, log)
                saved = clock.monotonic()
            if cancel is not None and cancel():
                outcome = Outcome.CANCELLED
                break
        if loop.finished:
            log.last(loop)
    except KeyboardInterrupt:
        outcome = Outcome.CANCELLED
    except ControllerError as error:
        outcome, message = Outcome.CONTROLLER_FAILED, str(error)
        if not log.records:
            raise
    if checkpoint is not None and outcome in (Outcome.CANCELLED, Outcome.SUCCESS):
        _save(checkpoint, loop, log)
    if not log.records:
        raise FlexarmError("the run was interrupted before its first step")
    return outcome, message or outcome.sentence
