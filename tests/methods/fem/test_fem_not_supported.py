"""What `fem` cannot do it refuses before the run, in words."""

from __future__ import annotations

import numpy as np
import pytest
from fem_arms import DOWN, HOLD, beam, case1, moved, scenario

import flexarm as fa
from flexarm.errors import FlexarmError
from flexarm.methods import get_method

BARE = {"name": "fore", "flexible": False, "body": {"mass": 1.0}}
SPATIAL = beam("upper", joint={"dh": {"a": 1.0, "alpha": 1.57}}, length=None)


@pytest.mark.parametrize(("links", "drives", "options", "words"), [
    ([SPATIAL], [], {"theory": "link"}, "planar"),
    ([beam("upper"), BARE], [], {}, "length for the link at whose tip"),
    ([beam("upper"), beam("fore", parent="upper", at=0.5)], [], {"theory": "linear"}, "for serial arms"),
    ([beam("upper", joint={"stiffness": 10.0, "backlash": 0.01})], [], {}, "backlash"),
    ([beam("upper")], [], {"resolution": [2, 2]}, "resolution needs one number"),
    ([beam("upper")], [], {"theory": "quasi-static"}, "joints that follow a motion"),
])  # fmt: skip
def test_refused_in_words(links, drives, options, words):
    with pytest.raises(FlexarmError, match=words):
        fa.simulate(scenario(links, drives, **options))


@pytest.mark.parametrize(("option", "value"), [
    ("resolution", 0), ("order", 4), ("integration", "full"), ("theory", "euler"), ("integrator", "rk4"),
    ("spectral_radius", 1.5), ("tolerance", 0.0), ("iterations", 0), ("elements", 4),
])  # fmt: skip
def test_options_are_checked(option, value):
    with pytest.raises(FlexarmError, match=option):
        get_method("fem").options_from({option: value})
    with pytest.raises(ValueError, match=option):
        case1(**{option: value})


def test_an_arm_that_cannot_carry_its_weight_is_refused_or_found_hanging():
    """Standing upright and far beyond its buckling load there is no equilibrium near the pose, or one far from it."""
    soft = beam(
        "upper",
        joint={"position": np.pi / 2},
        section={"area": 1e-4, "inertia": 1e-12},
        material={"E": 1e9, "density": 9000.0},
    )
    one = scenario([soft], moved("upper", HOLD), arm={"gravity": DOWN, "payload": {"mass": 50.0}}, start="equilibrium")
    try:
        run = fa.simulate(one)
    except FlexarmError as error:
        assert "equilibrium" in str(error)
    else:
        assert np.all(np.isfinite(run.data["tip_position"].values))


def test_capabilities_say_what_the_checks_do():
    table = get_method("fem").capabilities.table()
    assert (
        table["planar"] == "yes" and table["spatial"] == "yes" and table["loops"] == "yes" and table["patches"] == "yes"
    )
    assert table["shear"] == "yes" and table["large rotation"] == "yes" and table["taper"] == "yes"
    assert "fem" in fa.method_names()


TORQUE = {"profile": "constant", "amplitude": 1.0}


@pytest.mark.parametrize(("links", "drives", "words"), [
    ([beam("upper")], moved("upper", HOLD, servo={}), "servo"),
    ([beam("upper")], moved("upper", HOLD, servo={"kp": -1.0, "kv": 1.0}), "kp"),
    ([beam("upper")], moved("upper", HOLD, servo={"kp": 1.0, "kv": -1.0}), "kv"),
    ([beam("upper")], [moved("upper", HOLD), {"joint": "upper", "torque": TORQUE}], "upper"),
    ([beam("upper", joint={"type": "prismatic"})], moved("upper", HOLD), "prismatic|sliding"),
])  # fmt: skip
def test_bad_drives_and_joints_are_refused(links, drives, words):
    with pytest.raises((FlexarmError, ValueError), match=words):
        fa.simulate(scenario(links, drives))
