"""Gains of sampled laws over a reading."""

import numpy as np
import pytest

import flexarm as fa

SETS = [{"at": 0.1, "kp": 3, "kv": 0.6}, {"at": 0.3, "kp": 5, "kv": 0.8}, {"at": 0.4, "kp": 2, "kv": 0.5}]


def scenario(**control):
    """The link of `pd-hub` under a sampled law."""
    law = {"type": "pd", "period": "1 ms", "limit": "5 N*m", **control}
    return fa.load("pd-hub", {"drive.link.control": law, "time.end": "0.6 s", "time.step": "0.25 ms"})


@pytest.mark.parametrize("over", ["link.position", "tip.y"])
def test_gains_are_linear_between_their_sets(over):
    """The same torques as those of a controller that interpolates by itself."""

    def by_hand(time, reading):
        at = [each["at"] for each in SETS]
        kp, kv = (np.interp(reading[over], at, [each[name] for each in SETS]) for name in ("kp", "kv"))
        ((angle, rate),) = reading.reference
        return kp * (angle - reading["link.position"]) + kv * (rate - reading["link.velocity"])

    own = fa.simulate(scenario(over=over, gains=SETS)).data
    outside = scenario(kp=3, kv=0.6).with_(
        {"drive.link.control": {"type": "external", "period": "1 ms", "limit": "5 N*m"}}
    )
    other = fa.simulate(outside, controller=by_hand).data
    assert np.abs(own.tip_position - other.tip_position).max() < 1e-12
    fixed = fa.simulate(scenario(kp=3, kv=0.6)).data
    assert np.abs(own.tip_position - fixed.tip_position).max() > 1e-3


def test_stability_looks_at_the_gains_of_the_pose():
    soft = fa.stability(
        scenario(over="link.position", gains=[{"at": 0.0, "kp": 3, "kv": 0.6}, {"at": 0.2, "kp": 300, "kv": 60}])
    )
    assert not soft.stable and soft.times[soft.worst] > 0.0
    assert fa.stability(scenario(over="link.position", gains=SETS)).stable


@pytest.mark.parametrize(("control", "words"), [
    ({"over": "link.position", "gains": SETS[:1]}, "two sets at least"),
    ({"over": "link.position", "gains": SETS[::-1]}, "not beyond"),
    ({"over": "link.position", "gains": [{"kp": 1}, {"at": 1.0, "kp": 1}]}, "needs 'at'"),
    ({"over": "link.position", "gains": [{"at": 0.0, "kp": 1, "until": 1}, {"at": 1.0, "kp": 1}]}, "not both"),
    ({"over": "link.position", "gains": SETS, "period": 0}, "give a period"),
    ({"gains": SETS[:1]}, "say which one with 'over'"),
    ({"over": "link.positon", "gains": SETS}, "did you mean 'link.position'"),
])  # fmt: skip
def test_tables_that_make_no_sense_are_refused(control, words):
    with pytest.raises(fa.FlexarmError, match=words):
        fa.simulate(scenario(**control))
