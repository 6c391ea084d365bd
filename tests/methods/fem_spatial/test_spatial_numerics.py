"""Rotations, the element's tangent, orders of accuracy, energy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation
from spatial_arms import beam, error_mm, scenario

import flexarm as fa
from flexarm.methods.fem.spatial import layout as at
from flexarm.methods.fem.spatial.linear import static_state
from flexarm.methods.fem.spatial.placing import shift
from flexarm.numerics import rotations
from flexarm.simulation.build import prepare
from flexarm.simulation.time_loop import TimeLoop

SMALL = st.floats(-1.5, 1.5)


@settings(max_examples=40, deadline=None)
@given(SMALL, SMALL, SMALL)
def test_rotation_vectors(x, y, z):
    start = Rotation.from_rotvec([0.3, -0.8, 0.5]).as_matrix().reshape(1, 9)
    turned = np.zeros((1, 9))
    rotations.turn(x, y, z, start, 0, turned, 0)
    assert turned.reshape(3, 3) == pytest.approx(Rotation.from_rotvec([x, y, z]).as_matrix() @ start.reshape(3, 3))
    back = rotations.apply(start, 0, *rotations.relative(start, 0, turned, 0))
    assert back == pytest.approx([x, y, z], abs=1e-9)


def test_renewed_matrix_is_a_rotation():
    R = Rotation.from_rotvec([0.3, -0.8, 0.5]).as_matrix().reshape(1, 9) * (1.0 + 1e-7)
    rotations.renew(R, 0)
    assert np.abs(R.reshape(3, 3).T @ R.reshape(3, 3) - np.eye(3)).max() < 1e-13


def bent_model(**more):
    """A soft arm with a corner, unequal stiffnesses, free joint, spring and payload, bent a good deal."""
    flat = {"shape": "rectangle", "width": 0.03, "height": 0.004}
    links = [
        beam("column", {"d": 0.3, "a": 0.2, "alpha": 1.2}, flat),
        beam("fore", {"a": 0.4}, flat, joint={"stiffness": 30.0, "rotor_inertia": 1e-3, "hub_inertia": 2e-3}),
        {"name": "hand", "flexible": False, "body": {"mass": 0.2, "center": [0.05, 0.01, 0.02], "inertia": [1e-3, 2e-3, 3e-3]},
         "joint": {"dh": {"a": 0.1}, "hub_inertia": 1e-3}},
    ]  # fmt: skip
    drives = [
        {"joint": name, "torque": {"profile": "constant", "amplitude": 0.0}} for name in ("column", "fore", "hand")
    ]
    payload = {"mass": 0.3, "inertia": [1e-3, 2e-3, 1e-3], "offset": [0.05, 0.02, -0.03]}
    plan = scenario(
        links, drives, arm={"gravity": [0.5, 1.0, -9.81], "payload": payload}, method={"resolution": 2, **more}
    )
    return prepare(plan).model


def test_tangent_is_the_derivative_of_the_forces():
    model = bent_model()
    rng = np.random.default_rng(3)
    state = static_state(model, [0.3, 0.5, -0.4])
    shift(model, model.views(state), 0.05 * rng.standard_normal(model.size))

    def forces(step, matrix=False):
        trial = state.copy()
        shift(model, model.views(trial), -step)
        seen = model.evaluate(trial, None, at.TANGENT)
        return seen.matrix.dense() if matrix else seen.residual

    K = forces(np.zeros(model.size), matrix=True)
    h, unit = 1e-6, np.eye(model.size)
    numeric = np.array([(forces(h * e) - forces(-h * e)) / (2 * h) for e in unit]).T
    scale = np.sqrt(np.outer(np.abs(numeric).max(axis=1), np.abs(numeric).max(axis=0))) + 1.0
    assert np.abs((K - numeric) / scale).max() < 1e-6


def spinning(hub: float, rotor: float):
    """How the forces on the unknowns change with their rates, by the tangent and by differences, on an arm that spins fast.

    Joints have springs and hubs; a rotor turns twenty times as fast as the last of them.
    """
    joint = {"stiffness": 30.0, "rotor_inertia": 1e-3, "hub_inertia": hub}
    geared = {"hub_inertia": hub, "gear": {"ratio": 20.0}, "rotor_inertia": rotor}
    links = [
        beam("column", {"d": 0.3, "a": 0.2, "alpha": 1.2}, joint=joint),
        beam("fore", {"a": 0.4, "alpha": 0.7}, joint=geared),
    ]
    drives = [{"joint": name, "torque": {"profile": "constant", "amplitude": 0.0}} for name in ("column", "fore")]
    model = prepare(scenario(links, drives, method={"resolution": 2})).model
    state, rng = static_state(model, [0.3, 0.5]), np.random.default_rng(5)
    view = model.views(state)
    view.velocity[:] = 3.0 * rng.standard_normal(view.velocity.shape)
    nodes = [f for f in range(model.F) if model.mesh.frames[f, at.F_KIND] == at.NODE]
    rates = [(model.mesh.frames[f, at.F_DOF] + k, "velocity", f, k) for f in nodes for k in range(6)]
    rates += [(k, "deviation", row + 1, i) for k, row, i in model.mesh.joint_unknowns]
    for _, name, i, k in rates[6 * len(nodes) :]:
        getattr(view, name)[i, k] = rng.standard_normal()

    def forces(name, i, k, change):
        trial = state.copy()
        getattr(model.views(trial), name)[i, k] += change
        return model.evaluate(trial).residual

    numeric = np.zeros((model.size, model.size))
    for unknown, name, i, k in rates:
        numeric[:, unknown] = 0.5 * (forces(name, i, k, 1.0) - forces(name, i, k, -1.0))
    found = [model.evaluate(state.copy(), None, at.TANGENT, rate).matrix.dense() for rate in (0.0, 1.0)]
    return found[1] - found[0], numeric


def test_tangent_knows_what_spinning_hubs_and_rotors_do_as_they_tilt():
    """They have no inertia across their axes; forces are quadratic in rates, so differences of them are exact."""
    (with_spin, numeric), (without, plain) = spinning(0.1, 1e-3), spinning(0.0, 0.0)
    found, wanted = with_spin - without, numeric - plain
    assert np.abs(wanted).max() > 0.1
    assert np.abs(found - wanted).max() < 1e-9 * np.abs(wanted).max()


def swung(resolution: int, step: float, **more):
    drives = [
        {"joint": "column", "motion": {"profile": "cycloid", "by": 1.0, "duration": 0.3}},
        {"joint": "fore", "motion": {"profile": "cycloid", "by": -0.8, "duration": 0.3}},
    ]
    links = [beam("column", {"d": 0.3, "alpha": 1.2}), beam("fore", {"a": 0.6})]
    method, time = {"resolution": resolution, "integrator": "newmark"}, {"start": "equilibrium"}
    plan = scenario(links, drives, 0.3, step, arm={"gravity": [0, 0, -9.81]}, method=method, time=time, **more)
    return fa.simulate(plan)


def test_second_order_in_mesh_and_step():
    for runs in ([swung(n, 1e-3) for n in (4, 8, 16)], [swung(2, h) for h in (2e-3, 1e-3, 5e-4)]):
        last = [error_mm(run)[-1] for run in runs]
        coarse, fine = (np.linalg.norm(last[k] - last[k + 1]) for k in (0, 1))
        assert np.log2(coarse / fine) == pytest.approx(2.0, abs=0.3)


def test_energy_balance_of_an_arm_under_torque():
    links = [
        beam("column", {"d": 0.3, "alpha": 1.5}, joint={"hub_inertia": 0.01}, damping={"time": 1e-4}),
        beam("upper", {"a": 0.5}, joint={"position": 0.3, "hub_inertia": 1e-3}, damping={"time": 1e-4}),
        beam("fore", {"a": 0.4}, joint={"position": -0.5, "stiffness": 50.0, "damping": 0.05, "rotor_inertia": 1e-3}),
    ]
    drives = [
        {"joint": "column", "torque": {"profile": "sine", "amplitude": 2.0, "frequency": 3.0}},
        {"joint": "upper", "motion": {"profile": "cycloid", "by": 0.5, "duration": 0.4},
         "control": {"type": "pd", "gains": [{"kp": 60.0, "kv": 3.0}]}},
        {"joint": "fore", "torque": {"profile": "sine", "amplitude": 0.5, "frequency": 2.0}},
    ]  # fmt: skip
    payload = {"mass": 0.2, "inertia": [1e-4, 2e-4, 3e-4], "offset": [0.05, 0.02, 0.01]}
    plan = scenario(
        links, drives, 0.5, 1e-3, arm={"gravity": [0, 0, -9.81], "payload": payload}, output={"stations": 2}
    )
    result = fa.simulate(plan)
    assert result.success
    energy = result.data.energy
    stored = np.ptp(energy.sel(kind="kinetic").values)
    assert stored > 0.05
    assert np.abs(energy.sel(kind="residual")).max() < 1e-7 * stored
    assert np.abs(energy.sel(kind="numerical")).max() < 0.02 * stored
    assert float(energy.sel(kind="dissipated")[-1]) > 0.0
    finer = fa.simulate(plan.with_({"time.step": 5e-4}))
    ratio = np.abs(energy.sel(kind="numerical")).max() / np.abs(finer.data.energy.sel(kind="numerical")).max()
    assert ratio > 3.0


def test_rotations_stay_rotations():
    """A light rod that turns for twenty thousand steps; without renewal the error grows with every step."""
    drives = [{"joint": "rod", "motion": {"profile": "constant", "speed": 3.0}}]
    plan = scenario(
        [beam("rod", {"a": 0.5, "alpha": 0.3})], drives, 20.0, 1e-3, method={"resolution": 1}, output={"every": 1.0}
    )
    setup = prepare(plan)
    loop = TimeLoop(setup)
    while not loop.finished:
        loop.chunk(100000)
    R = setup.model.views(loop.state).rotation.reshape(-1, 3, 3)
    assert np.abs(np.swapaxes(R, 1, 2) @ R - np.eye(3)).max() < 1e-14


def test_pieces_of_a_run_give_the_same_bits():
    plan = fa.load("naganathan-3r").with_({"time.end": 0.3, "output.stations": 2})
    whole, cut = fa.simulate(plan), fa.simulate(plan, chunk=7)
    for name in ("tip_position", "joint_torque", "energy"):
        assert np.array_equal(whole.data[name].values, cut.data[name].values)


def test_many_joints_of_rigid_links_before_a_node():
    """More than two unknowns before a node: no blocks but a band, and the same answer from a stiffly sprung chain."""
    rigid = {"flexible": False, "body": {"mass": 0.3, "center": [0.1, 0.0, 0.0], "inertia": [1e-3, 1e-3, 1e-3]}}
    joint = {"stiffness": 200.0, "damping": 0.02, "rotor_inertia": 2e-3}
    links = [
        {"name": "one", **rigid, "joint": {**joint, "dh": {"a": 0.2, "alpha": 0.7}}},
        {"name": "two", **rigid, "joint": {**joint, "dh": {"a": 0.2, "alpha": -0.4}}},
        beam("fore", {"a": 0.4}, joint={"hub_inertia": 1e-3}),
    ]
    drives = [
        {"joint": name, "torque": {"profile": "sine", "amplitude": 1.0, "frequency": 3.0}}
        for name in ("one", "two", "fore")
    ]
    plan = scenario(links, drives, 0.2, 1e-3, arm={"gravity": [0, 0, -9.81]}, output={"stations": 2})
    assert len(prepare(plan).model.mesh.blocks) == 0
    result = fa.simulate(plan)
    assert result.success
    energy = result.data.energy
    stored = np.ptp(energy.sel(kind="kinetic").values)
    assert np.abs(energy.sel(kind="residual")).max() < 1e-6 * stored
    finer = fa.simulate(plan.with_({"time.step": 5e-4}))
    gone = [np.abs(run.data.energy.sel(kind="numerical")).max() for run in (result, finer)]
    assert gone[0] < 0.02 * stored and gone[0] / gone[1] > 3.0
