"""Stepped links in space: the same mesh as in the plane gives the same bending in both planes."""

from __future__ import annotations

import numpy as np
import pytest
from spatial_arms import ALUMINIUM, beam, scenario

import flexarm as fa
from flexarm.simulation.build import prepare

THICK, THIN = {"shape": "circle", "diameter": 0.02}, {"shape": "circle", "diameter": 0.01}
STEPPED = [{"at": 0.0, **THICK}, {"at": 0.37, **THICK}, {"at": 0.37, **THIN}, {"at": 1.0, **THIN}]
HOLD = {"profile": "quintic", "by": 0.0, "duration": 0.1}


def hz(resolution: int, spatial: bool, n: int) -> np.ndarray:
    """Frequencies of one stepped link with a payload, held at its root."""
    joint = {"dh": {"a": 0.9}} if spatial else {}
    link = {"name": "boom", "length": 0.9, "section": STEPPED, "material": ALUMINIUM, "joint": joint}
    arm = fa.Arm.model_validate({"links": [link], "payload": {"mass": 0.2}})
    assert arm.spatial == spatial
    return fa.frequencies(arm, "fem", n=n, options={"resolution": resolution}).hz


def test_a_stepped_link_bends_in_space_as_in_the_plane():
    found, plane = hz(8, True, 4), hz(8, False, 2)
    assert found[::2] == pytest.approx(found[1::2], rel=1e-6)
    assert found[::2] == pytest.approx(plane, rel=1e-6)


def test_frequencies_of_a_stepped_link_converge_with_the_square_of_the_mesh():
    a, b, c = (hz(n, True, 3)[[0, 2]] for n in (8, 16, 32))
    assert (a - b) / (b - c) == pytest.approx([4.0, 4.0], rel=0.1)


def test_nodes_stand_at_corners_steps_and_lumps_and_a_coarse_mesh_is_refined():
    bent = beam("boom", {"a": 0.6, "d": 0.4}, STEPPED, masses=[{"at": 0.9, "mass": 0.1}])
    drives = [{"joint": "boom", "motion": HOLD}]
    fine = prepare(scenario([bent], drives, method={"resolution": 6})).model
    ends = fine.mesh.places[:, 1]
    assert fine.mesh.counts == [6]
    for place in (0.37, 0.4, 0.9):
        assert np.abs(ends - place).min() < 1e-12
    coarse = prepare(scenario([bent], drives, method={"resolution": 2})).model
    assert coarse.mesh.places[:, 1] == pytest.approx([0.37, 0.4, 1.0])
    assert [note for note in coarse.notes if "'boom' has 3 elements instead of 2" in note]
