"""Actuators between the command and the joint: ideal, a transfer function, hydraulics, or a stepping motor."""

from __future__ import annotations

import math
from typing import Annotated, Literal

import numpy as np
from pydantic import Field, model_validator

from flexarm.arm.base import Part
from flexarm.arm.quantity import Duration, Frequency, PositiveTime, Quantity
from flexarm.drive.cylinder import Cylinder, Oil, Share, Valve
from flexarm.drive.hydraulic import HydraulicCylinder
from flexarm.drive.roots import Root, check_roots
from flexarm.drive.statespace import StateSpace, bandwidth, state_space

_OWN = {
    "transfer": ("poles", "zeros", "gain", "pole_unit"),
    "hydraulic": ("loop_gain", "natural_frequency", "damping", "valve", "oil"),
    "stepper": ("steps_per_turn", "half", "ratio", "step_time", "delay", "overhead"),
}
"""Fields that one type of actuator has and the others have not."""
_SHAPING = ("transfer", "hydraulic")


class Actuator(Part):
    """What stands between the command and the joint.

    A transfer function ``gain prod(1 - s/zero) / prod(1 - s/pole)`` filters the torque of a law or a torque
    profile, or, where a joint has a motion and no law, the motion (its deviation from the start).
    A hydraulic actuator is a position loop. Without `oil` it is of third order and does not feel its load; with `valve`
    and `oil` the pressures of its cylinder are states of the simulation.
    A stepper follows a motion in whole steps; since a step in no time would need an infinite torque, each one is a
    short move from rest to rest.
    """

    type: Literal["ideal", "transfer", "hydraulic", "stepper"] = Field(default="ideal", description="Kind of actuator")
    poles: tuple[Root, ...] = Field(default=(), description="Poles; a complex one implies its conjugate")
    zeros: tuple[Root, ...] = Field(default=(), description="Zeros; a complex one implies its conjugate")
    gain: Annotated[float, Field(allow_inf_nan=False)] = Field(default=1.0, description="Gain at rest")
    pole_unit: Literal["rad/s", "Hz"] = Field(default="rad/s", description="Unit of poles and zeros")
    bandwidth: Frequency | None = Field(
        default=None, description="Stated frequency at which the gain has dropped by 3 dB; checked"
    )
    cylinder: Cylinder | None = Field(
        default=None,
        description="The cylinder that moves the joint; it is its length that is then shaped, and reported",
    )
    loop_gain: Annotated[float, Field(gt=0, allow_inf_nan=False), Quantity("1/s")] | None = Field(
        default=None, description="Hydraulic: speed per position error of the position loop"
    )
    natural_frequency: Frequency | None = Field(
        default=None, description="Hydraulic without oil: frequency of load and oil with the loop open"
    )
    damping: Share | None = Field(default=None, description="Hydraulic without oil: damping ratio of that frequency")
    valve: Valve | None = Field(default=None, description="Hydraulic with oil: the servo valve")
    oil: Oil | None = Field(default=None, description="Hydraulic with oil: its pressures and stiffness")
    steps_per_turn: Annotated[int, Field(ge=1, le=1_000_000)] | None = Field(
        default=None, description="Stepper: full steps of the motor per turn"
    )
    half: bool = Field(default=False, description="Stepper: half steps, twice as many")
    ratio: Annotated[float, Field(gt=0, allow_inf_nan=False)] = Field(
        default=1.0, description="Stepper: turns of the motor per turn of the joint"
    )
    step_time: PositiveTime | None = Field(
        default=None,
        description="Stepper: time in which a step is moved; that of a step at the top speed when left out",
    )
    delay: Literal["ideal", "byte"] = Field(
        default="ideal", description="Stepper: step times as wanted, or as delay bytes of 1 to 255 give them"
    )
    overhead: Duration = Field(
        default=0.0, description="Stepper with delay bytes: time per step that its program takes beside the wait"
    )

    @model_validator(mode="after")
    def _consistent(self) -> Actuator:
        article = "an" if self.type == "ideal" else "a"
        for kind, names in _OWN.items():
            given = [name for name in names if self._given(name)]
            if given and self.type != kind:
                raise ValueError(f"{article} {self.type} actuator has no {' or '.join(given)}; say type: {kind}")
        if self.bandwidth is not None and self.type not in _SHAPING:
            raise ValueError(f"{article} {self.type} actuator has no bandwidth; say type: transfer or hydraulic")
        if self.cylinder is not None and self.type == "stepper":
            raise ValueError("a stepper turns its joint itself: it has no cylinder")
        if self.type == "transfer":
            if not self.poles:
                raise ValueError("a transfer actuator needs its poles")
            if self.gain == 0.0:
                raise ValueError("the gain of an actuator cannot be zero")
            check_roots(self.poles, self.zeros)
        elif self.type == "hydraulic":
            self._check_hydraulic()
        elif self.type == "stepper":
            if self.steps_per_turn is None:
                raise ValueError("a stepper needs steps_per_turn, the full steps of its motor per turn (often 200)")
            if self.overhead and self.delay != "byte":
                raise ValueError("overhead goes with delay: byte; ideal step times already count everything")
        return self

    def _given(self, name: str) -> bool:
        return bool(getattr(self, name) != type(self).model_fields[name].default)

    def _check_hydraulic(self) -> None:
        if self.oil is None and self.valve is None:
            if self.loop_gain is None or self.natural_frequency is None or self.damping is None:
                raise ValueError(
                    "a hydraulic actuator needs loop_gain, natural_frequency and damping; or, to feel its load, "
                    "cylinder, valve and oil"
                )
            most = 4.0 * math.pi * self.damping * self.natural_frequency
            if self.loop_gain >= most:
                raise ValueError(
                    f"the position loop is unstable: loop_gain {self.loop_gain:g} 1/s must be below {most:.4g} 1/s, "
                    "twice the damping ratio times the natural frequency in rad/s"
                )
            return
        if self.oil is None or self.valve is None or self.cylinder is None:
            raise ValueError("a hydraulic actuator that feels its load needs cylinder, valve and oil")
        extra = [name for name in ("natural_frequency", "damping", "bandwidth") if getattr(self, name) is not None]
        if extra:
            raise ValueError(f"with oil, {' and '.join(extra)} follow from cylinder and load: leave out")
        if self.cylinder.area is None or self.cylinder.stroke is None:
            raise ValueError("a cylinder with oil needs area and stroke")

    @property
    def pressures(self) -> HydraulicCylinder | None:
        """The cylinder whose pressures are states, if there is one."""
        if self.oil is None or self.valve is None or self.cylinder is None:
            return None
        return HydraulicCylinder(self.cylinder, self.valve, self.oil, self.loop_gain or 0.0)

    def roots(self, unit: str | None = None) -> tuple[tuple[complex, ...], tuple[complex, ...]]:
        """Poles and zeros in rad/s, one of each conjugate pair; `unit` overrides that of the file."""
        if self.type == "hydraulic" and self.oil is None:
            assert self.loop_gain and self.natural_frequency and self.damping
            w = 2.0 * math.pi * self.natural_frequency
            found = np.roots([1.0, 2.0 * self.damping * w, w * w, self.loop_gain * w * w])
            return tuple(complex(root) for root in found if root.imag >= 0.0), ()
        factor = 2.0 * math.pi if (unit or self.pole_unit) == "Hz" else 1.0
        return tuple(factor * root for root in self.poles), tuple(factor * root for root in self.zeros)

    def system(self) -> StateSpace | None:
        """The transfer function as a state space, or None if there is none."""
        if self.type not in _SHAPING or self.oil is not None:
            return None
        return state_space(*self.roots(), self.gain)

    def doubt(self) -> str | None:
        """A sentence if the stated bandwidth and that of the poles differ by more than a fifth."""
        if self.bandwidth is None:
            return None
        found = bandwidth(*self.roots())
        if abs(found / self.bandwidth - 1.0) <= 0.2:
            return None
        if self.type == "hydraulic":
            return f"its loop has a bandwidth of {found:.3g} Hz, but {self.bandwidth:.3g} Hz is stated"
        other = "Hz" if self.pole_unit == "rad/s" else "rad/s"
        return (
            f"its poles give a bandwidth of {found:.3g} Hz, but {self.bandwidth:.3g} Hz is stated; "
            f"with pole_unit: {other} it would be {bandwidth(*self.roots(other)):.3g} Hz"
        )
