"""Figure: strain at the gauges over time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flexarm.view.curves import curve
from flexarm.view.source import Source, names, require, times, values
from flexarm.view.style import (
    Size,
    axis_label,
    grid_of_axes,
    headline,
    legend_above,
    styled,
    time_axis,
)
from flexarm.view.units import scale
from flexarm.view.words import gauge_words, signal_words

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@styled
def strain(result: Source, size: Size = "wide") -> Figure:
    """Strain of every gauge over time, in µm/m.

    Parameters
    ----------
    result : Source
        A result with ``strain``.
    size : {"wide", "column"}
        Width of the figure.
    """
    require(result, "strain", "strain")
    figure, rows = grid_of_axes(size, 1, row_height=2.2)
    axes, array, gauges = rows[0][0], values(result, "strain"), names(result, "gauge")
    factor, unit = scale("m/m", array)
    for i, gauge in enumerate(gauges):
        curve(axes, times(result), factor * array[:, i], label=gauge_words(gauge))
    axes.set_ylabel(axis_label(signal_words("strain" if len(gauges) > 1 else f"strain:{gauges[0]}"), unit))
    legend_above(axes)
    time_axis(axes, times(result))
    headline(figure, result)
    return figure
