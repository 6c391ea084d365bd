"""Checkpoints: a run that was stopped goes on as if nothing had happened, to the last bit."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm as fa
from flexarm.errors import ControllerError, FlexarmError, ScenarioError
from flexarm.simulation import run as running
from single_link import BANG, SCHEMES, make

MOVE = {"joint": "link", "motion": {"profile": "cycloid", "by": 0.3, "duration": 0.08}}
SAMPLED = {**MOVE, "control": {"type": "pid", "kp": 3.0, "kv": 0.3, "ki": 5.0, "period": 3e-3}}
OUTSIDE = {"joint": "link", "control": {"type": "external", "period": 2e-3}}
EVENTS = [
    {"at": 0.0301, "payload": {"mass": 0.02, "inertia": 1e-5}, "rule": "at-rest"},
    {"at": 0.07, "payload": {"mass": 0.01}, "rule": "released"},
]
RUNS = {
    "plain": {"drive": BANG},
    "motion": {"drive": MOVE, "gravity": [0.0, -9.81, 0.0], "start": "equilibrium"},
    "law": {
        "drive": {**MOVE, "control": {"type": "pid", "kp": 3.0, "kv": 0.3, "ki": 5.0}},
        "joint": {"friction": 0.01},
    },
    "actuator": {"drive": {**BANG, "actuator": {"type": "transfer", "poles": ["-40+60j"]}}},
    "sampled law": {"drive": SAMPLED},
    "events": {"drive": BANG, "events": EVENTS},
    "events and sampled law": {"drive": SAMPLED, "events": EVENTS},
    "sparse records": {"drive": BANG, "every": 0.02, "events": EVENTS},
}


class Integrating:
    """A controller with a memory."""

    def __init__(self) -> None:
        self.total = 0.0

    def __call__(self, time, reading):
        self.total += 2e-3 * (0.3 - reading["link.position"])
        return 0.5 * (0.3 - reading["link.position"]) - 0.05 * reading["link.velocity"] + 2.0 * self.total

    def state(self):
        return np.array([self.total])

    def restore(self, array):
        self.total = float(array[0])


def same(one, two) -> bool:
    a, b = one.data, two.data
    return set(a.variables) == set(b.variables) and all(
        np.array_equal(a[name].values, b[name].values, equal_nan=a[name].dtype.kind == "f") for name in a.variables
    )


def stopped(scenario, path, pieces: int, chunk: int = 100, **more):
    """Run until `pieces` chunks are done; leaves a checkpoint."""
    told: list[str] = []
    more |= {"progress": lambda *stage: told.append(stage[0])}
    more |= {"cancel": lambda: told.count("march") > pieces}  # it is told once before the first piece
    return fa.simulate(scenario, checkpoint=path, chunk=chunk, **more)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("name", RUNS)
def test_resumed_run_is_the_uninterrupted_one(name, scheme, tmp_path):
    """Stopped before the first event, between the two and after both."""
    scenario = make(scheme=scheme, step=1e-4, end=0.1, resolution=8, **RUNS[name])
    whole = fa.simulate(scenario)
    chunk = 30 if "sampled" in name else 100
    for pieces in (1, 4, 8) if "events" in RUNS[name] else (4,):
        part = stopped(scenario, tmp_path / "run.npz", pieces * 100 // chunk, chunk)
        assert part.outcome is fa.Outcome.CANCELLED and part.data["time"].values[-1] < 0.1
        resumed = fa.simulate(scenario, resume=tmp_path / "run.npz")
        assert resumed.success and same(whole, resumed)


def test_stopping_twice(tmp_path):
    scenario = make(step=1e-4, end=0.1, events=EVENTS)
    first, second = tmp_path / "first.npz", tmp_path / "second.npz"
    stopped(scenario, first, 2)
    stopped(scenario, second, 3, resume=first)
    assert same(fa.simulate(scenario), fa.simulate(scenario, resume=second))


def test_a_finished_run_can_be_resumed_and_is_whole(tmp_path):
    scenario = make(step=1e-4, end=0.05)
    whole = fa.simulate(scenario, checkpoint=tmp_path / "end.npz")
    assert same(whole, fa.simulate(scenario, resume=tmp_path / "end.npz"))


def test_checkpoints_are_written_on_the_way(tmp_path, monkeypatch):
    """A run that is killed between two checkpoints goes on from the last one."""
    monkeypatch.setattr(running, "CHECKPOINT_SECONDS", -1.0)
    scenario, path = make(step=1e-4, end=0.1), tmp_path / "run.npz"
    calls = []

    def killed(stage, *_):
        calls.extend([path.exists()] if stage == "march" else [])
        if len(calls) == 7:
            raise RuntimeError("killed")

    with pytest.raises(RuntimeError, match="killed"):
        fa.simulate(scenario, checkpoint=path, progress=killed, chunk=100)
    assert calls == 2 * [False] + 5 * [True]
    assert same(fa.simulate(scenario), fa.simulate(scenario, resume=path))


def test_controller_with_a_memory(tmp_path):
    scenario, path = make(drive=OUTSIDE, step=1e-4, end=0.1), tmp_path / "run.npz"
    whole = fa.simulate(scenario, controller=Integrating())
    stopped(scenario, path, 20, controller=Integrating())
    fresh = Integrating()
    resumed = fa.simulate(scenario, controller=fresh, resume=path)
    assert same(whole, resumed) and fresh.total != 0.0


def test_controller_without_state_is_refused_before_the_run(tmp_path):
    scenario, path = make(drive=OUTSIDE, step=1e-4, end=0.1), tmp_path / "run.npz"
    calls = []

    def plain(time, reading):
        calls.append(time)
        return 0.0

    with pytest.raises(ControllerError, match=r"no state\(\) and restore\(array\)"):
        fa.simulate(scenario, controller=plain, checkpoint=path)
    assert not calls and not path.exists()
    stopped(scenario, path, 5, controller=Integrating())
    with pytest.raises(FlexarmError, match=r"no state\(\) and restore\(array\)"):
        fa.simulate(scenario, controller=plain, resume=path)


def test_checkpoint_of_another_scenario_or_no_checkpoint_is_refused(tmp_path):
    path = tmp_path / "run.npz"
    stopped(make(step=1e-4, end=0.1), path, 2)
    with pytest.raises(ScenarioError, match="belongs to another scenario"):
        fa.simulate(make(step=1e-4, end=0.2), resume=path)
    with pytest.raises(ScenarioError, match="there is no checkpoint"):
        fa.simulate(make(end=0.1), resume=tmp_path / "none.npz")
    (tmp_path / "text.npz").write_text("no numbers")
    with pytest.raises(ScenarioError, match="is not a checkpoint"):
        fa.simulate(make(end=0.1), resume=tmp_path / "text.npz")
    np.savez(tmp_path / "other.npz", x=np.zeros(3))
    with pytest.raises(ScenarioError, match="is not a checkpoint"):
        fa.simulate(make(end=0.1), resume=tmp_path / "other.npz")
    data = path.read_bytes()
    (tmp_path / "half.npz").write_bytes(data[: len(data) // 2])
    with pytest.raises(ScenarioError, match="is not a checkpoint"):
        fa.simulate(make(step=1e-4, end=0.1), resume=tmp_path / "half.npz")


def test_a_checkpoint_that_cannot_be_written_does_not_cost_the_run(tmp_path):
    run = fa.simulate(make(step=1e-3, end=0.1, scheme="newmark"), checkpoint=tmp_path / "file" / "below" / "run.npz")
    assert run.success
    (tmp_path / "blocked").write_text("")
    run = fa.simulate(make(step=1e-3, end=0.1, scheme="newmark"), checkpoint=tmp_path / "blocked" / "run.npz")
    assert run.success and any("no checkpoint" in note for note in run.notes)
