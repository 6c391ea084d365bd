"""The figure of a path: what is wanted, what was done, enlarged by a factor that is told."""

from __future__ import annotations

import re
from types import SimpleNamespace

import numpy as np
import pytest

from flexarm.result import LABELS
from flexarm.view import figure
from flexarm.view.joints import QUANTITIES
from flexarm.view.path import enlargement


def test_the_tip_is_drawn_with_its_error_enlarged(planar):
    plane, over_time = figure(planar, "path").axes
    wanted, tip = (np.column_stack([line.get_xdata(), line.get_ydata()]) for line in plane.lines)
    error = planar.data["path_error"].values[:, :2]
    told = re.search(r"error (\d+) times", plane.lines[1].get_label())
    factor = float(told.group(1)) if told else 1.0
    assert wanted == pytest.approx(planar.data["path_position"].values[:, :2])
    assert tip == pytest.approx(wanted + factor * error)
    assert len(over_time.lines) == 3  # x, y and the distance


def test_the_factor_is_round_and_lets_the_error_be_seen():
    around = np.column_stack([np.cos(np.linspace(0, 6.28, 99)), np.sin(np.linspace(0, 6.28, 99))])
    for size, factor in ((9e-4, 100.0), (3e-3, 20.0), (0.2, 1.0), (0.0, 1.0)):
        assert enlargement(around, np.full((99, 2), size / np.sqrt(2.0))) == factor


def test_the_view_of_joints_reads_only_what_results_hold():
    assert {name for quantity in QUANTITIES for name in quantity[:3] if name} <= set(LABELS)


def test_a_result_without_a_path_says_so(single):
    from flexarm.errors import OutputError

    with pytest.raises(OutputError, match="it exists when the drive follows a path"):
        figure(SimpleNamespace(data=single.data, scenario=None), "path")
