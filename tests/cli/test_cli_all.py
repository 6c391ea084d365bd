"""Commands that do everything at once: demo and reproduce."""

from __future__ import annotations

import json

import pytest

import flexarm as fa
from flexarm.errors import OutputError
from flexarm.papers import Check
from flexarm.papers.claims import Tolerance
from flexarm.scenario import Bundled


class Leaflet:
    """A paper with one number and no figures."""

    id, title, authors, year, source = "leaflet", "A leaflet", ("N. N.",), 2001, "Nowhere"

    def __init__(self, number: float):
        self.number = number

    def claims(self):
        return ()

    def checks(self):
        return (Check("two", "numbers", lambda: [self.number], (2.0,), Tolerance(absolute=0.1)),)

    tables = figures = claims


@pytest.fixture
def leaflet(monkeypatch):
    """Let the only paper be a leaflet with that number."""

    def offer(number):
        monkeypatch.setattr("flexarm.papers.get_paper", lambda name: Leaflet(number))
        monkeypatch.setattr("flexarm.papers.paper_names", lambda: ("leaflet",))

    return offer


def test_reproduce_writes_reports_and_ends_well_if_all_numbers_agree(call, folder, leaflet):
    leaflet(2.05)
    answer = call("reproduce", "leaflet", "--out", "out")
    assert "1 of 1 numbers agree" in answer.stdout
    assert json.loads((folder / "out/leaflet/report.json").read_text())["ok"] is True
    assert "# A leaflet" in (folder / "out/leaflet/report.md").read_text()
    assert "already exists" in call("reproduce", "leaflet", "--out", "out", code=2).stderr


def test_reproduce_fails_if_a_number_does_not_agree(call, leaflet):
    leaflet(3.0)
    assert "two: (3.0,) against (2.0,)" in call("reproduce", "--out", "out", "--no-figures", code=1).stdout


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
