"""Which element a link gets, and what the user should know about it."""

from __future__ import annotations

import numpy as np

from flexarm.arm import Arm, Link
from flexarm.methods.ancf.mesh import Mesh
from flexarm.methods.ancf.options import AncfOptions

SLENDER = 30.0
"""Links longer than this many times their height become cables."""


def is_sheared(link: Link, options: AncfOptions) -> bool:
    """Whether a link gets section vectors."""
    if options.variant == "paper" or options.element == "shear":
        return True
    return options.element == "auto" and link.span <= SLENDER * height(link)


def height(link: Link) -> float:
    """Height of the rectangle with the section's area and inertia, the largest along the link."""
    local = link.properties(np.linspace(0.0, 1.0, 9))
    return float(np.sqrt(12.0 * local["EI"] / local["EA"]).max())


def notes_of(arm: Arm, mesh: Mesh, options: AncfOptions) -> list[str]:
    """What was chosen, and warnings."""
    if options.variant == "paper":
        first = f"the paper's continuum element, plane {options.plane}, {mesh.size} unknowns"
        return [
            first,
            *(_locking(link, count, options.plane) for link, count in zip(arm.links, mesh.counts, strict=True)),
        ]
    slender = [link.name for link, sheared in zip(arm.links, mesh.sheared, strict=True) if not sheared]
    notes = [f"{mesh.size} unknowns, {options.integrator}, {options.solver}"]
    if slender:
        which = "no shear" if options.element == "cable" else f"length above {SLENDER:g} heights"
        notes.append(f"cable element ({which}) for {', '.join(slender)}")
    return notes


def _locking(link: Link, count: int, plane: str) -> str:
    """How much the paper's element is too stiff in bending: by Poisson's ratio, and by its constant curvature."""
    nu = link.material.nu if link.material is not None else 0.0
    poisson = nu**2 if plane == "stress" else 1.0 - (1.0 + nu) * (1.0 - 2.0 * nu) / (1.0 - nu)
    lost = poisson + (1.0 - poisson) / (4.0 * count**2)
    return (
        f"this element locks: link '{link.name}' with {count} elements bends about {100 * lost:.1f} % too little "
        f"(Poisson {100 * poisson:.1f} %, constant curvature {25.0 / count**2:.1f} %); variant: sound does not"
    )
