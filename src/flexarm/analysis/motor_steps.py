"""The steps of the motor that a scenario drives a joint with."""

from __future__ import annotations

from pathlib import Path

from flexarm.drive.actuators import SteppingMotor
from flexarm.drive.profiles import motion_signal
from flexarm.drive.stepping_motor.table import StepTable, step_table
from flexarm.errors import FlexarmError, ScenarioError
from flexarm.scenario import Scenario, as_scenario


def motor_steps(
    scenario: Scenario | str | Path,
    joint: str | None = None,
    *,
    steps_per_turn: int | None = None,
    half: bool | None = None,
    ratio: float | None = None,
) -> StepTable:
    """When the stepping motor of a joint must step to follow its motion.

    Parameters
    ----------
    scenario : Scenario, str or Path
        A scenario whose joint has a motion that comes to rest.
    joint : str, optional
        The joint; may be left out if one joint has a stepper, or one alone has a motion.
    steps_per_turn, half, ratio : optional
        The motor, in place of what the scenario says.

    Examples
    --------
    >>> import math
    >>> table = motor_steps("stepper-rig")
    >>> len(table.times), round(math.degrees(table.landing), 6)
    (900, 90.0)
    """
    loaded = as_scenario(scenario)
    moved = {name: drive for drive in loaded.drive if drive.motion is not None for name in drive.names}
    stepped = [name for name, d in moved.items() if isinstance(d.actuator, SteppingMotor)]
    if joint is None:
        choice = stepped or list(moved)
        if len(choice) != 1:
            raise FlexarmError(f"say which joint: {', '.join(choice) or 'none has a motion'}", field="joint")
        joint = choice[0]
    if joint not in moved:
        raise FlexarmError(f"joint '{joint}' has no motion; there are {', '.join(moved) or 'none'}", field="joint")
    if loaded.arm.link(joint).joint.type != "revolute":
        raise FlexarmError(f"a stepper turns a joint, but '{joint}' slides", field="joint")
    drive = moved[joint]
    motor = drive.actuator if isinstance(drive.actuator, SteppingMotor) else None
    turn = steps_per_turn if steps_per_turn is not None else motor.steps_per_turn if motor is not None else None
    if turn is None or turn < 1:
        raise FlexarmError(
            f"joint '{joint}' has no stepper: give steps_per_turn, the full steps of its motor per turn",
            field="steps_per_turn",
        )
    halves = half if half is not None else motor.half if motor is not None else False
    gear = ratio if ratio is not None else motor.ratio if motor is not None else 1.0
    if not 0.0 < gear < float("inf"):
        raise FlexarmError(f"the ratio must be positive, not {gear:g}", field="ratio")
    command = motion_signal(drive.motion or (), loaded.arm.pose[loaded.arm.joints.index(joint)])
    try:
        return step_table(command, turn, halves, gear)
    except ScenarioError as error:
        raise FlexarmError(error.message, field=f"motion of {joint}") from None
