"""The labelled result: names, units, the stiff arm beside the flexible one, warnings."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm as fa
from flexarm import rigid
from single_link import BANG, HUB, LENGTH, RHO_A, at_times, make

MOVE = {"joint": "link", "motion": {"profile": "quintic", "by": 0.5, "duration": 0.4}}


@pytest.fixture(scope="module")
def moved():
    output = {
        "gauges": [{"link": "link", "at": 0.0, "name": "root"}],
        "sensors": [{"name": "mid", "link": "link", "at": 0.5}],
        "stations": 11,
    }
    return fa.simulate(make(drive=MOVE, joint={"position": 0.2}, end=0.5, every=0.01, output=output))


def test_every_variable_has_a_unit_and_a_name(moved):
    for name, variable in moved.data.data_vars.items():
        assert variable.attrs["units"] and variable.attrs["long_name"], name
        assert variable.dims[0] == "time"
    assert moved.data["joint_position"].attrs["units"] == "rad" and moved.data["joint_torque"].attrs["units"] == "N*m"
    assert moved.data["time"].attrs["units"] == "s"


def test_dimensions(moved):
    sizes = {"time": 51, "joint": 1, "axis": 3, "link": 1, "s": 11, "gauge": 1, "sensor": 1, "kind": 7, "direction": 2}
    assert dict(moved.data.sizes) == sizes
    assert list(moved.data["kind"].values) == [
        "kinetic",
        "elastic",
        "gravity",
        "work",
        "dissipated",
        "numerical",
        "residual",
    ]
    assert list(moved.data["gauge"].values) == ["root"] and list(moved.data["sensor"].values) == ["mid"]


def test_tip_in_the_world(moved):
    """The linear field is placed in the plane as R(hub) (x, y - x hub)."""
    data = moved.data
    hub, bend = data["joint_position"].values[:, 0], data["deflection"].values[:, 0, -1]
    expected = np.column_stack(
        [LENGTH * np.cos(hub) - np.sin(hub) * bend, LENGTH * np.sin(hub) + np.cos(hub) * bend, 0 * hub]
    )
    assert data["tip_position"].values == pytest.approx(expected, abs=1e-14)
    assert np.array_equal(data["shape"].values[:, 0, -1], data["tip_position"].values)
    assert data["travel"].values == pytest.approx(LENGTH * hub + bend, abs=1e-14)
    assert np.abs(data["shape"].values[:, 0, 0]).max() == 0.0
    assert data["joint_position"].values[0, 0] == 0.2


def test_stiff_arm_beside_it(moved):
    """Tip error against the commanded pose, deflection against the actual one; torque of inverse dynamics."""
    data = moved.data
    t = data["time"].values
    s = np.clip(t / 0.4, 0, 1)
    command = 0.2 + 0.5 * (10 * s**3 - 15 * s**4 + 6 * s**5)
    assert data["commanded_position"].values[:, 0] == pytest.approx(command, abs=1e-14)
    stiff = rigid.tips(moved.scenario.arm, command[:, None])
    assert data["tip_error"].values == pytest.approx(data["tip_position"].values - stiff, abs=1e-14)
    assert data["tip_deflection"].values == pytest.approx(data["tip_error"].values, abs=1e-14)
    acceleration = 0.5 / 0.16 * (60 * s - 180 * s**2 + 120 * s**3)
    inertia = RHO_A * LENGTH**3 / 3 + HUB
    assert data["rigid_torque"].values[:, 0] == pytest.approx(inertia * acceleration, abs=1e-9)


def test_no_tip_error_without_a_command():
    data = fa.simulate(make(drive=BANG, end=0.1, every=0.01)).data
    assert "tip_error" not in data and "rigid_torque" not in data and "tip_deflection" in data


def test_law_has_error_and_deflection_of_its_own():
    law = {**MOVE, "control": {"type": "pd", "kp": 1.0, "kv": 0.1}}
    data = fa.simulate(make(drive=law, end=0.5, every=0.01)).data
    assert np.abs(data["tip_error"].values - data["tip_deflection"].values).max() > 0.01


def test_events_join_into_one_dataset():
    event = {"at": 0.05, "payload": {"mass": 0.02}, "rule": "at-rest"}
    data = fa.simulate(make(events=[event], end=0.1, every=0.01, step=1e-4)).data
    assert data["time"].values == pytest.approx(0.01 * np.arange(11))
    assert data["energy"].sizes == {"time": 11, "kind": 7}
    assert np.abs(data["energy"].sel(kind="residual").values).max() < 1e-12


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (
            {"gravity": [0, -9.81, 0], "drive": {**MOVE, "motion": {**MOVE["motion"], "by": 1.5}}},
            "gravity is taken as in the start pose",
        ),
        ({"drive": {"joint": "link", "torque": {"profile": "constant", "amplitude": 3.0}}}, "% of the length"),
        ({"drive": (), "joint": {"velocity": 30.0}}, "no centrifugal stiffening"),
        (
            {"drive": {"joint": "link", "motion": {"profile": "constant", "speed": 1.0}}},
            "velocity of joint 'link' jumps",
        ),
    ],
)
def test_warnings_say_where_the_linear_model_ends(changes, words):
    run = fa.simulate(make(end=0.5, every=0.01, **changes))
    assert any(words in note for note in run.notes)
    assert words in run.data.attrs["notes"]


def test_a_strongly_bent_link_leaves_the_range_of_assumed_modes():
    torque = {"joint": "link", "torque": {"profile": "constant", "amplitude": 1.0}}
    scenario = make(end=0.2, every=0.01, step=1e-3, drive=torque)
    notes = {name: fa.simulate(scenario.with_({"method": {"name": name}})).notes for name in ("modes", "fem")}
    assert "% of the length: the method modes counts deflections to second order" in notes["modes"][-1]
    assert not any("of the length" in note for note in notes["fem"])


def test_a_gentle_run_has_no_warning():
    gentle, usual = (
        fa.simulate(make(end=0.5, every=0.01).with_({"drive.0.torque.amplitude": size})) for size in (0.02, 0.1)
    )
    assert [note.split()[0] for note in gentle.notes] == ["scheme", "estimated"]
    bend = float(np.abs(usual.data.deflection).max()) / usual.scenario.arm.links[0].span
    assert f"by about {60 * bend:.2g} % of the deflection" in usual.notes[-1] and bend > 0.01


def test_summary_and_table(moved):
    summary = moved.summary()
    assert summary["success"] and summary["records"] == 51 and summary["energy_residual"] < 1e-6
    assert summary["travel_peak"] == pytest.approx(np.abs(moved.data["travel"].values).max())
    names, columns = moved.table()
    assert columns.shape == (51, len(names)) and "travel [m]" in names and "strain_root [1]" in names
    place = names.index("joint_position_link [rad]")
    assert np.array_equal(columns[:, place], moved.data["joint_position"].values[:, 0])


def test_saved_and_read_again(moved, tmp_path):
    import xarray

    path = moved.save(tmp_path / "run.nc")
    with xarray.open_dataset(path) as again:
        for name in moved.data.data_vars:
            assert np.array_equal(again[name].values, moved.data[name].values), name
        assert again.attrs["scenario_hash"] == moved.scenario.hash
        assert again["travel"].attrs["units"] == "m"


def test_strain_at_the_root_follows_the_torque(moved):
    """Top fibre: strain = -z M / EI, and the moment at the root is minus the torque less that on the hub inertia."""
    figures = moved.scenario.arm.links[0].properties([0.0])
    time = 0.1
    s = time / 0.4
    hub = HUB * 0.5 / 0.16 * (60 * s - 180 * s**2 + 120 * s**3)
    moment = -(at_times(moved, "joint_torque", time)[0, 0] - hub)
    expected = -figures["fibre"][0] * moment / figures["EI"][0]
    assert at_times(moved, "strain", time)[0, 0] == pytest.approx(expected, rel=1e-6)


def test_a_link_that_bends_too_far_is_told_what_to_check():
    """Under a torque alone there are no gains to check."""
    torque = {"joint": "link", "torque": {"profile": "constant", "amplitude": 400.0}}
    run = fa.simulate(make(drive=torque, end=0.1))
    assert run.outcome is fa.Outcome.UNSTABLE and "a link bends further than the whole arm is long" in run.message
    assert "check torques, loads and stiffness" in run.message and "gains" not in run.message
