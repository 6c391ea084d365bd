"""The model of `segments` in its sound form: a chain of rigid bodies and springs, ready to be stepped.

Equations: G20, G22.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numba.core import types

from flexarm.arm import Arm, Payload
from flexarm.drive import Wiring
from flexarm.errors import CapabilityError
from flexarm.methods.base import Hints, Model, Run, State, TickSteps, Watch
from flexarm.methods.law_table import law_row
from flexarm.methods.segments import layout as at
from flexarm.methods.segments import linear, stepping, ticks
from flexarm.methods.segments.chain import build_chain
from flexarm.methods.segments.loads import load_tables, prepare_loads
from flexarm.methods.segments.observe import SegmentsReader
from flexarm.methods.segments.options import SegmentsOptions
from flexarm.methods.segments.prediction import predict
from flexarm.numerics import laws
from flexarm.numerics.alexander import STEPS
from flexarm.numerics.by_address import address_of
from flexarm.numerics.eigen import vibration
from flexarm.numerics.tick_loop import ROW, steps_address
from flexarm.numerics.tick_loop import STEPS as STEP_ARGUMENTS

FRICTION_RATE = 1e-3
"""Rate in rad/s over which dry friction changes its sign."""
DAMPED = 1e-6
"""Logarithmic decrement by the time scheme that is told."""
COARSE = 60
"""Segments per link that suffice for the first frequencies where only their size matters."""


class SegmentsModel(Model):
    """See `flexarm.methods.base.Model` for the verbs."""

    sums = at

    stiffens_when_spinning = True
    history = 2
    """Numbers per body that only the next step reads."""

    def __init__(self, arm: Arm, wiring: Wiring, options: SegmentsOptions, watch: Watch, hints: Hints):
        super().__init__(arm, wiring, options, watch, hints)
        links = len(arm.links)
        counts = options.resolution if isinstance(options.resolution, tuple) else (options.resolution,) * links
        self.counts = counts
        self.mesh_order = 2 if options.end_rule in ("half", "both") else 1
        self.chain = build_chain(arm, wiring, counts, options.end_rule, options.springs)
        self._lay_out()
        self._pack()
        self.reader = SegmentsReader(self)
        self.sensors = self.reader.names
        self.take_damping()
        self.notes = [f"{self.chain.size} bodies, ends {options.end_rule}, {options.integrator}"]
        self._driven = wiring.patches or any(
            joint.mode != "motion" for joint in wiring.joints
        )  # whose torques may jump at any restart

    def _lay_out(self) -> None:
        size, links = self.chain.size, len(self.arm.links)
        parts = (("theta", size), ("omega", size), ("alpha", size), ("joints", at.JOINTS * links), ("sums", at.SUMS),
                 ("loads", len(self.wiring.patches)), ("history", self.history * size))  # fmt: skip
        self.layout, start = {}, 0
        for name, length in parts:
            self.layout[name] = slice(start, start + length)
            start += length
        self.record_width = self.layout["loads"].stop
        self.width = start

    def _pack(self) -> None:
        """Arrays that the kernels read, and those in which they work."""
        data = [
            (place.root_compliance, self.chain.links[i - 1].tip_compliance if i else 0.0, link.joint.rotor.with_motor)
            for i, (place, link) in enumerate(zip(self.chain.links, self.arm.links, strict=True))
        ]
        self.joint_data = np.array(data)
        self.law = np.array(
            [law_row(joint.law, FRICTION_RATE) for joint in self.wiring.joints] or [np.zeros(laws.LAW_SIZE)]
        )
        self.parts = self.packed(self.chain.kind)
        size, start = self.chain.size, self.empty()
        self.work = at.Workspace(
            np.zeros((size, at.W_SIZE)), np.zeros((size, 3)), np.zeros((laws.ORDER + 2, laws.ORDER)),
            np.zeros((2, max(1, self.channels), laws.WIDEST)), start.x, start.z,
            np.zeros(len(self.wiring.patches)),
        )  # fmt: skip
        if self.wiring.patches:
            prepare_loads(self)

    def packed(self, kind: np.ndarray) -> at.Parts:
        """What the kernels read of the chain with these connections."""
        chain, options = self.chain, self.options
        return at.Parts(
            chain.body, kind, chain.joint, self.joint_data, self.law, *load_tables(self), *map(float, self.arm.gravity[:2]),
            *options.scheme, options.tolerance, options.iterations, len(self.wiring.patches),
        )  # fmt: skip

    def set_damping(self, times: np.ndarray) -> None:
        """Kelvin-Voigt dampers of the links' springs."""
        super().set_damping(times)
        chain, bends = self.chain, self.chain.bending > 0.0
        chain.body[bends, at.C] = (self.damping_times[chain.kind[:, at.LINK]] * chain.bending)[bends]

    def small_motions(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """About the equilibrium of the start pose, joints as driven."""
        return linear.tangent_matrices(self, linear.static_state(self, self.arm.pose))

    def undamped_hz(self, n: int | None = None) -> np.ndarray:
        """Natural frequencies at the start pose, joints as driven, Hz."""
        M, _, K = self.small_motions()
        return vibration(M, np.zeros_like(M), K, n).hz

    def seat(self, link: int, fraction: float) -> tuple[int, float]:
        """Body under a fraction of a link, and the place on it as a share of its length."""
        place = self.chain.links[link]
        where = fraction * place.edges[-1]
        k = int(np.clip(np.searchsorted(place.edges, where, side="right") - 1, 0, len(place.edges) - 2))
        length = place.edges[k + 1] - place.edges[k]
        return place.first + k, float((where - place.edges[k]) / length) if length > 0.0 else 1.0

    def empty(self) -> State:
        """A state of zeros."""
        return State(np.zeros(self.width), np.zeros((max(1, len(self.wiring.joints)), laws.Z_SIZE)))

    def _undeformed(self, pose: Any, rates: Any, row: np.ndarray) -> State:
        state = self.empty()
        place, turn = np.array(pose, dtype=float), np.array(rates, dtype=float)
        for k, joint in enumerate(self.wiring.joints):
            if joint.mode == "motion":
                place[k], turn[k] = row[k, 0], row[k, 1]
        state.x[self.layout["theta"]] = linear.rigid_angles(self, place)
        state.x[self.layout["omega"]] = linear.rigid_angles(self, turn) - linear.rigid_angles(self, 0.0 * turn)
        joints = state.x[self.layout["joints"]].reshape(at.JOINTS, len(self.arm.links))
        joints[[at.POSITION, at.MOTOR]] = [link.joint.start for link in self.arm.links]
        for i, k in enumerate(self.chain.joint[:, at.J_CHANNEL]):
            if k >= 0:
                joints[[at.POSITION, at.MOTOR], i], joints[[at.RATE, at.MOTOR_RATE], i] = place[k], turn[k]
        return state

    def step_notes(self, h: float) -> list[str]:
        """What the time scheme takes from the first modes at steps of length h; what it does to frequencies is told elsewhere."""
        found = []
        for number, hz in enumerate(self.first_hz[:2], start=1):
            seen = predict(self.options.scheme, float(hz), h)
            if seen.log_decrement > DAMPED:
                found.append(
                    f"mode {number} at {hz:.4g} Hz comes out at {seen.hz:.4g} Hz ({100 * seen.shift:+.2g} %) with a numerical "
                    f"logarithmic decrement of {seen.log_decrement:.3g}"
                )
        return found

    @functools.cached_property
    def first_hz(self) -> np.ndarray:
        """First natural frequencies at the start pose, joints as driven, with at most COARSE segments per link, Hz."""
        if max(self.counts) <= COARSE:
            return self.undamped_hz(3)
        counts = tuple(min(n, COARSE) for n in self.counts)
        options = self.options.model_copy(update={"resolution": counts})
        return type(self)(self.arm, self.wiring, options, self.watch, self.hints).undamped_hz(3)

    def restart(self, state: State, row: np.ndarray, jumped: bool = False) -> State:
        """In place, and returned; a torque that is held between ticks jumps at each."""
        shortest = self.h if self._driven else 0.0
        stepping.restart(state.x, state.z, np.ascontiguousarray(row), shortest, self.parts, self.work)
        state.x[self.layout["sums"]][at.STARTING] = STEPS if self.wiring.sampled else 0.0
        return state

    def _run(self, state: State, table: np.ndarray, records: np.ndarray, every: int, offset: int) -> Run:
        done, written = stepping.march(state.x, state.z, table, records, every, offset, self.h, self.parts, self.work)
        return done, written, int(done < len(table) - 1)

    def between_ticks(self, state: State) -> TickSteps:
        """Of restart and march."""
        packed = self.parts, self.work
        restart = address_of(stepping.restart, types.none, *ROW, types.float64, *packed)
        method = ticks.Ticks(restart, address_of(stepping.march, ticks.RUN, *STEP_ARGUMENTS[:-1], *packed), *packed)
        return TickSteps(steps_address(ticks.between_ticks, method), method)

    def change(self, state: State, payload: Payload, rule: str) -> tuple[Model, State]:
        """The same chain with another payload; at-rest conserves momentum, else the rates stay."""
        model = self.with_payload(payload)
        if model.chain.size != self.chain.size:
            raise CapabilityError(
                "with ends: both a payload cannot begin or cease to turn on its half spring; use ends: half",
                field="events",
            )
        new = state.copy()
        omega = new.x[self.layout["omega"]]
        if rule == "at-rest":
            theta, T = state.x[self.layout["theta"]], linear.mapping(self.chain.kind)
            before, after = linear.inertia(self.chain.body, theta)[0], linear.inertia(model.chain.body, theta)[0]
            omega += T @ np.linalg.solve(T.T @ after @ T, T.T @ (before - after) @ omega)
        self._account_change(model, state, new, rule)
        return model, new

    _linear_model, _spinning_model = linear.linear_model, linear.spinning_model

    def static(self, pose: Any, row: np.ndarray) -> State:
        """Equilibrium with the motors held at `pose`."""
        return linear.static_state(self, pose, row=row)

    @property
    def phase_factor(self) -> float:
        """Of Newmark's scheme with its beta."""
        return 1.0 / max(0.5 * self.options.scheme[0] - 1.0 / 24.0, 1.0 / 12.0)

    def estimate_step(self, accuracy: float, duration: float) -> float:
        """Steps that keep phase and amplitude of the first modes within `accuracy` while the drives act."""
        hz = self.first_hz
        if not len(hz):  # all links rigid: only the drives set the step
            return duration / 100.0
        omega = 2.0 * np.pi * hz
        active = duration if self.hints.active is None else min(duration, self.hints.active + 3.0 / hz[0])
        share = 1.0 / omega**2 / np.sum(1.0 / omega**2)
        gamma = self.options.scheme[1]
        step = np.sqrt(0.5 * accuracy * self.phase_factor / float(share @ (omega**3 * active)))
        loss = gamma - 0.5 if self.options.integrator == "newmark" else 0.0
        if loss > 0.0:
            step = min(step, accuracy / (0.5 * loss * float(share @ (omega**2 * active))))
        return float(min(step, 1.0 / (self.steps_per_period * hz[0])))
