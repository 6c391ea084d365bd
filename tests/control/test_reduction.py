"""Reduced models: their errors, bounds and Hankel values against reference figures of the exact link."""

from __future__ import annotations

import numpy as np
import pytest
from linear_arms import REFERENCE, link, link_model

import flexarm as fa
from flexarm.errors import FlexarmError

READ = {"tip": "tip.travel", "hub": "link.position"}


@pytest.fixture(scope="module")
def twenty() -> fa.StateSpace:
    """Rigid part and twenty modes of the link, damped by 1 % each."""
    whole = fa.state_space(link("fem", resolution=16), outputs=list(READ.values()), damping_ratio=0.01)
    return whole.reduce(modes=20)


def difference(one: fa.StateSpace, other: fa.StateSpace) -> float:
    """Largest difference of two responses, near the resonances of the first and between them."""
    sizes = np.abs(one.poles[one.poles.imag > 0.0])
    omega = np.concatenate(
        [(sizes[:, None] * (1.0 + np.linspace(-0.02, 0.02, 41))).ravel(), np.geomspace(1.0, 1e4, 60)]
    )
    return float(np.abs(one.response(1j * omega) - other.response(1j * omega)).max())


@pytest.mark.parametrize("order", [4, 8, 12])
@pytest.mark.parametrize("name", READ)
def test_errors_and_bounds(twenty, name, order):
    wanted = REFERENCE["reduction"][f"{name}_0g_20modes_zeta1pct"][f"order{order}"]
    one = twenty.select(READ[name])
    balanced, modal = one.reduce(balanced=order), one.reduce(modes=order // 2)
    assert balanced.bound[0, 0] == pytest.approx(wanted["balanced_bound_2sum"], rel=2e-3)
    assert modal.bound[0, 0] == pytest.approx(wanted["modal_bound_sum_of_peaks"], rel=2e-3)
    assert difference(one, balanced) == pytest.approx(wanted["balanced_error"], rel=3e-3)
    assert difference(one, modal) == pytest.approx(wanted["modal_error"], rel=3e-3)
    assert balanced.hankel[order] <= 1.001 * difference(one, balanced) <= balanced.bound[0, 0]
    assert len(balanced.states) == len(modal.states) == order + 2


@pytest.mark.parametrize("name", READ)
def test_hankel_values(twenty, name):
    wanted = REFERENCE["reduction"][f"{name}_0g_20modes_zeta1pct"]["hankel_singular_values_1_12"]
    assert twenty.select(READ[name]).reduce(balanced=2).hankel[:12] == pytest.approx(wanted, rel=2e-3)


def test_the_rigid_part_is_kept_exactly_and_static_correction_is_told(twenty):
    for less in (twenty.reduce(modes=2), twenty.reduce(balanced=6)):
        assert less.low_frequencies()[:2] == pytest.approx(twenty.low_frequencies()[:2], rel=1e-12)
    corrected = twenty.reduce(modes=2, static=True)
    assert corrected.low_frequencies() == pytest.approx(twenty.low_frequencies(), rel=1e-9)
    assert "feed-through" in corrected.point.notes[-1] and np.all(corrected.D != 0.0)
    at = 100j
    plain = np.abs(twenty.reduce(modes=2).response(at) - twenty.response(at))
    assert np.all(np.abs(corrected.response(at) - twenty.response(at)) < 0.1 * plain)


def test_a_tolerance_holds_in_every_output(twenty):
    less = twenty.reduce(tolerance=0.02)
    omega = np.geomspace(5.0, 3e3, 800)
    rigid = twenty.reduce(modes=0)
    whole, error = (
        np.abs(twenty.response(1j * omega) - other.response(1j * omega)).max(axis=0) for other in (rigid, less)
    )
    assert len(less.states) < len(twenty.states) and np.all(error <= less.bound)
    assert np.all(less.bound <= 0.021 * whole)


def test_zeros_of_short_modal_models_are_others():
    """First tip zero from 4 modes: 57.34 in place of 57.108, as known."""
    model = link_model("fem").select("tip.travel")
    assert model.reduce(modes=4).zeros()[0].real == pytest.approx(57.3363, rel=1e-4)


def test_closed_loops_and_actuators_can_be_reduced():
    motor = {"type": "dc-motor", "torque_constant": 0.05, "resistance": 2.0, "inductance": 0.01}
    scenario = fa.load("pd-hub").with_({"drive.0.actuator": motor})
    for joints in ("held", "free"):
        whole = fa.state_space(scenario, joints=joints, outputs="tip.travel")
        less = whole.reduce(balanced=8)
        omega = 1j * np.geomspace(1.0, 1e3, 200)
        assert np.all(np.abs(whole.response(omega) - less.response(omega)) <= less.bound * (1.0 + 1e-6))


@pytest.mark.parametrize("how, words", [
    ({"balanced": 4}, "no error bound: give the arm damping"), ({"tolerance": 0.01}, "damping_ratio="),
    ({}, "give one of modes"), ({"modes": 2, "balanced": 3}, "give one of modes"), ({"modes": 999}, "elastic modes"),
])  # fmt: skip
def test_what_cannot_be_reduced(how, words):
    with pytest.raises(FlexarmError, match=words):
        link_model("fem").select("tip.travel").reduce(**how)


def test_undamped_arms_have_no_bound_but_can_be_cut():
    less = link_model("fem").select("tip.travel").reduce(modes=3)
    assert len(less.states) == 8
    with pytest.raises(FlexarmError, match="an undamped mode has no largest response"):
        _ = less.bound
