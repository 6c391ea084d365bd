"""Figures 3.1, 4.1 and 4.2, and the strains of figures 4.4 to 4.6, drawn from our runs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

import flexarm as fa
from flexarm.drive.statespace import state_space
from flexarm.papers.lee_huggins_book.actuators import loop_margins
from flexarm.papers.lee_huggins_book.runs import LINKS, Runs
from flexarm.papers.paper import Drawing
from flexarm.view.bode import bode_plot
from flexarm.view.style import COLOURS, FAINT, headline, legend_above, new_figure, paper_of, styled, time_axis

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def drawings(runs: Runs) -> tuple[Drawing, ...]:
    """All figures, none drawn yet."""
    return (
        Drawing("figure-3.1", "Shapes of the first six modes on the mechanism, cylinders held.", partial(shapes, runs)),
        Drawing(
            "figure-4.1",
            "Closed loop Bode plots of both actuators from the printed poles; dotted: bandwidths.",
            bode_plots,
        ),
        Drawing(
            "figure-4.2",
            "Swept sine of the lower cylinder on the simulated arm, with pressures (scenario ralf-hydraulic), and the "
            "third-order fit to it.",
            partial(swept_sine, runs),
        ),
        Drawing("figure-4.3", "Commanded and actual angles of both joints: the actuators lag.", partial(angles, runs)),
        Drawing(
            "figure-4.4",
            "Strain in the lower link when the lower cylinder moves.",
            partial(strains, runs, "4.4", "lower only"),
        ),
        Drawing("figure-4.5", "Strains when both cylinders move.", partial(strains, runs, "4.5", "both")),
        Drawing("figure-4.6", "Strains when the upper cylinder moves.", partial(strains, runs, "4.6", "upper only")),
    )


@styled
def shapes(runs: Runs) -> Figure:
    """The first six modes drawn on the mechanism."""
    found = runs.frequencies()
    arm = fa.load("ralf").arm
    rest = fa.rigid.forward(arm, fa.rigid.close_loops(arm, arm.pose))
    made = new_figure("wide", 5.0)
    axes = made.subplots(2, 3, sharex=True, sharey=True)
    for k, (one, hz) in enumerate(zip(axes.ravel(), found.hz, strict=True)):
        ends = {}
        for i, link in enumerate(arm.links):
            s = found.shapes.s.values
            line = (
                rest.along(link.name, s)
                if link.span
                else rest.root[i] + s[:, None] * (rest.place(link.name, "crank") - rest.root[i])
            )
            moved = line[:, :2] + 0.5 * found.shapes.values[k, i, :, :2]
            one.plot(line[:, 0], line[:, 1], color=FAINT, lw=1.0)
            one.plot(moved[:, 0], moved[:, 1], color=COLOURS[i % len(COLOURS)], ls="-", lw=1.6)
            ends[link.name] = moved
        bracket = np.stack([ends["actuating"][-1], ends["upper"][0]])
        one.plot(bracket[:, 0], bracket[:, 1], color=COLOURS[3 % len(COLOURS)], ls="-", lw=1.6)
        one.set_title(f"{k + 1}: {hz:.2f} Hz")
        paper_of(one).keep_equal(one)
    for one in axes[1]:
        one.set_xlabel("x (m)")
    for one in axes[:, 0]:
        one.set_ylabel("y (m)")
    headline(made, None, "Figure 3.1: mode shapes")
    return made


@dataclass(frozen=True)
class _Line:
    """A frequency response for the Bode plot."""

    joint: str
    hz: np.ndarray
    decibels: np.ndarray
    degrees: np.ndarray
    bandwidth: float = np.inf

    @classmethod
    def of(cls, joint: str, hz: np.ndarray, response: np.ndarray, bandwidth: float = np.inf) -> _Line:
        size, turn = 20.0 * np.log10(np.abs(response)), np.degrees(np.unwrap(np.angle(response)))
        return cls(joint, hz, size, turn, bandwidth)


def bode_plots() -> Figure:
    """Both actuators of (4.1), their poles in rad/s."""
    hz, lines = np.geomspace(0.1, 30.0, 300), []
    for drive in fa.load("ralf").drive:
        system = drive.actuator.system() if drive.actuator is not None else None
        assert system is not None and drive.joint is not None
        band = loop_margins(drive.joint)[0] / (2.0 * np.pi)
        lines.append(_Line.of(f"{drive.joint}, poles in rad/s", hz, system.response(2.0 * np.pi * hz), band))
    return bode_plot(lines, title="Figure 4.1: closed loops of the actuators")


def swept_sine(runs: Runs) -> Figure:
    """Response of the lower cylinder of the simulated arm."""
    scenario = fa.load("ralf-hydraulic").with_({"time.step": "4 ms", "method.resolution": 2})
    found = runs.once(
        "swept_sine", lambda: fa.swept_sine(scenario, "lower", 0.5, 6.0, 8, periods=4, settle=0.4, output="cylinder")
    )
    hz = np.geomspace(found.hz[0], found.hz[-1], 200)
    fitted = found.gain * state_space(found.poles, (), 1.0).response(2.0 * np.pi * hz)
    return bode_plot([_Line.of("third order", hz, fitted)], found, "Figure 4.2: swept sine of the lower cylinder")


@styled
def angles(runs: Runs) -> Figure:
    """Command and response of the two driven joints."""
    result = runs.result("both")
    time = result.data["time"].values
    made, axes = _grid(2)
    for one, joint, amplitude, hz in zip(axes, ("lower", "bellcrank"), (0.10, 0.15), (0.5, 1.0), strict=True):
        actual = result.data["joint_position"].sel(joint=joint).values
        command = actual[0] + amplitude * np.sin(2 * np.pi * hz * np.minimum(time, 2.0))
        one.plot(time, np.degrees(command), color=FAINT, ls="--", label="command")
        one.plot(time, np.degrees(actual), color=COLOURS[0], label="actual")
        one.set_ylabel(f"{joint} (deg)")
    legend_above(axes[0])
    time_axis(axes[-1], time)
    headline(made, None, "Figure 4.3: motion of the joints")
    return made


@styled
def strains(runs: Runs, number: str, case: str) -> Figure:
    """Mid-link strains, plain as in the paper and with the shortening by bending."""
    time, plain = runs.strain(case)
    _, whole = runs.strain(case, method__stiffening="second-order")
    made, axes = _grid(3)
    for k, (one, link) in enumerate(zip(axes, LINKS, strict=True)):
        one.plot(time, whole[:, k], color=COLOURS[1], ls="--", lw=1.0, label="second order")
        one.plot(time, plain[:, k], color=COLOURS[0], lw=1.0, label="as in the paper")
        one.set_ylabel(f"{link} (1e-6)")
    legend_above(axes[0])
    time_axis(axes[-1], time)
    headline(made, None, f"Figure {number}: mid-link strain, {case}")
    return made


def _grid(rows: int) -> tuple[Figure, np.ndarray]:
    made = new_figure("wide", 1.8 * rows)
    return made, np.atleast_1d(made.subplots(rows, 1, sharex=True))
