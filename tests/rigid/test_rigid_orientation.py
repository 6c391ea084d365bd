"""Inverse kinematics with orientation: random arms are brought back to where they have been."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from flexarm.arm import Arm
from flexarm.errors import FlexarmError
from flexarm.rigid import forward, inverse
from flexarm.rigid.beam import tool_pose
from flexarm.rigid.chain import Chain
from flexarm.rigid.task import TaskEquations


def random_arm(seed: int, joints: int, limits: float | None = None) -> Arm:
    rng = np.random.default_rng(seed)
    links = []
    for k in range(joints):
        joint = {"origin": {"xyz": rng.uniform(0.05, 0.4, 3), "rpy": rng.uniform(-2, 2, 3)}, "axis": rng.normal(size=3)}
        if limits is not None:
            joint["limits"] = {"lower": -limits, "upper": limits}
        links.append({"name": f"l{k}", "flexible": False, "body": {"mass": 1.0}, "joint": joint})
    links[-1]["frames"] = {"tool": {"xyz": (0.1, 0.2, 0.1), "rpy": (0.3, 0.4, 0.5)}}
    return Arm(links=links, tool=f"l{joints - 1}.tool")


def stands(arm: Arm, q) -> tuple[np.ndarray, np.ndarray]:
    frames, i = forward(arm, q), arm.index(arm.payload_link.name)
    return frames.tip[..., i, :], frames.rotation[..., i, :, :] @ tool_pose(arm)[1]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("joints", [6, 7])
def test_a_tool_comes_back_to_where_it_stood(seed, joints):
    arm = random_arm(seed, joints, limits=2.5)
    wanted = np.random.default_rng(seed).uniform(-1.5, 1.5, joints)
    place, axes = stands(arm, wanted)
    for orientation in (axes, Rotation.from_matrix(axes).as_euler("xyz")):
        found = inverse(arm, place, orientation=orientation)
        assert np.abs(found).max() <= 2.5
        again = stands(arm, found)
        np.testing.assert_allclose(again[0], place, atol=1e-8)
        np.testing.assert_allclose(again[1], axes, atol=1e-8)


def test_a_path_with_orientation_is_followed_without_jumps():
    arm = random_arm(1, 7)
    t = np.linspace(0.0, 1.0, 60)[:, None]
    motion = 0.4 + 0.6 * np.sin(2.0 * t + np.arange(7))
    place, axes = stands(arm, motion)
    found = inverse(arm, place, guess=motion[0], orientation=axes)
    again = stands(arm, found)
    np.testing.assert_allclose(again[0], place, atol=1e-8)
    np.testing.assert_allclose(again[1], axes, atol=1e-8)
    assert np.abs(np.diff(found, axis=0)).max() < 0.2


def test_jacobian_of_the_turn_is_its_derivative():
    arm = random_arm(2, 6)
    equations, rng = TaskEquations(Chain.of(arm), turned=True), np.random.default_rng(0)
    q, target = (
        rng.uniform(-1, 1, (1, 6)),
        np.concatenate([np.zeros(3), Rotation.random(random_state=1).as_matrix().ravel()])[None],
    )
    jac = equations.evaluate(q, target)[1][0]
    for k in range(6):
        step = np.zeros((1, 6))
        step[0, k] = 1e-6
        change = (equations.evaluate(q + step, target)[0] - equations.evaluate(q - step, target)[0])[0] / 2e-6
        np.testing.assert_allclose(jac[:, k], change, atol=1e-8)


def test_what_cannot_be_reached_is_said():
    arm = random_arm(0, 3)
    place, axes = stands(arm, [0.1, 0.2, 0.3])
    with pytest.raises(FlexarmError, match=r"cannot be reached in the wanted orientation: .* deg"):
        inverse(arm, place, orientation=axes @ Rotation.from_euler("x", 1.0).as_matrix())
    with pytest.raises(FlexarmError, match="no rotation"):
        inverse(arm, place, orientation=2.0 * np.eye(3))
    rod = {"section": {"shape": "circle", "diameter": 0.01}, "material": "steel", "length": 1.0}
    with pytest.raises(FlexarmError, match="arms in space"):
        inverse(Arm(links=[{"name": "a", **rod}, {"name": "b", **rod}]), [1.0, 0.5], orientation=[0, 0, 0])
