"""Figures and tables of Tokhi and Azad show what they should."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.collections import PolyCollection

from flexarm.papers import draw_figures, get_paper
from flexarm.papers.tokhi_azad.timing import HERE, march_seconds

pytestmark = pytest.mark.document

NAMES = [drawing.name for drawing in get_paper("tokhi-azad").figures()]


@pytest.fixture(scope="module")
def pictures(paper):
    return {drawing.name: drawing.draw() for drawing in paper.figures()}


def all_axes(figure):
    return [inner for axes in figure.axes for inner in (axes, *axes.child_axes)]


def test_figures_3_to_11_are_offered():
    assert [f"figure-{k:02d}" for k in range(3, 12)] == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_no_axes_are_empty(pictures, name):
    figure = pictures[name]
    assert figure.get_suptitle().startswith(f"Figure {int(name[-2:])}:")
    for axes in all_axes(figure):
        lines = [line for line in axes.lines if np.isfinite(line.get_ydata()).sum() > 1]
        assert lines or axes.collections
        for line in lines:
            low, high = axes.get_xlim()
            x = np.asarray(line.get_xdata(), dtype=float)
            assert np.any((x >= low) & (x <= high))
    for axes in figure.axes:
        # surfaces write the names of their three axes as texts beside the box
        assert axes.get_ylabel() or len(axes.texts) > 3
    assert figure.axes[-1].get_xlabel() or len(figure.axes[-1].texts) > 3


@pytest.mark.parametrize("drawing", get_paper("tokhi-azad").figures(), ids=NAMES)
def test_captions_are_sentences(drawing):
    assert (drawing.caption.endswith(".") and len(drawing.caption) > 40) or drawing.name == "figure-03"


def test_torque_is_a_bang_bang(pictures):
    (line,) = pictures["figure-03"].axes[0].lines
    time, torque = line.get_data()
    assert torque[(time > 0) & (time < 0.3)] == pytest.approx(0.1)
    assert torque[(time > 0.301) & (time < 0.6)] == pytest.approx(-0.1)
    assert torque[time > 0.602] == pytest.approx(0.0)


def test_processing_times_are_on_a_logarithmic_axis(pictures):
    (axes,) = pictures["figure-04"].axes
    assert axes.get_yscale() == "log"
    labels = axes.get_legend_handles_labels()[1]
    assert len(labels) == 8 and "real time" in labels and set(HERE) <= set(labels)


def test_tip_angles_end_where_the_rigid_arm_ends(pictures):
    for name, angles in {"figure-05": (10.484, 10.360), "figure-09": (8.742, 7.561)}.items():
        for axes, angle in zip(pictures[name].axes, angles, strict=True):
            flexible, exact, rigid = axes.lines
            assert rigid.get_ydata()[-1] == pytest.approx(angle, abs=2e-3)
            for line in (flexible, exact):
                time, tip = line.get_data()
                assert np.mean(tip[time > 0.6]) == pytest.approx(angle, abs=0.03)


def test_separated_modes_have_the_amplitudes_of_the_grid(pictures):
    for axes, amplitude in zip(pictures["figure-08"].axes, (4.950, 1.055), strict=True):
        time, part = axes.lines[0].get_data()
        quiet = (time > 0.75) & (time < 1.15)
        assert np.ptp(part[quiet]) / 2 == pytest.approx(amplitude, rel=0.03)


def test_flexible_motion_is_the_vibration_about_the_mean(pictures, paper):
    time, part = pictures["figure-07"].axes[0].lines[0].get_data()
    assert np.ptp(part[time > 0.7]) == pytest.approx(11.5, rel=0.06)
    second = pictures["figure-07"].axes[1].lines[0].get_ydata()
    assert np.ptp(second) < 0.3 * np.ptp(part)


def test_surfaces_show_all_grid_points(pictures, paper):
    for name in ("figure-06", "figure-10", "figure-11"):
        (axes,) = pictures[name].axes
        (surface,) = (part for part in axes.collections if isinstance(part, PolyCollection))
        assert len(surface.get_facecolor()) > 19 * 100


def test_figures_reach_files(paper, tmp_path):
    written = draw_figures(paper, tmp_path, formats="png", names=["figure-03"])
    assert [path.name for path in written] == ["figure-03.png", "captions.md"]


def test_processing_tables(report):
    tables = {table.name: table for table in report.tables}
    rows = np.array(tables["table-2"].rows, dtype=float)
    assert rows.shape == (10, 8) and np.all(rows > 0.0)
    assert rows[-1] == pytest.approx(rows[:-1].mean(axis=0))
    ratios = {name: (stated, computed) for name, stated, computed in tables["table-3"].rows}
    assert ratios["i860"][1] == 1.0
    assert ratios["T805"] == (8.845, pytest.approx(8.845, abs=0.005))
    assert list(tables["table-3"].records()[0]) == ["Processor", "Published", "Computed"]


def test_measured_time_is_that_of_the_steps(paper):
    assert march_seconds(paper.runs, 0.8, 0.24e-3, repeats=1) > 0.0


def test_frequency_and_tip_tables(report):
    tables = {table.name: table for table in report.tables}
    hub = {row[0]: row for row in tables["frequencies"].rows}["hub"]
    assert hub[1:] == pytest.approx((11.80151, 32.15407, 58.29329, 11.74119, 31.86205, 11.75622, 32.89930), abs=1e-5)
    tip = {row[:2]: row[2:] for row in tables["tip"].rows}
    assert tip["hub", "exact"] == pytest.approx((84.6484, 178.0812, 168.7713, 178.2691), abs=1e-3)
    assert len(tip) == 20
    assert len(tables["errata"].rows) > 30
