"""What is to be said about control laws before a run: whether their gains hold the arm, and what they read."""

from __future__ import annotations

from collections.abc import Iterator

from flexarm.errors import FlexarmError
from flexarm.scenario import Scenario
from flexarm.simulation.loops.stability import Stability, stability

CHORD = (
    "the control law reads the chord: sensor and motor are at different places of the arm (non-collocated), and such a "
    "law may destabilise modes without damping"
)
_looked_at: dict[str, Stability | None] = {}
"""The last scenario that was looked at: a run asks again for what was said before it."""


def law_warnings(plan: Scenario) -> list[str]:
    """Gains that destabilise the arm, and sensors that may."""
    found = []
    if any(drive.control is not None and drive.control.sensor == "chord" for drive in plan.drive):
        found.append(CHORD)
    loop = _loop(plan)
    if loop is not None and not loop.stable:
        found.append(loop.sentence())
    return found


def loop_facts(plan: Scenario) -> Iterator[tuple[str, str]]:
    """How fast the slowest motion of the closed loop dies out."""
    loop = _loop(plan)
    if loop is not None:
        worst = float(loop.abscissa[loop.worst])
        words = "grows" if worst > 0 else "dies out"
        yield "closed loop", f"the slowest motion {words} with {abs(worst):.3g} 1/s (t = {loop.times[loop.worst]:g} s)"


def _loop(plan: Scenario) -> Stability | None:
    """None if no law holds the arm, or the method cannot tell."""
    held = [d for d in plan.drive if d.control or d.servo or (d.actuator is not None and d.actuator.oil is not None)]
    if not held:
        return None
    if plan.hash not in _looked_at:
        _looked_at.clear()
        try:
            _looked_at[plan.hash] = stability(plan)
        except FlexarmError:
            _looked_at[plan.hash] = None
    return _looked_at[plan.hash]
