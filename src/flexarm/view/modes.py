"""Figure: mode shapes with their frequencies and damping."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from flexarm.errors import OutputError
from flexarm.view.style import FAINT, Size, grid_of_axes, headline, paper_of, styled

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


class Modes(Protocol):
    """Natural frequencies `hz` (n,), damping ratios `damping` (n,), `shapes` (mode, link, s, axis)."""

    @property
    def hz(self) -> Any: ...

    @property
    def damping(self) -> Any: ...

    @property
    def shapes(self) -> xr.DataArray: ...


@styled
def modes(frequencies: Modes, size: Size = "wide", count: int = 6) -> Figure:
    """Mode shapes, one panel each: displacement along the arm, the largest being one.

    Parameters
    ----------
    frequencies : Frequencies
        What ``flexarm.frequencies`` returns.
    size : {"wide", "column"}
        Width of the figure.
    count : int
        How many modes at most, lowest first.
    """
    if getattr(frequencies, "shapes", None) is None:
        raise OutputError("The figure 'modes' needs mode shapes: pass what flexarm.frequencies() returns.")
    shapes = frequencies.shapes.transpose("mode", "link", "s", "axis")
    array = np.asarray(shapes, dtype=float)[:count]
    if array.shape[0] == 0:
        raise OutputError("There is no mode to draw: ask flexarm.frequencies() for n=1 or more.")
    columns = 1 if size == "column" else {1: 1, 2: 2, 4: 2}.get(len(array), 3)
    figure, rows = grid_of_axes(
        size,
        -(-len(array) // columns),
        columns,
        row_height=1.75 if size == "wide" else 1.25,
        sharex=True,
        sharey=True,
    )
    panels = [axes for row in rows for axes in row]
    letters = [str(a) for a in shapes["axis"].values] if "axis" in shapes.coords else list("xyz")
    shown = [i for i in range(array.shape[-1]) if np.abs(array[..., i]).max() > 1e-6 * np.abs(array).max()]
    for k, axes in enumerate(panels[: len(array)]):
        _panel(axes, array[k], letters, shown)
        axes.set_title(_caption(frequencies, k), loc="left")
    for axes in panels[len(array) :]:
        axes.remove()
    _label(panels[: len(array)], shapes, columns)
    if len(shown) > 1:
        handles, labels = panels[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="lower center", ncols=len(shown))
        paper_of(panels[-1]).reserve(panels[-1], bottom=0.25)
    joints = getattr(frequencies, "joints", "")
    headline(figure, None, f"Mode shapes, joints {joints}" if joints else "Mode shapes")
    return figure


def _caption(frequencies: Modes, k: int) -> str:
    hz, damping = float(np.asarray(frequencies.hz)[k]), np.asarray(frequencies.damping, dtype=float)
    text = f"Mode {k + 1}: {hz:.4g} Hz"
    if k < damping.size and np.isfinite(damping[k]) and damping[k] > 0:
        text += f", damping {100 * damping[k]:.2g} %"
    return text


def _panel(axes: Axes, shape: np.ndarray, letters: list[str], shown: list[int]) -> None:
    """Displacement (link, s, axis) along the arm, links one after another, each of unit length."""
    peak = shape.flat[np.abs(shape).argmax()]
    shape = shape / peak if peak else shape
    if shape[-1, -1, np.abs(shape[-1, -1]).argmax()] < 0:
        shape = -shape  # the tip goes up: then pictures of one mode look alike whoever computed them
    s = np.append(np.linspace(0.0, 1.0, shape.shape[1]), np.nan)  # the gap: a tree does not go on where it ended
    place = np.concatenate([link + s for link in range(shape.shape[0])])
    axes.axhline(0.0, color=FAINT, lw=0.6)
    for i in shown:
        line = np.concatenate([np.append(link, np.nan) for link in shape[:, :, i]])
        axes.plot(place, line, label=letters[i])
    for link in range(1, shape.shape[0]):
        axes.axvline(link, color=FAINT, lw=0.6, ls=":")


def _label(panels: list[Axes], shapes: xr.DataArray, columns: int) -> None:
    links = [str(n) for n in shapes["link"].values] if "link" in shapes.coords else []
    for k, axes in enumerate(panels):
        axes.set_ylim(-1.12, 1.12)
        axes.set_xlim(0.0, shapes.sizes["link"])
        if k % columns == 0:
            axes.set_ylabel("Displacement\n(largest = 1)")
        if k >= len(panels) - columns:
            axes.tick_params(labelbottom=True)
            if shapes.sizes["link"] == 1:
                axes.set_xlabel("Fraction of the link's length (–)")
            else:
                axes.set_xlabel("Place along the arm (link by link)")
                crowded = len("  ".join(links)) > (60 if columns < 3 else 28)
                turn: dict[str, Any] = {"rotation": 30, "ha": "right", "rotation_mode": "anchor"} if crowded else {}
                axes.set_xticks(np.arange(shapes.sizes["link"]) + 0.5, links or None, **turn)
