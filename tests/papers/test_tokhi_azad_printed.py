"""The formulas of the document, printed and repaired, against the method itself."""

from __future__ import annotations

import numpy as np
import pytest

from flexarm.papers.tokhi_azad.errata import letters
from flexarm.papers.tokhi_azad.printed import march
from flexarm.papers.tokhi_azad.runs import SECTIONS, STEP

pytestmark = pytest.mark.document

TIMES = (0.3, 0.6, 0.9, 1.2)


@pytest.mark.parametrize(
    ("case", "closure"), [("no hub", "one-sided"), ("hub", "one-sided"), ("hub + 20 g", "centred")]
)
def test_the_recursion_is_the_explicit_scheme(paper, case, closure):
    model = paper.runs.matrices(case, closure)
    A, push = paper.runs.recursion(model)
    tip = march(A, push, STEP, 1.2, model.coordinates.index(f"y{SECTIONS}"))
    run = paper.runs.tips(case, TIMES, scheme="leapfrog", step=STEP, closure=closure)
    assert tip[[round(t / STEP) for t in TIMES]] == pytest.approx(run, abs=1e-9)


def test_fictitious_points_keep_a_straight_link_straight(paper):
    """y = x must continue as x = L + h and L + 2 h, whatever the payload."""
    now = letters(paper.runs)
    x = now.length + now.h * np.arange(-3, 1)
    assert now.t() @ x == pytest.approx(now.length + now.h)
    assert now.p() @ x == pytest.approx(now.length + 2 * now.h)
    assert now.t(printed=True) @ x != pytest.approx(now.length + now.h, rel=0.1)
    assert now.p(printed=True) @ x != pytest.approx(now.length + 2 * now.h, rel=0.1)


def test_repaired_rows_are_those_of_the_grid(paper):
    A, _ = paper.runs.recursion(paper.runs.matrices("hub", payload=(0.02, 1e-4)))
    assert letters(paper.runs).tip_rows() == pytest.approx(A[-2:, -4:], abs=1e-13)


def test_the_torque_term_tends_to_that_without_hub(paper):
    with_hub, without = letters(paper.runs), letters(paper.runs, hub=False)
    _, _, c = without.abc
    assert without.q4() == pytest.approx(c * without.h**2 / without.EI)
    assert with_hub.q4() < without.q4()
    assert without.q4(printed=True) == pytest.approx(without.q4() / without.h**2)
