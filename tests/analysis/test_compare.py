"""Comparison of methods and convergence studies: they find the orders, errors and refusals that are known."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from matplotlib import pyplot as plt

import flexarm as fa
from flexarm.analysis.answers import COURSE, Answers, differences
from flexarm.errors import FlexarmError, OutputError
from flexarm.view.cost import cost

LINK = {
    "name": "link", "length": 0.8, "section": {"shape": "rectangle", "width": 0.03, "height": 0.01},
    "material": {"E": 7e10, "density": 2700.0, "nu": 0.3}, "joint": {"hub_inertia": 1e-3},
}  # fmt: skip
MOVE = {"joint": "link", "motion": {"profile": "quintic", "by": 0.6, "duration": 0.25}}


def one(**more) -> fa.Scenario:
    parts = {
        "name": "one", "arm": {"links": [LINK], "damping": {"time": 1e-4}}, "drive": [MOVE], "time": {"end": 0.35},
        "method": {"name": "fd"}, **more,
    }  # fmt: skip
    return fa.loads(json.dumps(parts))


@pytest.fixture(scope="module")
def both() -> fa.Comparison:
    return fa.compare(one(), ["fd", "fem"], target=5e-3)


def test_methods_agree_and_their_own_estimates_hold(both):
    exact = fa.simulate(
        one(
            method={"name": "fem", "resolution": 6, "order": 3},
            time={"end": 0.35, "step": 1e-4},
            output={"every": 3.5e-4},
        )
    )
    peak = float(np.linalg.norm(exact.data["tip_deflection"].values, axis=1).max())
    for name, item in both.refinements.items():
        assert item.reached and item.finest.change < 5e-3
        assert item.finest.answers.numbers["tip_deflection_peak"] == pytest.approx(peak, rel=7e-3)
        assert abs(both.difference(name, "tip_deflection_peak")) < 5e-3
        assert all(b.resolution == 2 * a.resolution for a, b in zip(item.levels, item.levels[1:], strict=False))
        assert both.cost(name) > 0
    assert both.hz["fd"][0] == pytest.approx(both.hz["fem"][0], rel=5e-3)
    assert both.recommended in both.refinements and both.recommended in both.reason
    assert json.loads(json.dumps(both.to_dict()))["methods"]["fd"]["reached"]


def test_a_method_that_converges_elsewhere_is_named_with_the_reason(both):
    assert both.remarks == []
    apart = replace(both, median={key: 0.9 * value for key, value in both.median.items()})
    (remark,) = apart.remarks
    assert remark.startswith("fd has converged, but 11 % from the median") and "linear" in remark
    alone = replace(apart, refinements={"fem": both.refinements["fem"]})
    assert "assumptions" in alone.remarks[0] and alone.to_dict()["remarks"] == alone.remarks


def test_a_method_that_cannot_is_listed_with_the_reason():
    second = {**LINK, "name": "second"}
    arm = {"links": [LINK, second]}
    found = fa.compare(one(arm=arm, method={"name": "fem"}, drive=[MOVE]), ["fd", "fem"], target=0.05)
    assert list(found.refinements) == ["fem"] and "does not support 2 links" in found.refused["fd"]
    with pytest.raises(FlexarmError, match="no method can"):
        fa.compare(one(arm=arm, method={"name": "fem"}), ["fd"])


def test_targets_and_names_are_checked():
    with pytest.raises(FlexarmError, match="between"):
        fa.compare(one(), target=2.0)
    with pytest.raises(FlexarmError):
        fa.compare(one(), ["fdd"])
    with pytest.raises(FlexarmError, match="at least 3"):
        fa.convergence(one(), levels=2)


def test_figure_of_cost(both):
    figure = cost(both)
    lines = [line.get_label() for line in figure.axes[0].get_lines()]
    assert [label for label in lines if label in ("fd", "fem")] == ["fd", "fem"]
    plt.close(figure)


def test_the_figure_of_cost_shows_the_numbers_of_the_table(both, capsys):
    """The row of a method and the ring in the figure tell the same level: resolution, change by refining it, and seconds."""
    from flexarm.commands.compare import _show

    _show(both, [])
    rows = {
        line.split()[0]: line.split()
        for line in capsys.readouterr().out.partition("Cost")[2].splitlines()
        if line.strip()
    }
    axes = cost(both).axes[0]
    rings = [line for line in axes.get_lines() if line.get_markersize() == 8 and len(line.get_xdata())]
    assert len(rings) == 2
    for name, ring in zip(both.refinements, rings, strict=True):
        _, resolution, _, change, seconds = rows[name]
        assert float(seconds) == pytest.approx(ring.get_xdata()[0], rel=5e-3)
        assert float(change) == pytest.approx(ring.get_ydata()[0], rel=5e-3)
        near = [text for text in axes.texts if text.xy == (ring.get_xdata()[0], ring.get_ydata()[0])]
        assert [text.get_text() for text in near] == [resolution]
        level, error = both.told(name)
        assert error < both.target and level.seconds == both.cost(name)


def test_a_method_with_one_level_is_left_out_of_the_figure(both):
    first, *others = both.refinements
    once = replace(both.refinements[first], levels=both.refinements[first].levels[:1])
    some = replace(both, refinements={**both.refinements, first: once})
    drawn = [line.get_label() for line in cost(some).axes[0].get_lines()]
    assert set(some.refined) == set(others) and [label for label in drawn if label in both.refinements] == others
    assert some.told(first) is None and np.isnan(some.cost(first))
    with pytest.raises(OutputError, match="nothing to draw"):
        cost(replace(both, refinements={first: once}))


def test_orders_and_setting_of_a_convergence_study():
    """Linear elements and generalised-alpha are of second order; the setting that it names keeps its promise."""
    scenario = one(method={"name": "fem", "resolution": 4}, output={"every": 3.5e-3})
    found = fa.convergence(scenario.with_({"time.step": 1e-3}), levels=4, accuracy=4e-3)
    assert found.mesh.order[COURSE] == pytest.approx(2.0, abs=0.2)
    assert found.step.order[COURSE] == pytest.approx(2.0, abs=0.2)
    exact = fa.simulate(
        one(
            method={"name": "fem", "resolution": 6, "order": 3},
            time={"end": 0.35, "step": 1e-4},
            output={"every": 3.5e-3},
        )
    )
    chosen = scenario.with_({"method.resolution": found.wanted_resolution, "time.step": found.wanted_step})
    peaks = [
        float(np.linalg.norm(run.data["tip_deflection"].values, axis=1).max()) for run in (fa.simulate(chosen), exact)
    ]
    assert peaks[0] == pytest.approx(peaks[1], rel=4e-3)
    coarse = scenario.with_({"method.resolution": max(1, found.wanted_resolution // 3), "time.step": found.wanted_step})
    assert abs(np.linalg.norm(fa.simulate(coarse).data["tip_deflection"].values, axis=1).max() / peaks[1] - 1) > 4e-3
    assert found.to_dict()["mesh"]["values"] == [4, 8, 16, 32]


def test_differences_are_shares_of_the_other():
    t = np.linspace(0, 1, 5)
    a = Answers({"x": 2.0}, t, np.outer(t, [1.0, 0.0, 0.0]))
    b = Answers({"x": 1.0}, t[::2], np.outer(t[::2], [2.0, 0.0, 0.0]))
    assert differences(a, b) == {"x": 1.0, COURSE: 0.5}
