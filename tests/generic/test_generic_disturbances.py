"""Torques beside motors, and loads on links, in every method."""

import numpy as np
import pytest

import flexarm as fa

METHODS = fa.method_names()
LINK = fa.load("tokhi-azad")
LENGTH = LINK.arm.links[0].span
EI = float(LINK.arm.links[0].properties([0.5])["EI"][0])
HELD = {"joint": "link", "motion": {"profile": "constant"}}
SINE = {"profile": "sine", "amplitude": "0.1 N*m", "frequency": "3 Hz"}
TWO = """
name: Two links that are pushed
arm:
  links:
    - {name: a, length: 0.5, section: {shape: rectangle, width: 0.012, height: 0.008}, material: aluminium, joint: {hub_inertia: 2 g*m^2 DH1}}
    - {name: b, length: 0.4, section: {shape: rectangle, width: 0.010, height: 0.006}, material: aluminium,
       joint: {position: 0.4, hub_inertia: 1 g*m^2 DH2}}
  payload: {mass: 0.1}
drive:
  - {joint: a, servo: {kp: 30, kv: 1}}
  - {joint: b, servo: {kp: 20, kv: 0.6}}
  - {patch: {link: b, at: 0.5, direction: [1, 0.5], axes: AXES}, force: {profile: sine, amplitude: 1 N, frequency: 5 Hz}}
  - {patch: {link: a, at: tip}, moment: {profile: constant, amplitude: 0.3 N*m}}
  - {patch: {link: a, from: 0.2, to: 0.6, name: spread}, force: {profile: constant, amplitude: 0.5 N}}
method: {name: fem, resolution: 8}
time: {end: 0.1 s, step: 0.5 ms, start: equilibrium}
"""


def link(method, *drives, **changes):
    """The link of Tokhi and Azad under some drives."""
    return LINK.with_({"method": {"name": method}, "drive": list(drives), "time.end": "0.1 s", **changes})


def two(method, axes="world", space=False):
    """Two links that are pushed."""
    text = TWO.replace("AXES", axes).replace("DH1", ", dh: {a: 0.5}" if space else "")
    made = fa.loads(text.replace("DH2", ", dh: {a: 0.4}" if space else ""))
    return made if method == "fem" else made.with_({"method": {"name": method}})


@pytest.mark.parametrize("method", METHODS)
def test_a_disturbance_is_a_torque_that_the_motor_does_not_give(method):
    apart = fa.simulate(link(method, {"joint": "link", "disturbance": SINE})).data
    given = fa.simulate(link(method, {"joint": "link", "torque": SINE})).data
    assert np.array_equal(apart.tip_position, given.tip_position)
    assert np.array_equal(apart.disturbance_torque, given.drive_torque) and not apart.drive_torque.values.any()
    move = {"joint": "link", "motion": {"profile": "cycloid", "by": 0.5, "duration": 0.1}}
    led, alone = (fa.simulate(link(method, each)).data for each in ({**move, "disturbance": SINE}, move))
    assert np.array_equal(led.tip_position, alone.tip_position)
    assert np.allclose(led.drive_torque + led.disturbance_torque, alone.drive_torque, atol=1e-14)


@pytest.mark.parametrize("method", METHODS)
def test_a_disturbance_acts_behind_limit_and_actuator(method):
    """A motor at its limit cannot take it up; one with a lag that is told nothing leaves it as it is."""
    limited = {"joint": "link", "control": {"type": "pd", "kp": 50, "kv": 5, "limit": "1 uN*m"}, "disturbance": SINE}
    lagged = {"joint": "link", "torque": {"profile": "constant", "amplitude": 0}, "disturbance": SINE}
    lagged["actuator"] = {"type": "transfer", "poles": [-50]}
    step = {"time.step": "0.1 ms"}
    free = fa.simulate(link(method, {"joint": "link", "disturbance": SINE}, **step)).data.tip_position
    for drive in (limited, lagged):
        found = fa.simulate(link(method, drive, **step)).data
        assert np.abs(found.tip_position - free).max() < 1e-4 * np.ptp(free.values[:, 1])
        assert np.abs(found.drive_torque).max() < 1.1e-6


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("axes", ["link", "world"])
def test_a_force_inside_a_held_link_bends_it_as_the_beam_formula_says(method, axes):
    force, at = 0.05, 0.4
    push = {"patch": {"link": "link", "at": at, "direction": [0, 2], "axes": axes}}
    scenario = link(method, HELD, {**push, "force": {"profile": "constant", "amplitude": force}})
    data = fa.simulate(scenario.with_({"time.start": "equilibrium", "time.end": "5 ms"})).data
    a, tip = at * LENGTH, data.deflection.values[:, 0, -1]
    assert tip == pytest.approx(force * a**2 * (3 * LENGTH - a) / (6 * EI), rel=2e-3)
    assert np.ptp(tip) < 1e-9 * tip[0]
    assert data.drive_torque.values[0, 0] == pytest.approx(-force * a, rel=1e-5)
    assert data.shear_force.values[0, 0, [0, -1]] == pytest.approx([force, 0.0], abs=1e-5 * force)


def test_all_methods_agree_on_two_links_that_are_pushed():
    """Forces in both kinds of axes, a moment at a place and a force that is spread, from rest under them; in space too."""
    for axes in ("world", "link"):
        runs = [fa.simulate(two(m, axes)).data for m in METHODS if m != "fd"]
        runs.append(fa.simulate(two("fem", axes, space=True)).data)
        moved = runs[0].tip_position - runs[0].tip_position[0]
        for run in runs[1:]:
            assert np.abs(run.tip_position - runs[0].tip_position).max() < 1e-5
            assert np.abs(run.joint_torque - runs[0].joint_torque).max() < 2e-4
        for run in runs:
            energy = run.energy.sel(kind=["work", "residual", "numerical"]).values
            assert energy[-1, 0] == pytest.approx(float(runs[0].energy.sel(kind="work")[-1]), rel=5e-3)
            assert np.abs(energy[:, 1:]).max() < 2e-4 * energy[-1, 0]
        assert np.abs(moved.values).max() > 5e-4


@pytest.mark.parametrize("method", METHODS)
def test_loads_are_inputs_of_linear_models(method):
    place, zero = {"link": "link", "at": 0.6}, {"profile": "constant", "amplitude": 0}
    pair = {"patch": {"link": "link", "from": 0.1, "to": 0.7}, "moment": zero}
    plant = fa.state_space(
        link(method, HELD, {"patch": place, "force": zero}, pair), joints="locked", outputs="tip.travel"
    )
    assert plant.inputs == ("link-force.force", "link-moment.moment")
    a, bent = 0.6 * LENGTH, plant.D - plant.C @ np.linalg.solve(plant.A, plant.B)
    expected = [a**2 * (3 * LENGTH - a) / (6 * EI), a * 0.6 * LENGTH / EI]
    assert bent[0] == pytest.approx(expected, rel=2e-3)


@pytest.mark.parametrize("space", [False, True])
def test_static_analysis_takes_the_loads_of_the_start(space):
    """The same rest as that of a run, and reactions that balance it."""
    scenario = two("fem", "link", space)
    found, run = fa.static(scenario), fa.simulate(scenario.with_({"time.end": "1 ms"})).data
    stiff = fa.simulate(scenario.with_({"time.end": "1 ms", "time.start": "undeformed"})).data
    moved = (run.tip_position - stiff.tip_position).values[0]
    assert np.abs(found.tip_displacement - moved).max() < 1e-9
    assert found.imbalance < 1e-5


def test_space_has_all_components():
    """A force along z at the tip, and a moment about the link's own axis: bending in the other plane, and twist."""
    up = {"patch": {"link": "b", "at": "tip", "direction": [0, 0, 1], "axes": "world", "name": "up"}}
    twist = {"patch": {"link": "b", "at": "tip", "direction": [1, 0, 0], "name": "twist"}}
    held = [{"joint": name, "motion": {"profile": "constant"}} for name in "ab"]
    scenario = two("fem", space=True).with_({"arm.links.b.joint.position": 0.0})
    loads = [
        {**up, "force": {"profile": "constant", "amplitude": 0.2}},
        {**twist, "moment": {"profile": "constant", "amplitude": 0.1}},
    ]
    data = fa.simulate(scenario.with_({"drive": [*held, *loads], "time.end": "1 ms"})).data
    E, (w1, h1, l1), (w2, h2, l2) = scenario.arm.links[0].material.E, (0.012, 0.008, 0.5), (0.010, 0.006, 0.4)
    first, second = E * h1 * w1**3 / 12, E * h2 * w2**3 / 12
    bend = 0.2 * (l2**3 / (3 * second) + (((l1 + l2) ** 3 - l2**3) / (3 * first)))
    assert data.tip_position.values[0, 2] == pytest.approx(bend, rel=5e-3)
    assert data.torsion_moment.values[0, 1, :-1] == pytest.approx(0.1, rel=1e-3)


def test_fd_says_what_it_does_not_feel():
    for patch, what, words in (
        ({"at": 0.5}, "moment", "moments at one place of a link; use"),
        ({"at": 0.5, "direction": [1, 0]}, "force", "does not feel a force along it; use fem"),
    ):
        drive = {"patch": {"link": "link", **patch}, what: {"profile": "constant", "amplitude": 1}}
        with pytest.raises(fa.FlexarmError, match=words):
            fa.simulate(link("fd", HELD, drive))


@pytest.mark.parametrize(("patch", "words"), [
    ({"link": "link"}, "give 'at', or 'from'"),
    ({"link": "link", "at": 0.5, "to": 0.7}, "'to' goes with 'from'"),
    ({"link": "link", "at": 0.5, "axes": "world"}, "needs the direction"),
    ({"link": "link", "at": 0.5, "direction": [0, 0]}, "points nowhere"),
    ({"link": "link", "at": 0.5, "direction": [0, 0, 1]}, "no part along z"),
])  # fmt: skip
def test_places_that_make_no_sense_are_refused(patch, words):
    with pytest.raises(fa.FlexarmError, match=words):
        fa.simulate(link("fem", HELD, {"patch": patch, "force": {"profile": "constant", "amplitude": 1}}))
