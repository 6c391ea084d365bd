"""What is read off the grid: readings against what they mean, section forces against equilibrium and other methods."""

from __future__ import annotations

import numpy as np
import pytest
from fd_configurations import BODY, DOWN, HOLD, LUMPS, MOMENT, MOVE, NO_HUB, PULSE, STEP

import flexarm as fa
from flexarm.methods.fd.layout import HUB as HUB_ANGLE
from flexarm.methods.fd.layout import NODE
from flexarm.simulation.build import prepare
from flexarm.simulation.time_loop import TimeLoop
from single_link import HUB, LENGTH, RHO_A, bare_model, make

OUTPUT = {
    "sensors": [
        {"name": "lag", "link": "link", "at": 0.63, "kind": "displacement"},
        {"name": "bent", "link": "link", "at": 0.63, "kind": "slope"},
    ]
}


NUDGE = {"joint": "link", "motion": {"profile": "quintic", "by": 0.015, "duration": 0.15}}


def marched(**arm):
    """A model and its records at every step."""
    setup = prepare(make(output=OUTPUT, **arm))
    loop, records = TimeLoop(setup), []
    while not loop.finished:
        records.append(loop.chunk(10_000)[0].records)
    return setup.model, loop.state, np.concatenate(records)


@pytest.mark.parametrize("arm", [{"drive": MOVE, "payload": BODY}, {"drive": PULSE, "joint": NO_HUB}])
def test_velocities_are_rates_of_positions(arm):
    h = 1e-4
    model, _, records = marched(scheme="exact", step=h, every=h, end=0.1, resolution=12, **arm)
    pairs = {
        "link.position": "link.velocity", "link.motor_position": "link.motor_velocity",
        "link.chord_position": "link.chord_velocity", "tip.x": "tip.velocity_x", "tip.y": "tip.velocity_y",
        "tip.travel": "tip.velocity",
    }  # fmt: skip
    places = model.reader.tape(list(pairs)).values(records)
    rates = model.reader.tape(list(pairs.values())).values(records)
    change = (places[2:] - places[:-2]) / (2 * h)
    scale = np.abs(rates).max(axis=0)
    assert np.all(np.abs(change - rates[1:-1]).max(axis=0) < 5e-3 * scale)


def test_readings_of_a_state_are_those_of_its_geometry():
    """Tip, chord, displacement and slope from the nodes themselves, without the spline and without the reader."""
    model, _, records = marched(scheme="newmark", step=1e-3, every=1e-3, end=0.1, resolution=60, drive=MOVE)
    q, n = records[-1], 60
    names = ("tip.x", "tip.y", "tip.deflection", "tip.travel", "link.chord_position", "lag", "bent")
    found = dict(zip(names, model.reader.tape(names).values(q), strict=True))
    hub, tip = q[1], q[NODE + n]
    bend = tip - LENGTH * hub
    assert found["tip.travel"] == tip and found["tip.deflection"] == pytest.approx(bend, abs=1e-15)
    assert found["tip.x"] == pytest.approx(LENGTH * np.cos(hub) - bend * np.sin(hub), abs=1e-15)
    assert found["tip.y"] == pytest.approx(LENGTH * np.sin(hub) + bend * np.cos(hub), abs=1e-15)
    assert found["link.chord_position"] == pytest.approx(tip / LENGTH, rel=1e-14)
    y = q[NODE : NODE + n + 1] - hub * np.linspace(0.0, LENGTH, n + 1)
    at = 0.63 * n
    assert found["lag"] == pytest.approx(np.interp(at, np.arange(n + 1), y), abs=2e-4 * abs(bend))
    assert found["bent"] == pytest.approx((y[38] - y[37]) * n / LENGTH, rel=1e-2)


@pytest.mark.parametrize(
    "arm",
    [
        {"drive": STEP},
        {"drive": STEP, "joint": NO_HUB},
        {"drive": PULSE, "damping": {"time": 5e-4}, "joint": NO_HUB},
        {"drive": MOVE, "payload": BODY, "damping": {"time": 5e-4}},
        {"drive": STEP, "link": LUMPS},
        {"drive": [PULSE, MOMENT], "joint": NO_HUB},
        {"drive": [PULSE, MOMENT], "damping": {"time": 5e-4}},
        {"drive": STEP, "variant": "paper", "payload": {"mass": 0.02, "inertia": 1e-5}},
    ],
)
def test_shear_force_moves_what_is_beyond(arm):
    """In every section the shear force is minus the inertia of all beyond it, whatever else acts along the link; not where a lump
    sits inside the section, which the nodes share."""
    h, n = 2e-5, 10
    model, state, _ = marched(scheme="newmark", step=h, every=h, end=0.03, resolution=n, **arm)
    places = (np.arange(n) + 0.5) / n
    reader, width = model.reader, model.record_width
    shear = reader.graph.tape(reader.section_forces(0, places)[1]).values(state.x[:width])
    a, grid = state.x[model.layout["a"]], model.grid
    inertia = grid.mass[1:] * a[NODE + 1 : NODE + n + 1]
    inertia[-1] += grid.payload_mass * (a[NODE + n] + grid.payload_offset[0] * a[NODE + n + 1])
    beyond = -np.cumsum(inertia[::-1])[::-1]
    lumps = n * np.array([model.arm.links[0].place(lump.at)[0] / LENGTH for lump in model.arm.links[0].masses])
    whole = np.setdiff1d(np.arange(n), lumps[lumps % 1.0 > 1e-9].astype(int))
    assert shear[whole] == pytest.approx(beyond[whole], rel=1e-9, abs=1e-9 * np.abs(beyond).max())


@pytest.mark.parametrize("damping", [None, {"time": 5e-4}])
@pytest.mark.parametrize("scheme", ["leapfrog", "newmark", "exact"])
def test_root_moment_is_the_torque_through_the_joint(scheme, damping):
    """Without hub inertia the root section feels the whole torque, damping included."""
    step = 2e-6 if scheme == "leapfrog" and damping else 1e-4
    run = fa.simulate(
        make(drive=PULSE, joint=NO_HUB, damping=damping, scheme=scheme, step=step, end=0.05, every=0.005, resolution=12)
    )
    torque, moment = run.data.joint_torque.values[:, 0], run.data.bending_moment.values[:, 0, 0]
    assert moment == pytest.approx(-torque, abs=1e-9 * np.abs(torque).max())
    hub = fa.simulate(make(drive=MOVE, damping=damping, scheme="exact", end=0.1, every=0.01, resolution=12))
    rate = np.array(hub.data.joint_torque[:, 0]) + np.array(hub.data.bending_moment[:, 0, 0])
    assert np.abs(rate).max() < 0.05 * np.abs(hub.data.joint_torque).max()  # inertia of the hub


def test_weight_of_a_cantilever():
    """Inclined under gravity, at rest: what is beyond hangs on every section."""
    run = fa.simulate(
        make(drive=HOLD, gravity=DOWN, joint={"position": -0.3}, link={"material": {"E": 71.1e13, "density": 2710.0}},
             payload={"mass": 0.03}, start="equilibrium", end=0.01, every=0.01, resolution=40)
    ).data.isel(time=-1, link=0)  # fmt: skip
    beyond = LENGTH * (1.0 - run.s.values)
    weight = 9.81 * (RHO_A * beyond + 0.03)
    assert run.axial_force.values == pytest.approx(weight * np.sin(0.3), rel=1e-9)
    assert run.shear_force.values == pytest.approx(-weight * np.cos(0.3), rel=1e-4)
    moment = -9.81 * np.cos(0.3) * (0.5 * RHO_A * beyond**2 + 0.03 * beyond)
    assert run.bending_moment.values == pytest.approx(moment, rel=1e-4, abs=1e-4 * np.abs(moment).max())


def test_a_patch_of_moment_at_rest_bends_its_part_and_shears_nothing():
    patch = {"patch": {"link": "link", "from": 0.25, "to": 0.5}, "moment": {"profile": "constant", "amplitude": 0.3}}
    run = fa.simulate(make(drive=[HOLD, patch], start="equilibrium", end=0.01, every=0.01, resolution=40))
    last = run.data.isel(time=-1, link=0)
    inside = (last.s > 0.3) & (last.s < 0.45)
    assert last.bending_moment.values[inside] == pytest.approx(0.3, rel=1e-9)
    assert last.bending_moment.values[(last.s < 0.2) | (last.s > 0.55)] == pytest.approx(0.0, abs=1e-9)
    assert last.shear_force.values == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("arm", [{"drive": NUDGE, "payload": {"mass": 0.05, "inertia": 3e-5}}, {"drive": NUDGE}])
def test_section_forces_as_fem_has_them(arm):
    scenario = make(resolution=80, end=0.1, every=0.005, **arm)
    found = fa.simulate(scenario).data
    other = fa.simulate(scenario.with_({"method": {"name": "fem", "resolution": 16}})).data
    for name, most in (("shear_force", 0.03), ("bending_moment", 0.01)):
        assert np.abs(found[name] - other[name]).max() < most * np.abs(other[name]).max()


def test_a_hanging_stiff_arm_with_a_lump_that_turns_is_a_pendulum():
    lumps = {"masses": [{"at": 0.73, "mass": 0.01, "inertia": 1e-4}], "material": {"E": 71.1e13, "density": 2710.0}}
    found = fa.frequencies(make(gravity=[9.81, 0.0, 0.0], link=lumps, resolution=40), n=1, joints="free").hz[0]
    inertia = RHO_A * LENGTH**3 / 3.0 * (1.0 + 0.5 / 40**2) + HUB + 0.01 * (0.73 * LENGTH) ** 2 + 1e-4
    static = RHO_A * LENGTH**2 / 2.0 + 0.01 * 0.73 * LENGTH
    assert found == pytest.approx(np.sqrt(9.81 * static / inertia) / (2.0 * np.pi), rel=1e-4)


def test_a_stiff_arm_with_a_lump_that_turns_on_a_spring_is_an_oscillator():
    lumps = {"masses": [{"at": 0.73, "mass": 0.01, "inertia": 1e-4}], "material": {"E": 71.1e11, "density": 2710.0}}
    arm = make(link=lumps, joint={"stiffness": 2.0, "rotor_inertia": 1e-3}, resolution=40, end=0.01)
    found = [fa.frequencies(arm, n=1, joints=joints).hz[0] for joints in ("locked", "free")]
    inertia = RHO_A * LENGTH**3 / 3.0 * (1.0 + 0.5 / 40**2) + HUB + 0.01 * (0.73 * LENGTH) ** 2 + 1e-4
    assert found == pytest.approx(np.sqrt([2.0 / inertia, 2.0 / inertia + 2.0 / 1e-3]) / (2.0 * np.pi), rel=1e-3)
    assert fa.simulate(arm, warn=False).success


@pytest.mark.parametrize("n", [4, 19, 60])
def test_displacements_between_the_nodes_are_the_clamped_cubic_spline(n):
    """Against SciPy's spline through random places of the nodes with the slopes of both ends."""
    from scipy.interpolate import CubicSpline

    model = bare_model(make(resolution=n))
    reader, grid = model.reader, model.grid
    q = np.random.default_rng(n).normal(size=model.system.size)
    q[NODE] = 0.0
    spline = CubicSpline(grid.x, q[NODE : NODE + n + 1], bc_type=((1, q[HUB_ANGLE]), (1, q[NODE + n + 1])))
    fractions = np.array([0.0, 0.013, 0.5, 0.77, 1.0])
    for order in (0, 1):
        found = reader._rows(fractions, order) @ q
        assert found == pytest.approx(spline(fractions * grid.length, order), rel=1e-11, abs=1e-11)
