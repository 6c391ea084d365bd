"""Figures of a study over two of its variables: a heat map of lists, and contours of numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.errors import FlexarmError
from flexarm.view.study_words import label, scaled, short
from flexarm.view.style import SEQUENCE, Size, colour_bar, grid_of_axes, headline, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_WRITTEN = 160
"""Cells of a heat map up to which the numbers are written into them."""
MOST_POINTS = 4000
"""Runs that contours are drawn from."""


@styled
def heat(
    study: Any, name: str | None = None, x: str | None = None, y: str | None = None, size: Size = "wide"
) -> Figure:
    """Mean of a number over two listed variables, a cell for each pair of values; white where all runs failed."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    name, listed = study.number(name), study.design["listed"]
    x, y = _pair(study, listed, x, y)
    means, (xs, ys) = _cells(study, name, x, y)
    values, unit = scaled(study, name, means)
    figure, rows = grid_of_axes(size, 1, row_height=max(2.0, min(4.5, 0.32 * len(ys) + 0.8)))
    axes = rows[0][0]
    finite = values[np.isfinite(values)]
    low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 1.0)
    high = high if high > low else low + 1.0
    axes.imshow(values, cmap=SEQUENCE, vmin=low, vmax=high, aspect="auto", origin="lower")
    axes.grid(False)
    for ticks, of, places in ((axes.set_xticks, x, xs), (axes.set_yticks, y, ys)):
        shown, _ = scaled(study, of, places) if places.dtype.kind == "f" else (places, "")
        every = -(-len(places) // 14)
        ticks(
            range(0, len(places), every), [f"{v:.4g}" if places.dtype.kind == "f" else str(v) for v in shown[::every]]
        )
    axes.set_xlabel(label(x, _unit(study, x, xs), 60))
    axes.set_ylabel(label(y, _unit(study, y, ys)))
    if values.size <= MOST_WRITTEN:
        for i, k in np.argwhere(np.isfinite(values)):
            dark = (values[i, k] - low) / (high - low) < 0.6
            axes.text(
                k, i, f"{values[i, k]:.3g}", ha="center", va="center", fontsize=6.5, color="white" if dark else "black"
            )
    colour_bar(axes, ScalarMappable(Normalize(low, high), SEQUENCE), label(name, unit))
    headline(figure, None, f"{study.data.attrs['title']}: {short(name)}")
    return figure


@styled
def contour(
    study: Any, name: str | None = None, x: str | None = None, y: str | None = None, size: Size = "wide"
) -> Figure:
    """Lines of equal value of a number over two variables, of drawn ones over means of neighbours; dots are runs."""
    from matplotlib.cm import ScalarMappable

    name = study.number(name)
    numeric = [each for each in study.variables if study.data[each].dtype.kind == "f"]
    x, y = _pair(study, _strongest(study, name, numeric), x, y)
    good = np.flatnonzero(study.succeeded)
    good = good[:: max(1, -(-len(good) // MOST_POINTS))]
    px, x_unit = scaled(study, x, study.data[x].values[good])
    py, y_unit = scaled(study, y, study.data[y].values[good])
    values, unit = scaled(study, name, study.data[name].values[good])
    gx, gy, gz, smooth = _smoothed(px, py, values)
    figure, rows = grid_of_axes(size, 1, row_height=2.9)
    axes = rows[0][0]
    filled = axes.tricontourf(gx, gy, gz, levels=10, cmap=SEQUENCE)
    axes.tricontour(gx, gy, gz, levels=np.asarray(filled.levels), colors="white", linewidths=0.4)
    axes.scatter(px, py, s=2.0, color="black", alpha=min(1.0, 150.0 / len(px)), lw=0, rasterized=True)
    axes.set_xlabel(label(x, x_unit, 60))
    axes.set_ylabel(label(y, y_unit))
    colour_bar(axes, ScalarMappable(filled.norm, SEQUENCE), label(name, unit))
    headline(figure, None, f"{study.data.attrs['title']}: {short(name)}" + (", means of neighbours" if smooth else ""))
    return figure


def _pair(study: Any, known: list[str], x: str | None, y: str | None) -> tuple[str, str]:
    """Two variables: those that are named, else the first that are left."""
    for each in (x, y):
        if each is not None and each not in known:
            raise FlexarmError(f"'{each}' does not fit this figure; it takes {', '.join(known)}")
    left = [each for each in known if each not in (x, y)]
    x = x or left.pop(0)
    y = y or left.pop(0)
    return x, y


def _unit(study: Any, name: str, places: np.ndarray) -> str:
    return scaled(study, name, places)[1] if places.dtype.kind == "f" else ""


def _cells(study: Any, name: str, x: str, y: str) -> tuple[np.ndarray, tuple[np.ndarray, np.ndarray]]:
    """Means (y, x) over everything else, and the values along both."""
    places, at = zip(*(_ordered(study.data[each].values) for each in (x, y)), strict=True)
    values, good = study.data[name].values, study.succeeded
    flat, size = at[1] * len(places[0]) + at[0], len(places[0]) * len(places[1])
    counts = np.bincount(flat[good], minlength=size)
    with np.errstate(invalid="ignore"):
        means = np.bincount(flat[good], values[good], minlength=size) / np.where(counts > 0, counts, np.nan)
    return means.reshape(len(places[1]), len(places[0])), (places[0], places[1])


def _ordered(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Different values, numbers ascending and others as they come, and which one each is."""
    found, first, which = np.unique(values, return_index=True, return_inverse=True)
    if values.dtype.kind == "f":
        return found, which.reshape(-1)
    order = np.argsort(first)
    back = np.empty_like(order)
    back[order] = np.arange(len(order))
    return found[order], back[which.reshape(-1)]


def _strongest(study: Any, name: str, variables: list[str]) -> list[str]:
    found = study.effects(name)
    shares = dict(zip(found["variable"].values, found["share"].values, strict=True))
    return sorted(variables, key=lambda each: -shares[each])


def _smoothed(x: np.ndarray, y: np.ndarray, z: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, bool]:
    """Points for contours: the runs themselves on a grid, else planes through the nearest runs at even places."""
    if len(np.unique(x)) * len(np.unique(y)) <= len(x):
        pairs, which = np.unique(np.column_stack([x, y]), axis=0, return_inverse=True)
        means = np.bincount(which.reshape(-1), z) / np.bincount(which.reshape(-1))
        return pairs[:, 0], pairs[:, 1], means, len(pairs) < len(x)
    from scipy.spatial import cKDTree

    sx, sy = np.ptp(x) or 1.0, np.ptp(y) or 1.0
    gx, gy = (
        each.ravel() for each in np.meshgrid(np.linspace(x.min(), x.max(), 25), np.linspace(y.min(), y.max(), 25))
    )
    near = cKDTree(np.column_stack([x / sx, y / sy])).query(
        np.column_stack([gx / sx, gy / sy]), k=min(len(x), max(12, len(x) // 20))
    )[1]
    gz = np.empty(len(gx))
    for k, rows in enumerate(near):
        plane = np.column_stack([np.ones(len(rows)), (x[rows] - gx[k]) / sx, (y[rows] - gy[k]) / sy])
        gz[k] = np.linalg.lstsq(plane, z[rows], rcond=None)[0][0]
    return gx, gy, gz, True
