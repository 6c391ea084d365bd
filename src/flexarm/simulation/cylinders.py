"""Cylinders of a run: pressures that hold the arm at the start, and lengths, forces and pressures as signals."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from flexarm.drive import POSITION, Cylinder, Wiring
from flexarm.errors import ScenarioError
from flexarm.methods import get_method
from flexarm.methods.base import Hints, State, Watch
from flexarm.numerics.law_rows import INTEGRAL, PRESSURE, STATE

if TYPE_CHECKING:
    import xarray

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
    jacks = {k: j.law.cylinder for k, j in enumerate(setup.program.wiring.joints) if j.law and j.law.cylinder}
    if not jacks:
        return
    torques, pose = holding_torques(setup, row)
    for k, jack in jacks.items():
        _, slope, _ = jack.cylinder.reach(np.array(pose[k]))
        try:
            a, b, opening = jack.at_rest(torques[k] / float(slope))
        except ValueError as error:
            name = setup.program.wiring.joints[k].name
            raise ScenarioError(f"the cylinder of joint '{name}' {error}", field="drive.actuator.cylinder") from None
        z = state.z[k]
        z[PRESSURE], z[PRESSURE + 1], z[INTEGRAL] = a, b, opening
        spool = jack.spool()
        if spool is not None:
            z[STATE : STATE + spool.order] = np.linalg.solve(-spool.A, spool.B) * opening


def holding_torques(setup: Setup, row: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Torques that hold the driven joints at the start pose in equilibrium, (joints,), and that pose."""
    from flexarm.rigid import close_loops

    scenario, wiring = setup.scenario, setup.program.wiring
    held = tuple(replace(j, mode="motion", law=None) if j.mode == "torque" else j for j in wiring.joints)
    model = get_method(scenario.method.name).build(
        scenario.arm, Wiring(held, wiring.patches), scenario.method.options, Watch(stations=2), Hints()
    )
    pose = np.array(close_loops(scenario.arm, scenario.arm.pose))
    still = np.zeros_like(row)
    still[: len(pose), POSITION] = pose
    still[len(pose) :] = row[len(pose) :]
    state = model.start(pose, np.zeros(len(pose)), still, "equilibrium")
    model.prepare(setup.stretches[0].h)
    state = model.restart(state, still)
    seen = model.observe(np.zeros(1), model.record(state)[None, :], still[None])
    return seen["drive_torque"].values[0], pose


def add_cylinders(setup: Setup, data: xarray.Dataset) -> None:
    """Length of every cylinder, the force that it gives, and the pressure difference that this load takes."""
    found: dict[str, Cylinder] = {
        name: drive.actuator.cylinder
        for drive in setup.scenario.drive
        if drive.actuator is not None and drive.actuator.cylinder is not None
        for name in drive.names
    }
    if not found or "drive_torque" not in data:
        return
    side = "motor" if "motor_position" in data else "joint"
    columns: dict[str, list[np.ndarray]] = {"length": [], "force": [], "pressure": []}
    for name, cylinder in found.items():
        length, slope, _ = cylinder.reach(data[f"{side}_position"].sel(joint=name).values)
        force = data["drive_torque"].sel(joint=name).values / slope
        columns["length"].append(length)
        columns["force"].append(force)
        columns["pressure"].append(force / cylinder.area if cylinder.area else np.full_like(force, np.nan))
    data.coords["cylinder"] = list(found)
    for what, values in columns.items():
        if not np.all(np.isnan(values)):
            data[f"cylinder_{what}"] = (("time", "cylinder"), np.stack(values, axis=1))
