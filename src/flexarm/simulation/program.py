"""The compiled drives of a scenario: gains of automatic servos, shapers, largest gains, when they rest, control period."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np

from flexarm.drive import POSITION, Program, servo_gains
from flexarm.errors import CapabilityError, ControllerError
from flexarm.methods import get_method
from flexarm.methods.base import Hints, Model, Watch
from flexarm.numerics.eigen import vibration

if TYPE_CHECKING:
    from flexarm.scenario import Scenario

Gains = tuple[float, float, float]
"""kp, kv, ki."""


def build_model(scenario: Scenario, program: Program, watch: Watch | None = None, hints: Hints | None = None) -> Model:
    """The model of the scenario's method, driven by `program`."""
    choice = scenario.method
    return get_method(choice.name).build(scenario.arm, program.wiring, choice.options, watch, hints)


def prepare_program(scenario: Scenario) -> Program:
    """The drives with the gains of `servo: auto`, the shapers for modes of the arm, and the feed-forward of the flexible arm."""
    plain, key = scenario.program, (scenario.method, scenario.time, scenario.events)
    if not (plain.auto_servos or plain.auto_shapers or plain.auto_feedforward):
        return plain
    known = _PREPARED.get(plain)
    if known is None or any(a is not b for a, b in zip(known[0], key, strict=True)):
        known = _PREPARED[plain] = key, _prepared(scenario)
    return known[1]


_PREPARED: WeakKeyDictionary[Program, tuple[Any, Program]] = WeakKeyDictionary()
"""Programs that were prepared, with the parts of the scenario that they were prepared for, by those as compiled."""


def _prepared(scenario: Scenario) -> Program:
    program = unshaped_program(scenario)
    if program.auto_shapers:
        from flexarm.simulation.shaping import with_shapers

        program = with_shapers(scenario, program)
    if program.auto_feedforward:
        from flexarm.simulation.feedforward import with_feedforward

        program = with_feedforward(scenario, program)
    return program


def unshaped_program(scenario: Scenario) -> Program:
    """The drives with the gains of `servo: auto`, but without shapers for modes: half of the structural frequency, critical damping."""
    from flexarm.rigid import inertia_about

    program, arm = scenario.program, scenario.arm
    if not program.auto_servos:
        return program
    model = build_model(scenario, program)
    try:
        locked = model.linearise(joints="locked")
        first = float(vibration(locked.M, np.zeros_like(locked.C), locked.K, 1).hz[0])
    except (CapabilityError, IndexError):
        raise ControllerError(
            "servo: auto takes its gains from the first natural frequency, and with locked joints nothing vibrates here: "
            "give kp and kv",
            field="drive.servo",
        ) from None
    gains = {name: servo_gains(inertia_about(arm, name, arm.pose), first) for name in program.auto_servos}
    return program.with_servo_gains(gains)


def largest_gains(program: Program, end: float) -> tuple[Gains, ...]:
    """Per joint the largest kp, kv, ki over the run."""
    edges = [0.0, *program.jumps(end), end]
    each = [_gains_inside(program, 0.5 * (a + b)) for a, b in itertools.pairwise(edges)]
    return tuple(
        (max(kp), max(kv), max(ki)) for kp, kv, ki in (zip(*joint, strict=True) for joint in zip(*each, strict=True))
    )


def gains_at(program: Program, time: float, end: float) -> tuple[Gains, ...]:
    """Per joint kp, kv, ki just after `time`; those over the position of a joint at its command, over another reading of the first set."""
    after = next((jump for jump in program.jumps(end) if jump > time), end)
    found, joints = list(_gains_inside(program, 0.5 * (time + after))), program.wiring.joints
    if any(joint.law is not None and joint.law.table for joint in joints):
        row = row_at(program, time, end)
        places = {f"{joint.name}.position": row[k, POSITION] for k, joint in enumerate(joints) if program.commanded[k]}
        for k, joint in enumerate(joints):
            if joint.law is not None and joint.law.over in places:
                found[k] = joint.law.gains_over(float(places[joint.law.over]))
    return tuple(found)


def row_at(program: Program, time: float, end: float) -> np.ndarray:
    """Drive row (channels, 7) just after `time`."""
    after = next((jump for jump in program.jumps(end) if jump > time), end)
    return program.table(np.array([time]), 0.5 * (time + after))[0]


def _gains_inside(program: Program, inside: float) -> tuple[Gains, ...]:
    return tuple(line.gains(inside) for line in program.lines[: len(program.wiring.joints)])


def active_until(program: Program, end: float) -> float:
    """Time after which the drives no longer change, s; the run's end if they never rest."""
    last = max(program.jumps(end), default=0.0)
    if last >= end or not program.lines:
        return last
    rows = program.table(np.linspace(last, end, 9), 0.5 * (last + end))
    return last if np.array_equal(rows, np.broadcast_to(rows[:1], rows.shape)) else end


def control_period(program: Program) -> float | None:
    """The sampling period of the laws, or None if all act continuously."""
    periods = {joint.law.period for joint in program.wiring.joints if joint.law is not None and joint.law.period > 0}
    if len(periods) > 1:
        raise ControllerError(
            "all sampled controllers need the same period; given are " + ", ".join(f"{p:g} s" for p in sorted(periods)),
            field="drive.control.period",
        )
    return periods.pop() if periods else None
