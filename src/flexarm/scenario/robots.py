"""Scenarios whose arm is a robot in a URDF file: `arm.urdf`, and `arm.flexible` for the links that bend."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flexarm.errors import ScenarioError
from flexarm.scenario.node import Node, plain, wrap

if TYPE_CHECKING:
    from flexarm.scenario.urdf import Robot, Understood


def with_robot(root: Node, folder: Path | None) -> Node:
    """The data of a scenario with the links of its robot in place of `urdf` and `flexible`; as it is if it names none."""
    arm = root.value.get("arm") if isinstance(root.value, dict) else None
    if arm is None or not isinstance(arm.value, dict) or "urdf" not in arm.value:
        return root
    asked, given = (
        arm.value["urdf"],
        {key: child for key, child in arm.value.items() if key not in ("urdf", "flexible")},
    )
    if not isinstance(asked.value, str) or not asked.value:
        raise asked.error("urdf wants the path of a URDF file", "arm.urdf")
    if "links" in given:
        raise given["links"].error("an arm has its links from 'urdf', or 'links' of its own", "arm.links")
    from flexarm.scenario.urdf import understand

    flexible = plain(arm.value["flexible"]) if "flexible" in arm.value else None
    if flexible is not None and not isinstance(flexible, dict):
        raise arm.value["flexible"].error("flexible wants names of links with their beams", "arm.flexible")
    tool = given.get("tool")
    named = tool.value if tool is not None and isinstance(tool.value, str) and "." not in tool.value else None
    try:
        robot = find_robot(asked.value, folder)
        found = understand(robot, flexible, named)
    except ScenarioError as error:
        if error.file:
            raise
        raise asked.error(error.message, f"arm.{error.field}" if error.field else "arm.urdf") from None
    if named is not None:
        del given["tool"]
    links = placed(found, robot.file)
    return Node({**root.value, "arm": Node({**links, **given}, arm.file, arm.line)}, root.file, root.line)


def placed(found: Understood, file: str) -> dict[str, Node]:
    """The arm of a robot as data that knows the lines of the URDF file."""
    nodes: dict[str, Node] = dict(wrap(found.arm, file).value)
    links = [
        _on_line(link, file, found.lines[link.value["name"].value]) if link.value["name"].value in found.lines else link
        for link in nodes["links"].value
    ]
    return {**nodes, "links": Node(links, file)}


def _on_line(node: Node, file: str, line: int) -> Node:
    value: Any = node.value
    if isinstance(value, dict):
        value = {key: _on_line(child, file, line) for key, child in value.items()}
    elif isinstance(value, list):
        value = [_on_line(child, file, line) for child in value]
    return Node(value, file, line)


def find_robot(name: str, folder: Path | None) -> Robot:
    """The robot of a path, or of a file in the bundled library."""
    from flexarm.scenario.urdf import read_robot, robot_file

    entry = resources.files("flexarm.scenario") / "library" / name
    if "/" not in name and "\\" not in name and name.endswith(".urdf") and entry.is_file():
        return read_robot(entry.read_bytes(), name)
    if folder is None:
        raise ScenarioError(f"'{name}' is a file, but this scenario has no folder to look in")
    return robot_file(folder / name)


def robot_scenario(robot: Robot, overlay: Mapping[str, Any]) -> tuple[dict[str, Any], Understood]:
    """A scenario that moves every joint of a robot a little, as a file would have it, and what was understood."""
    from flexarm.scenario.urdf import understand

    found = understand(robot, overlay.get("flexible"), overlay.get("tool"))
    arm = {
        **found.arm,
        **{key: value for key, value in overlay.items() if key in ("gravity", "damping", "payload", "base")},
    }
    bends = any(link.get("flexible", True) for link in arm["links"])
    drive = [
        {
            "joint": link["name"],
            "motion": {"profile": "quintic", "by": _move(link["joint"]), "duration": "1 s", "start": "0.1 s"},
        }
        for link in arm["links"]
        if link["joint"].get("type") != "fixed"
    ]
    plan = {
        "name": robot.name,
        "arm": arm,
        "drive": drive,
        "method": {"name": "fem", "resolution": 8},
        "time": {"end": "1.5 s", "step": "1 ms", "start": "equilibrium" if bends else "undeformed"},
        "output": {"every": "5 ms"},
    }
    return plan, found


def _move(joint: Mapping[str, Any]) -> str | float:
    """A small move from the start position that stays within the limits."""
    slides = joint.get("type") == "prismatic"
    limits, start, wanted = joint.get("limits", {}), joint.get("position", 0.0), 0.1 if slides else 0.5235987755982988
    room = limits.get("upper", float("inf")) - start
    by = wanted if room >= wanted else -min(wanted, start - limits.get("lower", float("-inf")))
    return f"{by:.6g} {'m' if slides else 'rad'}"
