"""Figure: torque at every joint: through the joint, from the motor, and of the stiff arm."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flexarm.view.curves import curve
from flexarm.view.source import Source, has, joint_units, names, require, times, values
from flexarm.view.style import (
    Size,
    axis_label,
    grid_of_axes,
    headline,
    legend_above,
    styled,
    time_axis,
)
from flexarm.view.units import scale

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LINES = (
    ("joint_torque", "through the joint", "-", 1.9),
    ("drive_torque", "from the motor", "-", 0.9),
    ("rigid_torque", "rigid arm", "--", 1.1),
)
"""Variable, words, line style and width: where two are equal, the thin line lies on the thick one."""


@styled
def torque(result: Source, size: Size = "wide") -> Figure:
    """Torque (force of a prismatic joint) over time, one panel per joint.

    Parameters
    ----------
    result : Source
        A result with ``joint_torque``, ``drive_torque`` or ``rigid_torque``.
    size : {"wide", "column"}
        Width of the figure.
    """
    require(result, "torque", "joint_torque|drive_torque|rigid_torque")
    present = [line for line in LINES if has(result, line[0])]
    joints = names(result, "joint")
    columns = 2 if len(joints) > 4 and size == "wide" else 1
    rows_needed = -(-len(joints) // columns)
    figure, rows = grid_of_axes(size, rows_needed, columns, row_height=1.5, sharex=True)
    panels = [axes for row in rows for axes in row]
    units = joint_units(result, present[0][0])
    for i, (axes, joint) in enumerate(zip(panels, joints, strict=False)):
        series = {name: values(result, name)[:, i] for name, *_ in present}
        factor, unit = scale(units[i], *series.values())
        for name, label, style, width in present:
            curve(axes, times(result), factor * series[name], style, label=label, lw=width)
        kind = "force" if units[i] == "N" else "torque"
        axes.set_ylabel(axis_label(f"{kind}, {joint}" if len(joints) > 1 else f"joint {kind}", unit))
        if i >= len(joints) - columns:
            time_axis(axes, times(result))
            axes.tick_params(labelbottom=True)
    for axes in panels[len(joints) :]:
        axes.remove()
    legend_above(panels[0])
    headline(figure, result)
    return figure
