"""What the method cannot do is said, naming the field."""

from __future__ import annotations

import pytest
from pydantic import ValidationError
from segments_arms import beam, prescribed, scenario

import flexarm as fa

MOVE = {"profile": "cycloid", "by": 0.5, "duration": 0.2}
TURN = prescribed("a", MOVE)
WRONG_OPTIONS = {
    "at least 2 segments": {"resolution": 1},
    "feeds energy in": {"gamma": 0.4},
    "2 beta must not be below gamma": {"beta": 0.2, "gamma": 0.5},
    "beta of at least 0.4": {"beta": 0.3, "gamma": 0.8, "variant": "paper"},
    "only with variant paper": {"solution": "riccati"},
    "newmark alone": {"variant": "paper", "integrator": "generalised-alpha"},
    "is for integrator: generalised-alpha": {"spectral_radius": 0.5},
    "belong to integrator newmark": {"integrator": "generalised-alpha", "gamma": 0.6},
}


@pytest.mark.parametrize("words", WRONG_OPTIONS)
def test_options_are_refused_with_a_reason(words):
    with pytest.raises((fa.FlexarmError, ValidationError), match=words):
        scenario([beam("a")], TURN, **WRONG_OPTIONS[words])


def refused(words, links, drive=TURN, **more):
    with pytest.raises(fa.FlexarmError, match=words):
        fa.simulate(scenario(links, drive, **more))


def test_arms_that_are_no_planar_chain():
    refused("arms in space", [beam("a", joint={"dh": {"a": 0.5}}, length=None)])
    tree = [beam("a"), beam("b", parent="a", at=0.5)]
    refused("tip of the one before", tree, [TURN, prescribed("b", MOVE)])
    loop = [beam("a", joint={"position": 1.0}), beam("b"), beam("c", parent="ground")]
    refused("closed loops", loop, TURN, arm={"loops": [{"name": "l", "pin": ["b.tip", "c.tip"]}]})


def test_joints_and_drives():
    refused("backlash", [beam("a", joint={"stiffness": 10.0, "backlash": 1e-3})])
    push = {"joint": "a", "torque": {"profile": "constant", "amplitude": 1.0}}
    refused("dry friction", [beam("a", joint={"friction": 0.1})], push)
    refused(
        "continuously on the chord",
        [beam("a")],
        prescribed("a", MOVE, control={"type": "pd", "kp": 1.0, "sensor": "chord"}),
    )
    refused("variant paper knows joints that follow a motion", [beam("a")], push, variant="paper")


def test_ends_that_merge_springs():
    push = {"joint": "a", "torque": {"profile": "constant", "amplitude": 1.0}}
    refused("prescribed motion", [beam("a")], push, ends="root")
    refused("without damping", [beam("a")], arm={"damping": {"time": 1e-4}}, ends="both")
    refused("rotor", [beam("a", joint={"stiffness": 10.0, "rotor_inertia": 1e-3})], ends="both")


def test_resolution_per_link():
    refused("one number, or 1, one per link", [beam("a")], resolution=[4, 5])
