"""What is read off the nodes: places and directions by the polynomials, section forces by the strains of the elements.

Equations: A2, A20.

Angles that the state holds are unwound; what is added to them is the small angle by which the vector is ahead, so that a formula has the
derivatives of the vector.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.methods.ancf import layout as at
from flexarm.methods.ancf.balanced_sections import BalancedSections
from flexarm.methods.ancf.body_matrices import body_kinetic, body_potential
from flexarm.methods.ancf.matrices import point_on
from flexarm.methods.ancf.section_forces import POINTS, force_weights, strains
from flexarm.methods.reader import JointNumbers, Reader

if TYPE_CHECKING:
    from flexarm.methods.ancf.model import AncfModel


class AncfReader(Reader):
    """Positions, slopes and section vectors are in the state, with their rates."""

    model: AncfModel

    def __init__(self, model: AncfModel):
        q, v, motor, motor_rate = (model.layout[name].start for name in ("q", "v", "motor", "motor_rate"))
        a = model.layout["a"].start
        rates = {q + k: v + k for k in range(model.size)} | {v + k: a + k for k in range(model.size)}
        super().__init__(model, rates | {motor + i: motor_rate + i for i in range(model.links)})
        self._node_angle = cache(self._find_node_angle)
        self.strains = cache(partial(strains, self.graph, model.parts))
        """Strains at the points of an element, by its number."""
        self._balanced = BalancedSections(self)

    @property
    def load_places(self) -> Sequence[int]:
        """Of the patches."""
        part = self.model.layout["patch"]
        return range(part.start, part.stop)

    def number(self, part: str, link: int) -> Any:
        """A number of the state that every link has."""
        return self.graph.state(self.model.layout[part].start + link)

    def vector(self, place: int) -> np.ndarray:
        """A vector of the state, (2,)."""
        return np.array([self.graph.state(place), self.graph.state(place + 1)], dtype=object)

    def _turned(self, known: Any, vector: np.ndarray) -> Any:
        """Direction of a vector that is near a known angle."""
        c, s = np.cos(known), np.sin(known)
        return known + np.arctan2(c * vector[1] - s * vector[0], c * vector[0] + s * vector[1])

    def _axis(self, section: np.ndarray, sheared: bool) -> np.ndarray:
        """Direction of the axis from a section's vector."""
        return np.array([section[1], -section[0]], dtype=object) if sheared else section

    def joint(self, link: int) -> JointNumbers:
        """Angles of the sections on both sides; torques are in the state, and the motor where it follows a command."""
        m, mesh, number = self.model.parts, self.model.mesh, self.number
        before = 0.0
        if m.before[link] >= 0:
            axis = self._axis(self.vector(m.before[link]), mesh.sheared[link - 1])
            before = self._turned(number("before_angle", link), axis)
        position = self.angles(link, [0.0])[0] - before
        motor = position
        if m.commanded[link]:
            motor = number("motor", link)
        elif m.sprung[link]:
            motor = self.graph.state(m.motor[link]) - before
        rate = self.graph.rate
        drive = number("drive", link) - number("drag", link)
        return JointNumbers(position, rate(position), motor, rate(motor), number("torque", link), drive)

    def places(self, link: int, fractions: Sequence[float]) -> np.ndarray:
        """Hermite polynomials between the nodes."""
        out, span = np.zeros((len(fractions), 3), dtype=object), self.arm.links[link].span
        for k, fraction in enumerate(fractions):
            out[k, :2] = self.graph.rows(point_on(self.arm, self.model.mesh, link, float(fraction) * span).place)
        return out

    def angles(self, link: int, fractions: Sequence[float]) -> np.ndarray:
        """Directions of the sections less a quarter turn; slopes of a cable."""
        mesh, span, out = self.model.mesh, self.arm.links[link].span, np.empty(len(fractions), dtype=object)
        for k, fraction in enumerate(fractions):
            node = int(np.searchsorted(mesh.ends[link], fraction, "right")) - 1
            section = self.graph.rows(point_on(self.arm, mesh, link, float(fraction) * span).section)
            out[k] = self._node_angle(link, node)
            if fraction > mesh.ends[link][node]:
                out[k] = self._turned(out[k], self._axis(section, mesh.sheared[link]))
        return out

    def _find_node_angle(self, link: int, node: int) -> Any:
        """Direction of a node's section: near that of the node before it, so that whole turns along the link count."""
        known = self._node_angle(link, node - 1) if node else self.number("first_angle", link)
        section = self.vector(self.model.mesh.section(link, node))
        return self._turned(known, self._axis(section, self.model.mesh.sheared[link]))

    def chord(self, link: int) -> Any:
        """Direction from root to tip; whole turns in time count."""
        m = self.model.parts
        return self._turned(self.number("chord_angle", link), self.vector(m.tip[link]) - self.vector(m.root[link]))

    def elastic_forces(self, link: int, fractions: Sequence[float]) -> np.ndarray:
        """From the strains at the points of the elements; cables do not shear."""
        mesh, out = self.model.mesh, np.zeros((3, len(fractions)), dtype=object)
        weights = force_weights(self.arm, mesh, link, np.asarray(fractions, dtype=float))
        first = sum(mesh.counts[:link])
        for force, k in np.ndindex(*out.shape):
            used = np.flatnonzero(weights[force, k])
            terms = [self.strains(first + p // POINTS)[p % POINTS][force] for p in used]
            out[force, k] = self.graph.total(terms, weights[force, k, used].tolist())
        return out

    def section_forces(self, link: int, fractions: Sequence[float]) -> np.ndarray:
        """By the equilibrium of the elements; those of the paper's element by its strains."""
        if self.model.options.variant == "paper":
            return super().section_forces(link, fractions)
        return self._balanced.forces(link, fractions)

    def stored(self, records: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """That of gravity is zero with all masses at the origin's height."""
        q, v, turn, sums = (records[:, self.model.layout[name]] for name in ("q", "v", "motor_rate", "sums"))
        kinetic = 0.5 * np.sum((v @ self.model.mass) * v, axis=1) + body_kinetic(self.model.parts, q, v, turn)
        gravity = body_potential(self.model.parts, q) - q @ self.model.parts.weight
        return kinetic, sums[:, at.ENERGY] - kinetic - gravity, gravity
