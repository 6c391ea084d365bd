"""Bode plots and margins of actuators through python-control, beside closed forms and printed figures."""

from __future__ import annotations

import math

import numpy as np
import pytest

import flexarm as fa
import jack_reference as jack
from actuator_of import actuator_of
from flexarm.analysis.bode import transfer_bode
from flexarm.errors import ScenarioError


def test_actuators_of_ralf():
    lower, bellcrank = fa.bode(fa.load("ralf"))
    for found, band, gain, phase, speed in (
        (lower, 21.65949, 12.16, 54.59589, 11.9214),
        (bellcrank, 24.94061, 14.83, 65.18911, 13.7091),
    ):
        assert 2.0 * math.pi * found.bandwidth == pytest.approx(band, abs=1e-5)
        assert found.gain_margin == pytest.approx(gain, abs=0.01)
        assert found.phase_margin == pytest.approx(phase, abs=1e-5)
        assert found.velocity_gain == pytest.approx(speed, abs=1e-4)
    in_hertz = fa.bode(fa.load("ralf").with_({"drive.lower.actuator.pole_unit": "Hz"}), "lower")[0]
    assert in_hertz.bandwidth == pytest.approx(21.65949, abs=1e-5)
    assert in_hertz.phase_margin == pytest.approx(lower.phase_margin, abs=1e-9)


def test_third_order_hydraulics_have_the_margins_of_their_loop():
    # L = K w^2 / (s (s^2 + 2 d w s + w^2)): gain margin 2 d w / K, velocity gain K
    arm = fa.load("ralf-lower-only").with_(
        {"drive.lower.actuator": {"type": "hydraulic", "loop_gain": 12.0, "natural_frequency": "6 Hz", "damping": 0.4}}
    )
    found = fa.bode(arm, "lower")[0]
    w = 2.0 * math.pi * 6.0
    assert found.velocity_gain == pytest.approx(12.0, rel=1e-9)
    assert found.gain_margin == pytest.approx(20.0 * math.log10(2.0 * 0.4 * w / 12.0), abs=1e-6)
    s = 2j * math.pi * found.hz
    assert np.allclose(found.response, 12.0 * w**2 / (s**3 + 0.8 * w * s**2 + w**2 * s + 12.0 * w**2), rtol=1e-9)
    with pytest.raises(ValueError, match=r"the position loop is unstable: loop_gain 40 1/s must be below 30.16 1/s"):
        actuator_of(type="hydraulic", loop_gain=40.0, natural_frequency=6.0, damping=0.4)


def test_response_is_that_of_the_state_space():
    actuator = actuator_of(type="transfer", poles=[-30.0, "-9+16j"], zeros=["-50+5j"], gain=0.8)
    hz = np.geomspace(0.1, 50.0, 30)
    found = transfer_bode("a", *actuator.roots(), actuator.gain, hz)
    space = actuator.system()
    assert np.allclose(found.response, space.response(2.0 * np.pi * hz), rtol=1e-10)
    assert math.isnan(found.velocity_gain)
    assert found.decibels[0] == pytest.approx(20.0 * math.log10(0.8), abs=0.02)
    assert np.abs(np.diff(found.degrees)).max() < 40.0 and found.degrees[-1] == pytest.approx(-95.0, abs=15.0)


def linearised() -> tuple[np.ndarray, np.ndarray]:
    """A (6, 6) and b (6,) of the plain equations of a boom on a cylinder with oil, about its rest, by differences."""
    rates, rest = jack.equations()
    size = np.array([1.0, 1.0, 1e6, 1e6, 1.0, 1.0])
    steps = 1e-6 * size
    A = [
        (rates(rest + d, jack.START) - rates(rest - d, jack.START)) / (2 * h)
        for d, h in zip(np.diag(steps), steps, strict=True)
    ]
    return np.array(A).T, (rates(rest, jack.START + 1e-6) - rates(rest, jack.START - 1e-6)) / 2e-6


@pytest.mark.parametrize("method", ["modes", "segments"])
def test_a_cylinder_with_oil_answers_as_the_plain_equations_do(method):
    found = fa.bode(fa.loads(jack.SCENARIO).with_({"method": {"name": method, "resolution": 2}}))[0]
    A, b = linearised()
    s = 2j * np.pi * found.hz
    H = np.array([np.linalg.solve(each * np.eye(6) - A, b)[0] for each in s])
    seen = np.abs(H) > 1e-6
    assert np.abs(found.response[seen] / H[seen] - 1.0).max() < 2e-3
    L = H / (1.0 - H)
    cross = np.flatnonzero(np.abs(L) < 1.0)[0]
    assert found.phase_margin == pytest.approx(180.0 + np.degrees(np.angle(L[cross])), abs=3.0)
    assert math.isnan(found.velocity_gain)  # oil that leaks holds a load with an error
    poles = np.linalg.eigvals(A)
    slowest = sorted(poles[poles.imag >= 0.0], key=abs)
    assert np.array(found.poles[:2]) == pytest.approx(np.array(slowest[:2]), rel=2e-3)
    assert 0.5 < found.bandwidth < 10.0 and found.gain_margin > 0.0


def test_velocity_gain_of_a_cylinder_that_does_not_leak():
    tight = {
        "arm.gravity": [0, 0, 0],
        "drive.boom.actuator.oil.leakage": 0.0,
        "drive.boom.actuator.cylinder.rod_area": None,
    }
    found = fa.bode(fa.loads(jack.SCENARIO).with_(tight))[0]
    assert found.velocity_gain == pytest.approx(jack.GAIN, rel=5e-3)


def test_every_cylinder_of_an_arm_and_one_of_them():
    both = fa.bode(fa.load("ralf-hydraulic"))
    assert [each.joint for each in both] == ["lower", "bellcrank"]
    one = fa.bode(fa.load("ralf-hydraulic"), "bellcrank", both[1].hz)[0]
    assert np.array_equal(one.response, both[1].response)
    assert abs(one.response[0]) == pytest.approx(1.0, abs=2e-3)


def test_what_has_no_transfer_function():
    controlled = fa.load("tokhi-azad")
    with pytest.raises(ScenarioError, match="this arm has no actuator with a transfer function"):
        fa.bode(controlled)
    with pytest.raises(ScenarioError, match="there is no joint 'boom'"):
        fa.bode(fa.load("ralf"), "boom")
