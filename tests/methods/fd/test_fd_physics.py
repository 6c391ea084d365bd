"""Cases in which a plausible scheme goes wrong: strong damping, jumps, massless ends, lumps, stiff links.

Figures named as finite elements were computed with cubic Hermite elements, exact in time, outside this package.
"""

from __future__ import annotations

import json

import numpy as np
import pytest

import flexarm as fa
from flexarm.simulation.build import prepare

HUB = {"hub_inertia": 1e-3}
BANG = [{"joint": "a", "torque": {"profile": "bang-bang", "amplitude": 0.1, "duration": 0.3}}]
PAYLOAD = {"mass": 0.05}
FIBRE, EI = 0.003, 7e10 * 5.4e-10


def scenario(joint=None, drive=(), arm=None, link=None, time=None, method=None, output=None, **rest):
    part = {"name": "a", "length": 1.0, "section": {"shape": "rectangle", "width": 0.03, "height": 0.006},
            "material": {"E": 7e10, "density": 2700.0}, "joint": joint or {}, **(link or {})}  # fmt: skip
    return fa.loads(json.dumps({
        "name": "t", "arm": {"links": [part], **(arm or {})}, "drive": list(drive),
        "method": {"name": "fd", "resolution": 40, **(method or {})}, "time": {"end": 0.6, **(time or {})},
        "output": output or {"every": 0.01}, **rest,
    }))  # fmt: skip


def energy(run, kind: str) -> float:
    return float(run.data.energy.sel(kind=kind)[-1])


def test_newmark_lets_strongly_damped_modes_die_after_events():
    """Finite elements: 1.447 mm; average acceleration alone gave 2.84 mm."""
    events = [{"at": 0.1, "payload": {"mass": 0.1}, "rule": "at-rest"},
              {"at": 0.23, "payload": {"mass": 0.2, "inertia": 1e-3}, "rule": "matched"}]  # fmt: skip
    case = scenario(HUB, BANG, {"damping": {"time": 1e-3}}, events=events, time={"step": 5e-4},
                    method={"resolution": 160, "scheme": "newmark"})  # fmt: skip
    run = fa.simulate(case)
    assert 1e3 * float(abs(run.data.deflection).max()) == pytest.approx(1.447, rel=2e-3)
    exact = fa.simulate(case.with_({"method.scheme": "exact"}))
    assert float(run.data.travel[-1]) == pytest.approx(float(exact.data.travel[-1]), rel=2e-3)
    assert abs(energy(run, "residual")) < 1e-10 and energy(run, "numerical") != 0.0


def test_newmark_stays_of_second_order_when_every_step_is_a_tick():
    pd = {"joint": "a", "motion": {"profile": "quintic", "by": 0.2, "duration": 0.3},
          "control": {"type": "pd", "kp": 5.0, "kv": 0.3, "period": 4e-3}}  # fmt: skip

    def tip(scheme: str, h: float) -> np.ndarray:
        case = scenario(HUB, [pd], {"damping": {"time": 2e-4}}, time={"step": h, "end": 0.4}, output={"every": 0.02},
                        method={"scheme": scheme, "resolution": 12})  # fmt: skip
        return fa.simulate(case).data.travel.values

    truth = tip("exact", 1e-3)  # the held torque is constant in a step
    errors = [np.abs(tip("newmark", h) - truth).max() for h in (2e-3, 1e-3)]  # two and four steps per tick: all soft
    assert errors[0] / errors[1] > 3.2
    assert errors[1] < 1e-4 * np.abs(truth).max()


def test_chunks_do_not_matter_while_soft_steps_are_left():
    case = scenario(HUB, BANG, {"damping": {"time": 1e-3}}, time={"step": 1e-3}, method={"scheme": "newmark"})
    whole, pieces = fa.simulate(case), fa.simulate(case, chunk=3)
    assert np.array_equal(whole.data.deflection.values, pieces.data.deflection.values)


def test_loss_of_the_exact_scheme_with_overdamped_modes():
    """Was -3419 J; a fine run of newmark gives 0.3214 J."""
    move = {"joint": "a", "motion": {"profile": "cycloid", "by": 0.7, "duration": 0.5}}
    event = {"at": 0.2, "payload": {"mass": 0.1}, "rule": "at-rest"}
    run = fa.simulate(scenario(HUB, [move], {"damping": {"time": 1e-3}}, method={"scheme": "exact"}, events=[event]))
    assert energy(run, "dissipated") == pytest.approx(0.3214, rel=1e-3)
    assert abs(energy(run, "residual")) < 1e-9


@pytest.mark.parametrize("scheme", ["newmark", "exact", "leapfrog"])
def test_momentum_follows_the_impulse_through_a_jump_of_velocity(scheme):
    joint = {"hub_inertia": 1e-3, "rotor_inertia": 3e-3}
    drive = [{"joint": "a", "motion": {"profile": "constant", "speed": 0.5}}]
    damping = {} if scheme == "leapfrog" else {"damping": {"time": 5e-4}}
    run = fa.simulate(scenario(joint, drive, {"payload": PAYLOAD, **damping}, method={"scheme": scheme}))
    assert float(abs(run.data.angular_momentum - run.data.torque_impulse).max()) < 1e-10
    assert abs(energy(run, "residual")) < 1e-10
    assert energy(run, "dissipated") >= 0.0


def test_swing_of_a_stiff_link_on_a_fine_grid():
    """A pendulum at 0.59441 Hz beside squared frequencies of 1e16; was wrong by a factor of four."""
    stiff = {"section": {"shape": "rectangle", "width": 0.03, "height": 0.1}}
    run = fa.simulate(scenario({"position": -np.pi / 2, "velocity": 0.1}, [], {"gravity": [0, -9.81, 0],
                      "payload": {"mass": 0.5}}, stiff, {"end": 1.0, "step": 1e-3},
                      {"resolution": 400, "scheme": "exact"}))  # fmt: skip
    w = 2 * np.pi * 0.59441
    expected = 0.1 / w * np.sin(w * run.data.time.values) - np.pi / 2
    assert np.abs(run.data.joint_position.values[:, 0] - expected).max() < 1e-3 * 0.1 / w


@pytest.mark.parametrize("place", [0.43, 0.5, 0.006, 0.994])
def test_lumps_with_rotary_inertia_are_of_second_order(place):
    def found(n: int) -> np.ndarray:
        lump = {"masses": [{"at": place, "mass": 0.3, "inertia": 5e-3}]}
        return fa.frequencies(scenario(HUB, BANG, link=lump, method={"resolution": n}), n=3, joints="free").hz

    coarse, fine, finest = found(40), found(80), found(160)
    limit = finest + (finest - fine) / 3
    assert np.all(np.abs(finest / limit - 1) < 1e-3)
    assert np.all(np.abs(coarse - limit) < 1e-2 * limit)
    if place == 0.43:  # finite elements
        np.testing.assert_allclose(limit, [15.801, 43.968, 89.076], rtol=2e-4)
    if place == 0.5:
        np.testing.assert_allclose((fine - coarse) / (finest - fine), 4.0, rtol=0.1)


def test_a_lump_at_the_root_turns_with_the_hub_and_one_at_the_tip_with_the_payload():
    def hz(joint=None, masses=(), payload=None) -> np.ndarray:
        arm = {"payload": payload} if payload else {}
        return fa.frequencies(scenario(joint, BANG, arm, {"masses": list(masses)}), n=3, joints="free").hz

    np.testing.assert_allclose(hz({}, [{"at": "root", "mass": 0.3, "inertia": 5e-3}]), hz({"hub_inertia": 5e-3}))
    np.testing.assert_allclose(hz(HUB, [{"at": 1.0, "mass": 0.3, "inertia": 5e-3}]),
                               hz(HUB, payload={"mass": 0.3, "inertia": 5e-3}), rtol=1e-9)  # fmt: skip


def test_a_lump_in_motion_agrees_between_schemes():
    lump = {"masses": [{"at": 0.43, "mass": 0.05, "inertia": 1e-4}]}
    tips = {}
    for scheme in ("leapfrog", "newmark", "exact"):
        case = scenario(HUB, BANG, {"damping": {"time": 2e-5}}, lump, {"step": 2e-5, "end": 0.3},
                        {"scheme": scheme, "resolution": 12})  # fmt: skip
        run = fa.simulate(case)
        tips[scheme] = run.data.travel.values
        assert abs(energy(run, "residual")) < 1e-10
    for scheme in ("leapfrog", "newmark"):
        assert np.abs(tips[scheme] - tips["exact"]).max() < 1e-3 * np.abs(tips["exact"]).max()


def test_pinned_tip_with_a_given_motion_and_damping():
    move = {"joint": "a", "motion": {"profile": "cycloid", "by": 0.05, "duration": 0.5}}
    arm = {"payload": PAYLOAD, "damping": {"time": 5e-3}}
    runs = [fa.simulate(scenario(HUB, [move], arm, time={"step": 2e-4}, method={"tip": "pinned", "scheme": scheme}))
            for scheme in ("exact", "newmark")]  # fmt: skip
    for run in runs:
        assert energy(run, "dissipated") == pytest.approx(4.2513e-3, rel=1e-3)
        assert float(run.data.joint_torque.sel(time=0.25, method="nearest")[0]) == pytest.approx(2.9475, rel=1e-3)
        assert abs(energy(run, "residual")) < 1e-10


def test_gauges_at_the_ends_of_the_one_sided_closure():
    gauges = {"every": 0.01, "gauges": [{"link": "a", "at": 0}, {"link": "a", "at": 1}]}
    arm = {"damping": {"time": 1e-3}, "payload": {"mass": 0.05, "inertia": 5e-3}}
    found = {}
    for variant in ("sound", "paper"):
        case = scenario({"hub_inertia": 0.05}, BANG, arm, output=gauges, method={"variant": variant, "resolution": 160})
        found[variant] = fa.simulate(case).data.strain.values
    scale = np.abs(found["sound"]).max(axis=0)
    assert np.all(scale > 1e-6)
    assert np.all(np.abs(found["paper"] - found["sound"]).max(axis=0) < 0.1 * scale)


@pytest.mark.parametrize("scheme", ["leapfrog", "newmark", "exact"])
def test_rate_of_a_massless_hub_is_that_of_its_angle(scheme):
    torque = [{"joint": "a", "torque": {"profile": "versine", "amplitude": 0.1, "duration": 0.1}}]
    data = fa.simulate(scenario({}, torque, {"payload": PAYLOAD}, time={"end": 0.1, "step": 1e-4},
                                method={"resolution": 10, "scheme": scheme}, output={"every": 1e-4})).data  # fmt: skip
    rate = np.gradient(data.joint_position.values[:, 0], data.time.values)
    off = np.abs(rate - data.joint_velocity.values[:, 0])[2:-2].max()
    assert off < 2e-3 * np.ptp(rate)


@pytest.mark.parametrize("scheme", ["newmark", "exact"])
def test_root_strain_of_a_massless_hub_relaxes_with_damping(scheme):
    """1 ms after the torque turns round: 5.06 um/m by finite elements, and 0 at the start."""
    gauge = {"every": 1e-3, "gauges": [{"link": "a", "at": 0}]}
    run = fa.simulate(scenario({}, BANG, {"payload": PAYLOAD, "damping": {"time": 5e-3}}, output=gauge,
                               time={"step": 1e-4}, method={"scheme": scheme}))  # fmt: skip
    assert 1e6 * float(run.data.strain.sel(time=0.151, method="nearest")[0]) == pytest.approx(5.06, abs=0.01)
    assert float(run.data.strain[0, 0]) == 0.0
    assert abs(energy(run, "residual")) < 1e-10


@pytest.mark.parametrize("eta", [0.0, 1e-3])
def test_a_moment_patch_that_reaches_the_tip_strains_the_tip(eta):
    patch = {"patch": {"link": "a", "from": 0.6, "to": 1.0}, "moment": {"profile": "constant", "amplitude": 0.5}}
    gauges = [{"link": "a", "at": at} for at in (0.9, 0.99, 1.0)]
    arm = {"damping": {"time": eta}} if eta else {}
    data = fa.simulate(scenario({}, [{"joint": "a", "motion": {"profile": "constant"}}, patch], arm,
                                time={"start": "equilibrium", "end": 0.01},
                                output={"every": 0.01, "gauges": gauges})).data  # fmt: skip
    np.testing.assert_allclose(data.strain.values, -FIBRE * 0.5 / EI, rtol=1e-9)


def test_an_event_keeps_the_damping_time_of_a_ratio():
    event = {"at": 0.3, "payload": {"mass": 2.0}, "rule": "matched"}
    case = scenario(HUB, BANG, {"damping": {"ratio": 0.02}}, events=[event])
    model = prepare(case).model
    after = model.change(model.start([0.0], [0.0], np.zeros((1, 7))), case.events[0].payload, "matched")[0]
    assert after.eta == model.eta > 0.0


def test_the_end_is_recorded_when_it_is_no_multiple_of_the_output_interval():
    data = fa.simulate(scenario(HUB, BANG, time={"end": 0.1}, output={"every": 0.03})).data
    np.testing.assert_allclose(data.time.values, [0.0, 0.03, 0.06, 0.09, 0.1])
