"""What must be kept: angular momentum, the mean angle after the torque, energy over long runs."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm as fa
from single_link import CASES, HUB, LENGTH, RHO_A, SCHEMES, balance, make, model_of

INERTIA = RHO_A * LENGTH**3 / 3


@pytest.mark.parametrize("case", CASES)
def test_inertia_of_the_grid(case):
    """Lumped masses turn with I_b (1 + 1/(2 n^2)) and the rest as it is."""
    hub, mass = CASES[case]
    grid = model_of(make(joint={"hub_inertia": hub}, payload={"mass": mass})).grid
    expected = INERTIA * (1 + 1 / (2 * 19**2)) + hub + mass * LENGTH**2
    assert grid.total_inertia == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("case", CASES)
def test_angular_momentum_is_the_integral_of_the_torque(case, scheme):
    hub, mass = CASES[case]
    payload = {"mass": mass, "inertia": 1e-6, "offset": 0.01} if mass else {}
    torque = {"joint": "link", "torque": {"profile": "trapezoid", "amplitude": 0.1, "duration": 0.5, "rise": 0.1}}
    one = make(joint={"hub_inertia": hub}, payload=payload, drive=torque, scheme=scheme, end=0.8, every=0.01)
    run = fa.simulate(one)
    t = run.data["time"].values
    up, flat, down = np.clip(t, 0, 0.1), np.clip(t - 0.1, 0, 0.3), np.clip(t - 0.4, 0, 0.1)
    impulse = 0.1 * (up**2 / 0.2 + flat + down - down**2 / 0.2)
    momentum = run.data["angular_momentum"].values
    assert np.abs(momentum - impulse).max() < 1e-9 * impulse[-1]


def mean_angle(run, model) -> np.ndarray:
    """Mass-weighted mean angle from the recorded shape at the nodes."""
    grid = model.grid
    y = run.data["deflection"].values[:, 0, :] + grid.x * run.data["joint_position"].values
    moment = y @ (grid.mass * grid.x) + grid.payload_mass * LENGTH * y[:, -1]
    return (moment + grid.hub_inertia * run.data["joint_position"].values[:, 0]) / grid.total_inertia


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("case", ["hub", "hub20g"])
def test_mean_angle_stands_still_for_a_hundred_seconds(case, scheme):
    hub, mass = CASES[case]
    step = 2.4e-4 if scheme == "leapfrog" else 1e-3
    one = make(joint={"hub_inertia": hub}, payload={"mass": mass}, scheme=scheme, end=100.0, step=step, every=0.3,
               output={"stations": 20})  # fmt: skip
    run = fa.simulate(one)
    model = model_of(one)
    angle = mean_angle(run, model)[2:]
    assert angle[0] == pytest.approx(0.1 * 0.09 / model.grid.total_inertia, rel=1e-9)
    assert np.abs(angle - angle[0]).max() < 1e-9 * angle[0]
    energy = run.data["energy"]
    stored = energy.sel(kind=["kinetic", "elastic", "numerical"]).sum("kind").values[3:]
    halves = np.abs(stored - stored[0]).max() / stored[0]
    assert halves < 1e-10
    assert balance(run) < 1e-11


@pytest.mark.parametrize("scheme", ["leapfrog", "newmark"])
def test_energy_of_the_state_swings_but_does_not_grow(scheme):
    """Kinetic plus elastic energy of leapfrog swings by its known error; it has no trend, even close to the limit."""
    one = make(scheme=scheme, end=100.0, step=2.7e-4, every=0.01)
    energy = fa.simulate(one).data["energy"]
    stored = energy.sel(kind=["kinetic", "elastic"]).sum("kind").values[61:]
    early, late = stored[: len(stored) // 2], stored[len(stored) // 2 :]
    swing = np.ptp(stored) / stored.mean()
    assert swing < (0.05 if scheme == "leapfrog" else 1e-10)
    assert abs(late.mean() - early.mean()) / stored.mean() < max(1e-3 * swing, 1e-11)
    numerical = energy.sel(kind="numerical").values
    assert (np.abs(numerical).max() > 1e-6 * stored.mean()) == (scheme == "leapfrog")


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_turning_arm_keeps_turning(scheme):
    """Rigid rotation makes no force at all: it is kept to the last digits."""
    run = fa.simulate(make(joint={"velocity": 0.7}, drive=(), scheme=scheme, end=10.0, every=0.5))
    t = run.data["time"].values
    assert run.data["joint_position"].values[:, 0] == pytest.approx(0.7 * t, abs=1e-10)
    assert np.abs(run.data["tip_deflection"].values).max() < 1e-10
    assert run.data["angular_momentum"].values == pytest.approx(0.7 * (INERTIA * (1 + 1 / 722) + HUB), rel=1e-12)
