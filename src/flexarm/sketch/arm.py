"""The stiff arm in a pose as lines and marks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.rigid import close_loops, forward
from flexarm.rigid.beam import section_place
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
    chain = frames.chain
    used = [chain.mount[k] for k, p in enumerate(chain.parent) if p == i]
    used += [np.array(link.place(place)) for loop in arm.loops for owner, place in loop.places if owner == link.name]
    used += [chain.tip[i]] if arm.tool and link.name == arm.payload_link.name else []
    end = max(used, key=lambda place: float(np.linalg.norm(place)), default=np.zeros(3))
    return frames.points(link.name, np.outer(fractions, end))


def links(arm: Arm, places: np.ndarray, opacity: float = 1.0) -> list[Stroke]:
    """The links through their places, those that bend in blue."""
    return [
        Stroke(line, BLUE if link.flexible else INK, opacity=opacity)
        for link, line in zip(arm.links, places, strict=True)
    ]


def gaps(arm: Arm, shape: np.ndarray, s: np.ndarray) -> np.ndarray:
    """Ends of the rigid pieces between the lines (nt, links, len(s), 3) of arms in space: where a link stands on its parent, and where
    its own line begins, (nt, count, 2, 3)."""
    found, size = [], float(np.ptp(shape.reshape(-1, 3), axis=0).max())
    for i, link in enumerate(arm.links if arm.spatial else ()):
        if (name := arm.parent(link.name)) == "ground":
            continue
        p, parent = arm.index(name), arm.link(name)
        share = section_place(parent, link.at)[0] if parent.span else 0.0
        k = int(np.clip(np.searchsorted(s, share), 1, len(s) - 1))
        part = (share - s[k - 1]) / (s[k] - s[k - 1])
        ends = [(1.0 - part) * shape[:, p, k - 1] + part * shape[:, p, k], *([] if parent.span else [shape[:, p, -1]])]
        apart = [float(np.abs(end - shape[:, i, 0]).max()) for end in ends]
        if min(apart) > 1e-6 * size:
            found.append(np.stack([ends[int(np.argmin(apart))], shape[:, i, 0]], axis=1))
    return np.stack(found, axis=1) if found else np.zeros((len(shape), 0, 2, shape.shape[-1]))


def brackets(arm: Arm) -> list[Stroke]:
    """From the roots of links to their named points, in the start pose; in space between the lines of links that stand apart."""
    frames = forward(arm, close_loops(arm, arm.pose))
    found = [Stroke(line, INK, 2.0) for line in gaps(arm, lines_along(arm, frames, SAMPLES)[None], SAMPLES)[0]]
    for i, link in enumerate(arm.links):
        for name in link.points:
            point = frames.root[i] + frames.rotation[i] @ np.array(link.place(name))
            found.append(Stroke(np.stack([frames.root[i], point]), INK, 2.0))
    return found


def joints(arm: Arm, places: np.ndarray) -> list[Mark]:
    """Joints at the roots of the links, square on the ground, and the tip."""
    roots = [Mark(line[0], arm.parent(link.name) == "ground") for link, line in zip(arm.links, places, strict=True)]
    return [*roots, Mark(places[arm.index(arm.payload_link.name), -1], fill=ORANGE)]
