"""`flexarm bench --against` on the command line."""

from __future__ import annotations

import json
import sys

from flexarm.benchmarks.worker import ROWS

ROW = "building, segments"


def test_a_wrong_path_and_few_rounds_get_a_sentence(call):
    told = call("bench", "--against", "no/such/python", code=2).stderr
    assert told == "error: 'no/such/python' is not a Python interpreter that can be run: No such file or directory\n"
    assert "--rounds" in call("bench", "--against", sys.executable, "--rounds", "2", code=2).stderr


def test_the_table_is_complete(call, folder, monkeypatch):
    monkeypatch.setattr("flexarm.benchmarks.against.ROWS", {ROW: ROWS[ROW]})
    monkeypatch.setattr("flexarm.benchmarks.against._pairs", lambda *_: [(1.2, 1.0), (1.3, 1.0), (1.1, 1.0)])
    command = ("bench", "segments", "--against", sys.executable, "--rounds", "7", "--out", "ratios.json")
    told = call(*command).stdout
    assert ROW in told and "1.200" in told
    assert f"slower than the other: {ROW} (1.200 to 1.200)" in told
    data = json.loads((folder / "ratios.json").read_text())
    assert data["rows"][0]["pairs"] == 21
    assert ("both are the same installation" in told) == (data["here"]["place"] == data["there"]["place"])
