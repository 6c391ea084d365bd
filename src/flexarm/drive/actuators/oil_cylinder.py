"""A hydraulic cylinder that feels its load: its pressures are states of the simulation."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import Field, model_validator

from flexarm.drive.actuators.base import Actuator
from flexarm.drive.actuators.hydraulic import GAIN_MEANING, LoopGain, check_position_loop
from flexarm.drive.cylinder import Cylinder, Oil, Valve
from flexarm.drive.cylinder_joints import AT_ONCE, check_cylinder
from flexarm.drive.cylinder_signal import check_reach
from flexarm.drive.hydraulic import HydraulicCylinder
from flexarm.drive.joint_drive import JointDrive
from flexarm.drive.line import Line
from flexarm.drive.piecewise import Row
from flexarm.drive.signal import PieceSignal
from flexarm.drive.wiring import JointWiring, Law
from flexarm.errors import ScenarioError

if TYPE_CHECKING:
    from flexarm.drive.drive import Drive

FOLLOWING = ("natural_frequency", "damping", "bandwidth")
"""Fields of a position loop that follow from cylinder, oil and load here."""


class OilCylinder(Actuator):
    """The same with a cylinder, a valve and oil, whose pressures feel the load."""

    advice: ClassVar[str] = ": with valve or oil it feels its load"

    type: Literal["hydraulic"] = Field(description="Kind of actuator")
    cylinder: Cylinder = Field(description="The cylinder that moves the joint, with area and stroke")
    valve: Valve = Field(description="The servo valve")
    oil: Oil = Field(description="Pressures and stiffness of the oil")
    loop_gain: LoopGain | None = Field(default=None, description=GAIN_MEANING)

    @model_validator(mode="before")
    @classmethod
    def _without_what_follows(cls, value: Any) -> Any:
        if isinstance(value, dict):
            extra = [name for name in FOLLOWING if value.get(name) is not None]
            if extra:
                raise ValueError(f"with oil, {' and '.join(extra)} follow from cylinder and load: leave out")
        return value

    @model_validator(mode="after")
    def _consistent(self) -> OilCylinder:
        if self.cylinder.area is None or self.cylinder.stroke is None:
            raise ValueError("a cylinder with oil needs area and stroke")
        return self

    @property
    def pressures(self) -> HydraulicCylinder:
        """The cylinder as the joint laws need it."""
        return HydraulicCylinder(self.cylinder, self.valve, self.oil, self.loop_gain or 0.0)

    def check(self, drive: Drive, whom: str) -> None:
        """Refuse a drive without a motion or a controller."""
        check_position_loop(drive, whom)

    def behind(self, law: Law) -> Law:
        """The position loop, or a controller, opens the valve."""
        made = self.pressures
        return replace(law, sensor="motor", limit=1.0, actuator=made.spool(), cylinder=made)

    def wire(self, joint: JointDrive) -> tuple[JointWiring, Line, list[str]]:
        """Wiring, line and warnings of the joint."""
        check_cylinder(joint, self.cylinder, feels=True)
        self._check_joint(joint)
        resting = PieceSignal([Row(0.0, (joint.start,))], initial=joint.start)
        command = joint.command or resting
        check_reach(joint.name, command, self.cylinder, joint.start, AT_ONCE, f"{joint.place}.cylinder")
        law = replace(self.behind(joint.law()), disturbed=joint.disturbed)
        line = Line(joint.name, position=joint.command, disturbance=joint.disturbance(), beside=True)
        return JointWiring(joint.name, "torque", joint.spring, law, joint.disturbed), line, []

    def _check_joint(self, joint: JointDrive) -> None:
        name, control = joint.name, joint.drive.control
        if joint.spring and not joint.joint.rotor_inertia:
            raise ScenarioError(
                f"joint '{name}' has a series spring, so its cylinder acts on the motor side, which needs inertia: "
                "give the joint rotor_inertia",
                field=joint.place,
            )
        if control is not None and self.loop_gain:
            raise ScenarioError(
                f"the valve of joint '{name}' is opened by the external controller: leave out loop_gain, or control",
                field=f"{joint.place}.loop_gain",
            )
        if control is None and not self.loop_gain:
            raise ScenarioError(
                f"the cylinder of joint '{name}' needs loop_gain to follow its motion, for example 10 1/s, or "
                "control: {type: external, period: ...}",
                field=f"{joint.place}.loop_gain",
            )
        if control is not None and control.limit is not None:
            raise ScenarioError(
                f"the opening of the valve of joint '{name}' is limited to 1 anyway: leave out control.limit",
                field=f"{joint.place}.valve",
            )
