"""From a robot to an arm: fixed joints folded, links in a tree of moving joints, some of them flexible."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from flexarm.arm.pose import to_rpy
from flexarm.errors import ScenarioError
from flexarm.scenario.urdf.overlay import Overlay, flexible_part
from flexarm.scenario.urdf.robot import MOVING, Inertial, Robot, RobotJoint

GRAVITY = [0.0, 0.0, -9.81]
RESERVED = ("ground", "tip", "root")


@dataclass
class Understood:
    """What became of a robot.

    Attributes
    ----------
    arm : dict
        The arm as a scenario file would have it.
    lines : dict of str to int
        Line of the URDF file for each link of the arm.
    notes : list of str
        What was changed or left out on the way.
    """

    arm: dict[str, Any]
    lines: dict[str, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


@dataclass
class _Moving:
    """A link behind a moving joint with all that is fixed to it."""

    joint: RobotJoint
    carrier: str
    origin: np.ndarray
    plain: bool
    bodies: list[tuple[str, Inertial, np.ndarray]] = field(default_factory=list)
    frames: dict[str, np.ndarray] = field(default_factory=dict)
    children: dict[str, np.ndarray] = field(default_factory=dict)


def understand(robot: Robot, flexible: Mapping[str, Any] | None = None, tool: str | None = None) -> Understood:
    """The arm of a robot.

    Parameters
    ----------
    robot : Robot
        What was read.
    flexible : mapping, optional
        By link: ``to``, ``from``, ``up``, ``section``, ``material``, ``damping`` and ``mass`` of its beam. All other links are rigid.
    tool : str, optional
        Link that is the tool; default the one behind most moving joints.
    """
    moving, depth, notes = _fold(robot)
    if not moving:
        raise ScenarioError("the robot has no joint that moves", file=robot.file)
    names = _plain_names(robot, notes)
    overlay = {name: Overlay.of(name, entry, robot) for name, entry in (flexible or {}).items()}
    for name in overlay:
        if name not in moving:
            raise ScenarioError(
                f"'{name}' cannot bend: there is no such link behind a moving joint; there are {', '.join(moving)}",
                field=f"flexible.{name}",
            )
    found = Understood({"gravity": GRAVITY, "links": []}, notes=notes)
    hand, place = _tool(robot, moving, depth, tool)
    for name, part in moving.items():
        for link in _links(robot, part, moving, overlay, names, found):
            found.arm["links"].append(link)
            found.lines[link["name"]] = robot.links[name].line
    if place is not None:
        found.arm["tool"] = f"{names[hand]}.{names[place]}"
        next(link for link in found.arm["links"] if link["name"] == names[hand]).setdefault("frames", {}).setdefault(
            names[place], {}
        )
    elif names[hand] != found.arm["links"][-1]["name"]:
        found.arm["payload"] = {"link": names[hand]}
    return found


def _fold(robot: Robot) -> tuple[dict[str, _Moving], dict[str, int], list[str]]:
    """Links behind moving joints, in an order in which parents come first; how many moving joints are before each link."""
    moving: dict[str, _Moving] = {}
    notes = [*robot.notes]
    depth, where = {robot.root: 0}, {robot.root: ("", np.eye(4))}
    dropped, todo = [robot.root], [robot.root]
    while todo:
        link = todo.pop(0)
        carrier, pose = where[link]
        for joint in robot.below(link):
            here = pose @ joint.matrix
            if joint.type in MOVING:
                if carrier:
                    moving[carrier].children[joint.child] = here
                moving[joint.child] = _Moving(joint, carrier, here, bool(np.array_equal(pose, np.eye(4))))
                where[joint.child] = joint.child, np.eye(4)
                _put(robot, moving[joint.child], joint.child, np.eye(4))
            else:
                where[joint.child] = carrier, here
                if carrier:
                    _put(robot, moving[carrier], joint.child, here)
                    moving[carrier].frames[joint.child] = here
                else:
                    dropped.append(joint.child)
            depth[joint.child] = depth[link] + (joint.type in MOVING)
            todo.append(joint.child)
    heavy = [name for name in dropped if robot.links[name].inertial is not None]
    if heavy:
        mass = sum((part.mass for name in heavy if (part := robot.links[name].inertial) is not None), 0.0)
        notes.append(f"{', '.join(heavy)} stands still: its {mass:.4g} kg are dropped")
    ordered = sorted(moving, key=lambda name: (depth[name], list(moving).index(name)))
    return _depth_first(moving, ordered), depth, notes


def _depth_first(moving: dict[str, _Moving], names: list[str]) -> dict[str, _Moving]:
    """One branch after the other, so that a serial arm is a chain and needs no names of parents."""
    found: dict[str, _Moving] = {}
    todo = [name for name in names if not moving[name].carrier][::-1]
    while todo:
        name = todo.pop()
        found[name] = moving[name]
        todo += list(moving[name].children)[::-1]
    return found


def _put(robot: Robot, part: _Moving, link: str, pose: np.ndarray) -> None:
    inertial = robot.links[link].inertial
    if inertial is not None:
        part.bodies.append((link, inertial, pose))


def _plain_names(robot: Robot, notes: list[str]) -> dict[str, str]:
    """Names that a scenario can have, each once."""
    found: dict[str, str] = {}
    for name in robot.links:
        plain = "".join(c if c.isalnum() or c in "-_" else "_" for c in name)[:90]
        plain = f"{plain}_" if plain in RESERVED else plain
        while plain in found.values():
            plain += "_"
        found[name] = plain
    changed = [f"{name} is called {plain}" for name, plain in found.items() if name != plain]
    notes += [f"names: {', '.join(changed)}"] if changed else []
    return found


def _tool(
    robot: Robot, moving: dict[str, _Moving], depth: dict[str, int], wanted: str | None
) -> tuple[str, str | None]:
    """The moving link that carries the tool, and the link that is the tool if that is another one."""
    if wanted is not None and wanted not in robot.links:
        raise ScenarioError(f"the tool '{wanted}' is no link of the robot", field="tool")
    leaves = [name for name in robot.links if not robot.below(name)] if wanted is None else [wanted]
    last = max(leaves, key=lambda name: depth[name])
    for name, part in moving.items():
        if last == name:
            return name, None
        if last in part.frames:
            return name, last
    raise ScenarioError(f"the tool '{last}' stands still: choose a link behind a moving joint", field="tool")


def _links(
    robot: Robot,
    part: _Moving,
    moving: dict[str, _Moving],
    overlay: dict[str, Overlay],
    names: dict[str, str],
    found: Understood,
) -> list[dict[str, Any]]:
    """A link of the arm, and what is fixed to it if it bends."""
    joint, own = part.joint, part.joint.child
    link: dict[str, Any] = {"name": names[own]}
    before = found.arm["links"]
    if part.carrier and (not before or before[-1]["name"] != names[part.carrier]):
        link["parent"] = names[part.carrier]
    elif not part.carrier and before:
        link["parent"] = "ground"
    if part.carrier in overlay:
        section = overlay[part.carrier].section_of(own, part.origin[:3, 3], moving[part.carrier].children)
        link |= {"at": section} if section != "tip" else {}
    link["joint"] = _joint(robot, part, found.notes)
    frames = {names[name]: _pose(pose) for name, pose in part.frames.items()}
    if own in overlay:
        fixed = []
        inertial_of = [body for body in part.bodies if body[0] == own]
        link |= flexible_part(overlay[own], robot, inertial_of, part.children, part.frames, found.notes)
        for name, inertial, pose in part.bodies:
            if name != own:
                at = overlay[own].section_of(name, pose[:3, 3], part.children)
                fixed.append({"name": f"{names[name]}-body", "parent": names[own], "at": at, "flexible": False,
                              "joint": {"type": "fixed", "origin": _pose(pose)}, "body": _body([(name, inertial, np.eye(4))])})  # fmt: skip
        return [link | ({"frames": frames} if frames else {}), *fixed]
    link["flexible"] = False
    if part.bodies:
        link["body"] = _body(part.bodies)
    elif not part.children:
        raise ScenarioError(
            f"link '{own}' has no mass and its joint '{joint.name}' moves: give it an inertial, or fix the joint",
            file=robot.file,
            line=robot.links[own].line,
        )
    if len(part.bodies) > 1 or (part.bodies and part.bodies[0][0] != own):
        found.notes.append(
            f"fixed to {own} and counted there: {', '.join(name for name, *_ in part.bodies if name != own)}"
        )
    return [link | ({"frames": frames} if frames else {})]


def _joint(robot: Robot, part: _Moving, notes: list[str]) -> dict[str, Any]:
    joint = part.joint
    found: dict[str, Any] = {"type": "prismatic"} if joint.type == "prismatic" else {}
    origin = {"xyz": list(joint.xyz), "rpy": list(joint.rpy)} if part.plain else _pose(part.origin)
    found |= {"origin": {key: value for key, value in origin.items() if any(value)}, "axis": list(joint.axis)}
    limits = dict(joint.limits)
    low, high = limits.get("lower", -np.inf), limits.get("upper", np.inf)
    if low == high == 0.0:
        notes.append(f"joint {joint.name} has the limits 0 and 0: taken as given, it can hardly move")
    start = float(np.clip(0.0, low, high))
    found |= {"position": start} if start else {}
    found |= {"limits": limits} if limits else {}
    found |= {"friction": joint.friction} if joint.friction else {}
    found |= {"viscous": joint.damping} if joint.damping else {}
    if joint.mimic is not None:
        leader, by, offset = joint.mimic
        notes.append(
            f"joint {joint.name} follows {leader} in the file, {by:g} times it plus {offset:g}: here it has a drive of its own"
        )
    if joint.ratio is not None and joint.type != "prismatic":
        found["gear"] = {"ratio": joint.ratio}
        notes.append(f"joint {joint.name} has a gear of {joint.ratio:g}; a URDF has no rotor inertia: it is 0")
    return found


def _pose(matrix: np.ndarray) -> dict[str, list[float]]:
    found = {"xyz": [float(x) for x in matrix[:3, 3]]}
    if not np.array_equal(matrix[:3, :3], np.eye(3)):
        found["rpy"] = list(to_rpy(matrix[:3, :3]))
    return found


def combined(bodies: list[tuple[str, Inertial, np.ndarray]]) -> Inertial:
    """Several bodies, each in axes that stand as its matrix says, as one."""
    mass = sum(inertial.mass for _, inertial, _ in bodies)
    centers = [pose[:3, :3] @ inertial.center + pose[:3, 3] for _, inertial, pose in bodies]
    center = sum((inertial.mass * c for (_, inertial, _), c in zip(bodies, centers, strict=True)), np.zeros(3)) / mass
    tensor = np.zeros((3, 3))
    for (_, inertial, pose), c in zip(bodies, centers, strict=True):
        d = c - center
        tensor += pose[:3, :3] @ inertial.tensor @ pose[:3, :3].T + inertial.mass * (d @ d * np.eye(3) - np.outer(d, d))
    return Inertial(mass, center, tensor)


def _body(bodies: list[tuple[str, Inertial, np.ndarray]]) -> dict[str, Any]:
    one = bodies[0][1] if len(bodies) == 1 and np.array_equal(bodies[0][2], np.eye(4)) else combined(bodies)
    I = one.tensor
    six = [float(I[i, j]) for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
    return {"mass": one.mass, "center": [float(x) for x in one.center], "inertia": six if any(six[3:]) else six[:3]}
