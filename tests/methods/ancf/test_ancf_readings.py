"""Readings and section forces against what they mean."""

import numpy as np
import pytest
from ancf_arms import GRAVITY, bar, build, held, moving, scenario, swing, two_links

import flexarm as fa
from flexarm.drive import JointWiring, Patch, Wiring
from flexarm.methods import get_method
from flexarm.methods.base import State
from flexarm.methods.sensors import Gauge, SensorPoint, Watch
from flexarm.simulation.build import prepare

GEARED = ({"stiffness": 3e4, "rotor_inertia": 0.5}, {"stiffness": 1e4, "rotor_inertia": 0.2})
WATCH = Watch(
    (Gauge(name="low", link="fore", at=0.3, side="bottom"),),
    (SensorPoint(name="off", link="fore", at=0.7), SensorPoint(name="turned", link="fore", at=0.7, kind="slope")),
)


def anywhere(element, mode, joints=({}, {})):
    """A model and a state somewhere, several turns round, with everything in motion."""
    arm, method = fa.Arm.model_validate(two_links(*joints)), get_method("ancf")
    wired = tuple(JointWiring(j, mode, arm.link(j).joint.stiffness is not None) for j in arm.joints)
    model = method.build(arm, Wiring(wired), method.options_from({"element": element, "resolution": [2, 3]}), WATCH)
    rng, row = np.random.default_rng(7), model.posed_row([7.0, -9.5])
    state = model.empty()
    model.place_rigidly(state, [7.0, -9.5], [0.4, 1.1], row)
    s = model.view(state)
    s.q += 0.02 * rng.standard_normal(model.size)
    s.v += rng.standard_normal(model.size)
    return model, state


def read(model, x):
    return dict(
        zip(model.sensors, model.measure(State(x, np.zeros((1, 1))), np.zeros(len(model.sensors))), strict=True)
    )


@pytest.mark.parametrize(("element", "joints"), [("shear", ({}, {})), ("cable", GEARED)])
def test_readings_are_those_of_the_vectors(element, joints):
    model, state = anywhere(element, "torque", joints)
    q, m, got = state.x, model.parts, read(model, state.x)

    def direction(p, back=0.0):
        return np.arctan2(q[p + 1], q[p]) - back

    back = np.pi / 2 if element == "shear" else 0.0
    first, end, fore = direction(m.first[0], back), direction(m.before[1], back), direction(m.first[1], back)
    chords = [np.arctan2(*(q[t : t + 2] - q[r : r + 2])[::-1]) for r, t in zip(m.root, m.tip, strict=True)]
    motors = (q[m.motor[0]], q[m.motor[1]] - end) if joints is GEARED else (first, fore - end)
    wanted = {
        "upper.position": first, "fore.position": fore - end, "upper.motor_position": motors[0],
        "fore.motor_position": motors[1], "upper.chord_position": chords[0], "fore.chord_position": chords[1] - chords[0],
    }  # fmt: skip
    for name, value in wanted.items():
        assert (got[name] - value + np.pi) % (2 * np.pi) - np.pi == pytest.approx(0.0, abs=1e-12), name
        assert got[name] == pytest.approx(7.0 if "upper" in name else -9.5, abs=0.3), name  # whole turns count
    axis = np.array([np.cos(fore), np.sin(fore)])
    far, near = (q[p : p + 2] for p in (m.tip[1], m.root[1]))
    assert [got["tip.x"], got["tip.y"]] == pytest.approx(far, abs=1e-15)
    end_of_fore = model.reader.graph.tape([model.reader.deflections(1, [1.0])[0]]).values(q)[0]
    assert end_of_fore == pytest.approx(axis[0] * (far - near)[1] - axis[1] * (far - near)[0], abs=1e-12)


@pytest.mark.parametrize("element", ["shear", "cable"])
@pytest.mark.parametrize("mode", ["torque", "motion"])
def test_rates_and_rows_are_derivatives(element, mode):
    """Along the motion for rates, number by number for the rows of linear models."""
    model, state = anywhere(element, mode)
    n, x = model.size, state.x
    along = np.zeros_like(x)
    along[:n] = x[n : 2 * n]
    along[model.layout["motor"]] = x[model.layout["motor_rate"]]
    ahead, behind, now = read(model, x + 1e-6 * along), read(model, x - 1e-6 * along), read(model, x)
    pairs = {
        f"{j}.{part}position": f"{j}.{part}velocity" for j in ("upper", "fore") for part in ("", "motor_", "chord_")
    }
    for place, rate in {**pairs, "tip.x": "tip.velocity_x", "tip.y": "tip.velocity_y"}.items():
        assert (ahead[place] - behind[place]) / 2e-6 == pytest.approx(now[rate], rel=1e-6, abs=1e-7), place
    rows = model.reader.rows(x[: model.record_width], model.sensors)
    for k in range(2 * n):
        step = np.zeros_like(x)
        step[k] = 1e-6
        both = read(model, x + step), read(model, x - step)
        numeric = [(both[0][name] - both[1][name]) / 2e-6 for name in model.sensors]
        assert rows[:, k] == pytest.approx(numeric, rel=1e-5, abs=1e-5 * np.abs(rows).max())


def test_the_slope_of_a_link_rolled_up_is_a_whole_turn():
    """The moment that closes the circle turns the end by 2 pi, up to an error of the mesh of fourth order."""
    arm = bar(
        1.0, {"E": 1e8, "nu": 0.0, "density": 1000, "G": 1e8}, {"area": 1e-4, "inertia": 2e-8, "shear_factor": 1.0}
    )
    wiring = Wiring((JointWiring("bar", "motion"),), (Patch("pair", "bar", "moment", 0.0, 1.0),))
    watch = Watch((), (SensorPoint(name="end", link="bar", at=1.0, kind="slope"),))
    method, row = get_method("ancf"), np.zeros((2, 7))
    row[1, 3] = 2 * np.pi * 2.0
    for element in ("shear", "cable"):
        errors = []
        for elements in (8, 16):
            model = method.build(arm, wiring, method.options_from({"element": element, "resolution": elements}), watch)
            errors.append(abs(read(model, model.static([0.0], row).x)["end"] - 2 * np.pi))
        assert errors[0] > 12 * errors[1] and errors[1] < 2e-3


@pytest.mark.parametrize("element", ["shear", "cable"])
def test_cuts_feel_the_torque_of_the_joint_and_the_inertia_of_what_is_beyond(element):
    """No hub, strong damping. Inertia comes from second differences of the shape in time, at rest also from `fem`."""
    arm = two_links(gravity=GRAVITY, damping={"time": 4e-3}, payload={"mass": 2.0})
    drive = [moving("upper", 0.3, 0.2), held("fore", -0.6, duration=0.2)]
    method = {"element": element, "resolution": [4, 8]}
    plan = scenario(arm, drive, 0.3, 1e-3, method, start="equilibrium", every=1e-3)
    ours = fa.simulate(plan).data
    for k, joint in enumerate(("upper", "fore")):
        moment, torque = ours.bending_moment.values[1:, k, 0], ours.joint_torque.values[1:, k]
        assert moment == pytest.approx(-torque, abs=1e-2 * np.abs(torque).max()), joint
    shape, s = ours["shape"].values[:, 1, :, :2], ours.s.values
    pull = np.diff(shape, 2, axis=0) / 1e-6 - np.array(GRAVITY[:2])
    line, ds = 6000 * 0.05**2, 1.6 * (s[1] - s[0])
    pieces = 0.5 * line * ds * (pull[:, 1:] + pull[:, :-1])
    beyond = np.concatenate([np.cumsum(pieces[:, ::-1], axis=1)[:, ::-1], np.zeros_like(pull[:, :1])], axis=1)
    beyond += 2.0 * pull[:, -1:]
    axis = np.gradient(shape[1:-1], axis=1)
    axis /= np.linalg.norm(axis, axis=2, keepdims=True)
    across = np.stack([-axis[..., 1], axis[..., 0]], axis=-1)
    inner = slice(2, -2)
    for name, direction in (("axial_force", axis), ("shear_force", across)):
        wanted, found = -np.sum(beyond * direction, axis=2), ours[name].values[1:-1, 1]
        error = np.abs(found - wanted)[5:, inner].max()
        assert error < 0.03 * np.abs(wanted).max(), (name, error, np.abs(wanted).max())
    beams = fa.simulate(plan.with_({"method": {"name": "fem", "order": 3, "resolution": 8}, "time.end": 2e-3})).data
    for name in ("bending_moment", "shear_force", "axial_force"):
        scale = float(np.abs(beams[name][0]).max())
        assert float(np.abs(ours[name] - beams[name])[0].max()) < 0.02 * scale, name


def test_every_measured_number_is_in_the_signals():
    run = scenario(two_links(), [swing("upper", 20.0), swing("fore", 5.0)], 0.1)
    model, result = prepare(run).model, fa.simulate(run).data
    assert {"upper.chord_velocity", "fore.motor_velocity", "tip.velocity_x"} <= set(model.sensors)
    assert result.sizes["joint"] == 2
    assert build(bar(1.0, {"E": 70e9, "nu": 0.3, "density": 2700})).sensors[-3:] == (
        "tip.travel", "tip.velocity", "tip.deflection",
    )  # fmt: skip
