"""The moving picture of an arm: what stands still is drawn once, what moves for each instant."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from flexarm.view.film import at_instant
from flexarm.view.mechanism import mechanism
from flexarm.view.rigid_arm import rigid_shape
from flexarm.view.source import Source, times, tip_path
from flexarm.view.space import Space
from flexarm.view.stage import proportion, stage
from flexarm.view.style import COLOURS, FAINT, headline, legend_above

if TYPE_CHECKING:
    from PIL.Image import Image

WIDTH = 6.0
"""Inches; pixels are as large as the wanted width makes them."""


class Scene:
    """An arm in a figure, with the trace of its tip, a time stamp and, where it is known, the rigid arm.

    Parameters
    ----------
    result : Source
        A result with ``shape``.
    speed : float
        Simulated seconds per second of film, for the time stamp.
    width : int
        Width of the picture in pixels; both sides are even, as films need it.
    """

    def __init__(self, result: Source, speed: float, width: int = 800):
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        from flexarm.view.layout import Paper

        self.time, self.trace, self.mechanism = times(result), tip_path(result), mechanism(result)
        ghost, words = rigid_shape(result) or (self.mechanism.links[:, :0], "")
        self.ghost = ghost[:, [i for i in self.mechanism.moving if i < ghost.shape[1]]]
        clouds = [*self.mechanism.clouds, self.trace, *([self.ghost] if self.ghost.size else [])]
        dpi = 2 * round(width / 2) / WIDTH
        high = 2 * round(0.5 * dpi * proportion(clouds, WIDTH)) / dpi
        self.figure = Figure(figsize=(WIDTH, high), dpi=dpi, layout=Paper())  # type: ignore[arg-type]
        self.canvas = FigureCanvasAgg(self.figure)
        self.stage = stage(self.figure.subplots(), clouds, (WIDTH - 0.2, self.figure.get_figheight() - 0.7))
        (path, floor), line = (self.trace[:1], self.trace[:1]), self.stage.line
        self.path = line(path, color=COLOURS[1], lw=1.0, label="path of the tip")
        self.shadow = (
            line(self.stage.on_floor(floor), color="#dddddd", lw=1.2) if isinstance(self.stage, Space) else None
        )
        self.ghosts = [line(link, "--", color=FAINT, lw=1.2) for link in self.ghost[0]]
        if self.ghosts:
            self.ghosts[0].set_label(words)
        first = self.mechanism.links[0]
        self.links = [line(link, "-", color=COLOURS[0], lw=2.2) for link in self.mechanism.curves(first)]
        self.brackets = [line(ends, "-", color=COLOURS[0], lw=2.2) for ends in self.mechanism.brackets[0]]
        self.pins = line(first[self.mechanism.moving, 0], ls="", marker="o", ms=4, color=COLOURS[0])
        ground = self.mechanism.draw_ground(self.stage)
        self.pace = "" if math.isclose(speed, 1.0, rel_tol=1e-3) else f"  (speed × {speed:.3g})"
        self.stamp = self.figure.text(0.99, 0.01, "", ha="right", va="bottom", family="DejaVu Sans Mono")
        legend_above(self.stage.axes, least=1, grow=False)
        headline(self.figure, result)
        shadow = [] if self.shadow is None else [self.shadow]
        self.moving = [*shadow, self.path, *self.ghosts, *self.links, *self.brackets, self.pins, *ground, self.stamp]
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
        now, move = at_instant(self.time, self.mechanism.links, instant), self.stage.move
        for line, link in zip(self.links, self.mechanism.curves(now), strict=True):
            move(line, link)
        for line, ends in zip(self.brackets, at_instant(self.time, self.mechanism.brackets, instant), strict=True):
            move(line, ends)
        move(self.pins, now[self.mechanism.moving, 0])
        for line, link in zip(self.ghosts, at_instant(self.time, self.ghost, instant), strict=True):
            move(line, link)
        past, tip = self.trace[self.time <= instant], at_instant(self.time, self.trace, instant)
        move(self.path, np.vstack([past, tip]))
        if self.shadow is not None and isinstance(self.stage, Space):
            move(self.shadow, self.stage.on_floor(np.vstack([past, tip])))
        self.stamp.set_text(f"t = {instant:.3f} s{self.pace}")
