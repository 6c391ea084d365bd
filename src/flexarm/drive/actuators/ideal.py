"""An actuator that does what it is told."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from flexarm.drive.actuators.cylinder import WithCylinder


class Ideal(WithCylinder):
    """Gives what is commanded, at once. A cylinder is only reported."""

    on_patch: ClassVar[bool] = True

    type: Literal["ideal"] = Field(default="ideal", description="Kind of actuator")
