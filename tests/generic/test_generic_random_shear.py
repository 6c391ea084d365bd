"""Random arms once more, and with sections that shear too: in the plane, and written as arms in space."""

from __future__ import annotations

import pytest
from agreement import PLANAR, QUICK, SHEARING, STIFF, Seen, check, marked, near_the_true_ones


@pytest.fixture(scope="module")
def seen() -> Seen:
    return Seen()


@pytest.mark.parametrize("seed", marked(PLANAR[1::2], QUICK))
def test_methods_agree_within_what_they_report(seed, seen):
    check(seed, STIFF, seen)
    check(seed, SHEARING, seen)


@pytest.mark.document
def test_few_are_excused_and_reported_errors_are_near_the_true_ones(seen):
    near_the_true_ones(seen)
