"""What is read off a tree, against what the readings mean: differences of positions, stiff links, torques at the joints, and
the section forces of finite elements."""

from __future__ import annotations

import numpy as np
import pytest
from modes_arms import DOWN, link, ralf, scenario

import flexarm as fa

MOVE = {"profile": "cycloid", "by": 0.8, "duration": 0.3}
BACK = {"profile": "cycloid", "by": -0.5, "duration": 0.25}
FORCES = ("axial_force", "shear_force", "bending_moment")


def pair(**more):
    """Two links with taper, lumps beside the axis and an offset payload, both joints moved."""
    taper = [{"at": 0.0, "shape": "rectangle", "width": 0.02, "height": 0.015},
             {"at": 1.0, "shape": "rectangle", "width": 0.02, "height": 0.008}]  # fmt: skip
    links = [
        link("a", 0.6, section=taper, masses=[{"at": 0.6, "mass": 0.1, "inertia": 1e-4}], joint={"position": 0.3}),
        link("b", 0.4, joint={"position": -0.7, "motor_mass": 0.2}),
    ]
    drive = [{"joint": "a", "motion": MOVE}, {"joint": "b", "motion": BACK}]
    arm = {"payload": {"mass": 0.1, "inertia": 1e-4, "offset": [0.02, 0.01]}, "gravity": DOWN, **more.pop("arm", {})}
    return scenario(links, drive, arm=arm, **{"resolution": 4, **more})


def history(run, period=5e-4):
    """Readings at every period of a run, by name."""
    simulator = fa.Simulator(run, period=period)
    rows = [simulator.reset().copy()]
    while not simulator.finished:
        rows.append(simulator.step().copy())
    return dict(zip(simulator.outputs, np.array(rows).T, strict=True))


@pytest.mark.parametrize("order", ["none", "second-order"])
def test_rates_are_those_of_the_positions(order):
    found = history(pair(stiffening=order, time={"end": 0.1, "step": 2.5e-4}), 2.5e-4)
    for place, rate in (
        ("tip.x", "tip.velocity_x"), ("tip.y", "tip.velocity_y"), ("a.chord_position", "a.chord_velocity"),
        ("b.chord_position", "b.chord_velocity"), ("a.position", "a.velocity"), ("b.position", "b.velocity"),
    ):  # fmt: skip
        middle = (found[place][2:] - found[place][:-2]) / 5e-4
        assert found[rate][1:-1] == pytest.approx(middle, abs=2e-3 * np.abs(middle).max()), rate


def test_a_stiff_link_is_where_its_joint_says():
    turned = [{"joint": "a", "motion": {"profile": "cycloid", "by": 7.0, "duration": 0.15}}]
    found = history(scenario([link("a", 0.5, flexible=False)], turned, time={"end": 0.2}), 1e-3)
    angle = found["a.position"]
    assert angle.max() == pytest.approx(7.0) and np.abs(found["tip.deflection"]).max() == 0.0
    for name, wanted in (
        ("a.chord_position", angle), ("tip.travel", 0.5 * angle), ("tip.velocity", 0.5 * found["a.velocity"]),
        ("tip.x", 0.5 * np.cos(angle)), ("tip.velocity_y", 0.5 * np.cos(angle) * found["a.velocity"]),
    ):  # fmt: skip
        assert found[name] == pytest.approx(wanted, abs=1e-12), name


def test_a_bent_link_turns_its_chord():
    """Travel is that of the joint and the deflection of the end; the chord points to that end."""
    found = history(scenario([link("a", 0.8)], [{"joint": "a", "motion": MOVE}], time={"end": 0.1}), 1e-3)
    bend = found["tip.deflection"]
    assert np.abs(bend).max() > 1e-3
    assert found["tip.travel"] == pytest.approx(0.8 * found["a.position"] + bend, abs=1e-14)
    assert found["a.chord_position"] == pytest.approx(np.arctan2(found["tip.y"], found["tip.x"]), abs=1e-12)


@pytest.mark.parametrize("time", [0.0, 2e-3])
@pytest.mark.parametrize("order", ["none", "second-order"])
def test_a_cut_at_the_root_feels_the_torque_of_the_joint(order, time):
    """Without a hub, to rounding, however few shapes there are; the damping of the links is in it."""
    damping = {"damping": {"time": time}} if time else {}
    data = fa.simulate(pair(arm=damping, resolution=2, stiffening=order)).data
    moment, torque = -data.bending_moment.values[:, :, 0], data.joint_torque.values
    assert np.abs(moment - torque).max() < 1e-10 * np.abs(torque).max()


def test_forces_at_the_root_accelerate_all_that_is_beyond():
    """Against the mass times acceleration of the centre of a link, by differences of its shape."""
    run = scenario([link("a", 0.6)], [{"joint": "a", "motion": MOVE}], resolution=6, output={"stations": 81},
                   arm={"damping": {"time": 2e-3}, "gravity": DOWN}, time={"step": 2.5e-4, "start": "equilibrium"})  # fmt: skip
    data = fa.simulate(run).data
    centre = np.trapezoid(data["shape"].values[:, 0, :, :2], data.s.values, axis=1)
    mass = 0.6 * 2700 * 0.02 * 0.01
    force = mass * (np.diff(centre, 2, axis=0) / 2.5e-4**2 - np.array(DOWN[:2]))  # by the hub on the link
    c, s = np.cos(data.joint_position.values[1:-1, 0]), np.sin(data.joint_position.values[1:-1, 0])
    for name, wanted in (
        ("axial_force", -(force[:, 0] * c + force[:, 1] * s)),
        ("shear_force", force[:, 0] * s - force[:, 1] * c),
    ):
        found = data[name].values[1:-1, 0, 0]
        assert found == pytest.approx(wanted, abs=2e-3 * np.abs(wanted).max()), name
        assert np.abs(data[name].values[:, 0, -1]).max() < 1e-9 * np.abs(wanted).max(), name
    assert np.abs(data.bending_moment.values[:, 0, -1]).max() < 1e-9 * np.abs(data.bending_moment).max()


def test_moment_in_the_sections_is_that_of_the_curvature():
    """Strain at a gauge, which is kinematic, against the section forces: they agree better the more shapes there are."""

    def off(shapes):
        gauges = {"gauges": [{"link": "a", "at": 0.3, "name": "g"}], "stations": 11}
        run = scenario([link("a", 0.8)], [{"joint": "a", "motion": MOVE}], resolution=shapes, output=gauges,
                       time={"step": 5e-4})  # fmt: skip
        data = fa.simulate(run).data
        EI, half = 70e9 * 0.02 * 0.01**3 / 12, 0.005
        moment = -data.strain.values[:, 0] * EI / half
        return np.abs(moment - data.bending_moment.values[:, 0, 3]).max() / np.abs(moment).max()

    assert off(8) < 0.01 and off(8) < 0.3 * off(3)


@pytest.mark.parametrize("method, time, axial, within", [("fem", 0.0, 0.01, 0.005), ("segments", 2e-3, 0.02, 0.02)])
def test_section_forces_are_those_of_other_methods(method, time, axial, within):
    """With and without damping; but for the station of a lump, where forces jump. Elements stretch a little, so that their
    axial force rings."""
    damping = {"damping": {"time": time}} if time else {}
    run = pair(arm=damping, resolution=6, time={"step": 5e-4, "start": "equilibrium"},
               output={"every": 2e-3, "stations": 11})  # fmt: skip
    other = run.with_({"method": {"name": method, "resolution": 40}})
    a, b = fa.simulate(run).data, fa.simulate(other).data
    for name, share in zip(FORCES, (axial, within, within), strict=True):
        size = np.abs(b[name].values).max()
        off = np.abs(a[name].values[5:] - b[name].values[5:])[:, :, [1, 2, 3, 4, 5, 7, 8, 9]]
        assert off.max() < share * size, name


def test_pins_of_a_loop_are_forces_on_what_is_beyond():
    """The moment of the actuating link vanishes at both pins, that of the upper link jumps by the pin behind its root."""
    data = fa.simulate(ralf(**{"time.end": 0.1})).data
    moment, torque = data.bending_moment, data.joint_torque
    size = float(np.abs(moment).max())
    assert np.abs(moment.sel(link="actuating").isel(s=[0, -1])).max() < 1e-9 * size
    assert np.abs(moment.sel(link="lower").isel(s=0) + torque.sel(joint="lower")).max() < 1e-9 * size
    pin = data.loop_force.isel(loop=0).values  # on the first link
    ends = data["shape"].sel(link="actuating").isel(s=[0, -1]).values[:, :, :2]
    along = ends[:, 1] - ends[:, 0]
    along /= np.linalg.norm(along, axis=1)[:, None]
    pull = np.abs((pin[:, :2] * along).sum(axis=1))
    axial = np.abs(data.axial_force.sel(link="actuating").isel(s=-1).values)
    assert axial == pytest.approx(pull, abs=2e-3 * pull.max())


def test_rigid_links_have_no_section_forces():
    links = [link("a", 0.5, flexible=False), link("b", 0.5)]
    data = fa.simulate(scenario(links, [{"joint": "a", "motion": MOVE}], time={"end": 0.05})).data
    for name in FORCES:
        assert np.all(np.isnan(data[name].values[:, 0])) and np.all(np.isfinite(data[name].values[:, 1]))


def test_one_link_that_is_clamped():
    """A fixed joint: no drive, no joint in the result; the beam hangs by its weight."""
    run = scenario([link("a", 0.5, joint={"type": "fixed"})], arm={"gravity": DOWN},
                   time={"start": "equilibrium", "end": 0.01}, resolution=6)  # fmt: skip
    data = fa.simulate(run).data
    load, EI = 9.81 * 2700 * 0.02 * 0.01, 70e9 * 0.02 * 0.01**3 / 12
    assert data.sizes["joint"] == 0
    assert data.travel.values == pytest.approx(np.full(len(data.time), -load * 0.5**4 / (8 * EI)), rel=1e-4)
    assert data.bending_moment.values[:, 0, 0] == pytest.approx(np.full(len(data.time), -0.5 * load * 0.25), rel=1e-6)
    found = history(run, 1e-3)
    assert "tip.travel" in found and not any("position" in name for name in found)


@pytest.mark.parametrize("axial", [0, 3])
def test_gauges_read_the_axial_strain_of_a_hanging_link(axial):
    arm = {"payload": {"mass": 2.0}, "gravity": DOWN}
    output = {"gauges": [{"link": "a", "at": at} for at in (0.0, 0.4)]}
    rod = scenario([link("a", joint={"position": -np.pi / 2})], arm=arm, output=output, axial_modes=axial)
    found = fa.simulate(
        rod.with_({"time": {"end": 1e-3, "step": 1e-3, "start": "equilibrium"}}), warn=False
    ).data.strain
    load = (2.0 + 2700.0 * 2e-4 * np.array([1.0, 0.6])) * 9.81
    assert found.values[0] == pytest.approx(load / (70e9 * 2e-4), rel=1e-6 if axial == 0 else 0.05)


def test_gauges_of_a_swinging_link_read_what_finite_elements_read():
    gauges = {"gauges": [{"link": "a", "at": 0.3}, {"link": "b", "at": 0.2}], "every": 0.005}
    slow = pair(output=gauges, time={"end": 0.3, "step": 5e-4})
    found = fa.simulate(slow, warn=False).data.strain
    fine = fa.simulate(slow.with_({"method": {"name": "fem", "resolution": 10, "order": 2}}), warn=False).data.strain
    assert np.abs(found - fine).max() < 0.02 * np.abs(fine).max()


def test_the_root_of_a_heavily_bent_link_feels_the_torque_of_its_joint():
    soft = [link("a", section={"shape": "rectangle", "width": 0.02, "height": 0.003})]
    arm = {"payload": {"mass": 0.3, "inertia": 1e-4, "offset": [0.02, 0.03]}, "gravity": DOWN}
    drive = [{"joint": "a", "motion": {"profile": "cycloid", "by": 1.0, "duration": 0.3}}]
    run = fa.simulate(scenario(soft, drive, arm=arm, time={"end": 0.4}), warn=False)
    assert run.success and np.abs(run.data.deflection).max() > 0.3
    root = run.data.bending_moment.sel(link="a").isel(s=0).values
    torque = run.data.joint_torque.sel(joint="a").values
    assert (
        np.abs(root + torque).max() < 1e-8 * np.abs(torque).max()
        or np.abs(root - torque).max() < 1e-8 * np.abs(torque).max()
    )
