"""Figure: section forces along the links: their range over the run, their course where the largest of them acts, and over time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flexarm.view.curves import curve
from flexarm.view.source import Source, has, names, require, stations, times, units, values
from flexarm.view.style import COLOURS, Size, axis_label, grid_of_axes, headline, legend_above, styled, time_axis
from flexarm.view.units import largest, scale

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

QUANTITIES = {
    "bending_moment": "bending moment",
    "bending_moment_y": "bending moment in the x-z plane",
    "torsion_moment": "torsion moment",
    "shear_force": "shear force",
    "shear_force_z": "shear force in the x-z plane",
    "axial_force": "axial force",
}
"""Variables, and what they are called."""
SMALL = 1e-3
"""Moments below this share of the largest one, and forces, are left out."""


@styled
def forces(result: Source, size: Size = "wide") -> Figure:
    """Section forces of the flexible links, what a cut feels: left their range over the run as a band, and as a line their course at the
    instant of their largest value; right over time at the place of the largest value of each link.

    Parameters
    ----------
    result : Source
        A result with ``bending_moment``, ``shear_force`` and ``axial_force``.
    size : {"wide", "column"}
        Width of the figure.
    """
    require(result, "forces", "bending_moment|shear_force|axial_force")
    shown = _shown(result)
    wide = size == "wide"
    figure, rows = grid_of_axes(size, len(shown) * (1 if wide else 2), 2 if wide else 1, row_height=1.7)
    panels = [axes for row in rows for axes in row]
    for k, name in enumerate(shown):
        along, over = panels[2 * k : 2 * k + 2]
        _quantity(along, over, result, name)
        last = k == len(shown) - 1
        if last or not wide:
            along.set_xlabel("Fraction of the link's length (–)")
            time_axis(over, times(result))
        else:
            over.set_xlim(float(times(result)[0]), float(times(result)[-1]))
    headline(figure, result, "Section forces with their range over the run")
    return figure


def _shown(result: Source) -> list[str]:
    """Variables that hold something beside the largest one of their unit."""
    there = [name for name in QUANTITIES if has(result, name)]
    peaks = {name: largest(values(result, name)) for name in there}
    most = {
        unit: max(peaks[name] for name in there if units(result, name) == unit)
        for unit in {units(result, n) for n in there}
    }
    return [name for name in there if peaks[name] > SMALL * most[units(result, name)]] or there[:1]


def _quantity(along: Axes, over: Axes, result: Source, name: str) -> None:
    """Both panels of a quantity. Between stations lines are straight: beside lumps and pins section forces jump."""
    array, s = values(result, name), stations(result)
    factor, unit = scale(units(result, name), array[np.isfinite(array)])
    inside = False
    for i, link in enumerate(names(result, "link")):
        if not np.isfinite(array[:, i]).all():
            continue
        colour, part = COLOURS[i % len(COLOURS)], factor * array[:, i]
        instant, worst = np.unravel_index(np.abs(part).argmax(), part.shape)
        along.fill_between(s, part.min(axis=0), part.max(axis=0), color=colour, alpha=0.2, lw=0)
        along.plot(s, part[instant], "-", color=colour, label=f"{link} at {times(result)[instant]:.3g} s")
        curve(over, times(result), part[:, worst], "-", color=colour, label=f"{link}, s = {s[worst]:g}")
        inside |= bool(worst > 0)
    along.set_ylabel(axis_label(QUANTITIES[name], unit))
    over.set_ylabel(axis_label("where largest" if inside else "at the roots", unit))
    legend_above(along)
    legend_above(over, least=1 if inside else 99)
