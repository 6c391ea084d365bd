"""Equilibrium against closed forms: roll-up, weight, springs, strain gauges, tapered links."""

from __future__ import annotations

import numpy as np
import pytest
from fem_arms import DOWN, HOLD, beam, evaluated, model_of, moved, scenario, slender

import flexarm as fa
from flexarm.methods.fem import layout as at
from flexarm.methods.fem.equilibrium import set_pose

G = 9.81
THEORIES = ("exact", "link", "linear")


def bent(model, force: np.ndarray, parts: int = 1) -> np.ndarray:
    """Unknowns in equilibrium with constant forces, by Newton's method in the test."""
    state = model.empty()
    set_pose(model, state, model.arm.pose)
    q, frame = state.x[model.layout["q"]].copy(), state.x[model.layout["frame"]].reshape(at.FRAME, model.links)
    zero = np.zeros(model.size)
    for part in range(1, parts + 1):
        for _ in range(40):
            residual, K = evaluated(model, q, zero, zero, frame, 0.0, 0.0)
            step = -np.linalg.solve(K, residual - force * part / parts)
            q = q + step
            if np.abs(step).max() < 1e-13:
                break
        assert np.abs(step).max() < 1e-9
    return q


@pytest.mark.parametrize("order", [1, 2, 3])
def test_cantilever_rolls_up_to_a_full_circle(order):
    """An end moment 2 pi EI / L bends a straight link into a circle: exact with any number of elements.

    Nodes of linear elements lie on a circle whose chord per element is h; the tip comes back to the root.
    """
    n = 12
    model = model_of(scenario([beam("link")], moved("link", HOLD), resolution=n, order=order))
    force = np.zeros(model.size)
    tip = model.mesh.nodes[0][-1]
    force[tip[2]] = 2 * np.pi * 70e9 * 1e-8
    q = bent(model, force, 8 if order == 1 else 60)
    angle = q[model.mesh.nodes[0][1:, 2]]
    assert angle == pytest.approx(2 * np.pi * model.mesh.places[0][1:], abs=1e-9 if order == 1 else 1e-3)
    assert np.abs(q[tip[:2]]).max() < (1e-9 if order == 1 else 2e-3)
    if order == 1:  # corners of a regular polygon whose sides are the elements
        corners = np.vstack([[0.0, 0.0], q[model.mesh.nodes[0][1:-1, :2]]])
        assert np.linalg.norm(np.diff(corners, axis=0), axis=1) == pytest.approx(1.0 / n, rel=1e-9)
        radius = 0.5 / n / np.sin(np.pi / n)
        assert np.linalg.norm(corners - corners.mean(axis=0), axis=1) == pytest.approx(radius, rel=1e-9)


def test_large_deflection_of_a_cantilever():
    """Follower-free end force P = 2 EI / L^2: the elastica gives u = 0.16064 L, w = 0.49346 L."""
    section = {"area": 1.0, "inertia": 1e-6, "shear_factor": 1.0}
    link = beam("link", section=section, material={"E": 1e9, "density": 1.0, "G": 1e9})
    found = []
    for n in (8, 16, 32):
        model = model_of(scenario([link], moved("link", HOLD), resolution=n))
        force = np.zeros(model.size)
        tip = model.mesh.nodes[0][-1]
        force[tip[1]] = 2.0 * 1e9 * 1e-6
        q = bent(model, force, 8)
        found.append([1.0 - q[tip[0]], q[tip[1]]])
    errors = np.abs(np.array(found) - [0.16064, 0.49346])
    assert errors[-1].max() < 5e-4
    assert np.log2(errors[0] / errors[1]) == pytest.approx([2.0, 2.0], abs=0.2)


@pytest.mark.parametrize("theory", THEORIES)
def test_end_force_has_the_error_of_the_midpoint_rule(theory):
    """P L^3 / 3 EI (1 - 1 / 4 n^2) + P L / GA."""
    for n in (1, 2, 4, 8):
        model = model_of(scenario([beam("link")], moved("link", HOLD), resolution=n, theory=theory))
        linear = model.linearise()
        GA = 70e9 / 2.6 * 350e-6 * 0.8864
        found = linear.reading("tip.y") @ np.linalg.solve(linear.K, linear.reading("tip.y"))
        assert found == pytest.approx((1 - 0.25 / n**2) / (3 * 700.0) + 1.0 / GA, rel=1e-9)


def test_exact_integration_locks():
    """With one element too stiff by the ratio of shear to bending, which vanishes as it is refined."""
    ratios = []
    for n in (1, 4, 64):
        model = [model_of(scenario([beam("link")], moved("link", HOLD), resolution=n, integration=i)).linearise()
                 for i in ("exact", "reduced")]  # fmt: skip
        full, reduced = (m.reading("tip.y") @ np.linalg.solve(m.K, m.reading("tip.y")) for m in model)
        ratios.append(reduced / full)
    assert ratios[0] > 500 and ratios[1] > 30 and ratios[2] < 1.6


def resting(links, *, motion=None, **changes):
    """A run that starts in equilibrium, all joints held."""
    drives = [moved(link["name"], motion or HOLD) for link in links]
    arm = {"gravity": DOWN, **changes.pop("arm", {})}
    return fa.simulate(scenario(links, drives, arm=arm, start="equilibrium", **{"end": 0.2, **changes}))


@pytest.mark.parametrize("theory", [*THEORIES, "quasi-static"])
def test_equilibrium_stays_at_rest(theory):
    links = [beam("upper", joint={"position": 0.3, "stiffness": 3000.0}), beam("fore", joint={"position": -1.0})]
    run = resting(links, arm={"payload": {"mass": 1.0, "inertia": 0.01, "offset": [0.1, 0.05]}}, theory=theory, end=0.5)
    shape = run.data["shape"].values
    assert run.success and np.abs(shape - shape[0]).max() < 1e-9
    assert np.abs(run.data["tip_error"].values[0, 1]) > 1e-3
    assert np.abs(run.data["energy"].sel(kind="kinetic").values).max() < 1e-12


def test_equilibrium_rings_when_the_start_is_straight():
    run = fa.simulate(
        scenario([slender()], moved("link", HOLD), arm={"gravity": DOWN}, end=1.0, step=1e-3, resolution=8)
    )
    low = run.data["deflection"].values[:, 0, -1].min()
    rest = resting([slender()], resolution=8).data["deflection"].values[0, 0, -1]
    assert low == pytest.approx(2 * rest, rel=0.06)


def test_weight_and_payload_bend_a_link():
    """Slender bar: rho g L^4 / 8 EI + M g L^3 / 3 EI, and the torque at the root, which needs no fine mesh."""
    L, EI, rhoA = 0.96, 71.1e9 * 5.1924e-11, 2710 * 6.1544e-5
    exact = -rhoA * G * L**4 / (8 * EI) - 0.05 * G * L**3 / (3 * EI)
    errors = []
    for n in (4, 8, 16):
        run = resting([slender()], arm={"payload": {"mass": 0.05}}, resolution=n, theory="linear")
        errors.append(run.data["deflection"].values[0, 0, -1] / exact - 1)
        assert run.data["joint_torque"].values[0, 0] == pytest.approx(rhoA * G * L**2 / 2 + 0.05 * G * L, rel=1e-9)
    assert np.log2(np.abs(errors[0] / errors[1])) == pytest.approx(2.0, abs=0.1) and abs(errors[-1]) < 1e-3


def test_joint_torques_of_a_heavy_arm_are_those_of_the_rigid_one():
    """To the first order of the sag; and in the linear theory to rounding."""
    links = [beam("upper", joint={"position": 0.4}), beam("fore", joint={"position": -1.1, "motor_mass": 2.0})]
    arm = {"payload": {"mass": 1.0, "offset": [0.1, 0.05]}}
    for theory, rel in (("linear", 1e-9), ("link", 5e-2), ("exact", 5e-2)):
        data = resting(links, arm=arm, theory=theory).data
        assert data["joint_torque"].values[0] == pytest.approx(data["rigid_torque"].values[0], rel=rel)


def test_joint_springs_sag():
    """Each spring gives way by its torque over its stiffness; motors stay."""
    links = [beam("upper", joint={"stiffness": 900.0}), beam("fore", joint={"stiffness": 300.0})]
    for theory in THEORIES:
        data = resting(links, theory=theory).data
        wound, torque = data["joint_deformation"].values[0], data["joint_torque"].values[0]
        assert wound == pytest.approx(-torque / [900.0, 300.0], rel=1e-9)
        assert data["motor_position"].values[0] == pytest.approx([0.0, 0.0], abs=1e-14)
        assert data["joint_position"].values[0] == pytest.approx(wound, rel=1e-9)


def test_a_locked_start_is_let_go_at_once():
    """Motors are held where the pose says, so the torque of the law at the start is not what the weight needs."""
    hold = moved("link", HOLD, control={"type": "pd", "kp": 50.0, "kv": 5.0})
    run = fa.simulate(scenario([beam("link")], hold, arm={"gravity": DOWN}, start="locked", end=4.0, step=2e-3,
                               integrator="generalised-alpha"))  # fmt: skip
    data = run.data
    assert data["joint_position"].values[0, 0] == pytest.approx(0.0, abs=1e-12)
    torque = data["joint_torque"].values[-1, 0]
    assert torque == pytest.approx(2700 * 350e-6 * G * 0.5, rel=0.02)
    assert data["joint_position"].values[-1, 0] == pytest.approx(-torque / 50.0, rel=1e-4)


def test_strain_gauges():
    """Uniform bar under weight: M = rho g (L - x)^2 / 2, fibre h/2; the midpoints of linear elements are exact."""
    bar = beam(
        "link", section={"shape": "rectangle", "width": 0.02, "height": 0.004}, material={"E": 70e9, "density": 2700.0}
    )
    places = [0.0, 0.1, 0.25, 0.5, 0.61, 0.9]
    gauges = [{"link": "link", "at": p} for p in places] + [
        {"link": "link", "at": 0.1, "side": "bottom", "name": "below"}
    ]
    run = resting([bar], resolution=40, theory="linear", output={"gauges": gauges})
    strain = run.data["strain"].values[0]
    moment = 2700 * 8e-5 * G * (1 - np.array(places)) ** 2 / 2
    EI = 70e9 * 0.02 * 0.004**3 / 12
    assert strain[:6] == pytest.approx(moment * 0.002 / EI, rel=2e-3, abs=2e-3 * moment[0] * 0.002 / EI)
    assert strain[6] == pytest.approx(-strain[1], rel=1e-9)


def test_gauge_sees_the_axial_force():
    """A hanging link: strain m g / EA on both sides."""
    bar = beam("link", joint={"position": -np.pi / 2})
    gauges = [{"link": "link", "at": 0.5, "side": side, "name": side} for side in ("top", "bottom")]
    run = resting([bar], arm={"payload": {"mass": 30.0}}, resolution=8, output={"gauges": gauges})
    wanted = (30.0 + 0.5 * 2700 * 350e-6) * G / (70e9 * 350e-6)
    assert run.data["strain"].values[0] == pytest.approx([wanted, wanted], rel=1e-6)


def test_point_sensors():
    """Displacement and slope from the tangent at the root, and strain on top, of the bar under its weight."""
    x, L, w = 0.6 * 0.96, 0.96, 2710 * 6.1544e-5 * G
    EI = 71.1e9 * 5.1924e-11
    kinds = ("displacement", "slope", "strain")
    sensors = [{"name": k, "link": "link", "at": 0.6, "kind": k} for k in kinds]
    run = resting([slender()], theory="linear", resolution=40, output={"sensors": sensors})
    fibre = run.scenario.arm.links[0].properties([0.0])["fibre"][0]
    y, slope = -w * x**2 * (6 * L**2 - 4 * L * x + x**2) / (24 * EI), -w * x * (3 * L**2 - 3 * L * x + x**2) / (6 * EI)
    assert run.data["reading"].values[0] == pytest.approx([y, slope, fibre * w * (L - x) ** 2 / (2 * EI)], rel=3e-3)


def test_point_sensors_of_a_turned_link_do_not_see_the_turn():
    sensors = [{"name": k, "link": "link", "at": 0.6, "kind": k} for k in ("displacement", "slope")]
    flat = resting([slender()], resolution=8, output={"sensors": sensors}).data["reading"].values[0]
    link = slender({"position": 0.5})
    turned = resting([link], resolution=8, output={"sensors": sensors}).data["reading"].values[0]
    assert turned == pytest.approx(np.cos(0.5) * flat, rel=0.1)


@pytest.mark.parametrize(("shape", "known"), [("wedge", 3.82378), ("cone", 4.62515)])
def test_taper_of_one_half(shape, known):
    """Clamped at the thick end, half as high (wedge) or half as thick (cone) at the tip: Bessel functions give the first root."""
    if shape == "wedge":
        ends = [{"at": s, "shape": "rectangle", "width": 0.02, "height": 0.004 * c} for s, c in ((0, 1.0), (1, 0.5))]
        EI, rhoA = 70e9 * 0.02 * 0.004**3 / 12, 2700 * 0.02 * 0.004
    else:
        ends = [{"at": s, "shape": "circle", "diameter": 0.004 * c} for s, c in ((0, 1.0), (1, 0.5))]
        EI, rhoA = 70e9 * np.pi * 0.004**4 / 64, 2700 * np.pi * 0.004**2 / 4
    link = beam("link", section=ends)

    def first(n, order):
        one = scenario([link], moved("link", HOLD), resolution=n, order=order)
        return float(fa.frequencies(one, n=1).hz[0]) * 2 * np.pi * np.sqrt(rhoA / EI)

    assert first(8, 3) == pytest.approx(known, rel=2e-5)
    errors = np.abs(np.array([first(n, 1) for n in (8, 16, 32)]) - first(8, 3))
    assert np.log2(errors[:-1] / errors[1:]) == pytest.approx([2.0, 2.0], abs=0.1)


@pytest.mark.parametrize("elements", [4, 8, 16, 32])
@pytest.mark.parametrize(("load", "down", "back"), [(5.0, 0.71379, 0.38763), (10.0, 0.81061, 0.55500)])
def test_the_elastica_on_any_mesh(load, down, back, elements):
    """A cantilever under a tip force P L^2 / E I; elliptic integrals (Mattiasson 1981)."""
    strip = {"shape": "rectangle", "width": 0.02, "height": 0.002}
    arm = fa.Arm(
        links=[{"name": "a", "length": 1.0, "section": strip, "material": {"E": 70e9, "density": 2700.0, "nu": 0.3}}]
    )
    force = load * 70e9 * 0.02 * 0.002**3 / 12.0
    found = fa.static(arm, "fem", loads=[{"force": [0.0, -force]}], options={"resolution": elements, "order": 1})
    assert found.stable
    assert found.tip_displacement[:2] == pytest.approx([-back, -down], abs=0.12 / elements**2 + 1e-5)
