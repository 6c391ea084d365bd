"""Poses that a scenario commands, and small motions about them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from flexarm.arm import Arm
from flexarm.drive import ACCELERATION, POSITION, Program
from flexarm.errors import FlexarmError
from flexarm.methods.base import LinearModel, State
from flexarm.rigid import passive_joints
from flexarm.simulation.program import prepare_program
from flexarm.simulation.rest import HoldingModel


def commanded_pose(scenario: Any, time: float, program: Program | None = None) -> tuple[float, ...] | None:
    """Joint positions that the drives command at `time`; None if a joint has no command.

    `program`: the scenario's drives, where they have been compiled before.
    """
    program = prepare_program(scenario) if program is None else program
    if not all(program.commanded):
        return None
    end = scenario.time.end
    bounds = [0.0, *program.jumps(end), end]
    after = next((bound for bound in bounds if bound > time), end)
    before = max((bound for bound in bounds if bound <= time and bound < after), default=0.0)
    row = program.table(np.array([time]), 0.5 * (before + after))[0]
    return tuple(float(value) for value in row[: len(scenario.arm.joints), POSITION])


def posed(arm: Arm, pose: Sequence[float]) -> Arm:
    """The arm with other start positions; joints that follow from closing a loop stay without one."""
    if len(pose) != len(arm.joints):
        raise FlexarmError(f"pose needs {len(arm.joints)} number(s), one per joint ({', '.join(arm.joints)})")
    passive = passive_joints(arm)
    values = {name: value for name, value in zip(arm.joints, pose, strict=True) if name not in passive}
    links = tuple(
        link.model_copy(update={"joint": link.joint.model_copy(update={"position": float(values[link.name])})})
        if link.name in values
        else link
        for link in arm.links
    )
    return arm.model_copy(update={"links": links})


def held_at(holding: HoldingModel, pose: Sequence[float], row: np.ndarray) -> LinearModel:
    """Small motions about `held_state`."""
    return holding.driven.linearise(held_state(holding, pose, row), "held")


def held_state(holding: HoldingModel, pose: Sequence[float], row: np.ndarray) -> State:
    """The rest of an arm whose laws are told to hold `pose`, with torques and gains of a drive row (channels, 7)."""
    told, model = row.copy(), holding.driven
    told[: len(pose), POSITION : ACCELERATION + 1] = 0.0
    told[: len(pose), POSITION] = pose
    return model.static(holding.rest(pose, told).pose, told)
