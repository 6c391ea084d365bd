"""Ctrl-C: a real signal to a process in the middle of its work."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import xarray

DRIVER = """
import signal
import sys

signal.signal(signal.SIGINT, signal.default_int_handler)  # also where the tests run in the background
from flexarm.commands import progress

def begun(self, stage, done, total):
    if stage == "march":
        sys.stderr.write("under way\\n")
        sys.stderr.flush()

progress.Bar.__call__ = begun
from flexarm.simulation import realtime
wait = realtime._wait

def waited(due, *rest):
    if not waited.periods:
        sys.stderr.write("under way\\n")
        sys.stderr.flush()
    waited.periods += 1
    return wait(due, *rest)

waited.periods = 0
realtime._wait = waited
from flexarm.cli import main
main()
"""
LONG = ("--set", "time.end=3000s", "--set", "time.step=0.2ms", "--set", "output.every=10ms")


def interrupted(folder: Path, *arguments: str) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of a command that gets SIGINT in the middle of its steps."""
    process = subprocess.Popen(
        [sys.executable, "-c", DRIVER, *arguments], cwd=folder, text=True, encoding="utf-8",
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stderr is not None
    for line in process.stderr:
        if line.startswith("under way"):
            break
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err


def test_an_interrupted_run_is_saved_and_can_go_on(tmp_path):
    code, out, err = interrupted(tmp_path, "run", "tokhi-azad", *LONG, "--out", "out", "--checkpoint", "state.npz")
    assert code == 130
    assert "interrupted at t = " in err and "of 3000 s" in err and "'out'" in err
    assert "--resume state.npz" in err and "Traceback" not in err
    assert " of 3000 s in " in out
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["run.nc", "scenario.yaml", "summary.json"]
    with xarray.open_dataset(tmp_path / "out" / "run.nc") as data:
        reached = float(data["time"][-1])
        assert 0.0 < reached < 3000.0 and data.attrs["outcome"] == "CANCELLED"
    assert json.loads((tmp_path / "out" / "summary.json").read_text())["end_time"] == reached
    assert (tmp_path / "state.npz").exists()


def test_an_interrupted_real_time_run_reports_what_was_measured(tmp_path):
    code, out, err = interrupted(tmp_path, "realtime", "tokhi-azad", "--duration", "1000s")
    assert code == 130 and "interrupted at t = " in err and "Traceback" not in err
    assert "of 1000000 periods" in out
