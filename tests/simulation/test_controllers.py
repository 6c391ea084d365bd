"""Controllers: called once per period with the right readings, held in between, refused in words."""

from __future__ import annotations

import sys
import time as clock

import numpy as np
import pytest

import flexarm as fa
from flexarm.drive import servo_gains
from flexarm.errors import ControllerError
from flexarm.simulation.controllers import load_controller
from single_link import HUB, LENGTH, SCHEMES, at_times, make, model_of

MOVE = {"profile": "quintic", "by": 0.3, "duration": 0.08}
OUTSIDE = {"joint": "link", "motion": MOVE, "control": {"type": "external", "period": 2e-3}}


def hand_written(period, kp, kv, ki=0.0, limit=np.inf):
    """A sampled law as a user would write it."""
    memory = {"sum": 0.0}

    def law(time, reading):
        ((place, rate),) = reading.reference
        error = place - reading["link.position"]
        u = kp * error + kv * (rate - reading["link.velocity"]) + ki * memory["sum"]
        cut = min(max(u, -limit), limit)
        if cut == u or error * u < 0:
            memory["sum"] += period * error
        return cut

    return law


def test_how_far_the_drives_are_looked_ahead_changes_nothing(monkeypatch):
    """Rows are cut from tables of some length; with the shortest ones the run is the same to the last bit."""
    scenario = make(drive=[OUTSIDE], end=0.05, step=5e-4, scheme="newmark")
    whole = fa.simulate(scenario, controller=hand_written(2e-3, 0.3, 0.05))
    monkeypatch.setattr("flexarm.simulation.drive_rows.AHEAD", 1)
    short = fa.simulate(scenario, controller=hand_written(2e-3, 0.3, 0.05), chunk=3)
    assert all(
        np.array_equal(whole.data[name], short.data[name]) for name in ("tip_position", "drive_torque", "energy")
    )


@pytest.mark.parametrize("scheme", SCHEMES)
def test_called_once_per_period_and_held(scheme):
    calls = []

    def law(time, reading):
        calls.append(time)
        return 0.1 if len(calls) % 2 else -0.05

    run = fa.simulate(make(drive=OUTSIDE, step=1e-4, end=0.05, scheme=scheme), controller=law)
    assert calls == pytest.approx(2e-3 * np.arange(25), abs=1e-15)
    t, torque = run.data["time"].values, run.data["drive_torque"].values[:, 0]
    inside = np.abs(t / 2e-3 - np.round(t / 2e-3)) > 1e-6
    held = np.where((t[inside] // 2e-3).astype(int) % 2 == 0, 0.1, -0.05)
    assert torque[inside] == pytest.approx(held, abs=1e-15)
    assert run.data["angular_momentum"].values[-1] == pytest.approx(2e-3 * (13 * 0.1 - 12 * 0.05), rel=1e-9)


def test_jumps_of_the_drives_make_no_extra_calls():
    """A gain or a torque of another channel may jump between two ticks."""
    patch = {
        "patch": {"link": "link", "from": 0.5},
        "force": {"profile": "constant", "amplitude": 0.1, "duration": 0.0123},
    }
    calls = []
    fa.simulate(
        make(drive=[OUTSIDE, patch], step=1e-4, end=0.05, every=5e-3), controller=lambda t, r: calls.append(t) or 0.0
    )
    assert calls == pytest.approx(2e-3 * np.arange(25), abs=1e-15)


def test_readings_are_those_of_the_record_at_that_time():
    seen = {}

    def law(time, reading):
        seen[round(time, 9)] = {name: reading[name] for name in reading}
        assert len(reading) == len(reading.names) and reading.array.shape == (len(reading),)
        return 0.3 * (reading.reference[0, 0] - reading["link.position"])

    output = {"gauges": [{"link": "link", "at": 0.25, "name": "g"}],
              "sensors": [{"name": "middle", "link": "link", "at": 0.5}]}  # fmt: skip
    joint = {"stiffness": 40.0, "rotor_inertia": 1e-3}
    run = fa.simulate(make(drive=OUTSIDE, step=1e-4, end=0.05, every=2e-3, output=output, joint=joint), controller=law)
    for time in (0.01, 0.04):
        data = {
            name: float(np.ravel(at_times(run, name, time))[0])
            for name in (
                "joint_position",
                "joint_velocity",
                "motor_position",
                "travel",
                "strain",
                "reading",
                "joint_torque",
            )
        }
        found = seen[time]
        for name, key in {"link.position": "joint_position", "link.velocity": "joint_velocity", "tip.travel": "travel",
                          "link.motor_position": "motor_position", "g": "strain", "middle": "reading",
                          "link.torque": "joint_torque"}.items():  # fmt: skip
            assert found[name] == pytest.approx(data[key], rel=1e-12, abs=1e-15)
        assert found["link.chord_position"] == pytest.approx(data["travel"] / LENGTH)
        assert found["tip.deflection"] == pytest.approx(data["travel"] - LENGTH * data["joint_position"])


def test_unknown_reading_is_told_with_those_that_there_are():
    run = fa.simulate(
        make(drive=OUTSIDE, step=1e-4, end=0.01), controller=lambda t, r: r["link.angle"] if t > 0.005 else 0.0
    )
    assert (
        run.outcome is fa.Outcome.CONTROLLER_FAILED
        and "there is no reading 'link.angle'; there are link.position" in run.message
    )


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda: 1 / 0, "ZeroDivisionError"),
        (lambda: np.nan, "must return 1 finite number"),
        (lambda: np.inf, "must return 1 finite number"),
        (lambda: [0.1, 0.2], "must return 1 finite number"),
        (lambda: "left", "returned 'left'"),
        (lambda: None, "returned None"),
    ],
)
def test_failing_controller_keeps_what_was_computed(answer, words):
    scenario = make(drive=OUTSIDE, step=1e-4, end=0.05)
    run = fa.simulate(scenario, controller=lambda t, r: 0.1 if t < 0.0199 else answer())
    assert run.outcome is fa.Outcome.CONTROLLER_FAILED and not run.success
    assert words in run.message and "t = 0.02 s" in run.message
    assert run.data["time"].values[-1] == pytest.approx(0.02) and len(run.data["time"]) == 201
    whole = fa.simulate(scenario, controller=lambda t, r: 0.1)
    assert np.array_equal(run.data["travel"].values, whole.data["travel"].values[:201])


def test_limit_cuts_a_controller():
    drive = {**OUTSIDE, "control": {**OUTSIDE["control"], "limit": 0.08}}
    run = fa.simulate(make(drive=drive, step=1e-4, end=0.05), controller=lambda t, r: 5.0)
    assert run.data["drive_torque"].values[-1, 0] == 0.08
    assert run.data["angular_momentum"].values[-1] == pytest.approx(0.08 * 0.05, rel=1e-9)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("gains", [{"type": "pd"}, {"type": "pid", "ki": 20.0}, {"type": "pd", "limit": 0.2}])
def test_sampled_law_is_the_hand_written_one(gains, scheme):
    control = {"kp": 3.0, "kv": 0.2, "period": 2e-3, **gains}
    own = fa.simulate(
        make(drive={"joint": "link", "motion": MOVE, "control": control}, step=1e-4, end=0.1, scheme=scheme)
    )
    law = hand_written(2e-3, 3.0, 0.2, gains.get("ki", 0.0), gains.get("limit", np.inf))
    hand = fa.simulate(make(drive=OUTSIDE, step=1e-4, end=0.1, scheme=scheme), controller=law)
    assert own.data["travel"].values == pytest.approx(hand.data["travel"].values, rel=1e-12, abs=1e-14)
    assert own.data["drive_torque"].values == pytest.approx(hand.data["drive_torque"].values, rel=1e-9, abs=1e-12)


def test_sampled_law_tends_to_the_continuous_one():
    def tip(period):
        control = {"type": "pd", "kp": 3.0, "kv": 0.2, "period": period}
        run = fa.simulate(
            make(drive={"joint": "link", "motion": MOVE, "control": control}, step=5e-5, end=0.1, every=0.05)
        )
        return at_times(run, "travel", [0.05, 0.1])

    errors = [np.abs(tip(period) - tip(0.0)).max() for period in (2e-3, 1e-3, 5e-4)]
    assert errors[0] > 1e-5
    assert np.log2(errors[0] / errors[2]) / 2 == pytest.approx(1.0, abs=0.15)  # half a period of delay


def test_servo_auto_gains():
    """kp = J (pi f0)^2 with f0 the first frequency of the locked arm, kv for critical damping."""
    payload = {"mass": 0.05, "inertia": 1e-4, "offset": 0.02}
    scenario = make(drive={"joint": "link", "motion": MOVE, "servo": "auto"}, payload=payload, resolution=40)
    kp, kv, _ = model_of(scenario).hints.gains[0]
    f0 = fa.frequencies(scenario, n=1, joints="locked").hz[0]
    inertia = 2710 * 6.1544e-5 * LENGTH**3 / 3 + HUB + 1e-4 + 0.05 * (LENGTH + 0.02) ** 2
    assert (kp, kv) == pytest.approx(servo_gains(inertia, f0), rel=1e-9)
    assert kp == pytest.approx(inertia * (np.pi * f0) ** 2, rel=1e-9)
    assert kv == pytest.approx(2 * np.sqrt(inertia * kp), rel=1e-9)
    run = fa.simulate(scenario)
    assert run.success and abs(run.data["joint_position"].values[-1, 0] - 0.3) < 0.02
    given = fa.simulate(
        make(drive={"joint": "link", "motion": MOVE, "servo": {"kp": kp, "kv": kv}}, payload=payload, resolution=40)
    )
    assert np.array_equal(run.data["travel"].values, given.data["travel"].values)


def test_controllers_from_files(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("def law(time, reading):\n    return 0.01\n\nclass Held:\n    def __call__(self, time, reading):\n"
                    "        return 0.02\n\nnumber = 3\n", encoding="utf-8")  # fmt: skip
    assert load_controller(f"{path}:law")(0.0, None) == 0.01
    assert load_controller(f"{path}:Held")(0.0, None) == 0.02
    for spec, words in ((f"{path}:none", "has no 'none'; it has law, Held"), (f"{path}:number", "cannot be called"),
                        ("nowhere.py:law", "there is no file"), ("law", "not of the form")):  # fmt: skip
        with pytest.raises(ControllerError, match=words):
            load_controller(spec)
    path.write_text("import nothing_like_this", encoding="utf-8")
    with pytest.raises(ControllerError, match="cannot be loaded: ModuleNotFoundError"):
        load_controller(f"{path}:law")


def endless(time, reading):
    while time > 0.011:
        try:
            clock.sleep(0.001)
        except BaseException:
            continue
    return 0.0


def busy(time, reading):
    while time > 0.011:
        try:
            sum(range(100))
        except BaseException:
            continue
    return 0.0


def late(time, reading):
    try:
        clock.sleep(2.0 if time > 0.011 else 0.0)
    except BaseException:
        return 0.1
    return 0.0


@pytest.mark.parametrize("law", [endless, busy, late])
def test_a_law_that_catches_everything_is_broken_off(law):
    run = fa.simulate(make(drive=OUTSIDE, end=0.05), controller=law, controller_limit=0.05)
    assert run.outcome is fa.Outcome.CONTROLLER_FAILED
    assert "took longer than 0.05 s of real time at t = 0.012 s" in run.message
    assert run.data["time"].values[-1] >= 0.0099


def test_a_law_that_calls_exit_is_told():
    run = fa.simulate(make(drive=OUTSIDE, end=0.05), controller=lambda time, y: sys.exit(3) if time > 0.011 else 0.0)
    assert run.outcome is fa.Outcome.CONTROLLER_FAILED and "it called exit" in run.message


def test_a_class_or_a_file_that_fails_when_it_is_loaded_is_told(tmp_path):
    file = tmp_path / "laws.py"
    file.write_text("class Law:\n    def __init__(self, gain):\n        self.gain = gain\n")
    with pytest.raises(
        ControllerError, match=r"the class 'Law' of .* cannot be made without arguments: TypeError: .*gain"
    ):
        load_controller(f"{file}:Law")
    file.write_text("raise SystemExit\n")
    with pytest.raises(ControllerError, match="cannot be loaded: it called exit"):
        load_controller(f"{file}:Law")
