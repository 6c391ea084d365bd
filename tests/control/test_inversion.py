"""Stable inversion: torques of the exact link and of two links, zeros, forward runs."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import flexarm as fa
from flexarm.control.pose_inverse import pose_inverse
from flexarm.rigid import tip

REFERENCE = json.loads((Path(__file__).parent / "control.json").read_text(encoding="utf-8"))
MASSES = {"0g": 0.0, "20g": 0.02}
NONIC = {"profile": "nonic", "by": 0.288, "duration": 0.6}


def link(method="ancf", resolution=10, mass=0.0, **changes):
    return fa.load("tokhi-azad").with_(
        {"method": {"name": method, "resolution": resolution}, "arm.payload": {"mass": mass}, **changes}
    )


def two_links(method="segments", resolution=10, pose=(20.0, 90.0)):
    rods = REFERENCE["two_link"]["inputs"]
    links = [
        {"name": name, "length": rod["L"], "section": {"shape": "rectangle", "width": rod["width"], "height": rod["height"]},
         "material": {"E": rods["E"], "density": rods["density"], "nu": 0.3},
         "joint": {"hub_inertia": rod["hub_inertia"], "position": np.deg2rad(pose[k]), **({"motor_mass": 0.3} if k else {})},
         **({"parent": "upper"} if k else {})}
        for k, (name, rod) in enumerate((("upper", rods["link1"]), ("fore", rods["link2"])))
    ]  # fmt: skip
    return fa.Scenario.model_validate({
        "name": "two links", "arm": {"links": links, "payload": {"mass": rods["payload"]}},
        "method": {"name": method, "resolution": resolution}, "time": {"end": 1.0},
    })  # fmt: skip


def line(scenario, x, y, duration):
    place = tip(scenario.arm, scenario.arm.pose)
    return {"shape": "line", "to": [float(place[0] + x), float(place[1] + y)], "duration": duration, "timing": "nonic"}


@pytest.mark.parametrize("case", ["0g_nonic", "20g_nonic", "0g_quintic", "20g_quintic"])
def test_torques_of_one_link(case):
    found, (grams, profile) = REFERENCE["stable_inversion"][case], case.split("_")
    made = fa.inverse(link(mass=MASSES[grams]), {**NONIC, "profile": profile}, verify=False)
    t = np.array(found["t"])
    off = np.abs(made.torque_at(t)[:, 0] - found["tau"])
    assert off[(np.abs(t) >= 0.02) | (profile == "nonic")].max() < 1e-6
    assert off.max() < 1e-4  # the cusp of a quintic
    assert made.torque_at(0.6 - t)[:, 0] == pytest.approx(-made.torque_at(t)[:, 0], abs=1e-5)
    assert made.peak[0] == pytest.approx(found["peak_torque"], rel=1e-4)
    assert made.pre_actuation(1e-3)[0] == pytest.approx(found["pre_actuation_0.1pct_s"], abs=3e-4)
    assert made.zeros[:2].real == pytest.approx([57.1082, 308.608], rel=5e-4)


@pytest.mark.parametrize("method", fa.method_names())
def test_every_method_has_the_inverse(method):
    made = fa.inverse(fa.load("tokhi-azad").with_({"method": {"name": method}}), NONIC, verify=False)
    found = REFERENCE["stable_inversion"]["0g_nonic"]
    assert made.torque_at(found["t"])[:, 0] == pytest.approx(found["tau"], abs=2e-3 * found["peak_torque"])
    assert made.zeros[0].real == pytest.approx(57.1082, rel=2e-2)  # coarse meshes


def test_a_coarse_mesh_is_not_asked_for_more_than_it_knows():
    """Above its highest frequency the inverse of a mesh grows without bound."""
    made = fa.inverse("tokhi-azad", NONIC, verify=False)
    assert made.peak[0] == pytest.approx(0.35384, rel=1e-2) and made.pre < 0.2
    assert made.band < 0.5 * 7325.0 * 1.001


def test_zeros_of_the_tip_keep_their_place():
    """Of one link: whatever hub and payload; of two: those of each link, in any pose."""
    bare = link(**{"arm.links.link.joint.hub_inertia": 0.0})
    for scenario in (link(), link(mass=0.05), bare):
        assert pose_inverse(scenario, (0.0,), ("tip.travel",)).slowest == pytest.approx(57.1082, rel=1e-4)
    for pose in ((0.3, 0.5), (0.0, 2.0)):
        found = pose_inverse(two_links("ancf"), pose, ("tip.x", "tip.y")).zeros
        assert found[:4].real == pytest.approx([263.085, 308.327, 1421.68, 1666.73], rel=5e-4)


def test_two_links_about_a_pose():
    found = REFERENCE["two_link"]["inversion_pose_20_90_x20mm_nonic_0.4s"]
    scenario = two_links("ancf")
    made = fa.inverse(scenario, line(scenario, 0.02, 0.0, 0.4), linear=True, verify=False)
    assert np.abs(made.torque_at(found["t"]) - np.array(found["tau"])).max() < 3e-5
    assert made.peak == pytest.approx(found["peak"], rel=1e-3)
    assert made.pre_actuation(1e-3) == pytest.approx(found["pre_actuation_0.1pct_s"], abs=5e-4)
    assert made.band < 6823.0  # where the links stretch, the inverse would ring
    small = line(scenario, 0.0002, 0.0, 0.4)
    large = fa.inverse(scenario, small, verify=False)
    assert large.torque == pytest.approx(
        fa.inverse(scenario, small, linear=True, verify=False).torque, abs=3e-5 * made.peak.max()
    )


@pytest.mark.document
def test_a_run_follows():
    """Also by another method than that of the inverse."""
    made = fa.inverse(link("fd", 60), NONIC)
    assert made.tip_error < 3e-5 and made.stiff_tip_error > 1e-2
    assert made.error_in("ancf", resolution=8) < 5e-5


def test_damping_changes_little_and_limits_the_band():
    made = fa.inverse(link(), NONIC, verify=False)
    damped = fa.inverse(link(**{"arm.damping": {"ratio": 0.01, "mode": 1}}), NONIC, verify=False)
    assert damped.band == pytest.approx(25 * 57.5, rel=0.02) and "1439 rad/s" in damped.notes[0]
    assert np.abs(damped.torque_at(made.time) - made.torque).max() < 1e-2 * made.peak[0]


@pytest.mark.parametrize(
    "case",
    ["0g_nonic_0.6", *(pytest.param(each, marks=pytest.mark.document) for each in ("20g_nonic_1.2", "0g_quintic_0.6"))],
)
def test_one_quasi_static_sweep(case):
    """A hub that is led: aimed at the wanted tip as if the link were stiff, and less its static deflection."""
    grams, profile, duration = case.split("_")
    move = {"profile": profile, "by": 0.288, "duration": float(duration)}
    scenario = link("fd", 40, MASSES[grams], **{"time": {"end": 4.0 * float(duration)}, "output": {"every": "1 ms"}})
    led = scenario.with_(
        {"drive": [{"joint": "link", "motion": {"profile": "constant"}}], "arm.damping": {"ratio": 0.01, "mode": 1}}
    )
    made, errors = fa.inverse(scenario, move, quasi_static=True, verify=False), {}
    t = made.time - made.time[0]
    for name, position in (("rigid", made.stiff_position), ("sweep1", made.position)):
        table = {"profile": "table", "points": np.stack([t, position[:, 0]], axis=1)[::4].tolist()}
        data = fa.simulate(led.with_({"drive.link.motion": table})).data
        wanted = np.interp(data.time.values, t, made.tip[:, 0])
        errors[name] = np.abs(data.travel.values - wanted).max()
    for name, error in errors.items():
        assert error == pytest.approx(REFERENCE["quasi_static_joint_space"][case][name], rel=2e-2)


@pytest.mark.document
def test_large_motions_of_two_links():
    """0.3 m in 0.5 s: at most 1 % of the tip error with the torques of the stiff arm, also in a run by another method."""
    scenario = two_links()
    for x, y in ((-0.2, -0.22), (-0.3, 0.0)):
        made = fa.inverse(scenario, line(scenario, x, y, 0.5))
        assert made.tip_error < 3e-3 * made.stiff_tip_error
        assert made.error_in("ancf", resolution=6) < 1e-2 * made.stiff_tip_error


def seeded(seed):
    """Two links of other sections, lengths, loads and poses, and a line of 0.3 m within their reach."""
    draw, plan = np.random.default_rng(seed), two_links("fem", 8)
    lengths, pose = (
        draw.uniform((0.4, 0.3), (0.6, 0.5)),
        np.array([draw.uniform(-0.5, 0.5), draw.choice((-1, 1)) * draw.uniform(0.6, 2.0)]),
    )
    for k, name in enumerate(("upper", "fore")):
        height = draw.uniform((3e-3, 2e-3)[k], (6e-3, 4e-3)[k])
        plan = plan.with_({
            f"arm.links.{name}.length": lengths[k], f"arm.links.{name}.section.height": height,
            f"arm.links.{name}.joint.position": pose[k],
        })  # fmt: skip
    plan = plan.with_(
        {"arm.payload.mass": draw.uniform(0.0, 0.3), "arm.links.fore.joint.motor_mass": draw.uniform(0.1, 0.5)}
    )
    start, share = tip(plan.arm, plan.arm.pose)[:2], np.linspace(0.0, 1.0, 21)[:, None]
    while True:
        angle = draw.uniform(0.0, 2.0 * np.pi)
        reach = np.linalg.norm(start + share * 0.3 * np.array([np.cos(angle), np.sin(angle)]), axis=1)
        if reach.max() < 0.95 * lengths.sum() and reach.min() > abs(lengths[0] - lengths[1]) + 0.1 * lengths.sum():
            return plan, line(plan, 0.3 * np.cos(angle), 0.3 * np.sin(angle), 0.5)


@pytest.mark.document
@pytest.mark.parametrize("seed", range(5))
def test_large_motions_of_other_arms(seed):
    """Runs take the error away: what another method sees is the difference of the meshes."""
    plan, path = seeded(seed)
    made = fa.inverse(plan, path)
    assert made.tip_error < 2e-3 * made.stiff_tip_error
    assert made.error_in("ancf", resolution=12) < 1e-2 * made.stiff_tip_error


@pytest.mark.parametrize(
    "method, other", [("segments", "ancf"), pytest.param("ancf", "fem", marks=pytest.mark.document)]
)
def test_in_gravity_the_arm_rests_at_both_ends(method, other):
    """Tip where it is wanted from the beginning on, torques of equilibrium before and after."""
    plan = two_links(method, 8, (45.0, -75.0)).with_({"arm.gravity": [0, -9.81, 0]})
    made = fa.inverse(plan, line(plan, 0.0, -0.15, 0.5))
    assert made.tip_error < 2e-3 * made.stiff_tip_error
    assert made.error_in(other, resolution=10) < 1e-2 * made.stiff_tip_error
    for end in (0, -1):
        pose = dict(zip(made.joints, made.position[end].tolist(), strict=True))
        at = plan.with_({f"arm.links.{name}.joint.position": angle for name, angle in pose.items()})
        rest = fa.state_space(at).point.torques
        assert made.torque[end] == pytest.approx([rest[name] for name in made.joints], rel=2e-3)


@pytest.mark.document
def test_a_single_link_in_gravity():
    made = fa.inverse(link(**{"arm.gravity": [0, -9.81, 0]}), {"profile": "nonic", "by": 0.15, "duration": 0.6})
    assert made.tip_error < 2e-3 * made.stiff_tip_error
    assert made.error_in("fem", resolution=6) < 5e-3 * made.stiff_tip_error


WRONG = {
    "jumps, as at 0 s": {"profile": "constant", "speed": 0.3, "duration": 0.5},
    "begins and ends at rest": {"profile": "sine", "amplitude": 0.1, "frequency": 1.0},
    "cannot have the profile": {"profile": "hexic", "by": 0.1, "duration": 1.0},
}


@pytest.mark.parametrize("words", WRONG)
def test_motions_that_cannot_be(words):
    with pytest.raises(fa.FlexarmError, match=words):
        fa.inverse(link(), WRONG[words])


def test_arms_that_cannot_be():
    with pytest.raises(fa.FlexarmError, match=r"in gravity .* is found by runs"):
        fa.inverse(link(**{"arm.gravity": [0, -9.81, 0]}), NONIC, verify=False)
    with pytest.raises(fa.FlexarmError, match="serial arms"):
        fa.inverse("four-bar", NONIC)
    heavy = link(**{"arm.payload": {"mass": 0.02, "inertia": 5e-5}})
    with pytest.raises(fa.FlexarmError, match=r"ring for ever at 10\d\d rad/s"):
        fa.inverse(heavy, NONIC, band=3000.0)
    assert fa.inverse(heavy, NONIC, verify=False).band < 1050.0


@pytest.mark.document
@pytest.mark.parametrize("case", ["0g_nonic", "20g_nonic"])
def test_torques_without_a_law(case):
    """What the torque of the stiff arm, and one that is cut off at both ends, leave on the arm alone, until 1 s."""
    found, grams = REFERENCE["stable_inversion"][case], case.split("_")[0]
    scenario = link("fd", 100, MASSES[grams], **{"method.scheme": "exact", "output": {"every": "1 ms"}})
    made = fa.inverse(scenario, NONIC, verify=False)
    wait = 0.2
    x = np.arange(-wait, 1.0, 1e-3)
    wanted = np.interp(x, made.time, made.tip[:, 0])
    cut = np.where((made.time >= -0.05) & (made.time <= 0.65), made.torque[:, 0], 0.0)
    tried = {
        "rigid_torque_tip_err_max_and_after": made.stiff_torque[:, 0],
        "cut_both_ends_pre_0.05_err_max_and_after_0.6_to_1.0": cut,
    }
    for name, torque in tried.items():
        points = np.stack([made.time + wait, torque], axis=1).tolist()
        table = [{"profile": "table", "points": points}, {"profile": "constant", "amplitude": 0.0}]
        run = fa.simulate(
            scenario.with_({"drive": [{"joint": "link", "torque": table}], "time": {"end": 1.0 + wait}})
        ).data
        error = np.abs(np.interp(x, run.time.values - wait, run.travel.values) - wanted)
        assert [error.max(), error[x >= 0.6].max()] == pytest.approx(found[name], rel=1e-2, abs=1.5e-5)
