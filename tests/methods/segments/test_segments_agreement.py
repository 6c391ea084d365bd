"""The chain against finite elements and against the stiff arm, over all that can hang on a joint."""

from __future__ import annotations

import numpy as np
import pytest
from segments_arms import DOWN, TAPER, apart, beam, by_fem, li_zhang, prescribed, scenario, signals

import flexarm as fa
from flexarm.rigid import inverse_dynamics

MOVE = {"profile": "cycloid", "by": 0.8, "duration": 0.3}
BACK = {"profile": "cycloid", "by": -0.5, "duration": 0.25}
PUSH = {"profile": "bang-bang", "amplitude": 0.6, "duration": 0.3}
GEAR = {"stiffness": 60.0, "damping": 0.02, "rotor_inertia": 4e-3, "hub_inertia": 1e-3}
LOAD = {"mass": 0.05, "inertia": 2e-5, "offset": [0.02, 0.03]}
PD = {"type": "pd", "kp": 12.0, "kv": 1.0}
PID = {"type": "pid", "kp": 12.0, "kv": 1.0, "ki": 20.0}
LAG = {"type": "transfer", "poles": ["-60+80j"]}


def pair(**joints):
    """Two unequal links, the first tapered."""
    first = beam("a", 0.6, section=TAPER, joint={"hub_inertia": 2e-3, "position": 0.3, **joints.get("a", {})})
    return [first, beam("b", 0.4, joint={"motor_mass": 0.1, "position": -0.7, **joints.get("b", {})})]


CASES = {
    "motion": (pair(), [prescribed("a", MOVE), prescribed("b", BACK)], {}),
    "gravity and payload": (pair(), [prescribed("a", MOVE), prescribed("b", BACK)], {"gravity": DOWN, "payload": LOAD}),
    "sloping gravity": (pair(), [prescribed("a", MOVE), prescribed("b", BACK)], {"gravity": [3.0, -5.0, 0.0]}),
    "flexible joints": (pair(a=GEAR, b=GEAR), [prescribed("a", MOVE), prescribed("b", BACK)], {"payload": LOAD}),
    "torque": (pair(), [{"joint": "a", "torque": PUSH}, prescribed("b", BACK)], {"gravity": DOWN}),
    "torque behind a spring": (
        pair(a=GEAR),
        [{"joint": "a", "torque": PUSH}, prescribed("b", BACK)],
        {"payload": LOAD},
    ),
    "free joint": (pair(), [prescribed("a", MOVE)], {"payload": LOAD}),
    "free joint with a rotor": (pair(b=GEAR), [prescribed("a", MOVE)], {"payload": LOAD}),
    "pd on the hub": (
        pair(),
        [prescribed("a", MOVE, control=PD), prescribed("b", BACK, control=PD)],
        {"gravity": DOWN},
    ),
    "pd over a spring": (pair(a=GEAR), [prescribed("a", MOVE, control=PD), prescribed("b", BACK)], {}),
    "pid on the motor": (
        pair(a=GEAR),
        [prescribed("a", MOVE, control={**PID, "sensor": "motor"}), prescribed("b", BACK)],
        {},
    ),
    "servo": (pair(), [prescribed("a", MOVE, servo={"kp": 40.0, "kv": 3.0}), prescribed("b", BACK)], {}),
    "limit": (pair(), [prescribed("a", MOVE, control={**PD, "limit": 0.4}), prescribed("b", BACK)], {}),
    "actuator": (pair(), [prescribed("a", MOVE, control=PD, actuator=LAG), prescribed("b", BACK)], {}),
    "damping": (pair(), [prescribed("a", MOVE), prescribed("b", BACK)], {"damping": {"time": 2e-3}}),
    "lumps": (
        [beam("a", 0.6, masses=[{"at": 0.5, "mass": 0.1, "inertia": 1e-5}]), beam("b", 0.4)],
        [prescribed("a", MOVE), prescribed("b", BACK)],
        {},
    ),
}

LIVELY = ("torque", "pd over a spring", "actuator")
"""Here torques that jump on a free hub stir fast modes, in which the shear of the elements shows."""


@pytest.mark.parametrize("name", CASES)
def test_agrees_with_finite_elements(name):
    links, drive, arm = CASES[name]
    gauges = {"gauges": [{"link": "a", "at": 0.2, "name": "g"}], "stations": 6}
    one = scenario(links, drive, arm=arm, resolution=40, step=5e-4, every=2e-3, output=gauges)
    run, other = fa.simulate(one), fa.simulate(by_fem(one))
    assert run.success and other.success
    ease = 7.0 if name in LIVELY else 1.0
    for signal, close in (
        ("tip_position", 3e-4), ("joint_position", 5e-4), ("motor_position", 5e-4), ("tip_deflection", 5e-3),
        ("deflection", 5e-3), ("strain", 0.01),
    ):  # fmt: skip
        assert apart(run, other, signal) < ease * close, signal
    for signal in ("bending_moment", "joint_torque", "drive_torque"):
        assert apart(run, other, signal) < ease * 0.02, signal
    for kind in ("work", "kinetic", "elastic", "gravity", "dissipated"):
        a, b = (r.data.energy.sel(kind=kind).values for r in (run, other))
        scale = np.abs(other.data.energy.values).max()
        assert np.abs((a - a[0]) - (b - b[0])).max() < ease * 5e-3 * scale, kind
    energy = run.data.energy
    assert np.abs(energy.sel(kind="residual")).max() < 1e-7 * np.abs(energy).max()


def test_section_forces_agree_with_finite_elements():
    """At rest in equilibrium, where only gravity acts."""
    links, _, arm = CASES["gravity and payload"]
    one = scenario(
        links,
        [prescribed(n, {"profile": "constant"}) for n in "ab"],
        arm=arm,
        resolution=40,
        start="equilibrium",
        end=0.01,
    )
    run, other = fa.simulate(one), fa.simulate(by_fem(one))
    for signal in ("axial_force", "shear_force", "bending_moment"):
        a, b = run.data[signal].values[0], other.data[signal].values[0]
        assert np.abs(a - b).max() < 0.02 * np.abs(b).max(), signal


@pytest.mark.parametrize("joints", ["rigid", "flexible"])
def test_agrees_with_finite_elements_on_the_paper(joints):
    """Peaks of the tip error within 0.5 % at 20 segments, and converging."""

    def peaks(run):
        found = signals(run) if "link_deformation" in run.data else run.data.tip_error.values.T
        x, y = (found["ex"], found["ey"]) if isinstance(found, dict) else found[:2]
        return np.array([x.min(), x.max(), y.min(), y.max()])

    wanted = peaks(fa.simulate(by_fem(li_zhang(joints, step=2.5e-4, end=1.0), 10)))
    off = [
        np.abs(peaks(fa.simulate(li_zhang(joints, step=2.5e-4, end=1.0, resolution=n))) / wanted - 1.0).max()
        for n in (5, 20)
    ]
    assert off[1] < 5e-3 and off[1] < 0.2 * off[0]


def test_agrees_with_finite_elements_on_the_single_beam():
    one = fa.load("li-zhang-single").with_({"time": {"end": 1.0, "step": 2.5e-4}, "method.resolution": 20})
    run, other = fa.simulate(one), fa.simulate(by_fem(one, 10))
    a, b = (r.data.tip_error.values[:, 1] for r in (run, other))
    assert [a.max(), a.min()] == pytest.approx([b.max(), b.min()], rel=5e-3)


def test_rigid_links_follow_inverse_dynamics():
    """A rigid body, a rigid bar and lumps off the axis: torques of the stiff arm."""
    body = {"mass": 0.8, "center": [0.2, 0.05], "inertia": 0.01}
    links = [
        {"name": "a", "length": 0.6, "flexible": False, "body": body, "joint": {"hub_inertia": 0.01, "rotor_inertia": 0.02},
         "points": {"p": [0.3, -0.1]}, "masses": [{"at": "p", "mass": 0.2, "inertia": 1e-3}]},
        beam("b", 0.4, flexible=False, joint={"motor_mass": 0.1, "position": -0.7}),
    ]  # fmt: skip
    one = scenario(links, [prescribed("a", MOVE), prescribed("b", BACK)], arm={"gravity": DOWN, "payload": LOAD})
    run = fa.simulate(one)
    data = run.data
    assert run.success and np.abs(data.tip_deflection).max() < 1e-12
    assert data.drive_torque.values == pytest.approx(data.rigid_torque.values, rel=1e-9, abs=1e-9)
    direct = inverse_dynamics(one.arm, *(np.array([[v, w]]) for v, w in ((0.0, -0.7), (0.0, 0.0), (0.0, 0.0))))
    assert data.drive_torque.values[0] == pytest.approx(direct[0], rel=1e-9)


def test_a_rigid_link_before_a_flexible_one():
    """A rigid first link is a first link that is very stiff."""
    stiff = {"material": {"E": 70e13, "density": 2700.0, "nu": 0.3}}
    drive = [{"joint": "a", "torque": PUSH}, prescribed("b", BACK)]
    one, two = (
        fa.simulate(scenario([beam("a", 0.6, **change), beam("b", 0.4)], drive, step=5e-4, resolution=20))
        for change in ({"flexible": False}, stiff)
    )
    assert apart(one, two, "tip_position") < 1e-5
