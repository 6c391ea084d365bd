"""The stepping motor: step times, the signal it makes, delay bytes, tables, and what is refused."""

from __future__ import annotations

import math
import re
import tracemalloc
from itertools import pairwise

import numpy as np
import pytest
from pydantic import TypeAdapter, ValidationError
from scipy.optimize import brentq

from actuator_of import actuator_of
from flexarm.arm import Arm
from flexarm.drive import Drive, Program
from flexarm.drive.delays import CYCLE, delay_bytes, wait_time
from flexarm.drive.profiles import MotionSequence, motion_signal
from flexarm.drive.stepping_motor.export import steps_c, steps_csv
from flexarm.drive.stepping_motor.signal import StepSignal
from flexarm.drive.stepping_motor.steps import FollowingSteps
from flexarm.drive.stepping_motor.table import step_size, step_table
from flexarm.errors import FlexarmError, ScenarioError

QUARTER = math.pi / 2.0
TRAPEZOID = {"profile": "trapezoid-acceleration", "by": QUARTER, "duration": 1.2, "rise": 0.2}


def command(*items, initial=0.0):
    return motion_signal(TypeAdapter(MotionSequence).validate_python(list(items)), initial)


def value(signal, t):
    return float(signal.evaluate(np.array([t]), t)[0, 0])


def test_steps_of_a_quarter_turn_are_where_the_command_passes_half_steps():
    signal = command(TRAPEZOID, initial=0.3)
    table = step_table(signal, 200, half=True, ratio=9.0)
    assert table.size == pytest.approx(math.radians(0.1), rel=1e-14)
    assert len(table.times) == 900 and np.all(table.directions == 1)
    assert table.landing == pytest.approx(0.3 + QUARTER, abs=1e-12)
    for k in (0, 1, 450, 899):
        level = 0.3 + (k + 0.5) * table.size
        assert table.times[k] == pytest.approx(brentq(lambda t, y=level: value(signal, t) - y, 0.0, 1.2, xtol=1e-14))
    # the move is its own mirror image, and so are its delays
    np.testing.assert_allclose(table.delays[:-1], table.delays[-2::-1], rtol=1e-6)
    assert table.delays[-1] == pytest.approx(table.times[0], rel=1e-6)


@pytest.mark.parametrize("angle", [0.0, 0.74, 1.26, 33.3, -90.0, 200.04])
def test_the_motor_lands_within_half_a_step(angle):
    move = {"profile": "quintic", "by": math.radians(angle), "duration": 0.7}
    table = step_table(command(move), 200, ratio=5.0)
    assert abs(table.landing - math.radians(angle)) <= 0.5 * table.size * (1 + 1e-9)


def test_a_command_that_ends_on_a_level_makes_no_chatter():
    size = step_size(200)
    there = {"profile": "cycloid", "by": 10.5 * size, "duration": 1.0}
    table = step_table(command(there, {"profile": "cycloid", "by": 3 * size, "duration": 1.0}), 200)
    assert np.all(table.directions == 1) and len(table.times) in (13, 14)


def test_steps_follow_a_command_that_turns_and_never_ends():
    wave = {"profile": "sine", "amplitude": 1.0, "frequency": 0.7, "phase": -QUARTER}
    signal = command({"profile": "constant", "duration": 0.35}, wave)
    steps = FollowingSteps(signal, step_size(200))
    assert steps.ends == math.inf and steps.top_speed == pytest.approx(2 * math.pi * 0.7, rel=0.01)
    times, directions = steps.until(7.9)
    count = np.concatenate([[0], np.cumsum(directions)])
    for t in np.linspace(0.0, 7.9, 997):
        where = count[np.searchsorted(times, t)] * steps.size
        assert abs(where - value(signal, t)) <= 0.5 * steps.size * (1 + 1e-6)
    again = FollowingSteps(signal, step_size(200))
    for t in np.linspace(0.0, 7.9, 50):
        again.until(t)
    np.testing.assert_array_equal(again.until(7.9)[0], times)


def test_constant_speed_without_end():
    steps = FollowingSteps(command({"profile": "constant", "speed": 2.0}), 0.01)
    times, _ = steps.until(3.0)
    np.testing.assert_allclose(times[:500], (np.arange(500) + 0.5) * 0.005, rtol=1e-12)


def test_too_many_steps_are_refused():
    with pytest.raises(ScenarioError, match="more than 2000000 motor steps"):
        FollowingSteps(command({"profile": "cycloid", "by": 1e4, "duration": 1.0}), 1e-4)


def test_the_signal_is_smooth_and_its_derivatives_fit():
    table = step_table(command(TRAPEZOID), 200)
    signal = StepSignal(table.steps(), 0.03)  # longer than the shortest delay, so steps overlap
    assert np.diff(table.times).min() < 0.02
    t = np.linspace(0.0, 1.4, 140_001)
    q, v, a = signal.evaluate(t, 0.7)
    np.testing.assert_allclose(np.gradient(q, t)[1:-1], v[1:-1], atol=2e-3)
    np.testing.assert_allclose(np.gradient(v, t)[1:-1], a[1:-1], atol=0.02 * np.abs(a).max())
    assert q[-1] == pytest.approx(QUARTER, abs=1e-12) and v[-1] == a[-1] == 0.0
    pieces = [signal.evaluate(part, 0.7) for part in np.array_split(t, 57)]
    np.testing.assert_array_equal(np.concatenate(pieces, axis=1), [q, v, a])
    assert signal.breaks(0.5) == table.times[table.times < 0.5].tolist()


def test_a_short_step_time_gives_a_staircase():
    table = step_table(command(TRAPEZOID), 200)
    signal = StepSignal(table.steps(), 1e-6)
    middle = 0.5 * (table.times[1:] + table.times[:-1])
    np.testing.assert_allclose(signal.evaluate(middle, 0.5)[0], table.positions[:-1], atol=1e-12)


def test_wait_times_of_the_delay_byte():
    assert wait_time(1) == pytest.approx(29 * CYCLE) and wait_time(255) == pytest.approx(0.16237, rel=1e-4)
    every = np.arange(1, 256)
    np.testing.assert_array_equal(delay_bytes(wait_time(every)).byte, every)
    made = delay_bytes(wait_time(every[:-1]), carry=False)
    np.testing.assert_allclose(made.resolution, np.diff(wait_time(every)), rtol=1e-12)


def test_delay_bytes_round_carry_and_cut():
    delays = np.full(200, 5.2e-3)
    plain, carried = delay_bytes(delays, carry=False), delay_bytes(delays)
    assert np.all(np.abs(plain.delays - delays) <= 0.5 * plain.resolution + 1e-12)
    assert len(set(plain.byte)) == 1 and len(set(carried.byte)) == 2
    assert abs(carried.error) < 0.3e-3 < abs(plain.error)
    slow = delay_bytes(np.array([0.01, 0.3, 0.01]))
    assert slow.cut.tolist() == [1] and slow.byte[1] == 255
    assert slow.error == pytest.approx(wait_time(255) - 0.3, abs=1e-3)
    loaded = delay_bytes(delays, overhead=1e-3)
    assert loaded.byte.max() < carried.byte.min() and loaded.delays.mean() == pytest.approx(5.2e-3, rel=1e-3)


def test_a_motion_too_fast_for_the_delay_byte_is_refused_with_the_step():
    with pytest.raises(FlexarmError, match=r"step 3 follows after 20.0 us, but the shortest wait is 28.4 us"):
        delay_bytes(np.array([1e-3, 2e-5, 1e-3]))
    with pytest.raises(FlexarmError, match=r"128.4 us \(byte 1 and 100 us overhead\)"):
        delay_bytes(np.array([1e-3, 1e-4]), overhead=1e-4)


def test_played_by_delay_bytes_the_move_keeps_its_end_and_its_time():
    table = step_table(command(TRAPEZOID), 200, half=True, ratio=9.0)
    played = table.with_bytes(100e-6)
    assert played.landing == table.landing
    assert 0.0 < np.abs(played.times - table.times).max() < 5e-3


def test_moves_with_a_rest_between_are_tables_of_their_own():
    back = {"profile": "quintic", "by": -QUARTER, "duration": 0.8, "start": 1.0}
    table = step_table(command(TRAPEZOID, back), 200)
    assert table.begins == (0, 50) and not table.one_way
    played = table.with_bytes()
    assert played.times[50] == table.times[50]
    assert table.bytes().cut.tolist() == []  # the rest of 1 s is no delay
    with pytest.raises(FlexarmError, match="goes one way"):
        table.swept(1)


def test_sweeps_go_back_through_the_same_delays():
    table = step_table(command(TRAPEZOID), 200)
    swept = table.swept(2)
    n = len(table.times)
    assert len(swept.times) == 4 * n and swept.landing == 0.0
    np.testing.assert_allclose(swept.delays[:n], table.delays, atol=1e-12)
    np.testing.assert_allclose(swept.delays[n : 2 * n], table.delays[::-1], atol=1e-12)
    assert swept.counts.max() == n and swept.begins == (0, n, 2 * n, 3 * n)


def test_phases_follow_the_sequence_both_ways():
    table = step_table(command(TRAPEZOID), 200, half=True).swept(1)
    bits = [f"{p:04b}" for p in table.phases]
    for old, new in pairwise(bits):
        assert sum(a != b for a, b in zip(old, new, strict=True)) == 1  # half steps switch one winding at a time
    assert [hex(p) for p in table.phases[:3]] == ["0x8", "0x9", "0x1"]
    full = step_table(command(TRAPEZOID), 200)
    assert full.phases[:5].tolist() == [2, 4, 8, 1, 2]


def test_exported_tables_hold_the_numbers():
    table = step_table(command(TRAPEZOID), 200, half=True)
    made = table.bytes()
    rows = [line.split(",") for line in steps_csv(table, made).splitlines()]
    assert rows[0] == ["step", "time [s]", "delay [us]", "direction", "position [deg]", "phase", "byte", "made [us]"]
    np.testing.assert_allclose([float(r[1]) for r in rows[1:]], table.times, atol=1e-9)
    assert [int(r[6]) for r in rows[1:]] == made.byte.tolist() and float(rows[-1][4]) == 90.0
    text = steps_c(table, name="rise")
    body = re.search(r"uint32_t rise_delay_us\[RISE_STEPS\] = \{([^}]*)\}", text)[1]
    ticks = [int(v) for v in body.split(",")]
    assert len(ticks) == 100 and abs(sum(ticks) * 1e-6 - table.delays.sum()) < 1e-6
    assert "direction" not in text and "int8_t rise_direction" in steps_c(table.swept(1), name="rise")
    assert "uint8_t move_delay_byte" in steps_c(table, made)
    with pytest.raises(FlexarmError, match="no name for a C array"):
        steps_c(table, name="2 moves")


def program(motor, motion=TRAPEZOID, joint=None, **more):
    rod = {"section": {"shape": "circle", "diameter": 0.01}, "material": "steel", "length": 1.0}
    arm = Arm(links=[{"name": "link", "joint": joint or {}, **rod}])
    return Program.compile(arm, [Drive(joint="link", motion=motion, actuator={"type": "stepper", **motor}, **more)])


def test_the_drive_moves_in_steps_and_says_so():
    made = program({"steps_per_turn": 200, "half": True, "ratio": 9})
    assert len(made.jumps(2.0)) == 900 and made.wiring.joints[0].mode == "motion"
    (note,) = made.warnings
    assert "900 steps of 0.1 deg, at most 1500 per second" in note and "within 0.6667 ms" in note
    coarse = program({"steps_per_turn": 200})
    assert len(coarse.jumps(2.0)) == 50
    slow = program({"steps_per_turn": 200, "step_time": 2e-3})
    assert slow.finest == pytest.approx(2e-4)
    byte = program({"steps_per_turn": 200, "delay": "byte"})
    assert byte.jumps(2.0) != coarse.jumps(2.0) and len(byte.jumps(2.0)) == 50
    late = program({"steps_per_turn": 200, "delay": "byte", "overhead": 1e-3})
    assert late.jumps(2.0) != byte.jumps(2.0)


@pytest.mark.parametrize(
    "motor, words",
    [
        ({}, "needs steps_per_turn"),
        ({"steps_per_turn": 0}, "greater than or equal to 1"),
        ({"steps_per_turn": 200, "ratio": 0.0}, "greater than 0"),
        ({"steps_per_turn": 200, "overhead": 1e-3}, "overhead goes with delay: byte"),
        ({"steps_per_turn": 200, "poles": [-3.0]}, "a stepper actuator has no poles"),
    ],
)
def test_refused_steppers(motor, words):
    with pytest.raises(ValidationError, match=words):
        actuator_of(**{"type": "stepper", **motor})


def test_fields_of_a_stepper_are_refused_elsewhere():
    with pytest.raises(ValidationError, match="an ideal actuator has no steps_per_turn or half; say type: stepper"):
        actuator_of(steps_per_turn=200, half=True)
    with pytest.raises(ValidationError, match="a transfer actuator has no ratio"):
        actuator_of(type="transfer", poles=[-1.0], ratio=2.0)


def test_a_stepper_needs_a_motion_of_a_joint_that_turns():
    motor = {"type": "stepper", "steps_per_turn": 200}
    with pytest.raises(ValidationError, match="follows a motion in whole steps: give motion, and leave out torque"):
        Drive(joint="a", torque={"profile": "constant", "amplitude": 1.0}, actuator=motor)
    with pytest.raises(ValidationError, match="leave out servo"):
        Drive(joint="a", motion=TRAPEZOID, servo={"kp": 1.0, "kv": 1.0}, actuator=motor)
    with pytest.raises(ValidationError, match="a stepper actuator turns a joint; a patch"):
        Drive(patch={"link": "a", "from": 0.5}, force={"profile": "constant", "amplitude": 1.0}, actuator=motor)
    with pytest.raises(ScenarioError, match="'link' slides"):
        program({"steps_per_turn": 200}, joint={"type": "prismatic"})
    with pytest.raises(ScenarioError, match="jumps by"):
        points = {"profile": "table", "points": [(0.0, 0.5), (1.0, 1.0)], "interpolate": "linear"}
        program({"steps_per_turn": 200}, motion=points)
    with pytest.raises(
        ScenarioError, match=r"drive.0.actuator.delay: joint 'link': the motion is too fast for the delay"
    ):
        program({"steps_per_turn": 200, "ratio": 3000, "delay": "byte"})
    with pytest.raises(ScenarioError, match="never ends"):
        program({"steps_per_turn": 200, "delay": "byte"}, motion={"profile": "constant", "speed": 1.0})


@pytest.mark.parametrize("profile", [
    {"profile": "quintic", "by": 1.6e8, "duration": 1.0}, {"profile": "constant", "speed": -1.6e9},
    {"profile": "sine", "amplitude": 1.6e8, "frequency": 1.0},
])  # fmt: skip
def test_a_motor_that_turns_too_far_is_refused_before_its_steps_are_made(profile):
    tracemalloc.start()
    with pytest.raises(ScenarioError, match="more than 2000000 motor steps: turn less far, or make the steps larger"):
        FollowingSteps(command(profile), step_size(200)).until(10.0)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 5e6  # its 5e9 steps would take 100 GB


def test_a_motor_that_turns_far_is_not_refused():
    steps = FollowingSteps(command({"profile": "constant", "speed": 100.0}), step_size(200))
    assert len(steps.until(10.0)[0]) >= 1000.0 / step_size(200) - 1
