"""Figure: how well a run that was paced by the clock kept up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flexarm.view.style import FAINT, Size, grid_of_axes, headline, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from flexarm.simulation.realtime import Timing

SHORTEST = 1e-7
"""Times below this, in s, are drawn there: a logarithmic axis has no zero."""


@styled
def timing(measured: Timing, title: str = "", size: Size = "wide") -> Figure:
    """Histograms of wake-up lateness and computing time, with the period marked.

    Parameters
    ----------
    measured : Timing
        What `flexarm.simulation.realtime.pace` returns, with at least one period done.
    title : str
        What was run.
    size : {"wide", "column"}
        Width of the figure.
    """
    side_by_side = size == "wide"
    figure, rows = grid_of_axes(size, *((1, 2) if side_by_side else (2, 1)), row_height=2.6)
    pairs = (("How late it began", measured.wake), ("Computing time", measured.compute))
    mark = 1e6 * measured.period
    for axes, (words, values) in zip((axes for row in rows for axes in row), pairs, strict=True):
        micro = 1e6 * np.maximum(values, SHORTEST)
        edges = np.geomspace(0.9 * micro.min(), 1.3 * max(micro.max(), mark), 50)
        axes.hist(micro, bins=edges.tolist())
        axes.axvline(mark, color=FAINT, ls="--", lw=0.9)
        axes.text(mark, 0.97, "period ", rotation=90, ha="right", va="top", transform=axes.get_xaxis_transform())
        axes.set(xscale="log", yscale="log", xlabel="Time (µs)", ylabel="Periods", title=words)
    headline(figure, None, title)
    return figure
