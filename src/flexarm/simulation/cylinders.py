"""Cylinders of a run: pressures that hold the arm at the start, and lengths, forces and pressures as signals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flexarm.drive import Cylinder
from flexarm.errors import ScenarioError
from flexarm.methods.base import State
from flexarm.methods.signals import Signals
from flexarm.numerics.law_rows import INTEGRAL, PRESSURE, STATE

if TYPE_CHECKING:
    from flexarm.simulation.build import Setup


def fill_cylinders(setup: Setup, state: State, row: np.ndarray) -> None:
    """Give every cylinder with oil the pressures that hold the arm in its start pose, and its valve the trim for leaks.

    Parameters
    ----------
    setup : Setup
        The run.
    state : State
        At the start; its `z` is changed.
    row : ndarray, shape (channels, 7)
        Drive table at t = 0.
    """
    cylinders = setup.holding.cylinders
    if not cylinders:
        return
    held = setup.holding.held(setup.scenario.arm.pose, row)
    for k, driven in cylinders.items():
        _, slope, _ = driven.cylinder.reach(np.array(held.pose[k]))
        try:
            a, b, opening = driven.at_rest(held.torque[k] / float(slope))
        except ValueError as error:
            name = setup.program.channels[k]
            raise ScenarioError(f"the cylinder of joint '{name}' {error}", field="drive.actuator.cylinder") from None
        z = state.z[k]
        z[PRESSURE], z[PRESSURE + 1], z[INTEGRAL] = a, b, opening
        spool = driven.spool()
        if spool is not None:
            z[STATE : STATE + spool.order] = np.linalg.solve(-spool.A, spool.B) * opening


def add_cylinders(setup: Setup, data: Signals, pressures: np.ndarray) -> None:
    """Length of every cylinder, the force that it gives, and its pressures.

    Parameters
    ----------
    setup : Setup
        The run.
    data : Signals
        Of its joints; those of the cylinders are added.
    pressures : ndarray, shape (nt, cylinders with oil, 2)
        In their chambers, Pa.
    """
    found: dict[str, Cylinder] = {
        name: drive.cylinder for drive in setup.scenario.drive if drive.cylinder is not None for name in drive.names
    }
    if not found or "drive_torque" not in data:
        return
    joints, nothing = list(data.coordinates["joint"]), np.full(len(pressures), np.nan)
    with_oil = [setup.program.channels[k] for k in setup.model.with_oil]
    columns: dict[str, list[np.ndarray]] = {"length": [], "force": [], "pressure": []}
    chambers = np.full((len(pressures), len(found), 2), np.nan)
    for n, (name, cylinder) in enumerate(found.items()):
        j = joints.index(name)
        length, slope, _ = cylinder.reach(data["motor_position"][:, j])
        force = data["drive_torque"][:, j] / slope
        columns["length"].append(length)
        columns["force"].append(force)
        pushed = force + cylinder.friction * slope * data["motor_velocity"][:, j]
        if name in with_oil:
            chambers[:, n] = pressures[:, with_oil.index(name)]
            area = cylinder.area or 0.0
            pushed = area * chambers[:, n, 0] - (area - (cylinder.rod_area or 0.0)) * chambers[:, n, 1]
        columns["pressure"].append(pushed / cylinder.area if cylinder.area else nothing)
    data.coordinates["cylinder"] = list(found)
    for what, values in columns.items():
        if not np.all(np.isnan(values)):
            data.variables[f"cylinder_{what}"] = (("time", "cylinder"), np.stack(values, axis=1))
    if with_oil:
        data.coordinates["chamber"] = ["push", "pull"]
        data.variables["chamber_pressure"] = (("time", "cylinder", "chamber"), chambers)
        data.variables["differential_pressure"] = (("time", "cylinder"), chambers[..., 0] - chambers[..., 1])
