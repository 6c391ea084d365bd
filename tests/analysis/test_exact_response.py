"""The exact response: published figures, an independent finite-element model, conservation laws."""

import json
from pathlib import Path

import hermite_link
import numpy as np
import pytest

from flexarm.analysis.exact_link import ExactLink
from flexarm.analysis.exact_response import PayloadChange, _steady, exact_response
from flexarm.errors import FlexarmError

FIGURES = json.loads((Path(__file__).parent / "data" / "single_link_exact.json").read_text())
BEAM, TORQUE = FIGURES["beam"], FIGURES["bang_torque"]
HUB = ExactLink(**BEAM, hub_inertia=5.86e-4)
TOOL = ExactLink(
    **BEAM, hub_inertia=2e-3, payload_mass=0.03, payload_inertia=4e-5, payload_offset=0.04
)  # fmt: skip


def bang(half):
    return [(0.0, TORQUE), (half, -TORQUE), (2 * half, 0.0)]


def link_of(case):
    return ExactLink(**BEAM, hub_inertia=case["hub_inertia"], payload_mass=case["payload_mass"])


@pytest.mark.parametrize("name", FIGURES["links"])
def test_published_bang_bang(name):
    case = FIGURES["links"][name]
    for run in case["bang"]:
        response = exact_response(link_of(case), bang(run["half"]), run["times"])
        np.testing.assert_allclose(response.tip, run["tip"], atol=5e-9)
        if "hub_angle" in run:
            tolerance = 3e-6 if case["hub_inertia"] == 0.0 else 1e-9
            np.testing.assert_allclose(response.hub_angle, run["hub_angle"], atol=tolerance)
        final = exact_response(link_of(case), bang(run["half"]), [5.0])
        assert final.mean_angle[0] == pytest.approx(run["final_angle"], rel=1e-12)
        assert final.mean_rate[0] == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("name", FIGURES["links"])
def test_published_residual_vibration(name):
    case, link = FIGURES["links"][name], link_of(FIGURES["links"][name])
    known = case["residual"]
    t = np.linspace(0.0, 1.2, 6001)
    response = exact_response(link, bang(0.3), t)
    swing, deflection = (
        response.tip - link.length * response.mean_angle,
        response.tip - link.length * response.hub_angle,
    )
    after = t >= 0.6
    omega = 2 * np.pi * link.frequencies(3)
    static = np.abs(link.shapes(3, link.length) * link.shapes(3, 0.0, derivative=1)) / omega**2 * TORQUE
    found = {
        "peak_to_peak": np.ptp(swing[after]),
        "rms": np.sqrt(np.mean(swing[after] ** 2)),
        "peak_while_driven": np.abs(swing[~after]).max(),
        "deflection_peak": np.abs(deflection).max(),
        "deflection_peak_after": np.abs(deflection[after]).max(),
        "highest_tip": response.tip.max(),
    }
    for key, value in found.items():
        assert value == pytest.approx(known[key], rel=0.01), key
    np.testing.assert_allclose(static, known["mode_static"], rtol=1e-6)
    np.testing.assert_allclose(static * 4 * np.sin(0.15 * omega) ** 2, known["mode_amplitudes"], rtol=1e-5)


@pytest.mark.parametrize("case", FIGURES["payload_change"], ids=lambda case: case["rule"])
def test_published_payload_change(case):
    link = ExactLink(**BEAM, hub_inertia=case["hub_inertia"], payload_mass=case["mass_before"])
    change = PayloadChange(case["at"], case["mass_after"], rule=case["rule"])
    response = exact_response(link, bang(case["half"]), case["times"], changes=[change])
    np.testing.assert_allclose(response.tip, case["tip"], atol=1e-7)
    assert response.tip_velocity[1] == pytest.approx(case["tip_velocity_before"], abs=1e-6)
    assert response.mean_rate[-1] == pytest.approx(case["mean_rate_after"], abs=1e-7)
    # angular momentum just after the change, the torque still acting
    after = exact_response(link, bang(case["half"]), [case["at"] + 1e-9], changes=[change])
    inertia = link.with_payload(case["mass_after"]).total_inertia
    assert inertia * after.mean_rate[0] == pytest.approx(case["momentum_after"], rel=1e-6)


def test_steady_bending_is_the_sum_of_all_modes():
    for link in (ExactLink(**BEAM), HUB, TOOL):
        omega = 2 * np.pi * link.frequencies(1500)
        slope = link.shapes(1500, 0.0, derivative=1)
        for x in (0.3, link.length):
            total = np.sum(slope * link.shapes(1500, x) / omega**2)
            assert _steady(link, x) == pytest.approx(total, rel=1e-6)
        left_out = _steady(link, 0.0, 1) / np.sum(slope**2 / omega**2) - 1.0
        assert -1e-9 < left_out < (1e-3 if link.hub_inertia == 0.0 else 1e-9)


def test_the_steady_part_speeds_up_the_hub_angle():
    """Thirty modes of a link without hub: the plain sum lacks two per cent of the hub's elastic angle."""
    link, steps, t = ExactLink(**BEAM), [(0.0, TORQUE)], np.linspace(0.05, 0.3, 26)
    fine, coarse = (exact_response(link, steps, t, modes=n).hub_angle for n in (1000, 30))
    omega, slope = 2 * np.pi * link.frequencies(30), link.shapes(30, 0.0, derivative=1)
    plain = coarse - TORQUE * (_steady(link, 0.0, 1) - np.sum(slope**2 / omega**2))
    error = np.sqrt(np.mean((coarse - fine) ** 2))
    assert error < 2e-5
    assert np.sqrt(np.mean((plain - fine) ** 2)) > 8 * error


@pytest.mark.parametrize("rule", ["at-rest", "matched", "released"])
def test_payload_with_inertia_and_offset_against_elements(rule):
    light = TOOL.with_payload(0.01, 1e-5, 0.02)
    before, after = (TOOL, light) if rule == "released" else (light, TOOL)
    n, size = 60, 121
    y, v = np.zeros(size), np.zeros(size)
    y, v = hermite_link.coast(before, n, y, v, 0.1, 0.25)
    old, new = hermite_link.matrices(before, n)[0], hermite_link.matrices(after, n)[0]
    if rule == "at-rest":
        v = np.linalg.solve(new, old @ v)
    tips, hubs = [], []
    for torque, duration in ((0.1, 0.05), (-0.1, 0.3), (0.0, 0.4)):
        y, v = hermite_link.coast(after, n, y, v, torque, duration)
        tips.append(y[-2])
        hubs.append(y[0])
    payload = (after.payload_mass, after.payload_inertia, after.payload_offset)
    response = exact_response(
        before,
        [(0.0, 0.1), (0.3, -0.1), (0.6, 0.0)],
        [0.3, 0.6, 1.0],
        changes=[PayloadChange(0.25, *payload, rule)],
    )
    np.testing.assert_allclose(response.tip, tips, atol=1e-5)
    np.testing.assert_allclose(response.hub_angle, hubs, atol=2e-5)


def test_momentum_and_field():
    """The field carries the angular momentum of the torque, and ends at hub and tip as reported."""
    nodes, weights = np.polynomial.legendre.leggauss(60)
    x, w = 0.5 * TOOL.length * (nodes + 1.0), 0.5 * TOOL.length * weights
    small = 1e-4
    places = np.concatenate([x, [0.0, small, 2 * small, TOOL.length - small, TOOL.length]])
    t = np.array([0.1, 0.37, 0.9])
    response = exact_response(TOOL, [(0.0, 0.08), (0.5, -0.02)], t, x=places)
    y = response.field
    root = (4 * y[:, 61] - y[:, 62] - 3 * y[:, 60]) / (2 * small)
    np.testing.assert_allclose(root, response.hub_angle, atol=1e-6)
    np.testing.assert_allclose(y[:, -1], response.tip, atol=1e-15)
    np.testing.assert_allclose(y[:, 60], 0.0, atol=1e-15)
    tip = np.stack([y[:, -1], (y[:, -1] - y[:, -2]) / small])
    moment = TOOL.rhoA * y[:, :60] @ (w * x) + TOOL.hub_inertia * response.hub_angle
    moment += np.array([TOOL.length, 1.0]) @ TOOL.tip_mass @ tip
    twice = np.where(t < 0.5, 0.04 * t**2, 0.01 + 0.04 * (t - 0.5) - 0.01 * (t - 0.5) ** 2)
    np.testing.assert_allclose(moment, twice, rtol=1e-5)
    np.testing.assert_allclose(response.mean_angle, twice / TOOL.total_inertia, rtol=1e-12)


def test_shift_scale_and_order_of_times():
    t = np.array([0.9, 0.3, 0.6])
    plain = exact_response(HUB, bang(0.3), t)
    later = exact_response(HUB, [(a + 0.2, 2 * b) for a, b in bang(0.3)], t + 0.2)
    np.testing.assert_allclose(later.tip, 2 * plain.tip, rtol=1e-12)
    np.testing.assert_allclose(later.tip_velocity, 2 * plain.tip_velocity, atol=1e-12)
    np.testing.assert_allclose(exact_response(HUB, bang(0.3), np.sort(t)).tip, plain.tip[[1, 2, 0]])
    still = exact_response(HUB, [(0.5, 1.0)], [0.0, 0.5])
    assert np.all(still.tip == 0.0)
    assert still.field.shape == (2, 21)
    step = 1e-6
    around = exact_response(HUB, bang(0.3), [0.45 - step, 0.45, 0.45 + step])
    assert around.tip_velocity[1] == pytest.approx((around.tip[2] - around.tip[0]) / (2 * step), abs=1e-6)


def test_wrong_input_is_refused_in_words():
    with pytest.raises(FlexarmError, match="one time twice"):
        exact_response(HUB, [(0.0, 1.0), (0.0, 2.0)], [1.0])
    with pytest.raises(FlexarmError, match="finite"):
        exact_response(HUB, [(0.0, np.inf)], [1.0])
    for change, words in (
        (PayloadChange(0.1, 0.01, rule="dropped"), "at-rest, matched, released"),
        (PayloadChange(0.1, 0.01, rule="released"), "gets lighter"),
    ):
        with pytest.raises(FlexarmError, match=words):
            exact_response(HUB, bang(0.3), [1.0], modes=20, changes=[change])
    with pytest.raises(FlexarmError, match="gets heavier"):
        exact_response(TOOL, bang(0.3), [1.0], modes=20, changes=[PayloadChange(0.1)])
