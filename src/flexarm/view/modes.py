"""Figure: mode shapes, drawn on the arm, with their frequencies and damping."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from flexarm.errors import OutputError
from flexarm.sketch.arm import stiff_places
from flexarm.view.mechanism import Mechanism
from flexarm.view.stage import flat_proportion, stage
from flexarm.view.style import COLOURS, FAINT, INK, WIDTHS, Size, headline, new_figure, styled

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from flexarm.arm import Arm

SWING = 0.13
"""The largest displacement as a part of the arm's extent."""
HEAD, CAPTION, GAP = 0.3, 0.15, 0.12
"""Inches for the title, for a line of a panel's caption, and between panels."""
TALLEST = {"wide": 0.8, "column": 1.6}
"""Most height of the figure over its width."""
LETTERS = {"wide": 8.0, "column": 7.0}
"""Points of the captions."""
SHARE = 0.1
"""Directions with less than this share of the sum of squares are not named."""


class Modes(Protocol):
    """Natural frequencies `hz` (n,), damping ratios `damping` (n,), `shapes` (mode, link, s, axis), and the `arm` in its pose; `rest` (link,
    s, axis) where loads bend it."""

    @property
    def hz(self) -> Any: ...

    @property
    def damping(self) -> Any: ...

    @property
    def shapes(self) -> xr.DataArray: ...

    @property
    def arm(self) -> Arm | None: ...


@styled
def modes(frequencies: Modes, size: Size = "wide", count: int = 6) -> Figure:
    """Mode shapes, one panel each: the moved arm over the arm at rest, which is dashed; the size of the motion is chosen.

    Parameters
    ----------
    frequencies : Frequencies
        What ``flexarm.frequencies`` returns.
    size : {"wide", "column"}
        Width of the figure.
    count : int
        How many modes at most, lowest first.
    """
    if getattr(frequencies, "shapes", None) is None or getattr(frequencies, "arm", None) is None:
        raise OutputError(
            "The figure 'modes' needs mode shapes and their arm: pass what flexarm.frequencies() returns."
        )
    arm = frequencies.arm
    assert arm is not None
    shapes = np.asarray(frequencies.shapes.transpose("mode", "link", "s", "axis"), dtype=float)[:count]
    if len(shapes) == 0:
        raise OutputError("There is no mode to draw: ask flexarm.frequencies() for n=1 or more.")
    s = np.asarray(frequencies.shapes["s"], dtype=float)
    rest = getattr(frequencies, "rest", None)
    rest = stiff_places(arm, s) if rest is None else rest
    ghost = Mechanism.of(rest[None], s, arm)
    bent = [Mechanism.of((rest + move)[None], s, arm) for move in displacements(shapes, rest)]
    clouds = [cloud for each in (ghost, *bent) for cloud in each.clouds]
    captions = [_caption(frequencies, k, arm.spatial) for k in range(len(bent))]
    columns, room = _grid(captions, flat_proportion(clouds), size)
    rows = -(-len(bent) // columns)
    figure = new_figure(size, HEAD + rows * (room[1] + _caption_height(captions) + GAP))
    panels = figure.subplots(rows, columns, squeeze=False).ravel()
    for k, (axes, each) in enumerate(zip(panels, bent, strict=False)):
        _panel(axes, ghost, each, clouds, room)
        axes.set_title(captions[k], loc="left", fontsize=LETTERS[size])
    for axes in panels[len(bent) :]:
        axes.remove()
    joints = getattr(frequencies, "joints", "")
    headline(figure, None, f"Mode shapes, joints {joints}" if joints else "Mode shapes")
    return figure


def displacements(shapes: np.ndarray, rest: np.ndarray) -> np.ndarray:
    """Displacements in m, (mode, link, s, axis), of a size that can be seen on an arm with places (link, s, axis).

    The tip goes towards positive axes: then pictures of one mode look alike whoever computed them.
    """
    extent = float(np.ptp(rest.reshape(-1, 3), axis=0).max())
    found = []
    for shape in shapes:
        peak = float(np.abs(shape).max()) or 1.0
        tip = shape[-1, -1]
        sign = -1.0 if tip[np.abs(tip).argmax()] < 0 else 1.0
        found.append(sign * SWING * extent / peak * shape)
    return np.stack(found)


def _grid(captions: list[str], tall: float, size: Size) -> tuple[int, tuple[float, float]]:
    """Number of columns that lets panels of a proportion (height over width) be largest; width and height of a panel in inches."""
    from flexarm.view.layout import width

    count, caption, least = (
        len(captions),
        _caption_height(captions),
        max(width(caption, LETTERS[size]) for caption in captions),
    )
    wide, best = WIDTHS[size], (0.0, 1, (1.0, 1.0))
    for columns in range(1, count + 1):
        rows = -(-count // columns)
        across = wide / columns - GAP
        most = (TALLEST[size] * wide - HEAD) / rows - caption - GAP
        scale = min(across, most / tall)
        if scale > 1.02 * best[0] and (across > least + GAP or columns == 1):
            best = (scale, columns, (across, max(scale * tall, 0.25)))
    return best[1], best[2]


def _caption_height(captions: list[str]) -> float:
    return max(1 + caption.count("\n") for caption in captions) * CAPTION


def _panel(axes: Axes, ghost: Mechanism, bent: Mechanism, clouds: list[np.ndarray], room: tuple[float, float]) -> None:
    ground = stage(axes, clouds, room, bare=True)
    for line in (*ghost.curves(ghost.links[0]), *ghost.brackets[0]):
        ground.line(line, "--", color=FAINT, lw=0.9)
    for i, line in zip(bent.moving, bent.curves(bent.links[0]), strict=True):
        ground.line(line, "-", color=COLOURS[0] if bent.flexible[i] else INK, lw=1.6, solid_capstyle="round")
    for line in bent.brackets[0]:
        ground.line(line, "-", color=INK, lw=1.3)
    ground.line(bent.links[0, bent.moving, 0], ls="", marker="o", ms=2.6, color=INK)
    ghost.draw_ground(ground)


def _caption(frequencies: Modes, k: int, spatial: bool) -> str:
    hz, damping = float(np.asarray(frequencies.hz)[k]), np.asarray(frequencies.damping, dtype=float)
    more = []
    if k < damping.size and np.isfinite(damping[k]) and damping[k] > 0:
        more.append(f"damping {100 * damping[k]:.2g} %" if damping[k] < 0.995 else "overdamped")
    if spatial:
        shape = np.asarray(frequencies.shapes.transpose("mode", "link", "s", "axis"), dtype=float)[k]
        squares = (shape**2).reshape(-1, 3).sum(axis=0)
        named = [letter for letter, part in zip("xyz", squares, strict=True) if part > SHARE * squares.sum()]
        more.append(f"along {' and '.join(named)}")
    return "\n".join([f"Mode {k + 1}: {hz:.4g} Hz", *([", ".join(more)] if more else [])])
