"""One entry of `drive`: who is moved, and by what."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, field_validator, model_validator

from flexarm.arm.base import Label, Part
from flexarm.arm.quantity import Fraction, Number
from flexarm.drive.actuators.union import AnyActuator
from flexarm.drive.control import Control, Servo
from flexarm.drive.cylinder import Cylinder
from flexarm.drive.paths import TipPath
from flexarm.drive.profiles import MotionSequence, TorqueSequence
from flexarm.drive.profiles.sequence import check_sequence
from flexarm.drive.shaper import InputShaper

Feedforward = Literal["gravity", "rigid", "joint", "tip"]


class PatchPlace(Part):
    """Where a load or a distributed actuator acts: a stretch or a point of a link, in fractions of its length; and in which direction."""

    link: str = Field(description="Link that carries it")
    begin: Fraction | None = Field(default=None, alias="from", description="Where it begins")
    end: Fraction | None = Field(default=None, alias="to", description="Where it ends; a point when left out")
    at: Fraction | Literal["root", "tip"] | None = Field(
        default=None, description="The point where it acts, in place of from and to"
    )
    direction: tuple[Number, Number] | tuple[Number, Number, Number] | None = Field(
        default=None,
        description="Direction of the force (axis of the moment, in space); its length does not count. Across the link (y) when left out",
    )
    axes: Literal["link", "world"] = Field(
        default="link", description="Axes of the direction: of the section, with which the load turns, or of the world"
    )
    name: Label | None = Field(default=None, description="Name of its channel; link-force or link-moment when left out")

    @model_validator(mode="after")
    def _consistent(self) -> PatchPlace:
        if (self.at is None) == (self.begin is None):
            raise ValueError("a patch acts at one place: give 'at', or 'from' (and 'to')")
        if self.at is not None and self.end is not None:
            raise ValueError("'to' goes with 'from': leave it out where 'at' is given")
        begin, end = self.span
        if end < begin:
            raise ValueError("a patch must not end before it begins: 'to' must be at least 'from'")
        if self.direction is not None and not any(self.direction):
            raise ValueError("a direction of zeros points nowhere")
        if self.axes == "world" and self.direction is None:
            raise ValueError("axes: world needs the direction there, such as [0, -1]")
        return self

    @property
    def span(self) -> tuple[float, float]:
        """Begin and end as fractions of the link's length."""
        if self.at is not None:
            place = {"root": 0.0, "tip": 1.0}[self.at] if isinstance(self.at, str) else self.at
            return place, place
        assert self.begin is not None
        return self.begin, self.begin if self.end is None else self.end


class Drive(Part):
    """What moves one joint, several joints alike, or a patch on a link.

    Examples
    --------
    >>> drive = Drive(joint="fore", motion={"profile": "cycloid", "by": 1.0, "duration": 2.0})
    >>> drive.names, drive.motion[0].profile
    (('fore',), 'cycloid')
    """

    joint: str | None = Field(default=None, description="Joint that is driven")
    joints: Annotated[tuple[str, ...], Field(min_length=1)] | None = Field(
        default=None, description="Joints that are driven alike"
    )
    motion: MotionSequence | None = Field(default=None, description="Commanded motion: a profile or a sequence")
    path: TipPath | None = Field(default=None, description="Path of the tip that the joints follow together")
    torque: TorqueSequence | None = Field(default=None, description="Torque or force: a profile or a sequence")
    disturbance: TorqueSequence | None = Field(
        default=None,
        description="Torque or force on the joint beside its motor, behind limits and actuator, whatever moves the joint",
    )
    shaper: InputShaper | None = Field(
        default=None, description="Input shaper in front of motion, path, torque, force or moment"
    )
    feedforward: Feedforward | None = Field(
        default=None,
        description="Torque added to the law for the commanded motion: weight of the stiff arm, all of the stiff arm, of the flexible arm "
        "with its joints led, or of the flexible arm with its tip led",
    )
    servo: Servo | None = Field(default=None, description="Compliance of a position servo: auto, or kp and kv")
    control: Control | None = Field(default=None, description="Control law")
    actuator: AnyActuator | None = Field(default=None, description="What shapes the command; ideal when left out")
    patch: PatchPlace | None = Field(
        default=None, description="Place of a load or a distributed actuator on a link, in place of a joint"
    )
    force: TorqueSequence | None = Field(default=None, description="Patch: force, spread evenly over a stretch")
    moment: TorqueSequence | None = Field(
        default=None, description="Patch: bending moment between its ends, or moment at one place"
    )

    @field_validator("motion", "torque", "disturbance", "force", "moment")
    @classmethod
    def _ends(cls, value: Any) -> Any:
        if value is not None:
            check_sequence(value)
        return value

    @model_validator(mode="after")
    def _consistent(self) -> Drive:
        targets = [name for name in ("joint", "joints", "patch") if getattr(self, name) is not None]
        if len(targets) != 1:
            raise ValueError("a drive moves either 'joint', or 'joints', or a 'patch'")
        if self.patch is not None:
            self._check_patch(self.patch)
        else:
            self._check_joints()
        if self.shaper is not None and not (self.motion or self.path or self.torque or self.force or self.moment):
            raise ValueError("the shaper has nothing to shape: give motion, path or torque")
        return self

    @property
    def added(self) -> Feedforward | None:
        """The feed-forward that is added to the law."""
        return "rigid" if self.control is not None and self.control.feedforward else self.feedforward

    def _check_patch(self, patch: PatchPlace) -> None:
        extra = [
            name
            for name in ("motion", "path", "torque", "servo", "control", "feedforward", "disturbance")
            if getattr(self, name) is not None
        ]
        if extra:
            raise ValueError(f"a patch has force or moment, not {' or '.join(extra)}")
        if (self.force is None) == (self.moment is None):
            raise ValueError("a patch needs either 'force' or 'moment'")
        motor = self.actuator
        if motor is not None and (not motor.on_patch or self.cylinder is not None):
            what = "cylinder" if self.cylinder is not None else f"{motor.type} actuator"
            raise ValueError(f"a {what} turns a joint; a patch has an ideal or a transfer actuator")
        begin, end = patch.span
        if self.moment is not None and begin == end and patch.at is None:
            raise ValueError(
                "the moment of a patch acts between two places: 'to' must lie beyond 'from'; a moment at one place says 'at'"
            )

    def _check_joints(self) -> None:
        whom = " and ".join(f"'{name}'" for name in self.names)
        for name in self.names:
            if self.names.count(name) > 1:
                raise ValueError(f"joint '{name}' is named twice")
        for name in ("force", "moment"):
            if getattr(self, name) is not None:
                raise ValueError(f"'{name}' is for a patch; a joint has motion or torque")
        if not (self.motion or self.path or self.torque or self.servo or self.control or self.disturbance):
            raise ValueError(f"nothing moves {whom}: give motion, path, torque, servo, control or disturbance")
        if self.motion is not None and self.path is not None:
            raise ValueError(f"{whom} cannot follow a motion and a path at once: leave one out")
        if self.servo is not None and self.torque is not None:
            raise ValueError(f"{whom} cannot have both servo and torque: a servo makes the torque itself")
        if self.servo is not None and self.control is not None:
            raise ValueError(f"{whom} cannot have both servo and control: choose one law")
        if (self.motion or self.path) is not None and self.torque is not None and self.control is None:
            raise ValueError(
                f"{whom} cannot follow a {'motion' if self.motion else 'path'} and a torque at once: leave one out, or give control, "
                "to whose law the torque is added"
            )
        if self.control is not None and self.control.feedforward and self.feedforward not in (None, "rigid"):
            raise ValueError(
                f"{whom} has feedforward: {self.feedforward}: leave out control.feedforward, which means rigid"
            )
        if self.added is not None:
            if self.servo is None and (self.control is None or self.control.type == "external"):
                raise ValueError(f"feedforward of {whom} is added to a law: give servo, or control of type pd or pid")
            if self.feedforward == "tip" and self.path is None and (self.motion is None or len(self.names) > 1):
                raise ValueError(
                    f"feedforward: tip of {whom} needs the motion of the tip: give path, or the motion of a single link"
                )
        if self.actuator is not None:
            self.actuator.check(self, whom)
        if self.control is not None:
            self.control.check_joints(len(self.names))
            block = self.control.block
            if block is not None and sorted(block.joints) != sorted(self.names):
                raise ValueError(
                    f"the law of the file gives the torques of {', '.join(block.joints)}, but the drive moves {', '.join(self.names)}: "
                    "let both name the same joints"
                )
            if self.control.type == "external" and self.torque is not None:
                raise ValueError(f"{whom} takes its whole torque from the external controller: leave out torque")

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the joints that it moves; none for a patch."""
        if self.joint is not None:
            return (self.joint,)
        return self.joints or ()

    @property
    def cylinder(self) -> Cylinder | None:
        """The cylinder that moves its joints, if there is one."""
        return getattr(self.actuator, "cylinder", None)
