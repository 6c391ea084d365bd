"""Actuators: state space from poles and zeros, bandwidth, and exactly filtered commands."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from actuator_of import actuator_of
from flexarm.drive import FilteredSignal
from flexarm.drive.profiles import MotionSequence, TorqueSequence, motion_signal, torque_signal
from flexarm.drive.statespace import bandwidth, state_space

MOTION, TORQUE = TypeAdapter(MotionSequence), TypeAdapter(TorqueSequence)
H1 = (-30.37, -9.0 + 16.5j)
H2 = (-33.57, -21.0 + 23.07j)
CASES = [
    ((-5.0,), (), 1.0),
    (H1, (), 1.0),
    (H2, (), 2.5),
    ((-10.0, -10.0, -10.0), (), 1.0),
    ((-4.0 + 3j, -4.0 + 3j), (), -1.0),
    ((-3.0, -8.0 + 20j), (-12.0,), 1.5),
    ((-3.0, -8.0 + 20j), (5.0, -30.0), 1.0),
    ((-3.0, -8.0 + 20j), (-2.0 + 9j, -40.0), 0.7),
    ((-1e-2, -2e3), (), 1.0),
]


def roots(values):
    return tuple(complex(v) for v in values)


def build(poles, zeros, gain):
    return state_space(roots(poles), roots(zeros), gain)


def exact(poles, zeros, gain, s):
    value = gain
    for z in roots(zeros):
        value = value * (1 - s / z) * ((1 - s / z.conjugate()) if z.imag else 1.0)
    for p in roots(poles):
        value = value / ((1 - s / p) * ((1 - s / p.conjugate()) if p.imag else 1.0))
    return value


@pytest.mark.parametrize("poles, zeros, gain", CASES)
def test_state_space_has_the_wanted_response(poles, zeros, gain):
    system = build(poles, zeros, gain)
    omega = np.geomspace(1e-3, 1e4, 40)
    wanted = np.array([exact(poles, zeros, gain, 1j * w) for w in omega])
    # relative to the gain at rest: far above the poles the response of a lag is a difference of large numbers
    np.testing.assert_allclose(system.response(omega), wanted, rtol=1e-9, atol=1e-10 * abs(gain))
    assert float(-system.C @ np.linalg.solve(system.A, system.B) + system.D) == pytest.approx(gain, rel=1e-12)
    count = sum(2 if z.imag else 1 for z in roots(zeros))
    assert (system.D != 0.0) == (count == system.order)


def test_state_spaces_compare_by_value():
    assert build(H1, (), 1.0) == build(H1, (), 1.0)
    assert build(H1, (), 1.0) != build(H2, (), 1.0)
    assert len({build(H1, (), 1.0), build(H1, (), 1.0)}) == 1


def test_bandwidth_of_the_long_reach_arm():
    """21.65949 and 24.94061 in the unit of the poles."""
    assert 2 * math.pi * bandwidth(roots(H1), ()) == pytest.approx(21.65949, abs=2e-5)
    assert 2 * math.pi * bandwidth(roots(H2), ()) == pytest.approx(24.94061, abs=2e-5)
    assert bandwidth((-5 + 0j,), ()) == pytest.approx(5 / (2 * math.pi), rel=1e-12)
    assert bandwidth((-5 + 0j,), (-2 + 0j,)) == math.inf


def test_stated_bandwidth_is_questioned():
    item = {"type": "transfer", "poles": [-30.37, "-9.0+16.5j"], "bandwidth": 17.8}
    assert "3.45 Hz, but 17.8 Hz is stated; with pole_unit: Hz it would be 21.7 Hz" in actuator_of(**item).doubt()
    assert "bandwidth of 21.7 Hz" in actuator_of(**item, pole_unit="Hz").doubt()
    assert actuator_of(**{**item, "bandwidth": 19.0}, pole_unit="Hz").doubt() is None
    assert actuator_of().doubt() is None


def test_hertz_scale_the_poles():
    slow = actuator_of(type="transfer", poles=[-2.0]).system()
    fast = actuator_of(type="transfer", poles=[-2.0], pole_unit="Hz").system()
    assert fast.A[0, 0] == pytest.approx(2 * math.pi * slow.A[0, 0])


def step(at=0.0, size=1.0):
    item = {"profile": "table", "points": [[at, size], [at + 50.0, size]], "interpolate": "linear"}
    return motion_signal(MOTION.validate_python(item), 0.0)


@pytest.mark.parametrize("poles, zeros, gain", CASES)
def test_step_response_against_partial_fractions(poles, zeros, gain):
    """Closed form for distinct poles, the matrix exponential otherwise."""
    from scipy.linalg import expm

    system = build(poles, zeros, gain)
    signal = FilteredSignal(step(0.25), system)
    t = np.linspace(0.25, 3.0, 23)
    got = signal.evaluate(t, 1.0)
    every = [q for p in roots(poles) for q in ((p, p.conjugate()) if p.imag else (p,))]
    if len(set(every)) == len(every):
        y = np.full(len(t), gain, dtype=complex)
        for k, p in enumerate(every):
            top = gain
            for z in roots(zeros):
                top = top * (1 - p / z) * ((1 - p / z.conjugate()) if z.imag else 1.0)
            for j, q in enumerate(every):
                top = top / (1 - p / q) if j != k else top
            y = y - top * np.exp(p * (t - 0.25))
        wanted = y.real
    else:
        x = [np.linalg.solve(system.A, (expm(system.A * (s - 0.25)) - np.eye(system.order)) @ system.B) for s in t]
        wanted = np.array([system.C @ v for v in x]) + system.D
    np.testing.assert_allclose(got[0], wanted, atol=1e-9 * max(1.0, np.abs(wanted).max()))
    assert np.all(signal.evaluate(np.linspace(0.0, 0.25, 5), 0.1) == 0.0)


@pytest.mark.parametrize("poles, zeros, gain", CASES)
def test_sine_response_against_the_phasor(poles, zeros, gain):
    """After the transient, and with it removed by the matrix exponential before."""
    from scipy.linalg import expm

    w, A = 2 * math.pi * 1.3, 0.4
    item = {"profile": "sine", "amplitude": A, "frequency": 1.3}
    system = build(poles, zeros, gain)
    signal = FilteredSignal(motion_signal(MOTION.validate_python(item), 0.7), system)
    t = np.linspace(0.0, 4.0, 41)
    x = np.linalg.solve(1j * w * np.eye(system.order) - system.A, system.B * A)
    state = np.array([(x * np.exp(1j * w * s)).imag - expm(system.A * s) @ x.imag for s in t])
    rate = state @ system.A.T + np.outer(A * np.sin(w * t), system.B)
    second = rate @ system.A.T + np.outer(A * w * np.cos(w * t), system.B)
    u = np.array([A * np.sin(w * t), A * w * np.cos(w * t), -A * w * w * np.sin(w * t)])
    wanted = np.array([s @ system.C for s in (state, rate, second)]) + system.D * u
    wanted[0] += 0.7
    got = signal.evaluate(t, 1.0)
    for k in range(3):
        np.testing.assert_allclose(got[k], wanted[k], atol=1e-9 * max(1.0, np.abs(wanted[k]).max()))


def test_against_lsim():
    from scipy.signal import lsim

    items = [
        {"profile": "trapezoid-velocity", "by": 1.0, "duration": 0.8, "rise": 0.2, "start": 0.1},
        {"profile": "constant", "speed": 0.5, "duration": 0.4},
    ]
    source = motion_signal(MOTION.validate_python(items), 0.3)
    system = build(H1, (), 1.0)
    t = np.linspace(0.0, 2.0, 200001)
    edges = [0.0, *source.breaks(2.0), 2.0]
    u = np.zeros(len(t))
    for a, b in pairwise(edges):
        inside = (t >= a) & (t <= b)
        u[inside] = source.evaluate(t[inside], 0.5 * (a + b))[0] - 0.3
    _, y, _ = lsim((system.A, system.B[:, None], system.C[None, :], system.D), u, t)
    got = FilteredSignal(source, system).evaluate(t[::1000], 1.0)[0] - 0.3
    # lsim joins the samples of the command by straight lines: its own error is h^2/8 of the acceleration
    np.testing.assert_allclose(got, y[::1000], atol=1e-9)


@settings(max_examples=25, deadline=None)
@given(
    real=st.floats(0.05, 300.0),
    damping=st.floats(0.05, 0.99),
    rate=st.floats(0.1, 300.0),
    duration=st.floats(0.01, 3.0),
)
def test_derivatives_and_end_value(real, damping, rate, duration):
    pole = rate * complex(-damping, math.sqrt(1 - damping**2))
    item = {"profile": "versine", "by": 1.0, "duration": duration, "start": 0.2}
    signal = FilteredSignal(motion_signal(MOTION.validate_python(item), 0.5), build((-real, pole), (), 1.0))
    assert signal.breaks(99.0) == []
    t = np.linspace(0.0, 0.2 + 2 * duration, 4001)
    h = t[1] - t[0]
    f = signal.evaluate(t, 0.1)
    for order in (0, 1):
        area = h / 3 * (f[order + 1, :-2:2] + 4 * f[order + 1, 1::2] + f[order + 1, 2::2])
        off = np.abs(f[order, 2::2] - f[order, :-2:2] - area)
        assert off.max() < 1e-5 * (np.abs(f[order + 1]).max() * t[-1] + 1e-9)
    slowest = min(real, rate * damping)
    late = 0.2 + duration + 40.0 / slowest
    if late * max(real, rate) < 1e5:
        assert signal.evaluate(np.array([late]), late)[:, 0] == pytest.approx([1.5, 0.0, 0.0], abs=1e-9)


def test_repeated_and_slow_poles_with_short_pieces_do_not_cancel():
    """A slow lag of a quick move, where polynomial particular solutions would lose all digits."""
    from scipy.integrate import solve_ivp

    item = {"profile": "quintic", "by": 1.0, "duration": 0.01}
    source = motion_signal(MOTION.validate_python(item), 0.0)
    system = build((-0.1, -0.1), (), 1.0)
    got = FilteredSignal(source, system).evaluate(np.array([0.01]), 0.005)[0, 0]

    def rate(t, x):
        return system.A @ x + system.B * source.evaluate(np.array([t]), 0.005)[0, 0]

    x = solve_ivp(rate, (0.0, 0.01), np.zeros(2), rtol=1e-12, atol=1e-18).y[:, -1]
    assert got == pytest.approx(float(system.C @ x), rel=1e-8)


def test_jumps_come_through_by_the_order_of_the_lag():
    stop = {"profile": "constant", "speed": 1.0, "duration": 1.0}
    source = motion_signal(MOTION.validate_python(stop), 0.0)
    first = FilteredSignal(source, build((-7.0,), (), 1.0))
    times, sizes = first.jumps()
    assert times.tolist() == [0.0, 1.0]
    np.testing.assert_allclose(sizes, [[0, 0], [0, 0], [7.0, -7.0]], atol=1e-12)
    left, right = (first.evaluate(np.array([1.0]), inside)[:, 0] for inside in (0.5, 1.5))
    np.testing.assert_allclose(right - left, [0.0, 0.0, -7.0], atol=1e-12)
    assert FilteredSignal(source, build((-7.0, -8.0), (), 1.0)).breaks(9.0) == []
    direct = FilteredSignal(source, build((-7.0,), (-3.0,), 1.0))
    left, right = (direct.evaluate(np.array([1.0]), inside)[:, 0] for inside in (0.5, 1.5))
    np.testing.assert_allclose(right - left, direct.jumps()[1][:, 1], atol=1e-12)
    assert direct.jumps()[1][1, 1] == pytest.approx(-7.0 / 3.0)


def test_values_do_not_depend_on_chunks_or_order():
    items = [
        {"profile": "sine", "amplitude": 0.3, "frequency": 1.7, "duration": 1.0},
        {"profile": "table", "points": [[0.1, 0.0], [0.15, 0.3], [0.4, 0.2]], "interpolate": "linear"},
    ]
    source = motion_signal(MOTION.validate_python(items), 0.0)
    system = build((-1400.0, -50 + 300j), (), 1.0)
    t = np.linspace(1.4, 9.0, 1501)
    whole = FilteredSignal(source, system).evaluate(t, 2.0)
    for n in (1, 13, 500):
        other = FilteredSignal(source, system)
        parts = [other.evaluate(t[i : i + n], 2.0) for i in range(0, len(t), n)]
        assert np.array_equal(np.hstack(parts), whole)
    backwards = FilteredSignal(source, system)
    backwards.evaluate(t[-1:], 2.0)
    assert np.array_equal(backwards.evaluate(t, 2.0), whole)
    assert whole[:, :0].shape == backwards.evaluate(t[:0], 2.0).shape


def test_filtered_torque_breaks_only_where_it_jumps():
    pulse = torque_signal(TORQUE.validate_python({"profile": "constant", "amplitude": 2.0, "duration": 1.0}))
    assert FilteredSignal(pulse, build((-9.0,), (), 1.0)).breaks(9.0) == []
    assert FilteredSignal(pulse, build((-9.0,), (-3.0,), 1.0)).breaks(9.0) == [1.0]


def test_gain_does_not_move_the_start():
    source = motion_signal(MOTION.validate_python({"profile": "cycloid", "by": 1.0, "duration": 1.0}), 0.5)
    signal = FilteredSignal(source, build((-30.0,), (), 2.0))
    assert signal.evaluate(np.array([0.0]), 0.1)[0, 0] == 0.5
    assert signal.evaluate(np.array([5.0]), 5.0)[0, 0] == pytest.approx(2.5)


@pytest.mark.parametrize(
    "text, wanted",
    [
        ("-9.0+16.5j", -9 + 16.5j),
        (" -9.0 - 16.5 j ", -9 - 16.5j),
        ("-1e2+.5i", -100 + 0.5j),
        ("(-9+16.5j)", -9 + 16.5j),
        ("-30.37", -30.37),
        (-3, -3.0),
    ],
)
def test_poles_as_text(text, wanted):
    assert actuator_of(type="transfer", poles=[text]).poles == (wanted,)


@pytest.mark.parametrize("text", ["-9**9", "__import__('os')", "-9+16.5", "j", "-9+j16", "", True, None, "nan", [1]])
def test_what_is_no_pole(text):
    with pytest.raises(ValidationError, match="is not a pole or zero"):
        actuator_of(type="transfer", poles=[text])


@pytest.mark.parametrize(
    "item, words",
    [
        ({"type": "transfer"}, "a transfer actuator needs poles"),
        ({"type": "transfer", "poles": []}, "needs its poles"),
        (
            {"type": "tranfer"},
            r"no actuator of type 'tranfer' \(did you mean 'transfer'\?\); it can be ideal, transfer",
        ),
        ({"type": 3}, "it can be ideal, transfer"),
        ({"bandwidth": 3.0}, "an ideal actuator has no bandwidth; say type: transfer"),
        (
            {"type": "hydraulic", "oil": {"supply": 1e7}},
            "needs cylinder and valve: with valve or oil it feels its load",
        ),
        ({"type": "transfer", "poles": [3.0]}, "the pole 3 is not stable"),
        ({"type": "transfer", "poles": ["1+2j"]}, r"the pole 1\+2j is not stable"),
        ({"type": "transfer", "poles": [0.0]}, "not stable"),
        ({"type": "transfer", "poles": ["-1+2j", "-1-2j"]}, "conjugate, which is implied"),
        ({"type": "transfer", "poles": [-1.0], "zeros": [0.0]}, "a zero at 0"),
        ({"type": "transfer", "poles": [-1.0], "zeros": ["-1+2j"]}, "2 zeros need as many poles"),
        ({"type": "transfer", "poles": [-1.0], "gain": 0.0}, "cannot be zero"),
        ({"type": "transfer", "poles": [float("inf")]}, "must be finite"),
        ({"poles": [-1.0]}, "an ideal actuator has no poles"),
        ({"type": "hydraulic"}, "needs loop_gain, natural_frequency and damping"),
        ({"type": "transfer", "poles": [-1.0], "cylinder": {"base": [0, 0]}}, "pinned at 'base' and 'lug'"),
        ({"type": "transfer", "poles": [-1.0], "pole_unit": "rpm"}, "rad/s"),
    ],
)
def test_refused_actuators(item, words):
    with pytest.raises(ValidationError, match=words):
        actuator_of(**item)
