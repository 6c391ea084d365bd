"""`flexarm run`: files, report, JSON, controllers, and runs that go bad."""

from __future__ import annotations

import json
import sys

import numpy as np
import pytest
import xarray

import flexarm as fa

SHORT = ("--set", "time.end=50ms")


def test_a_run_writes_data_figures_and_the_scenario_as_run(call, folder):
    changes = ("--set", "arm.payload.mass=20g", "--set", "time.end=0.2s")
    answer = call("run", "tokhi-azad", *changes, "--figures", "tip,modes", "--csv", "--animation")
    results = folder / "results" / "tokhi-azad"
    assert sorted(path.name for path in results.iterdir()) == [
        "animation.gif", "modes.png", "run.csv", "run.nc", "scenario.yaml", "summary.json", "tip.png",
    ]  # fmt: skip
    as_run = fa.load(results / "scenario.yaml")
    assert as_run.arm.payload.mass == pytest.approx(0.02) and as_run.time.end == pytest.approx(0.2)
    with xarray.open_dataset(results / "run.nc") as data:
        assert float(data["time"][-1]) == pytest.approx(0.2)
        again = fa.simulate(as_run).data
        np.testing.assert_array_equal(data["travel"].values, again["travel"].values)
    summary = json.loads((results / "summary.json").read_text(encoding="utf-8"))
    assert summary["success"] and summary["travel_end"] == pytest.approx(float(again["travel"][-1]))
    for words in ("tip deflection", "motor torque", "strain link@0.5", "natural frequencies", "energy balance",
                  "Files in results/tokhi-azad", "scheme"):  # fmt: skip
        assert words in answer.stdout
    assert max(len(line) for line in answer.stdout.splitlines()) <= 80


def test_all_figures_that_have_data_are_drawn_by_default(call, folder):
    call("run", "tokhi-azad", *SHORT, "--out", "out", "--quiet", "--set", "output.gauges=[]", "--format", "svg")
    names = {path.stem for path in (folder / "out").glob("*.svg")}
    assert {"tip", "deflection", "torque", "spectrum", "surface", "energy", "joints", "arm", "modes"} <= names
    assert "strain" not in names


def test_the_report_says_how_long_it_rings(call):
    damped = ("--set", "arm.damping.ratio=2%", "--set", "time.end=3s", "--figures", "none")
    answer = call("run", "tokhi-azad", *damped)
    scenario = fa.load("tokhi-azad", ["arm.damping.ratio=2%"])
    first = float(fa.frequencies(scenario, n=1, joints="free").hz[0])
    after = np.log(20.0) / (0.02 * 2 * np.pi * first)
    assert f"at {first:.4g} Hz from 0.6 s on, damping 2 %: below 5 % of that after {after:.4g} s" in " ".join(
        answer.stdout.split()
    )
    undamped = call("run", "tokhi-azad", "--figures", "none", "--out", "other")
    assert "it does not die out" in " ".join(undamped.stdout.split())


def test_json_is_alone_on_standard_output_and_writes_nothing(call, folder):
    answer = call("run", "tokhi-azad", *SHORT, "--json")
    summary = json.loads(answer.stdout)
    assert summary["end_time"] == pytest.approx(0.05) and summary["files"] == []
    assert list(folder.iterdir()) == []


def test_json_writes_files_where_a_folder_is_named(call, folder):
    answer = call("run", "tokhi-azad", *SHORT, "--json", "--out", "here", "--figures", "none")
    assert json.loads(answer.stdout)["files"] == ["here/summary.json", "here/scenario.yaml", "here/run.nc"]
    refused = call("run", "tokhi-azad", "--json", "--csv", code=2)
    assert "--out" in refused.stderr and refused.stdout == ""


def test_quiet_says_nothing(call):
    answer = call("run", "tokhi-azad", *SHORT, "--quiet", "--figures", "none")
    assert answer.stdout == answer.stderr == ""


def test_the_first_run_says_that_it_compiles_and_how_long_it_took_last_time(call, monkeypatch, tmp_path):
    from flexarm.commands import kernels

    monkeypatch.setattr("flexarm.numerics.kernel_cache.cache_is_warm", lambda family: False)
    monkeypatch.setattr("flexarm.numerics.kernel_cache.cache_root", lambda: tmp_path)
    monkeypatch.setattr("atexit.register", lambda *given: None)
    kernels.note_compiling("fd", 0.1)
    answer = call("run", "tokhi-azad", *SHORT, "--json")
    assert "compiling kernels of fd (only on the first run) ..." in answer.stderr
    kernels.note_compiling("fd", 12.5)
    assert "compiling kernels of fd (12.50 s last time) (only" in call("run", "tokhi-azad", *SHORT, "--json").stderr
    json.loads(answer.stdout)


def test_a_folder_with_files_is_refused_before_the_run_and_replaced_when_forced(call, folder, monkeypatch):
    arguments = ("run", "tokhi-azad", *SHORT, "--out", "out")
    call(*arguments, "--figures", "tip")
    (folder / "out" / "notes.txt").write_text("mine", encoding="utf-8")
    with monkeypatch.context() as patch:
        patch.setattr("flexarm.simulation.run.simulate", lambda *a, **k: pytest.fail("it ran"))
        patch.setitem(fa.__dict__, "simulate", lambda *a, **k: pytest.fail("it ran"))
        refused = call(*arguments, code=2)
    assert refused.stderr.startswith("error: the folder 'out' already holds files")
    assert "--force" in refused.stderr and "--out" in refused.stderr
    call(*arguments, "--force", "--figures", "none")
    left = sorted(path.name for path in (folder / "out").iterdir())
    assert left == ["notes.txt", "run.nc", "scenario.yaml", "summary.json"], "old figures go, other files stay"


def test_an_empty_folder_may_be_used(call, folder):
    (folder / "out").mkdir()
    call("run", "tokhi-azad", *SHORT, "--out", "out", "--figures", "none")


def test_another_method_drops_the_options_of_the_old_one(call):
    answer = call("run", "tokhi-azad", *SHORT, "--method", "fd", "--json")
    assert json.loads(answer.stdout)["method"] == "fd"
    assert "--method: there is no method 'xx'" in call("run", "tokhi-azad", "--method", "xx", code=2).stderr


def test_a_controller_drives_the_arm(call, laws):
    answer = call("run", "external.yaml", "--controller", "laws.py:bang", "--json")
    own = fa.simulate("tokhi-azad").data
    assert json.loads(answer.stdout)["travel_end"] == pytest.approx(float(own["travel"][-1]), rel=1e-9)


def test_a_run_that_goes_bad_keeps_what_it_has(call, folder, laws):
    answer = call("run", "external.yaml", "--controller", "laws.py:explodes", "--figures", "none", code=1)
    assert answer.stderr.startswith("error: a value became infinite") and "t = 0.051 s" in answer.stderr
    assert "0.051 of 1.2 s in 306 steps" in answer.stdout  # 0.051 s in steps of 1/6000 s; 7200 were planned
    assert json.loads((folder / "results/external/summary.json").read_text())["steps"] == 306
    with xarray.open_dataset(folder / "results" / "external" / "run.nc") as data:
        assert 0.04 < float(data["time"][-1]) < 0.06


def test_a_controller_that_fails_ends_the_run_with_its_words(call, folder, laws):
    answer = call("run", "external.yaml", "--controller", "laws.py:stops", "--json", code=1)
    summary = json.loads(answer.stdout)
    assert not summary["success"] and summary["outcome"] == "CONTROLLER_FAILED"
    assert "the law gave up" in answer.stderr


def test_an_interrupted_run_goes_on_from_its_checkpoint_as_if_nothing_had_happened(call, monkeypatch):
    fine = ("run", "tokhi-azad", "--set", "time.step=0.05ms", "--set", "method.scheme=leapfrog", "--json")
    whole = json.loads(call(*fine).stdout)
    with monkeypatch.context() as patch:
        stages = []
        patch.setattr("flexarm.commands.progress.Bar.__call__", lambda self, *told: stages.append(told[0]))
        patch.setattr("flexarm.commands.progress.Interrupt.__call__", lambda self: stages[-1] == "march")
        part = json.loads(call(*fine, "--checkpoint", "part.npz", code=130).stdout)
    assert part["outcome"] == "CANCELLED" and 0.0 < part["end_time"] < 1.0
    rest = json.loads(call(*fine, "--resume", "part.npz").stdout)
    for name in ("tip_position_end", "travel_end", "records", "strain_peak", "energy_residual"):
        assert rest[name] == whole[name]
    assert "another scenario" in call("run", "pd-hub", "--resume", "part.npz", "--json", code=2).stderr


def test_a_film_as_mp4_is_refused_before_the_run_where_it_cannot_be_written(call, folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    assert "pip install 'flexarm[video]'" in call("run", "tokhi-azad", "--video", code=2).stderr
    assert not (folder / "results").exists()


def test_a_film_as_mp4_is_written_on_request(call, folder):
    pytest.importorskip("imageio_ffmpeg", reason="MP4 films need imageio-ffmpeg, the extra 'video'")
    call("run", "tokhi-azad", "--figures", "none", "--video", "--set", "time.end=50ms", "--set", "output.every=10ms")
    assert b"ftyp" in (folder / "results/tokhi-azad/animation.mp4").read_bytes()[:16]
