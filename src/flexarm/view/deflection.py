"""Figure: deflection along each flexible link, at chosen instants and over time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from flexarm.view.smooth import curve_matrix, refine
from flexarm.view.source import (
    Source,
    instants,
    link_length,
    long_name,
    names,
    require,
    stations,
    times,
    units,
    values,
)
from flexarm.view.style import (
    BOTH_WAYS,
    INK,
    SEQUENCE,
    Size,
    axis_label,
    colour_bar,
    headline,
    legend_above,
    new_figure,
    paper_of,
    styled,
    time_axis,
)
from flexarm.view.units import scale

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LOOKS = 20
"""Records at which a link is looked at to find out how it is drawn."""
MOST_COLUMNS = 600
"""Time columns of the image; more cannot be told apart in print."""


@styled
def deflection(result: Source, size: Size = "wide", at: int | Sequence[float] = 6) -> Figure:
    """Deflection from the tangent at the root: lines at some instants, and an image over time.

    The instant of the largest deflection is always shown, as a thick dark line.

    Parameters
    ----------
    result : Source
        A result with ``deflection``.
    size : {"wide", "column"}
        Width of the figure.
    at : int or sequence of float
        How many evenly spaced instants, or their times in s.
    """
    require(result, "deflection", "deflection")
    array = values(result, "deflection")
    bending = [i for i in range(array.shape[1]) if np.nanmax(np.abs(array[:, i]), initial=0.0) > 0] or [0]
    wide = size == "wide"
    panels_high = len(bending) * (1 if wide else 2)
    figure = new_figure(size, 0.6 + 2.2 * panels_high)
    grid = figure.subplots(panels_high, 2 if wide else 1, squeeze=False).reshape(len(bending), 2)
    for (left, right), link in zip(grid, bending, strict=True):
        _lines(left, result, link, at, titled=len(bending) > 1, beside=wide)
        _image(right, result, link)
    headline(figure, result)
    return figure


def _distance(result: Source, link: int) -> tuple[np.ndarray, str]:
    length = link_length(result, link)
    if length is None:
        return stations(result), "Fraction of the link's length (–)"
    factor, unit = scale("m", [length])
    return factor * length * stations(result), f"Distance along the link ({unit})"


def _lines(axes: Axes, result: Source, link: int, at: int | Sequence[float], titled: bool, beside: bool) -> None:
    import matplotlib

    time, array = times(result), values(result, "deflection")[:, link]
    factor, unit = scale(units(result, "deflection"), array)
    place, label = _distance(result, link)
    matrix = curve_matrix(stations(result), array[:: max(1, len(time) // LOOKS), :, None])
    place = matrix @ place
    # the start is usually undeformed: an evenly spaced choice leaves it out
    chosen = instants(time, at + 1)[1:] if isinstance(at, int) and at >= 1 else instants(time, at)
    peak = int(np.nanargmax(np.nanmax(np.abs(array), axis=1)))
    colours = matplotlib.colormaps[SEQUENCE](np.linspace(0.0, 0.9, len(chosen)))
    for k, colour in zip(chosen, colours, strict=True):
        axes.plot(place, factor * matrix @ array[k], "-", color=colour, label=f"{time[k]:.3g} s")
    axes.plot(
        place, factor * matrix @ array[peak], "-", color=INK, lw=2.0, label=f"{time[peak]:.3g} s, largest", zorder=1.9
    )
    axes.set_xlabel(label)
    name = long_name(result, "deflection")
    axes.set_ylabel(axis_label(f"{name}, {names(result, 'link')[link]}" if titled else name, unit))
    if beside:
        axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), handlelength=1.4, borderaxespad=0.3)
        paper_of(axes).reserve(axes, right=1.05)
    else:
        legend_above(axes)


def _image(axes: Axes, result: Source, link: int) -> None:
    time, array = times(result), values(result, "deflection")[:, link]
    factor, unit = scale(units(result, "deflection"), array)
    place, label = _distance(result, link)
    limit = float(np.nanmax(np.abs(array))) * factor or 1.0
    signed = bool(np.nanmin(array) * factor < -1e-3 * limit)
    columns = refine(stations(result))[1] @ (factor * array[columns_of(time, array)].T)
    image = axes.imshow(
        columns, cmap=BOTH_WAYS if signed else SEQUENCE, vmin=-limit if signed else 0.0, vmax=limit, origin="lower",
        aspect="auto", interpolation="nearest", extent=(time[0], time[-1], place[0], place[-1]),
    )  # fmt: skip
    axes.grid(False)
    axes.set_ylabel(label)
    time_axis(axes, time)
    colour_bar(axes, image, axis_label(long_name(result, "deflection"), unit))


def columns_of(time: np.ndarray, array: np.ndarray) -> np.ndarray:
    """Indices of the records that make up an image of at most `MOST_COLUMNS` even columns: the one that bends most where several
    fall into one, the nearest where none does."""
    count = min(len(time), MOST_COLUMNS)
    size = np.nanmax(np.abs(array), axis=1)
    edges = np.linspace(time[0], time[-1], count + 1)
    starts = np.searchsorted(time, edges[:-1])
    stops = np.searchsorted(time, edges[1:])
    stops[-1] = len(time)
    nearest = np.searchsorted(0.5 * (time[1:] + time[:-1]), 0.5 * (edges[1:] + edges[:-1]))
    return np.array([a + size[a:b].argmax() if b > a else k for a, b, k in zip(starts, stops, nearest, strict=True)])
