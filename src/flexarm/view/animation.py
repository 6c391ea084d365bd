"""A film of the moving arm: as an animated gif, or as MP4 for slides and video players."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from flexarm.errors import OutputError
from flexarm.files import refuse_existing, whole_file
from flexarm.view.film import film
from flexarm.view.scene import Scene
from flexarm.view.source import Source, require, times
from flexarm.view.style import styled

if TYPE_CHECKING:
    from PIL.Image import Image

HOLD = 0.8
"""Seconds for which the last picture stays."""
COLOURS_OF_FILM = 64
QUALITY = 8
"""Of an MP4 film, from 0 to 10: thin lines suffer from less."""


class Kind(NamedTuple):
    """Pictures per second and their greatest number per second, longest duration in s, most pictures, width in pixels."""

    fps: float
    most_fps: float
    longest: float
    most: int
    width: int


KINDS = {".gif": Kind(25.0, 50.0, 8.0, 200, 800), ".mp4": Kind(30.0, 60.0, 20.0, 1200, 1280)}
"""What a film is by the end of its name, where nothing else is asked for."""


@styled
def animate(
    result: Source,
    path: str | Path,
    fps: float | None = None,
    speed: float | None = None,
    longest: float | None = None,
    width: int | None = None,
    force: bool = False,
    progress: Callable[[str, float, float], Any] | None = None,
) -> Path:
    """Write a film of the arm moving, with the trace of its tip and, where known, the rigid arm.

    A run that would last longer than `longest` seconds, or than 200 pictures of a gif (1200 of an MP4 film), is played faster as a
    whole; the picture states the speed.

    Parameters
    ----------
    result : Source
        A result with ``shape``.
    path : str or Path
        File to write; its name ends in ``.gif``, or in ``.mp4``, which needs the package imageio-ffmpeg (extra ``video``).
    fps : float, optional
        Pictures per second: 25 of a gif, at most 50, rounded so that each stands for whole hundredths of a second; 30 of an MP4
        film, at most 60.
    speed : float, optional
        Simulated seconds per second of film: 0.2 is slow motion. Left out, short runs are slowed down until they last four seconds.
    longest : float, optional
        Longest duration of the film in s: 8 of a gif, 20 of an MP4 film.
    width : int, optional
        Width in pixels: 800 of a gif, 1280 of an MP4 film.
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
    if path.suffix.lower() not in KINDS:
        raise OutputError(f"An animation is written as gif or mp4: '{path.name}' should end in '.gif' or '.mp4'.")
    kind, video = KINDS[path.suffix.lower()], path.suffix.lower() == ".mp4"
    fps, longest, width = (
        fps or kind.fps,
        kind.longest if longest is None else longest,
        kind.width if width is None else width,
    )
    for name, value, limit in (
        ("fps", fps, kind.most_fps),
        ("speed", 1.0 if speed is None else speed, math.inf),
        ("longest", longest, math.inf),
        ("width", width, 4096),
    ):
        if not 0 < value <= limit or math.isnan(value):
            range_text = f"positive and at most {limit:g}" if limit < math.inf else "positive"
            raise OutputError(f"The animation's {name} is {value:g}; it must be {range_text}.")
    if video:
        require_video()
    refuse_existing(path, force)
    # a gif counts in hundredths, and viewers distrust less than two
    period = 1.0 / fps if video else 0.01 * max(2, round(100.0 / fps))
    frames, speed = film(times(result), period, speed, longest, kind.most)
    scene = Scene(result, speed, width)
    with whole_file(path, force) as temporary:
        pictures = _pictures(scene, frames, progress)
        if video:
            _write_video(pictures, period, temporary)
        else:
            _write_gif(pictures, _palette(scene.picture(float(frames[-1]))), period, temporary)
    return path


def require_video() -> None:
    """Refuse, in words, to write MP4 where the package for it is missing."""
    try:
        import imageio_ffmpeg  # noqa: F401
    except ImportError:
        raise OutputError(
            "A film as MP4 needs the package imageio-ffmpeg: pip install 'flexarm[video]', or write a gif."
        ) from None


def _pictures(scene: Scene, frames: np.ndarray, progress: Callable[[str, float, float], Any] | None) -> Iterator[Image]:
    """Draw the pictures one by one."""
    for k, instant in enumerate(frames):
        yield scene.picture(float(instant))
        if progress is not None:
            progress("animation", k + 1, len(frames))


def _write_gif(pictures: Iterator[Image], palette: Image, period: float, path: Path) -> None:
    from PIL.Image import Dither

    drawn = [picture.quantize(palette=palette, dither=Dither.NONE) for picture in pictures]
    milliseconds = [round(1e3 * period)] * len(drawn)
    milliseconds[-1] += round(1e3 * HOLD)
    drawn[0].save(path, save_all=True, append_images=drawn[1:], duration=milliseconds, loop=0)


def _write_video(pictures: Iterator[Image], period: float, path: Path) -> None:
    """As H.264, which players everywhere know; the last picture is repeated."""
    from imageio_ffmpeg import write_frames

    first = next(pictures)
    writer = write_frames(str(path), first.size, fps=1.0 / period, codec="libx264", quality=QUALITY, macro_block_size=2)
    writer.send(None)
    try:
        last = first.tobytes()
        writer.send(last)
        for picture in pictures:
            last = picture.tobytes()
            writer.send(last)
        for _ in range(round(HOLD / period)):
            writer.send(last)
    finally:
        writer.close()


def _palette(picture: Image) -> Image:
    """One palette for the whole film, from its last picture, which shows everything: nothing flickers."""
    palette = picture.quantize(COLOURS_OF_FILM)
    colours = np.array(palette.getpalette(), dtype=int).reshape(-1, 3)
    colours[colours.min(axis=1) > 240] = 255  # else paper would be taken for one of the near-whites
    palette.putpalette(colours.ravel().tolist())
    return palette
