"""`flexarm identify`: a log in, a fitted scenario out."""

from __future__ import annotations

import json

import numpy as np
import pytest

import flexarm as fa

RIG = """\
name: small rig
extends: tokhi-azad-20g
arm: {damping: {time: 0.4 ms}}
method: {name: fd, resolution: 10}
time: {end: 0.6 s, step: 1 ms}
output: {every: null, gauges: [{link: link, at: 0.1, name: root}]}
"""
COLUMNS = ("--column", "strain", "--signal", "strain:root", "--sigma", "1e-7", "--column", "angle", "--signal",
           "joint_position:link", "--sigma", "1e-4rad")  # fmt: skip


@pytest.fixture
def rig(folder):
    (folder / "rig.yaml").write_text(RIG)
    data = fa.simulate(fa.load(folder / "rig.yaml").with_({"arm.payload.mass": "30 g"})).data
    random = np.random.default_rng(4)
    strain = data.strain.values[:, 0] + random.normal(0.0, 1e-7, data.time.size)
    angle = data.joint_position.values[:, 0] + random.normal(0.0, 1e-4, data.time.size)
    rows = [f"{t:.9g},{1e6 * e:.9g},{a:.9g}" for t, e, a in zip(data.time.values, strain, angle, strict=True)]
    (folder / "log.csv").write_text("\n".join(["time [s],strain [um/m],angle [rad]", *rows]))
    return folder


def test_a_fitted_scenario_is_written_that_extends_the_old_one(call, rig):
    said = call("identify", "rig.yaml", "log.csv", "--fit", "arm.payload.mass=25g", *COLUMNS, "--out", "found").stdout
    assert "arm.payload.mass" in said and "chi-square" in said and "(as stated)" in said
    fitted = fa.load(rig / "found/fitted.yaml")
    assert fitted.arm.payload.mass == pytest.approx(0.03, rel=2e-3) and fitted.method.options.resolution == 10
    assert "extends: ../rig.yaml" in (rig / "found/fitted.yaml").read_text().replace('"', "")
    numbers = json.loads((rig / "found/fit.json").read_text())
    found = numbers["parameters"]["arm.payload.mass"]
    assert found["value"] == fitted.arm.payload.mass and abs(found["value"] - 0.03) < 3.0 * found["sd"]
    assert {path.name for path in (rig / "found").glob("*.png")} == {
        "fit-1.png", "fit-2.png", "residuals-1.png", "residuals-2.png",
    }  # fmt: skip
    again = call("identify", "rig.yaml", "log.csv", "--fit", "arm.payload.mass", *COLUMNS, "--out", "found", code=2)
    assert "already exist" in " ".join(again.stderr.split()) or "force" in again.stderr


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((), "say what shall be found"),
        (("--fit", "arm.payload.mas"), "did you mean 'mass'"),
        (("--fit", "arm.payload.mass", "--column", "stran", "--signal", "strain:root"), "there is no column 'stran'"),
        (("--fit", "arm.payload.mass", "--column", "strain", "--column", "angle", "--signal", "strain:root"), "give one --signal for each --column"),
        (("--fit", "arm.payload.mass", "--column", "strain", "--signal", "strain:root", "--sigma", "0"), "must be positive"),
        (("--fit", "arm.payload.mass", "--sigma", "1", "--sigma", "2"), "one --sigma for each --column"),
        (("--fit", "arm.payload.mass", "--bound", "arm.payload.mass=3"), "are no bounds"),
    ],
)  # fmt: skip
def test_wrong_words_get_a_sentence(call, rig, words, sentence):
    said = call("identify", "rig.yaml", "log.csv", *words, code=2).stderr
    assert sentence in " ".join(said.split())
    assert not (rig / "results").exists()
