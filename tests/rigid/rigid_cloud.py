"""An independent stiff arm for the tests: clouds of point masses moved by explicit matrices.

Nothing here uses the recursions under test. A rotary inertia is written as point masses whose sum is zero.
Accelerations come from finite differences of positions along a motion, torques from virtual work.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from flexarm.arm import Arm, Link

NODES, WEIGHTS = np.polynomial.legendre.leggauss(5)


def turn_z(t: float) -> np.ndarray:
    c, s = math.cos(t), math.sin(t)
    return np.array([[c, -s, 0, 0], [s, c, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1.0]])


def turn_x(t: float) -> np.ndarray:
    c, s = math.cos(t), math.sin(t)
    return np.array([[1, 0, 0, 0], [0, c, -s, 0], [0, s, c, 0], [0, 0, 0, 1.0]])


def shift(x: float, y: float, z: float) -> np.ndarray:
    out = np.eye(4)
    out[:3, 3] = x, y, z
    return out


def dh_numbers(link: Link) -> tuple[float, float, float, float]:
    dh = link.joint.dh
    if dh is not None:
        return dh.a, dh.alpha, dh.d, dh.theta
    return (0.0 if link.joint.type == "prismatic" else link.span), 0.0, 0.0, 0.0


def distal_frames(arm: Arm, q: np.ndarray) -> list[np.ndarray]:
    """Material frames of all links: planar at the root; spatial the distal Denavit-Hartenberg frame."""
    frames: dict[str, np.ndarray] = {"ground": np.eye(4)}
    value = dict(zip(arm.joints, q, strict=True))
    for link in arm.links:
        base, parent = frames[arm.parent(link.name)], arm.parent(link.name)
        v = value.get(link.name, link.joint.start)
        if arm.spatial:
            a, alpha, d, theta = dh_numbers(link)
            slide = link.joint.type == "prismatic"
            local = turn_z(theta + (0.0 if slide else v)) @ shift(0, 0, d + (v if slide else 0.0))
            frames[link.name] = base @ local @ shift(a, 0, 0) @ turn_x(alpha)
        else:
            at = (0.0, 0.0, 0.0) if parent == "ground" else arm.link(parent).place(link.at)
            frames[link.name] = base @ shift(*at) @ turn_z(v)
    return [frames[link.name] for link in arm.links]


def from_corner(arm: Arm, link: Link, point) -> np.ndarray:
    """Material coordinates of a point given from the corner of the d leg and the a leg (planar: root)."""
    x = np.append(np.asarray(point, dtype=float), 1.0)
    if not arm.spatial:
        return x[:3]
    a, alpha, _, _ = dh_numbers(link)
    return (turn_x(-alpha) @ shift(-a, 0, 0) @ x)[:3]


def beam_point(arm: Arm, link: Link, s: float) -> np.ndarray:
    """The beam's axis at the distance s from the rear end of its material, from the corner."""
    if not arm.spatial:
        return np.array([s, 0.0, 0.0])
    a, _, d, _ = dh_numbers(link)
    rise = link.span - abs(a)
    sign = 1.0 if link.joint.type == "prismatic" else math.copysign(1.0, d)
    if s <= rise:
        return np.array([0.0, 0.0, sign * (s - rise)])
    return np.array([math.copysign(s - rise, a), 0.0, 0.0])


def rotary(axes: np.ndarray, center: np.ndarray, inertia) -> list[tuple[float, np.ndarray]]:
    """Six points and a negative one that have the principal inertias about `axes` and no mass."""
    ix, iy, iz = np.broadcast_to(np.asarray(inertia, dtype=float), 3)
    halves = np.array([iy + iz - ix, iz + ix - iy, ix + iy - iz]) / 4.0
    radius = 0.1
    points = [(m / radius**2, center + sign * radius * axes[:, k]) for k, m in enumerate(halves) for sign in (1, -1)]
    return [*points, (-2.0 * halves.sum() / radius**2, center)]


def beam_masses(arm: Arm, link: Link, free: float) -> list[tuple[float, np.ndarray]]:
    assert link.section is not None
    a = abs(dh_numbers(link)[0]) if arm.spatial else 0.0
    hidden = 0.0
    if link.joint.type == "prismatic" and link.joint.retracted == "massless":
        hidden = link.span - a - free
    edges = sorted({hidden, link.span, link.span - a, *(b * link.span for b in link.section.breaks)})
    out = []
    for lo, hi in pairwise(edges):
        if lo >= hidden - 1e-12:
            s = (lo + hi) / 2 + (hi - lo) / 2 * NODES
            weights = WEIGHTS * (hi - lo) / 2 * link.properties(s / link.span)["rhoA"]
            out += [(float(w), beam_point(arm, link, float(x))) for w, x in zip(weights, s, strict=True)]
    return out


def beam_axes(arm: Arm, link: Link) -> np.ndarray:
    a, _, d, _ = dh_numbers(link)
    if not arm.spatial or a > 0:
        return np.eye(3)
    if a < 0:
        return np.diag([-1.0, -1.0, 1.0])
    s = -1.0 if d < 0 and link.joint.type != "prismatic" else 1.0
    return np.array([[0.0, 0.0, -s], [0.0, 1.0, 0.0], [s, 0.0, 0.0]])


def body_point(arm: Arm, link: Link, point) -> np.ndarray:
    """A point in body axes (origin at the joint, or at the corner of a prismatic link), from the corner."""
    rise = dh_numbers(link)[2] if arm.spatial and link.joint.type != "prismatic" else 0.0
    x, y, *z = point
    return np.array([x, y, (z[0] if z else 0.0) - rise])


def place(arm: Arm, link: Link, at) -> np.ndarray:
    if isinstance(at, str) and at in link.points:
        return body_point(arm, link, link.points[at])
    s = {"tip": 1.0, "root": 0.0}.get(at, at) * link.span
    return beam_point(arm, link, s)


def cloud(arm: Arm, q: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Masses (n,), link indices (n,) and material coordinates (n, 3) of all that counts in the pose q."""
    value = dict(zip(arm.joints, q, strict=True))
    points: list[tuple[int, float, np.ndarray]] = []
    for i, link in enumerate(arm.links):
        own: list[tuple[float, np.ndarray]] = []
        joint, origin = link.joint, body_point(arm, link, (0.0, 0.0, 0.0))
        own += rotary(np.eye(3), origin, (0.0, 0.0, joint.hub_inertia + joint.rotor_inertia))
        if link.section is not None:
            offset = dh_numbers(link)[2] if joint.type == "prismatic" else 0.0
            own += beam_masses(arm, link, value.get(link.name, 0.0) + offset)
        if link.body is not None:
            center = body_point(arm, link, link.body.center)
            own += [(link.body.mass, center), *rotary(np.eye(3), center, link.body.inertia)]
        for lump in link.masses:
            center = place(arm, link, lump.at)
            own += [(lump.mass, center), *rotary(np.eye(3), center, lump.inertia)]
        for other in arm.links:
            if arm.parent(other.name) == link.name and other.joint.motor_mass:
                own.append((other.joint.motor_mass, place(arm, link, other.at)))
        if link.name == arm.payload_link.name:
            axes = (
                np.eye(3) if isinstance(arm.payload.offset, tuple) else beam_axes(arm, link)
            )  # one number: on along the beam
            center = place(arm, link, "tip") + axes @ np.array(arm.payload.offset_vector)
            own += [(arm.payload.mass, center), *rotary(np.eye(3), center, arm.payload.inertia)]
        points += [(i, m, from_corner(arm, link, x)) for m, x in own]
    index, mass, where = zip(*points, strict=True)
    return np.array(mass), np.array(index), np.array(where)


def positions(arm: Arm, q: np.ndarray, index: np.ndarray, where: np.ndarray) -> np.ndarray:
    frames = np.array(distal_frames(arm, q))[index]
    return (frames[:, :3, :3] @ where[:, :, None])[:, :, 0] + frames[:, :3, 3]


def difference(f, h: float = 1e-3) -> tuple[np.ndarray, np.ndarray]:
    """First and second derivative of f at 0 from seven points (sixth order)."""
    y = [f(k * h) for k in (-3, -2, -1, 0, 1, 2, 3)]
    first = (-y[0] + 9 * y[1] - 45 * y[2] + 45 * y[4] - 9 * y[5] + y[6]) / (60 * h)
    second = (2 * y[0] - 27 * y[1] + 270 * y[2] - 490 * y[3] + 270 * y[4] - 27 * y[5] + 2 * y[6]) / (180 * h**2)
    return first, second


def torque(arm: Arm, motion, t: float) -> np.ndarray:
    """Torques by virtual work of mass times acceleration and weight; motion(t) -> q."""
    q = np.asarray(motion(t))
    mass, index, where = cloud(arm, q)
    acceleration = difference(lambda s: positions(arm, motion(t + s), index, where), 4e-3)[1]
    force = mass[:, None] * (acceleration - np.array(arm.gravity))
    unit = np.eye(len(q))
    return np.array(
        [np.sum(force * difference(lambda s, e=e: positions(arm, q + s * e, index, where))[0]) for e in unit]
    )


def energy(arm: Arm, motion, t: float) -> float:
    """Kinetic and gravity energy of the cloud."""
    mass, index, where = cloud(arm, motion(t))
    x = positions(arm, motion(t), index, where)
    v = difference(lambda s: positions(arm, motion(t + s), index, where))[0]
    return float(np.sum(mass * (0.5 * np.sum(v**2, axis=1) - x @ np.array(arm.gravity))))


class Waves:
    """A smooth motion of all joints: a sum of sines with its derivatives."""

    def __init__(self, middle, size=0.6, seed=0):
        rng = np.random.default_rng(seed)
        n = len(middle)
        self.middle, self.size = np.asarray(middle, dtype=float), size * rng.uniform(0.5, 1.0, n)
        self.speed, self.phase = rng.uniform(1.0, 3.0, n), rng.uniform(0, 6, n)

    def __call__(self, t):
        return self.middle + self.size * np.sin(np.multiply.outer(t, self.speed) + self.phase)

    def rates(self, t):
        a = np.multiply.outer(t, self.speed) + self.phase
        return self.size * self.speed * np.cos(a), -self.size * self.speed**2 * np.sin(a)
