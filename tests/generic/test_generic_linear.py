"""Linear models against runs: a small push does the same to every reading, in every method."""

from __future__ import annotations

import numpy as np
import pytest
from generic_arms import METHODS, one_link
from test_generic_readings import TWO, WATCH, with_method

import flexarm as fa
from flexarm.errors import FlexarmError

PERIOD = 2.5e-4
ROTOR = {"hub_inertia": 2e-3, "rotor_inertia": 1e-5, "gear": {"ratio": 10}}
ARMS = {
    "weight": {"arm.gravity": [0, -9.81, 0], "arm.links.link.joint": ROTOR, "arm.damping": {"time": 5e-4}},
    "spring": {"arm.links.link.joint": {**ROTOR, "stiffness": 200.0, "damping": 0.05}, "arm.damping": {"time": 5e-4}},
}


def pushed(scenario: fa.Scenario, size: float, end: float = 0.1) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Readings of a run and of the linear model over the ticks of a push on each joint, as deviations from rest."""
    joints = scenario.arm.joints
    drives = [{"joint": joint, "torque": {"profile": "constant", "amplitude": 0.0}} for joint in joints]
    scenario = scenario.with_({"drive": drives, "time.end": 1.0, "time.step": PERIOD, "time.start": "locked"})
    model = fa.state_space(scenario)
    rest = np.array([model.point.torques[joint] for joint in joints])
    time = np.arange(round(end / PERIOD))[:, None] * PERIOD - 0.005 * np.arange(len(joints))
    u = size * np.sin(np.pi * np.clip(time / 0.06, 0.0, 1.0)) ** 2 / (1.0 + np.arange(len(joints)))
    simulator, sampled = fa.Simulator(scenario, period=PERIOD), model.discrete(PERIOD)
    simulator.reset()
    x, runs, linear = np.zeros(len(sampled.A)), [], []
    for row in u:
        runs.append(simulator.step(rest + row).copy())
        x = sampled.A @ x + sampled.B @ row
        linear.append(sampled.C @ x + sampled.D @ row)  # a tick sees the torque before it
    found, made = np.array(runs) - runs[0], np.array(linear)
    assert set(simulator.outputs) <= set(model.outputs)
    return {name: (found[:, k], made[:, model.outputs.index(name)]) for k, name in enumerate(simulator.outputs)}


@pytest.mark.parametrize("kind", ["weight", pytest.param("spring", marks=pytest.mark.document)])
@pytest.mark.parametrize("method", METHODS)
def test_a_push_reads_the_same_in_the_linear_model(method, kind):
    """All readings: joint and motor, torque, chord, tip and its velocity, gauges, sensors. None is silently zero."""
    readings = pushed(one_link(method, "torque").with_({**WATCH, **ARMS[kind]}), 1e-4)
    flat = {"tip.x", "tip.velocity_x"} if kind == "spring" else set()  # a straight link along x moves across it
    for name, (run, linear) in readings.items():
        if name in flat:
            assert np.abs(linear).max() < 1e-12, name
            continue
        assert np.abs(linear).max() > 1e-9, name
        assert np.abs(run - linear).max() < 5e-3 * np.abs(linear).max(), name


@pytest.mark.parametrize(
    "method",
    [
        pytest.param("fem", marks=pytest.mark.document),
        "segments",
        "modes",
        pytest.param("ancf", marks=pytest.mark.document),
    ],
)
def test_pushes_on_two_joints(method):
    joint = {"position": 0.6, "hub_inertia": 1e-3, "rotor_inertia": 1e-4, "gear": {"ratio": 5}, "motor_mass": 0.2}
    more = {
        "arm.gravity": [0, -9.81, 0], "arm.damping": {"time": 3e-4}, "arm.links.fore.joint": joint,
        "output.gauges": [{"link": "upper", "at": 0.0, "name": "root"}, {"link": "fore", "at": 0.3, "name": "bent"}],
    }  # fmt: skip
    for name, (run, linear) in pushed(with_method(fa.loads(TWO).with_(more), method), 1e-3, 0.08).items():
        assert np.abs(run - linear).max() < 6e-3 * np.abs(linear).max(), name


def test_pushes_on_an_arm_in_space():
    plan = fa.load("naganathan-3r")
    first, second, third = plan.arm.joints
    more = {
        "method.resolution": 2, "output.gauges": [{"link": second, "at": 0.5, "side": "z", "name": "bent"}],
        f"arm.links.{first}.joint.hub_inertia": 0.5, f"arm.links.{second}.joint.hub_inertia": 0.5,
        f"arm.links.{second}.joint.rotor_inertia": 0.5, f"arm.links.{third}.joint.rotor_inertia": 0.01,
        f"arm.links.{third}.joint.gear": {"ratio": 5},
    }  # fmt: skip
    for name, (run, linear) in pushed(plan.with_(more), 0.05, 0.05).items():
        # the column bends at once under the steps of the torque, and steps in time are a little late for that
        close = 0.05 if name.endswith("velocity") else 0.015
        assert np.abs(run - linear).max() < close * np.abs(linear).max(), name


LAWS = {
    "led": {},
    "pd": {"control": {"type": "pd", "kp": 20.0, "kv": 1.0}},
    "motor": {
        "control": {"type": "pid", "kp": 20.0, "kv": 1.0, "ki": 30.0},
        "actuator": {"type": "dc-motor", "torque_constant": 0.05, "resistance": 2.0, "inductance": 0.01},
    },
}


@pytest.mark.parametrize("law", ["led", pytest.param("pd", marks=pytest.mark.document), "motor"])
@pytest.mark.parametrize("method", METHODS)
def test_a_command_moves_the_linear_model_as_it_moves_the_arm(method, law):
    """Led joints by their acceleration; laws, with integral and motor, by reference and its rate."""
    size, T = 1e-4, 0.1
    drive = {"joint": "link", "motion": {"profile": "quintic", "by": size, "duration": T}, **LAWS[law]}
    more = {"drive": [drive], "arm.damping": {"time": 1e-4}, "time.step": 2e-4, "time.end": 0.2, "output.every": 2e-3,
            "output.gauges": [{"link": "link", "at": 0.0, "name": "root"}]}  # fmt: skip
    scenario = one_link(method).with_(more)
    data, model = fa.simulate(scenario).data, fa.state_space(scenario, joints="led" if law == "led" else "held")
    time = np.linspace(0.0, data.time.values[-1], 10 * (len(data.time) - 1) + 1)
    x = np.clip(time / T, 0.0, 1.0)
    place, rate = size * (10 * x**3 - 15 * x**4 + 6 * x**5), size / T * (30 * x**2 - 60 * x**3 + 30 * x**4)
    push = size / T**2 * (60 * x - 180 * x**2 + 120 * x**3)
    u = push[:, None] if law == "led" else np.column_stack([place, rate, np.zeros(len(time))])
    assert model.inputs[0] == ("link.acceleration" if law == "led" else "link.reference")
    found = dict(zip(model.outputs, model.run(time, u)[::10].T, strict=True))
    runs = {
        "link.position": data.joint_position.values[:, 0], "tip.travel": data.travel.values, "root": data.strain.values[:, 0],
        "link.torque": data.joint_torque.values[:, 0], "link.motor_velocity": data.motor_velocity.values[:, 0],
    }  # fmt: skip
    for name, run in runs.items():
        assert np.abs(found[name] - run).max() < 5e-4 * np.abs(run).max(), name


@pytest.mark.parametrize("method", METHODS)
def test_motors_without_inertia_in_front_of_a_spring(method):
    """They can be led, with the frequencies of locked joints and the spring between motor and link, but not pushed."""
    soft = one_link(method).with_({"arm.links.link.joint": {"hub_inertia": 2e-3, "stiffness": 200.0}})
    model = fa.state_space(soft, joints="led")
    hz = np.sort(np.abs(model.poles[model.poles.imag > 1.0]))[:3] / (2.0 * np.pi)
    assert hz == pytest.approx(fa.frequencies(soft, n=3, joints="locked").hz, rel=1e-6)
    response = dict(zip(model.outputs, model.response([40j])[0, :, 0], strict=True))
    wound = response["link.motor_position"] - response["link.position"]
    assert response["link.torque"] == pytest.approx(200.0 * wound, rel=1e-5)
    with pytest.raises(FlexarmError, match="needs inertia: give the joint rotor_inertia"):
        fa.state_space(soft)


def test_readings_that_follow_the_rate_of_an_input():
    """Differences put the slope of a hub without inertia where the torque bends it: its velocity is left out, with a note."""
    model = fa.state_space("tokhi-azad-no-hub")
    assert "link.position" in model.outputs and "link.velocity" not in model.outputs
    assert "link.velocity" in model.point.notes[-1]
    with pytest.raises(FlexarmError, match="follows the rate of an input here"):
        fa.state_space("tokhi-azad-no-hub", outputs="link.velocity")


@pytest.mark.parametrize(
    "joint", [{"hub_inertia": 2e-3}, {"rotor_inertia": 1e-3, "stiffness": 200.0}], ids=["stiff", "spring"]
)
@pytest.mark.parametrize("method", METHODS)
def test_poles_of_held_joints_are_their_frequencies(method, joint):
    """Also where a law reads a hub without inertia behind a spring, whose rate follows those of others."""
    changes = {"arm.links.link.joint": joint, "drive.0.control": {"type": "pd", "kp": 2.0, "kv": 0.1}}
    held = one_link(method, "control").with_(changes)
    poles = fa.state_space(held, joints="held", outputs="tip.travel").poles
    swings, wanted = poles[poles.imag > 1e-3][:3], fa.frequencies(held, n=3, joints="held")
    assert np.abs(swings) / (2.0 * np.pi) == pytest.approx(wanted.hz, rel=1e-6)
    assert -swings.real / np.abs(swings) == pytest.approx(wanted.damping, rel=1e-4, abs=1e-9)
