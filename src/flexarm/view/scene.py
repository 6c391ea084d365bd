"""The moving picture of an arm: what stands still is drawn once, what moves for each instant."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.view.arm_axes import arm_axes, bounds, draw_ground, finish, proportion, roots_on_ground, tip_path
from flexarm.view.brackets import brackets
from flexarm.view.film import at_instant
from flexarm.view.rigid_arm import rigid_shape
from flexarm.view.source import Source, is_spatial, times, values
from flexarm.view.style import COLOURS, FAINT, headline

if TYPE_CHECKING:
    from PIL.Image import Image

DPI = 80
WIDTH = 6.0
"""Inches."""


class Scene:
    """An arm in a figure, with the trace of its tip, a time stamp and, where it is known, the rigid arm.

    Parameters
    ----------
    result : Source
        A result with ``shape``.
    speed : float
        Simulated seconds per second of film, for the time stamp.
    """

    def __init__(self, result: Source, speed: float):
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        shape, trace = values(result, "shape"), tip_path(result)
        ghost, words = rigid_shape(result) or (None, "")
        spatial = is_spatial(shape)
        n = 3 if spatial else 2
        self.time, self.shape, self.trace = times(result), shape[..., :n], trace[:, :n]
        self.ghost = ghost[..., :n] if ghost is not None else self.shape[:, :0]
        self.beside = brackets(result, self.shape)
        corners = bounds(*(cloud for cloud in (self.shape, self.trace, self.ghost, self.beside) if cloud.size))
        high = 4.8 if spatial else proportion(corners, WIDTH)
        self.figure = Figure(figsize=(WIDTH, high), dpi=DPI, layout="constrained")
        self.canvas = FigureCanvasAgg(self.figure)
        axes = arm_axes(self.figure, corners, spatial)
        (self.path,) = axes.plot(*self.trace[:1].T, color=COLOURS[1], lw=1.0, label="path of the tip")
        self.ghosts = [axes.plot(*link.T, color=FAINT, lw=1.2, ls="--")[0] for link in self.ghost[0]]
        if self.ghosts:
            self.ghosts[0].set_label(words)
        self.links = [axes.plot(*link.T, color=COLOURS[0], lw=2.2, ls="-")[0] for link in self.shape[0]]
        self.brackets = [axes.plot(*line.T, color=COLOURS[0], lw=2.2, ls="-")[0] for line in self.beside[0]]
        (self.pins,) = axes.plot(*self.shape[0, :, 0].T, ls="", marker="o", ms=4, color=COLOURS[0])
        ground = draw_ground(axes, self.shape[0, roots_on_ground(result), 0])
        self.pace = "" if math.isclose(speed, 1.0, rel_tol=1e-3) else f"  (speed × {speed:.3g})"
        self.stamp = self.figure.text(0.99, 0.01, "", ha="right", va="bottom", family="DejaVu Sans Mono")
        finish(self.figure, axes, headline(self.figure, result), spatial, bottom=0.25)
        self.moving = [self.path, *self.ghosts, *self.links, *self.brackets, self.pins, ground, self.stamp]
        for artist in self.moving:
            artist.set_animated(True)
        self.canvas.draw()
        self.background = self.canvas.copy_from_bbox(self.figure.bbox)

    def picture(self, instant: float) -> Image:
        """The scene at an instant in s."""
        from PIL import Image

        self._show(instant)
        self.canvas.restore_region(self.background)  # type: ignore[attr-defined]
        for artist in self.moving:
            artist.draw(self.canvas.get_renderer())
        size = self.canvas.get_width_height(physical=True)
        return Image.frombuffer("RGBA", size, self.canvas.buffer_rgba()).convert("RGB")

    def _show(self, instant: float) -> None:
        now = at_instant(self.time, self.shape, instant)
        for line, link in zip(self.links, now, strict=True):
            _move(line, link)
        for line, ends in zip(self.brackets, at_instant(self.time, self.beside, instant), strict=True):
            _move(line, ends)
        _move(self.pins, now[:, 0])
        for line, link in zip(self.ghosts, at_instant(self.time, self.ghost, instant), strict=True):
            _move(line, link)
        past, tip = self.trace[self.time <= instant], at_instant(self.time, self.trace, instant)
        _move(self.path, np.vstack([past, tip]))
        self.stamp.set_text(f"t = {instant:.3f} s{self.pace}")


def _move(line: Any, points: np.ndarray) -> None:
    """Give a line new points, shape (n, 2) or (n, 3)."""
    if points.shape[1] == 3:
        line.set_data_3d(*points.T)
    else:
        line.set_data(*points.T)
