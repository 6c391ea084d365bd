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


def add_cylinders(setup: Setup, data: Signals) -> None:
    """Length of every cylinder, the force that it gives, and the pressure difference that this load takes."""
    found: dict[str, Cylinder] = {
        name: drive.cylinder for drive in setup.scenario.drive if drive.cylinder is not None for name in drive.names
    }
    if not found or "drive_torque" not in data:
        return
    joints = list(data.coordinates["joint"])
    side = "motor" if "motor_position" in data else "joint"
    columns: dict[str, list[np.ndarray]] = {"length": [], "force": [], "pressure": []}
    for name, cylinder in found.items():
        length, slope, _ = cylinder.reach(data[f"{side}_position"][:, joints.index(name)])
        force = data["drive_torque"][:, joints.index(name)] / slope
        columns["length"].append(length)
        columns["force"].append(force)
        columns["pressure"].append(force / cylinder.area if cylinder.area else np.full_like(force, np.nan))
    data.coordinates["cylinder"] = list(found)
    for what, values in columns.items():
        if not np.all(np.isnan(values)):
            data.variables[f"cylinder_{what}"] = (("time", "cylinder"), np.stack(values, axis=1))
