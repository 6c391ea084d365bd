"""Forces on a link that bends across itself only."""

from __future__ import annotations

import math

from flexarm.drive import Patch


def across_share(patch: Patch, angle: float) -> float:
    """Part of a force across the link at the angle at which gravity is taken too."""
    x, y, _ = patch.direction
    return y if patch.axes == "link" else y * math.cos(angle) - x * math.sin(angle)
