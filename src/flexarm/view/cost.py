"""Figure: what an accuracy costs, method by method."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flexarm.errors import OutputError
from flexarm.methods import method_names
from flexarm.view.style import COLOURS, FAINT, Size, headline, legend_above, new_figure, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MARKS = "osD^v"
LEAST = 1e-8
"""Errors below this, in %, are drawn there."""


@styled
def cost(comparison: Any, size: Size = "wide") -> Figure:
    """Change on refinement against wall time, one line per method; a ring is around the level that the table tells.

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
        look: dict[str, Any] = {"marker": MARKS[k % len(MARKS)], "color": COLOURS[k % len(COLOURS)]}
        seconds = [level.seconds for level, _ in item.errors]
        errors = [max(100.0 * error, LEAST) for _, error in item.errors]
        axes.loglog(seconds, errors, label=name, **look)
        for x, y, (level, _) in zip(seconds, errors, item.errors, strict=True):
            axes.annotate(
                str(level.resolution), (x, y), xytext=(4, 4), textcoords="offset points", fontsize=6, color=FAINT
            )
        level, error = comparison.told(name)
        axes.plot([level.seconds], [max(100.0 * error, LEAST)], ls="", ms=8, mfc="none", mew=1.0, **look)
    axes.axhline(
        100.0 * comparison.target, color=FAINT, lw=0.8, ls="--", label=f"asked for: {100.0 * comparison.target:g} %"
    )
    axes.plot([], [], ls="", marker="o", ms=8, mfc="none", mec=FAINT, label="in the table")
    axes.set_xlabel("Wall time of the run (s)")
    axes.set_ylabel("Change by refining (%)")
    axes.autoscale(True)
    axes.margins(0.12, 0.18)
    low, high = axes.get_xlim()
    axes.xaxis.set_major_formatter("{x:g}")
    axes.xaxis.set_minor_formatter("{x:g}" if high < 10.0 * low else "")
    legend_above(axes)
    headline(figure, None, f"{comparison.scenario}: error against cost, by resolution")
    return figure
