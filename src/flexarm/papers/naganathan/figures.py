"""Figures 13 and 20 to 30 of Naganathan's thesis, drawn from our runs, and the spin-up that it leaves out.

The copy at hand has the text of the thesis but not its drawings, so what a figure shows is taken from the text.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.papers.naganathan.runs import MOVE, STEP, Runs
from flexarm.papers.naganathan.statics import divergence_speed, turning_link
from flexarm.papers.naganathan.tables import MODELS
from flexarm.papers.paper import Drawing
from flexarm.view.style import COLOURS, FAINT, INK, grid_of_axes, headline, legend_above, styled, time_axis

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WAYS = ("horizontal", "vertical")
LINES = {
    "exact": {"color": COLOURS[2], "ls": ":", "lw": 1.6},
    "link": {"color": COLOURS[0]},
    "linear": {"color": COLOURS[1], "ls": "--"},
    "quasi-static": {"color": FAINT, "ls": "-."},
}
MESH = "Four elements per link, steps of 1 ms."


def drawings(runs: Runs) -> tuple[Drawing, ...]:
    """All figures, none drawn yet."""
    undamped = "Tip error of the industrial arm (case study 2) without damping"
    unsure = "The text does not say what this figure shows; this is our reading."
    both = "linear and nonlinear model, and below it their difference from the linear model"
    return (
        Drawing(
            "figure-13",
            "Deflection of a link that is turned with 1.05 rad/s² from one moment to the next, and the quasi-static "
            "one. Eight elements, no damping.",
            partial(turning, runs),
        ),
        Drawing("figure-20", "Commanded motion of both joints of case study 1.", partial(motion, runs, 20, "case 1")),
        Drawing(
            "figure-21",
            f"Horizontal tip error of the flexible arm (case study 1): {both}. {MESH}",
            partial(compared, runs, 21, "case 1", 0),
        ),
        Drawing(
            "figure-22",
            f"Vertical tip error of the flexible arm (case study 1): {both}. {MESH}",
            partial(compared, runs, 22, "case 1", 1),
        ),
        Drawing(
            "figure-23",
            f"Horizontal tip error of the flexible arm by the nonlinear and by the quasi-static model. {MESH}",
            partial(errors, runs, 23, "case 1", 0, ("link", "quasi-static")),
        ),
        Drawing(
            "figure-24",
            f"Torque at the base of the flexible arm, and of the same arm with rigid links. {MESH}",
            partial(torque, runs),
        ),
        Drawing("figure-25", "Commanded motion of both joints of case study 2.", partial(motion, runs, 25, "case 2")),
        Drawing(
            "figure-26", f"{undamped}, horizontal. {unsure} {MESH}",
            partial(errors, runs, 26, "case 2", 0, ("link", "quasi-static"), arm__damping=None),
        ),
        Drawing(
            "figure-27", f"{undamped}, vertical. {unsure} {MESH}",
            partial(errors, runs, 27, "case 2", 1, ("link", "quasi-static"), arm__damping=None),
        ),
        Drawing(
            "figure-28",
            f"Vertical tip error of the industrial arm with 5 % damping: {both}. {MESH}",
            partial(compared, runs, 28, "case 2", 1),
        ),
        Drawing(
            "figure-29",
            f"Vertical tip error of the industrial arm with 5 % damping, three models. {MESH}",
            partial(errors, runs, 29, "case 2", 1, ("link", "linear", "quasi-static")),
        ),
        Drawing(
            "figure-30",
            "Horizontal tip error of the flexible arm on compliant servos (case study 3, nonlinear model) and with "
            f"stiff joints (linear model). {MESH}",
            partial(servo, runs),
        ),
        Drawing(
            "spin-up",
            "Not in the thesis: deflection of a soft beam that is spun up to 6 rad/s, with eight elements. Models "
            "without centrifugal stiffening, the thesis' among them, break down.",
            partial(spinning, runs),
        ),
    )  # fmt: skip


@styled
def turning(runs: Runs) -> Figure:
    """Figure 13."""
    time, relative = runs.in_turning_frame("rotating link", 8)
    figure, [[axes]] = grid_of_axes("wide", 1, row_height=2.4)
    shown = time <= 1.0
    axes.plot(time[shown], 1e3 * relative[shown, 1], label="vibration")
    axes.axhline(-turning_link(runs, 8), color=FAINT, ls="-.", label="quasi-static")
    axes.set_ylabel("Deflection (mm)")
    time_axis(axes, time[shown])
    legend_above(axes)
    headline(figure, None, "Figure 13: deflection of a link under constant angular acceleration")
    return figure


@styled
def motion(runs: Runs, number: int, case: str) -> Figure:
    """Figures 20 and 25."""
    data = runs.result(case, step=STEP).data
    time, position, speed = (
        data["time"].values,
        data["joint_position"].values[:, 0],
        data["joint_velocity"].values[:, 0],
    )
    middle = 0.5 * (time[1:] + time[:-1])
    parts = {
        "Angle (°)": (time, np.degrees(position)),
        "Speed (rad/s)": (time, speed),
        "Acceleration (rad/s²)": (middle, np.diff(speed) / np.diff(time)),
    }
    figure, rows = grid_of_axes("wide", 3, row_height=1.3, sharex=True)
    for (axes, *_), (name, (t, values)) in zip(rows, parts.items(), strict=True):
        axes.plot(t, values)
        axes.set_ylabel(name)
    time_axis(rows[-1][0], time)
    headline(figure, None, f"Figure {number}: commanded motion of each joint, {case}")
    return figure


@styled
def compared(runs: Runs, number: int, case: str, axis: int) -> Figure:
    """Figures 21, 22 and 28."""
    figure, [[upper], [lower]] = grid_of_axes("wide", 2, row_height=1.9, sharex=True)
    time, linear = runs.tip_error(case, "linear", step=STEP)
    for theory in ("link", "exact", "linear"):
        _draw(upper, runs, case, theory, axis)
        if theory != "linear":
            _, error = runs.tip_error(case, theory, step=STEP)
            lower.plot(time, 1e3 * (error - linear)[:, axis], **LINES[theory])  # type: ignore[arg-type]
    upper.set_ylabel("Tip error (mm)")
    lower.set_ylabel("Less the linear one (µm)")
    time_axis(lower, time)
    legend_above(upper)
    headline(figure, None, f"Figure {number}: {WAYS[axis]} tip error, {case}")
    return figure


@styled
def errors(runs: Runs, number: int, case: str, axis: int, theories: tuple[str, ...], **changes: Any) -> Figure:
    """Figures 23, 26, 27 and 29."""
    figure, [[axes]] = grid_of_axes("wide", 1, row_height=2.6)
    for theory in theories:
        time = _draw(axes, runs, case, theory, axis, **changes)
    axes.set_ylabel("Tip error (mm)")
    time_axis(axes, time)
    legend_above(axes)
    words = ", no damping" if changes else ""
    headline(figure, None, f"Figure {number}: {WAYS[axis]} tip error, {case}{words}")
    return figure


def _draw(axes: Axes, runs: Runs, case: str, theory: str, axis: int, name: str = "", **changes: Any) -> np.ndarray:
    """One tip error; returns its times."""
    time, error = runs.tip_error(case, theory, step=STEP, **changes)
    axes.plot(time, error[:, axis], label=name or MODELS[theory], **LINES[theory])  # type: ignore[arg-type]
    return time


@styled
def torque(runs: Runs) -> Figure:
    """Figure 24."""
    data = runs.result("case 1", "link", step=STEP).data
    figure, [[axes]] = grid_of_axes("wide", 1, row_height=2.6)
    axes.plot(data["time"].values, data["joint_torque"].values[:, 0], label="flexible links")
    axes.plot(data["time"].values, data["rigid_torque"].values[:, 0], "--", color=FAINT, label="rigid links")
    axes.set_ylabel("Torque at the base (N·m)")
    time_axis(axes, data["time"].values)
    legend_above(axes)
    headline(figure, None, "Figure 24: torque at the base joint, case 1")
    return figure


@styled
def servo(runs: Runs) -> Figure:
    """Figure 30."""
    figure, [[axes]] = grid_of_axes("wide", 1, row_height=2.6)
    time = _draw(axes, runs, "case 3", "link", 0, "compliant servos, nonlinear (thesis)")
    _draw(axes, runs, "case 1", "linear", 0, "stiff joints, linear")
    axes.axvline(MOVE, color=FAINT, lw=0.7)
    axes.set_ylabel("Tip error (mm)")
    time_axis(axes, time)
    legend_above(axes)
    headline(figure, None, "Figure 30: horizontal tip error with compliant servos (line: end of the motion)")
    return figure


@styled
def spinning(runs: Runs) -> Figure:
    """The spin-up."""
    figure, [[axes], [lower]] = grid_of_axes("wide", 2, row_height=1.9, sharex=True)
    time, relative = runs.in_turning_frame("spin-up", 8)
    axes.plot(time, relative[:, 1], label="exact", color=COLOURS[2])
    early, lost = runs.in_turning_frame("spin-up", 8, theory="link", time__end=10.0)
    axes.plot(early, lost[:, 1], "--", color=COLOURS[0], label="without centrifugal stiffening")
    axes.set_ylim(-1.2, 0.1)
    axes.set_ylabel("Across (m)")
    legend_above(axes)
    speed = runs.result("spin-up", elements=8).data["joint_velocity"].values[:, 0]
    lower.plot(time, speed, color=INK)
    lower.axhline(divergence_speed(runs, 8), color=FAINT, ls="-.")
    lower.text(time[-1], divergence_speed(runs, 8) - 0.15, "first frequency at rest", ha="right", va="top", color=FAINT)
    lower.set_ylabel("Speed (rad/s)")
    time_axis(lower, time)
    headline(figure, None, "Spin-up: deflection of the tip of a soft beam")
    return figure
