"""The time grid: equal steps between jumps, with outputs and ticks on the grid."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flexarm.errors import StepError
from flexarm.numerics.timegrid import build

intervals = st.sampled_from([None, 1e-3, 2e-3, 5e-3, 0.01, 0.03, 0.1, 0.25])


@given(
    end=st.floats(0.05, 3.0),
    step=st.floats(2e-4, 0.5),
    cuts=st.lists(st.floats(1e-3, 3.0), max_size=5),
    every=intervals,
    period=intervals,
)
def test_grid_covers_the_run_with_outputs_and_ticks_on_it(end, step, cuts, every, period):
    grid = build(end, step, cuts, every, period)
    assert grid[0].start == 0.0 and grid[-1].stop == end
    records, ticks, starts = [], [], []
    for before, after in zip(grid, [*grid[1:], None], strict=True):
        assert before.stop > before.start and before.steps >= 1
        assert before.h <= step * (1 + 1e-8)
        assert before.start < before.inside < before.stop
        if after is not None:
            assert after.start == before.stop
        starts.append(before.start)
        for k in range(before.steps + 1):
            t = before.time(k)
            if before.record_every and k and (before.record_offset + k) % before.record_every == 0:
                records.append(t)
            if k < before.steps and before.ticks(k):
                ticks.append(t)
    for cut in cuts:
        if 1e-6 < cut < end - 1e-6:
            assert min(abs(cut - s) for s in starts) < 1e-8 * end
    if every is not None:
        wanted = every * np.arange(1, math.floor(end / every + 1e-9) + 1)
        if not len(wanted) or end - wanted[-1] > 1e-9 * max(end, every):  # the end is always recorded
            wanted = np.append(wanted, end)
        assert len(records) == len(wanted) and np.allclose(records, wanted, rtol=1e-9, atol=1e-9 * end)
    else:
        assert len(records) == sum(s.steps for s in grid) and np.all(np.diff(records) > 0)
    if period is not None:
        wanted = period * np.arange(0, math.ceil(end / period - 1e-9))
        assert len(ticks) == len(wanted) and np.allclose(ticks, wanted, rtol=1e-9, atol=1e-9 * end)
    else:
        assert not ticks


@given(
    end=st.floats(0.5, 2.0),
    step=st.floats(1e-3, 0.3),
    cuts=st.lists(st.floats(0.01, 1.9), max_size=4),
    period=intervals,
)
def test_steps_to_the_next_tick(end, step, cuts, period):
    """Jumping from tick to tick visits every tick and ends with the interval."""
    for interval in build(end, step, cuts, 0.05, 0.05 if period is None else period * 5):
        k, seen = 0, []
        while k < interval.steps:
            seen.append(interval.ticks(k))
            k += interval.steps_to_tick(k)
        assert k == interval.steps and all(seen[1:])


def test_steps_are_equal_and_as_long_as_allowed():
    (one,) = build(1.0, 0.3, [], None, None)
    assert one.steps == 4 and one.h == 0.25
    (one,) = build(1.0, 0.25, [], None, None)
    assert one.steps == 4
    (one,) = build(1.2, 2.4e-4, [], 0.3, None)
    assert one.steps == 5000 and one.record_every == 1250


def test_step_as_long_as_the_run():
    (one,) = build(0.7, 0.7, [], None, None)
    assert one.steps == 1 and one.h == 0.7
    (one,) = build(0.7, 99.0, [], None, None)
    assert one.steps == 1


def test_a_jump_between_two_outputs_makes_a_remnant_on_each_side():
    grid = build(0.4, 0.05, [0.15], 0.1, None)
    assert [s.start for s in grid] == pytest.approx([0.0, 0.1, 0.15, 0.2])
    assert [s.jump for s in grid] == [True, False, True, False]
    assert [s.record_every for s in grid] == [2, 0, 1, 2]


def test_jumps_that_differ_by_rounding_are_one():
    assert len(build(1.0, 0.1, [0.3, 0.1 + 0.2, 0.3 + 1e-12], None, None)) == 2
    assert len(build(1.0, 0.1, [1.0 - 1e-12], None, None)) == 1
    assert len(build(1.0, 0.1, [1e-12, 2.0], None, None)) == 1


@pytest.mark.parametrize(("every", "period"), [(1e-3, math.pi * 1e-3), (0.01, 0.01 * math.sqrt(2))])
def test_intervals_without_a_common_step_are_refused(every, period):
    with pytest.raises(StepError, match=r"output.every .* and the control period .* have no common step") as caught:
        build(1.0, 1e-3, [], every, period)
    assert caught.value.field == "output.every"


@pytest.mark.parametrize(("every", "period"), [(3e-3, 2e-3), (2e-3, 3e-3), (0.01, 1e-3), (1e-3, 7e-3)])
def test_intervals_with_a_common_step(every, period):
    ratio = Fraction(every / period).limit_denominator(100)
    (one,) = build(0.42, 1.0, [], every, period)
    assert one.h == pytest.approx(period / ratio.denominator) and one.record_every / one.tick_every == float(ratio)
