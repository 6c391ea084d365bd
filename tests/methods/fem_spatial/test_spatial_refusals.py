"""What the spatial model cannot do is said in words, with the field."""

from __future__ import annotations

import pytest
from spatial_arms import beam, scenario

import flexarm as fa
from flexarm.errors import FlexarmError
from flexarm.simulation.build import prepare

MOVE = [{"joint": "rod", "motion": {"profile": "cycloid", "by": 0.1, "duration": 0.1}}]
SLIDE = {"type": "prismatic", "position": 0.4}


@pytest.mark.parametrize(
    ("link", "drives", "more", "words"),
    [
        (beam("rod", {"a": 0.5}), MOVE, {"method": {"order": 2}}, "order 1"),
        (beam("rod", {"a": 0.5}), MOVE, {"method": {"integration": "exact"}}, "reduced integration"),
        (beam("rod", {"a": 0.5}), MOVE, {"method": {"beams": "euler-bernoulli"}}, "beams that shear"),
        (beam("rod", {"a": 0.5}), MOVE, {"method": {"theory": "link"}}, "planar arms"),
        (beam("rod", {"a": 0.5}), MOVE, {"method": {"resolution": [2, 3]}}, "one per link"),
        (beam("rod", {"a": 0.5}), [], {"method": {"theory": "quasi-static"}}, "follow a motion"),
        (beam("rod", None, length=0.8, joint=SLIDE), [], {"method": {"theory": "linear"}}, "does not follow"),
        (beam("rod", None, length=0.8, joint={**SLIDE, "hub_inertia": 1.0}), MOVE, {}, "no rotary inertia"),
        (beam("rod", None, length=0.8, joint=SLIDE, masses=[{"at": 0.5, "mass": 1.0}]), MOVE, {}, "at its tip only"),
        ({**beam("rod", None, length=0.8, joint=SLIDE), "flexible": False}, MOVE, {}, "nothing to bend"),
    ],
)  # fmt: skip
def test_refused(link, drives, more, words):
    with pytest.raises(FlexarmError, match=words):
        fa.simulate(scenario([link], drives, **more))


def test_resolution_is_counted_per_link():
    for count in (2, 5):
        hold = [{"joint": "rod", "motion": {"profile": "cycloid", "by": 0.1, "duration": 0.1}}]
        plan = scenario([beam("rod", {"d": 0.2, "a": 0.3})], hold, method={"resolution": count})
        assert prepare(plan).model.size == 6 * count
