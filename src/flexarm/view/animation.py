"""A film of the moving arm as an animated gif."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.errors import OutputError
from flexarm.files import refuse_existing, whole_file
from flexarm.view.film import film
from flexarm.view.scene import Scene
from flexarm.view.source import Source, require, times
from flexarm.view.style import styled

if TYPE_CHECKING:
    from PIL.Image import Image

HOLD = 800
"""Milliseconds for which the last picture stays before the film starts again."""
COLOURS_OF_FILM = 64


@styled
def animate(
    result: Source,
    path: str | Path,
    fps: float = 25.0,
    speed: float = 1.0,
    longest: float = 8.0,
    force: bool = False,
    progress: Callable[[str, float, float], Any] | None = None,
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
        Called with (stage, done, total).

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
    scene = Scene(result, speed)
    with whole_file(path, force) as temporary:
        _shoot(scene, frames, hundredths, temporary, progress)
    return path


def _shoot(
    scene: Scene,
    frames: np.ndarray,
    hundredths: int,
    path: Path,
    progress: Callable[[str, float, float], Any] | None,
) -> None:
    """Draw the pictures one by one and write them as a gif."""
    from PIL.Image import Dither

    palette = _palette(scene.picture(float(frames[-1])))
    pictures = []
    for k, instant in enumerate(frames):
        picture = scene.picture(float(instant))
        pictures.append(picture.quantize(palette=palette, dither=Dither.NONE))
        if progress is not None:
            progress("animation", k + 1, len(frames))
    milliseconds = [10 * hundredths] * len(frames)
    milliseconds[-1] += HOLD
    pictures[0].save(path, save_all=True, append_images=pictures[1:], duration=milliseconds, loop=0)


def _palette(picture: Image) -> Image:
    """One palette for the whole film, from its last picture, which shows everything: nothing flickers."""
    palette = picture.quantize(COLOURS_OF_FILM)
    colours = np.array(palette.getpalette(), dtype=int).reshape(-1, 3)
    colours[colours.min(axis=1) > 240] = 255  # else paper would be taken for one of the near-whites
    palette.putpalette(colours.ravel().tolist())
    return palette
