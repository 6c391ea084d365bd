"""Torques from rest to rest: least time against reference and a linear programme, least effort, and runs of the arm."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import linprog

import flexarm as fa
from flexarm.analysis.exact_link import ExactLink

REFERENCE = json.loads((Path(__file__).parent / "control.json").read_text(encoding="utf-8"))["rest_to_rest"]
MASSES = {"0g": 0.0, "20g": 0.02}


def exact(case):
    link = ExactLink(0.96, 3.6917964, 0.16678424, hub_inertia=5.86e-4).with_payload(MASSES[case])
    return link.frequencies(4), link.total_inertia


@pytest.mark.parametrize("case", MASSES)
def test_least_time(case):
    hz, inertia = exact(case)
    assert fa.rest_to_rest([], inertia=inertia, by=0.3, limit=0.1).duration == pytest.approx(
        REFERENCE[case]["rigid_T"], abs=1e-6
    )
    for n in (1, 2, 3):
        made = fa.rest_to_rest(hz[:n], inertia=inertia, by=-0.3, limit=0.1)
        assert made.times == pytest.approx(REFERENCE[case][f"modes{n}"]["switch_times_s"], abs=1e-6)
        assert made.values == pytest.approx([*(-0.1 * (-1.0) ** np.arange(2 * n + 2)), 0.0], abs=1e-15)


@pytest.mark.parametrize("case", MASSES)
def test_least_effort(case):
    hz, inertia = exact(case)
    for n in (0, 1, 2, 4):
        found = REFERENCE[case][f"min_energy_T0.6_modes{n}"]
        made = fa.rest_to_rest(hz[:n], inertia=inertia, by=0.3, time=0.6)
        assert made.torque([0.0, 0.1, 0.2]) == pytest.approx(found["tau_at_0_0.1_0.2"], rel=2e-6)
        assert made.effort == pytest.approx(found["int_tau2"], rel=1e-6)
        assert made.peak == pytest.approx(found["peak"], rel=2e-6)


@pytest.mark.parametrize("damping", [0.15, *(pytest.param(z, marks=pytest.mark.document) for z in (0.0, 0.02))])
def test_least_time_of_damped_modes(damping):
    """It fulfils the conditions, and a linear programme of another form cannot do it in less time."""
    hz, inertia, omega = np.array([2.0, 5.7]), 0.3, 2.0 * np.pi * np.array([2.0, 5.7])
    made = fa.rest_to_rest(hz, inertia=inertia, by=0.5, limit=1.0, damping=damping)
    poles = -damping * omega + 1j * omega * np.sqrt(1.0 - damping**2)

    def rows(T, edges):
        """What a unit torque in each cell leaves at T: rate and angle of the stiff arm, real and imaginary part of the modes."""
        a, b = edges[:-1], edges[1:]
        modal = [(np.exp(p * (T - a)) - np.exp(p * (T - b))) / p for p in poles]
        return np.array([b - a, 0.5 * (b - a) * (2.0 * T - a - b), *(m.real for m in modal), *(m.imag for m in modal)])

    left = rows(made.duration, made.times) @ made.values[:-1]
    left[1] -= inertia * 0.5
    assert np.abs(left).max() < 1e-9
    for factor, possible in ((1.0 - 2e-4, False), (1.0 + 2e-4, True)):
        T = factor * made.duration
        cells = rows(T, np.linspace(0.0, T, 2001))
        found = linprog(np.zeros(2000), A_eq=cells, b_eq=[0.0, inertia * 0.5, 0.0, 0.0, 0.0, 0.0], bounds=(-1.0, 1.0))
        assert (found.status == 0) == possible


def test_least_effort_of_damped_modes():
    """Whatever is added that changes nothing in the end costs more."""
    made = fa.rest_to_rest([2.0], inertia=0.3, by=0.5, time=1.3, damping=0.2)
    pole = 2.0 * np.pi * 2.0 * (-0.2 + 1j * np.sqrt(0.96))
    assert quad(made.torque, 0, 1.3, limit=400)[0] == pytest.approx(0.0, abs=1e-9)
    assert quad(lambda t: t * made.torque(t), 0, 1.3, limit=400)[0] == pytest.approx(-0.15, abs=1e-9)
    for part in (np.real, np.imag):
        assert quad(lambda t, f=part: f(np.exp(-pole * t)) * made.torque(t), 0, 1.3, limit=400)[0] == pytest.approx(
            0.0, abs=1e-8
        )
    t = np.linspace(0.0, 1.3, 4001)
    conditions = np.array([np.ones_like(t), t, np.exp(-pole * t).real, np.exp(-pole * t).imag])
    extra = np.random.default_rng(3).normal(size=4001)
    extra -= conditions.T @ np.linalg.lstsq(conditions.T, extra, rcond=None)[0]
    assert abs(np.sum(extra[1:-1] * made.torque(t)[1:-1])) < 1e-2 * np.linalg.norm(extra) * np.linalg.norm(
        made.torque(t)
    )


@pytest.mark.parametrize("method", ["fd", pytest.param("ancf", marks=pytest.mark.document)])
def test_the_arm_is_at_rest_afterwards(method):
    resolution = {"fd": 60, "ancf": 8}[method]
    base = fa.load("tokhi-azad").with_(
        {"method": {"name": method, "resolution": resolution}, "output": {"every": "1 ms"}}
    )
    for options, close in (({"limit": 0.1}, 1.6e-3), ({"time": 0.6}, 3e-3)):
        made = fa.rest_to_rest(base, by=0.3, modes=1, **options)
        data = fa.simulate(base.with_({"drive.link.torque": made.profile})).data
        after = data.travel.values[data.time.values > made.duration + 1e-9]
        mode = np.fft.rfft(np.hanning(len(after)) * (after - after.mean()))
        hz = np.fft.rfftfreq(len(after), 1e-3)
        assert after.mean() == pytest.approx(0.3 * 0.96, abs=2e-4)
        assert np.ptp(after) < close  # of mode 2 and above
        low = (hz > 9.0) & (hz < 15.0)
        assert np.abs(mode[low]).max() < 0.05 * np.abs(mode[(hz > 25.0) & (hz < 40.0)]).max()


WRONG = {
    "give limit, or give time": {},
    "that of a given duration: give time": {"energy": True, "limit": 0.1},
    "by is the angle": {"by": 0.0, "limit": 1.0},
    "limit must be positive": {"limit": -1.0},
    "more than the limit of 0.01: give more time": {"time": 0.6, "limit": 0.01},
    "modes is how many": {"limit": 1.0, "modes": [0]},
    "follow from its arm": {"limit": 1.0, "inertia": 1.0},
}


@pytest.mark.parametrize("words", WRONG)
def test_wrong_wishes(words):
    with pytest.raises(fa.FlexarmError, match=words):
        fa.rest_to_rest("tokhi-azad", **{"by": 0.3, **WRONG[words]})


def test_wrong_arms():
    with pytest.raises(fa.FlexarmError, match="give inertia"):
        fa.rest_to_rest([2.0], by=0.3, limit=1.0)
    with pytest.raises(fa.FlexarmError, match="each has a damping ratio"):
        fa.rest_to_rest([2.0, 3.0], inertia=1.0, by=0.3, limit=1.0, damping=[0.1, 0.1, 0.1])
    with pytest.raises(fa.FlexarmError, match="driven by torque, without a law; here none is"):
        fa.rest_to_rest("pd-hub", by=0.3, limit=1.0)
    with pytest.raises(fa.FlexarmError, match="gravity turns the joint"):
        fa.rest_to_rest(fa.load("tokhi-azad").with_({"arm.gravity": [0, -9.81, 0]}), by=0.3, limit=1.0)
