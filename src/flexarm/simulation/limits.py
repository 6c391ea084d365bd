"""Commands that leave the limits of joints."""

from __future__ import annotations

from typing import Any

import numpy as np

from flexarm.errors import FlexarmError
from flexarm.simulation.poses import commanded_motion

LOOKS = 401
"""Instants at which commands are looked at."""
SLACK = 1e-6


def limit_warnings(scenario: Any) -> list[str]:
    """A sentence for every joint that is told to leave its limits, or to move faster than it may."""
    joints = [scenario.arm.link(name).joint for name in scenario.arm.joints]
    if all(joint.limits is None for joint in joints):
        return []
    try:
        motion = commanded_motion(scenario, LOOKS)
    except FlexarmError:
        return []
    if motion is None:
        return []
    found, rate = [], np.diff(motion, axis=0) * (LOOKS - 1) / scenario.time.end
    for k, joint in enumerate(joints):
        if joint.limits is None:
            continue
        name, unit = scenario.arm.joints[k], "m" if joint.type == "prismatic" else "rad"
        low, high = joint.limits.ends
        least, most = float(motion[:, k].min()), float(motion[:, k].max())
        if least < low - SLACK or most > high + SLACK:
            found.append(
                f"joint '{name}' is told to go from {least:.4g} to {most:.4g} {unit}, beyond its limits of {low:.4g} and {high:.4g} {unit}"
            )
        fastest = float(np.abs(rate[:, k]).max())
        if joint.limits.velocity is not None and fastest > joint.limits.velocity * (1.0 + 1e-3):
            found.append(
                f"joint '{name}' is told to move at {fastest:.4g} {unit}/s, faster than its {joint.limits.velocity:.4g} {unit}/s"
            )
    return found
