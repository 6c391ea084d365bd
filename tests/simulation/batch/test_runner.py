"""The lean way gives the numbers of `simulate`, for every method and every bundled scenario."""

import numpy as np
import pytest

import flexarm as fa
from flexarm.errors import ControllerError, FlexarmError
from flexarm.scenario import bundled
from flexarm.simulation.batch import LeanRunner

FEW = 12
METHODS = [
    ("tokhi-azad", {"method.scheme": "exact"}, ["travel", "strain", "energy"]),
    ("tokhi-azad", {"method.scheme": "leapfrog", "time.step": 5e-5}, ["travel", "joint_torque"]),
    ("tokhi-azad", {"arm.damping": {"ratio": 0.01}, "method.scheme": "newmark"}, ["travel", "strain"]),
    ("naganathan-flexible", {}, ["tip_error", "joint_torque", "stress"]),
    ("li-zhang-three-link", {}, ["tip_position", "energy"]),
    ("ralf-hydraulic", {}, ["tip_deflection", "drive_torque", "cylinder_force"]),
    ("naganathan-3r", {}, ["tip_error", "rigid_torque"]),
    ("tian-circle", {}, ["path_error", "deflection"]),
]


def shortened(scenario, steps=FEW):
    """The scenario with a stated step, and not longer than a few steps beyond its last event."""
    step = 1e-3 if scenario.time.step == "auto" else scenario.time.step
    if scenario.method.name == "fd" and scenario.method.options.scheme == "leapfrog":
        step = min(step, 5e-5)
    last = max((event.at for event in scenario.events), default=0.0)
    end = min(scenario.time.end, last + steps * max(step, scenario.output.every or 0.0))
    return scenario.with_({"time.step": step, "time.end": end})


def agrees(run, scenario, names):
    """Compare a run with that of `simulate`: every number within 1e-9 of the largest of its signal."""
    data = fa.simulate(scenario, warn=False, notes=False).data
    np.testing.assert_allclose(run.time, data.time.values, rtol=0, atol=1e-12)
    for name in names:
        wanted = data[name].values
        scale = np.nanmax(np.abs(wanted), initial=1e-12)
        np.testing.assert_allclose(run.signals[name], wanted, rtol=0, atol=1e-9 * scale, err_msg=name)


@pytest.mark.parametrize(("name", "changes", "signals"), METHODS, ids=[f"{m[0]}-{k}" for k, m in enumerate(METHODS)])
def test_same_numbers_as_simulate(name, changes, signals):
    scenario = shortened(fa.load(name, changes))
    base = scenario.arm.payload.mass or 0.01
    runner = LeanRunner(scenario, ["arm.payload.mass"], signals)
    values = base * np.array([[1.0], [1.3], [0.6], [2.0]])
    for row, run in zip(values, runner.each(values), strict=True):
        assert run.success, run.message
        if row is values[0]:
            continue
        agrees(run, runner.scenario.with_({"arm.payload.mass": float(row[0])}), signals)


def test_every_bundled_scenario_without_a_controller_takes_the_lean_way(capsys):
    refused = {}
    for entry in bundled():
        scenario = shortened(fa.load(entry.name), 4)
        try:
            runner = LeanRunner(scenario, ["arm.payload.mass"], ["tip_position"])
        except ControllerError as error:
            refused[entry.name] = error.message
            continue
        value = 1.05 * scenario.arm.payload.mass + 1e-3
        agrees(runner.one([value]), runner.scenario.with_({"arm.payload.mass": value}), ["tip_position"])
    with capsys.disabled():
        for name, reason in refused.items():
            print(f"\n{name} does not take the lean way: {reason}", end="")
    external = {entry.name for entry in bundled() if fa.load(entry.name).program.external}
    assert set(refused) == external


def test_fields_of_drives_move_the_jumps():
    fields = [
        "arm.payload.mass",
        "arm.links.link.joint.hub_inertia",
        "drive.link.torque.amplitude",
        "drive.link.torque.duration",
    ]
    runner = LeanRunner(fa.load("tokhi-azad", {"time.end": 0.3}), fields, ["travel", "joint_position"], step=1e-3)
    values = np.array([[0.01, 5e-4, 0.1, 0.2], [0.03, 6e-4, 0.08, 0.1357], [0.02, 4e-4, 0.12, 0.25]])
    for row, run in zip(values, runner.each(values), strict=True):
        agrees(
            run, runner.scenario.with_(dict(zip(fields, map(float, row), strict=True))), ["travel", "joint_position"]
        )
    block = next(runner.blocks(values))
    assert block.signals["travel"].shape == (3, 301) and block.outcomes == ["SUCCESS"] * 3
    np.testing.assert_array_equal(block.signals["travel"][1], runner.one(values[1]).signals["travel"])


def test_numbers_that_are_not_allowed_are_rows_with_the_sentence_of_the_reader():
    runner = LeanRunner(fa.load("tokhi-azad", {"time.end": 0.01}), ["arm.payload.mass"], ["travel"], step=1e-3)
    block = next(runner.blocks([[0.01], [-0.5], [np.nan]]))
    assert block.outcomes == ["SUCCESS", "REFUSED", "REFUSED"]
    with pytest.raises(FlexarmError) as refusal:
        runner.scenario.with_({"arm.payload.mass": -0.5})
    assert block.messages[1] == f"{refusal.value.field}: {refusal.value.message}"
    assert np.isnan(block.signals["travel"][1]).all() and np.isfinite(block.signals["travel"][0]).all()


def test_blocks_keep_within_memory_and_in_order():
    runner = LeanRunner(fa.load("tokhi-azad", {"time.end": 0.01}), ["arm.payload.mass"], ["travel"], step=1e-3)
    values = np.linspace(0.0, 0.05, 7)[:, None]
    blocks = list(runner.blocks(values, most_bytes=3 * 8 * len(runner.time)))
    assert [block.first for block in blocks] == [0, 3, 6]
    whole = next(runner.blocks(values)).signals["travel"]
    np.testing.assert_array_equal(np.concatenate([block.signals["travel"] for block in blocks]), whole)


def test_unknown_signals_and_rows_of_another_length_are_refused():
    scenario = fa.load("tokhi-azad", {"time.end": 0.01})
    with pytest.raises(FlexarmError, match="there is no signal 'trvel'"):
        LeanRunner(scenario, ["arm.payload.mass"], ["trvel"], step=1e-3)
    runner = LeanRunner(scenario, ["arm.payload.mass"], ["travel"], step=1e-3)
    with pytest.raises(FlexarmError, match="rows of 1 numbers"):
        list(runner.each(np.zeros((2, 3))))


def test_a_run_that_blows_up_tells_it_as_simulate_does():
    scenario = fa.load("tokhi-azad", {"drive.link.torque.amplitude": "5 kN*m", "time.end": 0.1})
    runner = LeanRunner(scenario, ["arm.payload.mass"], ["tip_position"], step=1e-3)
    run = runner.one([0.02])
    wanted = fa.simulate(runner.scenario.with_({"arm.payload.mass": 0.02}), warn=False, notes=False)
    assert (run.outcome, run.message) == (wanted.outcome.name, wanted.message)
    assert run.outcome != "SUCCESS"
