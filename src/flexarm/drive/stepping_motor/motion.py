"""A stepping motor as an actuator: from the command to the motion that it makes, in words for the user."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from flexarm.drive.signal import PieceSignal
from flexarm.drive.stepping_motor.signal import StepSignal
from flexarm.drive.stepping_motor.steps import FollowingSteps, Steps
from flexarm.drive.stepping_motor.table import step_size, step_table
from flexarm.errors import FlexarmError, ScenarioError

if TYPE_CHECKING:
    from flexarm.drive.actuators.stepping_motor import SteppingMotor


def step_signal(name: str, command: PieceSignal, motor: SteppingMotor, field: str) -> tuple[StepSignal, str]:
    """The motion of a stepping motor, and a sentence about it.

    Parameters
    ----------
    name : str
        The joint.
    command : PieceSignal
        Its commanded position, rad.
    motor : SteppingMotor
        The motor.
    field : str
        Where the actuator stands in the scenario.
    """
    size = step_size(motor.steps_per_turn, motor.half, motor.ratio)
    try:
        following = FollowingSteps(command, size)
    except ScenarioError as error:
        raise ScenarioError(f"joint '{name}': {error.message}", field=field) from None
    steps: Steps = following
    fastest = size / following.top_speed if following.top_speed > 0.0 else math.inf
    if motor.delay == "byte":
        try:
            table = step_table(command, motor.steps_per_turn, motor.half, motor.ratio).with_bytes(motor.overhead)
        except FlexarmError as error:
            raise ScenarioError(f"joint '{name}': {error.message}", field=f"{field}.delay") from None
        steps = table.steps()
        fastest = 1.0 / table.top_rate if table.top_rate else math.inf
    count = len(steps.until(following.ends if math.isfinite(following.ends) else 0.0)[0])
    told = f"{count} steps of" if math.isfinite(following.ends) else "steps of"
    time = motor.step_time or (fastest if math.isfinite(fastest) else 1.0)
    rate = f", at most {1.0 / fastest:.4g} per second" if math.isfinite(fastest) else ""
    return StepSignal(steps, time), (
        f"the stepper of joint '{name}' makes {told} {math.degrees(size):.4g} deg{rate}; each is a move from rest to rest "
        f"within {1e3 * time:.4g} ms, since a step in no time would need an infinite torque"
    )
