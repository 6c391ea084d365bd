"""Wanted motions of the tip, from rest to rest: a path of several joints, or the way across a single link."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from pydantic import TypeAdapter, ValidationError

from flexarm.arm import Arm
from flexarm.drive import Drive
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


def tip_motion(arm: Arm, tip: Any) -> TipMotion:
    if len(arm.joints) == 1:
        return _across(arm, tip)
    try:
        shape = tip if not isinstance(tip, Mapping) else TypeAdapter(TipPath).validate_python(tip)
        motion = PathMotion(arm, shape.model_copy(update={"start": 0.0}), "tip")
    except ValidationError as error:
        raise FlexarmError(error.errors()[0]["msg"].removeprefix("Value error, "), field="tip") from None
    axes = 3 if arm.spatial else 2
    if len(arm.joints) != axes:
        raise ScenarioError(
            f"the tip has {axes} coordinates, but {len(arm.joints)} joints move it: an inverse needs as many",
            field="tip",
        )
    edges = [0.0, *motion.breaks(motion.end), motion.end]
    _check_smooth(edges, lambda t, inside: motion.tip(t, inside)[:2])

    def evaluate(t: np.ndarray) -> np.ndarray:
        return _piecewise(t, edges, lambda part, inside: motion.tip(part, inside)[:, :, :axes], axes)

    def joints(tips: np.ndarray) -> np.ndarray:
        full = np.zeros((3, tips.shape[1], 3))
        full[:, :, :axes] = tips
        q = rigid_inverse(
            arm, full[0] if arm.spatial else tips[0], guess=motion.pose, elbow="up" if motion.pose[-1] < 0.0 else "down"
        )
        return np.stack([q, *joint_rates(arm, q, full[1], full[2])])

    return TipMotion(motion.end, ("tip.x", "tip.y", "tip.z")[:axes], evaluate, joints)


def _across(arm: Arm, tip: Any) -> TipMotion:
    try:
        profiles = Drive(joint=arm.joints[0], motion=tip).motion
    except ValidationError as error:
        raise FlexarmError(error.errors()[0]["msg"].removeprefix("Value error, "), field="tip") from None
    assert profiles is not None
    signal = motion_signal([p.model_copy(update={"start": 0.0}) if k == 0 else p for k, p in enumerate(profiles)], 0.0)
    begin, end = signal.span
    if not math.isfinite(end) or end <= begin:
        raise FlexarmError("the motion of the tip begins and ends at rest: give its profile a duration", field="tip")
    edges, length, start = [0.0, *signal.breaks(end), end], arm.links[0].span, arm.pose[0]
    _check_smooth(edges, lambda t, inside: signal.evaluate(t, inside)[:2, :, None])

    def joints(tips: np.ndarray) -> np.ndarray:
        return tips / length + np.array([start, 0.0, 0.0])[:, None, None]

    return TipMotion(
        end,
        ("tip.travel",),
        lambda t: _piecewise(t, edges, lambda part, inside: signal.evaluate(part, inside)[:, :, None], 1),
        joints,
    )


def _piecewise(
    t: np.ndarray, edges: Sequence[float], rows: Callable[[np.ndarray, float], np.ndarray], axes: int
) -> np.ndarray:
    """Values of `rows` (3, n, axes) from rest to rest between the first and the last edge."""
    inside, found = np.clip(t, edges[0], edges[-1]), np.zeros((3, len(t), axes))
    for a, b in itertools.pairwise(edges):
        part = (inside >= a) & (inside <= b)
        found[:, part] = rows(inside[part], 0.5 * (a + b))
    found[1:, (t <= edges[0]) | (t >= edges[-1])] = 0.0
    return found


def _check_smooth(edges: Sequence[float], rows: Callable[[np.ndarray, float], np.ndarray]) -> None:
    """Refuse a motion of the tip whose place or velocity (2, n, axes) jumps at an edge."""
    last = np.zeros((2, 1))
    limits = [rows(np.array([a, b]), 0.5 * (a + b)) for a, b in itertools.pairwise(edges)]
    size = max(float(np.abs(limit[1]).max()) for limit in limits) + max(
        float(np.ptp(limit[0], axis=0).max()) for limit in limits
    )
    last = np.stack([limits[0][0, 0], np.zeros_like(limits[0][0, 0])])
    for time, limit in zip(edges, [*limits, None], strict=True):
        after = np.stack([last[0], np.zeros_like(last[0])]) if limit is None else limit[:, 0]
        if np.abs(after - last).max() > 1e-6 * max(size, 1e-12):
            raise FlexarmError(
                f"the tip cannot follow a motion that jumps or whose velocity jumps, as at {time:g} s: use nonic, or quintic",
                field="tip",
            )
        last = after if limit is None else limit[:, 1]
