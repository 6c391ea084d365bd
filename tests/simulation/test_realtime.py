"""Pacing with a false clock: deadlines, misses and percentiles without waiting for anything."""

from __future__ import annotations

import gc

import numpy as np
import pytest

import flexarm as fa
from flexarm.errors import FlexarmError
from flexarm.simulation.realtime import Timing, commanded, pace, percentiles, whole_periods

PERIOD = 1e-3


class Clock:
    """Time that passes by a tick with each look, and with sleeping, which may last too long."""

    def __init__(self, tick: float = 1e-6, oversleep: float = 0.0):
        self.now, self.tick, self.oversleep = 100.0, tick, oversleep
        self.slept: list[float] = []

    def __call__(self) -> float:
        self.now += self.tick
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds + self.oversleep


class Machine:
    """A simulator whose steps take given times of the clock."""

    period, inputs, outputs = PERIOD, ("link",), ("link.position",)

    def __init__(self, clock: Clock, durations: list[float]):
        self.clock, self.durations, self.began = clock, durations, []
        self.scenario = fa.load("tokhi-azad")

    def reset(self):
        self.began = []
        return np.zeros(1)

    def step(self, u=None):
        self.began.append(self.clock.now)
        self.clock.now += self.durations[len(self.began) - 1]
        return np.zeros(1)


def paced(durations: list[float], clock: Clock | None = None) -> tuple[Timing, Machine]:
    clock = clock or Clock()
    machine = Machine(clock, durations)
    return pace(machine, None, len(durations) * PERIOD, clock=clock, sleep=clock.sleep), machine


def test_periods_begin_on_the_grid_and_nothing_is_missed():
    timing, machine = paced([2e-4] * 50)
    assert timing.steps == timing.planned == 50 and len(timing.missed) == 0
    assert timing.worst_lateness == 0.0
    begins = np.array(machine.began) - machine.began[0]
    np.testing.assert_allclose(begins, np.arange(50) * PERIOD, atol=3e-6)
    assert timing.real_time_factor == pytest.approx(0.2, rel=0.02)
    np.testing.assert_allclose(timing.compute, 2e-4, atol=2e-6)
    assert timing.wake.min() >= 0.0 and timing.wake.max() <= 2e-6


def test_the_end_of_each_wait_is_not_slept():
    clock = Clock()
    paced([2e-4] * 5, clock)
    assert len(clock.slept) == 4, "the first period is due at once"
    np.testing.assert_allclose(clock.slept, PERIOD - 2e-4 - 2e-4, atol=5e-6)


def test_a_late_period_is_counted_and_the_schedule_does_not_drift():
    durations = [2e-4] * 20
    durations[5] = 2.5e-3
    timing, machine = paced(durations)
    # period 5 ends 1.5 ms after its deadline; 6 and 7 begin late, 7 ends in time
    assert timing.missed.tolist() == [5, 6]
    np.testing.assert_allclose(timing.missed_times, [5e-3, 6e-3])
    assert timing.worst_lateness == pytest.approx(1.5e-3, abs=1e-5)
    np.testing.assert_allclose(timing.late[5:8], [1.5e-3, 0.7e-3, -0.1e-3], atol=2e-5)
    np.testing.assert_allclose(timing.wake[6:8], [1.5e-3, 0.7e-3], atol=2e-5)
    begins = np.array(machine.began) - machine.began[0]
    np.testing.assert_allclose(begins[8:], np.arange(8, 20) * PERIOD, atol=5e-6)


def test_oversleeping_is_seen_as_late_wake_up_and_as_a_miss():
    timing, _ = paced([1e-4] * 10, Clock(oversleep=1.15e-3))
    # a sleep that ends 0.95 ms after the due time leaves too little of the period; the next one is then not slept
    assert len(timing.missed) == 5
    assert timing.wake.max() == pytest.approx(0.95e-3, abs=1e-5)
    assert timing.worst_lateness == pytest.approx(0.05e-3, abs=1e-5)


def test_steps_that_are_too_slow_miss_every_deadline_by_more_and_more():
    timing, _ = paced([2e-3] * 10)
    assert timing.missed.tolist() == list(range(10))
    np.testing.assert_allclose(timing.late, PERIOD * np.arange(1, 11), rtol=0.02)
    assert timing.real_time_factor == pytest.approx(2.0, rel=0.01)


def test_percentiles_are_values_that_occurred():
    found = percentiles(np.arange(1, 1001) * 1e-6)
    assert list(found) == ["50 %", "90 %", "99 %", "99.9 %", "max"]
    np.testing.assert_allclose(list(found.values()), np.array([501, 901, 991, 1000, 1000]) * 1e-6)
    assert all(np.isnan(value) for value in percentiles(np.zeros(0)).values())


def test_the_summary_names_everything():
    durations = [2e-4] * 20
    durations[5] = 2.5e-3
    timing, _ = paced(durations)
    summary = timing.summary()
    assert summary["periods"] == 20 and summary["missed_deadlines"] == 2
    assert summary["simulated_time"] == pytest.approx(0.02)
    assert summary["computing_time"]["max"] == pytest.approx(2.5e-3, rel=1e-2)
    assert not summary["interrupted"] and summary["failure"] == ""


@pytest.mark.parametrize(
    ("error", "flag", "words"), [(KeyboardInterrupt(), True, ""), (FlexarmError("blew up"), False, "blew up")]
)
def test_what_was_measured_survives_an_interrupt_and_a_failure(error, flag, words):
    clock = Clock()
    machine = Machine(clock, [1e-4] * 10)
    step = machine.step

    def stops(u=None):
        if len(machine.began) == 4:
            raise error
        return step(u)

    machine.step = stops
    assert gc.isenabled()
    timing = pace(machine, None, 10 * PERIOD, clock=clock, sleep=clock.sleep)
    assert (timing.steps, timing.planned, timing.interrupted, timing.failure) == (4, 10, flag, words)
    assert gc.isenabled(), "collecting garbage goes on afterwards"


@pytest.mark.parametrize(("duration", "steps"), [(1.2, 1200), (0.3 * 3, 900), (1e-5, 1), (1.9999e-3, 1)])
def test_whole_periods(duration, steps):
    assert whole_periods(duration, PERIOD) == steps


def controlled(external: bool):
    turn = "motion: {profile: quintic, by: 20 deg, duration: 50 ms}"
    drive = f"drive=[{{joint: link, {turn}, control: {{type: external, period: 1 ms}}}}]"
    changes = [drive, "time.end=80ms"] if external else ["time.end=80ms"]
    return fa.Simulator(fa.load("tokhi-azad", changes), PERIOD)


def test_a_controller_sees_time_readings_and_reference_and_its_torque_acts():
    simulator, clock, seen = controlled(external=True), Clock(), []

    def law(time, reading):
        seen.append((time, reading["link.position"], *reading.reference[0]))
        return 0.5 * (reading.reference[0, 0] - reading["link.position"])

    timing = pace(simulator, law, 0.08, clock=clock, sleep=clock.sleep)
    assert timing.steps == 80 and timing.failure == "" and simulator.finished
    times, positions, reference, rates = np.array(seen).T
    np.testing.assert_allclose(times, np.arange(80) * PERIOD, atol=1e-12)
    s = np.minimum(times / 0.05, 1.0)
    np.testing.assert_allclose(reference, np.radians(20) * (10 * s**3 - 15 * s**4 + 6 * s**5), atol=1e-12)
    np.testing.assert_allclose(rates, np.radians(20) * 30 * (s**2 - 2 * s**3 + s**4) / 0.05, atol=1e-9)
    again = controlled(external=True)
    y, place = again.reset(), again.outputs.index("link.position")
    for k in range(80):
        assert y[place] == positions[k]
        y = again.step(0.5 * (reference[k] - y[place]))


def test_without_a_controller_the_drives_of_the_scenario_act():
    simulator, clock = controlled(external=False), Clock()
    pace(simulator, None, clock=clock, sleep=clock.sleep)
    assert simulator.finished
    batch = fa.simulate(simulator.scenario).data
    reading = simulator._loop.model.measure(simulator._loop.state, np.zeros(len(simulator.outputs)))
    assert reading[simulator.outputs.index("tip.travel")] == pytest.approx(float(batch["travel"][-1]), rel=1e-6)


def test_a_controller_that_raises_is_told_with_its_time():
    simulator, clock = controlled(external=False), Clock()

    def law(time, reading):
        if time > 0.0045:
            raise ValueError("no more")
        return [0.0]

    timing = pace(simulator, law, 0.08, clock=clock, sleep=clock.sleep)
    assert timing.steps == 5 and "t = 0.005 s" in timing.failure and "no more" in timing.failure


def test_commands_take_the_right_hand_limit_at_a_jump():
    ramp = "{joint: link, motion: {profile: bang-bang, by: 20 deg, duration: 40 ms}}"
    scenario = fa.load("tokhi-azad", [f"drive=[{ramp}]", "time.end=50ms"])
    found = commanded(scenario, PERIOD, 60)
    assert found.shape == (60, 1, 2)
    times = np.arange(60) * PERIOD
    rate = np.radians(20) / 0.02 * np.clip(1.0 - np.abs(times / 0.02 - 1.0), 0.0, None)
    np.testing.assert_allclose(found[:, 0, 1], rate, atol=1e-9)
    np.testing.assert_allclose(found[40:, 0, 0], np.radians(20), rtol=1e-12)
