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
from flexarm.view.units import largest, scale

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

STYLES = {"work": "--", "dissipated": "-.", "numerical": ":"}
FLAT = 0.005
"""Kinds whose largest change is below this share of all are told with a number in the legend: their lines lie on zero."""
LEAST = 1e-9
"""Share of the largest energy that the panel of the residual shows at least: what is smaller looks like zero, as it should."""
ROUNDING = 1e-12
"""A residual below this share is the rounding of the sums."""
SCALES = ((1e-4, 1e2, "%"), (1e-7, 1e6, "10⁻⁶"), (0.0, 1e9, "10⁻⁹"))
"""From which share on, factor and unit of the residual."""


@styled
def energy(result: Source, size: Size = "wide") -> Figure:
    """Energy by kind over time, counted from the start; the residual of the balance, as a share of the largest energy, has a panel
    of its own.

    Parameters
    ----------
    result : Source
        A result with ``energy``.
    size : {"wide", "column"}
        Width of the figure.
    """
    require(result, "energy", "energy")
    array, kinds = values(result, "energy"), names(result, "kind")
    residual = "residual" in kinds
    figure = new_figure(size, 4.0 if residual else 2.8)
    ratios = [2.4, 1.0] if residual else [1.0]
    rows = figure.subplots(len(ratios), 1, sharex=True, squeeze=False, height_ratios=ratios)[:, 0]
    kept = [i for i, kind in enumerate(kinds) if kind != "residual"]
    _changes(rows[0], result, array[:, kept], [kinds[i] for i in kept])
    if residual:
        _residual(rows[1], times(result), array[:, kinds.index("residual")], largest(array[:, kept]))
    time_axis(rows[-1], times(result))
    headline(figure, result)
    return figure


def _changes(axes: Axes, result: Source, array: np.ndarray, kinds: list[str]) -> None:
    """Kinds of energy (nt, kinds) since the start; those that never change are left out."""
    change = array - array[0]
    peaks = np.nanmax(np.abs(change), axis=0)
    shown = [i for i, peak in enumerate(peaks) if peak > 0.0] or [0]
    factor, unit = scale(units(result, "energy"), change)
    for i in shown:
        own, word = scale(units(result, "energy"), change[:, i])
        told = f" (at most {float(f'{own * peaks[i]:.2g}'):g} {word})" if 0.0 < peaks[i] < FLAT * peaks.max() else ""
        curve(axes, times(result), factor * change[:, i], STYLES.get(kinds[i], "-"), label=kinds[i] + told)
    since = np.abs(array[0]).max() > 1e-3 * peaks.max()
    name = long_name(result, "energy")
    axes.set_ylabel(axis_label(f"{name} since the start" if since else name, unit))
    legend_above(axes)


def _residual(axes: Axes, time: np.ndarray, rest: np.ndarray, whole: float) -> None:
    """The residual of the balance as a share of the largest energy; one at the level of rounding looks and is called so."""
    share = rest / whole if whole > 0.0 else rest
    peak = largest(share)
    factor, unit = next((factor, unit) for least, factor, unit in SCALES if peak >= least)
    curve(axes, time, factor * share, color=COLOURS[-1])
    reach = 1.25 * factor * max(peak, LEAST)
    axes.set_ylim(-reach, reach)
    axes.set_ylabel(f"Residual\n({unit})")
    words = f"at most {peak:.1e} of the largest energy" if peak > 0.0 else "zero"
    words += ": rounding" if 0.0 < peak < ROUNDING else ""
    axes.text(
        0.995, 0.94, words, transform=axes.transAxes, ha="right", va="top", fontsize=7.0,
        bbox={"boxstyle": "square,pad=0.1", "fc": "white", "ec": "none", "alpha": 0.8},
    )  # fmt: skip
