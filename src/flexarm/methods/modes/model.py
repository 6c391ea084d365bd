"""The model of `modes`: a planar tree of flexible and rigid bodies with closed loops, ready to be stepped."""

from __future__ import annotations

from typing import Any

import numpy as np

from flexarm.arm import Arm, Payload
from flexarm.drive import VELOCITY, Wiring
from flexarm.errors import CapabilityError
from flexarm.methods.base import Hints, Joints, LinearModel, Marched, Model, Outcome, Start, State, Steps, Watch
from flexarm.methods.law_table import law_row
from flexarm.methods.modes import layout as at
from flexarm.methods.modes.bodies import build_beams
from flexarm.methods.modes.closure import check_loops, close_undeformed, closed_rates, passive_coordinates
from flexarm.methods.modes.forces import take_poses
from flexarm.methods.modes.linear import linear_model, motions, spinning_model, tangent
from flexarm.methods.modes.observe import Reader
from flexarm.methods.modes.options import ModesOptions
from flexarm.methods.modes.rest import equilibrium, load_stiffness
from flexarm.methods.modes.rooms import Parts, make_room, scheme_figures
from flexarm.methods.modes.settling import DONE, NOT_CONVERGED, SINGULAR, settle
from flexarm.methods.modes.stepping import march
from flexarm.methods.modes.tree import build_tree, motor_coordinate
from flexarm.methods.signals import Signals
from flexarm.methods.step_size import phase_step
from flexarm.numerics import laws
from flexarm.numerics.eigen import strain_shares

FRICTION_RATE = 1e-3
"""Rate in rad/s over which dry friction changes its sign."""
NO_RECORDS = np.zeros((0, 0))
STEPS_PER_PERIOD = 16.0
ENDINGS = {
    DONE: Outcome.SUCCESS, NOT_CONVERGED: Outcome.NOT_CONVERGED, SINGULAR: Outcome.SINGULAR,
}  # fmt: skip


class ModesModel(Model):
    """See `flexarm.methods.base.Model` for the verbs."""

    def __init__(self, arm: Arm, wiring: Wiring, options: ModesOptions, watch: Watch, hints: Hints):
        self.arm, self.wiring, self.options, self.watch, self.hints = arm, wiring, options, watch, hints
        self.cut = options.loops != "closed"
        self.pose = close_undeformed(arm, np.array(arm.pose))
        self.second_order = options.stiffening == "second-order" or (options.stiffening == "auto" and self._loaded())
        chords = self.second_order and not self.cut  # frames of an opened loop are held at the root's tangent
        self.beams = build_beams(arm, options, self.pose, motor_coordinate(arm, wiring), chords)
        self.tree = build_tree(arm, wiring, self.beams, self.cut)
        self.size, self.width = self.tree.size, self.tree.modal.shape[2]
        self.joint_coordinates = {int(k) for k in self.tree.joint[:, [at.J_LINK, at.J_MOTOR]].ravel() if k >= 0}
        self.channels = len(wiring.joints) + len(wiring.patches)
        self.reach = sum(max(link.span, *(np.hypot(*p[:2]) for p in link.points.values()), 0.0) for link in arm.links)
        self.reach = self.reach or 1.0
        self.stiffens_when_spinning = self.second_order
        self._pack()
        self._layout()
        self.reader = Reader(self)
        self.sensors = self.reader.names
        self._passive = passive_coordinates(self)
        self.notes = [self._note()]
        if not self.cut:
            self.notes += check_loops(self)
        self._stiffen()
        self._damping()
        self._h = 0.0

    def _loaded(self) -> bool:
        """True if weight or turning puts axial forces into flexible links."""
        bends = any(link.flexible for link in self.arm.links)
        return bends and (any(self.arm.gravity[:2]) or bool(self.wiring.joints))

    def _note(self) -> str:
        rows = f", {self.tree.rows} loop equations" if self.tree.rows else ""
        order = "second" if self.second_order else "first"
        static = ", static geometric stiffness" if self.options.stiffening == "static" else ""
        return f"{self.size} coordinates{rows}, kinematics of {order} order{static}, {self.options.integrator}"

    def _pack(self) -> None:
        tree, options = self.tree, self.options
        par = np.zeros(at.PARS)
        par[[at.PAR_GX, at.PAR_GY]] = self.arm.gravity[:2]
        par[at.PAR_TOLERANCE], par[at.PAR_SIZE] = options.tolerance, self.reach
        par[at.PAR_ORDER], par[at.PAR_STOP] = float(self.second_order), options.singular
        law = np.zeros((max(1, self.channels), laws.LAW_SIZE))
        for k, wired in enumerate(self.wiring.joints):
            law[k] = law_row(wired.law, FRICTION_RATE)
        self.parts = Parts(
            tree.body, tree.figures, tree.modal, tree.point, tree.place, tree.point_modal, tree.columns,
            tree.column_count, tree.loop, tree.weld, tree.joint, tree.joint_figures, tree.channel, tree.K.copy(),
            tree.D.copy(), law, par, scheme_figures(options.integrator), tree.moving,
        )  # fmt: skip
        self.room = make_room(tree, self.channels)
        self._kept = np.zeros((2, max(1, len(tree.joint)), 4))
        self._end_row = np.zeros((max(1, self.channels), 7))

    def _layout(self) -> None:
        n, rows, joints = self.size, self.tree.rows, len(self.tree.joint)
        ends = np.cumsum([n, n, n, rows, at.JOINT_ROWS * joints, at.SUMS])
        names = ("q", "v", "a", "lam", "joint", "sums")
        self.layout = {name: slice(int(b - c), int(b)) for name, b, c in zip(
            names, ends, [n, n, n, rows, at.JOINT_ROWS * joints, at.SUMS], strict=True)}  # fmt: skip
        self.record_width = int(ends[-1])

    def _stiffen(self) -> None:
        """Geometric stiffness of the axial forces in the equilibrium of the start pose."""
        if self.options.stiffening == "static":
            q, lam = equilibrium(self, self.pose)
            self.parts.K[:] += load_stiffness(self, q, lam, only_second_order=True)

    def _damping(self) -> None:
        """Kelvin-Voigt damping of the links; a ratio refers to the mode of the start pose, joints as driven."""
        modes: tuple[list[float], list[float]] | None = None
        for i, link in enumerate(self.arm.links):
            damping = self.arm.damping_of(link)
            if damping is None or not link.flexible:
                continue
            if damping.time is None and modes is None:
                q, lam = self.rest_state()
                M, _, K, jac = tangent(self, q, lam)
                T = motions(self, "held", jac)
                modes = strain_shares(T.T @ M @ T, T.T @ K @ T, T.T @ self.tree.elastic.sum(axis=0) @ T)
            self.parts.D[:] += damping.time_constant(*(modes or ([], []))) * self.tree.elastic[i]

    def unheld(self) -> np.ndarray:
        """Coordinates that move while the motors are held."""
        held = {int(row[at.J_DRIVE]) for row in self.tree.joint} - self._passive
        return np.array([k for k in range(self.size) if k not in held], dtype=int)

    def stiff(self, pose: Any) -> np.ndarray:
        """Coordinates of the undeformed arm with its joints at `pose` (joint order)."""
        q = np.zeros(self.size)
        for j, value in enumerate(np.asarray(pose, dtype=float)):
            for column in (at.J_LINK, at.J_MOTOR):
                if self.tree.joint[j, column] >= 0:
                    q[self.tree.joint[j, column]] = value
        return q

    def rest_state(self) -> tuple[np.ndarray, np.ndarray]:
        """Equilibrium of the start pose; coordinates and loop forces."""
        if self.cut:
            return self.stiff(self.pose), np.zeros(0)
        return equilibrium(self, self.pose)

    def bias(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Velocity terms and weight on the left-hand side, (size,)."""
        self.take_pose(q, v)
        return self.room.h.copy()

    def take_pose(self, q: np.ndarray, v: np.ndarray | None = None) -> tuple[float, float]:
        """Fill `room` with kinematics, mass matrix, velocity terms and loops; returns kinetic energy and potential."""
        out = np.zeros((1, 2))
        still = np.zeros(self.size) if v is None else v
        take_poses(self.parts, self.room, np.ascontiguousarray(q)[None], np.ascontiguousarray(still)[None], out)
        return float(out[0, 0]), float(out[0, 1])

    def state_at(self, q: np.ndarray, lam: np.ndarray | None = None) -> State:
        """A state at rest."""
        state = State(np.zeros(self.record_width), np.zeros((max(1, self.channels), laws.Z_SIZE)))
        state.x[self.layout["q"]] = q
        if lam is not None:
            state.x[self.layout["lam"]] = lam
        state.x[self.layout["sums"]][at.SIGMA] = 1.0
        return state

    def start(self, pose: Any, rates: Any, row: np.ndarray, at: Start = "undeformed") -> State:
        """Undeformed and turning rigidly with closed loops, or at rest in equilibrium with the motors held."""
        if self.cut:
            raise CapabilityError(
                "opened loops are for frequencies alone: leave out method.loops", field="method.loops"
            )
        closed = close_undeformed(self.arm, np.asarray(pose, dtype=float))
        if at == "equilibrium":
            state = self.state_at(*equilibrium(self, closed))
        else:
            state = self.state_at(self.stiff(closed))
            moved = [j for j, wired in enumerate(self.wiring.joints) if wired.mode == "motion"]
            turning = np.array(rates, dtype=float)
            turning[moved] = row[moved, VELOCITY]
            state.x[self.layout["v"]] = self.stiff(closed_rates(self, closed, turning))
        return state

    def prepare(self, h: float) -> None:
        """Any step will do."""
        self._h = h

    def restart(self, state: State, row: np.ndarray, jumped: bool = False) -> State:
        """In place, and returned."""
        settle(self.parts, self.room, state.x, np.ascontiguousarray(row), state.z, 0.0, True)
        return state

    def _run(
        self, state: State, table: np.ndarray, records: np.ndarray, every: int, phase: int
    ) -> tuple[int, int, int]:
        keep, keep_z = np.empty_like(state.x), np.empty_like(state.z)
        return march(
            self.parts, self.room, state.x, state.z, np.ascontiguousarray(table), records, every, phase, self._h,
            self.options.iterations, keep, keep_z, self._kept, self._end_row,
        )  # fmt: skip

    def march(self, state: State, plan: Steps) -> Marched:
        """Many compiled steps; a step that fails ends at the state before it."""
        new = state.copy()
        every, phase = plan.record_every, plan.record_offset
        rows = (phase + plan.count) // every - phase // every if every else 0
        records = np.empty((rows, self.record_width))
        done, written, ended = self._run(new, plan.table, records, every, phase)
        new.step += done
        return Marched(new, records[:written], ENDINGS[ended], done)

    def advance(self, state: State, plan: Steps) -> bool:
        """In place, no records."""
        done, _, _ = self._run(state, plan.table, NO_RECORDS, 0, 0)
        state.step += done
        return done == plan.count

    def record(self, state: State) -> np.ndarray:
        """The record of a state, shape (record_width,)."""
        return state.x.copy()

    def measure(self, state: State, out: np.ndarray) -> np.ndarray:
        """Readings in the order of `sensors`."""
        return self.reader.measure(state.x, out)

    def observe(self, times: np.ndarray, records: np.ndarray, table: np.ndarray) -> Signals:
        """What the records show."""
        return self.reader.signals(times, records)

    def remarks(self, state: State) -> list[str]:
        """Steps that were halved, and loops that came near a singular pose."""
        sums, found = state.x[self.layout["sums"]], []
        if sums[at.HALVED]:
            found.append(f"steps were halved {int(sums[at.HALVED])} times to converge; a smaller time.step is safer")
        if self.tree.rows and sums[at.SIGMA] < 10.0 * self.options.singular:
            loop = self.arm.loops[int(sums[at.SIGMA_LOOP])]
            links = " and ".join(name for name, _ in loop.places)
            found.append(
                f"loop '{loop.name}' ({links}) came near a singular pose at t = {sums[at.SIGMA_TIME]:.4g} s: the smallest "
                f"singular value of the loops fell to {sums[at.SIGMA]:.2g} of the largest, where forces grow without bound"
            )
        return found

    def change(self, state: State, payload: Payload, rule: str) -> tuple[Model, State]:
        """The same tree with another payload; at-rest conserves momentum, else the velocities stay."""
        model = ModesModel(
            self.arm.model_copy(update={"payload": payload}), self.wiring, self.options, self.watch, self.hints
        )
        model.parts.D[:], model.tree.weld[:] = self.parts.D, self.tree.weld
        new = state.copy()
        q, v, sums = new.x[self.layout["q"]], new.x[self.layout["v"]], new.x[self.layout["sums"]]
        before = self.reader.masses(q)
        after = model.reader.masses(q)
        old, old_weight = self.reader.energies(state.x[None, :])[0], self.reader.potential(q)
        if rule == "at-rest":
            moving = slice(0, self.tree.moving)
            T = motions(self, "held", self.reader.loop_jacobian(q))[moving]
            impulse = (before @ v - after @ v)[moving]
            v[moving] += T @ np.linalg.solve(T.T @ after[moving, moving] @ T, T.T @ impulse)
        now = 0.5 * float(v @ after @ v)
        sums[at.LOST if rule == "at-rest" else at.WORK] += (old[0] - now) * (1.0 if rule == "at-rest" else -1.0)
        sums[at.WORK] += model.reader.potential(q) - old_weight
        return model, new

    def linearise(self, state: State | None = None, joints: Joints = "locked", spin: float = 0.0) -> LinearModel:
        """Small motions about the equilibrium of the start pose, about `state` at rest, or about a steady turn."""
        return spinning_model(self, spin) if spin else linear_model(self, state, joints)

    def static(self, pose: Any, row: np.ndarray) -> State:
        """Equilibrium with the motors held at `pose`."""
        return self.state_at(*equilibrium(self, close_undeformed(self.arm, np.asarray(pose, dtype=float))))

    def estimate_step(self, accuracy: float, duration: float) -> float:
        """Steps that keep the phase of the first modes within `accuracy` while the drives act (error of order 4)."""
        found = linear_model(self, None, "locked")
        step = phase_step(found.M, found.C, found.K, accuracy, self.hints.active, duration, 4, STEPS_PER_PERIOD)
        return step or duration / 1000.0
