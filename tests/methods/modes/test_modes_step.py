"""Stepping: pieces of a run are the run; laws, events and options do what they say."""

from __future__ import annotations

import numpy as np
import pytest
from modes_arms import DOWN, HOLD, link, ralf, scenario
from scipy.integrate import solve_ivp

import flexarm as fa
from interrupting import interrupted_after

MOVE = {"profile": "cycloid", "by": 0.5, "duration": 0.08}
PID = {"type": "pid", "kp": 100.0, "kv": 10.0, "ki": 20.0}
SPRING = {"stiffness": 500.0, "damping": 1.0, "rotor_inertia": 0.05}


def two(**more):
    joint = more.pop("joint", {})
    links = [link("a", joint={"hub_inertia": 0.1, **joint}), link("b", 0.7, joint={"position": -0.7})]
    parts = {
        "gravity": DOWN,
        "damping": {"time": 1e-4},
        "payload": {"mass": 0.5, "inertia": 0.01, "offset": [0.05, 0.02]},
    }
    drive = more.pop("drive", [{"joint": "a", "motion": MOVE}])
    return scenario(links, drive, arm=parts, **{"resolution": 2, "time": {"end": 0.1, "step": 1e-3}, **more})


RUNS = {
    "motion": two(),
    "law and spring": two(drive=[{"joint": "a", "motion": MOVE, "control": PID}], joint=SPRING),
    "actuator": two(drive=[{"joint": "a", "motion": MOVE, "control": PID, "actuator": {"type": "transfer", "poles": ["-40+60j"]}}]),
    "sampled law": two(drive=[{"joint": "a", "motion": MOVE, "control": {**PID, "period": 3e-3}}]),
    "loop": fa.load("five-bar").with_({"time.end": "0.05 s"}),
}  # fmt: skip


def same(one, two) -> bool:
    return all(
        np.array_equal(one.data[n].values, two.data[n].values, equal_nan=one.data[n].dtype.kind == "f")
        for n in one.data.variables
    )


@pytest.mark.parametrize("name", RUNS)
def test_pieces_of_a_run_are_the_run(name, tmp_path):
    run = RUNS[name]
    whole = fa.simulate(run)
    assert whole.success and same(whole, fa.simulate(run, chunk=7))
    part = fa.simulate(run, checkpoint=tmp_path / "run.npz", chunk=20, **interrupted_after(2))
    assert part.outcome is fa.Outcome.CANCELLED
    assert same(whole, fa.simulate(run, resume=tmp_path / "run.npz"))


def test_on_line_stepping_is_the_run():
    run = RUNS["law and spring"].with_({"output.every": 5e-3})
    data, simulator = fa.simulate(run).data, fa.Simulator(run, period=5e-3)
    tip = [simulator.reset()[simulator.outputs.index("tip.y")]]
    while not simulator.finished:
        tip.append(simulator.step()[simulator.outputs.index("tip.y")])
    assert np.array_equal(tip, data.tip_position.values[:, 1])


def test_tip_is_the_end_of_the_last_shape():
    """The walk along the carrying bodies, of first and second order, agrees with the points drawn along the links."""
    for run in (RUNS["law and spring"], RUNS["law and spring"].with_({"method.stiffening": "none"})):
        data = fa.simulate(run.with_({"output.every": 5e-3})).data
        assert np.abs(data.tip_position - data.shape.isel(link=-1, s=-1)).max() < 1e-14 * np.abs(data.shape).max()


def test_pd_law_and_spring_against_an_independent_integration():
    """The same equations of motion, integrated by a general solver with its own law."""
    kp, kv = 200.0, 8.0
    run = two(drive=[{"joint": "a", "motion": HOLD, "control": {"type": "pd", "kp": kp, "kv": kv}},
                     {"joint": "b", "motion": HOLD}], time={"end": 0.1, "step": 5e-4})  # fmt: skip
    data = fa.simulate(run).data
    from flexarm.simulation.build import prepare

    model = prepare(run).model
    n, drive = model.parts.moving, list(model.tree.names).index("a")

    def rate(t, y):
        q, v = np.zeros(model.size), np.zeros(model.size)
        q[:n], v[:n] = y[:n], y[n:]
        q[n:] = -0.7
        force = -(model.bias(q, v) + model.parts.stiffness @ q + model.parts.damping @ v)[:n]
        force[drive] -= kp * q[drive] + kv * v[drive]
        return np.concatenate([v[:n], np.linalg.solve(model.mass_matrix(q)[:n, :n], force)])

    found = solve_ivp(rate, (0.0, 0.1), np.zeros(2 * n), method="Radau", rtol=1e-9, atol=1e-12)
    assert float(data.joint_position.sel(joint="a")[-1]) == pytest.approx(found.y[drive, -1], rel=1e-6)


def test_torque_limit_holds():
    run = two(drive=[{"joint": "a", "motion": MOVE, "control": {"type": "pd", "kp": 400.0, "kv": 10.0, "limit": 5.0}},
                     {"joint": "b", "motion": HOLD}])  # fmt: skip
    torque = fa.simulate(run).data.drive_torque.sel(joint="a").values
    assert np.abs(torque).max() == pytest.approx(5.0, rel=1e-12)


def test_friction_and_play_change_the_answer():
    base = {"stiffness": 300.0, "rotor_inertia": 0.02}
    swing = [{"joint": "a", "motion": {"profile": "sine", "amplitude": 0.1, "frequency": 5.0},
              "control": {"type": "pd", "kp": 300.0, "kv": 5.0, "sensor": "motor"}}]  # fmt: skip
    plain, loose, rubbing = (
        fa.simulate(two(drive=swing, joint={**base, **more}, time={"end": 0.2, "step": 5e-4}))
        for more in ({}, {"backlash": 0.02}, {"friction": 1.0})
    )
    for other in (loose, rubbing):
        assert other.success and np.abs(other.data.tip_position - plain.data.tip_position).max() > 1e-4
    gap = np.abs(loose.data.joint_deformation.sel(joint="a")).values
    assert gap.max() > 0.01 and np.abs(plain.data.joint_torque.sel(joint="a")).max() > 0
    inside = gap < 0.0099
    assert inside.any() and np.all(loose.data.joint_torque.sel(joint="a").values[inside] == 0.0)
    assert float(rubbing.data.energy.sel(kind="dissipated")[-1]) > float(plain.data.energy.sel(kind="dissipated")[-1])


def test_payload_events():
    for rule, mass in (("at-rest", 1.0), ("matched", 1.0), ("released", 0.1)):
        load = {"mass": mass, "inertia": 0.01, "offset": [0.05, 0.02]}
        run = two(drive=[{"joint": "b", "motion": HOLD}], events=[{"at": 0.05, "payload": load, "rule": rule}])
        result = fa.simulate(run)
        energy = result.data.energy
        assert (
            result.success
            and np.abs(energy.sel(kind="residual")).max() < 1e-7 * np.abs(energy.sel(kind="gravity")).max()
        )
        lost = energy.sel(kind="dissipated").values
        jump = lost[51] - lost[50] > 10.0 * (lost[50] - lost[49])
        assert jump == (rule == "at-rest")


def test_auto_step_keeps_its_promise():
    run = ralf(**{"time.step": "auto", "output.every": "5 ms"})
    auto, fine = fa.simulate(run), fa.simulate(run.with_({"time.step": "0.5 ms"}))
    peak = np.abs(fine.data.strain - fine.data.strain[0]).max("time")
    assert np.all(np.abs(auto.data.strain - fine.data.strain).max("time") < 5e-3 * peak)
    assert auto.data.attrs["step"] > 1e-3


def test_options_change_the_answer():
    base = ralf(False)
    first = fa.frequencies(base, n=4).hz
    for key, value in (("axial_modes", 1), ("rotary_inertia", True), ("resolution", 3), ("shapes", "component"),
                       ("loops", "cut-relative")):  # fmt: skip
        assert np.abs(fa.frequencies(base.with_({f"method.{key}": value}), n=4).hz / first - 1).max() > 1e-6, key
    loose = ralf(**{"time.end": 0.05, "method.tolerance": 1e-5, "method.iterations": 3})
    assert fa.simulate(loose).success
    few = fa.simulate(ralf(**{"time.end": 0.05, "time.step": "5 ms", "method.iterations": 2}))
    assert not few.success or any("halved" in note for note in few.notes)


def test_refusals_name_the_field():
    for options, field in (
        ({"resolution": [2, 2]}, "method.resolution"),
        ({"shapes": {"bellcrank": "component"}}, "method.shapes"),
    ):
        with pytest.raises(fa.FlexarmError, match=field):
            fa.frequencies(ralf().arm, "modes", options={"resolution": 2, **options})
    with pytest.raises(fa.FlexarmError, match="clamped-mass"):
        fa.frequencies(ralf().arm, "modes", options={"shapes": {"type": "component", "mass": 1.0}})


@pytest.mark.parametrize("gravity", [[0.0, 0.0, 0.0], DOWN])
def test_friction_at_a_light_joint_from_an_undeformed_start(gravity):
    """The section at the joint has hardly any inertia, so it stops and turns back within a step."""
    push = [{"joint": "a", "torque": {"profile": "sine", "amplitude": 2.0, "frequency": 2.0}}]
    arm = {"gravity": gravity, "payload": {"mass": 0.5}}
    rubbing = scenario([link("a", joint={"friction": 0.5})], push, arm=arm, time={"end": 0.2})
    found, fine = (
        fa.simulate(one, warn=False) for one in (rubbing, rubbing.with_({"method": "fem", "time.step": 5e-4}))
    )
    assert found.success and not any("halved" in note for note in found.notes)
    assert found.data.tip_position.values[-1] == pytest.approx(fine.data.tip_position.values[-1], abs=2e-4)
