"""Figure: what an accuracy costs, method by method."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.errors import OutputError
from flexarm.methods import method_names
from flexarm.view.style import COLOURS, FAINT, Size, headline, legend_above, new_figure, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MARKS = "osD^v"


@styled
def cost(comparison: Any, size: Size = "wide") -> Figure:
    """Change on refinement against wall time, one line per method.

    Parameters
    ----------
    comparison : Comparison
        What ``flexarm.compare`` returns.
    size : {"wide", "column"}
        Width of the figure.
    """
    if not comparison.refined:
        raise OutputError("There is nothing to draw: no method was refined more than once.")
    figure = new_figure(size, 2.9)
    axes = figure.subplots()
    known = method_names()
    for name, item in comparison.refined.items():
        k = known.index(name)  # the same colour in every figure
        pairs = [
            (a.seconds, 100.0 * b.change, a.resolution) for a, b in zip(item.levels, item.levels[1:], strict=False)
        ]
        seconds, errors, counts = (np.array(column) for column in zip(*pairs, strict=True))
        axes.loglog(
            seconds, np.maximum(errors, 1e-8), marker=MARKS[k % len(MARKS)], label=name, color=COLOURS[k % len(COLOURS)]
        )
        for x, y, n in zip(seconds, errors, counts, strict=True):
            axes.annotate(str(n), (x, max(y, 1e-8)), xytext=(4, 4), textcoords="offset points", fontsize=6, color=FAINT)
    axes.axhline(100.0 * comparison.target, color=FAINT, lw=0.8, ls="--")
    axes.set_xlabel("Wall time of the run (s)")
    axes.set_ylabel("Change by refining (%)")
    axes.autoscale(True)
    axes.margins(0.12, 0.18)
    legend_above(axes)
    headline(figure, None, f"{comparison.scenario}: error against cost, by resolution")
    return figure
