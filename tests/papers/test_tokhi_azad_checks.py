"""Every reference figure of Tokhi and Azad is met, and every check would notice if it were not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from flexarm.papers import get_paper
from flexarm.papers.tokhi_azad.checks import QUANTITIES, data

pytestmark = pytest.mark.document

NAMES = [check.name for check in get_paper("tokhi-azad").checks()]


@pytest.mark.parametrize("index", range(len(NAMES)), ids=NAMES)
def test_figure(report, index):
    check = report.checks[index]
    assert check.passed, (
        f"{check.computed} instead of {check.reference} {check.unit}, {check.share:.3g} of the tolerance"
    )


def test_every_check_would_notice_a_wrong_figure(report):
    for check in report.checks:
        allowed = check.tolerance.absolute + check.tolerance.relative * np.abs(check.reference)
        wrong = replace(check, reference=tuple(check.reference + 2.5 * allowed))
        assert not wrong.passed, check.name


def test_all_figures_are_there():
    groups = data()["groups"]
    assert sum(len(group["rows"]) for group in groups) == len(NAMES) == len(set(NAMES)) == 267
    assert {group["quantity"] for group in groups} == set(QUANTITIES)
    for group in groups:
        assert group["because"] and group["unit"] and any(group["tolerance"].values()), group["title"]


def test_tolerances_are_small_beside_the_figures(report):
    """A tolerance as large as its figure would check nothing; figures that are zero or nearly so are exempt."""
    for check in report.checks:
        size = max(abs(value) for value in check.reference)
        allowed = check.tolerance.absolute + check.tolerance.relative * size
        assert allowed < 0.03 * size or size < 1e-6, check.name
