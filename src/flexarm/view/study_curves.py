"""Figures of a study: curves with bands, the distribution of its numbers, and how a mean settles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.view.study_words import label, scaled, short
from flexarm.view.style import COLOURS, FAINT, Size, grid_of_axes, headline, legend_above, styled, time_axis

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SINGLE, BANDS = 8, ((0.05, 0.95, 0.18), (0.25, 0.75, 0.3))
"""Up to so many runs are drawn one by one; bands of quantiles, and how dark they are."""
MOST_CURVES = 20_000
"""Runs that bands are made from."""


@styled
def bands(study: Any, *names: str, size: Size = "wide") -> Figure:
    """Kept signals over time: median, and the bands in which half and nine tenths of the runs lie."""
    chosen = list(names) or study.signals
    figure, rows = grid_of_axes(size, len(chosen), row_height=1.9)
    time, good = study.data["time"].values, np.flatnonzero(study.succeeded)
    shown = good[:: max(1, -(-len(good) // MOST_CURVES))]
    for (axes,), name in zip(rows, chosen, strict=True):
        values, unit = scaled(study, study.checked(name), study.data[name].values[shown])
        if len(values) <= SINGLE:
            for k, line in enumerate(values):
                axes.plot(
                    time,
                    line,
                    color=COLOURS[k % len(COLOURS)],
                    lw=0.9,
                    label=f"run {study.data['run'].values[shown][k]}",
                )
        else:
            for low, high, alpha in BANDS:
                edges = np.nanquantile(values, [low, high], axis=0)
                share = f"{100 * (high - low):.0f} % of the runs"
                axes.fill_between(time, *edges, color=COLOURS[0], alpha=alpha, lw=0, label=share)
            axes.plot(time, np.nanmedian(values, axis=0), color=COLOURS[0], label="median")
            axes.plot(time, np.nanmin(values, axis=0), color=FAINT, lw=0.6, ls=":", label="least and largest")
            axes.plot(time, np.nanmax(values, axis=0), color=FAINT, lw=0.6, ls=":")
        axes.set_ylabel(label(name, unit))
        time_axis(axes, time)
    legend_above(rows[0][0])
    headline(figure, None, f"{study.data.attrs['title']}: {len(good)} runs")
    return figure


@styled
def histogram(study: Any, *names: str, size: Size = "wide") -> Figure:
    """How often each value of the kept numbers occurs; dashed lines are the limits, dotted ones the 5 and 95 % quantiles."""
    from flexarm.studies.answers import read_limit

    chosen = list(names) or study.numbers[:6]
    columns = min(2, len(chosen))
    figure, rows = grid_of_axes(size, -(-len(chosen) // columns), columns, row_height=1.6)
    limits = [read_limit(study, limit) for limit in study.design["limits"]]
    places = [axes for row in rows for axes in row]
    for axes, name in zip(places, chosen, strict=False):
        raw = study.data[study.number(name)].values[study.succeeded]
        values, unit = scaled(study, name, raw)
        factor = values[0] / raw[0] if raw[0] else 1.0
        axes.hist(values, bins=min(60, max(8, int(2 * len(values) ** (1 / 3)))), color=COLOURS[0], alpha=0.75)
        for quantile in np.quantile(values, [0.05, 0.95]):
            axes.axvline(quantile, color=FAINT, ls=":", lw=1.0)
        for of, _, value in limits:
            if of == name:
                axes.axvline(factor * value, color=COLOURS[1], ls="--", lw=1.0)
        axes.set_xlabel(label(name, unit))
        axes.set_ylabel("Runs")
        axes.margins(x=0.03)
    for axes in places[len(chosen) :]:
        axes.set_visible(False)
    headline(
        figure,
        None,
        f"{study.data.attrs['title']}: {int(study.succeeded.sum())} runs, 5 and 95 % dotted"
        + (", limits dashed" if limits else ""),
    )
    return figure


@styled
def convergence(study: Any, name: str | None = None, size: Size = "wide") -> Figure:
    """Mean of a number over the first so many draws, with its interval."""
    found = study.convergence(name)
    name = str(found.attrs["number"])
    figure, rows = grid_of_axes(size, 1, row_height=2.1)
    axes = rows[0][0]
    count = found["count"].values
    (mean, low, high), unit = scaled(
        study, name, np.array([found["mean"], found["mean"] - found["half_width"], found["mean"] + found["half_width"]])
    )
    axes.fill_between(
        count,
        low,
        high,
        color=COLOURS[0],
        alpha=0.2,
        lw=0,
        label=f"{100 * found.attrs['confidence']:g} % interval of random draws",
    )
    axes.plot(count, mean, color=COLOURS[0], label="mean")
    late = count >= max(5, 0.02 * count[-1])
    spread = max(float((high - low)[late].max()), 1e-12 * abs(float(mean[-1])), 1e-300)
    axes.set_ylim(mean[-1] - 0.8 * spread, mean[-1] + 0.8 * spread)
    axes.set_xscale("log")
    axes.set_xlim(count[0], count[-1])
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_xlabel("Draws")
    axes.set_ylabel(label(name, unit))
    legend_above(axes)
    headline(figure, None, f"{study.data.attrs['title']}: how the mean of {short(name)} settles")
    return figure
