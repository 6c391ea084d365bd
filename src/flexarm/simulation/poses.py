"""Poses that a scenario commands, and small motions about them."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from flexarm.arm import Arm
from flexarm.drive import ACCELERATION, POSITION, Program
from flexarm.errors import FlexarmError
from flexarm.methods.base import LinearModel, State
from flexarm.rigid import close_loops, complete_motion, passive_joints
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


def all_commanded(arm: Arm, program: Program) -> bool:
    """True if the commands decide where the stiff arm is: given for every joint, but for those that follow from loops."""
    passive = passive_joints(arm)
    return all(given or name in passive for name, given in zip(arm.joints, program.commanded, strict=True))


def commanded_motion(scenario: Any, count: int) -> np.ndarray | None:
    """Joint positions, shape (count, joints), of the stiff arm as it is told to move over the whole run, loops closed; None if the
    commands do not decide where it is.

    Raises
    ------
    FlexarmError
        If a loop cannot follow.
    """
    program, arm, end = scenario.program, scenario.arm, scenario.time.end
    if program.auto_shapers:
        program = prepare_program(scenario)
    if not any(program.commanded) or not all_commanded(arm, program):
        return None
    program = program.with_servo_gains(dict.fromkeys(program.auto_servos, (0.0, 0.0)))  # gains move no command
    edges, times = [0.0, *program.jumps(end), end], np.linspace(0.0, end, count)
    q = np.zeros((count, len(arm.joints)))
    for a, b in itertools.pairwise(edges):
        inside = (times >= a) & (times <= b)
        if inside.any():
            q[inside] = program.table(times[inside], 0.5 * (a + b))[:, : len(arm.joints), POSITION]
    if arm.loops:
        follow = [j for j, given in enumerate(program.commanded) if not given]
        q[0, follow] = close_loops(arm, arm.pose)[follow]
        q = complete_motion(arm, q, driven=[name for j, name in enumerate(arm.joints) if j not in follow])[0]
    return q


def arm_at(scenario: Any, time: float) -> Arm:
    """The arm with the payload that it carries at `time`."""
    arm: Arm = scenario.arm
    carried = [event.payload for event in scenario.events if event.at <= time]
    if not carried:
        return arm
    held = carried[-1].model_copy(update={"link": arm.payload.link})
    return arm.model_copy(update={"payload": held})


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
