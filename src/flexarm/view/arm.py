"""Figure: the arm at several instants in one picture, as under a stroboscope."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from flexarm.view.arm_axes import arm_axes, bounds, draw_ground, finish, proportion, roots_on_ground, tip_path
from flexarm.view.brackets import brackets
from flexarm.view.source import Source, instants, is_spatial, require, times, values
from flexarm.view.style import FAINT, SEQUENCE, WIDTHS, Size, headline, new_figure, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@styled
def arm(result: Source, size: Size = "wide", at: int | Sequence[float] = 9) -> Figure:
    """The arm to scale at several instants, with the path of its tip; spatial arms in space.

    Parameters
    ----------
    result : Source
        A result with ``shape``.
    size : {"wide", "column"}
        Width of the figure.
    at : int or sequence of float
        How many evenly spaced instants, or their times in s.
    """
    require(result, "arm", "shape")
    import matplotlib
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    time, shape, trace = times(result), values(result, "shape"), tip_path(result)
    spatial = is_spatial(shape)
    n = 3 if spatial else 2
    shape, trace = shape[..., :n], trace[:, :n]
    beside = brackets(result, shape)
    corners = bounds(*(cloud for cloud in (shape, trace, beside) if cloud.size))
    high = proportion(corners, WIDTHS[size]) if not spatial else 4.6 if size == "wide" else 3.0
    figure = new_figure(size, high)
    axes = arm_axes(figure, corners, spatial)
    axes.plot(*trace.T, color=FAINT, lw=0.8, ls=":", label="path of the tip")
    norm = Normalize(float(time[0]), float(time[-1]))
    colours = ScalarMappable(norm, matplotlib.colormaps[SEQUENCE].reversed())
    for k in instants(time, at):
        for link in (*shape[k], *beside[k]):
            axes.plot(*link.T, color=colours.to_rgba(time[k]), lw=1.3, ls="-", solid_capstyle="round")
        axes.plot(*shape[k, :, 0].T, ls="", marker="o", ms=2.6, color=colours.to_rgba(time[k]))
    draw_ground(axes, shape[0, roots_on_ground(result), 0])
    where = {"cax": figure.add_axes((0.86, 0.2, 0.02, 0.6))} if spatial else {"ax": axes, "pad": 0.02, "aspect": 25}
    bar = figure.colorbar(colours, **where)  # type: ignore[arg-type]
    bar.set_label("Time (s)")
    bar.outline.set_visible(False)  # type: ignore[operator]
    finish(figure, axes, headline(figure, result), spatial, right=0.84)
    return figure
