"""The search: it improves, repeats, resumes, keeps its files, and says when a finer mesh disagrees."""

from __future__ import annotations

import csv
import io
import json

import pytest

import flexarm as fa
from flexarm.control.tuning import search
from flexarm.control.tuning.files import check_files, scenario_text, trials_table, write_files
from flexarm.errors import FlexarmError, OutputError

TRIALS = 16


def short():
    return fa.load("pd-hub").with_({"time.end": "1 s", "method.resolution": 9, "time.step": "1 ms"})


@pytest.fixture(scope="module")
def found():
    return fa.tune(short(), trials=TRIALS, seed=3)


def test_it_begins_at_the_present_gains_and_improves(found):
    assert found.trials[0]["gains"] == pytest.approx({"link.kp": 3.0, "link.kv": 0.6})
    assert len(found.trials) == TRIALS
    assert found.after["rms"] < 0.9 * found.before["rms"] and found.after["feasible"]
    control = found.scenario.drive[0].control
    assert (control.kp, control.kv) == (found.gains["link.kp"], found.gains["link.kv"])
    assert found.confirmed and found.fine["rms"] == pytest.approx(found.after["rms"], rel=0.05)
    assert max(trial["torque"].get("link", 0.0) for trial in found.trials) <= 1.5 * (1 + 1e-9)  # the law's own limit


def test_the_same_seed_gives_the_same_and_another_another(found):
    again = fa.tune(short(), trials=TRIALS, seed=3)
    assert again.gains == found.gains and again.trials == found.trials
    assert fa.tune(short(), trials=4, seed=4).trials != found.trials[:4]


def test_an_interrupted_search_goes_on_as_if_it_had_not_been(found, tmp_path):
    study = tmp_path / "study.log"
    told = []
    part = fa.tune(short(), trials=TRIALS, seed=3, study=study, cancel=lambda: len(told) > 5,
                   progress=lambda *words: told.append(words))  # fmt: skip
    assert len(part.trials) == 5 and told[-1][1:] == (5, TRIALS) and "mm rms" in told[-1][0]
    with pytest.raises(OutputError, match="resume it"):
        fa.tune(short(), trials=TRIALS, seed=3, study=study)
    with pytest.raises(OutputError, match="another scenario or other limits"):
        fa.tune(short(), trials=TRIALS, seed=8, study=study, resume=True)
    whole = fa.tune(short(), trials=TRIALS, seed=3, study=study, resume=True)
    assert [trial["gains"] for trial in whole.trials] == [trial["gains"] for trial in found.trials]
    assert len(fa.tune(short(), trials=2, seed=3, study=study, force=True).trials) == 2


def test_a_search_that_was_killed_in_its_first_trial_still_begins_at_the_present_gains(found, tmp_path, monkeypatch):
    study = tmp_path / "study.log"

    class Killed(BaseException):
        """Like the end of the process: nothing is told to the study."""

    def die(*_):
        raise Killed

    for _ in range(2):
        with monkeypatch.context() as killing, pytest.raises(Killed):
            killing.setattr(search, "score", die)
            fa.tune(short(), trials=4, seed=3, study=study, resume=study.exists())
    whole = fa.tune(short(), trials=4, seed=3, study=study, resume=True)
    assert [trial["gains"] for trial in whole.trials] == [trial["gains"] for trial in found.trials[:4]]
    assert whole.before["gains"] == pytest.approx({"link.kp": 3.0, "link.kv": 0.6})


def test_files(found, tmp_path):
    base = fa.load("pd-hub")
    written = write_files(found, base, tmp_path, force=False)
    assert [path.name for path in written] == ["trials.csv", "trials.json", "tuned.yaml"]
    rows = list(csv.DictReader(io.StringIO(trials_table(found))))
    assert len(rows) == TRIALS and float(rows[0]["link.kp"]) == pytest.approx(3.0)
    assert len(json.loads(written[1].read_text())) == TRIALS
    tuned = fa.load(tmp_path / "tuned.yaml")
    assert "extends: pd-hub" in written[2].read_text() and tuned.drive == found.scenario.drive
    with pytest.raises(OutputError, match="already exists"):
        check_files(tmp_path, force=False)
    assert "extends" not in scenario_text(found, fa.loads(base.to_yaml()), tmp_path)
    changed = scenario_text(found, short(), tmp_path)  # what was changed on the way is not lost
    assert "extends" not in changed and fa.loads(changed).time.end == 1.0


def test_gains_that_only_the_coarse_mesh_likes_are_not_confirmed(monkeypatch):
    monkeypatch.setattr(search, "MOST_CHANGE", 0.0)
    assert not fa.tune(short(), trials=2).confirmed


@pytest.mark.document
def test_the_frequency_of_a_shaper_is_found():
    """A stated frequency that is a quarter off is led back to the mode of the arm by what rings."""
    plan = fa.load("shaped-link", {"drive.link.shaper": {"type": "zv", "frequency": 15.0}})
    mode = fa.shaper(plan.with_({"drive.link.shaper": {"type": "zv"}})).hz[0]
    found = fa.tune(
        plan,
        parameters={"drive.link.shaper.frequency": ("8 Hz", "20 Hz")},
        objective="residual_vibration",
        trials=25,
        margin=0.0,
    )
    assert found.gains["drive.link.shaper.frequency"] == pytest.approx(mode, rel=0.05)
    assert found.after["value"] < 0.3 * found.before["value"]
    assert found.scenario.drive[0].shaper.frequency == pytest.approx(found.gains["drive.link.shaper.frequency"])


@pytest.mark.document
def test_sizes_of_an_observer_law_are_found():
    """Settling time over the allowed travel of the tip; sizes whose law is not stable cost much."""
    plan = fa.load("tokhi-azad").with_({
        "drive": [{"joint": "link", "control": {"type": "external", "period": "1 ms"}}], "arm.damping": {"ratio": 0.05},
        "arm.links.link.joint.velocity": 0.2, "time": {"end": 1.5, "step": 1e-3}, "output.gauges": [{"link": "link", "at": 0.0, "name": "root"}],
    })  # fmt: skip
    plant = fa.state_space(plan).reduce(modes=3)
    noise = {"link.torque": 0.02, "link.position": 1e-4, "root": 1e-6}

    def law(values, scenario):
        return fa.lqg(plant, {"tip.travel": values["travel"], "tip.velocity": 0.5, "link.torque": 0.1}, noise, 1e-3)

    found = fa.tune(
        plan, parameters={"law.travel": (2e-3, 1.0)}, objective="settling_time", law=law, trials=8, margin=0.1
    )
    values = [trial["value"] for trial in found.trials if trial["feasible"]]
    assert found.after["value"] == min(values) < 0.9 * max(values)
    assert found.after["abscissa"] < -0.1


@pytest.mark.parametrize(("words", "said"), [
    ({"parameters": []}, "nothing to tune"), ({"parameters": ["drive.link.control.kq"]}, "kq"), ({"objective": "speed"}, "objective"),
    ({"parameters": {"drive.link.control.kp": (5.0, 1.0)}}, "below the largest"), ({"parameters": {"law.size": (1.0, 2.0)}}, "give law="),
    ({"parameters": ["law.size"]}, "least and largest value"), ({"parameters": ["drive.link.control.kp"], "sets": 2}, "leave them out"),
])  # fmt: skip
def test_numbers_that_cannot_be_tuned(words, said):
    with pytest.raises(FlexarmError, match=said):
        fa.tune("pd-hub", trials=1, **words)
