"""A film of the moving arm as an animated gif."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.errors import OutputError
from flexarm.view.files import refuse_existing, whole_file
from flexarm.view.film import at_instant, film
from flexarm.view.rigid_arm import rigid_shape
from flexarm.view.source import Source, is_spatial, require, times, values
from flexarm.view.stage import bounds, draw_ground, finish, proportion, roots_on_ground, stage, tip_path
from flexarm.view.style import COLOURS, FAINT, headline, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DPI = 80
WIDTH = 6.0
"""Inches."""
HOLD = 0.8
"""Seconds for which the last picture stays before the film starts again."""


@styled
def animate(
    result: Source,
    path: str | Path,
    fps: float = 25.0,
    speed: float = 1.0,
    longest: float = 8.0,
    force: bool = False,
    progress: Callable[[float], None] | None = None,
) -> Path:
    """Write a gif of the arm moving, with the trace of its tip and, where known, the rigid arm.

    A run that would last longer than `longest` seconds, or than 200 pictures, is played faster as a whole;
    the picture states the speed.

    Parameters
    ----------
    result : Source
        A result with ``shape``.
    path : str or Path
        File to write; its name ends in ``.gif``.
    fps : float
        Pictures per second, at most 50; rounded so that each stands for whole hundredths of a second.
    speed : float
        Simulated seconds per second of film: 0.2 is slow motion.
    longest : float
        Longest duration of the film in s.
    force : bool
        Whether an existing file may be replaced.
    progress : callable, optional
        Called with the finished share, 0..1.

    Returns
    -------
    Path
        The file that was written.
    """
    path = Path(path)
    require(result, "animation", "shape")
    if path.suffix.lower() != ".gif":
        raise OutputError(f"An animation is written as gif: '{path.name}' should end in '.gif'.")
    for name, value, limit in (
        ("fps", fps, 50.0),
        ("speed", speed, math.inf),
        ("longest", longest, math.inf),
    ):
        if not 0 < value <= limit or math.isnan(value):
            range_text = f"positive and at most {limit:g}" if limit < math.inf else "positive"
            raise OutputError(f"The animation's {name} is {value:g}; it must be {range_text}.")
    refuse_existing(path, force)
    frames, hundredths, speed = film(times(result), fps, speed, longest)
    figure, show = _scene(result, speed)
    with whole_file(path, force) as temporary:
        _shoot(figure, show, frames, hundredths, temporary, progress)
    return path


def _shoot(
    figure: Figure,
    show: Callable[[float], None],
    frames: np.ndarray,
    hundredths: int,
    path: Path,
    progress: Callable[[float], None] | None,
) -> None:
    """Draw the pictures one by one and write them as a gif."""
    from matplotlib.animation import PillowWriter

    # the writer cuts the milliseconds per picture down to a whole number: the half keeps it from losing one
    writer = PillowWriter(fps=1000.0 / (10 * hundredths + 0.5))  # type: ignore[arg-type]
    writer.setup(figure, str(path), dpi=DPI)
    for k, instant in enumerate(frames):
        show(float(instant))
        writer.grab_frame()
        figure.set_layout_engine("none")  # laid out once: nothing moves but the arm
        if progress is not None:
            progress((k + 1) / len(frames))
    for _ in range(round(100 * HOLD / hundredths)):
        writer.grab_frame()
    writer.finish()


def _scene(result: Source, speed: float) -> tuple[Figure, Callable[[float], None]]:
    """The figure with the arm at its start, and a function that moves it to an instant."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    time, shape, trace = times(result), values(result, "shape"), tip_path(result)
    ghost, ghost_words = rigid_shape(result) or (None, "")
    spatial = is_spatial(shape)
    n = 3 if spatial else 2
    shape, trace = shape[..., :n], trace[:, :n]
    clouds = [shape, trace] + ([ghost[..., :n]] if ghost is not None else [])
    corners = bounds(*clouds)
    figure = Figure(
        figsize=(WIDTH, 4.8 if spatial else proportion(corners, WIDTH)), dpi=DPI, layout="constrained"
    )
    FigureCanvasAgg(figure)
    axes = stage(figure, corners, spatial)
    (path_line,) = axes.plot(*trace[:1].T, color=COLOURS[1], lw=1.0, label="path of the tip")
    ghosts = []
    if ghost is not None:
        ghosts = [axes.plot(*link[:, :n].T, color=FAINT, lw=1.2, ls="--")[0] for link in ghost[0]]
        ghosts[0].set_label(ghost_words)
    links = [axes.plot(*link.T, color=COLOURS[0], lw=2.2, solid_capstyle="round")[0] for link in shape[0]]
    (pins,) = axes.plot(*shape[0, :, 0].T, ls="", marker="o", ms=4, color=COLOURS[0])
    draw_ground(axes, shape[0, roots_on_ground(result), 0])
    pace = "" if math.isclose(speed, 1.0, rel_tol=1e-3) else f"  (speed × {speed:.3g})"
    stamp = figure.text(0.99, 0.01, "", ha="right", va="bottom", family="DejaVu Sans Mono")
    finish(figure, axes, headline(figure, result), spatial, bottom=0.25)

    def show(instant: float) -> None:
        now = at_instant(time, shape, instant)
        for line, link in zip(links, now, strict=True):
            _move(line, link)
        _move(pins, now[:, 0])
        if ghost is not None:
            for line, link in zip(ghosts, at_instant(time, ghost[..., :n], instant), strict=True):
                _move(line, link)
        _move(path_line, np.vstack([trace[time <= instant], at_instant(time, trace, instant)]))
        stamp.set_text(f"t = {instant:.3f} s{pace}")

    return figure, show


def _move(line: Any, points: np.ndarray) -> None:
    """Give a line new points, shape (n, 2) or (n, 3)."""
    if points.shape[1] == 3:
        line.set_data_3d(*points.T)
    else:
        line.set_data(*points.T)
