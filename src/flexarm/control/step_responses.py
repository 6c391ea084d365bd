"""Steps of an input: the linear model against a run of the arm itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from flexarm.control.plant import treatments_of
from flexarm.control.state_space import StateSpace, state_space
from flexarm.drive import PieceSignal, Program, Wiring
from flexarm.drive.line import Line
from flexarm.drive.piecewise import Row
from flexarm.errors import FlexarmError, check_word
from flexarm.scenario import Scenario, as_scenario
from flexarm.simulation.build import prepare
from flexarm.simulation.program import prepare_program
from flexarm.simulation.run import simulate

RECORDS = 1000


@dataclass(frozen=True)
class StepComparison:
    """Responses to a step.

    Attributes
    ----------
    input : str
        What is stepped, by `size` in its unit.
    outputs, units : tuple of str
        What is read.
    time : ndarray, shape (n,)
        s.
    linear, run : ndarray, shape (n, outputs)
        Deviations from rest by the linear model, and in a run.
    """

    input: str
    size: float
    outputs: tuple[str, ...]
    units: tuple[str, ...]
    time: np.ndarray
    linear: np.ndarray
    run: np.ndarray

    @property
    def difference(self) -> np.ndarray:
        """Largest distance between both over the largest response, shape (outputs,)."""
        largest = np.maximum(np.abs(self.run).max(axis=0), np.abs(self.linear).max(axis=0))
        return np.asarray(np.abs(self.run - self.linear).max(axis=0) / np.maximum(largest, 1e-300))


def step_comparison(
    scenario: Scenario | str | Path, size: float, *, joint: str | None = None, joints: str = "free", end: float | None = None,
    outputs: Sequence[str] | None = None,
) -> StepComparison:  # fmt: skip
    """A step of a motor's torque (`joints="free"`) or of the reference of its law ("held") from rest in the start pose, linear and in a run.

    Parameters
    ----------
    scenario : Scenario, str or Path
        The arm; what its drives command does not count.
    size : float
        Of the step, N m (N) or rad (m).
    joint : str, optional
        Default the first that can be stepped.
    end : float, optional
        How long, s; default as long as the scenario.
    outputs : sequence of str, optional
        Positions of joints (``link.position``) and of the tip (``tip.x``, ``tip.travel``); default all of these.

    Examples
    --------
    >>> import flexarm as fa
    >>> found = fa.step_comparison("pd-hub", 0.01, joints="held", outputs=["link.position"])
    >>> bool(found.difference[0] < 1e-3)
    True
    """
    used = as_scenario(scenario)
    check_word(joints, ("free", "held"), "joints")
    if not np.isfinite(size) or size == 0.0:
        raise FlexarmError(f"a step has a size that is not 0, not {size:g}", field="size")
    duration = used.time.end if end is None else float(end)
    if not duration > 0.0:
        raise FlexarmError(f"a step response needs a time to end at, not {duration:g} s", field="end")
    used = used.with_({
        "time.end": duration, "output.every": duration / RECORDS, "events": [],
        **({"time.start": "locked" if joints == "free" else "equilibrium"} if any(used.arm.gravity) else {}),
    })  # fmt: skip
    treated = treatments_of(used, joints)
    known = [name for name, kind in treated.items() if kind == joints]
    chosen = known[0] if joint is None else joint
    check_word(chosen, known, "joint")
    entry = f"{chosen}.{'torque' if joints == 'free' else 'reference'}"
    model = state_space(used, joints=joints)
    if entry not in model.inputs:
        raise FlexarmError(
            f"'{chosen}' has an actuator or a cylinder: only torques and references are stepped", field="joint"
        )
    names = _readable(model, used, outputs)
    result = simulate(prepare(used, program=_stepped(used, model, chosen, size, joints)), warn=False)
    if not result.success:
        raise FlexarmError(f"the run with a step of {size:g} failed: {result.message}")
    time = result.data["time"].values
    values = np.column_stack([_reading(result.data, name) for name in names])
    part = model.select(names, entry)
    grid = np.linspace(0.0, float(time[-1]), RECORDS + 1)
    linear = size * part.step(float(time[-1]), RECORDS).response[:, :, 0]
    run = np.column_stack([np.interp(grid, time, column) for column in (values - values[0]).T])
    return StepComparison(entry, float(size), tuple(names), part.output_units, grid, linear[: len(grid)], run)


def _readable(model: StateSpace, scenario: Scenario, outputs: Sequence[str] | None) -> list[str]:
    tip = (
        ["tip.travel"]
        if "tip.travel" in model.outputs
        else ["tip.x", "tip.y", "tip.z"][: 3 if scenario.arm.spatial else 2]
    )
    known = [*(f"{name}.position" for name in scenario.arm.joints), *tip]
    if outputs is None:
        return known
    for name in outputs:
        check_word(name, known, "outputs")
    return list(outputs)


def _reading(data: Any, name: str) -> np.ndarray:
    owner, _, part = name.rpartition(".")
    if name == "tip.travel":
        return np.asarray(data["travel"].values)
    if owner == "tip":
        return np.asarray(data["tip_position"].sel(axis=part).values)
    return np.asarray(data["joint_position"].sel(joint=owner).values)


def _stepped(scenario: Scenario, model: StateSpace, chosen: str, size: float, joints: str) -> Program:
    """The drives of a scenario at rest, with a step of one of them at t = 0."""
    program, point = prepare_program(scenario), model.point

    def constant(value: float, orders: int, initial: float) -> PieceSignal:
        return PieceSignal([Row(0.0, (float(value),))], initial=initial, orders=orders)

    lines, wired = [], []
    for k, line in enumerate(program.lines):
        if k >= len(program.wiring.joints):
            lines.append(Line(line.name))
            continue
        wiring, step = program.wiring.joints[k], size if line.name == chosen else 0.0
        pose, torque = point.pose[line.name], point.torques.get(line.name, 0.0)
        if joints == "held" and line.position is not None:
            at = pose + step
            lines.append(replace(line, position=constant(at, 3, pose), effort=None))
        else:
            lines.append(Line(line.name, effort=constant(torque + step, 1, 0.0)))
            wiring = replace(wiring, mode="torque", law=None)
        wired.append(wiring)
    return replace(program, lines=tuple(lines), wiring=Wiring(tuple(wired), program.wiring.patches), auto_servos=())
