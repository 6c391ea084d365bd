"""What a method can do, declared once: shown as a table, and the ground on which arms and drives are refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np

from flexarm.errors import CapabilityError

if TYPE_CHECKING:
    from flexarm.arm import Arm, Link
    from flexarm.drive import JointWiring, Wiring
    from flexarm.methods.base import Method


@dataclass(frozen=True)
class Capabilities:
    """What a method can do; a method names what differs from the rule."""

    planar: bool = True
    spatial: bool = False
    most_links: int | None = None
    """None: any number."""
    rigid_links: bool = True
    tree: bool = False
    loops: bool = False
    prismatic: bool = False
    sliding_beams: bool = False
    """Sliding joints whose link bends where it stands out."""
    torque_driven: bool = True
    motion_driven: bool = True
    flexible_joints: bool = True
    backlash: bool = False
    friction: bool = True
    viscous: bool = False
    """A torque per speed that resists a joint."""
    end_stops: bool = False
    chord_readings: bool = True
    chord_control: bool = True
    """Laws that act continuously on the chord of a link."""
    taper: bool = True
    payload_inertia: bool = True
    payload_offset: bool = True
    payload_change: bool = True
    gravity: bool = True
    damping: bool = True
    equilibrium_start: bool = True
    strain: bool = True
    point_loads: bool = False
    """Static loads at points of the links, and reactions."""
    steady_turn: bool = True
    """Frequencies of an arm that turns steadily."""
    patches: bool = True
    """Forces and bending moments that drives put on links."""
    couples: bool = True
    """Moments at one place of a link."""
    large_rotation: bool = True
    large_deformation: bool = True
    shear: bool = False

    def table(self) -> dict[str, str]:
        """Capability names in words, each with yes, no or a number."""
        rows = {}
        for item in fields(self):
            value = getattr(self, item.name)
            text = "any" if value is None else ("yes" if value else "no") if isinstance(value, bool) else str(value)
            rows[item.name.replace("_", " ")] = text
        return rows


def _links(test: Callable[[Link], object], field: str = "") -> Callable[[Arm, Wiring], str | None]:
    """The field of the first link that passes a test."""

    def first(arm: Arm, wiring: Wiring) -> str | None:
        return next((f"arm.links.{link.name}{field}" for link in arm.links if test(link)), None)

    return first


def _joints(test: Callable[[JointWiring], object], field: str) -> Callable[[Arm, Wiring], str | None]:
    """The field of the first wired joint that passes a test; {} stands for its name."""

    def first(arm: Arm, wiring: Wiring) -> str | None:
        return next((field.format(joint.name) for joint in wiring.joints if test(joint)), None)

    return first


def _arm(test: Callable[[Arm], object], field: str) -> Callable[[Arm, Wiring], str | None]:
    return lambda arm, wiring: field if test(arm) else None


def _reads_chord(joint: JointWiring) -> bool:
    return joint.law is not None and joint.law.sensor == "chord"


FEATURES: dict[str, tuple[str, Callable[[Arm, Wiring], str | None]]] = {
    "spatial": (
        "arms in space (dh, origin, axis, base, beam, frames, sliding joints)",
        _arm(lambda arm: arm.spatial, "arm.links"),
    ),
    "planar": ("arms in the plane", _arm(lambda arm: not arm.spatial, "arm.links")),
    "loops": ("closed loops", _arm(lambda arm: arm.loops, "arm.loops")),
    "tree": (
        "links that do not stand on the tip of the one before",
        _arm(lambda arm: not arm.serial and not arm.loops, "arm.links"),
    ),
    "prismatic": ("sliding joints", _links(lambda link: link.joint.type == "prismatic", ".joint.type")),
    "sliding_beams": (
        "flexible links on sliding joints",
        _links(lambda link: link.joint.type == "prismatic" and link.flexible, ".flexible"),
    ),
    "rigid_links": ("rigid links", _links(lambda link: not link.flexible, ".flexible")),
    "backlash": ("backlash", _links(lambda link: link.joint.backlash, ".joint.backlash")),
    "flexible_joints": ("flexible joints", _joints(lambda joint: joint.spring, "arm.links.{}.joint.stiffness")),
    "friction": (
        "dry friction",
        _joints(lambda joint: joint.law is not None and joint.law.friction > 0.0, "arm.links.{}.joint.friction"),
    ),
    "viscous": ("viscous torques of joints", _links(lambda link: link.joint.viscous, ".joint.viscous")),
    "end_stops": (
        "end stops of joints",
        _links(lambda link: link.joint.limits and link.joint.limits.stiffness, ".joint.limits.stiffness"),
    ),
    "torque_driven": ("torques", _joints(lambda joint: joint.mode == "torque", "drive.torque")),
    "motion_driven": ("prescribed motions", _joints(lambda joint: joint.mode == "motion", "drive.motion")),
    "chord_readings": ("readings of the chord", _joints(_reads_chord, "drive.control.sensor")),
    "chord_control": (
        "laws that act continuously on the chord (sampled ones, with a period, may)",
        _joints(lambda joint: _reads_chord(joint) and not (joint.law and joint.law.period), "drive.control.sensor"),
    ),
    "patches": ("loads on links", lambda arm, wiring: "drive.patch" if wiring.patches else None),
    "couples": (
        "moments at one place of a link",
        lambda arm, wiring: next(
            ("drive.patch" for p in wiring.patches if p.kind == "moment" and p.start == p.stop), None
        ),
    ),
    "taper": ("tapers", _links(lambda link: link.flexible and link.section and not link.section.uniform, ".section")),
    "payload_inertia": ("payloads with inertia", _arm(lambda arm: np.any(arm.payload.inertia), "arm.payload.inertia")),
    "payload_offset": ("payloads off the tip", _arm(lambda arm: any(arm.payload.offset_vector), "arm.payload.offset")),
    "gravity": ("gravity", _arm(lambda arm: any(arm.gravity), "arm.gravity")),
    "damping": ("damping", _arm(lambda arm: any(arm.damping_of(link) for link in arm.links), "arm.damping")),
}
"""By capability: what it is called, and which field of an arm and its drives asks for it."""


def missing(method: Method, arm: Arm, wiring: Wiring) -> Iterator[tuple[str, str, str]]:
    """What an arm and its drives ask of a method that it does not have: capability, words, field."""
    can = method.capable(arm)
    if can.most_links is not None and len(arm.links) > can.most_links:
        yield "most_links", f"{len(arm.links)} links, only {can.most_links}", "arm.links"
    for capability, (words, used) in FEATURES.items():
        if not getattr(can, capability) and (field := used(arm, wiring)) is not None:
            yield capability, words, field


def able(arm: Arm, wiring: Wiring, capability: str = "") -> list[str]:
    """Names of the methods that can do all that an arm and its drives ask for, and one thing more."""
    from flexarm.methods import get_method, method_names

    def takes(method: Method) -> bool:
        if any(missing(method, arm, wiring)) or (capability and not getattr(method.capable(arm), capability)):
            return False
        try:
            method.check(arm, wiring, method.options_from({}))
        except CapabilityError:
            return False
        return True

    return [method.name for method in map(get_method, method_names()) if takes(method)]


def refuse(method: Method, arm: Arm, wiring: Wiring) -> None:
    """Raise an error that names the field and the methods that can, if there is anything that a method does not have."""
    for _, words, field in missing(method, arm, wiring):
        raise not_supported(method, arm, wiring, words, field)


def not_supported(
    method: Method, arm: Arm, wiring: Wiring, words: str, field: str, capability: str = ""
) -> CapabilityError:
    """The error for something that a method does not support, with the methods that can do all that is asked."""
    names = able(arm, wiring, capability)
    advice = "no method in this version does"
    if names:
        advice = f"use {', '.join(names[:-1])}{' or ' if names[:-1] else ''}{names[-1]}"
    return CapabilityError(f"the method {method.name} does not support {words}; {advice}", field=field)
