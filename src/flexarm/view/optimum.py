"""Figure of a design: how the best objective fell from trial to trial, or the front between two objectives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.view.study_words import label
from flexarm.view.style import COLOURS, FAINT, Size, grid_of_axes, headline, styled
from flexarm.view.units import scale

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@styled
def optimum_figure(found: Any, size: Size = "wide") -> Figure:
    """Objective of every trial and the best so far; of several objectives the first two, with the front."""
    data, allowed = found.trials, found.trials["allowed"].values
    figure, ((axes,),) = grid_of_axes(size, 1, row_height=2.6)
    first, first_unit = _scaled(found, found.objectives[0])
    if len(found.objectives) > 1:
        second, second_unit = _scaled(found, found.objectives[1])
        on = np.flatnonzero(data["front"].values)
        on = on[np.argsort(first[on])]
        axes.scatter(first[~allowed], second[~allowed], s=6, color=FAINT, lw=0, label="misses a limit")
        axes.scatter(first[allowed], second[allowed], s=6, color=COLOURS[0], alpha=0.5, lw=0, label="trials")
        axes.plot(first[on], second[on], "o-", ms=3.5, lw=1.0, color=COLOURS[1], label="front")
        axes.set_xlabel(label(found.objectives[0], first_unit))
        axes.set_ylabel(label(found.objectives[1], second_unit))
    else:
        number = np.arange(len(first)) + 1
        best = np.minimum.accumulate(np.where(allowed, first, np.inf))
        axes.scatter(number[~allowed], first[~allowed], s=8, color=FAINT, lw=0, label="misses a limit")
        axes.scatter(number[allowed], first[allowed], s=8, color=COLOURS[0], lw=0, label="keeps all limits")
        known = np.isfinite(best)
        axes.step(number[known], best[known], where="post", lw=1.0, color=COLOURS[1], label="best so far")
        axes.set_xlabel("Trial")
        axes.set_ylabel(label(found.objectives[0], first_unit))
    axes.margins(0.05)
    axes.legend(loc="best")
    headline(figure, None, f"{found.name}: {found.message}")
    return figure


def _scaled(found: Any, name: str) -> tuple[np.ndarray, str]:
    values = found.trials[name].values.astype(float)
    unit = str(found.trials[name].attrs.get("units", "")) or found.units.get(name, "")
    if unit in ("", "1"):
        return values, ""
    factor, text = scale(unit, values[np.isfinite(values)])
    return factor * values, text
