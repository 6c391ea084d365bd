"""Stability of the closed loop along a path: against runs, closed forms, and the growth that a run shows."""

from __future__ import annotations

import re

import numpy as np
import pytest
from scipy.signal import cont2discrete

import flexarm as fa
from flexarm.numerics.eigen import abscissa
from flexarm.rigid import inertia_about


def test_abscissa_of_an_oscillator_with_and_without_rigid_motion():
    one, none = np.eye(1), np.zeros((1, 1))
    assert abscissa(one, 2 * 0.3 * one, one) == pytest.approx(-0.3)
    assert abscissa(one, -0.1 * one, one) == pytest.approx(0.05)
    pair = np.array([[1.0, -1.0], [-1.0, 1.0]])
    assert abscissa(np.eye(2), 0.2 * pair, pair) == pytest.approx(-0.2)  # the free motion of both does not count
    assert abscissa(one, none, -4.0 * one) == pytest.approx(2.0)


def test_one_rigid_enough_link_has_the_roots_of_its_law():
    """A stiff link of inertia J on kp and kv: s^2 J + s kv + kp = 0."""
    plan = fa.load("pd-hub", ["arm.links.link.material.E=2e15 Pa"])
    found = fa.stability(plan)
    roots = np.roots([inertia_about(plan.arm, "link", plan.arm.pose), 0.6, 3.0])
    assert found.abscissa == pytest.approx(np.full(len(found.times), roots.real.max()), rel=2e-3)
    assert found.stable and found.sentence() == ""


def test_unstable_gains_are_named_and_a_run_grows_as_told():
    """Integral gain beyond kp kv / J makes even a stiff arm unstable."""
    control = {"type": "pid", "kp": 3.0, "kv": 0.6, "ki": 200.0}
    plan = fa.load("pd-hub")
    drive = {**plan.tree["drive"][0], "control": control}
    plan = plan.with_({"drive": [drive], "time.end": "2 s"})
    found = fa.stability(plan)
    growth = float(found.abscissa[0])
    assert not found.stable and growth > 0.5
    assert "destabilise" in found.sentence() and f"{growth:.3g} 1/s" in found.sentence()
    data = fa.simulate(plan).data
    late = data["time"].values > 1.0
    size = np.abs(data["joint_velocity"].values[:, 0])
    peaks = [k for k in range(1, len(size) - 1) if late[k] and size[k] >= size[k - 1] and size[k] > size[k + 1]]
    slope = np.polyfit(data["time"].values[peaks], np.log(size[peaks]), 1)[0]
    assert slope == pytest.approx(growth, rel=0.15)


def test_times_poses_and_gain_sets_along_a_path():
    plan = fa.load("tian-circle-two-sets")
    found = fa.stability(plan, poses=5)
    assert found.times == pytest.approx([0.0, 5.0, 10.0, 12.5, 15.0, 20.0])
    assert found.poses[0] == pytest.approx(plan.arm.pose)
    assert np.ptp(found.poses[:, 0]) > 1.0
    assert found.abscissa[3] > found.abscissa[2]  # the second set is lightly damped
    hz = fa.frequencies(plan, joints="held", time=15.0).hz
    assert hz == pytest.approx(fa.frequencies(plan, joints="held", time=15.0, pose=found.poses[4]).hz)
    assert abs(hz[0] / fa.frequencies(plan, joints="held", time=1.0).hz[0] - 1.0) > 0.05


def test_nothing_to_say_without_known_gains():
    assert fa.stability(fa.load("tokhi-azad")) is None
    assert fa.stability(fa.load("naganathan-flexible")) is None


@pytest.mark.parametrize(("period", "stable"), [("1 ms", True), ("20 ms", False), ("150 ms", False)])
def test_sampled_laws_grow_as_told(period, stable):
    """The same gains hold the arm when they are sampled often, and destabilise it when they are not."""
    changes = {"drive.link.control.period": period, "drive.link.control.limit": None, "time.end": "4 s"}
    plan = fa.load("pd-hub").with_(changes)
    found, data = fa.stability(plan), fa.simulate(plan).data
    assert found.stable is stable
    speed, time = np.abs(data["joint_velocity"].values[:, 0]), data["time"].values
    n = len(speed)  # up to where the law has lost its joint
    seen = np.log(speed[3 * n // 4 :].max() / speed[n // 2 : 3 * n // 4].max()) / (time[3 * n // 4] - time[n // 2])
    assert seen == pytest.approx(float(found.abscissa.max()), rel=0.2)
    assert ("times per period" in found.sentence()) is not stable


@pytest.mark.parametrize("pole", [0.0, 200.0])
def test_a_sampled_law_on_a_stiff_link_has_the_factor_of_its_difference_equation(pole):
    """J y'' = tau, tau = u or tau' = pole (u - tau), u = -kp y - kv y' held for T: written down by hand and made discrete by scipy."""
    period, kp, kv = 0.02, 3.0, 0.6
    actuator = {"actuator": {"type": "transfer", "poles": [-pole]}} if pole else {}
    control = {"type": "pd", "kp": kp, "kv": kv, "period": period}
    plan = fa.load("pd-hub", ["arm.links.link.material.E=2e15 Pa"])
    plan = plan.with_({"drive": [{**plan.tree["drive"][0], "control": control, **actuator}]})
    J = inertia_about(plan.arm, "link", plan.arm.pose)
    A, B = np.zeros((3, 3)), np.array([[0.0], [0.0 if pole else 1.0 / J], [pole]])
    A[0, 1], A[1, 2], A[2, 2] = 1.0, 1.0 / J if pole else 0.0, -pole
    step, push = cont2discrete((A, B, np.eye(3), np.zeros((3, 1))), period)[:2]
    factor = np.abs(np.linalg.eigvals(step - push @ np.array([[kp, kv, 0.0]])))
    factor = np.sort(factor if pole else np.delete(factor, np.argmin(np.abs(factor - 1.0))))[-1]
    found = fa.stability(plan, poses=1).sampled[0]
    assert found.factor == pytest.approx(factor, rel=2e-3) and found.joint == "link"


def test_a_law_that_would_not_hold_the_arm_continuously_either_is_told_so():
    control = {"type": "pid", "kp": 3.0, "kv": 0.6, "ki": 200.0, "period": "1 ms"}
    plan = fa.load("pd-hub").with_({"drive.link.control": control})
    continuous = fa.stability(fa.load("pd-hub").with_({"drive.link.control": {**control, "period": 0.0}}), poses=1)
    said = re.search(r"as it would \(by ([\d.]+) 1/s\) if no law were sampled", fa.stability(plan, poses=1).sentence())
    assert said and float(said[1]) == pytest.approx(float(continuous.abscissa[0]), rel=1e-2)


def test_a_run_says_in_its_notes_that_gains_destabilise():
    changes = {"drive.link.control": {"type": "pid", "kp": 3.0, "kv": 0.6, "ki": 200.0}, "time.end": "0.2 s"}
    plan = fa.load("pd-hub").with_(changes)
    assert any("these gains destabilise the arm" in note for note in fa.simulate(plan).notes)
    assert not any("destabilise" in note for note in fa.simulate(plan, warn=False).notes)
    assert not any("destabilise" in note for note in fa.simulate("pd-hub").notes)
