"""Commands behind a shaper: exact sums of shifted commands, whatever they are made of."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from pydantic import TypeAdapter, ValidationError

from flexarm.arm import Arm
from flexarm.drive import Drive, Program
from flexarm.drive.filtered import FilteredSignal
from flexarm.drive.impulses import MERGED, Impulses, shaper_impulses
from flexarm.drive.profiles import MotionSequence, TorqueSequence, motion_signal, torque_signal
from flexarm.drive.shaped import shaped
from flexarm.drive.statespace import state_space
from flexarm.errors import ScenarioError
from flexarm.rigid import tip

MOVE = {"by": 0.8, "duration": 0.5}
MOTIONS = {
    "moves": [{"profile": name, **MOVE} for name in ("bang-bang", "cycloid", "versine", "quintic", "nonic")],
    "two sines at once": [{"profile": "cycloid", **MOVE}, {"profile": "cycloid", "by": -0.3, "duration": 0.2}],
    "ramps": [{"profile": "trapezoid-velocity", "rise": 0.1, **MOVE},
              {"profile": "trapezoid-acceleration", "rise": 0.06, "start": 0.1, **MOVE}],
    "running": [{"profile": "spin-up", "speed": 2.0, "duration": 0.3}, {"profile": "constant", "speed": 2.0, "duration": 0.4},
                {"profile": "sine", "amplitude": 0.1, "frequency": 3.0}],
    "table": [{"profile": "table", "points": [(0.0, 0.3), (0.2, 0.5), (0.33, 0.1), (0.6, 0.4)]}],
}  # fmt: skip
TORQUES = {
    "bang": [{"profile": "bang-bang", "amplitude": 0.1, "duration": 0.6}],
    "waves": [{"profile": "versine", "amplitude": 0.1, "duration": 0.3}, {"profile": "sine", "amplitude": 0.2, "frequency": 2.0}],
    "held": [{"profile": "table", "interpolate": "hold", "points": [(0.0, 0.3), (0.2, -0.5), (0.6, 0.0)]}],
}  # fmt: skip
SHAPERS = {
    "zv": shaper_impulses("zv", 3.3, 0.02),
    "ei": shaper_impulses("ei", 2.1, 0.05, 0.1),
    "two": shaper_impulses("zvd", 2.0).then(shaper_impulses("zv", 7.1, 0.1)),
}
CASES = [
    *((name, motion_signal(TypeAdapter(MotionSequence).validate_python(items), 0.3)) for name, items in MOTIONS.items()),
    *((name, torque_signal(TypeAdapter(TorqueSequence).validate_python(items))) for name, items in TORQUES.items()),
]  # fmt: skip


@pytest.mark.parametrize("impulses", SHAPERS.values(), ids=SHAPERS)
@pytest.mark.parametrize(("name", "source"), CASES, ids=[name for name, _ in CASES])
def test_it_is_the_sum_of_shifted_commands(name, source, impulses):
    made = shaped(source, impulses)
    times, scale = np.linspace(0.0, 3.0, 62)[1:], np.array([1.0, 30.0, 3000.0])[:, None]
    for t in times:
        parts = [
            a * source.evaluate(np.array([t - d]), t - d)
            for a, d in zip(impulses.amplitudes, impulses.times, strict=True)
        ]
        assert np.all(np.abs(made.evaluate(np.array([t]), t) - sum(parts)) < 1e-12 * scale)
    sizes = {}
    for time, size in zip(source.jumps()[0], source.jumps()[1].T, strict=True):
        for share, late in zip(impulses.amplitudes, impulses.times, strict=True):
            sizes[round(time + late, 9)] = sizes.get(round(time + late, 9), 0.0) + share * size
    corners = [time for time, size in sorted(sizes.items()) if 0.0 < time < 6.0 and np.any(np.abs(size) > 1e-9)]
    assert [round(t, 9) for t in made.breaks(6.0)] == corners  # where jumps cancel there is none
    assert made.initial == source.initial and made.finest == source.finest
    first, last = source.span
    assert made.span == pytest.approx((first, last + impulses.duration))


def test_corners_that_cancel_are_none():
    """0.5 of a jump up and 0.5 of one down at the same time."""
    source = torque_signal(
        TypeAdapter(TorqueSequence).validate_python([{"profile": "constant", "amplitude": 1.0, "duration": 0.25}])
    )
    made = shaped(source, shaper_impulses("zv", 2.0))
    assert made.breaks(9.0) == [0.5]
    assert made.evaluate(np.array([0.1, 0.25, 0.4, 0.5]), 0.2)[0].tolist() == [0.5] * 4


def test_a_filter_and_a_shaper_change_places():
    source, impulses = CASES[1][1], SHAPERS["two"]
    lag = state_space((-9 + 16.5j, -30.0), (), 1.0)
    behind, alone = FilteredSignal(shaped(source, impulses), lag), FilteredSignal(source, lag)
    for a, b in pairwise([0.0, *behind.breaks(3.0), 3.0]):
        t = np.linspace(a, b, 7)[1:-1]
        parts = [share * np.array([alone.evaluate(np.array([x - d]), x - d)[:, 0] if x > d else [0.3, 0, 0] for x in t]).T
                 for share, d in zip(impulses.amplitudes, impulses.times, strict=True)]  # fmt: skip
        assert np.abs(behind.evaluate(t, 0.5 * (a + b)) - sum(parts)).max() < 1e-9


def test_impulses_that_meet_are_one():
    both = shaper_impulses("zv", 2.0).then(shaper_impulses("zv", 2.0 * (1.0 + 1e-10)))
    assert both.amplitudes == pytest.approx((0.25, 0.5, 0.25)) and len(both.times) == 3
    assert both.times[1] == pytest.approx(0.25, abs=MERGED)


def test_several_modes_have_their_own_frequency_and_damping():
    both = shaper_impulses("zv", 2.0, 0.01).then(shaper_impulses("zv", 5.3, 0.08))
    assert len(both.times) == 4 and sum(both.amplitudes) == pytest.approx(1.0)
    assert both.residual(2.0, 0.01) < 1e-12 and both.residual(5.3, 0.08) < 1e-12
    assert both.residual(5.3, 0.01) > 1e-2


@pytest.mark.parametrize(("damping", "tolerance"), [(0.0, 0.05), (0.03, 0.02), (0.15, 0.1), (0.25, 0.05)])
def test_what_makes_ei_what_it_is(damping, tolerance):
    """The tolerance at its own frequency, level there, and nothing at one frequency below and one above."""
    made = shaper_impulses("ei", 1.0, damping, tolerance)
    assert made.residual(1.0, damping) == pytest.approx(tolerance, rel=1e-9)
    slope = (made.residual(1.0 + 1e-5, damping) - made.residual(1.0 - 1e-5, damping)) / 2e-5
    assert abs(slope) < 1e-6
    for side in (np.linspace(0.7, 1.0, 30001), np.linspace(1.0, 1.3, 30001)):
        assert made.residual(side, damping).min() < 1e-4
    assert min(made.amplitudes) > 0.0 and sum(made.amplitudes) == pytest.approx(1.0)


def test_a_path_is_shaped_in_its_timing():
    rod = {"section": {"shape": "circle", "diameter": 0.01}, "material": "steel", "length": 1.0}
    arm = Arm(links=[{"name": "upper", **rod}, {"name": "fore", **rod}])
    path = {"shape": "circle", "center": (1.2, 0.3), "radius": 0.2, "duration": 1.0}
    plain, made = (
        Program.compile(arm, [Drive(joints=("upper", "fore"), path=path, shaper=shaper, servo={"kp": 1.0})])
        for shaper in (None, {"type": "zvd", "frequency": 3.0})
    )
    t = np.linspace(0.0, 1.4, 57)
    q = made.table(t[(t > 0) & (t < 1.3)], 0.7)[:, :, 0]
    center = np.array([1.2, 0.3])
    for pose in q:
        assert np.linalg.norm(tip(arm, pose)[:2] - center) == pytest.approx(0.2, abs=1e-9)
    assert made.path.end == pytest.approx(plain.path.end + 1.0 / 3.0)
    assert made.path.place([made.path.end]) == pytest.approx(plain.path.place([1.0]), abs=1e-12)
    impulses = shaper_impulses("zvd", 3.0)
    way = sum(a * plain.path.way(t - d) for a, d in zip(impulses.amplitudes, impulses.times, strict=True))
    assert made.path.way(t) == pytest.approx(way, abs=1e-12)


def test_all_drives_take_one():
    rod = {"section": {"shape": "circle", "diameter": 0.01}, "material": "steel", "length": 1.0}
    arm = Arm(links=[{"name": "link", **rod}])
    shaper = {"type": "zv", "frequency": 2.0}
    bang = {"profile": "bang-bang", "amplitude": 0.1, "duration": 0.6}
    quintic = {"profile": "quintic", **MOVE}
    stepper = {"type": "stepper", "steps_per_turn": 400}
    for drive in (
        {"torque": bang}, {"motion": quintic}, {"motion": quintic, "control": {"type": "pd", "kp": 3.0, "limit": 1.0}},
        {"motion": quintic, "torque": bang, "control": {"type": "pd", "kp": 3.0}}, {"motion": quintic, "actuator": stepper},
        {"motion": quintic, "actuator": {"type": "transfer", "poles": [-20.0]}}, {"motion": quintic, "servo": {"kp": 2.0}},
    ):  # fmt: skip
        plain, made = (Program.compile(arm, [Drive(joint="link", shaper=each, **drive)]) for each in (None, shaper))
        for a, b in zip(plain.lines[0].signals, made.lines[0].signals, strict=True):
            late = [s.evaluate(np.array([9.0]), 9.0)[0, 0] for s in (a, b)]
            assert late[0] == pytest.approx(late[1], abs=1e-9)  # the end point stays
            early = [s.evaluate(np.array([0.2]), 0.2)[0, 0] for s in (a, b)]
            assert abs(early[1]) < 0.9 * abs(early[0])
    patch = {"patch": {"link": "link", "from": 0.2, "to": 0.5}, "moment": bang, "shaper": shaper}
    assert Program.compile(arm, [Drive(**patch)]).jumps(2.0) == pytest.approx([0.25, 0.3, 0.55, 0.6, 0.85])


BAD = {
    "tolerance goes with type: ei": {"type": "zv", "tolerance": 0.1},
    "less than 1": {"type": "ei", "tolerance": 1.5},
    "damping goes with frequency": {"type": "zv", "damping": 0.1},
    "modes \\(and at\\) or a stated frequency": {"type": "zv", "modes": [1], "frequency": 3.0},
    "named twice": {"type": "zv", "modes": [1, 1]},
    "as a list, for example \\[2\\]": {"type": "zv", "modes": 2},
    "damping has 2 values for 1 frequencies": {"type": "zv", "frequency": 3.0, "damping": [0.1, 0.2]},
    "greater than 0": {"type": "zv", "frequency": 0.0},
    "greater than or equal to 1": {"type": "zv", "modes": [0]},
}


@pytest.mark.parametrize("words", BAD)
def test_what_a_shaper_cannot_be(words):
    with pytest.raises(ValidationError, match=words):
        Drive(joint="link", torque={"profile": "constant", "amplitude": 1.0}, shaper=BAD[words])


def test_nothing_to_shape():
    with pytest.raises(ValidationError, match="nothing to shape: give motion"):
        Drive(joint="link", servo={"kp": 1.0}, shaper={"type": "zv"})
    rod = {"section": {"shape": "circle", "diameter": 0.01}, "material": "steel", "length": 1.0}
    drive = Drive(
        joint="link", motion={"profile": "quintic", **MOVE}, shaper={"type": "ei", "frequency": 1.0, "damping": 0.9}
    )
    with pytest.raises(ScenarioError, match=r"drive.0.shaper: there is no shaper ei for a damping ratio of 0.9"):
        Program.compile(Arm(links=[{"name": "link", **rod}]), [drive])


def test_widths_end_where_the_level_is_crossed():
    made = Impulses((0.5, 0.5), (0.0, 0.5))  # V = |cos(pi w / 2)|
    low, high = made.width(1.0, 0.0, 0.2)
    assert (low, high) == pytest.approx((1 - 2 / math.pi * math.asin(0.2), 1 + 2 / math.pi * math.asin(0.2)))


def test_control_feedforward_is_rigid_feedforward():
    law = {"type": "pd", "kp": 10.0, "kv": 1.0}
    motion = {"profile": "quintic", "by": 1.0, "duration": 1.0}
    short = Drive(joint="a", motion=motion, control={**law, "feedforward": True})
    assert short.added == Drive(joint="a", motion=motion, control=law, feedforward="rigid").added == "rigid"
    with pytest.raises(ValueError, match=r"leave out control\.feedforward"):
        Drive(joint="a", motion=motion, control={**law, "feedforward": True}, feedforward="gravity")
