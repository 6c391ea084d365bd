"""Verdicts follow from numbers, and nothing is computed before it is asked for."""

from __future__ import annotations

import math

import pytest

from flexarm.papers.checks import Check
from flexarm.papers.claims import Claim, Evidence, Tolerance, Verdict, agrees, holds, repairs, some_reading

NEAR = Tolerance(relative=0.01)


def claim(stated, computed, rule, tolerance=NEAR, because="{c[0]:.2f} against {p[0]:.2f}"):
    return Claim("id", "where", "text", stated, lambda: computed, rule, because, tolerance=tolerance)


def test_tolerance_adds_absolute_and_relative_parts():
    both = Tolerance(relative=0.1, absolute=1.0)
    assert both.accepts([12.0], [10.0]) and not both.accepts([12.1], [10.0])
    assert both.share([11.0], [10.0]) == pytest.approx(0.5)
    assert Tolerance().accepts([1.0], [1.0]) and not Tolerance().accepts([1.0 + 1e-15], [1.0])


@pytest.mark.parametrize("computed", [[1.0], [math.nan, 2.0], [math.inf, 2.0]])
def test_wrong_lengths_and_numbers_that_are_not_finite_never_agree(computed):
    assert not Tolerance(absolute=1e9).accepts(computed, [1.0, 2.0])


def test_tolerance_in_words():
    assert Tolerance(relative=0.005).text() == "0.5 %"
    assert Tolerance(relative=1e-6, absolute=0.1).text("m") == "0.1 m + 1e-06 relative"
    assert Tolerance().text() == "–"


@pytest.mark.parametrize("otherwise", [Verdict.CORRECTED, Verdict.CONTRADICTED, Verdict.NOT_DETERMINABLE])
def test_agreement_decides(otherwise):
    assert claim([10.0], 10.05, agrees(otherwise)).verdict is Verdict.REPRODUCED
    assert claim([10.0], 10.2, agrees(otherwise)).verdict is otherwise


def test_a_test_decides():
    rule = holds(lambda values: values[0] < values[1])
    assert claim((), [1, 2], rule, because="").verdict is Verdict.REPRODUCED
    assert claim((), [2, 1], rule, because="").verdict is Verdict.CONTRADICTED


def test_one_reading_of_several_suffices():
    readings = [1.0, 2.0, 5.0, 6.0]
    assert claim([5.01, 6.01], readings, some_reading()).verdict is Verdict.REPRODUCED
    assert claim([1.0, 6.0], readings, some_reading()).verdict is Verdict.NOT_DETERMINABLE


def test_a_formula_is_corrected_only_if_the_repaired_one_is_right():
    truth = repairs(lambda: [6.0])
    assert claim([6.0], 7.0, truth).verdict is Verdict.REPRODUCED
    assert claim([7.0], 6.0, truth).verdict is Verdict.CORRECTED
    assert claim([7.0], 8.0, truth).verdict is Verdict.NOT_DETERMINABLE


def test_reason_speaks_of_the_numbers_and_of_further_evidence():
    found = claim([1.0], Evidence((2.0,), {"more": 3}), agrees(), because="{p[0]:g}, {c[0]:g}, {more}")
    assert found.reason == "1, 2, 3"


def test_claims_and_checks_compute_once_and_late():
    calls = []

    def work_out():
        calls.append(1)
        return [1.0]

    lazy = Claim("id", "where", "text", [1.0], work_out, agrees(), "{c[0]}")
    check = Check("name", "group", work_out, (1.0,), NEAR)
    assert calls == []
    assert lazy.verdict is Verdict.REPRODUCED and lazy.reason == "1.0" and lazy.computed == (1.0,)
    assert len(calls) == 1
    assert check.passed and check.error == 0.0 and check.share == 0.0
    assert len(calls) == 2


def test_a_check_fails_beyond_its_tolerance():
    check = Check("name", "group", lambda: [1.0, 2.1], (1.0, 2.0), NEAR)
    assert not check.passed and check.error == pytest.approx(0.1)
    assert not Check("name", "group", lambda: [1.0], (1.0, 2.0), NEAR).passed
