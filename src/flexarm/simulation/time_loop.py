"""Walking along the time grid: the one place where a model is stepped, for batch runs and on-line use alike."""

from __future__ import annotations

import numpy as np

from flexarm.drive import TORQUE, WIDTH
from flexarm.methods.base import Marched, Model, Outcome, State, Steps
from flexarm.numerics.timegrid import CLOSE, Interval
from flexarm.simulation.build import Setup
from flexarm.simulation.controllers import Controller, Reading, SampledLaw, torques_from
from flexarm.simulation.cylinders import fill_cylinders
from flexarm.simulation.drive_rows import DriveRows
from flexarm.simulation.rest import Rest, fill_laws
from flexarm.simulation.time_limit import TimeLimit

NO_TIMES = np.zeros(0)
LEAST_JUMP = 1e-9
"""Share of a torque that counts as a jump of it."""


class TimeLoop:
    """State of a run and its place on the time grid.

    A held torque (`held`, by channel) replaces what the drives say for that channel; it comes from a controller at a
    tick, or from the caller of the on-line simulator.
    """

    def __init__(self, setup: Setup, controller: Controller | None = None):
        self.setup, self.controller = setup, controller
        self.model: Model = setup.model
        self.intervals = setup.intervals
        joints = setup.program.wiring.joints
        sampled = [j.name for j in joints if j.law is not None and j.law.period > 0 and j.law.kind != "external"]
        self._external = [k for k, j in enumerate(joints) if j.name in setup.program.external]
        self._sampled_rows = [k for k, j in enumerate(joints) if j.name in sampled]
        known, method = self.model.sensors, setup.scenario.method.name
        self.law = (
            SampledLaw(setup.program, sampled, setup.period or 0.0, known, method, setup.scenario.arm)
            if sampled
            else None
        )
        self.ticking: bool = self.law is not None or (controller is not None and bool(self._external))
        """True if something is sampled by this loop itself."""
        self.time_limit: TimeLimit | None = None
        self.reading = Reading(self.model.sensors, np.zeros(len(self.model.sensors)), [j.name for j in joints])
        self.events_done = 0
        self._drive_rows = DriveRows(setup.program, setup.intervals)
        self.held, self.table, self.held_in = self._drive_rows.held, self._drive_rows.table, self._drive_rows.held_in
        row = self.table(0, 0, 0)[0]
        scenario = setup.scenario
        pose, start = scenario.arm.pose, scenario.time.start
        self.rest: Rest | None = None
        if start != "undeformed":
            self.rest = setup.holding.rest(pose, row, start == "locked")
            pose = tuple(self.rest.pose)
        self.state: State = self.model.start(pose, scenario.arm.rates, row, start)
        fill_cylinders(setup, self.state, row)
        if self.rest is not None and start == "equilibrium":
            fill_laws(self.model, self.state, self.rest)
            if self.law is not None:
                self.law.restore(self.rest.integral[self._sampled_rows])
        self.entered = False

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

    def enter(self) -> None:
        """Begin an interval: events that are due, factorisations, a control tick, right-hand limits."""
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
            self._tick_if_due(grid, 0)
        self.entered = True

    def load(self) -> None:
        """Load the kernels: the first step is come to and not taken. What a run refuses before it moves is refused here."""
        self.enter()
        self.model.march(self.state, Steps(self.setup.step, self.table(0, 0, 0), 0))

    def restart(self, jumped: bool = False) -> None:
        """Take right-hand limits; `jumped`: given torques are others than just before."""
        state = self.state
        self.state = self.model.restart(state, self._drive_rows.piece(state.interval, state.step, 1)[0], jumped)

    def _torques_jump(self) -> bool:
        """True if a given torque is another one where an interval begins than at the end of the one before.

        At the start that is none, or the one that held a locked joint; in equilibrium the drives give it themselves.
        """
        index, setup = self.state.interval, self.setup
        if not self.intervals[index].jump:
            return False
        if index == 0 and setup.scenario.time.start != "undeformed":
            joints = setup.program.wiring.joints
            locked = setup.scenario.time.start == "locked"
            return any(j.mode != "motion" for j in joints) if locked else bool(self._external)
        given = [TORQUE, -1] if setup.program.wiring.row_width > WIDTH else TORQUE  # with what acts beside the motors
        before = self._drive_rows.drives(index - 1, self.intervals[index - 1].steps)[0][:, given] if index else 0.0
        now = self._drive_rows.drives(index, 0)[0][:, given]
        return bool(np.any(np.abs(now - before) > LEAST_JUMP * (np.abs(now) + np.abs(before))))

    def _apply_events(self, time: float) -> None:
        while self.events_done < len(self.setup.events):
            event = self.setup.events[self.events_done]
            if event.at - time > CLOSE * self.setup.scenario.time.end:
                break
            self.model, self.state = self.model.change(self.state, event.payload, event.rule)
            self.events_done += 1

    def _tick_if_due(self, grid: Interval, step: int) -> None:
        """Ask the controllers if this step point is a tick; their torques are held until the next one."""
        if not (self.ticking and grid.ticks(step)):
            return
        reading = self.reading
        self.model.measure(self.state, reading.array)
        row, reading.reference[:] = self._drive_rows.drives(self.state.interval, step)
        if self.law is not None:
            self.held.update(zip(self._sampled_rows, self.law.command(row, reading), strict=True))
        if self.controller is not None and self._external:
            torques = torques_from(self.controller, grid.time(step), reading, len(self._external), self.time_limit)
            self.held.update(zip(self._external, torques, strict=True))
        self.restart()

    def _begin(self) -> tuple[Interval, int]:
        """What is due at the present step point: a new interval, or a tick inside one. The interval, and the step in it."""
        self.enter()
        grid, step = self.intervals[self.state.interval], self.state.step
        if step > 0:
            self._tick_if_due(grid, step)
        return grid, step

    def advance(self) -> bool:
        """Go on to the next tick of the grid or the end of the interval, without records; False if it came to nothing."""
        grid, step = self._begin()
        if self.lost:
            return False
        table = self._drive_rows.piece(self.state.interval, step, grid.steps_to_tick(step))
        good = self.model.advance(self.state, Steps(grid.h, table, 0))
        self.entered = self.state.step < grid.steps
        return good

    @property
    def lost(self) -> str:
        """Which joint a sampled law has lost, in a sentence; empty while they hold."""
        return "" if self.law is None else self.law.lost

    def _stopped(self) -> Marched:
        """No step."""
        records, pressures = np.empty((0, self.model.record_width)), np.empty((0, len(self.model.with_oil), 2))
        return Marched(self.state, records, Outcome.UNSTABLE, 0, pressures)

    def chunk(self, most: int) -> tuple[Marched, np.ndarray, np.ndarray]:
        """March at most `most` steps, not beyond a tick or the interval; returns times and drive rows of the records."""
        grid, step = self._begin()
        steps = min(most, grid.steps_to_tick(step) if self.ticking else grid.steps - step)
        if self.lost:
            return self._stopped(), NO_TIMES, self._drive_rows.piece(self.state.interval, step, 1)[:0]
        table, offset = self._drive_rows.piece(self.state.interval, step, steps), grid.record_offset + step
        marched = self.model.march(self.state, Steps(grid.h, table, grid.record_every, offset))
        self.state = marched.state
        self.entered = self.state.step < grid.steps
        first, done = grid.record_every - offset % max(grid.record_every, 1), marched.steps_done
        if not 0 < first <= done:
            return marched, NO_TIMES, table[:0]
        kept = np.arange(step + first, step + done + 1, grid.record_every)
        times = grid.start + kept * grid.h
        if kept[-1] == grid.steps:
            times[-1] = grid.stop
        return marched, times, table[first : done + 1 : grid.record_every].copy()
