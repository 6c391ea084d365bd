"""Li and Zhang: every reference figure is met, verdicts follow from the numbers, tables and figures are full."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from flexarm.papers import evaluate, get_paper
from flexarm.papers.claims import Evidence, Verdict
from flexarm.papers.li_zhang.checks import QUANTITIES, data

pytestmark = pytest.mark.document

CHECKS = [check.name for check in get_paper("li-zhang").checks()]
EXPECTED = {
    Verdict.REPRODUCED: """
        eq-6 frequency-theory little-damping amplitudes-kept larger-error lower-frequency more-oscillatory link-deformations
    """,
    Verdict.CORRECTED: "eq-13 eq-17 young",
    Verdict.CONTRADICTED: "purely-linear",
    Verdict.NOT_DETERMINABLE: "frequency-simulated beta-gamma",
}
VERDICTS = {name: verdict for verdict, names in EXPECTED.items() for name in names.split()}
BY_TEST = {
    "eq-6": [1.5],
    "eq-13": [1e-4],
    "beta-gamma": [0.07, 0.0701],
    "purely-linear": [1e-6],
    "little-damping": [0.1],
    "amplitudes-kept": [0.1],
    "larger-error": [1.01, 1.2],
    "lower-frequency": [1.01],
    "more-oscillatory": [1.1, 0.9],
    "link-deformations": [1.01, 0.99, 1.0],
}
"""Claims without a published number that is compared, and computed numbers that would turn their verdict."""


@pytest.fixture(scope="module")
def paper():
    return get_paper("li-zhang")


@pytest.fixture(scope="module")
def judged(paper):
    return evaluate(paper)


@pytest.fixture(scope="module")
def claims(judged):
    return {claim.id: claim for claim in judged.claims}


@pytest.mark.parametrize("index", range(len(CHECKS)), ids=CHECKS)
def test_reference_figure(judged, index):
    check = judged.checks[index]
    assert check.passed, f"{check.computed} instead of {check.reference} {check.unit}"


def test_all_figures_are_there(judged):
    groups = data()["groups"]
    assert sum(len(group["rows"]) for group in groups) == len(CHECKS) == len(set(CHECKS)) == 140
    assert {group["quantity"] for group in groups} == set(QUANTITIES)
    for check in judged.checks:
        allowed = check.tolerance.absolute + check.tolerance.relative * np.abs(check.reference)
        assert not replace(check, reference=tuple(check.reference + 2.5 * allowed)).passed, check.name


def test_all_claims_have_an_expected_verdict(claims):
    assert set(claims) == set(VERDICTS)


@pytest.mark.parametrize("name", VERDICTS)
def test_verdict(claims, name):
    claim = claims[name]
    assert claim.verdict is VERDICTS[name], claim.reason
    assert all(math.isfinite(value) for value in (*claim.published, *claim.computed))
    assert "{" not in claim.reason and "nan" not in claim.reason


@pytest.mark.parametrize("name", VERDICTS)
def test_other_numbers_would_turn_the_verdict(claims, name):
    claim = claims[name]
    if name in BY_TEST:
        turned = replace(claim, work_out=lambda: Evidence(tuple(BY_TEST[name]))).verdict
        assert (turned is Verdict.REPRODUCED) is (claim.verdict is not Verdict.REPRODUCED)
    else:
        assert replace(claim, stated=claim.computed[:1]).verdict is Verdict.REPRODUCED
        assert replace(claim, stated=[2.0 * claim.computed[0]]).verdict is not Verdict.REPRODUCED


def test_tables_are_full(paper):
    for table in paper.tables():
        rows = table.rows
        assert rows and all(len(row) == len(table.columns) for row in rows), table.name


@pytest.mark.parametrize("name", ["figure-6", "figure-8", "figure-9"])
def test_figures_show_what_they_should(paper, name):
    drawing = {each.name: each for each in paper.figures()}[name]
    figure = drawing.draw()
    lines = [line for axes in figure.axes for line in axes.get_lines()]
    assert len(lines) >= 4 and all(axes.get_ylabel() for axes in figure.axes) and len(drawing.caption) > 40
    rigid, flexible = (
        (line.get_ydata() for line in figure.axes[0].get_lines()[:2]) if name != "figure-6" else (None, None)
    )
    if name == "figure-8":
        assert np.abs(rigid).max() == pytest.approx(38.67, rel=2e-3) and np.abs(flexible).max() == pytest.approx(
            42.66, rel=2e-3
        )
