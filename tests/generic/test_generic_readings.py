"""Readings and signals have the same names and meaning in every method; what a method cannot give is refused, not absent."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from generic_arms import METHODS, RESOLUTION, SCHEME, one_link

import flexarm as fa
from flexarm.errors import CapabilityError, FlexarmError
from flexarm.methods import get_method
from flexarm.simulation.build import prepare

WATCH = {
    "output.gauges": [{"link": "link", "at": 0.2, "name": "gauge"}, {"link": "link", "at": 0.5, "side": "bottom"}],
    "output.sensors": [
        {"name": "moved", "link": "link", "at": 0.7, "kind": "displacement"},
        {"name": "turned", "link": "link", "at": 0.7, "kind": "slope"},
        {"name": "strained", "link": "link", "at": 0.2, "kind": "strain"},
    ],
}
TWO = """\
name: two links
arm:
  links:
    - {name: upper, length: 0.6 m, section: {shape: rectangle, width: 40 mm, height: 6 mm}, material: aluminium,
       joint: {hub_inertia: 1e-3 kg*m^2}}
    - {name: fore, length: 0.5 m, section: {shape: rectangle, width: 30 mm, height: 5 mm}, material: aluminium,
       joint: {position: 0.6 rad, hub_inertia: 1e-3 kg*m^2}}
  payload: {mass: 0.1 kg, inertia: 1e-5 kg*m^2}
drive:
  - {joint: upper, motion: {profile: quintic, by: 0.2 rad, duration: 0.1 s}}
  - {joint: fore, motion: {profile: quintic, by: -0.3 rad, duration: 0.1 s}}
method: {name: fem}
time: {end: 0.12 s, step: 0.5 ms}
output: {every: 1 ms}
"""
CHORD = {"type": "pd", "kp": 20.0, "kv": 0.5, "sensor": "chord", "period": "1 ms"}


def with_method(scenario: fa.Scenario, method: str) -> fa.Scenario:
    """The scenario by another method on a mesh that is fine enough."""
    return scenario.with_(
        {"method": {"name": method, "resolution": RESOLUTION.get(method, 8), **SCHEME.get(method, {})}}
    )


def able(scenario: fa.Scenario) -> list[str]:
    """Methods that take a scenario."""
    found = []
    for method in METHODS:
        try:
            prepare(with_method(scenario, method))
        except FlexarmError:
            continue
        found.append(method)
    return found


@cache
def watched(method: str) -> fa.Result:
    """A run of the one link with gauges and sensors."""
    return fa.simulate(one_link(method, "control", **{key.replace(".", "__"): value for key, value in WATCH.items()}))


@cache
def outputs(method: str) -> tuple[str, ...]:
    changes = {key.replace(".", "__"): value for key, value in WATCH.items()}
    return fa.Simulator(one_link(method, "torque", **changes)).outputs


@pytest.mark.parametrize("method", METHODS)
def test_one_link_offers_the_same_readings_in_every_method(method):
    assert outputs(method) == outputs(METHODS[0])
    assert {"link.chord_velocity", "tip.x", "tip.velocity_y", "tip.travel", "gauge", "turned"} <= {*outputs(method)}


@pytest.mark.parametrize("method", METHODS)
def test_runs_show_the_same_signals_in_every_method(method):
    """Angular momentum is given by linear methods alone."""
    first, other = watched(METHODS[0]).data, watched(method).data
    common = {name for name in first.data_vars if name not in ("angular_momentum", "torque_impulse")}
    assert common == {name for name in other.data_vars if name not in ("angular_momentum", "torque_impulse")}
    for name in common:
        assert first[name].dims == other[name].dims and first[name].attrs == other[name].attrs, name


@pytest.mark.parametrize("signal, close", [
    ("strain", 0.01), ("reading", 0.01), ("bending_moment", 0.015), ("shear_force", 0.05), ("joint_torque", 0.01),
])  # fmt: skip
@pytest.mark.parametrize("method", METHODS)
def test_signals_mean_the_same_in_every_method(method, signal, close):
    """Within a share of the largest value that finite elements of second order give."""
    wanted, found = (watched(name).data[signal].values for name in ("fem", method))
    assert np.abs(found - wanted).max() < close * np.abs(wanted).max()


@pytest.mark.parametrize("method", METHODS)
def test_rates_are_the_rates_of_positions(method):
    """Readings of velocity against central differences of the readings of position, step by step."""
    simulator = fa.Simulator(one_link(method, "torque", output__every=None), period="0.5 ms")
    rows = [simulator.reset().copy()]
    rows += [simulator.step([0.05]).copy() for _ in range(60)]
    names, table = list(simulator.outputs), np.array(rows)
    pairs = [(name, name.replace("position", "velocity")) for name in names if name.endswith("position")]
    pairs += [("tip.x", "tip.velocity_x"), ("tip.y", "tip.velocity_y"), ("tip.travel", "tip.velocity")]
    for place, rate in pairs:
        slope = (table[2:, names.index(place)] - table[:-2, names.index(place)]) / 1e-3
        given = table[1:-1, names.index(rate)]
        assert np.abs(slope - given)[5:].max() < 0.02 * max(np.abs(given).max(), 1e-4), place


@cache
def two_links() -> fa.Scenario:
    return fa.loads(TWO)


def test_several_links_offer_the_same_readings_in_every_method_that_takes_them():
    methods = able(two_links())
    found = {method: fa.Simulator(with_method(two_links(), method)).outputs for method in methods}
    assert len(methods) >= 4 and len(set(found.values())) == 1


@pytest.mark.parametrize("method", METHODS)
def test_a_sampled_law_on_the_chord_runs_wherever_there_is_one(method):
    drive = [{**one_link(method, "control").tree["drive"][0], "control": CHORD}]
    run = fa.simulate(one_link(method).with_({"drive": drive}))
    reference = fa.simulate(one_link("fem").with_({"drive": drive}))
    assert run.success
    travel, wanted = run.data.travel.values, reference.data.travel.values
    assert np.abs(travel - wanted).max() < 0.02 * np.abs(wanted).max()


@pytest.mark.parametrize("method", [name for name in METHODS if get_method(name).capabilities.spatial])
def test_a_law_on_the_chord_is_refused_in_space_before_the_run(method):
    drive = [{**one_link(method, "control").tree["drive"][0], "control": CHORD}]
    spatial = one_link(method).with_(
        {"drive": drive, "arm.links.link.joint.dh": {"a": 0.8}, "method": {"name": method}}
    )
    with pytest.raises(CapabilityError, match="chord"):
        prepare(spatial)


@pytest.mark.parametrize("method", METHODS)
def test_a_link_on_a_fixed_joint_runs(method):
    """A clamped link under its own weight, released from straight, against the exact first frequency of a clamped beam."""
    clamped = one_link(method).with_({
        "drive": [], "arm.links.link.joint": {"type": "fixed"}, "arm.gravity": [0.0, -9.81, 0.0], "arm.payload.mass": 0.0,
        "arm.payload.inertia": 0.0, "time.end": 0.2, "output.every": 5e-4,
    })  # fmt: skip
    run = fa.simulate(clamped)
    assert run.success and run.data.sizes["joint"] == 0
    tip = run.data.deflection.values[:, 0, -1]
    sag, exact = 2700.0 * 9.81 * 12.0 * 0.8**4 / (8.0 * 70e9 * 0.005**2), 3.5160 / (2 * np.pi)
    hertz = exact * np.sqrt(70e9 * 0.005**2 / 12.0 / 2700.0) / 0.8**2
    first = run.data.time.values[int(np.argmin(tip[: int(1.0 / hertz / 5e-4)]))]
    assert abs(first - 0.5 / hertz) < 0.06 / hertz and abs(tip.min() / sag + 2.0) < 0.15


@pytest.mark.parametrize("method", [name for name in METHODS if get_method(name).capabilities.rigid_links])
def test_section_forces_of_a_rigid_link_are_not_known(method):
    links = two_links().tree["arm"]["links"]
    rigid = [{**links[0], "flexible": False}, links[1]]
    run = fa.simulate(with_method(two_links().with_({"arm.links": rigid}), method))
    assert run.success
    for name in ("axial_force", "shear_force", "bending_moment"):
        values = run.data[name]
        assert np.all(np.isnan(values.sel(link="upper"))) and not np.any(np.isnan(values.sel(link="fore")))


def test_section_forces_of_a_rigid_link_in_space_are_not_known():
    scenario = fa.load("naganathan-3r")
    links = [{**link, "flexible": False} if k == 0 else link for k, link in enumerate(scenario.tree["arm"]["links"])]
    run = fa.simulate(scenario.with_({"arm.links": links, "time.end": 0.01}))
    assert np.all(np.isnan(run.data.bending_moment.values[:, 0])) and np.all(
        np.isfinite(run.data.bending_moment.values[:, 1])
    )


def test_unknown_kinds_of_sensors_raise():
    with pytest.raises(FlexarmError, match="displacement"):
        one_link("fd", output__sensors=[{"name": "odd", "link": "link", "at": 0.5, "kind": "colour"}])


@pytest.mark.parametrize("method", METHODS)
def test_the_root_feels_what_the_joint_transmits_damping_included(method):
    """Without hub inertia the moment in the first section is the torque through the joint; five per cent of damping."""
    damped = one_link(method, "motion", arm__damping={"ratio": "5 %"}, arm__links__link__joint={"hub_inertia": 0.0})
    data = fa.simulate(damped).data
    root, torque = data.bending_moment.values[:, 0, 0], data.joint_torque.values[:, 0]
    assert np.abs(root + torque).max() < 0.03 * np.abs(torque).max()
