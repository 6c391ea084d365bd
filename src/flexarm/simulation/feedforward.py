"""Feed-forward of the flexible arm: torques for a commanded motion, from a run before the run.

`joint`: all joints are led exactly along their commands, behind their shapers, in a run of the same arm by the same method; the torques that this
takes are added to the laws. They are stable and causal, whatever the arm, but the tip rings at the frequencies of the clamped arm unless the command
avoids it. `tip`: torques and joint motions that lead the tip, see `flexarm.control.feedforward`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from flexarm.drive import PieceSignal, Program, Wiring
from flexarm.drive.line import Line
from flexarm.drive.piecewise import Row
from flexarm.drive.signal import SumSignal
from flexarm.errors import ScenarioError

if TYPE_CHECKING:
    from flexarm.scenario import Scenario

RESOLVERS = {"joint": "flexarm.simulation.feedforward:joint_torques", "tip": "flexarm.control.feedforward:tip_torques"}
"""Where the torques of each kind are found: functions of a scenario and its program that give the program with them; loaded when asked for."""


def with_feedforward(scenario: Scenario, program: Program) -> Program:
    """The drives of a scenario with the feed-forward of the flexible arm."""
    for kind in program.auto_feedforward:
        module, name = RESOLVERS[kind].split(":")
        found: Callable[[Scenario, Program], Program] = getattr(importlib.import_module(module), name)
        program = found(scenario, program)
    return program


def joint_torques(scenario: Scenario, program: Program) -> Program:
    """The drives with the torques of the flexible arm whose joints are led along their commands."""
    from flexarm.simulation.build import prepare
    from flexarm.simulation.run import simulate

    joints = tuple(replace(joint, mode="motion", law=None) for joint in program.wiring.joints)
    led = tuple(Line(line.name, line.position) if k < len(joints) else line for k, line in enumerate(program.lines))
    moved = replace(program, lines=led, wiring=Wiring(joints, program.wiring.patches), warnings=(), auto_servos=())
    run = simulate(prepare(scenario.with_({"output": None}), program=moved), warn=False)
    if not run.success:
        raise ScenarioError(
            f"feedforward: joint needs a run with the joints led, but it failed: {run.message}", field="drive"
        )
    times, torques = run.data.time.values, run.data.drive_torque
    added = {
        line.name: polyline(times - held_back(program, line.name), torques.sel(joint=line.name).values)
        for line in program.lines
        if line.feedforward == "joint"
    }
    return with_efforts(program, added)


def with_efforts(program: Program, added: dict[str, PieceSignal], notes: Sequence[str] = ()) -> Program:
    """The program with torques added to some lines, which have no feed-forward any more."""
    lines = tuple(
        replace(
            line, feedforward=None,
            effort=added[line.name] if line.effort is None else SumSignal(line.effort, added[line.name]),
        )
        if line.name in added
        else line
        for line in program.lines
    )  # fmt: skip
    return replace(program, lines=lines, warnings=(*program.warnings, *notes))


def held_back(program: Program, joint: str) -> float:
    """Half of the period of a sampled law, s: a torque that is held for a period stands for the middle of it."""
    law = next(wired.law for wired in program.wiring.joints if wired.name == joint)
    return 0.5 * law.period if law is not None else 0.0


def polyline(times: np.ndarray, values: np.ndarray) -> PieceSignal:
    """A torque from t = 0 on that is linear between samples, and holds the last one."""
    later = np.append(np.diff(times) > 0.0, True) & (times > 0.0)
    t, v = np.append(0.0, times[later]), np.append(np.interp(0.0, times, values), values[later])
    slopes = [*(np.diff(v) / np.diff(t)).tolist(), 0.0]
    rows = [Row(float(a), (float(b), c), smooth=k > 0) for k, (a, b, c) in enumerate(zip(t, v, slopes, strict=True))]
    return PieceSignal(rows, orders=1, finest=float(np.median(np.diff(t))))
