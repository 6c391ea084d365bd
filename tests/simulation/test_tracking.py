"""Runs that follow a path: error, summary, feed-forward, controllers from outside, prescribed joints."""

from __future__ import annotations

import contextlib
import time as clock

import numpy as np
import pytest

import flexarm as fa
from flexarm.errors import ScenarioError, StepError

ROD = {"section": {"shape": "circle", "diameter": 0.03}, "material": "aluminium"}
CIRCLE = {"shape": "circle", "center": [0.8, 0.2], "radius": 0.2, "duration": 2.0}
PD = {"type": "pd", "kp": [800.0, 200.0], "kv": [80.0, 20.0]}


def arm(*lengths, **more):
    links = [
        {"name": f"l{k}", "length": length, **ROD, "joint": {"hub_inertia": 0.02}} for k, length in enumerate(lengths)
    ]
    return {"damping": {"time": 2e-4}, "links": links, **more}


def plan(drive, lengths=(0.7, 0.6), end=2.5, step=1e-3, **more):
    joints = [f"l{k}" for k in range(len(lengths))]
    return fa.Scenario.model_validate(
        {
            "name": "tracking",
            "arm": arm(*lengths, **more),
            "drive": [{"joints": joints, "path": CIRCLE, **drive}],
            "method": {"name": "fem", "resolution": 2},
            "time": {"end": end, "step": step},
            "output": {"every": 1e-2, "stations": 2},
        }
    )


def test_prescribed_joints_lead_the_tip_along_the_path_but_for_its_deflection():
    run = fa.simulate(plan({}))
    data, summary = run.data, run.summary()
    wanted = data["path_position"].values[:, :2]
    assert np.hypot(*(wanted - [0.8, 0.2]).T) == pytest.approx(0.2, rel=1e-9)
    assert data["path_error"].values == pytest.approx(
        data["tip_position"].values - data["path_position"].values, abs=1e-15
    )
    assert data["path_error"].values == pytest.approx(data["tip_error"].values, abs=1e-9)
    assert 1e-6 < summary["path_error_peak"] < 1e-2
    distance = np.linalg.norm(data["path_error"].values, axis=1)
    assert summary["path_error_rms"] == pytest.approx(np.sqrt(np.mean(distance**2)))
    assert summary["path_error_rms_xyz"][0] ** 2 + summary["path_error_rms_xyz"][1] ** 2 == pytest.approx(
        summary["path_error_rms"] ** 2
    )
    assert data["commanded_velocity"].attrs["units"] == "rad/s"


def test_commanded_velocity_is_the_slope_of_the_command():
    data = fa.simulate(plan({})).data
    slope = np.gradient(data["commanded_position"].values, data["time"].values, axis=0)
    assert data["commanded_velocity"].values[2:-2] == pytest.approx(slope[2:-2], abs=2e-2)


@pytest.mark.parametrize("gravity", [(0.0, 0.0, 0.0), (0.0, -9.81, 0.0)])
def test_feedforward_takes_away_most_of_the_error(gravity):
    def rms(feedforward):
        return fa.simulate(plan({"control": PD, "feedforward": feedforward}, gravity=gravity)).summary()[
            "path_error_rms"
        ]

    assert rms("rigid") < 0.2 * rms(None)


def test_three_links_follow_too():
    run = fa.simulate(plan({"servo": {"kp": 2000.0, "kv": 60.0}}, lengths=(0.5, 0.4, 0.4)))
    assert run.success and run.summary()["path_error_peak"] < 0.02


def test_a_controller_from_outside_reads_the_path_as_its_reference():
    seen = []

    def law(time, reading):
        seen.append((time, reading.reference.copy()))
        place, rate = reading.reference.T
        angle = np.array([reading["l0.position"], reading["l1.position"]])
        speed = np.array([reading["l0.velocity"], reading["l1.velocity"]])
        return [800.0, 200.0] * (place - angle) + [20.0, 5.0] * (rate - speed)

    run = fa.simulate(plan({"control": {"type": "external", "period": 1e-3}}, step=5e-4), controller=law)
    assert run.success and run.summary()["path_error_end"] < 5e-3
    times = run.data["time"].values
    k = int(np.argmin(np.abs(times - 1.0)))
    told = next(reference for time, reference in seen if abs(time - 1.0) < 1e-9)
    assert told[:, 0] == pytest.approx(run.data["commanded_position"].values[k], abs=1e-12)
    assert told[:, 1] == pytest.approx(run.data["commanded_velocity"].values[k], abs=1e-12)


def test_a_controller_that_takes_too_long_ends_the_run_and_keeps_it():
    def law(time, reading):
        while time > 0.2:
            with contextlib.suppress(Exception):
                clock.sleep(0.01)
        return [0.0, 0.0]

    outside = plan({"control": {"type": "external", "period": 1e-2}})
    run = fa.simulate(outside, controller=law, controller_limit=0.2)
    assert run.outcome is fa.Outcome.CONTROLLER_FAILED
    assert "longer than 0.2 s of real time at t = 0.21 s" in run.message
    assert run.data["time"].values[-1] == pytest.approx(0.21)
    with pytest.raises(fa.FlexarmError, match="must be positive"):
        fa.simulate(outside, controller=lambda t, r: [0.0, 0.0], controller_limit=0.0)


def test_bad_input_is_refused_before_the_run():
    with pytest.raises(StepError, match="shorter than the step"):
        fa.simulate(plan({"control": {**PD, "period": 5e-4}}), "fem")
    text = plan({"control": PD}).to_yaml()
    with pytest.raises(ScenarioError, match=r"control\.kp has 2 values for 1 joint"):
        fa.loads(text.replace("joints: [l0, l1]", "joints: [l0]"))
    with pytest.raises(ScenarioError, match=r"path: the arm cannot follow the path: at t = 0\.\d+ s it is at \("):
        fa.loads(
            text.replace("center: [0.8 m, 0.2 m]", "center: [0.8 m, 0.5 m]").replace("radius: 0.2 m", "radius: 0.4 m")
        )


def test_a_file_leaves_the_start_to_the_path():
    first = plan({"control": PD})
    assert "position" not in first.to_yaml()
    again = fa.loads(first.to_yaml())
    assert again == first and again.arm.pose == first.arm.pose
    moved = first.with_({"drive": [{**first.tree["drive"][0], "path": {**CIRCLE, "center": [0.7, 0.0]}}]})
    assert moved.arm.pose != first.arm.pose
    stated = first.with_({"arm.links.l0.joint.position": 0.3})
    assert stated.arm.pose[0] == 0.3


def test_chunks_do_not_change_the_answer():
    runs = [fa.simulate(plan({"control": PD}), chunk=chunk).data for chunk in (7, 4096)]
    assert np.array_equal(runs[0]["tip_position"].values, runs[1]["tip_position"].values)
