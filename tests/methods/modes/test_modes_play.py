"""A joint with play at rest: its spring carries the weight on one side of the gap."""

from __future__ import annotations

from pathlib import Path

import pytest

import flexarm as fa

ARM = fa.load(Path(__file__).parent / "play_at_rest.yaml")


def test_the_arm_rests_on_one_side_of_the_gap():
    """Half the gap, and the weight over the spring: m g l / k."""
    weight = 9.81 * (2700.0 * 0.03 * 0.02 * 0.5 + 1.0)
    run = fa.simulate(ARM.with_({"time.end": 0.05}))
    joint, tip = run.data.joint_position.values[:, 0], run.data.tip_position.values[:, 1]
    assert joint[0] == pytest.approx(-0.001 - weight / 5000.0, rel=2e-3)
    assert abs(tip - tip[0]).max() < 1e-9


def test_small_motions_feel_the_spring():
    """The engaged spring is as stiff as one without a gap; an unloaded one leaves the link to its own bending."""
    with_play, without = (
        fa.frequencies(ARM.with_({"arm.links.l.joint.backlash": gap}), joints="locked", n=1).hz[0]
        for gap in (0.002, 0.0)
    )
    assert with_play == pytest.approx(without, rel=1e-4)
    loose = fa.frequencies(ARM.with_({"arm.gravity": [0.0, 0.0, 0.0]}), joints="locked", n=1)
    assert loose.hz[0] > 40.0
