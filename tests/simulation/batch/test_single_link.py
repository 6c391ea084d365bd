"""Blocks of single links: modes of many arms at once, the numbers of `simulate`."""

import numpy as np
import pytest

import flexarm as fa
from flexarm.simulation.batch import LeanRunner
from flexarm.simulation.batch.runner import AT_ONCE

FIELDS = [
    "arm.payload.mass",
    "arm.links.link.joint.hub_inertia",
    "drive.link.torque.amplitude",
    "drive.link.torque.duration",
]
SIGNALS = ["travel", "strain", "joint_position"]
ARMS = {
    "plain": {},
    "spring and rotor": {"arm.links.link.joint": {"hub_inertia": 5e-4, "rotor_inertia": 1e-4, "stiffness": 30.0}},
    "payload beside the tip": {"arm.payload": {"mass": 0.02, "inertia": 1e-5, "offset": [0.03, 0.0]}},
    "lumps": {"arm.links.link.masses": [{"at": 0.4, "mass": 0.05, "inertia": 1e-5}]},
    "taper": {
        "arm.links.link.section": [
            {"at": 0.0, "shape": "rectangle", "width": 0.02, "height": 0.004},
            {"at": 1.0, "shape": "rectangle", "width": 0.01, "height": 0.003},
        ]
    },
    "versine": {"drive.link.torque": {"profile": "versine", "amplitude": 0.1, "duration": 0.1}},
    "after a wait": {"drive.link.torque.start": 0.013},
    "few modes": {"method.scheme": "exact", "method.modes": 5},
}


def drawn(n, seed=1):
    random = np.random.default_rng(seed)
    return random.uniform([0.005, 3e-4, 0.05, 0.03], [0.05, 9e-4, 0.2, 0.25], (n, 4))


def worst(runner, values, block):
    """Largest difference from `simulate`, as a share of the largest number of its signal."""
    found = 0.0
    for k, row in enumerate(values):
        data = fa.simulate(
            runner.scenario.with_(dict(zip(runner.fields, map(float, row), strict=True))), warn=False, notes=False
        ).data
        for name, array in block.signals.items():
            found = max(found, np.abs(array[k] - data[name].values).max() / np.abs(data[name].values).max())
    return found


@pytest.mark.parametrize("arm", ARMS)
def test_same_numbers_as_simulate(arm):
    scenario = fa.load("tokhi-azad", {"time.end": 0.2, "method.scheme": "exact", **ARMS[arm]})
    runner, values = LeanRunner(scenario, FIELDS, SIGNALS, step=1e-3), drawn(8)
    block = next(runner.blocks(values))
    assert runner.at_once, "this arm should be one that blocks can hold"
    assert worst(runner, values[:3], block) < 1e-9


def test_rows_that_need_more_go_the_general_way():
    scenario = fa.load("tokhi-azad", {"time.end": 0.05})
    runner, values = LeanRunner(scenario, FIELDS, SIGNALS, step=1e-3), drawn(9)
    values[2, 0], values[4, 1], values[6, 2] = 0.0, -1.0, 4e4
    block = next(runner.blocks(values))
    assert runner.at_once
    assert block.outcomes == ["SUCCESS"] * 4 + ["REFUSED"] + ["SUCCESS"] + ["UNSTABLE"] + ["SUCCESS"] * 2
    assert "hub_inertia must be at least 0" in block.messages[4]
    assert np.isnan(block.signals["travel"][4]).all()
    kept = [k for k in range(9) if k not in (4, 6)]
    assert (
        worst(runner, values[[2, 8]], type(block)(0, block.time, {n: a[[2, 8]] for n, a in block.signals.items()}))
        < 1e-9
    )
    assert np.isfinite(block.signals["travel"][kept]).all()


def test_a_row_does_not_depend_on_its_neighbours():
    runner, values = (
        LeanRunner(fa.load("tokhi-azad", {"time.end": 0.03}), FIELDS, SIGNALS, step=1e-3),
        drawn(AT_ONCE + 12),
    )
    whole = next(runner.blocks(values)).signals["strain"]
    other = next(runner.blocks(values[100:])).signals["strain"]
    np.testing.assert_array_equal(whole[100:], other)


@pytest.mark.parametrize(
    "changes",
    [
        {"arm.damping": {"time": 1e-4}},
        {"arm.gravity": [0.0, -9.81, 0.0]},
        {"drive": [{"joint": "link", "motion": {"profile": "cycloid", "by": 0.3, "duration": 0.1}}]},
        {
            "drive": [
                {
                    "joint": "link",
                    "control": {"type": "pd", "kp": 2.0, "kv": 0.5},
                    "motion": {"profile": "cycloid", "by": 0.1, "duration": 0.04},
                }
            ]
        },
    ],
    ids=["damped", "weight", "motion", "law"],
)
def test_other_arms_run_one_by_one(changes):
    scenario = fa.load("tokhi-azad", {"time.end": 0.05, **changes})
    runner, values = LeanRunner(scenario, FIELDS[:2], ["travel"], step=1e-3), drawn(8)[:, :2]
    block = next(runner.blocks(values))
    assert not runner.at_once and worst(runner, values[:2], block) < 1e-9
