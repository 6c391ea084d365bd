"""Spatial arms at rest: closed forms, the planar analysis, and equilibrium of the whole."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import flexarm as fa

LIGHT = {"E": 70e9, "density": 1e-6, "nu": 0.3}
BLADE = {"shape": "rectangle", "width": 0.03, "height": 0.02}
L, N, MASS = 0.8, 6, 1.7
GRAVITY = np.array([2.0, -4.0, -9.0])
ALUMINIUM = {"E": 70e9, "density": 2700.0, "nu": 0.3}


def cantilever(offset=(0.0, 0.0, 0.0), mass=MASS):
    """A light blade in an oblique pose, with a payload beside its axis."""
    link = {
        "name": "blade",
        "section": BLADE,
        "material": LIGHT,
        "joint": {"dh": {"a": L, "alpha": 0.4}, "position": 0.7},
    }
    return fa.Arm(links=[link], gravity=GRAVITY.tolist(), payload={"mass": mass, "offset": list(offset)})


def turned(angle: float) -> np.ndarray:
    """Columns: axes of the blade."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


@pytest.mark.parametrize("theory", ["linear", "exact"])
def test_cantilever_in_an_oblique_pose_with_torsion(theory):
    """Bending in both planes, shear, stretch and twist by the payload's weight, whose lever gives moments."""
    offset = np.array([0.05, 0.1, -0.08])
    found = fa.static(cantilever(offset), options={"resolution": N, "theory": theory})
    R = turned(0.7)
    P = MASS * GRAVITY @ R
    figures = {k: v[0] for k, v in cantilever().links[0].properties([0.5]).items()}
    third = L**3 / 3.0 * (1.0 - 0.25 / N**2)  # of the midpoint rule
    EI, EIy, GA, spins = figures["EI"], figures["EI_y"], figures["GA"], np.zeros(3)
    for _ in range(30):  # the payload's lever turns with the tip, not so in the linear theory
        turned_offset = Rotation.from_rotvec(spins).apply(offset) if theory == "exact" else offset
        M = np.cross(turned_offset, P)
        wanted = [
            P[0] * L / figures["EA"],
            P[1] * third / EI + P[1] * L / GA + M[2] * L**2 / (2.0 * EI),
            P[2] * third / EIy + P[2] * L / GA - M[1] * L**2 / (2.0 * EIy),
        ]
        spins = np.array([M[0] * L / figures["GJ"], (M[1] - P[2] * L / 2) * L / EIy, (M[2] + P[1] * L / 2) * L / EI])
    close = {"rel": 1e-7} if theory == "linear" else {"rel": 5e-3, "abs": 2e-5}
    assert found.tip_displacement @ R == pytest.approx(wanted, **close)
    assert np.asarray(found.tip_rotation) @ R == pytest.approx(spins, **close)
    held = found.roots.values[0]
    assert held[:3] @ R == pytest.approx(-P, rel=1e-6)
    assert held[3:] @ R == pytest.approx(
        -np.cross(np.add(turned_offset, [L, 0, 0]), P), rel=1e-6 if theory == "linear" else 5e-3
    )
    root = found.forces.isel(point=0)
    values = [
        float(root[k])
        for k in ("axial_force", "shear_force", "shear_force_z", "torsion_moment", "bending_moment_y", "bending_moment")
    ]
    assert values == pytest.approx(
        [*P, *(M + np.cross([L, 0, 0], P))], rel=1e-6 if theory == "linear" else 5e-3, abs=1e-3
    )
    middle = found.forces.isel(point=N // 2)
    lever = L * (1.0 - float(middle.s))
    assert float(middle.bending_moment) == pytest.approx(M[2] + lever * P[1], rel=1e-7 if theory == "linear" else 5e-3)
    assert found.stable and found.imbalance < 1e-7


def test_a_load_is_the_weight_of_a_payload():
    """The same force as a point load, and its lever as a moment (of a payload that hardly turns)."""
    R, offset = turned(0.7), np.array([0.0, 0.06, 0.02])
    force = MASS * GRAVITY
    load = {"force": force.tolist(), "moment": np.cross(R @ offset, force).tolist()}
    options = {"resolution": N, "theory": "linear"}
    heavy, loaded = (
        fa.static(cantilever(offset), options=options),
        fa.static(cantilever(mass=0.0), loads=[load], options=options),
    )
    assert loaded.tip_displacement == pytest.approx(heavy.tip_displacement, rel=1e-8)
    assert loaded.reaction_moment == pytest.approx(heavy.reaction_moment, rel=1e-6)


def test_planar_arm_written_with_dh_under_large_loads():
    loads = [{"link": "a", "at": 0.37, "force": [5.0, -60.0], "moment": 4.0}, {"force": [-20.0, 30.0]}]
    found = []
    for spatial in (False, True):
        links = [
            {"name": name, "length": length, "section": {"shape": "circle", "diameter": 0.012}, "material": ALUMINIUM,
             "joint": {"position": angle, "stiffness": 300.0, **({"dh": {"a": length}} if spatial else {})}}
            for name, length, angle in (("a", 0.6, 0.3), ("b", 0.4, -0.5))
        ]  # fmt: skip
        own = [
            {**load, "force": [*load["force"], 0.0], "moment": [0.0, 0.0, load.get("moment", 0.0)]} if spatial else load
            for load in loads
        ]
        arm = fa.Arm(links=links, gravity=[0.0, -9.81, 0.0])
        found.append(fa.static(arm, loads=own, options={"resolution": 5}))
    plane, space = found
    assert np.abs(plane.tip_displacement).max() > 0.05
    assert space.displacement.values == pytest.approx(plane.displacement.values, abs=1e-8)
    assert np.asarray(space.tip_rotation)[2] == pytest.approx(plane.tip_rotation, abs=1e-8)
    wanted = plane.roots.sel(component="moment").values
    assert space.roots.sel(component="moment_z").values == pytest.approx(wanted, rel=1e-7)


@pytest.mark.parametrize("theory", ["exact", "linear"])
def test_elements_and_equilibrium_of_the_whole_agree(theory):
    """A corner, a spring, a sliding boom with its rear part, and a rigid hand under a load beside its middle."""
    links = [
        {"name": "column", "section": BLADE, "material": ALUMINIUM, "joint": {"dh": {"d": 0.4, "a": 0.2, "alpha": 1.2}, "stiffness": 800.0}},
        {"name": "boom", "section": BLADE, "material": ALUMINIUM, "length": 0.9,
         "joint": {"type": "prismatic", "position": 0.5, "retracted": "rigid"}},
        {"name": "hand", "flexible": False, "body": {"mass": 0.6, "center": [0.05, 0.02, 0.01]}, "length": 0.2,
         "joint": {"dh": {"a": 0.2}, "position": 0.4, "motor_mass": 0.3}},
    ]  # fmt: skip
    arm = fa.Arm(links=links, gravity=[0.0, 1.0, -9.81], payload={"mass": 0.5, "offset": [0.02, 0.0, 0.03]})
    loads = [
        {"link": "hand", "at": 0.5, "force": [10.0, 20.0, -5.0]},
        {"link": "boom", "at": 0.3, "force": [0.0, 8.0, 0.0]},
        {"link": "column", "moment": [1.0, 2.0, 3.0]},
    ]
    found = fa.static(arm, loads=loads, options={"resolution": 4, "theory": theory})
    assert found.imbalance < 1e-8 and found.stable
    assert list(found.forces.link.values).count("boom") == 5 and "hand" not in found.forces.link.values


def test_moments_about_joint_axes_are_torques_of_a_run_at_rest():
    plan = fa.load("naganathan-3r")
    found = fa.static(plan)
    hold = [{"joint": link.name, "motion": {"profile": "constant"}} for link in plan.arm.links]
    rest = plan.with_({"drive": hold, "time.end": 0.01, "time.step": 0.001, "time.start": "equilibrium"})
    torque = fa.simulate(rest).data.joint_torque.values[-1]
    axes = [[0, 0, 1], [0, -1, 0], [0, -1, 0]]
    moments = [float(found.roots.values[i, 3:] @ axis) for i, axis in enumerate(axes)]
    assert moments == pytest.approx(torque, rel=1e-4, abs=1e-3)


def test_a_column_buckles_and_loads_need_three_components():
    force = np.pi**2 * 70e9 * 0.03 * 0.02**3 / 12.0 / (4.0 * L**2)
    for share, stable in ((0.95, True), (1.05, False)):
        axial = (turned(0.7) @ [-share * force, 0.0, 0.0]).tolist()
        light = cantilever(mass=0.0).model_copy(update={"gravity": (0.0, 0.0, 0.0)})
        assert fa.static(light, loads=[{"force": axial}], options={"resolution": 20}).stable is stable
    with pytest.raises(fa.FlexarmError, match="three components"):
        fa.static(cantilever(), loads=[{"force": [1.0, 2.0]}])
    with pytest.raises(fa.FlexarmError, match="too soft"):
        fa.static(cantilever(), loads=[{"force": [-1e9, 1e9, 0.0]}], options={"resolution": 8})
    assert "pulled with" in fa.static(cantilever(), loads=[{"force": [1e5, 0.0, 0.0]}]).notes[0]


@pytest.mark.parametrize("retracted", ["massless", "rigid"])
def test_root_of_a_boom_does_not_carry_what_is_behind_its_joint(retracted):
    free, mass, g = 0.8, 4.0, 9.81
    joint = {"type": "prismatic", "position": free, "retracted": retracted, "dh": {"alpha": 0.0}}
    column = {"name": "column", "length": 0.5, "flexible": False, "joint": {"dh": {"d": 0.5, "alpha": np.pi / 2}}}
    boom = {"name": "boom", "length": 2.5, "section": BLADE, "material": ALUMINIUM, "joint": joint}
    arm = fa.Arm(links=[column, boom], payload={"mass": mass}, gravity=[0.0, 0.0, -g])
    found = fa.static(arm, options={"resolution": 8, "theory": "linear"})
    rho = float(arm.links[1].properties([0.5])["rhoA"][0])
    root = found.forces.isel(point=list(found.forces.link.values).index("boom"))
    shear, moment = np.hypot(root.shear_force, root.shear_force_z), np.hypot(root.bending_moment, root.bending_moment_y)
    assert float(shear) == pytest.approx((mass + rho * free) * g, rel=1e-6)
    assert float(moment) == pytest.approx((mass * free + 0.5 * rho * free**2) * g, rel=1e-6)
    weight = mass + rho * (2.5 if retracted == "rigid" else free)
    assert found.roots.values[1, 2] == pytest.approx(weight * g, rel=1e-6)
