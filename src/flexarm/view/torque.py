"""Figure: torque at every joint: through the joint, from the motor, and of the stiff arm."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flexarm.view.curves import curve
from flexarm.view.source import Source, has, joint_units, names, require, times, values
from flexarm.view.style import (
    COLOURS,
    Size,
    axis_label,
    grid_of_axes,
    headline,
    legend_above,
    styled,
    time_axis,
)
from flexarm.view.units import largest, scale

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LINES = (
    ("joint_torque", "through the joint", "-", 1.9),
    ("drive_torque", "from the motor", "-", 0.9),
    ("rigid_torque", "rigid arm", "--", 1.1),
)
"""Variable, words, line style and width: where two are nearly equal, the thin line lies on the thick one."""
COLOUR = dict(zip((name for name, *_ in LINES), COLOURS, strict=False))
SAME = 1e-3
"""Lines that differ by less than this share of their peak are one."""
TOO_MUCH = 4.0
"""How many times the torque of the flexible arm that of the stiff one may be without being cut off."""


@styled
def torque(result: Source, size: Size = "wide") -> Figure:
    """Torque (force of a prismatic joint) over time, one panel per joint that feels any.

    Parameters
    ----------
    result : Source
        A result with ``joint_torque``, ``drive_torque`` or ``rigid_torque``.
    size : {"wide", "column"}
        Width of the figure.
    """
    require(result, "torque", "joint_torque|drive_torque|rigid_torque")
    present = [line for line in LINES if has(result, line[0])]
    every = names(result, "joint")
    joints = [i for i in range(len(every)) if largest(*(values(result, name)[:, i] for name, *_ in present)) > 0.0] or [
        0
    ]
    columns = 2 if len(joints) > 4 and size == "wide" else 1
    figure, rows = grid_of_axes(size, -(-len(joints) // columns), columns, row_height=1.5, sharex=True)
    panels = [axes for row in rows for axes in row]
    units = joint_units(result, present[0][0])
    for k, (axes, i) in enumerate(zip(panels, joints, strict=False)):
        unit = _panel(axes, times(result), {name: values(result, name)[:, i] for name, *_ in present}, units[i])
        kind = "force" if units[i] == "N" else "torque"
        axes.set_ylabel(axis_label(f"{kind}, {every[i]}" if len(every) > 1 else f"joint {kind}", unit))
        legend_above(axes)
        if k >= len(joints) - columns:
            time_axis(axes, times(result))
            axes.tick_params(labelbottom=True)
    for axes in panels[len(joints) :]:
        axes.remove()
    headline(figure, result)
    return figure


def _panel(axes: Axes, time: np.ndarray, series: dict[str, np.ndarray], unit: str) -> str:
    """The lines of one joint; those that would lie on another are one. The axis is that of the flexible arm: a stiff one may need many
    times its torque. Returns the unit."""
    shown = {name: line for name, line in series.items() if largest(line) > 0.0} or series
    bent = [line for name, line in shown.items() if name != "rigid_torque"]
    rigid, most = largest(shown.get("rigid_torque", np.zeros(1))), largest(*bent)
    cut = bool(bent) and rigid > TOO_MUCH * most
    factor, text = scale(unit, *(bent if cut else shown.values()))
    alike = {"joint_torque", "drive_torque"} <= set(shown) and (
        largest(shown["joint_torque"] - shown["drive_torque"]) <= SAME * most
    )
    for name, label, style, width in LINES:
        if name not in shown or (alike and name == "drive_torque"):
            continue
        if name == "rigid_torque" and cut:
            own, word = scale(unit, [rigid])
            label += f" (up to {own * rigid:.3g} {word})"
        words = "joint and motor" if alike and name == "joint_torque" else label
        curve(axes, time, factor * shown[name], style, label=words, color=COLOUR[name], lw=1.1 if alike else width)
    if cut:
        reach = 1.2 * factor * most
        axes.set_ylim(-reach, reach)
    return text
