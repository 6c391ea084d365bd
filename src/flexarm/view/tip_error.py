"""Figure: how far the tip misses: from the command, from the rigid arm, from the wanted path."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from flexarm.view.curves import curve
from flexarm.view.source import Source, active_axes, has, long_name, names, require, times, units, values
from flexarm.view.style import (
    INK,
    Size,
    axis_label,
    grid_of_axes,
    headline,
    legend_above,
    styled,
    time_axis,
)
from flexarm.view.units import largest, scale

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

VARIABLES = ("tip_error", "tip_deflection", "path_error")
SAME = 2e-3
"""Lines that differ by less than this share of their peak cannot be told apart."""


@styled
def tip_error(result: Source, size: Size = "wide") -> Figure:
    """Tip error, tip deflection and path error over time: whichever of them the result has.

    Parameters
    ----------
    result : Source
        A result with ``tip_error``, ``tip_deflection`` or ``path_error``.
    size : {"wide", "column"}
        Width of the figure.
    """
    require(result, "tip_error", "|".join(VARIABLES))
    alike = groups(result)
    figure, rows = grid_of_axes(size, len(alike), sharex=True, row_height=1.7)
    for row, (name, others) in zip(rows, alike.items(), strict=True):
        components(row[0], result, name, [f"the same: {long_name(result, other)}" for other in others])
    time_axis(rows[-1][0], times(result))
    headline(figure, result)
    return figure


def groups(result: Source) -> dict[str, list[str]]:
    """Variables that are shown, each with those whose lines would lie on its own."""
    found: dict[str, list[str]] = {}
    for name in (name for name in VARIABLES if has(result, name)):
        array = values(result, name)
        same = next((other for other in found if largest(array - values(result, other)) <= SAME * largest(array)), None)
        if same is None:
            found[name] = []
        else:
            found[same].append(name)
    return found


def components(axes: Axes, result: Source, name: str, remarks: Sequence[str] = ()) -> None:
    """Parts along the axes and the distance of a vector over time; `remarks` end the legend."""
    array = values(result, name)
    factor, unit = scale(units(result, name), array)
    letters = names(result, "axis")
    shown = active_axes(array)
    for i in shown:
        curve(axes, times(result), factor * array[:, i], label=letters[i])
    if len(shown) > 1:
        distance = np.linalg.norm(array, axis=1)
        curve(axes, times(result), factor * distance, color=INK, lw=0.7, ls=":", label="distance", zorder=1.9)
    for remark in remarks:
        axes.plot([], [], ls="", label=remark)
    axes.set_ylabel(axis_label(long_name(result, name), unit))
    legend_above(axes)
