"""Two installations in turn: the statistics, a real pair of processes, and what cannot be compared."""

from __future__ import annotations

import json
import os
import stat
import sys

import numpy as np
import pytest

from flexarm.benchmarks import BENCHES, bench_against
from flexarm.benchmarks.against import _turns
from flexarm.benchmarks.pairs import order_statistics, pair_ratio
from flexarm.benchmarks.starting import SAMPLES
from flexarm.benchmarks.worker import ROWS
from flexarm.errors import FlexarmError

ROW = "building, segments"


def test_an_interval_holds_the_median_as_often_as_it_says():
    random = np.random.default_rng(1)
    for n in (5, 8, 21):
        rank, coverage = order_statistics(n)
        values = np.sort(random.exponential(size=(20_000, n)), axis=1)
        held = np.mean((values[:, rank] < np.log(2.0)) & (np.log(2.0) < values[:, n - 1 - rank]))
        assert coverage >= 0.9 and held == pytest.approx(coverage, abs=0.01)
    assert order_statistics(4) == (0, 0.875)  # too few: the whole range, and less than 90 %


def test_a_row_is_the_median_of_all_pairs_and_an_interval_of_rounds():
    times = [[(1.0 * k, 1.0), (2.0 * k, 2.0)] for k in range(1, 9)]
    made = pair_ratio("x", times)
    assert (made.ratio, made.low, made.high, made.rounds, made.pairs) == (4.5, 2.0, 7.0, 8, 16)
    assert made.here == np.median([k * c for k in range(1, 9) for c in (1, 2)]) and made.there == 1.5


def test_who_is_first_changes():
    seen: list[str] = []
    pairs = list(_turns(3, lambda: seen.append("a") or 1.0, lambda: seen.append("b") or 2.0))
    assert "".join(seen) == "abbaab" and pairs == [(1.0, 2.0)] * 3


def test_every_bench_has_rows():
    assert {bench for bench, _ in ROWS.values()} == set(BENCHES) == set(SAMPLES)


def test_an_installation_beside_itself():
    """Python starts this installation twice; whatever the load, the same code takes about as long."""
    found = bench_against(sys.executable, rounds=2, rows=[ROW], work=0.02)
    (row,) = found.rows
    assert row.row == ROW and row.pairs == 6 and row.low <= row.ratio <= row.high
    assert 0.5 < row.ratio < 2.0 and row.here > 0.0 and row.there > 0.0
    data = json.loads(json.dumps(found.to_dict()))
    assert data["rows"][0]["ratio"] == row.ratio and data["here"]["flexarm"] == data["there"]["flexarm"]


@pytest.fixture
def interpreter(tmp_path):
    """A program that answers like a worker, with what it is told to say."""

    def make(*answers: str) -> str:
        path = tmp_path / "python"
        lines = "\n".join(f"echo '{answer}'\nread request" for answer in answers)
        path.write_text(f"#!/bin/sh\n{lines}\n")
        os.chmod(path, path.stat().st_mode | stat.S_IXUSR)
        return str(path)

    return make


def test_what_the_other_cannot_do_is_left_out_with_its_reason(interpreter, monkeypatch):
    monkeypatch.setattr("flexarm.benchmarks.against.SAMPLES", {"segments": ("none", 1.0, "segments")})
    about = json.dumps({"flexarm": "0.0", "place": "elsewhere", "python": "3"})
    other = interpreter(about, json.dumps({"skip": "ScenarioError: there is no such scenario"}), "{}")
    found = bench_against(other, ["segments"], rounds=1, rows=[ROW], work=0.01, compiling=True)
    assert not found.rows and "no such scenario" in found.left_out[0] and found.left_out[0].startswith(ROW)
    assert found.left_out[1] == "first run with an empty cache, segments, which one of the installations cannot do"


@pytest.mark.parametrize(
    ("answer", "words"),
    [('{"skip": "No module named flexarm"}', "cannot be imported"), ("", "gave no answer"), ("7", "gave no answer")],
)
def test_an_interpreter_without_flexarm(interpreter, answer, words):
    with pytest.raises(FlexarmError, match=words):
        bench_against(interpreter(answer), rounds=1, rows=[ROW])
