"""Whole runs: pieces do not matter, interruption keeps what there is, outcomes are told in words."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm as fa
from flexarm.errors import ControllerError, FlexarmError, Interrupted
from single_link import BANG, SCHEMES, make

SINE = {"joint": "link", "torque": {"profile": "sine", "amplitude": 0.1, "frequency": 3.0, "duration": 0.07}}
MOVE = {"joint": "link", "motion": {"profile": "cycloid", "by": 0.3, "duration": 0.08}}
LAW = {**MOVE, "control": {"type": "pid", "kp": 3.0, "kv": 0.3, "ki": 5.0, "limit": 0.5}}
SAMPLED = {**MOVE, "control": {"type": "pid", "kp": 3.0, "kv": 0.3, "ki": 5.0, "period": 3e-3}}
OUTSIDE = {"joint": "link", "control": {"type": "external", "period": 2e-3}}
PICK = [{"at": 0.033, "payload": {"mass": 0.02}, "rule": "at-rest"}]
RUNS = {
    "plain": {"drive": BANG, "step": 1e-4},
    "no records in between": {"drive": SINE, "step": 1e-4, "every": 0.01},
    "motion and gravity": {"drive": MOVE, "step": 1e-4, "gravity": [1.0, -9.81, 0.0]},
    "damped, flexible joint": {"drive": SINE, "step": 1e-4, "damping": {"time": 1e-4},
                               "joint": {"stiffness": 40.0, "rotor_inertia": 1e-3}},
    "law": {"drive": LAW, "step": 1e-4, "joint": {"friction": 0.01}},
    "sampled law": {"drive": SAMPLED, "step": 2e-4},
    "event": {"drive": SINE, "step": 1e-4, "events": PICK},
    "patch": {"drive": [SINE, {"patch": {"link": "link", "from": 0.2, "to": 0.6},
                               "moment": {"profile": "sine", "amplitude": 0.1, "frequency": 7.0}}], "step": 1e-4},
}  # fmt: skip


def same(one, two) -> bool:
    """Equal to the last bit."""
    a, b = one.data, two.data
    return set(a.variables) == set(b.variables) and all(
        np.array_equal(a[name].values, b[name].values, equal_nan=a[name].dtype.kind == "f") for name in a.variables
    )


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("name", RUNS)
def test_size_of_the_pieces_changes_no_bit(name, scheme):
    if scheme == "exact" and name == "damped, flexible joint":
        scheme = "newmark"
    scenario = make(scheme=scheme, end=0.1, resolution=8, **RUNS[name])
    whole = fa.simulate(scenario)
    assert len(whole.data["time"]) > 9
    assert same(whole, fa.simulate(scenario, chunk=7))
    if scheme == "newmark":
        assert same(whole, fa.simulate(scenario, chunk=1))


def test_pieces_and_a_controller():
    def lead(time, reading):
        return 0.2 * (0.3 - reading["link.position"]) - 0.05 * reading["link.velocity"]

    scenario = make(drive=OUTSIDE, step=1e-4, end=0.1)
    assert same(fa.simulate(scenario, controller=lead), fa.simulate(scenario, controller=lead, chunk=1))


def test_a_piece_of_no_steps_is_refused():
    with pytest.raises(FlexarmError, match="at least 1"):
        fa.simulate(make(end=0.1), chunk=0)


def test_progress_rises_to_the_end_of_every_stage():
    seen = []
    fa.simulate(make(end=0.3, step=1e-4), progress=lambda *told: seen.append(told), chunk=100)
    assert list(dict.fromkeys(stage for stage, _, _ in seen)) == ["build", "march", "label"]
    for stage in ("build", "march", "label"):
        done = [part for name, part, _ in seen if name == stage]
        assert done == sorted(done) and {total for name, _, total in seen if name == stage} == {max(done)}
    assert len([stage for stage, _, _ in seen if stage == "march"]) >= 30


def test_the_first_progress_comes_before_the_first_model(monkeypatch):
    from flexarm.methods.fd.method import FiniteDifferences as Fd

    seen, build = [], Fd.build
    monkeypatch.setattr(Fd, "build", lambda *given, **more: seen.append("a model") or build(*given, **more))
    fa.simulate(make(end=0.1), progress=lambda *told: seen.append(told[0]))
    assert seen[0] == "build" and seen.index("a model") > 0
    assert "trial" in seen  # of the automatic step


@pytest.mark.parametrize("stage", ["build", "trial"])
def test_a_run_cancelled_before_its_first_step_keeps_nothing(stage):
    now = []
    with pytest.raises(Interrupted, match="before its first step"):
        fa.simulate(make(end=0.1), progress=lambda *told: now.append(told[0]), cancel=lambda: now[-1] == stage)
    assert now[-1] == stage


def test_a_cancelled_error_estimate_keeps_the_run():
    scenario = fa.load("naganathan-flexible").with_({"time.end": "0.2 s", "method.error_estimate": True})
    now, alone = [], fa.simulate(scenario.with_({"method.error_estimate": False}))
    told = {"progress": lambda *stage: now.append(stage), "cancel": lambda: now[-1][0] == "error estimate"}
    run = fa.simulate(scenario, chunk=10, **told)
    assert run.success and any("error estimate: none, because it was interrupted" in note for note in run.notes)
    assert np.array_equal(run.data["tip_position"].values, alone.data["tip_position"].values)
    whole = fa.simulate(scenario, progress=lambda *stage: now.append(stage))
    assert any(note.startswith("error estimate, largest") for note in whole.notes)
    assert now[-1] == ("error estimate", 0.2, 0.2)


@pytest.mark.parametrize("how", ["cancel", "interrupt"])
def test_interruption_keeps_what_was_computed(how):
    scenario = make(end=0.3, step=1e-4)
    whole = fa.simulate(scenario)
    marched = []

    def told(stage, *_):
        if stage == "march":
            marched.append(0)
            if len(marched) == 6 and how == "interrupt":  # five pieces are done
                raise KeyboardInterrupt

    part = fa.simulate(scenario, chunk=100, progress=told, cancel=lambda: len(marched) == 6)
    assert not part.success and part.outcome is fa.Outcome.CANCELLED and "interrupted" in part.message
    n = len(part.data["time"])
    assert n == 501
    assert np.array_equal(part.data["travel"].values, whole.data["travel"].values[:n])


def test_a_motion_that_grows_without_bound_ends_with_its_last_good_value():
    """Tip feedback without damping is unstable; the run ends when numbers become useless and keeps the others."""
    wild = {"joint": "link", "motion": {"profile": "quintic", "by": 0.3, "duration": 0.1},
            "control": {"type": "pd", "kp": 300.0, "kv": 30.0, "sensor": "chord"}}  # fmt: skip
    run = fa.simulate(make(drive=wild, end=20.0, step=1e-3, scheme="newmark"))
    assert not run.success and run.outcome in (fa.Outcome.NOT_FINITE, fa.Outcome.UNSTABLE)
    assert "t = " in run.message and run.data.attrs["outcome"] == run.outcome.name
    assert np.all(np.isfinite(run.data["travel"].values)) and 0.0 < run.data["time"].values[-1] < 20.0


def test_result_carries_provenance_and_timing():
    run = fa.simulate(make(end=0.1, step=1e-3, scheme="newmark"))
    assert run.success and run.outcome is fa.Outcome.SUCCESS and run.message == fa.Outcome.SUCCESS.sentence
    assert run.data.attrs["method"] == "fd" and run.data.attrs["steps"] == 100 and run.data.attrs["step"] == 1e-3
    assert {"build", "march", "label", "real_time_factor", "steps"} <= set(run.timing)
    assert run.data.attrs["scenario_hash"] == run.scenario.hash


def test_controller_that_is_missing_or_not_wanted():
    with pytest.raises(ControllerError, match="takes its torque from a controller"):
        fa.simulate(make(drive=OUTSIDE, end=0.1))
    with pytest.raises(ControllerError, match="no joint has control"):
        fa.simulate(make(end=0.1), controller=lambda t, r: 0.0)


def test_names_and_files_are_taken(tmp_path):
    path = tmp_path / "one.yaml"
    path.write_text(make(end=0.05, step=1e-3).to_yaml(), encoding="utf-8")
    assert fa.simulate(path).success and fa.simulate(str(path), method="fd").success
    with pytest.raises(FlexarmError, match="there is no method 'abc'"):
        fa.simulate(path, method="abc")


@pytest.mark.parametrize("end", [0.0512, 0.05], ids=["steps that divide", "a last interval of its own"])
def test_many_steps_are_not_all_kept_unless_asked_for(end):
    few = make(drive=BANG, step=1e-4, end=end, resolution=8, output={"records": 100})
    kept, all_of_them = fa.simulate(few), fa.simulate(few.with_({"output.records": "all"}))
    times = kept.data["time"].values
    assert len(all_of_them.data["time"]) == round(end / 1e-4) + 1 > 500 > 101 >= len(times) > 50
    assert np.allclose(np.diff(times)[:-1], 8e-4) and times[-1] == end and np.diff(times)[-1] <= 8.1e-4
    assert np.array_equal(kept.data["travel"], all_of_them.data["travel"].sel(time=times))
    (note,) = [note for note in kept.notes if "output.records" in note]
    assert "one in 8 was recorded" in note and not any("output.records" in note for note in all_of_them.notes)
    assert len(fa.simulate(few.with_({"output.every": 2e-4})).data["time"]) > 200


def test_a_result_is_worked_out_when_it_is_looked_at(monkeypatch):
    import pickle

    from flexarm.simulation import run as running

    calls, told = [], running.label
    monkeypatch.setattr(running, "label", lambda *args: calls.append(1) or told(*args))
    result = fa.simulate(fa.load("tokhi-azad").with_({"time.end": 0.05}), warn=False)
    assert not calls and result.scenario.name and "march" in result.timing
    copy = pickle.loads(pickle.dumps(result))
    assert result.success and len(calls) == 1 and result.timing["label"] > 0.0
    assert copy.notes == result.notes and copy.data.equals(result.data)
    with pytest.raises(AttributeError, match="colour"):
        _ = result.colour


def test_threads_that_look_at_once_see_one_result():
    from concurrent.futures import ThreadPoolExecutor

    result = fa.simulate(fa.load("tokhi-azad").with_({"time.end": 0.05}), warn=False)
    with ThreadPoolExecutor(4) as pool:
        seen = {id(data) for data in pool.map(lambda _: result.data, range(8))}
    assert len(seen) == 1
