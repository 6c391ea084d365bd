"""From the arm to the properties of the grid: stiffness and mass at the nodes, loads, hub, joint and payload.

With dx the spacing and kappa_i the second difference at node i,

    T = 1/2 sum m_i y_i'^2 + 1/2 I_h theta_0'^2 + payload,     V = 1/2 sum EI_i dx w_i kappa_i^2,  w = 1/2 at the ends,

so masses are lumped and energy and angular momentum are conserved by the time schemes. Taper and steps: the second
difference is exactly the integral of the curvature times the hat of node i (1 there, 0 at its neighbours), and the
moment is continuous where the curvature is not. So 1/EI_i is the mean of 1/EI under the hat, wherever a step lies
between the nodes; m_i is the integral of the mass under it, which keeps the centre of mass.

Equations: F10, F11, F12.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from flexarm.arm import Arm, Link, Payload
from flexarm.errors import CapabilityError
from flexarm.numerics.gauss import gauss

NEAR = 1e-6
"""A lump nearer to an end than this share of a section sits on it."""


@dataclass(frozen=True)
class Grid:
    """Properties of the grid; arrays over nodes 0..n unless said otherwise."""

    n: int
    dx: float
    length: float
    x: np.ndarray
    EI: np.ndarray
    mass: np.ndarray
    """Lumped mass; at the last node without the payload."""
    lump_place: np.ndarray
    """Where lumps with rotary inertia sit inside the link, in sections from the root, (lumps,)."""
    lump_inertia: np.ndarray
    """Their rotary inertia, (lumps,)."""
    end_lump: float
    """Rotary inertia of lumps at the very tip."""
    hub_inertia: float
    """Hub and lumps at the very root."""
    rotor_inertia: float
    """As the joint feels it, behind its gear."""
    spring: float
    """Series stiffness, 0 for a rigid joint."""
    damper: float
    payload_mass: float
    payload_inertia: float
    payload_offset: tuple[float, float]
    gravity_axial: float
    gravity_transverse: float
    """Components of gravity along and across the link in its reference pose."""
    reference: float
    """Angle of the reference pose, rad."""
    fibre: np.ndarray

    @property
    def size(self) -> int:
        """Number of coordinates (see `layout`)."""
        return self.n + 4 + len(self.lump_place)

    @property
    def rotation(self) -> np.ndarray:
        """All coordinates for a rotation of motor and link by one radian, (N,)."""
        return np.concatenate(([1.0, 1.0], self.x, np.ones(1 + len(self.lump_place))))

    @property
    def tip_inertia(self) -> float:
        """Rotary inertia of payload and lumps at the tip, about the tip."""
        ax, ay = self.payload_offset
        return self.payload_inertia + self.payload_mass * (ax * ax + ay * ay) + self.end_lump

    @property
    def tension(self) -> np.ndarray:
        """Axial force by gravity between nodes i and i + 1, shape (n,)."""
        outboard = np.cumsum(self.mass[::-1])[::-1]
        return self.gravity_axial * (outboard[1:] + self.payload_mass)

    @property
    def total_inertia(self) -> float:
        """Rigid inertia of the discrete arm about the joint, rotor excluded, kg m^2."""
        ax, ay = self.payload_offset
        tip = self.payload_mass * ((self.length + ax) ** 2 + ay * ay) + self.payload_inertia
        lumps = float(self.lump_inertia.sum()) + self.end_lump
        return float(self.mass @ self.x**2) + self.hub_inertia + lumps + tip

    def with_payload(self, payload: Payload) -> Grid:
        """The same grid with another payload; nothing else is computed anew."""
        ax, ay, _ = payload.offset_vector
        return replace(
            self,
            payload_mass=payload.mass,
            payload_inertia=payload.inertia_z,
            payload_offset=(ax, ay) if payload.mass > 0 else (0.0, 0.0),
        )


def build_grid(arm: Arm, n: int) -> Grid:
    """Properties of a single-link arm on n sections."""
    link = arm.links[0]
    length = link.span
    x = np.linspace(0.0, length, n + 1)
    mass, compliance = _under_hats(link, x)
    cell = np.full(n + 1, length / n)
    cell[[0, n]] *= 0.5
    joint, g = link.joint, np.array(arm.gravity[:2])
    angle = joint.start
    axis = np.array([np.cos(angle), np.sin(angle)])
    grid = Grid(
        n=n, dx=length / n, length=length, x=x, EI=cell / compliance, mass=mass, lump_place=np.zeros(0),
        lump_inertia=np.zeros(0), end_lump=0.0,
        hub_inertia=joint.hub_inertia, rotor_inertia=joint.rotor.reflected, spring=joint.stiffness or 0.0,
        damper=joint.damping, payload_mass=0.0, payload_inertia=0.0, payload_offset=(0.0, 0.0),
        gravity_axial=float(g @ axis), gravity_transverse=float(g @ np.array([-axis[1], axis[0]])),
        reference=angle, fibre=link.properties(x / length)["fibre"],
    )  # fmt: skip
    return _add_lumps(grid, arm).with_payload(arm.payload)


def _under_hats(link: Link, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Integrals of mass and of 1/EI times the hat of every node, (n + 1,) each; the section may jump anywhere."""
    n, length = len(x) - 1, link.span
    breaks = np.array(link.section.breaks) * length if link.section else np.zeros(0)
    edges = np.union1d(x, breaks)
    places, weights = gauss(4)
    middle, half = 0.5 * (edges[1:] + edges[:-1]), 0.5 * np.diff(edges)
    points = middle[:, None] + half[:, None] * places
    properties = link.properties(points.ravel() / length)
    left = np.clip(np.searchsorted(x, middle, "right") - 1, 0, n - 1)
    share = points * (n / length) - left[:, None]
    found = []
    for values in (properties["rhoA"], 1.0 / properties["EI"]):
        whole = half[:, None] * weights * values.reshape(points.shape)
        sums = np.bincount(left, ((1.0 - share) * whole).sum(axis=1), n + 1)
        found.append(sums + np.bincount(left + 1, (share * whole).sum(axis=1), n + 1))
    return found[0], found[1]


def _add_lumps(grid: Grid, arm: Arm) -> Grid:
    """Lumped masses are shared between the two nearest nodes; one that resists rotation turns with a slope of its own."""
    mass, hub, end = grid.mass.copy(), grid.hub_inertia, grid.end_lump
    inner: dict[float, float] = {}
    for lump in arm.links[0].masses:
        px, py, _ = arm.links[0].place(lump.at)
        if py or not 0.0 <= px <= grid.length:
            raise CapabilityError("the method fd takes lumped masses on the link's axis only", field="arm.links.masses")
        place = px / grid.dx
        i = min(int(place), grid.n - 1)
        mass[i] += (1.0 - (place - i)) * lump.mass
        mass[i + 1] += (place - i) * lump.mass
        if place < NEAR:
            hub += lump.inertia
        elif grid.n - place < NEAR:
            end += lump.inertia
        elif lump.inertia > 0.0:
            inner[place] = inner.get(place, 0.0) + lump.inertia
    places = np.array(sorted(inner))
    inertia = np.array([inner[place] for place in places])
    return replace(grid, mass=mass, hub_inertia=hub, end_lump=end, lump_place=places, lump_inertia=inertia)
