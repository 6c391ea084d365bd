"""The chain: all links as a row of rigid bodies and connections, with hubs, rotors, motors, lumps and payload.

Equations: G2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from flexarm.arm import Arm, Link
from flexarm.drive import JointWiring, Wiring
from flexarm.errors import CapabilityError
from flexarm.methods.segments import layout as at
from flexarm.methods.segments.segmentation import Pieces, segmented


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

    @property
    def tip(self) -> float:
        """Distance of the tip from the inboard point of the last body, m."""
        return float(self.edges[-1] - self.edges[-2])


@dataclass
class Chain:
    """Tables of the chain (columns: see `layout`) and the places of the links."""

    body: np.ndarray
    kind: np.ndarray
    joint: np.ndarray
    links: tuple[LinkPlace, ...]
    payload: tuple[int, float, float]
    """Body that carries the payload, and the tip's place on it."""
    bending: np.ndarray
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
        places: list[LinkPlace] = []
        joints = np.full((len(self.arm.links), at.JOINT), -1, dtype=np.int64)
        payload = (0, 0.0, 0.0)
        for i, link in enumerate(self.arm.links):
            if places:
                inertia = link.joint.motor_inertia + link.joint.rotor.with_carrier
                self.attach(places[-1].last, link.joint.motor_mass, places[-1].tip, inertia=inertia)
            pieces = segmented(link, counts[i], self.ends, springs)
            spring = self.joint(i, link, pieces, places[-1].tip_compliance if places else 0.0, joints[i])
            places.append(self.link(i, link, pieces, spring, joints[i]))
            if link.name == self.arm.payload_link.name:
                payload = (places[-1].last, places[-1].tip, 0.0)
                self.load(i, places[-1])
        tables = np.array(self.bodies), np.array(self.kinds, dtype=np.int64), joints
        return Chain(*tables, tuple(places), payload, np.array(self.own))

    def add(
        self, link: int, connection: int, stiffness: float = 0.0, *, damper: float = 0.0, angle: float = 0.0,
        channel: int = -1, own: bool = False,
    ) -> int:  # fmt: skip
        """A body without mass behind a connection; returns its number."""
        body = np.zeros(at.BODY)
        body[[at.K, at.C, at.ANGLE]] = stiffness, damper, angle
        self.bodies.append(body)
        self.kinds.append((connection, channel, link))
        self.own.append(stiffness if own else 0.0)
        return len(self.bodies) - 1

    def attach(self, number: int, mass: float, x: float = 0.0, y: float = 0.0, inertia: float = 0.0) -> None:
        """Fix a mass to a body, at a place in body axes."""
        body = self.bodies[number]
        body[at.J] += inertia
        if mass > 0.0:
            total = body[at.M] + mass
            dx, dy = x - body[at.CX], y - body[at.CY]
            body[at.J] += body[at.M] * mass / total * (dx * dx + dy * dy)
            body[at.CX] += mass / total * dx
            body[at.CY] += mass / total * dy
            body[at.M] = total

    def link(self, i: int, link: Link, pieces: Pieces, spring: dict[str, Any], row: np.ndarray) -> LinkPlace:
        """Bodies of one link behind its joint, with hub and lumped masses."""
        first, edges = len(self.bodies), pieces.edges
        for k, length in enumerate(np.diff(edges)):
            if k:
                spring = {"connection": at.SPRING, "stiffness": 1.0 / pieces.compliance[k - 1], "own": True}
            body = self.bodies[self.add(i, **spring)]
            body[[at.M, at.J, at.OX]] = pieces.mass[k], pieces.inertia[k], length
            body[[at.CX, at.CY]] = pieces.centre[k]
        for lump in link.masses:  # they ride on the body under them
            x, y, _ = link.place(lump.at)
            k = int(np.clip(np.searchsorted(edges, x, side="right") - 1, 0, len(edges) - 2))
            self.attach(first + k, lump.mass, x - edges[k], y, lump.inertia)
        row[at.J_ROOT] = first
        self.bodies[row[at.J_DRIVE]][at.GEAR] = link.joint.rotor.with_joint
        if row[at.J_DRIVE] == first:  # no spring separates hub and rotor from the link
            self.attach(first, 0.0, inertia=link.joint.hub_inertia + link.joint.rotor.with_motor)
        elif not pieces.root:
            self.attach(first, 0.0, inertia=link.joint.hub_inertia)
        hung = np.arange(first + 1, len(self.bodies))
        return LinkPlace(first, len(self.bodies) - 1, edges, edges[1:-1], hung, pieces.root, pieces.tip)

    def joint(self, i: int, link: Link, pieces: Pieces, before: float, row: np.ndarray) -> dict[str, Any]:
        """What lies between the last body and the link's first one; returns the first one's connection.

        before : compliance of the half spring at the tip of the link before
        """
        joint = link.joint
        k, wired = self.wired.get(link.name, (-1, None))
        law = wired.law if wired is not None else None
        driven = wired is not None and wired.mode != "motion"
        row[at.J_TIP], row[at.J_CHANNEL] = len(self.bodies) - 1, k
        row[at.J_MODE] = at.FIXED if wired is None else at.DRIVEN if driven else at.PRESCRIBED
        row[at.J_SENSE_MOTOR] = law is not None and law.sensor == "motor"
        row[at.J_DRIVE] = len(self.bodies)
        angle = joint.start if wired is None else 0.0
        motor: dict[str, Any] = {"connection": at.TORQUE if driven else at.RIGID, "channel": k, "angle": angle}
        sprung = wired is not None and wired.spring and not (driven and not joint.rotor_inertia)
        if not sprung and not before and not pieces.root:
            return motor
        if before or pieces.root:
            self._check_ends(link, wired)
        drive = self.add(i, **motor)
        own = 1.0 / (joint.stiffness or 1.0) if sprung else 0.0
        if sprung:
            self.attach(drive, 0.0, inertia=joint.rotor.with_motor)
        if joint.hub_inertia and pieces.root:  # the hub stands between the joint's spring and the root's half spring
            hub = self.add(i, at.SPRING, 1.0 / (before + own)) if before + own > 0.0 else drive
            self.attach(hub, 0.0, inertia=joint.hub_inertia)
            row[at.J_SPRING] = hub if sprung else -1
            return {"connection": at.SPRING, "stiffness": 1.0 / pieces.root}
        if sprung:
            row[at.J_SPRING] = len(self.bodies)
        stiffness = 1.0 / (before + pieces.root + own)
        return {"connection": at.SPRING, "stiffness": stiffness, "damper": joint.damping if sprung else 0.0}

    def _check_ends(self, link: Link, wired: JointWiring | None) -> None:
        """Half springs at a joint leave it without inertia of its own."""
        field = f"arm.links.{link.name}.joint"
        if wired is not None and wired.mode != "motion":
            why = f"puts a half spring on joint '{link.name}', which then needs a prescribed motion"
            field = "method.ends"
        elif link.joint.rotor_inertia:
            why = "has no place for a rotor between half springs"
        elif link.joint.damping or self.arm.damping_of(link) is not None:
            why = "merges springs at the joints, which is right without damping only"
            field = field if link.joint.damping else "arm.damping"
        else:
            return
        raise CapabilityError(f"ends: {self.ends} {why}; use ends: half", field=field)

    def load(self, i: int, place: LinkPlace) -> None:
        """The payload on the last body, or on a half spring of its own if it can turn."""
        payload = self.arm.payload
        x, y, _ = payload.offset_vector
        rotary = payload.inertia_z + payload.mass * (x * x + y * y)
        last = i + 1 == len(self.arm.links)
        if place.tip_compliance > 0.0 and rotary > 0.0 and last:
            hung = self.add(i, at.SPRING, 1.0 / place.tip_compliance, own=True)
            self.attach(hung, payload.mass, x, y, payload.inertia_z)
        else:
            self.attach(place.last, payload.mass, place.tip + x, y, payload.inertia_z)
