"""Laws from allowed sizes and noise: gains, poles, observers and spill-over against reference figures of the exact link."""

from __future__ import annotations

import re
from functools import cache

import numpy as np
import pytest
from linear_arms import REFERENCE, elastic, link, link_model

import flexarm as fa
from flexarm.control.state_space import Point
from flexarm.errors import FlexarmError

WANTED = REFERENCE["feedback"]
SIZES = {"tip.travel": 0.02, "tip.velocity": 0.5, "link.torque": 0.1}
NOISE = {"link.torque": 0.02, "link.position": 1e-4, "root": 1e-6}
FIBRE = 1.6e-3


def exact(modes: int = 4) -> fa.StateSpace:
    """The rigid motion and some exact modes of the link, damped by 1 % each; strain at 1.6 mm from its axis."""
    reference = REFERENCE["transfer_functions"]["0g"]
    hub, tip, kappa = np.array(reference["modal_hub_tip_kappa"][: modes + 1]).T
    w = np.array([0.0, *reference["poles_rad_s"][:modes]])
    n = modes + 1
    A, B, C = np.zeros((2 * n, 2 * n)), np.zeros((2 * n, 1)), np.zeros((4, 2 * n))
    A[:n, n:], A[n:, :n], A[n:, n:], B[n:, 0] = np.eye(n), -np.diag(w**2), -np.diag(0.02 * w), hub
    C[0, :n], C[1, :n], C[2, n:], C[3, :n] = hub, tip, tip, -FIBRE * kappa
    names = ["rigid1", *(f"mode{k}" for k in range(1, n))]
    outputs = ("link.position", "tip.travel", "tip.velocity", "root")
    states = (*names, *(f"{name}.rate" for name in names))
    return fa.StateSpace(A, B, C, np.zeros((4, 1)), states, ("link.torque",), outputs, point=Point(pose={"link": 0.0}))


@cache
def mesh() -> fa.StateSpace:
    """The same link by finite elements."""
    return fa.state_space(link("fem", resolution=12), damping_ratio=0.01)


def mesh_noise() -> dict[str, float]:
    """Noise of a gauge on the surface of the mesh's link that is the same in curvature."""
    return {**NOISE, "root": 1e-6 * float(link("fem").arm.links[0].properties([0.0])["fibre"][0]) / FIBRE}


def test_gains_and_poles():
    law = fa.lqr(exact(), SIZES)
    assert law.K[0] == pytest.approx(WANTED["lqr"]["K_q"] + WANTED["lqr"]["K_qdot"], rel=1e-8)
    assert law.poles[::2] == pytest.approx(np.array(WANTED["lqr"]["poles"]) @ [1.0, 1.0j], rel=1e-8)
    rigid = law.K[0, 0] / exact().C[0, 0]
    assert rigid == pytest.approx(0.96 * 0.1 / 0.02, rel=1e-9)  # from the symmetric root locus, whatever the arm


def test_sampled_gains_with_integral():
    assert fa.lqr(exact(), SIZES, 1e-3).K[0] == pytest.approx(WANTED["lqg"]["K"], rel=1e-8)
    law = fa.lqr(exact(), SIZES, 1e-3, integral={"link.position": 0.02})
    assert law.K[0] == pytest.approx(WANTED["lqi"]["K"], rel=1e-8)
    wanted = np.array(WANTED["lqi"]["poles_s"]) @ [1.0, 1.0j]
    assert np.sort_complex(law.poles[law.poles.imag >= 0.0]) == pytest.approx(np.sort_complex(wanted), rel=1e-7)


def test_observer():
    law = fa.lqg(exact(), SIZES, NOISE, 1e-3)
    assert pytest.approx(np.array(WANTED["lqg"]["Kf"]), rel=1e-6) == law.F
    radius = np.abs(np.linalg.eigvals(law.loop(exact()))).max()
    assert radius == pytest.approx(WANTED["spillover"]["modes4_y0.02_plain"]["4"], abs=3e-4)
    assert radius == pytest.approx(0.9953390, abs=1e-7)


@pytest.mark.parametrize("form", ["filter", pytest.param("predictor", marks=pytest.mark.document)])
def test_laws_on_larger_truths(form):
    """Stable on twelve damped modes, unstable without damping: that is told with the mode that grows."""
    law = fa.lqg(mesh().reduce(modes=4), SIZES, mesh_noise(), 1e-3, form=form)
    worst, fine = law.check(link("fem", resolution=12), modes=12, frequency=0.0, damping_ratios=(0.01, 1e-9))
    assert (
        fine.radius == pytest.approx(WANTED["lqg"][f"{form}_12modes_zeta0.01_spectral_radius"], abs=3e-6)
        and fine.stable
    )
    assert worst.radius - 1.0 == pytest.approx(
        WANTED["lqg"][f"{form}_12modes_zeta1e-09_spectral_radius"] - 1.0, rel=0.02
    )
    assert not worst.stable and "damping 1e-07 %" in worst.case
    if form == "filter":
        assert worst.hz == pytest.approx(1533.112 / (2.0 * np.pi), rel=2e-3)


@pytest.mark.parametrize(
    "case", ["modes1_y0.02", "modes1_y0.005", "modes2_y0.02", "modes2_y0.005", "modes3_y0.005", "modes4_y0.005"]
)
def test_spill_over(case):
    modes, size = int(case[5]), float(case[8:])
    sizes = {"tip.travel": size, "tip.velocity": 25.0 * size, "link.torque": 0.1}
    law = fa.lqg(mesh().reduce(modes=modes), sizes, mesh_noise(), 1e-3)
    truth = mesh().reduce(modes=12, static=True)
    radius = np.abs(np.linalg.eigvals(law.loop(truth))).max()
    assert radius == pytest.approx(WANTED["spillover"][f"{case}_plain"]["12"], abs=3e-5)


@pytest.mark.parametrize("integral", [None, {"link.position": 0.02}])
def test_disturbances(integral):
    """A push of 0.05 N m for 0.1 s, or with integral action one of 0.02 N m that stays."""
    law = fa.lqg(mesh().reduce(modes=4), SIZES, mesh_noise(), 1e-3, integral)
    plant = mesh().reduce(modes=12, static=True).select([*law.sensors, "tip.travel"]).discrete(1e-3)
    x, block, b, u, last, rows = np.zeros(len(plant.A)), law.block(), 0.0, 0.0, 0.0, []
    for k in range(1500 if integral is None else 5001):
        y = plant.C @ x + plant.D[:, 0] * (u + last)
        u, last = float(law.step(y[:2])[0]), (0.05 if k < 100 else 0.0) if integral is None else 0.02
        b = np.zeros(len(block.A)) if k == 0 else b
        assert k > 300 or block.C @ b + block.D @ y[:2] == pytest.approx(u, rel=1e-6, abs=1e-12)
        b = block.A @ b + block.B @ y[:2]
        x = plant.A @ x + plant.B[:, 0] * (u + last)
        rows.append([y[law.sensors.index("link.position")], y[2], u])
    hub, tip, torque = np.abs(rows).T
    if integral is None:
        wanted = WANTED["lqg"]["disturbance_0.05Nm_0.1s"]
        assert (hub.max(), tip.max(), torque.max()) == pytest.approx(
            (wanted["peak_hub_rad"], wanted["peak_tip_m"], wanted["peak_torque_Nm"]), rel=1e-3
        )
        assert np.flatnonzero(tip > 0.02 * tip.max())[-1] == pytest.approx(1e3 * wanted["settle_2pct_s"], abs=2)
    else:
        wanted = WANTED["lqi"]["step_disturbance_0.02Nm"]
        assert hub.max() == pytest.approx(wanted["peak_hub_rad"], rel=1e-3) and hub.argmax() == pytest.approx(
            385, abs=2
        )
        assert hub[[1000, 2000]] == pytest.approx(wanted["hub_at_1_2_5s"][:2], rel=2e-3)
        assert torque[5000] == pytest.approx(0.02, rel=2e-4)


def test_a_law_runs_the_arm_and_its_limit_holds():
    """The arm is let go with a rate, and comes to rest where the model is about."""
    scenario = link("fem", resolution=4).with_({
        "drive": [{"joint": "link", "control": {"type": "external", "period": "1 ms"}}], "time": {"end": 0.6, "step": 1e-3},
        "arm.links.link.joint.velocity": 0.1, "output.every": 5e-3,
    })  # fmt: skip
    plant = fa.state_space(scenario, damping_ratio=0.01).reduce(modes=3)
    data = fa.simulate(scenario, controller=fa.lqg(plant, SIZES, NOISE, 1e-3)).data
    travel = np.abs(data.travel.values)
    assert travel.max() > 5e-3 and travel[-1] < 0.05 * travel.max()
    gentle = fa.simulate(scenario, controller=fa.lqg(plant, SIZES, NOISE, 1e-3, limit=0.01)).data
    assert np.abs(gentle.drive_torque.values).max() == pytest.approx(0.01, rel=1e-9)


@pytest.mark.parametrize("gain", [1.0, pytest.param(-0.5, marks=pytest.mark.document)])
@pytest.mark.parametrize("method", fa.method_names())
def test_feedback_of_the_root_strain_is_another_hub(method, gain):
    """tau = u + g EI y''(0): the arm with the hub inertia over 1 + g."""
    model = link_model(method)
    values = link(method).arm.links[0].properties([0.0])
    poles = model.feedback("root", -gain * values["EI"][0] / values["fibre"][0]).poles
    assert elastic(poles)[:2] == pytest.approx(WANTED[f"strain_feedback_g{gain}_rad_s"][:2], rel=4e-3)


@pytest.mark.parametrize("method", fa.method_names())
def test_poles_of_a_held_hub(method):
    law = {"joint": "link", "motion": {"profile": "constant"}, "control": {"type": "pd", "kp": 1.5, "kv": 0.15}}
    model = fa.state_space(link(method).with_({"drive": [law]}), joints="held", outputs="tip.travel")
    wanted = np.array(WANTED["pd_held_poles_kp1.5_kv0.15"][:2]) @ [1.0, 1.0j]
    found = model.poles[model.poles.imag > 1.0]
    assert [found[np.argmin(np.abs(found - pole))] for pole in wanted] == pytest.approx(wanted, rel=2e-3)


def test_placed_poles():
    pytest.importorskip("control")
    poles = [-5.0, -6.0, -8.0 + 70.0j, -8.0 - 70.0j]
    law = fa.place(exact(1), poles)
    assert np.sort_complex(law.poles) == pytest.approx(np.sort_complex(np.array(poles)), rel=1e-6)


@pytest.mark.parametrize("make, words", [
    (lambda: fa.lqr(exact(), {"tip.velocity": 0.5, "link.torque": 0.1}), "leave 'rigid1' free"),
    (lambda: fa.lqr(exact(), {"tip.travel": 0.02}), "largest size of 'link.torque'"),
    (lambda: fa.lqr(exact(), {**SIZES, "tip.travl": 1.0}), "did you mean 'tip.travel'"),
    (lambda: fa.lqr(exact(), {**SIZES, "tip.travel": 0.0}), "larger than 0"),
    (lambda: fa.lqr(exact().discrete(1e-3), SIZES), "continuous time"),
    (lambda: fa.lqg(exact(), SIZES, {**NOISE, "root": 0.0}, 1e-3), "trusts a reading fully"),
    (lambda: fa.lqg(exact(), SIZES, {"link.torque": 0.02}, 1e-3), "at least one sensor"),
    (lambda: fa.lqg(exact(), SIZES, {"link.torque": 0.02, "root": 1e-6}, 1e-3), "do not see some motion"),
    (lambda: fa.lqg(exact(), SIZES, NOISE, 1e-3, {"tip.travel": 0.1}), "needs it as a sensor"),
    (lambda: fa.lqg(exact(), SIZES, NOISE, 1e-3).check(link("fem"), modes=5), "at least 12 modes"),
    (lambda: fa.place(exact(), [-1.0]), "give 10 poles"),
])  # fmt: skip
def test_bad_input_gets_a_sentence(make, words):
    with pytest.raises(FlexarmError, match=words):
        make()


@pytest.mark.document
def test_one_law_holds_the_arm_in_every_method():
    """Designed on finite elements, run in all methods: the same peak of the tip within 1 %."""
    more = {
        "drive": [{"joint": "link", "control": {"type": "external", "period": "1 ms"}}], "time": {"end": 0.5, "step": 5e-4},
        "arm.links.link.joint.velocity": 0.1, "arm.damping": {"time": 2.7e-4}, "output.every": 1e-3,
    }  # fmt: skip
    plant = fa.state_space(link("fem").with_(more)).reduce(modes=4)
    peaks = {}
    for method in fa.method_names():
        law = fa.lqg(plant, SIZES, mesh_noise(), 1e-3)
        assert law.check(link(method).with_(more), frequency=0.0)[0].stable
        peaks[method] = float(np.abs(fa.simulate(link(method).with_(more), controller=law).data.travel.values).max())
    assert np.array(list(peaks.values())) == pytest.approx(peaks["fem"], rel=0.01), peaks


def held_by_a_law(**more) -> fa.Scenario:
    """The link by differences, its torque from outside."""
    return link("fd", resolution=40).with_({
        "drive": [{"joint": "link", "control": {"type": "external", "period": "1 ms"}}], "time": {"end": 0.02, "step": 1e-3}, **more,
    })  # fmt: skip


def test_spill_over_is_told_before_a_run():
    """Designs on too few modes, which are unstable on a larger truth, are told with the mode that grows, once per law and arm."""
    plan, calls = held_by_a_law(), []
    plant = fa.state_space(plan, damping_ratio=0.01)
    for modes, size in ((1, 0.02), (1, 0.005), (2, 0.005)):
        sizes = {"tip.travel": size, "tip.velocity": 25.0 * size, "link.torque": 0.1}
        law = fa.lqg(plant.reduce(modes=modes), sizes, NOISE, 1e-3)
        check = law.check
        law.check = lambda *words, check=check: calls.append(words) or check(*words)
        for _ in range(2):
            (said,) = [
                note for note in fa.simulate(plan, controller=law).notes if "law makes this arm unstable" in note
            ]
        hz = float(re.search(r"at ([0-9.]+) Hz", said)[1])
        beyond = plant.poles.imag[2 * modes + 2 :] / (
            2.0 * np.pi
        )  # behind the rigid motion and the modes of the design
        assert np.abs(beyond - hz).min() < 1e-3 * hz
    assert len(calls) == 3
    assert (
        not any("unstable" in note for note in fa.simulate(plan, controller=law, warn=False).notes) and len(calls) == 3
    )


def test_a_law_that_is_stable_is_not_spoken_of():
    plan = held_by_a_law(**{"arm.damping": {"ratio": 0.05}})
    plant = fa.state_space(plan)
    law = fa.lqg(plant.reduce(modes=4), SIZES, NOISE, 1e-3)
    assert law.check_before_run(plan) == []
    other = plan.with_({"output.gauges": []})
    with pytest.raises(FlexarmError, match=r"law does not fit this arm.*root"):
        fa.simulate(other, controller=law)
