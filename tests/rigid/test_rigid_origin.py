"""Arms by origins and axes, in trees: kinematics by products of matrices, torques by virtual work of a cloud of point masses."""

from __future__ import annotations

import numpy as np
import pytest
from rigid_cloud import Waves, difference, rotary
from scipy.spatial.transform import Rotation

from flexarm.arm import Arm, Pose
from flexarm.arm.pose import from_rpy, to_rpy
from flexarm.rigid import forward, inverse_dynamics, tip

ROD = {"section": {"shape": "rectangle", "width": 0.02, "height": 0.03}, "material": "aluminium"}


def random_tree(seed: int, links: int = 6) -> Arm:
    """Turning, sliding and welded joints about any axes, bodies with tensors in axes of their own, beams, brackets and a tool."""
    rng = np.random.default_rng(seed)
    made = []
    for k in range(links):
        kind = ("revolute", "revolute", "prismatic", "fixed")[int(rng.integers(4)) if k else 0]
        joint = {"type": kind, "origin": {"xyz": rng.uniform(-0.5, 0.5, 3), "rpy": rng.uniform(-3, 3, 3)}}
        if kind != "fixed":
            joint["axis"] = rng.normal(size=3)
        if kind == "revolute":
            joint |= {"hub_inertia": 0.03, "motor_mass": 0.4}
        link = {"name": f"l{k}", "joint": joint, "frames": {"ear": {"xyz": rng.uniform(-0.2, 0.2, 3)}}}
        link["masses"] = [{"at": "ear", "mass": 0.3, "inertia": 0.002}]
        if k:
            link["parent"] = f"l{int(rng.integers(k))}"
        if kind != "prismatic" and rng.random() < 0.5:
            ends = rng.uniform(-0.4, 0.4, (2, 3))
            link |= {**ROD, "beam": {"from": ends[0], "to": ends[1]}}
        else:
            a, b = rng.uniform(0.01, 0.03, 2)
            tensor = (a, b, 0.9 * (a + b), 0.001, -0.001, 0.0005)
            link |= {"flexible": False, "body": {"mass": 1.2, "center": rng.uniform(-0.2, 0.2, 3), "inertia": tensor}}
            link["body"]["rpy"] = rng.uniform(-3, 3, 3)
        made.append(link)
    made[-2]["frames"]["hand"] = {"xyz": rng.uniform(-0.2, 0.2, 3), "rpy": rng.uniform(-3, 3, 3)}
    return Arm(
        links=made, base={"xyz": (0.3, -0.2, 1.0), "rpy": rng.uniform(-3, 3, 3)}, gravity=(0.4, 1.0, -9.0),
        tool=f"l{links - 2}.hand", payload={"mass": 0.7, "offset": (0.1, 0.05, -0.03), "inertia": (0.01, 0.02, 0.015)},
    )  # fmt: skip


def matrix(pose: Pose | None) -> np.ndarray:
    out = np.eye(4)
    if pose is not None:
        out[:3, :3], out[:3, 3] = Rotation.from_euler("xyz", pose.rpy).as_matrix(), pose.xyz
    return out


def frames(arm: Arm, q) -> dict[str, np.ndarray]:
    found, value = {"ground": matrix(arm.base)}, dict(zip(arm.joints, q, strict=True))
    for link in arm.links:
        moved, axis = np.eye(4), np.array(link.joint.axis or (0.0, 0.0, 1.0))
        turn = axis / np.linalg.norm(axis) * value.get(link.name, 0.0)
        if link.joint.type == "prismatic":
            moved[:3, 3] = turn
        else:
            moved[:3, :3] = Rotation.from_rotvec(turn).as_matrix()
        found[link.name] = found[arm.parent(link.name)] @ matrix(link.joint.origin) @ moved
    return found


def cloud(arm: Arm) -> list[tuple[str, float, np.ndarray]]:
    """Links, masses and places in link axes of points that have all masses and inertias."""
    found = []
    for link in arm.links:
        own = [(lump.mass, np.array(link.frames[lump.at].xyz), lump.inertia * np.eye(3)) for lump in link.masses]
        axis = np.array(link.joint.axis or (0.0, 0.0, 1.0))
        axis = axis / np.linalg.norm(axis)
        own.append((0.0, np.zeros(3), link.joint.hub_inertia * np.outer(axis, axis)))
        if link.body is not None:
            xx, yy, zz, xy, xz, yz = link.body.inertia
            turn = Rotation.from_euler("xyz", link.body.rpy).as_matrix()
            tensor = turn @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ turn.T
            own.append((link.body.mass, np.array(link.body.center), tensor))
        if link.beam is not None:
            for s, w in zip(*np.polynomial.legendre.leggauss(3), strict=True):
                place = np.array(link.beam.begin) + 0.5 * (1 + s) * np.subtract(link.beam.end, link.beam.begin)
                own.append((0.5 * w * link.mass, place, np.zeros((3, 3))))
        for other in arm.links:
            if arm.parent(other.name) == link.name:
                own.append((other.joint.motor_mass, np.array(other.joint.origin.xyz), np.zeros((3, 3))))
        if link is arm.payload_link:
            tool = matrix(arm.tool_frame)
            centre = (tool @ [*arm.payload.offset, 1.0])[:3]
            own.append((arm.payload.mass, centre, tool[:3, :3] @ np.diag(arm.payload.inertia) @ tool[:3, :3].T))
        for mass, place, tensor in own:
            values, axes = np.linalg.eigh(tensor)
            found += [(link.name, m, x) for m, x in [(mass, place), *rotary(axes, place, values)]]
    return found


@pytest.mark.parametrize("seed", range(4))
def test_trees_of_origins_and_axes(seed):
    arm = random_tree(seed)
    motion, t = Waves(np.linspace(-0.5, 0.8, len(arm.joints)), seed=seed), 0.37
    q = motion(t)
    built, moved = forward(arm, q), frames(arm, q)
    for i, link in enumerate(arm.links):
        np.testing.assert_allclose(built.rotation[i], moved[link.name][:3, :3], atol=1e-13)
        np.testing.assert_allclose(
            built.place(link.name, "ear"), (moved[link.name] @ matrix(link.frames["ear"]))[:3, 3], atol=1e-13
        )
    tool = moved[arm.payload_link.name] @ matrix(arm.tool_frame)
    np.testing.assert_allclose(tip(arm, q), tool[:3, 3], atol=1e-13)

    points = cloud(arm)
    owners, mass, place = zip(*points, strict=True)
    mass, place = np.array(mass), np.concatenate([np.array(place), np.ones((len(place), 1))], axis=1)

    def where(values):
        poses = frames(arm, values)
        return np.einsum("nij,nj->ni", np.array([poses[name] for name in owners]), place)[:, :3]

    push = mass[:, None] * (difference(lambda s: where(motion(t + s)), 4e-3)[1] - np.array(arm.gravity))
    expected = [np.sum(push * difference(lambda s, e=e: where(q + s * e))[0]) for e in np.eye(len(q))]
    found = inverse_dynamics(arm, q, *motion.rates(t))
    np.testing.assert_allclose(found, expected, atol=2e-7 * np.abs(expected).max())


def test_angles_of_a_rotation_come_back():
    for rpy in (*np.random.default_rng(0).uniform(-3, 3, (20, 3)), (0.3, np.pi / 2, 0.4), (0.3, -np.pi / 2, 0.4)):
        turn = Rotation.from_euler("xyz", rpy).as_matrix()
        np.testing.assert_allclose(from_rpy(rpy), turn, atol=1e-15)
        np.testing.assert_allclose(from_rpy(to_rpy(turn)), turn, atol=1e-15)
