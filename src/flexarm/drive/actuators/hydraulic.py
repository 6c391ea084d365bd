"""A hydraulic position loop of third order, which does not feel its load."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

import numpy as np
from pydantic import Field, model_validator

from flexarm.arm.quantity import Frequency, Quantity
from flexarm.drive.actuators.transfer import Filter, Roots
from flexarm.drive.cylinder import Share
from flexarm.drive.joint_drive import JointDrive
from flexarm.drive.line import Line
from flexarm.drive.wiring import JointWiring
from flexarm.errors import ScenarioError

if TYPE_CHECKING:
    from flexarm.drive.drive import Drive

LoopGain = Annotated[float, Field(gt=0, allow_inf_nan=False), Quantity("1/s")]
GAIN_MEANING = "Speed per position error of the position loop"


class Hydraulic(Filter):
    """A position loop of third order, K ω² / (s (s² + 2 ζ ω s + ω²)) with unity feedback; it does not feel its load."""

    advice: ClassVar[str] = "; or, to feel its load, cylinder, valve and oil"

    type: Literal["hydraulic"] = Field(description="Kind of actuator")
    loop_gain: LoopGain = Field(description=GAIN_MEANING)
    natural_frequency: Frequency = Field(description="Frequency of load and oil with the loop open")
    damping: Share = Field(description="Damping ratio of that frequency")

    @model_validator(mode="after")
    def _stable(self) -> Hydraulic:
        most = 4.0 * math.pi * self.damping * self.natural_frequency
        if self.loop_gain >= most:
            raise ValueError(
                f"the position loop is unstable: loop_gain {self.loop_gain:g} 1/s must be below {most:.4g} 1/s, "
                "twice the damping ratio times the natural frequency in rad/s"
            )
        return self

    def check(self, drive: Drive, whom: str) -> None:
        """Refuse a drive without a motion."""
        check_position_loop(drive, whom)

    def roots(self) -> Roots:
        """Poles of the closed loop."""
        w = 2.0 * math.pi * self.natural_frequency
        found = np.roots([1.0, 2.0 * self.damping * w, w * w, self.loop_gain * w * w])
        return tuple(complex(root) for root in found if root.imag >= 0.0), ()

    def wire(self, joint: JointDrive) -> tuple[JointWiring, Line, list[str]]:
        """Wiring, line and warnings of the joint."""
        if self.cylinder is None and not (joint.prescribed and joint.drive.torque is None):
            raise ScenarioError(
                f"the hydraulic actuator of joint '{joint.name}' is a position loop: give motion or path alone",
                field=joint.place,
            )
        return super().wire(joint)


def check_position_loop(drive: Drive, whom: str) -> None:
    """Refuse a drive that gives a position loop nothing to follow."""
    if not (drive.motion or drive.path or drive.control):
        raise ValueError(f"the hydraulic actuator of {whom} is a position loop: give motion or path")
