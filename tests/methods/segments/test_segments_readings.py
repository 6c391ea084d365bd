"""What is read off a chain, against what the readings mean: differences of positions, stiff links, torques at the joints."""

from __future__ import annotations

import numpy as np
import pytest
from segments_arms import ALUMINIUM, BAR, DOWN, TAPER, beam, by_fem, prescribed, scenario

import flexarm as fa

MOVE = {"profile": "cycloid", "by": 0.8, "duration": 0.3}
BACK = {"profile": "cycloid", "by": -0.5, "duration": 0.25}
PAIR = [beam("a", 0.6, section=TAPER, joint={"position": 0.3}), beam("b", 0.4, joint={"position": -0.7})]
BOTH = [prescribed("a", MOVE), prescribed("b", BACK)]


def history(one, period=1e-3):
    """Readings at every period of a run, by name."""
    simulator = fa.Simulator(one, period=period)
    rows = [simulator.reset().copy()]
    while not simulator.finished:
        rows.append(simulator.step().copy())
    return dict(zip(simulator.outputs, np.array(rows).T, strict=True))


@pytest.mark.parametrize("ends", ["half", "both"])
def test_rates_are_those_of_the_positions(ends):
    found = history(scenario(PAIR, BOTH, step=2.5e-4, ends=ends, end=0.2), 2.5e-4)
    for place, rate in (
        ("tip.x", "tip.velocity_x"), ("tip.y", "tip.velocity_y"), ("a.chord_position", "a.chord_velocity"),
        ("b.chord_position", "b.chord_velocity"), ("a.position", "a.velocity"), ("b.position", "b.velocity"),
    ):  # fmt: skip
        middle = (found[place][2:] - found[place][:-2]) / 5e-4
        assert found[rate][1:-1] == pytest.approx(middle, abs=2e-3 * np.abs(middle).max()), rate


def test_a_stiff_link_is_where_its_joint_says():
    turned = prescribed("a", {"profile": "cycloid", "by": 7.0, "duration": 0.15})
    found = history(scenario([beam("a", 0.5, flexible=False)], turned, end=0.2))
    angle = found["a.position"]
    assert angle.max() == pytest.approx(7.0) and np.abs(found["tip.deflection"]).max() == 0.0
    for name, wanted in (
        ("a.chord_position", angle), ("tip.travel", 0.5 * angle), ("tip.velocity", 0.5 * found["a.velocity"]),
        ("tip.x", 0.5 * np.cos(angle)), ("tip.velocity_y", 0.5 * np.cos(angle) * found["a.velocity"]),
    ):  # fmt: skip
        assert found[name] == pytest.approx(wanted, abs=1e-12), name


def test_a_bent_link_turns_its_chord():
    """Travel is that of the joint and the deflection of the end; the chord points to that end."""
    found = history(scenario([beam("a", 0.5)], prescribed("a", MOVE), end=0.1))
    bend = found["tip.deflection"]
    assert np.abs(bend).max() > 1e-3
    assert found["tip.travel"] == pytest.approx(0.5 * found["a.position"] + bend, abs=1e-14)
    assert found["a.chord_position"] == pytest.approx(np.arctan2(found["tip.y"], found["tip.x"]), abs=1e-12)


@pytest.mark.parametrize("time", [0.0, 2e-3])
def test_a_cut_at_the_root_feels_the_torque_of_the_joint(time):
    """Without a hub; the damping of the link is part of it. The error falls with the segments."""

    def off(segments):
        one = scenario([beam("a", 0.6, section=TAPER)], prescribed("a", MOVE), arm={"damping": {"time": time}} if time else {},
                       resolution=segments, step=5e-4, end=0.3)  # fmt: skip
        data = fa.simulate(one).data
        moment, torque = -data.bending_moment.values[:, 0, 0], data.joint_torque.values[:, 0]
        return np.abs(moment - torque)[2:].max() / np.abs(torque).max()

    coarse, fine = off(20), off(80)
    assert fine < 0.01 and fine < 0.4 * coarse


def test_forces_at_the_root_accelerate_the_whole_link():
    """Axial and shear force at the root against the mass times acceleration of its centre, by differences of the shape."""
    one = scenario([beam("a", 0.6)], prescribed("a", MOVE), arm={"damping": {"time": 2e-3}, "gravity": DOWN}, resolution=40,
                   step=2.5e-4, start="equilibrium", end=0.3, output={"stations": 41})  # fmt: skip
    data = fa.simulate(one).data
    centre = np.trapezoid(data["shape"].values[:, 0, :, :2], data.s.values, axis=1)
    mass = 0.6 * ALUMINIUM["density"] * BAR["width"] * BAR["height"]
    force = mass * (np.diff(centre, 2, axis=0) / 2.5e-4**2 - np.array(DOWN[:2]))  # by the hub on the link
    c, s = np.cos(data.joint_position.values[1:-1, 0]), np.sin(data.joint_position.values[1:-1, 0])
    for name, wanted in (
        ("axial_force", -(force[:, 0] * c + force[:, 1] * s)),
        ("shear_force", force[:, 0] * s - force[:, 1] * c),
    ):
        found = data[name].values[1:-1, 0, 0]
        assert found == pytest.approx(wanted, abs=0.02 * np.abs(wanted).max()), name
        assert np.abs(data[name].values[:, 0, -1]).max() < 0.02 * np.abs(wanted).max(), name


def test_section_forces_of_a_moving_arm_are_those_of_finite_elements():
    one = scenario(PAIR, BOTH, arm={"gravity": DOWN}, start="equilibrium", resolution=40, step=5e-4, every=2e-3)
    run, other = fa.simulate(one), fa.simulate(by_fem(one))
    for name in ("axial_force", "shear_force", "bending_moment"):
        a, b = (r.data[name].values for r in (run, other))
        assert np.abs(a - b).max() < 0.01 * np.abs(b).max(), name


def test_a_sampled_law_may_read_the_chord():
    """It closes the loop over the bent link as it does with finite elements."""
    law = {"type": "pd", "kp": 4.0, "kv": 0.4, "sensor": "chord", "period": 2e-3}
    one = scenario([beam("a", 0.5, joint={"hub_inertia": 1e-2})], prescribed("a", MOVE, control=law), resolution=30,
                   step=5e-4, every=2e-3)  # fmt: skip
    run, other = fa.simulate(one), fa.simulate(by_fem(one))
    assert run.success and np.abs(run.data.tip_deflection.values[:, 1]).max() > 1e-3
    a, b = (r.data.tip_position.values for r in (run, other))
    assert np.abs(a - b).max() < 1e-3 * np.abs(b).max()


def test_rigid_links_have_no_section_forces():
    one = scenario([beam("a", flexible=False), beam("b")], BOTH, end=0.05)
    data = fa.simulate(one).data
    for name in ("axial_force", "shear_force", "bending_moment"):
        assert np.all(np.isnan(data[name].values[:, 0])) and np.all(np.isfinite(data[name].values[:, 1]))


@pytest.mark.parametrize("variant", ["sound", "paper"])
def test_one_link_that_is_clamped(variant):
    """A fixed joint: no drive, no joint in the result; the beam hangs by its weight."""
    gauges = {"gauges": [{"link": "a", "at": 0.5, "name": "g"}]}
    one = scenario([beam("a", joint={"type": "fixed"})], arm={"gravity": DOWN}, start="equilibrium", end=0.05,
                   resolution=60, variant=variant, ends="half", output=gauges)  # fmt: skip
    run = fa.simulate(one)
    load, EI = 9.81 * ALUMINIUM["density"] * 0.02 * 0.005, ALUMINIUM["E"] * 0.02 * 0.005**3 / 12
    sag = -load * 0.5**4 / (8 * EI)
    assert run.success and run.data.sizes["joint"] == 0
    for name in ("travel", "link_deformation", "tip_position"):
        value = run.data[name].values.reshape(len(run.data.time), -1)[:, 1 if name == "tip_position" else 0]
        assert value == pytest.approx(np.full(len(value), sag), rel=2e-3), name
    moment = 0.5 * load * 0.25**2
    assert run.data.strain.values[:, 0] == pytest.approx(0.5 * BAR["height"] * moment / EI, rel=2e-3)
    found = history(one)
    assert "tip.travel" in found and not any("position" in name for name in found)
    assert fa.frequencies(one, n=1).hz == pytest.approx(fa.frequencies(by_fem_clamped(one), n=1).hz, rel=1e-3)


def by_fem_clamped(one):
    """The same beam on a joint that holds its angle, by finite elements."""
    return by_fem(scenario([beam("a")], prescribed("a", {"profile": "constant"}), arm={"gravity": DOWN}, end=0.05))
