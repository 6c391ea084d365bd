"""The model of `ancf`: a planar serial arm in absolute nodal coordinates, ready to be stepped."""

from __future__ import annotations

from typing import Any

import numpy as np

from flexarm.arm import Arm, Payload
from flexarm.drive import JointWiring, Wiring
from flexarm.methods.ancf import layout as at
from flexarm.methods.ancf import stepping
from flexarm.methods.ancf.change import change_payload
from flexarm.methods.ancf.choices import is_sheared, notes_of
from flexarm.methods.ancf.layout import FRAME, SLIDE, SUMS
from flexarm.methods.ancf.linear import linear_model, spinning_model, static_state, tangent_matrices
from flexarm.methods.ancf.mesh import build_mesh
from flexarm.methods.ancf.observe import Reader
from flexarm.methods.ancf.options import AncfOptions
from flexarm.methods.ancf.packing import follows, from_diagonals, make_work, pack_arm
from flexarm.methods.ancf.solving import View, view
from flexarm.methods.base import Hints, Joints, LinearModel, Marched, Model, Outcome, Start, State, Steps, Watch
from flexarm.methods.signals import Signals
from flexarm.methods.step_size import phase_step
from flexarm.methods.subdivision import finer_notes
from flexarm.numerics import laws
from flexarm.numerics.eigen import vibration

OUTCOMES = (Outcome.SUCCESS, Outcome.NOT_CONVERGED, Outcome.ENERGY_ERROR)


class AncfModel(Model):
    """See `flexarm.methods.base.Model` for the verbs."""

    stiffens_when_spinning = True

    def __init__(self, arm: Arm, wiring: Wiring, options: AncfOptions, watch: Watch, hints: Hints):
        self.arm, self.wiring, self.options, self.watch, self.hints = arm, wiring, options, watch, hints
        self.links = len(arm.links)
        counts = options.resolution if isinstance(options.resolution, tuple) else (options.resolution,) * self.links
        sheared = tuple(is_sheared(link, options) for link in arm.links)
        self.mesh = build_mesh(arm, counts, sheared, tuple(follows(arm, wiring)))
        self.size = self.mesh.size
        self.kernel = pack_arm(arm, wiring, self.mesh, options)
        self.mass = from_diagonals(self.kernel.mass)
        self.held = not any(self.kernel.joint[:, at.J_ACTS])
        width = 2 * self.size + FRAME * self.links + SUMS
        kept = self.size * (2 * self.mesh.half_width + 1) + int(self.kernel.ip[at.I_CHORDS]) * self.size
        self.record_width, self.state_size = width, width + 3 * self.size + SLIDE * self.links + kept
        self.layout = {
            "q": slice(0, self.size),
            "v": slice(self.size, 2 * self.size),
            "frame": slice(2 * self.size, 2 * self.size + FRAME * self.links),
            "sums": slice(width - SUMS, width),
            "rest": slice(width, self.state_size),
        }
        self.channels = len(wiring.joints) + len(wiring.patches)
        self.law_rows = max(1, len(wiring.joints))
        self.work = make_work(
            self.kernel, self.mesh.half_width, self.channels, self.state_size, self.law_rows * laws.Z_SIZE
        )
        self.reader = Reader(self)
        self.sensors = self.reader.names
        self._damping()
        self._watch_energy()
        self.notes = notes_of(arm, self.mesh, options) + finer_notes(arm, options.resolution, self.mesh.counts)
        self._h = 0.0

    def _damping(self) -> None:
        """Kelvin-Voigt time of every element; a ratio refers to the mode of the start pose, joints as driven."""
        ratios = [i for i, link in enumerate(self.arm.links) if (d := self.arm.damping_of(link)) and d.time is None]
        hz, shares = np.zeros(0), np.zeros(0)
        if ratios:
            self.kernel.fig[:, at.F_BETA] = 1.0
            state = static_state(self, self.arm.pose)
            M, C, K, _ = tangent_matrices(self, state, self.row_of(state))
            found = vibration(M, np.zeros_like(M), K)
            lost = np.einsum("im,ij,jm->m", found.vectors, C, found.vectors)
            moving = np.einsum("im,ij,jm->m", found.vectors, M, found.vectors)
            hz, shares = found.hz, lost / (moving * (2 * np.pi * found.hz) ** 2)
        self.kernel.fig[:, at.F_BETA] = 0.0
        for i, link in enumerate(self.arm.links):
            damping = self.arm.damping_of(link)
            if damping is not None:
                self.kernel.fig[self.mesh.owner == i, at.F_BETA] = damping.time_constant(list(hz), list(shares))

    def _watch_energy(self) -> None:
        """Energy is judged where it should stay: without damping and control loops, whose fast decay no step resolves."""
        if (
            np.any(self.kernel.fig[:, at.F_BETA])
            or np.any(self.kernel.jfig[:, at.K_DAMPER])
            or np.any(self.hints.gains or [0.0])
        ):
            self.kernel.par[at.P_ENERGY] = 0.0

    def view(self, state: State) -> View:
        """Named parts of a state."""
        return view.py_func(state.x, self.size, self.links, int(self.kernel.ip[at.I_CHORDS]))

    def empty(self) -> State:
        """A state of zeros, sections unstretched."""
        state = State(np.zeros(self.state_size), np.zeros((self.law_rows, laws.Z_SIZE)))
        self.view(state).slide[0] = 1.0
        return state

    def start(self, pose: Any, rates: Any, row: np.ndarray, at: Start = "undeformed") -> State:
        """Undeformed and turning rigidly, or at rest in equilibrium with the motors held."""
        if at == "equilibrium":
            return static_state(self, pose, row)
        state = self.empty()
        self.place_rigidly(state, pose, rates, row)
        return state

    def place_rigidly(self, state: State, pose: Any, rates: Any, row: np.ndarray) -> None:
        """Nodes of the stiff arm at `pose` (joint order), turning with `rates`; commanded joints with the command."""
        s, joint = self.view(state), self.kernel.joint
        angle = spin = 0.0
        root, rate = np.zeros(2), np.zeros(2)
        for i, link in enumerate(self.arm.links):
            k = joint[i, at.J_CHANNEL]
            position = link.joint.start if k < 0 else float(pose[k])
            turning = 0.0 if k < 0 or rates is None else float(rates[k])
            if k >= 0 and joint[i, at.J_COMMAND]:
                position, turning = float(row[k, 0]), float(row[k, 1])
            s.frame[at.TIP, i] = angle
            angle, spin = angle + position, spin + turning
            s.frame[at.BASE, i] = s.frame[at.CHORD, i] = angle
            s.frame[at.JOINT, i] = s.frame[at.MOTOR, i] = position
            s.frame[at.JOINT_RATE, i] = s.frame[at.MOTOR_RATE, i] = turning
            axis = np.array([np.cos(angle), np.sin(angle)])
            across = np.array([-axis[1], axis[0]])
            for a, (r, rx, ry) in enumerate(self.mesh.nodes[i]):
                x = link.span * self.mesh.ends[i][a]
                values = (
                    (r, root + x * axis, rate + spin * x * across),
                    (rx, axis, spin * across),
                    (ry, across, -spin * axis),
                )
                for p, place, speed in values:
                    if p >= 0:
                        s.q[p : p + 2], s.v[p : p + 2] = place, speed
            root, rate = root + link.span * axis, rate + spin * link.span * across
            if self.mesh.motor[i] >= 0:
                s.q[self.mesh.motor[i]], s.v[self.mesh.motor[i]] = angle, spin

    def posed_row(self, pose: Any) -> np.ndarray:
        """A drive row that commands `pose`, at rest."""
        row = np.zeros((max(1, self.channels), 7))
        row[: len(self.wiring.joints), 0] = np.asarray(pose, dtype=float)
        return row

    def row_of(self, state: State) -> np.ndarray:
        """A drive row that commands what the motors of a state do."""
        row, frame = np.zeros((max(1, self.channels), 7)), self.view(state).frame
        for i, k in enumerate(self.kernel.joint[:, at.J_CHANNEL]):
            if k >= 0:
                row[k, 0], row[k, 1] = frame[at.MOTOR, i], frame[at.MOTOR_RATE, i]
        return row

    def shift(self, state: State, step: np.ndarray) -> None:
        """Move the unknowns; commanded sections follow when they are expanded."""
        s = self.view(state)
        s.q[:] += step
        moved = self.kernel.joint[:, at.J_MOVED] > 0
        s.slide[0, moved] += step[self.kernel.joint[moved, at.J_B]]

    def adopt(self, state: State, held: AncfModel) -> State:
        """A state of the same arm with held motors, as one of this model."""
        if held is self:
            return state
        mine, there = self.empty(), held.view(state)
        here = self.view(mine)
        here.q[:], here.v[:], here.frame[:] = there.q, there.v, there.frame
        for i, p in enumerate(self.mesh.motor):
            if p >= 0:
                here.q[p] = here.frame[at.TIP, i] + here.frame[at.MOTOR, i]
        moved = self.kernel.joint[:, at.J_MOVED] > 0
        here.slide[0, moved] = there.slide[0, moved]
        return mine

    def prepare(self, h: float) -> None:
        """Any step will do."""
        self._h = self.kernel.par[at.P_STEP] = h

    def restart(self, state: State, row: np.ndarray, jumped: bool = False) -> State:
        """In place, and returned."""
        table = np.ascontiguousarray(row)[None] if self.channels else np.zeros((1, 1, 7))
        stepping.march(self.kernel, self.work, state.x, state.z, table, NO_RECORDS, 0, 0, 0.0)
        return state

    def _run(
        self, state: State, table: np.ndarray, records: np.ndarray, every: int, phase: int
    ) -> tuple[int, int, int]:
        if not self.channels:
            table = np.zeros((table.shape[0], 1, 7))
        return stepping.march(
            self.kernel, self.work, state.x, state.z, np.ascontiguousarray(table), records, every, phase, self._h
        )

    def march(self, state: State, plan: Steps) -> Marched:
        """Many compiled steps; a step that fails ends at the state before it."""
        new = state.copy()
        every, phase = plan.record_every, plan.record_offset
        rows = (phase + plan.count) // every - phase // every if every else 0
        records = np.empty((rows, self.record_width))
        done, written, ended = self._run(new, plan.table, records, every, phase)
        new.step += done
        return Marched(new, records[:written], OUTCOMES[ended], done)

    def advance(self, state: State, plan: Steps) -> bool:
        """In place, no records."""
        done, _, _ = self._run(state, plan.table, NO_RECORDS, 0, 0)
        state.step += done
        return done == plan.count

    def record(self, state: State) -> np.ndarray:
        """The record of a state, shape (record_width,)."""
        return state.x[: self.record_width].copy()

    def measure(self, state: State, out: np.ndarray) -> np.ndarray:
        """Readings in the order of `sensors`."""
        return self.reader.measure(state.x, out)

    def observe(self, times: np.ndarray, records: np.ndarray, table: np.ndarray) -> Signals:
        """What the records show."""
        return self.reader.signals(times, records)

    def remarks(self, state: State) -> list[str]:
        """How often steps were taken in parts, and what the scheme did to the energy."""
        sums, found = state.x[self.layout["sums"]], []
        halved = int(sums[at.HALVED])
        if halved:
            found.append(f"steps were halved {halved} times; a smaller time.step is safer")
        share = abs(sums[at.NUMERICAL]) / sums[at.SCALE] if sums[at.SCALE] > 0.0 else 0.0
        if share > 0.01 and self.kernel.par[at.P_ENERGY] > 0.0:
            word = "made" if sums[at.NUMERICAL] > 0.0 else "lost"
            found.append(f"the time scheme {word} {100 * share:.2g} % of the largest energy; use a smaller time.step")
        return found

    def change(self, state: State, payload: Payload, rule: str) -> tuple[Model, State]:
        """The same mesh with another payload; at-rest conserves momentum, else the velocities stay."""
        return change_payload(self, state, payload, rule)

    def rewired(self, mode: str) -> AncfModel:
        """The same arm with all motors held (motion) or without torque (free)."""
        joints = tuple(JointWiring(j.name, mode, j.spring, None) for j in self.wiring.joints)  # type: ignore[arg-type]
        return AncfModel(self.arm, Wiring(joints, self.wiring.patches), self.options, self.watch, self.hints)

    def linearise(self, state: State | None = None, joints: Joints = "locked", spin: float = 0.0) -> LinearModel:
        """Small motions about the equilibrium of the start pose, about `state` with the joints as driven, or about a
        steady turn."""
        return spinning_model(self, spin) if spin else linear_model(self, state, joints)

    def static(self, pose: Any, row: np.ndarray) -> State:
        """Equilibrium with the motors held at `pose`."""
        return static_state(self, pose, row)

    def estimate_step(self, accuracy: float, duration: float) -> float:
        """Steps that keep the phase of the first modes within `accuracy` while the drives act."""
        state = static_state(self, self.arm.pose)
        M, C, K, _ = tangent_matrices(self, state, self.row_of(state))
        return phase_step(M, C, K, accuracy, self.hints.active, duration) or duration / 1000.0

    def coordinate_names(self) -> tuple[str, ...]:
        """Names of the unknowns."""
        names = [""] * self.size
        for i, link in enumerate(self.arm.links):
            for a, node in enumerate(self.mesh.nodes[i]):
                for word, p in zip(("r", "slope", "section"), node, strict=True):
                    for axis in range(2):
                        if p >= 0 and not names[p + axis]:
                            names[p + axis] = f"{link.name} {word}{a}.{'xy'[axis]}"
            if self.mesh.motor[i] >= 0:
                names[self.mesh.motor[i]] = f"{link.name} motor"
        return tuple(names)


NO_RECORDS = np.zeros((0, 0))
