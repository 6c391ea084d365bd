"""Sampled laws on a later joint: their reaction acts on the end of a beam, which has next to no inertia of its own.

A torque that is held jumps at every tick and moves such an end within less than a step. The truth of a run is that of another
method with steps that follow it; that of a loop is the growth of small motions from tick to tick.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import numpy as np
import pytest

import flexarm as fa
from flexarm import rigid
from flexarm.simulation.build import prepare
from flexarm.simulation.control_loops import lost_advice

LINK = """\
    - name: {name}
      length: 0.5 m
      section: {{shape: rectangle, width: 30 mm, height: 6 mm}}
      material: aluminium
      joint: {{hub_inertia: {hub} kg*m^2}}
"""
DRIVE = """\
  - joint: {name}
    motion: {{profile: quintic, by: 0.3 rad, duration: 0.2 s}}
    control: {{type: pd, kp: {kp}, kv: {kv}, period: 1 ms}}
"""
ARM = (
    "name: sampled\narm:\n  links:\n"
    + LINK.format(name="a", hub=1e-2)
    + LINK.format(name="b", hub=1e-3)
    + "  payload: {mass: 100 g}\n  damping: {ratio: 0.01}\ndrive:\n"
    + DRIVE.format(name="a", kp=200, kv=5)
    + DRIVE.format(name="b", kp=20, kv=0.5)
    + "time: {end: 0.2 s, step: 1 ms}\noutput: {every: 2 ms}\nmethod: {name: fem}\n"
)
OPTIONS: dict[str, dict[str, Any]] = {
    "fem": {"order": 2}, "segments": {"resolution": 24}, "modes": {"resolution": 6, "axial_modes": 1}, "ancf": {"resolution": 8},
}  # fmt: skip
HEAVIER, FASTER = {"arm.links.b.joint.motor_mass": 0.3}, {"drive.b.control.kv": 1.5}


def two_links(method: str, changes: dict[str, Any], **more: Any) -> fa.Scenario:
    return fa.loads(ARM).with_({"method": {"name": method, **OPTIONS[method]}, **changes, **more})


@cache
def followed(method: str) -> Any:
    """The arm with a motor on its elbow, in steps that are short enough for its end."""
    return fa.simulate(two_links(method, HEAVIER, **{"time.step": "0.0625 ms"})).data


@pytest.mark.parametrize("method", OPTIONS)
def test_one_step_per_tick_is_enough(method):
    run = fa.simulate(two_links(method, HEAVIER))
    truth = followed("segments" if method == "fem" else "fem")
    assert run.success and not any("halved" in note for note in run.notes)
    for name in ("tip_error", "joint_torque"):
        off = np.abs(run.data[name].values - truth[name].values).max()
        assert off < 2e-3 * np.abs(truth[name].values).max(), (method, name)


def test_an_arm_in_space_follows_in_steps_of_half_a_period():
    space = {f"arm.links.{name}.joint.dh": {"a": 0.5} for name in "ab"}
    method = {"name": "fem", "resolution": 16}
    run = fa.simulate(fa.loads(ARM).with_({"method": method, **HEAVIER, **space, "time.step": "0.5 ms"}))
    assert run.success and not any("halved" in note for note in run.notes)
    for name in ("tip_error", "joint_torque"):
        truth = followed("segments")[name].values
        assert np.abs(run.data[name].values[:, :2] - truth[:, :2]).max() < 2e-3 * np.abs(truth).max(), name


@pytest.mark.parametrize("method", OPTIONS)
def test_a_law_that_loses_its_joint_ends_the_run_and_the_note_says_what_holds_it(method):
    """Half a turn of error per period is 3142 rad/s here; the inertia that the note names holds the arm, a tenth of it does not."""
    plan = two_links(method, FASTER, **{"time.step": "auto"})
    run = fa.simulate(plan)
    assert run.outcome is fa.Outcome.UNSTABLE and "joint 'b' is lost by its law" in run.message
    assert run.data.attrs["steps"] < 100 and "check its gains" in run.message
    note = next(note for note in run.notes if "destabilise" in note)
    assert "driven by the law of joint 'b'" in note and "times per period of 0.001 s" in note
    named = re.search(r"([\d.e-]+) kg·m² more as motor_inertia of joint 'b', carried by link 'a'", note)
    assert named and "hub_inertia" not in note
    for share, holds in ((1.0, True), (0.1, False)):
        cured = plan.with_({"arm.links.b.joint.motor_inertia": share * float(named[1]), "time.step": "0.5 ms"})
        assert fa.stability(cured, poses=3).stable is holds
        speed = np.abs(fa.simulate(cured, warn=False).data["joint_velocity"].values[:, 1]).max()
        assert bool(speed < 5.0) is holds


def test_a_step_that_is_too_long_is_told_from_a_law_that_is_too_strong():
    stable, unstable = (prepare(two_links("segments", changes)) for changes in (HEAVIER, FASTER))
    assert "use a smaller time.step" in lost_advice(stable) and "check its gains" in lost_advice(unstable)


MOTOR = {"arm.links.b.joint.motor_mass": 0.2, "arm.links.b.joint.motor_inertia": 2e-3}
LUMP = {"arm.links.a.masses": [{"at": "tip", "mass": 0.2, "inertia": 2e-3}]}


@pytest.mark.parametrize("method", [*OPTIONS, "space"])
def test_a_motor_with_inertia_is_a_lump_on_the_tip_of_its_carrier(method):
    space = {f"arm.links.{name}.joint.dh": {"a": 0.5} for name in "ab"} if method == "space" else {}
    own = {"name": "fem", "resolution": 6} if space else {"name": method, **OPTIONS[method]}
    plans = [fa.loads(ARM).with_({"method": own, **space, **changes}) for changes in (MOTOR, LUMP, {})]
    motor, lump, bare = (fa.frequencies(plan, n=3, joints="locked").hz for plan in plans)
    assert motor == pytest.approx(lump, rel=1e-9) and abs(motor[2] / bare[2] - 1.0) > 0.05
    pose, rates = np.array([[0.3, -0.8]]), np.array([[1.0, -2.0]])
    torques = [rigid.inverse_dynamics(plan.arm, pose, rates, 3.0 * rates) for plan in plans]
    assert torques[0] == pytest.approx(torques[1], rel=1e-12) and abs(torques[0][0, 0] - torques[2][0, 0]) > 0.1
