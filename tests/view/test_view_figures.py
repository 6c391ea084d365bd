"""Every figure of every arm: labelled with units, lines named, nothing empty or cut off."""

import re
from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pytest
import xarray as xr

from flexarm.view import FIGURES, available, figure

CASES = [(arm, name) for arm in ("single", "planar", "spatial") for name in FIGURES]
ABSENT = {
    ("planar", "surface"), ("spatial", "surface"), ("spatial", "strain"), ("spatial", "energy"), ("single", "path"),
    ("spatial", "path"), ("single", "cylinders"), ("planar", "cylinders"), ("spatial", "cylinders"),
}  # fmt: skip
SIZES = (("column", "single"), ("column", "planar"), ("column", "spatial"), ("wide", "planar"))
"""Words have least room in a column; a wide figure is drawn with the most lines."""
UNIT = re.compile(r"\(.+\)$", re.DOTALL)


def is_bar(axes) -> bool:
    return axes.get_label() == "<colorbar>"


def drawn(axes) -> list:
    """Artists that show data."""
    lines = [line for line in axes.lines if np.size(line.get_xdata()) > 0]
    return [*lines, *axes.collections, *axes.images]


def named_lines(axes) -> list:
    return axes.get_legend_handles_labels()[0]


@pytest.mark.parametrize(
    ("arm", "name", "size"),
    [(*case, size) for case in CASES if case not in ABSENT for size in ("column", "wide") if (size, case[0]) in SIZES],
)
def test_figure_is_complete(results, modes, arm, name, size):
    made = figure(results[arm], name, frequencies=modes[arm], size=size)
    panels = [axes for axes in made.axes if not is_bar(axes)]
    assert panels
    for axes in panels:
        assert drawn(axes), "an empty panel"
        if name != "modes":
            assert all(UNIT.search(label) for label in edge_labels(axes)), edge_labels(axes)
        if len(named_lines(axes)) > 1:
            assert axes.get_legend() or made.legends or any(other.get_legend() for other in panels)
    shared = [axes.get_xlabel() for axes in panels if axes.get_xlabel()]
    assert all(UNIT.search(label) for label in shared) and (shared or name == "modes" or edge_labels(panels[0]))
    for bar in (axes for axes in made.axes if is_bar(axes)):
        assert UNIT.search(bar.get_ylabel())
    if name not in ("modes",):
        assert results[arm].data.attrs["title"] in made.get_suptitle().replace("\n", " ")
    check_texts(made)


def edge_labels(axes) -> list[str]:
    """Labels of the y axis, or of the three edges of a box in space."""
    if axes.axison:
        return [axes.get_ylabel()]
    found = [text.get_text() for text in axes.texts if text.get_fontsize() == 8.0]
    assert len(found) == 3
    return found


def check_texts(made) -> None:
    """No text may leave the paper, and no label may run into another."""
    made.draw_without_rendering()
    renderer = made.canvas.get_renderer()
    wide, high = made.get_size_inches() * made.dpi
    texts = [text for axes in made.axes for text in _texts(axes)]
    texts = [text for text in [*texts, *made.texts] if text.get_text() and text.get_visible()]
    boxes = [(text.get_text(), text.get_window_extent(renderer)) for text in texts]
    for words, box in boxes:
        assert box.x0 > -1 and box.y0 > -1 and box.x1 < wide + 1 and box.y1 < high + 1, words
    straight = [pair for pair, text in zip(boxes, texts, strict=True) if text.get_rotation() % 90 == 0]
    for (words, box), (others, other) in combinations(straight, 2):
        across = min(box.x1, other.x1) - max(box.x0, other.x0)
        upright = min(box.y1, other.y1) - max(box.y0, other.y0)
        assert min(across, upright) < 2.0, f"'{words}' lies on '{others}'"


def _texts(axes) -> list:
    labels = [*([axes.xaxis.label, axes.yaxis.label] if axes.axison else []), *axes.texts]
    if axes.get_legend():
        labels += axes.get_legend().get_texts()
    return labels


@pytest.mark.parametrize("size", ["wide", "column"])
def test_many_gauges_and_a_long_title_still_fit(planar, size):
    strain = planar.data["strain"].values
    gauges = [f"gauge-{i}-of-the-upper-link" for i in range(9)]
    many = xr.Dataset(
        {"strain": (("time", "gauge"), strain * np.linspace(1.0, 2.0, 9))},
        coords={"time": planar.data["time"], "gauge": gauges},
        attrs={"title": "a title that is longer than one line of any journal " * 2, "method": "fem"},
    )
    made = figure(SimpleNamespace(data=many, scenario=None), "strain", size=size)
    check_texts(made)
    looks = {(line.get_color(), line.get_linestyle()) for line in made.axes[0].lines}
    assert len(looks) == 9, "lines that look alike"


def test_an_arm_at_rest_can_be_drawn(single):
    still = SimpleNamespace(data=xr.zeros_like(single.data), scenario=None)
    for name in available(still):
        if name not in ("arm", "surface"):  # an arm without length has no picture
            assert drawn(figure(still, name).axes[0])


def test_absent_figures_are_exactly_those_without_data(results, modes):
    for arm, result in results.items():
        missing = {(arm, name) for name in FIGURES} - {(arm, name) for name in available(result, modes[arm])}
        assert missing == {case for case in ABSENT if case[0] == arm}


def test_the_style_of_the_caller_is_left_alone(single):
    import matplotlib

    before = dict(matplotlib.rcParams)
    figure(single, "tip")
    assert dict(matplotlib.rcParams) == before


def test_widths_are_those_of_journals(single):
    assert figure(single, "tip", size="column").get_figwidth() == 3.5
    assert figure(single, "tip", size="wide").get_figwidth() == 7.16
