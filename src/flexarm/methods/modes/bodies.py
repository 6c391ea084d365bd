"""The bodies of an arm: shapes and modal integrals of every link with all that it carries."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np

from flexarm.arm import Arm, Link
from flexarm.methods.modes.beamline import BeamLine
from flexarm.methods.modes.integrals import BeamSamples, BodyIntegrals, Place, place_on
from flexarm.methods.modes.mass_points import MassPoints, is_beyond
from flexarm.methods.modes.options import ModesOptions, Shapes
from flexarm.methods.modes.shapes import ShapeSet, shape_set
from flexarm.numerics.kept import kept
from flexarm.rigid.chain import Chain
from flexarm.rigid.kinematics import move
from flexarm.rigid.mass import Masses


@dataclass(frozen=True)
class Lump:
    """A rigid part on a section of a link."""

    place: Place
    mass: float
    inertia: float = 0.0


@dataclass(frozen=True)
class Beam:
    """A link as a body: its beam (None: bare body), its shapes (None: rigid), what is fixed to it, and whether the rotary
    inertia of its sections counts."""

    link: Link
    line: BeamLine | None
    shapes: ShapeSet | None
    lumps: list[Lump]
    rotary: bool

    def place(self, where: float | str) -> Place:
        """A place of the link."""
        x, y, _ = self.link.place(where)
        return place_on(self.shapes, self.link.span, x, y)

    @property
    def count(self) -> int:
        """Number of modal coordinates."""
        return 0 if self.shapes is None else self.shapes.count

    @property
    def coordinate_names(self) -> list[str]:
        """Names of the modal coordinates."""
        bending = 0 if self.shapes is None else self.shapes.bending
        names = [f"{self.link.name} bending {k + 1}" for k in range(bending)]
        return names + [f"{self.link.name} axial {k + 1}" for k in range(self.count - bending)]

    @cached_property
    def integrals(self) -> BodyIntegrals:
        """Of the whole body."""
        line, shapes = self.line, self.shapes
        samples = None if line is None else kept((line, shapes), "samples", lambda: BeamSamples(line, shapes))
        return self._sum(samples, self.lumps, 0.0)

    @cached_property
    def points(self) -> MassPoints:
        """The body as mass points."""
        return MassPoints(self)

    def beyond(self, cuts: np.ndarray) -> list[BodyIntegrals]:
        """Of the parts beyond cuts of a flexible link, just before what is fixed there; the root section is in none."""
        assert self.line is not None
        samples = BeamSamples(self.line, self.shapes, cuts)
        return [self._sum(samples, [lump for lump in self.lumps if is_beyond(lump.place, x)], x) for x in cuts]

    def _sum(self, samples: BeamSamples | None, lumps: list[Lump], start: float) -> BodyIntegrals:
        sums = BodyIntegrals(self.count)
        if samples is not None:
            sums.add_beam(samples, self.rotary, start)
        for lump in lumps:
            sums.add_lump(lump.place, lump.mass, lump.inertia)
        return sums


def build_beams(arm: Arm, options: ModesOptions, pose: np.ndarray, own_rotor: set[str], chords: bool) -> list[Beam]:
    """Bodies of all links; `pose` is the closed start pose, `own_rotor` names joints whose rotor turns on its own, `chords`
    counts deflections from the line between a link's ends in place of the root's tangent."""
    beams = []
    for i, link in enumerate(arm.links):
        line = kept((link,), "line", lambda link=link: BeamLine(link)) if link.section is not None else None  # type: ignore[misc]
        shapes = None
        if link.flexible and line is not None:
            family = options.shapes_of(link.name)
            count = options.resolution[i] if isinstance(options.resolution, tuple) else options.resolution
            mass, inertia = 0.0, 0.0
            if family.type == "clamped-mass":
                outboard = outboard_of_tip(arm, i, pose)
                mass = outboard[0] if family.mass is None else family.mass
                inertia = outboard[1] if family.inertia == "carried" else float(family.inertia)
            lumps = [(link.place(lump.at)[0], lump.mass, lump.inertia) for lump in link.masses]
            lumps = [lump for lump in lumps if 0.0 < lump[0] < link.span]
            tip = mass, inertia
            shapes = kept(
                (line, options),
                (tip, chords),
                partial(_shapes, line, family, count, options.stretches, tip, lumps, chords),
            )
        beam = Beam(link, line, shapes, [], options.rotary_inertia)
        beam.lumps.extend(_lumps(arm, beam, own_rotor))
        beams.append(beam)
    for link in arm.links:
        parent = arm.parent(link.name)
        if (link.joint.motor_mass or link.joint.motor_inertia) and parent != "ground":
            carrier = beams[arm.index(parent)]
            carrier.lumps.append(Lump(carrier.place(link.at), link.joint.motor_mass, link.joint.motor_inertia))
    return beams


def _shapes(
    line: BeamLine, family: Shapes, count: int, axial: int, tip: tuple[float, float], lumps: list[Any], chords: bool
) -> ShapeSet:
    found = shape_set(line, family, count, axial, tip, "method.resolution", lumps)
    return found.from_chord() if chords else found


def _lumps(arm: Arm, beam: Beam, own_rotor: set[str]) -> Iterator[Lump]:
    """Body, lumps, hub (with the rotor unless it turns on its own) and payload of a link."""
    link = beam.link
    if link.body is not None:
        x, y, *_ = link.body.center
        inertia = link.body.inertia
        inertia = inertia[2] if isinstance(inertia, tuple) else inertia
        yield Lump(place_on(None, 0.0, x, y), link.body.mass, inertia)
    for lump in link.masses:
        yield Lump(beam.place(lump.at), lump.mass, lump.inertia)
    rotor = 0.0 if link.name in own_rotor else link.joint.rotor_inertia
    if link.joint.hub_inertia + rotor:
        yield Lump(beam.place("root"), 0.0, link.joint.hub_inertia + rotor)
    if link.name == arm.payload_link.name:
        load = arm.payload
        x, y, _ = load.offset_vector
        if load.mass or load.inertia_z:
            tip = place_on(beam.shapes, link.span, link.span + x, y, section=link.span)
            yield Lump(tip, load.mass, load.inertia_z)


def outboard_of_tip(arm: Arm, i: int, pose: np.ndarray) -> tuple[float, float]:
    """Mass at and beyond the tip of a link along the tree, and its inertia about the tip in `pose`."""
    chain, link = Chain.of(arm), arm.links[i]
    at_tip = [m for m in link.masses if m.at in ("tip", 1.0)]
    mass, inertia = sum(m.mass for m in at_tip), sum(m.inertia for m in at_tip)
    if link.name == arm.payload_link.name:
        x, y, _ = arm.payload.offset_vector
        mass += arm.payload.mass
        inertia += arm.payload.inertia_z + arm.payload.mass * (x * x + y * y)
    motion = move(chain, np.asarray(pose, dtype=float)[None])
    inertias = Masses.of(arm).at(np.asarray(pose, dtype=float)[None])
    tip = motion.point(i, chain.tip[i])[0]
    roots = [k for k, p in enumerate(chain.parent) if p == i and np.allclose(chain.mount[k], chain.tip[i])]
    mass += sum(arm.links[k].joint.motor_mass for k in roots)
    inertia += sum(arm.links[k].joint.motor_inertia + arm.links[k].joint.rotor.with_carrier for k in roots)
    for k in range(len(arm.links)):
        if any(root in chain.path(k) for root in roots):
            part = inertias[k]
            m = float(part.mass[0])
            centre = part.moment[0] / m if m else np.zeros(3)
            away = motion.point(k, centre)[0] - tip
            mass += m
            inertia += float(part.tensor[0, 2, 2]) - m * float(centre @ centre) + m * float(away @ away)
    return mass, inertia
