"""Several runs over each other: the right lines, names that people use, and what tells runs apart."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

import flexarm as fa
from flexarm.errors import OutputError
from flexarm.result import LABELS
from flexarm.view.overlay import overlay, run_labels, series_of
from flexarm.view.words import SLIDING, WORDS


def scaled(result, factor, title=None):
    data = result.data * factor
    for name in data.data_vars:
        data[name].attrs = result.data[name].attrs
    data.attrs = {**result.data.attrs, **({"title": title} if title else {})}
    return SimpleNamespace(data=data, scenario=None)


def test_every_run_is_a_line_of_every_panel(planar):
    other = scaled(planar, 2.0, "Twice")
    made = overlay([planar, other], ["tip_error:y", "tip_deflection", "joint_torque:fore"])
    labels = [axes.get_ylabel().replace("\n", " ") for axes in made.axes]
    assert labels == ["Tip error along y (mm)", "Tip deflection (mm)", "Joint torque, fore (N·m)"]
    upper, middle, _ = made.axes
    assert [line.get_label() for line in upper.lines] == [planar.data.attrs["title"], "Twice"]
    one, two = (line.get_ydata() for line in upper.lines)
    assert one == pytest.approx(1e3 * planar.data["tip_error"].values[:, 1]) and two == pytest.approx(2.0 * one)
    assert middle.lines[0].get_ydata() == pytest.approx(
        1e3 * np.linalg.norm(planar.data["tip_deflection"].values, axis=1)
    )


def test_a_signal_of_joints_is_one_panel_for_each(planar):
    made = overlay([planar, scaled(planar, 2.0)], "joint_position", labels=["a", "b"])
    assert [axes.get_ylabel() for axes in made.axes] == ["Joint angle, upper (°)", "Joint angle, fore (°)"]
    assert [line.get_label() for line in made.axes[0].lines] == ["a", "b"]


def test_without_names_the_tip_and_the_motors_are_shown(single):
    made = overlay([single, scaled(single, 1.5)], labels=["light", "heavy"])
    labels = [axes.get_ylabel().replace("\n", " ").partition(" (")[0] for axes in made.axes]
    assert labels == ["Tip deflection along y", "Motor torque, link", "Strain, root", "Strain, middle"]


def test_runs_of_other_lengths_share_the_time_axis(single):
    short = SimpleNamespace(data=single.data.isel(time=slice(0, 601)), scenario=None)
    made = overlay([single, short], "travel", labels=["long", "short"])
    assert made.axes[0].get_xlim() == (0.0, 1.2)
    assert made.axes[0].lines[1].get_xdata()[-1] == pytest.approx(0.6)


def run(**changes):
    scenario = fa.load("tokhi-azad").with_(changes) if changes else fa.load("tokhi-azad")
    return SimpleNamespace(data=SimpleNamespace(attrs={"title": scenario.name}), scenario=scenario)


def test_runs_are_called_by_what_tells_them_apart():
    assert run_labels([run(), run(**{"arm.payload.mass": "20 g"})]) == ["no payload mass", "payload mass 0.02 kg"]
    assert run_labels([run(), run(method={"name": "segments"})]) == ["method fd", "method segments"]
    assert run_labels([run(name="a"), run(name="b")]) == ["a", "b"]
    title = fa.load("tokhi-azad").name
    assert run_labels([run(), run()]) == [f"1: {title}", f"2: {title}"]
    wider = run(**{"drive.link.torque.duration": "0.9 s", "time.end": "2 s"})
    assert run_labels([run(), wider])[1] == "torque duration 0.9 s, time end 2.0 s"


def test_what_cannot_be_laid_over_is_refused_in_words(single, planar):
    with pytest.raises(OutputError, match="two or more runs, and 1 was given"):
        overlay([single])
    with pytest.raises(OutputError, match=r"has no signal 'tip_eror'; did you mean 'tip_error'"):
        overlay([planar, planar], "tip_eror")
    with pytest.raises(OutputError, match="has no signal 'travel'"):
        overlay([single, planar], "travel")
    with pytest.raises(OutputError, match="'joint_torque' has no part 'wrist'; it has upper, fore"):
        overlay([planar, planar], "joint_torque:wrist")
    with pytest.raises(OutputError, match="2 runs and 1 labels"):
        overlay([planar, planar], labels=["one"])


def test_it_is_there_where_people_look_for_it(single):
    assert fa.view.overlay is overlay and "view" in dir(fa)
    assert series_of(single, "strain:middle") == pytest.approx(single.data["strain"].values[:, 1])


def test_words_are_of_signals_that_exist():
    assert set(WORDS) <= set(LABELS) and set(SLIDING) <= set(WORDS.values())
