"""Figure: cylinders that move joints: their lengths, and the force or pressure that the load takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flexarm.view.curves import curve
from flexarm.view.source import Source, has, names, require, times, values
from flexarm.view.style import Size, axis_label, grid_of_axes, headline, legend_above, styled, time_axis
from flexarm.view.units import scale

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@styled
def cylinders(result: Source, size: Size = "wide") -> Figure:
    """Length and, below it, pressure (without known areas, force) of each cylinder over time.

    Parameters
    ----------
    result : Source
        A result with ``cylinder_length`` and ``cylinder_force``.
    size : {"wide", "column"}
        Width of the figure.
    """
    require(result, "cylinders", "cylinder_length", "cylinder_force")
    known = has(result, "cylinder_pressure") and bool(np.isfinite(values(result, "cylinder_pressure")).all())
    below = ("cylinder_pressure", "pressure on the piston", "Pa") if known else ("cylinder_force", "force", "N")
    figure, rows = grid_of_axes(size, 2, 1, row_height=1.8, sharex=True)
    for (axes,), (name, words, unit) in zip(rows, (("cylinder_length", "length", "m"), below), strict=True):
        series = values(result, name)
        factor, unit = scale(unit, series)
        for k, cylinder in enumerate(names(result, "cylinder")):
            curve(axes, times(result), factor * series[:, k], label=cylinder)
        axes.set_ylabel(axis_label(words, unit))
    time_axis(rows[-1][0], times(result))
    legend_above(rows[0][0], least=1)
    headline(figure, result)
    return figure
