"""The set-up of a run, made once from a scenario: drives, model and time grid. All that is told about a run takes it."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from flexarm.drive import POSITION, Program, check_events
from flexarm.errors import StepError
from flexarm.methods import get_method
from flexarm.methods.base import Hints, Model
from flexarm.methods.capabilities import not_supported
from flexarm.numerics import timegrid
from flexarm.numerics.blas import with_one_blas_thread
from flexarm.scenario.model import Scenario
from flexarm.simulation.limits import limit_warnings
from flexarm.simulation.program import active_until, build_model, control_period, largest_gains, prepare_program
from flexarm.simulation.progress import SILENT, Monitor
from flexarm.simulation.records import count_records
from flexarm.simulation.rest import HoldingModel

if TYPE_CHECKING:
    from flexarm.simulation.control_loops.stability import Stability
    from flexarm.simulation.trial import Trial

MOST_STEPS = 200_000_000
MOST_BYTES = 1.5e9
FEWEST_STEPS = 20
"""Of a run whose step is automatic."""
TRAVEL_POINTS = 401
"""Where a command is looked at between two of its jumps."""
FINE = 0.2
"""Share of the shorter one of output interval and control period, below which their common grid is told."""


@dataclass
class Setup:
    """Everything that a run needs, made from a scenario.

    It can be run several times, one after the other: its model has arrays to work in, which two runs at once would share.

    Attributes
    ----------
    program : Program
        The drives, with the gains of automatic servos.
    step : float
        Longest step, s.
    period : float or None
        Control period, s; None if nothing is sampled.
    holding : HoldingModel
        The arm with its driven joints held, for cylinders.
    trial : Trial or None
        The run itself, if it was done to choose the step.
    stabilities : dict
        What has been found out about the control loops, by the number of poses that were looked at.
    """

    scenario: Scenario
    program: Program
    model: Model
    intervals: list[timegrid.Interval]
    step: float
    period: float | None
    holding: HoldingModel
    events: tuple = ()
    warnings: list[str] = field(default_factory=list)
    trial: Trial | None = None
    stabilities: dict[int, Stability | None] = field(default_factory=dict)

    @property
    def steps(self) -> int:
        """Number of steps."""
        return sum(interval.steps for interval in self.intervals)


@with_one_blas_thread
def prepare(
    scenario: Scenario, period: float | None = None, monitor: Monitor = SILENT, default_period: float | None = None,
    program: Program | None = None,
) -> Setup:  # fmt: skip
    """Build program, model and time grid.

    Parameters
    ----------
    scenario : Scenario
        What to run.
    period : float, optional
        Control period that is wanted from outside (on-line stepping); default that of the drives.
    monitor : Monitor
        Is told the stages, and may stop the work.
    default_period : float, optional
        Control period if neither the drives nor `period` give one.
    program : Program, optional
        Drives in place of the scenario's own.
    """
    monitor.begin("build", 0, 3)
    method, program = get_method(scenario.method.name), program or prepare_program(scenario)
    end, every = scenario.time.end, scenario.output.every
    hints = Hints(
        step=None if scenario.time.step == "auto" else float(scenario.time.step),
        duration=end,
        every=every,
        gains=largest_gains(program, end),
        active=active_until(program, end),
    )
    monitor.begin("build", 1, 3)
    model = build_model(scenario, program, scenario.output.watch(), hints)
    _check_travel(model, program, end)
    monitor.begin("build", 2, 3)
    period = period or control_period(program) or default_period
    events = check_events(scenario.arm, scenario.events)
    if events and not method.capable(scenario.arm).payload_change:
        what = "payloads that change on the way"
        raise not_supported(method, scenario.arm, program.wiring, what, "events", "payload_change")
    models = _models_of(model, program, scenario, events)
    accuracy, warnings = float(scenario.method.options.accuracy), [*program.warnings, *limit_warnings(scenario)]
    longest = min(program.finest, every or np.inf, period or np.inf, end)
    warnings += _check_spacing(every, period)
    if hints.step is not None:
        warnings += _check_step(hints.step, program, period)
    breaks = [*program.jumps(end), *(event.at for event in events if event.at < end)]
    holding = HoldingModel(model)

    def setup(step: float, until: float = end) -> Setup:
        _check_count(step, until)
        intervals = timegrid.build(until, step, breaks, every, period)
        for each in reversed(models):  # each refuses a step that would blow up; the first one stays prepared
            each.prepare(max(interval.h for interval in intervals))
        model.prepare(intervals[0].h)
        return Setup(scenario, program, model, intervals, step, period, holding, events, warnings)

    def estimate() -> float:
        # a drive that is followed by straight pieces: the error of a sine falls with the square of the step
        drive_step = program.finest * min(1.0, np.sqrt(accuracy / 1e-2))
        return min(drive_step, longest, *(each.estimate_step(accuracy, end) for each in models))

    if hints.step is not None:
        return setup(hints.step)
    if program.external:  # which cannot be asked twice
        return setup(estimate())
    from flexarm.simulation.trial import checked

    coarsest = min(longest, end / FEWEST_STEPS, *(each.first_step(accuracy, end) for each in models))
    return checked(setup, coarsest, estimate, accuracy, monitor)


def _check_travel(model: Model, program: Program, end: float) -> None:
    """Refuse a command that the link of a sliding joint cannot follow, before anything runs."""
    told = [
        k
        for k, name in enumerate(model.arm.joints)
        if program.commanded[k] and model.arm.link(name).joint.type == "prismatic"
    ]
    if not told:
        return
    for a, b in itertools.pairwise([0.0, *program.jumps(end), end]):
        positions = np.full((TRAVEL_POINTS, len(model.arm.joints)), np.nan)
        positions[:, told] = program.table(np.linspace(a, b, TRAVEL_POINTS), 0.5 * (a + b))[:, told, POSITION]
        model.check_positions(positions)


def record_bytes(setup: Setup) -> float:
    """Size of all records of a run."""
    return 8.0 * setup.model.record_width * count_records(setup.intervals)


def check_memory(setup: Setup) -> None:
    """Refuse a run whose records would not fit into memory."""
    size = record_bytes(setup)
    if size > MOST_BYTES:
        raise StepError(
            f"this run would keep {count_records(setup.intervals):.3g} records ({size / 1e9:.3g} GB); set output.every to "
            "keep fewer",
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


def _check_step(step: float, program: Program, period: float | None) -> list[str]:
    """Refuse a given step that is longer than the control period; what is to be said about it."""
    if period is not None and period < step * (1 - 1e-9):
        raise StepError(f"the control period ({period:g} s) is shorter than the step ({step:g} s)", field="time.step")
    if step <= program.finest:
        return []
    return [f"time.step ({step:g} s) is too long for the drives, which change within {program.finest:g} s"]


def _check_spacing(every: float | None, period: float | None) -> list[str]:
    """What is to be said of records that seldom meet the ticks: every step ends on a grid that both fit."""
    base = timegrid.common_spacing(every, period)
    if every is None or period is None or base is None or base > FINE * min(every, period):
        return []
    return [
        f"output.every ({every:g} s) and the control period ({period:g} s) fit only a grid of {base:g} s, and no step is longer; "
        "make one a whole multiple of the other"
    ]


def _check_count(step: float, end: float) -> None:
    if end / step > MOST_STEPS:
        raise StepError(
            f"{end:g} s in steps of {step:g} s are {end / step:.2g} steps; use a longer step or another scheme",
            field="time.step",
        )
