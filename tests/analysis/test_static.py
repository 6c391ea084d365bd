"""Static analysis against closed forms, and equilibrium of what comes out."""

from __future__ import annotations

import math

import numpy as np
import pytest

import flexarm as fa

INCH, KIP = 0.0254, 4448.2216152605
EI, GA = 10.0, 1e9 / 2.6 * 0.85 * 1e-4
BAR = {"area": 1e-4, "inertia": 1e-8, "shear_factor": 0.85}
SOFT = {"E": 1e9, "density": 2000.0, "nu": 0.3}


def arm(
    links: int = 1, gravity: tuple[float, float, float] = (0.0, 0.0, 0.0), joint: dict | None = None, **more
) -> fa.Arm:
    """Bars of 1 m with EI = 10 N m^2 and 0.2 kg/m."""
    bar = {"length": 1.0, "section": BAR, "material": SOFT, "joint": joint or {}}
    return fa.Arm(links=[{"name": f"bar{i}", **bar} for i in range(links)], gravity=gravity, **more)


@pytest.mark.parametrize("theory", ["exact", "link", "linear"])
def test_tip_load_bends_and_shears_a_cantilever(theory):
    P, n = 1e-3, 16
    found = fa.static(arm(), loads=[{"force": [0, P]}], options={"resolution": n, "theory": theory})
    # one point per element is the midpoint rule, which takes 1/(4 n^2) off the bending part
    assert found.tip_displacement[1] == pytest.approx(P / (3 * EI) * (1 - 0.25 / n**2) + P / GA, rel=1e-7)
    assert found.tip_rotation == pytest.approx(P / (2 * EI), rel=1e-6)
    moment = found.forces["bending_moment"]
    np.testing.assert_allclose(moment, P * (1 - moment.s), rtol=1e-6)
    np.testing.assert_allclose(found.forces["shear_force"], P, rtol=1e-6)
    assert found.reaction_force[1] == pytest.approx(-P)
    assert found.reaction_moment == pytest.approx(-P, rel=1e-6)


def test_shear_is_what_a_stubby_bar_does():
    stubby = {"area": 1e-4, "inertia": 1e-4, "shear_factor": 0.85}
    beam = fa.Arm(links=[{"name": "bar", "length": 1.0, "section": stubby, "material": SOFT}])
    found = fa.static(beam, loads=[{"force": [0, 1.0]}], options={"resolution": 8, "theory": "linear"})
    assert found.tip_displacement[1] == pytest.approx(1 / 3e5 * (1 - 0.25 / 64) + 1 / GA, rel=1e-9)


@pytest.mark.parametrize(("elements", "expected"), [((2, 2), 3.55364), ((4, 4), 3.59595), ((4, 6), 3.60378)])
def test_frame_of_two_members(elements, expected):
    section = {"area": 1e4 * INCH**2, "inertia": 1e3 * INCH**4, "shear_factor": 0.85}
    material = {"E": 30e3 * KIP / INCH**2, "density": 7850.0, "nu": 0.3}
    member = {"length": 240 * INCH, "section": section, "material": material}
    frame = fa.Arm(links=[{"name": "AB", **member}, {"name": "BD", "joint": {"position": math.pi / 2}, **member}])
    load = {"link": "BD", "force": [5.8757 * KIP, 0]}
    found = fa.static(frame, loads=[load], options={"resolution": elements, "theory": "linear"})
    assert found.tip_displacement[0] / INCH == pytest.approx(expected, rel=1e-4)
    assert found.reaction_force[0] == pytest.approx(-5.8757 * KIP)
    # the load turns clockwise about A, so the ground holds the other way
    assert found.reaction_moment == pytest.approx(5.8757 * KIP * 240 * INCH)
    assert found.imbalance < 1e-7


def test_moment_rolls_a_bar_into_a_circle():
    found = fa.static(arm(), loads=[{"moment": 2 * math.pi * EI}], options={"resolution": 20})
    np.testing.assert_allclose(found.tip_displacement, [-1.0, 0.0, 0.0], atol=1e-9)
    assert found.tip_rotation == pytest.approx(2 * math.pi)
    np.testing.assert_allclose(found.forces["bending_moment"], 2 * math.pi * EI, rtol=1e-9)
    assert found.imbalance < 1e-9


def test_quarter_circle_by_a_moment():
    found = fa.static(arm(), loads=[{"moment": 0.5 * math.pi * EI}], options={"resolution": 40, "order": 3})
    radius = 2 / math.pi
    np.testing.assert_allclose(found.tip_displacement[:2], [radius - 1, radius], rtol=1e-6)


@pytest.mark.parametrize(("load", "across", "short"), [(1.0, 0.30172, 0.05643), (10.0, 0.81061, 0.55500)])
def test_elastica(load, across, short):
    """Mattiasson's elliptic integrals for a = P L^2 / EI; the bar is stiff in shear and tension."""
    stiff = {"area": 1.0, "inertia": 1e-8, "shear_factor": 0.85}
    bar = fa.Arm(links=[{"name": "bar", "length": 1.0, "section": stiff, "material": SOFT}])
    found = fa.static(bar, loads=[{"force": [0, load * EI]}], options={"resolution": 40, "order": 2})
    np.testing.assert_allclose(found.tip_displacement[:2], [-short, across], atol=2e-5)
    assert found.reaction_moment == pytest.approx(-load * EI * (1 - short), rel=1e-4)


@pytest.mark.parametrize(("share", "stable"), [(0.98, True), (1.02, False)])
def test_column_above_its_critical_load_is_called_unstable(share, stable):
    """Euler's column, clamped below and free above, with the softening by shear."""
    euler = math.pi**2 * EI / 4
    critical = euler / (1 + euler / GA)
    found = fa.static(arm(), loads=[{"force": [-share * critical, 0]}], options={"resolution": 40})
    assert found.stable is stable
    np.testing.assert_allclose(found.forces["axial_force"], -share * critical, rtol=1e-6)


def test_linear_theory_does_not_shorten():
    found = fa.static(arm(), loads=[{"force": [0, EI]}], options={"resolution": 40, "theory": "linear"})
    assert abs(found.tip_displacement[0]) < 1e-12
    assert found.tip_displacement[1] == pytest.approx(1 / 3, rel=2e-3)


def test_own_weight():
    g, line = 1e-3, 0.2
    found = fa.static(arm(gravity=(0, -g, 0)), options={"resolution": 40})
    w = line * g
    assert found.tip_displacement[1] == pytest.approx(-(w / (8 * EI) + w / (2 * GA)), rel=1e-6)
    assert found.reaction_force[1] == pytest.approx(w)
    assert found.reaction_moment == pytest.approx(w / 2, rel=1e-6)


def test_load_between_nodes_and_its_moment():
    """The tip moves by P a^2 (3 L - a) / 6 EI; shear by P a / GA."""
    P, a = 1e-3, 0.5125
    found = fa.static(arm(), loads=[{"at": a, "force": [0, P]}], options={"resolution": 200, "theory": "linear"})
    assert found.tip_displacement[1] == pytest.approx(P * a**2 * (3 - a) / (6 * EI) + P * a / GA, rel=1e-4)
    assert found.reaction_moment == pytest.approx(-P * a)


def test_pose_and_joint_springs():
    """A bar that stands upright; its spring gives way by moment over stiffness."""
    P, k = 1e-3, 5.0
    bar = arm(joint={"stiffness": k})
    found = fa.static(bar, pose=[math.pi / 2], loads=[{"force": [P, 0]}], options={"resolution": 16})
    expected = P / (3 * EI) * (1 - 0.25 / 256) + P / GA + P / k
    assert found.tip_displacement[0] == pytest.approx(expected, rel=1e-6)
    assert found.reaction_moment == pytest.approx(P, rel=1e-6)


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("theory", ["exact", "link", "linear"])
@pytest.mark.parametrize("stiffness", [None, 80.0])
def test_elements_and_equilibrium_of_the_whole_agree(theory, order, stiffness):
    joint = {"motor_mass": 0.1, "stiffness": stiffness}
    payload = {"mass": 0.2, "offset": [0.1, 0.05]}
    loads = [
        {"link": "bar0", "at": 0.03, "force": [1.0, 0.2], "moment": 0.1},
        {"link": "bar1", "at": 0.3, "force": [1.0, 0.2], "moment": 0.1},
        {"link": "bar2", "at": "root", "force": [0.0, 0.5]},
    ]
    found = fa.static(
        arm(3, (0.3, -9.81, 0.0), joint, payload=payload), pose=[0.3, -0.5, 1.0], loads=loads,
        options={"resolution": 5, "order": order, "theory": theory},
    )  # fmt: skip
    assert found.imbalance < 1e-9
    mass = 3 * 0.2 + 2 * 0.1 + 0.2
    np.testing.assert_allclose(found.reaction_force[:2], [-2.0 - 0.3 * mass, -0.9 + 9.81 * mass], rtol=1e-9)


def test_moments_at_roots_are_joint_torques_of_a_run_at_rest():
    """A run that starts in equilibrium and whose joints stay reports the same torques."""
    text = """\
name: standing
arm:
  gravity: [0, -9.81, 0]
  payload: {mass: 300 g}
  links:
    - {name: a, length: 0.5 m, section: {shape: circle, diameter: 20 mm}, material: aluminium, joint: {position: 30 deg}}
    - {name: b, length: 0.4 m, section: {shape: circle, diameter: 15 mm}, material: aluminium, joint: {position: 20 deg}}
drive:
  - {joint: a, motion: {profile: constant}}
  - {joint: b, motion: {profile: constant}}
method: {name: fem, resolution: 4}
time: {end: 10 ms, step: 1 ms, start: equilibrium}
"""
    scenario = fa.loads(text)
    found = fa.static(scenario)
    torque = fa.simulate(scenario).data["joint_torque"].isel(time=-1)
    np.testing.assert_allclose(found.roots.sel(component="moment"), torque, rtol=1e-7)


@pytest.mark.parametrize(
    ("loads", "words"),
    [
        ([{"link": "nowhere", "force": [1, 0]}], "no link 'nowhere'"),
        ([{"at": 1.5, "force": [1, 0]}], "between 0 and 1"),
        ([{"at": "middle", "force": [1, 0]}], "no place"),
        ([{"at": "ear", "force": [1, 0]}], "off the link's axis"),
        ([{"force": 5}], "two components"),
        ([{"force": ["1 kg", 0]}], "N"),
        ([{"force": [math.inf, 0]}], "finite"),
        ([{"at": "tip"}], "needs a force"),
        ([{"push": 3}], "no 'push'"),
        (["tip"], "mapping"),
        ([{"force": [-1e6, 1.0]}], "too soft"),
    ],
)
def test_loads_that_make_no_sense_are_refused(loads, words):
    bar = {"name": "bar", "length": 1.0, "section": BAR, "material": SOFT, "points": {"ear": (0.5, 0.1)}}
    with pytest.raises(fa.FlexarmError, match=words):
        fa.static(fa.Arm(links=[bar]), loads=loads)


def test_other_methods_and_poses_are_refused():
    with pytest.raises(fa.FlexarmError, match="does not support loads at points; use fem"):
        fa.static(arm(), method="fd")
    with pytest.raises(fa.FlexarmError, match="pose needs 1"):
        fa.static(arm(), pose=[1, 2])
    with pytest.raises(fa.FlexarmError, match="stations"):
        fa.static(arm(), stations=1)


def test_loads_carry_units_and_named_points():
    bar = {"name": "bar", "length": 1.0, "section": BAR, "material": SOFT, "points": {"hook": (0.5, 0.0)}}
    found = fa.static(fa.Arm(links=[bar]), loads=[{"at": "hook", "force": ["1 mN", 0], "moment": "2 N*mm"}])
    assert found.loads == (fa.Load("bar", 0.5, (1e-3, 0.0), 2e-3),)
    again = fa.static(fa.Arm(links=[bar]), loads=found.loads)
    np.testing.assert_array_equal(again.displacement, found.displacement)


SOFT_SERVO = {"servo": {"kp": 2000.0, "kv": 20.0}}


@pytest.mark.parametrize("joint", [{}, {"stiffness": 4000.0, "rotor_inertia": 0.05}], ids=["stiff joint", "spring"])
@pytest.mark.parametrize("space", [False, True], ids=["plane", "space"])
def test_a_servo_gives_way_under_the_loads(space, joint):
    """The torque over the gain turns the motor; locked motors leave springs and bending alone."""
    weight, load = 9.81 * 7850.0 * np.pi * (0.02**2 - 0.018**2), 10.0
    own = {"joint": {**joint, "dh": {"a": 1.0}}} if space else {"joint": joint, "length": 1.0}
    link = {"name": "a", "section": {"shape": "tube", "diameter": 0.04, "thickness": 0.002},
            "material": {"E": 210e9, "density": 7850.0, "nu": 0.3}, **own}  # fmt: skip
    held = {"joint": "a", "motion": {"profile": "constant"}, **SOFT_SERVO}
    one = fa.Scenario.model_validate({
        "name": "held", "arm": {"links": [link], "gravity": [0.0, -9.81, 0.0]}, "drive": [held],
        "method": {"name": "fem"}, "time": {"end": 2e-3, "step": 1e-3, "start": "equilibrium"},
    })  # fmt: skip
    push = [{"force": [0.0, -load, 0.0] if space else [0.0, -load]}]
    found, locked = (fa.static(one, loads=push, hold=hold).tip_displacement[1] for hold in (False, True))
    turned = (0.5 * weight + load) / 2000.0
    assert found - locked == pytest.approx(-turned, rel=1e-3)
    assert fa.static(one).tip_displacement[1] == pytest.approx(
        fa.simulate(one).data.tip_position.values[0, 1], rel=1e-9
    )
