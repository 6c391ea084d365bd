"""Actuators between the command and the joint: ideal, a transfer function, or a stepping motor."""

from __future__ import annotations

import math
import re
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema, field_validator, model_validator
from pydantic.json_schema import SkipJsonSchema

from flexarm.arm.base import Part
from flexarm.arm.quantity import NUMBER, Duration, Frequency, PositiveTime
from flexarm.drive.statespace import StateSpace, bandwidth, state_space

_REAL = re.compile(rf"^\s*{NUMBER}\s*$")
_COMPLEX = re.compile(
    rf"^\s*\(?\s*(?P<real>{NUMBER})\s*(?P<sign>[-+])\s*(?P<imag>(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?)\s*[ij]\s*\)?\s*$"
)


def read_root(value: Any) -> complex:
    """A pole or zero from a number or a text such as ``-9.0+16.5j``; never evaluated as code."""
    if isinstance(value, (int, float, complex)) and not isinstance(value, bool):
        root = complex(value)
    elif isinstance(value, str) and _REAL.match(value):
        root = complex(float(value))
    elif isinstance(value, str) and (match := _COMPLEX.match(value)):
        root = complex(float(match["real"]), float(match["sign"] + match["imag"]))
    else:
        raise ValueError(f"'{value}' is not a pole or zero: write a number such as -30 or a text such as -9.0+16.5j")
    if not (math.isfinite(root.real) and math.isfinite(root.imag)):
        raise ValueError("a pole or zero must be finite")
    return root


Root = Annotated[
    complex,
    BeforeValidator(read_root),
    WithJsonSchema({"anyOf": [{"type": "number"}, {"type": "string"}], "description": "such as -30 or -9.0+16.5j"}),
]

UNAVAILABLE = {
    "cylinder": "leave it out: the transfer function then acts on the joint itself",
}
"""Fields of the file format that this version does not have, and what to do instead."""


_OWN = {
    "transfer": ("poles", "zeros", "gain", "pole_unit", "bandwidth"),
    "stepper": ("steps_per_turn", "half", "ratio", "step_time", "delay", "overhead"),
}
"""Fields that one type of actuator has and the others have not."""


class Actuator(Part):
    """What stands between the command and the joint.

    A transfer function ``gain prod(1 - s/zero) / prod(1 - s/pole)`` filters the torque of a law or a torque
    profile, or, where a joint has a motion and no law, the motion (its deviation from the start).
    A stepper follows a motion in whole steps; since a step in no time would need an infinite torque, each one is a
    short move from rest to rest.
    """

    type: Literal["ideal", "transfer", "stepper"] = Field(default="ideal", description="Kind of actuator")
    poles: tuple[Root, ...] = Field(default=(), description="Poles; a complex one implies its conjugate")
    zeros: tuple[Root, ...] = Field(default=(), description="Zeros; a complex one implies its conjugate")
    gain: Annotated[float, Field(allow_inf_nan=False)] = Field(default=1.0, description="Gain at rest")
    pole_unit: Literal["rad/s", "Hz"] = Field(default="rad/s", description="Unit of poles and zeros")
    bandwidth: Frequency | None = Field(
        default=None, description="Stated frequency at which the gain has dropped by 3 dB; checked"
    )
    cylinder: SkipJsonSchema[Any] = Field(default=None, exclude=True, description="Not in this version")
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

    @field_validator("type", mode="before")
    @classmethod
    def _known_type(cls, value: Any) -> Any:
        if value == "hydraulic":
            raise ValueError("a hydraulic actuator is not available in this version; use ideal, transfer or stepper")
        return value

    @field_validator(*UNAVAILABLE, mode="before")
    @classmethod
    def _not_available(cls, value: Any, info: Any) -> None:
        if value is not None:
            raise ValueError(f"{info.field_name} is not available in this version; {UNAVAILABLE[info.field_name]}")

    @model_validator(mode="after")
    def _consistent(self) -> Actuator:
        for kind, names in _OWN.items():
            given = [name for name in names if getattr(self, name) != type(self).model_fields[name].default]
            if given and self.type != kind:
                article = "an" if self.type == "ideal" else "a"
                raise ValueError(f"{article} {self.type} actuator has no {' or '.join(given)}; say type: {kind}")
        if self.type == "transfer":
            self._check_transfer()
        elif self.type == "stepper":
            if self.steps_per_turn is None:
                raise ValueError("a stepper needs steps_per_turn, the full steps of its motor per turn (often 200)")
            if self.overhead and self.delay != "byte":
                raise ValueError("overhead goes with delay: byte; ideal step times already count everything")
        return self

    def _check_transfer(self) -> None:
        if not self.poles:
            raise ValueError("a transfer actuator needs its poles")
        if self.gain == 0.0:
            raise ValueError("the gain of an actuator cannot be zero")
        for name, roots in (("pole", self.poles), ("zero", self.zeros)):
            for root in roots:
                if root.imag and root.conjugate() in roots:
                    raise ValueError(
                        f"the {name} {_text(root)} is given with its conjugate, which is implied: drop one"
                    )
        for pole in self.poles:
            if pole.real >= 0.0:
                raise ValueError(f"the pole {_text(pole)} is not stable: its real part must be negative")
        if 0.0 in self.zeros:
            raise ValueError("a zero at 0 contradicts the gain at rest: leave it out")
        if _count(self.zeros) > _count(self.poles):
            raise ValueError(
                f"{_count(self.zeros)} zeros need as many poles or more; there are {_count(self.poles)} "
                "(a complex one counts twice)"
            )

    def _scaled(self, roots: tuple[complex, ...], unit: str | None = None) -> tuple[complex, ...]:
        factor = 2.0 * math.pi if (unit or self.pole_unit) == "Hz" else 1.0
        return tuple(factor * root for root in roots)

    def system(self) -> StateSpace | None:
        """The transfer function as a state space, or None if there is none."""
        if self.type != "transfer":
            return None
        return state_space(self._scaled(self.poles), self._scaled(self.zeros), self.gain)

    def doubt(self) -> str | None:
        """A sentence if the stated bandwidth and that of the poles differ by more than a fifth."""
        if self.bandwidth is None:
            return None
        found = bandwidth(self._scaled(self.poles), self._scaled(self.zeros))
        if abs(found / self.bandwidth - 1.0) <= 0.2:
            return None
        other = "Hz" if self.pole_unit == "rad/s" else "rad/s"
        instead = bandwidth(self._scaled(self.poles, other), self._scaled(self.zeros, other))
        return (
            f"its poles give a bandwidth of {found:.3g} Hz, but {self.bandwidth:.3g} Hz is stated; "
            f"with pole_unit: {other} it would be {instead:.3g} Hz"
        )


def _count(roots: tuple[complex, ...]) -> int:
    return sum(2 if root.imag else 1 for root in roots)


def _text(root: complex) -> str:
    return f"{root.real:g}{root.imag:+g}j" if root.imag else f"{root.real:g}"
