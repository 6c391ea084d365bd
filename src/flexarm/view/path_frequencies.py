"""Figure: natural frequencies along the motion, and the joints below them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from flexarm.view.style import COLOURS, Size, grid_of_axes, legend_above, styled, time_axis

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class AlongPath(Protocol):
    """`time` (m,), `hz` (m, n) and `pose` (m, joints)."""

    @property
    def time(self) -> Any: ...

    @property
    def hz(self) -> Any: ...

    @property
    def pose(self) -> Any: ...


@styled
def path_frequencies(found: AlongPath, names: list[str], slides: list[bool], size: Size = "wide") -> Figure:
    """Frequencies over time, and the commanded joints in deg or m.

    Parameters
    ----------
    found : PathFrequencies
        What ``flexarm.frequencies_along`` returns.
    names, slides : list
        Names of the joints, and whether they slide.
    size : {"wide", "column"}
        Width of the figure.
    """
    import numpy as np

    kinds = [kind for kind in (False, True) if kind in slides]
    figure, rows = grid_of_axes(size, 1 + len(kinds), 1, row_height=1.9, sharex=True)
    upper = rows[0][0]
    for k in range(found.hz.shape[1]):
        upper.plot(found.time, found.hz[:, k], color=COLOURS[k % len(COLOURS)], label=f"mode {k + 1}")
    upper.set_ylabel("Frequency (Hz)")
    upper.set_ylim(bottom=0.0)
    legend_above(upper)
    for row, kind in zip(rows[1:], kinds, strict=True):
        axes = row[0]
        for j, name in enumerate(names):
            if slides[j] == kind:
                axes.plot(found.time, found.pose[:, j] if kind else np.degrees(found.pose[:, j]), label=name)
        axes.set_ylabel("Free length (m)" if kind else "Joint (deg)")
        legend_above(axes, least=1)
    time_axis(rows[-1][0], found.time)
    return figure
