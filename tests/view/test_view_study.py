"""Figures of studies show what the table holds."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm as fa
from flexarm.errors import FlexarmError
from flexarm.view.study import FIGURES, available, study_figure

DRAWN = {
    "arm.payload.mass": {"distribution": "uniform", "low": "1 g", "high": "50 g"},
    "drive.link.torque.amplitude": {"distribution": "normal", "sd": "0.005 N*m"},
}


@pytest.fixture(scope="module")
def drawn() -> fa.StudyResult:
    keep, more = {"travel": "max(travel)"}, {"signals": {"way": "travel"}, "instants": 13, "limits": ["travel < 0.2 m"]}
    return fa.study("tokhi-azad", DRAWN, keep, design={"runs": 128}, step="1 ms", workers=1, **more)


@pytest.fixture(scope="module")
def listed() -> fa.StudyResult:
    vary = {"arm.payload.mass": ["1 g", "20 g", "40 g"], "method.resolution": [10, 15]}
    return fa.study("tokhi-azad", vary, {"first": "frequency(1)"}, workers=1)


def test_what_a_study_has_data_for(drawn: fa.StudyResult, listed: fa.StudyResult) -> None:
    assert available(drawn) == ["bands", "histogram", "tornado", "scatter", "contour", "convergence"]
    assert available(listed) == ["heat", "tornado", "scatter"]
    with pytest.raises(FlexarmError, match="no data for the figure 'heat'"):
        study_figure(drawn, "heat")
    with pytest.raises(FlexarmError, match="did you mean 'bands'"):
        drawn.plot("band")


@pytest.mark.parametrize("name", [name for name in FIGURES if name != "heat"])
def test_figures_of_draws(drawn: fa.StudyResult, name: str) -> None:
    figure = drawn.plot(name)
    figure.canvas.draw()
    assert figure.axes[0].get_ylabel() or name == "tornado"
    assert figure.get_suptitle().startswith("Single flexible link")


def test_bands_hold_their_share(drawn: fa.StudyResult) -> None:
    axes = drawn.plot("bands").axes[0]
    assert axes.get_ylabel() == "Way (mm)" and axes.get_xlabel() == "Time (s)"
    median = next(line for line in axes.lines if line.get_label() == "median")
    assert np.allclose(median.get_ydata(), 1e3 * np.median(drawn.data["way"].values, axis=0))


def test_heat_map_has_the_means(listed: fa.StudyResult) -> None:
    axes = listed.plot("heat").axes[0]
    grid = listed.grid()["first"].transpose("method.resolution", "arm.payload.mass").values
    assert np.allclose(np.asarray(axes.images[0].get_array()), grid)
    assert axes.get_xlabel() == "payload.mass (g)"
