"""The time grid of a run: intervals of equal steps between jumps, with outputs and control ticks on the grid.

A run is cut at every jump of a drive, at every event and at its end. Within an interval all steps are equal and not
longer than the wanted one. Outputs (multiples of `every`) and control ticks (multiples of `period`) fall on whole
steps: where a jump lies between two outputs, the interval is cut once more at the outputs next to it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from flexarm.errors import StepError

CLOSE = 1e-9
"""Times nearer than this share of the run (or of a step) are one."""


@dataclass(frozen=True)
class Interval:
    """Equal steps from `start` to `stop`.

    `jump`: the drives may jump at `start`, so accelerations are found anew. After `step` steps a record is due if
    ``(record_offset + step) % record_every == 0`` (0: never); likewise a control tick, before the step is taken.
    """

    start: float
    stop: float
    steps: int
    jump: bool
    record_every: int
    record_offset: int
    tick_every: int
    tick_offset: int

    @cached_property
    def h(self) -> float:
        """Step length in s."""
        return (self.stop - self.start) / self.steps

    @cached_property
    def inside(self) -> float:
        """A time strictly inside: it tells which pieces of the drives are active."""
        return 0.5 * (self.start + self.stop)

    def time(self, step: int) -> float:
        """Time after `step` steps; never a running sum."""
        return self.start + step * self.h

    def steps_to_tick(self, step: int) -> int:
        """Steps from `step` to the next control tick (at least 1), or to the end of the interval."""
        left = self.steps - step
        if not self.tick_every:
            return left
        return min(left, self.tick_every - (self.tick_offset + step) % self.tick_every)

    def ticks(self, step: int) -> bool:
        """True if the controller is due before step number `step`."""
        return bool(self.tick_every) and (self.tick_offset + step) % self.tick_every == 0


def build(end: float, step: float, jumps: Sequence[float], every: float | None, period: float | None) -> list[Interval]:
    """Cut 0..end into intervals.

    Parameters
    ----------
    end, step : float
        End of the run and longest step, s.
    jumps : sequence of float
        Times of jumps and events.
    every, period : float or None
        Output interval (None: every step) and control period (None: no ticks). The end of the run is always an output.
    """
    corners = _merge([0.0, *jumps, end], end)
    base = common_spacing(every, period)
    intervals: list[Interval] = []
    for a, b in itertools.pairwise(corners):
        edges = [a, b] if base is None else _edges(a, b, base)
        if every is not None and b == end and not on_grid(end, every):
            last = _previous_multiple(end, every)
            if last - edges[-2] > CLOSE * max(every, last):  # nothing but the end is recorded after the last output
                edges.insert(-1, last)
        for i, (p, q) in enumerate(itertools.pairwise(edges)):
            intervals.append(_interval(p, q, step, base, every, period, jump=i == 0))
    final = intervals[-1]
    if final.record_every == 0 or (final.record_offset + final.steps) % final.record_every:
        intervals[-1] = replace(final, record_every=final.steps, record_offset=0)
    return intervals


def _merge(times: Sequence[float], end: float) -> list[float]:
    kept = [0.0]
    for t in sorted(times):
        if t - kept[-1] > CLOSE * end and t <= end * (1 + CLOSE):
            kept.append(t)
    if end - kept[-1] > CLOSE * end:
        kept.append(end)
    kept[-1] = end
    return kept


def _steps(length: float, step: float) -> int:
    return max(1, math.ceil(length / step * (1 - CLOSE)))


def common_spacing(every: float | None, period: float | None) -> float | None:
    """The longest time of which both the output interval and the control period are whole multiples."""
    if every is None or period is None:
        return every if period is None else period
    ratio = Fraction(every / period).limit_denominator(1000)
    if ratio == 0 or abs(float(ratio) * period - every) > CLOSE * every:
        raise StepError(
            f"output.every ({every:g} s) and the control period ({period:g} s) have no common step; "
            "make one a whole multiple of the other",
            field="output.every",
        )
    return period / ratio.denominator


def _edges(a: float, b: float, base: float) -> list[float]:
    """The corners a and b, and between them the first and last multiple of `base`."""
    edges = [a]
    for t in (_next_multiple(a, base), _previous_multiple(b, base)):
        if t - edges[-1] > CLOSE * max(base, t) and b - t > CLOSE * max(base, t):
            edges.append(t)
    return [*edges, b]


def _interval(
    p: float, q: float, step: float, base: float | None, every: float | None, period: float | None, jump: bool
) -> Interval:
    """Steps from p to q: on the grid of `base` if both ends are, else a remnant next to a jump."""
    if base is not None and on_grid(p, base) and on_grid(q, base):
        parts = round((q - p) / base)
        per_base = _steps(base, step)
        h = base / per_base
        record, record_offset = _rhythm(p, h, every) if every is not None else (1, 0)
        tick, tick_offset = _rhythm(p, h, period) if period is not None else (0, 0)
        return Interval(p, q, parts * per_base, jump, record, record_offset, tick, tick_offset)
    steps = _steps(q - p, step)
    record = 1 if every is None else (steps if on_grid(q, every) else 0)
    tick = steps + 1 if period is not None and on_grid(p, period) else 0
    return Interval(p, q, steps, jump, record, 0, tick, 0)


def _rhythm(p: float, h: float, spacing: float) -> tuple[int, int]:
    """Steps per spacing, and how many of them have passed at time p."""
    per = round(spacing / h)
    return per, round((p - _previous_multiple(p, spacing)) / h) % per


def _next_multiple(t: float, base: float) -> float:
    return math.ceil(t / base - CLOSE * max(1.0, t / base)) * base


def _previous_multiple(t: float, base: float) -> float:
    return math.floor(t / base + CLOSE * max(1.0, t / base)) * base


def on_grid(t: float, spacing: float) -> bool:
    """True if t is a whole multiple of the spacing, up to rounding."""
    return abs(t - round(t / spacing) * spacing) <= CLOSE * max(spacing, t)
