"""The model of `fem`: a planar arm of Timoshenko beams, ready to be stepped."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numba.core import types

from flexarm.arm import Arm, Payload
from flexarm.drive import Wiring
from flexarm.methods.base import Hints, Loaded, Model, Outcome, PointLoad, Run, State, TickSteps, Watch
from flexarm.methods.fem import layout as at
from flexarm.methods.fem import march as steps
from flexarm.methods.fem import ticks
from flexarm.methods.fem.constraints import build_constraints
from flexarm.methods.fem.corrected import corrected_links, pull_notes
from flexarm.methods.fem.equilibrium import is_stable, set_pose, static_state
from flexarm.methods.fem.linear import linear_model, spinning_model
from flexarm.methods.fem.loads import prepare_loads
from flexarm.methods.fem.loop_closure import (
    check_loops,
    closed_pose,
    closed_rates,
    nearly_singular,
    passive_joints,
    with_motors,
)
from flexarm.methods.fem.matrices import build_matrices
from flexarm.methods.fem.mesh import build_mesh
from flexarm.methods.fem.observe import FemReader
from flexarm.methods.fem.on_demand import load_kernels
from flexarm.methods.fem.options import FemOptions, counted_by
from flexarm.methods.fem.packing import pack, workspace
from flexarm.methods.fem.quasi_static import quasi_static_deformation
from flexarm.methods.fem.reactions import balanced_roots, element_roots, load_vector
from flexarm.methods.fem.rigid_pose import place_rigidly
from flexarm.methods.fem.tangents import constraint_jacobian, full_mass, motions, tangent_matrices
from flexarm.methods.left_out import Counted
from flexarm.methods.load_rows import point_loads
from flexarm.methods.subdivision import finer_notes
from flexarm.numerics import laws
from flexarm.numerics.by_address import address_of
from flexarm.numerics.kept import kept
from flexarm.numerics.tick_loop import ROW, STEPS, steps_address


class FemModel(Model):
    """See `flexarm.methods.base.Model` for the verbs."""

    sums = at

    outcomes = (Outcome.SUCCESS, Outcome.NOT_CONVERGED)

    def __init__(self, arm: Arm, wiring: Wiring, options: FemOptions, watch: Watch, hints: Hints):
        super().__init__(arm, wiring, options, watch, hints)
        self.links, self.pose = len(arm.links), closed_pose(arm, arm.pose)
        self.passive = passive_joints(arm, wiring, self.pose)
        counts = options.resolution if isinstance(options.resolution, tuple) else (options.resolution,) * self.links
        counts = tuple(n if link.flexible else 0 for n, link in zip(counts, arm.links, strict=True))
        parts = *arm.links, *arm.loops, wiring, options  # all but the payload
        self.mesh, self.constraints, (self.corrected, slender), constant = kept(
            parts, (arm.gravity, self.pose.tobytes()), lambda: self._without_payload(counts)
        )
        self.constant = replace(constant, properties=constant.properties.copy())  # damping is put into them
        self.size = self.mesh.size
        unrecorded, loads = 4 * self.size + 2 * self.links, len(wiring.patches)
        sizes = (self.size, self.size, at.FRAME * self.links, at.SUMS, self.constraints.rows, unrecorded, loads)
        ends, names = np.cumsum([0, *sizes]), ("q", "v", "frame", "sums", "lam", "unrecorded", "loads")
        self.layout = {name: slice(int(a), int(b)) for name, a, b in zip(names, ends[:-1], ends[1:], strict=True)}
        self.record_width = self.layout["lam"].stop
        self.parts = pack(self)
        self.work = workspace(self)
        load_kernels(self.parts, self.work)
        if wiring.patches:
            prepare_loads(self)
        self.notes = [f"theory {options.theory}, {self.size} unknowns, {options.integrator}"]
        self.notes += [*finer_notes(arm, options.resolution, self.mesh.counts), *slender]
        self.signal_order = 2 * options.order  # forces jump from element to element, whatever the nodes do
        self.stiffens_when_spinning, self.mesh_order = options.theory == "exact", 2 if slender else options.mesh_order
        self.reader = FemReader(self)
        self.sensors = self.reader.names
        if arm.loops:
            state = self.empty()
            set_pose(self, state, self.pose)
            self.notes += check_loops(self, state, constraint_jacobian(self, state)[0])
        if options.theory == "quasi-static":
            quasi_static_deformation.load(self.parts, self.work.now, self.work)
        else:
            self.take_damping()

    def _without_payload(self, counts: tuple[int, ...]) -> Any:
        """Mesh, constraints, which links have corrected elements, and matrices."""
        arm, wiring, options = self.arm, self.wiring, self.options
        mesh = build_mesh(arm, wiring, counts, options.order, whole_links=options.theory == "link")
        corrected = corrected_links(arm, mesh.counts, options.integration == "corrected")
        constant = build_matrices(arm, wiring, mesh, options.integration, options.beams, corrected[0])
        return mesh, build_constraints(arm, mesh), corrected, constant

    def set_damping(self, times: np.ndarray) -> None:
        """Kelvin-Voigt times of the elements; where anything damps, jumps need L-stable starting steps."""
        super().set_damping(times)
        parts, data = self.parts, self.parts.joint_data
        parts.properties[:, :, at.ETA] = self.damping_times[self.mesh.link, None]
        parts.damped = bool(np.any(parts.properties[:, :, at.ETA]))
        laws_act = any(j.law is not None and j.law.kind != "external" for j in self.wiring.joints)
        dampers = bool(np.any(data[:, at.DAMPER] * data[:, at.SPRING]))
        parts.starting_steps = parts.damped or laws_act or dampers

    def small_motions(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """About the equilibrium of the start pose, joints as driven."""
        return tangent_matrices(self, static_state(self, self.arm.pose))

    def empty(self) -> State:
        """A state of zeros."""
        return State(np.zeros(self.layout["loads"].stop), np.zeros((max(1, len(self.wiring.joints)), laws.Z_SIZE)))

    def counted(self, link: int) -> Counted:
        """By beams and theory."""
        return counted_by(self.options)

    def _undeformed(self, pose: Any, rates: Any, row: np.ndarray) -> State:
        state, closed = self.empty(), closed_pose(self.arm, pose)
        self.place_rigidly(state, closed, closed_rates(self, closed, rates, row), row)
        if np.abs(row[: len(self.wiring.joints), 1]).max(initial=0.0) > steps.LEAST_JUMP:
            self._excite(state)  # links that begin to move at once
        return state

    def _excite(self, state: State) -> None:
        """Velocities have jumped: the next restart is followed by L-stable starting steps, if anything damps."""
        state.x[self.layout["sums"]][at.STARTING] = -1.0

    def place_rigidly(self, state: State, pose: Any, rates: Any = None, row: np.ndarray | None = None) -> None:
        """Nodes of the stiff arm at `pose` (joint order), turning with `rates`; commanded joints with the command."""
        place_rigidly(self, state, pose, rates, row)

    def restart(self, state: State, row: np.ndarray, jumped: bool = False) -> State:
        """In place, and returned; a torque that is held between ticks jumps at each."""
        jumped = jumped or self.wiring.sampled
        steps.restart(state.x, state.z, np.ascontiguousarray(row), jumped, self.parts, self.work)
        return state

    def _run(self, state: State, table: np.ndarray, records: np.ndarray, every: int, offset: int) -> Run:
        done, written = steps.march(state.x, state.z, table, records, every, offset, self.h, self.parts, self.work)
        return done, written, int(done < len(table) - 1)

    def between_ticks(self, state: State) -> TickSteps:
        """Of restart and march."""
        packed = self.parts, self.work
        restart = address_of(steps.restart, types.none, *ROW, types.boolean, *packed)
        march, starting = (
            address_of(steps.march, ticks.RUN, *STEPS[:-1], *packed),
            self.layout["sums"].start + at.STARTING,
        )
        method = ticks.Ticks(restart, march, *packed, starting, self.layout["lam"].stop)
        return TickSteps(steps_address(ticks.between_ticks, method), method)

    def how_ended(self, state: State, ended: int) -> Outcome:
        """A loop that locks lets no step converge."""
        return Outcome.SINGULAR if ended and nearly_singular(self, state) else super().how_ended(state, ended)

    def load_notes(self, rate: float, axial: Callable[[], np.ndarray]) -> list[str]:
        """Links that are pulled too much for their elements."""
        return pull_notes(self.arm, self.mesh.counts, self.corrected, rate, axial)

    def remarks(self, state: State) -> list[str]:
        """Steps that were halved, and loops that end near a singular pose."""
        return [*super().remarks(state), *filter(None, [nearly_singular(self, state)])]

    def change(self, state: State, payload: Payload, rule: str) -> tuple[Model, State]:
        """The same mesh with another payload; at-rest conserves momentum, else the velocities stay."""
        model, new = self.with_payload(payload), state.copy()
        v = new.x[self.layout["v"]]
        if rule == "at-rest":
            before, after, T = full_mass(self, state), full_mass(model, state), motions(self, state)
            frame = state.x[self.layout["frame"]].reshape(at.FRAME, self.links)
            spin = np.zeros(self.size)
            # the payload turns with Theta as well
            spin[self.parts.payload[2]] = frame[at.RATE, self.parts.payload_link]
            v += T @ np.linalg.solve(T.T @ after @ T, T.T @ (before - after) @ (v + spin))
            self._excite(new)
        self._account_change(model, state, new, rule)
        return model, new

    def rewired(self, mode: str) -> FemModel:
        """The same arm with all motors held (motion) or without torque (free); joints that follow from loops stay free."""
        return self._with_wiring(with_motors(self.wiring, mode, self.passive))

    _linear_model, _spinning_model = linear_model, spinning_model

    def static(self, pose: Any, row: np.ndarray) -> State:
        """Equilibrium with the motors held at `pose`."""
        return static_state(self, pose, row=row)

    def static_loads(self, pose: Any, loads: Sequence[PointLoad], row: np.ndarray | None = None) -> Loaded:
        """Reactions from the elements, and by equilibrium."""
        stiff = self.empty()
        set_pose(self, stiff, pose)
        told = self.posed_row(pose)
        if row is not None:
            told[len(self.wiring.joints) :] = row[len(self.wiring.joints) :]
        state = static_state(self, pose, load_vector(self, loads), told)
        bent, rigid = self.record(state), self.record(stiff)
        loads = [*loads, *point_loads(self.reader, bent, told)]
        roots, balanced = element_roots(self, bent, loads), balanced_roots(self, bent, rigid, loads)
        return Loaded(state, stiff, roots, balanced, is_stable(self, state), roots[:, 2])
