"""Shapes of paths as a scenario describes them, and the curves that they mean."""

from __future__ import annotations

import itertools
import math
from abc import abstractmethod
from typing import Annotated, ClassVar, Literal, TypeAlias

import numpy as np
from pydantic import Field, model_validator

from flexarm.arm.base import Part, Truth
from flexarm.arm.quantity import Angle, Duration, Length, PositiveLength, PositiveTime
from flexarm.drive.paths.curves import Arc, Curve, SplinePiece, Straight, place, through_corners
from flexarm.drive.profiles.base import Shape as Profile
from flexarm.drive.profiles.moves import (
    BangBangMove,
    Cycloid,
    Nonic,
    Quintic,
    TrapezoidAcceleration,
    TrapezoidVelocity,
    Versine,
    check_rise,
)
from flexarm.drive.profiles.running import ConstantMotion

Point = Annotated[tuple[Length, ...], Field(min_length=2, max_length=3)]
"""x and y in m; arms in space also take z."""

_MOVES = {
    "quintic": Quintic,
    "nonic": Nonic,
    "cycloid": Cycloid,
    "versine": Versine,
    "bang-bang": BangBangMove,
    "trapezoid-velocity": TrapezoidVelocity,
    "trapezoid-acceleration": TrapezoidAcceleration,
}


def point3(point: tuple[float, ...]) -> np.ndarray:
    """A point with three coordinates."""
    return np.array([*point, 0.0][:3])


class PathShape(Part):
    """What all paths share."""

    start: Duration = Field(default=0.0, description="Wait before it begins")
    elbow: Literal["up", "down"] | None = Field(
        default=None,
        description="Side to which the arm bends: up, the last joint is turned clockwise; as the joints stand, or up, "
        "when left out",
    )
    timed: ClassVar[bool] = False
    """The curve's parameter is the time itself."""

    @property
    def coordinates(self) -> int:
        """Of its places: 2, or 3 if one has a z."""
        places = [getattr(self, name, None) or () for name in ("origin", "to", "center")]
        return max(2, *map(len, [*places, *getattr(self, "points", ())]))

    @abstractmethod
    def curve(self, tip: np.ndarray) -> Curve:
        """The curve; `tip` (3,) is where the tip of the rigid arm stands at the start, m."""

    @abstractmethod
    def clock(self, curve: Curve) -> list[Profile]:
        """Profiles that lead the curve's parameter from 0 to its end."""


class TimedShape(PathShape):
    """A shape that is run through in a given time by a given law."""

    duration: PositiveTime = Field(description="How long the whole path takes, all turns together")
    timing: Literal[
        "quintic", "nonic", "cycloid", "versine", "bang-bang", "trapezoid-velocity", "trapezoid-acceleration", "uniform"
    ] = Field(default="quintic", description="How the way grows with time, from rest to rest; uniform: constant speed")
    rise: PositiveTime | None = Field(default=None, description="Length of the ramps of trapezoid timings")

    @model_validator(mode="after")
    def _ramps(self) -> TimedShape:
        if ("trapezoid" in self.timing) != (self.rise is not None):
            raise ValueError(
                f"timing {self.timing} needs 'rise', the length of its ramps"
                if self.rise is None
                else f"'rise' is for trapezoid timings; leave it out for {self.timing}"
            )
        return self

    def clock(self, curve: Curve) -> list[Profile]:
        if self.timing == "uniform":
            return [ConstantMotion(profile="constant", speed=curve.length / self.duration, duration=self.duration,
                                   start=self.start)]  # fmt: skip
        marks = [0.0, *(float(curve.edges[k]) for k in curve.stops), curve.length]
        made: list[Profile] = []
        for a, b in itertools.pairwise(marks):
            share = self.duration * (b - a) / curve.length
            extra = {}
            if self.rise is not None:
                check_rise(self.rise, share, 2 if self.timing == "trapezoid-velocity" else 4)
                extra = {"rise": self.rise}
            wait = self.start if not made else 0.0
            made.append(_MOVES[self.timing](profile=self.timing, to=b, duration=share, start=wait, **extra))
        return made


class ClosedShape(TimedShape):
    """A shape that ends where it begins."""

    turns: Annotated[int, Field(ge=1, le=1000)] = Field(default=1, description="How many times it is run through")


Corner: TypeAlias = Literal["stop", "sharp"] | PositiveLength


def check_corner(corner: str | float, timing: str) -> None:
    """Refuse a constant speed that should stop at corners."""
    if corner == "stop" and timing == "uniform":
        raise ValueError(
            "timing uniform does not stop at corners: say corner: sharp (the velocity jumps there), give a radius, "
            "or choose another timing"
        )


class LinePath(TimedShape):
    """A straight line to a point."""

    shape: Literal["line"] = Field(description="Name of the shape")
    origin: Point | None = Field(default=None, alias="from", description="Start; where the tip stands when left out")
    to: Point = Field(description="End")

    def curve(self, tip: np.ndarray) -> Curve:
        begin = tip if self.origin is None else point3(self.origin)
        end = point3(self.to)
        if np.linalg.norm(end - begin) < 1e-9:
            raise ValueError(f"the line has no length: it begins and ends at {place(end)}")
        return Curve([Straight.between(begin, end)])


class CirclePath(ClosedShape):
    """A circle, run through counter-clockwise from the point at `angle`."""

    shape: Literal["circle"] = Field(description="Name of the shape")
    center: Point = Field(description="Centre")
    radius: PositiveLength = Field(description="Radius")
    angle: Angle = Field(default=0.0, description="Where it begins: direction from the centre, against x")
    clockwise: Truth = Field(default=False, description="The other way round")

    def curve(self, tip: np.ndarray) -> Curve:
        c, s = math.cos(self.angle), math.sin(self.angle)
        e2 = np.array([-s, c, 0.0]) * (-1.0 if self.clockwise else 1.0)
        arc = Arc(point3(self.center), self.radius, np.array([c, s, 0.0]), e2, 2.0 * math.pi * self.turns)
        return Curve([arc])


class SquarePath(ClosedShape):
    """A square, run through counter-clockwise from the middle of the side to which `angle` points."""

    shape: Literal["square"] = Field(description="Name of the shape")
    center: Point = Field(description="Centre")
    side: PositiveLength = Field(description="Length of a side")
    angle: Angle = Field(
        default=0.0, description="Direction from the centre to the middle of the first side, against x"
    )
    clockwise: Truth = Field(default=False, description="The other way round")
    corner: Corner = Field(default="stop", description="stop: rest there; sharp: the velocity jumps; or a radius")

    @model_validator(mode="after")
    def _corners(self) -> SquarePath:
        check_corner(self.corner, self.timing)
        self.curve(np.zeros(3))
        return self

    def curve(self, tip: np.ndarray) -> Curve:
        c, s = math.cos(self.angle), math.sin(self.angle)
        out = 0.5 * self.side * np.array([c, s, 0.0])
        across = 0.5 * self.side * np.array([-s, c, 0.0]) * (-1.0 if self.clockwise else 1.0)
        middle = point3(self.center)
        points = middle + np.array([out, out + across, across - out, -out - across, out - across, out])
        radius = 0.0 if isinstance(self.corner, str) else self.corner
        pieces = through_corners(points, False, radius)
        once = Curve(pieces, range(1, len(pieces)) if self.corner == "stop" else ())
        if self.corner != "stop" or self.turns == 1:
            return once.repeated(self.turns)
        # no stop where one turn ends in the middle of a side and the next begins
        whole = Curve(pieces * self.turns)
        return Curve(whole.pieces, [k for k in range(1, len(whole.pieces)) if k % len(pieces)])


class PolygonPath(ClosedShape):
    """Straight sides from point to point."""

    shape: Literal["polygon"] = Field(description="Name of the shape")
    points: Annotated[tuple[Point, ...], Field(min_length=2)] = Field(description="Corners in order")
    closed: Truth = Field(default=True, description="From the last point back to the first")
    corner: Corner = Field(default="stop", description="stop: rest there; sharp: the velocity jumps; or a radius")

    @model_validator(mode="after")
    def _corners(self) -> PolygonPath:
        check_corner(self.corner, self.timing)
        check_points(self.points, self.closed, self.turns)
        self.curve(np.zeros(3))
        return self

    def curve(self, tip: np.ndarray) -> Curve:
        points = np.array([point3(point) for point in self.points])
        radius = 0.0 if isinstance(self.corner, str) else self.corner
        pieces = through_corners(points, self.closed, radius)
        return Curve(pieces, range(1, len(pieces)) if self.corner == "stop" else ()).repeated(self.turns)


class SplinePath(ClosedShape):
    """A smooth curve through points: a cubic spline over the chord lengths, run through by arc length."""

    shape: Literal["spline"] = Field(description="Name of the shape")
    points: Annotated[tuple[Point, ...], Field(min_length=3)] = Field(description="Points on the way, in order")
    closed: Truth = Field(default=False, description="Smoothly from the last point back to the first")

    @model_validator(mode="after")
    def _points(self) -> SplinePath:
        check_points(self.points, self.closed, self.turns)
        return self

    def curve(self, tip: np.ndarray) -> Curve:
        from scipy.interpolate import CubicSpline

        points = np.array([point3(point) for point in self.points])
        if self.closed:
            points = np.concatenate([np.tile(points, (self.turns, 1)), points[:1]])
        w = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
        return Curve([SplinePiece(CubicSpline(w, points, bc_type="periodic" if self.closed else "natural"))])


def check_points(points: tuple[tuple[float, ...], ...], closed: bool, turns: int) -> None:
    """Refuse two equal points in a row, and several turns of a path that is open."""
    rows = np.array([point3(point) for point in points])
    following = np.roll(rows, -1, axis=0) if closed else rows[1:]
    for k, (a, b) in enumerate(zip(rows, following, strict=False), 1):
        if np.linalg.norm(a - b) < 1e-9:
            raise ValueError(f"point {k} and the one after it are the same: {place(a)}")
    if turns > 1 and not closed:
        raise ValueError("several turns need a path that is closed: say closed: true, or leave out turns")
