"""Figures 6, 8 and 9 of Li and Zhang, drawn from our runs; the copy at hand has their captions only."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from flexarm.analysis.spectrum import spectrum
from flexarm.papers.li_zhang.checks import data
from flexarm.papers.li_zhang.runs import PAIRS, Runs, signal
from flexarm.papers.paper import Drawing
from flexarm.view.style import COLOURS, FAINT, grid_of_axes, headline, legend_above, styled, time_axis

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LINES = {"rigid": {"color": COLOURS[0]}, "flexible": {"color": COLOURS[1], "ls": "--"}}
MESH = "Sound form, 20 segments per link, steps of 0.5 ms."


def drawings(runs: Runs) -> tuple[Drawing, ...]:
    """All figures, none drawn yet."""
    return (
        Drawing(
            "figure-6",
            "Single beam: commanded angle, deflection of its end by the paper's scheme with both printed pairs of beta and gamma, "
            "and the spectrum of the deflection with the frequencies that the paper states. The motion is our choice.",
            partial(beam, runs),
        ),
        Drawing(
            "figure-8", f"Tip error of the three links with rigid and with flexible joints. {MESH}", partial(tip, runs)
        ),
        Drawing(
            "figure-9",
            f"Deformation of the three links with rigid and with flexible joints, and of the flexible joints. {MESH}",
            partial(links, runs),
        ),
    )


@styled
def beam(runs: Runs) -> Figure:
    """Figure 6."""
    figure, [[angle], [bend], [lines]] = grid_of_axes("wide", 3, row_height=1.7)
    for (beta, gamma), colour in zip(PAIRS, COLOURS, strict=False):
        result = runs.single(beta, gamma, "root")
        time, values = result.data.time.values, signal(result, "d1")
        early = time <= 3.0
        name = f"beta {beta}, gamma {gamma}"
        bend.plot(time[early], 1e3 * values[early], color=colour, label=name)
        f, amplitude = spectrum(time[time > 0.5], values[time > 0.5], padding=4)
        lines.semilogy(f[f < 50.0], 1e3 * amplitude[f < 50.0], color=colour, label=name)
    angle.plot(time[early], np.degrees(result.data.joint_position.values[early, 0]), color=COLOURS[2])
    published = data()["published"]
    for word, style in (("measured", ":"), ("simulated", "--")):
        lines.axvline(published[f"hz {word}"], color=FAINT, ls=style, lw=0.9, label=f"paper, {word}")
    angle.set_ylabel("Angle (°)")
    bend.set_ylabel("Deflection (mm)")
    lines.set_ylabel("Amplitude (mm)")
    lines.set_xlabel("Frequency (Hz)")
    lines.set_xlim(0.0, 50.0)
    for axes in (angle, bend):
        time_axis(axes, time[early])
    legend_above(bend)
    legend_above(lines)
    headline(figure, None, "Figure 6: single beam, scheme of the paper")
    return figure


@styled
def tip(runs: Runs) -> Figure:
    """Figure 8."""
    figure, rows = grid_of_axes("wide", 2, row_height=2.1, sharex=True)
    for (axes, *_), name in zip(rows, ("ex", "ey"), strict=True):
        for joints, look in LINES.items():
            result = runs.three(joints)
            axes.plot(result.data.time.values, 1e3 * signal(result, name), label=f"{joints} joints", **look)  # type: ignore[arg-type]
        axes.set_ylabel(f"Tip error {name[1]} (mm)")
    time_axis(rows[-1][0], result.data.time.values)
    legend_above(rows[0][0])
    headline(figure, None, "Figure 8: tip error of the three links")
    return figure


@styled
def links(runs: Runs) -> Figure:
    """Figure 9."""
    figure, rows = grid_of_axes("wide", 4, row_height=1.5, sharex=True)
    for k in range(3):
        for joints, look in LINES.items():
            result = runs.three(joints)
            values = 1e3 * signal(result, f"d{k + 1}")
            rows[k][0].plot(result.data.time.values, values, label=f"{joints} joints", **look)  # type: ignore[arg-type]
        rows[k][0].set_ylabel(f"Link {k + 1} (mm)")
        rows[3][0].plot(
            result.data.time.values, 1e3 * signal(result, f"j{k + 1}"), color=COLOURS[k], label=f"joint {k + 1}"
        )
    rows[3][0].set_ylabel("Joints (mrad)")
    time_axis(rows[3][0], result.data.time.values)
    legend_above(rows[0][0])
    legend_above(rows[3][0])
    headline(figure, None, "Figure 9: deformation of links and joints")
    return figure
