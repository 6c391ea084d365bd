"""Cylinders of a run: pressures that hold the arm at the start, and lengths, forces and pressures as signals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from flexarm.drive import POSITION, Cylinder, HydraulicCylinder, Program
from flexarm.errors import ScenarioError
from flexarm.methods.base import Model, State, Watch
from flexarm.methods.signals import Signals
from flexarm.numerics.law_rows import INTEGRAL, PRESSURE, STATE
from flexarm.simulation.program import build_model

if TYPE_CHECKING:
    from flexarm.scenario import Scenario
    from flexarm.simulation.build import Setup


class HoldingModel:
    """The arm with its driven joints held, built when it is first asked for: which torques hold it in a pose.

    Parameters
    ----------
    scenario : Scenario
        Its arm, method and options are used.
    program : Program
        Its drives.
    """

    def __init__(self, scenario: Scenario, program: Program):
        self._scenario, self._program = scenario, program

    @property
    def cylinders(self) -> dict[int, HydraulicCylinder]:
        """Cylinders with oil, by the number of the joint that they move."""
        return {k: j.law.cylinder for k, j in enumerate(self._program.wiring.joints) if j.law and j.law.cylinder}

    @cached_property
    def _model(self) -> Model:
        wiring = self._program.wiring
        held = tuple(replace(j, mode="motion", law=None) if j.mode == "torque" else j for j in wiring.joints)
        return build_model(
            self._scenario, replace(self._program, wiring=replace(wiring, joints=held)), Watch(stations=2)
        )

    def torques(self, pose: Sequence[float], row: np.ndarray, step: float) -> tuple[np.ndarray, np.ndarray]:
        """Torques that hold the driven joints in equilibrium, (joints,), and the pose with its loops closed.

        Parameters
        ----------
        pose : sequence of float
            Joint positions, rad or m.
        row : ndarray, shape (channels, 7)
            Drive table, for the forces of patches.
        step : float
            A step that the method can make, s.
        """
        from flexarm.rigid import close_loops

        model, closed = self._model, np.array(close_loops(self._scenario.arm, pose))
        at_rest = np.zeros_like(row)
        at_rest[: len(closed), POSITION] = closed
        at_rest[len(closed) :] = row[len(closed) :]
        state = model.start(closed, np.zeros(len(closed)), at_rest, "equilibrium")
        model.prepare(step)
        state = model.restart(state, at_rest)
        seen = model.observe(np.zeros(1), model.record(state)[None, :], at_rest[None])
        return seen["drive_torque"][0], closed

    def rests(self, pose: Sequence[float]) -> dict[str, tuple[float, float]]:
        """Position and holding torque of the joints that cylinders with oil move, by name."""
        if not self.cylinders:
            return {}
        given = self._scenario.time.step
        row = np.zeros((len(self._program.lines), 7))
        torques, closed = self.torques(pose, row, 1e-6 if given == "auto" else float(given))
        return {self._program.channels[k]: (float(closed[k]), float(torques[k])) for k in self.cylinders}


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
    torques, pose = setup.holding.torques(setup.scenario.arm.pose, row, setup.intervals[0].h)
    for k, driven in cylinders.items():
        _, slope, _ = driven.cylinder.reach(np.array(pose[k]))
        try:
            a, b, opening = driven.at_rest(torques[k] / float(slope))
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
