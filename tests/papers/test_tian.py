"""The tracking paper: reference values within tolerance, verdicts that follow from numbers, figures that show data."""

from __future__ import annotations

import numpy as np
import pytest

from flexarm.papers import get_paper
from flexarm.papers.claims import Verdict

pytestmark = pytest.mark.document


@pytest.fixture(scope="module")
def paper():
    return get_paper("tian")


def test_reference_figures(paper):
    checks = paper.checks()
    assert {check.name for check in checks} >= {
        "circle base gains, hub sensor, rms error along x and y",
        "square base gains, hub sensor, peak error along x and y",
    }
    for check in checks:
        assert check.passed, f"{check.name}: {check.computed} against {check.reference}"


def test_every_case_sensor_and_element_is_checked(paper):
    groups = [check.group for check in paper.checks()]
    assert (
        sum("chord sensor" in group for group in groups) == 12 and sum("hub sensor" in group for group in groups) == 4
    )
    assert groups.count("error of tip deflection and first frequency") == 16 and groups.count("large deformation") == 4


def test_verdicts(paper):
    verdicts = {claim.id: claim.verdict for claim in paper.claims()}
    corrected = ("eq-5-sign", "elbow-reaction", "eq-19-acos", "eq-20-rate")
    assert all(verdicts[name] is Verdict.CORRECTED for name in corrected)
    assert verdicts["joint-sensing"] is Verdict.NOT_DETERMINABLE
    assert verdicts["error-along-y"] is verdicts["two-sets-circle"] is Verdict.REPRODUCED
    assert verdicts["two-sets-square"] is Verdict.NOT_DETERMINABLE
    for claim in paper.claims():
        assert claim.reason and "{" not in claim.reason


def test_the_misread_rate_is_a_hundred_times_worse(paper):
    claim = next(claim for claim in paper.claims() if claim.id == "eq-20-rate")
    assert claim.published[0] == pytest.approx(49.9, rel=0.1)
    assert claim.computed[0] < 0.5


def test_reversed_feedback_and_chords_grow(paper):
    chords = next(claim for claim in paper.claims() if claim.id == "joint-sensing")
    assert min(chords.computed) > 1.0
    sign = next(claim for claim in paper.claims() if claim.id == "eq-5-sign")
    assert "grow by" in sign.reason


def test_tables(paper):
    tracking, locking, errata = paper.tables()
    row = tracking.records()[0]
    assert row["Case"] == "circle base" and row["rms y (mm)"] == pytest.approx(0.4576, rel=5e-3)
    assert len(locking.rows) == 16
    assert {where for where, *_ in errata.rows} >= {"(5)", "(19)", "(20)"}


def test_figures_6_to_13(paper):
    drawings = {drawing.name: drawing for drawing in paper.figures()}
    assert list(drawings) == [f"figure-{k}" for k in range(6, 14)]
    angles = drawings["figure-6"].draw().axes[0]
    assert len(angles.lines) == 4 and np.abs(angles.lines[0].get_ydata()).max() > 2.0
    plane = drawings["figure-7"].draw().axes[0]
    assert np.hypot(plane.lines[0].get_xdata() - 1.6, plane.lines[0].get_ydata()) == pytest.approx(0.3, rel=1e-9)
    for name in ("figure-8", "figure-9"):
        assert all(len(axes.lines[0].get_ydata()) > 1000 for axes in drawings[name].draw().axes)
