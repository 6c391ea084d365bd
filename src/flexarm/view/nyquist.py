"""Figure: Nyquist plot of control loops, near the point -1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from flexarm.errors import OutputError
from flexarm.view.style import COLOURS, FAINT, INK, Size, headline, legend_above, new_figure, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from flexarm.control.margins import Loop

REACH = 3.0
"""How far the plot reaches."""


@styled
def nyquist(loops: Sequence[Loop], title: str = "", size: Size = "wide") -> Figure:
    """L of each loop for frequencies from 0 on, the unit circle, and -1.

    Parameters
    ----------
    loops : sequence of Loop
        What ``flexarm.open_loops`` returns.
    title : str
        What it is of.
    size : {"wide", "column"}
        Width of the figure.
    """
    if not loops:
        raise OutputError("There is no loop to draw: no joint is held by a law.")
    figure = new_figure(size, 4.6 if size == "wide" else 3.3)
    axes = figure.subplots()
    turn = np.linspace(0.0, 2.0 * np.pi, 361)
    axes.plot(np.cos(turn), np.sin(turn), color=FAINT, lw=0.6, ls="-")
    axes.axhline(0.0, color=FAINT, lw=0.6)
    axes.axvline(0.0, color=FAINT, lw=0.6)
    for k, loop in enumerate(loops):
        L = np.where(np.abs(loop.response) < 50.0 * REACH, loop.response, np.nan)
        colour = COLOURS[k % len(COLOURS)]
        axes.plot(L.real, L.imag, color=colour, ls="-", label=f"loop of {loop.joint}")
        inner = np.flatnonzero(np.abs(L) < REACH)
        if len(inner):
            _arrow(axes, L, int(inner[0]), colour)
    axes.plot([-1.0], [0.0], ls="none", marker="+", color=INK, ms=8.0, mew=1.4)
    axes.set_aspect("equal", adjustable="box")
    axes.set_xlim(-REACH, REACH)
    axes.set_ylim(-REACH, REACH)
    axes.set_xlabel("Real part")
    axes.set_ylabel("Imaginary part")
    legend_above(axes, least=1)
    headline(figure, None, title)
    return figure


def _arrow(axes, L: np.ndarray, k: int, colour: str) -> None:  # type: ignore[no-untyped-def]
    """The direction of growing frequencies, where the loop comes into sight."""
    later = np.flatnonzero(np.abs(L[k:] - L[k]) > 0.2)
    if len(later):
        end = L[k + later[0]]
        axes.annotate(
            "",
            (end.real, end.imag),
            (L[k].real, L[k].imag),
            arrowprops={"arrowstyle": "-|>", "color": colour, "lw": 1.1},
        )
