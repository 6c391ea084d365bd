"""The two spatial arms of the thesis: frequencies, static start, peaks, torques and strain of an independent program."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from spatial_arms import STEEL, TUBE, beam, error_mm

import flexarm as fa
from single_link import figures

KNOWN = figures("fem_spatial")
REVOLUTE, SLIDING = KNOWN["three_revolute"], KNOWN["sliding"]


@cache
def run(name: str, **changes):
    settings = {"method.resolution": 8, "output.every": None, "output.stations": 2}
    settings |= {key.replace("__", "."): list(v) if isinstance(v, tuple) else v for key, v in changes.items()}
    return fa.simulate(fa.load(name).with_(settings))


def close(result, known, peak, last=None):
    error = error_mm(result)
    assert np.abs(error).max(axis=0) == pytest.approx(known["peak_mm"], rel=peak)
    if last is not None:
        assert error[-1] == pytest.approx(known["last_mm"], abs=last)
        assert np.sqrt((error**2).mean(axis=0)) == pytest.approx(known["rms_mm"], rel=0.01)


def test_frequencies_of_the_revolute_arm():
    arm = fa.load("naganathan-3r")
    start = fa.frequencies(arm, n=6, options={"resolution": 16})
    assert start.hz[:4] == pytest.approx(REVOLUTE["start_hz"][:4], rel=0.002)
    assert start.hz[4:] == pytest.approx(REVOLUTE["start_hz"][4:], rel=0.02)
    end = fa.frequencies(arm, n=4, pose=np.radians([90, 60, 0]), options={"resolution": 16})
    assert end.hz == pytest.approx(REVOLUTE["end_hz"], rel=0.005)


@pytest.mark.parametrize("theory", ["exact", "linear"])
def test_dynamic_peaks_of_the_revolute_arm(theory):
    result = run("naganathan-3r", method__theory=theory)
    close(result, REVOLUTE[theory], 0.002, last=0.005)
    if theory == "exact":
        data = 1e3 * result.data.tip_error
        for time, values in REVOLUTE["samples_mm"].items():
            assert data.sel(time=float(time), method="nearest").values == pytest.approx(values, abs=0.02)


def test_static_start():
    assert error_mm(run("naganathan-3r"))[0, 2] == pytest.approx(REVOLUTE["static_start_mm"][2], rel=1e-4)


def test_quasi_static_peaks_of_the_revolute_arm():
    """Sampled every 5 ms, and not at the jumps of the acceleration, where the deformation jumps too."""
    data = run("naganathan-3r", method__theory="quasi-static").data
    keep = [
        k
        for k, t in enumerate(data.time.values)
        if round(1e3 * t) % 5 == 0 and min(abs(t - np.array([0.1, 0.4, 1.3, 1.6]))) > 1e-6
    ]
    error = 1e3 * data.tip_error.values[keep]
    assert np.abs(error).max(axis=0) == pytest.approx(REVOLUTE["quasi-static"]["peak_mm"], rel=0.005)


def test_undamped_and_undeformed_starts():
    close(run("naganathan-3r", arm__damping=None), REVOLUTE["undamped"], 0.03)
    peak = np.abs(error_mm(run("naganathan-3r", time__start="undeformed"))).max(axis=0)
    assert peak == pytest.approx(REVOLUTE["undeformed_peak_mm"], rel=0.01)


def test_four_elements_are_those_of_another_program():
    peak = np.abs(error_mm(run("naganathan-3r", method__resolution=4, method__integrator="newmark"))).max(axis=0)
    assert peak == pytest.approx(REVOLUTE["four_elements_mm"], rel=1e-3)


def test_joint_torques_and_root_strain():
    data = run("naganathan-3r").data
    torque = data.joint_torque.values
    assert np.abs(torque).max(axis=0) == pytest.approx(REVOLUTE["torque"]["peak"], rel=0.005)
    assert torque[0] == pytest.approx(REVOLUTE["torque"]["start"], rel=1e-3, abs=1e-9)
    for link, known in REVOLUTE["root_strain"].items():
        root = data.sel(link=link, s=0.0)
        moments = [root[name].values for name in ("bending_moment", "bending_moment_y", "torsion_moment")]
        strain = 1e6 * np.linalg.norm(moments, axis=0) * 0.05 / (207e9 * 1.08e-6)  # of the whole moment, as it is known
        assert [strain[0], strain.max()] == pytest.approx(known, rel=1e-3)


def test_rigid_column():
    """A column that cannot bend, against one that is ten thousand times as stiff."""
    result = run(
        "naganathan-3r",
        arm__links__column__flexible=False,
        arm__damping__ratio=None,
        arm__damping__mode=None,
        arm__damping__time=9.0778e-4,
    )
    assert np.abs(error_mm(result)).max(axis=0) == pytest.approx(REVOLUTE["rigid_column_peak_mm"], rel=0.01)
    stiff = fa.load("naganathan-3r").with_({"arm.links.column.flexible": False})
    found = fa.frequencies(stiff, n=4, options={"resolution": 16})
    assert found.hz == pytest.approx(REVOLUTE["rigid_column_hz"], rel=0.005)


@pytest.mark.parametrize("theory", ["exact", "linear", "quasi-static"])
def test_peaks_of_the_sliding_arm(theory):
    result = run("naganathan-rp", method__theory=theory)
    close(result, SLIDING[theory], 0.004, last=0.03)
    if theory == "exact":
        data = 1e3 * result.data.tip_error
        for time, values in SLIDING["samples_mm"].items():
            assert data.sel(time=float(time), method="nearest").values == pytest.approx(values, abs=0.03)


def test_sliding_arm_without_weight_and_with_rigid_column():
    close(run("naganathan-rp", arm__gravity=(0, 0, 0)), SLIDING["weightless"], 0.004, last=0.03)
    close(run("naganathan-rp", arm__links__column__flexible=False), SLIDING["rigid_column"], 0.01)


def test_frequencies_of_the_sliding_arm():
    arm = fa.load("naganathan-rp")
    assert fa.frequencies(arm, n=4, options={"resolution": 16}).hz == pytest.approx(SLIDING["start_hz"], rel=0.005)
    end = fa.frequencies(arm, n=4, pose=[np.pi / 2, 1.0], options={"resolution": 16})
    assert end.hz == pytest.approx(SLIDING["end_hz"], rel=0.005)


def test_timoshenko_cantilever_bends_twists_and_stretches():
    known = KNOWN["cantilever"]
    arm = fa.Arm(links=[beam("tube", {"a": 1.0}, TUBE, material=STEEL)])
    hz = fa.frequencies(arm, "fem", n=9, options={"resolution": 100}).hz
    bending = np.repeat(known["bending"], 2)
    every = np.sort([*bending, *known["torsion"], *known["axial"]])[:9]
    assert hz == pytest.approx(every, rel=1.5e-3)
    hanging = fa.Arm(links=[beam("tube", {"a": 1.0}, TUBE, material=STEEL)], gravity=[0, 0, -9.81])
    method = fa.get_method("fem")
    from flexarm.drive import JointWiring, Wiring

    model = method.build(hanging, Wiring((JointWiring("tube", "motion"),)), method.options_from({"resolution": 8}))
    state = model.static([0.0], np.zeros((1, 7)))
    out = model.measure(state, np.zeros(len(model.sensors)))
    assert 1e3 * out[model.sensors.index("tip.z")] == pytest.approx(known["static_tip_mm"], rel=1e-6)
