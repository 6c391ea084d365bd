"""Whether drives fit the joints: springs, jumps of a motion, feed-forward."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from flexarm.arm import Arm, Joint
from flexarm.drive.line import Line
from flexarm.drive.signal import Signal
from flexarm.errors import ScenarioError

if TYPE_CHECKING:
    from flexarm.drive.drive import Drive


def check_spring(name: str, joint: Joint, number: int, drive: Drive) -> None:
    """Refuse a torque on a motor side that has a spring but no inertia."""
    if joint.stiffness is None or joint.rotor_inertia > 0.0:
        return
    what = next(key for key in ("servo", "control", "torque", "disturbance") if getattr(drive, key) is not None)
    raise ScenarioError(
        f"joint '{name}' has a series spring, so its {what} acts on the motor side, which needs inertia: "
        "give the joint rotor_inertia",
        field=f"drive.{number}.{what}",
    )


def check_motion(
    name: str, command: Signal, start: float, rate: float, units: Mapping[str, str], field: str
) -> list[str]:
    """Refuse a prescribed motion whose position jumps; warn of jumps of its velocity.

    Parameters
    ----------
    command : Signal
        Position of the joint (motor side).
    start, rate : float
        Position and velocity of the joint before t = 0.
    units : mapping
        Units of the joint's quantities.
    field : str
        Place of the motion in the scenario.
    """
    times, sizes = command.jumps()
    for time, size in zip(times, sizes[0], strict=True):
        if size:
            advice = f"set the joint's position to {start + size:g} {units['position']}" if time == 0.0 else ""
            raise ScenarioError(
                f"the motion of joint '{name}' jumps by {size:g} {units['position']} at {time:g} s, which no "
                f"joint can follow: {advice or 'let each part begin where the one before ends'}",
                field=field,
            )
    jumps = {float(t): float(s) for t, s in zip(times, sizes[1], strict=True) if s}
    first = jumps.pop(0.0, 0.0)
    if abs(first - rate) > 1e-9 * max(abs(first), abs(rate)):
        jumps = {0.0: first - rate, **jumps}
    if not jumps:
        return []
    time, size = next(iter(jumps.items()))
    more = f" (and at {len(jumps) - 1} more times)" if len(jumps) > 1 else ""
    return [
        f"the velocity of joint '{name}' jumps by {size:.3g} {units['velocity']} at {time:g} s{more}; "
        "it takes an infinite torque for an instant; a move from rest to rest avoids it"
    ]


def check_feedforward(arm: Arm, lines: Sequence[Line], numbers: Mapping[str, int]) -> None:
    """Refuse feed-forward where the motion of the whole arm is not commanded."""
    helped = next((line.name for line in lines if line.feedforward), None)
    if helped is None:
        return
    field = f"drive.{numbers[helped]}.feedforward"
    if arm.loops:
        raise ScenarioError("feedforward is not available for arms with loops in this version", field=field)
    missing = [line.name for line in lines[: len(arm.joints)] if line.position is None]
    if missing:
        raise ScenarioError(
            f"feedforward needs a commanded motion of every joint, but {' and '.join(missing)} has none",
            field=field,
        )
