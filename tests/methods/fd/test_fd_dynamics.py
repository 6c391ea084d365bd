"""Motion against closed forms and independent models: pendulum, damping, flexible joint, torques, inert masses."""

from __future__ import annotations

import numpy as np
import pytest
from fd_configurations import BODY, MOVE, SPRING, STEP, TAPER
from scipy.linalg import eigh

import flexarm as fa
from flexarm import rigid
from flexarm.analysis.ringdown import ringdown
from single_link import EI, HUB, LENGTH, LINK, RHO_A, SCHEMES, at_times, balance, make, model_of

G = 9.81
STIFF = {"material": {"E": 71.1e13, "density": 2710.0, "nu": 0.33}}
"""Ten thousand times as stiff: practically rigid."""


def test_hanging_stiff_link_swings_like_a_pendulum():
    """omega^2 = (m l + M (L + a)) g / J about the joint."""
    payload = {"mass": 0.1, "inertia": 1e-4, "offset": 0.05}
    one = make(link=STIFF, gravity=[G, 0, 0], payload=payload, drive=(), resolution=40)
    moment = (RHO_A * LENGTH**2 / 2 + 0.1 * (LENGTH + 0.05)) * G
    inertia = RHO_A * LENGTH**3 / 3 + HUB + 0.1 * (LENGTH + 0.05) ** 2 + 1e-4
    found = fa.frequencies(one, n=1, joints="free").hz[0]
    assert found == pytest.approx(np.sqrt(moment / inertia) / (2 * np.pi), rel=3e-4)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_pendulum_period_in_time(scheme):
    one = make(gravity=[G, 0, 0], joint={"velocity": 0.05}, drive=(), end=6.0, every=0.02, scheme=scheme)
    data = fa.simulate(one).data
    frequency = fa.frequencies(one, n=1, joints="free").hz[0]
    angle, t = data["travel"].values, data["time"].values
    rises = t[1:][(angle[:-1] < 0) & (angle[1:] >= 0)]
    assert np.diff(rises).mean() == pytest.approx(1 / frequency, rel=0.01)


def test_standing_arm_falls_exponentially():
    """Upside down and stiff: the angle grows with the rate sqrt(m g l / J)."""
    for scheme in SCHEMES:
        one = make(gravity=[-G, 0, 0], joint={"velocity": 0.001}, drive=(), end=1.0, every=0.1, scheme=scheme)
        angle = fa.simulate(one).data["travel"].values / LENGTH
        rate = np.sqrt(RHO_A * LENGTH**2 / 2 * G / (RHO_A * LENGTH**3 / 3 + HUB))
        t = np.linspace(0, 1, 11)
        assert angle == pytest.approx(0.001 * np.sinh(rate * t) / rate, rel=0.03, abs=1e-7)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_kelvin_voigt_decays_with_half_eta_omega_squared(scheme):
    eta = 3e-4
    hold = {"joint": "link", "motion": {"profile": "constant"}}
    kick = {
        "patch": {"link": "link", "from": 1.0},
        "force": {"profile": "constant", "amplitude": 0.5, "duration": 0.05},
    }
    one = make(drive=[hold, kick], damping={"time": eta}, end=2.0, every=2e-3, scheme=scheme, resolution=10)
    data = fa.simulate(one).data
    found = ringdown(data["time"].values, data["travel"].values, start=0.3)
    omega = 2 * np.pi * fa.frequencies(make(drive=hold, resolution=10), n=1).hz[0]
    assert found.damping_ratio * 2 * np.pi * found.frequency == pytest.approx(eta * omega**2 / 2, rel=2e-3)


@pytest.mark.parametrize("mode", [1, 2])
@pytest.mark.parametrize("drive", [MOVE, STEP], ids=["motion", "torque"])
def test_damping_by_ratio_gives_that_ratio(drive, mode):
    """In the mode named, with the joint as it is driven; ratios grow with the frequency."""
    one = make(drive=drive, damping={"ratio": 0.02, "mode": mode}, payload=BODY)
    joints = "locked" if drive is MOVE else "free"
    wiring_model = model_of(one).linearise(joints=joints)
    from flexarm.numerics.eigen import vibration

    found = vibration(wiring_model.M, wiring_model.C, wiring_model.K, 3)
    assert found.damping[mode - 1] == pytest.approx(0.02, rel=1e-9)
    assert found.damping[1] / found.damping[0] == pytest.approx(found.hz[1] / found.hz[0], rel=1e-9)


def test_flexible_joint_against_rotor_spring_and_elements():
    """Frequencies of rotor, spring and a Hermite beam with payload."""
    n, h = 40, LENGTH / 40
    size = 2 * (n + 1) + 1
    k = EI / h**3 * np.array([[12, 6 * h, -12, 6 * h], [6 * h, 4 * h * h, -6 * h, 2 * h * h],
                              [-12, -6 * h, 12, -6 * h], [6 * h, 2 * h * h, -6 * h, 4 * h * h]])  # fmt: skip
    m = RHO_A * h / 420 * np.array([[156, 22 * h, 54, -13 * h], [22 * h, 4 * h * h, 13 * h, -3 * h * h],
                                    [54, 13 * h, 156, -22 * h], [-13 * h, -3 * h * h, -22 * h, 4 * h * h]])  # fmt: skip
    M, K = np.zeros((size, size)), np.zeros((size, size))
    for e in range(n):
        part = slice(1 + 2 * e, 5 + 2 * e)
        M[part, part] += m
        K[part, part] += k
    M[0, 0] += 1e-3
    M[2, 2] += HUB
    a = BODY["offset"]
    M[-2:, -2:] += BODY["mass"] * np.array([[1, a], [a, a * a]]) + np.diag([0, BODY["inertia"]])
    K[np.ix_([0, 2], [0, 2])] += 40.0 * np.array([[1, -1], [-1, 1]])
    keep = np.delete(np.arange(size), 1)
    exact = np.sqrt(eigh(K[np.ix_(keep, keep)], M[np.ix_(keep, keep)], eigvals_only=True)[1:4]) / (2 * np.pi)
    one = make(joint={**SPRING, "damping": 0.0}, payload=BODY, resolution=80)
    assert fa.frequencies(one, n=3, joints="free").hz == pytest.approx(exact, rel=1e-3)
    locked = np.delete(keep, 0)
    exact = np.sqrt(eigh(K[np.ix_(locked, locked)], M[np.ix_(locked, locked)], eigvals_only=True)[:3]) / (2 * np.pi)
    assert fa.frequencies(one, n=3, joints="locked").hz == pytest.approx(exact, rel=1e-3)


@pytest.mark.parametrize("joint", [{}, {"rotor_inertia": 1e-3}, {"stiffness": 4e5, "rotor_inertia": 1e-3}])
def test_torque_of_a_stiff_arm_is_that_of_rigid_inverse_dynamics(joint):
    one = make(link=STIFF, joint=joint, payload=BODY, damping={"time": 1e-4},
               drive={**MOVE, "motion": {**MOVE["motion"], "duration": 0.5}}, end=0.6, every=0.02, scheme="newmark",
               step=1e-4, resolution=60)  # fmt: skip
    data = fa.simulate(one).data
    t = data["time"].values
    s = np.clip(t / 0.5, 0, 1)
    acceleration = 0.3 / 0.25 * (60 * s - 180 * s**2 + 120 * s**3)
    zeros = np.zeros((len(t), 1))
    torque = rigid.inverse_dynamics(one.arm, zeros, zeros, acceleration[:, None])[:, 0]
    scale = np.abs(torque).max()
    inside = (t > 0.09) & (t < 0.49)  # what the start and the end of the move set ringing has died out
    error = np.abs(data["drive_torque"].values[:, 0] - torque) / scale
    assert error.max() < 1.2e-2 and error[inside].max() < 2e-3
    through = torque - joint.get("rotor_inertia", 0.0) * acceleration
    error = np.abs(data["joint_torque"].values[:, 0] - through) / scale
    assert error.max() < 1.2e-2 and error[inside].max() < 2e-3
    assert np.abs(data["rigid_torque"].values[:, 0] - torque).max() < 1e-12 * scale


def test_motor_mass_is_inert_and_hub_inertia_is_not():
    plain = fa.simulate(make(drive=STEP, end=0.2, every=0.01, step=1e-4)).data["travel"].values
    motor = (
        fa.simulate(make(drive=STEP, end=0.2, every=0.01, step=1e-4, joint={"motor_mass": 5.0})).data["travel"].values
    )
    assert np.array_equal(plain, motor)
    heavy = fa.simulate(make(drive=STEP, end=0.2, every=0.01, step=1e-4, joint={"hub_inertia": 2 * HUB})).data
    assert np.abs(heavy["travel"].values - plain).max() > 1e-3 * np.abs(plain).max()


def test_rotor_counts_like_hub_inertia_where_there_is_no_spring():
    rotor = fa.simulate(make(drive=STEP, joint={"hub_inertia": 0.0, "rotor_inertia": HUB}, end=0.2, step=1e-4)).data
    hub = fa.simulate(make(drive=STEP, end=0.2, step=1e-4)).data
    assert np.array_equal(rotor["travel"].values, hub["travel"].values)
    torque = rotor["joint_torque"].values[:, 0] - hub["joint_torque"].values[:, 0]
    assert np.abs(torque).max() > 0.01  # what turns the rotor does not pass through the joint


def test_lumps_on_the_link_against_the_payload():
    """A lump at the tip is a payload; one at the root does nothing; one inside obeys Rayleigh's rule."""
    tip = fa.frequencies(make(link={"masses": [{"at": "tip", "mass": 0.02, "inertia": 1e-5}]}), n=3, joints="free").hz
    payload = fa.frequencies(make(payload={"mass": 0.02, "inertia": 1e-5}), n=3, joints="free").hz
    assert tip == pytest.approx(payload, rel=1e-9)
    bare = fa.frequencies(make(resolution=100), n=1, joints="locked", stations=101)
    root = fa.frequencies(make(resolution=100, link={"masses": [{"at": "root", "mass": 5.0}]}), n=1, joints="locked")
    assert root.hz == pytest.approx(bare.hz, rel=1e-12)
    small = fa.frequencies(make(resolution=100, link={"masses": [{"at": 0.7, "mass": 1e-4}]}), n=1, joints="locked")
    shape = bare.shapes.values[0, 0, :, 1]
    modal_mass = RHO_A * LENGTH * np.trapezoid(shape**2, dx=0.01)
    assert small.hz[0] / bare.hz[0] - 1 == pytest.approx(-0.5 * 1e-4 * shape[70] ** 2 / modal_mass, rel=0.01)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_tapered_link_moves_its_own_inertia(scheme):
    """After the torque the angular momentum over the inertia of the taper is the mean rate."""
    one = make(link=TAPER, joint={"hub_inertia": 0.0}, drive=STEP, scheme=scheme, resolution=60, end=0.1, every=0.01)
    run = fa.simulate(one)
    second = one.arm.links[0].integrate(("rhoA",), 2)[0]
    assert model_of(one).grid.total_inertia == pytest.approx(second, rel=1e-3)
    assert run.data["angular_momentum"].values[-1] == pytest.approx(0.1 * 0.07, rel=1e-9)
    assert balance(run) < 1e-9


def test_held_joint_is_a_spring_and_a_damper():
    """A stiff link under a law swings with sqrt(kp / J) and the ratio kv / 2 sqrt(kp J)."""
    law = {**MOVE, "control": {"type": "pd", "kp": 5.0, "kv": 0.1}}
    inertia = RHO_A * LENGTH**3 / 3 + HUB
    found = fa.frequencies(make(link=STIFF, drive=law, resolution=60), n=1, joints="held")
    assert found.hz[0] == pytest.approx(np.sqrt(5.0 / inertia) / (2 * np.pi), rel=1e-3)
    assert found.damping[0] == pytest.approx(0.1 / (2 * np.sqrt(5.0 * inertia)), rel=2e-3)
    assert found.rigid_modes == 0 and not found.unstable
    wild = {**MOVE, "control": {"type": "pd", "kp": 300.0, "kv": 30.0, "sensor": "chord"}}
    assert fa.frequencies(make(drive=wild), n=1, joints="held").unstable


def test_fixed_joint_is_a_clamp():
    from flexarm.arm import Arm

    fixed = Arm.model_validate({"links": [{**LINK, "joint": {"type": "fixed"}}]})
    clamped = fa.frequencies(fixed, method="fd", n=3, options={"resolution": 19})
    assert clamped.hz == pytest.approx(fa.frequencies(make(), n=3, joints="locked").hz, rel=1e-12)


@pytest.mark.parametrize(
    "arm", [{}, {"joint": {"hub_inertia": 0.0}}, {"variant": "paper"}, {"payload": {"inertia": 1e-5}}]
)
def test_plain_loop_of_leapfrog_is_the_general_one(arm):
    """Open-loop torques on a bare arm have a faster loop of their own."""
    from flexarm.methods.fd import leapfrog
    from flexarm.simulation.build import prepare
    from flexarm.simulation.time_loop import TimeLoop

    found = []
    for general in (False, True):
        setup = prepare(make(scheme="leapfrog", step=2e-4, end=0.5, every=0.05, **arm))
        assert setup.model.scheme._march is not leapfrog.march
        if general:
            setup.model.scheme._march = leapfrog.march
        loop, records = TimeLoop(setup), []
        while not loop.finished:
            records.append(loop.chunk(10_000)[0].records)
        found.append(np.concatenate(records))
    scale = np.abs(found[0]).max(axis=0)
    assert np.abs(found[1] - found[0]).max() / scale.max() < 1e-9
    assert found[1][:, : setup.model.system.size] == pytest.approx(found[0][:, : setup.model.system.size], abs=1e-11)


def test_kept_modes_of_the_exact_scheme():
    """`modes` cuts the series: two modes already carry the motion, and the number matters."""
    full, few, two = (
        at_times(fa.simulate(make(scheme="exact", every=0.1, modes=m)), "travel", 0.9)[0] for m in (None, 6, 2)
    )
    assert 1e-9 < abs(few - full) < 1e-4
    assert abs(few - full) < abs(two - full) < 5e-3
