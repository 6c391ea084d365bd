"""The model of `fem`: a planar arm of Timoshenko beams, ready to be stepped."""

from __future__ import annotations

from typing import Any

import numpy as np

from flexarm.arm import Arm, Payload
from flexarm.drive import Wiring
from flexarm.methods.base import Hints, Joints, LinearModel, Model, Start, State, Watch
from flexarm.methods.fem import layout as at
from flexarm.methods.fem import march as steps
from flexarm.methods.fem.constraints import build_constraints
from flexarm.methods.fem.equilibrium import set_pose, static_state
from flexarm.methods.fem.linear import linear_model, spinning_model
from flexarm.methods.fem.loop_closure import check_loops, closed_pose, closed_rates, passive_joints, with_motors
from flexarm.methods.fem.matrices import build_matrices
from flexarm.methods.fem.mesh import build_mesh
from flexarm.methods.fem.observe import Reader
from flexarm.methods.fem.options import FemOptions
from flexarm.methods.fem.packing import pack, workspace
from flexarm.methods.fem.rigid_pose import place_rigidly
from flexarm.methods.fem.tangents import constraint_jacobian, full_mass, motions, tangent_matrices
from flexarm.methods.step_size import phase_step
from flexarm.methods.stepped import SteppedModel, halved_remark
from flexarm.methods.subdivision import finer_notes
from flexarm.numerics import laws
from flexarm.numerics.eigen import strain_shares

STIFF_STEP = 1e-3
"""Step in s of an arm in which nothing swings."""


class FemModel(SteppedModel):
    """See `flexarm.methods.base.Model` for the verbs."""

    def __init__(self, arm: Arm, wiring: Wiring, options: FemOptions, watch: Watch, hints: Hints):
        self.arm, self.wiring, self.options, self.watch, self.hints = arm, wiring, options, watch, hints
        self.links, self.pose = len(arm.links), closed_pose(arm, arm.pose)
        self.passive = passive_joints(arm, wiring, self.pose)
        counts = options.resolution if isinstance(options.resolution, tuple) else (options.resolution,) * self.links
        counts = tuple(n if link.flexible else 0 for n, link in zip(counts, arm.links, strict=True))
        self.mesh = build_mesh(arm, wiring, counts, options.order, whole_links=options.theory == "link")
        self.size, self.channels = self.mesh.size, len(wiring.joints) + len(wiring.patches)
        self.constraints = build_constraints(arm, self.mesh)
        self.constant = build_matrices(arm, wiring, self.mesh, options.integration, options.beams)
        ends = np.cumsum([0, self.size, self.size, at.FRAME * self.links, at.SUMS, self.constraints.rows])
        ends = [*ends, ends[-1] + 4 * self.size + 2 * self.links]
        names = ("q", "v", "frame", "sums", "lam", "unrecorded")
        self.layout = {name: slice(int(a), int(b)) for name, a, b in zip(names, ends[:-1], ends[1:], strict=True)}
        self.record_width = self.layout["lam"].stop
        self.parts = pack(self)
        self.work = workspace(self)
        self.notes = [f"theory {options.theory}, {self.size} unknowns, {options.integrator}"]
        self.notes += finer_notes(arm, options.resolution, self.mesh.counts)
        self.stiffens_when_spinning = options.theory == "exact"
        self.estimates_error = options.error_estimate
        self.reader = Reader(self)
        self._check_loops()
        self._damping()
        self.sensors = self.reader.names
        self._h = 0.0

    def _check_loops(self) -> None:
        """Loops that cannot work are refused; in the start pose they get the angles that they hold."""
        if self.arm.loops:
            state = self.empty()
            set_pose(self, state, self.pose)
            self.notes += check_loops(self, state, constraint_jacobian(self, state)[0])

    def _damping(self) -> None:
        """Kelvin-Voigt time of every element; a ratio refers to the mode of the start pose, joints as driven."""
        modes: tuple[list[float], list[float]] | None = None
        if self.options.theory == "quasi-static":
            return
        for i, link in enumerate(self.arm.links):
            damping = self.arm.damping_of(link)
            if damping is None:
                continue
            if damping.time is None and modes is None:
                modes = self._strained_modes()
            self.parts.properties[self.mesh.link == i, :, at.ETA] = damping.time_constant(*(modes or ([], [])))
        self._note_damping()

    def _strained_modes(self) -> tuple[list[float], list[float]]:
        """Frequencies at the start pose and the links' share of their energy: what damping of unit time adds to C."""
        state, times = static_state(self, self.arm.pose), self.parts.properties[:, :, at.ETA]
        before = times.copy()
        M, plain, K = tangent_matrices(self, state)
        times[:] = 1.0
        self._note_damping()
        strained = tangent_matrices(self, state)[1]
        times[:] = before
        self._note_damping()
        return strain_shares(M, K, strained - plain)

    def _note_damping(self) -> None:
        """Tell the kernels whether beams are damped, and whether anything is: then jumps need starting steps."""
        parts, data = self.parts, self.parts.joint_data
        parts.damped = bool(np.any(parts.properties[:, :, at.ETA]))
        laws_act = any(j.law is not None and j.law.kind != "external" for j in self.wiring.joints)
        dampers = bool(np.any(data[:, at.DAMPER] * data[:, at.SPRING]))
        parts.starting_steps = parts.damped or laws_act or dampers

    def empty(self) -> State:
        """A state of zeros."""
        return State(np.zeros(self.layout["unrecorded"].stop), np.zeros((max(1, len(self.wiring.joints)), laws.Z_SIZE)))

    def start(self, pose: Any, rates: Any, row: np.ndarray, at: Start = "undeformed") -> State:
        """Undeformed and turning rigidly, or at rest in equilibrium with the motors held."""
        if at == "equilibrium":
            return static_state(self, pose)
        state, closed = self.empty(), closed_pose(self.arm, pose)
        self.place_rigidly(state, closed, closed_rates(self, closed, rates, row), row)
        if np.abs(row[: len(self.wiring.joints), 1]).max(initial=0.0) > steps.LEAST_JUMP:
            self.shaken(state)  # links that begin to move at once
        return state

    def shaken(self, state: State) -> None:
        """L-stable starting steps are due, if anything damps."""
        state.x[self.layout["sums"]][at.STARTING] = -1.0

    def place_rigidly(self, state: State, pose: Any, rates: Any = None, row: np.ndarray | None = None) -> None:
        """Nodes of the stiff arm at `pose` (joint order), turning with `rates`; commanded joints with the command."""
        place_rigidly(self, state, pose, rates, row)

    def prepare(self, h: float) -> None:
        """Any step will do."""
        self._h = h

    def restart(self, state: State, row: np.ndarray, jumped: bool = False) -> State:
        """In place, and returned."""
        if jumped or any(joint.law is not None and joint.law.period > 0.0 for joint in self.wiring.joints):
            self.shaken(state)  # a torque that is held between ticks jumps at each
        steps.restart(state.x, state.z, np.ascontiguousarray(row), self.parts, self.work)
        return state

    def _run(self, state: State, table: np.ndarray, records: np.ndarray, every: int, phase: int) -> tuple[int, int]:
        table = np.ascontiguousarray(table)
        return steps.march(state.x, state.z, table, records, every, phase, self._h, self.parts, self.work)

    def remarks(self, state: State) -> list[str]:
        """How often steps had to be halved."""
        return halved_remark(state.x[self.layout["sums"]][at.HALVED])

    def change(self, state: State, payload: Payload, rule: str) -> tuple[Model, State]:
        """The same mesh with another payload; at-rest conserves momentum, else the velocities stay."""
        arm = self.arm.model_copy(update={"payload": payload})
        model = FemModel(arm, self.wiring, self.options, self.watch, self.hints)
        model.parts.properties[:, :, at.ETA] = self.parts.properties[:, :, at.ETA]
        model._note_damping()
        new = state.copy()
        before, after, T = full_mass(self, state), full_mass(model, state), motions(self, state)
        v, sums = new.x[self.layout["v"]], new.x[self.layout["sums"]]
        rate = state.x[self.layout["frame"]].reshape(at.FRAME, self.links)[at.RATE, self.parts.payload_link]
        spin = np.zeros(self.size)
        spin[self.parts.payload[2]] = rate  # the payload turns with Theta as well
        old = self.reader.energies(state.x[None, : self.record_width])[0]
        if rule == "at-rest":
            v += T @ np.linalg.solve(T.T @ after @ T, T.T @ (before - after) @ (v + spin))
            self.shaken(new)
        now = model.reader.energies(new.x[None, : self.record_width])[0]
        absolute = model.reader.potential(new.x[None, : self.record_width])[0]
        weight = absolute - self.reader.potential(state.x[None, : self.record_width])[0]
        sums[at.LOST if rule == "at-rest" else at.WORK] += (old[0] - now[0]) * (1.0 if rule == "at-rest" else -1.0)
        sums[at.WORK] += weight
        return model, new

    def rewired(self, mode: str) -> FemModel:
        """The same arm with all motors held (motion) or without torque (free); joints that follow from loops stay free."""
        wiring = with_motors(self.wiring, mode, self.passive)
        return FemModel(self.arm, wiring, self.options, self.watch, self.hints)

    def linearise(self, state: State | None = None, joints: Joints = "locked", spin: float = 0.0) -> LinearModel:
        """Small motions about the equilibrium of the start pose, about `state` with the joints as driven, or about a
        steady turn."""
        return spinning_model(self, spin) if spin else linear_model(self, state, joints)

    def static(self, pose: Any, row: np.ndarray) -> State:
        """Equilibrium with the motors held at `pose`."""
        return static_state(self, pose)

    def estimate_step(self, accuracy: float, duration: float) -> float:
        """Steps that keep the phase of the first modes within `accuracy` while the drives act."""
        M, C, K = tangent_matrices(self, static_state(self, self.arm.pose))
        step = phase_step(M, C, K, accuracy, self.hints.active, duration)
        return min(STIFF_STEP, duration) if step is None else step  # None: all links are rigid and none hangs
