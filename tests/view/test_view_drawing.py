"""How lines get on the paper: smooth through stations, thinned without losing peaks, to scale in space, nothing on another."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from flexarm.view.arm import arm
from flexarm.view.curves import curve
from flexarm.view.deflection import MOST_COLUMNS, columns_of
from flexarm.view.layout import width
from flexarm.view.smooth import FINE, corners, curve_matrix, knots, refine
from flexarm.view.space import Space, View
from flexarm.view.stage import bounds
from flexarm.view.style import grid_of_axes, headline, new_figure, styled


def test_a_spline_passes_through_its_stations_and_is_exact_for_parabolas():
    s = np.array([0.0, 0.1, 0.25, 0.5, 0.8, 1.0])
    fine, matrix = refine(s)
    assert fine[::FINE] == pytest.approx(s) and matrix[::FINE] == pytest.approx(np.eye(6))
    assert matrix @ (1.0 - 2.0 * s + 3.0 * s**2) == pytest.approx(1.0 - 2.0 * fine + 3.0 * fine**2)


def test_a_spline_has_the_fourth_order_of_splines():
    errors = []
    for n in (11, 21):
        fine, matrix = refine(np.linspace(0.0, 1.0, n))
        inner = (fine > 0.3) & (fine < 0.7)  # the parabola at the ends is one order less
        errors.append(np.abs(matrix @ np.sin(6.0 * np.linspace(0.0, 1.0, n)) - np.sin(6.0 * fine))[inner].max())
    assert np.log2(errors[0] / errors[1]) > 3.7


def test_corners_stay_corners():
    s = np.linspace(0.0, 1.0, 9)
    bent = np.stack([np.minimum(s, 0.5), np.maximum(s - 0.5, 0.0), 0 * s], axis=1)
    assert corners(bent) == [4]
    drawn = curve_matrix(s, bent) @ bent
    assert np.minimum(np.abs(drawn[:, 0] - 0.5), np.abs(drawn[:, 1])).max() < 1e-12
    circle = np.stack([np.cos(2 * np.pi * s), np.sin(2 * np.pi * s), 0 * s], axis=1)
    assert corners(circle) == [], "45 degrees from station to station everywhere is a curve"
    assert np.hypot(*(curve_matrix(s, circle) @ circle)[:, :2].T) == pytest.approx(1.0, abs=0.03)


def test_polygons_of_straight_elements_become_curves_through_their_vertices():
    s = np.linspace(0.0, 1.0, 41)
    node = np.linspace(0.0, 1.0, 5)
    polygon = np.stack([s, np.interp(s, node, np.sin(3.0 * node)), 0 * s], axis=1)[None]
    assert list(knots(polygon)) == [0, 10, 20, 30, 40]
    drawn = (curve_matrix(s, polygon) @ polygon[0])[:, :2]
    off = np.abs(polygon[0, :, 1] - np.sin(3.0 * s)).max()
    assert np.abs(drawn[:, 1] - np.sin(3.0 * drawn[:, 0])).max() < 0.4 * off
    assert list(knots(np.stack([s, s**2], axis=1)[None])) == list(range(41))
    assert list(knots(np.stack([s, 2 * s], axis=1)[None])) == list(range(41)), "a straight line has no vertex"


@styled
def drawn_curve(time, values):
    _, [[axes]] = grid_of_axes("wide", 1)
    return curve(axes, time, values), axes


def test_long_records_are_thinned_and_keep_every_peak():
    time = np.linspace(0.0, 1.0, 200_001)
    values = np.sin(40.0 * time)
    values[123_456] = 7.0
    values[77_777] = -5.0
    line, axes = drawn_curve(time, values)
    x, y = line.get_data()
    assert len(x) < 3000
    assert {7.0, -5.0} <= set(y) and x[y.argmax()] == time[123_456]
    assert y == pytest.approx(values[np.searchsorted(time, x)])
    assert (x[0], x[-1]) == (0.0, 1.0) and not axes.collections


def test_a_comb_too_dense_to_be_seen_becomes_a_band_around_its_mean():
    time = np.linspace(0.0, 1.0, 20_001)
    comb = np.where(time < 0.5, 2.0 + np.sin(2 * np.pi * 2000.0 * time + 0.3), 2.0 + np.sin(2 * np.pi * 5.0 * time))
    line, axes = drawn_curve(time, comb)
    x, y = line.get_data()
    dense, open_ = (x > 0.05) & (x < 0.45), x > 0.55
    assert np.abs(y[dense] - 2.0).max() < 0.1, "the mean"
    assert y[open_] == pytest.approx(np.interp(x[open_], time, comb), abs=1e-9)
    (band,) = axes.collections
    (outline,) = band.get_paths()
    low, high = outline.vertices.min(axis=0), outline.vertices.max(axis=0)
    assert low[0] < 0.02 and 0.48 < high[0] < 0.53
    assert low[1] == pytest.approx(1.0, abs=0.02) and high[1] == pytest.approx(3.0, abs=0.02)


def test_an_image_keeps_the_largest_of_several_records_and_the_nearest_of_none():
    time = np.linspace(0.0, 1.0, 5001)
    array = np.zeros((5001, 3))
    array[1234] = -9.0
    found = columns_of(time, array)
    assert len(found) == MOST_COLUMNS and 1234 in found and np.all(np.diff(found) > 0)
    uneven = np.array([0.0, 0.01, 0.02, 1.0])
    assert list(columns_of(uneven, np.ones((4, 2)))) == [0, 2, 3, 3]


def test_widths_of_words_are_those_that_matplotlib_draws():
    from matplotlib.textpath import TextPath

    for words in ("Tip travel (mm)", "\N{MINUS SIGN}0.0125"):
        path = TextPath((0, 0), words, size=72).get_extents()
        assert width(words, 72.0) == pytest.approx(path.width / 72, rel=0.06)


def test_space_is_seen_without_perspective_and_to_scale():
    figure = new_figure("wide", 4.0)
    cloud = np.array([[0.0, 0.0, 0.0], [1.0, 2.0, 3.0]])
    view = View(np.radians(-60.0), np.radians(24.0))
    space = Space(figure.subplots(), bounds(cloud), view, (6.0, 3.5))
    turn = np.radians(30.0)
    assert space.flat([1.0, 0.0, 0.0]) == pytest.approx([np.cos(turn), np.sin(turn) * -np.sin(np.radians(24.0))])
    assert space.flat([0.0, 0.0, 1.0]) == pytest.approx([0.0, np.cos(np.radians(24.0))])
    basis = np.concatenate([space.flat(np.eye(3)).T, space.depth(np.eye(3))[None]])
    assert basis @ basis.T == pytest.approx(np.eye(3)), "right, up and towards the viewer are at right angles"


def test_what_would_be_seen_on_edge_is_looked_at_from_elsewhere():
    along = np.array([np.cos(np.radians(-60.0)), np.sin(np.radians(-60.0))])
    corners_of_wall = np.array([[*(x * along), z] for x in (0.0, 1.0) for z in (0.0, 1.0)])
    assert np.degrees(View.towards(corners_of_wall).azimuth) != pytest.approx(-60.0)
    across = corners_of_wall @ np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1.0]]).T
    assert np.degrees(View.towards(across).azimuth) == pytest.approx(-60.0)


@pytest.mark.parametrize("height", [0.3, 1.0, 3.0, 12.0])
def test_tall_and_flat_arms_fill_the_paper_and_no_number_lies_on_another(spatial, height):
    data = spatial.data.copy(deep=True)
    for name in ("shape", "tip_position"):
        data[name] = data[name] * [1.0, 1.0, height]
    made = arm(SimpleNamespace(data=data, scenario=None))
    made.draw_without_rendering()
    axes, renderer = made.axes[0], made.canvas.get_renderer()
    boxes = [text.get_window_extent(renderer) for text in axes.texts]
    assert len(boxes) >= 3 + 5
    for i, one in enumerate(boxes):
        for other in boxes[:i]:
            across = min(one.x1, other.x1) - max(one.x0, other.x0)
            upright = min(one.y1, other.y1) - max(one.y0, other.y0)
            assert min(across, upright) < 1.0
    lines = np.concatenate([axes.transData.transform(path.vertices) for path in axes.collections[0].get_paths()])
    share = np.ptp(lines, axis=0) / axes.get_window_extent().size
    assert share.max() > 0.8, "along one side it takes all but the room for the numbers"


def test_the_same_layout_however_often_it_is_drawn():
    figure, rows = grid_of_axes("wide", 2, 2, sharex=True)
    for row in rows:
        for axes in row:
            axes.plot([0.0, 1.0], [0.0, 12345.0])
            axes.set_ylabel("Something\n(in units)")
    headline(figure, None, "Title")
    places = []
    for _ in range(2):
        figure.draw_without_rendering()
        places.append([axes.get_position().bounds for row in rows for axes in row])
    assert places[0] == places[1]
    left, right = rows[0][0].get_position(), rows[0][1].get_position()
    assert left.width == pytest.approx(right.width) and left.y0 == pytest.approx(right.y0)
    assert rows[1][0].get_position().x0 == left.x0
