"""The grid in real runs: outputs on multiples, jumps on step points, ticks and events where they belong."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm as fa
from flexarm.errors import StepError
from flexarm.simulation.build import prepare
from flexarm.simulation.time_loop import TimeLoop
from single_link import BANG, at_times, make

OUTSIDE = {"joint": "link", "control": {"type": "external", "period": 2e-3}}


def pulses(*times: float) -> dict:
    """Short torques that begin and end at awkward times."""
    return {"joint": "link", "torque": [{"profile": "constant", "amplitude": 0.1, "duration": b - a, "start": a}
                                        for a, b in zip(times[::2], times[1::2], strict=True)]}  # fmt: skip


@pytest.mark.parametrize("every", [1e-3, 7e-3, 0.03, 0.1])
def test_outputs_lie_on_their_multiples(every):
    run = fa.simulate(
        make(drive=pulses(0.0123, 0.0456, 0.07, 0.0777), every=every, step=4e-4, end=0.1, scheme="newmark")
    )
    times = run.data["time"].values
    wanted = every * np.arange(int(0.1 / every + 1e-9) + 1)
    if wanted[-1] < 0.1 - 1e-9:  # the end of a run is always told
        wanted = np.append(wanted, 0.1)
    assert times == pytest.approx(wanted, rel=1e-13)


def test_without_an_interval_every_step_is_recorded():
    run = fa.simulate(make(step=1e-3, end=0.05, scheme="newmark"))
    assert run.data["time"].values == pytest.approx(1e-3 * np.arange(51)) and run.data.attrs["steps"] == 50


def test_jumps_on_step_points_keep_the_order():
    """Momentum after a pulse between two outputs is that of the pulse, to rounding, whatever the step."""
    a, b = 0.0123456789, 0.0456
    for scheme in ("leapfrog", "newmark", "exact"):
        for step in (2.7e-4, 1e-4):
            run = fa.simulate(make(drive=pulses(a, b), every=0.05, end=0.1, step=step, scheme=scheme))
            assert run.data["angular_momentum"].values[-1] == pytest.approx(0.1 * (b - a), rel=1e-9)


def test_step_as_long_as_the_run():
    run = fa.simulate(make(drive=(), joint={"velocity": 1.0}, step=0.1, end=0.1, scheme="exact"))
    assert run.data["time"].values == pytest.approx([0.0, 0.1])
    assert at_times(run, "travel", 0.1)[0] == pytest.approx(0.096)
    longer = fa.simulate(make(drive=(), step=5.0, end=0.1, scheme="exact"))
    assert longer.data.attrs["steps"] == 1


def test_period_that_does_not_fit_is_refused():
    with pytest.raises(StepError, match="have no common step"):
        fa.simulate(make(drive=OUTSIDE, every=np.pi * 1e-3, end=0.1), controller=lambda t, r: 0.0)
    with pytest.raises(StepError, match=r"control period \(0.002 s\) is shorter than the step \(0.005 s\)"):
        fa.simulate(make(drive=OUTSIDE, step=5e-3, end=0.1, scheme="newmark"), controller=lambda t, r: 0.0)


def test_walk_by_hand():
    """The loop's own time is that of the grid, and it ends exactly at the end."""
    loop = TimeLoop(prepare(make(step=1e-3, end=0.7, scheme="newmark")))
    seen = []
    while not loop.finished:
        _, times, rows = loop.chunk(64)
        assert len(times) == len(rows)
        seen += list(times)
    assert loop.time == pytest.approx(0.7, abs=1e-15) and seen == pytest.approx(1e-3 * np.arange(1, 701))


def test_torque_rows_are_left_limits_at_the_end_of_a_phase():
    """At 0.3 s the record belongs to the phase that ends there."""
    run = fa.simulate(make(drive=BANG, every=0.3, end=1.2, step=1e-3, scheme="newmark"))
    assert run.data["drive_torque"].values[:, 0] == pytest.approx([0.1, 0.1, -0.1, 0.0, 0.0])


@pytest.mark.parametrize("delay", [0.0, 4e-7, 0.01])
def test_event_next_to_a_jump_happens_there(delay):
    """Times nearer than a billionth of the run are one; the payload must not wait for the next jump."""
    event = {"at": 0.4 + delay, "payload": {"mass": 0.02}, "rule": "matched"}
    drive = pulses(0.4, 0.6)
    run = fa.simulate(
        make(drive=drive, joint={"velocity": 0.1}, events=[event], end=1000.0, every=0.5, step=0.05, scheme="exact")
    )
    momentum = run.data["angular_momentum"].values
    assert momentum[1] - momentum[0] > 0.1 * 0.1 + 1e-4  # at 0.5 s: 0.1 s of torque, and the payload


def test_control_period_and_output_of_different_length():
    calls = []

    def watch(time, reading):
        calls.append(time)
        return 0.05

    run = fa.simulate(make(drive=OUTSIDE, every=3e-3, end=0.06, step=1e-4), controller=watch)
    assert calls == pytest.approx(2e-3 * np.arange(30), abs=1e-15)
    assert run.data["time"].values == pytest.approx(3e-3 * np.arange(21))
    assert run.data["angular_momentum"].values[-1] == pytest.approx(0.05 * 0.06, rel=1e-9)


def test_drives_are_evaluated_once_per_interval(monkeypatch):
    """Tables of the drives are looked at ahead: the rows at both ends of an interval, for jumps of torques, are cut from them."""
    from flexarm.drive import Program

    drive = {"joint": "link", "torque": {"profile": "bang-bang", "amplitude": 0.1, "duration": 0.3}}
    setup = prepare(make(drive=drive, step=1e-3, every=0.01, end=0.5, scheme="newmark"))
    asked, table = [], Program.table
    monkeypatch.setattr(Program, "table", lambda self, t, inside: (asked.append(np.size(t)), table(self, t, inside))[1])
    fa.simulate(setup)
    assert len(setup.intervals) == 3
    assert sum(asked) <= setup.steps + len(setup.intervals) + 4
