"""Energy: kept in free motion, balanced with drives and losses; the scheme has its order."""

from __future__ import annotations

import numpy as np
import pytest
from modes_arms import DOWN, HOLD, link, ralf, random_tree, scenario

import flexarm as fa
from flexarm.scenario import Scenario


def falling(**more):
    """A random tree that falls."""
    arm = random_tree(5)
    base = scenario([link("a")], **{"resolution": 2, "time": {"end": 0.3, "step": 2.5e-4}, **more})
    return Scenario.model_validate({**base.model_dump(), "arm": arm.model_dump(exclude_unset=True)})


def stored(data):
    return data.energy.sel(kind=["kinetic", "elastic", "gravity"]).sum("kind").values


@pytest.mark.parametrize("order", ["none", "second-order"])
def test_free_motion_keeps_its_energy(order):
    arm = [link("a", joint={"position": 0.4}), link("b", 0.7, joint={"position": -0.9})]
    data = fa.simulate(scenario(arm, arm={"gravity": DOWN}, resolution=2, stiffening=order,
                                time={"end": 0.5, "step": 2.5e-4})).data  # fmt: skip
    total = stored(data)
    assert np.ptp(total) < 1e-8 * data.energy.sel(kind="kinetic").values.max()


def test_free_fall_of_a_closed_mechanism_keeps_its_energy():
    free = ralf(**{"drive": [], "arm.damping": None, "time.end": 0.5, "time.step": 5e-4, "time.start": "undeformed"})
    data = fa.simulate(free).data
    assert np.ptp(stored(data)) < 1e-8 * data.energy.sel(kind="kinetic").values.max()
    assert float(data.loop_error.max()) < 1e-12


def test_energy_error_is_of_fourth_order():
    arm = [link("a", joint={"position": 0.4}), link("b", 0.7, joint={"position": -0.9})]
    drift = []
    for step in (2e-3, 1e-3):
        run = scenario(arm, arm={"gravity": DOWN}, resolution=1, time={"end": 0.4, "step": step})
        drift.append(np.ptp(stored(fa.simulate(run).data)))
    assert drift[0] / drift[1] > 12.0


@pytest.mark.parametrize("integrator, order", [("lobatto", 4), ("radau", 3)])
def test_order_of_the_scheme(integrator, order):
    arm = [link("a", joint={"position": 0.4}), link("b", 0.7, joint={"position": -0.9})]
    drives = [{"joint": "a", "motion": {"profile": "quintic", "by": 0.5, "duration": 0.2}}]

    def tip(step):
        run = scenario(arm, drives, arm={"gravity": DOWN}, resolution=1, integrator=integrator,
                       time={"end": 0.2, "step": step}, output={"every": 0.1})  # fmt: skip
        return fa.simulate(run).data.tip_position.values[-1]

    fine = tip(5e-5)
    errors = [np.abs(tip(step) - fine).max() for step in (5e-4, 2.5e-4)]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.5)


def test_balance_with_drives_losses_and_a_loose_spring():
    joint = {"stiffness": 200.0, "damping": 0.5, "rotor_inertia": 0.02, "backlash": 0.01, "friction": 0.3}
    arm = [link("a", joint={"position": 0.4, **joint}), link("b", 0.7, joint={"position": -0.9})]
    drives = [
        {"joint": "a", "motion": {"profile": "quintic", "by": 0.5, "duration": 0.2},
         "control": {"type": "pd", "kp": 300.0, "kv": 10.0, "sensor": "motor"}},
        {"joint": "b", "motion": {"profile": "quintic", "by": 0.5, "duration": 0.2}},
    ]  # fmt: skip
    damped = {
        "gravity": DOWN,
        "damping": {"time": 1e-4},
        "payload": {"mass": 0.3, "inertia": 0.01, "offset": [0.02, 0.05]},
    }
    result = fa.simulate(scenario(arm, drives, arm=damped, resolution=2, time={"end": 0.3, "step": 5e-4}))
    energy = result.data.energy
    assert result.success
    work, lost = float(energy.sel(kind="work")[-1]), float(energy.sel(kind="dissipated")[-1])
    assert lost > 0.0 and np.abs(energy.sel(kind="residual")).max() < 1e-7 * abs(work)
    assert np.abs(energy.sel(kind="numerical")).max() < 0.02 * abs(work)


def test_motors_that_hold_do_no_work():
    data = fa.simulate(scenario([link("a", joint={"position": 0.5})], [{"joint": "a", "motion": HOLD}],
                                arm={"gravity": DOWN}, time={"end": 0.2})).data  # fmt: skip
    assert np.all(data.energy.sel(kind="work") == 0.0)
    assert np.ptp(stored(data)) < 1e-7 * np.ptp(data.energy.sel(kind="gravity").values)


def test_a_tree_with_everything_balances():
    energy = fa.simulate(falling(stiffening="second-order")).data.energy
    assert np.abs(energy.sel(kind="residual")).max() < 1e-8 * energy.sel(kind="kinetic").max()


def test_a_jump_of_a_prescribed_velocity_is_a_blow():
    """The rest keeps its momentum: the balance of energy holds, and a fine mesh does the same."""
    swing = [{"joint": "a", "motion": [{"profile": "constant", "duration": 0.05}, {"profile": "sine", "amplitude": 0.1, "frequency": 3.0}]},
             {"joint": "b", "motion": HOLD}]  # fmt: skip
    arm = [link("a", joint={"position": 0.4}), link("b", 0.7, joint={"position": -0.9})]
    run = scenario(
        arm, swing, arm={"damping": {"time": 5e-4}}, resolution=6, axial_modes=2, time={"end": 0.15, "step": 2.5e-4}
    )
    data = fa.simulate(run).data
    energy = data.energy
    assert np.abs(energy.sel(kind="residual")).max() < 1e-6 * energy.sel(kind="work").max()
    assert float(energy.sel(kind="kinetic")[201]) > 0.0
    fem = fa.simulate(
        run.with_({"method": {"name": "fem", "resolution": 16, "order": 2}, "time.step": 1e-4, "output.every": 2.5e-4})
    ).data
    peak = np.abs(fem.tip_deflection).max()
    assert np.abs(data.tip_deflection[400:] - fem.tip_deflection[400:]).max() < 0.05 * peak
