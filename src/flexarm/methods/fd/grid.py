"""From the arm to the figures of the grid: stiffness and mass at the nodes, loads, hub, joint and payload.

Equations (theory page `fd`, section 1). With dx the spacing and kappa_i the second difference at node i,

    T = 1/2 sum m_i y_i'^2 + 1/2 I_h theta_0'^2 + payload,     V = 1/2 sum EI_i dx w_i kappa_i^2,  w = 1/2 at the ends,

so masses are lumped and energy and angular momentum are conserved by the time schemes. Taper: m_i is the mass of
the cell around node i, EI_i the harmonic mean over that cell (the moment is continuous, the curvature is not).
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace

import numpy as np

from flexarm.arm import Arm, Payload
from flexarm.errors import CapabilityError


@dataclass(frozen=True)
class Grid:
    """Figures of the grid; arrays over nodes 0..n unless said otherwise."""

    n: int
    dx: float
    length: float
    x: np.ndarray
    EI: np.ndarray
    mass: np.ndarray
    """Lumped mass; at the last node without the payload."""
    inner_inertia: np.ndarray
    """Rotary inertia of lumps inside the link, per node."""
    hub_inertia: float
    rotor_inertia: float
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
    def tip_inertia(self) -> float:
        """Rotary inertia of the payload about the tip."""
        ax, ay = self.payload_offset
        return self.payload_inertia + self.payload_mass * (ax * ax + ay * ay)

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
        return float(self.mass @ self.x**2) + self.hub_inertia + float(self.inner_inertia.sum()) + tip

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
    """Figures of a single-link arm on n sections."""
    link = arm.links[0]
    length = link.span
    x = np.linspace(0.0, length, n + 1)
    edges = np.concatenate(([0.0], 0.5 * (x[1:] + x[:-1]), [length]))
    mass, compliance = np.zeros(n + 1), np.zeros(n + 1)
    breaks = np.array(link.section.breaks) * length if link.section else np.zeros(0)
    nodes, weights = np.polynomial.legendre.leggauss(4)
    for i in range(n + 1):
        inner = breaks[(breaks > edges[i]) & (breaks < edges[i + 1])]
        parts = np.concatenate(([edges[i]], inner, [edges[i + 1]]))
        for a, b in itertools.pairwise(parts):
            points = 0.5 * (a + b) + 0.5 * (b - a) * nodes
            figures = link.figures(points / length)
            mass[i] += 0.5 * (b - a) * float(weights @ figures["rhoA"])
            compliance[i] += 0.5 * (b - a) * float(weights @ (1.0 / figures["EI"]))
    cell = np.diff(edges)
    joint, g = link.joint, np.array(arm.gravity[:2])
    angle = joint.start
    axis = np.array([np.cos(angle), np.sin(angle)])
    inner_inertia = np.zeros(n + 1)
    grid = Grid(
        n=n, dx=length / n, length=length, x=x, EI=cell / compliance, mass=mass, inner_inertia=inner_inertia,
        hub_inertia=joint.hub_inertia, rotor_inertia=joint.rotor_inertia, spring=joint.stiffness or 0.0,
        damper=joint.damping, payload_mass=0.0, payload_inertia=0.0, payload_offset=(0.0, 0.0),
        gravity_axial=float(g @ axis), gravity_transverse=float(g @ np.array([-axis[1], axis[0]])),
        reference=angle, fibre=link.figures(x / length)["fibre"],
    )  # fmt: skip
    return _add_lumps(grid, arm).with_payload(arm.payload)


def _add_lumps(grid: Grid, arm: Arm) -> Grid:
    """Lumped masses on the link: shared between the two nearest nodes."""
    mass, inertia = grid.mass.copy(), grid.inner_inertia.copy()
    for lump in arm.links[0].masses:
        px, py, _ = arm.links[0].place(lump.at)
        if py or not 0.0 <= px <= grid.length:
            raise CapabilityError("the method fd takes lumped masses on the link's axis only", field="arm.links.masses")
        i = min(int(px / grid.dx), grid.n - 1)
        share = px / grid.dx - i
        for node, part in ((i, 1.0 - share), (i + 1, share)):
            mass[node] += part * lump.mass
            inertia[node] += part * lump.inertia
    inertia[0] = 0.0 if inertia[0] < 1e-300 else inertia[0]
    return replace(grid, mass=mass, inner_inertia=inertia)
