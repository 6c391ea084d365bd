"""A log beside a run: known lag, scale, offset and damping are found again."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm as fa
from flexarm.analysis.gauge import GaugeChain
from flexarm.analysis.log_comparison import compare_log
from flexarm.analysis.measured import Log
from flexarm.errors import FlexarmError


@pytest.fixture(scope="module")
def run():
    damped = {"arm.damping": {"ratio": 0.02, "mode": 1}, "time.end": 2.0}
    return fa.simulate(fa.load("tokhi-azad").with_(damped))


def made(run, lag=0.0, scale=1.0, offset=0.0, noise=0.0, seed=1, uneven=0.3e-3):
    """A log made of the run's own strain at uneven times."""
    random = np.random.default_rng(seed)
    t = np.arange(0.002, 1.9, 1.3e-3)
    t = t + random.uniform(-uneven, uneven, t.size)
    strain = np.interp(t, run.data["time"].values, run.data["strain"].values[:, 0])
    return Log("made", t + lag, offset + scale * strain + random.normal(0.0, noise, t.size), "1")


def test_a_perfect_log_fits_perfectly(run):
    found = compare_log(run, made(run))
    assert abs(found.lag) < 1e-5 and found.scale == pytest.approx(1.0, abs=1e-3)
    assert found.nrmse < 0.01 and found.nrmse_raw < 0.01 and found.correlation > 0.9999
    assert found.peak_ratio == pytest.approx(1.0, abs=0.01) and found.notes == []


@pytest.mark.parametrize("lag", [-0.15, -0.0123, 0.0071, 0.2])
def test_lag_scale_and_offset_are_found(run, lag):
    size = float(np.abs(run.data["strain"].values).max())
    log = made(run, lag, 1.3, 0.4 * size, 0.01 * size)
    found = compare_log(run, log)
    assert found.lag == pytest.approx(lag, abs=1e-4)
    assert found.scale == pytest.approx(1.3, rel=3e-3) and found.offset == pytest.approx(0.4 * size, rel=0.01)
    assert found.peak_ratio == pytest.approx(1.3, rel=0.03)
    assert found.nrmse_scaled < 0.05 < found.nrmse < found.nrmse_raw
    fixed = compare_log(run, log, lag=0.0)
    assert fixed.lag == 0.0 and fixed.nrmse_scaled > found.nrmse_scaled
    assert compare_log(run, log, lag=lag, offset=False).offset == 0.0


def test_ring_down_and_spectrum_of_both(run):
    log = made(run, 0.05, noise=0.002 * float(np.abs(run.data["strain"].values).max()))
    found = compare_log(run, log)
    measured, simulated = found.ring_measured, found.ring_simulated
    assert found.ring_from == pytest.approx(0.65, abs=2e-3)  # the torque ends at 0.6 s
    assert measured.frequency == pytest.approx(simulated.frequency, rel=2e-3)
    assert measured.damping_ratio == pytest.approx(simulated.damping_ratio, rel=0.05)
    hz = fa.frequencies(run.scenario, joints="free").hz
    assert simulated.frequency == pytest.approx(hz[hz > 1e-3][0], rel=0.01)
    assert any(abs(f - simulated.frequency) < 1.0 for f in found.peaks_measured)
    later = compare_log(run, log, ring_from=1.2)
    assert later.ring_from == pytest.approx(1.25, abs=2e-3)
    with_none = compare_log(run, log, ring_from=1.99)
    assert with_none.ring_measured is None and "holds no ring-down" in with_none.notes[-1]


def test_a_log_upside_down_is_told(run):
    found = compare_log(run, made(run, 0.01, -1.0))
    assert found.scale == pytest.approx(-1.0, abs=0.01) and found.lag == pytest.approx(0.01, abs=1e-3)
    assert any("opposite sign" in note for note in found.notes)


@pytest.fixture(scope="module")
def bench():
    """A run of a test bench, and its arm as it is: 4 % softer, with a payload 20 % heavier."""
    text = """
name: bench
arm:
  damping: {ratio: 0.5 %}
  links:
    - name: strip
      length: 0.8 m
      section: {shape: rectangle, width: 30 mm, height: 3 mm}
      material: {E: 70 GPa, density: 2700 kg/m^3}
      joint: {hub_inertia: 2e-3 kg*m^2, stiffness: 200 N*m/rad, rotor_inertia: 1e-3 kg*m^2}
  payload: {mass: 60 g}
drive:
  - {joint: strip, motion: {profile: quintic, by: 40 deg, duration: 0.5 s}}
method: {name: fd, resolution: 20}
time: {end: 4 s}
output: {every: 2 ms, gauges: [{link: strip, at: 5 %, name: root}]}
"""
    plan = fa.loads(text)
    real = fa.simulate(plan.with_({"arm.links.strip.material.E": 67.2e9, "arm.payload.mass": 0.072})).data
    random = np.random.default_rng(3)
    t = real.time.values + 0.015
    angle = Log("log, angle", t, real.joint_position.values[:, 0] + random.normal(0.0, 5e-4, t.size), "rad")
    strain = Log("log, strain", t, real.strain.values[:, 0] + random.normal(0.0, 5e-6, t.size), "1")
    return fa.simulate(plan), angle, strain


def test_the_lag_of_a_model_that_is_not_identified(bench):
    run, angle, strain = bench
    alone = compare_log(run, angle, "joint_position:strip")
    assert alone.lag == pytest.approx(0.015, abs=5e-3)  # over the whole record: 0.8 s, scale -0.02
    assert alone.scale == pytest.approx(1.0, abs=0.02) and alone.nrmse < 0.15
    ringing = compare_log(run, strain, "strain:root")
    assert ringing.lag == pytest.approx(0.015, abs=0.02)  # 7 % in frequency over half of 0.5 s
    for found in (alone, ringing):
        assert not any("opposite sign" in note for note in found.notes)
        (told,) = (note for note in found.notes if "the log rings at 2.2" in note)
        assert "the lag may be off by some 17 ms" in told and "the run at 2.4" in told
    given = compare_log(run, strain, "strain:root", lag=0.015)
    assert given.lag == 0.015 and not any("may be off" in note for note in given.notes)
    flipped = Log("log, strain", strain.time, -strain.values, "1")
    assert any("opposite sign" in note for note in compare_log(run, flipped, "strain:root").notes)


def test_columns_of_one_log_have_one_lag(bench):
    run, angle, strain = bench
    both = fa.compare_logs(run, [angle, strain], ["joint_position:strip", "strain:root"])
    assert both[0].lag == both[1].lag == pytest.approx(0.015, abs=5e-3)
    assert [item.signal for item in both] == ["joint_position:strip", "strain:root"]
    with pytest.raises(FlexarmError, match="2 columns and 1 signals: give one signal for each column"):
        fa.compare_logs(run, [angle, strain], ["strain:root"])


def test_a_log_of_the_ringing_alone_is_told(bench):
    run, angle, _ = bench
    late = angle.time > 1.5
    found = compare_log(run, Log("late", angle.time[late], angle.values[late], "rad"), "joint_position:strip")
    assert any("does not cover the time in which the drives move" in note for note in found.notes)


def test_volts_and_counts_go_through_the_chain(run):
    chain = GaugeChain(gain=300.0, excitation=4.0, offset=0.5, bits=14)
    reading = fa.read_gauge(run, None, chain)
    for unit, values in (("V", reading.volts), ("counts", reading.counts.astype(float))):
        found = compare_log(run, Log("made", reading.time, values, unit), chain=chain)
        assert found.scale == pytest.approx(1.0, abs=1e-6) and found.nrmse < 1e-3 and found.unit == unit
    with pytest.raises(FlexarmError, match="a log in V needs the gauge's bridge"):
        compare_log(run, Log("made", reading.time, reading.volts, "V"))
    with pytest.raises(FlexarmError, match="compared with a strain gauge, not with travel"):
        compare_log(run, Log("made", reading.time, reading.volts, "V"), "travel", chain)


def test_other_signals_and_their_faults(run):
    log = Log("made", run.data["time"].values, run.data["travel"].values, "m")
    assert compare_log(run, log, "travel", lag=0.0).nrmse < 1e-9
    tip = Log("made", run.data["time"].values, run.data["tip_deflection"].values[:, 1], "m")
    assert compare_log(run, tip, "tip_deflection:y").signal == "tip_deflection:y"
    with pytest.raises(FlexarmError, match="no signal 'travle'; did you mean 'travel'"):
        compare_log(run, log, "travle")
    with pytest.raises(FlexarmError, match="say which axis of tip_deflection: tip_deflection:x, tip_deflection:y"):
        compare_log(run, log, "tip_deflection")
    with pytest.raises(FlexarmError, match="travel is in m, but the log is in 1"):
        compare_log(run, made(run), "travel")
    with pytest.raises(FlexarmError, match="overlap in 0 samples only"):
        compare_log(run, Log("made", log.time + 50.0, log.values, "m"), "travel", lag=0.0)


def test_numbers_for_scripts_hold_no_curves(run):
    import json

    whole = compare_log(run, made(run)).to_dict()
    assert json.loads(json.dumps(whole))["samples"] == whole["samples"] > 1000
    assert "measured" not in whole and whole["ring_measured"]["frequency"] > 0.0
