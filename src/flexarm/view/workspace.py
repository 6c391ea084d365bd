"""Figure: first frequency, tip stiffness and sag over a plane, or along the motion."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.errors import FlexarmError
from flexarm.view.style import INK, Size, colour_bar, grid_of_axes, headline, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PANELS = (("hz", "First frequency (Hz)", 1.0), ("stiffness", "Tip stiffness (N/mm)", 1e-3), ("sag", "Sag (mm)", 1e3))


@styled
def workspace_figure(found: Any, title: str, size: Size = "wide") -> Figure:
    """Colours over a plane with crosses where the arm cannot be, or curves along a motion.

    Parameters
    ----------
    found : WorkspaceMap
        What ``flexarm.workspace_map`` returns.
    title : str
        Name of the arm.
    """
    if not found.reached.any():
        raise FlexarmError("the arm reaches none of these places: there is nothing to draw")
    return _plane(found, title, size) if found.plane else _curves(found, title, size)


def _plane(found: Any, title: str, size: Size) -> Figure:
    u, v = (found.place[:, "xyz".index(letter)] for letter in found.plane)
    width = float(np.ptp(u)) or 1.0
    high = float(np.clip(3.8 * float(np.ptp(v)) / width, 1.4, 3.2))
    figure, rows = grid_of_axes(size, 3, row_height=high, sharex=True)
    for (axes,), (name, label, factor) in zip(rows, PANELS, strict=True):
        values = factor * getattr(found, name)
        xs, ys = np.unique(u.round(12)), np.unique(v.round(12))
        cells = np.full((len(ys), len(xs)), np.nan)
        cells[np.searchsorted(ys, v.round(12)), np.searchsorted(xs, u.round(12))] = values
        shown = axes.pcolormesh(xs, ys, cells, cmap="viridis", shading="nearest")
        missing = ~found.reached
        axes.plot(u[missing], v[missing], ls="", marker="x", ms=3.0, color=INK, mew=0.6)
        axes.set_ylabel(f"{found.plane[1]} (m)")
        axes.set_aspect("auto")
        axes.grid(False)
        colour_bar(axes, shown, label)
    rows[-1][0].set_xlabel(f"{found.plane[0]} (m)")
    headline(
        figure,
        None,
        f"{title}, joints locked; crosses: out of reach" if np.any(~found.reached) else f"{title}, joints locked",
    )
    return figure


def _curves(found: Any, title: str, size: Size) -> Figure:
    figure, rows = grid_of_axes(size, 3, row_height=1.5, sharex=True)
    share = np.linspace(0.0, 100.0, len(found.hz))
    for (axes,), (name, label, factor) in zip(rows, PANELS, strict=True):
        axes.plot(share, factor * getattr(found, name), marker=".", ms=3.0)
        axes.set_ylabel(label)
        axes.set_ylim(bottom=0.0)
    rows[-1][0].set_xlabel("Share of the run (%)")
    headline(figure, None, f"{title}, joints locked, along the commanded motion")
    return figure
