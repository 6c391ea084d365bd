"""What is read off a chain of segments: places by the sum of its bodies, forces by their inertia, moments by its springs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.methods.reader import JointNumbers, Reader
from flexarm.methods.segments import layout as at
from flexarm.methods.segments.linear import directions
from flexarm.methods.subdivision import SAME, attachment_places
from flexarm.numerics.along import between

if TYPE_CHECKING:
    from flexarm.methods.segments.model import SegmentsModel


class SegmentsReader(Reader):
    """The angles of all bodies are in the state, with their rates and accelerations."""

    model: SegmentsModel

    def __init__(self, model: SegmentsModel):
        theta, omega, alpha = (
            range(model.layout[name].start, model.layout[name].stop) for name in ("theta", "omega", "alpha")
        )
        rates = {**dict(zip(theta, omega, strict=True)), **dict(zip(omega, alpha, strict=True))}
        first, links = model.layout["joints"].start, len(model.arm.links)
        for row, rate in ((at.POSITION, at.RATE), (at.MOTOR, at.MOTOR_RATE)):
            rates |= {first + row * links + i: first + rate * links + i for i in range(links)}
        super().__init__(model, rates)

    def joint(self, link: int) -> JointNumbers:
        """Rows of joint numbers in the state."""
        first, links = self.model.layout["joints"].start, len(self.arm.links)
        rows = (at.POSITION, at.RATE, at.MOTOR, at.MOTOR_RATE, at.THROUGH, at.DRIVE, at.DRAG)
        numbers = [self.graph.state(first + row * links + link) for row in rows]
        return JointNumbers._make([*numbers[:5], numbers[5] - numbers[6]])

    def carrier_rate(self, link: int) -> Any:
        """Of the body before the motor's connection."""
        body = int(self.model.chain.joint[link, at.J_DRIVE])
        return self.graph.state(self.model.layout["omega"].start + body) - self.joint(link).motor_velocity

    @cached_property
    def _theta(self) -> list[Any]:
        """Angles of all bodies."""
        return [self.graph.state(k) for k in range(self.model.layout["theta"].stop)]

    @cached_property
    def _turned(self) -> list[tuple[Any, Any]]:
        """Cosine and sine of the angles of all bodies."""
        return [(np.cos(angle), np.sin(angle)) for angle in self._theta]

    def _vector(self, body: int, x: int, y: int) -> np.ndarray:
        """A vector of a body's table, turned with it, (2,)."""
        (c, s), row = self._turned[body], self.model.chain.body[body]
        return np.array([row[x] * c - row[y] * s, row[x] * s + row[y] * c], dtype=object)

    @cached_property
    def _steps(self) -> list[np.ndarray]:
        """Vectors from the inboard to the outboard point of all bodies."""
        return [self._vector(b, at.OX, at.OY) for b in range(self.model.chain.size)]

    @cached_property
    def _roots(self) -> list[np.ndarray]:
        """Inboard points of all bodies, and the outboard point of the last."""
        found = [np.zeros(2)]
        for step in self._steps:
            found.append(found[-1] + step)
        return found

    def places(self, link: int, fractions: Sequence[float]) -> np.ndarray:
        """Points on the bodies under the fractions."""
        out = np.zeros((len(fractions), 3), dtype=object)
        for k, fraction in enumerate(fractions):
            body, share = self.model.seat(link, float(fraction))
            out[k, :2] = self._roots[body] + share * self._steps[body]
        return out

    def angles(self, link: int, fractions: Sequence[float]) -> np.ndarray:
        """Linear between the middles of the bodies; at the root without the half spring that is merged into the joint."""
        place, theta = self.model.chain.links[link], self._theta
        own = np.array(theta[place.first : place.last + 1], dtype=object)
        middles, span = 0.5 * (place.edges[1:] + place.edges[:-1]), self.arm.links[link].span
        found = between(middles, own, np.asarray(fractions) * span)
        return np.array(
            [a if f else self._root_angle(link) for a, f in zip(found, fractions, strict=True)], dtype=object
        )

    def _root_angle(self, link: int) -> Any:
        place, theta = self.model.chain.links[link], self._theta
        bend = theta[place.first] - (theta[place.first - 1] if place.first else 0.0)
        return theta[place.first] - place.root_compliance * self.model.chain.body[place.first, at.K] * bend

    @cached_property
    def _bends(self) -> list[Any]:
        """Angles of all bodies against those before them."""
        return [angle - before for angle, before in zip(self._theta, [0.0, *self._theta], strict=False)]

    def _pull(self, body: int, mass: float, arm: np.ndarray) -> np.ndarray:
        """Force that moves a mass and carries its weight; `arm` from the inboard point of its body, (2,)."""
        rate = np.frompyfunc(self.graph.rate, 1, 1)
        return mass * (rate(rate(self._roots[body] + arm)) - np.array(self.arm.gravity[:2]))

    @cached_property
    def _pulls(self) -> list[np.ndarray]:
        """Force by the body before on every body: inertia and weight of all beyond, (2,) each."""
        body, total, found = self.model.chain.body, np.zeros(2), []
        for b in reversed(range(self.model.chain.size)):
            if body[b, at.M]:
                total = total + self._pull(b, body[b, at.M], self._vector(b, at.CX, at.CY))
            for _, body_of, _, push, _ in self._loads:
                total = total - push if body_of == b else total
            found.append(total)
        return found[::-1]

    @cached_property
    def _loads(self) -> list[tuple[float, int, np.ndarray, np.ndarray, Any]]:
        """Loads on links: distance from the root of the link, body, place, force (2,) and moment."""
        found, part = [], self.model.parts
        for (load, kind, b), (x, y, px, py) in zip(part.load, part.load_data, strict=True):
            size, (c, s) = self.graph.state(self.model.layout["loads"].start + int(load)), self._turned[b]
            place = self._roots[b] + np.array([c * px - s * py, s * px + c * py], dtype=object)
            force = np.array([x, y]) if kind == at.L_WORLD else np.array([c * x - s * y, s * x + c * y], dtype=object)
            push, twist = (np.zeros(2), x * size) if kind == at.L_MOMENT else (size * force, 0.0)
            link = self.model.chain.links[int(self.model.chain.kind[b, at.LINK])]
            found.append((float(link.edges[b - link.first]) + px, int(b), place, push, twist))
        return found

    def _lumps(self, link: int) -> list[tuple[float, np.ndarray, np.ndarray, Any]]:
        """Lumps of a link: distance from its root, place, force that moves it, moment about that place."""
        part, found, rate = self.arm.links[link], [], self.graph.rate
        for lump in part.masses:
            x, y, _ = part.place(lump.at)
            b, share = self.model.seat(link, x / part.span)
            c, s = self._turned[b]
            arm = share * self._steps[b] + np.array([-s, c], dtype=object) * y
            pull = self._pull(b, lump.mass, arm)
            found.append((x, self._roots[b] + arm, pull, lump.inertia * rate(rate(self._theta[b]))))
        for x, b, place, push, twist in self._loads:
            if self.model.chain.kind[b, at.LINK] == link:
                found.append((x, place, -push, -twist))
        return found

    def _of_lumps(self, link: int, cuts: np.ndarray, least: float) -> np.ndarray:
        """What moves the lumps beyond cuts of a link, those at `least` or nearer to its root left out: force in the axes of the ground,
        and minus the moment about the cut, (3, cuts)."""
        out, lumps = np.zeros((3, len(cuts)), dtype=object), self._lumps(link)
        for k, x in enumerate(cuts):
            body, share = self.model.seat(link, x / self.arm.links[link].span)
            here = self._roots[body] + share * self._steps[body]
            for where, place, (px, py), twist in lumps:
                if where > least and where >= x - SAME:
                    ax, ay = place - here
                    out[:, k] += np.array([px, py, ay * px - ax * py - twist], dtype=object)
        return out

    def section_forces(self, link: int, fractions: Sequence[float]) -> np.ndarray:
        """Axial and shear force from the equilibrium of what is beyond, moment of the springs and their dampers. At lumps they jump or
        bend; without theirs they run straight between the bodies and between the springs."""
        place, body, rate = self.model.chain.links[link], self.model.chain.body, self.graph.rate
        wanted, pulls = np.asarray(fractions) * self.arm.links[link].span, self._pulls[place.first : place.last + 1]
        moment = [self._bends[b] * body[b, at.K] + rate(self._bends[b]) * body[b, at.C] for b in place.spring_body]
        smooth = np.array(pulls, dtype=object).T - self._of_lumps(link, place.edges[:-1], -np.inf)[:2]
        bent = np.array(moment, dtype=object) - self._of_lumps(link, place.springs, -np.inf)[2]
        found = [*between(place.edges[:-1], smooth, wanted), between(place.springs, bent, wanted)]
        qx, qy, moment = np.array(found, dtype=object) + self._of_lumps(link, wanted, 0.0)
        angle = self.angles(link, fractions)
        c, s = np.cos(angle), np.sin(angle)
        return np.array([-(qx * c + qy * s), qx * s - qy * c, moment], dtype=object)

    def elastic_forces(self, link: int, fractions: Sequence[float]) -> np.ndarray:
        """Moment of the springs, which bends at lumps; the axial force that balances what is beyond: segments keep their
        length, but a gauge on the link is stretched by it. They do not shear."""
        place, body, span = self.model.chain.links[link], self.model.chain.body, self.arm.links[link].span
        moment = np.array([self._bends[b] * body[b, at.K] for b in place.spring_body], dtype=object)
        out, lumps = (
            np.zeros((3, len(fractions)), dtype=object),
            np.unique(attachment_places(self.arm, link, self.model.wiring.patches)) * span,
        )
        out[0] = self.section_forces(link, fractions)[0]
        out[2] = between(place.springs, moment, np.asarray(fractions) * span, lumps)
        return out

    def stored(self, records: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """That of gravity is zero with all masses at the origin's height."""
        body, theta, omega = self.model.chain.body, *(records[:, self.model.layout[k]] for k in ("theta", "omega"))
        out, centre = directions(body, theta)
        steps, own = (omega[..., None] * np.stack([-each[..., 1], each[..., 0]], axis=-1) for each in (out, centre))
        places, speed = (np.cumsum(each, axis=1) - each for each in (out, steps))
        kinetic = 0.5 * (np.sum((speed + own) ** 2, axis=2) @ body[:, at.M] + omega**2 @ body[:, at.J])
        kinetic += 0.5 * np.diff(omega, axis=1, prepend=0.0) ** 2 @ body[:, at.GEAR]
        elastic = 0.5 * np.diff(theta, axis=1, prepend=0.0) ** 2 @ body[:, at.K]
        return kinetic, elastic, -((places + centre) @ np.array(self.arm.gravity[:2])) @ body[:, at.M]
