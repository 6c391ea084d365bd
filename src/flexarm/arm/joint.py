"""Joints: what lies between a link and its parent.

Order along the arm: parent, motor mass, motor side (`rotor_inertia`), spring (`stiffness`), link side
(`hub_inertia`), link. Without `stiffness` motor side and link side are one.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, ValidationInfo, field_validator, model_validator

from flexarm.arm.base import Part
from flexarm.arm.quantity import Angle, Inertia, Length, Mass, Quantity

UNITS: dict[str, dict[str, str]] = {
    "revolute": {
        "position": "rad", "velocity": "rad/s", "stiffness": "N*m/rad", "damping": "N*m*s/rad",
        "backlash": "rad", "friction": "N*m",
    },
    "prismatic": {
        "position": "m", "velocity": "m/s", "stiffness": "N/m", "damping": "N*s/m",
        "backlash": "m", "friction": "N",
    },
}  # fmt: skip
"""SI unit of the fields that depend on the joint's type."""


class DenavitHartenberg(Part):
    """Standard Denavit-Hartenberg parameters; the beam of the link runs along d, then along a."""

    a: Length = Field(default=0.0, description="Length along the new x axis")
    alpha: Angle = Field(default=0.0, description="Twist about the new x axis")
    d: Length = Field(default=0.0, description="Offset along the joint axis")
    theta: Angle = Field(default=0.0, description="Constant angle added to the joint position (revolute)")


class Joint(Part):
    """A joint and its motor. A fixed joint has neither coordinate nor motor.

    Examples
    --------
    >>> geared = Joint(hub_inertia=1e-3, stiffness=100.0, rotor_inertia=1e-4)
    >>> geared.type, geared.start
    ('revolute', 0.0)
    """

    type: Literal["revolute", "prismatic", "fixed"] = Field(default="revolute", description="Kind of joint")
    position: float | None = Field(default=None, description="Start position; 0, or found by closing the loop")
    velocity: float = Field(default=0.0, description="Start velocity")
    hub_inertia: Inertia = Field(default=0.0, description="Rotary inertia on the link side")
    rotor_inertia: Inertia = Field(default=0.0, description="Rotary inertia on the motor side")
    motor_mass: Mass = Field(default=0.0, description="Lump carried by the parent at the joint")
    stiffness: float | None = Field(default=None, gt=0, description="Series spring between motor and link")
    damping: float = Field(default=0.0, ge=0, description="Damper parallel to the series spring")
    backlash: float = Field(default=0.0, ge=0, description="Total play of the series spring")
    friction: float = Field(default=0.0, ge=0, description="Coulomb friction torque on the motor side")
    dh: DenavitHartenberg | None = Field(default=None, description="Makes the arm spatial")
    retracted: Literal["massless", "rigid"] = Field(
        default="massless",
        description="Prismatic: the part that is inside has no mass, or is a rigid rear mass",
    )

    @field_validator("position", "velocity", "stiffness", "damping", "backlash", "friction", mode="before")
    @classmethod
    def _in_joint_units(cls, value: Any, info: ValidationInfo) -> Any:
        if value is None:
            return None
        units = UNITS.get(info.data.get("type", "revolute"), UNITS["revolute"])
        return Quantity(units[info.field_name or ""]).read(value, info)

    @model_validator(mode="after")
    def _consistent(self) -> Joint:
        if self.type == "fixed":
            given = sorted(self.model_fields_set - {"type", "dh", "position", "motor_mass"})
            if given:
                raise ValueError(f"a fixed joint has no {' or '.join(given)}")
        if self.stiffness is None:
            if self.damping:
                raise ValueError("joint damping acts across the series spring: give 'stiffness' as well")
            if self.backlash:
                raise ValueError("backlash needs the series spring: give 'stiffness' as well")
        if self.type == "prismatic" and self.position is not None and self.position < 0:
            raise ValueError("the position of a prismatic joint is the free length and cannot be negative")
        if self.type != "prismatic" and "retracted" in self.model_fields_set:
            raise ValueError("'retracted' is for prismatic joints")
        return self

    @property
    def start(self) -> float:
        """Start position in rad or m, 0 where none was given."""
        return 0.0 if self.position is None else self.position
