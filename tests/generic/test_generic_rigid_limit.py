"""A very stiff arm moves as a rigid one: same torque for a motion, same motion for a torque."""

from __future__ import annotations

import numpy as np
import pytest
from generic_arms import METHODS, one_link

import flexarm as fa

STIFF = 2e4
"""Factor on Young's modulus; deflections are as many times smaller."""


def stiff(method: str, drive: str, **changes) -> fa.Result:
    changes = {"arm__links__link__material__E": f"{STIFF * 70e9} Pa", "arm__damping": {"ratio": 0.2}, **changes}
    return fa.simulate(one_link(method, drive, **changes))


@pytest.mark.parametrize("method", METHODS)
def test_torque_of_a_motion_is_that_of_the_rigid_arm(method):
    data = stiff(method, "motion", arm__gravity=[0.0, -9.81, 0.0], time__start="equilibrium").data
    found, rigid = data["joint_torque"].values[:, 0], data["rigid_torque"].values[:, 0]
    assert np.abs(rigid).max() > 1.0
    assert np.abs(found - rigid).max() < 5e-3 * np.abs(rigid).max()
    assert np.abs(data["tip_deflection"]).max() < 5e-4


@pytest.mark.parametrize("method", METHODS)
def test_motion_under_a_torque_is_that_of_the_rigid_arm(method):
    """The closed form of an inertia under a sine of torque; sections turn too, which some methods leave out."""
    data = stiff(method, "torque").data
    link = one_link(method).arm.links[0]
    mass = 0.8 * float(link.properties([0.0])["rhoA"][0])
    inertia = mass * 0.8**2 / 3 + 2e-3 + 0.1 * 0.8**2 + 1e-4
    w, t = 2 * np.pi * 3.0, data["time"].values
    rigid = 0.1 / (inertia * w) * (t - np.sin(w * t) / w)
    assert np.abs(data["joint_position"].values[:, 0] - rigid).max() < 5e-3 * np.abs(rigid).max()
