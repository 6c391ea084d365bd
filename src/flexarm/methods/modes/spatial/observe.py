"""What is read off an arm of shapes in space: places and turns by the shapes, section forces by their strains.

Equations: N1, N2, N5, N6, N9, N18.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from flexarm.errors import CapabilityError
from flexarm.methods.modes import layout as at
from flexarm.methods.modes.evaluation import evaluate_poses
from flexarm.methods.modes.forces import spring_with_play
from flexarm.methods.modes.spatial.strain_fields import STIFFNESSES, Section
from flexarm.methods.reader import JointNumbers, Reader
from flexarm.numerics.rotations import relative
from flexarm.rigid.beam import legs, place_point

if TYPE_CHECKING:
    from flexarm.methods.modes.spatial.model import SpatialModesModel

TINY = 1e-200
"""Keeps the direction of a turn by nothing a number."""


class Frame(NamedTuple):
    """Formulas of a frame: origin (3,) and rotation (3, 3)."""

    origin: np.ndarray
    turned: np.ndarray


class SpatialModesReader(Reader):
    """Coordinates, their rates and accelerations are in the state; places are of second order in the shapes of each body."""

    forces = ("axial_force", "shear_force", "shear_force_z", "torsion_moment", "bending_moment_y", "bending_moment")
    model: SpatialModesModel

    def __init__(self, model: SpatialModesModel):
        self._sections: dict[tuple[int, float], Section] = {}
        self._pairs: dict[int, tuple[np.ndarray, np.ndarray, list[Any]]] = {}
        super().__init__(model, {k: k + model.size for k in range(2 * model.size)})

    def joint(self, link: int) -> JointNumbers:
        """Coordinates of both sides, and the rows of torques."""
        part, joint, state = self.model.parts, self.movable.index(link), self.graph.state
        sides = [place for k in (part.link[joint], part.drive[joint]) for place in (k, k + part.size)]
        first = self.model.layout["torques"].start + joint
        torques = [state(first + row * len(part.link)) for row in (at.TORQUE, at.DRIVE)]
        return JointNumbers(*map(state, sides), *torques)

    # formulas

    def _dot(self, a: Any, b: Any) -> Any:
        return self.graph.total([x * y for x, y in zip(a, b, strict=True)])

    def _times(self, A: np.ndarray, B: np.ndarray) -> np.ndarray:
        """Product of two matrices of formulas or numbers."""
        return np.array([[self._dot(row, column) for column in B.T] for row in A], dtype=object)

    def _apply(self, A: np.ndarray, x: np.ndarray) -> np.ndarray:
        return np.array([self._dot(row, x) for row in A], dtype=object)

    def _form(self, body: int, constant: float, linear: np.ndarray, square: np.ndarray) -> Any:
        """constant + linear q + q^T square q / 2 of a body's own coordinates."""
        row = self.graph.row(linear, constant, self.model.parts.first[body])
        if not square.any():
            return row
        i, j, products = self._products(body)
        weights = square[i, j] * np.where(i == j, 0.5, 1.0)
        used = np.flatnonzero(weights)
        return self.graph.total([row, *(products[k] for k in used)], [1.0, *weights[used].tolist()])

    def _products(self, body: int) -> tuple[np.ndarray, np.ndarray, list[Any]]:
        """Numbers of all pairs of a body's coordinates, and their products."""
        if body not in self._pairs:
            first, count = self.model.parts.first[body], self.model.parts.count[body]
            q = [self.graph.state(first + k) for k in range(count)]
            i, j = np.triu_indices(count)
            self._pairs[body] = i, j, [q[a] * q[b] for a, b in zip(i, j, strict=True)]
        return self._pairs[body]

    def _vector(self, body: int, constant: np.ndarray, linear: np.ndarray, square: np.ndarray) -> np.ndarray:
        return np.array([self._form(body, constant[k], linear[k], square[k]) for k in range(3)], dtype=object)

    def _rotation(self, turn: np.ndarray) -> np.ndarray:
        """Rotation by a vector."""
        angle = np.sqrt(self._dot(turn, turn) + TINY)
        half = np.sin(0.5 * angle) / (0.5 * angle)
        x, y, z = turn
        skew = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]], dtype=object)
        return np.eye(3) + np.sin(angle) / angle * skew + 0.5 * half * half * self._times(skew, skew)

    # frames and sections

    @cached_property
    def _joints(self) -> list[Frame]:
        """Frames of the joints of all bodies, turned with what carries them."""
        return [frame for frame, _ in self._frames_of_all]

    @cached_property
    def _frames(self) -> list[Frame]:
        """Frames of all bodies."""
        return [frame for _, frame in self._frames_of_all]

    @cached_property
    def _frames_of_all(self) -> list[tuple[Frame, Frame]]:
        found: list[tuple[Frame, Frame]] = []
        part: Any = self.model.parts
        for b, body in enumerate(self.model.bodies.all):
            carrier = Frame(np.zeros(3, dtype=object), np.eye(3))
            if body.carrier is not None:
                carrier = self._frame_at(
                    found[body.carrier.body][1], body.carrier.body, body.carrier.section, body.carrier.r0
                )
            joint = Frame(
                carrier.origin + self._apply(carrier.turned, body.place), self._times(carrier.turned, body.rot)
            )
            origin, turned = joint.origin, joint.turned
            if body.joint:
                q = self.graph.state(part.coordinate[part.hinge[b]])
                if body.slides:
                    origin = origin + turned[:, 2] * (q + body.offset)
                else:
                    c, s = np.cos(q), np.sin(q)
                    turned = self._times(turned, np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]], dtype=object))
            turned = self._times(turned, body.post)
            origin = origin + self._apply(turned, body.lever)
            if body.fields is not None and body.fields.start.any():
                none = np.zeros((3, body.count, body.count))
                turned = self._times(turned, self._rotation(self._vector(b, np.zeros(3), body.fields.start, none)).T)
            found.append((joint, Frame(origin, turned)))
        return found

    def _frame_at(self, frame: Frame, body: int, section: Section, r0: np.ndarray) -> Frame:
        """Frame of a section of a body."""
        if not self.model.bodies.all[body].count:
            return Frame(frame.origin + self._apply(frame.turned, r0), frame.turned)
        within = self._vector(body, r0, section.s, section.b)
        turn = self._rotation(self._vector(body, np.zeros(3), section.theta, section.Psi))
        return Frame(frame.origin + self._apply(frame.turned, within), self._times(frame.turned, turn))

    def _section(self, link: int, fraction: float) -> tuple[int, Section]:
        """Body and section of a flexible link at a fraction of its length."""
        body, x = self.model.bodies.section(link, fraction)
        if (body, x) not in self._sections:
            fields = self.model.bodies.all[body].fields
            assert fields is not None
            self._sections[body, x] = fields.sections([x])[0]
        return body, self._sections[body, x]

    def _stiff(self, link: int, fraction: float) -> np.ndarray:
        """A place of a link in its own axes while nothing is bent."""
        return place_point(self.arm.links[link], float(fraction), True)

    def places(self, link: int, fractions: Sequence[float]) -> np.ndarray:
        """Points of the bent axis; a rigid link is as straight as its legs."""
        out = np.zeros((len(fractions), 3), dtype=object)
        for k, fraction in enumerate(fractions):
            if self.arm.links[link].flexible:
                body, section = self._section(link, float(fraction))
                frame, x = self._frames[body], np.array([section.x, 0.0, 0.0])
                out[k] = frame.origin + self._apply(frame.turned, self._vector(body, x, section.s, section.b))
            else:
                frame = self._frames[self.model.bodies.of_link[link][0]]
                out[k] = frame.origin + self._apply(frame.turned, self._stiff(link, fraction))
        return out

    def _drawn(self, link: int) -> np.ndarray:
        """A body without a length is drawn from its joint to the farthest that it carries."""
        if self.arm.links[link].span:
            return self.places(link, self.stations)
        chain, frame = self.model.bodies.chain, self._frames[self.model.bodies.of_link[link][0]]
        ends = [chain.tip[link], *(chain.mount[k] for k, p in enumerate(chain.parent) if p == link)]
        far = self._apply(frame.turned, max(ends, key=lambda end: float(np.linalg.norm(end))))
        return frame.origin + self.stations[:, None] * far

    @cached_property
    def _tool(self) -> Frame:
        """Frame of the section that carries the tool, at the tool."""
        at = self.model.bodies.tool
        frame = self._frame_at(self._frames[at.body], at.body, at.section, at.r0)
        return Frame(frame.origin + self._apply(frame.turned, at.away), frame.turned)

    @cached_property
    def tip(self) -> np.ndarray:
        """Position of the tool, or of the tip."""
        return self._tool.origin

    def angles(self, link: int, fractions: Sequence[float]) -> np.ndarray:
        """Not known: the direction of a section in space is more than one angle."""
        raise CapabilityError("the direction of a section in space is more than one angle", field="output.sensors")

    def carrier_rate(self, link: int) -> Any:
        """Spin of what carries the joint along its axis; a sliding joint turns no rotor."""
        if self.arm.links[link].joint.type == "prismatic":
            return 0.0
        turned = self._joints[self.model.bodies.of_link[link][0]].turned
        rates = [self.graph.rate(entry) if hasattr(entry, "graph") else 0.0 for entry in turned[:, 0]]
        return self._dot(rates, turned[:, 1])

    def _root(self, link: int) -> Frame:
        """Frame of a flexible link's root section."""
        body, section = self._section(link, 0.0)
        return self._frame_at(self._frames[body], body, section, np.zeros(3))

    def displacements(self, link: int, fractions: Sequence[float]) -> np.ndarray:
        """In the axes of the root section."""
        if not self.arm.links[link].flexible:
            return np.zeros((len(fractions), 3))
        root, leg = self._root(link), legs(self.arm.links[link], True)[0]
        away = self.places(link, fractions) - root.origin
        stiff = np.array([leg.axes.T @ (self._stiff(link, fraction) - leg.start) for fraction in fractions])
        return np.array([self._apply(root.turned.T, row) for row in away], dtype=object) - stiff

    def deflections(self, link: int, fractions: Sequence[float]) -> np.ndarray:
        """Distances from the stiff link, without sign."""
        away = self.displacements(link, fractions)
        if not self.arm.links[link].flexible:
            return away[:, 1]
        return np.array([np.sqrt(self._dot(row, row) + TINY) - np.sqrt(TINY) for row in away], dtype=object)

    def slopes(self, link: int, fractions: Sequence[float]) -> np.ndarray:
        """Turning about the link's z axis."""
        out = np.zeros(len(fractions), dtype=object)
        if not self.arm.links[link].flexible:
            return out
        root = self._root(link).turned
        for k, fraction in enumerate(fractions):
            body, section = self._section(link, float(fraction))
            turned = self._frame_at(self._frames[body], body, section, np.array([section.x, 0.0, 0.0])).turned
            out[k] = np.arctan2(self._dot(root[:, 1], turned[:, 0]), self._dot(root[:, 0], turned[:, 0]))
        return out

    def tip_turn(self, records: np.ndarray) -> np.ndarray:
        """Of the section at the tip."""
        first, second = self.graph.tape(self._tool.turned.ravel()).values(records)
        turn = np.array(relative(first[None].copy(), 0, second[None].copy(), 0))
        return first.reshape(3, 3) @ turn

    # forces

    def elastic_forces(self, link: int, fractions: Sequence[float]) -> np.ndarray:
        """Strains of the shapes times the stiffnesses of the section."""
        out = np.zeros((6, len(fractions)), dtype=object)
        for k, fraction in enumerate(fractions):
            index, section = self._section(link, float(fraction))
            body = self.model.bodies.all[index]
            assert body.fields is not None
            found = body.fields.properties(np.array([section.x]))
            stiff = np.array([found[name][0] for name in STIFFNESSES])
            rows = stiff[:, None] * body.fields.strains([section.x])[0]
            out[:, k] = self.graph.rows(rows, first=self.model.parts.first[index])
        return out

    def strain(self, link: int, at: float, side: str, reads: str = "strain") -> Any:
        """Axial force, unless only bending is read, and both moments, as far as they are elastic, over what the section is there."""
        part, force = self.arm.links[link], self.elastic_forces(link, [at])[:, 0]
        assert part.section is not None and part.material is not None
        found, section = part.properties([at]), part.section.values(part.material.nu, np.array([at]))
        across = (section.fibre_back if side == "-z" else section.fibre_y) / found["EI_y"]
        y, z = {"top": 1.0, "bottom": -1.0}.get(side, 0.0), {"z": 1.0, "-z": -1.0}.get(side, 0.0)
        bending = force[4] * float(z * across[0]) - force[5] * float(y * found["fibre"][0] / found["EI"][0])
        return bending if reads == "bending" else force[0] * float(1.0 / found["EA"][0]) + bending

    # energies

    def stored(self, records: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """That of gravity is zero with all masses at the origin."""
        model, part = self.model, self.model.parts
        q, v = (records[:, model.layout[name]] for name in ("q", "v"))
        elastic = 0.5 * np.einsum("ti,ij,tj->t", q, part.stiffness, q)
        for j in np.flatnonzero(part.play > 0.0):
            turned = q[:, part.link[j]] - q[:, part.drive[j]]
            elastic += [spring_with_play(part.spring[j], part.play[j], t)[2] for t in turned]
        stored = np.zeros((len(q), 2))
        evaluate_poses(part, model.work, np.ascontiguousarray(q), np.ascontiguousarray(v), stored)
        return stored[:, 0], elastic, stored[:, 1]
