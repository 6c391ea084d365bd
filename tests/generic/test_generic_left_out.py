"""What a model leaves out is said with a number, and the number is right: against finite elements that leave nothing out."""

from __future__ import annotations

import re

import numpy as np
import pytest

import flexarm as fa

FULL = {"name": "fem", "resolution": 8, "order": 2}


def held(method: object, section: dict, length: float, payload: float, **arm: object) -> fa.Scenario:
    link = {"name": "rod", "length": length, "section": section, "material": "steel"}
    return fa.Scenario.model_validate({
        "name": "held", "arm": {"links": [link], "payload": {"mass": payload}, **arm}, "method": method,
        "drive": [{"joint": "rod", "motion": {"profile": "constant"}}],
        "time": {"end": 0.1, "step": 1e-3, "start": "equilibrium"},
    })  # fmt: skip


def number(notes: tuple[str, ...], pattern: str) -> float:
    """The number that a note says, 0 if none does."""
    found = [match[1] for note in notes if (match := re.search(pattern, note))]
    assert len(found) <= 1
    return float(found[0]) if found else 0.0


@pytest.mark.parametrize("method", fa.method_names())
@pytest.mark.parametrize("payload", [0.0, 20.0])
@pytest.mark.parametrize("length", [0.3, 2.0])
def test_shear_and_rotary_inertia(method, payload, length):
    tube = {"shape": "tube", "diameter": 0.1, "inner": 0.09}
    found = fa.frequencies(held(method, tube, length, payload), n=1)
    full = fa.frequencies(held(FULL, tube, length, payload), n=1).hz[0]
    said = number(found.notes, r"lower the first frequency of such a link by about ([\d.]+) %") / 100.0
    assert said == pytest.approx(1.0 - full / found.hz[0], abs=0.012)


@pytest.mark.parametrize("method", fa.method_names())
@pytest.mark.parametrize("payload", [0.0, 2400.0])
def test_axial_vibration(method, payload):
    """Of a load of a thousand times the mass of its link."""
    bar = {"shape": "rectangle", "width": 0.01, "height": 0.03}
    found = fa.frequencies(held(FULL if method == "fem" else method, bar, 1.0, payload), n=3)
    full = fa.frequencies(held(FULL, bar, 1.0, payload), n=3).hz
    said = number(found.notes, r"axial vibration with what it carries, at about ([\d.e+]+) Hz")
    missing = [hz for hz in full if np.abs(found.hz / hz - 1.0).min() > 0.1]
    assert [said] * bool(said) == pytest.approx(missing, rel=0.01)


@pytest.mark.parametrize("method", fa.method_names())
@pytest.mark.parametrize("payload", [0.0, 1.0])
def test_deflection_by_weight(method, payload):
    strip = {"shape": "rectangle", "width": 0.02, "height": 0.006}
    arm = held(method, strip, 1.2, payload, gravity=[0.0, -9.81, 0.0])
    notes = fa.simulate(arm, warn=False).notes
    sag = abs(fa.simulate(arm.with_({"method": FULL}), warn=False).data.deflection.values[0, 0, -1]) / 1.2
    said = number(tuple(notes), r"bends link 'rod' by about ([\d.]+) % of its length in the start pose") / 100.0
    limit = {"fd": 0.05, "modes": 0.1}.get(method, 1.0)
    assert said == pytest.approx(sag if sag > limit else 0.0, rel=0.05)
