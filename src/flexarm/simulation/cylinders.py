"""Cylinders of a run: pressures that hold the arm at the start, and lengths, forces and pressures as signals."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from flexarm.arm import Arm
from flexarm.drive import POSITION, Cylinder, Wiring
from flexarm.errors import ScenarioError
from flexarm.methods import get_method
from flexarm.methods.base import Hints, State, Watch
from flexarm.methods.signals import Signals
from flexarm.numerics.law_rows import INTEGRAL, PRESSURE, STATE

if TYPE_CHECKING:
    from flexarm.scenario import Scenario
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
    torques, pose = holding_torques(setup.scenario, setup.program.wiring, setup.scenario.arm, row, setup.intervals[0].h)
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


def holding_torques(
    scenario: Scenario, wiring: Wiring, arm: Arm, row: np.ndarray, step: float
) -> tuple[np.ndarray, np.ndarray]:
    """Torques that hold the driven joints of `arm` in equilibrium in its start pose, (joints,), and that pose.

    Parameters
    ----------
    scenario : Scenario
        Its method and options are used.
    wiring : Wiring
        Of the run.
    arm : Arm
        The scenario's, or the same in another pose.
    row : ndarray, shape (channels, 7)
        Drive table, for the forces of patches.
    step : float
        A step that the method can make, s.
    """
    from flexarm.rigid import close_loops

    held = tuple(replace(j, mode="motion", law=None) if j.mode == "torque" else j for j in wiring.joints)
    model = get_method(scenario.method.name).build(
        arm, Wiring(held, wiring.patches), scenario.method.options, Watch(stations=2), Hints()
    )
    pose = np.array(close_loops(arm, arm.pose))
    still = np.zeros_like(row)
    still[: len(pose), POSITION] = pose
    still[len(pose) :] = row[len(pose) :]
    state = model.start(pose, np.zeros(len(pose)), still, "equilibrium")
    model.prepare(step)
    state = model.restart(state, still)
    seen = model.observe(np.zeros(1), model.record(state)[None, :], still[None])
    return seen["drive_torque"][0], pose


def add_cylinders(setup: Setup, data: Signals) -> None:
    """Length of every cylinder, the force that it gives, and the pressure difference that this load takes."""
    found: dict[str, Cylinder] = {
        name: drive.actuator.cylinder
        for drive in setup.scenario.drive
        if drive.actuator is not None and drive.actuator.cylinder is not None
        for name in drive.names
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


def cylinder_rests(scenario: Scenario, wiring: Wiring, arm: Arm) -> dict[str, tuple[float, float]]:
    """Position and holding torque of the joints of `arm`, in its start pose, that cylinders with oil move."""
    if not any(joint.law is not None and joint.law.cylinder is not None for joint in wiring.joints):
        return {}
    step = 1e-6 if scenario.time.step == "auto" else float(scenario.time.step)
    row = np.zeros((len(wiring.joints) + len(wiring.patches), 7))
    torques, pose = holding_torques(scenario, wiring, arm, row, step)
    return {
        joint.name: (float(pose[k]), float(torques[k]))
        for k, joint in enumerate(wiring.joints)
        if joint.law is not None and joint.law.cylinder is not None
    }
