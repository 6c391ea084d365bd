"""Figures 3 to 11 of Tokhi and Azad, drawn from our runs.

The runs follow the document: 19 sections, explicit steps of 0.24 ms, 0.1 N*m for 0.3 s and -0.1 N*m for 0.3 s.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from flexarm.analysis.filters import highpass, separate_modes
from flexarm.papers.paper import Drawing
from flexarm.papers.tokhi_azad.checks import grid_mode_amplitudes, mode_amplitudes
from flexarm.papers.tokhi_azad.runs import SECTIONS, STEP, Runs
from flexarm.papers.tokhi_azad.timing import measured, published, simulated
from flexarm.view.style import COLOURS, FAINT, INK, grid_of_axes, headline, legend_above, styled, time_axis
from flexarm.view.surface import surface

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

GRID = "19 sections, explicit steps of 0.24 ms"


def drawings(runs: Runs) -> tuple[Drawing, ...]:
    """All figures, none drawn yet."""
    tip = f"Angle of the tip y(L, t)/L by finite differences ({GRID}), exactly, and of the rigid arm: "
    whole = f"Displacement of all grid points over time and length ({GRID}), "
    split = "separated from the tip displacement of the arm with hub by zero-phase filters "
    return (
        Drawing("figure-03", "Torque of the motor: 0.1 N*m for 0.3 s, -0.1 N*m for 0.3 s.", partial(torque, runs)),
        Drawing(
            "figure-04",
            "Processing time over simulated time: the processors of 1994 as published, and this machine now with the "
            "step for c = 0.2 and with the stated one. Below the dashed line a processor keeps up with the motion.",
            partial(processing, runs),
        ),
        Drawing(
            "figure-05",
            f"{tip}(a) without hub inertia, (b) with it, no payload.",
            partial(angles, runs, 5, {"(a) without hub inertia": "no hub", "(b) with hub inertia": "hub"}),
        ),
        Drawing("figure-06", f"{whole}with hub inertia.", partial(movement, runs, 6, "hub", "with hub inertia")),
        Drawing(
            "figure-07",
            f"Flexible motion, {split}({GRID}): (a) all modes, (b) second and higher modes. The filters also pass a "
            "little of the rigid motion where the torque jumps, at 0, 0.3 and 0.6 s.",
            partial(flexible, runs),
        ),
        Drawing(
            "figure-08",
            f"(a) first and (b) second mode, {split}({GRID}), with the amplitude after 0.6 s fitted to the motion of "
            "the grid, and that of the exact solution.",
            partial(modes, runs),
        ),
        Drawing(
            "figure-09",
            f"{tip}(a) payload 10 g, (b) payload 20 g, both with hub inertia.",
            partial(angles, runs, 9, {"(a) payload 10 g": "hub + 10 g", "(b) payload 20 g": "hub + 20 g"}),
        ),
        Drawing("figure-10", f"{whole}payload 10 g.", partial(movement, runs, 10, "hub + 10 g", "payload 10 g")),
        Drawing("figure-11", f"{whole}payload 20 g.", partial(movement, runs, 11, "hub + 20 g", "payload 20 g")),
    )


def _record(runs: Runs) -> tuple[np.ndarray, np.ndarray]:
    """Time in s and tip displacement in m of the arm with hub, from 0.6 s of rest before to 0.6 s after what is shown.

    A filter is unsure at the ends of its record; these ends are not shown.
    """
    run = runs.result("hub", scheme="leapfrog", step=STEP, every=5 * STEP, end=1.8)
    time, tip = run.data["time"].values, run.data["travel"].values
    rest = round(0.6 / (5 * STEP))
    return np.concatenate([time[:rest] - 0.6, time]), np.concatenate([np.zeros(rest), tip])


@styled
def torque(runs: Runs) -> Figure:
    """Figure 3."""
    data = runs.history("hub").data
    figure, [[axes]] = grid_of_axes("wide", 1, row_height=1.8)
    axes.step(data["time"].values, data["drive_torque"].values[:, 0], where="pre")
    axes.set_ylabel("Torque (N·m)")
    axes.set_ylim(-0.12, 0.12)
    time_axis(axes, data["time"].values)
    headline(figure, None, "Figure 3: torque at the hub")
    return figure


@styled
def processing(runs: Runs) -> Figure:
    """Figure 4."""
    figure, [[axes]] = grid_of_axes("wide", 1, row_height=3.4)
    motion = simulated()
    for name, times in published().items():
        axes.plot(motion, times, "o-", label=name)
    for name, times in measured(runs).items():
        axes.plot(motion, times, "s--", label=name)
    axes.plot(motion, motion, "--", color=FAINT, lw=1.0, label="real time")
    axes.set_yscale("log")
    axes.set_xlim(0.0, 10.2)
    axes.set_xlabel("Simulated time (s)")
    axes.set_ylabel("Processing time (s)")
    legend_above(axes)
    headline(figure, None, "Figure 4: processing time of the algorithm")
    return figure


@styled
def angles(runs: Runs, number: int, cases: dict[str, str]) -> Figure:
    """Figures 5 and 9."""
    figure, rows = grid_of_axes("wide", len(cases), row_height=2.0, sharex=True, sharey=True)
    for (axes, *_), (title, case) in zip(rows, cases.items(), strict=True):
        closer = axes.inset_axes((0.56, 0.16, 0.42, 0.52))
        for place in (axes, closer):
            _lines(place, runs, case)
        level = float(np.degrees(runs.exact_history(case).mean_angle[-1]))
        closer.set_xlim(0.6, 1.2)
        closer.set_ylim(level - 0.45, level + 0.45)
        axes.set_ylabel("Tip angle (°)")
        axes.text(0.01, 0.9, title, transform=axes.transAxes, color=INK)
    legend_above(rows[0][0])
    time_axis(rows[-1][0], runs.exact_history("hub").time)
    headline(figure, None, f"Figure {number}: movement of the tip (inset: after the torque)")
    return figure


def _lines(axes: Axes, runs: Runs, case: str) -> None:
    """Tip angle in degrees, three times."""
    data, motion = runs.history(case).data, runs.exact_history(case)
    factor = np.degrees(1.0) / runs.beam.length
    axes.plot(data["time"].values, factor * data["travel"].values, color=COLOURS[0], label=GRID)
    axes.plot(motion.time, factor * motion.tip, "--", color=COLOURS[1], lw=0.9, label="exact")
    axes.plot(motion.time, np.degrees(motion.mean_angle), ":", color=FAINT, label="rigid arm")


@styled
def movement(runs: Runs, number: int, case: str, words: str) -> Figure:
    """Figures 6, 10 and 11."""
    figure = surface(runs.history(case))
    text = f"Figure {number}: movement of the arm, {words} ({GRID})"
    figure.suptitle(text, x=0.01, y=1.0 - 0.05 / figure.get_figheight(), ha="left", va="top", color=INK)
    return figure


@styled
def flexible(runs: Runs) -> Figure:
    """Figure 7."""
    time, tip = _record(runs)
    first, second = runs.frequencies("hub", 2)
    between = float(np.sqrt(first * second))
    parts = {
        f"(a) all modes (above {0.5 * first:.1f} Hz)": highpass(time, tip, 0.5 * first),
        f"(b) second and higher modes (above {between:.1f} Hz)": highpass(time, tip, between),
    }
    return _panels(time, parts, "Figure 7: flexible motion of the tip")


@styled
def modes(runs: Runs) -> Figure:
    """Figure 8."""
    time, tip = _record(runs)
    found = runs.frequencies("hub", 2)
    _, one, two, _ = separate_modes(time, tip, found)
    parts = {f"(a) first mode, {found[0]:.2f} Hz": one, f"(b) second mode, {found[1]:.2f} Hz": two}
    figure = _panels(time, parts, "Figure 8: single modes of the motion of the tip")
    levels = {
        "amplitude on this grid": ("--", COLOURS[1], grid_mode_amplitudes(runs, "hub", SECTIONS)),
        "exact amplitude": (":", INK, mode_amplitudes(runs, "hub")),
    }
    for k, axes in enumerate(figure.axes):
        for name, (style, colour, amplitudes) in levels.items():
            level = 1e3 * float(amplitudes[k])
            both = [level, level, np.nan, -level, -level]
            axes.plot([0.6, 1.2, np.nan, 0.6, 1.2], both, style, color=colour, label=name)
    figure.axes[0].legend(loc="upper left", ncols=2)
    return figure


def _panels(time: np.ndarray, parts: dict[str, np.ndarray], title: str) -> Figure:
    """One panel per part, 0 to 1.2 s, in mm."""
    shown = (time > -1e-9) & (time < 1.2 + 1e-9)
    figure, rows = grid_of_axes("wide", len(parts), row_height=1.9, sharex=True)
    for (axes, *_), (name, part) in zip(rows, parts.items(), strict=True):
        axes.plot(time[shown], 1e3 * part[shown])
        axes.set_title(name, loc="left")
        axes.set_ylabel("Displacement (mm)")
    time_axis(rows[-1][0], time[shown])
    headline(figure, None, title)
    return figure
