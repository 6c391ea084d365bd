"""Where the beam of a link runs, in the axes that are fixed to the link.

Body axes of a link, used throughout this package and called link axes in scenario files:

* planar arm: origin at the joint, x along the link, z out of the plane;
* spatial arm, revolute or fixed joint: origin at the joint, z along the joint axis, x along the common normal
  (the Denavit-Hartenberg frame before it is moved by d and a and twisted by alpha). The beam runs along z by
  d, then along x by a. A link without `dh` counts as ``a = length``;
* spatial arm, prismatic joint: the same directions, but the origin rides at the end of the sliding part, so
  that it is fixed to the material. The beam comes out of the joint along z and then runs along x by a.

A place on a beam is its distance along the beam from the material's rear end.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from flexarm.arm import DenavitHartenberg, Link, Payload

Vector = np.ndarray


@dataclass(frozen=True)
class Leg:
    """A straight stretch of beam: points ``start + (s - first) * direction`` for first <= s <= last."""

    start: Vector
    direction: Vector
    first: float
    last: float

    def point(self, s: float) -> Vector:
        """Body coordinates at the distance `s` along the beam, m."""
        return self.start + (s - self.first) * self.direction

    @property
    def axes(self) -> np.ndarray:
        """Rotation (3, 3) whose columns are the beam axes: x along the beam, y and z across it.

        Along x they are the body axes; along z they are turned about the body's y axis; against either the
        beam axes are turned by half a turn about z or y.
        """
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
    dh = parameters(link)
    rise, run = abs(dh.d), abs(dh.a)
    along_a = np.array([math.copysign(1.0, dh.a), 0.0, 0.0])
    if link.joint.type == "prismatic":
        rise = max(link.span - run, 0.0)
        upright = Leg(np.array([0.0, 0.0, -rise]), np.array([0.0, 0.0, 1.0]), 0.0, rise)
        corner = zero
    else:
        upright = Leg(zero, np.array([0.0, 0.0, math.copysign(1.0, dh.d)]), 0.0, rise)
        corner = np.array([0.0, 0.0, dh.d])
    return tuple(leg for leg in (upright, Leg(corner, along_a, rise, rise + run)) if leg.last > leg.first)


def tip_point(link: Link, spatial: bool) -> Vector:
    """End of the beam in body axes, m."""
    if not spatial:
        return np.array([link.span, 0.0, 0.0])
    dh = parameters(link)
    return np.array([dh.a, 0.0, 0.0 if link.joint.type == "prismatic" else dh.d])


def tip_axes(link: Link, spatial: bool) -> np.ndarray:
    """Beam axes at the tip as columns (3, 3) in body axes."""
    stretches = legs(link, spatial)
    return stretches[-1].axes if stretches else np.eye(3)


def carried(link: Link, load: Payload, spatial: bool) -> tuple[Vector, np.ndarray]:
    """Centre of a payload from the tip (m) and its inertia tensor about it (kg m^2), both in body axes.

    Offset and three numbers of inertia are in body axes; an offset of one number goes on along the beam.
    """
    centre = np.array(load.offset_vector)
    if not isinstance(load.offset, tuple):
        centre = tip_axes(link, spatial) @ centre
    return centre, np.diag(np.broadcast_to(np.asarray(load.inertia, dtype=float), 3))


def place_point(link: Link, place: float | str, spatial: bool) -> Vector:
    """Body coordinates of ``tip``, ``root``, a fraction of the length or a named point, m.

    The root and the fractions of a prismatic link count from the rear end of its material.
    """
    if not spatial or (isinstance(place, str) and place in link.points):
        return np.array(link.place(place))
    if place == "tip":
        return tip_point(link, spatial)
    s = link.place(place)[0]
    for leg in legs(link, spatial):
        if s <= leg.last:
            return leg.point(s)
    return tip_point(link, spatial)
