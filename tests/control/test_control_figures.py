"""What the figures of control show, beside closed forms and runs: poles along a motion, residual over move time, steps; and the figures."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm as fa
from flexarm import view
from flexarm.errors import FlexarmError, OutputError

SEEN = ["upper.position", "fore.position", "tip.y"]
"""Of arms that are stretched along x: there tip.x is of second order."""


def test_poles_along_a_motion_are_those_at_its_poses():
    plan = fa.load("tian-circle")
    found = fa.poles_along(plan, points=3, n=4)
    assert found.poles.shape == (3, 4) and found.time.tolist() == [0.0, 12.5, 25.0]
    for t, poles in zip(found.time, found.poles, strict=True):
        whole = fa.state_space(plan, time=float(t), joints="held").poles
        assert all(np.abs(whole - pole).min() < 1e-9 * abs(pole) for pole in poles)
    assert (found.abscissa < 0.0).all()
    with pytest.raises(FlexarmError, match="2 to 2000 points"):
        fa.poles_along(plan, points=1)


@pytest.mark.parametrize("error", [0.0, 0.15])
def test_residual_of_a_move_with_constant_acceleration(error):
    """Bang-bang move of a mode without damping: (4/(w T/2)^2) 2 sin^2(w T/4) of the move, times |cos(pi/2 ratio)| behind zv."""
    plan = fa.load(
        "tokhi-azad",
        {"drive.link": {"joint": "link", "motion": {"profile": "bang-bang", "by": "0.2 rad", "duration": "0.5 s"}}},
    )
    plain, zv = fa.move_residual(plan, ["zv"], error=error)
    hz = fa.shaper(plan, "zv").hz[0]

    def left(T, ratio):
        w = 2.0 * np.pi * hz * ratio
        return 4.0 / (w * T) ** 2 * 4.0 * np.sin(0.25 * w * T) ** 2

    exact = np.max([left(plain.time, 1.0 + e) for e in (error, -error)], axis=0)
    assert plain.left == pytest.approx(exact, rel=1e-3, abs=1e-6)
    shaped = np.max([left(plain.time, 1.0 + e) * abs(np.cos(0.5 * np.pi * (1.0 + e))) for e in (error, -error)], axis=0)
    assert zv.left == pytest.approx(shaped, rel=1e-3, abs=1e-6)
    assert zv.time - plain.time == pytest.approx(0.5 / hz * np.ones(len(zv.time)), rel=1e-6)


def test_small_steps_are_linear_and_large_ones_are_not():
    small = fa.step_comparison("naganathan-servo", 1e-4, joints="held", joint="fore", end=0.5, outputs=SEEN)
    assert small.input == "fore.reference" and small.difference.max() < 2e-3
    large = fa.step_comparison("naganathan-servo", 0.2, joints="held", joint="fore", end=0.5, outputs=SEEN)
    assert large.difference[2] > 20.0 * small.difference[2]
    torque = fa.step_comparison("tokhi-azad", 0.01, end=0.3)
    assert torque.input == "link.torque" and torque.difference.max() < 2e-3
    for words, said in (
        ({"size": 0.0}, "not 0"),
        ({"size": 1.0, "joints": "led"}, "free, held"),
        ({"size": 1.0, "joint": "lnk"}, "link"),
    ):
        with pytest.raises(FlexarmError, match=said):
            fa.step_comparison("tokhi-azad", **words)


def test_a_step_under_gravity_begins_at_rest():
    found = fa.step_comparison("naganathan-industrial", 1.0, end=0.05, outputs=SEEN)
    assert found.difference.max() < 1e-3


def test_figures():
    loops = fa.open_loops(fa.load("pd-hub"))
    picture = view.nyquist(loops)
    assert len(picture.axes[0].lines) >= 4
    with pytest.raises(OutputError, match="no loop"):
        view.nyquist([])
    assert view.path_poles(fa.poles_along("pd-hub", points=2)).axes
    assert len(view.residual_over_time(fa.move_residual("tapered-link")).axes[0].get_legend().get_texts()) == 4
    assert len(view.step_responses(fa.step_comparison("pd-hub", 0.1, joints="held", end=0.2)).axes) == 2
