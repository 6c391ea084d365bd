"""How times are taken and put together, with jobs whose times are known."""

from __future__ import annotations

import json

import numpy as np
import pytest

import flexarm as fa
from flexarm.benchmarks.frame import Contest, Findings, entries, growth, interleaved, timed
from flexarm.benchmarks.starting import SAMPLES


def test_jobs_take_turns_and_the_first_run_does_not_count():
    seen: list[str] = []

    def job(name: str, seconds: list[float]):
        times = iter(seconds)

        def run() -> float:
            seen.append(name)
            return next(times)

        return run

    found = interleaved({"a": job("a", [9.0, 1.0, 2.0]), "b": job("b", [9.0, 3.0, 4.0])}, 2)
    assert "".join(seen) == "ababab"
    assert found["a"].tolist() == [1.0, 2.0] and found["b"].tolist() == [3.0, 4.0]


def test_ratios_are_those_of_least_times_and_their_spread_that_of_neighbours():
    seconds = {"flexarm": np.array([1.0, 2.0]), "other": np.array([10.0, 12.0]), "slow": np.array([40.0, 40.0])}
    made = entries(seconds, {"flexarm": 100, "other": 50, "slow": 1}, {"other": 0.5})
    ours, other, _ = made
    assert (ours.ratio, ours.low, ours.high, ours.error) == (1.0, 1.0, 1.0, None)
    assert other.us_per_step == pytest.approx(1e6 * 10.0 / 50)
    assert (other.ratio, other.low, other.high, other.error) == (10.0, 6.0, 10.0, 0.5)
    contest = Contest(
        "x", "x", "", "", (*made[:2], entries({"a": np.ones(1), "b": np.full(1, 9.0)}, {"a": 1, "b": 1})[1])
    )
    assert contest.judged is other
    assert Contest("x", "x", "", "", made[:1]).judged is None


def test_growth_is_cost_per_unit():
    times = {2: 4e-3, 4: 8e-3, 8: 32e-3}
    found = growth(
        "x", "x", "element", list(times), [lambda t=t: t for t in times.values()], 2, lambda k: (1000, 2 ** (k + 1))
    )
    assert found.us_per_step == pytest.approx((4.0, 8.0, 32.0))
    assert found.ns_per_unit == pytest.approx((2000.0, 2000.0, 4000.0)) and found.spread == pytest.approx(2.0)


def test_findings_are_plain_data():
    made = entries({"flexarm": np.array([1.0]), "C": np.array([0.5])}, {"flexarm": 1, "C": 1})
    data = json.loads(json.dumps(Findings({"cores": 2}, [Contest("fd", "fd", "", "", made)]).to_dict()))
    assert data["contests"][0]["ratio"] == 0.5 and data["contests"][0]["ratio_to"] == "C"


def test_time_is_that_of_the_processor():
    assert timed(lambda: sum(range(100_000))) > 0.0


def test_first_runs_are_valid_scenarios():
    for scenario, end, method in SAMPLES.values():
        assert fa.load(scenario).with_({"time.end": end}).time.end == end and method in fa.method_names()


@pytest.mark.parametrize("title", ["1 x 60", "3 x 20"])
def test_the_chain_for_exudyn_is_that_of_the_method(title):
    """Built from the arm alone, body by body, and compared with what `segments` steps."""
    from flexarm.benchmarks.exudyn.chain import bodies
    from flexarm.benchmarks.segments import CASES, run
    from flexarm.methods.segments import layout as at

    name, segments = CASES[title]
    model = run(name, segments).model
    made = bodies(fa.load(name).arm, segments)
    for column, field in ((at.M, "mass"), (at.J, "inertia"), (at.CX, "centre"), (at.OX, "length")):
        np.testing.assert_allclose([getattr(body, field) for body in made], model.chain.body[:, column], rtol=1e-8)
    np.testing.assert_allclose([body.spring or 0.0 for body in made], model.chain.body[:, at.K], rtol=1e-12)
