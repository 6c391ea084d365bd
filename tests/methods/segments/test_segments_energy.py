"""Energy and momentum: what must be kept is kept, what is lost is lost by its own power."""

from __future__ import annotations

import numpy as np
import pytest
from segments_arms import DOWN, TAPER, beam, li_zhang, prescribed, scenario

import flexarm as fa
from flexarm.methods.segments.prediction import braking
from single_link import balance

MOVE = {"profile": "cycloid", "by": 0.5, "duration": 0.2}


@pytest.mark.parametrize("scheme", [{}, {"integrator": "generalised-alpha", "spectral_radius": 0.8}])
def test_free_spin_keeps_its_speed(scheme):
    """An unpowered arm turning at 10 rad/s for 20 s."""
    one = scenario(
        [beam("a", joint={"velocity": 10.0}), beam("b")],
        prescribed("b", {"profile": "constant"}),
        end=20.0,
        every=0.01,
        **scheme,
    )
    data = fa.simulate(one).data
    start = data.joint_velocity.values[0, 0]
    late = data.time.values > 19.0
    mean = np.diff(data.joint_position.values[late, 0])[:100].mean() / 0.01
    momentum = data.energy.sel(kind="kinetic").values + data.energy.sel(kind="elastic").values
    assert start == 10.0 and mean == pytest.approx(10.0, rel=1e-3)  # the stretched arm bends a little about its mean
    assert momentum[-1] == pytest.approx(momentum[0], rel=1e-6 if not scheme else 1e-5)


def test_free_spin_of_a_straight_arm_is_exact():
    one = scenario([beam("a", section=TAPER, joint={"velocity": 10.0})], end=20.0, every=0.1)
    rate = fa.simulate(one).data.joint_velocity.values[:, 0]
    assert np.abs(rate / 10.0 - 1.0).max() < 1e-6


@pytest.mark.parametrize("gamma", [0.51, 0.8])
def test_histories_of_x_and_y_brake_a_turning_arm(gamma):
    """The document's scheme on a turning arm: rates fall as the warning says."""
    turn = prescribed("a", {"profile": "spin-up", "speed": 10.0, "duration": 0.5})
    one = scenario([beam("a")], turn, variant="paper", beta=0.7, gamma=gamma, step=2e-3, end=2.0, ends="half")
    data = fa.simulate(one).data
    lost = data.energy.sel(kind="numerical").values
    share = np.gradient(lost, data.time.values)[-100:].mean() / data.energy.sel(kind="kinetic").values[-1]
    assert share == pytest.approx(2.0 * braking(gamma, 2e-3) * 100.0, rel=0.05)


def test_energy_is_kept_for_20_seconds():
    run = fa.simulate(li_zhang(end=20.0, step=1e-3).with_({"output.every": 0.02}))
    energy = run.data.energy
    late = run.data.time.values > 0.5
    total = (energy.sel(kind="kinetic") + energy.sel(kind="elastic")).values[late]
    assert np.abs(total / total[0] - 1.0).max() < 2e-3  # swings with the step squared
    means = [total[:200].mean(), total[-200:].mean()]
    assert means[1] == pytest.approx(means[0], rel=1e-5)
    assert balance(run) < 1e-10


def test_undamped_drift_stays_below_a_hundred_thousandth():
    """A passive arm that swings under gravity from 1 rad, for 20 s."""
    one = scenario([beam("a", joint={"position": 0.6, "hub_inertia": 0.01}), beam("b", joint={"position": 0.4})],
                   prescribed("b", {"profile": "constant"}), arm={"gravity": DOWN}, end=20.0, step=5e-4, every=0.02)  # fmt: skip
    run = fa.simulate(one)
    energy = run.data.energy
    total = sum(energy.sel(kind=k).values for k in ("kinetic", "elastic", "gravity"))
    assert np.abs(total - total[0]).max() < 1e-5 * np.abs(energy).max()
    assert balance(run) < 1e-9


CASES = {
    "damping": ({"damping": {"time": 1e-3}}, {}, [prescribed("a", MOVE), prescribed("b", MOVE)]),
    "torque": (
        {"gravity": DOWN},
        {},
        [{"joint": "a", "torque": {"profile": "constant", "amplitude": 0.5}}, prescribed("b", MOVE)],
    ),
    "joint damping": (
        {},
        {"stiffness": 50.0, "damping": 0.5, "rotor_inertia": 2e-3},
        [prescribed("a", MOVE), prescribed("b", MOVE)],
    ),
    "law": (
        {"gravity": DOWN},
        {},
        [prescribed("a", MOVE, control={"type": "pd", "kp": 10.0, "kv": 1.0}), prescribed("b", MOVE)],
    ),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("scheme", ["newmark", "generalised-alpha"])
def test_balance_closes(name, scheme):
    arm, joint, drive = CASES[name]
    run = fa.simulate(
        scenario([beam("a", joint=joint), beam("b", joint=joint)], drive, arm=arm, integrator=scheme, end=0.3)
    )
    assert run.success and balance(run) < 1e-7
    lost = run.data.energy.sel(kind="dissipated").values
    assert np.all(np.diff(lost) >= -1e-15) and (lost[-1] > 0) == ("damping" in name)


def test_numerical_loss_falls_with_the_step_and_shows_the_scheme():
    def loss(step, **method):
        run = fa.simulate(
            scenario(
                [beam("a"), beam("b")],
                [prescribed("a", MOVE), prescribed("b", MOVE)],
                step=step,
                end=0.5,
                every=1e-2,
                **method,
            )
        )
        return float(run.data.energy.sel(kind="numerical").values[-1])

    assert loss(1e-3, beta=0.3025, gamma=0.6) > 100 * abs(loss(1e-3))
    assert (
        loss(1e-3, integrator="generalised-alpha", spectral_radius=0.3)
        > 3 * loss(1e-3, integrator="generalised-alpha", spectral_radius=0.8)
        > 0
    )
    assert abs(loss(2.5e-4)) < 0.3 * abs(loss(1e-3))


def test_damping_ratio_is_that_of_the_mode():
    free = scenario([beam("a")], prescribed("a", MOVE), arm={"damping": {"ratio": 0.03, "mode": 1}})
    assert fa.frequencies(free, n=1).damping[0] == pytest.approx(0.03, rel=1e-6)
    own = scenario([beam("a", damping={"time": 1e-3}), beam("b")], [prescribed("a", MOVE), prescribed("b", MOVE)])
    run, none = (
        fa.simulate(own),
        fa.simulate(scenario([beam("a"), beam("b")], [prescribed("a", MOVE), prescribed("b", MOVE)])),
    )
    assert run.data.energy.sel(kind="dissipated").values[-1] > 0 == none.data.energy.sel(kind="dissipated").values[-1]
