"""What a run gives is worked out when it is first looked at, and is then what it would have been at once."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from generic_arms import METHODS, one_link

import flexarm as fa
from flexarm.methods.signals import Later, Signals
from flexarm.simulation.control_loops import warnings as laws

FORCES = ("axial_force", "shear_force", "bending_moment", "stress")


@pytest.mark.parametrize("method", METHODS)
def test_section_forces_wait_until_they_are_looked_at(method):
    run = fa.simulate(one_link(method, time__end=0.05))
    waiting = [name for name in FORCES if name in run.data]
    assert waiting and np.isfinite(run.data["tip_position"]).all()
    assert not any(run.data[name].variable._in_memory for name in waiting)
    part = run.data["bending_moment"].isel(time=slice(None, None, 3)).sel(link="link").values
    whole = run.data["bending_moment"].values
    assert np.array_equal(part, whole[::3, 0]) and run.data["bending_moment"].variable._in_memory
    root = np.abs(whole[:, 0, 0]).max()
    assert root == pytest.approx(np.abs(run.data["joint_torque"].values[:, 0]).max(), rel=0.1)


@pytest.mark.parametrize("method", METHODS)
def test_a_copy_that_travels_holds_all_of_it(method, tmp_path):
    run = fa.simulate(one_link(method, time__end=0.05))
    copy = pickle.loads(pickle.dumps(run))
    assert copy.data["stress"].variable._in_memory and copy.data.identical(run.data)
    fresh = fa.simulate(one_link(method, time__end=0.05))
    stored = fa.open_result(fresh.save(tmp_path / "run.nc"))
    assert all(np.array_equal(stored.data[name], run.data[name], equal_nan=True) for name in FORCES)


def test_pieces_of_a_run_are_joined_when_they_are_looked_at():
    asked = []

    def find(value, rows):
        asked.append(value)
        return np.full((rows, 2), value)

    pieces = [
        Signals({"a": (("time", "x"), Later((rows, 2), lambda v=value, n=rows: find(v, n)))}, {"time": np.arange(rows)})
        for value, rows in ((1.0, 3), (2.0, 2))
    ]
    data = Signals.joined(pieces).dataset()
    assert data["a"].shape == (5, 2) and not asked
    assert data["a"].values[:, 0].tolist() == [1.0, 1.0, 1.0, 2.0, 2.0]
    data["a"][0, 0] = 7.0
    assert pieces[0]["a"][0, 0] == 1.0 and asked == [1.0, 2.0]


@pytest.mark.parametrize("method", METHODS)
def test_control_loops_are_looked_at_for_the_notes_alone(method, monkeypatch):
    looked = []
    monkeypatch.setattr(laws, "stability", lambda setup, poses: looked.append(poses))
    run = fa.simulate(one_link(method, "control", time__end=0.05))
    assert not looked
    assert run.notes and len(looked) == 1
    assert fa.simulate(one_link(method, "control", time__end=0.05), warn=False).notes and len(looked) == 1


@pytest.mark.parametrize("method", METHODS)
def test_models_with_another_payload_are_made_once(method):
    from flexarm.simulation.build import prepare

    model = prepare(one_link(method)).model
    heavier = model.arm.payload.model_copy(update={"mass": 0.3})
    assert model.with_payload(heavier) is model.with_payload(heavier.model_copy())
    assert model.with_payload(heavier).arm.payload.mass == 0.3
    assert model.with_payload(model.arm.payload) is not model.with_payload(heavier)
