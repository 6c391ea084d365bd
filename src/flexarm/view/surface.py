"""Figure: the movement of a single link as a surface over time and length."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flexarm.view.source import Source, has, link_length, require, stations, times, turns_far, values
from flexarm.view.space import Space, View
from flexarm.view.style import SEQUENCE, WIDTHS, Size, headline, new_figure, styled
from flexarm.view.units import scale

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_INSTANTS = 140
"""Lines of the surface along time; more would make it black."""
SHAPE = (2.2, 1.2, 0.9)
"""Lengths of the box: time, distance, height."""


@styled
def surface(result: Source, size: Size = "wide") -> Figure:
    """Displacement y(x, t) = x * hub angle + deflection over time and distance along the link; of a link that turns or bends far, whose
    displacement is no arc, the deflection alone.

    Parameters
    ----------
    result : Source
        A result of a single link with ``deflection`` and ``joint_position``, or with ``shape``.
    size : {"wide", "column"}
        Width of the figure.
    """
    far = has(result, "deflection") and turns_far(result)
    time, place, height = bending(result) if far else movement(result)
    picked = np.unique(np.linspace(0, len(time) - 1, MOST_INSTANTS).round().astype(int))
    factor, unit = scale("m", height)
    time, height = time[picked], factor * height[picked]
    corners = np.array([[time[0], place[0], height.min()], [time[-1], place[-1], height.max()]])
    corners[1, 2] = max(corners[1, 2], corners[0, 2] + 1e-9)
    figure = new_figure(size, 4.0 if size == "wide" else 2.6)
    room = (WIDTHS[size] - 0.1, figure.get_figheight() - 0.35)
    labels = (
        "Time (s)",
        "Distance along the link (m)" if size == "wide" else "Along the link (m)",
        f"{'Deflection' if far else 'Displacement'} ({unit})",
    )
    stretch = tuple(np.array(SHAPE) / (corners[1] - corners[0]))
    view = View(np.radians(-62.0), np.radians(26.0))
    space = Space(figure.subplots(), corners, view, room, labels, stretch)  # type: ignore[arg-type]
    _sheet(space, np.stack([*np.meshgrid(time, place, indexing="ij"), height], axis=-1))
    headline(figure, result)
    return figure


def _sheet(space: Space, points: np.ndarray) -> None:
    """A surface through points (n, m, 3), coloured by height, the farthest pieces first."""
    from matplotlib import colormaps
    from matplotlib.collections import PolyCollection
    from matplotlib.colors import Normalize

    pieces = np.stack([points[:-1, :-1], points[1:, :-1], points[1:, 1:], points[:-1, 1:]], axis=2).reshape(-1, 4, 3)
    order = np.argsort(space.depth(pieces).mean(axis=1))
    heights = pieces[order, :, 2].mean(axis=1)
    colours = colormaps[SEQUENCE](Normalize(points[..., 2].min(), points[..., 2].max())(heights))
    edges = colours * [0.75, 0.75, 0.75, 1.0]
    sheet = PolyCollection(list(space.flat(pieces[order])), facecolors=colours, edgecolors=edges, linewidths=0.2)
    space.axes.add_collection(sheet, autolim=False)


def movement(result: Source) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Time (nt,) in s, distance along the link (ns,) in m, displacement (nt, ns) in m of a single link."""
    require(result, "surface", "deflection|shape")
    place = _places(result)
    if has(result, "deflection") and has(result, "joint_position"):
        angle = values(result, "joint_position")[:, 0]
        return times(result), place, angle[:, None] * place + values(result, "deflection")[:, 0]
    require(result, "surface", "shape")
    return times(result), place, values(result, "shape")[:, 0, :, 1]


def bending(result: Source) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Time (nt,) in s, distance along the link (ns,) in m, deflection (nt, ns) in m of a single link."""
    return times(result), _places(result), values(result, "deflection")[:, 0]


def _places(result: Source) -> np.ndarray:
    length = link_length(result, 0)
    return (_stated_length(result) if length is None else length) * stations(result)


def _stated_length(result: Source) -> float:
    """Length of the only link from the scenario; 1 if nothing is known, so that the axis shows fractions."""
    arm = getattr(getattr(result, "scenario", None), "arm", None)
    return float(arm.links[0].span) if arm is not None and arm.links[0].span > 0 else 1.0
