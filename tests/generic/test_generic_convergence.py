"""Halving the step divides the error of a smooth motion by four or more; a finer mesh brings all closer to a limit."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from generic_arms import METHODS, one_link

import flexarm as fa

STEPS = (2e-3, 1e-3, 5e-4)


def deflection(method: str, step: float, **changes) -> np.ndarray:
    """Deflection of the tip across the link every 10 ms."""
    plan = one_link(method, "motion", time__step=step, output__every=0.01, **changes)
    return fa.simulate(plan).data["tip_deflection"].values[:, :2]


@pytest.mark.parametrize("method", METHODS)
def test_the_step_converges_with_second_order(method):
    runs = [deflection(method, step, method__resolution=4 if method != "fd" else 10) for step in STEPS]
    coarse, fine = (np.abs(a - b).max() for a, b in itertools.pairwise(runs))
    assert fine < 0.02 * np.abs(runs[-1]).max()
    assert fine < 1e-9 or coarse / fine > 3.2


@pytest.mark.parametrize("method", METHODS)
def test_the_mesh_converges_with_second_order(method):
    start = {"fd": 8, "segments": 4, "modes": 3}.get(method, 2)
    runs = [deflection(method, 1e-3, method__resolution=start * 2**k) for k in range(4)]
    first, middle, last = (np.abs(a - b).max() for a, b in itertools.pairwise(runs))
    assert last < 0.02 * np.abs(runs[-1]).max()
    assert last < 1e-4 * np.abs(runs[-1]).max() or max(first / middle, middle / last) > 3.0
