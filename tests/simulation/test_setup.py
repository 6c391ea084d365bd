"""One set-up per run: drives compiled once, one model, and all that is told about the run comes from it."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from typer.testing import CliRunner

import flexarm as fa
from flexarm.analysis.frequencies import driven_frequencies
from flexarm.cli import app
from flexarm.drive import Program
from flexarm.methods.base import Model
from flexarm.methods.fem.method import FiniteElements
from flexarm.simulation.build import prepare
from flexarm.simulation.control_loops import law_warnings

TWO = """\
name: two links held by their laws
arm:
  gravity: [0, -9.81, 0]
  payload: {mass: 50 g}
  links:
    - {name: upper, length: 0.5 m, section: &flat {shape: rectangle, width: 20 mm, height: 3 mm}, material: aluminium,
       joint: {hub_inertia: 2e-3 kg*m^2}}
    - {name: fore, length: 0.4 m, section: *flat, material: aluminium, joint: {hub_inertia: 2e-3 kg*m^2}}
drive:
  - {joint: upper, motion: {profile: quintic, by: 60 deg, duration: 0.2 s}, control: {type: pd, kp: 30, kv: 2}}
  - {joint: fore, motion: {profile: quintic, by: -40 deg, duration: 0.2 s}, control: {type: pd, kp: 15, kv: 1}}
method: {name: fem, resolution: 4}
time: {end: 0.3 s, step: 1 ms}
"""
SAMPLED = {"drive.upper.control.period": "2 ms", "drive.fore.control.period": "2 ms"}


@pytest.fixture
def counted(monkeypatch):
    """How often drives are compiled and models built."""
    count: Counter[str] = Counter()
    compile_drives, build = Program.compile.__func__, FiniteElements.build

    def compiled(cls, *given, **more):
        count["programs"] += 1
        return compile_drives(cls, *given, **more)

    def built(self, *given, **more):
        count["models"] += 1
        return build(self, *given, **more)

    monkeypatch.setattr(Program, "compile", classmethod(compiled))
    monkeypatch.setattr(FiniteElements, "build", built)
    return count


def command(tmp_path, *words: str) -> str:
    file = tmp_path / "two.yaml"
    file.write_text(TWO)
    answer = CliRunner().invoke(app, [words[0], str(file), *words[1:]])
    assert answer.exit_code == 0, answer.output
    return answer.output


def test_a_run_from_the_command_line_has_one_program_and_one_model(tmp_path, counted):
    command(tmp_path, "run", "--figures", "modes", "--out", str(tmp_path / "out"))
    assert counted == {
        "programs": 1,
        "models": 3,
    }  # two for the margins: at rest under the laws, and with the motors open


def test_a_check_has_one_program_and_one_model(tmp_path, counted):
    said = command(tmp_path, "check")
    assert "closed loop" in said and "joints locked" in said and "joints free" in said
    assert counted == {"programs": 1, "models": 1}  # once 5 and 10


def test_automatic_servos_take_a_second_model(counted):
    setup = prepare(fa.loads(TWO, overrides={"drive": "[{joint: upper, motion: {profile: constant}, servo: auto}]"}))
    fa.simulate(setup)
    driven_frequencies(setup)
    assert counted == {"programs": 1, "models": 2}


def test_other_poses_are_looked_at_with_the_model_of_the_run():
    """Its tangent at rest in a pose is that of a model which is built in that pose."""
    from flexarm.simulation.poses import held_at, posed
    from flexarm.simulation.program import build_model, row_at
    from flexarm.simulation.rest import HoldingModel

    pose = (0.7, -0.4)
    for name in ("fem", "segments", "ancf", "modes"):
        scenario = fa.loads(TWO).with_({"method": {"name": name, "resolution": 3}})
        there = scenario.model_copy(update={"arm": posed(scenario.arm, pose)})
        row = row_at(scenario.program, 0.0, scenario.time.end)
        ours = held_at(prepare(scenario).holding, pose, row)
        other = held_at(HoldingModel(build_model(there, there.program)), pose, row)
        for one, two in ((ours.M, other.M), (ours.C, other.C), (ours.K, other.K)):
            assert one == pytest.approx(two, rel=1e-6, abs=1e-7 * np.abs(two).max()), name


def test_frequencies_of_a_set_up_are_those_of_its_scenario():
    scenario = fa.loads(TWO)
    setup = prepare(scenario)
    for joints in ("locked", "free", "held"):
        assert fa.frequencies(setup, joints=joints).hz == pytest.approx(fa.frequencies(scenario, joints=joints).hz)
    late = {"joints": "held", "time": 0.25}
    assert fa.frequencies(setup, **late).hz == pytest.approx(fa.frequencies(scenario, **late).hz)
    there = {"joints": "locked", "pose": [0.3, 1.0]}
    assert np.array_equal(fa.frequencies(setup, **there).hz, fa.frequencies(scenario, **there).hz)


def test_a_set_up_can_be_run_again_and_says_the_same():
    setup = prepare(fa.loads(TWO).with_({"output.records": 100}))
    first, second = fa.simulate(setup), fa.simulate(setup)
    assert first.notes == second.notes and any("was recorded" in note for note in first.notes)
    assert np.array_equal(first.data["tip_position"].values, second.data["tip_position"].values)
    with pytest.raises(fa.FlexarmError, match="a set-up has its method"):
        fa.simulate(setup, "segments")


def test_laws_are_looked_at_once(monkeypatch):
    from flexarm.simulation.control_loops import warnings

    asked, look = [], warnings.stability
    monkeypatch.setattr(warnings, "stability", lambda *given: asked.append(given) or look(*given))
    setup = prepare(fa.loads(TWO))
    law_warnings(setup)
    fa.simulate(setup)
    assert len(asked) == 1


REFUSED = {
    "too many records": ("pd-hub", {"time.step": "0.1 us", "time.end": "10 s", "output": {"records": "all"}}),
    "a model that cannot move": ("ralf", {"method.loops": "cut-absolute"}),
}


@pytest.mark.parametrize(("name", "changes"), REFUSED.values(), ids=REFUSED)
def test_a_check_refuses_what_a_run_refuses_before_its_first_step(tmp_path, name, changes):
    scenario = fa.load(name).with_(changes)
    with pytest.raises(fa.FlexarmError) as refusal:
        fa.simulate(scenario)
    file = tmp_path / "bad.yaml"
    file.write_text(scenario.to_yaml())
    answer = CliRunner().invoke(app, ["check", str(file)])
    assert answer.exit_code == 2 and refusal.value.message in answer.output


def test_a_sampled_law_whose_reading_is_missing_is_refused_in_words(monkeypatch):
    monkeypatch.setattr(Model, "sensors", (), raising=False)
    setup = prepare(fa.loads(TWO).with_(SAMPLED))
    setup.model.sensors = ("upper.velocity",)
    with pytest.raises(fa.FlexarmError, match=r"'upper.position'.*the method fem"):
        fa.simulate(setup)


@pytest.mark.parametrize(("every", "told"), [("1.99 ms", True), ("2 ms", False), ("3 ms", False), ("0.5 ms", False)])
def test_outputs_that_seldom_meet_the_ticks_are_told(every, told):
    setup = prepare(fa.loads(TWO).with_({**SAMPLED, "output.every": every, "time.step": "1 ms", "time.end": "0.05 s"}))
    said = [
        text for text in setup.warnings if text.startswith("output.every (0.00199 s) and the control period (0.002 s)")
    ]
    assert bool(said) == told
    if told:  # 1.99 ms = 199 * 10 us, 2 ms = 200 * 10 us
        assert "a grid of 1e-05 s" in said[0] and "whole multiple" in said[0]
        assert max(interval.h for interval in setup.intervals) <= 1e-5 * (1 + 1e-9)
