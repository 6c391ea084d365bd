"""Equilibrium against closed forms: gravity, payload, patches, strain, inclined pose, start at rest."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_bvp

import flexarm as fa
from single_link import EI, LENGTH, RHO_A, SCHEMES, make

G = 9.81
HOLD = {"joint": "link", "motion": {"profile": "constant"}}


def equilibrium(drive=HOLD, scheme="newmark", **changes):
    """A run that starts in equilibrium and is held there."""
    changes.setdefault("gravity", [0.0, -G, 0.0])
    return fa.simulate(make(drive=drive, start="equilibrium", end=0.2, step=1e-3, scheme=scheme, **changes))


def tip(run) -> float:
    return float(run.data["deflection"].values[0, 0, -1])


@pytest.mark.parametrize("scheme", SCHEMES)
def test_equilibrium_stays_at_rest(scheme):
    step = 1e-4 if scheme == "leapfrog" else 1e-3
    one = make(drive=HOLD, start="equilibrium", gravity=[1.0, -G, 0], joint={"position": 0.3}, end=0.5, step=step,
               payload={"mass": 0.05, "inertia": 1e-5, "offset": [0.02, 0.01]}, scheme=scheme)  # fmt: skip
    data = fa.simulate(one).data
    bend = data["deflection"].values[:, 0, :]
    assert abs(bend[0, -1]) > 0.01
    assert np.abs(bend - bend[0]).max() < 1e-11
    assert np.abs(data["energy"].sel(kind="kinetic").values).max() < 1e-16


def test_undeformed_start_rings_about_the_equilibrium():
    data = fa.simulate(make(drive=HOLD, gravity=[0, -G, 0], end=2.0, step=1e-3, scheme="exact")).data
    bend = data["deflection"].values[:, 0, -1]
    assert bend[0] == 0.0
    assert bend.min() == pytest.approx(2 * tip(equilibrium()), rel=0.05)


def test_tip_under_weight_and_payload_is_of_second_order():
    """rho g L^4 / 8 EI for the link, M g L^3 / 3 EI for the load; the root moment is exact on any grid."""
    exact = -RHO_A * G * LENGTH**4 / (8 * EI) - 0.05 * G * LENGTH**3 / (3 * EI)
    errors = []
    for n in (10, 20, 40):
        run = equilibrium(resolution=n, payload={"mass": 0.05})
        errors.append(tip(run) - exact)
        root = RHO_A * G * LENGTH**2 / 2 + 0.05 * G * LENGTH
        assert run.data["joint_torque"].values[0, 0] == pytest.approx(root, rel=1e-9)
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert np.abs(orders - 2.0).max() < 0.02
    assert abs(errors[-1] / exact) < 1e-3


def test_offset_of_the_payload_bends_the_tip():
    """An offset a adds the couple M g a: L^2 / 2 EI of tip displacement per unit of it, and M g a at the root."""
    plain, offset = (equilibrium(resolution=80, payload={"mass": 0.05, "offset": a}) for a in (0.0, 0.1))
    couple = 0.05 * G * 0.1
    assert tip(offset) - tip(plain) == pytest.approx(-couple * LENGTH**2 / (2 * EI), rel=1e-3)
    torque = offset.data["joint_torque"].values[0, 0] - plain.data["joint_torque"].values[0, 0]
    assert torque == pytest.approx(couple, rel=1e-6)


def inclined(angle: float, mass: float) -> float:
    """Deflection at the tip of a clamped link at `angle`, with the axial force of its weight."""
    across, along = -G * np.cos(angle), -G * np.sin(angle)

    def rhs(x, y):  # w, w', M, V with M = EI w''
        axial = along * (RHO_A * (LENGTH - x) + mass)
        return np.vstack([y[1], y[2] / EI, -y[3] + axial * y[1], -RHO_A * across + 0 * x])

    def ends(a, b):
        return np.array([a[0], a[1], b[2], b[3] - mass * across])

    x = np.linspace(0, LENGTH, 60)
    return float(solve_bvp(rhs, ends, x, np.zeros((4, 60)), tol=1e-9).y[0, -1])


@pytest.mark.parametrize("angle", [-1.2, -0.5, 0.5, 1.2])
def test_inclined_pose_has_the_axial_force(angle):
    """Tension stiffens a hanging link and compression softens a standing one."""
    run = equilibrium(resolution=80, joint={"position": angle}, payload={"mass": 0.05})
    exact = inclined(angle, 0.05)
    without = np.cos(angle) * tip(equilibrium(resolution=80, payload={"mass": 0.05}))
    assert abs(without / exact - 1) > 0.02
    assert tip(run) == pytest.approx(exact, rel=2e-3)


def test_a_link_that_buckles_is_refused():
    from flexarm.errors import CapabilityError

    with pytest.raises(CapabilityError, match="buckles under its own weight"):
        equilibrium(joint={"position": np.pi / 2}, payload={"mass": 1.5})


def test_strain_at_a_gauge_is_moment_over_stiffness():
    """Uniform load: M = -rho g (L - x)^2 / 2; top fibre in tension; the fibre is that of the section."""
    places = [0.0, 0.25, 0.5, 0.61]
    gauges = [{"link": "link", "at": at} for at in places] + [
        {"link": "link", "at": 0.0, "side": "bottom", "name": "b"}
    ]
    bar = {
        "section": {"shape": "rectangle", "width": 0.02, "height": 0.004},
        "material": {"E": 70e9, "density": 2700.0},
    }
    run = equilibrium(link=bar, output={"gauges": gauges}, resolution=100)
    x = LENGTH * np.array(places)
    figures = run.scenario.arm.links[0].properties([0.0])
    moment = figures["rhoA"][0] * G * (LENGTH - x) ** 2 / 2
    strain = run.data["strain"].values[0]
    assert strain[:4] == pytest.approx(moment * 0.002 / figures["EI"][0], rel=1e-3)
    assert strain[4] == pytest.approx(-strain[0], rel=1e-12)


def constant(amount: float) -> dict:
    return {"profile": "constant", "amplitude": amount}


@pytest.mark.parametrize(("start", "stop"), [(0.0, 1.0), (0.2, 0.5), (0.13, 0.87)])
def test_patch_of_moment_bends_like_its_closed_form(start, stop):
    """Curvature M / EI between its ends: tip slope M (b - a) / EI, tip displacement M (b - a) (L - (a + b)/2) / EI."""
    patch = {"patch": {"link": "link", "from": start, "to": stop}, "moment": constant(0.2)}
    sensors = [{"name": "slope", "link": "link", "at": 1.0, "kind": "slope"}]
    run = equilibrium([HOLD, patch], gravity=[0, 0, 0], resolution=100, output={"sensors": sensors})
    a, b = start * LENGTH, stop * LENGTH
    assert tip(run) == pytest.approx(0.2 * (b - a) * (LENGTH - (a + b) / 2) / EI, rel=1e-3)
    assert run.data["reading"].values[0, 0] == pytest.approx(0.2 * (b - a) / EI, rel=6e-3)
    assert abs(run.data["joint_torque"].values[0, 0]) < 1e-7


@pytest.mark.parametrize(("start", "stop"), [(0.5, 0.5), (0.613, 0.613), (0.2, 0.8), (1.0, 1.0)])
def test_patch_of_force_bends_like_its_closed_form(start, stop):
    """A force F at a gives F a^2 (3 L - a) / 6 EI at the tip; spread evenly, its mean over the patch."""
    patch = {"patch": {"link": "link", "from": start, "to": stop}, "force": constant(0.3)}
    run = equilibrium([HOLD, patch], gravity=[0, 0, 0], resolution=100)
    a = LENGTH * (start + (stop - start) * (np.arange(2000) + 0.5) / 2000)
    assert tip(run) == pytest.approx(float(np.mean(0.3 * a**2 * (3 * LENGTH - a) / (6 * EI))), rel=1e-3)
    assert run.data["joint_torque"].values[0, 0] == pytest.approx(-0.3 * a.mean(), rel=1e-6)


def test_point_sensors_read_displacement_slope_and_strain():
    """Tip load P: y = P x^2 (3L - x) / 6 EI, y' = P x (2L - x) / 2 EI, strain = -z P (L - x) / EI on top."""
    kinds = ("displacement", "slope", "strain")
    sensors = [{"name": f"{k}{at}", "link": "link", "at": at, "kind": k} for at in (0.3, 0.77) for k in kinds]
    load = {"patch": {"link": "link", "from": 1.0}, "force": constant(0.3)}
    run = equilibrium([HOLD, load], gravity=[0, 0, 0], resolution=100, output={"sensors": sensors})
    fibre = run.scenario.arm.links[0].properties([0.0])["fibre"][0]
    for i, x in enumerate(np.array([0.3, 0.77]) * LENGTH):
        y, slope = 0.3 * x**2 * (3 * LENGTH - x) / (6 * EI), 0.3 * x * (2 * LENGTH - x) / (2 * EI)
        strain = -fibre * 0.3 * (LENGTH - x) / EI
        assert run.data["reading"].values[0, 3 * i : 3 * i + 3] == pytest.approx([y, slope, strain], rel=2e-3)


def test_tip_that_is_pinned_carries_its_share():
    """Propped cantilever under its weight: root moment rho g L^2 / 8, tip where it was."""
    run = equilibrium(tip="pinned", resolution=160)
    assert tip(run) == pytest.approx(0.0, abs=1e-15)
    assert run.data["joint_torque"].values[0, 0] == pytest.approx(RHO_A * G * LENGTH**2 / 8, rel=1e-3)


def test_joint_spring_sags_under_the_weight():
    """The hub turns by root moment over stiffness, less what the sagging takes away in a hanging pose."""
    run = equilibrium(joint={"stiffness": 40.0})
    root = RHO_A * G * LENGTH**2 / 2
    assert run.data["joint_deformation"].values[0, 0] == pytest.approx(-root / 40.0, rel=1e-9)
    assert run.data["joint_torque"].values[0, 0] == pytest.approx(root, rel=1e-9)
    assert run.data["motor_position"].values[0, 0] == 0.0
