"""The sensors of a scenario as the first stage of a control tick (`flexarm.numerics.measuring`)."""

from __future__ import annotations

import numpy as np

from flexarm.errors import ScenarioError, check_word
from flexarm.numerics import measuring
from flexarm.simulation.build import Setup
from flexarm.simulation.tick_laws import Stage, Stages

WHOLE = 1e-6
"""Share of a period by which a time may miss a multiple of it."""


def add_sensors(stages: Stages, setup: Setup, ticking: bool) -> None:
    """Put what the scenario's sensors make of readings before the laws that read them.

    Raises
    ------
    ScenarioError
        If a reading is not there, a time is no multiple of the period of the laws, or nothing ever reads them.
    """
    measured, period = setup.scenario.output.measured, setup.period
    if not measured:
        return
    if not period:
        raise ScenarioError(
            "sensors change what laws with a period and controllers read, and this scenario has neither: give control a period",
            field="output.measured",
        )
    if not ticking:  # a look at the arm without its controller
        return
    used, rows, begin = [], [], 0
    for k, each in enumerate(measured):
        check_word(each.reading, setup.model.sensors, f"output.measured.{k}.reading")
        every = _ticks(each.period or period, period, f"output.measured.{k}.period")
        delay = _ticks(each.delay, period, f"output.measured.{k}.delay")
        if each.reading in stages.readings:
            seed = k if each.seed is None else each.seed
            used.append(stages.place(each.reading))
            rows.append((each.bias, each.noise, each.quantum, seed, max(1, every), delay, begin))
            begin += 2 + delay
    if not used:
        raise ScenarioError(
            f"no law and no controller reads '{measured[0].reading}'; they read {', '.join(stages.readings)}",
            field="output.measured.0.reading",
        )
    bias, noise, quantum, *whole = map(np.array, zip(*rows, strict=True))
    times = [np.ascontiguousarray(each, dtype=np.int64) for each in whole]
    data = measuring.Sensors(
        np.array(used, dtype=np.int64), *(np.asarray(each, dtype=float) for each in (bias, noise, quantum)), *times
    )  # fmt: skip
    names = [stages.readings[place] for place in used]
    why = lambda said, memory: f"the reading '{names[said - 1]}' became infinite or not a number"  # noqa: E731
    stages.add_first(Stage(measuring.measure, data, np.zeros(begin), why))


def _ticks(time: float, period: float, field: str) -> int:
    """A time in periods of the laws."""
    count = round(time / period)
    if abs(time - count * period) > WHOLE * period:
        raise ScenarioError(
            f"{time:g} s is no multiple of the period of the laws, {period:g} s: use {count * period:g} s, or another period",
            field=field,
        )
    return count
