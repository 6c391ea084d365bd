"""`flexarm demo`: scenarios side by side, and the page that shows them."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys

import pytest

import flexarm as fa
from flexarm.commands import demo
from flexarm.commands.outputs import Wanted
from flexarm.errors import OutputError
from flexarm.view.gallery import Piece

DRIVER = """
import signal
import sys

signal.signal(signal.SIGINT, signal.default_int_handler)
from flexarm.commands import demo

demo.HEADLINES = {"tokhi-azad": "torque", "pd-hub": "tip"}
make = demo._make


def slow(order, tell, cancel):
    import time

    if order.name == "pd-hub":
        tell(order.name, "build")
        time.sleep(60.0)
    return make(order, tell, cancel)


demo._make = slow
from flexarm.cli import main

main()
"""


@pytest.fixture
def one(monkeypatch):
    monkeypatch.setattr(demo, "HEADLINES", {"pd-hub": "tip,torque"})


def test_demo_shows_a_row_per_scenario_and_a_page(call, folder, one):
    answer = call("demo", "--out", "out")
    (row,) = [line for line in answer.stdout.splitlines() if line.startswith("pd-hub")]
    summary = json.loads((folder / "out/pd-hub/summary.json").read_text())
    assert summary["joints"] == "held" and f"{summary['natural_frequencies'][0]:.4g} Hz" in row
    assert (folder / "out/index.html").as_uri() in answer.stdout
    assert sorted(path.stem for path in (folder / "out/pd-hub").glob("*.png")) == ["tip", "torque"]
    page = (folder / "out/index.html").read_text(encoding="utf-8")
    assert f"{1e3 * summary['tip_deflection_peak']:.4g} mm off the stiff arm" in page
    assert f"{summary['drive_torque_peak']['link']:.4g} N·m" in page
    assert "flexarm run pd-hub" in page and "kp: 3 N*m/rad" in page and 'src="pd-hub/torque.png"' in page
    film = json.loads(re.search(r'id="pd-hub-film">(.*?)</script>', page)[1])
    assert film["time"][-1] == fa.load("pd-hub").time.end and film["bends"]
    assert "already exists" in call("demo", "--out", "out", code=2).stderr


def test_demo_of_all_takes_every_scenario_with_all_figures(call, folder, monkeypatch):
    asked = []

    def made(order, tell, cancel):
        asked.append((order.name, order.wanted.figures))
        return demo.Made(Piece(order.name, order.name), (order.name, *"-----"), 0, "")

    monkeypatch.setattr(demo, "_make", made)
    monkeypatch.setattr("flexarm.processes.cores", lambda: 1)
    (folder / "out").mkdir()
    (folder / "out/index.html").write_text("old")
    call("demo", "--out", "out", "--all", code=2)
    assert "roll-up: done" in call("demo", "--out", "out", "--all", "--force").stderr
    assert sorted(asked) == [(entry.name, None) for entry in fa.bundled()], "None: all figures that a run has data for"
    page = (folder / "out/index.html").read_text(encoding="utf-8")
    assert all(f'id="{name}"' in page for name, _ in asked)


def test_the_headlines_are_one_scenario_of_each_method_with_space_a_loop_and_control():
    arms = {name: fa.load(name) for name in demo.HEADLINES}
    assert sorted(each.method.name for each in arms.values()) == sorted(fa.method_names())
    assert any(each.arm.spatial for each in arms.values()) and any(each.arm.loops for each in arms.values())
    assert any(drive.control for each in arms.values() for drive in each.drive)


def test_cheap_scenarios_come_first_then_long_ones_and_kernels_are_compiled_once(monkeypatch):
    monkeypatch.setattr("flexarm.numerics.kernel_cache.cache_is_warm", lambda family: False)
    monkeypatch.setattr("flexarm.numerics.kernel_cache.last_times", dict)
    names = ["tian-circle", "naganathan-3r", "ralf", "li-zhang-three-link", "tokhi-azad", "pd-hub"]
    orders = [demo.Order(name, fa.load(name), Wanted(None, ["tip"], [])) for name in names]
    expected, ranked = demo._schedule(orders, workers=2)
    assert [order.name for order in ranked] == [
        "li-zhang-three-link", "tokhi-azad", "naganathan-3r", "tian-circle", "ralf", "pd-hub",
    ]  # fmt: skip
    assert expected["pd-hub"] < 5.0 < expected["tokhi-azad"]


def test_demo_says_when_files_cannot_be_written(call, one, monkeypatch):
    def full(*arguments):
        raise OutputError("the disk is full")

    monkeypatch.setattr("flexarm.result.Result.save", full)
    assert "the disk is full" in call("demo", "--out", "out", code=2).stderr


def test_ctrl_c_keeps_what_is_done(tmp_path):
    command = [sys.executable, "-c", DRIVER, "demo", "--out", "out"]
    process = subprocess.Popen(command, cwd=tmp_path, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    for line in process.stderr:
        if line.startswith("the page grows"):
            break
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130 and "interrupted; 1 scenarios were done" in err and "Traceback" not in err
    page = (tmp_path / "out/index.html").read_text(encoding="utf-8")
    assert "1 of 2 were not computed" in page and 'id="tokhi-azad-film"' in page
    assert not list(tmp_path.rglob(".*")), "no half-written files"
