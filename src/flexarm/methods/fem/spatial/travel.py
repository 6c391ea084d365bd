"""How far the link of a sliding joint may go in and out."""

from __future__ import annotations

import numpy as np

from flexarm.arm import Link
from flexarm.errors import CapabilityError

LEAST_DIAMETERS = 3.0
"""A beam shorter than so many of its heights is none."""


def limits(link: Link) -> tuple[float, float]:
    """Shortest and longest free length of the link of a sliding joint, m."""
    run = abs(link.joint.dh.a) if link.joint.dh is not None else 0.0
    most = link.span - run
    if not link.flexible or link.section is None or link.material is None:
        return 0.0, np.inf if link.length is None and link.section is None else most
    values = link.section.values(link.material.nu, [0.0, *link.section.breaks, 1.0])
    return LEAST_DIAMETERS * 2.0 * float(max(np.max(values.fibre), np.max(values.fibre_y))), most


def check_length(link: Link, length: float) -> None:
    """Refuse a free length that is too short for a beam, or longer than the material."""
    least, most = limits(link)
    if length < least * (1.0 - 1e-9):
        raise CapabilityError(
            f"the sliding link '{link.name}' would stand out by only {length:.4g} m; as a beam it needs at least "
            f"{least:.4g} m ({LEAST_DIAMETERS:g} of its heights): change the motion, or say flexible: false",
            field=f"arm.links.{link.name}.joint.position",
        )
    if length > most * (1.0 + 1e-9):
        raise CapabilityError(
            f"the sliding link '{link.name}' would stand out by {length:.4g} m, but it has only {most:.4g} m of material: "
            "change the motion or the link's length",
            field=f"arm.links.{link.name}.length",
        )


def end_of_travel(link: Link, length: float, step_move: float) -> list[str]:
    """In words, that a beam pushed by a force stands within a step of the end of its travel; `step_move` is its move in that step."""
    least, most = limits(link)
    if not link.flexible or least < length + step_move < most:
        return []
    end = f"shortest length of {least:.4g} m" if length + step_move <= least else f"end of its {most:.4g} m of material"
    return [f"the sliding link '{link.name}' came to the {end}, and the run ends there: change its drive or the link"]
