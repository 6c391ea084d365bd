"""Many runs, one after the other and side by side."""

from __future__ import annotations

import numpy as np

import flexarm as fa
from flexarm.simulation.many import run_many


def tip(result: fa.Result) -> np.ndarray:
    return result.data.tip_position.values


def test_runs_in_processes_have_the_same_bits_and_keep_their_order():
    base = fa.load("tokhi-azad").with_({"time.end": "0.2 s"})
    scenarios = [base.with_({"arm.payload.mass": f"{mass} g"}) for mass in (0, 10, 20, 30)]
    apart, alone = run_many(scenarios, tip, workers=2), run_many(scenarios, tip)
    for found, other, scenario in zip(apart, alone, scenarios, strict=True):
        np.testing.assert_array_equal(found, other)
        np.testing.assert_array_equal(found, fa.simulate(scenario).data.tip_position.values)


def test_a_run_that_is_refused_is_an_error_in_its_place():
    good = fa.load("tokhi-azad").with_({"time.end": "0.1 s"})
    bad = good.with_({"time.step": "10 ms", "method.scheme": "leapfrog"})
    found = run_many([good, bad, good], tip)
    assert isinstance(found[1], fa.FlexarmError) and "time.step" in str(found[1])
    np.testing.assert_array_equal(found[0], found[2])
    assert run_many([], tip) == []
