"""Hydraulic cylinders: where they are pinned, what they push with, and the valve and the oil that feed them.

Legend: y position of the joint, l length of the cylinder between its pins; for a constant lever r, l = r y.
"""

from __future__ import annotations

import math
from typing import Annotated

import numpy as np
from pydantic import Field, model_validator

from flexarm.arm.base import Part
from flexarm.arm.quantity import Area, Frequency, Length, Modulus, Quantity

Place = Annotated[tuple[Length, ...], Field(min_length=2, max_length=2)]
Pressure = Annotated[float, Field(gt=0, allow_inf_nan=False), Quantity("Pa", (1e3, 1e9))]
Flow = Annotated[float, Field(gt=0, allow_inf_nan=False), Quantity("m^3/s", (1e-9, 1.0))]
Leakage = Annotated[float, Field(ge=0, allow_inf_nan=False), Quantity("m^3/s/Pa")]
Volume = Annotated[float, Field(gt=0, allow_inf_nan=False), Quantity("m^3", (1e-12, 10.0))]
Viscous = Annotated[float, Field(ge=0, allow_inf_nan=False), Quantity("N*s/m")]
Stiffness = Annotated[float, Field(gt=0, allow_inf_nan=False), Quantity("N/m")]
ZeroPressure = Annotated[float, Field(ge=0, allow_inf_nan=False), Quantity("Pa")]
Share = Annotated[float, Field(gt=0, le=5, allow_inf_nan=False), Quantity("1")]


class Valve(Part):
    """A servo valve with four edges; its opening runs from -1 to 1."""

    flow: Flow = Field(description="Flow of the fully opened valve over one edge at the pressure `drop`")
    drop: Pressure = Field(default=3.5e6, description="Pressure drop over one edge at which `flow` is stated")
    frequency: Frequency | None = Field(
        default=None, description="Natural frequency of the spool; it follows at once when left out"
    )
    damping: Share = Field(default=0.7, description="Damping ratio of the spool")

    @model_validator(mode="after")
    def _consistent(self) -> Valve:
        if self.frequency is None and "damping" in self.model_fields_set:
            raise ValueError("the damping of a spool goes with its frequency: give both, or neither")
        return self


class Oil(Part):
    """Pressures and stiffness of the oil."""

    supply: Pressure = Field(description="Pressure of the pump")
    tank: ZeroPressure = Field(default=0.0, description="Pressure of the return line")
    bulk_modulus: Modulus = Field(default=1.0e9, description="Stiffness of the oil with its air and hoses")
    leakage: Leakage = Field(default=0.0, description="Flow across the piston per pressure difference")

    @model_validator(mode="after")
    def _consistent(self) -> Oil:
        if self.tank >= self.supply:
            raise ValueError(f"the tank pressure ({self.tank:g} Pa) must be below the supply ({self.supply:g} Pa)")
        return self


class Cylinder(Part):
    """Where a cylinder acts on its joint: between two pins, or on a lever of constant length.

    `base` is counted from the joint in the axes of the parent's end, `lug` in the axes of the link that is moved.

    Examples
    --------
    >>> jack = Cylinder(base=(0.6, -0.2), lug=(0.4, -0.1))
    >>> round(float(jack.length(1.0471975512)), 9)
    0.587061339
    """

    base: Place | None = Field(default=None, description="Pin on the parent, counted from the joint")
    lug: Place | None = Field(default=None, description="Pin on the link that is moved")
    lever: Length | None = Field(default=None, description="Constant lever arm, in place of base and lug")
    stroke: Place | None = Field(default=None, description="Shortest and longest length between the end stops")
    area: Area | None = Field(default=None, description="Area of the piston")
    rod_area: Area | None = Field(
        default=None, description="Cross section of the rod, if it comes out on one side only"
    )
    dead_volume: Volume | None = Field(
        default=None,
        description="Oil in each chamber and its line at the end of the stroke; a twentieth of it when left out",
    )
    friction: Viscous = Field(default=0.0, description="Viscous friction of the piston")
    stop_stiffness: Stiffness | None = Field(
        default=None, description="Stiffness of the end stops; supply pressure yields 0.5 % of the stroke when left out"
    )

    @model_validator(mode="after")
    def _consistent(self) -> Cylinder:
        pinned = [name for name in ("base", "lug") if getattr(self, name) is not None]
        if len(pinned) == 1 or bool(pinned) == (self.lever is not None):
            raise ValueError("a cylinder is pinned at 'base' and 'lug', or has a constant 'lever' in their place")
        if pinned and 0.0 in (math.hypot(*self.base), math.hypot(*self.lug)):  # type: ignore[misc]
            raise ValueError(
                "a cylinder that is pinned in the joint itself turns nothing: move base or lug away from it"
            )
        if self.lever == 0.0:
            raise ValueError("a lever of 0 turns nothing")
        if self.stroke is not None and not self.stroke[0] < self.stroke[1]:
            raise ValueError(
                f"stroke is [shortest, longest], but {self.stroke[0]:g} m is not below {self.stroke[1]:g} m"
            )
        if self.rod_area is not None and (self.area is None or self.rod_area >= self.area):
            raise ValueError("rod_area must be smaller than area, that of the piston")
        return self

    @property
    def geometry(self) -> tuple[float, float, float, float]:
        """Lever, b^2 + g^2, 2 b g and the angle from base to lug: l^2 = (b^2 + g^2) - 2 b g cos(y + angle)."""
        if self.base is None or self.lug is None:
            return float(self.lever or 0.0), 0.0, 0.0, 0.0
        b, g = math.hypot(*self.base), math.hypot(*self.lug)
        angle = math.atan2(self.lug[1], self.lug[0]) - math.atan2(self.base[1], self.base[0])
        return 0.0, b * b + g * g, 2.0 * b * g, angle

    def length(self, y: np.ndarray | float) -> np.ndarray:
        """Length in m at joint positions y."""
        return self.reach(np.asarray(y, dtype=float))[0]

    def reach(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Length, and its first and second derivative over the joint's position."""
        lever, squares, product, angle = self.geometry
        if not product:
            return lever * y, np.full_like(y, lever), np.zeros_like(y)
        c, s = np.cos(y + angle), np.sin(y + angle)
        length = np.sqrt(squares - product * c)
        slope = 0.5 * product * s / length
        return length, slope, (0.5 * product * c - slope**2) / length

    def position(self, length: np.ndarray, near: float) -> np.ndarray:
        """Joint positions at which the cylinder has these lengths, on the side of the dead centres where `near` is."""
        lever, squares, product, angle = self.geometry
        if not product:
            return length / lever
        side, turn = math.sin(near + angle), near + angle
        found = np.arccos(np.clip((squares - length**2) / product, -1.0, 1.0))
        found = found if side >= 0.0 else -found
        return found - angle + 2.0 * math.pi * round((turn - math.atan2(side, math.cos(turn))) / (2.0 * math.pi))
