"""The model of `ancf`: a planar serial arm in absolute nodal coordinates, ready to be stepped."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.core import types

from flexarm.arm import Arm, Payload
from flexarm.drive import Wiring
from flexarm.methods.ancf import layout as at
from flexarm.methods.ancf import ticks
from flexarm.methods.ancf.conserving import conserving_step
from flexarm.methods.ancf.element_choice import is_sheared, notes_of
from flexarm.methods.ancf.linear import linear_model, spinning_model, static_state, tangent_matrices
from flexarm.methods.ancf.mesh import build_mesh
from flexarm.methods.ancf.observe import AncfReader
from flexarm.methods.ancf.options import AncfOptions
from flexarm.methods.ancf.packing import follows, full_mass, pack_arm
from flexarm.methods.ancf.payload_change import change_payload
from flexarm.methods.ancf.restart import fresh_start
from flexarm.methods.ancf.stepping import march
from flexarm.methods.base import Hints, Model, Outcome, Run, State, TickSteps, Watch
from flexarm.methods.left_out import Counted
from flexarm.methods.subdivision import finer_notes
from flexarm.numerics import laws
from flexarm.numerics.alexander import STEPS
from flexarm.numerics.by_address import address_of
from flexarm.numerics.tick_loop import ROW, steps_address
from flexarm.numerics.tick_loop import STEPS as STEP_ARGUMENTS

LEAST_JUMP = 1e-9
"""Jumps of commanded rates that do less work than this share of the largest energy are rounding."""


class AncfModel(Model):
    """See `flexarm.methods.base.Model` for the verbs."""

    sums = at

    stiffens_when_spinning = True
    outcomes = (Outcome.SUCCESS, Outcome.NOT_CONVERGED, Outcome.ENERGY_ERROR)
    _viewed: at.Motion | None = None

    def __init__(self, arm: Arm, wiring: Wiring, options: AncfOptions, watch: Watch, hints: Hints):
        super().__init__(arm, wiring, options, watch, hints)
        self.links = len(arm.links)
        self.mesh_order = 4 if options.variant == "sound" else 2
        counts = options.resolution if isinstance(options.resolution, tuple) else (options.resolution,) * self.links
        sheared = tuple(is_sheared(link, options) for link in arm.links)
        self.mesh = build_mesh(arm, counts, sheared, tuple(follows(arm, wiring)))
        self.size = self.mesh.size
        self.parts = pack_arm(arm, wiring, self.mesh, options)
        self.mass = full_mass(self.parts)
        self.held = not any(self.parts.acts)
        patches = len(wiring.patches)
        self.shapes = at.state_shapes(self.size, self.links, self.mesh.half_width, self.parts.chords, patches)
        self.layout = at.state_slices(self.shapes)
        self.record_width = self.layout["sums"].stop
        self.motion = self.view(self.empty())
        self.workspace = at.make_workspace(self.size, self.links, self.mesh.half_width, self.channels, self.motion)
        if self.parts.conserving:
            conserving_step.load(self.parts, self.motion, self.workspace, self.workspace.rows[1], 0.0)
        self.reader = AncfReader(self)
        self.sensors = self.reader.names
        self.take_damping()
        self.notes = notes_of(arm, self.mesh, options) + finer_notes(arm, options.resolution, self.mesh.counts)

    def set_damping(self, times: np.ndarray) -> None:
        """Kelvin-Voigt times of the elements.

        Energy is judged where it should stay: without damping and control loops, whose fast decay no step resolves.
        """
        super().set_damping(times)
        self.parts.damping_time[:] = self.damping_times[self.mesh.owner]
        decays = np.any(self.damping_times) or np.any(self.parts.damper) or np.any(self.hints.gains or [0.0])
        self.parts.energy_error = 0.0 if decays else self.options.energy_error or 0.0

    def counted(self, link: int) -> Counted:
        """Cable elements do not shear."""
        return Counted(bool(self.mesh.sheared[link]), True, None)

    def small_motions(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """About the equilibrium of the start pose, joints as driven."""
        state = static_state(self, self.arm.pose)
        return tangent_matrices(self, state, self.row_of(state))[:3]

    # states

    def view(self, state: State) -> at.Motion:
        """Named parts of a state; those of the state that was last asked for are known."""
        known = self._viewed
        if known is None or known.x is not state.x or known.z is not state.z:
            self._viewed = known = at.motion_of(state.x, state.z, self.layout, self.shapes)
        return known

    def empty(self) -> State:
        """A state of zeros, sections unstretched."""
        size, law_rows = self.layout["columns"].stop, max(1, len(self.wiring.joints))
        state = State(np.zeros(size), np.zeros((law_rows, laws.Z_SIZE)))
        self.view(state).stretch[0] = 1.0
        return state

    def _undeformed(self, pose: Any, rates: Any, row: np.ndarray) -> State:
        state = self.empty()
        self.place_rigidly(state, pose, rates, row)
        return state

    def place_rigidly(self, state: State, pose: Any, rates: Any, row: np.ndarray) -> None:
        """Nodes of the stiff arm at `pose` (joint order), turning with `rates`; commanded joints with the command."""
        s, m = self.view(state), self.parts
        angle = spin = 0.0
        root, rate = np.zeros(2), np.zeros(2)
        for i, link in enumerate(self.arm.links):
            k = m.channel[i]
            position = link.joint.start if k < 0 else float(pose[k])
            turning = 0.0 if k < 0 or rates is None else float(rates[k])
            if k >= 0 and m.commanded[i]:
                position, turning = float(row[k, 0]), float(row[k, 1])
            s.before_angle[i] = angle
            angle, spin = angle + position, spin + turning
            s.first_angle[i] = s.chord_angle[i] = angle
            s.joint[i] = s.motor[i] = position
            s.joint_rate[i] = s.motor_rate[i] = turning
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

    def row_of(self, state: State) -> np.ndarray:
        """A drive row that commands what the motors of a state do, with its loads on links."""
        row, s = np.zeros((max(1, self.channels), self.wiring.row_width)), self.view(state)
        wired = self.parts.channel >= 0
        row[self.parts.channel[wired], :2] = np.column_stack([s.motor, s.motor_rate])[wired]
        row[len(self.wiring.joints) :, laws.FORCE] = s.patch if self.wiring.patches else 0.0
        return row

    def shift(self, state: State, step: np.ndarray) -> None:
        """Move the unknowns; prescribed sections follow when they are expanded."""
        s, prescribed = self.view(state), self.parts.prescribed > 0
        s.q[:] += step
        s.stretch[0, prescribed] += step[self.parts.first[prescribed]]

    def adopt(self, state: State, held: AncfModel) -> State:
        """A state of the same arm with held motors, as one of this model."""
        if held is self:
            return state
        mine, there = self.empty(), held.view(state)
        here = self.view(mine)
        both = self.layout["sums"].start  # numbers that both kinds of state begin with
        here.x[:both] = there.x[:both]
        for i, p in enumerate(self.mesh.motor):
            if p >= 0:
                here.q[p] = here.before_angle[i] + here.motor[i]
        prescribed = self.parts.prescribed > 0
        here.stretch[0, prescribed] = there.stretch[0, prescribed]
        return mine

    # steps

    def prepare(self, h: float) -> None:
        """Any step will do."""
        super().prepare(h)
        self.parts.step = h

    def restart(self, state: State, row: np.ndarray, jumped: bool = False) -> State:
        """In place, and returned; what is faster than a step is left out of the acceleration after every jump.

        A jump of torques or of commanded rates, as a payload that comes at rest, begins motions that no step can follow.
        """
        first = np.ascontiguousarray(row) if self.channels else np.zeros((1, 7))
        sums = state.x[self.layout["sums"]]
        worked = sums[at.WORK]
        fresh_start(self.parts, self.motion, self.workspace, state.x, state.z, first, False)
        pushed = abs(sums[at.WORK] - worked) > LEAST_JUMP * sums[at.SCALE]
        if jumped or pushed or self.wiring.sampled:
            sums[at.EXCITED] = 1.0
        held = self.wiring.sampled and not self.parts.conserving  # a torque that is held between ticks jumps at each
        sums[at.STARTING] = STEPS if held else 0.0
        return state

    def _run(self, state: State, table: np.ndarray, records: np.ndarray, every: int, offset: int) -> Run:
        table = table if self.channels else np.zeros((len(table), 1, 7))
        return march(self.parts, self.motion, self.workspace, state.x, state.z, table, records, every, offset, self.h)

    def between_ticks(self, state: State) -> TickSteps:
        """Of the fresh start and march."""
        packed = self.parts, self.motion, self.workspace
        restart = address_of(fresh_start, types.none, *packed, *ROW, types.boolean)
        march_at = address_of(march, ticks.RUN, *packed, *STEP_ARGUMENTS[:-1])
        method = ticks.Ticks(restart, march_at, *packed, self.layout["sums"].start)
        return TickSteps(steps_address(ticks.between_ticks, method), method)

    def change(self, state: State, payload: Payload, rule: str) -> tuple[Model, State]:
        """The same mesh with another payload; at-rest conserves momentum, else the velocities stay."""
        return change_payload(self, state, payload, rule)

    # rest and small motions

    _linear_model, _spinning_model = linear_model, spinning_model

    def static(self, pose: Any, row: np.ndarray) -> State:
        """Equilibrium with the motors held at `pose`."""
        return static_state(self, pose, row)

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
