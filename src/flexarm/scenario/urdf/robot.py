"""The links and joints of a URDF file, checked."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from flexarm.arm.body import check_tensor, tensor_of
from flexarm.arm.pose import from_rpy
from flexarm.errors import ScenarioError
from flexarm.files import read_whole, reason
from flexarm.scenario.urdf.xml_tree import MOST_BYTES, Element, read_xml

MOVING = ("revolute", "continuous", "prismatic")
IGNORED = ("visual", "collision", "material", "gazebo", "sensor", "ros2_control")


@dataclass(frozen=True)
class Inertial:
    """Mass, centre (3,) and tensor (3, 3) about it, in the axes of its link."""

    mass: float
    center: np.ndarray
    tensor: np.ndarray


@dataclass(frozen=True)
class RobotLink:
    """A link of the file."""

    name: str
    line: int
    inertial: Inertial | None


@dataclass(frozen=True)
class RobotJoint:
    """A joint of the file; `xyz` and `rpy` in the axes of the parent link, `axis` in its own."""

    name: str
    line: int
    type: str
    parent: str
    child: str
    xyz: tuple[float, ...]
    rpy: tuple[float, ...]
    axis: tuple[float, ...]
    limits: dict[str, float] = field(default_factory=dict)
    damping: float = 0.0
    friction: float = 0.0
    mimic: tuple[str, float, float] | None = None
    ratio: float | None = None

    @property
    def matrix(self) -> np.ndarray:
        """Its frame in the axes of the parent link, (4, 4)."""
        out = np.eye(4)
        out[:3, :3], out[:3, 3] = from_rpy(self.rpy) if any(self.rpy) else np.eye(3), self.xyz
        return out


@dataclass(frozen=True)
class Robot:
    """A robot as its file has it: links and joints by name, in the order of the file, and what was left aside."""

    name: str
    file: str
    links: dict[str, RobotLink]
    joints: tuple[RobotJoint, ...]
    root: str
    notes: tuple[str, ...]

    def below(self, link: str) -> list[RobotJoint]:
        """Joints that a link carries."""
        return [joint for joint in self.joints if joint.parent == link]


def robot_file(path: Path, file: str = "") -> Robot:
    """The robot in a file; `file` is the name to show."""
    shown = file or str(path)
    try:
        content = read_whole(path, MOST_BYTES)
    except (OSError, ValueError) as error:
        why = reason(error) if isinstance(error, OSError) else "this is no path"
        raise ScenarioError(f"the robot '{shown}' cannot be read: {why}", file=shown) from None
    return read_robot(content, shown)


def read_robot(content: bytes, file: str) -> Robot:
    """The robot in the text of a URDF file.

    Raises
    ------
    ScenarioError
        With file, line and remedy, if it is no robot with one root and joints that an arm can have.
    """
    if len(content) > MOST_BYTES:
        raise ScenarioError(f"it is larger than {MOST_BYTES / 1e6:g} MB", file=file)
    return _Reader(file).robot(read_xml(content, file))


class _Reader:
    """Reads elements of one file."""

    def __init__(self, file: str):
        self.file = file

    def error(self, message: str, element: Element | RobotJoint | RobotLink) -> ScenarioError:
        return ScenarioError(message, file=self.file, line=element.line)

    def robot(self, root: Element) -> Robot:
        if root.tag != "robot":
            raise self.error(f"a URDF begins with <robot>, not with <{root.tag}>", root)
        self._no_macros(root)
        links: dict[str, RobotLink] = {}
        for element in root.every("link"):
            name = self._name(element)
            if name in links:
                raise self.error(f"two links are called '{name}'", element)
            links[name] = RobotLink(name, element.line, self._inertial(element, name))
        if not links:
            raise self.error("it has no link", root)
        ratios = self._ratios(root)
        joints = tuple(self._joint(element, links, ratios) for element in root.every("joint"))
        for k, joint in enumerate(joints):
            if any(joint.name == other.name for other in joints[:k]):
                raise self.error(f"two joints are called '{joint.name}'", joint)
        self._check_mimics(joints)
        name, base = root.attributes.get("name") or "robot", self._root(links, joints, root)
        return Robot(name, self.file, links, joints, base, self._left_aside(root))

    def _no_macros(self, root: Element) -> None:
        todo = [root]
        while todo:
            element = todo.pop()
            if element.tag.startswith("xacro:") or any("${" in value for value in element.attributes.values()):
                raise self.error("it has macros: expand them first, with xacro robot.urdf.xacro > robot.urdf", element)
            todo += element.children

    def _name(self, element: Element) -> str:
        name = element.attributes.get("name", "").strip()
        if not name:
            raise self.error(f"a <{element.tag}> without a name", element)
        return name

    def _numbers(self, element: Element | None, key: str, default: str, count: int) -> tuple[float, ...]:
        if element is None:
            return tuple(float(part) for part in default.split())
        text = element.attributes.get(key, default)
        try:
            values = tuple(float(part) for part in text.split())
        except ValueError:
            values = ()
        if len(values) != count or not all(math.isfinite(value) for value in values):
            wanted = "a finite number" if count == 1 else f"{count} finite numbers"
            raise self.error(f"'{key}' of <{element.tag}> wants {wanted}, not '{text}'", element)
        return values

    def _number(self, element: Element | None, key: str, default: str = "0") -> float:
        return self._numbers(element, key, default, 1)[0]

    def _inertial(self, link: Element, name: str) -> Inertial | None:
        element = link.first("inertial")
        if element is None:
            return None
        mass = self._number(element.first("mass"), "value")
        origin, tensor = element.first("origin"), element.first("inertia")
        six = tuple(self._number(tensor, key) for key in ("ixx", "iyy", "izz", "ixy", "ixz", "iyz"))
        if mass < 0.0:
            raise self.error(f"link '{name}' has a negative mass", element)
        if mass == 0.0:
            if any(six):
                raise self.error(f"link '{name}' has an inertia but no mass: give it both, or none", element)
            return None
        try:
            check_tensor(six)
        except ValueError as error:
            raise self.error(f"link '{name}': {error}", tensor or element) from None
        turn = from_rpy(self._numbers(origin, "rpy", "0 0 0", 3))
        return Inertial(mass, np.array(self._numbers(origin, "xyz", "0 0 0", 3)), turn @ tensor_of(six) @ turn.T)

    def _joint(self, element: Element, links: dict[str, RobotLink], ratios: dict[str, float]) -> RobotJoint:
        name, kind = self._name(element), element.attributes.get("type", "")
        if kind not in (*MOVING, "fixed"):
            raise self.error(
                f"the joint '{name}' is of type '{kind}', which an arm cannot have: use revolute, continuous, prismatic or fixed",
                element,
            )
        ends = []
        for key in ("parent", "child"):
            end = element.first(key)
            link = "" if end is None else end.attributes.get("link", "")
            if link not in links:
                raise self.error(
                    f"the joint '{name}' names the {key} link '{link}', which is not there", end or element
                )
            ends.append(link)
        axis = self._numbers(element.first("axis"), "xyz", "1 0 0", 3)
        if kind != "fixed" and not any(axis):
            raise self.error(f"the joint '{name}' has an axis of length zero: give its direction", element)
        origin, dynamics, mimic = element.first("origin"), element.first("dynamics"), element.first("mimic")
        follows = None
        if mimic is not None:
            follows = (
                mimic.attributes.get("joint", ""),
                self._number(mimic, "multiplier", "1"),
                self._number(mimic, "offset"),
            )
        return RobotJoint(
            name, element.line, kind, ends[0], ends[1], self._numbers(origin, "xyz", "0 0 0", 3), self._numbers(origin, "rpy", "0 0 0", 3),
            axis, self._limits(element, kind), self._number(dynamics, "damping"), self._number(dynamics, "friction"), follows, ratios.get(name),
        )  # fmt: skip

    def _limits(self, joint: Element, kind: str) -> dict[str, float]:
        element = joint.first("limit")
        if element is None or kind == "fixed":
            return {}
        keys = ("velocity", "effort") if kind == "continuous" else ("lower", "upper", "velocity", "effort")
        found = {key: self._number(element, key) for key in keys if key in element.attributes}
        found = {
            key: value for key, value in found.items() if key in ("lower", "upper") or value > 0.0
        }  # 0: not stated
        if found.get("lower", 0.0) > found.get("upper", math.inf):
            raise self.error(
                f"the lower limit of joint '{joint.attributes.get('name')}' is above the upper one", element
            )
        return found

    def _ratios(self, root: Element) -> dict[str, float]:
        found = {}
        for element in root.every("transmission"):
            reductions = [each for part in (element, *element.children) for each in part.every("mechanicalReduction")]
            for joint in element.every("joint"):
                for reduction in reductions[:1]:
                    try:
                        found[joint.attributes.get("name", "")] = float(reduction.text)
                    except ValueError:
                        raise self.error(
                            f"mechanicalReduction is no number: '{reduction.text.strip()}'", reduction
                        ) from None
        return found

    def _check_mimics(self, joints: tuple[RobotJoint, ...]) -> None:
        leaders = {joint.name: joint.mimic[0] for joint in joints if joint.mimic is not None}
        known = {joint.name for joint in joints}
        for joint in joints:
            seen, name = [joint.name], joint.name
            while name in leaders:
                name = leaders[name]
                if name not in known:
                    raise self.error(f"the joint '{seen[-1]}' mimics '{name}', which is not there", joint)
                if name in seen:
                    raise self.error(f"the joints {', '.join(seen)} mimic each other in a circle", joint)
                seen.append(name)

    def _root(self, links: dict[str, RobotLink], joints: tuple[RobotJoint, ...], element: Element) -> str:
        carried: dict[str, RobotJoint] = {}
        for joint in joints:
            if joint.child in carried:
                raise self.error(
                    f"two joints, '{carried[joint.child].name}' and '{joint.name}', carry the link '{joint.child}'",
                    joint,
                )
            carried[joint.child] = joint
        roots = [name for name in links if name not in carried]
        if len(roots) != 1:
            raise self.error(
                f"a URDF has one root link; found {', '.join(roots) or 'none, its joints form a circle'}", element
            )
        reached, todo = {roots[0]}, [roots[0]]
        while todo:
            name = todo.pop()
            below = [joint.child for joint in joints if joint.parent == name]
            reached.update(below)
            todo += below
        if lost := [name for name in links if name not in reached]:
            raise self.error(f"the joints of {', '.join(lost)} form a circle without a root", links[lost[0]])
        return roots[0]

    def _left_aside(self, root: Element) -> tuple[str, ...]:
        counts = {tag: sum(len(part.every(tag)) for part in (root, *root.children)) for tag in IGNORED}
        words = ", ".join(f"{count} {tag}" for tag, count in counts.items() if count)
        return (f"not read: {words}; no file that they name was opened",) if words else ()
