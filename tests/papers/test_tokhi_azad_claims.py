"""What became of the claims of Tokhi and Azad, and that it follows from the numbers."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from flexarm.papers.claims import Evidence, Verdict

pytestmark = pytest.mark.document

EXPECTED = {
    Verdict.REPRODUCED: """
        c-0.2-stable finer-grid-shorter-step frequencies-close two-modes hub-larger stops payload-displacement
        table-2-averages table-3 matlab-30 transputer-sparc 486 i860-real-time rows-free eq-30-q123 eight-elements
    """,
    Verdict.CORRECTED: """
        table-1-unit table-1-beam section-length step frequencies-theory payload-change eq-1-torque hyperbolic eq-8
        eq-26 eq-9 eq-40 eq-14-16-sign eq-16-missing m22 eq-30-q4 eq-25-27-order p-coefficients t-coefficients eq-27
        start eq-42-inner eq-42-stability
    """,
    Verdict.CONTRADICTED: "three-times payload-vibration payload-deflection",
    Verdict.NOT_DETERMINABLE: "table-1-inertia frequencies-measured",
}
VERDICTS = {name: verdict for verdict, names in EXPECTED.items() for name in names.split()}


@pytest.fixture(scope="module")
def claims(report):
    return {claim.id: claim for claim in report.claims}


def test_all_claims_have_an_expected_verdict(report):
    assert [claim.id for claim in report.claims if claim.id not in VERDICTS] == []
    assert len(report.claims) == len(VERDICTS)


@pytest.mark.parametrize("name", VERDICTS)
def test_verdict(claims, name):
    claim = claims[name]
    assert claim.verdict is VERDICTS[name], claim.reason
    assert all(math.isfinite(value) for value in (*claim.published, *claim.computed))
    assert "{" not in claim.reason and "nan" not in claim.reason


BY_TEST = {
    "c-0.2-stable": [0.19],
    "finer-grid-shorter-step": [1.0, 2.0, 3.0],
    "frequencies-close": [0.0, 0.03],
    "two-modes": [0.5],
    "hub-larger": [0.99],
    "payload-displacement": [1.0, 2.0, 3.0],
    "payload-vibration": [1.0, 2.0, 3.0],
    "payload-deflection": [1.0, 2.0, 3.0],
    "transputer-sparc": [1.0, -1.0, 1.0],
    "486": [0.9],
    "i860-real-time": [1.1, 2.7],
    "eq-42-stability": [0.25, 0.25],
}
"""Claims without a published number that is compared, and computed numbers that would turn their verdict."""


@pytest.mark.parametrize("name", [n for n, v in VERDICTS.items() if v is not Verdict.REPRODUCED and n not in BY_TEST])
def test_the_right_number_in_print_would_have_been_reproduced(claims, name):
    claim = claims[name]
    right = replace(claim, stated=claim.computed[: len(claim.published)])
    assert right.verdict is Verdict.REPRODUCED


@pytest.mark.parametrize(
    "name", ["stops", "table-2-averages", "table-3", "matlab-30", "rows-free", "eq-30-q123", "eight-elements"]
)
def test_a_wrong_number_in_print_would_not_have_been_reproduced(claims, name):
    claim = claims[name]
    wrong = replace(claim, stated=[1.1 * value + 0.1 for value in claim.published])
    assert wrong.verdict is not Verdict.REPRODUCED


@pytest.mark.parametrize("name", BY_TEST)
def test_other_numbers_would_turn_the_verdict(claims, name):
    claim = claims[name]
    other = replace(claim, work_out=lambda: Evidence(tuple(BY_TEST[name])))
    turned = other.verdict
    if claim.verdict is Verdict.REPRODUCED:
        assert turned is Verdict.CONTRADICTED
    else:
        assert turned is Verdict.REPRODUCED


def test_numbers_that_decide(claims):
    """The figures on which the verdicts rest, independent of tolerances."""
    assert claims["three-times"].computed[0] == pytest.approx(1.0119138, abs=1e-6)
    assert claims["step"].computed[0] == pytest.approx(242.666e-6, abs=1e-9)
    assert claims["payload-vibration"].computed == pytest.approx((11.54, 4.43, 0.62), abs=0.01)
    assert claims["payload-deflection"].computed == pytest.approx((26.1, 19.5, 16.4), abs=0.05)
    assert claims["payload-change"].computed[0] == pytest.approx(0.11204, abs=1e-5)
    assert claims["eq-14-16-sign"].published[0] == pytest.approx(-0.1745, abs=1e-4)
    assert claims["eq-9"].published[0] == pytest.approx(-1.0)
    assert abs(claims["eq-16-missing"].published[0]) > 1e6 and abs(claims["m22"].published[0]) > 1e5
    assert claims["eq-30-q4"].published[0] / claims["eq-30-q4"].computed[0] == pytest.approx(391.71, abs=0.01)
    assert claims["eq-42-stability"].computed == pytest.approx((0.25320, 0.25363), abs=1e-5)
    assert "6.0 to 51.7" in claims["matlab-30"].reason
    assert "only 3" in claims["eight-elements"].reason
