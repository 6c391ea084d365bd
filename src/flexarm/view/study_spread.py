"""Figures of a study: every variable against every number, and what each variable does by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.view.study_words import label, scaled, short
from flexarm.view.style import COLOURS, FAINT, Size, grid_of_axes, headline, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST, MOST_POINTS = 5, 4000
"""Variables and numbers that are drawn, and runs."""


@styled
def scatter(study: Any, *names: str, size: Size = "wide") -> Figure:
    """A scatter matrix: kept numbers upwards, variables to the right; `names` choose among both."""
    numbers = [name for name in names if name in study.numbers] or study.numbers[:MOST]
    numeric = [name for name in study.variables if study.data[name].dtype.kind == "f"]
    variables = [name for name in names if name in numeric] or numeric[:MOST]
    for name in names:
        study.checked(name)
    good = np.flatnonzero(study.succeeded)
    good = good[:: max(1, -(-len(good) // MOST_POINTS))]
    figure, rows = grid_of_axes(size, len(numbers), len(variables), row_height=1.25, sharex="col", sharey="row")
    dots = 6.0 if len(good) < 100 else 3.0 if len(good) < 1000 else 1.2
    for i, (row, number) in enumerate(zip(rows, numbers, strict=True)):
        y, y_unit = scaled(study, number, study.data[number].values[good])
        for k, (axes, variable) in enumerate(zip(row, variables, strict=True)):
            x, x_unit = scaled(study, variable, study.data[variable].values[good])
            axes.scatter(x, y, s=dots, color=COLOURS[0], alpha=0.6, lw=0, rasterized=True)
            axes.margins(0.05)
            if i == len(numbers) - 1:
                axes.set_xlabel(label(variable, x_unit, 20))
            if k == 0:
                axes.set_ylabel(label(number, y_unit, 16))
    headline(figure, None, f"{study.data.attrs['title']}: {len(good)} runs")
    return figure


@styled
def tornado(study: Any, name: str | None = None, size: Size = "wide") -> Figure:
    """What each variable does to a number from its lowest to its highest values, the others averaged, the strongest on top."""
    found = study.effects(name)
    name = str(found.attrs["number"])
    (low, high, mean), unit = _together(study, name, found)
    order = np.argsort(np.abs(high - low))
    figure, rows = grid_of_axes(size, 1, row_height=0.5 + 0.28 * len(order))
    axes = rows[0][0]
    for at, k in enumerate(order):
        axes.barh(
            at, low[k] - mean, left=mean, height=0.55, color=COLOURS[0], label="at its lowest" if at == 0 else None
        )
        axes.barh(
            at, high[k] - mean, left=mean, height=0.55, color=COLOURS[1], label="at its highest" if at == 0 else None
        )
        share = f"{100 * float(found['share'][k]):.0f} %"
        axes.annotate(
            share,
            (max(low[k], high[k], mean), at),
            xytext=(4, 0),
            textcoords="offset points",
            va="center",
            fontsize=7,
            color=FAINT,
        )
    axes.axvline(mean, color=FAINT, lw=0.8)
    axes.set_yticks(range(len(order)), [short(str(found["variable"].values[k])) for k in order])
    axes.grid(axis="y", visible=False)
    axes.margins(0.12, 0.05)
    axes.set_xlabel(label(name, unit, 60))
    axes.legend(loc="lower right", frameon=False)
    headline(
        figure,
        None,
        f"{study.data.attrs['title']}: mean of {short(name)} at low and high values, and the share of the spread",
    )
    return figure


def _together(study: Any, name: str, found: Any) -> tuple[tuple[np.ndarray, np.ndarray, float], str]:
    low, high = found["low"].values, found["high"].values
    values, unit = scaled(study, name, np.concatenate([low, high, [float(found["mean"])]]))
    n = len(low)
    return (values[:n], values[n : 2 * n], float(values[-1])), unit
