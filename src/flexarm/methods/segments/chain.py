"""The chain: all links as a row of rigid bodies and connections, with hubs, rotors, motors, lumps and payload."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from flexarm.arm import Arm, Link
from flexarm.drive import JointWiring, Wiring
from flexarm.errors import CapabilityError
from flexarm.methods.segments import layout as at
from flexarm.methods.segments.cutting import Cut, cut, rigid_piece


@dataclass(frozen=True)
class LinkPlace:
    """Where a link stands in the chain.

    first, last : its first and last body; edges : (bodies + 1,) distances between its bodies from the root, m
    springs : (k,) distances of the springs inside it, spring_body : (k,) bodies that hang on them
    root_compliance, tip_compliance : of half springs that are merged into the joints' springs, rad/(N m)
    """

    first: int
    last: int
    edges: np.ndarray
    springs: np.ndarray
    spring_body: np.ndarray
    root_compliance: float
    tip_compliance: float
    joint_spring: float
    """Stiffness of the joint's own spring, 0 if there is none."""


@dataclass
class Chain:
    """Tables of the chain (columns: see `layout`) and the places of the links."""

    body: np.ndarray
    kind: np.ndarray
    joint: np.ndarray
    links: tuple[LinkPlace, ...]
    payload: tuple[int, float, float]
    """Body that carries the payload, and the tip's place on it."""
    bending: np.ndarray = field(default_factory=lambda: np.zeros(0))
    """(B,) stiffness of the link's own springs (they have Kelvin-Voigt damping), 0 at joints."""

    @property
    def size(self) -> int:
        """Number of bodies."""
        return len(self.body)


def build_chain(arm: Arm, wiring: Wiring, counts: tuple[int, ...], ends: str, springs: str) -> Chain:
    """Bodies and connections of a serial planar arm."""
    return _Builder(arm, wiring, ends).build(counts, springs)


class _Builder:
    """Adds bodies along the chain."""

    def __init__(self, arm: Arm, wiring: Wiring, ends: str):
        self.arm, self.ends = arm, ends
        self.wired = {joint.name: (k, joint) for k, joint in enumerate(wiring.joints)}
        self.bodies: list[np.ndarray] = []
        self.kinds: list[tuple[int, int, int]] = []
        self.own: list[float] = []

    def build(self, counts: tuple[int, ...], springs: str) -> Chain:
        """All links in turn."""
        places, joints = [], np.full((len(self.arm.links), at.JOINT), -1, dtype=np.int64)
        before: LinkPlace | None = None
        payload = (0, 0.0, 0.0)
        for i, link in enumerate(self.arm.links):
            pieces = cut(link, counts[i], self.ends, springs) if link.flexible else None
            if before is not None and link.joint.motor_mass:
                edge = before.edges[-1] - before.edges[-2]
                self.attach(before.last, link.joint.motor_mass, edge, 0.0, 0.0)
            before = self.link(i, link, pieces, before, joints[i])
            places.append(before)
            if link.name == self.arm.payload_link.name:
                edge = float(before.edges[-1] - before.edges[-2])
                payload = (before.last, edge, 0.0)
                self.load(i, before, pieces, edge)
        return Chain(
            np.array(self.bodies),
            np.array(self.kinds, dtype=np.int64),
            joints,
            tuple(places),
            payload,
            np.array(self.own),
        )

    def add(
        self, link: int, connection: int, *, stiffness: float = 0.0, damper: float = 0.0, angle: float = 0.0,
        channel: int = -1, mass: float = 0.0, inertia: float = 0.0, centre: tuple[float, float] = (0.0, 0.0),
        out: float = 0.0, own: float = 0.0,
    ) -> int:  # fmt: skip
        """A body behind a connection; returns its number."""
        self.bodies.append(np.array([mass, inertia, *centre, out, 0.0, stiffness, damper, angle]))
        self.kinds.append((connection, channel, link))
        self.own.append(own)
        return len(self.bodies) - 1

    def attach(self, number: int, mass: float, x: float, y: float, inertia: float) -> None:
        """Fix a mass to a body, at a place in body axes."""
        body = self.bodies[number]
        total = body[at.M] + mass
        body[at.J] += inertia
        if total > 0.0 and mass > 0.0:
            dx, dy = x - body[at.CX], y - body[at.CY]
            body[at.J] += body[at.M] * mass / total * (dx * dx + dy * dy)
            body[at.CX] += mass / total * dx
            body[at.CY] += mass / total * dy
            body[at.M] = total

    def link(self, i: int, link: Link, pieces: Cut | None, before: LinkPlace | None, row: np.ndarray) -> LinkPlace:
        """Joint and bodies of one link."""
        spring = self.joint(i, link, pieces, before, row)
        if pieces is None:
            mass, x, y, inertia = rigid_piece(link)
            first = self.add(i, mass=mass, inertia=inertia, centre=(x, y), out=link.span, **spring)
            self.lumps(link, first, np.array([0.0, link.span]))
            self.hub(i, link, first, row)
            edges, none = np.array([0.0, link.span]), np.zeros(0)
            place = LinkPlace(first, first, edges, none, none.astype(int), 0.0, 0.0, link.joint.stiffness or 0.0)
        else:
            out = np.diff(pieces.edges)
            for k in range(len(out)):
                if k:
                    stiffness = 1.0 / pieces.compliance[k - 1]
                    spring = {"connection": at.SPRING, "stiffness": stiffness, "own": stiffness}
                b = self.add(
                    i,
                    mass=pieces.mass[k],
                    inertia=pieces.inertia[k],
                    centre=(pieces.centre[k], 0.0),
                    out=out[k],
                    **spring,
                )
                first = b if k == 0 else first
            self.lumps(link, first, pieces.edges)
            self.hub(i, link, first, row)
            places, bodies = pieces.edges[1:-1], first + 1 + np.arange(len(out) - 1)
            place = LinkPlace(
                first, b, pieces.edges, places, bodies, pieces.root, pieces.tip, link.joint.stiffness or 0.0
            )
        row[at.J_ROOT] = first
        return place

    def joint(self, i: int, link: Link, pieces: Cut | None, before: LinkPlace | None, row: np.ndarray) -> dict:
        """What lies between the last body and the link's first one; returns the first one's connection."""
        joint = link.joint
        k, wired = self.wired.get(link.name, (-1, None))
        driven = wired is not None and wired.mode != "motion"
        row[at.J_TIP] = len(self.bodies) - 1
        row[at.J_MODE] = at.FIXED if wired is None else at.DRIVEN if driven else at.MOVED
        row[at.J_CHANNEL] = k
        law = wired.law if wired is not None else None
        row[at.J_SENSE_MOTOR] = law is not None and law.sensor == "motor"
        motor = {
            "connection": at.TORQUE if driven else at.RIGID,
            "channel": k,
            "angle": joint.start if wired is None else 0.0,
        }
        sprung = wired is not None and wired.spring and not (driven and not joint.rotor_inertia)
        halves = (before.tip_compliance if before is not None else 0.0), (pieces.root if pieces is not None else 0.0)
        if not sprung and not any(halves):
            row[at.J_DRIVE] = len(self.bodies)
            return motor
        if any(halves):
            self._check_ends(link, wired)
        row[at.J_DRIVE] = self.add(i, **motor, inertia=joint.rotor_inertia if sprung else 0.0)  # type: ignore[arg-type]
        parts = [*halves, 1.0 / (joint.stiffness or 1.0) if sprung else 0.0]
        if joint.hub_inertia and halves[1]:  # the hub stands between the joint's spring and the root's half spring
            hub = row[at.J_DRIVE]
            if parts[0] + parts[2] > 0.0:
                hub = self.add(i, at.SPRING, stiffness=1.0 / (parts[0] + parts[2]))
            self.attach(int(hub), 0.0, 0.0, 0.0, joint.hub_inertia)
            row[at.J_SPRING] = hub if sprung else -1
            return {"connection": at.SPRING, "stiffness": 1.0 / halves[1]}
        stiffness = 1.0 / sum(parts)
        if sprung:
            row[at.J_SPRING] = len(self.bodies)
        return {"connection": at.SPRING, "stiffness": stiffness, "damper": joint.damping if sprung else 0.0}

    def _check_ends(self, link: Link, wired: JointWiring | None) -> None:
        """Half springs at a joint leave it without inertia of its own."""
        field = f"arm.links.{link.name}.joint"
        if wired is not None and wired.mode != "motion":
            raise CapabilityError(
                f"ends: {self.ends} puts a half spring on joint '{link.name}', which then needs a prescribed motion; use ends: "
                "half",
                field="method.ends",
            )
        if link.joint.rotor_inertia:
            raise CapabilityError(
                f"ends: {self.ends} has no place for a rotor between half springs; use ends: half", field=field
            )
        if link.joint.damping or self.arm.damping_of(link) is not None:
            raise CapabilityError(
                f"ends: {self.ends} merges springs at the joints, which is right without damping only; use ends: half",
                field=field if link.joint.damping else "arm.damping",
            )

    def hub(self, i: int, link: Link, first: int, row: np.ndarray) -> None:
        """Hub and, where no spring separates it, rotor turn with the link's first body."""
        stiff = row[at.J_DRIVE] == first
        if stiff:
            self.attach(first, 0.0, 0.0, 0.0, link.joint.hub_inertia + link.joint.rotor_inertia)
        elif not (self.ends in ("root", "both") and link.flexible):
            self.attach(first, 0.0, 0.0, 0.0, link.joint.hub_inertia)

    def lumps(self, link: Link, first: int, edges: np.ndarray) -> None:
        """Lumped masses ride on the body under them."""
        for lump in link.masses:
            x, y, _ = link.place(lump.at)
            k = int(np.clip(np.searchsorted(edges, x, side="right") - 1, 0, len(edges) - 2))
            self.attach(first + k, lump.mass, x - edges[k], y, lump.inertia)

    def load(self, i: int, place: LinkPlace, pieces: Cut | None, edge: float) -> None:
        """The payload on the last body, or on a half spring of its own if it can turn."""
        payload = self.arm.payload
        x, y, _ = payload.offset_vector
        rotary = payload.inertia_z + payload.mass * (x * x + y * y)
        last = i + 1 == len(self.arm.links)
        if pieces is not None and pieces.tip > 0.0 and rotary > 0.0 and last:
            stiffness = 1.0 / pieces.tip
            self.add(
                i,
                at.SPRING,
                stiffness=stiffness,
                own=stiffness,
                mass=payload.mass,
                inertia=payload.inertia_z,
                centre=(x, y),
            )
        else:
            self.attach(place.last, payload.mass, edge + x, y, payload.inertia_z)
