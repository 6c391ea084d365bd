"""What is read off a tree: places by its shapes, section forces by the equilibrium of what is beyond a cut.

Coordinates, their rates and accelerations are in the state, and the forces of the loops.

Equations: M1, M9, M30, M31, M32.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from flexarm.methods.modes import layout as at
from flexarm.methods.modes.evaluation import evaluate_poses
from flexarm.methods.modes.forces import spring_with_play
from flexarm.methods.modes.integrals import BodyIntegrals, Place, sections
from flexarm.methods.modes.mass_points import is_beyond
from flexarm.methods.reader import JointNumbers, LoopNumbers, Reader

if TYPE_CHECKING:
    from flexarm.methods.modes.model import ModesModel


class Frame(NamedTuple):
    """Formulas of a body's frame."""

    origin: np.ndarray
    angle: Any
    cos: Any
    sin: Any

    def world(self, vector: np.ndarray) -> np.ndarray:
        """A vector of the frame in the axes of the world, (2,)."""
        return _vector(self.cos * vector[0] - self.sin * vector[1], self.sin * vector[0] + self.cos * vector[1])

    def local(self, vector: np.ndarray) -> np.ndarray:
        """A vector of the world in the axes of the frame, (2,)."""
        return _vector(self.cos * vector[0] + self.sin * vector[1], self.cos * vector[1] - self.sin * vector[0])


class ModesReader(Reader):
    """The angles of the frames are linear in the coordinates, places in them of second order at most."""

    model: ModesModel

    def __init__(self, model: ModesModel):
        self._places: dict[tuple[float, ...], list[Place]] = {}
        self._pairs: dict[int, tuple[np.ndarray, np.ndarray, list[Any]]] = {}
        self._whole_pull: Any = cache(self._find_whole_pull)
        self._whole_twist: Any = cache(self._find_whole_twist)
        self._spins: dict[int, list[Any]] = {}
        super().__init__(model, {k: k + model.size for k in range(2 * model.size)})

    def joint(self, link: int) -> JointNumbers:
        """Coordinates of both sides, and the rows of torques."""
        part, joint, state = self.model.parts, self.movable.index(link), self.graph.state
        sides = [place for k in (part.link[joint], part.drive[joint]) for place in (k, k + part.size)]
        first = self.model.layout["torques"].start + joint
        torques = [state(first + row * len(part.link)) for row in (at.TORQUE, at.DRIVE)]
        return JointNumbers(*map(state, sides), *torques)

    # places

    @cached_property
    def _frames(self) -> list[Frame]:
        """Frames of all bodies."""
        part, own = self.model.parts, self.model.modal_coordinates
        found: list[Any] = []
        turns, starts = np.zeros((len(part.parent), part.size)), part.angle.copy()
        for b, (parent, mount, hinge) in enumerate(zip(part.parent, part.mount, part.hinge, strict=True)):
            origin = np.zeros(2)
            if parent >= 0:
                body, place = self.model.tree.points[mount]
                turns[b], starts[b] = turns[parent], starts[b] + starts[parent]
                turns[b, own(parent)] += place.slope
                origin = found[body].origin + found[body].world(self._local(body, place))
            if hinge >= 0:
                turns[b, hinge] += part.ratio[b]
            turns[b, own(b)] -= part.root_slope[b, : part.count[b]]
            angle = self.graph.row(turns[b], starts[b])
            found.append(Frame(origin, angle, np.cos(angle), np.sin(angle)))
        return found

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
            own = self.model.modal_coordinates(body)
            q = [self.graph.state(k) for k in range(own.start, own.stop)]
            i, j = np.triu_indices(len(q))
            self._pairs[body] = i, j, [q[a] * q[b] for a, b in zip(i, j, strict=True)]
        return self._pairs[body]

    def _local(self, body: int, place: Place) -> np.ndarray:
        """A place of a body in the axes of its frame, (2,)."""
        H = place.H if self.model.second_order else 0.0 * place.H
        return _vector(*(self._form(body, place.r0[k], place.s[k], H[k]) for k in range(2)))

    def _sections(self, link: int, fractions: Sequence[float]) -> list[Place]:
        """The axis at fractions of a link."""
        beam, key = self.model.beams[link], (link, *map(float, fractions))
        if key not in self._places:
            self._places[key] = sections(beam.shapes, np.array(key[1:]) * beam.link.span)
        return self._places[key]

    def _within(self, link: int, fractions: Sequence[float]) -> np.ndarray:
        """Places along a link in the axes of its frame, (k, 2)."""
        found = [self._local(link, place) for place in self._sections(link, fractions)]
        return np.array(found, dtype=object).reshape(-1, 2)

    def places(self, link: int, fractions: Sequence[float]) -> np.ndarray:
        """Points of the bent axis."""
        frame, out = self._frames[link], np.zeros((len(fractions), 3), dtype=object)
        for k, within in enumerate(self._within(link, fractions)):
            out[k, :2] = frame.origin + frame.world(within)
        return out

    def _slopes(self, link: int, fractions: Sequence[float]) -> np.ndarray:
        """Angles of sections against the frame of their link, (k,)."""
        slopes = np.array([place.slope for place in self._sections(link, fractions)])
        return self.graph.rows(slopes, first=self.model.parts.first[link])

    def angles(self, link: int, fractions: Sequence[float]) -> np.ndarray:
        """Angle of the frame and slope of the shapes."""
        return self._frames[link].angle + self._slopes(link, fractions)

    def _along_and_across(self, link: int, fractions: Sequence[float]) -> tuple[np.ndarray, np.ndarray]:
        """In the axes of the frame, turned by the slope at the root: the world's would cost digits."""
        x, y = self._within(link, fractions).T
        if not self.model.parts.root_slope[link].any():
            return x, y
        (slope,) = self._slopes(link, [0.0])
        c, s = np.cos(slope), np.sin(slope)
        return c * x + s * y, c * y - s * x

    # forces

    def elastic_forces(self, link: int, fractions: Sequence[float]) -> np.ndarray:
        """Stretch and curvature of the shapes, which do not shear; without axial shapes the axial force that balances what is
        beyond."""
        shapes, part = self.model.beams[link].shapes, self.arm.links[link]
        assert shapes is not None
        x, properties = np.asarray(fractions) * part.span, part.properties(fractions)
        first, none = self.model.parts.first[link], np.zeros(len(x))
        bending = self.graph.rows(properties["EI"][:, None] * shapes.across(x, 2), first=first)
        if not shapes.axial:
            axial = [-(c * force[0] + s * force[1]) for _, _, force, c, s in self._beyond(link, fractions)]
            return np.stack([np.array(axial, dtype=object), none, bending])
        return np.stack([self.graph.rows(properties["EA"][:, None] * shapes.along(x, 1), first=first), none, bending])

    def section_forces(self, link: int, fractions: Sequence[float]) -> np.ndarray:
        """All three from the equilibrium of what is beyond the cut, which is exact at the root; damping is in it."""
        out, within = np.empty((3, len(fractions)), dtype=object), self._within(link, fractions)
        for k, (part, cut, force, c, s) in enumerate(self._beyond(link, fractions)):
            x, y = within[k]
            out[0, k], out[1, k] = -(c * force[0] + s * force[1]), s * force[0] - c * force[1]
            out[2, k] = x * force[1] - y * force[0] - self._twist(link, part, cut)
        return out

    def _beyond(
        self, link: int, fractions: Sequence[float]
    ) -> Iterator[tuple[BodyIntegrals, float, np.ndarray, Any, Any]]:
        """Of what is beyond cuts of a link: its integrals, the cut, the force that moves it, cosine and sine of the section's slope."""
        cuts = np.asarray(fractions) * self.arm.links[link].span
        parts, slopes = self.model.beams[link].beyond(cuts), self._slopes(link, fractions)
        for part, cut, slope in zip(parts, cuts.tolist(), slopes, strict=True):
            yield part, cut, self._pull(link, part, cut), np.cos(slope), np.sin(slope)

    def _find_whole_pull(self, body: int) -> np.ndarray:
        """Force that moves a body and all that hangs on it, in the axes of the world, (2,)."""
        return self._frames[body].world(self._pull(body, self.model.tree.integrals[body], None))

    def _find_whole_twist(self, body: int) -> Any:
        """Its moment about the origin of the body's frame."""
        return self._twist(body, self.model.tree.integrals[body], None)

    def _carried(self, body: int, sums: BodyIntegrals) -> tuple[np.ndarray, np.ndarray]:
        """First moments of the mass of a part of a body, and acceleration of its frame less gravity, in the axes of the frame, (2,)
        each."""
        frame, rates = self._frames[body], np.frompyfunc(self.graph.rate, 1, 1)
        H = sums.H if self.model.second_order else 0.0 * sums.H
        u = _vector(*(self._form(body, sums.S[k], sums.N[k], H[k]) for k in range(2)))
        return u, frame.local(rates(rates(frame.origin)) - self.model.parts.gravity)

    def _pull(self, body: int, sums: BodyIntegrals, cut: float | None) -> np.ndarray:
        """Force that moves a part of a body with these integrals and what hangs on it beyond `cut`, in the axes of the frame, (2,)."""
        rate, rates = self.graph.rate, np.frompyfunc(self.graph.rate, 1, 1)
        (u, up), turning = self._carried(body, sums), rate(self._frames[body].angle)
        force = sums.mass * up + rates(rates(u)) - turning**2 * u
        force = force + _vector(*(2.0 * turning * rates(u) + rate(turning) * u)[::-1]) * np.array([-1.0, 1.0])
        return sum((pull for _, pull, _ in self._hanging(body, cut)), force)

    def _twist(self, body: int, sums: BodyIntegrals, cut: float | None) -> Any:
        """Its moment about the origin of the frame."""
        (u, up), rate, second = self._carried(body, sums), self.graph.rate, self.model.second_order
        first, size = self.model.parts.first[body], self.model.size
        D, G2 = (part if second else 0.0 * part for part in (sums.D, sums.G2))
        inertia = self._form(body, sums.I0, 2.0 * sums.C, 2.0 * (sums.M + D))
        mixed = np.argwhere(sums.G + G2).tolist()
        products = [self.graph.state(first + i) * self.graph.state(size + first + j) for i, j in mixed]
        spin = [inertia * rate(self._frames[body].angle), self.graph.row(sums.P, 0.0, size + first), *products]
        spin = self.graph.total(spin, [1.0, 1.0, *((sums.G + G2)[i, j] for i, j in mixed)])
        if second and sums.n:
            points = self.model.beams[body].points
            masses = points.mass if cut is None else points.beyond(cut)
            spin = self.graph.total([spin, *self._higher_spins(body)], [1.0, *masses.tolist()])
        moment = u[0] * up[1] - u[1] * up[0] + rate(spin)
        for place, pull, twist in self._hanging(body, cut):
            x, y = self._local(body, place)
            moment = moment + twist() + x * pull[1] - y * pull[0]
        return moment

    def _higher_spins(self, body: int) -> list[Any]:
        """What is of third and higher order in the angular momenta of a body's mass points, per mass."""
        if body not in self._spins:
            frame, rate, found = self._frames[body], self.graph.rate, []
            none, turning = np.zeros(self.model.parts.count[body]), rate(frame.angle)
            for place in self.model.beams[body].points.places:
                x, y = (
                    self._form(body, 0.0, s, 0.0 * H) if s.any() else 0.0 for s, H in zip(place.s, place.H, strict=True)
                )
                hx, hy = (self._form(body, 0.0, none, H) if H.any() else 0.0 for H in place.H)
                own = turning * (2.0 * (x * hx + y * hy) + hx * hx + hy * hy)
                mixed = x * rate(hy) - y * rate(hx) + hx * rate(y) - hy * rate(x)
                found.append(own + mixed + (hx * rate(hy) - hy * rate(hx)))
            self._spins[body] = found
        return self._spins[body]

    def _hanging(self, body: int, cut: float | None) -> list[tuple[Place, np.ndarray, Callable[[], Any]]]:
        """What hangs on a body beyond `cut`: where, which force moves it, in the axes of the frame, and which moment about that place."""
        part, points, frame = self.model.parts, self.model.tree.points, self._frames[body]
        found: list[tuple[Place, np.ndarray, Callable[[], Any]]] = [
            (points[part.mount[child]][1], self._whole_pull(child), partial(self._whole_twist, child))
            for child in np.flatnonzero(part.parent == body).tolist()
        ]
        for k, ends in enumerate(part.ends):
            for end, sign in zip(ends, (1.0, -1.0), strict=True):
                if part.owner[end] == body:
                    x, y, moment = self._loop_forces(k)
                    found.append((points[end][1], sign * _vector(x, y), partial(operator.mul, sign, moment)))
        for (load, kind, point), (x, y) in zip(part.load, part.load_data, strict=True):
            if part.owner[point] == body:
                size, place = self.graph.state(self.model.layout["loads"].start + int(load)), points[point][1]
                found.append((place, *self._push(body, place, int(kind), -size * x, -size * y)))
        return [
            (place, frame.local(pull), twist) for place, pull, twist in found if cut is None or is_beyond(place, cut)
        ]

    def _push(self, body: int, place: Place, kind: int, x: Any, y: Any) -> tuple[np.ndarray, Callable[[], Any]]:
        """A load on a link: force in the axes of the world, and moment."""
        if kind == at.L_MOMENT:
            return _vector(0.0, 0.0), lambda: x
        if kind == at.L_WORLD:
            return _vector(x, y), lambda: 0.0
        turn = self.graph.row(place.slope, 0.0, self.model.parts.first[body])
        angle = self._frames[body].angle + turn
        c, s = np.cos(angle), np.sin(angle)
        return _vector(c * x - s * y, s * x + c * y), lambda: 0.0

    def _loop_forces(self, number: int) -> list[Any]:
        """Force (2) and moment of a loop on its second link."""
        first = self.model.layout["lam"].start + int(self.model.parts.row[number])
        force = [self.graph.state(first + k) for k in range(3 if self.model.parts.welded[number] else 2)]
        return [*force, 0.0][:3]

    def loop(self, number: int) -> LoopNumbers:
        """The force on its first link; the error from the places of both ends."""
        points = [self.model.tree.points[end] for end in self.model.parts.ends[number]]
        ends = [
            self._frames[body].origin + self._frames[body].world(self._local(body, place)) for body, place in points
        ]
        x, y, moment = (-force for force in self._loop_forces(number))
        return LoopNumbers((x, y, 0.0), moment, np.sqrt(((ends[0] - ends[1]) ** 2).sum()))

    # energies

    def stored(self, records: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """That of gravity is zero with all masses at the origin's height."""
        model, part = self.model, self.model.parts
        q, v = (records[:, model.layout[name]] for name in ("q", "v"))
        elastic = 0.5 * np.einsum("ti,ij,tj->t", q, part.stiffness, q)
        for j in np.flatnonzero(part.play > 0.0):
            turned = q[:, part.link[j]] - q[:, part.drive[j]]
            elastic += [spring_with_play(part.spring[j], part.play[j], t)[2] for t in turned]
        stored = np.zeros((len(q), 2))
        evaluate_poses(part, model.work, np.ascontiguousarray(q), np.ascontiguousarray(v), stored)
        return stored[:, 0], elastic, stored[:, 1]


def _vector(x: Any, y: Any) -> np.ndarray:
    """Two formulas as a vector."""
    return np.array([x, y], dtype=object)
