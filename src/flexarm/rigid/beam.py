"""Where the beam of a link runs, in the axes that are fixed to the link.

Body axes of a link, used throughout this package and called link axes in scenario files:

* planar arm: origin at the joint, x along the link, z out of the plane;
* spatial arm, revolute or fixed joint: origin at the joint, z along the joint axis, x along the common normal
  (the Denavit-Hartenberg frame before it is moved by d and a and twisted by alpha). The beam runs along z by
  d, then along x by a. A link without `dh` counts as ``a = length``;
* spatial arm, joint with `origin` or `axis`: the joint frame after the joint has moved. The beam is that of `beam`, or runs along x
  by ``length``;
* spatial arm, prismatic joint: the same directions, but the origin rides at the end of the sliding part, so
  that it is fixed to the material. The beam comes out of the joint along its axis (z with `dh`) and then runs along x by a.

A place on a beam is its distance along the beam from the material's rear end.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from flexarm.arm import Arm, DenavitHartenberg, Link

Vector = np.ndarray


@dataclass(frozen=True)
class Leg:
    """A straight stretch of beam: points ``start + (s - first) * direction`` for first <= s <= last."""

    start: Vector
    direction: Vector
    first: float
    last: float
    turned: np.ndarray | None = None
    """Its axes, where the rule does not say them."""

    def point(self, s: float) -> Vector:
        """Body coordinates at the distance `s` along the beam, m."""
        return self.start + (s - self.first) * self.direction

    @property
    def axes(self) -> np.ndarray:
        """Rotation (3, 3) whose columns are the beam axes: x along the beam, y and z across it.

        Along x they are the body axes; along z they are turned about the body's y axis; against either the
        beam axes are turned by half a turn about z or y.
        """
        if self.turned is not None:
            return self.turned
        x, _, z = self.direction
        if x != 0.0:
            return np.diag([x, x, 1.0])
        return np.array([[0.0, 0.0, -z], [0.0, 1.0, 0.0], [z, 0.0, 0.0]])


def parameters(link: Link) -> DenavitHartenberg:
    """The link's Denavit-Hartenberg parameters, with those that a link without `dh` has in a spatial arm."""
    if link.joint.dh is not None:
        return link.joint.dh
    return DenavitHartenberg(a=0.0 if link.joint.type == "prismatic" else link.span)


def legs(link: Link, spatial: bool) -> tuple[Leg, ...]:
    """The straight stretches of a link's beam, root first; of a prismatic link all its material."""
    zero = np.zeros(3)
    if not spatial:
        return (Leg(zero, np.array([1.0, 0.0, 0.0]), 0.0, link.span),) if link.span else ()
    if link.beam is not None:
        axes = link.beam.axes
        return (Leg(np.array(link.beam.begin), axes[:, 0], 0.0, link.span, axes),)
    dh = parameters(link)
    rise, run = abs(dh.d), abs(dh.a)
    along_a = np.array([math.copysign(1.0, dh.a), 0.0, 0.0])
    if link.joint.type == "prismatic":
        rise = max(link.span - run, 0.0)
        upright, corner = _sliding(link, rise), zero
    else:
        upright = Leg(zero, np.array([0.0, 0.0, math.copysign(1.0, dh.d)]), 0.0, rise)
        corner = np.array([0.0, 0.0, dh.d])
    return tuple(leg for leg in (upright, Leg(corner, along_a, rise, rise + run)) if leg.last > leg.first)


def _sliding(link: Link, rise: float) -> Leg:
    """Material that slides along the axis of its joint; the body's origin is its end."""
    align = link.joint.align
    up = np.array([[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]])
    return Leg(-rise * align[:, 2], align[:, 2], 0.0, rise, align @ up)


def tip_point(link: Link, spatial: bool) -> Vector:
    """End of the beam in body axes, m."""
    if not spatial:
        return np.array([link.span, 0.0, 0.0])
    if link.beam is not None:
        return np.array(link.beam.end)
    dh = parameters(link)
    return np.array([dh.a, 0.0, 0.0 if link.joint.type == "prismatic" else dh.d])


def tip_axes(link: Link, spatial: bool) -> np.ndarray:
    """Beam axes at the tip as columns (3, 3) in body axes."""
    stretches = legs(link, spatial)
    return stretches[-1].axes if stretches else np.eye(3)


def tool_pose(arm: Arm) -> tuple[Vector, np.ndarray]:
    """Where the tool is in the body axes of its link, m, and its axes as columns (3, 3): the tip with body axes if none is named."""
    tool = arm.tool_frame
    if tool is None:
        return tip_point(arm.payload_link, arm.spatial), np.eye(3)
    return tool.place, tool.rotation


def carried(arm: Arm) -> tuple[Vector, np.ndarray]:
    """Centre of the payload from the tool (m) and its inertia tensor about it (kg m^2), both in body axes.

    Offset and tensor are in the axes of the tool; an offset of one number goes on along the beam, or along the tool's x axis.
    """
    load, turn = arm.payload, tool_pose(arm)[1]
    centre = np.array(load.offset_vector)
    if not isinstance(load.offset, tuple) and arm.tool is None:
        centre = tip_axes(arm.payload_link, arm.spatial) @ centre
    return turn @ centre, turn @ load.tensor @ turn.T


def place_point(link: Link, place: float | str, spatial: bool) -> Vector:
    """Body coordinates of ``tip``, ``root``, a fraction of the length or a named point or frame, m.

    The root and the fractions of a prismatic link count from the rear end of its material.
    """
    if not spatial or (isinstance(place, str) and place in (*link.points, *link.frames)):
        return np.array(link.place(place))
    if place == "tip":
        return tip_point(link, spatial)
    s = link.place(place)[0]
    for leg in legs(link, spatial):
        if s <= leg.last:
            return leg.point(s)
    return tip_point(link, spatial)


def section_place(link: Link, place: float | str) -> tuple[float, Vector]:
    """Fraction of the length of the section of a beam in space that carries a place, and where that is from it in body axes, m.

    Places beside the beam hang by a rigid bracket on its nearer end.
    """
    if not isinstance(place, str) or place in ("tip", "root"):
        return float(place == "tip") if isinstance(place, str) else place, np.zeros(3)
    point = np.array(link.place(place))
    for leg in legs(link, True):
        s = float(np.clip((point - leg.start) @ leg.direction, 0.0, leg.last - leg.first)) + leg.first
        if np.linalg.norm(point - leg.point(s)) <= 1e-9 * link.span:
            return s / link.span, np.zeros(3)
    ends = [place_point(link, end, True) for end in ("root", "tip")]
    nearer = int(np.linalg.norm(point - ends[1]) <= np.linalg.norm(point - ends[0]))
    return float(nearer), point - ends[nearer]
