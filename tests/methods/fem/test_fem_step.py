"""Stepping: pieces of a run are the run, steps that are too long are halved or end in words."""

from __future__ import annotations

import numpy as np
import pytest
from fem_arms import DOWN, beam, case3, model_of, moved, scenario, slender

import flexarm as fa
from flexarm.methods.fem import layout as at
from flexarm.methods.fem.linear import coordinate_names
from interrupting import interrupted_after
from single_link import balance

MOVE = {"profile": "cycloid", "by": 0.5, "duration": 0.08}
SPRING = {"stiffness": 500.0, "damping": 1.0, "rotor_inertia": 0.05}
PID = {"type": "pid", "kp": 100.0, "kv": 10.0, "ki": 20.0}
RUNS = {
    "motion": ([moved("a", MOVE), moved("b", MOVE)], {}),
    "torque": ([{"joint": "a", "torque": {"profile": "bang-bang", "amplitude": 3.0, "duration": 0.06}}], {}),
    "law and spring": ([moved("a", MOVE, control=PID), moved("b", MOVE)], SPRING),
    "actuator": ([moved("a", MOVE, control=PID, actuator={"type": "transfer", "poles": ["-40+60j"]})], {}),
    "sampled law": ([moved("a", MOVE, control={**PID, "period": 3e-3}), moved("b", MOVE)], {}),
}


def arm(name: str, **options):
    """Two heavy links with payload, damping and all."""
    drives, joint = RUNS[name]
    parts = {
        "gravity": DOWN,
        "damping": {"time": 1e-4},
        "payload": {"mass": 0.5, "inertia": 0.01, "offset": [0.05, 0.02]},
    }
    links = [beam("a", joint={"hub_inertia": 0.1, **joint}), beam("b", 0.7, joint={"position": -0.7})]
    return scenario(links, drives, arm=parts, **{"end": 0.1, "step": 5e-4, "resolution": 2, **options})


def same(one, two) -> bool:
    a, b = one.data, two.data
    return set(a.variables) == set(b.variables) and all(
        np.array_equal(a[name].values, b[name].values, equal_nan=a[name].dtype.kind == "f") for name in a.variables
    )


@pytest.mark.parametrize("theory", ["exact", "link", "linear"])
@pytest.mark.parametrize("name", RUNS)
def test_resumed_run_is_the_uninterrupted_one(name, theory, tmp_path):
    one = arm(name, theory=theory)
    whole = fa.simulate(one)
    part = fa.simulate(one, checkpoint=tmp_path / "run.npz", chunk=30, **interrupted_after(3))
    assert part.outcome is fa.Outcome.CANCELLED and part.data["time"].values[-1] < 0.1
    resumed = fa.simulate(one, resume=tmp_path / "run.npz")
    assert whole.success and resumed.success and same(whole, resumed)


@pytest.mark.parametrize("name", RUNS)
def test_size_of_the_chunks_makes_no_difference(name):
    one = arm(name)
    whole = fa.simulate(one)
    assert all(same(whole, fa.simulate(one, chunk=chunk)) for chunk in (1, 7, 64))


@pytest.mark.parametrize("name", ["torque", "law and spring", "sampled law", "motion"])
def test_simulator_gives_the_numbers_of_the_run(name):
    one = arm(name, every=3e-3, end=0.09)
    data = fa.simulate(one).data
    simulator = fa.Simulator(one, period=3e-3)
    first = simulator.reset().copy()
    names = list(simulator.outputs)
    tip, joint = [first[names.index("tip.y")]], [first[names.index("a.position")]]
    while not simulator.finished:
        readings = simulator.step()
        tip.append(readings[names.index("tip.y")])
        joint.append(readings[names.index("a.position")])
    assert np.array_equal(np.array(tip), data["tip_position"].values[:, 1])
    assert np.array_equal(np.array(joint), data["joint_position"].values[:, 0])


def test_simulator_with_torques_from_outside():
    """Constant torque by steps is the run with that torque."""
    push = {"joint": "a", "torque": {"profile": "constant", "amplitude": 2.0}}
    one = scenario([beam("a"), beam("b")], push, end=0.05, step=1e-3, every=5e-3)
    data = fa.simulate(one).data
    simulator = fa.Simulator(one, period=5e-3)
    simulator.reset()
    tips = []
    for _ in range(10):
        readings = simulator.step([2.0])
        tips.append(readings[list(simulator.outputs).index("tip.y")])
    assert np.array(tips) == pytest.approx(data["tip_position"].values[1:, 1], rel=1e-6)


def test_two_runs_are_alike():
    assert same(fa.simulate(arm("law and spring")), fa.simulate(arm("law and spring")))


def halved(one) -> float:
    """How many steps were halved."""
    from flexarm.simulation.build import prepare
    from flexarm.simulation.time_loop import TimeLoop

    loop = TimeLoop(prepare(one))
    loop.enter()
    state = loop.chunk(10**6)[0].state
    return float(state.x[loop.model.layout["sums"]][at.HALVED])


SOFT = {"section": {"area": 1e-4, "inertia": 1e-10, "shear_factor": 0.83}, "material": {"E": 2e8, "density": 1000.0}}


def whip(step: float, **options):
    """A soft link under a torque that bends it double."""
    push = {"joint": "a", "torque": {"profile": "constant", "amplitude": 0.5}}
    return scenario([beam("a", **SOFT)], push, end=0.2, step=step, resolution=8, **options)


def test_long_steps_are_halved_or_end_in_words():
    good = fa.simulate(whip(2e-4))
    assert good.success
    seen = set()
    for step in (0.01, 0.02, 0.05, 0.1):
        run = fa.simulate(whip(step))
        seen.add(run.outcome)
        assert run.outcome in (fa.Outcome.SUCCESS, fa.Outcome.NOT_CONVERGED)
        assert len(run.data["time"]) >= 1 and np.all(np.isfinite(run.data["tip_position"].values))
        if not run.success:
            assert "time.step" in run.message
    assert max(halved(whip(step)) for step in (0.01, 0.02, 0.05)) > 0


def test_a_halved_step_gives_the_motion_of_short_steps():
    """Few iterations force halving; the motion is that of the shorter steps, not a wrong one."""
    few, many = fa.simulate(case3(end=0.5, step=0.02, iterations=3)), fa.simulate(case3(end=0.5, step=0.02))
    assert halved(case3(end=0.5, step=0.02, iterations=3)) > 0 and halved(case3(end=0.5, step=0.02)) == 0
    fine = fa.simulate(case3(end=0.5, step=1e-3, every=0.02)).data["tip_error"].values
    away = [np.abs(run.data["tip_error"].values - fine).max() for run in (few, many)]
    assert few.success and many.success and away[0] < 1.1 * away[1]
    assert balance(few) < 1e-7


def test_a_step_that_never_converges_keeps_what_was_computed():
    run = fa.simulate(case3(end=0.5, step=5e-3, tolerance=1e-25))
    assert run.outcome is fa.Outcome.NOT_CONVERGED and not run.success
    assert "did not converge" in run.message and len(run.data["time"]) >= 1
    assert np.all(np.isfinite(run.data["tip_position"].values))


@pytest.mark.parametrize("accuracy", [1e-2, 1e-3])
def test_automatic_step_keeps_its_promise(accuracy):
    """Peaks of the tip error are within `accuracy` of those with far smaller steps."""
    parts = {"end": 1.0, "every": 0.01, "integrator": "newmark", "resolution": 4}
    turn = moved("link", {"profile": "trapezoid-velocity", "by": 0.3, "duration": 0.6, "rise": 0.2})
    auto = fa.simulate(scenario([slender()], turn, step="auto", accuracy=accuracy, **parts))
    fine = fa.simulate(scenario([slender()], turn, step=5e-5, **parts))
    wanted, found = (run.data["deflection"].values[:, 0, -1] for run in (fine, auto))
    assert np.abs(found).max() == pytest.approx(np.abs(wanted).max(), rel=3 * accuracy)


def test_auto_step_depends_on_accuracy():
    from flexarm.simulation.build import prepare

    turn = moved("link", {"profile": "trapezoid-velocity", "by": 0.3, "duration": 0.6, "rise": 0.2})
    steps = [prepare(scenario([slender()], turn, step="auto", accuracy=a)).step for a in (1e-2, 1e-4)]
    assert steps[1] < 0.2 * steps[0]


def test_resolution_per_link_and_layout():
    model = model_of(scenario([beam("a"), beam("b")], [moved("a", MOVE), moved("b", MOVE)], resolution=[3, 5], order=2))
    assert model.mesh.counts == (3, 5) and model.size == 3 * 2 * 8
    names = coordinate_names(model)
    assert len(set(names)) == len(names) and all(names)
