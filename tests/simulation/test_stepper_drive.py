"""An arm on a stepping motor: it lands where it should, and its motion and strain show the step rate."""

from __future__ import annotations

import math

import numpy as np
import pytest

import flexarm as fa
from flexarm.analysis.spectrum import peaks, spectrum
from flexarm.simulation.program import prepare_program


@pytest.fixture(scope="module")
def stepped():
    plan = fa.load("stepper-rig").with_(
        {"drive.link.actuator.delay": "byte", "output.every": "0.1 ms", "time.end": 1.6}
    )
    return fa.simulate(plan)


@pytest.fixture(scope="module")
def smooth():
    return fa.simulate(
        fa.load("stepper-rig").with_({"drive.link.actuator": None, "output.every": "0.1 ms", "time.end": 1.6})
    )


def test_a_delay_table_played_through_the_drive_lands_within_half_a_step(stepped):
    table = fa.motor_steps("stepper-rig")
    assert stepped.success
    end = float(stepped.data["joint_position"].values[-1, 0])
    assert abs(end - math.pi / 2.0) <= 0.5 * table.size
    assert end == pytest.approx(table.landing, abs=1e-10)
    assert any("900 steps of 0.1 deg" in note for note in stepped.notes)


@pytest.mark.parametrize("middle", [0.45, 0.7, 0.95])
def test_the_spectrum_of_the_motion_shows_the_step_rate(stepped, smooth, middle):
    """Around a time the steps come at the commanded speed over the size of a step."""
    program = prepare_program(smooth.scenario)
    speed = float(program.table(np.array([middle]), middle)[0, 0, 1])
    rate = speed / fa.motor_steps("stepper-rig").size
    time = stepped.data["time"].values
    near = np.abs(time - middle) < 0.03
    ripple = stepped.data["joint_position"].values[near, 0] - smooth.data["joint_position"].values[near, 0]
    f, amplitude = spectrum(time[near], ripple, padding=4)
    high = f > 200.0  # below it stand the roundings of the delay bytes
    found, _ = peaks(f[high], amplitude[high], n=1)
    assert found[0] == pytest.approx(rate, rel=0.04)


def test_the_strain_shows_what_stepping_excites(stepped, smooth):
    time = stepped.data["time"].values
    near = np.abs(time - 0.7) < 0.02
    rate = fa.motor_steps("stepper-rig").top_rate
    lines = []
    for result in (stepped, smooth):
        f, amplitude = spectrum(time[near], result.data["strain"].sel(gauge="root").values[near])
        lines.append(float(amplitude[np.abs(f - rate) < 60.0].max()))
    assert lines[0] > 1e3 * lines[1]
    assert stepped.summary()["energy_residual"] < 1e-4


def test_two_methods_agree_on_a_stepped_arm():
    plan = fa.load("stepper-rig").with_(
        {"drive.link.actuator.ratio": 1, "drive.link.actuator.step_time": "20 ms", "time.end": 0.9}
    )
    bends = [
        fa.simulate(plan.with_({"method": {"name": name, "resolution": mesh}})).data["deflection"].values[:, 0, -1]
        for name, mesh in (("fd", 60), ("fem", 48))
    ]
    assert np.abs(bends[0] - bends[1]).max() < 0.015 * np.abs(bends[1]).max()


def test_step_time_and_half_steps_change_what_is_excited():
    base = fa.load("stepper-rig").with_({"time.end": 0.4, "method.resolution": 3})
    sizes = []
    for change in ({}, {"half": False}, {"step_time": "30 ms"}):
        plan = base.with_({f"drive.link.actuator.{key}": value for key, value in change.items()})
        result = fa.simulate(plan)
        start = (result.data["time"].values > 0.15) & (result.data["time"].values < 0.3)
        sizes.append(float(np.ptp(result.data["strain"].values[start, 0])))
    assert sizes[1] > 1.2 * sizes[0] > 1.2 * 1.2 * sizes[2], sizes


def test_the_answer_does_not_depend_on_the_chunks():
    plan = fa.load("stepper-rig").with_({"time.end": 0.4, "method.resolution": 2})
    whole, pieces = fa.simulate(plan), fa.simulate(plan, chunk=7)
    np.testing.assert_array_equal(whole.data["tip_position"], pieces.data["tip_position"])


def test_a_scenario_with_a_stepper_is_written_and_read_again():
    plan = fa.load("stepper-rig").with_({"drive.link.actuator.overhead": "0.1 ms", "drive.link.actuator.delay": "byte"})
    assert fa.loads(plan.to_yaml()) == plan


def test_motor_steps_and_what_it_refuses():
    assert len(fa.motor_steps("stepper-rig", half=False).times) == 450
    assert len(fa.motor_steps("stepper-rig", "link", steps_per_turn=400, ratio=1.0).times) == 200
    with pytest.raises(fa.FlexarmError, match="'link' has no stepper: give steps_per_turn"):
        fa.motor_steps("rotating-link")
    with pytest.raises(fa.FlexarmError, match="say which joint: none has a motion"):
        fa.motor_steps("tokhi-azad")
    with pytest.raises(fa.FlexarmError, match="say which joint: upper, fore"):
        fa.motor_steps("naganathan-flexible", steps_per_turn=200)
    assert len(fa.motor_steps("naganathan-flexible", "fore", steps_per_turn=180).times) == 30
    with pytest.raises(fa.FlexarmError, match="the ratio must be positive"):
        fa.motor_steps("stepper-rig", ratio=-1.0)
