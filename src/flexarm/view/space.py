"""Space on paper: seen from a direction without perspective, in a box whose edges carry the numbers.

With the azimuth a and the elevation e of the viewer, a place r has the paper coordinates u = r . (-sin a, cos a, 0) and
v = r . (-sin e cos a, -sin e sin a, cos e), and is the nearer the larger r . (cos e cos a, cos e sin a, sin e) is.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from flexarm.view.stage import Stage, bounds
from flexarm.view.style import FAINT, INK, paper_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

AZIMUTHS = (-60.0, -30.0, -120.0, -150.0)
"""Directions to look from, deg, the usual one first."""
ELEVATION = 24.0
GRID = "#e3e3e3"
SIDES = {"left": 0.55, "right": 0.4, "bottom": 0.36, "top": 0.05}
"""Inches around the box for numbers and letters."""
PER_TICK = (0.45, 0.45, 0.33)
"""Inches of an edge for each number."""
NUMBER, LETTER = 7.0, 8.0
"""Points of the letters of numbers and of labels."""


class View(NamedTuple):
    """Azimuth and elevation of the viewer, rad."""

    azimuth: float
    elevation: float

    @classmethod
    def towards(cls, *clouds: np.ndarray) -> View:
        """The usual direction, or another one if the points (..., 3) are seen on edge from there."""
        points = np.concatenate([cloud.reshape(-1, 3) for cloud in clouds])
        points = points[np.isfinite(points).all(axis=1)]
        views = [cls(math.radians(azimuth), math.radians(ELEVATION)) for azimuth in AZIMUTHS]
        spreads = [_spread(points @ view.axes[:2].T) for view in views]
        return next(view for view, spread in zip(views, spreads, strict=True) if spread >= 0.6 * max(spreads))

    @property
    def axes(self) -> np.ndarray:
        """Rows: to the right, upwards, towards the viewer."""
        ca, sa = math.cos(self.azimuth), math.sin(self.azimuth)
        ce, se = math.cos(self.elevation), math.sin(self.elevation)
        return np.array([[-sa, ca, 0.0], [-se * ca, -se * sa, ce], [ce * ca, ce * sa, se]])


def _spread(points: np.ndarray) -> float:
    """How much of the paper points (n, 2) take: the root of the determinant of their covariance."""
    spread = np.cov(points.T)
    return math.sqrt(max(float(np.linalg.det(spread)), 0.0))


def flat_size(corners: np.ndarray, view: View) -> tuple[float, float]:
    """Width and height on paper of the box between two corners, shape (2, 3)."""
    flat = np.array(list(product(*corners.T))) @ view.axes[:2].T
    wide, high = np.ptp(flat, axis=0)
    return float(wide), float(high)


class Space(Stage):
    """Plain axes in which places in space are drawn.

    Parameters
    ----------
    axes : Axes
        Plain axes; their own ticks and frame are taken away.
    corners : ndarray, shape (2, 3)
        Lower and upper corner of the box.
    view : View
        From where it is seen.
    room : (float, float)
        Width and height of the axes in inches, roughly.
    labels : sequence of str
        Of the three edges.
    stretch : sequence of float
        How much longer than one unit of the paper a unit along each axis is drawn; equal for an arm to scale.
    shown : sequence of ndarray, optional
        Places (..., 3) that shall be seen, without the box and its numbers.
    """

    spatial = True

    def __init__(
        self,
        axes: Axes,
        corners: np.ndarray,
        view: View,
        room: tuple[float, float],
        labels: tuple[str, str, str] = ("x (m)", "y (m)", "z (m)"),
        stretch: tuple[float, float, float] = (1.0, 1.0, 1.0),
        shown: Sequence[np.ndarray] | None = None,
    ):
        self.corners, self.view, self.labels = corners, view, labels
        self._matrix = view.axes * np.asarray(stretch)
        if shown is None:
            low, high = bounds(self.flat(np.array(list(product(*corners.T)))), margin=0.0)
        else:
            low, high = bounds(*(self.flat(cloud) for cloud in shown))
        sides = SIDES if shown is None else dict.fromkeys(SIDES, 0.0)
        edges = np.array([sides["left"] + sides["right"], sides["bottom"] + sides["top"]])
        super().__init__(axes, float(np.max((high - low) / np.maximum(np.asarray(room) - edges, 0.3))))
        self._reach = (low[0] / self.inch - sides["left"], high[0] / self.inch + sides["right"])
        axes.set_axis_off()
        axes.set_xlim(low[0] - sides["left"] * self.inch, high[0] + sides["right"] * self.inch)
        axes.set_ylim(low[1] - sides["bottom"] * self.inch, high[1] + sides["top"] * self.inch)
        paper_of(axes).keep_equal(axes)
        if shown is None:
            self._frame()

    def flat(self, places: np.ndarray) -> np.ndarray:
        """Places (..., 3) on the paper, (..., 2)."""
        return np.asarray(places, dtype=float) @ self._matrix[:2].T

    def depth(self, places: np.ndarray) -> np.ndarray:
        """How near to the viewer places (..., 3) are."""
        return np.asarray(places, dtype=float) @ self._matrix[2]

    def on_floor(self, places: np.ndarray) -> np.ndarray:
        """Places straight below on the floor of the box."""
        return np.concatenate([places[..., :2], np.full_like(places[..., :1], self.corners[0, 2])], axis=-1)

    def _frame(self) -> None:
        """Floor, both walls behind, and numbers along three edges of the box."""
        from matplotlib.collections import LineCollection

        low, high = self.corners
        floor = np.array([[x, y, low[2]] for x, y in product(*self.corners[:, :2].T)])
        near = floor[self.depth(floor).argmax()]
        far = np.array([low[0] + high[0] - near[0], low[1] + high[1] - near[1], low[2]])
        left = floor[self.flat(floor)[:, 0].argmin()]
        edges = [(near, 0), (near, 1), (left, 2)]
        ticks = [self._ticks(axis) for axis in range(3)]
        grid, rims = [], []
        for axis, places in enumerate(ticks):
            for value in places:  # a line on each of the two planes behind that hold this axis
                for other in {0, 1, 2} - {axis}:
                    a = far.copy()
                    a[axis] = value
                    b = a.copy()
                    b[other] = low[other] + high[other] - far[other]
                    grid.append(self.flat(np.stack([a, b])))
        for corner, axis in edges:
            a, b = corner.copy(), corner.copy()
            a[axis], b[axis] = low[axis], high[axis]
            rims.append(self.flat(np.stack([a, b])))
        self.axes.add_collection(LineCollection(grid, colors=GRID, linewidths=0.5, zorder=0.5))
        self.axes.add_collection(LineCollection(rims, colors=FAINT, linewidths=0.6, zorder=0.6))
        clear = [self._numbers(corner, axis, ticks[axis]) for corner, axis in edges]
        for (corner, axis), beyond in zip(edges, clear, strict=True):
            middle = corner.copy()
            middle[axis] = 0.5 * (low[axis] + high[axis])
            self._write(self.labels[axis], middle, self._outward(corner, axis), LETTER, beyond, label=True)

    def _ticks(self, axis: int) -> np.ndarray:
        from matplotlib.ticker import MaxNLocator

        low, high = self.corners[:, axis]
        length = float(np.linalg.norm(self._matrix[:2, axis])) * (high - low) / self.inch
        count = int(np.clip(length / PER_TICK[axis], 1, 8))
        places = MaxNLocator(count, steps=[1, 2, 2.5, 5, 10]).tick_values(low, high)
        return places[(places >= low - 1e-9 * (high - low)) & (places <= high + 1e-9 * (high - low))]

    def _outward(self, corner: np.ndarray, axis: int) -> np.ndarray:
        """Direction on the paper across an edge, away from the box."""
        along = self._matrix[:2, axis]
        across = np.array([along[1], -along[0]]) / np.linalg.norm(along)
        middle = corner.copy()
        middle[axis] = self.corners[:, axis].mean()
        inward = self.flat(self.corners.mean(axis=0)) - self.flat(middle)
        return across if across @ inward < 0.0 else -across

    def _numbers(self, corner: np.ndarray, axis: int, ticks: np.ndarray) -> float:
        """Write the numbers of an edge; returns how far they reach from it, in inches."""
        from matplotlib.ticker import ScalarFormatter

        formatter = ScalarFormatter(useOffset=False)
        formatter.create_dummy_axis()
        formatter.axis.set_view_interval(*self.corners[:, axis])  # type: ignore[union-attr]
        outward, reach = self._outward(corner, axis), 0.0
        for value, text in zip(ticks, formatter.format_ticks(ticks.tolist()), strict=True):
            place = corner.copy()
            place[axis] = value
            reach = max(reach, self._write(text, place, outward, NUMBER, 0.05))
        return reach + 0.04

    def _write(
        self, text: str, place: np.ndarray, outward: np.ndarray, points: float, beyond: float, label: bool = False
    ) -> float:  # fmt: skip
        """Write a text so that it just clears an edge by `beyond` inches, unless it would lie on another one; returns how far
        it reaches from the edge, in inches."""
        from flexarm.view.layout import width

        upright = label and abs(outward[0]) > 0.99  # along a vertical edge
        half = 0.5 * np.array([width(text, points), 1.1 * points / 72])[:: -1 if upright else 1]
        out = beyond + float(np.abs(outward) @ half)
        middle = self.flat(place) / self.inch + out * outward
        if label:  # a long one must not leave the paper
            middle[0] = np.clip(
                middle[0], self._reach[0] + half[0], max(self._reach[1] - half[0], self._reach[0] + half[0])
            )
            while not self._is_free(np.stack([middle - half, middle + half])):
                middle[1] -= 0.03
        box = np.stack([middle - half, middle + half])
        if not label and not self._is_free(box):
            return 0.0
        self._taken.append(box)
        x, y = self.inch * middle
        turn = 90 if upright else 0
        self.axes.text(x, y, text, ha="center", va="center", fontsize=points, color=INK, rotation=turn)
        return out + float(np.abs(outward) @ half)
