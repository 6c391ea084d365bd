"""Lee, Huggins and Book: every reference figure is met, verdicts follow from the numbers, tables and figures are full."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from flexarm.papers import draw_figures, evaluate, get_paper
from flexarm.papers.claims import Evidence, Verdict

pytestmark = pytest.mark.document

CHECKS = [f"{check.group}: {check.name}" for check in get_paper("lee-huggins-book").checks()]
VERDICTS = {
    "table-3.1-constrained": Verdict.REPRODUCED,
    "table-3.1-unconstrained": Verdict.REPRODUCED,
    "table-3.1-elements": Verdict.REPRODUCED,
    "constraint-nearer": Verdict.REPRODUCED,
    "two-modes-only": Verdict.CONTRADICTED,
    "eq-2.20": Verdict.CORRECTED,
    "table-4.1-bandwidth": Verdict.CONTRADICTED,
    "table-4.1-joint-1": Verdict.CONTRADICTED,
    "table-4.1-joint-2": Verdict.REPRODUCED,
    "joint-or-cylinder": Verdict.REPRODUCED,
    "little-damping": Verdict.REPRODUCED,
    "upper-to-lower": Verdict.REPRODUCED,
}
OTHER = {"constraint-nearer": [0.2, 0.1], "two-modes-only": [0.9, 0.1], "eq-2.20": [0.0, 0.0], "little-damping": [0.1],
         "upper-to-lower": [0.9], "joint-or-cylinder": [0.1], "table-4.1-bandwidth": [17.8, 17.2],
         "table-4.1-joint-1": [10.6, 31.3]}  # fmt: skip


@pytest.fixture(scope="module")
def paper():
    return get_paper("lee-huggins-book")


@pytest.fixture(scope="module")
def judged(paper):
    return evaluate(paper)


@pytest.mark.parametrize("index", range(len(CHECKS)), ids=CHECKS)
def test_reference_figure(judged, index):
    check = judged.checks[index]
    assert check.passed, f"{check.computed} instead of {check.reference} {check.unit}"


def test_every_check_would_notice_a_wrong_figure(judged):
    assert len(judged.checks) == len(set(CHECKS)) == 49
    for check in judged.checks:
        allowed = check.tolerance.absolute + check.tolerance.relative * np.abs(check.reference)
        assert not replace(check, reference=tuple(check.reference + 2.5 * allowed)).passed, check.name


def test_verdicts(judged):
    claims = {claim.id: claim for claim in judged.claims}
    assert set(claims) == set(VERDICTS)
    for name, claim in claims.items():
        assert claim.verdict is VERDICTS[name], claim.reason
        assert all(math.isfinite(value) for value in (*claim.published, *claim.computed)) and "{" not in claim.reason
    for name, values in OTHER.items():
        turned = replace(claims[name], work_out=lambda values=values: Evidence(tuple(values))).verdict
        assert (turned is Verdict.REPRODUCED) is (claims[name].verdict is not Verdict.REPRODUCED)
    for name in set(VERDICTS) - set(OTHER):
        wrong = replace(claims[name], stated=[1.1 * value for value in claims[name].published])
        assert wrong.verdict is not Verdict.REPRODUCED


def test_tables_and_report(judged):
    for table in judged.tables:
        assert table.rows and all(len(row) == len(table.columns) for row in table.rows)
    assert "49 of 49" in judged.to_markdown()


def test_figures(paper, tmp_path):
    names = ["figure-3.1", *(f"figure-4.{k}" for k in range(1, 7))]
    assert [drawing.name for drawing in paper.figures()] == names
    written = draw_figures(paper, tmp_path, formats="png", names=names[:1])
    assert [path.stem for path in written] == ["figure-3.1", "captions"]
    for drawing in paper.figures():
        for axes in drawing.draw().axes:
            assert any(np.isfinite(line.get_ydata()).sum() > 1 for line in axes.lines)
