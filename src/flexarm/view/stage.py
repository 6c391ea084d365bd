"""Where an arm is drawn to scale: the plane, or space seen from a direction without perspective.

A stage takes places in m, shape (..., 3), and puts them on the paper; whoever draws need not know which of the two it is.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.view.source import is_spatial
from flexarm.view.style import FAINT, INK, paper_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

MARGIN, THINNEST = 0.06, 0.2
"""Free room around all that is drawn, and the thinnest side of it, as parts of the widest side."""
HATCH, STROKE = 0.09, 0.07
"""Inches between the strokes of the ground, and their length."""
NAME = 6.5
"""Points of the letters of names."""


class Stage:
    """Axes with equal units.

    Attributes
    ----------
    axes : Axes
        What is drawn in.
    inch : float
        Metres per inch of paper, roughly.
    """

    spatial = False

    def __init__(self, axes: Axes, inch: float):
        self.axes, self.inch = axes, inch
        self._taken: list[np.ndarray] = []

    def flat(self, places: np.ndarray) -> np.ndarray:
        """Places (..., 3) on the paper, (..., 2)."""
        return np.asarray(places, dtype=float)[..., :2]

    def line(self, places: np.ndarray, *style: str, **look: Any) -> Line2D:
        """Draw a line through places, shape (n, 3)."""
        return self.axes.plot(*self.flat(places).T, *style, **look)[0]

    def move(self, line: Line2D, places: np.ndarray) -> None:
        """Give a line other places."""
        line.set_data(*self.flat(places).T)

    def ground(self, feet: np.ndarray, bars: Sequence[np.ndarray] = ()) -> list[Any]:
        """Draw what does not move: places (n, 3) where the arm stands, and bars through places (m, 3), hatched on one side."""
        from matplotlib.collections import LineCollection

        made: list[Any] = []
        strokes = [stroke for bar in bars for stroke in self._hatch(self.flat(bar))]
        for bar in bars:
            made.append(self.line(bar, "-", color=FAINT, lw=1.6, zorder=1.6))
        if strokes:
            made.append(self.axes.add_collection(LineCollection(strokes, colors=FAINT, linewidths=0.7, zorder=1.6)))
        made.append(self.line(feet, ls="", marker="s", ms=5.5, mfc="white", mec=INK, mew=1.2, zorder=5))
        return made

    def _hatch(self, bar: np.ndarray) -> list[np.ndarray]:
        """Short strokes to the right of a line (n, 2)."""
        found = []
        for a, b in itertools.pairwise(bar):
            along = b - a
            length = float(np.hypot(*along))
            if length < self.inch * HATCH:
                continue
            along = along / length
            back = self.inch * STROKE * np.array([along[1] - along[0], -along[0] - along[1]]) / np.sqrt(2.0)
            for share in np.arange(0.5 * HATCH * self.inch, length, HATCH * self.inch):
                foot = a + share * along
                found.append(np.stack([foot, foot + back]))
        return found

    def name(self, words: Sequence[str], places: np.ndarray, away: np.ndarray) -> None:
        """Write names beside places (n, 3), where there is room on the side to which the directions (n, 3) point; names of one
        place share a line."""
        merged: list[tuple[np.ndarray, np.ndarray, list[str]]] = []
        spots, sides = self.flat(places), self.flat(places + away) - self.flat(places)
        for word, spot, side in zip(words, spots, sides, strict=True):
            near = next((item for item in merged if np.hypot(*(item[0] - spot)) < 0.08 * self.inch), None)
            if near is None:
                merged.append((spot, side, [word]))
            else:
                near[2].append(word)
        for spot, side, listed in merged:
            length = float(np.hypot(*side))
            out = side / length if length > 0.0 else np.array([0.0, 1.0])
            across = np.array([-out[1], out[0]])
            turned = (out, out + across, out - across, across, -across, -out)
            tries = [self._beside(", ".join(listed), spot, each / np.hypot(*each)) for each in turned]
            box = next((each for each in tries if self._is_free(each)), tries[0])
            self._taken.append(box)
            x, y = self.inch * box.mean(axis=0)
            self.axes.text(
                x, y, ", ".join(listed), ha="center", va="center", fontsize=NAME, color=INK, zorder=6,
                bbox={"boxstyle": "square,pad=0.05", "fc": "white", "ec": "none", "alpha": 0.7},
            )  # fmt: skip

    def _beside(self, text: str, spot: np.ndarray, out: np.ndarray) -> np.ndarray:
        """Lower left and upper right corner in inches, shape (2, 2), of a text that stands beside a spot on one side."""
        from flexarm.view.layout import width

        half = 0.5 * np.array([width(text, NAME), 1.2 * NAME / 72])
        reach = min((half[i] / abs(out[i]) for i in (0, 1) if abs(out[i]) > 1e-9), default=0.0)
        middle = spot / self.inch + (0.06 + reach) * out
        return np.stack([middle - half, middle + half])

    def _is_free(self, box: np.ndarray) -> bool:
        """True if no text was written in a box, in inches, before."""
        return not any(np.all(box[0] < other[1] + 0.03) and np.all(other[0] < box[1] + 0.03) for other in self._taken)


def bounds(*clouds: np.ndarray, margin: float = MARGIN, thinnest: float = THINNEST) -> np.ndarray:
    """Lower and upper corner of all points with a margin, shape (2, n); no side is thinner than a part of the widest.

    Parameters
    ----------
    *clouds : ndarray, shape (..., n)
        Points in m.
    """
    points = np.concatenate([cloud.reshape(-1, cloud.shape[-1]) for cloud in clouds])
    low, high = np.nanmin(points, axis=0), np.nanmax(points, axis=0)
    width = np.maximum(high - low, thinnest * max(float((high - low).max()), 1e-12))
    middle = 0.5 * (low + high)
    reach = (0.5 + margin) * width
    return np.stack([middle - reach, middle + reach])


def flat_proportion(clouds: Sequence[np.ndarray]) -> float:
    """Height over width of all these points (..., 3) on paper, with a little room around them."""
    if any(is_spatial(cloud) for cloud in clouds):
        from flexarm.view.space import View

        corners = bounds(*(cloud @ View.towards(*clouds).axes[:2].T for cloud in clouds))
    else:
        corners = bounds(*(cloud[..., :2] for cloud in clouds))
    wide, high = corners[1] - corners[0]
    return float(high / wide)


def proportion(clouds: Sequence[np.ndarray], width: float) -> float:
    """Height in inches that suits a figure of `width` inches with all these points (..., 3) on a stage."""
    if any(is_spatial(cloud) for cloud in clouds):
        from flexarm.view.space import View, flat_size

        wide, high = flat_size(bounds(*clouds), View.towards(*clouds))
        return float(np.clip((width - 1.9) * high / wide + 1.1, 0.45 * width, 0.8 * width))
    return float(np.clip(0.8 * width * flat_proportion(clouds) + 0.8, max(1.7, 0.33 * width), 0.8 * width))


def stage(axes: Axes, clouds: Sequence[np.ndarray], room: tuple[float, float], bare: bool = False) -> Stage:
    """A stage on which all points (..., 3) have room.

    Parameters
    ----------
    axes : Axes
        Plain axes in a grid.
    clouds : sequence of ndarray
        What will be drawn, in m.
    room : (float, float)
        Width and height of the axes in inches, roughly.
    bare : bool
        Whether to leave out frame, ticks and labels.
    """
    if any(is_spatial(cloud) for cloud in clouds):
        from flexarm.view.space import Space, View

        return Space(axes, bounds(*clouds), View.towards(*clouds), room, shown=clouds if bare else None)
    corners = bounds(*(cloud[..., :2] for cloud in clouds))
    axes.set_xlim(*corners[:, 0].tolist())
    axes.set_ylim(*corners[:, 1].tolist())
    paper_of(axes).keep_equal(axes)
    if bare:
        axes.set_axis_off()
    else:
        axes.set_xlabel("x (m)")
        axes.set_ylabel("y (m)")
    return Stage(axes, float(np.max((corners[1] - corners[0]) / room)))
