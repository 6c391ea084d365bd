"""Figures 6 to 13 of the paper, drawn from our runs with the gains of one set.

The copy at hand has the captions but not the drawings.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from flexarm.papers.paper import Drawing
from flexarm.papers.tian.runs import Runs
from flexarm.view.path import path
from flexarm.view.style import COLOURS, INK, grid_of_axes, headline, legend_above, styled, time_axis

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PATHS = {"circle": 6, "square": 10}
"""Number of the first figure of each path."""


def drawings(runs: Runs) -> tuple[Drawing, ...]:
    """All figures, none drawn yet."""
    found = []
    for name, first in PATHS.items():
        note = f"Tip on the {name}, gains of one set, chord sensor."
        found += [
            Drawing(
                f"figure-{first}", f"Commanded (dashed) and actual joint angles. {note}", partial(angles, runs, name)
            ),
            Drawing(f"figure-{first + 1}", f"Wanted and actual path. {note}", partial(way, runs, name)),
            Drawing(f"figure-{first + 2}", f"Tracking error along x and y. {note}", partial(errors, runs, name)),
            Drawing(
                f"figure-{first + 3}", f"Transverse deflection of both links' ends. {note}", partial(bends, runs, name)
            ),
        ]
    return tuple(found)


@styled
def angles(runs: Runs, name: str) -> Figure:
    """Joint angles over time."""
    data = runs.result(f"{name} single").data
    figure, rows = grid_of_axes("wide", 1, row_height=2.4)
    axes = rows[0][0]
    for k, joint in enumerate(data["joint"].values):
        axes.plot(data["time"], data["joint_position"][:, k], "-", color=COLOURS[k], label=str(joint))
        axes.plot(data["time"], data["commanded_position"][:, k], "--", color=INK, lw=0.8)
    axes.set_ylabel("Joint angle (rad)")
    time_axis(axes, data["time"].values)
    legend_above(axes)
    headline(figure, None, f"Figure {PATHS[name]}: joint angles on the {name}")
    return figure


def way(runs: Runs, name: str) -> Figure:
    """The path in the plane."""
    figure = path(runs.result(f"{name} single"))
    figure.suptitle(f"Figure {PATHS[name] + 1}: wanted and actual path", x=0.01, ha="left", color=INK, fontsize=8.0)
    return figure


@styled
def errors(runs: Runs, name: str) -> Figure:
    """Errors over time, the start cut off above so that the rest can be seen."""
    time, error = runs.errors(f"{name} single")
    figure, rows = grid_of_axes("wide", 2, row_height=1.6, sharex=True)
    for k, letter in enumerate("xy"):
        axes = rows[k][0]
        axes.plot(time, error[:, k], color=COLOURS[k])
        most = 1.15 * float(np.abs(error[time >= 2.0, k]).max())
        axes.set_ylim(-most, most)
        axes.set_ylabel(f"Error along {letter} (mm)")
    time_axis(rows[-1][0], time)
    headline(
        figure,
        None,
        f"Figure {PATHS[name] + 2}: tracking error on the {name}; what comes before 2 s may reach beyond the axes",
    )
    return figure


@styled
def bends(runs: Runs, name: str) -> Figure:
    """Deflections over time."""
    data = runs.result(f"{name} single").data
    figure, rows = grid_of_axes("wide", 2, row_height=1.6, sharex=True)
    for k, link in enumerate(data["link"].values):
        axes = rows[k][0]
        axes.plot(data["time"], 1e3 * data["deflection"][:, k, -1], color=COLOURS[k])
        axes.set_ylabel(f"{str(link).capitalize()} (mm)")
    time_axis(rows[-1][0], data["time"].values)
    headline(figure, None, f"Figure {PATHS[name] + 3}: transverse deflection of the links' ends on the {name}")
    return figure
