"""Naganathan's thesis: every reference figure is met, verdicts follow from the numbers, tables and figures are full."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from flexarm.papers import draw_figures, evaluate, get_paper
from flexarm.papers.claims import Evidence, Verdict
from flexarm.papers.naganathan.checks import QUANTITIES, data

pytestmark = pytest.mark.document

CHECKS = [check.name for check in get_paper("naganathan").checks()]
FIGURES = [drawing.name for drawing in get_paper("naganathan").figures()]
EXPECTED = {
    Verdict.REPRODUCED: """
        table-1-exact reduced-integration table-2-close eq-3.4 figure-13 case-1-motion case-1-oscillates case-1-torque
        case-2-small case-2-linear case-3-tip-error space-oscillates
    """,
    Verdict.CORRECTED: "eq-2.24 table-1-reduced table-1-analytical table-1-row-1 triangular-load eq-3.5",
    Verdict.CONTRADICTED: """
        complete-interaction case-1-nonlinear-peaks case-1-histories case-1-quasi-static case-2-quasi-static
    """,
    Verdict.NOT_DETERMINABLE: "table-2 case-1-section shear-factors space-prismatic-small",
}
VERDICTS = {name: verdict for verdict, names in EXPECTED.items() for name in names.split()}


@pytest.fixture(scope="module")
def thesis():
    return get_paper("naganathan")


@pytest.fixture(scope="module")
def judged(thesis):
    return evaluate(thesis)


@pytest.fixture(scope="module")
def claims(judged):
    return {claim.id: claim for claim in judged.claims}


@pytest.fixture(scope="module")
def pictures(thesis):
    return {drawing.name: drawing.draw() for drawing in thesis.figures()}


@pytest.mark.parametrize("index", range(len(CHECKS)), ids=CHECKS)
def test_reference_figure(judged, index):
    check = judged.checks[index]
    assert check.passed, f"{check.computed} instead of {check.reference} {check.unit}"


def test_every_check_would_notice_a_wrong_figure(judged):
    for check in judged.checks:
        allowed = check.tolerance.absolute + check.tolerance.relative * np.abs(check.reference)
        assert not replace(check, reference=tuple(check.reference + 2.5 * allowed)).passed, check.name


def test_all_figures_are_there():
    groups = data()["groups"]
    assert sum(len(group["rows"]) for group in groups) == len(CHECKS) == len(set(CHECKS)) == 172
    assert {group["quantity"] for group in groups} == set(QUANTITIES)
    for group in groups:
        assert group["because"] and group["unit"] and any(group["tolerance"].values()), group["title"]


def test_tolerances_are_small_beside_the_figures(judged):
    for check in judged.checks:
        size = max(abs(value) for value in check.reference)
        assert check.tolerance.absolute + check.tolerance.relative * size < 0.01 * size, check.name


def test_all_claims_have_an_expected_verdict(claims):
    assert set(claims) == set(VERDICTS)


@pytest.mark.parametrize("name", VERDICTS)
def test_verdict(claims, name):
    claim = claims[name]
    assert claim.verdict is VERDICTS[name], claim.reason
    assert all(math.isfinite(value) for value in (*claim.published, *claim.computed))
    assert "{" not in claim.reason and "nan" not in claim.reason


BY_TEST = {
    "eq-2.24": [0.1],
    "complete-interaction": [1.01, 1.02],
    "reduced-integration": [0.1, 0.3],
    "table-2-close": [0.01, 0.03, 0.0],
    "triangular-load": [0.1, 0.009],
    "eq-3.4": [0.1],
    "figure-13": [0.9, 2.0],
    "case-1-nonlinear-peaks": [0.2, 0.2, 0.2, 0.2],
    "case-1-histories": [0.2, 0.2],
    "case-1-quasi-static": [0.5, 0.5],
    "case-1-oscillates": [0.2, 20],
    "case-1-torque": [0.01, 0.2],
    "case-2-small": [0.01],
    "case-2-linear": [0.02, 0.0],
    "case-2-quasi-static": [0.01, 0.01, 0.01],
    "case-3-tip-error": [1.1, 5.0],
    "space-oscillates": [0.2, 0.5],
    "space-prismatic-small": [0.1, 0.2, 0.3],
}
"""Claims without a published number that is compared, and computed numbers that would turn their verdict."""


@pytest.mark.parametrize("name", BY_TEST)
def test_other_numbers_would_turn_the_verdict(claims, name):
    claim = claims[name]
    turned = replace(claim, work_out=lambda: Evidence(tuple(BY_TEST[name]))).verdict
    assert (turned is Verdict.REPRODUCED) is (claim.verdict is not Verdict.REPRODUCED)


@pytest.mark.parametrize("name", [name for name in VERDICTS if name not in BY_TEST])
def test_published_numbers_decide(claims, name):
    claim = claims[name]
    assert replace(claim, stated=claim.computed).verdict is Verdict.REPRODUCED
    wrong = replace(claim, stated=[1.1 * value + 0.1 for value in claim.published])
    assert wrong.verdict is not Verdict.REPRODUCED


def test_numbers_that_decide(claims):
    """Figures on which the verdicts rest, independent of tolerances."""
    reduced, closed = claims["table-1-reduced"], claims["table-1-analytical"]
    off = np.abs(np.subtract(reduced.computed, reduced.published)) > 1e-3
    assert np.flatnonzero(off).tolist() == [15] and reduced.computed[15] == pytest.approx(9.824, abs=1e-3)
    off = np.abs(np.subtract(closed.computed, closed.published)) > 1e-3
    assert np.flatnonzero(off).tolist() == [0] and closed.computed[0] == pytest.approx(9.794, abs=1e-3)
    assert claims["table-1-row-1"].computed == pytest.approx((173.2, 86.6, 57.7, 43.3, 34.6), abs=0.05)
    assert claims["table-2"].computed == pytest.approx((3.55364, 3.59595, 3.60378), abs=1e-5)
    assert max(np.abs(claims["case-1-nonlinear-peaks"].computed)) < 0.004
    assert claims["case-1-quasi-static"].computed == pytest.approx((0.116, 0.066), abs=1e-3)
    assert claims["case-1-torque"].computed == pytest.approx((0.082, 0.118), abs=1e-3)
    assert claims["case-2-quasi-static"].computed[0] == pytest.approx(0.191, abs=1e-3)
    assert claims["case-3-tip-error"].computed == pytest.approx((7.46, 8.35), abs=0.01)


def test_tables(judged):
    tables = {table.name: table for table in judged.tables}
    first = tables["table-1"].rows
    assert len(first) == 18 and sum(row[2] == "printed" for row in first) == 9
    assert tables["table-2"].rows[-1] == ("closed form", 3.61, None, pytest.approx(3.61003, abs=1e-5))
    for row in tables["table-2"].rows[:-1]:  # shear and stretch are small beside bending
        assert row[2] == pytest.approx(row[3], rel=1e-5) and row[2] > row[3]
    assert len(tables["case-studies"].rows) == 11
    assert len(tables["errata"].rows) >= 18
    for table in judged.tables:
        assert all(len(row) == len(table.columns) for row in table.rows)


def test_the_report_reads_well(judged):
    text = judged.to_markdown()
    assert "9.794, not 9.839" in text and "9.824, not 9.844" in text
    assert "172 of 172" in text


def test_figures_13_20_to_30_and_40_to_43_are_offered():
    assert ["figure-13", *(f"figure-{k}" for k in (*range(20, 31), *range(40, 44))), "spin-up"] == FIGURES


@pytest.mark.parametrize("name", FIGURES)
def test_no_axes_are_empty(pictures, name):
    figure = pictures[name]
    assert figure.get_suptitle().lower().startswith(name.replace("-", " ") if name != "spin-up" else name)
    for axes in figure.axes:
        assert axes.get_ylabel() and any(np.isfinite(line.get_ydata()).sum() > 1 for line in axes.lines)
    assert figure.axes[-1].get_xlabel() == "Time (s)"


def test_figures_show_the_peaks_of_the_checks(pictures):
    horizontal = pictures["figure-21"].axes[0].lines[0].get_ydata()
    assert (horizontal.min(), horizontal.max()) == pytest.approx((-4.8776, 1.8882), abs=1e-3)
    base = pictures["figure-24"].axes[0].lines[0].get_ydata()
    assert (base.max(), base.min()) == pytest.approx((3.736, -3.496), abs=2e-3)
    speed = pictures["figure-25"].axes[1].lines[0].get_ydata()
    assert speed.max() == pytest.approx(math.radians(60) / 1.5)
    servo, stiff = (line.get_ydata() for line in pictures["figure-30"].axes[0].lines[:2])
    assert servo.min() == pytest.approx(-36.4326, abs=1e-2) and stiff.min() == pytest.approx(-4.8832, abs=1e-3)
    assert pictures["spin-up"].axes[0].lines[0].get_ydata().min() == pytest.approx(-0.57309, abs=1e-4)


def test_figures_reach_files(thesis, tmp_path):
    written = draw_figures(thesis, tmp_path, formats="png", names=["figure-13"])
    assert [path.name for path in written] == ["figure-13.png", "captions.md"]
