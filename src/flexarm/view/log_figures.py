"""Figures of a comparison between a measured log and a run: overlay, difference, spectra, ring-down."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flexarm.view.curves import curve
from flexarm.view.style import COLOURS, FAINT, axis_label, grid_of_axes, headline, legend_above, styled, time_axis
from flexarm.view.units import scale
from flexarm.view.words import signal_words

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from flexarm.analysis.log_comparison import LogComparison

FLOOR = 1e-4
"""Amplitudes below this share of the largest are not shown."""


def log_figures(found: LogComparison) -> dict[str, Figure]:
    """All figures by name."""
    figures = {"overlay": overlay(found), "spectra": spectra(found)}
    if found.ring_measured is not None or found.ring_simulated is not None:
        figures["ringdown"] = decay(found)
    return figures


def _factor(found: LogComparison) -> tuple[float, str]:
    if found.unit == "counts":
        return 1.0, "counts"
    if found.unit == "V":
        return 1.0, "V"
    return scale("m/m" if found.unit == "1" else found.unit, found.measured, found.simulated)


@styled
def overlay(found: LogComparison) -> Figure:
    """Log and run over time, and below it their difference."""
    figure, rows = grid_of_axes("wide", 2, row_height=1.9, sharex=True)
    (upper,), (lower,) = rows
    factor, unit = _factor(found)
    curve(upper, found.time, factor * found.measured, label="measured", color=COLOURS[1], lw=0.9)
    curve(upper, found.time, factor * found.simulated, label="simulated", color=COLOURS[0], lw=0.9)
    upper.set_ylabel(axis_label(signal_words(found.signal), unit))
    legend_above(upper)
    curve(lower, found.time, factor * (found.measured - found.simulated), color=FAINT, lw=0.8)
    lower.set_ylabel(axis_label("measured minus simulated", unit))
    time_axis(lower, found.time)
    headline(figure, None, f"{found.log}: lag {1e3 * found.lag:.3g} ms and offset taken off")
    return figure


@styled
def spectra(found: LogComparison) -> Figure:
    """Amplitude spectra of log and run."""
    figure, rows = grid_of_axes("wide", 1, row_height=2.5)
    axes = rows[0][0]
    factor, unit = _factor(found)
    f = found.frequency[1:]
    lines = {"measured": (found.spectrum_measured[1:], 1), "simulated": (found.spectrum_simulated[1:], 0)}
    for label, (line, colour) in lines.items():
        axes.plot(f, factor * line, label=label, color=COLOURS[colour], lw=0.9)
    top = factor * max(float(line.max()) for line, _ in lines.values())
    if top > 0.0:
        axes.set_yscale("log")
        axes.set_ylim(FLOOR * top, 2.0 * top)
    axes.set_xlabel("Frequency (Hz)")
    axes.set_ylabel(axis_label(f"amplitude of the {signal_words(found.signal)}", unit))
    legend_above(axes)
    headline(figure, None, f"{found.log}: amplitude spectra")
    return figure


@styled
def decay(found: LogComparison) -> Figure:
    """The ring-down of both, with the envelope of the fitted main mode."""
    figure, rows = grid_of_axes("wide", 2, row_height=1.7, sharex=True)
    factor, unit = _factor(found)
    free = found.time >= found.ring_from
    t = found.time[free]
    parts = (
        ("measured", found.measured, found.ring_measured, 1),
        ("simulated", found.simulated, found.ring_simulated, 0),
    )
    for (axes,), (label, values, ring, colour) in zip(rows, parts, strict=True):
        curve(axes, t, factor * values[free], color=COLOURS[colour], lw=0.9)
        axes.set_ylabel(axis_label(label, unit))
        if ring is None:
            continue
        level = float(np.mean(values[free]))
        edge = ring.amplitude * np.exp(-ring.decay_rate * (t - t[0]))
        for sign in (1.0, -1.0):
            axes.plot(t, factor * (level + sign * edge), color=FAINT, ls="--", lw=0.8)
        axes.set_title(f"{ring.frequency:.4g} Hz, damping {100 * ring.damping_ratio:.3g} %", loc="left")
    time_axis(rows[-1][0], t)
    headline(figure, None, f"{found.log}: ring-down from {found.ring_from:.3g} s on")
    return figure
