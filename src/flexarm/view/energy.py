"""Figure: where the energy is, and how well the balance closes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flexarm.view.curves import curve
from flexarm.view.source import Source, long_name, names, require, times, units, values
from flexarm.view.style import (
    COLOURS,
    Size,
    axis_label,
    headline,
    legend_above,
    new_figure,
    styled,
    time_axis,
)
from flexarm.view.units import scale

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STYLES = {"work": "--", "dissipated": "-.", "numerical": ":"}


@styled
def energy(result: Source, size: Size = "wide") -> Figure:
    """Energy by kind over time; the residual of the balance has a panel of its own.

    Parameters
    ----------
    result : Source
        A result with ``energy``.
    size : {"wide", "column"}
        Width of the figure.
    """
    require(result, "energy", "energy")
    array, kinds, unit_si = values(result, "energy"), names(result, "kind"), units(result, "energy")
    shown = [i for i, kind in enumerate(kinds) if kind != "residual" and np.nanmax(np.abs(array[:, i])) > 0]
    residual = "residual" in kinds
    figure = new_figure(size, 4.0 if residual else 2.8)
    ratios = [2.4, 1.0] if residual else [1.0]
    rows = figure.subplots(len(ratios), 1, sharex=True, squeeze=False, height_ratios=ratios)[:, 0]
    upper, lower = rows[0], rows[-1]
    factor, unit = scale(unit_si, array[:, shown])
    for i in shown or [0]:
        curve(upper, times(result), factor * array[:, i], STYLES.get(kinds[i], "-"), label=kinds[i])
    upper.set_ylabel(axis_label(long_name(result, "energy"), unit))
    legend_above(upper)
    if residual:
        rest = array[:, kinds.index("residual")]
        factor, unit = scale(unit_si, rest)
        curve(lower, times(result), factor * rest, color=COLOURS[-1])
        lower.set_ylabel(axis_label("residual", unit))
    time_axis(lower, times(result))
    headline(figure, result)
    return figure
