"""Where elements end: shares of parts, steps, kinks and what hangs on a link."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import flexarm as fa
from flexarm.methods.subdivision import attachment_places, element_ends, finer_notes, share_out

THICK, THIN = {"shape": "circle", "diameter": 0.02}, {"shape": "circle", "diameter": 0.01}
STEPPED = [{"at": 0.0, **THICK}, {"at": 0.37, **THICK}, {"at": 0.37, **THIN}, {"at": 1.0, **THIN}]
KINKED = [{"at": 0.0, **THICK}, {"at": 0.4, **THICK}, {"at": 1.0, **THIN}]


def link(section, **more) -> fa.Arm:
    """An arm of one link of 2 m."""
    made = {"name": "boom", "length": 2.0, "material": "steel", "section": section, **more}
    return fa.Arm.model_validate({"links": [made]})


@given(st.lists(st.floats(0.01, 10.0), min_size=1, max_size=6), st.integers(1, 40))
def test_shares_make_the_longest_element_as_short_as_possible(lengths, count):
    shares = share_out(lengths, count)
    assert sum(shares) == max(count, len(lengths)) and min(shares) >= 1
    longest = max(length / n for length, n in zip(lengths, shares, strict=True))
    shorter = longest * (1.0 - 1e-9)
    assert sum(int(np.ceil(length / shorter)) for length in lengths) > sum(shares)  # shorter ones are too many


def test_steps_always_have_a_node_and_kinks_where_there_are_elements_enough():
    stepped, kinked = link(STEPPED).links[0], link(KINKED).links[0]
    assert element_ends(stepped, 1) == pytest.approx([0.0, 0.37, 1.0])
    assert element_ends(stepped, 3) == pytest.approx([0.0, 0.37, 0.685, 1.0])
    assert element_ends(kinked, 1) == pytest.approx([0.0, 1.0])
    assert element_ends(kinked, 5) == pytest.approx([0.0, 0.2, 0.4, 0.6, 0.8, 1.0])
    assert element_ends(stepped, 3, wanted=[0.37 + 1e-12, 0.8]) == pytest.approx([0.0, 0.37, 0.8, 1.0])
    assert element_ends(stepped, 2, wanted=[0.8]) == pytest.approx([0.0, 0.37, 1.0])
    assert element_ends(stepped, 2, needed=[0.8]) == pytest.approx([0.0, 0.37, 0.8, 1.0])


def test_a_step_of_nothing_is_none():
    same = [{"at": at, **THICK} for at in (0.0, 0.3, 0.3, 1.0)]
    uniform = link(same).links[0]
    assert uniform.section is not None and uniform.section.steps == ()
    assert element_ends(uniform, 4) == pytest.approx(np.linspace(0.0, 1.0, 5))


def test_what_hangs_on_a_link_and_what_the_notes_say():
    arm = link(STEPPED, points={"lug": [0.5, 0.1]}, masses=[{"at": "lug", "mass": 1.0}, {"at": 0.75, "mass": 1.0}])
    assert attachment_places(arm, 0) == pytest.approx([0.25, 0.75])
    assert finer_notes(arm, 2, [2]) == []
    assert "'boom' has 3 elements instead of 2" in finer_notes(arm, (2,), [3])[0]
