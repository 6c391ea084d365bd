"""The model of `fd`: one link in finite differences, ready to be stepped.

Equations: F35.
"""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import Any

import numpy as np

from flexarm.arm import Arm, Payload
from flexarm.drive import JointWiring, Wiring
from flexarm.methods.base import (
    FIRST_MODES,
    NO_RECORDS,
    Hints,
    Joints,
    LinearModel,
    Model,
    Outcome,
    Run,
    Start,
    State,
    TickSteps,
    Watch,
)
from flexarm.methods.fd import layout as at
from flexarm.methods.fd.choose import PHASE_DIVISOR, SAFETY, choose
from flexarm.methods.fd.grid import Grid, build_grid
from flexarm.methods.fd.layout import HUB, MOTOR, NODE
from flexarm.methods.fd.linear import condensed, linear_model
from flexarm.methods.fd.modal import modes_of
from flexarm.methods.fd.observe import FdReader, gravity_energy
from flexarm.methods.fd.options import FdOptions
from flexarm.methods.fd.packing import drive_coordinate, pack
from flexarm.methods.fd.schemes import Exact, Leapfrog, Newmark, Scheme
from flexarm.methods.fd.system import Ends, System, build_system, curvature_row
from flexarm.methods.left_out import Counted
from flexarm.numerics.law_rows import FORCE, Z_SIZE


class FdModel(Model):
    """See `flexarm.methods.base.Model` for the verbs."""

    sums = at
    outcomes = (Outcome.SUCCESS, Outcome.NOT_FINITE)
    numbers_per_second = 2e7

    def law_acts(self, joint: JointWiring) -> bool:
        return super().law_acts(joint) and joint.law is not None

    def __init__(
        self, arm: Arm, wiring: Wiring, options: FdOptions, watch: Watch, hints: Hints, before: FdModel | None = None
    ):
        """`before`: the model of which this is another payload; it gives grid and damping."""
        super().__init__(arm, wiring, options, watch, hints)
        self.link = arm.links[0]
        self.mesh_order = 2 if options.variant == "sound" else 1
        self.grid: Grid = before.grid.with_payload(arm.payload) if before else build_grid(arm, options.resolution)
        self.clamped = not wiring.joints
        law = None if self.clamped else wiring.joints[0].law
        kp, kv, ki = (0.0, 0.0, 0.0) if self.clamped or not hints.gains else hints.gains[0]
        kp = kp if law is not None and law.period == 0.0 else 0.0
        feedback = law is not None and law.period == 0.0 and max(kp, kv, ki) > 0.0
        holds = law is not None and (feedback or law.friction > 0.0)
        mode = "clamped" if self.clamped else wiring.joints[0].mode
        drive: Any = "torque" if mode == "free" else mode
        self.system = build_system(self.grid, Ends(drive, holds, options.variant == "paper", options.tip == "pinned"))
        self._law_sensor = law.sensor if law is not None else "hub"
        if before:
            self.set_damping(before.damping_times)
        else:
            self.take_damping()
        self.packed = pack(self.system, wiring, self.eta)
        self.choice = choose(options.scheme, self.system, self.packed, self.eta, kp, options.accuracy, hints, holds)
        self.notes = before.notes if before else [self.choice.reason]
        self.scheme = self._scheme()
        self._lay_out()
        self.reader = FdReader(self, self.system)
        self.sensors = self.reader.names

    @property
    def eta(self) -> float:
        """Kelvin-Voigt time of the link, s."""
        return float(self.damping_times[0])

    def _scheme(self) -> Scheme:
        if self.choice.scheme == "leapfrog":
            return Leapfrog(self.system, self.packed, self.choice.limit)
        if self.choice.scheme == "newmark":
            return Newmark(self.system, self.packed)
        return Exact(self.system, self.packed, self._law_sensor, self.options.modes)

    def _lay_out(self) -> None:
        size = self.system.size
        lengths = {"q": size, "v": size, "sums": at.PATCHES + self.packed.patches, "a": size, "d": size}
        stops = np.cumsum(list(lengths.values()))
        self.layout = {
            name: slice(int(stop) - length, int(stop))
            for (name, length), stop in zip(lengths.items(), stops, strict=True)
        }
        self.record_width = self.layout["sums"].stop

    def take_damping(self) -> None:
        """Kelvin-Voigt time; a ratio refers to a mode of the grid as it is driven.

        The modes are those of `modal`, which finds the swing under gravity apart from bending modes 1e15 times as stiff.
        """
        damping = self.arm.damping_of(self.link)
        if damping is None:
            return
        modes: tuple[list[float], list[float]] = [], []
        if damping.time is None:
            found = modes_of(self.system)
            swings = found.omega > 0.0
            omega, shapes = found.omega[swings], found.shapes[swings]
            strain = np.einsum("mi,ij,mj->m", shapes, self.system.bending, shapes)
            modes = list(omega / (2 * np.pi)), list(strain / omega**2)
        self.set_damping(np.array([damping.time_constant(*modes)]))

    def _channels(self, table: np.ndarray) -> np.ndarray:
        """A clamped hub has no channel of its own: give the kernels one that rests."""
        if not self.clamped:
            return table
        resting = np.zeros((*table.shape[:-2], 1, table.shape[-1]))
        resting[..., 0, 0] = self.grid.reference
        return np.ascontiguousarray(np.concatenate([resting, table], axis=-2))

    def start(self, pose: Any, rates: Any, row: np.ndarray, at: Start = "undeformed") -> State:
        """A clamped link stays where gravity was taken."""
        if self.clamped:
            pose, rates = [self.grid.reference], [0.0]
        state = super().start(pose, rates, row, at)
        self._reset_peaks(state)
        self.scheme.set_modes(state.x)
        return state

    def _undeformed(self, pose: Any, rates: Any, row: np.ndarray) -> State:
        state = self._empty()
        state.x[self.layout["q"]], state.x[self.layout["v"]] = self._rigid(float(pose[0])), self._rigid(float(rates[0]))
        return state

    def _empty(self) -> State:
        return State(np.zeros(self.layout["d"].stop), np.zeros((1, Z_SIZE)))

    def _rigid(self, angle: float) -> np.ndarray:
        return angle * self.grid.rotation

    def _reset_peaks(self, state: State) -> None:
        """Ranges of travel and deflection begin where the arm is."""
        sums, q = state.x[self.layout["sums"]], state.x[self.layout["q"]]
        tip = q[NODE + self.grid.n]
        sums[[at.TIP_LOW, at.TIP_HIGH]] = tip
        sums[[at.BEND_LOW, at.BEND_HIGH]] = tip - self.grid.length * q[HUB]

    def static(self, pose: Any, row: np.ndarray) -> State:
        """Equilibrium with the motor held at pose[0], under gravity and patches; a clamped link stays where gravity was taken."""
        angle = self.grid.reference if self.clamped else float(pose[0])
        system = build_system(self.grid, replace(self.system.ends, drive="clamped", law=False))
        held, scale = drive_coordinate(system)
        q = self._rigid(angle)
        q[held] = scale * angle
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
            q[MOTOR] = q[HUB] = angle
        state = self._empty()
        state.x[self.layout["q"]] = q
        self._set_end_moments(state, system, q, row[first : first + len(self.wiring.patches), FORCE])
        return state

    def _set_end_moments(self, state: State, held: System, q: np.ndarray, forces: np.ndarray) -> None:
        """Moments of half cells at ends whose slope is no coordinate, as `held`, the arm with its hub held, has them."""
        sums, share = state.x[self.layout["sums"]], self.packed.patch_moment
        root = self.grid.EI[0] * float(curvature_row(self.grid, 0, held.hub_state, held.tip_state) @ q)
        sums[at.PATCHES :] = forces
        sums[at.ROOT_MOMENT] = 0.0 if self.system.hub_state else root
        sums[at.TIP_MOMENT] = 0.0 if self.system.tip_state else float(share[:, NODE + self.grid.n] @ forces)

    def counted(self, link: int) -> Counted:
        """Deflections to first order."""
        return Counted(order=1)

    def prepare(self, h: float) -> None:
        """Factor or tabulate for steps of length h."""
        self.scheme.prepare(h)
        super().prepare(h)

    def restart(self, state: State, row: np.ndarray, jumped: bool = False) -> State:
        """In place, and returned."""
        self.scheme.restart(state.x, state.z, self._channels(row))
        return state

    def _run(self, state: State, table: np.ndarray, records: np.ndarray, every: int, offset: int) -> Run:
        """A step whose numbers are not finite is undone by marching once more up to it."""
        table = self._channels(table)
        done, written = self.scheme.run(state.x, state.z, table, records, every, offset)
        failed = done < len(table) - 1
        if failed and done:
            self.scheme.run(state.x, state.z, table[: done + 1], NO_RECORDS, 0, 0)
        return done, written, int(failed)

    def between_ticks(self, state: State) -> TickSteps:
        """Of the scheme."""
        return self.scheme.between_ticks()

    def change(self, state: State, payload: Payload, rule: str) -> tuple[FdModel, State]:
        """New payload: only masses at the tip change; the velocity there follows the rule."""
        model, new = self.with_payload(payload), state.copy()
        q, v = new.x[self.layout["q"]], new.x[self.layout["v"]]
        sums = new.x[self.layout["sums"]]
        old_mass, mass = self.system.M, model.system.M
        before = 0.5 * v @ old_mass @ v
        if rule == "at-rest":
            changed = np.any(mass != old_mass, axis=1)
            hit, massless = (np.flatnonzero(changed & some) for some in (np.diag(mass) > 0.0, np.diag(mass) == 0.0))
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
        model.scheme.set_modes(new.x)
        return model, new

    def _carrying(self, payload: Payload) -> FdModel:
        """The same grid, damping and scheme."""
        arm = self.arm.model_copy(update={"payload": payload})
        options = self.options.model_copy(update={"scheme": self.choice.scheme})
        return FdModel(arm, self.wiring, options, self.watch, self.hints, self)

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
        moment = float(grid.EI[-1] * curvature_row(grid, grid.n, before.hub_state, True) @ q)
        if self.eta == 0.0:
            sums[at.LOST] += 0.5 * softness * moment**2
        else:
            sums[at.TIP_MOMENT] = moment
            sums[at.WORK] -= 0.5 * softness * moment**2

    def linearise(self, state: State | None = None, joints: Joints = "locked", spin: float = 0.0) -> LinearModel:
        """Matrices are the same about any state."""
        used = self.static(self.arm.pose, self.posed_row(self.arm.pose)) if state is None else state
        return super().linearise(used, joints, spin)

    def _linear_model(self, state: State, joints: Joints) -> LinearModel:
        ends = replace(self.system.ends, law=False)
        prescribed = not self.clamped and self.wiring.joints[0].mode == "motion"
        if joints == "locked" or self.clamped or (joints == "held" and prescribed):
            ends = replace(ends, drive="clamped")
        elif joints == "free":
            ends = replace(ends, drive="torque")
        else:  # the slope of the hub is a coordinate, with or without mass
            ends = replace(ends, drive="torque", law=True)
        model = linear_model(self, build_system(self.grid, ends), self._law_sensor, state)
        return model if joints == "held" else condensed(model)

    def estimate_step(self, accuracy: float, duration: float) -> float:
        """The step of the chosen scheme that keeps the tip within `accuracy` over `duration`."""
        return self.choice.step

    def first_step(self, accuracy: float, duration: float) -> float:
        """Not longer than what is stable."""
        return min(super().first_step(accuracy, duration), SAFETY * self.scheme.limit)

    @functools.cached_property
    def first_hz(self) -> np.ndarray:
        """First natural frequencies of the grid as it is driven, Hz."""
        omega = modes_of(self.system, FIRST_MODES + 1).omega
        return omega[omega > 0.0][:FIRST_MODES] / (2.0 * np.pi)

    @property
    def phase_factor(self) -> float:
        """None of the scheme exact, whose frequencies are those of the grid."""
        return PHASE_DIVISOR.get(self.choice.scheme, np.inf)
