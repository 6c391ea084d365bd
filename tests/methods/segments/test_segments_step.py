"""Stepping: pieces of a run are the run; sweeps and products agree; steps that are too long are halved or end in words."""

from __future__ import annotations

import numpy as np
import pytest
from segments_arms import DOWN, beam, li_zhang, model_of, prescribed, scenario, signals, single, step_notes

import flexarm as fa
from flexarm.errors import StepError
from flexarm.methods.segments import transfer
from interrupting import interrupted_after

MOVE = {"profile": "cycloid", "by": 0.5, "duration": 0.08}
SPRING = {"stiffness": 50.0, "damping": 0.1, "rotor_inertia": 5e-3}
PID = {"type": "pid", "kp": 10.0, "kv": 1.0, "ki": 5.0}
LAG = {"type": "transfer", "poles": ["-40+60j"]}
RUNS = {
    "motion": ([prescribed("a", MOVE), prescribed("b", MOVE)], {}, {}),
    "torque": ([{"joint": "a", "torque": {"profile": "bang-bang", "amplitude": 0.3, "duration": 0.06}}], {}, {}),
    "law and spring": ([prescribed("a", MOVE, control=PID), prescribed("b", MOVE)], SPRING, {}),
    "actuator": ([prescribed("a", MOVE, control=PID, actuator=LAG)], {}, {}),
    "sampled law": (
        [prescribed("a", MOVE, control={**PID, "kv": 0.1, "kp": 2.0, "period": 3e-3}), prescribed("b", MOVE)],
        {},
        {},
    ),
    "alpha": ([prescribed("a", MOVE, control=PID)], {}, {"integrator": "generalised-alpha", "spectral_radius": 0.7}),
    "paper": ([prescribed("a", MOVE), prescribed("b", MOVE)], {"stiffness": 50.0}, {"variant": "paper"}),
}


def arm(name: str, **options):
    """Two links with payload, damping and all."""
    drives, joint, method = RUNS[name]
    parts = {
        "gravity": DOWN,
        "damping": {"time": 1e-4},
        "payload": {"mass": 0.05, "inertia": 1e-5, "offset": [0.02, 0.01]},
    }
    links = [beam("a", joint={"hub_inertia": 1e-3, **joint}), beam("b", 0.3, joint={"position": -0.7})]
    return scenario(links, drives, arm=parts, **{"end": 0.1, "step": 5e-4, "resolution": 4, **method, **options})


def same(one, two) -> bool:
    a, b = one.data, two.data
    return set(a.variables) == set(b.variables) and all(
        np.array_equal(a[name].values, b[name].values, equal_nan=a[name].dtype.kind == "f") for name in a.variables
    )


@pytest.mark.parametrize("name", RUNS)
def test_resumed_run_is_the_uninterrupted_one(name, tmp_path):
    one = arm(name)
    whole = fa.simulate(one)
    part = fa.simulate(one, checkpoint=tmp_path / "run.npz", chunk=30, **interrupted_after(2))
    assert part.outcome is fa.Outcome.CANCELLED and 0.0 < part.data["time"].values[-1] < 0.1
    resumed = fa.simulate(one, resume=tmp_path / "run.npz")
    assert whole.success and resumed.success and same(whole, resumed)


@pytest.mark.parametrize("name", RUNS)
def test_size_of_the_chunks_makes_no_difference(name):
    one = arm(name)
    whole = fa.simulate(one)
    assert all(same(whole, fa.simulate(one, chunk=chunk)) for chunk in (1, 7, 64))


@pytest.mark.parametrize("name", ["torque", "law and spring", "sampled law", "motion", "paper"])
def test_simulator_gives_the_numbers_of_the_run(name):
    one = arm(name, every=3e-3, end=0.09)
    data = fa.simulate(one).data
    simulator = fa.Simulator(one, period=3e-3)
    readings = [simulator.reset().copy()]
    names = list(simulator.outputs)
    while not simulator.finished:
        readings.append(simulator.step().copy())
    found = np.array(readings)
    assert np.array_equal(found[:, names.index("tip.y")], data["tip_position"].values[:, 1])
    assert np.array_equal(found[:, names.index("a.position")], data["joint_position"].values[:, 0])


@pytest.mark.parametrize("ends", ["half", "literal", "both"])
def test_sweep_and_product_are_one(ends):
    """One step to 1e-11 where the product is well conditioned; a hundred steps gather a little more."""
    both = [
        signals(
            fa.simulate(li_zhang("flexible", variant="paper", ends=ends, beta=0.7, gamma=0.51, solution=s, end=0.1))
        )
        for s in ("product", "riccati")
    ]
    for name in ("ex", "ey", "d1", "j1"):
        assert np.abs(both[0][name] - both[1][name]).max() < 5e-11 * np.abs(both[1][name]).max() + 1e-16
    step = transfer.Step(2e-3)
    rod, bend = transfer.rigid_body(step, 1.5e-4, 2e-10, 4.2e-3), transfer.spring(4.3)
    row = [transfer.active_joint(0.01), *[rod, bend] * 59, rod]
    one, two = (transfer.solve(row, solution) for solution in ("product", "riccati"))
    assert np.abs(one - two).max(axis=0) == pytest.approx(np.zeros(7), abs=1e-11 * np.abs(two).max())


def test_product_is_refused_where_it_fails_and_the_sweeps_run():
    with pytest.raises(StepError, match="riccati"):
        fa.simulate(single(variant="paper", ends="half", step=1e-5, end=0.01))
    notes = " ".join(step_notes(single(variant="paper", step=1e-4, end=0.01)))
    assert "loses digits" in notes
    swept = fa.simulate(
        single(
            variant="paper",
            arms="newton",
            ends="half",
            beta=0.3025,
            gamma=0.51,
            solution="riccati",
            step=1e-5,
            end=0.02,
        )
    )
    sound = fa.simulate(single(step=1e-5, end=0.02))
    assert swept.success and sound.success
    a, b = (run.data.tip_error.values for run in (swept, sound))
    assert np.abs(a - b).max() < 1e-4 * np.abs(b).max()
    assert fa.simulate(single(step=1e-6, end=1e-3, every=1e-4)).success


def test_paper_form_and_sound_form_converge_to_each_other():
    def difference(step):
        same = {"ends": "half", "beta": 0.25, "gamma": 0.5, "step": step, "end": 0.3}
        a = signals(fa.simulate(li_zhang(variant="paper", arms="newton", **same).with_({"output.every": 4e-3})))
        b = signals(fa.simulate(li_zhang(**same).with_({"output.every": 4e-3})))
        return np.abs(a["ey"] - b["ey"]).max() / np.abs(b["ey"]).max()

    found = [difference(step) for step in (2e-3, 1e-3, 5e-4)]
    assert found[2] < 0.35 * found[1] < 0.15 * found[0] and found[2] < 1e-3


def test_arms_make_the_difference_that_they_should():
    """Frozen arms feed energy into a fast turn, expanded ones hardly."""
    turn = prescribed("a", {"profile": "spin-up", "speed": 20.0, "duration": 0.2})

    def gain(arms):
        run = fa.simulate(scenario([beam("a"), beam("b")], [turn, prescribed("b", {"profile": "constant"})],
                                   variant="paper", arms=arms, ends="half", beta=0.3025, gamma=0.55, end=0.5))  # fmt: skip
        return float(np.abs(run.data.energy.sel(kind="residual")).max())

    assert gain("frozen") > 5 * gain("taylor") and gain("newton") <= gain("taylor")


SOFT = {"section": {"area": 1e-4, "inertia": 1e-10}, "material": {"E": 2e8, "density": 1000.0}}


def test_long_steps_are_halved_or_end_in_words():
    push = {"joint": "a", "torque": {"profile": "constant", "amplitude": 0.5}}
    seen = set()
    for step in (1e-3, 0.01, 0.02, 0.05):
        run = fa.simulate(scenario([beam("a", 1.0, **SOFT)], push, end=0.2, step=step))
        seen.add(run.outcome)
        assert len(run.data["time"]) >= 1 and np.all(np.isfinite(run.data["tip_position"].values))
        if not run.success:
            assert "time.step" in run.message or "smaller step" in run.message
    assert fa.Outcome.SUCCESS in seen


def test_a_halved_step_gives_the_motion_of_short_steps():
    few, many = (fa.simulate(arm("law and spring", step=5e-3, iterations=n)) for n in (2, 12))
    assert (
        few.success and any("halved" in note for note in few.notes) and not any("halved" in note for note in many.notes)
    )
    fine = fa.simulate(arm("law and spring", step=1e-4, every=5e-3)).data["tip_position"].values
    away = [np.abs(run.data["tip_position"].values - fine).max() for run in (few, many)]
    assert away[0] < 1.1 * away[1]


def test_tolerance_decides_when_newton_ends():
    run = fa.simulate(arm("motion", tolerance=1e-30))
    assert run.outcome is fa.Outcome.NOT_CONVERGED and len(run.data["time"]) >= 1
    loose, tight = (
        fa.simulate(arm("motion", step=2e-3, tolerance=t)).data["tip_position"].values for t in (1e-3, 1e-12)
    )
    assert 0.0 < np.abs(loose - tight).max() < 1e-3


@pytest.mark.parametrize("accuracy", [1e-2, 1e-3])
def test_automatic_step_keeps_its_promise(accuracy):
    turn = prescribed("a", {"profile": "trapezoid-velocity", "by": 0.3, "duration": 0.6, "rise": 0.2})
    auto, fine = (
        fa.simulate(scenario([beam("a")], turn, end=1.0, every=0.01, step=s, accuracy=accuracy)) for s in ("auto", 5e-5)
    )
    wanted, found = (run.data["link_deformation"].values for run in (fine, auto))
    assert np.abs(found).max() == pytest.approx(np.abs(wanted).max(), rel=3 * accuracy)


def test_auto_step_knows_accuracy_and_numerical_damping():
    def step(**options):
        return model_of(scenario([beam("a")], prescribed("a", MOVE), step="auto", **options)).estimate_step(
            options.get("accuracy", 1e-3), 1.0
        )

    assert step(accuracy=1e-4) < 0.4 * step() and step(beta=0.7, gamma=0.8) < 0.5 * step()
