"""A joint and the drive that moves it: all that an actuator must know to wire the joint."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flexarm.arm import Joint
from flexarm.drive.control import Gains
from flexarm.drive.impulses import Impulses
from flexarm.drive.line import Line
from flexarm.drive.paths import JointPath
from flexarm.drive.profiles import torque_signal
from flexarm.drive.shaped import shaped
from flexarm.drive.signal import PieceSignal, Signal
from flexarm.drive.wiring import Law

if TYPE_CHECKING:
    from flexarm.drive.drive import Drive


@dataclass(frozen=True)
class JointDrive:
    """One joint of a drive.

    Attributes
    ----------
    name, joint : str, Joint
        The joint.
    start : float
        Its position before t = 0, rad or m.
    drive : Drive
        What moves it.
    number, i : int
        Number of the drive in the list, and of the joint within the drive.
    command : PieceSignal, JointPath or None
        Its commanded motion, behind the shaper if there is one.
    impulses : Impulses or None
        The shaper.
    """

    name: str
    joint: Joint
    start: float
    drive: Drive
    number: int
    i: int
    command: PieceSignal | JointPath | None
    impulses: Impulses | None = None

    @property
    def place(self) -> str:
        """Where the actuator stands in the scenario."""
        return f"drive.{self.number}.actuator"

    @property
    def command_place(self) -> str:
        """Where the commanded motion stands in the scenario."""
        return f"drive.{self.number}.{'motion' if self.drive.path is None else 'path'}"

    @property
    def spring(self) -> bool:
        """A spring sits between motor and link."""
        return self.joint.stiffness is not None

    @property
    def prescribed(self) -> bool:
        """It follows a motion, without a law."""
        return self.command is not None and self.drive.servo is None and self.drive.control is None

    def pieces(self) -> PieceSignal:
        """The command as polynomials."""
        assert self.command is not None
        return self.command.in_pieces() if isinstance(self.command, JointPath) else self.command

    def line(self) -> Line:
        """Commands of a joint that is driven by torque."""
        drive = self.drive
        effort = shaped(torque_signal(drive.torque), self.impulses) if drive.torque is not None else None
        schedule: tuple[Gains, ...] = ()
        if drive.servo is not None:
            schedule = (Gains(math.inf, drive.servo.kp or 0.0, drive.servo.kv, 0.0),)
        elif drive.control is not None:
            schedule = drive.control.schedule(self.i)
        return Line(self.name, self.command, effort, schedule, drive.added, self.disturbance())

    @property
    def disturbed(self) -> bool:
        """Something acts beside the motor."""
        return self.drive.disturbance is not None

    def disturbance(self) -> Signal | None:
        """What acts beside the motor."""
        return None if self.drive.disturbance is None else torque_signal(self.drive.disturbance)

    def law(self) -> Law:
        """The law in front of the actuator; without servo or control the torque passes through."""
        control, friction = self.drive.control, self.joint.friction
        if control is not None:
            kind: Any = "external" if control.block is not None else control.type
            return Law(
                kind, control.sensor, control.limit_of(self.i), control.period, friction=friction, over=control.over or "",
                table=control.table(self.i),
            )  # fmt: skip
        return Law(sensor="hub" if self.drive.servo is None else "motor", friction=friction)
