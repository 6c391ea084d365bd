"""Figure: where the tip goes, beside the rigid arm, and the joint angles that bring it there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flexarm.view.curves import curve
from flexarm.view.source import (
    Source,
    active_axes,
    bends_far,
    has,
    joint_units,
    link_length,
    long_name,
    names,
    require,
    settled,
    times,
    turns_far,
    units,
    values,
)
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
from flexarm.view.units import scale
from flexarm.view.words import signal_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@styled
def tip(result: Source, size: Size = "wide") -> Figure:
    """Tip position over time (for a single link that does not turn far its travel), and the joint angles.

    The rigid arm is drawn dashed: at the commanded joints where they are known, else at the actual joints.

    Parameters
    ----------
    result : Source
        A result with ``travel`` or ``tip_position``.
    size : {"wide", "column"}
        Width of the figure.
    """
    require(result, "tip", "travel|tip_position")
    far = has(result, "tip_position") and (not has(result, "travel") or turns_far(result))
    angles = [i for i, unit in enumerate(_joint_units(result)) if unit == "rad"]
    figure, rows = grid_of_axes(size, 2 if angles else 1, sharex=True, row_height=1.7)
    (upper, *_) = (row[0] for row in rows)
    (_position if far else _travel)(upper, result)
    if angles:
        _angles(rows[1][0], result, angles)
    time_axis(rows[-1][0], times(result))
    headline(figure, result)
    return figure


def _joint_units(result: Source) -> list[str]:
    return joint_units(result, "joint_position") if has(result, "joint_position") else []


def _travel(axes: Axes, result: Source) -> None:
    travel, length = values(result, "travel"), link_length(result, 0)
    lines = [("flexible", "-", travel)]
    if has(result, "deflection"):
        rigid = travel - values(result, "deflection")[:, 0, -1]
        lines.append(("rigid part (length × hub angle)", "--", rigid))
    if has(result, "commanded_position") and length is not None:
        lines.append(("rigid arm at commanded joint", ":", length * values(result, "commanded_position")[:, 0]))
    factor, unit = scale(units(result, "travel"), *(line for *_, line in lines))
    for label, style, line in lines:
        curve(axes, times(result), factor * line, style, label=label)
    axes.set_ylabel(axis_label(signal_words("travel"), unit))
    legend_above(axes)


def _position(axes: Axes, result: Source) -> None:
    position = values(result, "tip_position")
    factor, unit = scale(units(result, "tip_position"), position)
    offset = next((name for name in ("tip_error", "tip_deflection") if has(result, name)), None)
    if result.data.sizes.get("link") == 1 and bends_far(result):
        offset = None
    letters = names(result, "axis")
    for i in active_axes(position):
        line = curve(axes, times(result), factor * position[:, i], label=letters[i])
        if offset:
            rigid = position[:, i] - values(result, offset)[:, i]
            curve(axes, times(result), factor * rigid, "--", color=line.get_color(), lw=0.9)
    handles, labels = axes.get_legend_handles_labels()
    if offset:
        handles += axes.plot([], [], "--", color=INK, lw=0.9)
        labels.append(f"rigid arm at {'commanded' if offset == 'tip_error' else 'actual'} joints")
    axes.set_ylabel(axis_label(long_name(result, "tip_position"), unit))
    legend_above(axes, handles=handles, labels=labels)


def _angles(axes: Axes, result: Source, joints: list[int]) -> None:
    position = settled(values(result, "joint_position")[:, joints])
    factor, unit = scale("rad", position)
    labels = names(result, "joint")
    for column, joint in enumerate(joints):
        colour = COLOURS[joint % len(COLOURS)]
        curve(axes, times(result), factor * position[:, column], "-", color=colour, label=labels[joint])
        if has(result, "commanded_position"):
            command = values(result, "commanded_position")[:, joint]
            curve(axes, times(result), factor * command, "--", color=colour, lw=0.9)
    handles, words = axes.get_legend_handles_labels()
    if has(result, "commanded_position"):
        handles += axes.plot([], [], "--", color=INK, lw=0.9)
        words.append("commanded")
    single = len(labels) == 1
    axes.set_ylabel(axis_label("hub angle" if single else long_name(result, "joint_position"), unit))
    legend_above(axes, handles, words)
