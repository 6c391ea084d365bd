"""Figures of `flexarm linear` that take more than the model itself: loops, poles along the motion, steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flexarm.commands import options
from flexarm.errors import FlexarmError

if TYPE_CHECKING:
    from flexarm.scenario import Scenario

UNITS = {"free": "N*m|N", "held": "rad|m"}
"""Of a step, by what the motors do."""


def step_size(text: str | None, joints: str) -> float | None:
    """What `--step` asks for."""
    if text is None:
        return None
    if joints not in UNITS:
        raise FlexarmError(
            "a step is one of a torque (--joints free) or of a reference (--joints held)", field="--step"
        )
    return options.quantity(text, UNITS[joints], "--step")


def pictures(
    scenario: Scenario, joints: str, pose: list[float] | None, time: float | None, along: bool, step: float | None
) -> dict[str, Any]:
    """Figures by the names of their files."""
    import flexarm as fa
    from flexarm.view import nyquist, path_poles, step_responses

    found: dict[str, Any] = {}
    if joints == "held":
        loops = fa.open_loops(scenario, pose, time)
        if loops:
            found["nyquist"] = nyquist(loops, f"Open loops: {scenario.name}")
    if along:
        found["poles-along"] = path_poles(fa.poles_along(scenario, joints), f"Poles along the motion: {scenario.name}")
    if step is not None:
        made = fa.step_comparison(scenario, step, joints=joints)
        found["step"] = step_responses(made, f"Step of {made.input} by {made.size:g}: {scenario.name}")
    return found
