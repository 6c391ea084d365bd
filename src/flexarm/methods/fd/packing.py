"""From the matrices of the system to the few packed arrays that the kernels read."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexarm.drive import Law, Patch, Wiring
from flexarm.methods.fd import layout as at
from flexarm.methods.fd.layout import HUB, MOTOR, NODE
from flexarm.methods.fd.lumps import lump_table
from flexarm.methods.fd.system import System, curvature_rows
from flexarm.methods.law_table import law_row
from flexarm.numerics import laws

FRICTION_RATE = 1e-3
"""Rate in rad/s over which dry friction changes its sign."""


@dataclass(frozen=True)
class Packed:
    """Arrays of one model for its kernels; `amplitude`, `work` and `law_work` are scratch."""

    coef: np.ndarray
    par: np.ndarray
    ip: np.ndarray
    patch: np.ndarray
    lump: np.ndarray
    law: np.ndarray
    amplitude: np.ndarray
    work: np.ndarray
    law_work: np.ndarray


def sensor_coordinate(system: System, sensor: str) -> tuple[int, float]:
    """Coordinate that a sensor reads, and its reading per unit of it."""
    grid = system.grid
    if sensor == "chord":
        return NODE + grid.n, 1.0 / grid.length
    if sensor == "motor" and grid.spring > 0.0:
        return MOTOR, 1.0
    return (HUB, 1.0) if system.hub_state else (NODE + 1, 1.0 / grid.dx)


def drive_coordinate(system: System) -> tuple[int, float]:
    """Coordinate that the motor moves, and its value per rad."""
    if system.prescribed >= 0:
        return system.prescribed, system.scale
    if system.grid.spring > 0.0:
        return MOTOR, 1.0
    return (HUB, 1.0) if system.hub_state else (NODE + 1, system.grid.dx)


def patch_rows(system: System, patches: tuple[Patch, ...]) -> np.ndarray:
    """Rows of every patch, shape (3 * patches, N): covered share, nodal force, stroke."""
    grid, n = system.grid, system.grid.n
    rows = np.zeros((3 * len(patches), system.size))
    edges = np.concatenate(([0.0], 0.5 * (grid.x[1:] + grid.x[:-1]), [grid.length]))
    curvature = curvature_rows(grid, system.hub_state, system.tip_state)
    for k, patch in enumerate(patches):
        a, b = patch.start * grid.length, patch.stop * grid.length
        if patch.kind == "moment":
            covered = np.clip(np.minimum(edges[1:], b) - np.maximum(edges[:-1], a), 0.0, None)
            share = covered / np.diff(edges)
            rows[3 * k + at.PATCH_MOMENT, NODE : NODE + n + 1] = share
            rows[3 * k + at.PATCH_STROKE] = covered @ curvature
        else:
            force = _spread_force(grid.x, grid.dx, a, b)
            rows[3 * k + at.PATCH_FORCE, NODE + 1 : NODE + n + 1] = force[1:]
            rows[3 * k + at.PATCH_STROKE, NODE + 1 : NODE + n + 1] = force[1:]
    return rows


def _spread_force(x: np.ndarray, dx: float, a: float, b: float) -> np.ndarray:
    """Shares of a unit force spread evenly over a..b (a point force if they are equal): hat functions integrated."""
    points = np.array([a]) if b <= a else a + (b - a) * (np.arange(400) + 0.5) / 400
    hats = np.clip(1.0 - np.abs(points[:, None] - x[None, :]) / dx, 0.0, None)
    return hats.mean(axis=0)


def pack(system: System, wiring: Wiring, eta: float) -> Packed:
    """Everything that the kernels of leapfrog, newmark and exact read."""
    grid, n = system.grid, system.grid.n
    size = system.size
    law: Law | None = wiring.joints[0].law if wiring.joints else None
    drive, scale = drive_coordinate(system)
    sense, per_unit = sensor_coordinate(system, law.sensor if law else "hub")
    coef = np.zeros((5, size))
    coef[at.BENDING, NODE : NODE + n + 1] = grid.EI / grid.dx**2
    coef[at.BENDING, [NODE, NODE + n]] *= 2.0
    coef[at.TENSION, NODE : NODE + n] = grid.tension / grid.dx
    coef[at.LOAD, NODE + 1 : NODE + n + 1] = _node_loads(system)
    diagonal = np.diag(system.M)[system.free]
    coef[at.INVERSE_MASS, system.free] = np.divide(1.0, diagonal, out=np.zeros_like(diagonal), where=diagonal > 0)
    coef[at.KICK] = coef[at.INVERSE_MASS] / grid.dx
    par = np.zeros(at.P_SIZE)
    par[[at.P_DX, at.P_ETA, at.P_SPRING, at.P_DAMPER]] = grid.dx, eta, grid.spring, grid.damper
    par[[at.P_TIP_LOAD, at.P_TIP_STIFFNESS]] = _tip_couple(system)
    par[[at.P_LENGTH, at.P_SCALE, at.P_SENSE]] = grid.length, scale, per_unit
    par[at.P_ROTOR] = 0.0 if grid.spring > 0 else grid.rotor_inertia
    par[at.P_DRIVE_MASS] = system.M[drive, drive] * scale**2
    ip = np.zeros(at.I_SIZE, dtype=np.int64)
    ip[[at.I_N, at.I_HUB_STATE, at.I_TIP_STATE]] = n, system.hub_state, system.tip_state
    ip[[at.I_SPRING, at.I_DRIVE, at.I_SENSE]] = grid.spring > 0, drive, sense
    ip[[at.I_MOTION, at.I_PAPER]] = system.prescribed >= 0, system.ends.paper
    ip[[at.I_LAW, at.I_PATCHES]] = system.ends.law, len(wiring.patches)
    ip[at.I_GRAVITY] = bool(grid.gravity_axial or grid.gravity_transverse)
    ip[at.I_PAIR] = _pair(system, par)
    ip[[at.I_COUNT, at.I_LUMPS]] = size, len(grid.lump_place)
    patch = patch_rows(system, wiring.patches)
    par[[at.P_ROOT_INERTIA, at.P_TIP_INERTIA]] = grid.hub_inertia + par[at.P_ROTOR], grid.tip_inertia
    par[at.P_TIP_STATIC] = grid.payload_mass * grid.payload_offset[0]
    ip[at.I_ROOT_CELL] = not system.hub_state
    reached = bool(patch[at.PATCH_MOMENT :: 3, NODE + n].any())
    ip[at.I_TIP_CELL] = not system.tip_state and (grid.tip_inertia > 0.0 or reached or eta > 0.0)
    ip[at.I_SOFT] = eta > 0.0 or grid.damper > 0.0 or law is not None
    return Packed(
        coef, par, ip, patch, lump_table(grid, system.hub_state, system.tip_state),
        law_row(law, FRICTION_RATE)[None, :],
        np.zeros(max(1, len(wiring.patches))), np.zeros((5, size)), np.zeros((laws.ORDER + 2, laws.ORDER)),
    )  # fmt: skip


def is_plain(packed: Packed, eta: float) -> bool:
    """True if the fast kernel of the plain case will do: torque on a rigid joint, no damping, no weight."""
    ip = packed.ip
    special = ip[[at.I_LAW, at.I_MOTION, at.I_SPRING, at.I_PATCHES, at.I_GRAVITY]].any()
    return not special and eta == 0.0 and ip[at.I_PAIR] < 0 and ip[at.I_LUMPS] == 0


def _node_loads(system: System) -> np.ndarray:
    """Weight on nodes 1..n, with the part by which the axial force is measured from the reference pose."""
    grid, n = system.grid, system.grid.n
    steps = np.append(grid.tension, 0.0) * grid.reference
    load = grid.gravity_transverse * grid.mass[1:] + (steps[:-1] - steps[1:])
    load[n - 1] += grid.gravity_transverse * grid.payload_mass
    return load


def _tip_couple(system: System) -> tuple[float, float]:
    """Constant couple of an offset payload's weight at the tip, and its stiffness against rotation."""
    grid = system.grid
    (ax, ay), m = grid.payload_offset, grid.payload_mass
    stiffness = m * (grid.gravity_axial * ax + grid.gravity_transverse * ay)
    couple = m * (grid.gravity_transverse * ax - grid.gravity_axial * ay)
    return couple + stiffness * grid.reference, stiffness


def _pair(system: System, par: np.ndarray) -> int:
    """First of the two neighbours that are coupled by mass, its inverse put into `par`; -1 if there are none."""
    M = system.M[np.ix_(system.free, system.free)]
    coupled = np.argwhere(np.triu(np.abs(M), 1) > 0)
    if len(coupled) == 0:
        return -1
    i, j = sorted(int(system.free[k]) for k in coupled[0])
    inverse = np.linalg.inv(system.M[i : j + 1, i : j + 1])
    par[[at.P_PAIR00, at.P_PAIR01, at.P_PAIR11]] = inverse[0, 0], inverse[0, 1], inverse[1, 1]
    return i
