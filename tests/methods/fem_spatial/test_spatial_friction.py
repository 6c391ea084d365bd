"""Dry friction in space: closed forms of a rod that slides and sticks, two joints at once, pieces of a run.

That a planar arm written with dh rubs as the planar one does is in `test_spatial_agreement`.
"""

from __future__ import annotations

import numpy as np
import pytest
from spatial_arms import beam, scenario

import flexarm as fa

HAND = beam("hand", {"a": 0.05}, joint={"type": "fixed"})


def pushed(force: float, friction: float):
    """A heavy rigid rod that slides along x of the ground, pushed for 50 ms."""
    stub = {
        "name": "stub", "flexible": False, "body": {"mass": 0.0},
        "joint": {"type": "fixed", "dh": {"alpha": 1.5707963267948966}},
    }  # fmt: skip
    rod = {
        "name": "rod", "flexible": False, "body": {"mass": 2.0},
        "joint": {"type": "prismatic", "position": 0.1, "friction": friction},
    }  # fmt: skip
    drives = [{"joint": "rod", "torque": {"profile": "constant", "amplitude": force, "duration": 0.05}}]
    plan = scenario([stub, rod, HAND], drives, 0.2, 1e-3, output={"stations": 2})
    mass = 2.0 + plan.arm.links[2].mass
    return fa.simulate(plan).data, mass


def test_slip_and_stop_in_closed_form():
    T, F = 9.0, 3.0
    data, mass = pushed(T, F)
    top = (T - F) / mass * 0.05
    stop = 0.05 + top * mass / F
    assert float(data.joint_velocity.max()) == pytest.approx(top, rel=5e-3)
    moved = float(data.joint_position[-1, 0]) - 0.1
    assert moved == pytest.approx(0.5 * top * stop, rel=1e-2)
    assert abs(float(data.joint_velocity[-1, 0])) < 1e-3
    assert float(data.energy.sel(kind="dissipated")[-1]) == pytest.approx(F * moved, rel=1e-2)
    assert float(np.abs(data.energy.sel(kind="residual")).max()) < 1e-9


def test_stick():
    data, _ = pushed(2.0, 3.0)
    creep = 1e-3 * np.arctanh(2.0 / 3.0)
    assert float(data.joint_velocity.isel(time=40, joint=0)) == pytest.approx(creep, rel=1e-2)
    assert float(data.joint_position[-1, 0]) - 0.1 < 1.1 * creep * 0.05


def test_two_joints_rub_in_space():
    links = [
        beam("column", {"d": 0.3, "alpha": 1.5}, joint={"friction": 0.5, "hub_inertia": 1e-2}),
        beam("fore", {"a": 0.4}, joint={"friction": 0.3, "stiffness": 80.0, "damping": 0.05, "rotor_inertia": 2e-3}),
    ]
    drives = [
        {"joint": name, "motion": {"profile": "cycloid", "by": 0.5, "duration": 0.3},
         "control": {"type": "pd", "sensor": "motor", "gains": [{"kp": 40.0, "kv": 4.0}]}}
        for name in ("column", "fore")
    ]  # fmt: skip
    plan = scenario(links, drives, 0.5, 2e-3, output={"stations": 2})
    whole, cut = fa.simulate(plan), fa.simulate(plan, chunk=7)
    assert np.array_equal(whole.data.tip_position.values, cut.data.tip_position.values)
    energy = whole.data.energy
    assert whole.success and float(np.abs(energy.sel(kind="residual")).max()) < 1e-8
    assert float(energy.sel(kind="dissipated")[-1]) > 0.2
    goal = plan.arm.pose[:2] + np.array([0.5, 0.5])
    assert np.all(np.abs(whole.data.motor_position.values[-1] - goal) < 1.1 * np.array([0.5, 0.3]) / 40.0)
