"""Point masses on links: lumps, and the motors of the joints that a link carries."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from flexarm.arm import Arm


class Attached(NamedTuple):
    """A mass (kg) with its inertia (kg m^2) at a place in the axes of the undeformed link (m)."""

    x: float
    y: float
    mass: float
    inertia: float


def attached_to(arm: Arm, i: int) -> list[Attached]:
    """All point masses of a link."""
    link = arm.links[i]
    found = [Attached(*link.place(lump.at)[:2], lump.mass, lump.inertia) for lump in link.masses]
    for other in arm.links:
        if arm.parent(other.name) == link.name and other.joint.motor_mass:
            found.append(Attached(*link.place(other.at)[:2], other.joint.motor_mass, 0.0))
    return found


def off_axis(arm: Arm, i: int) -> list[Attached]:
    """Those of a flexible link that lie beside its axis or beyond its ends: a section carries them at an offset."""
    link = arm.links[i]
    if not link.flexible:
        return []
    return [item for item in attached_to(arm, i) if item.y or not 0.0 <= item.x <= link.span]


def section_of(arm: Arm, i: int, item: Attached) -> float:
    """Place of the section that carries an attached mass, m."""
    return float(np.clip(item.x, 0.0, arm.links[i].span))
