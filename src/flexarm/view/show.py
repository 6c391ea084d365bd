"""Figure: the arm of a scenario before any run: frames, joint axes, what drives and loads it, and where its tip shall go."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.errors import FlexarmError
from flexarm.rigid import close_loops, forward, tips
from flexarm.rigid.beam import carried, tool_pose
from flexarm.sketch.arm import SAMPLES, lines_along, stiff_places
from flexarm.view.mechanism import Mechanism
from flexarm.view.space import Space
from flexarm.view.stage import Stage, proportion, stage
from flexarm.view.style import COLOURS, FAINT, INK, WIDTHS, Size, headline, legend_above, new_figure, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from flexarm.arm import Arm
    from flexarm.rigid import Frames
    from flexarm.scenario import Scenario

TRIAD, AXIS, PULL, TURN = 0.28, 0.42, 0.4, 0.15
"""Inches: arrows of a frame, half of a joint axis, arrows of gravity and forces, radius of a turn."""
AXES_COLOURS = (COLOURS[1], COLOURS[2], COLOURS[3])
"""Of the x, y and z axes of links."""
LOAD, WANTED, DRIVE = COLOURS[4], COLOURS[2], COLOURS[5]
INSTANTS = 301
"""Looks at the commanded motion."""


@styled
def show(scenario: Scenario, size: Size = "wide") -> Figure:
    """The stiff arm to scale in its start pose, and, dashed, where its commands end.

    Drawn are the frames of the links (x along a planar link), driven joints, in space the axes of joints, ground, brackets, cylinders, payload and
    lumps, gravity, forces on patches, gauges, the wanted path, and else the path of the tip that the commands make.

    Parameters
    ----------
    scenario : Scenario
        What ``flexarm.load`` returns; nothing is simulated.
    size : {"wide", "column"}
        Width of the figure.
    """
    arm = scenario.arm
    pose = close_loops(arm, arm.pose)
    frames, drawn = forward(arm, pose), Mechanism.of(stiff_places(arm)[None], SAMPLES, arm)
    end, trace = _commands(scenario)
    wanted = (
        scenario.program.path.place(np.linspace(0.0, scenario.time.end, INSTANTS)) if scenario.program.path else None
    )
    load = _payload_place(arm, frames)
    clouds = [*drawn.clouds, load[None], *(cloud for cloud in (end, trace, wanted) if cloud is not None)]
    figure, wide = new_figure(size, proportion(clouds, WIDTHS[size])), WIDTHS[size]
    ground = stage(figure.subplots(), clouds, (wide - 0.5, figure.get_figheight() - 0.7))
    for cloud, words, colour in ((trace, "path of the tip, as commanded", FAINT), (wanted, "wanted path", WANTED)):
        if cloud is not None:
            ground.line(cloud, ":", color=colour, lw=1.1, label=words)
            if isinstance(ground, Space):
                ground.line(ground.on_floor(cloud), "-", color="#dddddd", lw=1.2, zorder=0.8)
    if end is not None:
        _links(ground, Mechanism.of(end[None], SAMPLES, arm), "--", "where the commands end")
    _links(ground, drawn, "-", "")
    _frames(ground, arm, frames)
    _tool(ground, arm, frames)
    _driven(ground, scenario, frames)
    _cylinders(ground, scenario, frames)
    drawn.draw_ground(ground)
    _masses(ground, arm, frames, load)
    _forces(ground, scenario, frames)
    _gauges(ground, scenario, frames)
    drawn.draw_names(ground, least=1)
    legend_above(ground.axes, least=1)
    headline(figure, None, f"{scenario.name}, {'start pose' if arm.joints else 'as it stands'}")
    return figure


def _commands(scenario: Scenario) -> tuple[np.ndarray | None, np.ndarray | None]:
    """Places of the stiff arm where its commands end, (links, n, 3), and the path of its tip, (nt, 3); None without commands."""
    from flexarm.simulation.poses import commanded_motion

    try:
        motion = commanded_motion(scenario, INSTANTS)
    except FlexarmError:  # a loop that cannot follow: `check` and `run` say so
        return None, None
    if motion is None or np.ptp(motion, axis=0).max() == 0.0:
        return None, None
    arm = scenario.arm
    return lines_along(arm, forward(arm, motion[-1]), SAMPLES), tips(arm, motion)


def _links(ground: Stage, drawn: Mechanism, style: str, words: str) -> None:
    solid = style == "-"
    for i, line in zip(drawn.moving, drawn.links[0, drawn.moving], strict=True):
        colour = (COLOURS[0] if drawn.flexible[i] else INK) if solid else FAINT
        label = words if not solid and i == drawn.moving[0] else None
        ground.line(line, style, color=colour, lw=2.4 if solid else 0.9, solid_capstyle="round", label=label)
    for line in drawn.brackets[0]:
        ground.line(line, style, color=INK if solid else FAINT, lw=1.6 if solid else 0.9)
    if solid:
        for flexible, word in ((True, "flexible link"), (False, "rigid link")):
            if any(drawn.flexible[i] is flexible for i in drawn.moving):
                ground.axes.plot([], [], "-", color=COLOURS[0] if flexible else INK, lw=2.4, label=word)


def _frames(ground: Stage, arm: Arm, frames: Frames) -> None:
    """Axes of every link at its root, and in space the axes of its joint."""
    letters = "xyz" if arm.spatial else "xy"
    for i, link in enumerate(arm.links):
        root, turn = frames.root[i], frames.rotation[i]
        if arm.spatial and link.joint.type != "fixed":
            ends = root + np.outer([-AXIS, AXIS], ground.inch * frames.axis[i])
            ground.line(ends, "-.", color=INK, lw=0.7, zorder=1.7, label="joint axis" if i == 0 else None)
        for k, letter in enumerate(letters):
            tip = root + TRIAD * ground.inch * turn[:, k]
            _arrow(ground, root, tip, AXES_COLOURS[k], 1.1)
            if i == len(arm.links) - 1:
                x, y = ground.flat(root + 1.35 * (tip - root))
                ground.axes.text(x, y, letter, color=AXES_COLOURS[k], fontsize=6.5, ha="center", va="center", zorder=6)


def _tool(ground: Stage, arm: Arm, frames: Frames) -> None:
    """Axes of the tool, if one is named."""
    if arm.tool is None:
        return
    i = arm.index(arm.payload_link.name)
    place, turn = frames.tip[i], frames.rotation[i] @ tool_pose(arm)[1]
    for k in range(3):
        _arrow(ground, place, place + 0.8 * TRIAD * ground.inch * turn[:, k], AXES_COLOURS[k], 1.1)
    ground.line(place[None], ls="", marker="s", ms=4.0, mfc="white", mec=INK, mew=0.9, zorder=5.4, label="tool")


def _driven(ground: Stage, scenario: Scenario, frames: Frames) -> None:
    """A turn about the axis of every joint that is driven, or an arrow along it if it slides."""
    arm, around = scenario.arm, np.linspace(0.35, 1.75, 25) * np.pi
    for k, name in enumerate(dict.fromkeys(name for drive in scenario.drive for name in drive.names)):
        i = arm.index(name)
        root, turn = frames.root[i], ground.inch * frames.rotation[i] @ arm.link(name).joint.align
        if arm.link(name).joint.type == "prismatic":
            _arrow(ground, root, root + 1.3 * AXIS * turn[:, 2], DRIVE, 1.3)
            continue
        circle = root + TURN * (np.outer(np.cos(around), turn[:, 0]) + np.outer(np.sin(around), turn[:, 1]))
        ground.line(circle, "-", color=DRIVE, lw=1.1, zorder=5.4, label="driven joint" if k == 0 else None)
        _arrow(ground, circle[-2], circle[-1] + 0.6 * (circle[-1] - circle[-2]), DRIVE, 1.1)


def _arrow(ground: Stage, start: np.ndarray, end: np.ndarray, colour: str, wide: float = 0.9) -> None:
    (x, y), (u, v) = ground.flat(start), ground.flat(end)
    style = {
        "arrowstyle": "-|>,head_length=0.28,head_width=0.11",
        "color": colour,
        "lw": wide,
        "shrinkA": 0,
        "shrinkB": 0,
    }
    ground.axes.annotate("", xy=(u, v), xytext=(x, y), arrowprops=style, zorder=5.5)


def _payload_place(arm: Arm, frames: Frames) -> np.ndarray:
    """Centre of the payload, m, shape (3,)."""
    i = arm.index(arm.payload_link.name)
    return frames.tip[i] + frames.rotation[i] @ carried(arm)[0]


def _masses(ground: Stage, arm: Arm, frames: Frames, load: np.ndarray) -> None:
    """Payload and lumps, with their masses, and gravity."""
    lumps = [(frames.place(link.name, lump.at), lump.mass) for link in arm.links for lump in link.masses]
    lumps += [(frames.root[i], link.joint.motor_mass) for i, link in enumerate(arm.links) if link.joint.motor_mass]
    if lumps:
        places = np.stack([place for place, _ in lumps])
        ground.line(places, ls="", marker="o", ms=5.0, mfc=FAINT, mec=INK, mew=0.8, zorder=5.2, label="lump")
    tip = frames.tip[arm.index(arm.payload_link.name)]
    if arm.payload.mass:
        ground.line(np.stack([tip, load]), "-", color=LOAD, lw=1.2)
        ground.line(
            load[None],
            ls="",
            marker="o",
            ms=6.5,
            mfc=LOAD,
            mec=INK,
            mew=0.8,
            zorder=5.3,
            label=f"payload {_mass(arm.payload.mass)}",
        )
    else:
        ground.line(tip[None], ls="", marker="D", ms=3.5, mfc="white", mec=INK, mew=0.9, zorder=5.3, label="tip")
    if any(arm.gravity):
        down = np.array(arm.gravity) / np.linalg.norm(arm.gravity)
        middle = 0.5 * (frames.root[arm.index(arm.payload_link.name)] + tip)
        start = middle - 1.2 * PULL * ground.inch * down
        _arrow(ground, start, start + PULL * ground.inch * down, FAINT, 1.6)
        x, y = ground.flat(start - 0.1 * ground.inch * down)
        words = f"gravity {np.linalg.norm(arm.gravity):.3g} m/s²"
        ground.axes.text(x, y, words, ha="center", va="center", fontsize=6.5, color=INK)


def _mass(value: float) -> str:
    return f"{value:.4g} kg" if value >= 1.0 else f"{1e3 * value:.4g} g"


def _forces(ground: Stage, scenario: Scenario, frames: Frames) -> None:
    """Forces and moments of patches: arrows across the link, and a bar from end to end."""
    arm = scenario.arm
    for drive in scenario.drive:
        if drive.patch is None:
            continue
        i, (begin, end) = arm.index(drive.patch.link), drive.patch.span
        ends = frames.along(drive.patch.link, [begin, end])
        across = frames.rotation[i][:, 1]
        words = drive.patch.name or ("force" if drive.force is not None else "moment")
        if drive.force is not None:
            for share in np.linspace(0.0, 1.0, 4) if end > begin else (0.5,):
                foot = (1.0 - share) * ends[0] + share * ends[1]
                _arrow(ground, foot - PULL * ground.inch * across, foot, LOAD, 1.2)
        ground.line(ends, "-", color=LOAD, lw=4.5, alpha=0.6, zorder=2.2, label=words)


def _gauges(ground: Stage, scenario: Scenario, frames: Frames) -> None:
    """Small marks beside the links where strain is read."""
    gauges = scenario.output.gauges
    if gauges:
        places = np.stack([frames.along(gauge.link, [gauge.at])[0] for gauge in gauges])
        ground.line(places, ls="", marker="|", ms=8, mec=INK, mew=1.6, zorder=5.1, label="strain gauge")


def _cylinders(ground: Stage, scenario: Scenario, frames: Frames) -> None:
    """Cylinders between their pins: the base on the parent, the lug on the link that is moved."""
    arm: Any = scenario.arm
    known = [(drive.cylinder, drive.names[0]) for drive in scenario.drive if drive.cylinder is not None and drive.names]
    for k, (cylinder, joint) in enumerate(known):
        if cylinder.base is None or cylinder.lug is None:
            continue
        i, parent = arm.index(joint), arm.parent(joint)
        carrier = np.eye(3) if parent == "ground" else frames.rotation[arm.index(parent)]
        base = frames.root[i] + carrier @ [*cylinder.base, 0.0]
        lug = frames.root[i] + frames.rotation[i] @ [*cylinder.lug, 0.0]
        middle = 0.45 * base + 0.55 * lug
        ground.line(
            np.stack([base, middle]),
            "-",
            color=LOAD,
            lw=4.0,
            solid_capstyle="butt",
            label="cylinder" if k == 0 else None,
        )
        ground.line(np.stack([middle, lug]), "-", color=LOAD, lw=1.8)
        ground.line(np.stack([base, lug]), ls="", color=INK, marker="o", ms=3.0, mfc="white", mew=0.8)
