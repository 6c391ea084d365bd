"""Figure: the wanted path of the tip and the one it took, and how far it missed over time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flexarm.view.source import Source, require, times, values
from flexarm.view.stage import bounds
from flexarm.view.style import INK, Size, headline, legend_above, new_figure, paper_of, styled, time_axis
from flexarm.view.tip_error import components

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@styled
def path(result: Source, size: Size = "wide") -> Figure:
    """The path in the x-y plane to scale, with the error enlarged where it would be too small to see; below or beside
    it the error over time.

    Parameters
    ----------
    result : Source
        A result with ``path_position`` and ``path_error``.
    size : {"wide", "column"}
        Width of the figure.
    """
    require(result, "path", "path_position", "path_error")
    wanted, error = values(result, "path_position")[:, :2], values(result, "path_error")[:, :2]
    enlarged = enlargement(wanted, error)
    shown = wanted + enlarged * error
    beside = size == "wide"
    figure = new_figure(size, 3.1 if beside else 5.2)
    plane, over_time = figure.subplots(  # type: ignore[misc]
        1 if beside else 2, 2 if beside else 1, width_ratios=[1, 1.2] if beside else None
    )
    plane.plot(*wanted.T, "--", color=INK, lw=0.9, label="wanted", zorder=3)
    plane.plot(*shown.T, "-", label="tip" if enlarged == 1 else f"tip, error {enlarged:g} times enlarged")
    corners = bounds(wanted, shown)
    plane.set_xlim(corners[0, 0], corners[1, 0])
    plane.set_ylim(corners[0, 1], corners[1, 1])
    paper_of(plane).keep_equal(plane)
    plane.set_xlabel("x (m)")
    plane.set_ylabel("y (m)")
    legend_above(plane)
    components(over_time, result, "path_error")
    time_axis(over_time, times(result))
    headline(figure, result)
    return figure


def enlargement(wanted: np.ndarray, error: np.ndarray) -> float:
    """A round factor (1, 2, 5, 10, ...) that lets the typical error be a twentieth of the path's size."""
    extent = float(np.ptp(wanted, axis=0).max())
    typical = float(np.quantile(np.linalg.norm(error, axis=1), 0.9))
    if typical <= 0.0 or extent <= 0.0 or typical >= 0.025 * extent:
        return 1.0
    wish = 0.05 * extent / typical
    power = 10.0 ** np.floor(np.log10(wish))
    return float(min(1e6, power * max(step for step in (1.0, 2.0, 5.0) if step * power <= wish * (1 + 1e-9))))
