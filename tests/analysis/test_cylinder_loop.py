"""Loops of cylinders with oil at rest: growth and frequency beside a simulation, and the words about them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import flexarm as fa
from flexarm.analysis.ringdown import ringdown
from flexarm.errors import FlexarmError

sys.path.append(str(Path(__file__).parents[1] / "simulation"))
from jack_reference import SCENARIO


@pytest.fixture(scope="module")
def boom(tmp_path_factory) -> fa.Scenario:
    path = tmp_path_factory.mktemp("jack") / "boom.yaml"
    path.write_text(SCENARIO, encoding="utf-8")
    nudge = {"profile": "cycloid", "by": "0.01 deg", "duration": "0.05 s"}
    return fa.load(path).with_({"arm.links.boom.material": "steel", "drive.boom.motion": nudge, "time.step": "1 ms"})


@pytest.mark.parametrize("leakage", [0.0, 1e-12])
def test_a_loop_grows_as_the_linear_model_says(boom, leakage):
    plan = boom.with_({"drive.boom.actuator.oil.leakage": leakage})
    found = fa.stability(plan)
    data = fa.simulate(plan).data
    seen = ringdown(data.time.values, data.joint_position.values[:, 0], 0.5)
    assert found.abscissa.max() == pytest.approx(-seen.decay_rate, rel=0.02)
    assert not found.stable and "lower loop_gain, or give the cylinder leakage or friction" in found.sentence()
    first = fa.frequencies(plan, n=1, joints="held")
    assert first.hz[0] == pytest.approx(seen.frequency, rel=2e-3)
    assert first.damping[0] < 0.0


def test_leakage_friction_and_less_gain_make_it_stable(boom):
    assert fa.stability(boom).stable
    loose = {"drive.boom.actuator.oil.leakage": 1e-12}
    assert not fa.stability(boom.with_(loose)).stable
    assert fa.stability(boom.with_({**loose, "drive.boom.actuator.loop_gain": "2 1/s"})).stable
    assert fa.stability(boom.with_({**loose, "drive.boom.actuator.cylinder.friction": "1e5 N*s/m"})).stable
    assert fa.stability(boom.with_({"method": {"name": "fem"}})).stable
    assert fa.stability(fa.load("ralf-hydraulic")).stable


def test_a_cylinder_that_is_too_weak_is_said(boom):
    weak = {"drive.boom.actuator.cylinder.area": "1 cm^2", "drive.boom.actuator.cylinder.rod_area": None}
    with pytest.raises(FlexarmError, match="must push with"):
        fa.stability(boom.with_(weak))
