"""Walking along the time grid: the one place where a model is stepped, for batch runs and on-line use alike."""

from __future__ import annotations

import time as clock

import numpy as np

from flexarm.drive import TORQUE, WIDTH
from flexarm.methods.base import Marched, Outcome, State, Steps
from flexarm.numerics.tick_loop import AT_ONCE, BEFORE_STEPS, DONE, FAILED, NEVER, STOPPED, WAITING
from flexarm.numerics.timegrid import CLOSE, Interval
from flexarm.simulation.build import Setup
from flexarm.simulation.controllers import Controller, Reading, torques_from
from flexarm.simulation.cylinders import fill_cylinders
from flexarm.simulation.drive_rows import DriveRows, with_held
from flexarm.simulation.measured import add_sensors
from flexarm.simulation.rest import Rest, fill_laws
from flexarm.simulation.tick_laws import sampled_stages
from flexarm.simulation.ticker import Ticker
from flexarm.simulation.time_limit import TimeLimit

NO_TIMES = np.zeros(0)
LEAST_JUMP = 1e-9
"""Share of a torque that counts as a jump of it."""
PATIENCE = 0.1
"""Real time in s after which a chunk with a controller in Python ends at the next tick."""


def recorded_steps(grid: Interval, after: int, until: int) -> np.ndarray:
    """Steps behind `after`, up to `until`, at whose end a record is written."""
    every = grid.record_every
    return np.arange(after + every - (grid.record_offset + after) % every, until + 1, every) if every else np.arange(0)


class TimeLoop:
    """State of a run and its place on the time grid.

    Parameters
    ----------
    setup : Setup
        What is run.
    controller : callable, optional
        Asked at every tick; laws that are compiled run inside the steps.
    outside : bool
        True if the caller holds torques himself: steps end at every tick, where all readings are taken.
    """

    def __init__(self, setup: Setup, controller: Controller | None = None, outside: bool = False):
        self.setup, self.model, self.intervals = setup, setup.model, setup.intervals
        joints = setup.program.wiring.joints
        self._external = [k for k, j in enumerate(joints) if j.name in setup.program.external]
        self._drive_rows = DriveRows(setup.program, setup.intervals)
        self.table = self._drive_rows.table
        self.time_limit: TimeLimit | None = None
        self.events_done, self.entered = 0, False
        self._stopped: Outcome | None = None
        self.lost = ""
        """Which joint a sampled law has lost, in a sentence; empty while they hold."""
        self._error: BaseException | None = None
        row, scenario = self.table(0, 0, 0)[0], setup.scenario
        pose, start = scenario.arm.pose, scenario.time.start
        self.rest: Rest | None = None
        if start != "undeformed":
            self.rest = setup.holding.rest(pose, row, start == "locked")
            pose = tuple(self.rest.pose)
        self.state: State = self.model.start(pose, scenario.arm.rates, row, start)
        fill_cylinders(setup, self.state, row)
        at_rest = self.rest is not None and start == "equilibrium"
        if self.rest is not None and at_rest:
            fill_laws(self.model, self.state, self.rest)
        self.stages, self.controller = sampled_stages(
            setup, controller, self.rest.integral if self.rest is not None and at_rest else None, outside
        )
        self.ticking: bool = bool(self.stages) or self.controller is not None or outside
        """True if torques are held from tick to tick."""
        add_sensors(self.stages, setup, self.ticking)
        asks = AT_ONCE if outside else NEVER if self.controller is None else BEFORE_STEPS
        self._ticker = Ticker(self.stages, self._drive_rows, asks)
        if self.ticking:
            self.state.held = np.full(self.model.channels, np.nan)
            self.state.memory = self.stages.memory()
        self.reading = Reading(self.stages.readings, self._ticker.y, [j.name for j in joints], len(self._external))

    @property
    def time(self) -> float:
        """Present time, s."""
        return self.intervals[self.state.interval].time(self.state.step)

    @property
    def finished(self) -> bool:
        """True at the end of the grid."""
        last = len(self.intervals) - 1
        return self.state.interval == last and self.state.step == self.intervals[last].steps

    @property
    def steps_done(self) -> int:
        """Steps of the grid from the start to the present time."""
        return sum(grid.steps for grid in self.intervals[: self.state.interval]) + self.state.step

    def held_in(self, table: np.ndarray) -> np.ndarray:
        """A drive table with the torques that are held."""
        return with_held(table, self.state.held)

    def enter(self) -> None:
        """Begin an interval: events that are due, factorisations, right-hand limits, a control tick."""
        if self.entered or self.finished:
            return
        grid = self.intervals[self.state.interval]
        if self.state.step == grid.steps:
            self.state.interval, self.state.step = self.state.interval + 1, 0
            grid = self.intervals[self.state.interval]
            self._apply_events(grid.start)
        self.model.prepare(grid.h)
        if self.state.step == 0:
            self.restart(self._torques_jump())
            self._ticker.begin(ticked=False)
            if self.ticking and grid.ticks(0):
                self._tick(grid)
        self.entered = True

    def go_to(self, state: State, entered: bool) -> None:
        """Go on from another state of this run; `entered`: its interval has begun."""
        self.state, self.entered = state, entered
        self._ticker.begin(ticked=entered and state.step == 0)

    def load(self) -> None:
        """Load the kernels: the first step is come to and not taken. What a run refuses before it moves is refused here."""
        self.enter()
        self.model.march(self.state, Steps(self.setup.step, self.table(0, 0, 0), 0))

    def restart(self, jumped: bool = False) -> None:
        """Take right-hand limits; `jumped`: given torques are others than just before."""
        state = self.state
        row = with_held(self._drive_rows.row(state.interval, state.step, state.held), state.held)
        self.state = self.model.restart(state, row, jumped)

    def _torques_jump(self) -> bool:
        """True if a given torque is another one where an interval begins than at the end of the one before.

        At the start that is none, or the one that held a locked joint; in equilibrium the drives give it themselves.
        """
        index, setup, held = self.state.interval, self.setup, self.state.held
        if not self.intervals[index].jump:
            return False
        if index == 0 and setup.scenario.time.start != "undeformed":
            joints = setup.program.wiring.joints
            locked = setup.scenario.time.start == "locked"
            return any(j.mode != "motion" for j in joints) if locked else bool(self._external)
        given = [TORQUE, -1] if setup.program.wiring.row_width > WIDTH else TORQUE  # with what acts beside the motors
        before = self._drive_rows.row(index - 1, self.intervals[index - 1].steps, held)[:, given] if index else 0.0
        now = self._drive_rows.row(index, 0, held)[:, given]
        return bool(np.any(np.abs(now - before) > LEAST_JUMP * (np.abs(now) + np.abs(before))))

    def _apply_events(self, time: float) -> None:
        while self.events_done < len(self.setup.events):
            event = self.setup.events[self.events_done]
            if event.at - time > CLOSE * self.setup.scenario.time.end:
                break
            self.model, self.state = self.model.change(self.state, event.payload, event.rule)
            self.events_done += 1

    # ticks

    def _tick(self, grid: Interval) -> None:
        """The tick at the begin of an interval, without steps; one that the caller answers is left to him."""
        self._ticker.aim(self.model, self.state, grid, 0)
        how = self._ticker.run(only_tick=True)
        if how == WAITING and self.controller is not None:
            self._ask_controller()
            how = self._ticker.run(only_tick=True)
        self._ended(how)

    def _ask_controller(self) -> None:
        """Torques of the controller in Python for the readings at hand."""
        assert self.controller is not None
        reading, ticker = self.reading, self._ticker
        reading.reference[:] = ticker.told[: len(reading.joints), :2]
        torques = torques_from(self.controller, ticker.time, reading, len(self._external), self.time_limit)
        self.state.held[self._external] = torques

    def _ended(self, how: int) -> None:
        """Note why a call ended, if it did not come to its end."""
        if how == STOPPED:
            self._stopped = Outcome.UNSTABLE
            self.lost = self.stages.why(self._ticker.said, self.state.memory)
        elif how == FAILED:
            self._stopped = self.model.how_ended(self.state, self._ticker.said)

    def advance(self) -> bool:
        """Go on to the next tick of the grid or the end of the interval, without records; False if it came to nothing."""
        self.enter()
        grid, step = self.intervals[self.state.interval], self.state.step
        if self._stopped is not None:
            return False
        self._ticker.aim(self.model, self.state, grid, grid.steps_to_tick(step))
        self._ended(self._ticker.run())
        self.entered = self.state.step < grid.steps
        return self._stopped is None

    def read(self) -> np.ndarray:
        """All readings at the present time, of a loop whose torques come from outside."""
        if self._ticker.waiting:
            return self._ticker.y
        return self.model.measure(self.state, self._ticker.y)

    def chunk(self, most: int) -> tuple[Marched, np.ndarray, np.ndarray]:
        """March at most `most` steps, not beyond the interval; returns times and drive rows of the records."""
        if self._error is not None:
            raise self._error
        self.enter()
        grid, step = self.intervals[self.state.interval], self.state.step
        steps = min(most, grid.steps - step) if self._stopped is None else 0
        if self.ticking:
            marched, rows = self._march_ticks(grid, steps)
        else:
            self._drive_rows.look(self.state.interval, step, steps, self.state.held)
            first = step - self._drive_rows.first
            table, offset = self._drive_rows.told[first : first + steps + 1], grid.record_offset + step
            marched = self.model.march(self.state, Steps(grid.h, table, grid.record_every, offset))
            self.state = marched.state
            rows = table[recorded_steps(grid, step, self.state.step) - step].copy()
        self.entered = self.state.step < grid.steps
        if not len(marched.records):
            return marched, NO_TIMES, rows
        kept = recorded_steps(grid, step, self.state.step)
        times = grid.start + kept * grid.h
        if kept[-1] == grid.steps:
            times[-1] = grid.stop
        return marched, times, rows

    def _march_ticks(self, grid: Interval, steps: int) -> tuple[Marched, np.ndarray]:
        """The same with control ticks, in place; and the drive rows of the records."""
        state, ticker, over = self.state, self._ticker, clock.perf_counter() + PATIENCE
        first = state.step
        if self._stopped is None:
            ticker.aim(self.model, state, grid, steps, record=True)
            how = DONE
            try:
                how = ticker.run()
                while how == WAITING:
                    self._ask_controller()
                    if clock.perf_counter() > over:
                        ticker.stop_at_next_tick(grid)
                    how = ticker.run()
            except BaseException as error:  # told when the records up to here are kept
                self._error = error
            self._ended(how if self._error is None else DONE)
        records, rows, pressures = ticker.written() if self._stopped is None or first < state.step else self._nothing()
        return Marched(state, records, self._stopped or Outcome.SUCCESS, state.step - first, pressures), rows

    def _nothing(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """No records."""
        model = self.model
        return (
            np.empty((0, model.record_width)), np.empty((0, model.channels, 7)), np.empty((0, len(model.with_oil), 2)),
        )  # fmt: skip
