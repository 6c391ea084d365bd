"""Chapter V of the thesis: two arms in space. Claims, a table and figures 40 to 43."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from flexarm.papers.claims import Claim, Verdict, holds
from flexarm.papers.naganathan.runs import Runs
from flexarm.papers.paper import Drawing, Row, Table
from flexarm.view.style import COLOURS, FAINT, grid_of_axes, headline, legend_above, styled, time_axis

if TYPE_CHECKING:
    from matplotlib.figure import Figure

THEORIES = ("quasi-static", "linear", "exact")
AXES = ("x", "y", "z")
ELEMENTS = 8
ASSUMED = "Motions and material are assumed, see the scenario."


def tip_error(runs: Runs, case: str, theory: str = "exact") -> tuple[np.ndarray, np.ndarray]:
    """Times in s, and deformed less rigid tip in mm, shape (nt, 3)."""
    data = runs.result(case, theory, ELEMENTS).data
    return data["time"].values, 1e3 * data["tip_error"].values


def space_claims(runs: Runs) -> tuple[Claim, ...]:
    """What the text says about the two examples."""

    def about_quasi_static() -> list[float]:
        time, dynamic = tip_error(runs, "3R")
        _, static = tip_error(runs, "3R", "quasi-static")
        moving = (time > 0.1) & (time < 1.6)
        beside = (dynamic - static)[moving]
        size = np.abs(dynamic).max(axis=0)
        return [float((np.abs(beside.mean(axis=0)) / size).max()), float((np.abs(beside).max(axis=0) / size).max())]

    def against_revolute() -> list[float]:
        peaks = [np.abs(tip_error(runs, case)[1]).max(axis=0) for case in ("R-P", "3R")]
        return [float(a / b) for a, b in zip(*peaks, strict=True)]

    return (
        Claim(
            id="space-oscillates",
            where="Chapter V, example 1, Figures 41 and 42",
            text="The nonlinear solution of the 3-R arm oscillates, bounded, about the quasi-static one.",
            stated=(),
            work_out=about_quasi_static,
            rule=holds(lambda share: share[0] < 0.05 and share[1] < 1.0),
            because="During the motion the difference has a mean of {c[0]:.3f} and a largest value of {c[1]:.2f} of the "
            "peak tip error. Its stability says little about the scheme: average acceleration is stable for linear "
            "problems only.",
            units="share of the peak",
            labels=("mean", "largest"),
        ),
        Claim(
            id="space-prismatic-small",
            where="Chapter V, example 2, Figure 43",
            text="The tip errors of the R-P arm are much smaller than those of the all-revolute arms.",
            stated=(),
            work_out=against_revolute,
            rule=holds(lambda ratio: max(ratio) < 0.5, Verdict.NOT_DETERMINABLE),
            because="With the motions assumed here the peaks of the R-P arm are {c[0]:.2f}, {c[1]:.2f} and {c[2]:.2f} times "
            "those of the 3-R arm along x, y and z; its tube is a hundredth as stiff, and gravity bends it whatever the "
            "joint is. The thesis states neither motions nor scales, so its figure cannot be checked.",
            units="times",
            labels=AXES,
        ),
    )


def space_table(runs: Runs) -> Table:
    """Peaks of both examples by three theories."""

    def rows() -> list[Row]:
        found: list[Row] = []
        for case in ("3R", "R-P"):
            for theory in THEORIES:
                error = tip_error(runs, case, theory)[1]
                peak, rms = np.abs(error).max(axis=0), np.sqrt((error**2).mean(axis=0))
                found.append((case, theory, *map(float, peak), *map(float, rms)))
        return found

    return Table(
        "spatial-arms",
        "Chapter V: tip error of the two arms in space, mm",
        ("Arm", "Model", *(f"peak {a}" for a in AXES), *(f"rms {a}" for a in AXES)),
        rows,
        f"Eight elements per link, steps of 1 ms. {ASSUMED} The column of 500 mm is flexible; if it were rigid the "
        "errors of the 3-R arm would be less than half as large.",
    )


def space_drawings(runs: Runs) -> tuple[Drawing, ...]:
    """Figures 40 to 43."""
    return (
        Drawing("figure-40", f"Joint motions of the 3-R arm. {ASSUMED}", partial(_motions, runs)),
        Drawing(
            "figure-41",
            f"Tip error of the 3-R arm along x (horizontal). {ASSUMED}",
            partial(_errors, runs, 41, "3R", 0),
        ),
        Drawing(
            "figure-42", f"Tip error of the 3-R arm along z (vertical). {ASSUMED}", partial(_errors, runs, 42, "3R", 2)
        ),
        Drawing(
            "figure-43",
            f"Tip error of the R-P arm along x (horizontal). {ASSUMED}",
            partial(_errors, runs, 43, "R-P", 0),
        ),
    )


@styled
def _motions(runs: Runs) -> Figure:
    """Figure 40."""
    data = runs.result("3R", "exact", ELEMENTS).data
    time = data["time"].values
    figure, rows = grid_of_axes("wide", 2, row_height=1.7, sharex=True)
    for j, name in enumerate(("hip", "shoulder", "elbow")):
        rows[0][0].plot(time, np.degrees(data["joint_position"].values[:, j]), label=name)
        rows[1][0].plot(time, np.degrees(data["joint_velocity"].values[:, j]), label=name)
    rows[0][0].set_ylabel("Angle (°)")
    rows[1][0].set_ylabel("Speed (°/s)")
    legend_above(rows[0][0])
    time_axis(rows[1][0], time)
    headline(figure, None, "Figure 40: joint motions of the 3-R arm (assumed)")
    return figure


@styled
def _errors(runs: Runs, number: int, case: str, axis: int) -> Figure:
    """Figures 41 to 43."""
    figure, [[axes]] = grid_of_axes("wide", 1, row_height=2.6)
    time, exact = tip_error(runs, case)
    axes.plot(time, exact[:, axis], color=COLOURS[0], label="nonlinear")
    axes.plot(time, tip_error(runs, case, "quasi-static")[1][:, axis], color=FAINT, ls="-.", label="quasi-static")
    axes.set_ylabel("Tip error (mm)")
    time_axis(axes, time)
    legend_above(axes)
    headline(figure, None, f"Figure {number}: tip error along {AXES[axis]}, {case} arm")
    return figure
