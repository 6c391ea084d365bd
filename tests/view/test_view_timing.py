"""The figure of a run that was paced by the clock."""

from __future__ import annotations

import numpy as np
import pytest

from flexarm.simulation.realtime import Timing
from flexarm.view.timing import timing


@pytest.mark.parametrize("size", ["wide", "column"])
def test_every_period_is_counted_in_both_panels(size):
    wake = np.concatenate([np.zeros(3), np.geomspace(1e-6, 5e-3, 40)])  # a wake-up that is not late at all included
    measured = Timing(1e-3, 43, wake, np.full(43, 2e-5), wake - 9e-4)
    figure = timing(measured, "an arm", size)
    assert len(figure.axes) == 2
    for axes in figure.axes:
        assert sum(bar.get_height() for bar in axes.patches) == 43
        assert axes.get_xlim()[1] > 1e6 * measured.period, "the period is in the picture"
    assert figure.get_suptitle() == "an arm"
