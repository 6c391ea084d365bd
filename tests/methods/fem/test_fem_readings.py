"""What is read off the nodes, against what the readings mean: differences of positions, stiff links, torques, inertia."""

from __future__ import annotations

import numpy as np
import pytest
from fem_arms import ALUMINIUM, DOWN, ROD, beam, case1, moved, scenario

import flexarm as fa

MOVE = {"profile": "cycloid", "by": 0.8, "duration": 0.3}
BACK = {"profile": "cycloid", "by": -0.5, "duration": 0.25}
SPRING = {"stiffness": 400.0, "damping": 1.0, "rotor_inertia": 0.05}
BAR = {"section": {"shape": "rectangle", "width": 0.02, "height": 0.01}}
TAPER = {"section": [
    {"at": 0, "shape": "rectangle", "width": 0.02, "height": 0.012},
    {"at": 1, "shape": "rectangle", "width": 0.02, "height": 0.006},
]}  # fmt: skip
LAW = {"type": "pd", "kp": 100.0, "kv": 10.0}


def history(one, period: float) -> dict[str, np.ndarray]:
    """Readings at every period of a run, by name."""
    simulator = fa.Simulator(one, period=period)
    rows = [simulator.reset().copy()]
    while not simulator.finished:
        rows.append(simulator.step().copy())
    return dict(zip(simulator.outputs, np.array(rows).T, strict=True))


@pytest.mark.parametrize("theory", ["exact", "link", "linear"])
@pytest.mark.parametrize("drive", ["motion", "law", "spring"])
def test_rates_are_those_of_the_positions(drive, theory):
    """Of links, chords, tip, and of motors before springs whose command moves."""
    control = {} if drive == "motion" else {"control": LAW}
    joint = SPRING if drive == "spring" else {"hub_inertia": 0.1}
    links = [
        beam("a", 0.6, joint={"position": 0.3, **joint}, **BAR),
        beam("b", 0.4, joint={"position": -0.7, **SPRING}, **BAR),
    ]
    one = scenario(links, [moved("a", MOVE, **control), moved("b", BACK)], end=0.2, step=2.5e-4, theory=theory,
                   integrator="generalised-alpha")  # fmt: skip
    found = history(one, 2.5e-4)
    pairs = [("tip.x", "tip.velocity_x"), ("tip.y", "tip.velocity_y")]
    pairs += [(f"{j}.{kind}position", f"{j}.{kind}velocity") for j in "ab" for kind in ("", "motor_", "chord_")]
    for place, rate in pairs:
        middle = (found[place][2:] - found[place][:-2]) / 5e-4
        assert found[rate][1:-1] == pytest.approx(middle, abs=5e-3 * np.abs(middle).max()), rate


def test_a_stiff_link_is_where_its_joint_says():
    turned = moved("a", {"profile": "cycloid", "by": 7.0, "duration": 0.15})
    found = history(scenario([beam("a", 0.5, flexible=False)], turned, end=0.2), 1e-3)
    angle = found["a.position"]
    assert angle.max() == pytest.approx(7.0) and np.abs(found["tip.deflection"]).max() == 0.0
    for name, wanted in (
        ("a.chord_position", angle), ("tip.travel", 0.5 * angle), ("tip.velocity", 0.5 * found["a.velocity"]),
        ("tip.x", 0.5 * np.cos(angle)), ("tip.velocity_y", 0.5 * np.cos(angle) * found["a.velocity"]),
    ):  # fmt: skip
        assert found[name] == pytest.approx(wanted, abs=1e-11), name


@pytest.mark.parametrize("theory", ["exact", "linear"])
@pytest.mark.parametrize("time", [0.0, 2e-3])
def test_a_cut_at_the_root_feels_the_torque_of_the_joint(time, theory):
    """Without a hub; the damping of the link is part of it. On any mesh: the moment is balanced at the nodes."""

    def off(elements):
        arm = {"damping": {"time": time}} if time else {}
        one = scenario([beam("a", 0.6, **TAPER)], moved("a", MOVE), arm=arm, resolution=elements, step=5e-4, end=0.3,
                       theory=theory)  # fmt: skip
        data = fa.simulate(one).data
        moment, torque = -data.bending_moment.values[:, 0, 0], data.joint_torque.values[:, 0]
        return np.abs(moment - torque)[6:].max() / np.abs(torque).max()

    assert off(6) < 5e-5 and off(24) < 5e-5


def test_damping_is_part_of_section_forces_but_not_of_strain():
    gauges = {"gauges": [{"link": "a", "at": 0.1875, "name": "g"}]}
    one = scenario([beam("a", 0.6, **BAR)], moved("a", MOVE), arm={"damping": {"time": 5e-3}}, end=0.2, step=2.5e-4,
                   resolution=8, output={"stations": 17, **gauges})  # fmt: skip
    data = fa.simulate(one).data
    moment, strain = data.bending_moment.values[:, 0, 3], data.strain.values[:, 0]
    EI, half = ALUMINIUM["E"] * 0.02 * 0.01**3 / 12, 0.005
    bent = EI * (-strain) / half  # axial strain is four orders smaller
    rate = np.gradient(bent, 2.5e-4)
    inner = slice(8, -2)
    assert np.abs(moment - bent)[inner].max() > 0.05 * np.abs(moment).max()
    assert moment[inner] == pytest.approx((bent + 5e-3 * rate)[inner], abs=5e-3 * np.abs(moment).max())


def test_forces_at_the_root_accelerate_the_whole_link():
    """Axial and shear force at the root against the mass times acceleration of its centre, by differences of the shape."""
    h = 2.5e-4
    one = scenario([beam("a", 0.6)], moved("a", MOVE), arm={"gravity": DOWN}, resolution=24, step=h, start="equilibrium",
                   end=0.3, output={"stations": 41})  # fmt: skip
    data = fa.simulate(one).data
    centre = np.trapezoid(data["shape"].values[:, 0, :, :2], data.s.values, axis=1)
    mass = 0.6 * ALUMINIUM["density"] * ROD["area"]
    force = mass * (np.diff(centre, 2, axis=0) / h**2 - np.array(DOWN[:2]))  # by the hub on the link
    c, s = np.cos(data.joint_position.values[1:-1, 0]), np.sin(data.joint_position.values[1:-1, 0])
    for name, wanted in (
        ("axial_force", -(force[:, 0] * c + force[:, 1] * s)),
        ("shear_force", force[:, 0] * s - force[:, 1] * c),
    ):
        found = data[name].values[1:-1, 0, 0]
        assert found == pytest.approx(wanted, abs=0.05 * np.abs(wanted).max()), name


def test_rigid_links_have_no_section_forces():
    data = fa.simulate(
        scenario([beam("a", flexible=False), beam("b")], [moved("a", MOVE), moved("b", BACK)], end=0.05)
    ).data
    for name in ("axial_force", "shear_force", "bending_moment"):
        assert np.all(np.isnan(data[name].values[:, 0])) and np.all(np.isfinite(data[name].values[:, 1]))


def test_one_link_that_is_clamped():
    """A fixed joint: no drive, no joint in the result; the beam hangs by its weight."""
    gauges = {"gauges": [{"link": "a", "at": 0.5, "name": "g"}]}
    one = scenario([beam("a", 0.5, joint={"type": "fixed"}, **BAR)], arm={"gravity": DOWN}, start="equilibrium", end=0.05,
                   resolution=60, output=gauges)  # fmt: skip
    run = fa.simulate(one)
    load, EI = 9.81 * ALUMINIUM["density"] * 0.02 * 0.01, ALUMINIUM["E"] * 0.02 * 0.01**3 / 12
    sag = -load * 0.5**4 / (8 * EI)
    assert run.success and run.data.sizes["joint"] == 0
    for name in ("travel", "link_deformation", "tip_position"):
        value = run.data[name].values.reshape(len(run.data.time), -1)[:, 1 if name == "tip_position" else 0]
        assert value == pytest.approx(np.full(len(value), sag), rel=2e-3), name
    assert run.data.strain.values[:, 0] == pytest.approx(0.005 * 0.5 * load * 0.25**2 / EI, rel=2e-3)
    found = history(one, 1e-3)
    assert "tip.travel" in found and not any("position" in name for name in found)
    held = scenario([beam("a", 0.5, **BAR)], moved("a", {"profile": "constant"}), arm={"gravity": DOWN}, resolution=60)
    assert fa.frequencies(one, n=2).hz == pytest.approx(fa.frequencies(held, n=2).hz, rel=1e-9)


@pytest.mark.parametrize("theory", ["exact", "linear", "quasi-static"])
def test_work_is_that_of_the_torques_along_the_angles(theory):
    """By the trapezoidal rule over the recorded steps."""
    data = fa.simulate(case1(theory=theory, end=0.5, step=1e-3)).data
    torque, angle = data.drive_torque.values, data.joint_position.values
    wanted = np.sum(0.5 * (torque[1:] + torque[:-1]) * np.diff(angle, axis=0))
    assert float(data.energy.sel(kind="work")[-1]) == pytest.approx(wanted, rel=1e-9)
