"""Profiles as signals: exact derivatives, declared breaks, the formulas of the documents."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from flexarm.drive.profiles import (
    MOTION_PROFILES,
    TORQUE_PROFILES,
    MotionSequence,
    TorqueSequence,
    motion_signal,
    torque_signal,
)

MOTION, TORQUE = TypeAdapter(MotionSequence), TypeAdapter(TorqueSequence)
size = st.floats(-3.0, 3.0).filter(lambda x: abs(x) > 1e-2)
length = st.floats(0.05, 20.0)
place = st.integers(-2000, 2000).map(lambda n: n / 1000)
wait = st.sampled_from([0.0, 0.1, 0.7])


def motion(items, initial=0.0):
    return motion_signal(MOTION.validate_python(items), initial)


def torque(items):
    return torque_signal(TORQUE.validate_python(items))


def at(signal, t, inside=None):
    return signal.evaluate(np.array([float(t)]), t if inside is None else inside)[:, 0]


@st.composite
def motion_items(draw, name):
    duration, start = draw(length), draw(wait)
    item = {"profile": name, "start": start}
    if name == "sine":
        item |= {
            "amplitude": draw(size),
            "frequency": draw(st.floats(0.1, 5.0)),
            "phase": draw(st.floats(-3, 3)),
        }
        return item | {"duration": duration}
    if name == "spin-up":
        return item | {"speed": draw(size), "duration": duration}
    if name == "constant":
        return item | {"speed": draw(st.sampled_from([0.0, 1.3])), "duration": duration}
    if name == "table":
        steps = draw(st.lists(st.floats(0.05, 1.0), min_size=2, max_size=6))
        values = draw(st.lists(place, min_size=len(steps), max_size=len(steps)))
        item["interpolate"] = draw(st.sampled_from(["cubic", "linear"]))
        return item | {"points": list(zip(np.cumsum(steps).tolist(), values, strict=True))}
    item |= {"by": draw(size), "duration": duration}
    if name.startswith("trapezoid"):
        most = duration / (2 if name == "trapezoid-velocity" else 4)
        item["rise"] = most * draw(st.sampled_from([0.2, 0.77, 1.0]))
    return item


@st.composite
def torque_items(draw, name):
    duration = draw(length)
    item = {"profile": name, "start": draw(wait)}
    if name == "table":
        steps = draw(st.lists(st.floats(0.05, 1.0), min_size=2, max_size=6))
        values = draw(st.lists(place, min_size=len(steps), max_size=len(steps)))
        item["interpolate"] = draw(st.sampled_from(["cubic", "linear", "hold"]))
        return item | {"points": list(zip(np.cumsum(steps).tolist(), values, strict=True))}
    item |= {"amplitude": draw(size), "duration": duration}
    if name == "sine":
        item |= {"frequency": draw(st.floats(0.1, 5.0)), "phase": draw(st.floats(-3, 3))}
    if name.startswith("trapezoid"):
        item["rise"] = duration / 2 * draw(st.sampled_from([0.2, 1.0]))
    return item


def stretches(signal, end):
    edges = [0.0, *signal.breaks(end), end]
    return [(a, b) for a, b in pairwise(edges) if b - a > 1e-6]


def horizon(signal):
    """A time a little after the last piece has begun."""
    return 1.25 * float(signal.pieces.start[-1]) + 0.01


def limits(signal, end):
    """Values and two derivatives at both ends of every stretch between breaks."""
    return [signal.evaluate(np.array([a, b]), 0.5 * (a + b)) for a, b in stretches(signal, end)]


def check_derivatives(signal, end):
    """On every analytic piece, differences of value and slope are integrals of the next derivative.

    Simpson's rule on 2000 cells; its error, h^4/180 of the fourth derivative, is far below the tolerance.
    """
    edges = [0.0, *(float(t) for t in signal.pieces.start if 1e-6 < t < end), end]
    for a, b in pairwise(edges):
        if b - a < 1e-5:
            continue
        t = np.linspace(a + 1e-9, b - 1e-9, 4001)
        h = t[1] - t[0]
        f = signal.evaluate(t, 0.5 * (a + b))
        for order in (0, 1):
            rise = f[order, 2::2] - f[order, :-2:2]
            area = h / 3 * (f[order + 1, :-2:2] + 4 * f[order + 1, 1::2] + f[order + 1, 2::2])
            scale = np.max(np.abs(f[order])) + np.max(np.abs(f[order + 1])) * (b - a)
            assert np.all(np.abs(rise - area) <= 1e-7 * scale)


def check_seams(signal, end, orders):
    """No jump between two breaks: at every seam of pieces the limits from both sides agree."""
    for a, b in stretches(signal, end):
        seams = signal.pieces.start[(signal.pieces.start > a + 1e-6) & (signal.pieces.start < b - 1e-6)]
        left, right = (signal.evaluate(seams + d, 0.5 * (a + b)) for d in (-1e-9, 1e-9))
        inner = np.concatenate([np.linspace(u, v, 21) for u, v in pairwise([a, *seams, b])])
        size = np.max(np.abs(signal.evaluate(inner, 0.5 * (a + b))), axis=1) + 1e-3
        assert np.all(np.abs(right - left)[:orders] < 1e-5 * size[:orders, None])


@pytest.mark.parametrize("name", MOTION_PROFILES)
@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_motion_derivatives_and_breaks(name, data):
    signal = motion(data.draw(motion_items(name)), 0.4)
    end = horizon(signal)
    check_derivatives(signal, end)
    check_seams(signal, end, 3)
    for before, after in pairwise(limits(signal, end)):
        assert np.any(before[:, 1] != after[:, 0]), "a declared break without a jump"


@pytest.mark.parametrize("name", TORQUE_PROFILES)
@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_torque_derivatives_and_breaks(name, data):
    signal = torque(data.draw(torque_items(name)))
    end = horizon(signal)
    check_derivatives(signal, end)
    check_seams(signal, end, 1)
    for before, after in pairwise(limits(signal, end)):
        assert before[0, 1] != after[0, 0]


@pytest.mark.parametrize(
    "item",
    [
        {"profile": "bang-bang"},
        {"profile": "cycloid"},
        {"profile": "quintic"},
        {"profile": "versine"},
        {"profile": "trapezoid-velocity", "rise": 0.3},
        {"profile": "trapezoid-acceleration", "rise": 0.2},
    ],
)
def test_exact_derivatives_by_central_differences(item):
    signal = motion({**item, "by": 1.2, "duration": 1.5})
    edges = [0.0, *signal.breaks(1.5), 1.5]
    for a, b in pairwise(edges):
        t, h, inside = np.linspace(a + 0.02, b - 0.02, 7), 1e-3, 0.5 * (a + b)
        low, mid, high = (signal.evaluate(t + d, inside) for d in (-h, 0.0, h))
        np.testing.assert_allclose((high[0] - low[0]) / (2 * h), mid[1], atol=1e-4)
        kink = 4e-3 if item["profile"] == "trapezoid-acceleration" else 1e-4
        np.testing.assert_allclose((high[1] - low[1]) / (2 * h), mid[2], atol=kink)


@pytest.mark.parametrize("name", [n for n in MOTION_PROFILES if n not in ("sine", "table", "spin-up", "constant")])
@settings(max_examples=20, deadline=None)
@given(data=st.data(), initial=st.floats(-2, 2))
def test_moves_begin_and_end_at_rest_at_the_right_places(name, data, initial):
    item = data.draw(motion_items(name))
    signal = motion(item, initial)
    begin, end = item["start"], item["start"] + item["duration"]
    middle = 0.5 * (begin + end)
    np.testing.assert_allclose(at(signal, begin, begin + 1e-6)[:2], [initial, 0.0], atol=1e-9)
    inside_end = end - 1e-6
    np.testing.assert_allclose(at(signal, end, inside_end)[:2], [initial + item["by"], 0.0], atol=1e-7)
    np.testing.assert_allclose(at(signal, end + 3.0), [initial + item["by"], 0.0, 0.0], atol=1e-12)
    to = {**{k: v for k, v in item.items() if k != "by"}, "to": initial + item["by"]}
    np.testing.assert_allclose(at(motion(to, initial), middle), at(signal, middle), atol=1e-9)


def test_breaks_of_each_move():
    base = {"by": 1.0, "duration": 2.0, "start": 0.5}
    assert motion({"profile": "cycloid", **base}).breaks(9.0) == []
    assert motion({"profile": "quintic", **base}).breaks(9.0) == []
    assert motion({"profile": "trapezoid-acceleration", "rise": 0.25, **base}).breaks(9.0) == []
    assert motion({"profile": "versine", **base}).breaks(9.0) == [0.5, 2.5]
    assert motion({"profile": "bang-bang", **base}).breaks(9.0) == [0.5, 1.5, 2.5]
    assert motion({"profile": "bang-bang", **base}).breaks(2.5) == [0.5, 1.5]
    trapezoid = {"profile": "trapezoid-velocity", **base}
    assert motion({**trapezoid, "rise": 0.5}).breaks(9.0) == [0.5, 1.0, 2.0, 2.5]
    assert motion({**trapezoid, "rise": 1.0}).breaks(9.0) == [0.5, 1.5, 2.5]


def test_trapezoid_of_the_acceleration():
    h, T, r = 1.2, 2.0, 0.25
    signal = motion({"profile": "trapezoid-acceleration", "by": h, "duration": T, "rise": r})
    a = 2 * h / (T * (T / 2 - r))
    t = np.array([0.0, r / 2, r, T / 2 - r, T / 2, T / 2 + r, T - r, T - r / 2, T])
    np.testing.assert_allclose(signal.evaluate(t, 1.0)[2], a * np.array([0, 0.5, 1, 1, 0, -1, -1, -0.5, 0]), atol=1e-12)
    np.testing.assert_allclose(at(signal, T / 2)[:2], [h / 2, a * (T / 2 - r)], atol=1e-12)


def test_limits_on_both_sides_of_a_break():
    signal = motion({"profile": "bang-bang", "by": 1.0, "duration": 2.0})
    assert at(signal, 1.0, 0.5)[2] == 1.0
    assert at(signal, 1.0, 1.5)[2] == -1.0
    assert at(signal, 2.0, 1.5)[2] == -1.0
    assert at(signal, 2.0, 5.0)[2] == 0.0


# --- formulas of the documents -----------------------------------------------------------------------------


def test_cycloid_of_the_planar_arm():
    h, T = math.radians(60.0), 2.5
    signal = motion({"profile": "cycloid", "by": h, "duration": T})
    t = np.linspace(0.0, T, 41)
    w = 2 * math.pi / T
    wanted = [
        h * (t / T - np.sin(w * t) / (2 * math.pi)),
        h / T * (1 - np.cos(w * t)),
        h / T * w * np.sin(w * t),
    ]
    np.testing.assert_allclose(signal.evaluate(t, 1.0), wanted, atol=1e-14)


def test_trapezoid_of_the_planar_arm_with_gravity():
    """60 deg with 0.5 s of acceleration and 1 s of cruise: 0.698 rad/s and 1.396 rad/s^2."""
    signal = motion({"profile": "trapezoid-velocity", "by": math.radians(60), "duration": 2.0, "rise": 0.5})
    assert at(signal, 1.0)[1] == pytest.approx(0.698, abs=2e-4)
    assert at(signal, 0.2)[2] == pytest.approx(1.396, abs=5e-4)
    assert at(signal, 1.8)[2] == pytest.approx(-1.396, abs=5e-4)


def test_trapezoid_of_the_spatial_arm():
    """Dwell 0.1 s, 0.3 s of acceleration, move of 1.5 s over 90 deg."""
    item = {"profile": "trapezoid-velocity", "by": math.pi / 2, "start": 0.1, "duration": 1.5, "rise": 0.3}
    signal = motion(item)
    v = (math.pi / 2) / (1.5 - 0.3)
    assert at(signal, 0.05).tolist() == [0.0, 0.0, 0.0]
    np.testing.assert_allclose(at(signal, 0.4, 0.5), [v * 0.15, v, 0.0], atol=1e-14)
    np.testing.assert_allclose(at(signal, 1.3, 1.0), [math.pi / 2 - v * 0.15, v, 0.0], atol=1e-14)
    np.testing.assert_allclose(signal.breaks(2.0), [0.1, 0.4, 1.3, 1.6])


def test_versine_of_the_three_link_arm():
    """pi/12 (1 - cos(2 pi t/t0)) until t0/2 = 0.4 s, then pi/6."""
    signal = motion({"profile": "versine", "by": math.radians(30), "duration": 0.4})
    t, t0 = np.linspace(0.0, 0.4, 33), 0.8
    np.testing.assert_allclose(
        signal.evaluate(t, 0.2)[0], math.pi / 12 * (1 - np.cos(2 * math.pi * t / t0)), atol=1e-15
    )
    np.testing.assert_allclose(at(signal, 1.7), [math.pi / 6, 0.0, 0.0], atol=1e-15)


def test_quintic_of_the_single_link():
    signal = motion({"profile": "quintic", "by": math.pi / 4, "duration": 0.5})
    s = np.linspace(0.0, 1.0, 21)
    np.testing.assert_allclose(
        signal.evaluate(0.5 * s, 0.2)[0], math.pi / 4 * (10 * s**3 - 15 * s**4 + 6 * s**5), atol=1e-14
    )


def test_spin_up():
    w, T = 6.0, 15.0
    signal = motion({"profile": "spin-up", "speed": w, "duration": T})
    t = np.linspace(0.0, 15.0, 51)
    angle = w / T * (t**2 / 2 + (T / (2 * math.pi)) ** 2 * (np.cos(2 * math.pi * t / T) - 1))
    speed = w / T * (t - T / (2 * math.pi) * np.sin(2 * math.pi * t / T))
    np.testing.assert_allclose(signal.evaluate(t, 1.0)[:2], [angle, speed], atol=1e-13)
    np.testing.assert_allclose(at(signal, 20.0), [w * (20.0 - T / 2), w, 0.0], atol=1e-13)
    assert signal.breaks(30.0) == []


def test_sine_of_the_long_reach_arm_stops_where_it_is():
    """q + A sin(2 pi f t) until 2 s, then held; the velocity jumps there, which is declared."""
    signal = motion({"profile": "sine", "amplitude": 0.1, "frequency": 0.5, "duration": 2.0}, math.radians(60))
    t = np.linspace(0.0, 2.0, 31)
    np.testing.assert_allclose(signal.evaluate(t, 1.0)[0], math.radians(60) + 0.1 * np.sin(math.pi * t), atol=1e-15)
    assert signal.breaks(5.0) == [2.0]
    times, sizes = signal.jumps()
    assert times.tolist() == [0.0, 2.0]
    np.testing.assert_allclose(sizes[:, 1], [0.0, -0.1 * math.pi, 0.0], atol=1e-9)


def test_sine_that_starts_and_stops_at_rest_has_no_jump_of_velocity():
    item = {"profile": "sine", "amplitude": 0.1, "frequency": 0.5, "phase": -math.pi / 2, "duration": 2.0}
    _, sizes = motion(item, 0.3).jumps()
    assert np.all(sizes[:2] == 0.0) and np.all(sizes[2] != 0.0)
    assert at(motion(item, 0.3), 0.0, 0.1)[0] == pytest.approx(0.3)


def test_bang_bang_torque_of_the_single_link():
    signal = torque({"profile": "bang-bang", "amplitude": 0.1, "duration": 0.6})
    assert signal.breaks(1.2) == [0.3, 0.6]
    assert [at(signal, t)[0] for t in (0.1, 0.4, 0.9)] == [0.1, -0.1, 0.0]


def test_triangular_torque_written_as_points():
    """0 to 80 N m at 1 s and back to 0 at 2.5 s: kinks are no breaks of a torque."""
    signal = torque({"profile": "table", "points": [[0, 0], [1, 80], [2.5, 0]]})
    t = np.array([0.0, 0.5, 1.0, 1.75, 2.5, 6.0])
    np.testing.assert_allclose(signal.evaluate(t, 3.0)[0], [0.0, 40.0, 80.0, 40.0, 0.0, 0.0], atol=1e-13)
    assert signal.breaks(9.0) == [] and signal.finest == 1.0


def test_constant_speed_then_held():
    """0.6 rad/s until 1.5 rad at 2.5 s."""
    signal = motion({"profile": "constant", "speed": 0.6, "duration": 2.5})
    np.testing.assert_allclose(at(signal, 2.5, 1.0), [1.5, 0.6, 0.0])
    np.testing.assert_allclose(at(signal, 2.5, 3.0), [1.5, 0.0, 0.0])
    assert signal.breaks(9.0) == [2.5]


def test_shapes_of_torques():
    assert at(torque({"profile": "versine", "amplitude": 2.0, "duration": 1.0}), 0.5)[0] == pytest.approx(2.0)
    assert at(torque({"profile": "versine", "amplitude": 2.0, "duration": 1.0}), 0.25)[0] == pytest.approx(1.0)
    for name in ("trapezoid", "trapezoid-velocity"):
        pulse = torque({"profile": name, "amplitude": 2.0, "duration": 1.0, "rise": 0.2, "start": 1.0})
        values = [at(pulse, t)[0] for t in (0.9, 1.1, 1.5, 1.9, 2.1)]
        np.testing.assert_allclose(values, [0.0, 1.0, 2.0, 1.0, 0.0], atol=1e-12)
        assert pulse.breaks(9.0) == []
    endless = torque({"profile": "constant", "amplitude": 3.0, "start": 1.0})
    assert endless.breaks(9.0) == [1.0] and at(endless, 100.0)[0] == 3.0
    wave = torque({"profile": "sine", "amplitude": 3.0, "frequency": 2.0, "phase": 0.4, "duration": 1.0})
    assert at(wave, 0.3)[0] == pytest.approx(3.0 * math.sin(4 * math.pi * 0.3 + 0.4))
    assert wave.breaks(9.0) == [1.0]


def test_finest():
    assert motion({"profile": "sine", "amplitude": 1.0, "frequency": 5.0}).finest == pytest.approx(0.01)
    assert motion({"profile": "bang-bang", "by": 1.0, "duration": 1.0}).finest == math.inf
    assert motion({"profile": "table", "points": [[0, 0], [0.3, 1], [0.4, 0]]}).finest == pytest.approx(0.1)


# --- sequences ----------------------------------------------------------------------------------------------


def test_sequence_of_moves_with_a_pause():
    signal = motion(
        [
            {"profile": "cycloid", "by": 1.0, "duration": 1.0, "start": 0.5},
            {"profile": "constant", "duration": 0.5},
            {"profile": "versine", "to": 0.25, "duration": 2.0, "start": 0.25},
        ],
        0.5,
    )
    assert [at(signal, t)[0] for t in (0.2, 1.6, 1.99, 2.2)] == pytest.approx([0.5, 1.5, 1.5, 1.5])
    assert at(signal, 3.25)[0] == pytest.approx(0.875)
    assert at(signal, 9.0)[0] == pytest.approx(0.25)
    np.testing.assert_allclose(signal.breaks(9.0), [2.25, 4.25])


def test_a_speed_goes_on_while_the_next_item_waits():
    signal = motion(
        [
            {"profile": "spin-up", "speed": 2.0, "duration": 1.0},
            {"profile": "constant", "start": 1.0},
        ]
    )
    np.testing.assert_allclose(at(signal, 1.5), [2.0, 2.0, 0.0], atol=1e-12)
    np.testing.assert_allclose(at(signal, 4.0), [3.0, 0.0, 0.0], atol=1e-12)
    assert signal.breaks(9.0) == [2.0]


def test_sequence_of_torques():
    signal = torque(
        [
            {"profile": "constant", "amplitude": 1.0, "duration": 1.0},
            {"profile": "constant", "amplitude": 1.0, "duration": 1.0},
            {"profile": "bang-bang", "amplitude": 2.0, "duration": 1.0, "start": 1.0},
        ]
    )
    assert signal.breaks(9.0) == [2.0, 3.0, 3.5, 4.0]
    assert [at(signal, t)[0] for t in (0.5, 1.5, 2.5, 3.2, 3.7, 5.0)] == [1.0, 1.0, 0.0, 2.0, -2.0, 0.0]


def test_values_do_not_depend_on_chunks():
    signal = motion(
        [
            {"profile": "cycloid", "by": 1.0, "duration": 1.0, "start": 0.1},
            {"profile": "sine", "amplitude": 0.3, "frequency": 1.7, "phase": -math.pi / 2},
        ],
        0.2,
    )
    t = np.linspace(1.1, 4.0, 1001)
    whole = signal.evaluate(t, 2.0)
    for n in (1, 7, 64):
        parts = [signal.evaluate(t[i : i + n], 2.0) for i in range(0, len(t), n)]
        assert np.array_equal(np.hstack(parts), whole)


# --- refusals -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "item, words",
    [
        ({"profile": "cyclod", "by": 1, "duration": 1}, "did you mean 'cycloid'"),
        ({"by": 1, "duration": 1}, "needs a profile: bang-bang"),
        ("cycloid", "as a mapping"),
        ({"profile": "cycloid", "by": 1}, "duration"),
        ({"profile": "cycloid", "duration": 1}, "either 'by'"),
        ({"profile": "cycloid", "by": 1, "to": 2, "duration": 1}, "either 'by'"),
        ({"profile": "cycloid", "by": 1, "duration": 0}, "greater than 0"),
        ({"profile": "cycloid", "by": 1, "duration": -1}, "greater than 0"),
        ({"profile": "cycloid", "by": 1, "duration": 1, "start": -1}, "greater than or equal to 0"),
        ({"profile": "cycloid", "by": math.inf, "duration": 1}, "finite"),
        ({"profile": "cycloid", "by": "60 deg", "duration": 1}, "plain number in rad"),
        ({"profile": "cycloid", "by": 1, "duration": 1, "rise": 0.1}, "Extra inputs"),
        ({"profile": "trapezoid-velocity", "by": 1, "duration": 1}, "rise"),
        ({"profile": "trapezoid-velocity", "by": 1, "duration": 1, "rise": 0.6}, "at most 0.5 s"),
        ({"profile": "trapezoid-acceleration", "by": 1, "duration": 1, "rise": 0.3}, "at most 0.25 s"),
        ({"profile": "spin-up", "speed": 1}, "duration"),
        ({"profile": "sine", "amplitude": 1, "frequency": 0}, "greater than 0"),
        ({"profile": "table", "points": [[0, 0], [1, 1]], "interpolate": "hold"}, "use cubic or linear"),
        ({"profile": "table", "points": [[0, 0]]}, "at least 2"),
        ({"profile": "table", "points": [[0, 0], [1, 1], [1, 2]]}, "times must increase"),
        ({"profile": "table"}, "either 'file'"),
        ({"profile": "table", "points": [[0, 0], [1, 1]], "column": "q"}, "go with 'file'"),
    ],
)
def test_refused_motions(item, words):
    with pytest.raises(ValidationError, match=words):
        MOTION.validate_python(item)


@pytest.mark.parametrize("name", ["cycloid", "quintic", "spin-up", "trapezoid-acceleration"])
def test_shapes_that_make_no_torque(name):
    words = f"a torque cannot have the profile '{name}'.*it can be bang-bang, constant, sine, table, trapezoid"
    with pytest.raises(ValidationError, match=words):
        TORQUE.validate_python({"profile": name, "amplitude": 1.0, "duration": 1.0})


@pytest.mark.parametrize(
    "item, words",
    [
        ({"profile": "bang-bang", "amplitude": 1}, "duration"),
        ({"profile": "versine", "duration": 1}, "amplitude"),
        ({"profile": "trapezoid", "amplitude": 1, "duration": 1, "rise": 0.6}, "at most 0.5 s"),
        ({"profile": "table", "points": [[0, 0], [1, 1]], "interpolate": "spline"}, "linear"),
    ],
)
def test_refused_torques(item, words):
    with pytest.raises(ValidationError, match=words):
        TORQUE.validate_python(item)


def test_units_come_through_the_reader(units):
    item = {"profile": "cycloid", "by": "90 deg", "duration": "500 ms"}
    signal = motion_signal(MOTION.validate_python(item, context=units), 0.0)
    assert at(signal, 1.0)[0] == pytest.approx(math.pi / 2)


def test_pieces_of_an_interval_are_found_one_by_one_or_as_one():
    """A sawtooth of straight pieces, some with a break between and some without, against its closed form."""
    from flexarm.drive.piecewise import Row
    from flexarm.drive.signal import PieceSignal

    rows = [Row(0.0, (0.0, 2.0)), Row(1.0, (2.0, -1.0)), Row(2.0, (5.0, 3.0))]
    t = np.linspace(0.0, 2.0, 9)
    smooth, cut = PieceSignal(rows, orders=1), PieceSignal(rows, orders=3)
    expected = np.array([np.where(t < 1.0, 2.0 * t, 3.0 - t), np.where(t < 1.0, 2.0, -1.0)])
    assert smooth.breaks(3.0) == [2.0] and cut.breaks(3.0) == [1.0, 2.0]
    assert smooth.evaluate(t, 0.5)[:2] == pytest.approx(expected, abs=1e-15)
    first, second = t <= 1.0, t >= 1.0
    assert cut.evaluate(t[first], 0.5)[:2] == pytest.approx(np.array([2.0 * t[first], np.full(5, 2.0)]), abs=1e-15)
    assert cut.evaluate(t[second], 1.5)[:2] == pytest.approx(np.array([3.0 - t[second], np.full(5, -1.0)]), abs=1e-15)
