"""Figure: the movement of a single link as a surface over time and length."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flexarm.view.arm_axes import fill, plain_space
from flexarm.view.source import Source, has, link_length, require, stations, times, values
from flexarm.view.style import SEQUENCE, Size, headline, new_figure, styled
from flexarm.view.units import scale

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_INSTANTS = 140
"""Lines of the surface along time; more would make it black."""


@styled
def surface(result: Source, size: Size = "wide") -> Figure:
    """Displacement y(x, t) = x * hub angle + deflection over time and distance along the link.

    Parameters
    ----------
    result : Source
        A result of a single link with ``deflection`` and ``joint_position``, or with ``shape``.
    size : {"wide", "column"}
        Width of the figure.
    """
    time, place, height = movement(result)
    picked = np.unique(np.linspace(0, len(time) - 1, MOST_INSTANTS).round().astype(int))
    factor, unit = scale("m", height)
    figure = new_figure(size, 4.4 if size == "wide" else 3.0)
    axes = plain_space(figure)
    axes.plot_surface(
        *np.meshgrid(time[picked], place, indexing="ij"), factor * height[picked], cmap=SEQUENCE,
        rstride=1, cstride=1, linewidth=0.15, edgecolor=(0.1, 0.1, 0.1, 0.35), antialiased=True,
    )  # fmt: skip
    axes.set_xlim(time[0], time[-1])
    axes.set_ylim(place[0], place[-1])
    axes.set_xlabel("Time (s)")
    axes.set_ylabel("Distance along the link (m)")
    axes.set_zlabel(f"Displacement ({unit})")
    axes.view_init(elev=26.0, azim=-62.0)
    axes.set_box_aspect((1.5, 1.0, 0.8))
    fill(figure, axes, top=headline(figure, result))
    return figure


def movement(result: Source) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Time (nt,) in s, distance along the link (ns,) in m, displacement (nt, ns) in m of a single link."""
    require(result, "surface", "deflection|shape")
    length = link_length(result, 0)
    if length is None:
        length = _stated_length(result)
    place = length * stations(result)
    if has(result, "deflection") and has(result, "joint_position"):
        angle = values(result, "joint_position")[:, 0]
        return times(result), place, angle[:, None] * place + values(result, "deflection")[:, 0]
    require(result, "surface", "shape")
    return times(result), place, values(result, "shape")[:, 0, :, 1]


def _stated_length(result: Source) -> float:
    """Length of the only link from the scenario; 1 if nothing is known, so that the axis shows fractions."""
    arm = getattr(getattr(result, "scenario", None), "arm", None)
    return float(arm.links[0].span) if arm is not None and arm.links[0].span > 0 else 1.0
