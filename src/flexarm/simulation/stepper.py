"""Walking along the time grid: the one place where a model is stepped, for batch runs and on-line use alike."""

from __future__ import annotations

import numpy as np

from flexarm.drive import KI, KP, POSITION, TORQUE, VELOCITY
from flexarm.methods.base import Marched, Model, Plan, State
from flexarm.numerics.timegrid import CLOSE
from flexarm.simulation.build import Setup
from flexarm.simulation.controllers import Controller, Reading, SampledLaw, torques_from
from flexarm.simulation.cylinders import fill_cylinders
from flexarm.simulation.patience import Patience

LEAST_JUMP = 1e-9
"""Share of a torque that counts as a jump of it."""


class Stepper:
    """State of a run and its place on the time grid.

    A held torque (`held`, by channel) replaces what the drives say for that channel; it comes from a controller at a
    tick, or from the caller of the on-line simulator.
    """

    def __init__(self, setup: Setup, controller: Controller | None = None):
        self.setup, self.controller = setup, controller
        self.model: Model = setup.model
        self.stretches = setup.stretches
        joints = setup.program.wiring.joints
        self._sampled = [j.name for j in joints if j.law is not None and j.law.period > 0 and j.law.kind != "external"]
        self._external = [k for k, j in enumerate(joints) if j.name in setup.program.external]
        self._sampled_rows = [k for k, j in enumerate(joints) if j.name in self._sampled]
        self.law = SampledLaw(setup.program, self._sampled, setup.period or 0.0) if self._sampled else None
        self.held: dict[int, float] = {}
        self.patience: Patience | None = None
        self.reading = Reading(self.model.sensors, np.zeros(len(self.model.sensors)), [j.name for j in joints])
        self.events_done = 0
        self._table_cache: tuple[int, int, int, np.ndarray] | None = None
        row = self.table(0, 0, 1)[0]
        scenario = setup.scenario
        self.state: State = self.model.start(scenario.arm.pose, scenario.arm.rates, row, scenario.time.start)
        fill_cylinders(setup, self.state, row)
        self.entered = False

    @property
    def time(self) -> float:
        """Present time, s."""
        return self.stretches[self.state.stretch].time(self.state.step)

    @property
    def finished(self) -> bool:
        """True at the end of the grid."""
        last = len(self.stretches) - 1
        return self.state.stretch == last and self.state.step == self.stretches[last].steps

    def table(self, stretch: int, step: int, steps: int) -> np.ndarray:
        """Drive table from `step` over `steps` steps of a stretch, shape (steps + 1, channels, 7)."""
        grid = self.stretches[stretch]
        times = grid.start + np.arange(step, step + steps + 1) * grid.h
        return self.setup.program.table(times, grid.inside)

    def held_in(self, table: np.ndarray) -> np.ndarray:
        """Put held torques into a table; the laws' gains are off there."""
        if self.held:
            table = table.copy()
            for channel, torque in self.held.items():
                table[..., channel, KP : KI + 1] = 0.0
                table[..., channel, TORQUE] = torque
        return table

    def enter(self) -> None:
        """Begin a stretch: events that are due, factorisations, a control tick, right-hand limits."""
        if self.entered or self.finished:
            return
        grid = self.stretches[self.state.stretch]
        if self.state.step == grid.steps:
            self.state.stretch, self.state.step = self.state.stretch + 1, 0
            grid = self.stretches[self.state.stretch]
            self._apply_events(grid.start)
        self.model.prepare(grid.h)
        if self.state.step == 0:
            row = self.table(self.state.stretch, 0, 1)[0]
            if self._torques_jump(row):
                self.model.shaken(self.state)
            self.state = self.model.restart(self.state, self.held_in(row))
            self._tick_if_due(0, row)
        self.entered = True

    def _torques_jump(self, row: np.ndarray) -> bool:
        """True if a given torque is another one in `row`, with which a stretch begins, than at the end of the one before.

        At the start that is none, or the one that held the joint in equilibrium.
        """
        index, before, setup = self.state.stretch, np.zeros_like(row), self.setup
        if not self.stretches[index].jump:
            return False
        if index == 0 and setup.scenario.time.start == "equilibrium":
            return any(joint.mode != "motion" for joint in setup.program.wiring.joints)
        if index > 0:
            before = self.table(index - 1, self.stretches[index - 1].steps - 1, 1)[1]
        size = np.abs(row[:, TORQUE]) + np.abs(before[:, TORQUE])
        return bool(np.any(np.abs(row[:, TORQUE] - before[:, TORQUE]) > LEAST_JUMP * size))

    def _apply_events(self, time: float) -> None:
        while self.events_done < len(self.setup.events):
            event = self.setup.events[self.events_done]
            if event.at - time > CLOSE * self.setup.scenario.time.end:
                break
            self.model, self.state = self.model.change(self.state, event.payload, event.rule)
            self.events_done += 1

    def _tick_if_due(self, step: int, row: np.ndarray | None = None) -> None:
        """Ask the controllers if this step point is a tick; their torques jump, so take right-hand limits."""
        if self.ticking and self.stretches[self.state.stretch].ticks(step):
            row = self._cached_table(step, 1)[0] if row is None else row
            self._tick(row)
            self.state = self.model.restart(self.state, self.held_in(row))

    def tick_on_the_way(self) -> None:
        """The tick at the present step point, unless a stretch begins here (then `enter` has done it)."""
        if self.state.step > 0:
            self._tick_if_due(self.state.step)

    def _tick(self, row: np.ndarray) -> None:
        """Ask the controllers; their torques are held until the next tick."""
        reading = self.reading
        self.model.measure(self.state, reading.array)
        joints = len(reading.joints)
        reading.reference[:, 0] = row[:joints, POSITION]
        reading.reference[:, 1] = row[:joints, VELOCITY]
        if self.law is not None:
            for k, torque in zip(self._sampled_rows, self.law.command(row, reading), strict=True):
                self.held[k] = float(torque)
        if self.controller is not None and self._external:
            torques = torques_from(self.controller, self.time, reading, len(self._external), self.patience)
            for k, torque in zip(self._external, torques, strict=True):
                self.held[k] = float(torque)

    @property
    def ticking(self) -> bool:
        """True if something is sampled by this stepper itself."""
        return self.law is not None or (self.controller is not None and bool(self._external))

    def chunk(self, most: int) -> tuple[Marched, np.ndarray, np.ndarray]:
        """March at most `most` steps, not beyond a tick or the stretch; returns times and drive rows of the records."""
        self.enter()
        grid, step = self.stretches[self.state.stretch], self.state.step
        self.tick_on_the_way()
        steps = min(most, grid.steps - step)
        if self.ticking:
            steps = min(steps, grid.steps_to_tick(step))
        table = self.held_in(self._cached_table(step, steps))
        phase = grid.record_phase + step
        marched = self.model.march(self.state, Plan(grid.h, table, grid.record_every, phase))
        self.state = marched.state
        places = np.arange(step + 1, step + marched.steps_done + 1)
        due = (grid.record_phase + places) % grid.record_every == 0 if grid.record_every else np.zeros(0, bool)
        kept = places[due] if grid.record_every else places[:0]
        times = grid.start + kept * grid.h
        if len(kept) and kept[-1] == grid.steps:
            times[-1] = grid.stop
        if self.state.step == grid.steps:
            self.entered = False
        return marched, times, table[kept - step]

    def _cached_table(self, step: int, steps: int) -> np.ndarray:
        """Short pieces between ticks are cut from a longer table, because evaluating drives has a fixed cost."""
        ahead, index = 512, self.state.stretch
        if steps >= ahead:
            return self.table(index, step, steps)
        cache = self._table_cache
        if cache is None or cache[0] != index or not cache[1] <= step <= step + steps <= cache[2]:
            count = min(max(ahead, steps), self.stretches[index].steps - step)
            cache = (index, step, step + count, self.table(index, step, count))
            self._table_cache = cache
        return cache[3][step - cache[1] : step - cache[1] + steps + 1]
