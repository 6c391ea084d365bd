"""Figures of identification: a free decay and its modes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flexarm.view.curves import curve
from flexarm.view.style import COLOURS, FAINT, axis_label, grid_of_axes, headline, legend_above, styled, time_axis

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from flexarm.control.identify_modes import IdentifiedModes

SHOWN = 40
"""Singular values that are drawn."""


@styled
def modes_figure(found: IdentifiedModes) -> Figure:
    """Log and fit of every column, what the fit leaves, and the singular values."""
    count = len(found.columns)
    figure, rows = grid_of_axes("wide", 2 * count + 1, row_height=1.5)
    for k, name in enumerate(found.columns):
        (upper,), (lower,) = rows[2 * k], rows[2 * k + 1]
        curve(upper, found.time, found.measured[:, k], label="measured", color=COLOURS[1], lw=0.9)
        curve(upper, found.time, found.fitted[:, k], label="fitted", color=COLOURS[0], lw=0.9)
        upper.set_ylabel(name)
        legend_above(upper)
        curve(lower, found.time, found.measured[:, k] - found.fitted[:, k], color=FAINT, lw=0.8)
        lower.set_ylabel("measured minus fitted")
        time_axis(lower, found.time)
    axes = rows[-1][0]
    values = found.singular_values[:SHOWN]
    axes.semilogy(np.arange(1, len(values) + 1), values, "o", color=COLOURS[0])
    axes.set_xlabel("Number of the singular value")
    axes.set_ylabel(axis_label("singular value", "1"))
    heard = ", ".join(
        f"{f:.5g} Hz ({100 * z:.3g} %)" for f, z in zip(found.frequency, found.damping_ratio, strict=True)
    )
    headline(figure, None, f"Modes by {found.method}: {heard}")
    return figure
