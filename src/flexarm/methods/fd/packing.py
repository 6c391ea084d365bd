"""From the matrices of the system to the arrays and numbers that the kernels read."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from flexarm.drive import Patch, Wiring
from flexarm.methods.fd import layout as at
from flexarm.methods.fd.layout import HUB, MOTOR, NODE
from flexarm.methods.fd.lumps import lump_table
from flexarm.methods.fd.pushes import across_share
from flexarm.methods.fd.starting_steps import STEPS
from flexarm.methods.fd.system import System, curvature_rows
from flexarm.methods.law_table import law_row
from flexarm.numerics import law_rows

FRICTION_RATE = 1e-3
"""Rate in rad/s over which dry friction changes its sign."""


class PatchRows(NamedTuple):
    """Covered share of the nodes' cells, nodal force, stroke of every patch, (patches, N) each."""

    moment: np.ndarray
    force: np.ndarray
    stroke: np.ndarray


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


def patch_rows(system: System, patches: tuple[Patch, ...]) -> PatchRows:
    """Rows of every patch over the coordinates."""
    grid, n = system.grid, system.grid.n
    rows = PatchRows(*np.zeros((3, len(patches), system.size)))
    edges = np.concatenate(([0.0], 0.5 * (grid.x[1:] + grid.x[:-1]), [grid.length]))
    curvature = curvature_rows(grid, system.hub_state, system.tip_state)
    for k, patch in enumerate(patches):
        a, b = patch.start * grid.length, patch.stop * grid.length
        if patch.kind == "moment":
            covered = np.clip(np.minimum(edges[1:], b) - np.maximum(edges[:-1], a), 0.0, None)
            rows.moment[k, NODE : NODE + n + 1] = covered / np.diff(edges)
            rows.stroke[k] = covered @ curvature
        else:
            force = across_share(patch, grid.reference) * _spread_force(grid.x, grid.dx, a, b)
            rows.force[k, NODE + 1 : NODE + n + 1] = rows.stroke[k, NODE + 1 : NODE + n + 1] = force[1:]
    return rows


def _spread_force(x: np.ndarray, dx: float, a: float, b: float) -> np.ndarray:
    """Shares of a unit force spread evenly over a..b (a point force if they are equal): hat functions integrated."""
    points = np.array([a]) if b <= a else a + (b - a) * (np.arange(400) + 0.5) / 400
    hats = np.clip(1.0 - np.abs(points[:, None] - x[None, :]) / dx, 0.0, None)
    return hats.mean(axis=0)


def pack(system: System, wiring: Wiring, eta: float) -> at.Arm:
    """Everything that the kernels read of the arm."""
    grid, n, size = system.grid, system.grid.n, system.size
    law = wiring.joints[0].law if wiring.joints else None
    prescribed = system.prescribed >= 0
    drive, scale = drive_coordinate(system)
    sense, per_unit = sensor_coordinate(system, law.sensor if law else "hub")
    bending, tension, load, inverse_mass = np.zeros((4, size))
    bending[NODE : NODE + n + 1] = grid.EI / grid.dx**2
    bending[[NODE, NODE + n]] *= 2.0
    tension[NODE : NODE + n] = grid.tension / grid.dx
    load[NODE + 1 : NODE + n + 1] = _node_loads(system)
    diagonal = np.diag(system.M)[system.free]
    inverse_mass[system.free] = np.divide(1.0, diagonal, out=np.zeros_like(diagonal), where=diagonal > 0)
    patch = patch_rows(system, wiring.patches)
    lump_stiffness, lump_place, lump_weight = lump_table(grid, system.hub_state, system.tip_state)
    tip_load, tip_stiffness = _tip_couple(system)
    rotor = 0.0 if grid.spring > 0 else grid.rotor_inertia
    pair, pair_inverse = _pair(system)
    reached = bool(patch.moment[:, NODE + n].any())
    damped = eta > 0.0 or grid.damper > 0.0 or law is not None
    return at.Arm(
        bending=bending, tension=tension, load=load, inverse_mass=inverse_mass, kick=inverse_mass / grid.dx,
        pair_inverse=pair_inverse, patch_moment=patch.moment, patch_force=patch.force, patch_stroke=patch.stroke,
        lump_stiffness=lump_stiffness, lump_place=lump_place, lump_weight=lump_weight,
        law=law_row(law, FRICTION_RATE)[None, :], dx=grid.dx, length=grid.length, eta=eta, spring=grid.spring,
        damper=grid.damper, tip_load=tip_load, tip_stiffness=tip_stiffness, rotor=rotor,
        drive_mass=system.M[drive, drive] * scale**2, scale=scale, sense_gain=per_unit,
        root_inertia=grid.hub_inertia + rotor, tip_inertia=grid.tip_inertia,
        tip_static=grid.payload_mass * grid.payload_offset[0], n=n, size=size, patches=len(wiring.patches),
        lumps=len(grid.lump_place), hub_state=system.hub_state, tip_state=system.tip_state,
        flexible_joint=grid.spring > 0, drive=drive, prescribed=prescribed, law_acts=law is not None and not prescribed,
        sense=sense, pair=pair, gravity=bool(grid.gravity_axial or grid.gravity_transverse), paper=system.ends.paper,
        root_cell=not system.hub_state,
        tip_cell=not system.tip_state and (grid.tip_inertia > 0.0 or reached or eta > 0.0),
        starting_steps=STEPS if damped else 0,
    )  # fmt: skip


def workspace(arm: at.Arm) -> at.Workspace:
    """Scratch for the kernels of an arm."""
    rows = np.zeros((7, arm.size))
    start = np.zeros(4 * arm.size + at.PATCHES + arm.patches), np.zeros((1, law_rows.Z_SIZE))
    return at.Workspace(np.zeros(arm.patches), *rows, np.zeros((law_rows.ORDER + 2, law_rows.ORDER)), *start)


def is_plain(arm: at.Arm) -> bool:
    """True if the fast kernel of the plain case will do: torque on a rigid joint, no damping, no weight."""
    special = arm.law_acts or arm.prescribed or arm.flexible_joint or arm.patches or arm.gravity or arm.lumps
    return not special and arm.eta == 0.0 and arm.pair < 0


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


def _pair(system: System) -> tuple[int, np.ndarray]:
    """First of the two neighbours that are coupled by mass (-1 if there are none), and the inverse of their mass."""
    M = system.M[np.ix_(system.free, system.free)]
    coupled = np.argwhere(np.triu(np.abs(M), 1) > 0)
    if len(coupled) == 0:
        return -1, np.zeros((2, 2))
    i, j = sorted(int(system.free[k]) for k in coupled[0])
    return i, np.linalg.inv(system.M[i : j + 1, i : j + 1])
