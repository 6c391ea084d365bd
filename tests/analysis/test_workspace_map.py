"""Maps of stiffness, frequency and sag: a cantilever by its formulas, a grid, the command."""

from __future__ import annotations

import json

import numpy as np
import pytest
from typer.testing import CliRunner

import flexarm as fa
from flexarm.analysis.workspace import grid
from flexarm.cli import app
from flexarm.errors import FlexarmError
from flexarm.rigid import tip

ROD = """
name: rod
arm: {gravity: [0, -9.81, 0], links: [{name: rod, length: 1 m, section: {shape: circle, diameter: 20 mm}, material: steel}]}
drive: [{joint: rod, motion: {profile: quintic, by: 60 deg, duration: 1 s}}]
method: {name: fem, resolution: 16, order: 2}
time: {end: 1 s, step: 1 ms}
"""


def test_a_cantilever_along_its_motion():
    """The tip is as stiff in every pose; it sags by the part of its weight that is across it, and hardly along it."""
    plan = fa.loads(ROD)
    found = fa.workspace_map(plan, points=3)
    values = {name: float(value[0]) for name, value in plan.arm.links[0].properties([0.5]).items()}
    soft = 1.0 / (3.0 * values["EI"]) + 1.0 / values["GA"]
    np.testing.assert_allclose(found.stiffness, 1.0 / soft, rtol=2e-3)
    weight = 9.81 * values["rhoA"] * (1.0 / (8.0 * values["EI"]) + 0.5 / values["GA"])
    np.testing.assert_allclose(found.sag, weight * np.cos(np.radians([0.0, 30.0, 60.0])), rtol=3e-3)
    np.testing.assert_allclose(found.hz, fa.frequencies(plan, n=1).hz[0], rtol=2e-3)


def test_a_grid_has_places_that_are_reached_and_others(tmp_path):
    plan = fa.load("naganathan-3r").with_({"method.resolution": 1})
    places = grid("xz", (1.0, 0.5), (2.6, 0.7), (3, 2), 0.0, True)
    found = fa.workspace_map(plan, places, plane="xz")
    assert found.reached.tolist() == [True, True, False, False, True, True]
    np.testing.assert_allclose(tip(plan.arm, found.pose[1]), found.place[1], atol=1e-8)
    with pytest.raises(FlexarmError, match="two of x, y and z"):
        grid("xx", (0, 0), (1, 1), (2, 2), 0.0, True)
    order = [
        "map",
        "naganathan-3r",
        "--set",
        "method.resolution=1",
        "--plane",
        "xz",
        "--from",
        "1,0.5",
        "--to",
        "3,0.7",
        "--count",
        "2,2",
    ]
    done = CliRunner().invoke(app, [*order, "--out", str(tmp_path)])
    assert done.exit_code == 0, done.output
    assert "2 of 4 places reached" in done.output and (tmp_path / "map.png").stat().st_size > 10_000
    assert len(json.loads((tmp_path / "map.json").read_text())["hz"]) == 4
    bad = CliRunner().invoke(app, [*order[:4], "--plane", "xz", "--out", str(tmp_path / "b")])
    assert bad.exit_code == 2 and "--from: it wants 2 numbers" in bad.output
