"""One link and many: against the exact link, the finite-difference method and rigid inverse dynamics."""

from __future__ import annotations

import numpy as np
import pytest
from fem_arms import DOWN, HOLD, beam, moved, scenario, slender

import flexarm as fa
from flexarm.analysis.exact_link import ExactLink
from flexarm.analysis.exact_response import exact_response
from flexarm.rigid import inverse_dynamics, mass_matrix
from single_link import CASES, at_times, make

SMALL = 1e-3
"""Drives are this much smaller than usual, so that the exact theory moves as small displacements do."""
BANG = {"joint": "link", "torque": {"profile": "bang-bang", "amplitude": 0.1 * SMALL, "duration": 0.6}}
MOVE = {"profile": "cycloid", "by": 0.2 * SMALL, "duration": 0.4}
TIMES = np.array([0.2, 0.3, 0.5, 0.6, 0.9])
THEORIES = ("exact", "link", "linear")
PAYLOAD = {"mass": 0.05, "inertia": 1e-4, "offset": 0.03}


def bang(case: str, n: int, order: int, **changes):
    hub, mass = CASES[case]
    run = fa.simulate(scenario([slender({"hub_inertia": hub})], BANG, arm={"payload": {"mass": mass}}, end=1.2,
                               **{"step": 2e-4, "every": 0.1, **changes}, resolution=n, order=order))  # fmt: skip
    assert run.success
    return at_times(run, "travel", TIMES) / SMALL


def exact_of(case: str) -> np.ndarray:
    link = ExactLink.from_arm(make(joint={"hub_inertia": CASES[case][0]}, payload={"mass": CASES[case][1]}).arm)
    return exact_response(link, [(0.0, 0.1), (0.3, -0.1), (0.6, 0.0)], TIMES).tip


@pytest.mark.parametrize("case", CASES)
def test_torque_driven_link_against_the_exact_response(case):
    """What is left is the step, shear and rotary inertia."""
    wanted = exact_of(case)
    assert bang(case, 6, 3) == pytest.approx(wanted, abs=1e-4)


@pytest.mark.parametrize("case", ["hub", "hub20g"])
def test_torque_driven_link_converges(case):
    """Over the whole motion, against the exact response."""
    hub, mass = CASES[case]
    times = np.linspace(0.02, 0.8, 40)
    link = ExactLink.from_arm(make(joint={"hub_inertia": hub}, payload={"mass": mass}).arm)
    wanted = exact_response(link, [(0.0, 0.1), (0.3, -0.1), (0.6, 0.0)], times).tip
    errors = []
    for n in (8, 16, 32):
        run = fa.simulate(scenario([slender({"hub_inertia": hub})], BANG, arm={"payload": {"mass": mass}}, end=0.8, step=1e-4,
                                   every=0.02, resolution=n))  # fmt: skip
        errors.append(np.linalg.norm(run.data["travel"].values[1:] / SMALL - wanted))
    assert errors[0] > 2.0 * errors[1] and errors[1] > 2.0 * errors[2]  # jumps excite modes that are not resolved
    assert errors[2] < 0.02 * np.linalg.norm(wanted)


def test_steps_of_the_torque_driven_link_converge():
    """A smooth torque; a jump would excite modes that no step resolves."""
    smooth = {"joint": "link", "torque": {"profile": "versine", "amplitude": 0.1, "duration": 0.6}}

    def travel(step):
        run = fa.simulate(scenario([slender({"hub_inertia": 5.86e-4})], smooth, order=3, end=0.8, step=step, every=0.1))
        return run.data["travel"].values

    wanted = travel(1e-4)
    errors = [np.abs(travel(h) - wanted).max() for h in (4e-3, 2e-3, 1e-3)]
    assert np.log2(errors[1] / errors[2]) == pytest.approx(2.0, abs=0.2)


@pytest.mark.parametrize("theory", ["link", "linear"])
def test_theories_agree_for_a_small_turn(theory):
    assert bang("hub10g", 8, 1, theory=theory) == pytest.approx(bang("hub10g", 8, 1), abs=1e-6)


@pytest.mark.parametrize("joints", ["free", "locked"])
@pytest.mark.parametrize("payload", [{}, {"mass": 0.05}, {"mass": 0.05, "inertia": 2e-4}, PAYLOAD])
def test_frequencies_against_the_exact_link(payload, joints):
    one = scenario([slender({"hub_inertia": 5.86e-4})], BANG, arm={"payload": payload}, resolution=8, order=3)
    wanted = ExactLink.from_arm(one.arm).frequencies(3, "pinned" if joints == "free" else "clamped")
    found = fa.frequencies(one, n=3, joints=joints)
    assert found.hz == pytest.approx(wanted, rel=2e-4)  # rotary inertia and shear lower them a little
    assert found.rigid_modes == (joints == "free")


@pytest.mark.parametrize(
    "joint", [{"hub_inertia": 5.86e-4}, {"stiffness": 40.0, "rotor_inertia": 1e-3, "hub_inertia": 5.86e-4}]
)
@pytest.mark.parametrize("joints", ["free", "locked"])
def test_frequencies_against_fd(joint, joints):
    """Spring, rotor, hub, payload with inertia and offset; fd extrapolated from two grids."""
    fd = [fa.frequencies(make(joint=joint, payload=PAYLOAD, resolution=n), n=3, joints=joints).hz for n in (80, 160)]
    one = scenario([slender(joint)], BANG, arm={"payload": PAYLOAD}, resolution=8, order=3)
    assert fa.frequencies(one, n=3, joints=joints).hz == pytest.approx((4 * fd[1] - fd[0]) / 3, rel=1e-3)


DRIVES = {
    "motion": moved("link", MOVE),
    "torque": BANG,
    "law": moved("link", MOVE, control={"type": "pd", "kp": 3.0, "kv": 0.3}),
    "motor law": moved("link", MOVE,
                       control={"type": "pd", "kp": 3.0, "kv": 0.3, "sensor": "motor"}),
}  # fmt: skip


@pytest.mark.parametrize("spring", [False, True])
@pytest.mark.parametrize("drive", DRIVES)
def test_motion_against_fd(drive, spring):
    """The same link by two methods: flexible joint with damper and rotor, hub, payload inertia and offset, damping."""
    joint = {"hub_inertia": 5.86e-4}
    if spring:
        joint |= {"stiffness": 40.0, "damping": 0.01, "rotor_inertia": 1e-3}
    parts = {"end": 0.8, "step": 2e-4, "every": 0.05}
    fd = [fa.simulate(make(joint=joint, payload=PAYLOAD, damping={"time": 1e-3}, drive=DRIVES[drive], scheme="newmark",
                           resolution=n, **parts)).data for n in (40, 80)]  # fmt: skip
    arm = {"payload": PAYLOAD, "damping": {"time": 1e-3}}
    fem = fa.simulate(scenario([slender(joint)], DRIVES[drive], arm=arm, resolution=6, order=3, **parts)).data
    for name, tolerance in (
        ("travel", 2e-3),
        ("joint_position", 2e-3),
        ("motor_position", 2e-3),
        ("drive_torque", 1e-2),
    ):
        wanted = (4 * fd[1][name].values - fd[0][name].values) / 3
        assert fem[name].values[1:] == pytest.approx(wanted[1:], abs=tolerance * np.abs(wanted).max()), name


def test_sag_of_a_heavy_link_against_fd():
    """Equilibrium under gravity with payload offset and joint spring."""
    joint = {"stiffness": 40.0, "position": 0.3}
    hold = moved("link", HOLD)
    fd = fa.simulate(make(joint=joint, payload=PAYLOAD, gravity=DOWN, drive=hold, start="equilibrium", end=0.01, step=1e-3,
                          scheme="newmark", resolution=160)).data  # fmt: skip
    fem = fa.simulate(scenario([slender(joint)], hold, arm={"payload": PAYLOAD, "gravity": DOWN}, start="equilibrium", end=0.01,
                               resolution=8, order=3)).data  # fmt: skip
    assert fem["joint_deformation"].values[0] == pytest.approx(fd["joint_deformation"].values[0], rel=1e-2)
    assert fem["deflection"].values[0, 0, -1] == pytest.approx(fd["deflection"].values[0, 0, -1], rel=2e-2)
    assert fem["joint_torque"].values[0] == pytest.approx(fd["joint_torque"].values[0], rel=1e-2)


@pytest.mark.parametrize("theory", [*THEORIES, "quasi-static"])
def test_stiff_arm_needs_the_torques_of_the_rigid_one(theory):
    """Three links, hubs, motor masses, lump, payload with offset and inertia, gravity: inverse dynamics."""
    stiff = {"material": {"E": 7e14, "density": 2700.0}, "section": {"area": 350e-6, "inertia": 1e-8}}
    links = [
        beam(
            name, length, joint={"position": p, "hub_inertia": 0.05, "rotor_inertia": 0.02, "motor_mass": 0.7}, **stiff
        )
        for name, length, p in (("a", 1.0, 0.3), ("b", 0.7, -0.8), ("c", 0.5, 0.4))
    ]
    links[1]["masses"] = [{"at": 0.4, "mass": 0.3, "inertia": 0.01}]
    move = {"profile": "quintic", "by": 0.7, "duration": 1.0}
    arm = {"gravity": DOWN, "payload": {"mass": 1.2, "inertia": 0.03, "offset": [0.1, 0.06]}}
    run = fa.simulate(scenario(links, [moved(n, move) for n in "abc"], arm=arm, end=1.0, step=2e-3, start="equilibrium",
                               resolution=6, integrator="generalised-alpha", spectral_radius=0.0, theory=theory))  # fmt: skip
    data, s = run.data, run.data["time"].values[:, None]
    Q = np.array([0.3, -0.8, 0.4]) + 0.7 * (10 * s**3 - 15 * s**4 + 6 * s**5)
    Qd, Qdd = 0.7 * (30 * s**2 - 60 * s**3 + 30 * s**4), 0.7 * (60 * s - 180 * s**2 + 120 * s**3)
    wanted = inverse_dynamics(run.scenario.arm, Q, Qd + 0 * Q, Qdd + 0 * Q)
    # the first steps from rest still hold a transient of the scheme
    assert data["drive_torque"].values[8:] == pytest.approx(wanted[8:], abs=2e-3 * np.abs(wanted).max())
    assert np.abs(data["tip_error"].values).max() < 1e-4


def test_free_stiff_arm_has_the_mass_matrix_of_the_rigid_one():
    """Accelerations at the start under known torques."""
    stiff = {"material": {"E": 7e14, "density": 2700.0}}
    links = [
        beam(n, joint={"position": p, "hub_inertia": 0.05, "rotor_inertia": 0.02}, **stiff)
        for n, p in (("a", 0.3), ("b", -0.8))
    ]
    drives = [{"joint": n, "torque": {"profile": "constant", "amplitude": t}} for n, t in (("a", 3.0), ("b", -1.0))]
    run = fa.simulate(scenario(links, drives, arm={"payload": {"mass": 1.0, "offset": [0.1, 0.05], "inertia": 0.02}}, end=0.02,
                               step=1e-3, integrator="generalised-alpha", spectral_radius=0.0, resolution=2))  # fmt: skip
    wanted = np.linalg.solve(mass_matrix(run.scenario.arm, np.array([0.3, -0.8])), [3.0, -1.0])
    assert run.data["joint_velocity"].values[-1] / 0.02 == pytest.approx(wanted, rel=2e-2)


@pytest.mark.parametrize("theory", ["exact", "link"])
def test_a_bend_in_the_arm_makes_no_difference(theory):
    """One link of 1 m, and the same in two halves with the joint between them held: the same motion."""
    turn = moved("a", {"profile": "cycloid", "by": 1.0, "duration": 0.5})
    parts = {"end": 0.6, "step": 1e-3, "every": 0.05, "theory": theory}
    whole = fa.simulate(scenario([beam("a")], turn, resolution=8, **parts)).data
    halves = fa.simulate(
        scenario([beam("a", 0.5), beam("b", 0.5)], [turn, moved("b", HOLD)], resolution=4, **parts)
    ).data
    assert halves["tip_position"].values == pytest.approx(
        whole["tip_position"].values, abs=1e-8 if theory == "exact" else 1e-5
    )
    assert halves["joint_torque"].values[:, 0] == pytest.approx(
        whole["joint_torque"].values[:, 0], abs=1e-4 if theory == "exact" else 0.02
    )


def test_turned_world_gives_the_turned_motion():
    """Rotate gravity and the first joint alike: every signal of the joints stays, places turn."""
    angle = 0.7
    c, s = np.cos(angle), np.sin(angle)

    def run(turn):
        gravity = [9.81 * np.sin(turn), -9.81 * np.cos(turn), 0.0]
        links = [beam("a", joint={"position": turn}), beam("b", joint={"position": 0.5})]
        return fa.simulate(scenario(links, arm={"gravity": gravity, "damping": {"time": 1e-3}}, end=0.4)).data

    one, two = run(0.0), run(angle)
    assert two["joint_torque"].values == pytest.approx(one["joint_torque"].values, abs=1e-7)
    place = one["tip_position"].values[:, :2] @ np.array([[c, s], [-s, c]])
    assert two["tip_position"].values[:, :2] == pytest.approx(place, abs=1e-8)


@pytest.mark.parametrize("beams", ["timoshenko", "euler-bernoulli", "inextensible"])
def test_a_strip_keeps_its_low_modes_however_stiff_it_is_otherwise(beams):
    """Against the exact link, held and free."""
    strip = {"shape": "rectangle", "width": 0.03, "height": 1e-3}
    load = {"payload": {"mass": 2.0}}
    arm = scenario([beam("strip", section=strip)], moved("strip", HOLD), arm=load, order=2, resolution=16, beams=beams)
    held, free = (fa.frequencies(arm, n=2, joints=joints).hz for joints in ("locked", "free"))
    exact = ExactLink.from_arm(arm.arm)
    assert held == pytest.approx(exact.frequencies(2, "clamped"), rel=1e-3)
    assert free == pytest.approx(exact.frequencies(2), rel=1e-3)


def test_a_stiff_pendulum_swings_whatever_its_beams_leave_out():
    bar = {"shape": "rectangle", "width": 0.03, "height": 0.008}
    links = [beam("bar", section=bar, joint={"position": -np.pi / 2})]
    arm = scenario(links, arm={"gravity": DOWN}, order=3, resolution=8, beams="euler-bernoulli")
    assert fa.frequencies(arm, n=1, joints="free").hz[0] == pytest.approx(np.sqrt(1.5 * 9.81) / (2 * np.pi), rel=2e-3)
