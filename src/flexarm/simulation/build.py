"""From a scenario to a model that is ready to run: program, servo gains, method, time grid."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field

import numpy as np

from flexarm.drive import Program, check_events, servo_gains
from flexarm.errors import ControllerError, StepError
from flexarm.methods import get_method
from flexarm.methods.base import Hints, Model, Watch
from flexarm.methods.capabilities import not_supported
from flexarm.numerics import timegrid
from flexarm.numerics.eigen import vibration
from flexarm.scenario.model import Scenario
from flexarm.simulation.records import count_records

MOST_STEPS = 200_000_000
MOST_BYTES = 1.5e9
TRAVEL_POINTS = 401
"""Where a command is looked at between two of its jumps."""


@dataclass
class Setup:
    """Everything that a run needs, made from a scenario."""

    scenario: Scenario
    program: Program
    model: Model
    intervals: list[timegrid.Interval]
    step: float
    """Longest step, s."""
    period: float | None
    """Control period, s; None if nothing is sampled."""
    events: tuple = ()
    warnings: list[str] = field(default_factory=list)


def prepare(scenario: Scenario, period: float | None = None) -> Setup:
    """Build program, model and time grid.

    Parameters
    ----------
    scenario : Scenario
        What to run.
    period : float, optional
        Control period that is wanted from outside (on-line stepping); default that of the drives.
    """
    method = get_method(scenario.method.name)
    program = prepare_program(scenario)
    check_travel(scenario, program)
    end, every = scenario.time.end, scenario.output.every
    hints = Hints(
        step=None if scenario.time.step == "auto" else float(scenario.time.step),
        duration=end,
        every=every,
        gains=largest_gains(program, end),
        active=active_until(program, end),
    )
    model = method.build(scenario.arm, program.wiring, scenario.method.options, scenario.output.watch(), hints)
    period = period if period is not None else control_period(program)
    events = check_events(scenario.arm, scenario.events)
    if events and not method.capable(scenario.arm).payload_change:
        what = "payloads that change on the way"
        raise not_supported(method, scenario.arm, program.wiring, what, "events", "payload_change")
    models = _models_of(model, program, scenario, events)
    step, warnings = _longest_step(scenario, program, models, hints.step, period)
    cuts = [*program.jumps(end), *(event.at for event in events if event.at < end)]

    def setup(step: float) -> Setup:
        intervals = timegrid.build(end, step, cuts, every, period)
        for each in reversed(models):  # each refuses a step that would blow up; the first one stays prepared
            each.prepare(max(interval.h for interval in intervals))
        model.prepare(intervals[0].h)
        return Setup(scenario, program, model, intervals, step, period, events, warnings)

    if hints.step is not None:
        return setup(step)
    from flexarm.simulation.trial import checked

    return checked(setup, step, model_accuracy(scenario))


def check_travel(scenario: Scenario, program: Program) -> None:
    """Refuse a command that draws the link of a sliding joint in too far, or out of its joint, before anything runs."""
    sliding = [k for k, name in enumerate(scenario.arm.joints) if scenario.arm.link(name).joint.type == "prismatic"]
    told = [k for k in sliding if program.commanded[k]]
    if not told or scenario.method.name != "fem":
        return
    from flexarm.methods.fem.spatial.travel import check_length

    edges = [0.0, *program.jumps(scenario.time.end), scenario.time.end]
    for a, b in itertools.pairwise(edges):
        rows = program.table(np.linspace(a, b, TRAVEL_POINTS), 0.5 * (a + b))
        for k in told:
            link = scenario.arm.link(scenario.arm.joints[k])
            offset = link.joint.dh.d if link.joint.dh is not None else 0.0
            for value in (rows[:, k, 0].min(), rows[:, k, 0].max()):
                check_length(link, float(value) + offset)


def check_memory(setup: Setup) -> None:
    """Refuse a run whose records would not fit into memory."""
    records = count_records(setup.intervals)
    size = 8.0 * setup.model.record_width * records
    if size > MOST_BYTES:
        raise StepError(
            f"this run would keep {records:.3g} records ({size / 1e9:.3g} GB); set output.every to keep fewer",
            field="output.every",
        )


def _models_of(model: Model, program: Program, scenario: Scenario, events: tuple) -> list[Model]:
    """The model before and after each event, to see before the run what step suits them all."""
    models, arm = [model], scenario.arm
    if events:
        state = model.start(arm.pose, arm.rates, program.table(np.zeros(1), 1e-9)[0], "undeformed")
        for event in events:
            models.append(models[-1].change(state, event.payload, event.rule)[0])
    return models


def _longest_step(
    scenario: Scenario, program: Program, models: list[Model], given: float | None, period: float | None
) -> tuple[float, list[str]]:
    """The step of the run, given or computed from arm and drives, and what is to be said about it."""
    end, every, warnings = scenario.time.end, scenario.output.every, [*program.warnings]
    if given is None:
        accuracy = model_accuracy(scenario)
        # a drive that is followed by straight pieces: the error of a sine falls with the square of the step
        drive_step = program.finest * min(1.0, np.sqrt(accuracy / 1e-2))
        step = min(min(model.estimate_step(accuracy, end) for model in models), drive_step)
        step = min(step, every or np.inf, period or np.inf, end)
    else:
        step = given
        if step > program.finest:
            warnings.append(
                f"time.step ({step:g} s) is too long for the drives, which change within {program.finest:g} s"
            )
        if period is not None and period < step * (1 - 1e-9):
            raise StepError(
                f"the control period ({period:g} s) is shorter than the step ({step:g} s)", field="time.step"
            )
    if end / step > MOST_STEPS:
        raise StepError(
            f"{end:g} s in steps of {step:g} s are {end / step:.2g} steps; use a longer step or another scheme",
            field="time.step",
        )
    return step, warnings


def model_accuracy(scenario: Scenario) -> float:
    """Relative accuracy that `time.step: auto` promises."""
    return float(scenario.method.options.accuracy)


def largest_gains(program: Program, end: float) -> tuple[tuple[float, float, float], ...]:
    """Per joint the largest kp, kv, ki over the run."""
    edges = [0.0, *program.jumps(end), end]
    each = [_gains_inside(program, 0.5 * (a + b)) for a, b in itertools.pairwise(edges)]
    return tuple(
        (max(kp), max(kv), max(ki)) for kp, kv, ki in (zip(*joint, strict=True) for joint in zip(*each, strict=True))
    )


def gains_at(program: Program, time: float, end: float) -> tuple[tuple[float, float, float], ...]:
    """Per joint kp, kv, ki just after `time`."""
    after = next((jump for jump in program.jumps(end) if jump > time), end)
    return _gains_inside(program, 0.5 * (time + after))


def _gains_inside(program: Program, inside: float) -> tuple[tuple[float, float, float], ...]:
    return tuple(line.gains(inside) for line in program.lines[: len(program.wiring.joints)])


def active_until(program: Program, end: float) -> float:
    """Time after which the drives no longer change, s; the run's end if they never rest."""
    last = max(program.jumps(end), default=0.0)
    if last >= end or not program.lines:
        return last
    inside = 0.5 * (last + end)
    rows = program.table(np.linspace(last, end, 9), inside)
    still = np.array_equal(rows, np.broadcast_to(rows[:1], rows.shape))
    return last if still else end


def control_period(program: Program) -> float | None:
    """The sampling period of the laws, or None if all act continuously."""
    periods = {joint.law.period for joint in program.wiring.joints if joint.law is not None and joint.law.period > 0}
    if len(periods) > 1:
        raise ControllerError(
            "all sampled controllers need the same period; given are " + ", ".join(f"{p:g} s" for p in sorted(periods)),
            field="drive.control.period",
        )
    return periods.pop() if periods else None


def prepare_program(scenario: Scenario) -> Program:
    """The drives, compiled, with the gains of `servo: auto`: half of the structural frequency, critical damping."""
    from flexarm.rigid import close_loops, inertia_about

    program = Program.compile(scenario.arm, scenario.drive, tuple(close_loops(scenario.arm, scenario.arm.pose)))
    if not program.auto_servos:
        return program
    arm, choice = scenario.arm, scenario.method
    model = get_method(choice.name).build(arm, program.wiring, choice.options, Watch(), Hints())
    locked = model.linearise(joints="locked")
    first = float(vibration(locked.M, np.zeros_like(locked.C), locked.K, 1).hz[0])
    gains = {name: servo_gains(inertia_about(arm, name, arm.pose), first) for name in program.auto_servos}
    return program.with_servo_gains(gains)
