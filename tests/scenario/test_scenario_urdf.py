"""Robots from URDF files: kinematics beside another reader and a table, masses, refusals, the way there and back."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from typer.testing import CliRunner

import flexarm as fa
from flexarm.arm import Arm
from flexarm.cli import app
from flexarm.errors import ScenarioError
from flexarm.rigid import forward, inverse_dynamics, tip
from flexarm.scenario.urdf import read_robot, robot_file, understand, urdf_text

ROBOTS = Path(__file__).parent / "robots"
POSES = {"A": [0, 60, -80, -60, 70, 20], "B": [0, 30, -30, -20, -30, 80]}
FIGURES = {
    "A": ([12.777586, 13.470841, 38.302754, 43.95895, 74.569141, 109.501612], [0.257651, -0.0419, -1.222342]),
    "B": ([9.477534, 9.925303, 36.567155, 43.646855, 100.344846, 145.12348], [-0.05829, 0.210398, -2.766502]),
}
"""Of six.urdf with two flexible links, by assumed modes in space: frequencies in Hz with joints held, sag of the tool in mm."""
BODY = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'


def arm_of(content: str | Path, **more):
    robot = robot_file(content) if isinstance(content, Path) else read_robot(content.encode(), "robot.urdf")
    return Arm.model_validate(understand(robot, **more).arm)


def written(links: str, joints: str) -> str:
    return f'<robot name="r">\n{links}\n{joints}\n</robot>'


def joint(name: str, parent: str, child: str, kind: str = "revolute", inside: str = '<axis xyz="0 0 1"/>') -> str:
    return f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>{inside}</joint>'


def test_lengths_of_a_public_robot_meet_its_table():
    """Base turned by half a turn about z; the same joint angles."""
    arm = arm_of(ROBOTS / "ur5-facts.urdf")
    table = [(0, 90, 0.089159), (-0.425, 0, 0), (-0.39225, 0, 0), (0, 90, 0.10915), (0, -90, 0.09465), (0, 0, 0.0823)]
    links = [
        {"name": f"l{k}", "flexible": False, "joint": {"dh": {"a": a, "alpha": math.radians(alpha), "d": d}}}
        for k, (a, alpha, d) in enumerate(table)
    ]
    by_table = Arm(links=links)
    for q in np.random.default_rng(1).uniform(-3, 3, (5, 6)):
        np.testing.assert_allclose(tip(arm, q), tip(by_table, q) * [-1, -1, 1], atol=1e-12)


@pytest.mark.parametrize("name", ["six.urdf", "ur5-facts.urdf"])
def test_frames_are_those_of_another_reader(name):
    other = pytest.importorskip("yourdfpy").URDF.load(str(ROBOTS / name), load_meshes=False, build_scene_graph=True)
    arm = arm_of(ROBOTS / name)
    q = np.random.default_rng(2).uniform(-2, 2, 6)
    other.update_cfg(q)
    frames = forward(arm, q)
    for i, link in enumerate(arm.links):
        pose = other.get_transform(link.name, other.base_link)
        np.testing.assert_allclose(frames.root[i], pose[:3, 3], atol=1e-12)
        np.testing.assert_allclose(frames.rotation[i], pose[:3, :3], atol=1e-12)


@pytest.mark.parametrize("pose", FIGURES)
def test_figures_of_the_six_axis_arm(pose, tmp_path):
    out = tmp_path / "six.yaml"
    done = CliRunner().invoke(
        app, ["urdf", str(ROBOTS / "six.urdf"), "--flexible", str(ROBOTS / "six-flex.yaml"), "--out", str(out)]
    )
    assert done.exit_code == 0, done.output
    plan = fa.load(out)
    lumps = {lump.at: lump.mass for lump in plan.arm.link("upper").masses}
    assert lumps == pytest.approx({"root": 0.6225, "tip": 1.6776}, abs=1e-4)
    held = [{"joint": name, "motion": {"profile": "constant"}} for name in plan.arm.joints]
    places = {
        f"arm.links.{n}.joint.position": math.radians(v) for n, v in zip(plan.arm.joints, POSES[pose], strict=True)
    }
    plan = plan.with_({**places, "drive": held, "method.resolution": 32, "output": {}})
    frequencies, sag = FIGURES[pose]
    np.testing.assert_allclose(fa.frequencies(plan).hz[:6], frequencies, rtol=1e-3)
    np.testing.assert_allclose(1e3 * fa.static(plan).tip_displacement, sag, atol=5e-4 * np.linalg.norm(sag))


def test_the_robot_in_a_scenario_is_the_one_that_was_written(tmp_path):
    for name in ("six.urdf", "six-flex.yaml"):
        (tmp_path / name).write_bytes((ROBOTS / name).read_bytes())
    text = (ROBOTS / "six-flex.yaml").read_text()
    flexible = text[text.index("flexible:") :].replace("\n", "\n  ")
    plan = fa.loads(
        f"name: six\nmethod: fem\narm:\n  urdf: six.urdf\n  payload: {{mass: 1 kg}}\n  {flexible}\ntime: {{end: 1 s}}",
        folder=tmp_path,
    )
    CliRunner().invoke(
        app,
        [
            "urdf",
            str(tmp_path / "six.urdf"),
            "--flexible",
            str(tmp_path / "six-flex.yaml"),
            "--out",
            str(tmp_path / "six.yaml"),
        ],
    )
    assert plan.arm.links == fa.load(tmp_path / "six.yaml").arm.links
    assert plan.arm.payload.mass == 1.0 and plan.arm.gravity == (0.0, 0.0, -9.81)
    changed = fa.loads(
        "{name: six, method: fem, arm: {urdf: six.urdf}, time: {end: 1 s}}",
        folder=tmp_path,
        overrides=["arm.links.base.body.mass=5 kg"],
    )
    assert changed.arm.link("base").body.mass == 5.0


@pytest.mark.parametrize("name", ["six.urdf", "ur5-facts.urdf", "naganathan-3r", "naganathan-rp"])
def test_there_and_back(name):
    """Kinematics and inertia of the stiff arm survive URDF, scenario, URDF."""
    arm = arm_of(ROBOTS / name) if name.endswith("urdf") else fa.load(name).arm
    if name == "naganathan-rp":  # a rod of changing length has no body of its own: as long as it starts
        again = arm_of(urdf_text(arm, "again"))
        assert again.joints == arm.joints
        return
    again = arm_of(urdf_text(arm, "again"))
    rng = np.random.default_rng(3)
    for q in rng.uniform(-2, 2, (4, len(arm.joints))):
        one, two = forward(arm, q), forward(again, q)
        np.testing.assert_allclose(two.root, one.root, atol=1e-12)
        np.testing.assert_allclose(two.rotation, one.rotation, atol=1e-12)
        rates = rng.normal(size=(2, len(q)))
        if not any(arm.gravity):
            continue
        np.testing.assert_allclose(inverse_dynamics(again, q, *rates), inverse_dynamics(arm, q, *rates), atol=1e-9)
    assert [link.joint.limits for link in again.links] == [link.joint.limits for link in arm.links]


def test_fixed_links_are_folded_with_their_inertia():
    """A bent chain of fixed joints; the tensor and its turned axes by another way."""
    tensor = '<inertia ixx="0.02" iyy="0.03" izz="0.04" ixy="0.001" ixz="0" iyz="0"/>'
    inertial = f'<inertial><origin xyz="0.1 0 0" rpy="0.3 0.2 0.1"/><mass value="2"/>{tensor}</inertial>'
    links = f'<link name="w"/><link name="a"/><link name="b">{inertial}</link><link name="c">{inertial}</link>'
    at = '<origin xyz="0.1 0.2 0.3" rpy="0.4 0.5 0.6"/>'
    joints = joint("j", "w", "a") + joint("f", "a", "b", "fixed", at) + joint("g", "b", "c", "fixed", at)
    body = arm_of(written(links, joints)).links[0].body
    turn, shift = Rotation.from_euler("xyz", [0.4, 0.5, 0.6]), np.array([0.1, 0.2, 0.3])
    own = Rotation.from_euler("xyz", [0.3, 0.2, 0.1]).as_matrix()
    tensor = own @ np.array([[0.02, 0.001, 0], [0.001, 0.03, 0], [0, 0, 0.04]]) @ own.T
    centres = [turn.apply([0.1, 0, 0]) + shift, turn.apply(turn.apply([0.1, 0, 0]) + shift) + shift]
    turns = [turn.as_matrix(), (turn * turn).as_matrix()]
    mean = np.mean(centres, axis=0)
    about = sum(
        R @ tensor @ R.T + 2.0 * ((c - mean) @ (c - mean) * np.eye(3) - np.outer(c - mean, c - mean))
        for R, c in zip(turns, centres, strict=True)
    )
    assert body.mass == 4.0
    np.testing.assert_allclose(body.place, mean, atol=1e-14)
    np.testing.assert_allclose(body.tensor, about, atol=1e-14)


def test_trees_and_sliders():
    links = "".join(f'<link name="{n}">{BODY}</link>' for n in "wabc")
    joints = joint("j1", "w", "a") + joint(
        "j2", "a", "b", "prismatic", '<axis xyz="0 1 0"/><limit lower="-0.1" upper="0.2" effort="5" velocity="1"/>'
    )
    arm = arm_of(written(links, joints + joint("j3", "a", "c", inside='<origin xyz="0 0 1"/>')))
    assert arm.parent("c") == "a" and not arm.serial and arm.link("c").joint.axis == (1.0, 0.0, 0.0)
    np.testing.assert_allclose(forward(arm, [0.0, -0.05, 0.0]).place("b", "root"), [0, -0.05, 0], atol=1e-15)
    assert arm.link("b").joint.limits.ends == (-0.1, 0.2)


THREE = '<link name="w"/><link name="a">' + BODY + '</link><link name="b">' + BODY + "</link>"
TENSOR = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="3" ixy="0" ixz="0" iyz="0"/></inertial>'
BAD = {
    "no such thing as an entity": ('<!DOCTYPE robot [<!ENTITY x "y">]>\n<robot name="&x;"/>', "document type"),
    "from outside": ('<!DOCTYPE robot SYSTEM "file:///etc/passwd"><robot/>', "document type"),
    "no XML": ("<robot><link></robot>", "line 1: this is no XML"),
    "another tag": ("<sdf/>", "begins with <robot>"),
    "macros": ('<robot name="r"><xacro:include filename="a"/></robot>', "xacro robot.urdf.xacro"),
    "two roots": (written(THREE, joint("j", "w", "a")), "one root link; found w, b"),
    "a circle": (written(THREE, joint("j", "a", "b") + joint("k", "b", "a")), "form a circle"),
    "two parents": (written(THREE, joint("j", "w", "b") + joint("k", "a", "b")), "two joints"),
    "a zero axis": (written(THREE, joint("j", "w", "a", inside='<axis xyz="0 0 0"/>') + joint("k", "a", "b")), "'j' has an axis of length zero"),
    "three numbers": (written(THREE, joint("j", "w", "a", inside='<axis xyz="0 1"/>')), "wants 3 finite numbers"),
    "not a number": (written(THREE, joint("j", "w", "a", inside='<axis xyz="0 1 nan"/>')), "wants 3 finite numbers"),
    "floating": (written(THREE, joint("j", "w", "a", "floating")), "of type 'floating'"),
    "a mimic circle": (
        written(THREE, joint("j", "w", "a", inside='<axis xyz="0 0 1"/><mimic joint="k"/>') + joint("k", "a", "b", inside='<mimic joint="j"/>')),
        "j, k mimic each other",
    ),
    "a massless leaf": (written('<link name="w"/><link name="a"/>', joint("j", "w", "a")), "'a' has no mass and its joint 'j' moves"),
    "no body": (written(f'<link name="w"/>\n<link name="a">{TENSOR}</link>', joint("j", "w", "a")), "line 3: link 'a': no body has this inertia"),
    "nothing moves": (written(THREE, joint("j", "w", "a", "fixed") + joint("k", "a", "b", "fixed")), "no joint that moves"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_refusals_name_file_and_line(case):
    text, words = BAD[case]
    with pytest.raises(ScenarioError) as found:
        arm_of(text)
    assert words in str(found.value) and str(found.value).startswith("robot.urdf"), str(found.value)


def test_refusals_of_overlays(tmp_path):
    robot = robot_file(ROBOTS / "six.urdf")
    tube = {"section": {"shape": "tube", "diameter": "50 mm", "thickness": "10 mm"}, "material": "steel"}
    for entry, words in (
        ({"upper": {**tube, "to": "j3"}}, "cannot be split into the beam"),
        ({"upper": {**tube, "to": "j5"}}, "'j5' does not stand on link 'upper'"),
        ({"upper": {**tube, "into": "j3"}}, "no 'into' of a flexible link"),
        ({"elbow": tube}, "'elbow' cannot bend"),
        ({"upper": {"to": "j3", "section": tube["section"]}}, "needs material"),
    ):
        with pytest.raises(ScenarioError) as found:
            understand(robot, entry)
        assert words in str(found.value)
    big = tmp_path / "big.urdf"
    big.write_bytes(b" " * 10_000_001)
    with pytest.raises(ScenarioError, match="larger than 10 MB"):
        robot_file(big)
