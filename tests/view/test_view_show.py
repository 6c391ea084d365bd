"""The arm before any run: to scale, in its start pose, with what acts on it and where it shall go."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm as fa
from flexarm.rigid import close_loops, forward, tip
from flexarm.simulation.poses import commanded_motion
from flexarm.view import show
from flexarm.view.show import DRIVE, LOAD

PATCH = """
name: pushed
arm:
  gravity: [0, -9.81, 0]
  links:
    - {name: beam, length: 1 m, material: steel, section: {shape: rectangle, width: 20 mm, height: 5 mm}, masses: [{at: 0.5, mass: 1 kg}]}
  payload: {mass: 2 kg, offset: [0.1 m, 0.2 m]}
drive:
  - {joint: beam, motion: {profile: quintic, by: 90 deg, duration: 1 s}}
  - {patch: {link: beam, from: 0.2, to: 0.6, name: wind}, force: {profile: constant, amplitude: 3 N}}
method: {name: fem}
time: {end: 1 s, step: 1 ms}
"""


def words(made) -> list[str]:
    return [text.get_text() for text in made.axes[0].get_legend().get_texts()]


def lines_of(made, label: str) -> list[np.ndarray]:
    return [line.get_xydata() for line in made.axes[0].lines if line.get_label() == label]


@pytest.mark.parametrize("name", ["tokhi-azad", "naganathan-3r", "naganathan-rp", "ralf", "five-bar", "tian-circle"])
def test_every_kind_of_arm_is_drawn_with_its_frames(name):
    scenario = fa.load(name)
    made = show(scenario)
    made.draw_without_rendering()
    axes, arm = made.axes[0], scenario.arm
    arrows = [text for text in axes.texts if getattr(text, "arrow_patch", None) is not None]
    assert len(arrows) >= (3 if arm.spatial else 2) * len(arm.links)
    named = {part for text in axes.texts for part in text.get_text().split(", ")}
    assert set(arm.joints) <= named
    driven = [line for line in axes.lines if line.get_color() == DRIVE]
    turning = [n for drive in scenario.drive for n in drive.names if arm.link(n).joint.type == "revolute"]
    assert len(driven) == len(turning) and "driven joint" in words(made)
    assert ("joint axis" in words(made)) == arm.spatial
    assert ("wanted path" in words(made)) == (name == "tian-circle")


def test_payload_lumps_gravity_and_forces_are_where_they_act():
    made = show(fa.loads(PATCH))
    assert {"payload 2 kg", "lump", "wind", "driven joint", "path of the tip, as commanded"} <= set(words(made))
    assert lines_of(made, "payload 2 kg")[0] == pytest.approx(np.array([[1.1, 0.2]]))
    assert lines_of(made, "lump")[0] == pytest.approx(np.array([[0.5, 0.0]]))
    assert lines_of(made, "wind")[0] == pytest.approx(np.array([[0.2, 0.0], [0.6, 0.0]]))
    assert "gravity 9.81 m/s²" in [text.get_text() for text in made.axes[0].texts]
    path = lines_of(made, "path of the tip, as commanded")[0]
    assert np.hypot(*path.T) == pytest.approx(1.0) and path[-1] == pytest.approx([0.0, 1.0], abs=1e-12)


def test_cylinders_are_as_long_as_their_formula_says():
    scenario = fa.load("ralf-hydraulic")
    pose = dict(zip(scenario.arm.joints, close_loops(scenario.arm, scenario.arm.pose), strict=True))
    parts = [line.get_xydata() for line in show(scenario).axes[0].lines if line.get_color() == LOAD]
    bodies, rods = parts[::2], parts[1::2]
    for drive, body, rod in zip(scenario.drive, bodies, rods, strict=True):
        assert body[1] == pytest.approx(rod[0])
        assert np.hypot(*(rod[1] - body[0])) == pytest.approx(float(drive.cylinder.length(pose[drive.joint])))


def test_commands_end_where_the_file_says():
    scenario = fa.load("naganathan-3r")
    motion = commanded_motion(scenario, 11)
    assert np.degrees(motion[0]) == pytest.approx([0.0, 30.0, -60.0]) and np.degrees(motion[-1]) == pytest.approx(
        [90, 60, 0]
    )
    assert commanded_motion(fa.load("tokhi-azad"), 11) is None, "a torque commands no place"
    loop = fa.load("slider-crank")
    motion = commanded_motion(loop, 50)
    frames = forward(loop.arm, motion)
    gap = frames.place("rod", "tip") - frames.place("guide", "block")
    assert np.abs(gap).max() < 1e-8 and np.ptp(motion[:, 0]) == pytest.approx(6.0 * np.pi)


def test_gains_that_are_found_automatically_need_no_model_here():
    scenario = fa.loads(PATCH.replace("{joint: beam,", "{joint: beam, servo: auto,"))
    assert scenario.program.auto_servos
    assert commanded_motion(scenario, 5).shape == (5, len(scenario.arm.joints))


def test_the_tip_of_the_picture_is_that_of_the_stiff_arm():
    scenario = fa.load("ralf")
    (mark,) = lines_of(show(scenario), "tip")
    assert mark[0] == pytest.approx(tip(scenario.arm, close_loops(scenario.arm, scenario.arm.pose))[:2])
