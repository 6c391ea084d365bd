"""Pacing by the clock: one control period of the simulator per period of real time, and what was missed.

The schedule is the absolute grid ``start + k * period``: a late period does not shift those that follow, so
there is no drift. Nothing is printed here.
"""

from __future__ import annotations

import gc
import itertools
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from flexarm.drive import VELOCITY
from flexarm.errors import FlexarmError
from flexarm.scenario import Scenario
from flexarm.simulation.controllers import Controller, Reading, torques_from
from flexarm.simulation.program import prepare_program

SPIN = 2e-4
"""The last part of a wait, in s, is spent looking at the clock: a sleep ends late by about this much."""
SHARES = (50.0, 90.0, 99.0, 99.9, 100.0)
"""Percentiles that are reported; the last is the largest value."""


class Paced(Protocol):
    """The part of `flexarm.Simulator` that pacing needs."""

    @property
    def period(self) -> float: ...
    @property
    def inputs(self) -> tuple[str, ...]: ...
    @property
    def outputs(self) -> tuple[str, ...]: ...
    @property
    def scenario(self) -> Scenario: ...
    def reset(self) -> np.ndarray: ...
    def step(self, u: Any = None) -> np.ndarray: ...


@dataclass(frozen=True)
class Timing:
    """What the clock said.

    Attributes
    ----------
    period : float
        Control period, s.
    planned : int
        Number of periods that were asked for.
    wake : ndarray, shape (n,)
        How much after its due time each period began, s.
    compute : ndarray, shape (n,)
        Time that controller and step took, s.
    late : ndarray, shape (n,)
        End of computing minus deadline (the due time of the next period), s; positive where it was missed.
    interrupted : bool
        Stopped by the user.
    failure : str
        Why it stopped by itself; empty if it did not.
    """

    period: float
    planned: int
    wake: np.ndarray
    compute: np.ndarray
    late: np.ndarray
    interrupted: bool = False
    failure: str = ""

    @property
    def steps(self) -> int:
        """Periods that were done."""
        return len(self.compute)

    @property
    def real_time_factor(self) -> float:
        """Mean computing time divided by the period; below 1 the simulation keeps up."""
        return float(self.compute.mean() / self.period) if self.steps else float("nan")

    @property
    def missed(self) -> np.ndarray:
        """Numbers of the periods whose deadline was missed."""
        return np.flatnonzero(self.late > 0.0)

    @property
    def missed_times(self) -> np.ndarray:
        """Simulated times at which the missed periods began, s."""
        return self.missed * self.period

    @property
    def worst_lateness(self) -> float:
        """By how much the worst deadline was missed, s; 0 if none was."""
        return max(float(self.late.max()), 0.0) if self.steps else 0.0

    def summary(self) -> dict[str, Any]:
        """Everything in SI units under plain names."""
        return {
            "period": self.period,
            "periods": self.steps,
            "periods_planned": self.planned,
            "simulated_time": self.steps * self.period,
            "real_time_factor": self.real_time_factor,
            "missed_deadlines": len(self.missed),
            "worst_lateness": self.worst_lateness,
            "missed_times": self.missed_times.tolist(),
            "wake_up_lateness": percentiles(self.wake),
            "computing_time": percentiles(self.compute),
            "interrupted": self.interrupted,
            "failure": self.failure,
        }


def percentiles(values: np.ndarray) -> dict[str, float]:
    """The shares of `SHARES` by name: that percentage of the values is not above the number given."""
    names = [f"{share:g} %" for share in SHARES[:-1]] + ["max"]
    if not len(values):
        return dict.fromkeys(names, float("nan"))
    found = np.percentile(values, SHARES, method="higher")
    return {name: float(value) for name, value in zip(names, found, strict=True)}


def pace(
    simulator: Paced,
    controller: Controller | None = None,
    duration: float | None = None,
    *,
    clock: Callable[[], float] = time.perf_counter,
    sleep: Callable[[float], Any] = time.sleep,
    spin: float = SPIN,
) -> Timing:
    """Step a simulator from its start, one period per period of the clock.

    Parameters
    ----------
    simulator : Simulator
        It is reset first.
    controller : callable, optional
        ``controller(time, reading) -> torques``, one for each of ``simulator.inputs``. Without it the
        scenario's own drives act.
    duration : float, optional
        Simulated time in s; whole periods of it are done. Default the scenario's end.
    clock, sleep : callable
        Time in s, and waiting for some s.
    spin : float
        Length of the last part of a wait that is not slept, s.

    Returns
    -------
    Timing
        Also after an interrupt from the keyboard or a failure, with what was measured until then.
    """
    period = simulator.period
    steps = whole_periods(simulator.scenario.time.end if duration is None else duration, period)
    wake, compute, late = np.zeros(steps), np.zeros(steps), np.zeros(steps)
    done, interrupted, failure = 0, False, ""
    collecting = gc.isenabled()
    try:
        act, readings = _actor(simulator, controller, steps), simulator.reset()
        gc.collect()
        gc.disable()  # a collection takes longer than many a period
        start = clock()
        for k in range(steps):
            due = start + k * period
            began = _wait(due, clock, sleep, spin)
            readings = act(k, readings)
            ended = clock()
            wake[k], compute[k], late[k] = began - due, ended - began, ended - (start + (k + 1) * period)
            done = k + 1
    except KeyboardInterrupt:
        interrupted = True
    except FlexarmError as error:
        failure = str(error)
    finally:
        if collecting:
            gc.enable()
    return Timing(period, steps, wake[:done], compute[:done], late[:done], interrupted, failure)


def whole_periods(duration: float, period: float) -> int:
    """Number of periods that fit into a duration, at least 1."""
    return max(1, int(duration / period * (1.0 + 1e-12) + 1e-9))


def _wait(due: float, clock: Callable[[], float], sleep: Callable[[float], Any], spin: float) -> float:
    """Wait until `due`: sleep for most of it, then look at the clock; returns the time at which it ended."""
    now = clock()
    while now < due:
        if due - now > spin:
            sleep(due - now - spin)
        now = clock()
    return now


def _actor(simulator: Paced, controller: Controller | None, steps: int) -> Callable[[int, np.ndarray], np.ndarray]:
    """What is done in period k: ask the controller, step."""
    if controller is None:
        return lambda k, readings: simulator.step()
    joints, period, count = simulator.scenario.arm.joints, simulator.period, len(simulator.inputs)
    references = commanded(simulator.scenario, period, steps)
    reading = Reading(simulator.outputs, np.zeros(len(simulator.outputs)), joints)

    def act(k: int, readings: np.ndarray) -> np.ndarray:
        reading.array[:] = readings
        reading.reference[:] = references[k]
        return simulator.step(torques_from(controller, k * period, reading, count))

    return act


def commanded(scenario: Scenario, period: float, steps: int) -> np.ndarray:
    """Commanded position and velocity of each joint at the control instants, shape (steps, joints, 2)."""
    program = prepare_program(scenario)
    times = np.arange(steps) * period
    edges = [0.0, *program.jumps(scenario.time.end), max(scenario.time.end, times[-1] + period)]
    found = np.zeros((steps, len(program.wiring.joints), 2))
    close = 1e-6 * period
    for a, b in itertools.pairwise(edges):
        here = (times > a - close) & (times < b - close)
        if here.any():
            found[here] = program.table(times[here], 0.5 * (a + b))[:, : found.shape[1], : VELOCITY + 1]
    return found
