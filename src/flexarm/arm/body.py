"""Rigid bodies: lumped masses, and mass properties with an inertia tensor."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

import numpy as np
from pydantic import Field, field_validator

from flexarm.arm.base import Part
from flexarm.arm.pose import from_rpy
from flexarm.arm.quantity import Angle, Fraction, Inertia, InertiaProduct, Length, Mass

Place: TypeAlias = Fraction | str
"""Where on a link: ``tip``, ``root``, a fraction of the length, or the name of one of its points or frames."""
Point = Annotated[tuple[Length, ...], Field(min_length=2, max_length=3)]
Tensor: TypeAlias = Inertia | Annotated[tuple[InertiaProduct, ...], Field(min_length=3, max_length=6)]
ROUNDED = 1e-3
"""Share by which the triangle inequality of principal inertias may fail: published figures are rounded."""


def tensor_of(inertia: float | tuple[float, ...]) -> np.ndarray:
    """An inertia tensor (3, 3) from one number, three (xx, yy, zz) or six (xx, yy, zz, xy, xz, yz)."""
    if not isinstance(inertia, tuple):
        return inertia * np.eye(3)
    out = np.diag(inertia[:3])
    if len(inertia) == 6:
        for (i, j), value in zip(((0, 1), (0, 2), (1, 2)), inertia[3:], strict=True):
            out[i, j] = out[j, i] = value
    return out


def check_tensor(inertia: Any) -> Any:
    """Refuse a tensor that no body has: its principal values are positive, and none is more than the sum of the others."""
    if not isinstance(inertia, tuple):
        return inertia
    if len(inertia) not in (3, 6):
        raise ValueError("an inertia has one number, three (xx, yy, zz) or six (xx, yy, zz, xy, xz, yz)")
    a, b, c = (float(value) for value in np.linalg.eigvalsh(tensor_of(inertia)))
    if a < -ROUNDED * c or c > (1.0 + ROUNDED) * (a + b):
        least = "is negative" if a < 0.0 else "is more than the sum of the others"
        raise ValueError(
            f"no body has this inertia: of its principal values {a:.4g}, {b:.4g} and {c:.4g} kg m^2 one {least}"
        )
    return inertia


class Lump(Part):
    """A mass fixed to a link."""

    at: Place = Field(default="tip", description="tip, root, fraction of the length, or a named point")
    mass: Mass = Field(description="Mass")
    inertia: Inertia = Field(default=0.0, description="Rotary inertia about its own centre")


class Body(Part):
    """Mass properties of a rigid link.

    Examples
    --------
    >>> Body(mass=1.0, inertia=(0.02, 0.02, 0.01, 0.0, 0.001, 0.0)).tensor[0]
    array([0.02 , 0.   , 0.001])
    """

    mass: Mass = Field(description="Mass")
    center: Point = Field(default=(0.0, 0.0), description="Centre of mass from the joint, in link axes")
    inertia: Tensor = Field(
        default=0.0,
        description="About the centre of mass; in space three numbers xx, yy, zz or six with xy, xz, yz, about the link axes",
    )
    rpy: Annotated[tuple[Angle, ...], Field(min_length=3, max_length=3)] = Field(
        default=(0.0, 0.0, 0.0), description="Roll, pitch and yaw of the axes of that inertia against the link axes"
    )

    _sound = field_validator("inertia")(check_tensor)

    @property
    def place(self) -> np.ndarray:
        """Centre of mass in link axes, m, (3,)."""
        x, y, *z = self.center
        return np.array([x, y, z[0] if z else 0.0])

    @property
    def tensor(self) -> np.ndarray:
        """Inertia about the centre of mass in link axes, kg m^2, (3, 3)."""
        own = tensor_of(self.inertia)
        if not any(self.rpy):
            return own
        turn = from_rpy(self.rpy)
        return turn @ own @ turn.T
