"""`flexarm tune`: files, JSON, resuming, and what is refused."""

from __future__ import annotations

import json

import flexarm as fa

SHORT = ("--set", "time.end=1s", "--set", "method.resolution=9", "--set", "time.step=1ms")


def test_a_search_writes_its_files_and_can_go_on(call, folder):
    page = call("tune", "pd-hub", *SHORT, "--trials", "4", "--seed", "1").stdout
    where = folder / "results" / "tune-pd-hub"
    assert sorted(path.name for path in where.iterdir()) == ["study.log", "trials.csv", "trials.json", "tuned.yaml"]
    assert "link.kp" in page and "on a finer mesh" in page and "4 trials in" in page
    assert max(len(line) for line in page.splitlines()) <= 80
    tuned = fa.load(where / "tuned.yaml")
    assert tuned.name.endswith("tuned") and f"{tuned.drive[0].control.kp:.6g}" in page
    refused = call("tune", "pd-hub", *SHORT, "--trials", "4", "--seed", "1", code=2)
    assert "already exists" in refused.stderr
    data = json.loads(call("tune", "pd-hub", *SHORT, "--trials", "6", "--seed", "1", "--resume", "--json").stdout)
    assert data["trials"] == 6 and data["after"]["rms"] <= data["before"]["rms"] and data["confirmed"]


def test_bad_arguments_are_told(call):
    assert "nothing to tune" in call("tune", "tokhi-azad", code=2).stderr
    assert "--torque" in call("tune", "pd-hub", "--torque", "much", code=2).stderr
    assert "one per joint" in call("tune", "pd-hub", *SHORT, "--torque", "1,2", code=2).stderr
    assert "increasing times" in call("tune", "pd-hub", *SHORT, "--sets", "0.5s,0.2s", code=2).stderr
