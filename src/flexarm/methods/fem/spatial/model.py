"""The model of a spatial arm of Timoshenko beams, ready to be stepped."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numba.core import types

from flexarm.arm import Arm, Payload
from flexarm.drive import Wiring
from flexarm.errors import CapabilityError
from flexarm.methods.base import Hints, Joints, LinearModel, Loaded, Model, PointLoad, Run, State, TickSteps, Watch
from flexarm.methods.fem.corrected import corrected_links, pull_notes
from flexarm.methods.fem.options import FemOptions, counted_by
from flexarm.methods.fem.spatial import layout as at
from flexarm.methods.fem.spatial import packing, stepping, ticks
from flexarm.methods.fem.spatial.discontinuity import filter_fast_accelerations
from flexarm.methods.fem.spatial.friction import count_friction_joints
from flexarm.methods.fem.spatial.linear import is_stable, linear_model, static_state, tangent_matrices
from flexarm.methods.fem.spatial.loading import balanced_roots, held_roots, root_torques
from flexarm.methods.fem.spatial.loads import load_tables, prepare_loads
from flexarm.methods.fem.spatial.matrix import Matrix, make_matrix
from flexarm.methods.fem.spatial.mesh import build_mesh
from flexarm.methods.fem.spatial.observe import SpatialReader
from flexarm.methods.fem.spatial.payload_change import changed_state
from flexarm.methods.fem.spatial.placing import place_rigidly
from flexarm.methods.fem.spatial.properties import element_properties, joint_tables, rigid_bodies
from flexarm.methods.fem.spatial.simd import fill_groups
from flexarm.methods.fem.spatial.sliding_material import Z_LENGTH, material_tables
from flexarm.methods.fem.spatial.travel import check_length, end_of_travel
from flexarm.methods.law_table import law_row
from flexarm.methods.left_out import Counted
from flexarm.methods.load_rows import point_loads
from flexarm.methods.subdivision import finer_notes
from flexarm.numerics import laws
from flexarm.numerics.alexander import STEPS
from flexarm.numerics.by_address import address_of
from flexarm.numerics.tick_loop import STEPS as STEP_ARGUMENTS
from flexarm.numerics.tick_loop import steps_address

FRICTION_RATE = 1e-3
"""Rate in rad/s over which dry friction changes its sign."""
THEORIES = {"exact": at.EXACT, "linear": at.LINEAR, "quasi-static": at.QUASI_STATIC}


def stop_notes(arm: Arm) -> list[str]:
    """A sentence for every joint that has end stops."""
    found = []
    for link in arm.links:
        limits = link.joint.limits
        if limits is not None and limits.stiffness:
            unit, per = ("m", "N/m") if link.joint.type == "prismatic" else ("rad", "N m/rad")
            low, high = (f"{end:.4g} {unit}" for end in limits.ends)
            found.append(
                f"joint '{link.name}' has end stops at {low} and {high}, springs of {limits.stiffness:.4g} {per}"
            )
    return found


class Evaluation(NamedTuple):
    """Residual (size,) without motors, a matrix, and kinetic, elastic and gravity energy and damping power (4,)."""

    residual: np.ndarray
    matrix: Matrix
    energies: np.ndarray


class SpatialModel(Model):
    """See `flexarm.methods.base.Model` for the verbs."""

    sums = at

    def __init__(self, arm: Arm, wiring: Wiring, options: FemOptions, watch: Watch, hints: Hints):
        super().__init__(arm, wiring, options, watch, hints)
        self.links = len(arm.links)
        counts = options.resolution if isinstance(options.resolution, tuple) else (options.resolution,) * self.links
        self.mesh = build_mesh(arm, wiring, counts)
        self.size, self.F = self.mesh.size, len(self.mesh.frames)
        self.joints, self.joint_data = joint_tables(arm, wiring, self.mesh)
        self.layout = packing.state_layout(self.F, self.links)
        self.record_width = self.layout["sums"].stop
        self.matrix = make_matrix(self.mesh, self._bordering())
        self.state_size = self.layout["tangent_use"].stop + len(self.matrix.entries)
        self.layout["rest"] = slice(self.record_width, self.state_size)
        self.corrected, slender = corrected_links(arm, self.mesh.counts, options.integration == "corrected")
        self._pack()
        self.notes = [f"theory {options.theory}, {self.size} unknowns in space, {options.integrator}"]
        self.notes += stop_notes(arm)
        self.notes += [*finer_notes(arm, options.resolution, self.mesh.counts), *slender]
        self.signal_order = 2 * options.order  # forces jump from element to element, whatever the nodes do
        self.stiffens_when_spinning, self.mesh_order = options.theory == "exact", 2 if slender else options.mesh_order
        self.take_damping()
        self.reader = SpatialReader(self)
        self.sensors = self.reader.names

    def _pack(self) -> None:
        """What the kernels read and use."""
        options, mesh, wired = self.options, self.mesh, self.wiring.joints
        rho = options.spectral_radius
        am, af = (2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0)
        if options.integrator == "newmark":
            am = af = 0.0
        body_frame, bodies, hubs = rigid_bodies(self.arm, self.wiring, mesh)
        law = np.zeros((max(1, len(wired)), laws.LAW_SIZE))
        for k, joint in enumerate(wired):
            law[k] = law_row(joint.law, FRICTION_RATE)
        self.parts = packing.Parts(
            frames=mesh.frames, geometry=mesh.geometry, moved_by=mesh.moved_by, sliding_joint=mesh.sliding_joint,
            elements=mesh.elements, element_properties=element_properties(self.arm, mesh, self.corrected), joints=self.joints,
            joint_data=self.joint_data, body_frame=body_frame, body_properties=bodies, body_root=hubs, material=material_tables(self.arm),
            law=law, gravity=np.array(self.arm.gravity, dtype=float), tolerance=options.tolerance,
            length=sum(link.span for link in self.arm.links) or 1.0, beta=0.25 * (1.0 - am + af) ** 2, gamma=0.5 - am + af,
            alpha_m=am, alpha_f=af, theory=THEORIES[options.theory], iterations=options.iterations,
            by_energy=options.criterion == "energy", damped=0, friction_joints=count_friction_joints(self.joints, law),
            loads=len(self.wiring.patches), **load_tables(self),
        )  # fmt: skip
        self.scratch = packing.make_scratch(mesh, self.links)
        self.set_damping(self.damping_times)
        self.solver = packing.make_solver(
            mesh, self.layout["joint_damping"].stop, len(law), self.channels, self._weights()
        )
        self._row, self._no_records = self.solver.row.copy(), np.zeros((0, self.record_width))
        self._packed = packing.Kernel(self.parts, self.scratch, self.solver, self.matrix)
        self._viewed: tuple[np.ndarray, np.ndarray, packing.StateViews] | None = None
        if self.wiring.patches:
            prepare_loads(self)
        self._sliding = [
            (k, i, link)
            for i, link in enumerate(self.arm.links)
            if link.joint.type == "prismatic" and (k := int(self.joints[i, at.J_CHANNEL])) >= 0
        ]

    def _weights(self) -> np.ndarray:
        """Weights (size,) of the residual's entries in its size: moments count over the arm's length."""
        weights = np.full(self.size, 1.0 / self.parts.length)
        weights[self.mesh.node_unknowns[:, :3]] = 1.0
        for k, _, i in self.mesh.joint_unknowns:
            if self.joints[i, at.J_SLIDES]:
                weights[k] = 1.0
        return weights

    def _bordering(self) -> list[int]:
        """Unknown lengths of sliding beams, which are coupled with all nodes of their link."""
        flows = [link.flexible and link.joint.type == "prismatic" for link in self.arm.links]
        return [int(k) for k, slides in zip(self.mesh.psi, flows, strict=True) if slides and k >= 0]

    def take_damping(self) -> None:
        """The quasi-static theory has none."""
        if self.options.theory != "quasi-static":
            super().take_damping()

    def set_damping(self, times: np.ndarray) -> None:
        """Kelvin-Voigt times of the elements of the links."""
        super().set_damping(times)
        table = self.parts.element_properties
        table[:, at.M_KELVIN] = self.damping_times[self.mesh.elements[:, at.E_LINK]]
        self.parts.damped = int(np.any(self.damping_times > 0.0))
        fill_groups(self.scratch.groups, table)
        self.scratch.streams[:, Z_LENGTH] = 0.0  # what slides is found anew

    def small_motions(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """About the equilibrium of the start pose, joints as driven."""
        state = self._start_at_rest.copy()
        self.evaluate(state, self.posed_row(self.arm.pose))
        return tangent_matrices(self, state)

    @cached_property
    def _start_at_rest(self) -> State:
        """Damping does not change it."""
        return static_state(self, self.arm.pose)

    def empty(self) -> State:
        """A state of zeros, unturned."""
        state = State(np.zeros(self.state_size), np.zeros((max(1, len(self.wiring.joints)), laws.Z_SIZE)))
        self.views(state).rotation[:] = np.eye(3).ravel()
        return state

    def views(self, state: State) -> packing.StateViews:
        """The parts of a state by name; they share its memory. Those of the last state are at hand."""
        seen = self._viewed
        if seen is None or seen[0] is not state.x or seen[1] is not state.z:
            self._viewed = seen = state.x, state.z, packing.views(state.x, state.z, self.F, self.links, self.matrix)
        return seen[2]

    def counted(self, link: int) -> Counted:
        """By beams and theory."""
        return counted_by(self.options)

    def _undeformed(self, pose: Any, rates: Any, row: np.ndarray) -> State:
        state = self.empty()
        place_rigidly(self, state, pose, rates, np.ascontiguousarray(row))
        return state

    def row_of(self, state: State) -> np.ndarray:
        """A drive row (channels, 7) that has the joints where a state has them."""
        row, x = self.solver.row.copy(), self.views(state)
        for i in range(self.links):
            k = int(self.joints[i, at.J_CHANNEL])
            if k >= 0:
                row[k, 0] = x.joint_record[at.JOINT, i] - x.deviation[at.PSI, i]
                row[k, 1] = x.joint_record[at.JOINT_RATE, i] - x.deviation[at.PSI_RATE, i]
        return row

    def evaluate(
        self,
        state: State,
        row: np.ndarray | None = None,
        wanted: int = at.NOTHING,
        rate: float = 0.0,
        push: float = 0.0,
    ) -> Evaluation:
        """Forces, and the matrix that is wanted (see `assemble`) with these slopes of rates and accelerations.

        The state is seen with the drives at `row`, or at that of the last evaluation; forces and frames in it are renewed.
        """
        self._row = self._row if row is None else np.ascontiguousarray(row)
        self.solver.wanted, self.solver.rate, self.solver.push = wanted, rate, push
        self._kernel(stepping.EVALUATE, state, self._row[None], self._no_records, 0, 0)
        matrix = self.matrix.on(self.matrix.entries.copy())
        return Evaluation(self.solver.residual.copy(), matrix, self.solver.energies.copy())

    def _kernel(
        self, mode: int, state: State, table: np.ndarray, records: np.ndarray, every: int, offset: int
    ) -> tuple[int, int]:
        return stepping.march(mode, table, records, every, offset, self.h, self._packed, self.views(state))

    def restart(self, state: State, row: np.ndarray, jumped: bool = False) -> State:
        """In place, and returned; a torque that is held between ticks jumps at each."""
        if not self._kernel(stepping.START, state, np.ascontiguousarray(row)[None], self._no_records, 0, 0)[0]:
            raise CapabilityError("the arm has a joint without any inertia behind it", field="arm.links")
        if jumped and self.options.theory != "quasi-static":
            filter_fast_accelerations(self, state, row, self.h)
        held = self.wiring.sampled and self.options.theory != "quasi-static"
        state.x[self.layout["sums"]][at.STARTING] = STEPS if held else 0.0
        return state

    def _run(self, state: State, table: np.ndarray, records: np.ndarray, every: int, offset: int) -> Run:
        self.check_table(table)
        done, written = self._kernel(stepping.STEP, state, table, records, every, offset)
        return done, written, int(done < len(table) - 1)

    def between_ticks(self, state: State) -> TickSteps:
        """Of the time loop."""
        views, kinds = self.views(state), (types.int64, *STEP_ARGUMENTS[2:-1])
        method = ticks.Ticks(address_of(stepping.march, ticks.RUN, *kinds, self._packed, views), self._packed, views)
        return TickSteps(steps_address(ticks.between_ticks, method), method)

    def check_table(self, table: np.ndarray) -> None:
        """Commands of sliding links."""
        for k, i, _ in self._sliding:
            if self.joints[i, at.J_PRESCRIBED]:
                self.check_positions(np.where(np.arange(len(table[0])) == k, table[..., 0], np.nan))

    def check_positions(self, positions: np.ndarray) -> None:
        """Sliding links stay beams, and in their joints."""
        for k, i, link in self._sliding:
            if np.isfinite(positions[0, k]):
                for value in (positions[:, k].min(), positions[:, k].max()):
                    check_length(link, float(value + self.joint_data[i, at.K_OFFSET]))

    def load_notes(self, rate: float, axial: Callable[[], np.ndarray]) -> list[str]:
        """Links that are pulled too much for their elements."""
        return pull_notes(self.arm, self.mesh.counts, self.corrected, rate, axial)

    def remarks(self, state: State) -> list[str]:
        """How often steps had to be halved, and whether a link came to the end of its travel."""
        record = self.views(state).joint_record
        at_end = []
        for i, link in enumerate(self.arm.links):
            if self.joints[i, at.J_SLIDES] and self.joints[i, at.J_PSI] >= 0:
                step_move = 1.5 * self.h * record[at.JOINT_RATE, i]
                at_end += end_of_travel(
                    link, float(record[at.JOINT, i] + self.joint_data[i, at.K_OFFSET]), float(step_move)
                )
        return at_end or super().remarks(state)

    def change(self, state: State, payload: Payload, rule: str) -> tuple[Model, State]:
        """The same mesh with another payload; at-rest conserves momentum, else the velocities stay."""
        model = self.with_payload(payload)
        return model, changed_state(self, model, state, rule)

    def linearise(self, state: State | None = None, joints: Joints = "locked", spin: float = 0.0) -> LinearModel:
        """A state that is given is seen with its own joints."""
        if state is not None:
            self.evaluate(state, self.row_of(state))
        return super().linearise(state, joints, spin)

    _linear_model = linear_model

    def static(self, pose: Any, row: np.ndarray) -> State:
        """Equilibrium with the motors held at `pose`."""
        return static_state(self, pose, row=row)

    def static_loads(self, pose: Any, loads: Sequence[PointLoad], row: np.ndarray | None = None) -> Loaded:
        """Reactions from the elements, and by equilibrium; that of the linear theory is on the stiff arm."""
        told = self.posed_row(pose)
        if row is not None:
            told[len(self.wiring.joints) :] = row[len(self.wiring.joints) :]
        state, stiff = static_state(self, pose, loads, told), self.empty()
        stable, roots = is_stable(self, state, loads), held_roots(self, state, loads)
        place_rigidly(self, stiff, pose, None, self.posed_row(pose))
        placed, loads = stiff, [*loads, *point_loads(self.reader, self.record(state), told)]
        if self.options.theory != "linear":
            placed = state
            self.evaluate(state)
        return Loaded(
            state, stiff, roots, balanced_roots(self, placed, loads), stable, root_torques(self, state, roots)
        )
