"""Closed loops: Freudenstein's equation, five-bars, the RALF arm, rank, drives by virtual work."""

from __future__ import annotations

import math

import numpy as np
import pytest
from rigid_arms import BAR, STEEL, five_bar, four_bar, ralf
from rigid_cloud import Waves, difference, energy

from flexarm.arm import Arm
from flexarm.errors import FlexarmError
from flexarm.rigid import (
    close_loops,
    complete_motion,
    driven_joints,
    forward,
    inertia_about,
    inverse_dynamics,
    loop_rank,
    mass_matrix,
    passive_joints,
)


def freudenstein(ground, crank, coupler, rocker, angle):
    """Rocker angles of a four-bar from Freudenstein's equation, both assemblies."""
    k1, k2 = ground / crank, ground / rocker
    k3 = (crank**2 - coupler**2 + rocker**2 + ground**2) / (2 * crank * rocker)
    a = np.cos(angle) - k1 - k2 * np.cos(angle) + k3
    b, c = -2 * np.sin(angle), k1 - (k2 + 1) * np.cos(angle) + k3
    root = np.sqrt(b**2 - 4 * a * c)
    return [2 * np.arctan2(-b + sign * root, 2 * a) for sign in (-1.0, 1.0)]


def wrap(x):
    return np.remainder(np.asarray(x) + math.pi, 2 * math.pi) - math.pi


def test_four_bar_over_whole_turns_of_the_crank():
    sizes = (1.0, 0.3, 0.9, 0.6)
    arm = four_bar(*sizes)
    turn = np.linspace(1.0, 1.0 + 6 * math.pi, 700)
    q = np.zeros((700, 3))
    q[:, 0] = turn
    found = complete_motion(arm, q)[0]
    open_one = freudenstein(*sizes, turn)[0]
    np.testing.assert_allclose(wrap(found[:, 2] - open_one), 0.0, atol=1e-9)
    assert np.abs(np.diff(found[:, 1:], axis=0)).max() < 0.1
    frames = forward(arm, found)
    np.testing.assert_allclose(frames.place("coupler", "tip"), frames.place("rocker", "tip"), atol=1e-10)
    # a guess near the crossed assembly leads to it, and the motion stays on it
    crossed = freudenstein(*sizes, turn)[1]
    q[0, 2] = crossed[0] + 0.2
    q[0, 1] = wrap(_coupler_angle(sizes, turn[0], crossed[0]) - turn[0]) - 0.1
    other = complete_motion(arm, q)[0]
    np.testing.assert_allclose(wrap(other[:, 2] - crossed), 0.0, atol=1e-9)


def _coupler_angle(sizes, crank_angle, rocker_angle):
    ground, crank, _, rocker = sizes
    end = np.array([ground + rocker * math.cos(rocker_angle), rocker * math.sin(rocker_angle)])
    start = crank * np.array([math.cos(crank_angle), math.sin(crank_angle)])
    return math.atan2(end[1] - start[1], end[0] - start[0])


def test_coarse_motions_stay_on_their_branch():
    """Samples 2 rad apart give the same poses as fine ones."""
    arm = four_bar(1.0, 0.3, 0.9, 0.6)
    fine = np.zeros((601, 3))
    fine[:, 0] = np.linspace(1.0, 13.0, 601)
    np.testing.assert_allclose(complete_motion(arm, fine[::100])[0], complete_motion(arm, fine)[0][::100], atol=1e-9)


@pytest.mark.parametrize(
    "arm, driven",
    [(four_bar(1.0, 0.3, 0.9, 0.6), [1.0]), (five_bar(), [2.0, 0.9]), (ralf(0.50, 3.10), [1.0, 0.3])],
    ids=["four-bar", "five-bar", "near-parallelogram"],
)
def test_rates_are_derivatives_of_the_closed_positions(arm, driven):
    motion = Waves(driven, size=0.3, seed=2)
    columns = [arm.joints.index(name) for name in driven_joints(arm)]

    def full(values):
        out = np.zeros(len(arm.joints))
        out[columns] = values
        return out

    q, qd, qdd = complete_motion(arm, full(motion(0.4)), *(full(x) for x in motion.rates(0.4)))
    passive = [j for j in range(len(q)) if j not in columns]

    def at(s):
        guess = q.copy()
        guess[columns] = motion(0.4 + s)
        return close_loops(arm, guess)

    first, second = difference(at)
    assert np.abs(qd[passive]).max() > 0.05
    np.testing.assert_allclose(qd, first, atol=1e-8)
    np.testing.assert_allclose(qdd, second, atol=1e-5)


@pytest.mark.parametrize(
    "make, size",
    [
        (lambda **k: four_bar(1.0, 0.3, 0.9, 0.6, **k), 0.4),
        (five_bar, 0.4),
        (lambda **k: ralf(0.5, 3.1), 0.15),
    ],
)
def test_work_of_the_drives_is_the_change_of_energy(make, size):
    arm = make(gravity=(0.0, -9.81, 0.0))
    columns = [arm.joints.index(name) for name in driven_joints(arm)]
    waves, t = Waves([arm.pose[j] for j in columns], size=size, seed=7), np.linspace(0.0, 1.0, 301)
    given = [np.zeros((301, len(arm.joints))) for _ in range(3)]
    for part, values in zip(given, (waves(t), *waves.rates(t)), strict=True):
        part[:, columns] = values
    q, qd, qdd = complete_motion(arm, *given)
    tau = inverse_dynamics(arm, q, qd, qdd)
    assert not np.any(tau[:, [arm.joints.index(name) for name in passive_joints(arm)]])
    weights = np.array([1.0, *[4.0, 2.0] * 149, 4.0, 1.0]) / 900.0
    work = weights @ np.sum(tau * qd, axis=1)

    def pose(time):
        guess = q[round(time * 300) if 0 <= time <= 1 else (0 if time < 0.5 else -1)].copy()
        guess[columns] = waves(time)
        return close_loops(arm, guess)

    change = energy(arm, pose, 1.0) - energy(arm, pose, 0.0)
    assert abs(change) > 0.05
    assert work == pytest.approx(change, rel=1e-6)


def test_ralf_is_a_parallelogram():
    arm = ralf()
    assert passive_joints(arm) == ("actuating", "upper")
    assert driven_joints(arm) == ("lower", "bellcrank")
    q = close_loops(arm, arm.pose)
    np.testing.assert_allclose(np.degrees(q), [60.0, 16.0, 44.0, -44.0], atol=1e-8)
    rank = loop_rank(arm, q)
    assert (rank.rank, rank.rows) == (2, 2) and rank.smallest > 0.01
    # stretched flat, the parallelogram can turn over: one equation is lost
    flat = loop_rank(arm, [0.5, 0.5, 0.0, 0.0])
    assert flat.rank == 1 and flat.smallest < 1e-12
    crossed = close_loops(arm, [*arm.pose[:2], 0.5, 0.5])
    assert np.abs(np.degrees(crossed) - np.degrees(q)).max() > 10.0


def test_ralf_torques_in_absolute_angles():
    """In a parallelogram the links turn with two absolute angles: the closed form of that two-freedom arm."""
    arm = ralf()
    lower, _, rod, upper = arm.links
    m1, m2, m3 = lower.mass, upper.mass, rod.mass
    length, short = 3.048, 0.6096
    q = close_loops(arm, arm.pose)
    th1, th2 = q[0], q[1]
    # moments about the absolute angles of lower (with the rod turning alike) and upper
    first = (m1 / 2 + 21.0 + m2 + 4.9) * length + m3 / 2 * length
    second = m2 * length / 2 + 0.4 * length - 4.5 * short - m3 * short
    expected = 9.81 * np.array([first * math.cos(th1), second * math.cos(th2)])
    np.testing.assert_allclose(inverse_dynamics(arm, q), [*expected, 0.0, 0.0], atol=1e-7)
    inertia1 = m1 * length**2 / 3 + (21.0 + m2 + 4.9) * length**2 + m3 * length**2 / 3
    inertia2 = m2 * length**2 / 3 + 0.4 * length**2 + 4.5 * short**2 + m3 * short**2
    assert inertia_about(arm, "lower", q) == pytest.approx(inertia1)
    assert inertia_about(arm, "bellcrank", q) == pytest.approx(inertia2)
    assert mass_matrix(arm, q)[0, 0] > 1.1 * inertia1


def test_other_choices_of_drives():
    """The same motion with the other crank driven needs the same power; with all drives the least torques."""
    arm = four_bar(1.0, 0.3, 0.9, 0.6, gravity=(0.0, -9.81, 0.0))
    q, qd, qdd = complete_motion(arm, [1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [3.0, 0.0, 0.0])
    powers, sizes = [], []
    for driven in (["crank"], ["rocker"], ["coupler"], ["crank", "rocker", "coupler"]):
        tau = inverse_dynamics(arm, q, qd, qdd, driven=driven)
        assert [name for name, x in zip(arm.joints, tau, strict=True) if x] == [n for n in arm.joints if n in driven]
        powers.append(tau @ qd)
        sizes.append(np.linalg.norm(tau))
    np.testing.assert_allclose(powers, powers[0], rtol=1e-10)
    assert sizes[3] < min(sizes[:3])


def test_five_bar_needs_two_drives():
    arm = five_bar()
    q = close_loops(arm, arm.pose)
    assert loop_rank(arm, q).rank == 2
    # both arms meet where two circles cut, above the cranks
    a = 0.35 * np.array([math.cos(2.0), math.sin(2.0)])
    b = np.array([0.4, 0.0]) + 0.3 * np.array([math.cos(0.9), math.sin(0.9)])
    d = np.linalg.norm(b - a)
    x = (d**2 + 0.55**2 - 0.6**2) / (2 * d)
    e = (b - a) / d
    meet = a + x * e + math.sqrt(0.55**2 - x**2) * np.array([-e[1], e[0]])
    np.testing.assert_allclose(forward(arm, q).place("left-arm", "tip")[:2], meet, atol=1e-10)
    with pytest.raises(FlexarmError, match="1 more freedom: drive 1 more"):
        complete_motion(arm, q, driven=["left"])
    with pytest.raises(FlexarmError, match="left"):
        inverse_dynamics(arm.model_copy(update={"gravity": (0.0, -9.81, 0.0)}), q, driven=["left"])


def test_loops_that_cannot_close_are_named():
    with pytest.raises(FlexarmError, match=r"'four-bar'.*coupler.tip and rocker.tip stay 0.\d+ m apart.*coupler"):
        arm = four_bar(2.0, 0.3, 0.9, 0.6)
        close_loops(arm, arm.pose)
    arm = four_bar(1.0, 0.7, 0.9, 0.6)  # the crank cannot turn fully
    q = np.zeros((50, 3))
    q[:, 0] = np.linspace(1.0, 3.0, 50)
    with pytest.raises(FlexarmError, match=r"'four-bar' does not close at row \d+"):
        complete_motion(arm, q)
    with pytest.raises(FlexarmError, match="no joint was free to move"):
        close_loops(arm, [1.0, 0.0, 0.0], fixed=arm.joints)
    with pytest.raises(FlexarmError, match="'knee'"):
        close_loops(arm, [1.0, 0.0, 0.0], fixed=["knee"])


def test_driving_too_many_joints_against_each_other():
    arm = four_bar(1.0, 0.3, 0.9, 0.6)
    q = close_loops(arm, arm.pose)
    with pytest.raises(FlexarmError, match="tear a loop open"):
        complete_motion(arm, q, [1.0, 0.0, 5.0], driven=["crank", "rocker"])


def test_positions_that_close_are_kept():
    arm = four_bar(1.0, 1.0, 1.0, 1.0)
    np.testing.assert_allclose(
        close_loops(arm, [math.pi / 2, -math.pi / 2, math.pi / 2]), [math.pi / 2, -math.pi / 2, math.pi / 2]
    )
    square = Arm(links=[{"name": "a", "length": 1.0, "section": BAR, "material": STEEL}])
    np.testing.assert_allclose(close_loops(square, [0.4]), [0.4])
    folded = ralf()
    np.testing.assert_allclose(close_loops(folded, [0.5, 0.5, 0.0, 0.0]), [0.5, 0.5, 0.0, 0.0])


def test_a_welded_pin_holds_the_angle():
    """Two cranks whose arms are welded together: a four-bar with a bent coupler."""
    arm = five_bar()
    links = list(arm.links)
    links[3] = links[3].model_copy(update={"joint": links[3].joint.model_copy(update={"position": None})})
    welded = arm.model_copy(
        update={"links": tuple(links), "loops": (arm.loops[0].model_copy(update={"type": "fixed"}),)}
    )
    assert driven_joints(welded) == ("left",)
    q = np.zeros((80, 4))
    q[:, 0] = 2.0 + np.linspace(0.0, 0.6, 80)
    rates = np.zeros((80, 4))
    rates[:, 0] = 1.0
    q, qd, qdd = complete_motion(welded, q, rates)
    frames = forward(welded, q)
    np.testing.assert_allclose(frames.place("left-arm"), frames.place("right-arm"), atol=1e-9)
    held = frames.angle[:, 2] - frames.angle[:, 4]
    np.testing.assert_allclose(held, held[0], atol=1e-9)
    assert np.ptp(frames.angle[:, 2]) > 0.1
    assert loop_rank(welded, q[0]).rows == 3
    step = 0.6 / 79
    slope = (q[2:] - q[:-2]) / (2 * step)
    np.testing.assert_allclose(qd[1:-1], slope, atol=2e-3)
    bend = (q[2:] - 2 * q[1:-1] + q[:-2]) / step**2
    np.testing.assert_allclose(qdd[1:-1], bend, atol=2e-2 * (1 + np.abs(bend).max()))
    tau = inverse_dynamics(welded, q, qd, qdd)
    assert np.any(tau[:, 0]) and not np.any(tau[:, 1:])


def test_two_loops_at_once():
    """A four-bar whose rocker drives a second one."""
    rod = {"section": BAR, "material": STEEL}
    arm = Arm(
        links=[
            {"name": "base", "flexible": False, "joint": {"type": "fixed"},
             "points": {"pivot": (1.0, 0.0), "far": (1.9, 0.0)}},
            {"name": "crank", "length": 0.3, **rod, "joint": {"position": 1.0}},
            {"name": "coupler", "length": 0.9, **rod},
            {"name": "rocker", "parent": "base", "at": "pivot", "length": 0.6, **rod},
            {"name": "rod", "parent": "rocker", "at": 0.5, "length": 0.8, **rod},
            {"name": "swing", "parent": "base", "at": "far", "length": 0.5, **rod},
        ],
        loops=[{"name": "one", "pin": ("coupler.tip", "rocker.tip")},
               {"name": "two", "pin": ("rod.tip", "swing.tip")}],
    )  # fmt: skip
    q = close_loops(arm, arm.pose)
    frames = forward(arm, q)
    np.testing.assert_allclose(frames.place("rod"), frames.place("swing"), atol=1e-9)
    rocker = freudenstein(1.0, 0.3, 0.9, 0.6, 1.0)[0]
    assert wrap(q[2] - rocker) == pytest.approx(0.0, abs=1e-9)
    assert loop_rank(arm, q)[:2] == (4, 4)
    with pytest.raises(FlexarmError, match="loop 'two'"):
        broken = [link.model_copy(update={"length": 0.05}) if link.name == "rod" else link for link in arm.links]
        close_loops(arm.model_copy(update={"links": tuple(broken)}), arm.pose)
