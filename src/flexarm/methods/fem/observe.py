"""What is read off the nodes: places and angles by the shape functions, section forces by the strains of the elements.

Equations: E1, E3, E4, E15.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.methods.fem import layout as at
from flexarm.methods.reader import JointNumbers, LoopNumbers, Reader
from flexarm.methods.subdivision import jump_places
from flexarm.numerics.along import by_slopes, neighbours, part_before
from flexarm.numerics.expressions import Tape
from flexarm.numerics.gauss import gauss

if TYPE_CHECKING:
    from flexarm.methods.fem.model import FemModel


class FemReader(Reader):
    """Positions and angles of the nodes and the frames of the links are in the state, with their rates."""

    model: FemModel

    def __init__(self, model: FemModel):
        size, links, frame = model.size, model.links, model.layout["frame"].start
        rates = {k: size + k for k in range(size)}
        rates |= {frame + at.ANGLE * links + i: frame + at.RATE * links + i for i in range(links)}
        super().__init__(model, rates)
        self._strains: Any = cache(self._find_strains)
        self._damped: Any = cache(self._find_damped)
        self._nodal: Any = cache(self._find_nodal)

    def _frame(self, row: int, link: int) -> Any:
        """A number of a link's row in the frame."""
        return self.graph.state(self.model.layout["frame"].start + row * self.model.links + link)

    def joint(self, link: int) -> JointNumbers:
        """What the command turns the joint by, and what its sections and its motor deviate by."""
        place, (parent, prescribed) = self.model.mesh.joints[link], self._joint_columns(link)
        command = self._frame(at.ANGLE, link) - (self._frame(at.ANGLE, parent) if parent >= 0 else 0.0)
        position = command + (self.graph.state_sum([place.base, place.tip], [1.0, -1.0]) if place.own else 0.0)
        motor = command if prescribed else position
        if place.motor >= 0:
            motor = command + self.graph.state(place.motor)
        drive, rate = self._frame(at.DRIVE, link) - self._frame(at.DRAG, link), self.graph.rate
        return JointNumbers(position, rate(position), motor, rate(motor), self._frame(at.TORQUE, link), drive)

    def _joint_columns(self, link: int) -> np.ndarray:
        return self.model.parts.joint[link, [at.J_PARENT, at.J_PRESCRIBED]]

    def _find_nodal(self, link: int, fractions: tuple[float, ...], axes: tuple[int, ...]) -> np.ndarray:
        """Some of x, y and chi by the shape functions, (k, 3)."""
        length, out = self.arm.links[link].span, np.zeros((len(fractions), 3), dtype=object)
        nodes, values, _ = self.model.mesh.around_each(link, np.array(fractions) * length, length)
        for k, (rows, share) in enumerate(zip(nodes, values.tolist(), strict=True)):
            for axis in axes:
                out[k, axis] = self.graph.state_sum(rows[:, axis].tolist(), share)
        return out

    def places(self, link: int, fractions: Sequence[float]) -> np.ndarray:
        """Positions of the nodes, interpolated."""
        return self._nodal(link, tuple(map(float, fractions)), (0, 1))

    def angles(self, link: int, fractions: Sequence[float]) -> np.ndarray:
        """Theta + chi, interpolated."""
        return self._frame(at.ANGLE, link) + self._nodal(link, tuple(map(float, fractions)), (2,))[:, 2]

    def force_places(self, link: int) -> np.ndarray:
        """The integration points."""
        return self.points(link) / self.arm.links[link].span

    def points(self, link: int) -> np.ndarray:
        """Distances of a link's integration points from its joint, (points,)."""
        if not self.model.mesh.counts[link]:
            return np.zeros(0)
        ends, xi = self.model.mesh.ends_of(link), gauss(self.model.parts.shape.shape[0])[0]
        return (ends[:-1, None] + 0.5 * (1.0 + xi) * np.diff(ends)[:, None]).ravel()

    def _find_strains(self, link: int, number: int) -> tuple[Any, Any, Any]:
        """Axial force, shear force and moment at an integration point of a link, elastic parts."""
        mesh, parts, theory = self.model.mesh, self.model.parts, self.model.options.theory
        e, g = mesh.first(link) + number // parts.shape.shape[0], number % parts.shape.shape[0]
        nodes, own = mesh.connection[e].reshape(-1, 3), parts.properties[e, g].tolist()
        values, slopes = parts.shape[g] * np.array([[1.0], [own[at.JACOBIAN]]])
        sx, sy, bend = (self.graph.state_sum(nodes[:, axis], slopes) for axis in range(3))
        chi, base = self.graph.state_sum(nodes[:, 2], values), self.graph.state_sum([mesh.joints[link].base], [1.0])
        phi = self._frame(at.ANGLE, link) + (chi if theory == "exact" else base if theory == "link" else 0.0)
        c, s = np.cos(phi), np.sin(phi)
        along, shear = c * sx + s * sy, c * sy - s * sx
        if theory != "exact":
            shear = shear - chi + (base if theory == "link" else 0.0)
        return own[at.EA] * (along - 1.0), own[at.GA] * shear, own[at.EI] * bend

    def elastic_forces(self, link: int, fractions: Sequence[float]) -> np.ndarray:
        """Linear between the integration points, where the strains are most accurate, on each side of what stands on the link."""
        return self._between(link, fractions, self._strains)

    def section_forces(self, link: int, fractions: Sequence[float]) -> np.ndarray:
        """The same with damping; in an element the moment has the slope of the shear force, so that it is balanced at the nodes."""
        out, places, count = self._between(link, fractions, self._damped), self.points(link), self.model.mesh.order
        if not len(places):
            return out
        where = np.asarray(fractions) * self.arm.links[link].span
        elements = part_before(self.model.mesh.ends_of(link), where)
        for e in np.unique(elements).tolist():
            own, inside = range(e * count, (e + 1) * count), np.flatnonzero(elements == e)
            forces = [self._damped(link, p)[force] for force in (1, 2) for p in own]
            for k, row in zip(inside, -by_slopes(places[own], where[inside]), strict=True):
                out[2, k] = self.graph.total(forces, [*row.tolist(), *[1.0 / count] * count])
        return out

    def _find_damped(self, link: int, number: int) -> tuple[Any, ...]:
        """Section forces at an integration point with those of damping."""
        time, elastic = self.damping_time(link), self._strains(link, number)
        return tuple(force + time * self.graph.rate(force) for force in elastic) if time else elastic

    def _between(self, link: int, fractions: Sequence[float], forces: Callable[[int, int], Any]) -> np.ndarray:
        """Forces of integration points, linear between them on each side of what stands on the link, (3, k)."""
        out, places = np.zeros((3, len(fractions)), dtype=object), self.points(link)
        if not len(places):
            return out
        ends = self.model.mesh.ends_of(link)
        jumps = jump_places(self.arm, link, ends / ends[-1], self.model.wiring.patches) * ends[-1]
        found = neighbours(places, np.asarray(fractions) * self.arm.links[link].span, jumps)
        for k, (before, after, share) in enumerate(zip(*map(np.ndarray.tolist, found), strict=True)):
            for force, pair in enumerate(zip(forces(link, before), forces(link, after), strict=True)):
                out[force, k] = self.graph.total(pair, [1.0 - share, share])
        return out

    def point_forces(self, record: np.ndarray, link: int) -> np.ndarray:
        """Axial force, shear force and moment at the integration points of a link, elastic parts, (3, points)."""
        forces = [self._strains(link, k)[force] for force in range(3) for k in range(len(self.points(link)))]
        return self.graph.tape(forces).values(record).reshape(3, -1)

    def loop(self, number: int) -> LoopNumbers:
        """Forces of the constraint, and the distance of its two sides."""
        held, first = self.model.constraints, self.model.layout["lam"].start
        p = int(np.flatnonzero(held.side[:, at.SIDE_KIND] == at.PIN)[2 * number])
        lam = [self.graph.state(first + held.side[p, at.SIDE_ROW] + k, -1.0) for k in range(held.side[p, at.SIDE_ROWS])]
        gap = self._side(p) - self._side(p + 1)
        moment = lam[2] if len(lam) == 3 else 0.0
        return LoopNumbers([*lam[:2], 0.0], moment, np.sqrt(gap[0] * gap[0] + gap[1] * gap[1]))

    def _side(self, p: int) -> np.ndarray:
        """Place of a side of a constraint, (2,)."""
        side, data = self.model.constraints.side[p], self.model.constraints.data[p]
        nodes = side[at.SIDE_NODES : at.SIDE_NODES + 2 * side[at.SIDE_COUNT]].reshape(-1, 2)
        weights = data[at.SIDE_WEIGHT : at.SIDE_WEIGHT + len(nodes)]
        angle = self._frame(at.ANGLE, side[at.SIDE_LINK]) + self.graph.state_sum(nodes[:, 1], weights)
        place = [self.graph.state_sum([k + axis if k >= 0 else -1 for k in nodes[:, 0]], weights) for axis in range(2)]
        return np.array(place, dtype=object) + _turned(angle, data[at.SIDE_X], data[at.SIDE_Y])

    @cached_property
    def _payload(self) -> Tape:
        """Place and velocity of the payload's centre, and its rate of turning."""
        model, parts, rate = self.model, self.model.parts, np.frompyfunc(self.graph.rate, 1, 1)
        Theta, chi = self._frame(at.ANGLE, self.tip_link), self.graph.state(parts.payload[2])
        large, spin = model.options.theory in ("exact", "link"), self.graph.rate(Theta + chi)
        d = _turned(Theta + chi if large else Theta, parts.payload_x, parts.payload_y)
        t = np.array([-d[1], d[0]], dtype=object)
        place = self.tip[:2] + d + (0.0 if large else chi * t)
        speed = rate(self.tip[:2]) + spin * t if model.options.theory == "quasi-static" else rate(place)
        return self.graph.tape([*place, *speed, spin])

    def stored(self, records: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """That of gravity is zero with all masses at the origin's height."""
        model, c, parts, v = self.model, self.model.constant, self.model.parts, records[:, self.model.layout["v"]]
        rate = records[:, model.layout["frame"]].reshape(len(records), at.FRAME, model.links)[:, at.RATE]
        kinetic = 0.5 * np.sum((v @ c.mass) * v, axis=1) + np.sum((v @ c.rotary.T) * rate, axis=1)
        x, y, vx, vy, spin = self._payload.values(records).T
        payload = parts.payload_mass * (vx**2 + vy**2) + parts.payload_inertia * spin**2
        gears = parts.joint_data[:, at.GEAR]
        for i in np.flatnonzero(gears):  # what the command alone puts into geared rotors
            carrier = parts.joint[i, at.J_PARENT]
            kinetic += 0.5 * gears[i] * (rate[:, i] - (rate[:, carrier] if carrier >= 0 else 0.0)) ** 2
        kinetic += 0.5 * (rate**2 @ c.rotary_total + payload)
        lifted = self.arm.payload.mass * (self.arm.gravity[0] * x + self.arm.gravity[1] * y)
        gravity = -records[:, : model.size] @ c.weight - lifted
        return kinetic, records[:, model.layout["sums"]][:, at.ENERGY] - kinetic - gravity, gravity


def _turned(angle: Any, x: float, y: float) -> np.ndarray:
    """A vector turned by an angle, (2,)."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([c * x - s * y, s * x + c * y], dtype=object)
