"""Wanted motions of the tip, from rest to rest: a path of several joints, or the way across a single link."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from pydantic import TypeAdapter, ValidationError

from flexarm.arm import Arm
from flexarm.drive import Drive, PieceSignal
from flexarm.drive.paths import PathMotion, TipPath
from flexarm.drive.profiles.sequence import motion_signal
from flexarm.errors import FlexarmError, ScenarioError
from flexarm.rigid import inverse as rigid_inverse
from flexarm.rigid import joint_rates


@dataclass(frozen=True)
class TipMotion:
    """The wanted motion of the tip, and what the joints of the stiff arm do for a motion of the tip."""

    duration: float
    coordinates: tuple[str, ...]
    """Outputs of the linear model that are wanted."""
    evaluate: Callable[[np.ndarray], np.ndarray]
    """Tip with two derivatives, (3, n, m), at times (n,)."""
    joints: Callable[[np.ndarray], np.ndarray]
    """Joint positions with two derivatives, (3, n, joints), for the tip with two derivatives, (3, n, m)."""


Rows = Callable[[np.ndarray, float], np.ndarray]
"""Tip with two derivatives, (3, n, m), at times (n,) of the interval around another time."""


def tip_motion(arm: Arm, tip: Any) -> TipMotion:
    """The wanted motion of the tip, counted from the time at which it begins.

    `tip` is a path (as in a scenario, or a `PathMotion`); for a single link a profile of the way across it, or the signal of its angle.
    """
    try:
        return _across(arm, tip) if len(arm.joints) == 1 else _along(arm, tip)
    except ValidationError as error:
        raise FlexarmError(error.errors()[0]["msg"].removeprefix("Value error, "), field="tip") from None


def _along(arm: Arm, tip: Any) -> TipMotion:
    axes = 3 if arm.spatial else 2
    motion = tip if isinstance(tip, PathMotion) else PathMotion(arm, TypeAdapter(TipPath).validate_python(tip), "tip")
    if len(arm.joints) != axes:
        raise ScenarioError(
            f"the tip has {axes} coordinates, but {len(arm.joints)} joints move it: an inverse needs as many",
            field="tip",
        )

    def joints(tips: np.ndarray) -> np.ndarray:
        full = np.zeros((3, tips.shape[1], 3))
        full[:, :, :axes] = tips
        elbow = "up" if motion.pose[-1] < 0.0 else "down"
        q = rigid_inverse(arm, full[0, :, :axes], guess=motion.pose, elbow=elbow)
        return np.stack([q, *joint_rates(arm, q, full[1], full[2])])

    begin, end = motion.shape.start, motion.end
    breaks = [time for time in motion.breaks(end) if time > begin]

    def rows(t: np.ndarray, inside: float) -> np.ndarray:
        return motion.tip(t, inside)[:, :, :axes]

    return _made([begin, *breaks, end], rows, ("tip.x", "tip.y", "tip.z")[:axes], joints)


def _across(arm: Arm, tip: Any) -> TipMotion:
    length, start = arm.links[0].span, arm.pose[0]
    if isinstance(tip, PieceSignal):
        signal, size = tip, length
    else:
        signal, size = motion_signal(Drive(joint=arm.joints[0], motion=tip).motion or (), 0.0), 1.0
    begin, end = signal.span
    if not math.isfinite(end) or end <= begin:
        raise FlexarmError("the motion of the tip begins and ends at rest: give its profile a duration", field="tip")
    shift = np.array([signal.initial, 0.0, 0.0])[:, None, None]

    def rows(t: np.ndarray, inside: float) -> np.ndarray:
        return size * (signal.evaluate(t, inside)[:, :, None] - shift)

    def joints(tips: np.ndarray) -> np.ndarray:
        return tips / length + np.array([start, 0.0, 0.0])[:, None, None]

    breaks = [time for time in signal.breaks(end) if time > begin]
    return _made([begin, *breaks, end], rows, ("tip.travel",), joints)


def _made(
    edges: list[float], rows: Rows, coordinates: tuple[str, ...], joints: Callable[[np.ndarray], np.ndarray]
) -> TipMotion:
    _check_smooth(edges, rows)
    return TipMotion(edges[-1] - edges[0], coordinates, lambda t: _piecewise(t + edges[0], edges, rows), joints)


def _piecewise(t: np.ndarray, edges: Sequence[float], rows: Rows) -> np.ndarray:
    """Values of `rows` at times (n,), at rest before the first and after the last edge."""
    inside = np.clip(t, edges[0], edges[-1])
    found = np.zeros((3, len(t), rows(inside[:1], 0.5 * (edges[0] + edges[1])).shape[2]))
    for a, b in itertools.pairwise(edges):
        part = (inside >= a) & (inside <= b)
        found[:, part] = rows(inside[part], 0.5 * (a + b))
    found[1:, (t <= edges[0]) | (t >= edges[-1])] = 0.0
    return found


def _check_smooth(edges: Sequence[float], rows: Rows) -> None:
    """Refuse a motion of the tip whose place or velocity jumps at an edge."""
    limits = [rows(np.array([a, b]), 0.5 * (a + b))[:2] for a, b in itertools.pairwise(edges)]
    size = sum(max(float(np.abs(limit[k] - limits[0][k, 0] * (k == 0)).max()) for limit in limits) for k in (0, 1))
    before, after = [limits[0][:, 0], *(limit[:, 1] for limit in limits)], [limit[:, 0] for limit in limits]
    before[0] = before[0] * np.array([[1.0], [0.0]])
    after.append(before[-1] * np.array([[1.0], [0.0]]))
    for time, a, b in zip(edges, before, after, strict=True):
        if np.abs(a - b).max() > 1e-6 * max(size, 1e-12):
            raise FlexarmError(
                f"the tip cannot follow a motion that jumps or whose velocity jumps, as at {time:g} s: use nonic, or quintic",
                field="tip",
            )
