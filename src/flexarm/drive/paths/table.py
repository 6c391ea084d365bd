"""Paths given by samples over time, from a CSV file or written out as points."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import Field, PrivateAttr, ValidationInfo, field_validator, model_validator

from flexarm.arm.quantity import Duration, Length, Quantity
from flexarm.drive.csvfile import Samples, read_samples
from flexarm.drive.paths.curves import Curve, Straight, TimedSpline
from flexarm.drive.paths.shapes import PathShape
from flexarm.drive.profiles.base import Shape as Profile
from flexarm.drive.profiles.running import ConstantMotion
from flexarm.drive.profiles.table import absolute_file, size_of_unit


class TablePath(PathShape):
    """Places of the tip over time; times count from the path's beginning, the last place holds afterwards.

    ``cubic`` is the spline with two continuous derivatives that begins and ends at rest; with ``linear`` the velocity
    jumps at every sample.
    """

    shape: Literal["table"] = Field(description="Name of the shape")
    file: str | None = Field(default=None, description="CSV file with a header row; relative to the scenario's folder")
    columns: Annotated[tuple[str, ...], Field(min_length=2, max_length=3)] = Field(
        default=("x", "y"), description="Names of the columns with x and y (and z)"
    )
    unit: Annotated[float, Field(gt=0, allow_inf_nan=False)] = Field(
        default=1.0, description="Unit of the columns, such as mm; kept as its size in m"
    )
    points: Annotated[tuple[tuple[Duration, Length, Length], ...], Field(min_length=2)] | None = Field(
        default=None, description="Rows of time, x and y, in place of a file"
    )
    interpolate: Literal["cubic", "linear"] = Field(default="cubic", description="What lies between the samples")
    timed: ClassVar[bool] = True
    _samples: tuple[Samples, ...] = PrivateAttr()

    @field_validator("file", mode="before")
    @classmethod
    def _absolute(cls, value: Any, info: ValidationInfo) -> Any:
        return absolute_file(value, info)

    @field_validator("unit", mode="before")
    @classmethod
    def _size_of_unit(cls, value: Any, info: ValidationInfo) -> Any:
        return size_of_unit(value, info, Quantity("m"))

    @model_validator(mode="after")
    def _read(self) -> TablePath:
        if (self.file is None) == (self.points is None):
            raise ValueError("give either 'file' (a CSV table) or 'points' (rows of time, x and y)")
        if self.points is None:
            read = [read_samples(Path(self.file or ""), column) for column in self.columns]
            self._samples = tuple(Samples(sample.times, self.unit * sample.values) for sample in read)
        else:
            if self.unit != 1.0 or self.columns != ("x", "y"):
                raise ValueError("'columns' and 'unit' go with 'file', not with 'points'")
            rows = np.array(self.points)
            self._samples = tuple(Samples(rows[:, 0], rows[:, k]) for k in (1, 2))
        times = self._samples[0].times
        if times[0] != 0.0:
            raise ValueError(f"the first row of a path is for t = 0, not {times[0]:g} s; say start to wait before it")
        for i in np.flatnonzero(np.diff(times) <= 0.0):
            raise ValueError(f"times must increase, but row {i + 2} at {times[i + 1]:g} s does not")
        return self

    @property
    def coordinates(self) -> int:
        """2, or 3 with a column for z."""
        return len(self.columns)

    @property
    def content(self) -> bytes:
        """Times and places, to tell one table from another."""
        return b"".join(sample.times.tobytes() + sample.values.tobytes() for sample in self._samples)

    @property
    def finest(self) -> float:
        """Shortest time between two samples, s."""
        return float(np.diff(self._samples[0].times).min())

    def curve(self, tip: np.ndarray) -> Curve:
        times, values = self._samples[0].times, [sample.values for sample in self._samples]
        places = np.stack([*values, np.zeros(len(times))][:3], axis=1)
        if self.interpolate == "linear":
            ends = zip(places[:-1], places[1:], np.diff(times).tolist(), strict=True)
            return Curve([Straight(a, b, width) for a, b, width in ends])
        from scipy.interpolate import CubicSpline

        return Curve([TimedSpline(CubicSpline(times, places, bc_type="clamped"))])

    def clock(self, curve: Curve) -> list[Profile]:
        return [ConstantMotion(profile="constant", speed=1.0, duration=curve.length, start=self.start)]
