"""Figure: vibration that a move leaves over the time that it takes, without and with shapers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from flexarm.errors import OutputError
from flexarm.view.style import COLOURS, FAINT, Size, headline, legend_above, new_figure, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from flexarm.control.move_residual import MoveResidual

LEAST = 1e-3
"""Lowest amplitude that is shown, in per cent of the move."""


@styled
def residual_over_time(found: Sequence[MoveResidual], title: str = "", size: Size = "wide") -> Figure:
    """One line for no shaper, and for each shaper.

    Parameters
    ----------
    found : sequence of MoveResidual
        What ``flexarm.move_residual`` returns.
    title : str
        What it is of.
    size : {"wide", "column"}
        Width of the figure.
    """
    if not found:
        raise OutputError("There is no move to draw.")
    figure = new_figure(size, 3.2)
    axes = figure.subplots()
    for k, each in enumerate(found):
        look = {"color": COLOURS[k % len(COLOURS)], "ls": ("-", "--", "-.")[k % 3]}
        axes.semilogy(each.time, np.maximum(100.0 * each.left, 1e-9), label=each.label, **look)
    top = 100.0 * max(float(each.left.max()) for each in found)
    axes.axhline(2.0, color=FAINT, lw=0.6)
    axes.set_ylim(max(LEAST, 1e-5 * top), 2.0 * top)
    axes.set_xlim(0.0, max(float(each.time[-1]) for each in found))
    axes.yaxis.set_major_formatter("{x:g}")
    axes.set_xlabel("Time that the move takes, shaper included (s)")
    axes.set_ylabel("Vibration left (% of the move)")
    legend_above(axes, least=1)
    headline(figure, None, title)
    return figure
