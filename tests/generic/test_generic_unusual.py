"""Unusual arms, names and words: they run, or are refused with a sentence, in every method alike."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from generic_arms import METHODS, one_link

import flexarm as fa
from flexarm.errors import FlexarmError
from flexarm.methods.base import Model
from flexarm.methods.sensors import KINDS, SensorKind, SensorPoint, Watch
from flexarm.simulation.build import prepare
from flexarm.simulation.time_loop import TimeLoop

MOTION = {"profile": "quintic", "by": 0.3, "duration": 0.05}
RIGID = {"name": "link", "length": 0.5, "flexible": False,
         "body": {"mass": 1.0, "center": [0.25, 0.0, 0.0], "inertia": [1e-3, 1e-2, 1e-2]}}  # fmt: skip
SHORT = {"time.end": 0.02, "output.every": 0.01}


def of_rigid_links(method: str, links: list[dict[str, Any]], **drive: Any) -> fa.Scenario:
    arm = {"links": links, "gravity": [0.0, -9.81, 0.0]}
    joint = {"joint": "link", "motion": MOTION, **drive}
    return one_link("fem").with_(
        {"arm": arm, "drive": [joint], "method": {"name": method}, "time": {"end": 0.02, "step": 1e-3}}
    )


@pytest.mark.parametrize("name", ["link.position", "link.motor_velocity", "link.chord_position", "tip.x"])
@pytest.mark.parametrize("method", METHODS)
def test_gauges_and_sensors_do_not_take_the_names_of_readings(method, name):
    """A sampled law would read the strain in place of the joint."""
    for watched in (
        {"output.gauges": [{"link": "link", "at": 0.0, "name": name}]},
        {"output.sensors": [{"link": "link", "at": 0.5, "name": name}]},
    ):
        with pytest.raises(FlexarmError, match=f"'{name}' is a reading"):
            prepare(one_link(method).with_(watched))


@pytest.mark.parametrize("method", METHODS)
def test_unknown_words_of_the_verbs_raise(method):
    model = prepare(one_link(method)).model
    row = np.zeros((1, 7))
    with pytest.raises(FlexarmError, match="locked, free, held"):
        model.linearise(joints="driven")
    with pytest.raises(FlexarmError, match="undeformed, equilibrium"):
        model.start([0.0], [0.0], row, "balanced")
    with pytest.raises(FlexarmError, match=r"link\.position"):
        model.reader.formula("link.colour")


@pytest.mark.parametrize("method", METHODS)
def test_a_state_at_the_start_knows_its_joints(method):
    model = prepare(one_link(method, "torque")).model
    state = model.start([0.3], [2.0], np.zeros((1, 7)))
    names = ("link.position", "link.velocity", "link.motor_position", "link.motor_velocity")
    assert model.reader.tape(names).values(state.x) == pytest.approx([0.3, 2.0, 0.3, 2.0], abs=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_friction_under_a_law_on_the_chord_runs_or_is_refused_before_the_run(method):
    """Those that run agree; a singular border once ended fem at t = 0."""
    drive = {"joint": "link", "motion": MOTION, "control": {"type": "pd", "kp": 20.0, "kv": 0.3, "sensor": "chord"}}
    rubbing = {"arm.links.link.joint.friction": 0.01, "drive": [drive], "time.end": 0.1}
    try:
        prepare(one_link(method).with_(rubbing))
    except FlexarmError as error:
        assert "does not support" in str(error) and "use " in str(error)
        return
    run, reference = (fa.simulate(one_link(name).with_(rubbing)) for name in (method, "ancf"))
    assert run.success
    wanted = reference.data.travel.values
    assert np.abs(run.data.travel.values - wanted).max() < 0.01 * np.abs(wanted).max()


@pytest.mark.parametrize("method", METHODS)
def test_arms_of_rigid_links_run_or_are_refused(method):
    """A rigid link that follows a motion needs the torque of the pendulum."""
    try:
        run = fa.simulate(of_rigid_links(method, [RIGID]))
    except FlexarmError as error:
        assert "rigid links" in str(error)
        return
    data = run.data
    angle, turned = data.joint_position.values[:, 0], data.commanded_position.values[:, 0]
    assert run.success and np.abs(angle - turned).max() < 1e-9
    torque = data.joint_torque.values[0, 0]
    assert torque == pytest.approx(9.81 * 0.25, rel=1e-6)
    with pytest.raises(FlexarmError, match="nothing can vibrate"):
        fa.frequencies(of_rigid_links(method, [RIGID]))
    with pytest.raises(FlexarmError, match=r"servo: auto takes its gains"):
        prepare(of_rigid_links(method, [RIGID], servo="auto"))


@pytest.mark.parametrize("method", METHODS)
def test_massless_parts_that_move_freely_are_refused(method):
    link = one_link(method).tree["arm"]["links"][0]
    loose = {"name": "loose", "length": 0.2, "flexible": False, "body": {"mass": 0.0}}
    with pytest.raises(FlexarmError, match=r"mass|rigid links|2 links"):
        fa.simulate(
            one_link(method).with_({"arm.links": [link, loose], "arm.payload": {}, "time.step": "auto", **SHORT})
        )


@pytest.mark.parametrize("method", METHODS)
def test_what_can_be_checked_can_be_begun(method):
    """The path of `flexarm check` ends where the first step begins."""
    setup = prepare(one_link(method, "control"))
    TimeLoop(setup).load()
    assert fa.simulate(setup).success


@pytest.mark.parametrize("method", METHODS)
def test_one_program_and_at_most_two_models(method, monkeypatch):
    """A law, gravity and a start in equilibrium: the model of the run, and one with its motors held."""
    count: Counter[Any] = Counter()
    init = Model.__init__

    def counted(self: Model, *given: Any) -> None:
        count[given[2].resolution] += 1
        init(self, *given)

    monkeypatch.setattr(Model, "__init__", counted)
    bent = {"arm.gravity": [0.0, -9.81, 0.0], "time.start": "equilibrium", "arm.damping": {"ratio": "1 %"}, **SHORT}
    assert fa.simulate(one_link(method, "control").with_(bent)).success
    assert len(count) <= 2 and max(count.values()) <= 2  # also with a coarser mesh, for the error of the frequencies


@pytest.mark.parametrize("method", METHODS)
def test_sensors_of_rates_are_outputs_of_linear_models(method, monkeypatch):
    """What reads rates has rows of rates, what reads positions those of positions."""

    def turning_rate(reader, link, at):
        return reader.graph.rate(reader.angles(link, [at])[0])

    monkeypatch.setitem(KINDS, "turning_rate", SensorKind(turning_rate, "rad/s"))
    points = [SensorPoint(name="my_position", link="link", at=0.5)]
    gyro = SensorPoint.model_construct(name="gyro", link="link", at=1.0, kind="turning_rate")
    setup = prepare(one_link(method, "torque"))
    model = fa.get_method(method).build(
        setup.scenario.arm, setup.program.wiring, setup.scenario.method.options, Watch(sensors=(*points, gyro))
    )
    linear = model.linearise(joints="free")
    moved, turning = (linear.output_names.index(name) for name in ("my_position", "gyro"))
    assert np.any(linear.rows.position[moved]) and not np.any(linear.rows.rate[moved])
    assert np.any(linear.rows.rate[turning]) and not np.any(linear.rows.position[turning])


@pytest.mark.parametrize("method", METHODS)
def test_a_spectral_radius_needs_its_integrator(method):
    options = fa.get_method(method).Options
    if "spectral_radius" not in options.model_fields:
        return
    others = {"fem": "newmark", "segments": "newmark", "ancf": "trapezoidal"}
    with pytest.raises(FlexarmError, match="spectral_radius"):
        one_link(method, method__integrator=others[method], method__spectral_radius=0.5)


@pytest.mark.parametrize("method", METHODS)
def test_friction_is_left_out_of_held_frequencies(method):
    """Its smoothed slope once held the joints of ancf: 19.8 Hz in place of 56.5."""
    rubbing = one_link(method, "torque").with_({"arm.links.link.joint.friction": 0.01})
    try:
        found = fa.frequencies(rubbing, n=1, joints="held")
    except FlexarmError as error:
        assert "dry friction" in str(error)
        return
    free = fa.frequencies(one_link(method, "torque"), n=1, joints="free")
    assert found.hz == pytest.approx(free.hz, rel=1e-6) and "dry friction of 'link' is left out" in found.notes
