"""What is read off a spatial arm, against what the readings mean: differences of positions, torques at the joints, planar fem."""

from __future__ import annotations

import numpy as np
import pytest
from spatial_arms import ALUMINIUM, beam, scenario

import flexarm as fa
from flexarm.methods.fem.spatial import layout as at
from flexarm.methods.fem.spatial.linear import state_changes, static_state
from flexarm.methods.fem.spatial.placing import shift
from flexarm.simulation.build import prepare
from flexarm.simulation.time_loop import TimeLoop

MOVE = {"profile": "cycloid", "by": 0.8, "duration": 0.3}
FLAT = {"shape": "rectangle", "width": 0.03, "height": 0.005}
TAPER = [{**FLAT, "at": 0.0}, {**FLAT, "at": 1.0, "height": 0.003}]
STEEP = [{"at": 0.0, "shape": "rectangle", "width": 0.01, "height": 0.004},
         {"at": 1.0, "shape": "rectangle", "width": 0.01, "height": 0.002}]  # fmt: skip
FORCES = ("axial_force", "shear_force", "shear_force_z", "torsion_moment", "bending_moment_y", "bending_moment")
WATCH = {
    "gauges": [{"name": "root", "link": "fore", "at": 0.0}, {"name": "side", "link": "fore", "at": 0.4, "side": "z"}],
    "sensors": [
        {"name": kind, "link": "fore", "at": 0.7, "kind": kind} for kind in ("displacement", "slope", "strain")
    ],
}


def swung(**more):
    """Two tapered links that turn about crossed axes under weight."""
    links = [beam("column", {"d": 0.3, "a": 0.2, "alpha": 1.2}, TAPER, damping={"time": 2e-4}),
             beam("fore", {"a": 0.5}, TAPER, damping={"time": 2e-4})]  # fmt: skip
    drives = [{"joint": "column", "motion": MOVE}, {"joint": "fore", "motion": {**MOVE, "by": -0.5}}]
    more = {"arm": {"gravity": [0.0, 0.0, -9.81], "payload": {"mass": 0.1}}, "time": {"start": "equilibrium"}, **more}
    return scenario(links, drives, more.pop("end", 0.1), more.pop("step", 2.5e-4), **more)


def slid(section, **more):
    """A blade that comes out of the ground with weight across it."""
    joint = {"type": "prismatic", "position": 0.4, **more.pop("joint", {})}
    link = beam("boom", None, section, length=1.2, joint=joint)  # undamped: strains are those of elastic forces alone
    drive = {"joint": "boom", "motion": {"profile": "cycloid", "to": 0.9, "duration": 0.3}}
    return scenario([link], [drive], 0.3, 5e-4, arm={"gravity": [0, 1.0, 0]}, time={"start": "equilibrium"}, **more)


def history(one, period):
    """Readings at every period of a run, by name."""
    simulator = fa.Simulator(one, period=period)
    rows = [simulator.reset().copy()]
    while not simulator.finished:
        rows.append(simulator.step().copy())
    return dict(zip(simulator.outputs, np.array(rows).T, strict=True))


@pytest.mark.parametrize("theory", ["exact", "linear"])
def test_rates_are_those_of_the_positions(theory):
    found = history(swung(method={"theory": theory}), 2.5e-4)
    pairs = [(f"tip.{axis}", f"tip.velocity_{axis}") for axis in "xyz"]
    for place, rate in [*pairs, ("fore.position", "fore.velocity"), ("column.motor_position", "column.motor_velocity")]:
        middle = (found[place][2:] - found[place][:-2]) / 5e-4
        assert found[rate][1:-1] == pytest.approx(middle, abs=2e-3 * np.abs(middle).max()), rate


@pytest.mark.parametrize("theory", ["exact", "linear"])
def test_rates_of_strains_are_those_of_their_values(theory):
    """The chain rule through rotation matrices, of which the linear theory has those of the stiff arm."""
    loop, values, rates = TimeLoop(prepare(swung(method={"theory": theory, "resolution": 3}))), [], []
    model = loop.model
    formulas = [*model.reader._turned(1).strains, *model.reader._turned(4).strains]
    tape = model.reader.graph.tape([*formulas, *(model.reader.graph.rate(each) for each in formulas)])
    for _ in range(200):
        loop.enter()
        loop.chunk(1)
        one = tape.values(model.record(loop.state))
        values.append(one[:12])
        rates.append(one[12:])
    middle = (np.array(values)[2:] - np.array(values)[:-2]) / 5e-4
    assert np.abs(np.array(rates)[1:-1] - middle).max(axis=0) == pytest.approx(0.0, abs=0.02 * np.abs(middle).max())


def test_a_link_without_damping_feels_its_elastic_forces():
    model = prepare(swung()).model
    elastic, cut = (f(1, [0.3, 0.8]) for f in (model.reader.elastic_forces, model.reader.section_forces))
    state = static_state(model, model.arm.pose)
    one, two = (model.reader.graph.tape(f.ravel()).values(model.record(state)) for f in (elastic, cut))
    assert one == pytest.approx(two, abs=1e-9 * np.abs(one).max())


@pytest.mark.parametrize("time", [0.0, 2e-3])
@pytest.mark.parametrize("hub", [0.0, 5e-2])
def test_a_cut_near_the_root_feels_the_torque_of_the_joint(time, hub):
    """The moment goes on through the root as it is in the elements, damping included; a hub is before it."""
    damping = {"damping": {"time": time}} if time else {}
    link = beam("a", {"a": 0.6}, FLAT, joint={"hub_inertia": hub}, **damping)
    one = scenario([link], [{"joint": "a", "motion": MOVE}], 0.3, 5e-4, method={"resolution": 16})
    data = fa.simulate(one.with_({"output.stations": 33})).data  # element middles are at odd stations
    torque, moment = data.joint_torque.values[:, 0], -data.bending_moment.values[:, 0]
    acceleration = np.gradient(data.joint_velocity.values[:, 0], 5e-4)
    continued = 1.5 * moment[:, 1] - 0.5 * moment[:, 3]
    assert np.abs(moment[:, 0] - continued)[2:-2].max() < 0.01 * np.abs(moment).max()
    assert np.abs(moment[:, 0] - torque + hub * acceleration)[2:-2].max() < 2e-3 * np.abs(torque).max()


def test_section_forces_are_those_of_the_planar_model():
    flat = {"name": "a", "length": 0.6, "section": FLAT, "material": ALUMINIUM, "damping": {"time": 1e-3}}
    drives = [{"joint": "a", "motion": MOVE}]
    plane, space = (
        fa.simulate(scenario([{**flat, "joint": joint}], drives, 0.3, 5e-4, method={"resolution": 16, "order": 1}))
        for joint in ({}, {"dh": {"a": 0.6}})
    )
    for name in ("axial_force", "shear_force", "bending_moment"):
        one, two = (run.data[name].values[:, 0, 2:-2] for run in (plane, space))
        assert np.abs(one - two).max() < 0.02 * np.abs(one).max(), name
    for name in ("shear_force_z", "torsion_moment", "bending_moment_y"):
        assert np.abs(space.data[name].values).max() < 1e-9


def test_rigid_links_have_no_section_forces():
    rigid = {"name": "base", "flexible": False, "body": {"mass": 1.0}, "joint": {"dh": {"d": 0.1}}}
    one = scenario([rigid, beam("fore", {"a": 0.4})], [{"joint": "fore", "motion": MOVE}], 0.02)
    data = fa.simulate(one).data
    for name in FORCES:
        assert np.all(np.isnan(data[name].values[:, 0])) and np.all(np.isfinite(data[name].values[:, 1]))


@pytest.mark.parametrize("section", [STEEP, {"shape": "rectangle", "width": 0.01, "height": 0.003}])
def test_strain_of_a_blade_that_slides_is_that_of_the_section_which_is_there(section):
    """Force and moment over the stiffness of the material at the gauge, which keeps its distance from the end."""
    gauges = {"gauges": [{"name": "half", "link": "boom", "at": 0.5}], "stations": 3}
    data = fa.simulate(slid(section, output=gauges, method={"resolution": 8})).data
    S = 0.5 * data.joint_position.values[:, 0]
    tall = np.full_like(S, 0.003) if isinstance(section, dict) else 0.002 + 0.002 * S / 1.2
    moment, stiff = data.bending_moment.values[:, 0, 1], 70e9 * 0.01 * tall**3 / 12.0
    strain = data.axial_force.values[:, 0, 1] / (70e9 * 0.01 * tall) - 0.5 * tall * moment / stiff
    assert data.strain.values[:, 0] == pytest.approx(strain, abs=2e-3 * np.abs(strain).max())


@pytest.mark.parametrize("theory", ["exact", "linear"])
def test_rows_of_readings_are_their_derivatives(theory):
    """By the unknowns of the arm, through the changes of the numbers in the state."""
    links = [beam("column", {"d": 0.3, "alpha": 1.2}, FLAT),
             beam("fore", {"a": 0.4}, FLAT, joint={"stiffness": 30.0, "rotor_inertia": 1e-3})]  # fmt: skip
    torque = {"torque": {"profile": "constant", "amplitude": 0.0}}
    one = scenario(links, [{"joint": name, **torque} for name in ("column", "fore")], output=WATCH,
                   arm={"gravity": [0.5, 1.0, -9.81]}, method={"theory": theory, "resolution": 2})  # fmt: skip
    model = prepare(one).model
    state, row = static_state(model, [0.3, 0.5]), model.posed_row([0.3, 0.5])
    names = [
        name for name in model.reader.names if not name.endswith(("velocity", "torque")) and "velocity_" not in name
    ]
    model.evaluate(state, row)
    found = model.reader.rows(model.record(state), names) @ state_changes(model, state)

    def readings(step):
        trial = state.copy()
        shift(model, model.views(trial), -step)
        model.evaluate(trial, row)
        x, start = model.views(trial), model.scratch.phi0[:, 0]  # what the end of a step would note
        motor = [at.TURN if turn >= 0 else at.PSI for turn in model.mesh.turn]
        x.joint_record[at.JOINT] = start + x.deviation[at.PSI]
        x.joint_record[at.MOTOR] = start + x.deviation[motor, [0, 1]]
        return model.reader.tape(names).values(model.record(trial))

    numeric = np.array([(readings(e) - readings(-e)) / 2e-6 for e in 1e-6 * np.eye(model.size)]).T
    assert np.abs(found - numeric).max() < 1e-6 * np.abs(numeric).max()


@pytest.mark.parametrize(("across", "force", "moment", "sign"), [
    (1, "shear_force", "bending_moment", -1.0), (2, "shear_force_z", "bending_moment_y", 1.0),
])  # fmt: skip
def test_at_rest_forces_beside_lumps_carry_the_weight_beyond(across, force, moment, sign):
    """On a lump the cut is before it: closed form of a cantilever, weight across it in both planes."""
    lumps = [{"at": 0.33, "mass": 0.3, "inertia": 2e-3}, {"at": 0.6, "mass": 0.2}]
    section, density = {"shape": "rectangle", "width": 0.02, "height": 0.01}, ALUMINIUM["density"]
    weight = [0.0, 0.0, 0.0]
    weight[across] = -0.1  # so little that the link stays straight
    one = scenario([beam("bar", {"a": 0.9}, section, masses=lumps)], [{"joint": "bar", "motion": {"profile": "constant"}}],
                   1e-3, 5e-4, arm={"gravity": weight, "payload": {"mass": 0.1}}, time={"start": "locked"},
                   method={"resolution": 16}, output={"stations": 21})  # fmt: skip
    data = fa.simulate(one).data
    s, line = data.s.values, density * 2e-4
    beyond = 0.9 * (1.0 - s)
    shear, bent = line * beyond + 0.1, 0.5 * line * beyond**2 + 0.1 * beyond
    for lump in lumps:
        felt = lump["mass"] * (s <= lump["at"] + 1e-9)
        shear, bent = shear + felt, bent + felt * (lump["at"] - s) * 0.9
    assert data[force].values[0, 0] == pytest.approx(-0.1 * shear, abs=1e-3 * 0.1 * shear.max())
    assert data[moment].values[0, 0] == pytest.approx(sign * 0.1 * bent, abs=2e-3 * 0.1 * bent.max())
