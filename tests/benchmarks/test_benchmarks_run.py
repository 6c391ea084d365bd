"""Bare runs end where whole runs end; benches run, and say what they cannot measure."""

from __future__ import annotations

import json

import numpy as np
import pytest

import flexarm as fa
from flexarm.benchmarks import bench
from flexarm.errors import FlexarmError
from flexarm.simulation.march_only import MarchOnly

SHORT = {
    "fd": ("tokhi-azad", 0.65), "fem": ("naganathan-flexible", 0.05), "fem-spatial": ("naganathan-3r", 0.02),
    "segments": ("li-zhang-three-link", 0.05), "modes": ("ralf", 0.05), "ancf": ("tian-circle", 0.05),
}  # fmt: skip


@pytest.mark.parametrize("name", SHORT)
def test_a_bare_run_ends_where_the_whole_run_ends(name):
    scenario, end = SHORT[name]
    method = {} if name != "ancf" else {"method": {"name": "ancf", "resolution": [2, 2], "energy_error": 1e6}}
    plan = fa.load(scenario).with_({"time.end": end, **method})
    bare = MarchOnly(plan)
    assert bare.run() > 0.0
    first = bare.tip
    bare.run()
    np.testing.assert_array_equal(bare.tip, first)
    np.testing.assert_array_equal(bare.tip, fa.simulate(plan).data["tip_position"].values[-1])


@pytest.fixture
def alone(monkeypatch):
    """Without Exudyn and without a compiler; what starts other processes is left out; runs are short."""
    for name in ("fd", "fem", "segments", "space", "modes", "ancf"):
        module = f"flexarm.benchmarks.{name}"
        if name != "fd":
            monkeypatch.setattr(f"{module}.version", lambda: None)
        monkeypatch.setattr(f"{module}.growths", lambda repeats: [])
    monkeypatch.setattr("flexarm.benchmarks.measure.version", lambda: None)
    monkeypatch.setattr("flexarm.benchmarks.starting._process", lambda code, **environment: 0.4)
    monkeypatch.setattr("flexarm.benchmarks.starting.on_line", lambda: 10.0)
    monkeypatch.setattr("flexarm.benchmarks.fd.COMPILERS", ("no-such-compiler",))


def test_what_is_not_installed_is_left_out_and_told(alone):
    found = bench(["fd", "fem", "segments"], repeats=1, compiling=False)
    assert [each.judged for each in found.contests] == [None] * 4
    assert all(entry.us_per_step > 0.0 for each in found.contests for entry in each.entries)
    told = " ".join(found.left_out)
    assert "pip install 'flexarm[bench]'" in told and "no C compiler" in told and "--compile" in told
    assert found.numbers["start-up, import, s of processor time"] == 0.4
    assert found.contests[1].entries[0].error < 5.0


def test_other_benches_run_alone_too(alone, monkeypatch):
    monkeypatch.setattr("flexarm.benchmarks.modes.OURS", [(2, 1e-2)])
    monkeypatch.setattr("flexarm.benchmarks.modes.FINE", {"flexarm": (2, 5e-3)})
    monkeypatch.setattr("flexarm.benchmarks.modes.WITHIN", 1.0)
    found = bench(["fem-spatial", "modes", "ancf"], repeats=1, compiling=True)
    assert {each.bench for each in found.contests} == {"fem-spatial", "modes", "ancf"}
    assert found.numbers["first run with an empty cache, ancf, s of processor time"] == 0.4


def test_ticks_are_measured_beside_the_continuous_law(alone, monkeypatch):
    """All laws are the same one, so their tips differ by the delay of sampling alone."""
    monkeypatch.setattr("flexarm.benchmarks.ticks.METHODS", {"segments": {"name": "segments", "resolution": 4}})
    monkeypatch.setattr("flexarm.benchmarks.ticks.END", 0.02)
    (contest,) = bench(["ticks"], repeats=1).contests
    assert [entry.ratio > 0.0 for entry in contest.entries] == [True] * 5
    assert contest.entries[0].error == 0.0 and contest.entries[3].error == contest.entries[4].error


def test_an_interrupt_keeps_what_is_measured(alone):
    asked = iter([False, True, True, True])
    found = bench(["fem", "segments"], repeats=1, cancel=lambda: next(asked))
    assert {each.bench for each in found.contests} == {"fem"} and not found.numbers


def test_the_c_loop_computes_the_same_motion():
    from flexarm.benchmarks import fd

    plain = fd.c_loop()
    if plain is None:
        return
    own = fd.run(fd.STEP, scheme="leapfrog")
    own.run()
    assert plain(own.steps) == pytest.approx(float(own.data["travel"][-1]), rel=1e-6)


def test_the_command_writes_json_and_a_table(alone, tmp_path, monkeypatch):
    from typer.testing import CliRunner

    from flexarm.cli import app

    monkeypatch.chdir(tmp_path)
    answer = CliRunner().invoke(app, ["bench", "fem", "--no-compile", "--repeats", "1", "--out", "bench.json"])
    assert answer.exit_code == 0, answer.output
    assert "planar fem" in answer.stdout and "left out: Exudyn is not installed" in answer.stdout
    data = json.loads((tmp_path / "bench.json").read_text())
    assert data["contests"][0]["entries"][0]["who"] == "flexarm" and data["machine"]["exudyn"] is None
    assert "already exists" in CliRunner().invoke(app, ["bench", "fem", "--out", "bench.json"]).stderr


def test_an_unknown_bench_is_refused():
    with pytest.raises(FlexarmError, match="did you mean 'segments'"):
        bench(["segment"])
