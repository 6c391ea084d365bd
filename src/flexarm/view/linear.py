"""Figures of linear models: Bode plot of all channels, and the map of poles and zeros."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.errors import OutputError
from flexarm.view.style import COLOURS, FAINT, Size, grid_of_axes, headline, legend_above, new_figure, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from flexarm.control.response import FrequencyResponse

SHOWN = 1.5
"""How far the map reaches, over the fastest of the poles that are shown."""


@styled
def response_figure(found: FrequencyResponse, title: str = "", size: Size = "wide") -> Figure:
    """Size in dB and phase in degrees of every output over every input."""
    from matplotlib.ticker import NullFormatter

    if not found.inputs or not found.outputs:
        raise OutputError("There is no frequency response to draw: the model has no inputs or no outputs.")
    figure, rows = grid_of_axes(size, 2, 1, row_height=1.9, sharex=True)
    upper, lower = rows[0][0], rows[1][0]
    channels = [(k, m) for k in range(len(found.outputs)) for m in range(len(found.inputs))]
    for number, (k, m) in enumerate(channels):
        look: dict[str, Any] = {"color": COLOURS[number % len(COLOURS)], "ls": ("-", "--", "-.")[number % 3]}
        upper.semilogx(found.hz, found.decibels[:, k, m], label=f"{found.outputs[k]} / {found.inputs[m]}", **look)
        lower.semilogx(found.hz, found.degrees[:, k, m], **look)
    upper.set_ylabel("Size (dB)")
    lower.set_ylabel("Phase (deg)")
    lower.set_xlabel("Frequency (Hz)")
    lower.set_xlim(float(found.hz[0]), float(found.hz[-1]))
    lower.xaxis.set_major_formatter("{x:g}")
    lower.xaxis.set_minor_formatter("{x:g}" if found.hz[-1] < 20.0 * found.hz[0] else NullFormatter())
    legend_above(upper, least=1)
    headline(figure, None, title)
    return figure


@styled
def pole_map(
    poles: np.ndarray, zeros: Mapping[str, np.ndarray], title: str = "", size: Size = "wide", most: int = 12
) -> Figure:
    """The `most` slowest poles in the complex plane as crosses, and the zeros of some outputs beside them as circles."""
    if not len(poles):
        raise OutputError("There are no poles to draw.")
    figure = new_figure(size, 3.2)
    axes = figure.subplots()
    reach = SHOWN * max(float(np.abs(poles[:most]).max()), 1e-3)
    axes.axhline(0.0, color=FAINT, lw=0.6)
    axes.axvline(0.0, color=FAINT, lw=0.6)
    shown = poles[np.abs(poles) <= reach]
    axes.plot(shown.real, shown.imag, ls="none", marker="x", color=COLOURS[0], label="poles")
    for k, (name, values) in enumerate(zeros.items()):
        near = values[np.abs(values) <= reach]
        marks: dict[str, Any] = {
            "ls": "none",
            "marker": "os^D"[k % 4],
            "mfc": "none",
            "color": COLOURS[(k + 1) % len(COLOURS)],
        }
        axes.plot(near.real, near.imag, label=f"zeros of {name}", **marks)
    axes.set_xlim(-reach, reach)
    axes.set_ylim(-reach, reach)
    axes.set_xlabel("Real part (1/s)")
    axes.set_ylabel("Imaginary part (rad/s)")
    legend_above(axes, least=1)
    headline(figure, None, title)
    return figure
