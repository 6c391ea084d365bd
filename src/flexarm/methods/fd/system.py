"""The semi-discrete system: which coordinates are free, and its matrices.

Zero inertias need no division: a massless hub turned by a given torque carries the moment -tau and its slope follows
from it; a payload without rotary inertia leaves the tip free of moment. Only where a spring or a control law holds a
massless hub does its slope stay a (massless) coordinate.

Equations: F4, F5, F10, F11, F14, F15, F16, F20.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from flexarm.methods.fd.grid import Grid
from flexarm.methods.fd.layout import HUB, MOTOR, NODE
from flexarm.methods.fd.lumps import lump_rows


@dataclass(frozen=True)
class Ends:
    """What happens at hub and tip.

    drive: the torque acts (or is zero), the motion is given, or the hub is clamped.
    """

    drive: Literal["torque", "motion", "clamped"]
    law: bool
    paper: bool
    pinned_tip: bool


@dataclass(frozen=True)
class System:
    """``M q'' + eta S q' + D q' + (S + R) q = f`` on the coordinates of `layout`, with S the bending stiffness."""

    grid: Grid
    ends: Ends
    M: np.ndarray
    bending: np.ndarray
    """S: stiffness of the beam, (N, N)."""
    joint: np.ndarray
    """Stiffness of the joint spring, (N, N)."""
    geometric: np.ndarray
    """Stiffness by gravity: axial force on the bent link, weight of an offset payload, (N, N)."""
    damper: np.ndarray
    """D: damper across the joint spring, (N, N)."""
    load: np.ndarray
    """Constant forces of gravity, (N,)."""
    torque: np.ndarray
    """Generalised force per torque of the motor, (N,)."""
    free: np.ndarray
    """Indices of the free coordinates."""
    prescribed: int
    """Index of the coordinate that follows the motion, -1 if none."""
    scale: float
    """Its value per rad of motion (dx where the motion moves node 1)."""
    hub_state: bool
    tip_state: bool
    hub_row: np.ndarray
    """Row that gives the hub angle from q (without the part of an eliminated massless hub)."""

    @property
    def size(self) -> int:
        """Number of coordinates."""
        return self.grid.size

    @property
    def restoring(self) -> np.ndarray:
        """R: joint spring and gravity, (N, N)."""
        return self.joint + self.geometric

    @property
    def K(self) -> np.ndarray:
        """Whole stiffness, (N, N)."""
        return self.bending + self.restoring


def curvature_rows(grid: Grid, hub_state: bool, tip_state: bool) -> np.ndarray:
    """Rows that give the curvature at nodes 0..n from q, shape (n + 1, N)."""
    return np.array([curvature_row(grid, i, hub_state, tip_state) for i in range(grid.n + 1)])


def curvature_row(grid: Grid, i: int, hub_state: bool, tip_state: bool) -> np.ndarray:
    """Row that gives the curvature at node i, (N,)."""
    row, n, dx = np.zeros(grid.size), grid.n, grid.dx
    if 0 < i < n:
        row[NODE + i - 1 : NODE + i + 2] = [1.0, -2.0, 1.0]
    elif i == 0 and hub_state:
        row[NODE + 1], row[HUB] = 2.0, -2.0 * dx
    elif i == n and tip_state:
        row[NODE + n - 1], row[NODE + n], row[NODE + n + 1] = 2.0, -2.0, 2.0 * dx
    row[NODE] = 0.0  # y_0 = 0
    return row / dx**2


def bending_rows(grid: Grid, hub_state: bool, tip_state: bool) -> tuple[np.ndarray, np.ndarray]:
    """Rows B (n + 1 + lumps, N) and weights w with the bending energy ``sum w (B q)^2 / 2``."""
    ends = np.where((np.arange(grid.n + 1) == 0) | (np.arange(grid.n + 1) == grid.n), 0.5, 1.0)
    joints, stiffness = lump_rows(grid, hub_state, tip_state)
    rows = np.vstack([curvature_rows(grid, hub_state, tip_state), joints])
    return rows, np.concatenate([grid.dx * grid.EI * ends, stiffness])


def build_system(grid: Grid, ends: Ends) -> System:
    """Assemble matrices and decide which coordinates are free."""
    size = grid.size
    spring = grid.spring > 0.0
    hub_inertia = grid.hub_inertia + (0.0 if spring else grid.rotor_inertia)
    held = ends.drive in ("motion", "clamped")
    near_root = bool(np.any(grid.lump_place < 1.0))
    hub_state = not ends.paper and (hub_inertia > 0.0 or spring or ends.law or held or near_root)
    tip_state = not ends.paper and grid.tip_inertia > 0.0
    hub_row = np.zeros(size)
    if hub_state:
        hub_row[HUB] = 1.0
    else:
        hub_row[NODE + 1] = 1.0 / grid.dx
    free, prescribed, scale = _free_coordinates(grid, ends, spring, hub_state, tip_state)
    torque = np.zeros(size)
    torque[MOTOR] = 1.0 if spring else 0.0
    if not spring:
        torque += hub_row
    rows, weights = bending_rows(grid, hub_state, tip_state)
    twist = hub_row.copy()
    twist[MOTOR] -= 1.0
    joint = np.outer(twist, twist) if spring else np.zeros((size, size))
    geometric, load = _gravity(grid, tip_state)
    return System(
        grid=grid, ends=ends, M=_mass(grid, hub_row, hub_inertia, tip_state),
        bending=rows.T @ (weights[:, None] * rows), joint=grid.spring * joint, geometric=geometric,
        damper=grid.damper * joint, load=load, torque=torque, free=free, prescribed=prescribed, scale=scale,
        hub_state=hub_state, tip_state=tip_state, hub_row=hub_row,
    )  # fmt: skip


def _free_coordinates(
    grid: Grid, ends: Ends, spring: bool, hub_state: bool, tip_state: bool
) -> tuple[np.ndarray, int, float]:
    """Free coordinates from root to tip (a lump's slope between its nodes, so that bands stay narrow)."""
    n, dx = grid.n, grid.dx
    places = [(float(i), NODE + i) for i in range(1, n + 1)]
    places += [(int(place) + 0.5, NODE + n + 2 + k) for k, place in enumerate(grid.lump_place)]
    free = [j for _, j in sorted(places)]
    if hub_state:
        free.insert(0, HUB)
    if spring:
        free.insert(0, MOTOR)
    if tip_state:
        free.append(NODE + n + 1)
    prescribed, scale = -1, 1.0
    if ends.drive in ("motion", "clamped"):
        if spring:
            prescribed = MOTOR
        elif hub_state:
            prescribed = HUB
        else:
            prescribed, scale = NODE + 1, dx
        free.remove(prescribed)
    if ends.pinned_tip:
        free.remove(NODE + n)
    return np.array(free), prescribed, scale


def tip_slope_row(grid: Grid, tip_state: bool) -> np.ndarray:
    """Row that gives the slope at the tip from q, (N,)."""
    row = np.zeros(grid.size)
    if tip_state:
        row[NODE + grid.n + 1] = 1.0
    else:
        row[NODE + grid.n], row[NODE + grid.n - 1] = 1.0 / grid.dx, -1.0 / grid.dx
    return row


def _mass(grid: Grid, hub_row: np.ndarray, hub_inertia: float, tip_state: bool) -> np.ndarray:
    n, size = grid.n, grid.size
    M = np.zeros((size, size))
    M[NODE + 1 : NODE + n + 1, NODE + 1 : NODE + n + 1] = np.diag(grid.mass[1:])
    M[NODE + n + 2 :, NODE + n + 2 :] = np.diag(grid.lump_inertia)
    M += hub_inertia * np.outer(hub_row, hub_row)
    if grid.spring > 0.0:
        M[MOTOR, MOTOR] += grid.rotor_inertia
    tip, slope = np.zeros(size), tip_slope_row(grid, tip_state)
    tip[NODE + n] = 1.0
    ax, ay = grid.payload_offset
    centre = tip + ax * slope
    M += grid.payload_mass * np.outer(centre, centre)
    M += (grid.payload_inertia + grid.payload_mass * ay * ay + grid.end_lump) * np.outer(slope, slope)
    M[NODE, :] = M[:, NODE] = 0.0
    return M


def _gravity(grid: Grid, tip_state: bool) -> tuple[np.ndarray, np.ndarray]:
    """Stiffness by the axial force and constant load, for motion about the reference pose."""
    n, dx = grid.n, grid.dx
    K, f = np.zeros((grid.size, grid.size)), np.zeros(grid.size)
    ga, gt = grid.gravity_axial, grid.gravity_transverse
    for i, force in enumerate(grid.tension):
        pair = slice(NODE + i, NODE + i + 2)
        K[pair, pair] += force / dx * np.array([[1.0, -1.0], [-1.0, 1.0]])
    f[NODE + 1 : NODE + n + 1] = gt * grid.mass[1:]
    f[NODE + n] += gt * grid.payload_mass
    ax, ay = grid.payload_offset
    slope = tip_slope_row(grid, tip_state)
    f += grid.payload_mass * (gt * ax - ga * ay) * slope
    K += grid.payload_mass * (ga * ax + gt * ay) * np.outer(slope, slope)
    K[NODE, :] = K[:, NODE] = 0.0
    return K, f + K @ (grid.reference * grid.rotation)


def influence_vector(system: System) -> np.ndarray:
    """Coordinates per unit of the prescribed one when everything follows without inertia, (N,)."""
    r = np.zeros(system.size)
    if system.prescribed < 0:
        return r
    r[system.prescribed] = 1.0
    free = system.free
    if system.ends.pinned_tip or np.any(system.restoring[:, NODE:]) or system.grid.spring > 0:
        K = system.K
        r[free] = np.linalg.solve(K[np.ix_(free, free)], -K[free, system.prescribed])
    else:  # rigid rotation, known without rounding
        r[free] = system.grid.rotation[free] / system.scale
    return r
