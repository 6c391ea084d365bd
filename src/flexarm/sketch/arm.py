"""The stiff arm in a pose as lines and marks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.rigid import close_loops, forward
from flexarm.sketch.svg import BLUE, INK, ORANGE, Mark, Stroke

if TYPE_CHECKING:
    from flexarm.arm import Arm
    from flexarm.rigid import Frames

SAMPLES = np.linspace(0.0, 1.0, 21)


def stiff_places(arm: Arm, fractions: np.ndarray = SAMPLES, pose: Any = None) -> np.ndarray:
    """Places along all links in m, shape (links, fractions, 3), loops closed; in the start pose if none is given."""
    return lines_along(arm, forward(arm, close_loops(arm, arm.pose if pose is None else pose)), fractions)


def lines_along(arm: Arm, frames: Frames, fractions: np.ndarray) -> np.ndarray:
    """Places along all links in m, shape (..., links, fractions, 3); a body without a length is drawn from its joint to the
    farthest place that something is fixed to."""
    return np.stack([_line(arm, frames, i, fractions) for i in range(len(arm.links))], axis=-3)


def _line(arm: Arm, frames: Frames, i: int, fractions: np.ndarray) -> np.ndarray:
    link = arm.links[i]
    if link.span:
        return frames.along(link.name, fractions)
    used = [other.at for other in arm.links if arm.parent(other.name) == link.name]
    used += [place for loop in arm.loops for owner, place in loop.places if owner == link.name]
    end = max(used, key=lambda place: float(np.linalg.norm(link.place(place))), default="root")
    root = frames.place(link.name, "root")[..., None, :]
    return root + np.asarray(fractions)[:, None] * (frames.place(link.name, end)[..., None, :] - root)


def links(arm: Arm, places: np.ndarray, opacity: float = 1.0) -> list[Stroke]:
    """The links through their places, those that bend in blue."""
    return [
        Stroke(line, BLUE if link.flexible else INK, opacity=opacity)
        for link, line in zip(arm.links, places, strict=True)
    ]


def brackets(arm: Arm) -> list[Stroke]:
    """From the roots of links to their named points, in the start pose."""
    frames = forward(arm, close_loops(arm, arm.pose))
    found = []
    for i, link in enumerate(arm.links):
        for name in link.points:
            point = frames.root[i] + frames.rotation[i] @ np.array(link.place(name))
            found.append(Stroke(np.stack([frames.root[i], point]), INK, 2.0))
    return found


def joints(arm: Arm, places: np.ndarray) -> list[Mark]:
    """Joints at the roots of the links, square on the ground, and the tip."""
    roots = [Mark(line[0], arm.parent(link.name) == "ground") for link, line in zip(arm.links, places, strict=True)]
    return [*roots, Mark(places[arm.index(arm.payload_link.name), -1], fill=ORANGE)]
