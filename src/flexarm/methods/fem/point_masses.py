"""Point masses on links: lumps, and the motors of the joints that a link carries, with what their rotors put on it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from flexarm.arm import Arm


class PointMass(NamedTuple):
    """A mass (kg) with its inertia (kg m^2) at a place in the axes of the undeformed link (m)."""

    x: float
    y: float
    mass: float
    inertia: float


def point_masses_of(arm: Arm, i: int) -> list[PointMass]:
    """All point masses of a link."""
    link = arm.links[i]
    found = [PointMass(*link.place(lump.at)[:2], lump.mass, lump.inertia) for lump in link.masses]
    for other in arm.links:
        motor = other.joint.motor_mass, other.joint.motor_inertia + other.joint.rotor.with_carrier
        if arm.parent(other.name) == link.name and any(motor):
            found.append(PointMass(*link.place(other.at)[:2], *motor))
    return found


def off_axis(arm: Arm, i: int) -> list[PointMass]:
    """Those of a flexible link that lie beside its axis or beyond its ends: a section carries them at an offset."""
    link = arm.links[i]
    if not link.flexible:
        return []
    return [item for item in point_masses_of(arm, i) if item.y or not 0.0 <= item.x <= link.span]


def carrying_section(arm: Arm, i: int, item: PointMass) -> float:
    """Place of the section that carries a point mass, m."""
    return float(np.clip(item.x, 0.0, arm.links[i].span))
