"""An actuator that is a transfer function."""

from __future__ import annotations

import math
from typing import Annotated, ClassVar, Literal

from pydantic import Field, model_validator

from flexarm.arm.quantity import Frequency
from flexarm.drive.actuators.cylinder import WithCylinder
from flexarm.drive.roots import Root, check_roots
from flexarm.drive.statespace import StateSpace, bandwidth, state_space

Roots = tuple[tuple[complex, ...], tuple[complex, ...]]
"""Poles and zeros in rad/s, one of each conjugate pair."""


class Filter(WithCylinder):
    """An actuator that shapes its command by poles and zeros, whatever its load."""

    bandwidth: Frequency | None = Field(
        default=None, description="Stated frequency at which the gain has dropped by 3 dB; checked"
    )

    @property
    def gain_at_rest(self) -> float:
        """Response over a constant command."""
        return 1.0

    def roots(self) -> Roots:
        """Poles and zeros."""
        raise NotImplementedError

    def system(self) -> StateSpace:
        """The transfer function as a state space."""
        return state_space(*self.roots(), self.gain_at_rest)

    def doubt(self) -> str | None:
        """A sentence if the stated bandwidth and that of the poles differ by more than a fifth."""
        if self.bandwidth is None:
            return None
        found = bandwidth(*self.roots())
        return None if abs(found / self.bandwidth - 1.0) <= 0.2 else self.differing(found, self.bandwidth)

    def differing(self, found: float, stated: float) -> str:
        """That two bandwidths in Hz differ."""
        return f"its loop has a bandwidth of {found:.3g} Hz, but {stated:.3g} Hz is stated"


class Transfer(Filter):
    """gain ∏(1 - s/zero) / ∏(1 - s/pole). It filters the torque of a law or a torque profile, or, where a joint has a motion
    and no law, the motion (its deviation from the start)."""

    on_patch: ClassVar[bool] = True

    type: Literal["transfer"] = Field(description="Kind of actuator")
    poles: tuple[Root, ...] = Field(description="Poles; a complex one implies its conjugate")
    zeros: tuple[Root, ...] = Field(default=(), description="Zeros; a complex one implies its conjugate")
    gain: Annotated[float, Field(allow_inf_nan=False)] = Field(default=1.0, description="Gain at rest")
    pole_unit: Literal["rad/s", "Hz"] = Field(default="rad/s", description="Unit of poles and zeros")

    @model_validator(mode="after")
    def _consistent(self) -> Transfer:
        if not self.poles:
            raise ValueError("a transfer actuator needs its poles")
        if self.gain == 0.0:
            raise ValueError("the gain of an actuator cannot be zero")
        check_roots(self.poles, self.zeros)
        return self

    @property
    def gain_at_rest(self) -> float:
        """Response over a constant command."""
        return self.gain

    def roots(self, unit: str | None = None) -> Roots:
        """Poles and zeros; `unit` overrides that of the file."""
        factor = 2.0 * math.pi if (unit or self.pole_unit) == "Hz" else 1.0
        return tuple(factor * root for root in self.poles), tuple(factor * root for root in self.zeros)

    def differing(self, found: float, stated: float) -> str:
        """That two bandwidths in Hz differ, and whether the other unit of the poles would explain it."""
        other = "Hz" if self.pole_unit == "rad/s" else "rad/s"
        return (
            f"its poles give a bandwidth of {found:.3g} Hz, but {stated:.3g} Hz is stated; "
            f"with pole_unit: {other} it would be {bandwidth(*self.roots(other)):.3g} Hz"
        )
