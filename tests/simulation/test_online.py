"""The on-line simulator: the same numbers as a batch run, one control period at a time."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm as fa
from flexarm.errors import ControllerError, FlexarmError
from single_link import BANG, SCHEMES, make

MOVE = {"joint": "link", "motion": {"profile": "cycloid", "by": 0.3, "duration": 0.0805}}
OUTSIDE = {"joint": "link", "control": {"type": "external", "period": 1e-3}}
PICK = [{"at": 0.0333, "payload": {"mass": 0.02, "inertia": 1e-5}, "rule": "at-rest"}]
RUNS = {
    "torque": {"drive": BANG},
    "jump between two periods": {
        "drive": {"joint": "link", "torque": {"profile": "constant", "amplitude": 0.1, "duration": 0.0456}}
    },
    "motion": {"drive": MOVE},
    "law": {"drive": {**MOVE, "control": {"type": "pd", "kp": 3.0, "kv": 0.3}}},
    "sampled law": {"drive": {**MOVE, "control": {"type": "pid", "kp": 3.0, "kv": 0.3, "ki": 2.0, "period": 1e-3}}},
    "event": {"drive": BANG, "events": PICK},
    "gravity": {"drive": MOVE, "gravity": [0.0, -9.81, 0.0], "start": "equilibrium"},
}
NAMES = {"tip.travel": "travel", "link.position": "joint_position", "link.velocity": "joint_velocity",
         "link.torque": "joint_torque", "link.motor_position": "motor_position"}  # fmt: skip


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("name", RUNS)
def test_own_drives_give_the_batch_run_to_the_last_bit(name, scheme):
    """A batch run that makes its records on the same grid: output every period."""
    scenario = make(scheme=scheme, step=2.5e-4, end=0.1, every=1e-3, **RUNS[name])
    batch = fa.simulate(scenario).data
    sim = fa.Simulator(scenario, period=1e-3)
    rows = [sim.reset().copy()]
    while not sim.finished:
        rows.append(sim.step().copy())
    assert len(rows) == len(batch["time"]) and sim.time == pytest.approx(0.1)
    for place, key in NAMES.items():
        found = np.array(rows)[:, sim.outputs.index(place)]
        assert np.array_equal(found, batch[key].values.reshape(len(rows))), key


@pytest.mark.parametrize("scheme", SCHEMES)
def test_torques_from_outside_are_those_of_an_equivalent_controller(scheme):
    def law(position, velocity):
        return 0.5 * (0.3 - position) - 0.05 * velocity

    scenario = make(drive=OUTSIDE, scheme=scheme, step=2.5e-4, end=0.1, every=1e-3, events=PICK)
    batch = fa.simulate(scenario, controller=lambda t, r: law(r["link.position"], r["link.velocity"])).data
    sim = fa.Simulator(scenario)
    assert sim.inputs == ("link",) and sim.period == 1e-3
    place, rate = sim.outputs.index("link.position"), sim.outputs.index("link.velocity")
    y = sim.reset()
    rows = [y.copy()]
    while not sim.finished:
        y = sim.step(law(y[place], y[rate]))
        rows.append(y.copy())
    rows = np.array(rows)
    for name, key in NAMES.items():
        found, expected = rows[:, sim.outputs.index(name)], batch[key].values.reshape(len(rows))
        assert np.array_equal(found[1:], expected[1:]), key


def test_torques_replace_those_of_the_scenario():
    sim = fa.Simulator(make(step=1e-4, end=0.5), period="1 ms")
    sim.reset()
    for _ in range(300):
        sim.step([0.2])
    twice = fa.simulate(
        make(drive={**BANG, "torque": {**BANG["torque"], "amplitude": 0.2}}, step=1e-4, end=0.3, every=1e-3)
    )
    travel = sim.step(0.2)[sim.outputs.index("tip.travel")]
    assert travel > twice.data["travel"].values[-1]
    sim.reset()
    for k in range(300):
        y = sim.step([0.2])
        assert y[sim.outputs.index("tip.travel")] == pytest.approx(
            twice.data["travel"].values[k + 1], rel=1e-12, abs=1e-15
        )


def test_reset_goes_back_to_the_start():
    sim = fa.Simulator(make(step=1e-4, end=0.1, events=PICK), period=1e-3)
    runs = []
    for _ in range(2):
        rows = [sim.reset().copy()]
        assert sim.time == 0.0 and not sim.finished
        while not sim.finished:
            rows.append(sim.step().copy())
        runs.append(np.array(rows))
    assert np.array_equal(*runs)


def test_the_end_is_told():
    sim = fa.Simulator(make(step=1e-4, end=0.01), period=1e-3)
    sim.reset()
    for k in range(10):
        sim.step(0.0)
        assert sim.time == pytest.approx((k + 1) * 1e-3)
    assert sim.finished
    with pytest.raises(FlexarmError, match=r"the scenario ends at 0.01 s; make time.end longer, or reset"):
        sim.step(0.0)


def test_period_of_the_drives_or_one_millisecond():
    assert fa.Simulator(make(drive=OUTSIDE, end=0.1)).period == 1e-3
    slow = {"joint": "link", "control": {"type": "external", "period": 5e-3}}
    assert fa.Simulator(make(drive=slow, end=0.1)).period == 5e-3
    assert fa.Simulator(make(end=0.1)).period == 1e-3
    assert fa.Simulator(make(end=0.1), period="2 ms").period == 2e-3


@pytest.mark.parametrize(
    ("period", "words"),
    [(0.0, "must be positive"), (-1e-3, "must be positive"), ("soon", "not a time"), ("1 kg", "not a time")],
)
def test_wrong_periods_are_refused(period, words):
    with pytest.raises(ControllerError, match=words):
        fa.Simulator(make(end=0.1), period=period)


@pytest.mark.parametrize(
    ("u", "words"), [([0.1, 0.2], "step takes 1 torque"), (np.nan, "is nan"), ([np.inf], "is inf")]
)
def test_wrong_torques_are_refused(u, words):
    sim = fa.Simulator(make(end=0.1))
    sim.reset()
    with pytest.raises(ControllerError, match=words):
        sim.step(u)


def test_joints_with_a_law_or_a_motion_are_no_inputs():
    assert fa.Simulator(make(drive=MOVE, end=0.1)).inputs == ()
    assert fa.Simulator(make(**RUNS["law"], end=0.1)).inputs == ()
    with pytest.raises(ControllerError, match="step takes 0 torque"):
        sim = fa.Simulator(make(drive=MOVE, end=0.1))
        sim.reset()
        sim.step(0.1)


def test_state_is_a_copy():
    sim = fa.Simulator(make(step=1e-4, end=0.1))
    sim.reset()
    sim.step(0.1)
    kept = sim.state
    before = kept.x.copy()
    sim.step(0.1)
    assert np.array_equal(kept.x, before) and not np.array_equal(sim.state.x, before)
