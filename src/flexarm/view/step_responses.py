"""Figure: responses to a step by the linear model and in a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flexarm.view.style import COLOURS, Size, grid_of_axes, headline, legend_above, styled, time_axis
from flexarm.view.units import scale

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from flexarm.control.step_responses import StepComparison


@styled
def step_responses(found: StepComparison, title: str = "", size: Size = "wide") -> Figure:
    """Each output over time, as deviation from rest.

    Parameters
    ----------
    found : StepComparison
        What ``flexarm.step_comparison`` returns.
    title : str
        What it is of.
    size : {"wide", "column"}
        Width of the figure.
    """
    import numpy as np

    figure, rows = grid_of_axes(size, len(found.outputs), 1, row_height=1.5, sharex=True)
    for k, name in enumerate(found.outputs):
        axes = rows[k][0]
        factor, unit = scale(found.units[k], float(np.abs(found.run[:, k]).max()))
        axes.plot(found.time, factor * found.run[:, k], color=COLOURS[0], ls="-", label="run")
        axes.plot(found.time, factor * found.linear[:, k], color=COLOURS[1], ls="--", label="linear model")
        axes.set_ylabel(f"{name} ({unit})")
        if k == 0:
            legend_above(axes)
    time_axis(rows[-1][0], found.time)
    headline(figure, None, title)
    return figure
