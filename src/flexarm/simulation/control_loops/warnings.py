"""What is to be said about control laws before a run: whether their gains hold the arm, and what they read."""

from __future__ import annotations

from collections.abc import Iterator

from flexarm.errors import FlexarmError
from flexarm.scenario import Scenario
from flexarm.simulation.control_loops.stability import POSES, Stability, stability

CHORD = (
    "the control law reads the chord: sensor and motor are at different places of the arm (non-collocated), and such a "
    "law may destabilise modes without damping"
)
BEFORE_A_RUN = 3
"""Poses that are looked at before a run that nobody has asked about."""
_looked_at: dict[str, tuple[int, Stability | None]] = {}
"""The last scenario that was looked at, in how many poses: a run asks again for what was said before it."""


def law_warnings(plan: Scenario, poses: int = POSES) -> list[str]:
    """Gains that destabilise the arm in one of some poses along the run, and sensors that may."""
    found = []
    if any(drive.control is not None and drive.control.sensor == "chord" for drive in plan.drive):
        found.append(CHORD)
    loop = _loop(plan, poses)
    if loop is not None and not loop.stable:
        found.append(loop.sentence())
    return found


def loop_facts(plan: Scenario) -> Iterator[tuple[str, str]]:
    """How fast the slowest motion of the closed loop dies out."""
    loop = _loop(plan, POSES)
    if loop is not None:
        worst = float(loop.abscissa[loop.worst])
        words = "grows" if worst > 0 else "dies out"
        yield "closed loop", f"the slowest motion {words} with {abs(worst):.3g} 1/s (t = {loop.times[loop.worst]:g} s)"


def _loop(plan: Scenario, poses: int) -> Stability | None:
    """None if no law holds the arm, or the method cannot tell."""
    held = [d for d in plan.drive if d.control or d.servo or (d.actuator is not None and d.actuator.oil is not None)]
    if not held:
        return None
    if plan.hash not in _looked_at or _looked_at[plan.hash][0] < poses:
        _looked_at.clear()
        try:
            _looked_at[plan.hash] = poses, stability(plan, poses)
        except FlexarmError:
            _looked_at[plan.hash] = poses, None
    return _looked_at[plan.hash][1]
