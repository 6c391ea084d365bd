"""`step: auto` and `scheme: auto`: what they promise, that they are computed, and that they say why."""

from __future__ import annotations

import numpy as np
import pytest
from fd_configurations import BODY, DOWN, NO_HUB, SPRING, TAPER

import flexarm as fa
from flexarm.errors import CapabilityError, StepError
from single_link import BANG, bare_model, make

SLOW = {"joint": "link", "motion": {"profile": "quintic", "by": 0.5, "duration": 0.8}}
LAW = {**SLOW, "control": {"type": "pd", "kp": 3.0, "kv": 0.3}}
ARMS = {
    "hub": {},
    "no hub": {"joint": NO_HUB},
    "20 g": {"payload": {"mass": 0.02}},
    "paper": {"variant": "paper"},
    "fine grid": {"resolution": 60},
    "tapered, body, motion": {"link": TAPER, "drive": SLOW, "payload": BODY},
    "heavy payload": {"payload": {"mass": 2.0, "inertia": 1e-3, "offset": 0.05}, "end": 3.0},
    "damped": {"damping": {"time": 5e-4}},
    "strongly damped": {"damping": {"time": 5e-3}},
    "damped, gravity, motion": {
        "damping": {"time": 5e-4},
        "gravity": DOWN,
        "drive": SLOW,
        "start": "equilibrium",
        "joint": {"position": -0.5},
    },
    "joint damper": {"joint": SPRING},
    "joint damper, motion": {"joint": SPRING, "drive": SLOW},
    "law": {"drive": LAW},
    "law, gravity": {"drive": LAW, "gravity": DOWN},
    "law, no hub": {"drive": LAW, "joint": NO_HUB, "resolution": 10, "end": 0.4},
    "fast motion": {
        "drive": {"joint": "link", "motion": {"profile": "cycloid", "by": 0.3, "duration": 0.15}},
        "end": 0.6,
    },
    "friction": {"joint": {"friction": 0.02}},
    "short pulse": {
        "drive": {"joint": "link", "torque": {"profile": "versine", "amplitude": 0.5, "duration": 0.03}},
        "end": 0.5,
    },
}


def peaks(run) -> np.ndarray:
    """Largest tip travel, tip deflection, joint torque and strain of the records."""
    data = run.data
    return np.array([np.abs(v).max() for v in (
        data["travel"].values, data["deflection"].values[:, 0, -1], data["joint_torque"].values, data["strain"].values,
    )])  # fmt: skip


def of(name: str, **changes):
    options = {"end": 1.2, "output": {"gauges": [{"link": "link", "at": 0.2}]}, **ARMS[name], **changes}
    return fa.simulate(make(**options))


@pytest.mark.parametrize("name", ARMS)
def test_halving_the_step_changes_the_peaks_by_less_than_the_accuracy(name):
    auto = of(name)
    scheme = auto.notes[0].split(":")[0].removeprefix("scheme ")
    half = of(name, scheme=scheme, step=auto.data.attrs["step"] / 2)
    assert half.data.attrs["steps"] > 1.5 * auto.data.attrs["steps"]
    assert np.abs(peaks(auto) / peaks(half) - 1).max() < 1e-3


@pytest.mark.parametrize("scheme", ["leapfrog", "newmark", "exact"])
def test_wanted_accuracy_sets_the_step(scheme):
    steps = [bare_model(make(scheme=scheme, accuracy=a), duration=2.0).choice.step for a in (1e-2, 1e-3, 1e-4)]
    assert steps[0] > steps[1] > steps[2]
    if scheme != "exact":  # which cannot do better than to see the highest mode
        assert steps[1] / steps[2] == pytest.approx(np.sqrt(10), rel=0.3)


@pytest.mark.parametrize("scheme", ["leapfrog", "newmark", "exact"])
def test_a_stiffer_arm_needs_a_smaller_step(scheme):
    stiff = {"material": {"E": 16 * 71.1e9, "density": 2710.0}}
    soft, hard = (bare_model(make(scheme=scheme, link=link), duration=2.0).choice.step for link in ({}, stiff))
    ratio = 4.0 if scheme == "exact" else 8.0  # of phase errors w^3 h^2 T, of peaks (w h)^2
    assert soft / hard == pytest.approx(ratio, rel=0.15)


def test_a_longer_run_needs_a_smaller_step_for_its_phase():
    short, long = (bare_model(make(scheme="newmark"), duration=d).choice.step for d in (1.0, 9.0))
    assert short / long == pytest.approx(3.0, rel=0.05)


def test_auto_chooses_by_the_case_and_says_why():
    found = {}
    for name, changes in {
        "short run": {"end": 0.5},
        "stiff damping": {"damping": {"time": 5e-3}, "joint": SPRING},
        "many modes, few outputs": {"joint": NO_HUB, "every": 0.1},
    }.items():
        notes = fa.simulate(make(**{"every": 0.01, **changes})).notes
        found[name] = notes[0].split(":")[0].removeprefix("scheme ")
        assert "least estimated time" in notes[0]
    assert found["stiff damping"] == "newmark"
    assert len(set(found.values())) >= 2


def test_auto_with_a_step_that_leapfrog_cannot_take():
    run = fa.simulate(make(step=1e-3))
    assert run.success and "leapfrog would need a step of at most 0.000273 s" in run.notes[0]
    assert run.data.attrs["step"] == 1e-3
    assert fa.simulate(make(step=1e-4, scheme="newmark")).notes[0] == "scheme newmark as asked"


def test_auto_step_follows_output_period_and_drives():
    assert fa.simulate(make(scheme="exact", every=1e-4, end=0.1)).data.attrs["step"] <= 1e-4
    fast = {"joint": "link", "torque": {"profile": "sine", "amplitude": 0.01, "frequency": 400.0}}
    assert fa.simulate(make(drive=fast, scheme="exact", end=0.1)).data.attrs["step"] <= 1 / 8000
    warned = fa.simulate(make(drive=fast, scheme="exact", end=0.1, step=1e-3))
    assert any("too long for the drives" in note for note in warned.notes)


def test_too_many_steps_are_refused():
    with pytest.raises(StepError, match="longer step"):
        fa.simulate(make(step=1e-9, end=10.0, scheme="newmark"))


@pytest.mark.parametrize(
    ("arm", "words"),
    [
        ({"joint": {"backlash": 0.01, "stiffness": 10.0, "rotor_inertia": 1e-3}}, "does not support backlash; use "),
        (
            {"link": {"flexible": False, "section": None, "material": None, "body": {"mass": 1.0}}},
            "does not support rigid links; use ",
        ),
        ({"link": {"points": {"side": [0.1, 0.2]}, "masses": [{"at": "side", "mass": 0.1}]}}, "link's axis"),
    ],
)
def test_what_the_method_cannot_do_is_refused_in_words(arm, words):
    with pytest.raises(CapabilityError, match=words):
        fa.simulate(make(drive=BANG, **arm))


def test_inertia_next_to_a_hub_whose_motion_is_given():
    """The lump has a slope of its own, so it is not coupled by mass to the prescribed node of either closure."""
    lump = {"masses": [{"at": 0.2, "mass": 0.02, "inertia": 2e-4}]}
    tips = [
        float(fa.simulate(make(drive=SLOW, link=lump, resolution=80, end=0.4, variant=variant)).data.travel[-1])
        for variant in ("sound", "paper")
    ]
    assert tips[0] == pytest.approx(tips[1], rel=1e-2)


def test_two_links_and_space_are_refused():
    from flexarm.arm import Arm
    from single_link import LINK

    with pytest.raises(CapabilityError, match="does not support 2 links, only 1; use "):
        fa.frequencies(Arm.model_validate({"links": [LINK, {**LINK, "name": "second"}]}), method="fd")
    spatial = {**LINK, "length": None, "joint": {"dh": {"a": 0.96}}}
    with pytest.raises(CapabilityError, match=r"does not support arms in space .*; use fem"):
        fa.frequencies(Arm.model_validate({"links": [spatial]}), method="fd")


def test_capabilities_are_those_of_one_linear_planar_link():
    table = fa.get_method("fd").capabilities.table()
    yes = {"planar", "torque driven", "motion driven", "flexible joints", "taper", "payload inertia", "payload offset",
           "payload change", "gravity", "damping", "equilibrium start", "strain", "patches", "friction", "chord readings",
           "chord control"}  # fmt: skip
    assert {name for name, text in table.items() if text == "yes"} == yes
    assert table["most links"] == "1"


@pytest.mark.parametrize("mass", [1e-3, 0.01, 0.02])
def test_the_time_of_a_scheme_counts_the_runs_that_confirm_its_step(mass):
    """Leapfrog needs many short steps to keep strain peaks, and each halving is a run; the scheme that is exact in time needs none.

    Peaks are those of leapfrog with steps that are short enough, within the accuracy.
    """
    chosen = fa.simulate(make(payload={"mass": mass}, every=1e-3))
    fine = fa.simulate(make(payload={"mass": mass}, every=1e-3, scheme="leapfrog", step=1e-5))
    assert chosen.notes[0].startswith("scheme exact") and chosen.data.attrs["steps"] <= 5000
    for name in ("tip_position", "joint_position", "deflection"):
        far, near = (np.abs(run.data[name].values).max() for run in (chosen, fine))
        assert far == pytest.approx(near, rel=1e-3)


def test_the_longest_step_is_found_to_rounding():
    """Errors (h / h0)^2: the longest step with an error of at most e is h0 sqrt(e); outside the range its ends."""
    from flexarm.methods.fd.choose import _longest

    error = lambda h: (h / 0.3) ** 2  # noqa: E731
    assert _longest(1e-9, 1.0, error, 1e-4) == pytest.approx(3e-3, rel=1e-12)
    assert _longest(1e-2, 1.0, error, 1e-4) == 1e-2
    assert _longest(1e-9, 1.0, error, 100.0) == pytest.approx(1.0, rel=1e-12)
