"""The model of a spatial arm of Timoshenko beams, ready to be stepped."""

from __future__ import annotations

from typing import Any

import numpy as np

from flexarm.arm import Arm, Payload
from flexarm.drive import JointWiring, Wiring
from flexarm.errors import CapabilityError
from flexarm.methods.base import Hints, Joints, LinearModel, Model, Start, State, Watch
from flexarm.methods.fem.options import FemOptions
from flexarm.methods.fem.spatial import layout as at
from flexarm.methods.fem.spatial import stepping
from flexarm.methods.fem.spatial.arrays import Parts, Solver, make_scratch, moving_size, record_width, views
from flexarm.methods.fem.spatial.assemble import NONE
from flexarm.methods.fem.spatial.events import changed_state
from flexarm.methods.fem.spatial.figures import bodies_of, element_figures, joint_tables
from flexarm.methods.fem.spatial.friction import make_rubbing
from flexarm.methods.fem.spatial.lanes import fill_lanes
from flexarm.methods.fem.spatial.linear import linear_model, static_state, tangent_matrices
from flexarm.methods.fem.spatial.matrix import Matrix, make_matrix
from flexarm.methods.fem.spatial.mesh import build_mesh
from flexarm.methods.fem.spatial.node_lanes import make_node_lanes
from flexarm.methods.fem.spatial.observe import Reader
from flexarm.methods.fem.spatial.placing import place_rigidly
from flexarm.methods.fem.spatial.settling import O_ROWS
from flexarm.methods.fem.spatial.shaken import leave_out_fast_motions
from flexarm.methods.fem.spatial.stock import Z_LENGTH, stock_tables
from flexarm.methods.fem.spatial.travel import check_length, end_of_travel
from flexarm.methods.law_table import law_row
from flexarm.methods.step_size import phase_step
from flexarm.methods.stepped import SteppedModel, halved_remark
from flexarm.methods.subdivision import finer_notes
from flexarm.numerics import laws
from flexarm.numerics.eigen import strain_shares

FRICTION_RATE = 1e-3
"""Rate in rad/s over which dry friction changes its sign."""
THEORIES = {"exact": at.EXACT, "linear": at.LINEAR, "quasi-static": at.QUASI_STATIC}


class SpatialModel(SteppedModel):
    """See `flexarm.methods.base.Model` for the verbs."""

    def __init__(self, arm: Arm, wiring: Wiring, options: FemOptions, watch: Watch, hints: Hints):
        self.arm, self.wiring, self.options, self.watch, self.hints = arm, wiring, options, watch, hints
        self.links = len(arm.links)
        counts = options.resolution if isinstance(options.resolution, tuple) else (options.resolution,) * self.links
        self.mesh = build_mesh(arm, wiring, counts)
        self.size, self.F = self.mesh.size, len(self.mesh.frames)
        self.mfig = element_figures(arm, self.mesh)
        self.joint, self.jfig = joint_tables(arm, wiring, self.mesh)
        self._pack()
        self.notes = [f"theory {options.theory}, {self.size} unknowns in space, {options.integrator}"]
        self.notes += finer_notes(arm, options.resolution, self.mesh.counts)
        self.stiffens_when_spinning = options.theory == "exact"
        self.record_width = width = record_width(self.F, self.links)
        self.state_size = moving_size(self.F, self.links) + at.KEPT + self.band[0].size
        self.layout = {
            "position": slice(0, 3 * self.F),
            "rotation": slice(3 * self.F, 12 * self.F),
            "velocity": slice(15 * self.F, 21 * self.F),
            "sums": slice(width - at.SUMS, width),
            "rest": slice(width, self.state_size),
        }
        self.reader = Reader(self)
        self.sensors = self.reader.names
        self._damping()

    def _pack(self) -> None:
        """Arrays that the kernels read and use."""
        options, mesh = self.options, self.mesh
        rho = options.spectral_radius
        am, af = (2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0)
        if options.integrator == "newmark":
            am = af = 0.0
        par = np.zeros(at.P_SIZE)
        par[at.P_TOLERANCE], par[at.P_LENGTH] = options.tolerance, sum(link.span for link in self.arm.links) or 1.0
        par[[at.P_AM, at.P_AF, at.P_GAMMA]] = am, af, 0.5 - am + af
        par[at.P_BETA] = 0.25 * (1.0 - am + af) ** 2
        par[at.P_GX : at.P_GX + 3] = self.arm.gravity
        self.par = par
        self.ip = np.array(
            [THEORIES[options.theory], options.iterations, options.criterion == "energy", 0], dtype=np.int64
        )
        frames, bodies = bodies_of(self.arm, self.wiring, mesh)
        slide = np.full(self.F, -1, dtype=np.int64)
        for row in mesh.elements:
            if row[at.E_SLIDES]:
                slide[row[at.E_SECOND]] = row[at.E_LINK]
        self.parts = Parts(
            mesh.frames, mesh.figures, mesh.moved_by, mesh.elements, self.mfig, self.joint, self.jfig, frames, bodies,
            slide, par, self.ip, stock_tables(self.arm),
        )  # fmt: skip
        nodes = np.flatnonzero(mesh.frames[:, at.F_PLAIN] >= 0)
        self.scratch = make_scratch(self.F, self.links, mesh.elements, mesh.moved_by, nodes)
        fill_lanes(self.scratch.lanes, self.mfig)
        self.law = np.zeros((max(1, len(self.wiring.joints)), laws.LAW_SIZE))
        for k, wired in enumerate(self.wiring.joints):
            self.law[k] = law_row(wired.law, FRICTION_RATE)
        self.band = make_matrix(mesh, self._edges())
        crew = np.flatnonzero(mesh.frames[:, at.F_KIND] == at.NODE)
        crew = np.ascontiguousarray(
            np.column_stack([crew, mesh.frames[crew][:, [at.F_BASE, at.F_DOF]]]), dtype=np.int64
        )
        self.solver = Solver(
            np.zeros(self.size), np.zeros(self.size), *self.band, np.zeros((self.F, 9)), np.zeros((self.F, 6)),
            np.zeros((self.F, 6)), np.zeros((self.F, 6)), np.zeros((O_ROWS, self.links)), np.zeros((self.F, 9)),
            make_node_lanes(len(crew)), np.zeros((self.F, 6)), np.zeros((self.F, 6)), np.zeros((self.F, 9)), np.zeros(4),
            self._weights(), make_rubbing(self.joint, self.law, self.size), crew,
        )  # fmt: skip
        self.solver.N[:] = np.eye(3).ravel()
        self.law_work = np.zeros((laws.ORDER + 2, laws.ORDER))
        self.channels = len(self.wiring.joints) + len(self.wiring.patches)
        self.rows = np.zeros((max(1, self.channels), 7))
        self._row, self._no_records = self.rows.copy(), np.zeros((0, record_width(self.F, self.links)))
        self._h = 0.0

    def _weights(self) -> np.ndarray:
        """Weights (size,) of the residual's entries in its size: moments count over the arm's length."""
        weights = np.full(self.size, 1.0 / self.par[at.P_LENGTH])
        for f in np.flatnonzero(self.mesh.frames[:, at.F_KIND] == at.NODE):
            dof = int(self.mesh.frames[f, at.F_DOF])
            weights[dof : dof + 3] = 1.0
        for row in self.joint[self.joint[:, at.J_SLIDES] == 1]:
            weights[[k for k in (row[at.J_PSI], row[at.J_TURN]) if k >= 0]] = 1.0
        return weights

    def _edges(self) -> list[int]:
        """Unknown lengths of sliding beams, which are coupled with all nodes of their link."""
        flows = [link.flexible and link.joint.type == "prismatic" for link in self.arm.links]
        return [int(k) for k, slides in zip(self.mesh.psi, flows, strict=True) if slides and k >= 0]

    def _damping(self) -> None:
        """Kelvin-Voigt time of every element; a ratio refers to the mode of the start pose, joints as driven."""
        modes: tuple[list[float], list[float]] | None = None
        times = np.zeros(len(self.mfig))
        for i, link in enumerate(self.arm.links):
            damping = self.arm.damping_of(link)
            if damping is None or not link.flexible or self.options.theory == "quasi-static":
                continue
            if damping.time is None and modes is None:
                modes = self._strained_modes()
            times[self.mesh.elements[:, at.E_LINK] == i] = damping.time_constant(*(modes or ([], [])))
        self.set_kelvin(times)

    def set_kelvin(self, times: float | np.ndarray) -> None:
        """Kelvin-Voigt times of all elements, s."""
        self.mfig[:, at.M_KELVIN] = times
        self.ip[at.I_DAMPED] = np.any(self.mfig[:, at.M_KELVIN] > 0.0)
        fill_lanes(self.scratch.lanes, self.mfig)
        self.scratch.z[:, Z_LENGTH] = 0.0  # what slides is found anew

    def _strained_modes(self) -> tuple[list[float], list[float]]:
        """Frequencies at the start pose and the links' share of their energy: what damping of unit time adds to C."""
        state, before = static_state(self, self.arm.pose), self.mfig[:, at.M_KELVIN].copy()
        M, plain, K = tangent_matrices(self, state)
        self.set_kelvin(1.0)
        strained = tangent_matrices(self, state)[1]
        self.set_kelvin(before)
        return strain_shares(M, K, strained - plain)

    def empty(self) -> State:
        """A state of zeros, unturned."""
        x = np.zeros(self.state_size)
        views(x, self.F, self.links)[1][:] = np.eye(3).ravel()
        return State(x, np.zeros((max(1, len(self.wiring.joints)), laws.Z_SIZE)))

    def start(self, pose: Any, rates: Any, row: np.ndarray, at: Start = "undeformed") -> State:
        """Undeformed and turning rigidly, or at rest in equilibrium with the motors held."""
        if at == "equilibrium":
            return static_state(self, pose)
        state = self.empty()
        place_rigidly(self, state, pose, rates, np.ascontiguousarray(row))
        return state

    def row_of(self, state: State) -> np.ndarray:
        """A drive row (channels, 7) that has the joints where a state has them."""
        row = self.rows.copy()
        x = views(state.x, self.F, self.links)
        for i in range(self.links):
            k = int(self.joint[i, at.J_CHANNEL])
            if k >= 0:
                row[k, 0] = x[5][at.JOINT, i] - x[4][at.PSI, i]
                row[k, 1] = x[5][at.JOINT_RATE, i] - x[4][at.PSI_RATE, i]
        return row

    def look(
        self, state: State, row: np.ndarray | None = None, wanted: int = NONE, speed: float = 0.0, push: float = 0.0
    ) -> tuple[np.ndarray, Matrix, np.ndarray]:
        """Residual (size,) without motors, a matrix (see `assemble`), and kinetic, elastic and gravity energy and damping power.

        The state is seen with the drives at `row`, or at that of the last look; forces and frames in it are renewed.
        """
        self._row = self._row if row is None else np.ascontiguousarray(row)
        self._kernel(stepping.LOOK, state, self._row[None], self._no_records, 0, 0, (wanted, speed, push))
        return self.solver.residual.copy(), (self.band[0].copy(), *self.band[1:]), self.solver.found.copy()

    def _kernel(
        self, mode: int, state: State, table: np.ndarray, records: np.ndarray, every: int, phase: int,
        matrix: tuple[int, float, float] = (NONE, 0.0, 0.0),
    ) -> tuple[int, int]:  # fmt: skip
        keep, keep_z = np.empty(moving_size(self.F, self.links)), np.empty_like(state.z)
        return stepping.march(
            mode, state.x, state.z, table, records, every, phase, self._h, self.law, self.parts, self.scratch,
            self.solver, self.law_work, keep, keep_z, self.rows, *matrix,
        )  # fmt: skip

    def prepare(self, h: float) -> None:
        """Any step will do."""
        self._h = h

    def restart(self, state: State, row: np.ndarray, jumped: bool = False) -> State:
        """In place, and returned."""
        if not self._kernel(stepping.START, state, np.ascontiguousarray(row)[None], self._no_records, 0, 0)[0]:
            raise CapabilityError("the arm has a joint without any inertia behind it", field="arm.links")
        if jumped and self.options.theory != "quasi-static":
            leave_out_fast_motions(self, state, row, self._h)
        return state

    def _run(self, state: State, table: np.ndarray, records: np.ndarray, every: int, phase: int) -> tuple[int, int]:
        for i, link in enumerate(self.arm.links):
            k = int(self.joint[i, at.J_CHANNEL])
            if link.joint.type == "prismatic" and k >= 0 and self.joint[i, at.J_MOVED]:
                for value in (table[:, k, 0].min(), table[:, k, 0].max()):
                    check_length(link, float(value + self.jfig[i, at.K_OFFSET]))
        return self._kernel(stepping.STEP, state, np.ascontiguousarray(table), records, every, phase)

    def check_positions(self, positions: np.ndarray) -> None:
        """Sliding links stay beams, and in their joints."""
        for k, name in enumerate(self.arm.joints):
            link = self.arm.link(name)
            if link.joint.type == "prismatic" and np.isfinite(positions[0, k]):
                offset = link.joint.dh.d if link.joint.dh is not None else 0.0
                for value in (positions[:, k].min(), positions[:, k].max()):
                    check_length(link, float(value) + offset)

    def remarks(self, state: State) -> list[str]:
        """How often steps had to be halved, and whether a link came to the end of its travel."""
        halved = halved_remark(state.x[self.layout["sums"]][at.HALVED])
        figures = views(state.x, self.F, self.links)[5]
        at_end = []
        for i, link in enumerate(self.arm.links):
            if self.joint[i, at.J_SLIDES] and self.joint[i, at.J_PSI] >= 0:
                ahead = 1.5 * self._h * figures[at.JOINT_RATE, i]
                at_end += end_of_travel(link, float(figures[at.JOINT, i] + self.jfig[i, at.K_OFFSET]), float(ahead))
        return at_end or halved

    def change(self, state: State, payload: Payload, rule: str) -> tuple[Model, State]:
        """The same mesh with another payload; at-rest conserves momentum, else the velocities stay."""
        arm = self.arm.model_copy(update={"payload": payload})
        model = SpatialModel(arm, self.wiring, self.options, self.watch, self.hints)
        model.set_kelvin(self.mfig[:, at.M_KELVIN])
        return model, changed_state(self, model, state, rule)

    def rewired(self, mode: str) -> SpatialModel:
        """The same arm with all motors held (motion) or without torque (free)."""
        joints = tuple(JointWiring(j.name, mode, j.spring, None) for j in self.wiring.joints)  # type: ignore[arg-type]
        return SpatialModel(self.arm, Wiring(joints, ()), self.options, self.watch, self.hints)

    def linearise(self, state: State | None = None, joints: Joints = "locked", spin: float = 0.0) -> LinearModel:
        """Small motions about the equilibrium of the start pose, or about `state` with the joints as driven."""
        if spin:
            raise CapabilityError("frequencies of a steady turn are for planar arms", field="spin")
        return linear_model(self, state, joints)

    def static(self, pose: Any, row: np.ndarray) -> State:
        """Equilibrium with the motors held at `pose`."""
        return static_state(self, pose)

    def estimate_step(self, accuracy: float, duration: float) -> float:
        """Steps that keep the phase of the first modes within `accuracy` while the drives act."""
        M, C, K = tangent_matrices(self, static_state(self, self.arm.pose))
        return phase_step(M, C, K, accuracy, self.hints.active, duration) or duration / 1000.0
