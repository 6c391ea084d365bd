"""What is to be said about control laws before a run: whether their gains hold the arm, and what they read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from flexarm.errors import FlexarmError

if TYPE_CHECKING:
    from flexarm.analysis.stability import Stability
    from flexarm.scenario import Scenario

CHORD = (
    "the control law reads the chord: sensor and motor are at different places of the arm (non-collocated), and such a "
    "law may destabilise modes without damping"
)


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
    from flexarm.analysis.stability import stability

    try:
        return stability(plan)
    except FlexarmError:
        return None
