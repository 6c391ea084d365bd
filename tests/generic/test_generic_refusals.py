"""What a method cannot do is refused with a sentence that names the field, never with a traceback."""

from __future__ import annotations

import re

import pytest
from generic_arms import BUNDLED, METHODS, one_link

import flexarm as fa
from flexarm.errors import CapabilityError, FlexarmError
from flexarm.simulation.build import prepare

SECOND = {"name": "second", "length": "0.5 m", "section": {"shape": "circle", "diameter": "10 mm"}, "material": "steel"}
NEEDS = {
    "spatial": {"arm.links.link.joint.dh": {"a": 0.8}},
    "prismatic": "naganathan-rp",
    "loops": "four-bar",
    "taper": {"arm.links.link.section": [
        {"at": at, "shape": "rectangle", "width": 0.03, "height": height} for at, height in ((0, 0.006), (1, 0.004))
    ]},
    "gravity": {"arm.gravity": [0.0, -9.81, 0.0]},
    "damping": {"arm.damping": {"time": 1e-4}},
    "flexible_joints": {"arm.links.link.joint.stiffness": 100.0},
    "payload_inertia": {"arm.payload.inertia": 1e-3},
    "payload_offset": {"arm.payload.offset": [0.05, 0.02, 0.0]},
    "payload_change": {"events": [{"at": 0.1, "payload": {"mass": 0.2}, "rule": "at-rest"}]},
    "equilibrium_start": {"arm.gravity": [0.0, -9.81, 0.0], "time.start": "equilibrium"},
    "strain": {"output.gauges": [{"link": "link", "at": 0.0}]},
}  # fmt: skip
"""What a capability is needed for: changes of the one link, or a bundled scenario."""
SENTENCE = re.compile(r"^[\w.\[\]-]+(: | )\S.*\w", re.DOTALL)


def needing(method: str, capability: str) -> fa.Scenario:
    change = NEEDS[capability]
    if isinstance(change, str):
        return fa.load(change).with_({"method": {"name": method}})
    return one_link(method).with_({"method": {"name": method}, **change})


@pytest.mark.parametrize("capability", NEEDS)
@pytest.mark.parametrize("method", METHODS)
def test_capabilities_are_what_they_say(method, capability):
    """Declared: it builds. Not declared: it is refused, and the refusal names a field of the scenario."""
    if getattr(fa.get_method(method).capabilities, capability):
        assert prepare(needing(method, capability)).model is not None
        return
    with pytest.raises(FlexarmError) as caught:
        prepare(needing(method, capability))
    said = str(caught.value)
    assert re.search(r"\b(arm|drive|joint|link|loops|payload|events|method|time|output)\b", said), said
    assert len(said) > 30 and "\n" not in said


@pytest.mark.parametrize("method", METHODS)
def test_more_links_than_a_method_has_are_refused(method):
    most = fa.get_method(method).capabilities.most_links
    plan = one_link(method)
    two = plan.with_({"arm.links": [*plan.tree["arm"]["links"], SECOND]})
    if most is None:
        assert prepare(two).model is not None
        return
    with pytest.raises(CapabilityError, match=r"arm\.links"):
        prepare(two)


@pytest.mark.parametrize("name", BUNDLED)
def test_every_method_takes_a_bundled_scenario_or_says_why_not(name):
    plan = fa.load(name)
    able = 0
    for method in METHODS:
        other = plan if method == plan.method.name else plan.with_({"method": {"name": method}, "time.step": 1e-4})
        try:
            prepare(other.with_({"time.step": 1e-5}) if method == "fd" else other)
        except FlexarmError as error:
            assert SENTENCE.match(str(error)) and len(str(error)) > 30, str(error)
            assert method != plan.method.name
        else:
            able += 1
    assert able >= 1
