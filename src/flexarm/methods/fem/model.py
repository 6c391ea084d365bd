"""The model of `fem`: a planar arm of Timoshenko beams, ready to be stepped."""

from __future__ import annotations

from typing import Any

import numpy as np

from flexarm.arm import GROUND, Arm, Payload
from flexarm.drive import Wiring
from flexarm.methods.base import Hints, Joints, LinearModel, Model, Start, State, Watch
from flexarm.methods.fem import layout as at
from flexarm.methods.fem import march as steps
from flexarm.methods.fem.closing import check_loops, closed_pose, closed_rates, passive_joints, with_motors
from flexarm.methods.fem.layout import FRAME, SOFT, SUMS, Parts, Scratch
from flexarm.methods.fem.linear import linear_model, spinning_model
from flexarm.methods.fem.matrices import band_forms, build_matrices, sparse
from flexarm.methods.fem.mesh import build_mesh, reach
from flexarm.methods.fem.observe import Reader
from flexarm.methods.fem.options import FemOptions
from flexarm.methods.fem.placing import place_rigidly
from flexarm.methods.fem.statics import set_pose, static_state
from flexarm.methods.fem.tangents import full_mass, motions, tangent_matrices, tie_jacobian
from flexarm.methods.fem.ties import build_ties
from flexarm.methods.fem.tying import BORDER_ROWS
from flexarm.methods.law_table import law_row
from flexarm.methods.step_size import phase_step
from flexarm.methods.stepped import SteppedModel, halved_remark
from flexarm.methods.subdivision import finer_notes
from flexarm.numerics import laws
from flexarm.numerics.eigen import strain_shares

FRICTION_RATE = 1e-3
"""Rate in rad/s over which dry friction changes its sign."""
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
        self.size = self.mesh.size
        self.ties = build_ties(arm, wiring, self.mesh)
        self.constant = build_matrices(arm, wiring, self.mesh, options.integration, options.beams)
        sums = 2 * self.size + FRAME * self.links
        width = sums + SUMS + self.ties.rows
        self.record_width = width
        self._pack()
        self.notes = [f"theory {options.theory}, {self.size} unknowns, {options.integrator}"]
        self.notes += finer_notes(arm, options.resolution, self.mesh.counts)
        self.stiffens_when_spinning = options.theory == "exact"
        self.estimates_error = options.error_estimate
        self.layout = {
            "q": slice(0, self.size),
            "v": slice(self.size, 2 * self.size),
            "frame": slice(2 * self.size, 2 * self.size + FRAME * self.links),
            "sums": slice(sums, sums + SUMS),
            "lam": slice(sums + SUMS, width),
            "rest": slice(width, width + 4 * self.size + 2 * self.links),
        }
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
            self.notes += check_loops(self, state, tie_jacobian(self, state)[0])

    def _pack(self) -> None:
        """Arrays that the kernels read."""
        arm, mesh, options = self.arm, self.mesh, self.options
        tip = arm.index(arm.payload_link.name)
        self.payload = mesh.nodes[tip][-1].copy()
        cx, cy, _ = arm.payload.offset_vector
        rho = options.spectral_radius
        am, af = (2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0)
        if options.integrator == "newmark":
            am = af = 0.0
        par = np.zeros(at.P_SIZE)
        par[[at.P_MASS, at.P_INERTIA, at.P_CX, at.P_CY]] = arm.payload.mass, arm.payload.inertia_z, cx, cy
        par[[at.P_GX, at.P_GY]] = arm.gravity[:2]
        par[at.P_TOLERANCE], par[at.P_LENGTH] = options.tolerance, sum(link.span for link in arm.links)
        par[[at.P_AM, at.P_AF, at.P_GAMMA]] = am, af, 0.5 - am + af
        par[at.P_BETA] = 0.25 * (1.0 - am + af) ** 2
        self.par = par
        theory = ("exact", "link", "linear", "quasi-static").index(options.theory)
        carries = arm.payload.mass + arm.payload.inertia_z > 0.0
        whole = [
            theory,
            tip,
            self.links,
            options.iterations,
            options.criterion == "energy",
            carries,
            False,
            False,
            False,
        ]
        self.ip = np.array(whole, dtype=np.int64)
        self.joint, self.jfig, self.law = self._joints()
        self.ip[at.I_RUBS] = bool(np.any(self.law[:, laws.FRICTION]))
        self.first = np.array([sum(mesh.counts[:i]) for i in range(self.links)], dtype=np.int64)
        self.seat = np.tile([0.0, 2.0, 0.0], (self.size, 1))
        for i, table in enumerate(mesh.nodes):
            for a, node in enumerate(table):
                for axis, index in enumerate(node):
                    if index >= 0 and not (a == 0 and axis < 2):
                        self.seat[index] = i, axis, mesh.places[i][a]
        self.channels = len(self.wiring.joints) + len(self.wiring.patches)
        c, b = self.constant, mesh.half_width
        self.lengths = np.array([reach(link) for link in arm.links])
        mass, offsets, diagonals = band_forms(c.mass, b)
        self.parts = Parts(
            mesh.connection, mesh.link, c.figures, c.shape, self._roots(), c.base_row, self.joint, self.jfig,
            c.weight, self.payload, self.par, self.ip, mass, offsets, diagonals, *sparse(c.rotary), c.rotary_total,
            self.law, self.seat, self.lengths, mesh.slaves, self.ties.side, self.ties.figures,
            self.ties.copies, mesh.ends,
        )  # fmt: skip
        state = self.empty()
        rows = self.ties.rows + int(np.sum(self.joint[:, at.J_BORDER] >= 0))
        self.scratch = Scratch(
            np.zeros((at.W_ROWS, self.size)), np.zeros((at.S_ROWS, max(10, self.links))), np.zeros((laws.ORDER + 2, laws.ORDER)),
            np.zeros_like(mass), np.zeros((5, 5)), state.x, state.z, np.zeros((2, max(1, self.channels), 7)),
            np.zeros((self.links, self.size)), np.zeros((2, self.links)), np.zeros((3 * rows, self.size)),
            np.zeros((rows + BORDER_ROWS, rows)), np.zeros(rows, dtype=np.int64),
        )  # fmt: skip

    def _roots(self) -> np.ndarray:
        """Unknowns whose inertia the first section of every link feels, (links, 3 (order + 1)); -1: none."""
        roots = np.full((self.links, 3 * (self.mesh.order + 1)), -1, dtype=np.int64)
        for i, place in enumerate(self.mesh.joints):
            roots[i, 2] = place.base
            if self.mesh.counts[i]:
                roots[i] = self.mesh.connection[self.first[i]]
        return roots

    def _joints(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        joint = np.full((self.links, 14), -1, dtype=np.int64)
        jfig = np.zeros((self.links, 4))
        law = np.zeros((max(1, len(self.wiring.joints)), laws.LAW_SIZE))
        border = self.ties.rows
        channels = {wired.name: k for k, wired in enumerate(self.wiring.joints)}
        for i, link in enumerate(self.arm.links):
            place, parent = self.mesh.joints[i], self.arm.parent(link.name)
            k = channels.get(link.name, -1)
            wired = self.wiring.joints[k] if k >= 0 else None
            moved = wired is not None and wired.mode == "motion"
            rule = wired.law if wired is not None else None
            acts = wired is not None and wired.mode != "motion"
            chord = rule is not None and rule.sensor == "chord" and rule.period == 0
            outside = acts and (chord or place.tied)
            framed = moved or (acts and rule is not None and rule.kind != "external")
            joint[i] = (
                place.base, place.tip, place.motor, place.own, acts, k,
                rule is not None and rule.sensor == "motor", moved, framed,
                -1 if parent == GROUND else self.arm.index(parent), border if outside else -1, chord,
                self.mesh.nodes[i][0, 0], self.mesh.nodes[i][-1, 0],
            )  # fmt: skip
            border += bool(outside)
            spring = link.joint.stiffness or 0.0 if wired is not None and wired.spring else 0.0
            start = (
                self.pose[list(self.arm.joints).index(link.name)] if link.name in self.arm.joints else link.joint.start
            )
            jfig[i] = spring, link.joint.damping, start, link.joint.rotor_inertia
            if wired is not None:
                law[k] = law_row(rule, FRICTION_RATE)
        return joint, jfig, law

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
            self.constant.figures[self.mesh.link == i, :, 5] = damping.time_constant(*(modes or ([], [])))
        self._note_damping()

    def _strained_modes(self) -> tuple[list[float], list[float]]:
        """Frequencies at the start pose and the links' share of their energy: what damping of unit time adds to C."""
        state, times = static_state(self, self.arm.pose), self.constant.figures[:, :, 5]
        before = times.copy()
        M, plain, K = tangent_matrices(self, state)
        times[:] = 1.0
        self._note_damping()
        strained = tangent_matrices(self, state)[1]
        times[:] = before
        self._note_damping()
        return strain_shares(M, K, strained - plain)

    def _note_damping(self) -> None:
        self.ip[at.I_DAMPED] = bool(np.any(self.constant.figures[:, :, 5]))
        laws_act = any(j.law is not None and j.law.kind != "external" for j in self.wiring.joints)
        dampers = np.any(self.jfig[:, at.K_DAMPER] * self.jfig[:, at.K_SPRING])
        self.ip[at.I_SOFT] = bool(self.ip[at.I_DAMPED] or laws_act or dampers)

    def empty(self) -> State:
        """A state of zeros."""
        x = np.zeros(self.record_width + 4 * self.size + 2 * self.links)
        return State(x, np.zeros((max(1, len(self.wiring.joints)), laws.Z_SIZE)))

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
        """Soft steps are due, if anything damps."""
        state.x[self.layout["sums"]][SOFT] = -1.0

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
        steps.restart(state.x, state.z, np.ascontiguousarray(row), self.parts, self.scratch)
        return state

    def _run(self, state: State, table: np.ndarray, records: np.ndarray, every: int, phase: int) -> tuple[int, int]:
        table = np.ascontiguousarray(table)
        return steps.march(state.x, state.z, table, records, every, phase, self._h, self.parts, self.scratch)

    def remarks(self, state: State) -> list[str]:
        """How often steps had to be halved."""
        return halved_remark(state.x[self.layout["sums"]][at.HALVED])

    def newton_passes(self, state: State) -> float:
        """Newton passes from the start to `state`."""
        return float(state.x[self.layout["sums"]][at.ITERATIONS])

    def change(self, state: State, payload: Payload, rule: str) -> tuple[Model, State]:
        """The same mesh with another payload; at-rest conserves momentum, else the velocities stay."""
        arm = self.arm.model_copy(update={"payload": payload})
        model = FemModel(arm, self.wiring, self.options, self.watch, self.hints)
        model.constant.figures[:, :, 5] = self.constant.figures[:, :, 5]
        model._note_damping()
        new = state.copy()
        before, after, T = full_mass(self, state), full_mass(model, state), motions(self, state)
        v, sums = new.x[self.layout["v"]], new.x[self.layout["sums"]]
        rate = state.x[self.layout["frame"]].reshape(FRAME, self.links)[at.RATE, self.ip[at.I_PAYLOAD]]
        spin = np.zeros(self.size)
        spin[self.payload[2]] = rate  # the payload turns with Theta as well
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
