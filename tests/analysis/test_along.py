"""Natural frequencies along a commanded motion."""

from __future__ import annotations

import json

import numpy as np
import pytest
from typer.testing import CliRunner

import flexarm as fa
from flexarm import cli
from flexarm.errors import FlexarmError


def test_ends_are_those_of_the_poses():
    plan = fa.load("naganathan-rp").with_({"method.resolution": 4})
    found = fa.frequencies_along(plan, n=3, points=5)
    assert found.hz.shape == (5, 3) and found.time[-1] == pytest.approx(1.5)
    assert found.pose[0] == pytest.approx([0.0, 0.5]) and found.pose[-1] == pytest.approx([np.pi / 2, 1.0])
    for k in (0, -1):
        assert found.hz[k] == pytest.approx(fa.frequencies(plan, n=3, pose=list(found.pose[k])).hz, rel=1e-9)
    assert np.all(np.diff(found.hz[:, 0]) < 1e-9)  # the longer the boom the lower


def test_poses_on_the_way_are_those_of_a_run():
    plan = fa.load("naganathan-flexible").with_({"method.resolution": 2})
    found = fa.frequencies_along(plan, n=1, points=9)
    run = fa.simulate(plan).data.joint_position.sel(time=found.time, method="nearest").values
    assert found.pose == pytest.approx(run, abs=1e-9)


def test_a_joint_without_command_is_refused():
    with pytest.raises(FlexarmError, match="no commanded position"):
        fa.frequencies_along(fa.load("tokhi-azad"))
    with pytest.raises(FlexarmError, match="2 to 2000 points"):
        fa.frequencies_along(fa.load("naganathan-flexible"), points=1)


def test_command_writes_figure_table_and_numbers(tmp_path):
    words = [
        "frequencies",
        "naganathan-flexible",
        "--along",
        "-n",
        "2",
        "--points",
        "4",
        "--out",
        str(tmp_path / "f"),
        "--json",
    ]
    done = CliRunner().invoke(cli.app, words)
    assert done.exit_code == 0, done.output
    numbers = json.loads(done.output)
    assert len(numbers["time"]) == 4 and len(numbers["hz"][0]) == 2
    names = {path.name for path in (tmp_path / "f").iterdir()}
    assert names == {"frequencies-along.csv", "frequencies-along.json", "frequencies-along.png"}
    rows = (tmp_path / "f" / "frequencies-along.csv").read_text().splitlines()
    assert rows[0].startswith("time [s],mode 1 [Hz],mode 2 [Hz],upper [rad]") and len(rows) == 5
