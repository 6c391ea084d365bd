"""The state space as an object: names, point, selections, responses, files, python-control, margins, loops; what is refused."""

from __future__ import annotations

import json
import sys

import numpy as np
import pytest
from linear_arms import link, link_model

import flexarm as fa
from flexarm.control.margins import Loop, margins, open_loops
from flexarm.errors import FlexarmError, OutputError, ScenarioError


def test_names_units_and_point():
    weighed = link("fem").with_({"arm.gravity": [0, -9.81, 0]})
    model = fa.state_space(weighed, pose=[0.3])
    n = len(model.states) // 2
    assert model.states[n:] == tuple(f"{name}.rate" for name in model.states[:n])
    assert model.inputs == ("link.torque",) and model.input_units == ("N*m",)
    units = dict(zip(model.outputs, model.output_units, strict=True))
    assert (units["link.velocity"], units["tip.acceleration_y"], units["root"], units["link.torque"]) == (
        "rad/s",
        "m/s^2",
        "1",
        "N*m",
    )
    mass, half = 0.16678424 * 0.96, 0.48  # weight at the middle of the link, which hardly bends here
    assert model.point.torques["link"] == pytest.approx(9.81 * mass * half * np.cos(0.3), rel=0.05)
    assert model.point.pose == {"link": pytest.approx(0.3)} and model.point.gravity == (0.0, -9.81, 0.0)
    assert (model.point.method, model.point.joints) == ("fem", {"link": "free"})
    assert "inputs link.torque" in repr(model) and "0.3" in repr(model)
    assert "link.torque (N*m)" in model._repr_html_()


def test_times_choose_pose_payload_and_gains():
    plan = fa.load("tokhi-azad-pick-up")
    before, after = (fa.state_space(plan, time=t, outputs="tip.travel").low_frequencies()[0, 0, 0] for t in (0.1, 0.6))
    assert before / after == pytest.approx(1.0 + 0.02 * 0.96**2 / 0.0497726737869, rel=5e-3)
    held = fa.load("pd-hub")
    assert fa.state_space(held, time=0.8, joints="held").point.pose["link"] == pytest.approx(np.radians(30.0), abs=1e-6)


def test_step_and_sampling_are_exact():
    """Half the square of time over the inertia, plus what bends; and the same at the instants of a sampled model."""
    model = link_model("modes").select("link.position")
    step = model.step(0.3, 30)
    residues = model.C[0, : len(model.A) // 2] * model.B[len(model.A) // 2 :, 0]
    omega = np.sqrt(-np.diag(model.A[len(residues) :, : len(residues)]))
    t = step.time[:, None]
    wanted = 0.5 * residues[0] * t[:, 0] ** 2 + ((1.0 - np.cos(omega[1:] * t)) / omega[1:] ** 2) @ residues[1:]
    assert step.response[:, 0, 0] == pytest.approx(wanted, rel=1e-9)
    sampled = model.discrete(0.01)
    assert sampled.period == 0.01 and sampled.step(0.3).response == pytest.approx(step.response, rel=1e-9)
    ramp = model.run(step.time, step.time)[:, 0]
    assert np.gradient(ramp, step.time)[1:-1] == pytest.approx(step.response[1:-1, 0, 0], rel=0.15)
    assert sampled.bode([1.0]).response[0, 0, 0] == pytest.approx(model.bode([1.0]).response[0, 0, 0], rel=0.05)


@pytest.mark.parametrize("suffix", ["json", "mat"])
def test_files_come_back_as_they_were(tmp_path, suffix):
    model = fa.state_space(link("segments"), outputs=["tip.travel", "root"]).reduce(modes=3).discrete(1e-3)
    path = model.save(tmp_path / f"model.{suffix}")
    back = fa.load_state_space(path)
    for name in ("A", "B", "C", "D"):
        assert np.array_equal(getattr(back, name), getattr(model, name))
    assert (back.states, back.inputs, back.outputs, back.output_units) == (
        model.states,
        model.inputs,
        model.outputs,
        model.output_units,
    )
    assert back.point == model.point and back.period == model.period
    with pytest.raises(OutputError, match="already exists"):
        model.save(path)
    model.save(path, force=True)


def test_files_that_are_no_state_space(tmp_path):
    model = link_model("modes").select("tip.travel")
    with pytest.raises(OutputError, match=r"to \.json or \.mat"):
        model.save(tmp_path / "model.txt")
    path = model.save(tmp_path / "model.json")
    tree = json.loads(path.read_text())
    for change, words in (
        ({"A": [[1.0]]}, "reshape"),
        ({"format": "other"}, "format"),
        ({"D": [[float("nan")]]}, "not finite"),
    ):
        path.write_text(json.dumps({**tree, **change}))
        with pytest.raises(FlexarmError, match=words):
            fa.load_state_space(path)
    with pytest.raises(ScenarioError, match="cannot be read"):
        fa.load_state_space(tmp_path / "nothing.json")


def test_the_library_for_control_gets_the_same():
    library = pytest.importorskip("control")
    model = link_model("modes").select(["tip.travel", "link.position"])
    other = model.control()
    assert isinstance(other, library.StateSpace) and other.input_labels == ["link_torque"]
    assert other(30j)[:, 0] == pytest.approx(model.response(30j)[0, :, 0], rel=1e-9)
    assert model.discrete(1e-3).control().dt == 1e-3


def test_without_the_library_there_is_a_sentence(monkeypatch):
    monkeypatch.setitem(sys.modules, "control", None)
    with pytest.raises(FlexarmError, match="need python-control"):
        link_model("modes").control()


def test_margins_of_a_rigid_link():
    """PD on an inertia: the crossing w_c solves J^2 w^4 = kp^2 + kv^2 w^2, and the phase margin is that of the zero."""
    rigid = fa.load("pd-hub").with_({"arm.links.link.flexible": False, "method": {"name": "fem"}, "output.gauges": []})
    (found,) = fa.loop_margins(rigid)
    J, kp, kv = 0.0497726737869, 3.0, 0.6
    w = np.sqrt((kv**2 + np.sqrt(kv**4 + 4.0 * J**2 * kp**2)) / 2.0) / J
    assert found.crossover == pytest.approx(w / (2.0 * np.pi), rel=2e-3)
    assert found.phase == pytest.approx(np.degrees(np.arctan(kv * w / kp)), rel=2e-3)
    assert found.gain == np.inf
    # |T|^2 = (kp^2 + kv^2 w^2)/((kp - J w^2)^2 + kv^2 w^2) = 1/2
    b = 2.0 * kp * J + kv**2
    band = np.sqrt((b + np.sqrt(b**2 + 4.0 * J**2 * kp**2)) / 2.0) / J
    assert found.bandwidth == pytest.approx(band / (2.0 * np.pi), rel=1e-3)


def test_margins_agree_with_the_library():
    library = pytest.importorskip("control")
    for loop in open_loops(fa.load("tian-circle")):
        phase = np.degrees(np.unwrap(np.angle(loop.response)))
        gain, angle, _, crossing = library.margin(np.abs(loop.response), phase, 2.0 * np.pi * loop.hz)
        own = margins(loop)
        assert (own.phase, own.crossover) == pytest.approx((angle, crossing / (2.0 * np.pi)), rel=1e-3)
        assert own.gain == pytest.approx(20.0 * np.log10(gain), rel=1e-3)


def test_margins_of_a_loop_that_is_not_stable():
    """1/(s + 1)^3 with gain k: -180 deg at w^2 = 3, where it is k/8; beyond that it is not stable."""
    hz = np.geomspace(1e-3, 10.0, 4000)
    for k in (4.0, 16.0):
        found = margins(Loop("", hz, k / (1.0 + 2j * np.pi * hz) ** 3, k < 8.0))
        w = np.sqrt(k ** (2.0 / 3.0) - 1.0)
        assert found.gain == pytest.approx(20.0 * np.log10(8.0 / k), rel=1e-4)
        assert found.phase == pytest.approx(180.0 - 3.0 * np.degrees(np.arctan(w)), rel=1e-4)
        assert found.crossover == pytest.approx(w / (2.0 * np.pi), rel=1e-4)


@pytest.mark.parametrize("method, resolution", [("modes", 3), ("fem", 5)])
def test_forces_of_pins(method, resolution):
    """A small torque on the crank of a four-bar linkage under its weight: forces of the pin against a run."""
    plan = fa.load("four-bar").with_(
        {"method": {"name": method, "resolution": resolution}, "arm.gravity": [0, -9.81, 0]}
    )
    model, end = fa.state_space(plan), 0.08
    assert model.inputs == ("crank.torque",)
    rest, time = model.point.torques["crank"], np.linspace(0.0, end, 81)
    u = 1e-3 * np.sin(np.pi * time / end) ** 2
    points = [[float(t), float(rest + v)] for t, v in zip(time, u, strict=True)]
    drive = [{"joint": "crank", "torque": [{"profile": "table", "points": points}]}]
    run = fa.simulate(
        plan.with_({"drive": drive, "time": {"end": end, "step": 2e-4, "start": "locked"}, "output.every": 1e-3})
    ).data
    found = dict(zip(model.outputs, model.run(time, u).T, strict=True))
    pairs = {
        "four-bar.force_x": run.loop_force.values[:, 0, 0], "four-bar.force_y": run.loop_force.values[:, 0, 1],
        "rocker.position": run.joint_position.sel(joint="rocker").values, "coupler": run.strain.sel(gauge="coupler").values,
    }  # fmt: skip
    for name, signal in pairs.items():
        moved = signal - signal[0]
        assert np.abs(found[name] - moved).max() < 5e-3 * np.abs(moved).max(), name


def test_cylinders_with_oil_are_part_of_a_held_model():
    """Slow commands are followed; pressures are states."""
    model = fa.state_space("ralf-hydraulic", joints="held", outputs=["lower.position", "bellcrank.position"])
    assert model.inputs == ("lower.reference", "bellcrank.reference")
    assert {"lower.pressure_a", "bellcrank.pressure_b"} <= set(model.states)
    assert model.response([1e-3j])[0].real == pytest.approx(np.eye(2), abs=2e-3)


@pytest.mark.parametrize("given, words", [
    ({"outputs": "tip.travl"}, "did you mean 'tip.travel'"), ({"inputs": "link.torqe"}, "did you mean 'link.torque'"),
    ({"joints": "driven"}, "it is one of free, held, led, locked"), ({"joints": {"lnk": "led"}}, "did you mean 'link'"),
    ({"joints": "held"}, "needs a control law"), ({"pose": [0.1, 0.2]}, "pose needs 1 number"), ({"time": 9.0}, "runs from 0 to"),
    ({"time": 0.1, "pose": [0.0]}, "give a pose or a time"), ({"damping_ratio": 1.5}, "between 0 and 1"),
])  # fmt: skip
def test_bad_input_gets_a_sentence(given, words):
    with pytest.raises(FlexarmError, match=words):
        fa.state_space(fa.load("tokhi-azad"), **given)


def test_requests_that_a_model_cannot_serve():
    model = link_model("modes")
    for call, words in (
        (lambda: model.zeros(["tip.travel", "root"]), "as many outputs as inputs"), (lambda: model.select("root ").zeros(), "'root '"),
        (lambda: model.discrete(0.0), "longer than 0"), (lambda: model.discrete(1e-3).discrete(1e-3), "sampled already"),
        (lambda: model.step(-1.0), "a time to end at"), (lambda: model.discrete(1e-3).reduce(modes=2), "before it is sampled"),
        (lambda: fa.StateSpace(np.eye(2), np.ones((2, 1)), np.ones((1, 2)), np.zeros((1, 1)), ("a",), ("u",), ("y",)), "A is 2 x 2"),
    ):  # fmt: skip
        with pytest.raises(FlexarmError, match=words):
            call()
