"""`flexarm realtime`: the report, its JSON and its histogram. Times themselves are tested with a false clock."""

from __future__ import annotations

import json

import numpy as np
import pytest

from flexarm.commands.histogram import classes, lines
from flexarm.commands.timing_report import misses
from flexarm.simulation.realtime import Timing


def test_a_paced_run_is_reported(call, folder):
    answer = call("realtime", "tokhi-azad", "--rate", "2kHz", "--duration", "50ms", "--figures", "histogram")
    for words in ("100 of 100 periods of 0.5 ms", "real-time factor", "missed deadlines", "99.9 %", "Computing time"):
        assert words in answer.stdout
    assert max(len(line) for line in answer.stdout.splitlines()) <= 80
    names = sorted(path.name for path in (folder / "results" / "tokhi-azad-realtime").iterdir())
    assert names == ["histogram.png", "timing.json"]


def test_json_with_a_controller_beyond_the_end_of_the_scenario(call, laws):
    answer = call("realtime", "tokhi-azad", "--controller", "laws.py:bang", "--rate", "10kHz", "--set", "time.end=10ms",
                  "--duration", "30ms", "--json")  # fmt: skip
    found = json.loads(answer.stdout)
    assert found["periods"] == found["periods_planned"] == 300
    assert found["period"] == pytest.approx(1e-4)
    assert found["missed_deadlines"] == len(found["missed_times"])


def test_a_controller_that_fails_is_named_after_the_report(call, laws):
    answer = call("realtime", "external.yaml", "--controller", "laws.py:stops", "--duration", "80ms", code=1)
    assert "51 of 80 periods" in answer.stdout
    assert answer.stderr.endswith("the law gave up\n") and "error: the controller failed" in answer.stderr


def test_histogram_classes_hold_every_value():
    values = np.array([-1e-9, 0.0, 5e-7, 1e-6, 1.5e-6, 2e-6, 3e-4, 1e9])
    found = classes(values)
    assert found[0] == (0.0, 1e-6, 3) and found[1] == (1e-6, 2e-6, 2) and found[2] == (2e-6, 5e-6, 1)
    assert sum(count for *_, count in found) == len(values) and found[-1][2] == 1
    assert classes(np.zeros(0)) == [] and lines(np.zeros(0)) == []
    drawn = lines(np.array([1.5e-6] * 100 + [3e-6]), 20)
    assert drawn[0].startswith("   1 µs to 2 µs") and drawn[0].count("█") == 20 and 0 < drawn[1].count("█") < 20


def test_missed_deadlines_are_listed_but_not_endlessly():
    late = np.full(20, -1e-4)
    late[3:15] = 2e-4
    text = misses(Timing(1e-3, 20, np.zeros(20), np.full(20, 1e-3), late))
    assert text.startswith("12, worst by 200 µs, at t = 0.003, 0.004") and text.endswith("and 4 more")
    assert misses(Timing(1e-3, 1, np.zeros(1), np.zeros(1), np.full(1, -1e-3))) == "none"
