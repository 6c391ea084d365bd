"""Swept sines on simulated arms and third-order models fitted to them."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import flexarm as fa
from flexarm.analysis.swept_sine import fit_third_order
from flexarm.errors import FlexarmError, ScenarioError

POLES = (-30.37, -9.0 + 16.5j)


def third_order(hz, poles, gain):
    s = 2j * np.pi * hz
    return gain / ((1 - s / poles[0]) * (1 - s / poles[1]) * (1 - s / np.conj(poles[1])))


def test_a_fit_finds_poles_again():
    hz = np.geomspace(0.3, 12.0, 12)
    poles, gain, misfit = fit_third_order(hz, third_order(hz, POLES, -0.7))
    assert poles[0] == pytest.approx(POLES[0], rel=1e-6)
    assert poles[1] == pytest.approx(POLES[1], rel=1e-6)
    assert gain == pytest.approx(-0.7, rel=1e-8) and misfit < 1e-8


def test_a_fit_sees_through_noise():
    rng = np.random.default_rng(3)
    hz = np.geomspace(0.3, 12.0, 60)
    noise = 0.01 * (rng.standard_normal(60) + 1j * rng.standard_normal(60))
    poles, gain, misfit = fit_third_order(hz, third_order(hz, POLES, 1.0) + noise)
    assert abs(poles[1] - POLES[1]) < 1.0 and gain == pytest.approx(1.0, abs=0.02)
    assert 0.005 < misfit < 0.03


@pytest.fixture(scope="module")
def stiff() -> fa.Scenario:
    """RALF with few shapes and coarse steps: the joint follows its actuator, whatever the arm does."""
    return fa.load("ralf-lower-only").with_({"method.resolution": 1, "time.step": "10 ms"})


def test_the_sweep_measures_the_actuator(stiff):
    found = fa.swept_sine(stiff, "lower", low=0.4, high=4.0, points=6)
    assert np.allclose(found.response, third_order(found.hz, POLES, 1.0), atol=2e-4)
    assert found.poles[0] == pytest.approx(POLES[0], rel=5e-3)
    assert found.poles[1] == pytest.approx(POLES[1], rel=5e-3)
    assert found.distortion.max() < 1e-3


def test_cylinder_and_other_outputs(stiff):
    jack = stiff.with_({"drive.lower.actuator.cylinder": {"base": ["0.6 m", "-0.2 m"], "lug": ["0.4 m", "-0.1 m"]}})
    found = fa.swept_sine(jack, low=0.4, high=3.0, points=4, output="cylinder")
    assert found.joint == "lower"
    assert np.allclose(found.response, third_order(found.hz, POLES, 1.0), atol=2e-4)
    tip = fa.swept_sine(stiff, "lower", low=0.05, high=0.4, points=4, periods=4, settle=0.0, output="tip_x")
    lower = fa.load("ralf").arm.link("lower").length
    height = lower * np.sin(np.radians(60.0))  # the upper link keeps its direction while the bellcrank is held
    assert abs(tip.response[0]) == pytest.approx(height, rel=0.02)
    with pytest.raises(
        FlexarmError, match="there is no output 'elbow'; a swept sine can read joint, tip_x, tip_y, lower"
    ):
        fa.swept_sine(stiff, "lower", low=0.4, high=3.0, points=4, periods=4, settle=0.0, output="elbow")


def test_a_cylinder_with_oil_answers_at_its_loop_gain():
    slow = fa.load("ralf-hydraulic").with_({"method.resolution": 2, "time.step": "4 ms"})
    found = fa.swept_sine(slow, "lower", low=0.3, high=1.5, points=4, periods=4, settle=0.5)
    lag = 1.0 / (1.0 + 2j * np.pi * found.hz / 8.0)
    assert np.allclose(found.response, lag, atol=0.1)
    quick = slow.with_({"drive.lower.actuator.loop_gain": "4 1/s"})
    slower = fa.swept_sine(quick, "lower", low=0.3, high=1.5, points=4, periods=4, settle=0.5)
    assert abs(slower.response[-1]) < 0.7 * abs(found.response[-1])


@pytest.mark.parametrize("changes", [{"low": 3.0, "high": 2.0}, {"points": 3}, {"periods": 2}, {"amplitude": 0.0}])
def test_refused_sweeps(stiff, changes):
    with pytest.raises(FlexarmError, match="a swept sine needs 0 < low < high"):
        fa.swept_sine(stiff, "lower", **{"low": 0.4, "high": 4.0, **changes})


def test_a_sweep_needs_a_motion(stiff):
    with pytest.raises(ScenarioError, match="a joint that follows a motion: lower, bellcrank"):
        fa.swept_sine(stiff, "upper")


def test_without_python_control_a_sentence_says_how_to_get_it(stiff, monkeypatch):
    monkeypatch.setitem(sys.modules, "control", None)
    with pytest.raises(FlexarmError, match=r"pip install 'flexarm\[control\]'"):
        fa.bode(stiff)
