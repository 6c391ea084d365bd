"""Figures of a fit: log against run, what is left and its correlation, and the correlation of the parameters."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from flexarm.view.curves import curve
from flexarm.view.style import (
    BOTH_WAYS,
    COLOURS,
    FAINT,
    axis_label,
    colour_bar,
    grid_of_axes,
    headline,
    legend_above,
    styled,
    time_axis,
)
from flexarm.view.units import scale
from flexarm.view.words import signal_words

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from flexarm.control.fit_result import Fit, FittedColumn

LAGS = 60
"""Samples up to which the autocorrelation of residuals is drawn."""


def fit_figures(found: Fit) -> dict[str, Figure]:
    """All figures by name: ``fit`` and ``residuals``, numbered if there are several columns, and ``correlation``."""
    tails = [f"-{k + 1}" if len(found.columns) > 1 else "" for k in range(len(found.columns))]
    figures = {f"fit{tail}": fitted(column) for tail, column in zip(tails, found.columns, strict=True)}
    figures |= {f"residuals{tail}": residuals(column) for tail, column in zip(tails, found.columns, strict=True)}
    if len(found.names) > 1:
        figures["correlation"] = correlations(found)
    return figures


def _units(column: FittedColumn) -> tuple[float, str]:
    return scale("m/m" if column.unit == "1" else column.unit, column.measured, column.fitted)


@styled
def fitted(column: FittedColumn) -> Figure:
    """Log and fitted run over time."""
    figure, rows = grid_of_axes("wide", 1, row_height=2.3)
    axes = rows[0][0]
    factor, unit = _units(column)
    curve(axes, column.time, factor * column.measured, label="measured", color=COLOURS[1], lw=0.9)
    curve(axes, column.time, factor * column.fitted, label="fitted", color=COLOURS[0], lw=0.9)
    axes.set_ylabel(axis_label(signal_words(column.signal), unit))
    legend_above(axes)
    time_axis(axes, column.time)
    headline(figure, None, f"{column.log}: measured and fitted")
    return figure


@styled
def residuals(column: FittedColumn) -> Figure:
    """What the fit leaves, with two standard deviations, and its autocorrelation with the band of white noise."""
    figure, rows = grid_of_axes("wide", 2, row_height=1.7)
    (upper,), (lower,) = rows
    left = column.residuals
    factor, unit = scale("m/m" if column.unit == "1" else column.unit, left, np.array([column.sigma]))
    curve(upper, column.time, factor * left, color=COLOURS[0], lw=0.8)
    for sign in (-2.0, 2.0):
        upper.axhline(sign * factor * column.sigma, color=FAINT, ls="--", lw=0.8)
    upper.set_ylabel(axis_label("measured minus fitted", unit))
    time_axis(upper, column.time)
    r = left - left.mean()
    lags = np.arange(1, min(LAGS, len(r) // 2) + 1)
    power = float(r @ r) or 1.0
    lower.vlines(lags, 0.0, [float(r[k:] @ r[:-k]) / power for k in lags], color=COLOURS[0], lw=1.2)
    for sign in (-2.0, 2.0):
        lower.axhline(sign / math.sqrt(len(r)), color=FAINT, ls="--", lw=0.8)
    lower.set_xlabel("Distance (samples)")
    lower.set_ylabel(axis_label("autocorrelation", "1"))
    word = "white" if column.whiteness.white else "not white"
    headline(figure, None, f"{column.log}: residuals of {signal_words(column.signal)}, {word}")
    return figure


@styled
def correlations(found: Fit) -> Figure:
    """Correlation of the parameters, from -1 to 1."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    count = len(found.names)
    figure, rows = grid_of_axes("wide", 1, row_height=max(2.0, 0.45 * count))
    axes = rows[0][0]
    axes.imshow(found.correlation, cmap=BOTH_WAYS, vmin=-1.0, vmax=1.0, aspect="auto")
    axes.grid(False)
    short = [name.removeprefix("arm.") for name in found.names]
    axes.set_yticks(range(count), short)
    axes.set_xticks(range(count), [str(k + 1) for k in range(count)])
    for i in range(count):
        for k in range(count):
            value = found.correlation[i, k]
            axes.text(k, i, f"{value:.2f}", ha="center", va="center", color="white" if abs(value) > 0.6 else "black")
    colour_bar(axes, ScalarMappable(Normalize(-1.0, 1.0), BOTH_WAYS), "correlation")
    headline(figure, None, "Correlation of the fitted parameters")
    return figure
