"""The arm as a chain of joints: who carries whom, where, turned how. Geometry only, no masses."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from flexarm.arm import GROUND, Arm, Link
from flexarm.errors import FlexarmError
from flexarm.rigid.beam import parameters, place_point, tip_point, tool_pose


@dataclass(frozen=True)
class Chain:
    """What the recursions need, one entry per link in the order of ``arm.links``.

    Every joint turns about, or slides along, an axis of its own frame. A table of Denavit and Hartenberg is a chain whose axes are
    all z, and in which the frame of a joint stands at the tip of the link before it, turned by that link's alpha.

    Attributes
    ----------
    parent : tuple of int
        Index of the carrying link, -1 for the ground.
    column : tuple of int
        Index of the joint in ``arm.joints``, -1 for a fixed joint.
    slides : tuple of bool
        True for prismatic joints.
    mount : ndarray, shape (nl, 3)
        The joint in the body axes of the carrying link, or in world axes, m.
    twist : ndarray, shape (nl, 3, 3)
        Rotation from the carrying link's body axes to the joint's frame.
    align : ndarray, shape (nl, 3, 3)
        Axes in the joint's frame of which the third is the joint's axis; the identity where that is z.
    aligned : bool
        True if all axes are z.
    angle, offset : ndarray, shape (nl,)
        Constant part of the joint's angle (rad) and of a prismatic joint's position (m).
    tip : ndarray, shape (nl, 3)
        End of the beam in body axes, of the link that carries it the tool, m.
    """

    arm: Arm
    parent: tuple[int, ...]
    column: tuple[int, ...]
    slides: tuple[bool, ...]
    mount: np.ndarray
    twist: np.ndarray
    align: np.ndarray
    aligned: bool
    angle: np.ndarray
    offset: np.ndarray
    tip: np.ndarray

    @classmethod
    def of(cls, arm: Arm) -> Chain:
        """Read the chain off an arm."""
        spatial, links = arm.spatial, arm.links
        index = {link.name: i for i, link in enumerate(links)}
        names = arm.joints
        parent = tuple(index.get(p, -1) for p in (arm.parent(link.name) for link in links))
        mount = np.zeros((len(links), 3))
        twist = np.tile(np.eye(3), (len(links), 1, 1))
        angle, offset = np.zeros(len(links)), np.zeros(len(links))
        for i, link in enumerate(links):
            mount[i], twist[i] = _joint_frame(arm, link, parent[i])
            if link.joint.type == "fixed":
                angle[i] = link.joint.start
            if spatial:
                dh = parameters(link)
                angle[i] += dh.theta
                offset[i] = dh.d if link.joint.type == "prismatic" else 0.0
        tip = np.array([tip_point(link, spatial) for link in links])
        tip[index[arm.payload_link.name]] = tool_pose(arm)[0]
        align = np.array([link.joint.align for link in links])
        return cls(
            arm=arm,
            parent=parent,
            column=tuple(names.index(link.name) if link.joint.type != "fixed" else -1 for link in links),
            slides=tuple(link.joint.type == "prismatic" for link in links),
            mount=mount,
            twist=twist,
            align=align,
            aligned=bool(np.all(align == np.eye(3))),
            angle=angle,
            offset=offset,
            tip=tip,
        )

    def path(self, i: int) -> tuple[int, ...]:
        """Links from the ground to link `i`, both ends included."""
        found = [i]
        while self.parent[found[-1]] >= 0:
            found.append(self.parent[found[-1]])
        return tuple(reversed(found))

    @property
    def geometry(self) -> tuple[object, ...]:
        """Everything but names and masses, as a key: equal for arms of the same shape."""
        arrays = (self.mount, self.twist, self.align, self.angle, self.offset, self.tip)
        return self.parent, self.column, self.slides, self.size, *(array.tobytes() for array in arrays)

    @functools.cached_property
    def size(self) -> float:
        """A length that scales tolerances: the sum of all distances between joints and to the tips, m."""
        carried = np.array(self.parent) >= 0
        reach = np.linalg.norm(self.mount[carried], axis=1).sum() + np.linalg.norm(self.tip, axis=1).sum()
        spare = sum(link.span for link, slides in zip(self.arm.links, self.slides, strict=True) if slides)
        return float(reach + spare) or 1.0


def _joint_frame(arm: Arm, link: Link, parent: int) -> tuple[np.ndarray, np.ndarray]:
    """Place and rotation of a joint's frame in the body axes of the carrying link, or in world axes."""
    origin, place, turn = link.joint.origin, np.zeros(3), np.eye(3)
    if origin is not None:
        place, turn = origin.place, origin.rotation
    elif parent >= 0:
        carrier = arm.links[parent]
        place = place_point(carrier, link.at, arm.spatial)
        if link.at in ("tip", 1.0):
            turn = _turn_about_x(parameters(carrier).alpha) if arm.spatial else turn
        elif link.at in carrier.frames:
            turn = carrier.frames[str(link.at)].rotation
    if parent < 0 and arm.base is not None:
        place, turn = arm.base.place + arm.base.rotation @ place, arm.base.rotation @ turn
    return place, turn


def _turn_about_x(angle: float) -> np.ndarray:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])


def link_index(arm: Arm, name: str) -> int:
    """Index of a link in ``arm.links``; an unknown name is the user's error."""
    names = [link.name for link in arm.links]
    if name not in names:
        raise FlexarmError(f"there is no link '{name}'; the arm has {', '.join(names)}")
    return names.index(name)


def joint_index(arm: Arm, name: str) -> int:
    """Index of a joint in ``arm.joints``; an unknown name, or a fixed joint, is the user's error."""
    if name not in arm.joints:
        raise FlexarmError(f"there is no movable joint '{name}'; the arm has {', '.join(arm.joints) or GROUND}")
    return arm.joints.index(name)


def joint_values(arm: Arm, values: Any, what: str = "q") -> np.ndarray:
    """Joint values as floats of shape (nt, nj); a single row may come without its first axis."""
    array = np.asarray(values, dtype=float)
    if array.ndim not in (1, 2) or array.shape[-1] != len(arm.joints):
        raise FlexarmError(
            f"'{what}' has the shape {array.shape}, but this arm needs one value for each of its "
            f"{len(arm.joints)} joints ({', '.join(arm.joints)})"
        )
    if not np.all(np.isfinite(array)):
        raise FlexarmError(f"'{what}' holds a value that is not a finite number")
    return np.atleast_2d(array)
