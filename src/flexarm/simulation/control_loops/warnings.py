"""What is to be said about control laws before a run: whether their gains hold the arm, and what they read."""

from __future__ import annotations

from collections.abc import Iterator

from flexarm.errors import FlexarmError
from flexarm.scenario import Scenario
from flexarm.simulation.build import Setup
from flexarm.simulation.control_loops.stability import POSES, Stability, stability

CHORD = (
    "the control law reads the chord: sensor and motor are at different places of the arm (non-collocated), and such a "
    "law may destabilise modes without damping"
)
BEFORE_A_RUN = 3
"""Poses that are looked at before a run that nobody has asked about."""


def law_warnings(scenario: Scenario | Setup, poses: int = POSES) -> list[str]:
    """Gains that destabilise the arm in one of some poses along the run, and sensors that may."""
    drives = (scenario.scenario if isinstance(scenario, Setup) else scenario).drive
    found = []
    if any(drive.control is not None and drive.control.sensor == "chord" for drive in drives):
        found.append(CHORD)
    loop = loop_stability(scenario, poses)
    if loop is not None and not loop.stable:
        found.append(loop.sentence())
    return found


def loop_facts(scenario: Scenario | Setup) -> Iterator[tuple[str, str]]:
    """How fast the slowest motion of the closed loop dies out."""
    loop = loop_stability(scenario, POSES)
    if loop is not None:
        worst = float(loop.abscissa[loop.worst])
        words = "grows" if worst > 0 else "dies out"
        yield "closed loop", f"the slowest motion {words} with {abs(worst):.3g} 1/s (t = {loop.times[loop.worst]:g} s)"


def lost_advice(setup: Setup) -> str:
    """What to change where a sampled law has lost its joint: the law itself, or the step if small motions die out."""
    found = loop_stability(setup, BEFORE_A_RUN)
    if found is not None and found.stable:
        return "small motions of this loop die out, so use a smaller time.step"
    return "check its gains and its period"


def loop_stability(scenario: Scenario | Setup, poses: int) -> Stability | None:
    """None if no law holds the arm, or the method cannot tell; a set-up that was looked at closely enough knows it."""
    known = scenario.stabilities if isinstance(scenario, Setup) else {}
    for looked, found in known.items():
        if looked >= poses:
            return found
    try:
        known[poses] = stability(scenario, poses)
    except FlexarmError:
        known[poses] = None
    return known[poses]
