"""Linear models of the single link against the exact beam: poles, zeros, low frequencies, residues and responses, in every method."""

from __future__ import annotations

import numpy as np
import pytest
from linear_arms import REFERENCE, elastic, link, link_model

import flexarm as fa

METHODS = fa.method_names()
LOADS = {"0g": 0.0, "20g": 0.02}
NAMES = ("link.position", "tip.travel", "root")


def exact(load: str) -> dict:
    return REFERENCE["transfer_functions"][load]


def per_curvature(method: str) -> float:
    """Strain on the top of the link per curvature, m."""
    return -float(link(method).arm.links[0].properties([0.0])["fibre"][0])


@pytest.mark.parametrize("load", ["0g", pytest.param("20g", marks=pytest.mark.document)])
@pytest.mark.parametrize("method", METHODS)
def test_poles_and_zeros(method, load):
    """Zeros of the hub are clamped frequencies, those of the root strain pinned ones without hub, those of the tip are real."""
    model, wanted = link_model(method, LOADS[load]), exact(load)
    assert model.poles[:2] == pytest.approx([0.0, 0.0], abs=1e-12)
    assert elastic(model.poles)[:3] == pytest.approx(wanted["poles_rad_s"][:3], rel=1e-3)
    assert elastic(model.zeros("link.position"))[:3] == pytest.approx(wanted["clamped_rad_s"][:3], rel=1e-3)
    assert elastic(model.zeros("root"))[:2] == pytest.approx(wanted["pinned_nohub_rad_s"][:2], rel=2e-3)
    right = elastic(model.zeros("tip.travel"), "real")
    assert right[0] == pytest.approx(wanted["tip_zeros_rad_s"][0], rel=3e-4)
    assert right[1] == pytest.approx(wanted["tip_zeros_rad_s"][1], rel=1e-3)


@pytest.mark.parametrize("load", ["0g", pytest.param("20g", marks=pytest.mark.document)])
@pytest.mark.parametrize("method", METHODS)
def test_low_frequencies_and_residues(method, load):
    model, wanted = link_model(method, LOADS[load]).select(NAMES), exact(load)
    rigid, _, constant = model.low_frequencies()[:, :, 0] / np.array([1.0, 1.0, per_curvature(method)])
    taylor = wanted["taylor_s^-2_s0_s2_s4"]
    assert rigid == pytest.approx([taylor[name][0] for name in ("hub", "tip", "kappa")], rel=1e-4, abs=1e-7)
    assert constant == pytest.approx([taylor[name][1] for name in ("hub", "tip", "kappa")], rel=1e-3)
    for k, (hub, tip, kappa) in enumerate(wanted["modal_hub_tip_kappa"][1:4], start=1):
        column = model.C[:, model.states.index(f"mode{k}")] / np.array([1.0, 1.0, per_curvature(method)])
        assert model.B[model.states.index(f"mode{k}.rate"), 0] == pytest.approx(hub, rel=1e-3)
        assert column[:2] == pytest.approx([hub, tip], rel=1.5e-3)
        assert column[2] == pytest.approx(kappa, rel=8e-3)  # the worst reading of any mesh


@pytest.mark.parametrize("damping", [pytest.param("bode_undamped", marks=pytest.mark.document), "bode_kv1pct"])
@pytest.mark.parametrize("method", METHODS)
def test_frequency_response(method, damping):
    wanted = exact("0g")[damping]
    scenario = link(method).with_({"arm.damping": {"time": wanted["eta_s"]}}) if wanted["eta_s"] else link(method)
    omega = np.array(wanted["omega"][:6])
    found = fa.state_space(scenario, outputs=NAMES).response(1j * omega)[:, :, 0]
    for k, (name, scale) in enumerate((("hub", 1.0), ("tip", 1.0), ("kappa", per_curvature(method)))):
        values = np.array(wanted[name][:6]) @ [1.0, 1.0j]
        assert np.abs(found[:, k] / scale / values - 1.0).max() < 6e-3


@pytest.mark.parametrize("method, options, coarse", [
    ("fd", {}, 25), ("fem", {"order": 2}, 4), ("segments", {}, 10), ("modes", {}, 4), ("ancf", {}, 5),
])  # fmt: skip
def test_poles_and_zeros_converge_at_the_order_of_the_method(method, options, coarse):
    wanted, order = exact("0g"), {"fd": 2, "segments": 2, "fem": 4, "ancf": 4, "modes": 4}[method]
    errors = []
    for n in (coarse, 2 * coarse):
        model = fa.state_space(link(method, resolution=n, **options), outputs="tip.travel")
        third = elastic(model.poles)[2] / wanted["poles_rad_s"][2] - 1.0
        errors.append([third, elastic(model.zeros(), "real")[0] / wanted["tip_zeros_rad_s"][0] - 1.0])
    ratio = np.abs(np.divide(*errors))
    assert np.all(ratio > 0.6 * 2.0**order)


@pytest.mark.parametrize("method", METHODS)
def test_velocities_and_accelerations_are_rates(method):
    """G_v = s G_p and G_a = s G_v, the feed-through of accelerations included."""
    model = link_model(method)
    s = np.array([3j, 60j, 400j])
    found = dict(zip(model.outputs, model.response(s)[:, :, 0].T, strict=True))
    pairs = [("link.position", "link.velocity"), ("link.chord_position", "link.chord_velocity"), ("tip.travel", "tip.velocity"),
             ("tip.y", "tip.velocity_y"), ("tip.velocity_y", "tip.acceleration_y"), ("tip.velocity", "tip.acceleration")]  # fmt: skip
    for place, rate in pairs:
        assert found[rate] == pytest.approx(s * found[place], rel=1e-8), rate


@pytest.mark.parametrize("method", METHODS)
def test_torque_through_the_joint_is_that_of_the_motor_less_its_rotor(method):
    """With the rotor of a geared motor, n J q'' behind a gear of n turns each."""
    joint = {"hub_inertia": 5.86e-4, "rotor_inertia": 2e-6, "gear": {"ratio": 12.0}}
    model = fa.state_space(
        link(method).with_({"arm.links.link.joint": joint}), outputs=["link.torque", "link.position"]
    )
    s = np.array([5j, 50j, 150j])
    torque, place = model.response(s)[:, :, 0].T
    assert torque == pytest.approx(1.0 - 144.0 * 2e-6 * s**2 * place, rel=1e-7)
