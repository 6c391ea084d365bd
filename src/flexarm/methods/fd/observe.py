"""From records to labelled signals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flexarm.methods.fd import layout as at
from flexarm.methods.fd.layout import HUB, MOTOR, NODE, SUMS
from flexarm.methods.fd.readings import displacement_rows, sensor_rows, strain_rows
from flexarm.methods.fd.system import System, bending_rows
from flexarm.methods.signals import Signals

if TYPE_CHECKING:
    from flexarm.arm import Link
    from flexarm.methods.base import Watch

KINDS = ("kinetic", "elastic", "gravity", "work", "dissipated", "numerical")


def signals(
    system: System, link: Link, watch: Watch, times: np.ndarray, records: np.ndarray, pushed: bool = False
) -> Signals:
    """The dataset of a run of `fd`; units and names are put on by `flexarm.result`.

    `pushed`: forces from outside act on the link, so angular momentum does not follow from the torque alone.
    """

    size, length = system.size, system.grid.length
    q, v, s = records[:, :size], records[:, size : 2 * size], records[:, 2 * size : 2 * size + SUMS]
    hub, motor = q[:, HUB], q[:, MOTOR]
    stations = np.linspace(0.0, 1.0, watch.stations)
    bend = q @ displacement_rows(system, stations).T - np.outer(hub, stations * length)
    along, across = np.cos(hub), np.sin(hub)
    shape = np.zeros((len(times), 1, len(stations), 3))
    shape[:, 0, :, 0] = np.outer(along, stations * length) - across[:, None] * bend
    shape[:, 0, :, 1] = np.outer(across, stations * length) + along[:, None] * bend
    joint = ("time", "joint")
    variables = {
        "joint_position": (joint, hub[:, None]),
        "joint_velocity": (joint, v[:, HUB, None]),
        "motor_position": (joint, motor[:, None]),
        "joint_deformation": (joint, (hub - motor)[:, None]),
        "joint_torque": (joint, s[:, at.TORQUE, None]),
        "drive_torque": (joint, (s[:, at.DRIVE_TORQUE] - s[:, at.DRAG])[:, None]),
        "tip_position": (("time", "axis"), shape[:, 0, -1, :].copy()),
        "shape": (("time", "link", "s", "axis"), shape),
        "deflection": (("time", "link", "s"), bend[:, None, :]),
        "travel": ("time", q[:, NODE + system.grid.n]),
        "strain": (("time", "gauge"), records @ strain_rows(system, link, watch.gauges).T),
        "reading": (("time", "sensor"), records @ sensor_rows(system, link, watch).T),
        "energy": (("time", "kind"), energies(system, q, v, s)),
        "angular_momentum": ("time", v @ (system.M @ system.grid.rotation)),
    }
    grid, ends = system.grid, system.ends
    if not (ends.pinned_tip or grid.gravity_axial or grid.gravity_transverse or pushed):
        variables["torque_impulse"] = ("time", s[:, at.IMPULSE])
    coordinates = {
        "time": times,
        "joint": [link.name],
        "link": [link.name],
        "axis": ["x", "y", "z"],
        "s": stations,
        "kind": list(KINDS),
        "gauge": [gauge.name for gauge in watch.gauges],
        "sensor": [sensor.name for sensor in watch.sensors],
    }
    return Signals(variables, coordinates)


def energies(system: System, q: np.ndarray, v: np.ndarray, s: np.ndarray) -> np.ndarray:
    """Energy kinds over time, shape (nt, 6)."""
    grid = system.grid
    kinetic = 0.5 * np.sum((v @ system.M) * v, axis=1)
    rows, weights = bending_rows(grid, system.hub_state, system.tip_state)
    elastic = 0.5 * (q @ rows.T) ** 2 @ weights
    stored = end_energy(system, s)
    if grid.spring > 0.0:
        elastic += 0.5 * grid.spring * (q[:, MOTOR] - q @ system.hub_row) ** 2
    gravity = gravity_energy(system, q)
    work, lost, numerical = s[:, at.WORK], s[:, at.LOST], -s[:, at.NUMERICAL]
    return np.column_stack([kinetic, elastic + stored, gravity, work + stored, lost, numerical])


def end_energy(system: System, s: np.ndarray) -> np.ndarray:
    """Energy in the half cells of ends whose slope is no coordinate, (nt,); the load that bends them has put it in."""
    grid, stored = system.grid, np.zeros(len(s))
    if system.ends.paper:
        return stored
    if not system.hub_state:
        stored = stored + grid.dx * s[:, at.ROOT_MOMENT] ** 2 / (4.0 * grid.EI[0])
    if not system.tip_state:
        stored = stored + grid.dx * s[:, at.TIP_MOMENT] ** 2 / (4.0 * grid.EI[-1])
    return stored


def gravity_energy(system: System, q: np.ndarray) -> np.ndarray:
    """Potential of gravity, zero in the reference pose, (nt,)."""
    still = system.grid.reference * system.grid.rotation
    offset = 0.5 * still @ system.geometric @ still - system.load @ still
    return 0.5 * np.sum((q @ system.geometric) * q, axis=1) - q @ system.load - offset
