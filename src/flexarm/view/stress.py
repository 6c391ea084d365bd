"""Figure: the largest stress along each link over the run, and at its worst place over time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flexarm.view.curves import curve
from flexarm.view.source import Source, long_name, names, require, stations, times, values
from flexarm.view.style import Size, axis_label, grid_of_axes, headline, legend_above, styled, time_axis
from flexarm.view.units import scale

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@styled
def stress(result: Source, size: Size = "wide") -> Figure:
    """Stress at the outer fibre: its largest value at every place of the links, and its course at the worst place of each.

    Where a material states its strength, that is drawn as a line.

    Parameters
    ----------
    result : Source
        A result with ``stress``.
    size : {"wide", "column"}
        Width of the figure.
    """
    require(result, "stress", "stress")
    array, links = values(result, "stress"), names(result, "link")
    factor, unit = scale("Pa", array[np.isfinite(array)])
    figure, rows = grid_of_axes(size, 2, row_height=2.2)
    along, over = rows[0][0], rows[1][0]
    for i, link in enumerate(links):
        if np.all(np.isnan(array[:, i])):
            continue
        largest = array[:, i].max(axis=0)
        worst = int(np.argmax(largest))
        (line,) = along.plot(stations(result), factor * largest, label=link)
        curve(
            over,
            times(result),
            factor * array[:, i, worst],
            color=line.get_color(),
            label=f"{link}, s = {stations(result)[worst]:g}",
        )
        strength = _strength(result, link)
        if strength is not None:
            for axes in (along, over):
                axes.axhline(factor * strength, color=line.get_color(), linestyle=":")
    along.set_xlabel("Fraction of the link's length (–)")
    along.set_ylabel(axis_label("Largest stress", unit))
    over.set_ylabel(axis_label(long_name(result, "stress"), unit))
    for axes in (along, over):
        axes.set_ylim(bottom=0.0)
        legend_above(axes)
    time_axis(over, times(result))
    headline(figure, result)
    return figure


def _strength(result: Source, link: str) -> float | None:
    """Strength of a link's material in Pa, if it is stated."""
    scenario = getattr(result, "scenario", None)
    material = scenario.arm.link(link).material if scenario is not None else None
    return material.strength if material is not None else None
