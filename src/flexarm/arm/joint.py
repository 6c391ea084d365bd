"""Joints: what lies between a link and its parent.

Order along the arm: parent, motor mass with its housing, motor with its rotor (`rotor_inertia`), gear, spring (`stiffness`), link side
(`hub_inertia`), link. Without `stiffness` the slow side of the gear and the link side are one.

The rotor turns about the joint axis, its stator stands on the parent. With w the parent's rate about that axis, q' the rate
of the slow side against the parent, and n turns of the rotor per turn of the joint, its kinetic energy is

    T = J/2 (w + n q')^2 = 1/2 [ n J (w + q')^2 + (1 - n) J w^2 + n (n - 1) J q'^2 ] ,

an inertia n J that turns with the slow side like the rotor of a direct drive, an inertia (1 - n) J on the parent, and one
of n (n - 1) J that feels the joint alone (`Rotor`). They are the same in space: there the first two carry the gyroscopic
moment J (w + n q') of the rotor.
"""

from __future__ import annotations

import math
from typing import Any, Literal, NamedTuple

import numpy as np
from pydantic import Field, ValidationInfo, field_validator, model_validator

from flexarm.arm.base import Part
from flexarm.arm.pose import Direction, Pose, axis_frame
from flexarm.arm.quantity import Angle, Inertia, Length, Mass, Number, PositiveFraction, Quantity

UNITS: dict[str, dict[str, str]] = {
    "revolute": {
        "position": "rad", "velocity": "rad/s", "stiffness": "N*m/rad", "damping": "N*m*s/rad",
        "backlash": "rad", "friction": "N*m", "viscous": "N*m*s/rad",
    },
    "prismatic": {
        "position": "m", "velocity": "m/s", "stiffness": "N/m", "damping": "N*s/m",
        "backlash": "m", "friction": "N", "viscous": "N*s/m",
    },
}  # fmt: skip
"""SI unit of the fields that depend on the joint's type."""


class DenavitHartenberg(Part):
    """Standard Denavit-Hartenberg parameters; the beam of the link runs along d, then along a."""

    a: Length = Field(default=0.0, description="Length along the new x axis")
    alpha: Angle = Field(default=0.0, description="Twist about the new x axis")
    d: Length = Field(default=0.0, description="Offset along the joint axis")
    theta: Angle = Field(default=0.0, description="Constant angle added to the joint position (revolute)")


class Gear(Part):
    """A gear between motor and joint; torques, gains and limits of drives stay those of its slow side."""

    ratio: Number = Field(description="Turns of the motor per turn of the joint; negative: the other way round")
    efficiency: PositiveFraction = Field(
        default=1.0,
        description="Power behind the gear per power in front of it, whichever way it flows; the motor makes up for what is lost",
    )

    @field_validator("ratio")
    @classmethod
    def _turns(cls, value: float) -> float:
        if value == 0.0:
            raise ValueError("a gear of ratio 0 moves nothing")
        return value


class Limits(Part):
    """How far, how fast and how strongly a joint may be moved; its ends act as stops where `stiffness` is given.

    Inverse kinematics stays between the ends; commands that leave them, or are too fast, are told.
    """

    lower: float | None = Field(default=None, description="Least position")
    upper: float | None = Field(default=None, description="Greatest position")
    velocity: float | None = Field(default=None, gt=0, description="Greatest speed")
    effort: float | None = Field(default=None, gt=0, description="Greatest torque or force")
    stiffness: float | None = Field(
        default=None, gt=0, description="Spring of the stops at both ends; none: nothing stops the joint"
    )

    @property
    def ends(self) -> tuple[float, float]:
        """Least and greatest position, infinite where there is none."""
        return -math.inf if self.lower is None else self.lower, math.inf if self.upper is None else self.upper


class Rotor(NamedTuple):
    """Inertia of a rotor behind its gear, kg m^2: what turns with the slow side, with the parent, and with the joint alone."""

    with_motor: float
    with_carrier: float
    with_joint: float

    @property
    def reflected(self) -> float:
        """What the joint feels of it on a parent at rest."""
        return self.with_motor + self.with_joint


class Joint(Part):
    """A joint and its motor. A fixed joint has neither coordinate nor motor.

    Examples
    --------
    >>> geared = Joint(hub_inertia=1e-3, stiffness=100.0, rotor_inertia=1e-4, gear={"ratio": 50})
    >>> geared.type, geared.start, geared.rotor.reflected
    ('revolute', 0.0, 0.25)
    """

    type: Literal["revolute", "prismatic", "fixed"] = Field(default="revolute", description="Kind of joint")
    position: float | None = Field(default=None, description="Start position; 0, or found by closing the loop")
    velocity: float = Field(default=0.0, description="Start velocity")
    hub_inertia: Inertia = Field(default=0.0, description="Rotary inertia on the link side")
    rotor_inertia: Inertia = Field(
        default=0.0, description="Rotary inertia on the motor side; with a gear that of the motor itself"
    )
    gear: Gear | None = Field(default=None, description="Between motor and joint; none: a direct drive")
    motor_mass: Mass = Field(default=0.0, description="Lump carried by the parent at the joint")
    motor_inertia: Inertia = Field(
        default=0.0,
        description="Rotary inertia of that lump (the motor's housing) about its centre, about any axis in space",
    )
    stiffness: float | None = Field(default=None, gt=0, description="Series spring between motor and link")
    damping: float = Field(default=0.0, ge=0, description="Damper parallel to the series spring")
    backlash: float = Field(default=0.0, ge=0, description="Total play of the series spring")
    friction: float = Field(default=0.0, ge=0, description="Coulomb friction torque on the motor side")
    viscous: float = Field(
        default=0.0, ge=0, description="Torque per speed that resists the joint itself, on the link side"
    )
    limits: Limits | None = Field(default=None, description="Ends of its travel, greatest speed and torque")
    dh: DenavitHartenberg | None = Field(default=None, description="Makes the arm spatial")
    origin: Pose | None = Field(
        default=None,
        description="Joint frame in the axes of the link that carries it (or of the base); makes the arm spatial, instead of dh",
    )
    axis: Direction | None = Field(
        default=None, description="Joint axis in the joint frame, z when left out; makes the arm spatial"
    )
    retracted: Literal["massless", "rigid"] = Field(
        default="massless",
        description="Prismatic: the part that is inside has no mass, or is a rigid rear mass",
    )

    @field_validator("limits", mode="before")
    @classmethod
    def _limits_in_joint_units(cls, value: Any, info: ValidationInfo) -> Any:
        if not isinstance(value, dict):
            return value
        units = UNITS.get(info.data.get("type", "revolute"), UNITS["revolute"])
        effort = "N" if info.data.get("type") == "prismatic" else "N*m"
        of = {
            "lower": units["position"],
            "upper": units["position"],
            "velocity": units["velocity"],
            "effort": effort,
            "stiffness": units["stiffness"],
        }
        return {
            key: Quantity(of[key]).read(item, info) if key in of and item is not None else item
            for key, item in value.items()
        }

    @field_validator("limits")
    @classmethod
    def _in_order(cls, value: Limits | None) -> Limits | None:
        if value is not None and value.ends[0] > value.ends[1]:
            raise ValueError("the lower limit is above the upper one")
        return value

    @field_validator("position", "velocity", "stiffness", "damping", "backlash", "friction", "viscous", mode="before")
    @classmethod
    def _in_joint_units(cls, value: Any, info: ValidationInfo) -> Any:
        if value is None:
            return None
        units = UNITS.get(info.data.get("type", "revolute"), UNITS["revolute"])
        return Quantity(units[info.field_name or ""]).read(value, info)

    @field_validator("axis")
    @classmethod
    def _points(cls, value: tuple[float, ...] | None) -> tuple[float, ...] | None:
        if value is not None and not any(value):
            raise ValueError("a joint axis of length zero points nowhere: give its direction, such as [0, 0, 1]")
        return value

    @model_validator(mode="after")
    def _consistent(self) -> Joint:
        if self.dh is not None and (self.origin is not None or self.axis is not None):
            raise ValueError("a joint has either dh, or origin and axis")
        if self.type == "fixed":
            given = sorted(self.model_fields_set - {"type", "dh", "origin", "position", "motor_mass", "motor_inertia"})
            if given:
                raise ValueError(f"a fixed joint has no {' or '.join(given)}")
        if self.type == "prismatic" and self.gear is not None:
            raise ValueError("a gear is for revolute joints: give what a sliding joint feels as motor_mass")
        if self.stiffness is None:
            if self.damping:
                raise ValueError("joint damping acts across the series spring: give 'stiffness' as well")
            if self.backlash:
                raise ValueError("backlash needs the series spring: give 'stiffness' as well")
        framed = self.origin is not None or self.axis is not None
        if self.type == "prismatic" and not framed and self.position is not None and self.position < 0:
            raise ValueError("the position of a prismatic joint is the free length and cannot be negative")
        if self.type != "prismatic" and "retracted" in self.model_fields_set:
            raise ValueError("'retracted' is for prismatic joints")
        return self

    @property
    def in_space(self) -> bool:
        """True if only an arm in space has such a joint."""
        return self.type == "prismatic" or not (self.dh is None and self.origin is None and self.axis is None)

    @property
    def align(self) -> np.ndarray:
        """Rotation (3, 3) of joint axes whose third column is the axis; the identity where that is z."""
        return np.eye(3) if self.axis is None else axis_frame(self.axis)

    @property
    def ratio(self) -> float:
        """Turns of the motor per turn of the joint."""
        return 1.0 if self.gear is None else self.gear.ratio

    @property
    def rotor(self) -> Rotor:
        """The rotor's inertia as the arm feels it."""
        n, J = self.ratio, self.rotor_inertia
        return Rotor(n * J, (1.0 - n) * J, n * (n - 1.0) * J)

    @property
    def start(self) -> float:
        """Start position in rad or m, 0 where none was given."""
        return 0.0 if self.position is None else self.position
