"""The model of `modes`: a planar tree of flexible and rigid bodies with closed loops, ready to be stepped."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.core import types

from flexarm.arm import Arm, Payload
from flexarm.drive import VELOCITY, Wiring
from flexarm.errors import CapabilityError
from flexarm.methods.base import Hints, Joints, LinearModel, Model, Outcome, Run, Start, State, TickSteps, Watch
from flexarm.methods.left_out import Counted
from flexarm.methods.modes import layout as at
from flexarm.methods.modes import ticks
from flexarm.methods.modes.arrays import ORDER, make_workspace
from flexarm.methods.modes.bodies import build_beams
from flexarm.methods.modes.coordinates import with_own_rotor
from flexarm.methods.modes.equilibrium import equilibrium, load_stiffness
from flexarm.methods.modes.evaluation import evaluate_poses
from flexarm.methods.modes.linear import linear_model, motions, reduced_tangent, spinning_model
from flexarm.methods.modes.loads import add_loads
from flexarm.methods.modes.loop_closure import check_loops, close_undeformed, closed_rates, passive_coordinates
from flexarm.methods.modes.observe import ModesReader
from flexarm.methods.modes.options import ModesOptions
from flexarm.methods.modes.step_end import end_step
from flexarm.methods.modes.stepping import march
from flexarm.methods.modes.tree import build_tree
from flexarm.numerics.by_address import address_of
from flexarm.numerics.law_rows import FORCE
from flexarm.numerics.tick_loop import MATRIX, STEPS, VECTOR, steps_address


class ModesModel(Model):
    """See `flexarm.methods.base.Model` for the verbs."""

    sums = at

    options: ModesOptions
    reader: ModesReader
    outcomes = (Outcome.SUCCESS, Outcome.NOT_CONVERGED, Outcome.SINGULAR)
    mesh_order = 6
    steps_per_period = 16.0

    def __init__(self, arm: Arm, wiring: Wiring, options: ModesOptions, watch: Watch, hints: Hints):
        super().__init__(arm, wiring, options, watch, hints)
        self.closes_loops = options.loops == "closed"
        self.pose = close_undeformed(arm, np.array(arm.pose))
        self.second_order = options.stiffening == "second-order" or (options.stiffening == "auto" and self._loaded())
        self.stiffens_when_spinning = self.second_order
        automatic = "radau" if wiring.sampled else "lobatto"
        self.scheme = automatic if options.integrator == "auto" else options.integrator
        self.order = ORDER[self.scheme]
        self._build()
        part = self.parts
        self.size = part.size
        if wiring.patches:
            add_loads.load(part, self.work, self.work.total, self.work.total, self.work.rows[0])
        self.joint_coordinates = {int(k) for k in (*part.link, *part.motor) if k >= 0}
        self.layout = at.slices(part.size, part.rows, len(part.link), part.loads)
        self.record_width = self.layout["loads"].stop
        self.reader = self._read()
        self.sensors = self.reader.names
        self.passive = passive_coordinates(self)
        self.notes = [self._note(), *check_loops(self)]
        if options.stiffening == "static":  # of the axial forces in the equilibrium of the start pose
            x = equilibrium(self, self.pose).x
            part.stiffness[:] += self.load_stiffness(x[self.layout["q"]], x[self.layout["lam"]], True)
        self.take_damping()

    def _build(self) -> None:
        """Bodies, and what the kernels read and use."""
        arm, wiring, options = self.arm, self.wiring, self.options
        chords = self.second_order and self.closes_loops  # frames of an opened loop are held at the root's tangent
        self.beams = build_beams(arm, options, self.pose, with_own_rotor(arm, wiring), chords)
        self.reach = sum(max(link.span, *(np.hypot(*p[:2]) for p in link.points.values()), 0.0) for link in arm.links)
        self.reach = self.reach or 1.0
        self.tree = build_tree(arm, wiring, options, self.beams, self.second_order, self.reach, self.scheme)
        self.parts = self.tree.parts
        self.work = make_workspace(self.parts, self.channels)

    def _read(self) -> Any:
        """The reader."""
        return ModesReader(self)

    def _loaded(self) -> bool:
        """True if weight or turning puts axial forces into flexible links."""
        bends = any(link.flexible for link in self.arm.links)
        return bends and (any(self.weight) or bool(self.wiring.joints))

    @property
    def weight(self) -> tuple[float, ...]:
        """Gravity as far as it acts."""
        return self.arm.gravity if self.arm.spatial else self.arm.gravity[:2]

    def load_stiffness(
        self, q: np.ndarray, lam: np.ndarray, only_second_order: bool = False, loads: np.ndarray | None = None
    ) -> np.ndarray:
        """Stiffness (size, size) of weight, loop forces and loads at q, or only its part by shortening."""
        return load_stiffness(self, q, lam, only_second_order, loads)

    def counted(self, link: int) -> Counted:
        """Shapes do not shear."""
        return Counted(False, self.options.stretches > 0, 2 if self.second_order else 1)

    def _note(self) -> str:
        rows = f", {self.parts.rows} loop equations" if self.parts.rows else ""
        order = "second" if self.second_order else "first"
        static = ", static geometric stiffness" if self.options.stiffening == "static" else ""
        return f"{self.size} coordinates{rows}, kinematics of {order} order{static}, {self.scheme}"

    # coordinates

    def modal_coordinates(self, body: int) -> slice:
        """Modal coordinates of a body."""
        return slice(self.parts.first[body], self.parts.first[body] + self.parts.count[body])

    def unheld(self) -> np.ndarray:
        """Coordinates that move while the motors are held."""
        held = set(self.parts.drive.tolist()) - self.passive
        return np.array([k for k in range(self.size) if k not in held], dtype=int)

    def root_coordinates(self) -> list[int]:
        """Coordinates of the joints that stand on the ground, -1 for a fixed one."""
        part = self.parts
        return [int(part.hinge[b]) for b in range(len(self.beams)) if part.parent[b] < 0]

    def undeformed(self, pose: Any) -> np.ndarray:
        """Coordinates of the undeformed arm with its joints at `pose` (joint order)."""
        q = np.zeros(self.size)
        q[self.parts.link] = q[self.parts.drive] = np.asarray(pose, dtype=float)
        return q

    def evaluate_pose(self, q: np.ndarray, v: np.ndarray | None = None) -> tuple[float, float]:
        """Fill `work` with kinematics, mass matrix, velocity terms and loops; returns kinetic energy and potential."""
        out = np.zeros((1, 2))
        v = np.zeros(self.size) if v is None else v
        evaluate_poses(self.parts, self.work, np.ascontiguousarray(q)[None], np.ascontiguousarray(v)[None], out)
        return float(out[0, 0]), float(out[0, 1])

    def mass_matrix(self, q: np.ndarray) -> np.ndarray:
        """Mass matrix (size, size) at q."""
        self.evaluate_pose(q)
        return self.work.mass.copy()

    def bias(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Velocity terms and weight on the left-hand side, (size,)."""
        self.evaluate_pose(q, v)
        return self.work.bias.copy()

    # states

    def state_at(self, q: np.ndarray, lam: np.ndarray | float = 0.0) -> State:
        """A state at rest."""
        state = State(np.zeros(self.record_width), np.zeros_like(self.work.old_z))
        state.x[self.layout["q"]], state.x[self.layout["lam"]] = q, lam
        state.x[self.layout["sums"]][at.SIGMA] = 1.0
        return state

    def at_rest(self) -> tuple[np.ndarray, np.ndarray]:
        """Equilibrium of the start pose; coordinates and loop forces."""
        x = equilibrium(self, self.pose).x if self.closes_loops else self.state_at(self.undeformed(self.pose)).x
        return x[self.layout["q"]], x[self.layout["lam"]]

    def start(self, pose: Any, rates: Any, row: np.ndarray, at: Start = "undeformed") -> State:
        """Refuses a tree whose loops are left open."""
        if not self.closes_loops:
            raise CapabilityError(
                "opened loops are for frequencies alone: leave out method.loops", field="method.loops"
            )
        return super().start(pose, rates, row, at)

    def _undeformed(self, pose: Any, rates: Any, row: np.ndarray) -> State:
        closed = close_undeformed(self.arm, np.asarray(pose, dtype=float))
        state = self.state_at(self.undeformed(closed))
        prescribed = np.flatnonzero(self.parts.prescribed)
        turning = np.array(rates, dtype=float)
        turning[prescribed] = row[prescribed, VELOCITY]
        state.x[self.layout["v"]] = self.undeformed(closed_rates(self, closed, turning))
        return state

    def static(self, pose: Any, row: np.ndarray) -> State:
        """Equilibrium with the motors held at `pose`."""
        loads = row[len(self.wiring.joints) :, FORCE] if self.parts.loads else None
        return equilibrium(self, close_undeformed(self.arm, np.asarray(pose, dtype=float)), loads)

    # steps

    def restart(self, state: State, row: np.ndarray, jumped: bool = False) -> State:
        """In place, and returned."""
        end_step(self.parts, self.work, state.x, np.ascontiguousarray(row), state.z, 0.0, True)
        return state

    def _run(self, state: State, table: np.ndarray, records: np.ndarray, every: int, offset: int) -> Run:
        return march(self.parts, self.work, state.x, state.z, table, records, every, offset, self.h)

    def between_ticks(self, state: State) -> TickSteps:
        """Of the end of a step and march."""
        packed = self.parts, self.work
        restart = address_of(end_step, types.int64, *packed, VECTOR, MATRIX, MATRIX, types.float64, types.boolean)
        method = ticks.Ticks(restart, address_of(march, ticks.RUN, *packed, *STEPS[:-1]), *packed)
        return TickSteps(steps_address(ticks.between_ticks, method), method)

    def remarks(self, state: State) -> list[str]:
        """Steps that were halved, and loops that came near a singular pose."""
        sums, found = state.x[self.layout["sums"]], super().remarks(state)
        if self.parts.rows and sums[at.SIGMA] < 10.0 * self.options.singular:
            loop = self.arm.loops[int(sums[at.SIGMA_LOOP])]
            links = " and ".join(name for name, _ in loop.places)
            found.append(
                f"loop '{loop.name}' ({links}) came near a singular pose at t = {sums[at.SIGMA_TIME]:.4g} s: the smallest "
                f"singular value of the loops fell to {sums[at.SIGMA]:.2g} of the largest, where forces grow without bound"
            )
        return found

    def change(self, state: State, payload: Payload, rule: str) -> tuple[Model, State]:
        """The same tree with another payload; at-rest conserves momentum, else the velocities stay."""
        model, new = self.with_payload(payload), state.copy()
        q, v = (new.x[self.layout[name]] for name in ("q", "v"))
        self.evaluate_pose(q, v)
        if rule == "at-rest":
            before, after, moving = self.work.mass.copy(), model.mass_matrix(q), slice(0, self.parts.moving)
            T = motions(self, "held", self.work.jac)[moving]
            impulse = ((before - after) @ v)[moving]
            v[moving] += T @ np.linalg.solve(T.T @ after[moving, moving] @ T, T.T @ impulse)
        self._account_change(model, state, new, rule)
        return model, new

    # small motions

    def set_damping(self, times: np.ndarray) -> None:
        """Kelvin-Voigt damping of the links beside the dampers of the joints."""
        super().set_damping(times)
        self.parts.damping[:] = self.tree.joint_damping + np.tensordot(self.damping_times, self.tree.elastic, 1)

    def small_motions(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """About the equilibrium of the start pose, joints as driven."""
        M, C, K, _ = reduced_tangent(self, *self.at_rest(), "held")
        return M, C, K

    def linearise(self, state: State | None = None, joints: Joints = "locked", spin: float = 0.0) -> LinearModel:
        """Joints are locked or free by the choice of motions, so the equilibrium is that of this model."""
        return super().linearise(self.state_at(*self.at_rest()) if state is None else state, joints, spin)

    _linear_model, _spinning_model = linear_model, spinning_model
