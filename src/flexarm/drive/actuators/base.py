"""What all actuators share: which drives they fit, how they shape a motion, what they make of a law."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from flexarm.arm.base import Part
from flexarm.arm.joint import UNITS
from flexarm.drive.checks import check_motion, check_spring
from flexarm.drive.filtered import FilteredSignal
from flexarm.drive.line import Line
from flexarm.drive.signal import PieceSignal, Signal
from flexarm.drive.statespace import StateSpace
from flexarm.drive.wiring import MOST_POLES, JointWiring, Law
from flexarm.errors import ScenarioError

if TYPE_CHECKING:
    from flexarm.drive.drive import Drive
    from flexarm.drive.joint_drive import JointDrive


class Actuator(Part):
    """What stands between the command and the joint.

    A kind of actuator is a subclass with a literal `type` and its own fields. What it does it says by `system` (a linear
    filter), `behind` (what it makes of a law) or `motion` (what it makes of a prescribed motion).
    """

    on_patch: ClassVar[bool] = False
    """It may shape the force or moment of a patch."""
    advice: ClassVar[str] = ""
    """What else could be written where a field is missing."""

    type: str

    def check(self, drive: Drive, whom: str) -> None:
        """Refuse (ValueError) a drive that it does not fit; `whom` names the joints."""

    def system(self) -> StateSpace | None:
        """The linear filter from command to torque or motion; None if there is none."""
        return None

    def doubt(self) -> str | None:
        """A sentence if its numbers do not fit together."""
        return None

    def behind(self, law: Law) -> Law:
        """The law with this actuator behind it."""
        return replace(law, actuator=self.system())

    def filtered(self, signal: PieceSignal) -> Signal:
        """A signal after the linear filter."""
        system = self.system()
        return signal if system is None else FilteredSignal(signal, system)

    def shape(self, joint: JointDrive) -> Signal:
        """What the commanded motion of a joint becomes."""
        assert joint.command is not None
        return joint.command if self.system() is None else self.filtered(joint.pieces())

    def motion(self, joint: JointDrive) -> tuple[Signal, list[str]]:
        """The motion of a joint that follows its command, and what the user should know."""
        shaped, units = self.shape(joint), UNITS[joint.joint.type]
        return shaped, check_motion(joint.name, shaped, joint.start, joint.joint.velocity, units, joint.command_place)

    def wire(self, joint: JointDrive) -> tuple[JointWiring, Line, list[str]]:
        """Wiring, line and warnings of a joint."""
        if joint.prescribed:
            position, notes = self.motion(joint)
            if joint.joint.friction:
                notes.append(
                    f"the motion of joint '{joint.name}' is prescribed, so its friction changes nothing, and its drive "
                    "torque does not count it; give servo or control to feel friction"
                )
            line = Line(joint.name, position=position, disturbance=joint.disturbance(), beside=True)
            return JointWiring(joint.name, "motion", joint.spring, disturbed=joint.disturbed), line, notes
        check_spring(joint.name, joint.joint, joint.number, joint.drive)
        law = self.behind(joint.law())
        if law.actuator is not None and law.actuator.order > MOST_POLES:
            raise ScenarioError(
                f"the actuator of joint '{joint.name}' has {law.actuator.order} poles (a complex one counts twice); "
                f"behind a torque there may be {MOST_POLES}: leave out the fastest",
                field=f"{joint.place}.poles",
            )
        direct, line = joint.drive.servo is None and joint.drive.control is None and law == Law(), joint.line()
        if joint.disturbed and law.stands_between:
            law, line = replace(law, disturbed=True), replace(line, beside=True)
        return JointWiring(joint.name, "torque", joint.spring, None if direct else law, joint.disturbed), line, []
