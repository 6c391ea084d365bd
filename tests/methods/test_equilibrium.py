"""Continuation in load on a mechanism with several equilibria: a rigid rod on a torsion spring under a weight."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import brentq

from flexarm.errors import CapabilityError
from flexarm.methods.base import State
from flexarm.methods.equilibrium import find_equilibrium, limited


def rod(weight: float):
    """Corrections of the angle a of a rod that starts nearly upright: k a = W sin(a + 0.1), k = 1."""

    def correct(state: State, share: float) -> float | None:
        a = state.x[0]
        residual, slope = a - share * weight * np.sin(a + 0.1), 1.0 - share * weight * np.cos(a + 0.1)
        if abs(slope) < 1e-12:
            return None
        step, size = limited(np.array([-residual / slope]), 1.0)
        state.x += step
        return size

    return correct


def near_and_stable(weight: float):
    """Not turned by more than a quarter of a radian at once, and at a minimum of the energy."""

    def sound(before: State, after: State, share: float) -> bool:
        a = after.x[0]
        return bool(abs(a - before.x[0]) < 0.25 and share * weight * np.cos(a + 0.1) < 1.0)

    return sound


@pytest.mark.parametrize("weight", [0.5, 3.0, 20.0])
def test_the_equilibrium_that_belongs_to_the_unloaded_shape_is_found(weight):
    start = State(np.zeros(1), np.zeros((1, 1)))
    found = find_equilibrium(start, rod(weight), sound=near_and_stable(weight))
    exact = brentq(lambda a: a - weight * np.sin(a + 0.1), 1e-9, np.pi - 0.1)
    assert abs(found.x[0] - exact) < 1e-10 and start.x[0] == 0.0


def test_what_has_no_equilibrium_is_told():
    with pytest.raises(CapabilityError, match="too soft for these loads"):
        find_equilibrium(State(np.zeros(1), np.zeros((1, 1))), lambda state, share: None, pushed=True)
    with pytest.raises(CapabilityError, match=r"arm\.gravity"):
        find_equilibrium(State(np.zeros(1), np.zeros((1, 1))), lambda state, share: 1.0)
