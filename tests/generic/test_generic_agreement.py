"""Methods agree: on one link all of them, on bundled arms those that can."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from generic_arms import DRIVES, METHODS, one_link

import flexarm as fa

SIGNALS = ("tip_deflection", "tip_position", "joint_torque")


@cache
def reference(drive: str) -> fa.Result:
    """Fine finite differences, exact in space to a few parts in ten thousand."""
    return fa.simulate(one_link("fd", drive, method__resolution=160, arm__damping={"time": 1e-4}))


@pytest.mark.parametrize("drive", DRIVES)
@pytest.mark.parametrize("method", METHODS)
def test_every_method_gives_the_same_run(method, drive):
    """The motion is small enough for the linear method; what the others add is of second order in the angle."""
    found = fa.simulate(one_link(method, drive, arm__damping={"time": 1e-4})).data
    wanted = reference(drive).data
    for name in SIGNALS:
        scale = np.abs(wanted[name]).max()
        off = np.abs(found[name].values[..., :2] - wanted[name].values[..., :2]).max()
        assert off < 0.02 * scale, f"{name}: {off / scale:.3%}"


@pytest.mark.parametrize("method", METHODS)
def test_every_method_gives_the_same_frequencies(method):
    for joints in ("locked", "free"):
        found = fa.frequencies(one_link(method), n=3, joints=joints).hz
        wanted = fa.frequencies(one_link("fd", method__resolution=320), n=3, joints=joints).hz
        assert np.all(np.abs(found[:3] / wanted[:3] - 1.0) < [2e-3, 5e-3, 2e-2])


@pytest.mark.parametrize(("name", "least"), [("tokhi-azad", 5), ("li-zhang-three-link", 4)])
def test_bundled_arms_come_out_alike(name, least):
    found = fa.compare(fa.load(name).with_({"time.end": 0.2}), target=1e-2)
    assert len(found.refinements) == least
    for method in found.refinements:
        assert abs(found.difference(method, "tip_deflection_peak")) < 1e-2
