"""Joints that are dragged, and that meet their stops."""

from __future__ import annotations

import numpy as np
import pytest
from spatial_arms import STEEL, TUBE, beam, scenario

import flexarm as fa
from flexarm.errors import CapabilityError
from flexarm.rigid import inertia_about


def swung(drive, end=0.4, **joint):
    links = [beam("rod", {"a": 0.5}, TUBE, material=STEEL, joint=joint, damping={"time": 1e-4})]
    return scenario(links, [{"joint": "rod", **drive}], end, 1e-3, method={"resolution": 2})


def test_drag_slows_a_joint_as_an_exponential():
    plan = swung({"torque": {"profile": "constant", "amplitude": 0.0}}, velocity=2.0, viscous=3.0, hub_inertia=1.0)
    data = fa.simulate(plan).data
    J = inertia_about(plan.arm, "rod", [0.0])
    np.testing.assert_allclose(data.joint_velocity.values[:, 0], 2.0 * np.exp(-3.0 / J * data.time.values), atol=5e-3)
    energy = data.energy
    assert np.abs(energy.sel(kind="residual")).max() < 1e-7 * float(energy.sel(kind="kinetic").max())
    lost = np.trapezoid(3.0 * data.joint_velocity.values[:, 0] ** 2, data.time.values)
    assert float(energy.sel(kind="dissipated")[-1]) == pytest.approx(lost, rel=2e-3)


def test_a_led_joint_needs_the_torque_of_the_drag():
    runs = [
        fa.simulate(swung({"motion": {"profile": "cycloid", "by": 1.0, "duration": 0.4}}, viscous=c)).data
        for c in (0.0, 3.0)
    ]
    more = runs[1].drive_torque.values[:, 0] - runs[0].drive_torque.values[:, 0]
    np.testing.assert_allclose(more, 3.0 * runs[0].joint_velocity.values[:, 0], atol=1e-6)


def test_a_pushed_joint_rests_on_its_stop():
    limits = {"lower": -1.0, "upper": 0.2, "stiffness": 2000.0}
    plan = swung({"torque": {"profile": "constant", "amplitude": 10.0}}, end=1.5, viscous=40.0, limits=limits)
    result = fa.simulate(plan)
    assert result.data.joint_position.values[-1, 0] == pytest.approx(0.2 + 10.0 / 2000.0, abs=1e-5)
    assert any("end stops at -1 rad and 0.2 rad" in note for note in result.notes)
    residual = np.abs(result.data.energy.sel(kind="residual")).max()
    assert residual < 1e-6 * np.abs(result.data.energy.sel(kind="work")).max()


def test_commands_beyond_limits_are_told_and_planar_arms_refuse_stops():
    fast = swung({"motion": {"profile": "cycloid", "by": 1.0, "duration": 0.4}}, limits={"upper": 0.5, "velocity": 1.0})
    notes = " ".join(fa.simulate(fast).notes)
    assert "beyond its limits" in notes and "faster than its 1 rad/s" in notes
    flat = {**beam("rod", None, TUBE, material=STEEL), "length": 0.5, "joint": {"viscous": 1.0}}
    with pytest.raises(CapabilityError, match="viscous"):
        fa.simulate(scenario([flat], [{"joint": "rod", "motion": {"profile": "constant"}}]))
