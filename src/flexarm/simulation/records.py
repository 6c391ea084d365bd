"""How many steps of a run are kept when nobody says how often: few enough for memory, disk and figures.

Every step is kept while there are at most `output.records` of them, else every second, fourth, eighth ... So records are
even, and a run with half the step has its records at the same times.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from flexarm.numerics.timegrid import Interval

if TYPE_CHECKING:
    from flexarm.simulation.build import Setup

PEAK_LOSS = 0.01
"""Share of a vibration's peak that may fall between two records, for the frequency that the note names."""


def limit_records(setup: Setup) -> Setup:
    """The set-up of a run that keeps at most `output.records` records, and says so; a spacing that is given stands."""
    output, steps = setup.scenario.output, setup.steps
    if output.every is not None or output.records == "all" or steps <= output.records:
        return replace(setup, warnings=[*setup.warnings])
    apart = 2 ** math.ceil(math.log2(steps / output.records))
    intervals = thinned(setup.intervals, apart)
    spacing = apart * max(interval.h for interval in intervals)
    seen = math.acos(1.0 - PEAK_LOSS) / (math.pi * spacing)
    note = (
        f"of {steps} steps one in {apart} was recorded (every {spacing:.3g} s), and peaks are those of the records: a "
        f"vibration up to {seen:.3g} Hz shows its peak to {100 * PEAK_LOSS:g} %; output.every or output.records: all keeps more"
    )
    return replace(setup, intervals=intervals, warnings=[*setup.warnings, note])


def thinned(intervals: list[Interval], apart: int) -> list[Interval]:
    """The same steps with one record every `apart` steps, counted from the start of the run."""
    found, before = [], 0
    for interval in intervals:
        found.append(replace(interval, record_every=apart, record_offset=before % apart))
        before += interval.steps
    return found


def count_records(intervals: list[Interval]) -> int:
    """Records of a whole run, without its first and last moment."""
    return sum(
        (s.record_offset + s.steps) // s.record_every - s.record_offset // s.record_every
        for s in intervals
        if s.record_every
    )
