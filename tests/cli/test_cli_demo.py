"""`flexarm demo`: all bundled scenarios at once."""

from __future__ import annotations

import json

import flexarm as fa
from flexarm.errors import OutputError
from flexarm.scenario import Bundled


def test_demo_shows_a_row_per_scenario(call, folder, monkeypatch):
    monkeypatch.setattr(fa, "bundled", lambda: [Bundled("pd-hub", "", "")])
    answer = call("demo", "--out", "out")
    (row,) = [line for line in answer.stdout.splitlines() if line.startswith("pd-hub")]
    summary = json.loads((folder / "out/pd-hub/summary.json").read_text())
    assert summary["joints"] == "held" and f"{summary['natural_frequencies'][0]:.4g} Hz" in row
    assert (folder / "out/pd-hub/tip.png").exists()


def test_demo_says_when_files_cannot_be_written(call, monkeypatch):
    def full(*arguments):
        raise OutputError("the disk is full")

    monkeypatch.setattr(fa, "bundled", lambda: [Bundled("pd-hub", "", "")])
    monkeypatch.setattr("flexarm.result.Result.save", full)
    assert "the disk is full" in call("demo", "--out", "out", code=2).stderr
