"""Figure: poles along the motion in the complex plane, coloured by time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from flexarm.view.style import FAINT, SEQUENCE, Size, colour_bar, headline, new_figure, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDE = 50.0
"""Ratio of the fastest to the slowest pole from which on the axes are logarithmic but for their middle."""


class AlongPath(Protocol):
    """`time` (m,) and `poles` (m, n), complex."""

    @property
    def time(self) -> Any: ...

    @property
    def poles(self) -> Any: ...


@styled
def path_poles(found: AlongPath, title: str = "", size: Size = "wide") -> Figure:
    """The slowest poles, of pairs the upper ones; what stands right of zero grows.

    Parameters
    ----------
    found : PathPoles
        What ``flexarm.poles_along`` returns.
    title : str
        What it is of.
    size : {"wide", "column"}
        Width of the figure.
    """
    figure = new_figure(size, 3.6)
    axes = figure.subplots()
    axes.axvline(0.0, color=FAINT, lw=0.8)
    times = np.repeat(found.time, found.poles.shape[1])
    poles = found.poles.ravel()
    marks = axes.scatter(poles.real, poles.imag, c=times, cmap=SEQUENCE, s=9.0, marker="x", lw=0.9, zorder=3)
    sizes = np.abs(poles)
    if sizes.max() > WIDE * max(sizes.min(), 1e-12):  # slow and fast ones are both seen
        for scale, part in ((axes.set_xscale, poles.real), (axes.set_yscale, poles.imag)):
            scale("symlog", linthresh=max(float(np.abs(part).max()) / 1e3, 1e-3))
    else:
        reach = float(np.abs(poles.real).max()) or float(sizes.max())
        axes.set_xlim(
            min(1.1 * float(poles.real.min()), -0.05 * reach), max(1.1 * float(poles.real.max()), 0.05 * reach)
        )
        axes.set_ylim(-0.04 * float(np.abs(poles.imag).max()), None)
    axes.set_xlabel("Real part (1/s)")
    axes.set_ylabel("Imaginary part (rad/s)")
    colour_bar(axes, marks, "Time (s)")
    headline(figure, None, title)
    return figure
