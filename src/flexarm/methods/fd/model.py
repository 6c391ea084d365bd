"""The model of `fd`: one link in finite differences, ready to be stepped."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from flexarm.arm import Arm, Payload
from flexarm.drive import Wiring
from flexarm.errors import CapabilityError
from flexarm.methods.base import (
    Hints,
    Joints,
    LinearModel,
    Marched,
    Model,
    Outcome,
    Start,
    State,
    Steps,
    Watch,
)
from flexarm.methods.fd import layout as at
from flexarm.methods.fd.choose import choose
from flexarm.methods.fd.grid import Grid, build_grid
from flexarm.methods.fd.layout import HUB, MOTOR, NODE, SUMS
from flexarm.methods.fd.linear import condensed, linear_model
from flexarm.methods.fd.observe import gravity_energy, signals
from flexarm.methods.fd.options import FdOptions
from flexarm.methods.fd.packing import drive_coordinate, pack
from flexarm.methods.fd.readings import measured, read
from flexarm.methods.fd.schemes import Exact, Leapfrog, Newmark, Scheme
from flexarm.methods.fd.system import Ends, System, build_system, curvature_rows
from flexarm.methods.signals import Signals
from flexarm.numerics.laws import FORCE, Z_SIZE

NO_RECORDS = np.zeros((0, 0))
UNSTEADY = ("velocity", "position")
"""Readings that no step is chosen by: rates jump with the torque, and angles are in the travel of the tip."""


class FdModel(Model):
    """See `flexarm.methods.base.Model` for the verbs."""

    wants_trial = True

    def __init__(
        self,
        arm: Arm,
        wiring: Wiring,
        options: FdOptions,
        watch: Watch,
        hints: Hints,
        grid: Grid | None = None,
        eta: float | None = None,
    ):
        self.arm, self.wiring, self.options, self.watch, self.hints = arm, wiring, options, watch, hints
        self.link = arm.links[0]
        self.grid = grid if grid is not None else build_grid(arm, options.resolution)
        self.clamped = not wiring.joints
        law = None if self.clamped else wiring.joints[0].law
        kp, kv, ki = (0.0, 0.0, 0.0) if self.clamped or not hints.gains else hints.gains[0]
        self._kp = kp if law is not None and law.period == 0.0 else 0.0
        feedback = law is not None and law.period == 0.0 and max(kp, kv, ki) > 0.0
        holds = law is not None and (feedback or law.friction > 0.0)
        mode = "clamped" if self.clamped else wiring.joints[0].mode
        drive: Any = "torque" if mode == "free" else mode
        self.system = build_system(self.grid, Ends(drive, holds, options.variant == "paper", options.tip == "pinned"))
        self.eta = self._damping_time() if eta is None else eta
        self.packed = pack(self.system, wiring, self.eta)
        self.choice = choose(
            options.scheme, self.system, self.packed, self.eta, self._kp, options.accuracy, hints, holds
        )
        self.notes = [self.choice.reason]
        self.scheme = self._scheme(law.sensor if law is not None else "hub")
        size = self.system.size
        self.record_width = 2 * size + SUMS
        self.layout = {
            "q": slice(0, size),
            "v": slice(size, 2 * size),
            "sums": slice(2 * size, 2 * size + SUMS),
            "a": slice(2 * size + SUMS, 3 * size + SUMS),
            "d": slice(3 * size + SUMS, 4 * size + SUMS),
        }
        self.sensors, self._rows = measured(self.system, self.link, watch)
        shown = [k for k, name in enumerate(self.sensors) if not name.endswith(UNSTEADY)]
        self._peak_rows = self._rows[shown]

    def _scheme(self, sensor: str) -> Scheme:
        from flexarm.methods.fd.choose import largest_step

        if self.choice.scheme == "leapfrog":
            return Leapfrog(self.system, self.packed, largest_step(self.system, self.eta, self._kp))
        if self.choice.scheme == "newmark":
            return Newmark(self.system, self.packed)
        return Exact(self.system, self.packed, sensor, self.options.modes)

    def _damping_time(self) -> float:
        damping = self.arm.damping_of(self.link)
        if damping is None:
            return 0.0
        if damping.time is not None:
            return damping.time
        from flexarm.methods.fd.modal import modes_of

        modes = modes_of(self.system)
        swings = modes.omega > 0.0
        strain = np.einsum("mi,ij,mj->m", modes.shapes, self.system.bending, modes.shapes)
        omega = modes.omega[swings]
        return damping.time_constant(list(omega / (2 * np.pi)), list(strain[swings] / omega**2))

    def _channels(self, table: np.ndarray) -> np.ndarray:
        """A clamped hub has no channel of its own: give the kernels one that rests."""
        if not self.clamped:
            return table
        still = np.zeros((*table.shape[:-2], 1, table.shape[-1]))
        still[..., 0, 0] = self.grid.reference
        return np.ascontiguousarray(np.concatenate([still, table], axis=-2))

    def start(self, pose: Any, rates: Any, row: np.ndarray, at: Start = "undeformed") -> State:
        """Undeformed and turning rigidly, or at rest in equilibrium with the motor held."""
        angle = self.grid.reference if self.clamped else float(pose[0])
        rate = 0.0 if self.clamped else float(rates[0])
        if at == "equilibrium":
            state = self.static([angle], row)
        else:
            state = self._empty()
            state.x[self.layout["q"]] = self._rigid(angle)
            state.x[self.layout["v"]] = self._rigid(rate)
        self._reset_peaks(state)
        self.scheme.enter(state.x)
        return state

    def _empty(self) -> State:
        return State(np.zeros(4 * self.system.size + SUMS), np.zeros((1, Z_SIZE)))

    def _rigid(self, angle: float) -> np.ndarray:
        return angle * self.grid.rotation

    def _reset_peaks(self, state: State) -> None:
        """Ranges of travel and deflection begin where the arm is."""
        sums, q = state.x[self.layout["sums"]], state.x[self.layout["q"]]
        tip = q[NODE + self.grid.n]
        sums[[at.TIP_LOW, at.TIP_HIGH]] = tip
        sums[[at.BEND_LOW, at.BEND_HIGH]] = tip - self.grid.length * q[HUB]

    def static(self, pose: Any, row: np.ndarray) -> State:
        """Equilibrium with the motor held at pose[0], under gravity and patches."""
        system = build_system(self.grid, replace(self.system.ends, drive="clamped", law=False))
        held, scale = drive_coordinate(system)
        q = self._rigid(float(pose[0]))
        q[held] = scale * float(pose[0])
        load = system.load.copy()
        first = 0 if self.clamped else 1
        for k in range(len(self.wiring.patches)):
            load += self.packed.patch_stroke[k] * row[first + k, FORCE]
        free = system.free
        others = np.setdiff1d(np.arange(system.size), free)
        K = system.K
        q[free] = np.linalg.solve(K[np.ix_(free, free)], load[free] - K[np.ix_(free, others)] @ q[others])
        if not system.tip_state:
            q[NODE + self.grid.n + 1] = (q[NODE + self.grid.n] - q[NODE + self.grid.n - 1]) / self.grid.dx
        if self.grid.spring == 0.0:
            q[MOTOR] = q[HUB] = float(pose[0])
        state = self._empty()
        state.x[self.layout["q"]] = q
        self._set_end_moments(state, system, q, row[first:, FORCE])
        return state

    def _set_end_moments(self, state: State, held: System, q: np.ndarray, forces: np.ndarray) -> None:
        """Moments of half cells at ends whose slope is no coordinate, as `held`, the arm with its hub held, has them."""
        sums, share = state.x[self.layout["sums"]], self.packed.patch_moment
        moments = self.grid.EI * (curvature_rows(self.grid, held.hub_state, held.tip_state) @ q)
        sums[at.ROOT_MOMENT] = 0.0 if self.system.hub_state else moments[0]
        sums[at.TIP_MOMENT] = 0.0 if self.system.tip_state else float(share[:, NODE + self.grid.n] @ forces)

    def prepare(self, h: float) -> None:
        """Factor or tabulate for steps of length h."""
        self.scheme.prepare(h)

    def restart(self, state: State, row: np.ndarray, jumped: bool = False) -> State:
        """In place, and returned."""
        self.scheme.restart(state.x, state.z, self._channels(row))
        return state

    def march(self, state: State, plan: Steps) -> Marched:
        """Many compiled steps; a failure gives back the state before the bad step."""
        new = state.copy()
        table = self._channels(plan.table)
        every, phase = plan.record_every, plan.record_offset
        rows = (phase + plan.count) // every - phase // every if every else 0
        records = np.empty((rows, self.record_width))
        done, written = self.scheme.run(new.x, new.z, table, records, every, phase)
        new.step += done
        if done < plan.count:
            good = self.march(state, Steps(plan.h, plan.table[: done + 1], every, phase)) if done else None
            last = good.state if good else state.copy()
            return Marched(last, records[:written], Outcome.NOT_FINITE, done)
        return Marched(new, records[:written], Outcome.SUCCESS, done)

    def advance(self, state: State, plan: Steps) -> bool:
        """In place, no records."""
        done, _ = self.scheme.run(state.x, state.z, self._channels(plan.table), NO_RECORDS, 0, 0)
        state.step += done
        return done == plan.count

    def record(self, state: State) -> np.ndarray:
        """The record of a state, shape (record_width,)."""
        return state.x[: self.record_width].copy()

    def measure(self, state: State, out: np.ndarray) -> np.ndarray:
        """Readings in the order of `sensors`."""
        read(self._rows, state.x, out)
        return out

    def peaks_of(self, records: np.ndarray) -> np.ndarray:
        """Largest joint torque, tip travel and deflection, strains and sensor readings over records, (k,)."""
        return np.abs(records @ self._peak_rows.T).max(axis=0)

    def observe(self, times: np.ndarray, records: np.ndarray, table: np.ndarray) -> Signals:
        """What the records show."""
        pushed = any(patch.kind == "force" for patch in self.wiring.patches)
        return signals(self.system, self.link, self.watch, times, records, pushed)

    def change(self, state: State, payload: Payload, rule: str) -> tuple[FdModel, State]:
        """New payload: only masses at the tip change; the velocity there follows the rule."""
        arm = self.arm.model_copy(update={"payload": payload})
        options = self.options.model_copy(update={"scheme": self.choice.scheme})
        model = FdModel(arm, self.wiring, options, self.watch, self.hints, self.grid.with_payload(payload), self.eta)
        model.notes = self.notes
        new = state.copy()
        q, v = new.x[self.layout["q"]], new.x[self.layout["v"]]
        sums = new.x[self.layout["sums"]]
        old_mass, mass = self.system.M, model.system.M
        before = 0.5 * v @ old_mass @ v
        if rule == "at-rest":
            changed = np.any(mass != old_mass, axis=1)
            hit, massless = (np.flatnonzero(changed & kept) for kept in (np.diag(mass) > 0.0, np.diag(mass) == 0.0))
            rest = np.setdiff1d(np.arange(model.system.size), hit)
            momentum = old_mass[hit] @ v - mass[np.ix_(hit, rest)] @ v[rest]
            # the slope of a tip without inertia is no state any more: what had inertia takes its spin along
            sums[at.IMPULSE] -= self._rigid(1.0)[massless] @ old_mass[massless] @ v
            v[hit], v[massless] = np.linalg.solve(mass[np.ix_(hit, hit)], momentum), 0.0
            sums[at.LOST] += before - 0.5 * v @ mass @ v
        else:
            sums[at.WORK] += 0.5 * v @ (mass - old_mass) @ v
            sums[at.IMPULSE] += self._rigid(1.0) @ (mass - old_mass) @ v
        self._pass_on_tip(model.system, q, sums)
        here = q[None, :]
        sums[at.WORK] += float((gravity_energy(model.system, here) - gravity_energy(self.system, here))[0])
        model.scheme.enter(new.x)
        return model, new

    def _pass_on_tip(self, after: System, q: np.ndarray, sums: np.ndarray) -> None:
        """The bending of the last half cell when the slope of the tip becomes a coordinate, or ceases to be one.

        With damping its moment fades from there on. Without, it drops at once to the load, and its energy is lost.
        """
        before, grid = self.system, self.grid
        if before.tip_state == after.tip_state or after.ends.paper:
            return
        softness = grid.dx / (2.0 * grid.EI[-1])
        if after.tip_state:
            sums[at.WORK] += 0.5 * softness * sums[at.TIP_MOMENT] ** 2
            sums[[at.TIP_LOAD, at.TIP_MOMENT, at.TIP_RATE]] = 0.0
            return
        moment = float(grid.EI[-1] * curvature_rows(grid, before.hub_state, True)[-1] @ q)
        if self.eta == 0.0:
            sums[at.LOST] += 0.5 * softness * moment**2
        else:
            sums[at.TIP_MOMENT] = moment
            sums[at.WORK] -= 0.5 * softness * moment**2

    def linearise(self, state: State | None = None, joints: Joints = "locked", spin: float = 0.0) -> LinearModel:
        """Small motions about the reference pose; the model is linear, so any state gives the same."""
        if spin:
            raise CapabilityError(
                "the method fd has no centrifugal stiffening; use fem for a spinning arm", field="spin"
            )
        ends = replace(self.system.ends, law=False)
        moved = not self.clamped and self.wiring.joints[0].mode == "motion"
        if joints == "locked" or self.clamped or (joints == "held" and moved):
            ends = replace(ends, drive="clamped")
        elif joints == "free":
            ends = replace(ends, drive="torque")
        else:
            ends = replace(ends, drive="torque", law=True)
        system = build_system(self.grid, ends)
        law = None if self.clamped else self.wiring.joints[0].law
        model = linear_model(system, self.link, self.eta, law.sensor if law else "hub", self.watch)
        return model if joints == "held" else condensed(model)

    def estimate_step(self, accuracy: float, duration: float) -> float:
        """The step of the chosen scheme that keeps the tip within `accuracy` over `duration`."""
        return self.choice.step
