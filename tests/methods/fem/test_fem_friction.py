"""Dry friction inside the step: stick and slip against closed forms and against `fd`."""

from __future__ import annotations

import numpy as np
import pytest
from fem_arms import beam, moved, scenario, slender

import flexarm as fa

HEAVY = {"name": "link", "length": 1.0, "flexible": False, "body": {"mass": 1.0, "center": [0.5, 0.0], "inertia": 0.05}}
ABOUT = 0.3
"""Inertia about the joint, kg m^2."""


def pushed(torque: float, friction: float, seconds: float = 0.5, **more):
    """A rigid link under a torque that ends."""
    link = {**HEAVY, "joint": {"friction": friction}}
    drive = {"joint": "link", "torque": {"profile": "constant", "amplitude": torque, "duration": seconds}}
    return fa.simulate(scenario([link], drive, **{"end": 2.0, "step": 1e-3, **more})).data


@pytest.mark.parametrize("integrator", ["newmark", "generalised-alpha"])
@pytest.mark.parametrize("step", [1e-3, 7e-3])
def test_slip_and_stop_in_closed_form(integrator, step):
    """It speeds up by (T - F) / J, slows down by F / J, and stops."""
    T, F = 0.6, 0.2
    data = pushed(T, F, integrator=integrator, step=step)
    top = (T - F) / ABOUT * 0.5
    assert float(data.joint_velocity.max()) == pytest.approx(top, rel=2e-3)
    stop = 0.5 + top * ABOUT / F
    moved_by = 0.5 * top * stop
    assert float(data.joint_position[-1, 0]) == pytest.approx(moved_by, rel=3e-3)
    assert abs(float(data.joint_velocity[-1, 0])) < 1e-3
    energy = data.energy
    assert float(energy.sel(kind="dissipated")[-1]) == pytest.approx(F * moved_by, rel=5e-3)
    assert float(np.abs(energy.sel(kind="residual")).max()) < 1e-9


def test_stick_creeps_by_the_regularised_law_only():
    data = pushed(0.15, 0.2)
    creep = 1e-3 * np.arctanh(0.15 / 0.2)
    assert float(data.joint_velocity.isel(time=300, joint=0)) == pytest.approx(creep, rel=1e-3)
    assert float(data.joint_position.max()) < 1.1 * creep * 0.5
    assert float(data.drive_torque.isel(time=300, joint=0)) == pytest.approx(0.15, rel=1e-9)


@pytest.mark.parametrize("amplitude", [0.02, 0.05])
def test_agrees_with_fd(amplitude):
    link = slender({"hub_inertia": 0.01, "friction": 0.03})
    drive = {"joint": "link", "torque": {"profile": "sine", "amplitude": amplitude, "frequency": 1.0}}
    one = scenario([link], drive, end=1.0, step=2e-4, every=1e-2, order=2, resolution=6)
    other = one.with_({"method": {"name": "fd", "resolution": 80}})
    found, wanted = (fa.simulate(s).data.joint_position.values for s in (one, other))
    assert np.abs(found - wanted).max() < 5e-3 * np.abs(wanted).max()


def test_two_joints_rub_and_a_rigid_link_lies_between():
    links = [beam("a", joint={"friction": 0.5}), {**HEAVY, "name": "b", "joint": {"friction": 0.3}}]
    quintic = {"profile": "quintic", "by": 0.5, "duration": 0.5}
    drives = [moved(n, quintic, control={"type": "pd", "kp": 40.0, "kv": 8.0}) for n in "ab"]
    run = fa.simulate(scenario(links, drives, end=1.5, step=2e-3))
    free = [{**link, "joint": {}} for link in links]
    smooth = fa.simulate(scenario(free, drives, end=1.5, step=2e-3))
    energy = run.data.energy
    assert run.success and float(np.abs(energy.sel(kind="residual")).max()) < 1e-9
    assert float(energy.sel(kind="dissipated")[-1]) > 0.1
    # friction holds the joints off the goal by at most F / kp, where the law alone would take them there
    off = np.abs(run.data.joint_position.values[-1] - 0.5)
    assert np.all(off < 1.05 * np.array([0.5, 0.3]) / 40.0)
    assert np.all(np.abs(smooth.data.joint_position.values[-1] - 0.5) < off + 2e-3)
