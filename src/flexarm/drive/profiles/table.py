"""Tables: motions and torques given by samples, from a CSV file or written out as points."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import Field, PrivateAttr, ValidationInfo, field_validator, model_validator

from flexarm.arm.quantity import Duration, Quantity
from flexarm.drive.csvfile import Samples, read_samples
from flexarm.drive.piecewise import Row
from flexarm.drive.profiles.base import EFFORT_UNIT, POSITION_UNIT, Displacement, Effort, Shape


def absolute_file(value: Any, info: ValidationInfo) -> Any:
    """A file's path, counted from the folder of the scenario."""
    if isinstance(value, (str, Path)):
        folder = (info.context or {}).get("folder") or Path.cwd()
        return str(Path(folder) / value)
    return value


def size_of_unit(value: Any, info: ValidationInfo, quantity: Quantity) -> Any:
    """The size in SI units of a unit that is given by its name."""
    if not isinstance(value, str):
        return value
    reader = (info.context or {}).get("quantity")
    if reader is not None:
        return reader(f"1 {value.strip()}", quantity)
    if value in quantity.unit.split("|"):
        return 1.0
    raise ValueError(f"write the size of the unit as a number in {quantity.unit.replace('|', ' or ')}")


class Table(Shape):
    """Samples over time. Times count from the profile's beginning; the last value holds afterwards.

    Before its first sample the signal stays what it was.
    """

    profile: Literal["table"] = Field(description="Name of the profile")
    file: str | None = Field(default=None, description="CSV file with a header row; relative to the scenario's folder")
    column: str | None = Field(default=None, description="Name of the column; may be left out if there is one only")
    unit: Annotated[float, Field(gt=0, allow_inf_nan=False)] = Field(
        default=1.0, description="Unit of the column, such as deg; kept as its size in SI units"
    )
    points: tuple[tuple[float, float], ...] | None = Field(default=None, description="Pairs of time and value")
    quantity: ClassVar[Quantity]
    _samples: Samples = PrivateAttr()

    @field_validator("file", mode="before")
    @classmethod
    def _absolute(cls, value: Any, info: ValidationInfo) -> Any:
        return absolute_file(value, info)

    @field_validator("unit", mode="before")
    @classmethod
    def _size_of_unit(cls, value: Any, info: ValidationInfo) -> Any:
        return size_of_unit(value, info, cls.quantity)

    @model_validator(mode="after")
    def _read(self) -> Table:
        points = self.points
        if (self.file is None) == (points is None):
            raise ValueError("give either 'file' (a CSV table) or 'points' (pairs of time and value)")
        if points is None:
            read = read_samples(Path(self.file or ""), self.column)
            self._samples = Samples(read.times, read.values * self.unit)
            return self
        if self.column is not None or self.unit != 1.0:
            raise ValueError("'column' and 'unit' go with 'file', not with 'points'")
        times, values = (np.array(column) for column in zip(*points, strict=True))
        for i in np.flatnonzero(np.diff(times) <= 0.0):
            raise ValueError(f"times must increase, but point {i + 2} at {times[i + 1]:g} s comes after {times[i]:g} s")
        self._samples = Samples(times, values)
        return self

    @property
    def samples(self) -> Samples:
        """Times in s and values in SI units."""
        return self._samples

    @property
    def length(self) -> float:
        return float(self._samples.times[-1])

    @property
    def finest(self) -> float:
        return float(np.min(np.diff(self._samples.times)))


class MotionTable(Table):
    """Joint positions over time.

    ``cubic`` is the spline with two continuous derivatives that begins and ends at rest; with ``linear`` the
    velocity jumps at every sample.
    """

    quantity: ClassVar[Quantity] = Quantity(POSITION_UNIT)
    points: Annotated[tuple[tuple[Duration, Displacement], ...], Field(min_length=2)] | None = Field(
        default=None, description="Pairs of time and joint position, in place of a file"
    )
    interpolate: Literal["cubic", "linear"] = Field(default="cubic", description="What lies between the samples")

    @field_validator("interpolate", mode="before")
    @classmethod
    def _no_hold(cls, value: Any) -> Any:
        if value == "hold":
            raise ValueError("'hold' would make the joint jump at every sample; use cubic or linear")
        return value

    def rows(self, begin: float, value: float) -> list[Row]:
        """The interpolated samples, then rest at the last one."""
        if self.interpolate == "linear":
            return _linear(begin, self._samples)
        return _cubic(begin, self._samples, "clamped")


class TorqueTable(Table):
    """Torques or forces over time; ``hold`` keeps each sample until the next one."""

    quantity: ClassVar[Quantity] = Quantity(EFFORT_UNIT)
    points: Annotated[tuple[tuple[Duration, Effort], ...], Field(min_length=2)] | None = Field(
        default=None, description="Pairs of time and torque or force, in place of a file"
    )
    interpolate: Literal["linear", "hold", "cubic"] = Field(
        default="linear", description="What lies between the samples"
    )

    def rows(self, begin: float, value: float) -> list[Row]:
        """The interpolated samples, then the last one."""
        if self.interpolate == "hold":
            return [Row(begin + t, (v,)) for t, v in _pairs(self._samples)]
        if self.interpolate == "linear":
            return _linear(begin, self._samples)
        return _cubic(begin, self._samples, "natural")


def _pairs(samples: Samples) -> list[tuple[float, float]]:
    return list(zip(samples.times.tolist(), samples.values.tolist(), strict=True))


def _linear(begin: float, samples: Samples) -> list[Row]:
    slopes = [*(np.diff(samples.values) / np.diff(samples.times)).tolist(), 0.0]
    return [Row(begin + t, (v, slope)) for (t, v), slope in zip(_pairs(samples), slopes, strict=True)]


def _cubic(begin: float, samples: Samples, ends: str) -> list[Row]:
    from scipy.interpolate import CubicSpline

    coefficients = CubicSpline(samples.times, samples.values, bc_type=ends).c[::-1].T.tolist()
    rows = [
        Row(begin + t, tuple(c), smooth=i > 0)
        for i, (t, c) in enumerate(zip(samples.times.tolist(), coefficients, strict=False))
    ]
    return [*rows, Row(begin + float(samples.times[-1]), (float(samples.values[-1]),))]
