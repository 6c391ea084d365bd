"""Arms by origins and axes: the same as tables of Denavit and Hartenberg in other axes, the stiff arm in the limit, trees."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from spatial_arms import ALUMINIUM, ROD, STEEL, TUBE, beam, scenario

import flexarm as fa
from flexarm.drive.profiles.sequence import motion_signal
from flexarm.methods.fem.spatial import layout as at
from flexarm.methods.fem.spatial.linear import static_state
from flexarm.methods.fem.spatial.placing import shift
from flexarm.rigid import inverse_dynamics
from flexarm.simulation.build import prepare

FLAT = {"shape": "rectangle", "width": 0.03, "height": 0.01}
HAND = {"mass": 0.2, "center": [0.05, 0.01, 0.02], "inertia": [1e-3, 2e-3, 2.5e-3]}
GRAVITY = {"gravity": [0.5, 1.0, -9.81]}


def by_table():
    return [
        beam("column", {"d": 0.3, "alpha": 1.2}, FLAT, joint={"hub_inertia": 2e-3}),
        beam("upper", {"a": 0.4, "alpha": -0.5}, FLAT, joint={"hub_inertia": 2e-3, "motor_mass": 0.3}, masses=[{"at": 0.5, "mass": 0.1}]),
        {"name": "hand", "flexible": False, "body": HAND, "joint": {"dh": {"a": 0.1}, "hub_inertia": 1e-3}},
    ]  # fmt: skip


def in_other_axes(seed: int = 0):
    """The same arm: link axes turned at random, beams, bodies and axes of joints written in them."""
    turns = Rotation.random(3, random_state=seed).as_matrix()
    first = [np.eye(3), Rotation.from_euler("x", 1.2).as_matrix(), Rotation.from_euler("x", -0.5).as_matrix()]
    places, before, links = [(0, 0, 0), (0, 0, 0.3), (0.4, 0, 0)], np.eye(3), by_table()
    beams = [((0, 0, 0.3), (0, 1, 0)), ((0.4, 0, 0), (0, 1, 0)), None]
    for link, turn, twist, place, run in zip(links, turns, first, places, beams, strict=True):
        del link["joint"]["dh"]
        rpy = Rotation.from_matrix(before.T @ twist @ turn).as_euler("xyz")
        link["joint"] |= {"origin": {"xyz": before.T @ place, "rpy": rpy}, "axis": 3.0 * turn.T[:, 2]}
        if run is not None:
            link["beam"] = {"to": turn.T @ run[0], "up": turn.T @ run[1]}
        before = turn
    tensor = turns[2].T @ np.diag(HAND["inertia"]) @ turns[2]
    six = tensor[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
    links[2] |= {"body": {"mass": 0.2, "center": turns[2].T @ HAND["center"], "inertia": six}}
    rpy = Rotation.from_matrix(turns[2].T).as_euler("xyz")
    links[2]["frames"] = {"flange": {"xyz": turns[2].T @ [0.1, 0, 0], "rpy": rpy}}
    return links


def moved(links, **arm):
    drives = [
        {"joint": "column", "motion": {"profile": "cycloid", "by": 1.0, "duration": 0.1}},
        {"joint": "upper", "torque": {"profile": "sine", "amplitude": 1.0, "frequency": 5.0}},
        {"joint": "hand", "torque": {"profile": "constant", "amplitude": 0.05}},
    ]
    arm = {**GRAVITY, "payload": {"mass": 0.3, "inertia": [1e-3, 2e-3, 1.5e-3], "offset": [0.05, 0.02, -0.03]}, **arm}
    return scenario(links, drives, 0.1, arm=arm, method={"resolution": 3})


def test_a_table_is_the_same_arm_in_other_axes():
    plans = moved(by_table()), moved(in_other_axes(), tool="hand.flange")
    table, other = (fa.simulate(plan).data for plan in plans)
    for name in ("tip_position", "joint_torque", "joint_position", "strain_energy"):
        if name in table:
            scale = np.abs(table[name].values).max()
            np.testing.assert_allclose(other[name].values, table[name].values, atol=1e-9 * scale, err_msg=name)
    found = [fa.frequencies(plan).hz for plan in plans]
    np.testing.assert_allclose(found[1], found[0], rtol=1e-9)


def test_a_base_turns_the_arm_against_gravity():
    turn = Rotation.from_euler("xyz", [0.3, -0.8, 0.5])
    base = {"base": {"xyz": [1.0, 2.0, 3.0], "rpy": [0.3, -0.8, 0.5]}}
    straight = moved(by_table(), gravity=turn.inv().apply(GRAVITY["gravity"]))
    one, two = (fa.simulate(plan).data.tip_position.values for plan in (moved(by_table(), **base), straight))
    np.testing.assert_allclose(one, np.array([1.0, 2.0, 3.0]) + turn.apply(two), atol=1e-9)


def tree(stiffer: float = 1.0, density: float = 1.0):
    """A trunk with brackets at both ends of its beam, a branch at its middle and two at its tip, one beside it; lumps beside axes."""
    material = {**ALUMINIUM, "E": 70e9 * stiffer, "density": 2700.0 * density}
    rod = {"section": FLAT, "material": material}
    return [
        {"name": "trunk", **rod, "beam": {"from": [0.05, 0, 0.1], "to": [0.1, 0.05, 0.5], "up": [1, 0.3, 0]},
         "joint": {"axis": [0.2, 0, 1], "hub_inertia": 2e-3}, "frames": {"ear": {"xyz": [0.2, 0.1, 0.45]}},
         "masses": [{"at": "ear", "mass": 0.2, "inertia": 1e-4}, {"at": 0.4, "mass": 0.1}]},
        {"name": "left", **rod, "beam": {"to": [0.3, 0, 0.1]},
         "joint": {"origin": {"xyz": [0.12, 0.1, 0.6], "rpy": [0.4, 0.2, -1]}, "axis": [0, 1, 1], "hub_inertia": 1e-3}},
        {"name": "side", "parent": "trunk", "at": 0.5, **rod, "beam": {"to": [-0.25, 0.05, 0]},
         "joint": {"origin": {"xyz": [0, 0.1, 0.3]}, "axis": [1, 0, 0.5], "hub_inertia": 1e-3, "motor_mass": 0.3}},
        {"name": "hand", "parent": "left", "flexible": False, "body": HAND,
         "joint": {"origin": {"xyz": [0.35, 0, 0.1]}, "axis": [0, 1, 0]},
         "frames": {"tool": {"xyz": [0.1, 0, 0.05], "rpy": [0, 1, 0]}}},
        {"name": "right", "parent": "trunk", "at": "ear", "flexible": False, "body": HAND, "joint": {"axis": [1, 0, 0]}},
    ]  # fmt: skip


ARM = {**GRAVITY, "tool": "hand.tool", "base": {"xyz": [0, 0, 1], "rpy": [0.2, 0.1, 0]}}
PAYLOAD = {"mass": 0.3, "inertia": [1e-3, 2e-3, 1.5e-3], "offset": [0.05, 0.02, -0.03]}


def test_a_stiff_tree_needs_the_torques_of_the_rigid_one():
    motions = [
        {"joint": name, "motion": {"profile": "cycloid", "by": by, "duration": 0.4}}
        for name, by in (("trunk", 1.0), ("left", -0.7), ("side", 0.5), ("hand", 1.2), ("right", -1.0))
    ]
    plan = scenario(
        tree(1e5), motions, 0.4, 5e-3, arm={**ARM, "payload": PAYLOAD}, method={"resolution": 2, "theory": "quasi-static", "integration": "reduced"}
    )  # fmt: skip
    data = fa.simulate(plan).data
    signals = [motion_signal(drive.motion, initial=0.0).evaluate(data.time.values, inside=0.0) for drive in plan.drive]
    expected = inverse_dynamics(plan.arm, *np.moveaxis(np.array(signals), 0, 2), sections=True)
    np.testing.assert_allclose(data.joint_torque.values, expected, atol=2e-4 * np.abs(expected).max())


@pytest.mark.parametrize("driven", ["torque", "motion"])
def test_tangent_of_a_tree_is_the_derivative_of_its_forces(driven):
    """Brackets before and behind beams, branches and a tool."""
    names = ("trunk", "left", "side", "hand", "right")
    how = (
        {"torque": {"profile": "constant", "amplitude": 0.0}}
        if driven == "torque"
        else {"motion": {"profile": "constant"}}
    )
    plan = scenario(
        tree(0.1), [{"joint": n, **how} for n in names], arm={**ARM, "payload": PAYLOAD}, method={"resolution": 2}
    )
    model = prepare(plan).model
    state = static_state(model, [0.3, 0.5, -0.4, 0.2, 0.1])
    shift(model, model.views(state), 0.05 * np.random.default_rng(3).standard_normal(model.size))

    def forces(step, matrix=False):
        trial = state.copy()
        shift(model, model.views(trial), -step)
        seen = model.evaluate(trial, None, at.TANGENT)
        return seen.matrix.dense() if matrix else seen.residual

    K = forces(np.zeros(model.size), matrix=True)
    numeric = np.array([(forces(1e-6 * e) - forces(-1e-6 * e)) / 2e-6 for e in np.eye(model.size)]).T
    scale = np.sqrt(np.outer(np.abs(numeric).max(axis=1), np.abs(numeric).max(axis=0))) + 1.0
    assert np.abs((K - numeric) / scale).max() < 1e-6


def test_energy_of_a_falling_tree():
    names = ("trunk", "left", "side", "hand", "right")
    torques = [{"joint": n, "torque": {"profile": "sine", "amplitude": 0.3, "frequency": 4.0}} for n in names]
    plan = scenario(tree(0.1), torques, 0.1, 2e-4, arm={**ARM, "payload": PAYLOAD}, method={"resolution": 2})
    energy = fa.simulate(plan).data.energy
    stored = np.ptp(energy.sel(kind="kinetic").values)
    assert stored > 0.05
    assert np.abs(energy.sel(kind="residual")).max() < 1e-7 * stored
    assert np.abs(energy.sel(kind="numerical")).max() < 0.02 * stored


def test_branches_on_the_ground_are_arms_of_their_own():
    swing = {"profile": "cycloid", "by": 1.0, "duration": 0.1}

    def arm(name, rpy):
        return [
            {**beam(f"{name}1", None, ROD), "length": 0.4, "parent": "ground", "joint": {"origin": {"rpy": rpy}, "axis": [0, 1, 0]}},
            {**beam(f"{name}2", None, TUBE), "material": STEEL, "length": 0.3, "joint": {"origin": {"xyz": [0.4, 0, 0]}}},
        ]  # fmt: skip

    def run(links, payload):
        drives = [{"joint": link["name"], "motion": swing} for link in links]
        return fa.simulate(
            scenario(links, drives, 0.1, arm={**GRAVITY, "payload": payload}, method={"resolution": 2})
        ).data

    a, b = arm("a", [0.1, 0.2, 0.3]), arm("b", [0.5, 0.2, -0.3])
    load = {"mass": 0.2, "link": "a2"}
    both, first, second = run([*a, *b], load), run(a, load), run(b, {})
    torque = np.concatenate([first.joint_torque.values, second.joint_torque.values], axis=1)
    np.testing.assert_allclose(both.joint_torque.values, torque, atol=1e-8 * np.abs(torque).max())
    np.testing.assert_allclose(both.tip_position.values, first.tip_position.values, atol=1e-10)
