"""Axes in which an arm is drawn to scale: plane or space, equal units on all axes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.view.source import Source, has, values
from flexarm.view.style import FAINT, INK, legend_above

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def bounds(*clouds: np.ndarray, margin: float = 0.06) -> np.ndarray:
    """Lower and upper corner of all points with a margin, shape (2, n); no side is thinner than a fifth.

    Parameters
    ----------
    *clouds : ndarray, shape (..., n)
        Points in m.
    """
    points = np.concatenate([cloud.reshape(-1, cloud.shape[-1]) for cloud in clouds])
    low, high = np.nanmin(points, axis=0), np.nanmax(points, axis=0)
    width = np.maximum(high - low, 0.2 * max(float((high - low).max()), 1e-12))
    middle = 0.5 * (low + high)
    reach = (0.5 + margin) * width
    return np.stack([middle - reach, middle + reach])


def tip_path(result: Source) -> np.ndarray:
    """Position of the tip over time in m, shape (nt, 3): as stated, else the end of the last link."""
    return values(result, "tip_position") if has(result, "tip_position") else values(result, "shape")[:, -1, -1]


def roots_on_ground(result: Source) -> list[int]:
    """Indices of the links that stand on the ground: known from the scenario, else the first link."""
    arm = getattr(getattr(result, "scenario", None), "arm", None)
    if arm is None or len(arm.links) != result.data.sizes.get("link"):
        return [0]
    return [i for i, link in enumerate(arm.links) if arm.parent(link.name) == "ground"]


def proportion(corners: np.ndarray, width: float) -> float:
    """Height in inches that suits a figure of `width` inches which shows the plane box between `corners`."""
    wide, high = corners[1] - corners[0]
    return float(np.clip(0.8 * width * high / wide + 0.8, max(1.7, 0.33 * width), 0.9 * width))


def arm_axes(figure: Figure, corners: np.ndarray, spatial: bool) -> Any:
    """Axes with equal units that show the box between `corners`, labelled in m."""
    if spatial:
        return _space(figure, corners)
    axes = figure.add_subplot()
    axes.set_aspect("equal")
    axes.set_xlim(corners[0, 0], corners[1, 0])
    axes.set_ylim(corners[0, 1], corners[1, 1])
    axes.set_xlabel("x (m)")
    axes.set_ylabel("y (m)")
    return axes


def _space(figure: Figure, corners: np.ndarray) -> Any:
    """Three-dimensional axes with equal units."""
    axes = plain_space(figure)
    axes.set_xlim(corners[0, 0], corners[1, 0])
    axes.set_ylim(corners[0, 1], corners[1, 1])
    axes.set_zlim(corners[0, 2], corners[1, 2])
    axes.set_box_aspect(corners[1] - corners[0])
    for letter in "xyz":
        getattr(axes, f"set_{letter}label")(f"{letter} (m)")
        getattr(axes, f"{letter}axis").get_major_locator().set_params(nbins=5)
    return axes


def plain_space(figure: Figure) -> Any:
    """Three-dimensional axes with white walls and light lines; call `fill` when all is drawn.

    Automatic layouts misjudge the labels of such axes, so the figure's layout is switched off.
    """
    figure.set_layout_engine("none")
    axes: Any = figure.add_axes((0.0, 0.0, 1.0, 1.0), projection="3d")
    for axis in (axes.xaxis, axes.yaxis, axes.zaxis):
        axis.set_pane_color((1.0, 1.0, 1.0, 0.0))
        axis.line.set_color(FAINT)
        axis._axinfo["grid"].update(color="#dddddd", linewidth=0.5)
        axis.set_tick_params(pad=0)
    return axes


def fill(figure: Figure, axes: Any, top: float, bottom: float = 0.05, right: float = 0.99) -> None:
    """Zoom and move three-dimensional axes so that the box and all labels just fit.

    Parameters
    ----------
    figure, axes
        As made by `plain_space`, with everything drawn.
    top, bottom : float
        Inches to be left free above and below.
    right : float
        Right end of the room, as a fraction of the figure's width.
    """
    high = figure.get_figheight()
    lower, upper = np.array([0.01, bottom / high]), np.array([right, 1.0 - top / high])
    zoom, aspect = 1.0, axes._box_aspect / np.linalg.norm(axes._box_aspect)
    for _ in range(4):  # labels keep their size, so the extent is not proportional to the zoom
        extent = _extent(figure, axes)
        zoom *= float(np.min((upper - lower) / (extent[1] - extent[0])))
        axes.set_box_aspect(aspect, zoom=zoom)
    extent = _extent(figure, axes)
    shift = 0.5 * (lower + upper) - 0.5 * (extent[0] + extent[1])
    axes.set_position((*shift, 1.0, 1.0))
    for artist in [*axes.lines, *axes.collections]:
        artist.set_clip_on(False)  # the zoomed box reaches beyond the square that matplotlib would clip to


def finish(figure: Figure, axes: Any, top: float, spatial: bool, **room: float) -> None:
    """Put the legend below the title, which takes `top` inches, and let spatial axes fill the `room`."""
    if not spatial:
        legend_above(axes, least=1)
        figure.draw_without_rendering()  # with equal units the layout needs a second pass to settle
        return
    figure.legend(loc="upper left", bbox_to_anchor=(0.0, 1.0 - top / figure.get_figheight()), borderaxespad=0.2)
    fill(figure, axes, top=top + 0.05, **room)


def _extent(figure: Figure, axes: Any) -> np.ndarray:
    """Lower left and upper right corner of the box and its labels, as fractions of the figure."""
    from itertools import product

    from mpl_toolkits.mplot3d.proj3d import proj_transform

    figure.draw_without_rendering()
    renderer = figure.canvas.get_renderer()  # type: ignore[attr-defined]
    box = np.array(list(product(axes.get_xlim(), axes.get_ylim(), axes.get_zlim())))
    flat = axes.transData.transform(np.stack(proj_transform(*box.T, axes.get_proj())[:2], axis=1))
    parts = [axis.get_tightbbox(renderer).get_points() for axis in (axes.xaxis, axes.yaxis, axes.zaxis)]
    points = np.concatenate([flat, *parts]) / (figure.get_size_inches() * figure.dpi)
    return np.stack([points.min(axis=0), points.max(axis=0)])


def draw_ground(axes: Any, points: np.ndarray) -> Any:
    """Mark places in m, shape (n, 2 or 3), where the arm stands on the ground; returns the marks."""
    return axes.plot(*points.T, ls="", marker="s", ms=5.5, mfc="white", mec=INK, mew=1.2, zorder=5)[0]
