"""`simulate`: a whole run from a scenario to a labelled result."""

from __future__ import annotations

import functools
import itertools
import time as clock
from pathlib import Path

from flexarm.errors import ControllerError, FlexarmError, Interrupted, OutputError
from flexarm.methods.base import Outcome
from flexarm.numerics.blas import with_one_blas_thread
from flexarm.result import Result
from flexarm.scenario import Scenario, as_scenario
from flexarm.simulation import checkpoint as saving
from flexarm.simulation.build import Setup, check_memory, prepare
from flexarm.simulation.control_loops import lost_advice
from flexarm.simulation.controllers import Controller
from flexarm.simulation.error_estimate import add_error_estimate
from flexarm.simulation.label import label
from flexarm.simulation.log import Log
from flexarm.simulation.progress import Cancel, Monitor, Progress
from flexarm.simulation.records import limit_records
from flexarm.simulation.time_limit import DEFAULT, TimeLimit
from flexarm.simulation.time_loop import TimeLoop

CHUNK = 4096
CHECKPOINT_SECONDS = 10.0


@with_one_blas_thread
def simulate(
    scenario: Scenario | Setup | str | Path,
    method: str | None = None,
    *,
    controller: Controller | None = None,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
    checkpoint: str | Path | None = None,
    resume: str | Path | None = None,
    chunk: int = CHUNK,
    warn: bool = True,
    notes: bool = True,
    controller_limit: float = DEFAULT,
) -> Result:
    """Run a scenario.

    Parameters
    ----------
    scenario : Scenario, Setup, str or Path
        A scenario, the name of a bundled one, a file, or what `flexarm.simulation.build.prepare` made of one.
    method : str, optional
        Another method than the scenario's.
    controller : callable, optional
        ``controller(time, reading) -> torques`` for joints with ``control: {type: external, period: ...}``; one of `controller` or
        of `lqg` runs compiled, inside the steps.
    progress : callable, optional
        Called with (stage, done, total) now and then, first before anything is built. Stages are ``build``, ``trial`` (runs
        that confirm an automatic step), ``march``, ``label`` and ``error estimate``; done and total of those that march
        are simulated times in s.
    cancel : callable, optional
        Asked in every stage; once it returns True the run stops and keeps what it has (`Interrupted` is raised if that
        is nothing yet).
    checkpoint, resume : path, optional
        Where to save the state of the run now and then; where to continue from.
    chunk : int
        Steps between looks at `progress` and `cancel`; it does not change a bit of the answer.
    warn : bool
        Look at the closed loop in a few poses: gains that destabilise the arm are named in the notes, and what a law with
        ``check_before_run(scenario)`` says of the arm.
    notes : bool
        Estimate what mesh and step do to the natural frequencies, for the notes; of many runs this is not wanted again and again.
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
    times, monitor = [clock.perf_counter()], Monitor(progress, cancel)
    if isinstance(scenario, Setup) and method not in (None, scenario.scenario.method.name):
        raise FlexarmError("a set-up has its method: give the scenario to run another one", field="method")
    made = scenario if isinstance(scenario, Setup) else prepare(as_scenario(scenario, method), monitor=monitor)
    setup = limit_records(made)
    told = controller_notes(setup.scenario, controller) if warn else []
    done = setup.trial if controller is None and checkpoint is None and resume is None else None
    loop, log = (done.loop, done.log) if done else _begin(setup, controller, checkpoint, resume)
    times.append(clock.perf_counter())
    with TimeLimit(controller_limit) as loop.time_limit:
        loop.load()
    monitor.begin("build", 3, 3)
    times.append(clock.perf_counter())
    with TimeLimit(controller_limit) as loop.time_limit:
        outcome, message = march_all(loop, log, monitor, checkpoint, chunk, fresh=resume is None and not done)
    times.append(clock.perf_counter())
    made_when_asked = functools.partial(label, setup, loop, log, outcome, message, warn, notes, told)
    result = Result.on_demand(setup.scenario, made_when_asked)
    tried = done.seconds if done else 0.0
    result.timing |= _timing(times, loop, tried, 0.0 if made is scenario else tried)
    if progress is not None:
        monitor.tell("label", 0, 1)
        assert result.data is not None
        monitor.tell("label", 1, 1)
    if setup.scenario.method.options.error_estimate and result.success:
        _estimate_error(result, setup, controller, monitor)
    return result


def controller_notes(scenario: Scenario, controller: Controller | None) -> list[str]:
    """What a controller says of an arm before it moves, if it can: laws with an observer tell of spill-over."""
    check = getattr(controller, "check_before_run", None)
    return [] if check is None else list(check(scenario))


def _begin(
    setup: Setup, controller: Controller | None, checkpoint: str | Path | None, resume: str | Path | None
) -> tuple[TimeLoop, Log]:
    """Loop and log at the start, or where a checkpoint left them; refuses what cannot work."""
    check_memory(setup)
    _check_controller(setup, controller)
    loop = TimeLoop(setup, controller)
    if checkpoint is not None or resume is not None:
        saving.check_controller(loop.controller)
    log = Log(loop)
    if resume is not None:
        saving.restore(resume, loop, log)
    return loop, log


def _estimate_error(result: Result, setup: Setup, controller: Controller | None, monitor: Monitor) -> None:
    """Runs with other steps and meshes, if they can be had."""

    def run(scenario: Scenario) -> Result | None:
        inner = monitor.within("error estimate")
        try:
            return simulate(scenario, warn=False, progress=inner.progress, cancel=inner.cancel)
        except Interrupted:
            return None

    if controller is not None:
        result.notes.append("error estimate: none, because a controller cannot be run twice")
    else:
        add_error_estimate(result, setup, run)


def _timing(times: list[float], loop: TimeLoop, tried: float, built: float) -> dict[str, float]:
    """Seconds of the parts of a run that has just ended; `times` are its start and the ends of the other parts.

    `tried`: seconds of its march, if that was done while the step was chosen; `built`: how many of them fell into these times.
    """
    build, loading, march = (after - before for before, after in itertools.pairwise(times))
    march += tried
    return {
        "build": build - built,
        "compile": loading,
        "march": march,
        "label": 0.0,
        "real_time_factor": loop.time / max(march, 1e-12),
        "steps": loop.steps_done,
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


def march_all(
    loop: TimeLoop, log: Log, monitor: Monitor, checkpoint: str | Path | None, chunk: int, fresh: bool
) -> tuple[Outcome, str]:
    """The loop. Whatever happens, the log holds all records up to the last good step."""
    end, saved = loop.setup.scenario.time.end, clock.monotonic()
    outcome, message = Outcome.SUCCESS, ""
    try:
        if fresh:
            log.first(loop)
        monitor.tell("march", loop.time, end)
        while not loop.finished:
            loop.enter()
            log.note_model(loop)
            marched, times, rows = loop.chunk(chunk)
            log.add(times, rows, marched.records, marched.pressures)
            if marched.outcome is not Outcome.SUCCESS:
                outcome = marched.outcome
                why = f": {loop.lost}; {lost_advice(loop.setup)}" if loop.lost else ""
                message = f"{outcome.sentence}{why} (at t = {loop.time:.6g} s)"
                break
            monitor.tell("march", loop.time, end)
            if checkpoint is not None and clock.monotonic() - saved > CHECKPOINT_SECONDS:
                _save(checkpoint, loop, log)
                saved = clock.monotonic()
            if monitor.cancelled:
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
        raise Interrupted("the run was interrupted before its first step")
    return outcome, message or outcome.sentence
