"""`time.step: auto` in every method: half the step keeps the peaks, a few times the step does not, or a note says so."""

from __future__ import annotations

import numpy as np
import pytest
from seeded_arms import drawn

import flexarm as fa
from flexarm.simulation import trial

ACCURACY = 1e-3
SEEDS = [(method, seed, False) for method in ("fem", "segments", "modes", "ancf") for seed in (5, 10)]
SEEDS += [("fem", 1, False), ("fem", 3, True), ("fem", 26, True)]
SEEDS += [("fd", seed, False) for seed in (0, 1, 16, 25, 29)]


def peaks(run: fa.Result) -> list[np.ndarray]:
    """Peaks of tip deflection, of the tip's way from its start, and of each joint torque and strain."""
    data = run.data
    way = np.linalg.norm(data.tip_position.values - data.tip_position.values[0], axis=1)
    tip = [np.abs(data.tip_deflection.values).max(keepdims=True)[0, :1], way.max(keepdims=True)]
    return [*tip, *(np.abs(data[name].values).max(axis=0) for name in ("joint_torque", "strain"))]


def apart(run: fa.Result, other: fa.Result) -> float:
    """Largest change of a peak, as a share of it or of a fiftieth of the largest of its kind."""
    return max(
        float((np.abs(a - b) / np.maximum(b, 0.02 * np.max(b))).max())
        for a, b in zip(peaks(run), peaks(other), strict=True)
    )


@pytest.fixture(scope="module")
def tried() -> list[float]:
    """Changes of the peaks with four times the step, of all arms below."""
    return []


@pytest.mark.parametrize(("method", "seed", "spatial"), SEEDS)
def test_half_the_automatic_step_keeps_the_peaks(method, seed, spatial, tried):
    plan = drawn(seed, spatial, links=1 if method == "fd" else None).with_({"method": {"name": method}})
    auto = fa.simulate(plan, warn=False)
    step = auto.data.attrs["step"]
    half, double, four = (
        fa.simulate(plan.with_({"time.step": factor * step}), warn=False) for factor in (0.5, 2.0, 4.0)
    )
    assert auto.success and half.data.attrs["steps"] > 1.7 * auto.data.attrs["steps"]
    assert apart(auto, half) < ACCURACY and not any("still change" in note for note in auto.notes)
    tried.append(max(apart(double, auto), apart(four, double)) if four.success and double.success else np.inf)


def test_steps_are_at_most_three_times_as_many_as_needed_on_four_of_five_arms(tried):
    """Where four times the step still keeps the promise a quarter of the steps would have done."""
    assert len(tried) == len(SEEDS) and np.mean(np.array(tried) > ACCURACY) >= 0.8


def shaken(**changes) -> fa.Scenario:
    """A link without damping and without a hub that torques jump on: its peaks hardly come to rest."""
    return drawn(16).with_(changes)


def test_peaks_that_do_not_come_to_rest_are_told(monkeypatch):
    monkeypatch.setattr(trial, "SECONDS", 0.02)
    run = fa.simulate(shaken(), warn=False)
    assert run.success and any("still changed by" in note and "method.accuracy" in note for note in run.notes)


@pytest.mark.parametrize("hopeful", [0.0, trial.HOPEFUL_SECONDS])
def test_trials_go_on_where_changes_fall_fast_enough(monkeypatch, hopeful):
    """Their time is over after four halvings, but what is left to do can be foreseen."""
    monkeypatch.setattr(trial, "SECONDS", 0.0)
    monkeypatch.setattr(trial, "HOPEFUL_SECONDS", hopeful)
    run = fa.simulate(drawn(1, links=1).with_({"method": {"name": "fd"}}), warn=False)
    assert any("still changed by" in note for note in run.notes) == (hopeful == 0.0)


@pytest.mark.parametrize("off", [0.0, 0.2, 0.5])
def test_what_a_peak_is_missed_by_between_two_steps(off):
    """A sine with 40 steps per period that is sampled `off` steps beside its peak."""
    waves = np.cos(2 * np.pi * (np.arange(-15, 16) + off) / 40)[:, None]
    peaks, missed = trial._peaks(waves, every_step=True)
    assert missed[0] == pytest.approx(1.0 - peaks[0], rel=0.02, abs=1e-15)


def test_a_run_that_would_take_long_is_tried_over_its_first_part(monkeypatch):
    monkeypatch.setattr(trial, "SECONDS", 0.0)
    monkeypatch.setattr(trial, "MOST_SECONDS", 0.02)
    plan = drawn(10)
    run = fa.simulate(plan, warn=False)
    assert run.success and any("tried out over the first" in note for note in run.notes)
    assert run.data.time.values[-1] == plan.time.end


def test_the_run_that_was_tried_is_the_run():
    """The records of the trial are those of a run with the step that it found, bit by bit."""
    plan = drawn(10)
    auto = fa.simulate(plan, warn=False)
    given = fa.simulate(plan.with_({"time.step": auto.data.attrs["step"]}), warn=False)
    for name in ("time", "tip_position", "joint_torque", "strain", "energy"):
        assert np.array_equal(auto.data[name].values, given.data[name].values)


def test_an_arm_at_rest_keeps_the_estimate_of_its_method():
    """Nothing moves that a trial could judge, but torques from outside may come."""
    plan = drawn(1, links=1).with_({"drive": [], "arm.gravity": [0.0, 0.0, 0.0]})
    from flexarm.simulation.build import prepare

    setup = prepare(plan)
    assert setup.step == pytest.approx(setup.model.estimate_step(ACCURACY, plan.time.end), rel=1e-12)
