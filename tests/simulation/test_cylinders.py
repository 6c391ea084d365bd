"""Runs of arms on cylinders: beside plain equations, in every method, at the stops, under a controller, in pieces."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import flexarm as fa
import jack_reference as reference
from flexarm.errors import FlexarmError, ScenarioError


@pytest.fixture(scope="module")
def boom(tmp_path_factory) -> fa.Scenario:
    path: Path = tmp_path_factory.mktemp("jack") / "boom.yaml"
    path.write_text(reference.SCENARIO, encoding="utf-8")
    return fa.load(path)


@pytest.fixture(scope="module")
def exact() -> tuple[np.ndarray, np.ndarray]:
    return reference.solve()


def off(scenario: fa.Scenario, exact) -> tuple[float, float]:
    """Largest errors of angle (rad) and torque (share of its peak)."""
    data = fa.simulate(scenario).data
    angle, torque = data.joint_position.values[:, 0] - exact[0], data.drive_torque.values[:, 0] - exact[1]
    return float(np.abs(angle).max()), float(np.abs(torque).max() / np.abs(exact[1]).max())


def test_pressures_load_and_valve_are_solved_together(boom, exact):
    coarse, fine = (off(boom.with_({"time.step": h}), exact) for h in ("4 ms", "1 ms"))
    assert fine[0] < 5e-8 and fine[1] < 4e-5
    assert coarse[1] / fine[1] > 6.0  # the trapezoidal rule: second order, so no torque lags by a step


@pytest.mark.parametrize("method, stiffness", [("fem", "2e16 Pa"), ("segments", "2e18 Pa"), ("ancf", "2e15 Pa")])
def test_every_method_carries_the_same_cylinder(boom, exact, method, stiffness):
    changed = boom.with_({"method": {"name": method}, "arm.links.boom.material.E": stiffness})
    angle, torque = off(changed, exact)
    assert angle < 2e-6 and torque < 3e-4


def test_the_linear_method_too(boom):
    changed = {"method": {"name": "fd"}, "arm.gravity": [0, 0, 0], "arm.links.boom.material.E": "2e15 Pa"}
    angle, torque = off(boom.with_(changed), reference.solve(0.0))
    assert angle < 3e-6 and torque < 1e-3


def test_a_soft_boom_is_the_same_in_two_methods(boom):
    soft = {"arm.links.boom.material": "steel"}
    a, b = (fa.simulate(boom.with_({**soft, "method": {"name": name}})).data for name in ("modes", "fem"))
    for name, size in (("cylinder_pressure", 2e-3), ("tip_position", 2e-4)):
        assert np.abs(a[name].values - b[name].values).max() < size * np.abs(b[name].values).max()
    stiff = fa.simulate(boom).data
    assert np.abs(a.cylinder_pressure.values - stiff.cylinder_pressure.values).max() > 1e5
    energy = a.energy.sel(kind="residual").values
    assert np.abs(energy).max() < 1e-8 * np.abs(a.energy.sel(kind="work").values).max()


def test_signals_of_the_cylinder(boom):
    data = fa.simulate(boom).data
    angle = data.joint_position.values[:, 0]
    lengths, levers = np.array([reference.pins(y) for y in angle]).T
    assert np.allclose(data.cylinder_length.values[:, 0], lengths, rtol=1e-13)
    assert np.allclose(data.cylinder_force.values[:, 0] * levers, data.drive_torque.values[:, 0], rtol=1e-12)
    assert data.cylinder_pressure.attrs["units"] == "Pa"
    assert np.abs(angle[-1] - (reference.START + reference.TURN)) < 5e-3


def test_pressures_are_those_of_the_plain_equations(boom, exact):
    data = fa.simulate(boom.with_({"time.step": "1 ms"})).data
    a, b = exact[2]
    assert data.chamber_pressure.sel(chamber="push").values[:, 0] == pytest.approx(a, abs=2e-5 * a.max())
    assert data.chamber_pressure.sel(chamber="pull").values[:, 0] == pytest.approx(b, abs=2e-5 * a.max())
    assert data.differential_pressure.values[:, 0] == pytest.approx(a - b, abs=4e-5 * a.max())
    small = reference.AREA - reference.ROD
    assert data.cylinder_pressure.values[:, 0] == pytest.approx(a - small / reference.AREA * b, abs=4e-5 * a.max())


STEADY = """
name: a cylinder at steady speed
arm:
  links:
    - {name: arm, length: 1 m, section: {shape: tube, diameter: 60 mm, thickness: 4 mm}, material: {E: 2e15 Pa, density: 2700}}
drive:
  - joint: arm
    motion: {profile: trapezoid-velocity, by: 0.4 rad, duration: 2 s, rise: 0.3 s}
    actuator:
      type: hydraulic
      loop_gain: 20 1/s
      cylinder: {lever: 0.3 m, stroke: [-0.2 m, 0.2 m], area: 10 cm^2, friction: 40000 N*s/m}
      valve: {flow: 20 L/min}
      oil: {supply: 140 bar, tank: 2 bar, bulk_modulus: 0.9 GPa}
method: {name: modes, resolution: 1}
time: {end: 1.1 s, step: 1 ms}
"""


def test_pressure_at_steady_speed_is_what_friction_takes():
    """The load is nothing then: the piston's own friction alone, p = b w / A, and both chambers share the rest alike."""
    data = fa.simulate(fa.loads(STEADY)).data.sel(time=1.0, method="nearest")
    speed = 0.3 * float(data.joint_velocity[0])
    taken = 40000.0 * speed / 1e-3
    assert taken > 1e6  # tens of bar
    assert float(data.cylinder_force[0]) == pytest.approx(0.0, abs=1e-3 * taken * 1e-3)
    assert float(data.cylinder_pressure[0]) == pytest.approx(taken, rel=1e-3)
    assert float(data.differential_pressure[0]) == pytest.approx(taken, rel=1e-3)
    assert data.chamber_pressure.values[0] == pytest.approx([(142e5 + taken) / 2, (142e5 - taken) / 2], rel=1e-3)


def test_a_cylinder_without_oil_pushes_against_its_friction_too():
    jack = {"lever": 0.3, "area": 1e-3, "friction": 40000.0}
    ideal = fa.loads(STEADY).with_({"drive.arm.actuator": {"type": "ideal", "cylinder": jack}})
    data = fa.simulate(ideal).data
    wanted = data.cylinder_force.values[:, 0] + 40000.0 * np.gradient(
        data.cylinder_length.values[:, 0], data.time.values
    )
    assert data.cylinder_pressure.values[2:-2, 0] == pytest.approx(
        wanted[2:-2] / 1e-3, abs=2e-2 * np.abs(wanted).max() / 1e-3
    )
    assert "chamber_pressure" not in data


def test_pressures_do_not_depend_on_how_a_run_is_cut(boom):
    whole = fa.simulate(boom).data
    pieces = fa.simulate(boom, chunk=7).data
    assert np.array_equal(whole.chamber_pressure.values, pieces.chamber_pressure.values)
    rare = fa.simulate(boom.with_({"output.every": "50 ms"})).data
    assert np.array_equal(rare.chamber_pressure.values, whole.chamber_pressure.values[::5])


def test_it_rests_where_it_starts(boom):
    still = boom.with_({"drive.boom.motion": {"profile": "constant"}})
    angle = fa.simulate(still).data.joint_position.values
    assert np.abs(angle - angle[0]).max() < 1e-9


def test_options_of_the_cylinder_change_the_answer(boom):
    def lag(changes: dict) -> float:
        data = fa.simulate(boom.with_({f"drive.boom.actuator.{key}": value for key, value in changes.items()})).data
        return float(np.abs(data.joint_position.values - data.commanded_position.values).max())

    usual = lag({})
    assert lag({"loop_gain": "16 1/s"}) < 0.62 * usual
    narrow = lag({"valve.flow": "3 L/min"})
    assert narrow > 1.3 * usual
    assert lag({"valve.flow": "3 L/min", "valve.drop": "1 MPa"}) < 0.9 * narrow
    for changes in (
        {"oil.bulk_modulus": "0.2 GPa"}, {"oil.leakage": "1e-11 m^3/s/Pa"}, {"oil.tank": "2 MPa"},
        {"valve.frequency": "10 Hz"}, {"valve.damping": 0.3},
        {"cylinder.friction": "2e5 N*s/m"}, {"cylinder.rod_area": None},
        {"cylinder.dead_volume": "1 L"}, {"oil.supply": "120 bar"}, {"cylinder.area": "25 cm^2"},
    ):  # fmt: skip
        assert abs(lag(changes) / usual - 1.0) > 1e-5, changes


def test_a_cylinder_stops_at_its_end(boom):
    # the loop overshoots into the stop: a slow spool and a high gain
    wild = {
        "drive.boom.actuator.loop_gain": "30 1/s", "drive.boom.actuator.valve.frequency": "8 Hz",
        "drive.boom.actuator.cylinder.stroke": ["0.7 m", "1.176 m"], "drive.boom.motion.duration": "0.3 s",
        "time.step": "1 ms",
    }  # fmt: skip
    free = fa.simulate(boom.with_({**wild, "drive.boom.actuator.cylinder.stroke": ["0.7 m", "1.3 m"]})).data
    held = fa.simulate(boom.with_(wild)).data
    assert float(free.cylinder_length.max()) > 1.184
    assert float(held.cylinder_length.max()) < 1.181
    soft = {**wild, "drive.boom.actuator.cylinder.stop_stiffness": "2e6 N/m"}
    assert float(fa.simulate(boom.with_(soft)).data.cylinder_length.max()) > float(held.cylinder_length.max()) + 1e-3


def test_a_controller_opens_the_valve(boom):
    outside = boom.with_(
        {"drive.boom.control": {"type": "external", "period": "10 ms"}, "drive.boom.actuator.loop_gain": None}
    )

    def follow(time: float, reading) -> float:
        return 5.0 * (float(reading.reference[0, 0]) - reading["boom.position"])

    data = fa.simulate(outside, controller=follow).data
    assert np.abs(data.joint_position.values[-1] - reference.START - reference.TURN).max() < 0.02
    closed = fa.simulate(outside, controller=lambda time, reading: 0.0).data
    assert np.abs(closed.joint_position.values - reference.START).max() < 1e-3


def test_pieces_and_checkpoints_change_nothing(boom, tmp_path):
    whole = fa.simulate(boom).data.drive_torque.values
    assert np.array_equal(fa.simulate(boom, chunk=7).data.drive_torque.values, whole)
    calls = iter(range(1000))
    fa.simulate(boom, checkpoint=tmp_path / "half", cancel=lambda: next(calls) > 8, chunk=50)
    assert np.array_equal(fa.simulate(boom, resume=tmp_path / "half").data.drive_torque.values, whole)


@pytest.mark.parametrize(
    "changes, words",
    [
        ({"cylinder.stroke": ["0.7 m", "1.1 m"]}, r"would go beyond its long stop at 1.1 m: this motion takes it to 1.17"),
        ({"cylinder.stroke": ["1.05 m", "1.2 m"]}, "starts beyond its short stop"),
        ({"cylinder.area": "1 cm^2", "cylinder.rod_area": None}, "must push with 6583 N to hold the arm, but can only push"),
        ({"loop_gain": None}, "needs loop_gain to follow its motion"),
        ({"cylinder.base": ["260 mm", "150 mm"]}, "dead centre"),
    ],
)  # fmt: skip
def test_refused_before_the_run(boom, changes, words):
    with pytest.raises(ScenarioError, match=words):
        fa.simulate(boom.with_({f"drive.boom.actuator.{key}": value for key, value in changes.items()}))


@pytest.mark.parametrize(
    "changes, words",
    [
        ({"drive.boom.control": {"type": "external", "period": "1 ms"}}, "leave out loop_gain"),
        (
            {
                "drive.boom.control": {"type": "external", "period": "1 ms", "limit": 0.5},
                "drive.boom.actuator.loop_gain": None,
            },
            "limited to 1 anyway",
        ),
        (
            {
                "drive.boom.control": {"type": "external", "period": "1 ms"},
                "drive.boom.motion": None,
                "drive.boom.actuator.loop_gain": None,
                "drive.boom.actuator.cylinder.stroke": ["1.1 m", "1.3 m"],
            },
            "starts beyond its short stop",
        ),
        ({"drive.boom.servo": {"kp": 1.0}}, "leave out servo"),
        ({"drive.boom.actuator.oil": None}, "needs oil: with valve or oil it feels its load"),
        ({"drive.boom.actuator.cylinder.area": None, "drive.boom.actuator.cylinder.rod_area": None}, "needs area and stroke"),
        ({"drive.boom.actuator.natural_frequency": "5 Hz"}, "follow from cylinder and load"),
        ({"arm.links.boom.joint.stiffness": "1e6 N*m/rad"}, "needs inertia"),
    ],
)  # fmt: skip
def test_refused_drives(boom, changes, words):
    with pytest.raises(FlexarmError, match=words):
        fa.simulate(boom.with_(changes))
