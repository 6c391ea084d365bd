"""What is told of the vibration after a run, against what is known of the arm."""

from __future__ import annotations

import json

import numpy as np
import pytest

import flexarm as fa
from flexarm.analysis.free_motion import free_motion, mirrored, resting_frequencies
from flexarm.simulation.build import prepare


def told(*changes: str, name: str = "tokhi-azad", joints: str = "free"):
    scenario = fa.load(name, changes)
    natural = fa.frequencies(scenario.with_({"arm.damping": None}), n=6, joints=joints).hz
    return free_motion(fa.simulate(scenario), natural), natural


def test_frequency_and_damping_of_the_main_mode():
    found, natural = told("arm.damping.ratio=3%", "time.end=2s")
    decay = found["ringing"]
    assert found["drives_rest_from"] == pytest.approx(0.6) and found["still_moves"] is None
    assert decay["frequency"] == pytest.approx(natural[0], rel=1e-6)
    assert decay["damping_ratio"] == pytest.approx(0.03, rel=1e-4)
    assert decay["time_to_5_percent"] == pytest.approx(np.log(20) / (0.03 * 2 * np.pi * natural[0]), rel=1e-4)


def test_a_smooth_motion_rests_when_it_ends():
    found, natural = told(name="tapered-link", joints="locked")
    assert found["drives_rest_from"] == pytest.approx(1.0, abs=2e-3)
    assert found["ringing"]["frequency"] == pytest.approx(natural[0], rel=1e-4)


@pytest.mark.parametrize("gravity", [[0, 0, 0], [0, -9.81, 0]])
@pytest.mark.parametrize("method", ["modes", "fem"])
def test_an_arm_that_stands_still_has_no_frequencies(method, gravity):
    still = {
        "drive": [{"joint": "link", "motion": {"profile": "constant"}}],
        "time.start": "equilibrium",
        "method": method,
    }
    scenario = fa.load("tokhi-azad").with_({**still, "arm.gravity": gravity, "time.step": "1 ms", "time.end": "0.5 s"})
    result = fa.simulate(scenario)
    found = free_motion(result, fa.frequencies(scenario, n=3).hz)
    assert np.ptp(result.data["tip_position"].values, axis=0).max() < 1e-12
    assert found["frequencies_found"] == [] and found["ringing"] is None and found["still_moves"] is None


def test_drives_that_never_rest_leave_no_free_decay():
    sine = "drive=[{joint: link, torque: {profile: sine, amplitude: 0.1, frequency: 2 Hz}}]"
    found, _ = told(sine)
    assert found["ringing"] is None


def test_a_long_fine_record_is_thinned_without_inventing_frequencies():
    found, natural = told("time.step=0.05ms", "output.every=0.05ms", "time.end=2s")
    assert found["ringing"]["frequency"] == pytest.approx(natural[0], rel=1e-4)
    for hz in found["frequencies_found"]:
        assert np.abs(natural / hz - 1).min() < 1e-2


def test_records_too_far_apart_give_no_false_frequency():
    found, natural = told("output.every=50ms", "time.end=20s")
    assert natural[0] > 10.0
    assert found["records_too_coarse"] and found["ringing"] is None and found["frequencies_found"] == []


def test_a_mode_above_half_the_record_rate_is_recognised_where_it_is_folded():
    assert mirrored(18.1, [11.7, 31.9], 50.0), "31.9 Hz seen at 50 records per second looks like 18.1 Hz"
    assert not mirrored(11.7, [11.7, 31.9], 50.0)
    assert not mirrored(31.9, [11.7, 31.9], 100.0)
    assert not mirrored(5.0, [], 50.0)


def test_nothing_is_made_up_for_a_run_that_hardly_began():
    scenario = fa.load("tokhi-azad", ["time.end=3ms"])
    found = free_motion(fa.simulate(scenario), [11.7])
    assert found["ringing"] is None and found["frequencies_found"] == []


def test_what_moves_without_a_clear_decay_is_not_called_rest():
    """A torque that stays as it is counts as rest; a period of ringing about it is too short for a decay."""
    run = fa.simulate(fa.load("tokhi-azad", ["time.end=0.1s"]))
    found = free_motion(run, [11.7])
    assert found["ringing"] is None and found["still_moves"] == pytest.approx(
        np.ptp(run.data["deflection"].values[:, 0, -1])
    )


TUBE = {"shape": "tube", "diameter": 0.04, "thickness": 0.002}
TWO = {
    "name": "two links",
    "arm": {
        "links": [
            {"name": "upper", "length": 1.0, "section": TUBE, "material": "aluminium"},
            {"name": "fore", "length": 0.8, "section": TUBE, "material": "aluminium"},
        ],
        "payload": {"mass": 2.0},
    },
    "drive": [
        {"joint": "upper", "motion": {"profile": "quintic", "by": 0.05, "duration": 0.2}},
        {"joint": "fore", "motion": {"profile": "quintic", "by": 2.0, "duration": 1.0}},
    ],
    "method": {"name": "fem", "resolution": 4, "order": 2},
    "time": {"end": 2.0, "step": 5e-4},
    "output": {"every": 2e-3},
}


def test_natural_frequencies_are_those_of_the_pose_that_rings():
    setup = prepare(fa.loads(json.dumps(TWO)))
    result = fa.simulate(setup)
    rest = resting_frequencies(result, setup, 4)
    natural, pose, since = rest.frequencies, rest.pose, rest.since
    assert (
        rest.spin == 0.0
        and pose == pytest.approx((0.05, 2.0))
        and since == pytest.approx(1.0, abs=5e-3)
        and natural.joints == "locked"
    )
    seen = free_motion(result, natural.hz)["ringing"]["frequency"]
    assert np.abs(natural.hz / seen - 1.0).min() < 5e-3  # the rest is of the second order in the amplitude
    stretched = fa.frequencies(setup, n=4).hz
    assert np.abs(stretched / seen - 1.0).min() > 0.05


def test_natural_frequencies_are_those_of_the_payload_that_rings():
    setup = prepare(fa.load("tokhi-azad-pick-up"))
    result = fa.simulate(setup)
    natural = resting_frequencies(result, setup, 4).frequencies
    heavier = {"arm.payload": setup.scenario.events[-1].payload.model_dump(exclude_none=True), "events": []}
    assert natural.hz == pytest.approx(fa.frequencies(setup.scenario.with_(heavier), n=4, joints="free").hz, rel=1e-9)
    seen = free_motion(result, natural.hz)["frequencies_found"]
    assert natural.hz[:3] == pytest.approx(seen[:3], rel=1e-3)


def test_natural_frequencies_are_those_of_the_steady_turn_that_rings():
    """A rod that turns at 6 rad/s after its spin-up rings faster than one that stands."""
    setup = prepare(fa.load("spin-up"))
    result = fa.simulate(setup)
    rest = resting_frequencies(result, setup, 2)
    assert rest.spin == pytest.approx(6.0) and rest.since == pytest.approx(15.0, abs=0.3)
    seen = free_motion(result, rest.frequencies.hz)["frequencies_found"]
    assert rest.frequencies.hz[0] == pytest.approx(seen[0], rel=0.02)
    assert fa.frequencies(setup, n=1).hz[0] < 0.9 * seen[0]
