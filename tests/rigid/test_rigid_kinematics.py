"""Forward kinematics against explicit matrices; inverse kinematics against forward kinematics."""

from __future__ import annotations

import math

import numpy as np
import pytest
from rigid_arms import (
    BAR,
    STEEL,
    planar_serial,
    planar_tree,
    ralf,
    spatial_sliding,
    spatial_three,
    spatial_turning,
    two_link,
)
from rigid_cloud import Waves, difference, distal_frames, place

from flexarm.arm import Arm
from flexarm.errors import FlexarmError
from flexarm.rigid import forward, inverse, joint_rates, tip, tip_motion, tips
from flexarm.rigid.chain import Chain
from flexarm.rigid.loops import LoopEquations


@pytest.mark.parametrize("make", [spatial_turning, spatial_sliding, spatial_three])
def test_spatial_tips_are_the_origins_of_the_denavit_hartenberg_frames(make):
    arm = make()
    q = np.array(arm.pose) + 0.13
    expected = np.array([frame[:3, 3] for frame in distal_frames(arm, q)])
    frames = forward(arm, q)
    np.testing.assert_allclose(frames.tip, expected, atol=1e-14)
    np.testing.assert_allclose(frames.root[1:], expected[:-1], atol=1e-14)
    np.testing.assert_allclose(tip(arm, q), expected[-1], atol=1e-14)
    turned = frames.rotation @ np.swapaxes(frames.rotation, 1, 2)
    np.testing.assert_allclose(turned, np.tile(np.eye(3), (len(arm.links), 1, 1)), atol=1e-14)


def test_elbow_manipulator_closed_form():
    """Hip, shoulder, elbow: the tip in cylinder coordinates, as in every textbook."""
    q = np.array([0.7, 0.4, -1.1])
    radius = math.cos(q[1]) + math.cos(q[1] + q[2])
    height = 0.5 + math.sin(q[1]) + math.sin(q[1] + q[2])
    expected = [radius * math.cos(q[0]), radius * math.sin(q[0]), height]
    np.testing.assert_allclose(tip(spatial_three(), q), expected, atol=1e-14)


@pytest.mark.parametrize("make", [planar_serial, planar_tree])
def test_planar_links_and_places(make):
    arm = make()
    q = np.linspace(-0.9, 1.3, len(arm.joints))
    frames, explicit = forward(arm, q), distal_frames(arm, q)
    for i, (link, frame) in enumerate(zip(arm.links, explicit, strict=True)):
        np.testing.assert_allclose(frames.root[i], frame[:3, 3], atol=1e-14)
        assert math.remainder(frames.angle[i] - math.atan2(frame[1, 0], frame[0, 0]), 2 * math.pi) == pytest.approx(0)
        for at in ("tip", "root", 0.3, *link.points):
            expected = frame @ np.append(place(arm, link, at), 1.0)
            np.testing.assert_allclose(frames.place(link.name, at), expected[:3], atol=1e-14)
    payload = arm.payload_link.name
    np.testing.assert_allclose(tips(arm, np.array([q, q]))[1], frames.place(payload, "tip"))


def test_angles_count_whole_turns():
    assert forward(two_link(), [7.0, 8.0]).angle[1] == pytest.approx(15.0)


def test_stations_along_bent_and_sliding_beams():
    arm = spatial_sliding()
    q = np.array([0.2, -0.4, 0.9, 0.3])
    frames = forward(arm, q)
    boom = frames.along("boom", [0.0, 0.8, 1.0])
    np.testing.assert_allclose(boom[0], frames.root[2], atol=1e-14)
    np.testing.assert_allclose(boom[2], frames.tip[2], atol=1e-14)
    # the free part is 1.0 m along the joint axis, then 0.25 m along a
    corner = frames.root[2] + 1.0 * frames.rotation[2][:, 2]
    np.testing.assert_allclose(boom[1], corner, atol=1e-14)
    np.testing.assert_allclose(frames.place("boom", 1.35 / 1.6), corner, atol=1e-14)
    many = forward(arm, np.array([q, q + 0.1])).along("boom", [0.0, 0.8, 1.0])
    assert many.shape == (2, 3, 3)
    np.testing.assert_allclose(many[0], boom)
    flat = forward(two_link(), [0.0, math.pi / 2]).along("fore", [0.25, 1.0])
    np.testing.assert_allclose(flat, [[1.0, 0.2, 0.0], [1.0, 0.8, 0.0]], atol=1e-15)


@pytest.mark.parametrize("make", [planar_tree, spatial_turning, spatial_sliding])
def test_tip_motion_is_the_derivative_of_the_tip(make):
    arm = make()
    motion = Waves(arm.pose, seed=4)
    found = tip_motion(arm, motion(0.5)[None], *(x[None] for x in motion.rates(0.5)))
    first, second = difference(lambda s: tip(arm, motion(0.5 + s)))
    np.testing.assert_allclose(found[1][0], first, atol=1e-9)
    np.testing.assert_allclose(found[2][0], second, atol=1e-7)


@pytest.mark.parametrize("elbow, sign", [("up", -1.0), ("down", 1.0)])
def test_two_link_inverse_in_closed_form(elbow, sign):
    arm = two_link(1.0, 0.8)
    angle = np.linspace(0.0, 4 * math.pi, 200)
    path = np.column_stack([0.9 * np.cos(angle) + 0.4, 0.9 * np.sin(angle)])
    q = inverse(arm, path, elbow=elbow)
    np.testing.assert_allclose(tips(arm, q)[:, :2], path, atol=1e-13)
    assert np.all(sign * q[:, 1] > 0)
    assert np.abs(np.diff(q, axis=0)).max() < 0.2
    single = inverse(arm, [0.5, 0.9, 0.0], elbow=elbow)
    # law of cosines
    assert single[1] == pytest.approx(sign * math.acos((0.25 + 0.81 - 1.0 - 0.64) / 1.6))
    shifted = inverse(arm, [0.5, 0.9], guess=single + 2 * math.pi, elbow=elbow)
    np.testing.assert_allclose(shifted, single + 2 * math.pi)


def test_closed_form_with_a_welded_kink_between_the_joints():
    rod = {"section": BAR, "material": STEEL}
    arm = Arm(
        links=[
            {"name": "a", "length": 0.5, **rod},
            {"name": "kink", "length": 0.4, **rod, "joint": {"type": "fixed", "position": 0.9}},
            {"name": "b", "length": 0.7, **rod},
        ]
    )
    up, down = (inverse(arm, [0.8, 0.3], elbow=elbow) for elbow in ("up", "down"))
    for q in (up, down):
        np.testing.assert_allclose(tip(arm, q), [0.8, 0.3, 0.0], atol=1e-14)
    left = [np.cross([0.8, 0.3, 0.0], forward(arm, q).root[2])[2] for q in (up, down)]
    assert left[0] > 0 > left[1]


def test_targets_out_of_reach_are_named():
    arm = two_link(1.0, 0.4)
    with pytest.raises(FlexarmError, match=r"\(1.3, 0.9\).*upper.*0.6 m to 1.4 m"):
        inverse(arm, [1.3, 0.9])
    with pytest.raises(FlexarmError, match=r"\(0.1, 0.2\)"):
        inverse(arm, [[1.0, 0.0], [0.1, 0.2]])
    np.testing.assert_allclose(inverse(arm, [1.4, 0.0]), [0.0, 0.0], atol=1e-4)
    with pytest.raises(FlexarmError, match=r"\(2, 2, 0.5\).*0.828 m away.*at most 2.5 m.*column.*2.87"):
        inverse(spatial_three(), [2.0, 2.0, 0.5])
    for bad in ([1.0], [1.0, 0.0, 0.1], [math.inf, 0.0]):
        with pytest.raises(FlexarmError, match=r"coordinate|planar"):
            inverse(arm, bad)
    with pytest.raises(FlexarmError, match="sideways"):
        inverse(arm, [1.0, 0.0], elbow="sideways")


@pytest.mark.parametrize("elbow, sign", [("up", -1.0), ("down", 1.0)])
def test_spatial_inverse_by_least_squares(elbow, sign):
    arm = spatial_three()
    rng = np.random.default_rng(2)
    for _ in range(8):
        target = np.array([0, 0, 0.5]) + rng.uniform(0.3, 1.8) * (lambda v: v / np.linalg.norm(v))(rng.normal(size=3))
        q = inverse(arm, target, elbow=elbow)
        np.testing.assert_allclose(tip(arm, q), target, atol=1e-8)
        assert sign * math.sin(q[2]) > 0
    near = inverse(arm, target, guess=q + 0.05)
    np.testing.assert_allclose(near, q, atol=1e-7)


def test_redundant_and_sliding_arms_follow_a_path():
    rod = {"section": BAR, "material": STEEL, "length": 0.6}
    snake = Arm(links=[{"name": name, **rod} for name in "abcd"])
    angle = np.linspace(0, 2 * math.pi, 120)
    path = np.column_stack([1.2 + 0.4 * np.cos(angle), 0.4 * np.sin(angle), 0 * angle])
    q = inverse(snake, path)
    np.testing.assert_allclose(tips(snake, q), path, atol=1e-8)
    assert np.abs(np.diff(q, axis=0)).max() < 0.15
    slider = spatial_sliding()
    start = np.array([0.3, -0.5, 0.8, 0.4])
    moved = np.column_stack([np.linspace(0, 0.3, 50), np.linspace(0, -0.2, 50), np.linspace(0, 0.1, 50)])
    path = tip(slider, start) + moved
    q = inverse(slider, path, guess=start)
    np.testing.assert_allclose(tips(slider, q), path, atol=1e-8)
    assert np.all((q[:, 2] >= 0.0) & (q[:, 2] <= 1.25))


def test_joint_rates_follow_the_tip():
    for arm, middle in ((two_link(), [0.4, -0.9]), (spatial_three(), [0.2, 0.5, -1.0])):
        motion, t = Waves(middle, size=0.3), np.linspace(0, 2, 5)
        rates = motion.rates(t)
        _, velocity, acceleration = tip_motion(arm, motion(t), *rates)
        found = joint_rates(arm, motion(t), velocity, acceleration)
        np.testing.assert_allclose(found[0], rates[0], atol=1e-11)
        np.testing.assert_allclose(found[1], rates[1], atol=1e-10)
    with pytest.raises(FlexarmError, match=r"row 0.*stretched"):
        joint_rates(two_link(), [[0.0, 0.0]], [[1.0, 0.0, 0.0]], [[0.0, 0.0, 0.0]])


def test_inverse_keeps_loops_closed():
    arm = ralf()
    q = inverse(arm, [4.0, 3.0])
    np.testing.assert_allclose(tip(arm, q), [4.0, 3.0, 0.0], atol=1e-8)
    assert np.abs(LoopEquations(Chain.of(arm)).evaluate(q[None])[0]).max() < 1e-9
    # in a parallelogram the upper link stays parallel to the bellcrank
    assert math.remainder(q[0] + q[3] - q[1], 2 * math.pi) == pytest.approx(0.0, abs=1e-7)
    velocity = np.array([[0.3, -0.2, 0.0]])
    qd, qdd = joint_rates(arm, q[None], velocity, np.zeros((1, 3)))
    back = tip_motion(arm, q[None], qd, qdd)
    np.testing.assert_allclose(back[1], velocity, atol=1e-12)
    np.testing.assert_allclose(back[2], 0.0, atol=1e-12)
    assert qd[0, 0] + qd[0, 3] == pytest.approx(qd[0, 1])
