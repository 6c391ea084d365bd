"""The bodies of an arm in space: every straight stretch of a flexible link is one, and every rigid link, with all that is fixed to it."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from flexarm.arm import Arm, Link
from flexarm.methods.modes.options import ModesOptions
from flexarm.methods.modes.spatial.strain_fields import NEAR, Counts, Section, StrainFields
from flexarm.numerics.rotations import about_z
from flexarm.rigid.beam import Leg, carried, legs, place_point, section_place, tip_point, tool_pose
from flexarm.rigid.chain import Chain
from flexarm.rigid.inertia import NOTHING, Inertia, MassLine, point_mass, rod

AXES_OF_LINK = np.eye(3)


@dataclass(frozen=True)
class Station:
    """A place of a link: its body and section, where the section is in the axes of the body while nothing is bent, its axes in those
    of the link (3, 3), and how far the place is from it, in its own axes."""

    body: int
    section: Section
    r0: np.ndarray
    axes: np.ndarray
    away: np.ndarray


@dataclass(frozen=True)
class Lump:
    """A rigid part on a section: mass, centre from the section and tensor about the centre, in the axes of the section."""

    station: Station
    mass: float
    centre: np.ndarray
    tensor: np.ndarray


@dataclass
class SpatialBody:
    """A stretch of a flexible link, or a rigid link.

    carrier : station that carries it, None for the ground; place, rot, post, lever : see `SpatialParts`
    joint : name of the joint at its root, empty if it is fixed; offset : constant part of a sliding joint's position
    fields : shapes, None if it is rigid; inertia : of a rigid link with all that it carries, about its origin
    """

    link: int
    name: str
    leg: Leg | None
    carrier: Station | None
    place: np.ndarray
    rot: np.ndarray
    post: np.ndarray
    lever: np.ndarray
    joint: str = ""
    slides: bool = False
    offset: float = 0.0
    fields: StrainFields | None = None
    lumps: list[Lump] = field(default_factory=list)
    inertia: Inertia = NOTHING

    @property
    def count(self) -> int:
        """Number of its shapes."""
        return 0 if self.fields is None else self.fields.count

    @property
    def coordinate_names(self) -> list[str]:
        """Names of the coordinates of its shapes."""
        return [] if self.fields is None else [f"{self.name} {name}" for name in self.fields.names]


class Bodies:
    """All bodies of an arm, and its places on them."""

    def __init__(self, arm: Arm, options: ModesOptions, second_order: bool):
        self.arm, self.chain, self.second_order = arm, Chain.of(arm), second_order
        self.all: list[SpatialBody] = []
        self.of_link: list[list[int]] = []
        for i, link in enumerate(arm.links):
            count = options.resolution[i] if isinstance(options.resolution, tuple) else options.resolution
            self._add_link(i, link, Counts(*options.counts(count)))
        for i, link in enumerate(arm.links):
            self._load_link(i, link)

    def _add_link(self, i: int, link: Link, counts: Counts) -> None:
        chain, parent = self.chain, self.chain.parent[i]
        turn = chain.twist[i] @ chain.align[i] @ about_z(chain.angle[i])
        carrier, place, rot = None, chain.mount[i], turn
        if parent >= 0:
            carrier = self.station(parent, link.at, chain.mount[i])
            place, rot = carrier.away, carrier.axes.T @ turn
        stretches = legs(link, True) if link.flexible else ()
        axes, begin = (stretches[0].axes, stretches[0].start) if stretches else (AXES_OF_LINK, np.zeros(3))
        joint = "" if link.joint.type == "fixed" else link.name
        body = SpatialBody(
            i, link.name, None, carrier, place, rot, chain.align[i].T @ axes, axes.T @ begin, joint, chain.slides[i],
            float(chain.offset[i]),
        )  # fmt: skip
        self.of_link.append([len(self.all)])
        self.all.append(body)
        for k, leg in enumerate(stretches):
            if k:  # welded to the stretch before
                before = stretches[k - 1]
                end, turn = self._at(i, before.last, before), before.axes.T @ leg.axes
                body = SpatialBody(i, f"{link.name} {k + 1}", None, end, np.zeros(3), turn, AXES_OF_LINK, np.zeros(3))
                self.of_link[i].append(len(self.all))
                self.all.append(body)
            inside = [section_place(link, lump.at) for lump in link.masses]
            kinks = [share * link.span - leg.first for share, beside in inside if not np.any(beside)]
            hung = [other.at for k, other in enumerate(self.arm.links) if chain.parent[k] == i]
            jumps = [section_place(link, place)[0] * link.span - leg.first for place in hung]
            body.leg = leg
            body.fields = StrainFields(link, leg, counts, self.second_order, kinks, jumps)

    def _at(self, i: int, s: float, leg: Leg) -> Station:
        """The section at the distance s along the beam of a flexible link, on one of its stretches."""
        body = self.of_link[i][[other.first for other in legs(self.arm.links[i], True)].index(leg.first)]
        fields = self.all[body].fields
        assert fields is not None
        section = fields.sections([s - leg.first])[0]
        return Station(body, section, np.array([section.x, 0.0, 0.0]), leg.axes, np.zeros(3))

    def station(self, i: int, place: float | str, point: np.ndarray | None = None) -> Station:
        """A place of a link, or a point in its axes that hangs there; what is beside the beam hangs on its nearer end."""
        link = self.arm.links[i]
        point = place_point(link, place, True) if point is None else point
        if not link.flexible:
            none = Section(0.0, np.zeros((3, 0)), np.zeros((3, 0, 0)), np.zeros((3, 0)), np.zeros((3, 0, 0)))
            return Station(self.of_link[i][0], none, point, AXES_OF_LINK, np.zeros(3))
        s = section_place(link, place)[0] * link.span
        leg = next((leg for leg in legs(link, True) if s <= leg.last * (1.0 + NEAR)), legs(link, True)[-1])
        at = self._at(i, s, leg)
        return Station(at.body, at.section, at.r0, at.axes, at.axes.T @ (point - leg.point(s)))

    @property
    def tool(self) -> Station:
        """Where the tool is, or the tip."""
        return self.station(self.arm.index(self.arm.payload_link.name), "tip", tool_pose(self.arm)[0])

    def section(self, i: int, fraction: float) -> tuple[int, float]:
        """Body and place along it of a fraction of a flexible link."""
        s = fraction * self.arm.links[i].span
        for body in self.of_link[i]:
            leg = self.all[body].leg
            if leg is not None and (s <= leg.last or body == self.of_link[i][-1]):
                return body, s - leg.first
        raise ValueError("the link is rigid")

    def _load_link(self, i: int, link: Link) -> None:
        """All that is fixed to a link: lumps, payload, the motors of the joints on it; of a rigid link also its own mass."""
        load = self.arm.payload
        if not link.flexible:
            self.all[self.of_link[i][0]].inertia += _own_inertia(link)
        for lump in link.masses:
            self._put(self.station(i, lump.at), lump.mass, np.zeros(3), lump.inertia * np.eye(3))
        for k, other in enumerate(self.arm.links):
            if self.chain.parent[k] == i and (other.joint.motor_mass or other.joint.motor_inertia):
                at, joint = self.station(i, other.at, self.chain.mount[k]), other.joint
                self._put(at, joint.motor_mass, np.zeros(3), joint.motor_inertia * np.eye(3))
        if link.name == self.arm.payload_link.name and (load.mass or np.any(load.tensor)):
            at, (centre, tensor) = self.tool, carried(self.arm)
            self._put(at, load.mass, at.axes.T @ centre, at.axes.T @ tensor @ at.axes)

    def _put(self, at: Station, mass: float, centre: np.ndarray, tensor: np.ndarray) -> None:
        """Fix a rigid part to a place; its centre is from there, in the axes of the section."""
        body = self.all[at.body]
        if body.fields is None:
            body.inertia += point_mass(mass, at.r0 + at.away + centre, tensor)
        else:
            body.lumps.append(Lump(at, mass, at.away + centre, tensor))


def _own_inertia(link: Link) -> Inertia:
    """A rigid link itself."""
    if link.body is not None:
        return point_mass(link.body.mass, link.body.place, link.body.tensor)
    if link.section is None:
        return NOTHING
    line = MassLine(link)
    return sum((rod(line, leg, leg.first) for leg in legs(link, True)), NOTHING)


def reach_of(arm: Arm) -> float:
    """A length that scales tolerances: the sum of the links' lengths, or of the distances of their ends, m."""
    return sum(max(link.span, float(np.linalg.norm(tip_point(link, True)))) for link in arm.links) or 1.0
