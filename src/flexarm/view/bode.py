"""Figure: Bode plot of actuators, computed, measured by a swept sine, and fitted to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from flexarm.errors import OutputError
from flexarm.view.style import COLOURS, FAINT, Size, grid_of_axes, headline, legend_above, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Response(Protocol):
    """`joint`, `hz` (n,), `decibels` (n,) and `degrees` (n,)."""

    @property
    def joint(self) -> str: ...

    @property
    def hz(self) -> Any: ...

    @property
    def decibels(self) -> Any: ...

    @property
    def degrees(self) -> Any: ...


@styled
def bode_plot(
    lines: Sequence[Response], measured: Response | None = None, title: str = "", size: Size = "wide"
) -> Figure:
    """Size in dB and phase in degrees over the frequency.

    Parameters
    ----------
    lines : sequence of Bode
        Drawn as lines; those of one joint are told apart by their attribute ``label``, if they have one.
    measured : SweptSine, optional
        Drawn as marks.
    title : str
        What it is of.
    size : {"wide", "column"}
        Width of the figure.
    """
    from matplotlib.ticker import NullFormatter

    if not lines and measured is None:
        raise OutputError("There is no frequency response to draw.")
    figure, rows = grid_of_axes(size, 2, 1, row_height=1.9, sharex=True)
    upper, lower = rows[0][0], rows[1][0]
    for k, line in enumerate(lines):
        look: dict[str, Any] = {"color": COLOURS[k % len(COLOURS)], "ls": ("-", "--", "-.")[k % 3]}
        upper.semilogx(line.hz, line.decibels, label=getattr(line, "label", line.joint), **look)
        lower.semilogx(line.hz, line.degrees, **look)
        band = getattr(line, "bandwidth", np.inf)
        if np.isfinite(band):
            upper.axvline(band, color=look["color"], lw=0.6, ls=":")
    if measured is not None:
        marks: dict[str, Any] = {"color": COLOURS[-1], "ls": "none", "marker": "o", "mfc": "none"}
        upper.semilogx(measured.hz, measured.decibels, label=f"{measured.joint}, measured", **marks)
        lower.semilogx(measured.hz, measured.degrees, **marks)
    upper.axhline(0.0, color=FAINT, lw=0.6)
    upper.set_ylabel("Size (dB)")
    lower.set_ylabel("Phase (deg)")
    lower.set_xlabel("Frequency (Hz)")
    _limits(upper, lower, lines, measured)
    low, high = lower.get_xlim()
    lower.xaxis.set_major_formatter("{x:g}")
    lower.xaxis.set_minor_formatter("{x:g}" if high < 20.0 * low else NullFormatter())
    legend_above(upper, least=1)
    headline(figure, None, title)
    return figure


def _limits(upper: Any, lower: Any, lines: Sequence[Response], measured: Response | None) -> None:
    """What was measured fills the frame; a computed line alone is shown down to -60 dB."""
    if measured is not None:
        low, high = float(np.min(measured.hz)), float(np.max(measured.hz))
        lower.set_xlim(low / 1.2, high * 1.2)
        least, most = float(np.min(measured.decibels)), float(np.max(measured.decibels))
        upper.set_ylim(least - 6.0, most + 6.0)
        turn = float(np.min(measured.degrees)), float(np.max(measured.degrees))
        lower.set_ylim(turn[0] - 30.0, turn[1] + 30.0)
        return
    bands = np.concatenate([np.asarray(line.hz)[np.asarray(line.decibels) > -60.0] for line in lines])
    lower.set_xlim(float(bands.min()), float(bands.max()))
    upper.set_ylim(-60.0, 3.0 + max(float(np.max(line.decibels)) for line in lines))
