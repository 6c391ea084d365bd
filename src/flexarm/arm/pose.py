"""Where something stands in space and how it is turned: a place with three angles."""

from __future__ import annotations

import math
from typing import Annotated

import numpy as np
from pydantic import Field

from flexarm.arm.base import Part
from flexarm.arm.quantity import Angle, Length, Number

Place3 = Annotated[tuple[Length, ...], Field(min_length=3, max_length=3)]
Direction = Annotated[tuple[Number, ...], Field(min_length=3, max_length=3)]


def from_rpy(rpy: tuple[float, ...]) -> np.ndarray:
    """Rotation (3, 3) by roll about x, then pitch about y, then yaw about z, all three fixed axes: Rz Ry Rx.

    Examples
    --------
    >>> from_rpy((0.0, 0.0, math.pi / 2)).round(3)[:2, 0]
    array([0., 1.])
    """
    (cr, cp, cy), (sr, sp, sy) = np.cos(rpy), np.sin(rpy)
    return np.array(
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ]
    )


def to_rpy(rotation: np.ndarray) -> tuple[float, float, float]:
    """The angles of `from_rpy`; where pitch is a quarter turn, only the difference of the other two counts and yaw is 0."""
    level = math.hypot(rotation[2, 1], rotation[2, 2])
    pitch = math.atan2(-rotation[2, 0], level)
    if level < 1e-12:
        return math.atan2(-rotation[1, 2], rotation[1, 1]), pitch, 0.0
    return math.atan2(rotation[2, 1], rotation[2, 2]), pitch, math.atan2(rotation[1, 0], rotation[0, 0])


def axis_frame(axis: tuple[float, ...]) -> np.ndarray:
    """A rotation (3, 3) whose third column is the unit vector along `axis`; the identity for z."""
    z = np.array(axis, dtype=float) / np.linalg.norm(axis)
    if z[0] == 0.0 and z[1] == 0.0 and z[2] > 0.0:
        return np.eye(3)
    side = np.eye(3)[int(np.argmin(np.abs(z)))]
    x = side - z * (z @ side)
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(z, x), z])


class Pose(Part):
    """A frame in the axes of what carries it.

    Examples
    --------
    >>> Pose(xyz=(0.0, 0.0, 0.1), rpy=(0.0, 0.0, math.pi)).rotation.round(3)[:1, 0]
    array([-1.])
    """

    xyz: Place3 = Field(default=(0.0, 0.0, 0.0), description="Place of the origin")
    rpy: Annotated[tuple[Angle, ...], Field(min_length=3, max_length=3)] = Field(
        default=(0.0, 0.0, 0.0),
        description="Roll, pitch and yaw: turned about x, then y, then z of what carries it",
    )

    @property
    def rotation(self) -> np.ndarray:
        """Columns are the frame's axes, (3, 3)."""
        return from_rpy(self.rpy) if any(self.rpy) else np.eye(3)

    @property
    def place(self) -> np.ndarray:
        """Place of the origin, m, (3,)."""
        return np.array(self.xyz)
