"""`frequencies` takes an arm, a scenario, the name of a bundled one, or a file."""

from __future__ import annotations

import pytest

import flexarm as fa
from flexarm.errors import FlexarmError, ScenarioError


def test_names_and_files_stand_for_scenarios(tmp_path):
    plan = fa.load("tokhi-azad")
    wanted = fa.frequencies(plan, n=2, joints="free").hz.tolist()
    path = tmp_path / "own.yaml"
    path.write_text(plan.to_yaml(), encoding="utf-8")
    assert fa.frequencies("tokhi-azad", n=2, joints="free").hz.tolist() == wanted
    assert fa.frequencies(path, n=2, joints="free").hz.tolist() == pytest.approx(wanted, rel=1e-12)
    assert fa.frequencies(plan.arm, "fd", 2, joints="free", options=plan.method.options).hz.tolist() == wanted


def test_what_cannot_be_is_refused():
    with pytest.raises(ScenarioError, match="did you mean 'tokhi-azad'"):
        fa.frequencies("tokhi-azat")
    with pytest.raises(FlexarmError, match="at least one"):
        fa.frequencies("tokhi-azad", n=0)
    with pytest.raises(FlexarmError, match="needs a scenario"):
        fa.frequencies(fa.load("tokhi-azad").arm, joints="held")
