"""Figure: the arm at several instants in one picture, as under a stroboscope."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from flexarm.view.mechanism import mechanism
from flexarm.view.source import Source, instants, require, times, tip_path
from flexarm.view.space import Space
from flexarm.view.stage import proportion, stage
from flexarm.view.style import FAINT, SEQUENCE, WIDTHS, Size, colour_bar, headline, legend_above, new_figure, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@styled
def arm(result: Source, size: Size = "wide", at: int | Sequence[float] = 9) -> Figure:
    """The arm to scale at several instants, with the path of its tip; spatial arms in space, with the shadow of that path.

    Joints are named in the last pose. What cannot move is drawn once, as ground.

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

    time, drawn, trace = times(result), mechanism(result), tip_path(result)
    clouds, wide = [*drawn.clouds, trace], WIDTHS[size]
    figure = new_figure(size, proportion(clouds, wide))
    ground = stage(figure.subplots(), clouds, (wide - 0.9, figure.get_figheight() - 0.7))
    if isinstance(ground, Space):
        ground.line(ground.on_floor(trace), "-", color="#dddddd", lw=1.2, zorder=0.8)
    ground.line(trace, ":", color=FAINT, lw=0.8, label="path of the tip")
    colours = ScalarMappable(Normalize(float(time[0]), float(time[-1])), matplotlib.colormaps[SEQUENCE].reversed())
    for k in instants(time, at):
        colour = colours.to_rgba(time[k])
        for line in (*drawn.curves(drawn.links[k]), *drawn.brackets[k]):
            ground.line(line, "-", color=colour, lw=1.3, solid_capstyle="round")
        ground.line(drawn.links[k, drawn.moving, 0], ls="", marker="o", ms=2.6, color=colour)
    drawn.draw_ground(ground)
    drawn.draw_names(ground)
    colour_bar(ground.axes, colours, "Time (s)")
    legend_above(ground.axes, least=1)
    headline(figure, result)
    return figure
