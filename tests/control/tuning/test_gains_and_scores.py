"""Gains as numbers and back, and what a set of gains is worth."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import flexarm as fa
from flexarm.control.tuning.gains import GainTable
from flexarm.control.tuning.score import Demands, closely_watched, judged, score
from flexarm.control.tuning.search import finer
from flexarm.errors import FlexarmError

QUICK = {"time.end": "1 s", "method.resolution": 9, "time.step": "1 ms"}


def short(**changes):
    return fa.load("pd-hub").with_({**QUICK, **changes})


def test_gains_are_named_and_put_back():
    table = GainTable(fa.load("tian-circle"))
    assert table.present == {"shoulder.kp": 2000.0, "shoulder.kv": 400.0, "elbow.kp": 1000.0, "elbow.kv": 200.0}
    new = table.with_({**table.present, "elbow.kv": 77.0})
    assert new.drive[0].control.kv == (400.0, 77.0) and new.drive[0].control.kp == (2000.0, 1000.0)
    assert table.with_(table.present).drive == fa.load("tian-circle").drive


def test_one_set_is_divided_into_several():
    table = GainTable(fa.load("tian-circle"), 2)
    assert len(table.gains) == 8 and table.present["elbow.kp.2"] == 1000.0
    new = table.with_({**table.present, "elbow.kp.2": 5.0}).drive[0].control
    assert [gains.until for gains in new.gains] == [12.5, None] and new.gains[1].kp == (2000.0, 5.0)
    assert GainTable(fa.load("tian-circle"), [3.0, 9.0]).switches == {0: (3.0, 9.0)}
    assert GainTable(fa.load("tian-circle-two-sets")).present["shoulder.kp.2"] == 19840.0


@pytest.mark.parametrize(
    ("name", "sets", "words"),
    [
        ("tokhi-azad", None, "nothing to tune"),
        ("tian-circle", 0, "1 to 20 gain sets"),
        ("tian-circle", [9.0, 3.0], "increasing times"),
        ("tian-circle", [30.0], "between 0 and 25 s"),
    ],
)
def test_what_cannot_be_tuned(name, sets, words):
    with pytest.raises(FlexarmError, match=words):
        GainTable(fa.load(name), sets)


def test_score_of_a_run():
    plan = short()
    run = fa.simulate(closely_watched(plan))
    demands = Demands(after=0.3, torque={"link": 100.0})
    found = judged(run, demands, -1.0)
    late = run.data["time"].values >= 0.3
    error = run.data["tip_error"].values[late]
    assert found.rms == pytest.approx(np.sqrt(np.mean((error**2).sum(axis=1)))) and found.cost == found.rms
    assert found.torque["link"] == pytest.approx(np.abs(run.data["drive_torque"].values).max()) and found.feasible
    tight = judged(run, Demands(after=0.3, torque={"link": 0.5 * found.torque["link"]}), -1.0)
    assert not tight.feasible and tight.cost == pytest.approx(11.0 * found.rms)


def test_gains_that_die_out_too_slowly_are_not_run():
    found = score(short(), Demands(after=0.0, torque={}, margin=1e4), 1e-3)
    assert not found.feasible and found.cost > 1e-2 and "wanted is -10000 or less" in found.message


def test_the_margin_is_kept_along_the_whole_path_and_not_at_some_poses():
    """Gains whose slowest root is -0.57 1/s at a start, a third and two thirds of the circle, and -0.469 between them."""
    gains = {"drive.0.control.kp": [6580.0, 8335.0], "drive.0.control.kv": [363.0, 207.0]}
    setup = closely_watched(fa.load("tian-circle").with_(gains))
    assert fa.stability(setup, 3).abscissa.max() == pytest.approx(-0.566, abs=1e-3)
    dense = fa.stability(setup, 50)
    near = float(dense.times[dense.worst])
    assert 7.0 < min(near, 25.0 - near) < 8.3 and -0.478 < dense.abscissa.max() < -0.469
    found = score(setup.scenario, Demands(after=2.0, torque={}, margin=0.5), 1e-3)
    assert not found.feasible and dense.abscissa.max() < found.abscissa < dense.abscissa.max() + 0.01
    assert "the slowest motion of the closed loop has -0.469 1/s, wanted is -0.5 or less" in found.message


def test_looking_closer_finds_the_worst_pose_itself():
    gains = {"drive.0.control.kp": [6580.0, 8335.0], "drive.0.control.kv": [363.0, 207.0]}
    setup = closely_watched(fa.load("tian-circle").with_(gains))
    coarse, close = fa.stability(setup, 8), fa.stability(setup, 8, closer=5)
    assert close.abscissa.max() >= coarse.abscissa.max() and set(coarse.times) < set(close.times)
    around = close.times[max(close.worst - 1, 0) : close.worst + 2]
    assert np.ptp(around) < 25.0 / 8 / 8


def test_the_bundled_gains_keep_their_own_limits():
    setup = closely_watched(fa.load("tian-circle-tuned"))
    demands = Demands(after=2.0, torque={"shoulder": 20.0, "elbow": 10.0}, margin=0.5)
    assert "20 and 10 N*m of torque" in setup.scenario.about
    found = score(setup.scenario, demands, 1e-3)
    assert (
        found.feasible and found.abscissa <= -0.5 and found.torque["elbow"] <= 10.0 and found.torque["shoulder"] <= 20.0
    )


def test_every_step_is_watched_and_the_finer_mesh_is_finer():
    plan = closely_watched(short()).scenario
    assert plan.output.every is None and plan.output.stations == 2
    fine = finer(short())
    assert fine.method.options.resolution == 18 and fine.time.step == pytest.approx(5e-4)


def test_without_optuna_a_sentence_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "optuna", None)
    with pytest.raises(FlexarmError, match=r"pip install 'flexarm\[tune\]'"):
        fa.tune(short(), trials=1)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"trials": 0}, "at least one trial"),
        ({"span": 1.0}, "more than 1"),
        ({"margin": -1.0}, "rate of decay"),
        ({"after": 99.0}, "must lie within the run"),
        ({"torque": [1.0, 2.0]}, "one per joint"),
        ({"torque": -3.0}, "positive number"),
    ],
)
def test_settings_that_make_no_sense(settings, words):
    with pytest.raises(FlexarmError, match=words):
        fa.tune(short(), **settings)
