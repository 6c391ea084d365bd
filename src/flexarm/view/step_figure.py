"""Figure: the steps of a motor over time, their rate, and a look at single steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flexarm.view.style import COLOURS, grid_of_axes, headline, styled, time_axis

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from flexarm.drive.stepping_motor.table import StepTable


@styled
def steps(table: StepTable, title: str = "") -> Figure:
    """Joint position after each step, steps per second, and the delay after each step."""
    figure, rows = grid_of_axes("wide", 3, row_height=1.3, sharex=True)
    (place,), (rate,), (delay,) = rows
    t = np.concatenate([[0.0], table.times, [table.end]])
    position = np.degrees(np.concatenate([[table.start], table.positions, [table.landing]]))
    place.step(t, position, where="post", color=COLOURS[0])
    place.set_ylabel("Joint position (°)")
    waits = np.diff(table.times)
    rate.plot(0.5 * (table.times[1:] + table.times[:-1]), 1.0 / waits, color=COLOURS[1])
    rate.set_ylabel("Steps per second")
    delay.semilogy(table.times, 1e3 * np.maximum(table.delays, 1e-9), color=COLOURS[2], marker=".", ms=1.5, lw=0.5)
    delay.set_ylabel("Delay (ms)")
    time_axis(delay, t)
    headline(figure, None, title)
    return figure
