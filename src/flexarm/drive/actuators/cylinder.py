"""Actuators that may move their joint through a cylinder."""

from __future__ import annotations

from pydantic import Field

from flexarm.drive.actuators.base import Actuator
from flexarm.drive.cylinder import Cylinder
from flexarm.drive.cylinder_joints import check_cylinder, cylinder_motion
from flexarm.drive.joint_drive import JointDrive
from flexarm.drive.line import Line
from flexarm.drive.signal import Signal
from flexarm.drive.wiring import JointWiring


class WithCylinder(Actuator):
    """An actuator that shapes the length of a cylinder, if there is one, in place of the joint's position."""

    cylinder: Cylinder | None = Field(
        default=None,
        description="The cylinder that moves the joint; it is its length that is then shaped, and reported",
    )

    def shape(self, joint: JointDrive) -> Signal:
        """The motion of the joint when the length of its cylinder is shaped."""
        if self.cylinder is None:
            return super().shape(joint)
        return cylinder_motion(joint, self.system(), self.cylinder)

    def wire(self, joint: JointDrive) -> tuple[JointWiring, Line, list[str]]:
        """Wiring, line and warnings of the joint."""
        if self.cylinder is not None:
            check_cylinder(joint, self.cylinder)
        return super().wire(joint)
