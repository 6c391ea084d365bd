"""Brackets beside the axes of links, cylinders, and Bode plots."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

import flexarm as fa
from flexarm.errors import OutputError
from flexarm.view.arm import arm
from flexarm.view.bode import bode_plot
from flexarm.view.cylinders import cylinders
from flexarm.view.mechanism import mechanism
from flexarm.view.player import player_data
from flexarm.view.registry import available
from flexarm.view.scene import Scene
from flexarm.view.style import FAINT


@pytest.fixture(scope="module")
def ralf():
    return fa.simulate(fa.load("ralf").with_({"time.end": 0.1, "output.every": "10 ms", "time.step": "5 ms"}))


def test_brackets_reach_the_pins(ralf):
    shape = ralf.data["shape"].values
    found = mechanism(ralf).brackets
    links = [str(name) for name in ralf.data.link.values]
    actuating, upper = links.index("actuating"), links.index("upper")
    assert found.shape[1] == 2
    assert np.allclose(found[:, 0, 1], shape[:, actuating, 0])  # the bellcrank carries the actuating link
    assert np.allclose(found[:, 1, 0], shape[:, upper, 0]) and np.allclose(found[:, 1, 1], shape[:, actuating, -1])
    assert np.allclose(np.linalg.norm(found[:, :, 1] - found[:, :, 0], axis=-1), 0.6096, atol=1e-9)
    assert mechanism(SimpleNamespace(data=ralf.data, scenario=None)).brackets.shape[1] == 0


def test_pictures_show_them(ralf):
    drawn = arm(ralf, at=1).axes[0].lines
    assert any(np.allclose(line.get_xydata()[0], [0.0, 0.0]) and len(line.get_xydata()) == 2 for line in drawn)
    scene = Scene(ralf, 1.0)
    scene.picture(0.05)
    assert len(scene.brackets) == 2
    now = np.array(scene.brackets[1].get_data())
    assert np.linalg.norm(now[:, 1] - now[:, 0]) == pytest.approx(0.6096, abs=1e-6)


def test_bars_of_the_ground_are_drawn_once_as_ground():
    run = fa.simulate(fa.load("five-bar").with_({"time.end": 0.02, "output.every": "10 ms"}))
    drawn = mechanism(run)
    assert drawn.bars == (0,) and drawn.moving == (1, 2, 3, 4) and drawn.feet == (0, 1, 3)
    axes = arm(run, at=2).axes[0]
    base = run.data["shape"].values[0, 0, [0, -1], :2]
    straight = [line for line in axes.lines if line.get_linestyle() == "-" and len(line.get_xydata()) == 2]
    (bar,) = [line for line in straight if np.allclose(line.get_xydata(), base)]
    (hatch,) = axes.collections
    assert bar.get_color() == FAINT
    assert all(stroke[1, 1] < 0.0 for stroke in hatch.get_segments()), (
        "the ground is below a bar that goes to the right"
    )
    kinds = [line["kind"] for line in player_data(run)["lines"]]
    assert kinds == ["ground", "link", "link", "link", "link"]


def test_joints_are_named_where_no_name_lies_on_another(ralf):
    made = arm(ralf)
    made.draw_without_rendering()
    named = {text.get_text(): text.get_window_extent() for text in made.axes[0].texts}
    assert set(named) == {"lower, bellcrank", "actuating", "upper"}, "joints of one place share a line"
    boxes = list(named.values())
    assert not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])


def test_figure_of_cylinders():
    jack = {"base": ["0.6 m", "-0.2 m"], "lug": ["0.4 m", "-0.1 m"], "area": "20 cm^2"}
    short = {"time.end": 0.1, "output.every": "10 ms", "time.step": "5 ms"}
    run = fa.simulate(fa.load("ralf-lower-only").with_({**short, "drive.lower.actuator.cylinder": jack}))
    upper, lower = cylinders(run).axes
    assert np.allclose(upper.lines[0].get_ydata(), run.data.cylinder_length.values[:, 0])
    assert "(m)" in upper.get_ylabel() and "Pa" in lower.get_ylabel()
    del jack["area"]
    bare = fa.simulate(fa.load("ralf-lower-only").with_({**short, "drive.lower.actuator.cylinder": jack}))
    assert "N)" in cylinders(bare).axes[1].get_ylabel()
    assert "cylinders" in available(run) and "cylinders" not in available(fa.simulate("tokhi-azad"))


def test_bode_plot_draws_lines_and_marks():
    hz = np.geomspace(0.1, 10.0, 50)
    lag = 1.0 / (1.0 + 1j * hz)
    size, turn = 20.0 * np.log10(np.abs(lag)), np.degrees(np.angle(lag))
    line = SimpleNamespace(joint="a", hz=hz, decibels=size, degrees=turn, bandwidth=1.0)
    marks = SimpleNamespace(joint="a", hz=hz[::10], decibels=size[::10], degrees=turn[::10])
    upper, lower = bode_plot([line], marks).axes
    assert np.allclose(upper.lines[0].get_ydata(), size) and np.allclose(lower.lines[0].get_ydata(), turn)
    assert upper.get_xscale() == "log" and "measured" in upper.get_legend().get_texts()[1].get_text()
    assert np.allclose(lower.lines[1].get_xdata(), hz[::10])
    with pytest.raises(OutputError, match="no frequency response"):
        bode_plot([])
