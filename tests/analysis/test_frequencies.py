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


SAG = """
name: sag
arm:
  gravity: [0, -9.81, 0]
  links: [{name: link, length: 2 m, material: aluminium, section: {shape: rectangle, width: 30 mm, height: 20 mm}}]
drive: [{joint: link, motion: {profile: quintic, by: 10 deg, duration: 1 s}, CONTROL}]
method: {name: fem}
time: {end: 1 s, step: 1 ms}
"""


@pytest.mark.parametrize(("joints", "control"), [("locked", ""), ("held", "control: {type: pd, kp: 1e9, kv: 1}")])
def test_the_places_at_rest_are_those_of_the_bent_arm(joints, control):
    """A cantilever under its own weight w per length sags by w L^4 / (8 E I)."""
    scenario = fa.loads(SAG.replace("CONTROL", control))
    found, properties = fa.frequencies(scenario, n=1, joints=joints), scenario.arm.links[0].properties([0.0])
    sag = 9.81 * properties["rhoA"][0] * 2.0**4 / (8.0 * properties["EI"][0])
    assert found.rest.shape == found.shapes.shape[1:]
    assert found.rest[0, 0] == pytest.approx([0.0, 0.0, 0.0], abs=1e-9)
    assert -found.rest[0, -1, 1] == pytest.approx(sag, rel=0.01)
