"""Figure: what an input shaper leaves over the error of its frequencies, and its impulses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.errors import OutputError
from flexarm.view.style import COLOURS, FAINT, Size, grid_of_axes, headline, legend_above, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from flexarm.control.shapers import Shaper

FARTHEST, POINTS, LEVEL = 0.5, 401, 5.0
"""Largest error that is drawn, points of the lines, and the level of the widths in per cent."""


@styled
def sensitivity(shapers: Shaper | Sequence[Shaper], title: str = "", size: Size = "wide") -> Figure:
    """Vibration that is left over true to design frequency (above), and impulses over time (below).

    Parameters
    ----------
    shapers : Shaper or sequence of Shaper
        One line for each mode of each.
    title : str
        What it is of.
    size : {"wide", "column"}
        Width of the figure.
    """
    every = [shapers] if not isinstance(shapers, Sequence) else list(shapers)
    if not every:
        raise OutputError("There is no shaper to draw.")
    figure, rows = grid_of_axes(size, 2, 1, row_height=1.9)
    upper, lower = rows[0][0], rows[1][0]
    ratio = np.linspace(1.0 - FARTHEST, 1.0 + FARTHEST, POINTS)
    lines = [(made, k) for made in every for k in range(len(made.hz))]
    for n, (made, k) in enumerate(lines):
        look: dict[str, Any] = {"color": COLOURS[n % len(COLOURS)], "ls": ("-", "--", "-.")[n % 3]}
        left = 100.0 * made.residual(ratio - 1.0, mode=k + 1)
        upper.plot(ratio, left, label=f"{made.type}, {made.hz[k]:.3g} Hz", **look)
    upper.axhline(LEVEL, color=FAINT, lw=0.6)
    upper.set_xlim(ratio[0], ratio[-1])
    upper.set_ylim(0.0, None)
    upper.set_ylabel("Left (%)")
    upper.set_xlabel("True over design frequency")
    for n, made in enumerate(every):
        lower.stem(1e3 * made.times, made.amplitudes, basefmt=" ", linefmt=COLOURS[n % len(COLOURS)], markerfmt="o")
    lower.set_ylabel("Amplitude")
    lower.set_ylim(0.0, None)
    lower.margins(x=0.03)
    lower.set_xlabel("Time (ms)")
    legend_above(upper, least=1)
    headline(figure, None, title)
    return figure
