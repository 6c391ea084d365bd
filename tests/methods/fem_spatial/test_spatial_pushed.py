"""Beams that slide as they are pushed: the free length is an unknown of the arm."""

from __future__ import annotations

import numpy as np
import pytest
from pushed_blade import ALL, FLAT, TAPER, moving_boundary
from scipy.integrate import solve_ivp
from spatial_arms import beam, scenario

import flexarm as fa
from flexarm.errors import FlexarmError
from flexarm.methods.fem.spatial import layout as at
from flexarm.methods.fem.spatial.linear import static_state
from flexarm.methods.fem.spatial.placing import shift
from flexarm.simulation.build import prepare

RHO = 2700.0 * 0.01 * 0.003
STRONG = [{**TAPER[0], "width": 0.03, "height": 0.006}, {**TAPER[1], "width": 0.03, "height": 0.004}]
STIFF = {"E": 7e12, "density": 2700.0, "nu": 0.3}


def boom(drive, start=0.5, end=0.3, step=1e-3, joint=None, **more):
    """A blade that comes up out of the ground, pushed along."""
    link = beam("boom", None, more.pop("section", FLAT), length=ALL,
                joint={"type": "prismatic", "position": start, **(joint or {})}, **more.pop("link", {}))  # fmt: skip
    method = {"resolution": more.pop("resolution", 8), **more.pop("method", {})}
    drives = [{"joint": "boom", **drive}] if drive else []
    return scenario([link], drives, end, step, method=method, output={"stations": 2, **more.pop("output", {})}, **more)


def force(amplitude):
    return {"torque": {"profile": "constant", "amplitude": amplitude}}


def whole_arm(section):
    """Base, boom with its rear part and a spring, hand with a payload beside it: all that may couple with the length."""
    links = [
        beam("base", {"d": 0.2, "a": 0.1, "alpha": 1.2}, joint={"hub_inertia": 1e-3}),
        beam("boom", {"a": 0.1}, section, length=0.9,
             joint={"type": "prismatic", "position": 0.4, "retracted": "rigid"}),
        beam("fore", {"a": 0.2}, joint={"stiffness": 50.0, "rotor_inertia": 1e-3}),
    ]  # fmt: skip
    drives = [{"joint": name, **force(0.0)} for name in ("base", "boom", "fore")]
    payload = {"mass": 0.3, "offset": [0.05, 0.02, -0.03]}
    arm = {"gravity": [0.5, 1.0, -9.81], "payload": payload}
    return prepare(scenario(links, drives, arm=arm, method={"resolution": 2})).model


@pytest.mark.parametrize(("section", "rate"), [(FLAT, 0.7), (STRONG, 0.0)])
def test_tangent_is_the_derivative_of_the_forces(section, rate):
    """By positions, rates and accelerations; spins, whose squares the tangent leaves out, are zero, and so is the rate of
    a tapered boom."""
    model = whole_arm(section)
    rng = np.random.default_rng(3)
    state = static_state(model, [0.3, 0.4, -0.4])
    x, mesh = model.views(state), model.mesh
    shift(model, x, 0.02 * rng.standard_normal(model.size))
    nodes = mesh.node_frames
    x.velocity[nodes, :3], x.acceleration[nodes, :3] = rng.standard_normal((2, len(nodes), 3))
    x.deviation[at.PSI_RATE, 1], x.joint_acceleration[at.PSI, 1] = rate, -2.0

    def residual(step, rate, push):
        trial = state.copy()
        y = model.views(trial)
        shift(model, y, -step)
        rates, joint_rates = y.velocity, y.deviation[1:]
        mesh.scatter(mesh.gather(rates, joint_rates) + rate, rates, joint_rates)
        pushes, joint_pushes = y.acceleration, y.joint_acceleration
        mesh.scatter(mesh.gather(pushes, joint_pushes) + push, pushes, joint_pushes)
        return model.evaluate(trial).residual

    K = model.evaluate(state, None, at.TANGENT).matrix.dense()
    C = model.evaluate(state, None, at.TANGENT, 1.0).matrix.dense() - K
    M = model.evaluate(state, None, at.MASS, 0.0, 1.0).matrix.dense()
    none, unit = np.zeros(model.size), np.eye(model.size)
    own = [*mesh.node_unknowns[:, :3].ravel(), *model.matrix.border]
    for matrix, place, columns in ((K, 0, range(model.size)), (C, 1, own), (M, 2, range(model.size))):
        numeric, h = [], (1.0 if place else 1e-6)  # forces are of second degree in rates
        for k in columns:
            ends = [[none, none, none] for _ in range(2)]
            ends[0][place], ends[1][place] = -h * unit[k], h * unit[k]
            numeric.append((residual(*ends[1]) - residual(*ends[0])) / (2.0 * h))
        numeric, found = np.array(numeric).T, matrix[:, list(columns)]
        scale = np.sqrt(np.outer(np.abs(numeric).max(axis=1), np.abs(numeric).max(axis=0))) + 1.0
        wrong = np.abs((found - numeric) / scale)
        if rate == 0.0 and place == 0:  # the tangent leaves the second change of the stiffness with the length out
            edge = model.matrix.border[0]
            assert 1e-7 < wrong[edge, edge] < 1e-4
            wrong[edge, edge] = 0.0
        assert wrong.max() < 1e-7


def test_bordering_unknowns_are_solved_as_a_full_matrix_would_be():
    from flexarm.methods.fem.spatial import matrix
    from flexarm.numerics.jit import callable_from_python

    model = whole_arm(FLAT)
    state = static_state(model, [0.3, 0.4, -0.4])
    band = model.evaluate(state, None, at.TANGENT, 100.0, 1e5).matrix
    full, right = band.dense(), np.random.default_rng(1).standard_normal(model.size)
    x = right.copy()
    assert callable_from_python(matrix.factor)(band)
    callable_from_python(matrix.solve)(band, x)
    assert np.abs(x - np.linalg.solve(full, right)).max() < 1e-9 * np.abs(x).max()


@pytest.mark.parametrize(("first", "last"), [(0.4, 0.9), (0.9, 0.4)])
def test_force_of_a_motion_played_back_gives_the_motion(first, last):
    errors = []
    for step in (2e-3, 1e-3):
        motion = {"motion": {"profile": "cycloid", "to": last, "duration": 0.4}}
        more = {"arm": {"gravity": [0, 1.0, -9.81]}, "time": {"start": "equilibrium"}, "output": {"every": step}}
        moved = fa.simulate(boom(motion, first, 0.4, step, **more)).data
        points = np.column_stack([moved.time.values, moved.drive_torque.values[:, 0]]).tolist()
        values = {"profile": "table", "points": points}
        played = fa.simulate(boom({"torque": values}, first, 0.4, step, **more)).data
        errors.append(np.abs(played.joint_position.values - moved.joint_position.values).max())
        away = (played.tip_position - moved.tip_position).sel(axis="y")
        assert np.abs(away).max() < 0.02 * np.abs(moved.tip_position.sel(axis="y")).max()
    assert errors[1] < 2e-4 and errors[0] / errors[1] > 3.0


@pytest.mark.parametrize("retracted", ["rigid", "massless"])
def test_stiff_boom_on_a_turning_base_is_a_rigid_slider(retracted):
    """The base turns at 3 rad/s, the boom is pushed outwards and pulled back; by solve_ivp."""
    spin, start = 3.0, 0.45
    base = {"name": "base", "flexible": False, "body": {"mass": 1.0}, "joint": {"dh": {"d": 0.1, "alpha": np.pi / 2}}}
    link = beam("boom", None, FLAT, length=ALL, material=STIFF,
                joint={"type": "prismatic", "position": start, "retracted": retracted})  # fmt: skip
    pull = {"profile": "sine", "amplitude": 0.4, "frequency": 1.0}
    drives = [
        {"joint": "base", "motion": {"profile": "constant", "speed": spin}},
        {"joint": "boom", "torque": pull},
    ]
    plan = scenario([base, link], drives, 0.5, 1e-3, output={"stations": 2, "every": 0.02}, method={"tolerance": 1e-12})
    data = fa.simulate(plan).data

    def rigid(t, y):
        mass, moment = (
            (RHO * ALL, RHO * ALL * (y[0] - 0.5 * ALL)) if retracted == "rigid" else (RHO * y[0], RHO * y[0] ** 2 / 2)
        )
        return [y[1], (0.4 * np.sin(2 * np.pi * t) + spin**2 * moment) / mass]

    known = solve_ivp(rigid, (0.0, 0.5), [start, 0.0], t_eval=data.time.values, rtol=1e-9, atol=1e-12).y[0]
    assert np.ptp(known) > 0.15
    assert data.joint_position.sel(joint="boom").values == pytest.approx(known, abs=4e-5)


@pytest.mark.parametrize(
    ("start", "push", "section"), [(0.4, 2.2, FLAT), (0.9, -0.2, FLAT), (0.4, 2.2, TAPER), (0.9, -0.4, TAPER)]
)
def test_length_and_bending_as_in_a_moving_boundary_calculation(start, push, section):
    """Weight across and along; all mass slides, so that Lagrange's equations of a closed system hold."""
    gravity = [0.0, 1.5, -9.81]
    hold = RHO * ALL * 9.81
    joint = {"retracted": "rigid"}
    points = [[t, hold + push * np.sin(3.0 * np.pi * t)] for t in np.arange(0.0, 0.3505, 5e-4)]
    drive = {"torque": {"profile": "table", "points": points}}
    plan = boom(drive, start, 0.35, 5e-4, joint, resolution=16, arm={"gravity": gravity}, section=section,
                time={"start": "locked"}, output={"every": 5e-3}, method={"integrator": "newmark"})  # fmt: skip
    data = fa.simulate(plan).data
    length, tip = moving_boundary(
        start, lambda t: hold + push * np.sin(3.0 * np.pi * t), gravity, data.time.values, section
    )
    assert np.ptp(length) > 0.2 or push < 0
    assert data.joint_position.values[:, 0] == pytest.approx(length, abs=2e-3 * np.ptp(length))
    error = data.tip_position.values[:, 1] - tip
    assert np.abs(error).max() < 1e-2 * np.abs(tip).max()


def test_two_masses_on_a_spring():
    """Motor and stiff boom with a spring between: the centre of mass follows the force, the rest swings in closed form."""
    rotor, k, pull = 0.15, 900.0, 3.0
    joint = {"retracted": "rigid", "stiffness": k, "rotor_inertia": rotor}
    data = fa.simulate(boom(force(pull), 0.5, 0.15, 2e-4, joint, link={"material": STIFF}, resolution=2)).data
    mass = RHO * ALL
    t, whole = data.time.values, rotor + mass
    omega = np.sqrt(k * whole / (rotor * mass))
    stretch = pull / rotor / omega**2 * (1.0 - np.cos(omega * t))  # motor ahead of the link
    assert data.joint_deformation.values[:, 0] == pytest.approx(-stretch, abs=5e-3 * stretch.max())
    centre = 0.5 + 0.5 * pull / whole * t**2
    middle = (mass * data.joint_position.values[:, 0] + rotor * data.motor_position.values[:, 0]) / whole
    assert middle == pytest.approx(centre, abs=1e-6)
    hz = fa.frequencies(
        boom(force(0.0), 0.5, joint=joint, link={"material": STIFF}, resolution=2), joints="free", n=2
    ).hz
    assert np.abs(hz / (omega / 2 / np.pi) - 1.0).min() < 1e-4


@pytest.mark.parametrize("retracted", ["massless", "rigid"])
def test_energy_under_a_law_on_a_bending_arm(retracted):
    links = [
        beam("base", {"d": 0.3, "alpha": 1.3}, joint={"hub_inertia": 0.01}, damping={"time": 1e-4}),
        beam("boom", {"a": 0.1}, FLAT, length=1.0, damping={"time": 1e-4},
             joint={"type": "prismatic", "position": 0.4, "retracted": retracted}),
    ]  # fmt: skip
    drives = [
        {"joint": "base", "torque": {"profile": "sine", "amplitude": 0.5, "frequency": 3.0}},
        {"joint": "boom", "motion": {"profile": "cycloid", "to": 0.7, "duration": 0.3},
         "control": {"type": "pid", "gains": [{"kp": 300.0, "kv": 15.0, "ki": 100.0}]}},
    ]  # fmt: skip
    arm = {"gravity": [0, 0, -9.81], "payload": {"mass": 0.05, "offset": [0.0, 0.02, 0.0]}}
    plan = scenario(links, drives, 0.4, 1e-3, arm=arm, output={"stations": 2})
    run, finer = fa.simulate(plan), fa.simulate(plan.with_({"time.step": 5e-4}))
    energy = run.data.energy
    scale = np.ptp(energy.sel(kind="kinetic").values)
    assert run.success and np.abs(energy.sel(kind="residual")).max() < 1e-7 * scale
    gone = [np.abs(data.energy.sel(kind="numerical")).max() for data in (run.data, finer.data)]
    assert gone[0] < 0.02 * scale and gone[0] / gone[1] > 2.5
    assert np.abs(run.data.joint_position.values[-1, 1] - 0.7) < 0.02
    cut = fa.simulate(plan, chunk=7)
    assert np.array_equal(cut.data.tip_position.values, run.data.tip_position.values)


def test_end_of_travel_is_said_and_nothing_is_lost():
    run = fa.simulate(boom(force(2.0), 0.9, 1.0))
    assert not run.success and any("end of its 1.2 m of material" in note for note in run.notes)
    assert 1.15 < run.data.joint_position.values[-1, 0] <= 1.2 * (1 + 1e-9)
    with pytest.raises(FlexarmError, match="does not follow"):
        fa.simulate(boom(force(1.0), method={"theory": "linear"}))


def test_friction_holds_a_boom():
    data = fa.simulate(boom(force(1.0), 0.5, 0.1, joint={"friction": 2.0})).data
    assert np.abs(data.joint_position.values - 0.5).max() < 1e-4
    free = fa.simulate(boom(force(1.0), 0.5, 0.1)).data
    assert np.abs(free.joint_position.values - 0.5).max() > 1e-2
