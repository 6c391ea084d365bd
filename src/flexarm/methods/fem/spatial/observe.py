"""What is read off the frames of a spatial arm: places linear between nodes, section forces from the strains of the elements.

The root's section forces are those that hold it, which the state knows; elsewhere the elements have them in their middles. At lumps
the forces jump and the moments bend.

Equations: S1, S2, S4, S23, S26.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from flexarm.errors import CapabilityError
from flexarm.methods.fem.spatial import layout as at
from flexarm.methods.fem.spatial import sliding_material as material
from flexarm.methods.fem.spatial.loading import seats
from flexarm.methods.fem.spatial.packing import state_places
from flexarm.methods.fem.spatial.placing import small_turn, stiff_places
from flexarm.methods.reader import JointNumbers, Reader
from flexarm.methods.subdivision import jump_places
from flexarm.numerics.along import neighbours

if TYPE_CHECKING:
    from flexarm.methods.fem.spatial.model import SpatialModel

JUST_BEYOND = 1e-7
"""Share of a link's length by which a place is beyond a lump."""
TINY = 1e-200
"""Keeps the direction of a turn by nothing a number."""


class Middle(NamedTuple):
    """Formulas of an element's middle: strains (6,), D = r_2 - r_1 in its axes, and of the angle a about n from the first section
    to the middle u = sin(a) n, k = cos(a), and G = a / sin(a) across n, with what G has more along it over sin(a)^2."""

    strains: np.ndarray
    D: np.ndarray
    u: np.ndarray
    k: Any
    G: Any
    G_along: Any


class SpatialReader(Reader):
    """Frames and the rows of the joints are in the state."""

    forces = ("axial_force", "shear_force", "shear_force_z", "torsion_moment", "bending_moment_y", "bending_moment")
    model: SpatialModel

    def __init__(self, model: SpatialModel):
        self._at = state_places(model.F, model.links)
        self.linear, self.mesh = model.options.theory == "linear", model.mesh
        velocity, record = self._at["velocity"], self._at["joint_record"]
        moving = [(self._at["position"], velocity[:, :3]), (self._at["small_rotation"], velocity[:, 3:])]
        moving += [(record[row], record[rate]) for row, rate in ((at.JOINT, at.JOINT_RATE), (at.MOTOR, at.MOTOR_RATE))]
        moving += [(self._at["deviation"][row], self._at["deviation"][row + 1]) for row in (at.PSI, at.TURN)]
        rates: dict[int, Any] = {}
        for places, of_them in moving:
            rates |= dict(zip(places.ravel().tolist(), of_them.ravel().tolist(), strict=True))
        for f, places in enumerate(self._at["rotation"]):
            rates |= {int(place): partial(self._spun, f, k) for k, place in enumerate(places)}
        self._spins: dict[int, np.ndarray] = {}
        self._elements: dict[int, tuple[np.ndarray, np.ndarray]] = {}
        self._middles: dict[int, Middle] = {}
        super().__init__(model, rates)

    # frames

    def _numbers(self, name: str, row: int) -> np.ndarray:
        """Formulas of a row of a part of the state."""
        return np.array([self.graph.state(place) for place in self._at[name][row]], dtype=object)

    def _rotation(self, f: int) -> np.ndarray:
        return self._numbers("rotation", f).reshape(3, 3)

    def _spun(self, f: int, k: int) -> Any:
        """Rate of entry k of a frame's rotation: w x R; in the linear theory that of the stiff arm."""
        w = self._stiff_spin(f) if self.linear else self._numbers("velocity", f)[3:]
        column, row = self._rotation(f)[:, k % 3], k // 3
        i, j = (row + 1) % 3, (row + 2) % 3
        return w[i] * column[j] - w[j] * column[i]

    def _stiff_spin(self, f: int) -> np.ndarray:
        """Spin of a frame of the stiff arm: those of the joints before it along their axes."""
        if f not in self._spins:
            kind, parent, i, _, base, *_ = (int(number) for number in self.mesh.frames[f])
            spin = np.zeros(3) if kind == at.GROUND else self._stiff_spin(base if kind == at.NODE else parent)
            if kind >= at.DERIVED and i >= 0 and not self.model.joints[i, at.J_SLIDES]:
                axis = self.mesh.geometry[f, at.G_AFTER + 6 : at.G_AFTER + 9]
                rate = self._joint(i, at.JOINT_RATE) - self.graph.state(self._at["deviation"][at.PSI_RATE, i])
                spin = spin + self._in_axes(self._rotation(f).T, axis) * rate
            self._spins[f] = spin
        return self._spins[f]

    def _joint(self, link: int, row: int) -> Any:
        return self.graph.state(self._at["joint_record"][row, link])

    def _dot(self, a: Any, b: Any) -> Any:
        return self.graph.total([x * y for x, y in zip(a, b, strict=True)])

    def _cross(self, *pairs: Any) -> np.ndarray:
        """Sum of the vector products a x b of some pairs."""
        found, signs = [], (1.0, -1.0) * len(pairs)
        for i, j in ((1, 2), (2, 0), (0, 1)):
            found.append(self.graph.total([p for a, b in pairs for p in (a[i] * b[j], a[j] * b[i])], signs))
        return np.array(found, dtype=object)

    def _in_axes(self, R: np.ndarray, vector: np.ndarray) -> np.ndarray:
        """R^T times a vector."""
        return np.array([self._dot(column, vector) for column in R.T], dtype=object)

    def joint(self, link: int) -> JointNumbers:
        """Rows of the joint in the state."""
        rows = (at.JOINT, at.JOINT_RATE, at.MOTOR, at.MOTOR_RATE, at.TORQUE)
        drive = self._joint(link, at.DRIVE) - self._joint(link, at.DRAG)
        return JointNumbers._make([*(self._joint(link, row) for row in rows), drive])

    def carrier_rate(self, link: int) -> Any:
        """Spin of the frame before the joint along its axis; a sliding joint turns no rotor."""
        frame = int(self.model.joints[link, at.J_FRAME])
        if self.model.joints[link, at.J_SLIDES]:
            return 0.0
        axis = self._in_axes(self._rotation(frame).T, self.mesh.geometry[frame, at.G_AFTER + 6 : at.G_AFTER + 9])
        carrier = int(self.mesh.frames[frame, at.F_PARENT])
        spin = self._numbers("velocity", carrier)[3:]
        return self._dot(axis, spin + self._stiff_spin(carrier) if self.linear else spin)

    @property
    def of_balance(self) -> Sequence[int]:
        """Section forces at the roots, and what sliding material carries."""
        return [int(k) for k in self._at["joint_record"][[at.FLOW, at.PUSH, *range(at.ROOT, at.FRAME)]].ravel()]

    # along the links

    def places(self, link: int, fractions: Sequence[float]) -> np.ndarray:
        """Linear between the frames of the link."""
        return self._between_frames(link, fractions, partial(self._numbers, "position"))

    def _between_frames(self, link: int, fractions: Sequence[float], values: Any) -> np.ndarray:
        """What a function gives for frames, linear between those of a link."""
        nodes = self.mesh.nodes[link]
        return _between(self.mesh.fractions[link], lambda k: values(nodes[k]), fractions)

    def _drawn(self, link: int) -> np.ndarray:
        """A body without a length is drawn from its joint to the farthest that it carries."""
        if self.arm.links[link].span:
            return self.places(link, self.stations)
        near, far = (self._numbers("position", f) for f in self.mesh.bare_line(link))
        return near + self.stations[:, None] * (far - near)

    @cached_property
    def tip(self) -> np.ndarray:
        """Position of the frame at the tip, or of the tool."""
        return self._numbers("position", int(self.mesh.tips[self.tip_link]))

    def angles(self, link: int, fractions: Sequence[float]) -> np.ndarray:
        """Not known: the direction of a section in space is more than one angle."""
        raise CapabilityError("the direction of a section in space is more than one angle", field="output.sensors")

    def axes_at(self, x: np.ndarray, link: int, at: float) -> np.ndarray:
        """Between those of the frames around the place."""
        found = [share * x[self._at["rotation"][frame]] for frame, share, _ in seats(self.model, link, at)]
        return np.sum(found, axis=0).reshape(3, 3)

    def turn(self, link: int, at: float, axis: np.ndarray) -> Any:
        """By small rotations, linear between the frames of the link."""
        return self._dot(axis, self._between_frames(link, [at], partial(self._numbers, "small_rotation"))[0])

    def displacements(self, link: int, fractions: Sequence[float]) -> np.ndarray:
        """In the axes of the root section, which turn with its small rotation in the linear theory."""
        if not self.arm.links[link].flexible:
            return np.zeros((len(fractions), 3))
        root, free = int(self.mesh.nodes[link][0]), self._free(link)
        R = self._rotation(root)
        if self.linear:
            R = R + np.array([self._cross((self._numbers("small_rotation", root), column)) for column in R.T]).T
        fixed, per_length = (stiff_places(self.model, link, np.array([length]))[0] for length in (0.0, 1.0))
        stiff = dict(zip(self.mesh.nodes[link], fixed + (per_length - fixed) * free, strict=True))
        away = self.places(link, fractions) - self._numbers("position", root)
        return np.array([self._in_axes(R, row) for row in away]) - self._between_frames(link, fractions, stiff.get)

    def deflections(self, link: int, fractions: Sequence[float]) -> np.ndarray:
        """Distances from the stiff link, without sign."""
        away = self.displacements(link, fractions)
        if not self.arm.links[link].flexible:
            return away[:, 1]
        return np.array([np.sqrt(self._dot(row, row) + TINY) - np.sqrt(TINY) for row in away], dtype=object)

    def slopes(self, link: int, fractions: Sequence[float]) -> np.ndarray:
        """Turning about the link's z axis."""
        root = int(self.mesh.nodes[link][0])
        return self._between_frames(link, fractions, partial(self._slope, root))

    def _slope(self, root: int, f: int) -> Any:
        """Turning of a frame about the z axis of the link's root."""
        R = self._rotation(root)
        if self.linear:
            return self._dot(R[:, 2], self._numbers("small_rotation", f) - self._numbers("small_rotation", root))
        x = self._rotation(f)[:, 0]
        return np.arctan2(self._dot(R[:, 1], x), self._dot(R[:, 0], x))

    # section forces

    def _free(self, link: int) -> Any:
        """Length that stands out, of a link that slides."""
        return self._joint(link, at.JOINT) + float(self.model.joint_data[link, at.K_OFFSET])

    def tip_turn(self, records: np.ndarray) -> np.ndarray:
        """Of the frame at the tip."""
        frame = self.mesh.tips[self.tip_link]
        if self.linear:
            return np.diff(records[:, self._at["small_rotation"][frame]], axis=0)[0]
        return small_turn(*(record[self._at["rotation"][frame]][None].copy() for record in records))[0]

    def force_places(self, link: int) -> np.ndarray:
        """Fractions at which section forces are known: the root, and the middles of the elements."""
        fractions = self.mesh.fractions[link]
        return np.concatenate([[0.0], 0.5 * (fractions[1:] + fractions[:-1])])

    def section_forces(self, link: int, fractions: Sequence[float]) -> np.ndarray:
        """Linear between root and middles of the elements on each side of lumps, elastic and damping part."""
        return self._along(link, fractions, 1.0)

    def elastic_forces(self, link: int, fractions: Sequence[float]) -> np.ndarray:
        """The same without damping; at the root those of the end of the first element."""
        return self._along(link, fractions, 0.0)

    def _along(self, link: int, fractions: Sequence[float], damped: float) -> np.ndarray:
        places, own = self.force_places(link), np.flatnonzero(self.mesh.elements[:, at.E_LINK] == link)

        def value(k: int) -> np.ndarray:
            if k == 0:
                held = [self._joint(link, at.ROOT + n) for n in range(6)]
                return np.array(held, dtype=object) if damped else self._first_end(int(own[0]))
            elastic, damping = self._element(int(own[k - 1]))
            return elastic + damped * damping

        def at_end(k: int, x: float) -> np.ndarray:
            """Moments at an end of an element: they have the slope of the shear forces in its middle."""
            force = value(k)
            away = (x - places[k]) * self.arm.links[link].span
            return force[3:] + away * np.array([0.0, force[2], -force[1]], dtype=object)

        jumps = self._jumps(link)
        moments = {float(x): partial(at_end, k, float(x)) for k, x in enumerate(places)}
        for x in jumps.tolist():
            after = int(np.searchsorted(places, x))
            moments |= {x: partial(at_end, after - 1, x), x + JUST_BEYOND: partial(at_end, after, x)}
        order = sorted(moments)
        bent = _between(np.array(order), lambda k: moments[order[k]](), fractions, jumps)
        return np.concatenate([_between(places, lambda k: value(k)[:3], fractions, jumps), bent], axis=1).T

    def _jumps(self, link: int) -> np.ndarray:
        """Fractions of a link at which its section forces jump; material that slides has no nodes of its own."""
        if self.arm.links[link].joint.type == "prismatic":
            return np.zeros(0)
        return jump_places(self.arm, link, self.mesh.fractions[link], self.model.wiring.patches)

    def _element(self, e: int) -> tuple[np.ndarray, np.ndarray]:
        """Elastic section forces in the middle of an element, and what damping adds, (6,) each."""
        if e not in self._elements:
            time = self.damping_time(int(self.mesh.elements[e, at.E_LINK]))
            strains, stiffness = self._turned(e).strains, self._stiffness(e)
            rates = np.array([self.graph.rate(strain) for strain in strains]) if time else np.zeros(6)
            self._elements[e] = stiffness * strains, stiffness * time * rates
        return self._elements[e]

    def _first_end(self, e: int) -> np.ndarray:
        """Elastic section forces at the first end of an element in its axes, (6,)."""
        force, middle = self._element(e)[0], self._turned(e)
        N, M = force[:3], force[3:]
        moment = middle.G * M + self._dot(middle.u, M) * middle.G_along * middle.u
        lever = self._cross((N, middle.D))
        moment = moment + 0.5 * self._cross((middle.u / (1.0 + middle.k), lever)) - 0.5 * lever
        return np.concatenate([self._half_turn(each, middle.u, middle.k) for each in (N, moment)])

    def _half_turn(self, vector: np.ndarray, u: np.ndarray, k: Any) -> np.ndarray:
        """A vector turned by the angle whose half has the sine vector u and the cosine k."""
        side = self._cross((u, vector))
        return vector + side + self._cross((u, side)) / (1.0 + k)

    def _turned(self, e: int) -> Middle:
        """Strains of an element, and how it turns from its first section to the middle."""
        if e in self._middles:
            return self._middles[e]
        first, second = (int(f) for f in self.mesh.elements[e, [at.E_FIRST, at.E_SECOND]])
        D, h = self._numbers("position", second) - self._numbers("position", first), self._length(e)
        if self.linear:
            R, th = self._rotation(second), self._numbers("small_rotation", second)
            mean = self._in_axes(R, 0.5 * (th + self._numbers("small_rotation", first)))
            turn = self._in_axes(R, th - self._numbers("small_rotation", first))
            strains = np.concatenate([self._in_axes(R, D) / h - [1.0, mean[2], -mean[1]], turn / h])
            found = Middle(strains, np.array([h, 0.0, 0.0], dtype=object), np.zeros(3), 1.0, 1.0, 0.0)
        else:
            A, B = self._rotation(first), self._rotation(second)
            k = np.sqrt(0.25 + 0.25 * self._dot(A.ravel(), B.ravel()))
            u = 0.25 * self._cross(*zip(B, A, strict=True)) / k
            square = self._dot(u, u) + TINY
            size = np.sqrt(square)
            G = np.arctan2(size, k) / size
            local = self._half_turn(self._in_axes(A, D), -u, k)
            strains = np.concatenate([local / h - [1.0, 0.0, 0.0], 2.0 * G * u / h])
            found = Middle(strains, local, u, k, G, (1.0 - G) / square)
        self._middles[e] = found
        return found

    def _length(self, e: int) -> Any:
        row = self.mesh.elements[e]
        if row[at.E_SLIDES]:
            return self._free(int(row[at.E_LINK])) / float(row[at.E_COUNT])
        return float(self.model.parts.element_properties[e, at.M_LENGTH])

    def _stiffness(self, e: int) -> np.ndarray:
        """Stiffnesses of an element, (6,); where material of changing section slides, one over its mean compliance."""
        row, link = self.mesh.elements[e], int(self.mesh.elements[e, at.E_LINK])
        section = self.arm.links[link].section
        if not row[at.E_SLIDES] or (section is not None and section.uniform):
            return self.model.parts.element_properties[e, at.M_EA : at.M_EA + 6]
        own = np.flatnonzero((self.mesh.elements[:, at.E_LINK] == link) & (self.mesh.elements[:, at.E_SLIDES] == 1))
        inner = 1.0 - (e - own[0]) / len(own)
        ends = (self._free(link) * inner, self._free(link) * (inner - 1.0 / len(own)))
        tables = material.compliance_tables(self.model.parts.material[link])
        soft = [self.graph.piecewise(table, ends[0]) - self.graph.piecewise(table, ends[1]) for table in tables]
        return np.array([self._length(e) / compliance for compliance in soft], dtype=object)

    def strain(self, link: int, at: float, side: str, reads: str = "strain") -> Any:
        """Axial force, unless only bending is read, and both moments, as far as they are elastic, over what the section is there."""
        force, (stretch, bend, across) = (
            self.elastic_forces(link, [at])[:, 0],
            self._flexibility(link, at, side == "-z"),
        )
        y, z = {"top": 1.0, "bottom": -1.0}.get(side, 0.0), {"z": 1.0, "-z": -1.0}.get(side, 0.0)
        bending = z * (force[4] * across) - y * (force[5] * bend)
        return bending if reads == "bending" else force[0] * stretch + bending

    def _flexibility(self, link: int, fraction: float, back: bool) -> tuple[Any, ...]:
        """Strain per axial force, and per moment at the top and at the side z (or -z), of the section at a fraction of a link."""
        part, mesh = self.arm.links[link], self.mesh
        section, whole = part.section, material.sliding_length(part)
        rows = mesh.elements[mesh.elements[:, at.E_LINK] == link]
        corner = float(mesh.fractions[link][np.count_nonzero(rows[:, at.E_SLIDES] == 1)])
        if part.joint.type != "prismatic" or (section is not None and section.uniform):
            return tuple(material.flexibilities(part, np.array([fraction]), back)[:, 0])
        if fraction > corner:
            where = (whole + (fraction - corner) / (1.0 - corner) * (part.span - whole)) / part.span
            return tuple(material.flexibilities(part, np.array([where]), back)[:, 0])
        where = (whole - self._free(link) * (1.0 - fraction / corner)) / part.span
        return tuple(self.graph.piecewise(table, where) for table in material.flexibility_tables(part, back))

    def stored(self, records: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The records have them."""
        sums = records[:, self.model.layout["sums"]]
        return sums[:, at.KINETIC], sums[:, at.ELASTIC], sums[:, at.GRAVITY]


def _between(
    places: np.ndarray, value: Callable[[int], Any], fractions: Sequence[float], jumps: Any = ()
) -> np.ndarray:
    """What a function gives for the numbers of places, at fractions between them, on the same side of `jumps`."""
    near = zip(*neighbours(places, np.asarray(fractions), jumps), strict=True)
    return np.array([(1.0 - share) * value(k) + share * value(after) for k, after, share in near], dtype=object)
