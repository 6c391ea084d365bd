"""Input shapers on arms: figures of the exact link, modes of what follows the command, warnings, the command line."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import flexarm as fa
from flexarm.simulation.build import prepare

REFERENCE = json.loads((Path(__file__).parent / "control.json").read_text(encoding="utf-8"))
SHAPERS, TYPES = REFERENCE["shapers"], {"ZV": "zv", "ZVD": "zvd", "ZVDD": "zvdd", "EI": "ei"}
QUINTIC = {"profile": "quintic", "by": 0.05, "duration": 0.4}
PD = {"type": "pd", "kp": 1.5, "kv": 0.15}


def link(method="fd", resolution=100, drive=None, shaper=None, **changes):
    """The link of the reference, 1 % in its first mode as it is driven."""
    scenario = fa.load("tokhi-azad").with_({
        "arm.damping": {"ratio": 0.01, "mode": 1}, "output": {"every": "0.5 ms"},
        "method": {"name": method, **({"resolution": resolution} if resolution else {})}, **changes,
    })  # fmt: skip
    if drive is not None:
        scenario = scenario.with_({"drive": [{"joint": "link", **drive}]})
    return scenario if shaper is None else scenario.with_({"drive.link.shaper": shaper})


def ringing(scenario, after):
    """Peak to peak of the tip after a time, m."""
    data = fa.simulate(scenario, warn=False).data
    tip = data.travel.values[data.time.values >= after - 1e-9]
    return float(np.ptp(tip))


@pytest.mark.parametrize("case", SHAPERS["impulses"])
def test_impulses_widths_and_what_is_left(case):
    name, zeta = case.split("_zeta")
    made = fa.shaper(1.0, TYPES[name], damping=float(zeta))
    close = 1e-6 if name == "EI" else 1e-9
    assert made.amplitudes == pytest.approx(SHAPERS["impulses"][case]["A"], abs=close)
    assert made.times == pytest.approx(SHAPERS["impulses"][case]["t_over_Tn"], abs=close)
    assert made.widths[0] == pytest.approx(SHAPERS["widths_5pct"][case], abs=1e-6)
    for ratio, left in SHAPERS["V_at_freq_error"][case].items():
        assert made.residual(error=float(ratio) - 1.0) == pytest.approx(left, abs=1e-6)


CASES = [("unshaped", 0.0, "0g"), ("ZV", 0.0, "0g"), ("ZV", -0.2, "0g")]
MORE = [
    (case, off, grams)
    for case in ("ZV", "ZVD", "ZVDD", "EI", "ZV2", "ZVD2")
    for off in (0.0, -0.2, 0.2)
    for grams in ("0g", "20g")
    if (case, off, grams) not in CASES
]


@pytest.mark.parametrize(
    ("case", "off", "grams"), [*CASES, *(pytest.param(*each, marks=pytest.mark.document) for each in MORE)]
)
def test_ringing_after_a_shaped_torque(case, off, grams):
    found = SHAPERS[f"torque_bangbang_{grams}_kv1pct_mode1"][f"{case}_{off:+}"]
    scenario = link(
        **{"method.scheme": "exact", "arm.payload": {"mass": 0.02 if grams == "20g" else 0.0}},
        shaper=None
        if case == "unshaped"
        else {"type": TYPES[case.rstrip("2")], "modes": [1, 2] if case[-1] == "2" else [1]},
    )
    if off:
        thought = fa.shaper(scenario).stated
        thought["frequency"] = [(1.0 + off) * hz for hz in thought["frequency"]]
        scenario = scenario.with_({"drive.link.shaper": thought})
    assert ringing(scenario, found["command_end_s"]) == pytest.approx(found["p2p_m"], rel=1e-2)


def test_ringing_after_a_shaped_motion():
    """Another method, clamped modes."""
    found = SHAPERS["motion_quintic_0g"]
    for case, shaper in (("unshaped", None), ("ZV", {"type": "zv"}), ("EI", {"type": "ei"})):
        scenario = link("ancf", 8, {"motion": QUINTIC}, shaper)
        figures = found[f"{case}_+0.0"]
        assert ringing(scenario, figures["command_end_s"]) == pytest.approx(figures["p2p_m"], rel=1e-2)


@pytest.mark.parametrize("method", fa.method_names())
def test_modes_are_those_of_what_follows(method):
    drives = {"free": {"torque": {"profile": "constant", "amplitude": 0.1}}, "locked": {"motion": QUINTIC},
              "held": {"motion": QUINTIC, "control": PD}}  # fmt: skip
    for joints, drive in drives.items():
        scenario = link(method, None, drive)
        made, found = fa.shaper(scenario, modes=[1, 2]), fa.frequencies(scenario, n=2, joints=joints)
        assert made.hz == pytest.approx(found.hz, rel=1e-9) and made.damping == pytest.approx(found.damping, rel=1e-6)


def test_a_shaper_stands_before_the_loop():
    """Free hub, clamped and held differ by factors; only the held modes calm an arm under its law."""
    scenario = link(resolution=20, drive={"motion": {**QUINTIC, "duration": 0.2}, "control": PD}, **{"time.end": 2.0})
    made = fa.shaper(scenario, modes=[1, 2])
    loud = ringing(scenario, 0.2)
    assert made.hz[0] == pytest.approx(np.hypot(1.2931, 5.1557) / (2 * np.pi), rel=1e-3)
    assert (
        ringing(scenario.with_({"drive.link.shaper": {"type": "zv", "modes": [1, 2]}}), 0.2 + made.duration)
        < 2e-4 * loud
    )
    clamped = fa.shaper(link(resolution=20, drive={"motion": QUINTIC})).stated
    assert ringing(scenario.with_({"drive.link.shaper": clamped}), 0.2 + made.duration) > 0.2 * loud


def test_the_limit_acts_behind_the_shaper():
    """The shaped command needs less torque than the limit, the command itself more."""
    law = {**PD, "limit": 0.2}
    scenario = link(resolution=20, drive={"motion": {**QUINTIC, "by": 0.3}, "control": law}, **{"time.end": 2.5})
    shaped = scenario.with_({"drive.link.shaper": {"type": "zvd", "modes": [1]}})
    peaks = [float(np.abs(fa.simulate(each).data.drive_torque).max()) for each in (scenario, shaped)]
    assert peaks[0] == pytest.approx(0.2) and peaks[1] < 0.15
    end = fa.simulate(shaped).data.joint_position.values[-1, 0]
    assert end == pytest.approx(0.3, abs=2e-3)


def test_the_grid_keeps_the_shifted_corners():
    scenario = link(resolution=20, shaper={"type": "zv"}, **{"time.step": "auto"})
    late, setup = fa.shaper(scenario).duration, prepare(scenario)
    corners = [interval.start for interval in setup.intervals]
    for corner in (late, 0.3, 0.3 + late, 0.6, 0.6 + late):
        assert min(abs(corner - each) for each in corners) < 1e-12


def test_what_a_changing_frequency_leaves():
    varying, positions = REFERENCE["pose_varying_zv"], np.array([0.0, 30.0, 60.0, 90.0, 120.0]) / 120.0
    hz = [REFERENCE["two_link"]["locked_Hz"][key] for key in ("0", "30", "60", "90", "120")]
    for case, f in (("start", hz[0]), ("end", hz[-1]), ("time_mean", 2.7903)):
        for kind, tail in (("zv", ""), ("zvd", "_ZVD")):
            left = fa.shaper(f, kind).residual_of_move(
                positions, hz, {"profile": "quintic", "by": 1.0, "duration": 0.5}
            )
            assert left == pytest.approx(varying["0.5"][case + tail], rel=5e-3)


def two_links(shaper, method="segments"):
    rods = REFERENCE["two_link"]["inputs"]
    material = {"E": rods["E"], "density": rods["density"], "nu": 0.3}
    links = [
        {"name": name, "length": rod["L"], "section": {"shape": "rectangle", "width": rod["width"], "height": rod["height"]},
         "material": material, "joint": {"hub_inertia": rod["hub_inertia"], **extra}}
        for name, rod, extra in (("upper", rods["link1"], {}), ("fore", rods["link2"], {"motor_mass": 0.3}))
    ]  # fmt: skip
    links[1]["parent"] = "upper"
    move = {"profile": "quintic", "by": 2.0 * np.pi / 3.0, "duration": 0.5}
    return fa.Scenario.model_validate({
        "name": "two links", "arm": {"links": links, "payload": {"mass": rods["payload"]}},
        "drive": [{"joint": "upper", "motion": {"profile": "constant"}}, {"joint": "fore", "motion": move, "shaper": shaper}],
        "method": {"name": method}, "time": {"end": 1.0},
    })  # fmt: skip


def test_a_frequency_that_moves_is_told():
    mean = fa.shaper(two_links({"type": "zv"}))
    assert mean.hz[0] == pytest.approx(2.7903, rel=5e-3)
    hz = REFERENCE["two_link"]["locked_Hz"]
    assert mean.modes.hz_along[[0, -1], 0] == pytest.approx([hz["0"], hz["120"]], rel=5e-3)
    for at, wanted in (("start", hz["0"]), ("end", hz["120"]), ([0.4, np.pi / 2], hz["90"])):
        assert fa.shaper(two_links({"type": "zv", "at": at})).hz[0] == pytest.approx(wanted, rel=5e-3)
    notes = prepare(two_links({"type": "zv"})).warnings
    assert len(notes) == 1 and "between 2.38 and 3.45 Hz" in notes[0]
    assert "it leaves about 28 % of the vibration without shaper, zvd 13 % and ei" in notes[0]
    assert mean.notes == tuple(notes)
    both = two_links({"type": "zv"}).with_(
        {"drive.upper.motion": {"profile": "quintic", "by": 0.3, "duration": 0.5}, "drive.upper.shaper": {"type": "zv"}}
    )
    assert [note.count("of 'upper' and 'fore' calms") for note in prepare(both).warnings] == [1]
    still = two_links({"type": "zv"}).with_({"drive.fore.motion.by": 0.02})
    assert prepare(still).warnings == []


WRONG = {
    "there is no mode|no mode 400": {"type": "zv", "modes": [400]},
    "the pose has 2 values, but the arm has 1 joints": {"type": "zv", "at": [0.0, 1.0]},
}


@pytest.mark.parametrize("words", WRONG)
def test_what_the_arm_does_not_have(words):
    with pytest.raises(fa.FlexarmError, match=f"drive.0.shaper.*({words})"):
        prepare(link(resolution=10, shaper=WRONG[words]))


def test_no_modes_without_a_known_law():
    outside = {"motion": QUINTIC, "control": {"type": "external", "period": 1e-3}}
    with pytest.raises(fa.FlexarmError, match=r"drive.0.shaper: .*gains are not known here: give the shaper frequency"):
        prepare(link(resolution=10, drive=outside, shaper={"type": "zv"}))
    rigid = {
        "arm.links.link": {"name": "link", "flexible": False, "length": "1 m", "body": {"mass": "1 kg"}},
        "arm.damping": None,
        "output": {},
    }
    with pytest.raises(fa.FlexarmError, match=r"drive.0.shaper: a shaper needs a mode to calm: nothing can vibrate"):
        prepare(link("fem", None, {"motion": QUINTIC}, {"type": "zv"}, **rigid))
    unstable = {"motion": QUINTIC, "control": {"type": "pd", "kp": 30.0, "kv": 0.0, "sensor": "chord"}}
    with pytest.raises(fa.FlexarmError, match="grows by itself"):
        prepare(link("fem", None, unstable, {"type": "zv", "modes": [1, 2]}))


def test_wrong_words_in_python():
    for wrong, words in (
        ({"type": "zvx"}, "zvx"),
        ({"modes": [1]}, "modes and at go with a scenario"),
        ({"damping": 1.2}, "less than 1"),
    ):
        with pytest.raises(fa.FlexarmError, match=words):
            fa.shaper(2.0, **wrong)
    with pytest.raises(fa.FlexarmError, match="mode counts from 1 to 1"):
        fa.shaper(2.0).residual(mode=2)
    with pytest.raises(fa.FlexarmError, match="no command to shape"):
        fa.shaper(link(resolution=10), joint="elbow")
    with pytest.raises(fa.FlexarmError, match="follows from the arm"):
        fa.shaper("tokhi-azad", damping=0.1)


def test_the_bundled_one():
    scenario = fa.load("shaped-link")
    assert ringing(scenario, 0.6 + fa.shaper(scenario).duration) == pytest.approx(0.239e-3, rel=2e-2)


def test_stated_is_the_same_shaper():
    made = fa.shaper("shaped-link", "ei", modes=[1, 2])
    again = fa.shaper(fa.load("shaped-link").with_({"drive.link.shaper": made.stated}))
    assert again.times == pytest.approx(made.times, abs=1e-15) and again.amplitudes == pytest.approx(made.amplitudes)
