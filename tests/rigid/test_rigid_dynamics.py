"""Inverse dynamics and mass matrix against point clouds, closed forms, energy and published figures."""

from __future__ import annotations

import math

import numpy as np
import pytest
from rigid_arms import (
    BAR,
    STEEL,
    TAPER,
    five_bar,
    planar_serial,
    planar_tree,
    spatial_sliding,
    spatial_three,
    spatial_turning,
    two_link,
)
from rigid_cloud import Waves, cloud, energy, positions, torque

from flexarm.arm import Arm
from flexarm.errors import FlexarmError
from flexarm.rigid import inertia_about, inverse_dynamics, mass_matrix

ARMS = {
    "planar-serial": planar_serial,
    "planar-tree": planar_tree,
    "spatial-turning": spatial_turning,
    "spatial-sliding-rigid": lambda: spatial_sliding("rigid"),
    "spatial-sliding-massless": lambda: spatial_sliding("massless"),
}


def waves(arm: Arm, seed: int = 1) -> Waves:
    """A motion around the start pose that keeps sliding joints within their travel."""
    kinds = [link.joint.type for link in arm.links if link.joint.type != "fixed"]
    middle = [p + 0.4 * (kind == "revolute") for p, kind in zip(arm.pose, kinds, strict=True)]
    motion = Waves(middle, seed=seed)
    motion.size[[k == "prismatic" for k in kinds]] *= 0.5
    return motion


@pytest.mark.parametrize("make", ARMS.values(), ids=ARMS.keys())
def test_torque_equals_virtual_work_of_a_point_cloud(make):
    arm = make()
    motion, t = waves(arm), np.array([0.0, 0.7, 1.9])
    expected = np.array([torque(arm, motion, x) for x in t])
    found = inverse_dynamics(arm, motion(t), *motion.rates(t))
    assert np.abs(expected).max() > 20.0
    np.testing.assert_allclose(found, expected, atol=5e-9 * np.abs(expected).max())
    np.testing.assert_allclose(inverse_dynamics(arm, motion(0.7), *motion.rates(0.7)), found[1], rtol=1e-12)


@pytest.mark.parametrize("make", ARMS.values(), ids=ARMS.keys())
def test_mass_matrix_is_that_of_the_cloud(make):
    arm = make()
    q = waves(arm)(0.4)
    mass, index, where = cloud(arm, q)
    h, unit = 1e-5, np.eye(len(q))
    rays = [(positions(arm, q + h * e, index, where) - positions(arm, q - h * e, index, where)) / (2 * h) for e in unit]
    expected = np.array([[np.sum(mass[:, None] * a * b) for a in rays] for b in rays])
    found = mass_matrix(arm, q)
    np.testing.assert_allclose(found, expected, atol=1e-8 * np.abs(expected).max())
    np.testing.assert_allclose(mass_matrix(arm, np.array([q, q]))[1], found)
    assert inertia_about(arm, arm.joints[1], q) == pytest.approx(expected[1, 1], rel=1e-7)


@pytest.mark.parametrize("name", ["planar-serial", "spatial-turning", "spatial-sliding-rigid"])
def test_work_of_the_torques_is_the_change_of_energy(name):
    arm = ARMS[name]()
    motion, t = waves(arm, seed=5), np.linspace(0.0, 1.0, 401)
    rates, pushes = motion.rates(t)
    power = np.sum(inverse_dynamics(arm, motion(t), rates, pushes) * rates, axis=1)
    weights = np.array([1.0, *[4.0, 2.0] * 199, 4.0, 1.0]) * (t[1] - t[0]) / 3.0
    work, change = weights @ power, energy(arm, motion, 1.0) - energy(arm, motion, 0.0)
    assert abs(change) > 1.0
    assert work == pytest.approx(change, rel=1e-7)


def test_retracted_part_is_massless_or_a_rigid_rear():
    """A boom that slides along its axis: the mass outside, or all mass, times acceleration at any speed."""
    arm = Arm(
        links=[
            {
                "name": "boom",
                "length": 1.5,
                "section": BAR,
                "material": STEEL,
                "joint": {"type": "prismatic", "position": 0.3},
            }
        ],
        gravity=(0.0, 0.0, -9.81),
    )
    line = 7850.0 * 0.02 * 0.03
    free, push = 0.6, 2.0
    assert inverse_dynamics(arm, [free], [1.7], [push])[0] == pytest.approx(line * free * (push + 9.81))
    rigid = arm.model_copy(
        update={"links": (arm.links[0].model_copy(update={"joint": arm.links[0].joint.model_copy(
            update={"retracted": "rigid"})}),)}
    )  # fmt: skip
    assert inverse_dynamics(rigid, [free], [1.7], [push])[0] == pytest.approx(line * 1.5 * (push + 9.81))
    with pytest.raises(FlexarmError, match=r"boom.*1.6 m.*1.5 m"):
        inverse_dynamics(arm, [[1.0], [1.6]])


def test_energy_balance_with_mass_flow():
    arm = spatial_sliding("massless")
    motion, boom, h = waves(arm, seed=3), arm.joints.index("boom"), 1e-4
    t = 0.8
    q, (qd, qdd) = motion(t), motion.rates(t)
    growth = (energy(arm, motion, t + h) - energy(arm, motion, t - h)) / (2 * h)
    # what comes out of the joint brings its kinetic and gravity energy with it
    link = arm.links[2]
    hidden = link.span - 0.25 - (0.1 + q[boom])
    # the beam at the joint, seen from the distal frame: back by a, then down the twisted joint axis
    depth = -(0.1 + q[boom])
    index, where = np.array([2]), np.array([[-0.25, math.sin(0.6) * depth, math.cos(0.6) * depth]])
    x = positions(arm, q, index, where)[0]
    v = (positions(arm, motion(t + h), index, where) - positions(arm, motion(t - h), index, where))[0] / (2 * h)
    line = link.properties([hidden / link.span])["rhoA"][0]
    flow = line * qd[boom] * (0.5 * v @ v - x @ np.array(arm.gravity))
    power = inverse_dynamics(arm, q, qd, qdd) @ qd
    assert abs(flow) > 0.1
    assert power == pytest.approx(growth - flow, rel=1e-6)


def test_two_link_closed_form():
    """The textbook equations of the planar 2R arm: distributed mass, hubs, a motor and a point payload."""
    l1, l2, load, g = 0.7, 0.9, 0.6, 9.81
    rod = {"section": BAR, "material": STEEL}
    arm = Arm(
        gravity=(0.0, -g, 0.0),
        links=[
            {"name": "upper", "length": l1, **rod, "joint": {"hub_inertia": 0.03, "motor_mass": 9.0}},
            {"name": "fore", "length": l2, **rod, "joint": {"rotor_inertia": 0.02, "motor_mass": 1.5}},
        ],
        payload={"mass": load},
    )
    line = 7850.0 * 6e-4
    m1, m2 = line * l1, line * l2
    a1 = m1 * l1**2 / 3 + (m2 + load + 1.5) * l1**2 + 0.03
    a2 = m2 * l2**2 / 3 + load * l2**2 + 0.02
    b = (m2 / 2 + load) * l1 * l2
    q1, q2, v1, v2, p1, p2 = 0.4, -1.1, 1.3, -0.8, 2.0, 3.0
    c, s = math.cos(q2), math.sin(q2)
    w1 = g * (m1 * l1 / 2 + (m2 + load + 1.5) * l1) * math.cos(q1)
    w2 = g * (m2 / 2 + load) * l2 * math.cos(q1 + q2)
    first = (a1 + a2 + 2 * b * c) * p1 + (a2 + b * c) * p2 - b * s * (2 * v1 * v2 + v2**2) + w1 + w2
    second = (a2 + b * c) * p1 + a2 * p2 + b * s * v1**2 + w2
    np.testing.assert_allclose(inverse_dynamics(arm, [q1, q2], [v1, v2], [p1, p2]), [first, second], rtol=1e-12)
    np.testing.assert_allclose(inverse_dynamics(arm, [q1, q2]), [w1 + w2, w2], rtol=1e-12)
    assert inertia_about(arm, "upper", [q1, q2]) == pytest.approx(a1 + a2 + 2 * b * c)


def test_tapered_link_and_offset_payload_in_a_swing():
    """Pick and place with one tapered link: inertia and weight from sums over thin slices."""
    link = {"name": "arm", "length": 1.1, "section": TAPER, "material": STEEL}
    arm = Arm(links=[link], gravity=(0.0, -9.81, 0.0), payload={"mass": 0.9, "inertia": 0.04, "offset": (0.2, 0.3)})
    edges = np.linspace(0.0, 1.0, 20001)
    x = (edges[1:] + edges[:-1]) / 2
    blend = x / 0.4
    box = (0.04 - 0.01 * blend) * (0.06 - 0.01 * blend)
    blend = (x - 0.4) / 0.6
    outer, wall = 0.05 - 0.02 * blend, 0.004 - 0.002 * blend
    area = np.where(x < 0.4, box, math.pi / 4 * (outer**2 - (outer - 2 * wall) ** 2))
    slices = 7850.0 * area * 1.1 / len(x)
    inertia = np.sum(slices * (1.1 * x) ** 2) + 0.04 + 0.9 * (1.3**2 + 0.3**2)
    center = np.array([np.sum(slices * 1.1 * x) + 0.9 * 1.3, 0.9 * 0.3])
    t = np.linspace(0.0, 2.0, 9)
    q, qdd = 1.5 * np.sin(t), -1.5 * np.sin(t)
    lever = center[0] * np.cos(q) - center[1] * np.sin(q)
    found = inverse_dynamics(arm, q[:, None], 1.5 * np.cos(t)[:, None], qdd[:, None])[:, 0]
    np.testing.assert_allclose(found, inertia * qdd + 9.81 * lever, rtol=1e-7, atol=1e-7)


def test_published_rigid_torques_of_the_two_link_arm():
    """Both joints turn by 60 deg on a cycloid in 2.5 s; peak torques of a separate computation."""
    section = {"area": 350e-6, "inertia": 1e-8}
    rod = {"length": 1.0, "section": section, "material": {"E": 70e9, "density": 2700.0}}
    arm = Arm(links=[{"name": "upper", **rod}, {"name": "fore", **rod}])
    t = np.linspace(0.0, 2.5, 2501)
    span, w = math.pi / 3, 2 * math.pi / 2.5
    q = span * (t / 2.5 - np.sin(w * t) / (2 * math.pi))
    qd, qdd = span / 2.5 * (1 - np.cos(w * t)), span / 2.5 * w * np.sin(w * t)
    tau = inverse_dynamics(arm, *(np.column_stack([x, x]) for x in (q, qd, qdd)))
    np.testing.assert_allclose(tau.max(axis=0), [3.45333, 1.16655], rtol=1e-4)
    np.testing.assert_allclose(tau.min(axis=0), [-3.12587, -0.886063], rtol=1e-4)


def test_published_holding_torques_of_the_spatial_arm():
    """Weight of a stiff arm; the flexible one of the published figure hangs a little lower (0.1 %)."""
    arm = spatial_three()
    np.testing.assert_allclose(inverse_dynamics(arm, arm.pose), [0.0, 122.06, 30.50], rtol=1e-3, atol=1e-9)


def test_planar_arm_in_space_gives_the_same_torques():
    planar = two_link(1.0, 0.8, gravity=(0.0, -9.81, 0.0), payload={"mass": 1.0, "inertia": 0.1, "offset": (0.1, 0.2)})
    links = [
        {"name": link.name, "section": BAR, "material": STEEL, "joint": {"dh": {"a": link.length}}}
        for link in planar.links
    ]
    spatial = Arm(links=links, gravity=planar.gravity, payload=planar.payload)
    motion = Waves([0.3, -0.5])
    t = np.linspace(0, 3, 7)
    args = (motion(t), *motion.rates(t))
    np.testing.assert_allclose(inverse_dynamics(spatial, *args), inverse_dynamics(planar, *args), rtol=1e-12)


def test_every_mass_counts():
    """Taking any one of the arm's mass figures away changes the torque of the first joint."""
    arm = planar_serial()
    motion = waves(arm)
    args = (motion(0.3), *motion.rates(0.3))
    full = inverse_dynamics(arm, *args)[0]

    def without(link: int, **joint) -> Arm:
        links = list(arm.links)
        links[link] = links[link].model_copy(update={"joint": links[link].joint.model_copy(update=joint)})
        return arm.model_copy(update={"links": tuple(links)})

    changed = [
        without(0, hub_inertia=0.0),
        without(2, rotor_inertia=0.0),
        without(2, motor_mass=0.0),
        without(1, motor_mass=0.0),
        arm.model_copy(update={"payload": arm.payload.model_copy(update={"inertia": 0.0})}),
        arm.model_copy(update={"payload": arm.payload.model_copy(update={"offset": 0.0})}),
    ]
    assert all(abs(inverse_dynamics(other, *args)[0] - full) > 1e-3 for other in changed)
    assert inverse_dynamics(without(0, motor_mass=0.0), *args)[0] == full


def test_refusals_speak_of_the_arm():
    arm = two_link()
    with pytest.raises(FlexarmError, match="upper, fore"):
        inverse_dynamics(arm, [0.1])
    with pytest.raises(FlexarmError, match="finite"):
        inverse_dynamics(arm, [0.1, math.nan])
    with pytest.raises(FlexarmError, match="'qd' has 2 rows"):
        inverse_dynamics(arm, [[0.1, 0.2]], [[0.1, 0.2], [0.0, 0.0]])
    with pytest.raises(FlexarmError, match="'elbow'"):
        inertia_about(arm, "elbow", [0.0, 0.0])
    with pytest.raises(FlexarmError, match="follows from closing"):
        inertia_about(five_bar(), "left-arm", [2.0, -1.0, 0.9, 1.0])


def test_open_chain_with_an_undriven_joint():
    """A double pendulum that hangs still needs no torque at its free elbow; a bent one does."""
    arm = two_link(gravity=(0.0, -9.81, 0.0))
    np.testing.assert_allclose(inverse_dynamics(arm, [-math.pi / 2, 0.0], driven=["upper"]), 0.0, atol=1e-12)
    with pytest.raises(FlexarmError, match="upper"):
        inverse_dynamics(arm, [0.0, 0.5], driven=["upper"])
