"""The linear model is the tangent of the motion: small runs follow it, and small loads bend the arm as it says."""

from __future__ import annotations

import numpy as np
import pytest
from generic_arms import METHODS, one_link
from scipy.linalg import expm

import flexarm as fa
from flexarm.simulation.build import prepare

TORQUE, STEP, STEPS = 1e-3, 1e-3, 60


def linear_response(model, times: int) -> np.ndarray:
    """Tip across the link under a constant torque from rest, exact in time, (times,)."""
    linear = model.linearise(joints="free")
    n = len(linear.M)
    A = np.block([[np.zeros((n, n)), np.eye(n)], [np.linalg.solve(linear.M, -np.c_[linear.K, linear.C])]])
    push = np.concatenate([np.zeros(n), np.linalg.solve(linear.M, linear.B[:, 0] * TORQUE)])
    step = expm(np.block([[A, push[:, None]], [np.zeros((1, 2 * n + 1))]]) * STEP)
    row = linear.shapes[:, 0, -1, 1]
    state, found = np.append(np.zeros(2 * n), 1.0), [0.0]
    for _ in range(times):
        state = step @ state
        found.append(row @ state[:n])
    return np.array(found)


@pytest.mark.parametrize("method", METHODS)
def test_a_small_motion_follows_the_linear_model(method):
    """Steps of the run are short enough for the lowest modes; a constant torque excites few others."""
    push = {"joint": "link", "torque": {"profile": "constant", "amplitude": TORQUE}}
    plan = one_link(method, method__resolution=10 if method == "fd" else 4, arm__damping={"time": 2e-4})
    plan = plan.with_({"drive": [push], "time.end": STEP * STEPS, "time.step": 5e-5, "output.every": STEP})
    found = fa.simulate(plan).data["tip_position"].values[:, 1]
    wanted = linear_response(prepare(plan).model, STEPS)
    assert np.abs(wanted).max() > 1e-6
    assert np.abs(found - wanted).max() < 2e-3 * np.abs(wanted).max()


@pytest.mark.parametrize("method", METHODS)
def test_mass_and_stiffness_are_symmetric_and_positive(method):
    linear = prepare(one_link(method)).model.linearise(joints="locked")
    for matrix in (linear.M, linear.K):
        np.testing.assert_allclose(matrix, matrix.T, atol=1e-9 * np.abs(matrix).max())
        assert np.linalg.eigvalsh(0.5 * (matrix + matrix.T)).min() > 0.0


@pytest.mark.parametrize("method", METHODS)
def test_a_small_weight_bends_the_arm_by_its_flexibility(method):
    """The tip sinks under its own small weight as the closed form of a clamped beam with a mass at its end says."""
    g, length = 1e-3, 0.8
    plan = one_link(method, arm__gravity=[0.0, -g, 0.0], time__start="equilibrium", time__end=2e-3)
    figures = {name: float(value[0]) for name, value in plan.arm.links[0].properties([0.0]).items()}
    exact = (figures["rhoA"] * g * length**4 / 8 + 0.1 * g * length**3 / 3) / figures["EI"]
    found = -float(fa.simulate(plan).data["tip_deflection"].values[0, 1])
    assert found == pytest.approx(exact, rel=5e-3)
