"""Parameters from logs: the stated grey box, the rig with a noisy log, sensors, several logs, and what cannot be told."""

from __future__ import annotations

from pathlib import Path

import greybox
import numpy as np
import pytest

import flexarm as fa
from flexarm.view.fitted import fit_figures

RIG_LOG = Path(__file__).parents[2] / "docs" / "files" / "noisy-rig-log.csv"
RIG_TRUTH = {"arm.links.link.material.E": 72.8e9, "arm.payload.mass": 0.036, "arm.damping.ratio": 0.008, "lag": 0.012}
RIG_COLUMNS = {"strain": "strain:root", "torque": "joint_torque:link"}


def in_deviations(found: fa.Fit, truth: dict[str, float]) -> dict[str, float]:
    return {name: (found[name] - value) / found.sd[found.names.index(name)] for name, value in truth.items()}


def small_rig(**changes: object) -> fa.Scenario:
    """A damped link with a servo of hub and gauge, one second, coarse and quick."""
    return fa.load("tokhi-azad-20g").with_(
        {
            "arm.damping": {"time": "0.4 ms"},
            "method": {"name": "fd", "resolution": 12},
            "time": {"end": "1 s", "step": "0.5 ms"},
            "output": {"gauges": [{"link": "link", "at": 0.1, "name": "root"}]},
            **changes,
        }
    )


def made_log(scenario: fa.Scenario, noise: float = 0.0, lag: float = 0.0, offset: float = 0.0, scale: float = 1.0):
    """What a gauge would have measured, noise as a share of its spread."""
    data = fa.simulate(scenario).data
    time, strain = data.time.values[::4], scale * data.strain.values[::4, 0] + offset
    strain = strain + noise * np.std(strain) * np.random.default_rng(1).normal(size=time.size)
    return fa.Log("made", time + lag, strain)


def test_grey_box_gives_the_stated_deviations_and_tells_what_its_mesh_does(reference):
    """Sections of 24 mm are too coarse for such a log, by more than two deviations, and the fit says by how much: their error falls with the
    square of the number, so the move to twice as many is 3/4 of it."""
    given = reference["greybox"]
    found, estimate, sd = greybox.fitted("fd", 40, given)
    np.testing.assert_allclose(found.sd, sd, rtol=0.02)
    np.testing.assert_allclose(found.correlation, given["correlation"], atol=0.02)
    off = (found.values - estimate) / sd
    assert np.abs(off).max() > 3.0 and np.abs(found.mesh_shift).max() > 2.0
    np.testing.assert_allclose(off + 4.0 / 3.0 * found.mesh_shift, 0.0, atol=0.3)
    assert any("a finer mesh moves arm.payload.mass" in note for note in found.notes)
    assert found.converged and found.runs <= 30


@pytest.mark.document
def test_grey_box_of_the_reference(reference):
    given = reference["greybox"]
    _, angle, strain = greybox.exact_readings()
    check = given["data_check"]
    np.testing.assert_allclose(angle[[150, 300, 599]], check["hub_at_0.3_0.6_1.198"], rtol=1e-9)
    np.testing.assert_allclose(strain[[50, 225]], check["strain_at_0.1_0.45"], rtol=1e-9)
    found, estimate, sd = greybox.fitted("fd", 200, given)
    assert np.abs((found.values - estimate) / sd).max() < 0.3
    np.testing.assert_allclose(found.sd, sd, rtol=0.02)
    np.testing.assert_allclose(found.correlation, given["correlation"], atol=0.02)
    assert found.chi_square == pytest.approx(given["reduced_chi2"], abs=0.002)
    assert np.abs(found.mesh_shift).max() < 0.2
    assert found.runs <= 30


@pytest.mark.document
def test_deviations_are_those_of_many_noises():
    """Errors of 16 logs in standard deviations have the size one, and no mean."""
    logs = [greybox.noisy_logs(seed) for seed in range(100, 116)]
    truth = dict(zip(greybox.NAMES, (71.1e9, 0.02, 5.86e-4, greybox.ETA), strict=True))
    many = []
    for log in logs:
        found = fa.fit(
            greybox.arm("fd", 60), log, greybox.NAMES, sigma={"joint_position:link": 1e-4, "strain:root": 1e-6}
        )
        many.append(np.array(list(in_deviations(found, truth).values())) + 4.0 / 3.0 * found.mesh_shift)
    np.testing.assert_allclose(np.std(many, axis=0), 1.0, atol=0.5)  # 16 logs fix it to 18 %
    np.testing.assert_allclose(np.mean(many, axis=0), 0.0, atol=0.75)  # and the mean to 0.25


def test_rig_from_a_noisy_log_with_wrong_stiffness_payload_and_clock():
    found = fa.fit("measured-rig", RIG_LOG, ["arm.links.link.material.E", "arm.payload.mass", "arm.damping.ratio", "lag", "offset"],
                   columns=RIG_COLUMNS)  # fmt: skip
    errors = in_deviations(found, RIG_TRUTH)
    for name, value in RIG_TRUTH.items():
        assert abs(errors[name]) < 2.0 or abs(found[name] / value - 1.0) < 0.01, name
    assert found["offset of strain:root"] == pytest.approx(20e-6, rel=0.01)
    assert all(column.whiteness.white and column.estimated for column in found.columns)
    assert [column.sigma for column in found.columns] == pytest.approx([1e-6, 2e-3], rel=0.1)
    assert found.scenario.arm.payload.mass == found["arm.payload.mass"] and found.scenario.output.stations == 21
    assert found.runs <= 30 and found["arm.links[link].material.E"] == found.values[0]
    with pytest.raises(fa.FlexarmError, match="did you mean 'lag'"):
        found["lags"]
    assert set(fit_figures(found)) == {"fit-1", "fit-2", "residuals-1", "residuals-2", "correlation"}
    assert "standard deviation" in repr(found) and found.to_dict()["parameters"]["lag"]["unit"] == "s"


def test_sensors_and_joint_are_found_exactly_in_a_log_without_noise():
    true = small_rig(**{"arm.links.link.joint.hub_inertia": 9e-4, "drive.link.torque.amplitude": 0.12})
    logs = {"strain:root": made_log(true, lag=0.004, offset=3e-6, scale=1.0)}
    found = fa.fit(
        small_rig(), logs, ["arm.links.link.joint.hub_inertia", "drive.link.torque.amplitude", "lag", "offset"]
    )
    assert found["arm.links.link.joint.hub_inertia"] == pytest.approx(9e-4, rel=1e-4)
    assert found["drive.link.torque.amplitude"] == pytest.approx(0.12, rel=1e-4)
    assert found["lag"] == pytest.approx(0.004, abs=1e-6)
    assert found["offset of strain:root"] == pytest.approx(3e-6, rel=1e-2)


def test_several_logs_share_the_arm_and_have_their_own_sensors():
    """Two commands, two clocks, one arm; the second log alone has a scale."""
    drives = [{"drive.link.torque.amplitude": size} for size in (0.1, 0.05)]
    logs = [
        {"strain:root": made_log(small_rig(**{"arm.payload.mass": 0.03, **drives[k]}), 1e-3, lag)}
        for k, lag in ((0, 0.003), (1, -0.002))
    ]
    found = fa.fit([small_rig(**each) for each in drives], logs, ["arm.payload.mass", "lag", "scale"])
    assert found["arm.payload.mass"] == pytest.approx(0.03, rel=2e-3)
    assert found["lag of log 1"] == pytest.approx(0.003, abs=1e-4) and found["lag of log 2"] == pytest.approx(
        -0.002, abs=1e-4
    )
    assert found["scale of strain:root in log 2"] == pytest.approx(1.0, rel=1e-2)
    assert [each.drive[0].torque[0].amplitude for each in found.scenarios] == [0.1, 0.05]


def test_scale_of_all_inertias_and_stiffness_cannot_be_told_from_torque():
    """Modulus, masses, hub and torque times one factor leave the motion as it is."""
    scenario = small_rig(**{"arm.damping.time": "0.3 ms"})
    fields = ["arm.links.link.material.E", "arm.links.link.material.density", "arm.payload.mass",
              "arm.links.link.joint.hub_inertia", "drive.link.torque.amplitude"]  # fmt: skip
    log = made_log(scenario, 1e-4)
    found = fa.fit(scenario, {"strain:root": log}, fields)
    (sentence,) = found.cannot_tell
    assert all(name in sentence for name in fields) and "leave one of them out" in sentence
    assert sentence.count(" / ") == 4 and "^" not in sentence  # four ratios, all of the first power
    assert np.isinf(found.sd).all() and found.converged
    told = fa.fit(scenario, {"strain:root": log}, fields[:-1])
    assert not told.cannot_tell and np.isfinite(told.sd).all()


def test_what_the_model_leaves_out_is_seen_in_coloured_residuals():
    log = made_log(small_rig(), 1e-3)
    hum = fa.Log("hum", log.time, log.values + 0.05 * np.std(log.values) * np.sin(40.0 * log.time))
    sigma = 1e-3 * float(np.std(log.values))
    found = fa.fit(small_rig(), {"strain:root": hum}, ["arm.payload.mass"], sigma=sigma)
    white = found.columns[0].whiteness
    assert not white.white and white.effective < 0.2 * white.samples and found.chi_square > 100.0
    assert any("not white" in note for note in found.notes) and any("chi-square is" in note for note in found.notes)
    clean = fa.fit(small_rig(), {"strain:root": log}, ["arm.payload.mass"], sigma=sigma)
    assert clean.columns[0].whiteness.white and clean.chi_square == pytest.approx(1.0, abs=0.3)


def test_a_clock_alone_is_found_without_further_runs():
    log = made_log(small_rig(), 1e-3, lag=0.0123)
    found = fa.fit(small_rig(), {"strain:root": log}, ["lag"])
    assert (
        abs(found["lag"] - 0.0123) < 3.0 * found.sd[0] and found.runs == 3
    )  # for the step, the run, and that on a finer mesh


def test_drives_that_begin_late_are_waited_for():
    """A quarter of the log holds nothing but noise; the payload is off by a half."""
    late = {"drive.link.torque.start": "0.4 s", "time.end": "1.6 s"}
    log = made_log(small_rig(**late, **{"arm.payload.mass": "40 g"}), 1e-2)
    found = fa.fit(small_rig(**late), {"strain:root": log}, ["arm.payload.mass", "arm.damping.time"])
    assert abs(found["arm.payload.mass"] - 0.04) < 3.0 * found.sd[0] and found.steps < 10


def test_bounds_hold():
    log = made_log(small_rig(**{"arm.payload.mass": "30 g"}), 1e-3)
    found = fa.fit(small_rig(), {"strain:root": log}, ["arm.payload.mass"], bounds={"arm.payload.mass": (None, "25 g")})
    assert found["arm.payload.mass"] == pytest.approx(0.025) and any("at its bound" in note for note in found.notes)


def test_chaotic_runs_are_refused():
    """A soft strip that falls: after two seconds a change of its modulus by 1e-8 moves the tip by its length."""
    falling = fa.load("rubber-pendulum")
    time = np.arange(0.0, 2.0, 0.01)
    log = {"tip_position:x": fa.Log("camera", time, np.sin(time), "m")}
    with pytest.raises(fa.FlexarmError, match=r"material.E: the run jumps when it changes.*end the run earlier"):
        fa.fit(falling, log, ["arm.links[0].material.E"])


GAUGE = {"strain:root": fa.Log("made", np.arange(0.0, 1.0, 2e-3), np.sin(np.arange(500.0)) * 1e-6)}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"parameters": ["arm.payload.masss"]}, "arm.payload.masss: there is no 'masss'.*did you mean 'mass'"),
        ({"parameters": ["arm.links.lnk.length"]}, "there is no 'lnk' in arm.links; did you mean 'link'"),
        ({"parameters": ["method.resolution"]}, "a whole number"),
        ({"parameters": ["method.name"]}, "it is no number"),
        ({"parameters": ["arm.links.link.joint.stiffness"]}, "no value in the scenario: give one there"),
        ({"parameters": ["arm.links.link.joint.friction"]}, "zero, which tells no size"),
        ({"parameters": ["arm.links.link.joint.gear.ratio"]}, "does not give arm.links.link.joint.gear: write it there"),
        ({"parameters": ["lags"]}, "did you mean 'lag'"),
        ({"parameters": []}, "name at least one parameter"),
        ({"parameters": ["arm.payload.mass", "arm.links.link.joint.motor_mass"]}, "motor_mass.*zero"),
        ({"parameters": ["arm.links[0].joint.hub_inertia", "arm.links.0.joint.hub_inertia"]}, "named twice"),
        ({"parameters": {"arm.links.link.joint.motor_mass": "10 g"}}, "motor_mass: the logs cannot tell it"),
        ({"sigma": {"strain:root": 0.0}}, "must be positive; leave it out to have it estimated"),
        ({"sigma": {"stran": 1.0}}, "no column 'stran' in the fit"),
        ({"bounds": {"arm.payload.mass": (0.03, 0.05)}}, "start value 0.02 must lie between the bounds"),
        ({"bounds": {"lag": (0.0, 1.0)}}, "bounds are for numbers of the scenario"),
        ({"logs": {"strain:tip": GAUGE["strain:root"]}}, "say which gauge of strain"),
        ({"logs": {"strain:root": fa.Log("late", 9.0 + np.arange(20.0), np.ones(20))}}, "0 samples in common only"),
        ({"logs": {**GAUGE, "joint_position:link": fa.Log("b", np.arange(0.0, 1.0, 4e-3), np.ones(250), "rad")},
          "parameters": ["arm.payload.mass", "lag"]}, "have one clock"),
        ({"logs": []}, "give one for all, or one for each"),
    ],
)  # fmt: skip
def test_bad_input_gets_a_sentence(change, words):
    given = {"scenario": small_rig(), "logs": GAUGE, "parameters": ["arm.payload.mass"], **change}
    with pytest.raises(fa.FlexarmError, match=words):
        fa.fit(given.pop("scenario"), given.pop("logs"), given.pop("parameters"), **given)
