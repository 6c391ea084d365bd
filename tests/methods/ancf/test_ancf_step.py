"""State, chunks, on-line stepping, laws, refusals."""

import numpy as np
import pytest
from ancf_arms import held, moving, scenario, swing, tip_of, two_links

import flexarm as fa
from flexarm.errors import CapabilityError
from flexarm.methods.ancf.linear import evaluate
from flexarm.simulation.build import prepare
from flexarm.simulation.time_loop import TimeLoop

ARM = two_links(damping={"time": 1e-3})


@pytest.mark.parametrize("sensor", ["hub", "chord"])
def test_chunks_do_not_change_a_bit(sensor):
    run = scenario(ARM, [held("upper", 0.4, sensor, kv=400.0), held("fore", -0.5, sensor)], 0.1)
    whole, pieces = fa.simulate(run), fa.simulate(run, chunk=7)
    for name in ("tip_position", "drive_torque", "energy"):
        assert np.array_equal(whole.data[name].values, pieces.data[name].values)


def test_on_line_steps_are_those_of_the_run():
    run = scenario(ARM, [moving("upper", 0.4), swing("fore", 5.0)], 0.05, every=1e-3)
    loop = TimeLoop(prepare(run))
    tips = []
    while not loop.finished:
        loop.chunk(1)
        tips.append(loop.state.x[tip_of(loop.model)].copy())
    assert np.array_equal(np.array(tips), fa.simulate(run).data.tip_position.values[1:, :2])


def test_many_turns_are_counted():
    run = scenario(
        two_links(), [moving("upper", 13.0, 2.4), held("fore", 9.0, kp=2e4, kv=2e3, duration=2.4)], 3.0, 2e-3
    )
    found = fa.simulate(run).data.joint_position.values
    assert found[-1] == pytest.approx([13.3, 9.8], abs=0.05)
    assert np.abs(np.diff(found[:, 0])).max() < 1.0


def test_the_limit_holds_and_a_sampled_law_runs():
    base = [held("upper", 0.6, kv=400.0, limit=5.0), held("fore", -0.9)]
    torque = fa.simulate(scenario(ARM, base, 0.3)).data.drive_torque.values
    assert np.abs(torque[:, 0]).max() == pytest.approx(5.0)
    sampled = [held("upper", 0.2, "chord", kp=500.0, kv=50.0, period=1e-3), held("fore", -0.2, kv=50.0, period=1e-3)]
    run = fa.simulate(scenario(ARM, sampled, 0.1))
    assert run.success and np.abs(run.data.joint_velocity.values).max() < 5.0


def test_chord_and_hub_readings_differ_by_the_bending():
    drive = [held("upper", 0.5, kv=400.0), held("fore", -0.5)]
    hub = fa.simulate(scenario(ARM, drive, 0.2)).data.joint_position.values
    chord = [held("upper", 0.5, "chord", kv=400.0), held("fore", -0.5, "chord")]
    other = fa.simulate(scenario(ARM, chord, 0.2)).data.joint_position.values
    assert 1e-5 < np.abs(hub - other).max() < 0.05


def test_an_undamped_arm_under_chord_feedback_blows_up_and_is_stopped():
    drive = [held("upper", 0.2, "chord", kp=2000.0, kv=400.0), held("fore", 0.2, "chord", kp=1000.0, kv=200.0)]
    run = scenario(two_links(), drive, 1.0, 1e-3, method={"spectral_radius": 1.0})
    found = fa.frequencies(run, joints="held", n=4)
    assert found.unstable
    assert not fa.simulate(run).success
    assert not fa.frequencies(scenario(two_links(), [held("upper", 0.2), held("fore", 0.2)]), joints="held").unstable


def test_the_arm_tangent_is_that_of_its_residual():
    geared = ({"stiffness": 3e4, "rotor_inertia": 0.5}, {"stiffness": 1e4, "rotor_inertia": 0.2})
    for joints, mode in ((geared, "motion"), (({}, {}), "motion"), (geared, "torque")):
        drive = (
            [swing("upper", 0.0), swing("fore", 0.0)]
            if mode == "torque"
            else [moving("upper", 0.1), moving("fore", 0.1)]
        )
        model = prepare(scenario(two_links(*joints), drive)).model
        row = model.posed_row([0.3, 0.8])
        state, none = model.empty(), np.zeros(model.size)
        model.place_rigidly(state, [0.3, 0.8], None, row)
        step = 1e-3 * np.random.default_rng(2).normal(size=model.size)
        fixed = model.parts.fixed
        step[fixed] = 0.0
        model.shift(state, step)
        _, band = evaluate(model, state, row, 0.0, none)
        half, worst = band.shape[1] // 2, 0.0
        idle = set((model.parts.first[model.parts.prescribed > 0] + 1).tolist()) | set(fixed.tolist())
        for k in set(range(model.size)) - idle:
            both = []
            for sign in (1.0, -1.0):
                trial, push = state.copy(), np.zeros(model.size)
                push[k] = sign * 1e-7
                model.shift(trial, push)
                both.append(evaluate(model, trial, row, 0.0, none)[0])
            numeric = (both[0] - both[1]) / 2e-7
            exact = np.array([band[r, k - r + half] if abs(k - r) <= half else 0.0 for r in range(model.size)])
            worst = max(worst, np.abs(numeric - exact).max() / np.abs(band).max())
        assert worst < 1e-6


def test_refusals():
    arm = two_links()
    arm["links"][0]["flexible"] = False
    with pytest.raises(CapabilityError, match="rigid links"):
        prepare(scenario(arm))
    with pytest.raises(CapabilityError, match="one per link"):
        prepare(scenario(two_links(), method={"resolution": [1, 2, 3]}))
    with pytest.raises(CapabilityError, match="backlash"):
        prepare(scenario(two_links({"stiffness": 1e4, "backlash": 0.01, "rotor_inertia": 0.1})))


@pytest.mark.parametrize("integrator", ["generalised-alpha", "conserving"])
def test_a_jump_of_torque_on_a_light_arm_is_no_error_of_energy(integrator):
    """It begins motions faster than the step, whose energy generalised-alpha loses, as fem does; the conserving scheme keeps all of
    it and says where the tip goes. The loss becomes a note."""
    section = {"shape": "rectangle", "width": 0.012, "height": 0.004}
    arm = {"links": [{"name": "a", "length": 1.0, "section": section, "material": {"E": 70e9, "density": 2700.0}}]}
    drive = [{"joint": "a", "torque": {"profile": "bang-bang", "amplitude": 1.0, "duration": 0.3}}]
    plan = scenario(arm, drive, 0.6, method={"resolution": 8, "integrator": integrator})
    run = fa.simulate(plan)
    assert run.success
    fem = fa.simulate(plan.with_({"method": {"name": "fem", "order": 2, "resolution": 8}}))
    assert np.abs(run.data.tip_position - fem.data.tip_position).max() < 0.02
    lost, by_fem = (float(each.data.energy.sel(kind="numerical").max()) for each in (run, fem))
    if integrator == "conserving":
        assert abs(lost) < 1e-6
    else:
        assert lost == pytest.approx(by_fem, rel=0.5) and any("the time scheme lost" in note for note in run.notes)
