"""Settling time, overshoot and residual vibration beside closed forms."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm as fa
from flexarm.methods.base import Outcome
from flexarm.result import Result
from flexarm.summary import settling

END, RATIO, OMEGA = 20.0, 0.05, 8.0


def moved(way, axes=(0.6, 0.8, 0.0), begin=0.0, rest=0.0, outcome=Outcome.SUCCESS) -> Result:
    """A result whose tip goes a way (n,) along a line, recorded until END."""
    xarray = pytest.importorskip("xarray")
    time = np.linspace(0.0, END, len(way))
    data = xarray.Dataset({"tip_position": (("time", "axis"), np.outer(way, axes) + 2.0)}, {"time": time})
    data.attrs |= {"drives_begin": begin, "drives_rest_from": rest}
    return Result(data, fa.load("tokhi-azad"), outcome, "", [])


def step(time):
    """Unit step response of a damped oscillator."""
    root = np.sqrt(1.0 - RATIO**2)
    swing = np.cos(OMEGA * root * time) + RATIO / root * np.sin(OMEGA * root * time)
    return 1.0 - np.exp(-RATIO * OMEGA * time) * swing


TIME = np.linspace(0.0, END, 20_001)


def test_step_of_an_oscillator():
    """Overshoot exp(-pi z/sqrt(1-z^2)); the last time at which the response is 2 % off, by bisection of its last outer swing."""
    found = settling(moved(step(TIME)))
    assert found["overshoot"] == pytest.approx(np.exp(-np.pi * RATIO / np.sqrt(1.0 - RATIO**2)), rel=1e-3)
    half = np.pi / (OMEGA * np.sqrt(1.0 - RATIO**2))
    extremes = half * np.arange(60)
    last = extremes[np.abs(step(extremes) - 1.0) > 0.02][-1]
    low, high = last, last + 0.5 * half
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if abs(step(middle) - 1.0) > 0.02 else (low, middle)
    assert found["settling_time"] == pytest.approx(low, abs=2e-3)
    assert found["residual_vibration"] == pytest.approx(1.0, rel=1e-3)
    assert settling(moved(step(TIME), begin=0.5))["settling_time"] == pytest.approx(low - 0.5, abs=2e-3)
    late = settling(moved(step(TIME), rest=4.0))
    assert late["residual_vibration"] == pytest.approx(np.abs(step(TIME[TIME >= 4.0]) - 1.0).max(), rel=1e-2)


def test_where_they_have_no_meaning():
    ringing = 1.0 + 0.1 * np.cos(5.0 * TIME)
    ringing[0] = 0.0
    found = settling(moved(ringing))
    assert found["settling_time"] is None and found["overshoot"] == pytest.approx(0.1, rel=0.02)
    blow = np.exp(-TIME) * np.sin(3.0 * TIME)  # pushed, and back where it began
    found = settling(moved(blow))
    peak = np.abs(blow).max()
    assert found["overshoot"] is None
    assert (
        np.abs(blow[found["settling_time"] < TIME]).max()
        <= 0.02 * peak + 1e-4
        < 1.02 * np.abs(blow[found["settling_time"] - 0.01 < TIME]).max() + 1e-4
    )
    nothing = {"settling_time": None, "overshoot": None, "residual_vibration": None}
    assert settling(moved(step(TIME), rest=END)) == nothing
    assert settling(moved(step(TIME), outcome=Outcome.UNSTABLE)) == nothing
    assert settling(moved(np.zeros(100))) == {**nothing, "residual_vibration": 0.0}


def test_drives_begin_where_they_are_told():
    """A motion that begins later settles after the same time."""
    found = []
    for start in (0.0, 0.3):
        motion = {"profile": "quintic", "by": "0.2 rad", "duration": "0.9 s", "start": start}
        plan = fa.load("tapered-link", {"drive.link.motion": motion, "time.end": 2.0 + start, "output.every": "1 ms"})
        result = fa.simulate(plan)
        assert result.data.attrs["drives_begin"] == pytest.approx(start, abs=2e-3)
        assert result.data.attrs["drives_rest_from"] == pytest.approx(start + 0.9, abs=2e-3)
        found.append(result.summary()["settling_time"])
    assert 0.5 < found[0] < 1.2 and found[1] == pytest.approx(found[0], rel=2e-3)
