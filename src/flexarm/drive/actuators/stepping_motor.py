"""A stepping motor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field, model_validator

from flexarm.arm.base import Truth
from flexarm.arm.joint import UNITS
from flexarm.arm.quantity import Duration, PositiveTime
from flexarm.drive.actuators.base import Actuator
from flexarm.drive.checks import check_motion
from flexarm.drive.joint_drive import JointDrive
from flexarm.drive.signal import Signal
from flexarm.drive.stepping_motor.motion import step_signal
from flexarm.errors import ScenarioError

if TYPE_CHECKING:
    from flexarm.drive.drive import Drive


class SteppingMotor(Actuator):
    """Follows a motion in whole steps; since a step in no time would need an infinite torque, each one is a short move from
    rest to rest."""

    type: Literal["stepper"] = Field(description="Kind of actuator")
    steps_per_turn: Annotated[int, Field(ge=1, le=1_000_000)] = Field(description="Full steps of the motor per turn")
    half: Truth = Field(default=False, description="Half steps, twice as many")
    ratio: Annotated[float, Field(gt=0, allow_inf_nan=False)] = Field(
        default=1.0, description="Turns of the motor per turn of the joint"
    )
    step_time: PositiveTime | None = Field(
        default=None, description="Time in which a step is moved; that of a step at the top speed when left out"
    )
    delay: Literal["ideal", "byte"] = Field(
        default="ideal", description="Step times as wanted, or as delay bytes of 1 to 255 give them"
    )
    overhead: Duration = Field(
        default=0.0, description="With delay bytes: time per step that the motor's program takes beside the wait"
    )

    @model_validator(mode="after")
    def _consistent(self) -> SteppingMotor:
        if self.overhead and self.delay != "byte":
            raise ValueError("overhead goes with delay: byte; ideal step times already count everything")
        return self

    def check(self, drive: Drive, whom: str) -> None:
        """Refuse all but a motion."""
        other = next((key for key in ("servo", "control", "torque") if getattr(drive, key) is not None), None)
        if other is not None or drive.motion is None:
            raise ValueError(
                f"the stepper of {whom} follows a motion in whole steps: give motion, and leave out "
                f"{other or 'the rest'} (a soft drive is the joint's stiffness)"
            )

    def motion(self, joint: JointDrive) -> tuple[Signal, list[str]]:
        """The steps, and a sentence about them; the velocity of the command may jump."""
        if joint.joint.type != "revolute":
            raise ScenarioError(
                f"a stepper turns a joint, but '{joint.name}' slides: give its motion as a table of small moves",
                field=f"{joint.place}.type",
            )
        command = joint.pieces()
        units = UNITS[joint.joint.type]
        check_motion(joint.name, command, command.initial, joint.joint.velocity, units, joint.command_place)
        signal, note = step_signal(joint.name, command, self, joint.place)
        return signal, [note]
