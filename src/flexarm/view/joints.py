"""Figure: positions and velocities of all joints, with what was commanded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flexarm.view.curves import curve
from flexarm.view.source import Source, has, joint_types, long_name, names, require, settled, times, values
from flexarm.view.style import (
    COLOURS,
    INK,
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

QUANTITIES = (
    ("joint_position", "commanded_position", "motor_position", {"revolute": "rad", "prismatic": "m"}),
    ("joint_velocity", "commanded_velocity", "", {"revolute": "rad/s", "prismatic": "m/s"}),
)
"""Of each quantity: what is drawn, its command, its motor side (none is recorded for the velocity), units."""
WORDS = {
    "joint_position": ("joint angle", "joint extension"),
    "joint_velocity": ("joint rate", "joint speed"),
}


@styled
def joints(result: Source, size: Size = "wide") -> Figure:
    """Position and velocity of every joint; the command is dashed, the motor side of a spring dotted.

    Turning and sliding joints have panels of their own.

    Parameters
    ----------
    result : Source
        A result with ``joint_position``.
    size : {"wide", "column"}
        Width of the figure.
    """
    require(result, "joints", "joint_position")
    kinds = sorted(set(joint_types(result)), reverse=True)
    present = [quantity for quantity in QUANTITIES if has(result, quantity[0])]
    side_by_side = size == "wide"
    shape = (len(kinds), len(present)) if side_by_side else (len(kinds) * len(present), 1)
    figure, rows = grid_of_axes(size, *shape, row_height=2.1 if side_by_side else 1.7, sharex=True)
    panels = [axes for row in rows for axes in row]
    k = 0
    for kind in kinds:
        for quantity in present:
            _panel(panels[k], result, kind, quantity)
            k += 1
    for axes in rows[-1]:
        time_axis(axes, times(result))
    headline(figure, result)
    return figure


def _panel(axes: Axes, result: Source, kind: str, quantity: tuple[str, str, str, dict[str, str]]) -> None:
    name, command, motor, unit_of = quantity
    chosen = [i for i, k in enumerate(joint_types(result)) if k == kind]
    actual = settled(values(result, name))
    others = [(command, "--", "commanded"), (motor, ":", "motor side")]
    others = [other for other in others if _differs(result, other[0], actual, chosen)]
    factor, unit = scale(unit_of[kind], actual[:, chosen])
    labels = names(result, "joint")
    for i in chosen:
        colour = COLOURS[i % len(COLOURS)]
        curve(axes, times(result), factor * actual[:, i], "-", color=colour, label=labels[i])
        for other, style, _ in others:
            curve(axes, times(result), factor * values(result, other)[:, i], style, color=colour, lw=0.9)
    handles, words = axes.get_legend_handles_labels()
    for _, style, word in others:
        handles += axes.plot([], [], style, color=INK, lw=0.9)
        words.append(word)
    mixed = len(set(joint_types(result))) > 1
    axes.set_ylabel(axis_label(WORDS[name][kind == "prismatic"] if mixed else long_name(result, name), unit))
    legend_above(axes, handles, words, least=2 if len(labels) == 1 else 1)


def _differs(result: Source, name: str, actual: np.ndarray, joints: list[int]) -> bool:
    """True if a variable is there and makes another line than `actual`: a motor without spring does not."""
    if not has(result, name):
        return False
    gap = largest(values(result, name)[:, joints] - actual[:, joints])
    return gap > 1e-9 * largest(actual[:, joints])
