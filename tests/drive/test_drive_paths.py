"""Paths of the tip: shapes, timing, joint motions with exact derivatives, and what is refused."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from pydantic import ValidationError

from flexarm.arm import Arm
from flexarm.drive import ACCELERATION, POSITION, VELOCITY, Drive, Program, start_on_path
from flexarm.errors import FlexarmError, ScenarioError
from flexarm.rigid import tip_motion, tips

ROD = {"section": {"shape": "circle", "diameter": 0.02}, "material": "steel"}
SHAPES = {
    "line": {"shape": "line", "from": [0.9, -0.3], "to": [0.5, 0.6], "duration": 2.0},
    "circle": {"shape": "circle", "center": [0.9, 0.1], "radius": 0.3, "duration": 3.0, "turns": 2},
    "around": {"shape": "circle", "center": [0.0, 0.0], "radius": 1.1, "duration": 3.0, "turns": 2, "angle": 0.5},
    "square": {"shape": "square", "center": [0.9, 0.1], "side": 0.4, "duration": 4.0, "corner": "sharp",
               "timing": "uniform"},
    "stopping": {"shape": "square", "center": [0.9, 0.1], "side": 0.4, "duration": 4.0, "turns": 2},
    "rounded": {"shape": "square", "center": [0.9, 0.1], "side": 0.4, "duration": 4.0, "corner": 0.08},
    "polygon": {"shape": "polygon", "points": [[0.6, -0.4], [1.1, 0.0], [0.6, 0.5]], "duration": 3.0, "corner": 0.05,
                "timing": "trapezoid-velocity", "rise": 0.7, "turns": 2},
    "open": {"shape": "polygon", "points": [[0.6, -0.4], [1.1, 0.0], [0.6, 0.5]], "duration": 3.0, "closed": False},
    "spline": {"shape": "spline", "points": [[0.6, -0.4], [1.1, 0.0], [0.9, 0.4], [0.5, 0.6]], "duration": 2.0},
    "loop": {"shape": "spline", "points": [[0.6, -0.4], [1.1, 0.0], [0.9, 0.4]], "closed": True, "duration": 2.0},
    "table": {"shape": "table", "points": [[0, 0.6, -0.4], [1, 1.1, 0.0], [1.5, 0.9, 0.4], [2, 0.5, 0.6]]},
    "straight": {"shape": "table", "points": [[0, 0.6, -0.4], [1, 1.1, 0.0], [2, 0.5, 0.6]], "interpolate": "linear"},
}  # fmt: skip


def arm_of(*lengths: float, **first) -> Arm:
    links = [{"name": f"l{k}", "length": length, **ROD} for k, length in enumerate(lengths)]
    links[0].update(first)
    return Arm(links=links)


def program(arm: Arm, path: dict, **more) -> Program:
    drive = Drive(joints=arm.joints, path=path, **more)
    assert drive.path is not None
    return Program.compile(start_on_path(arm, drive.path), [drive])


def phases(prog: Program, end: float) -> list[tuple[float, float]]:
    cuts = [0.0, *prog.jumps(end), end]
    return list(itertools.pairwise(cuts))


@pytest.mark.parametrize("lengths", [(0.8, 0.7), (0.5, 0.5, 0.5), (0.3, 0.5, 0.4, 0.3)])
@pytest.mark.parametrize("name", SHAPES)
def test_joints_bring_the_tip_onto_the_path_with_its_velocity_and_acceleration(name, lengths):
    prog = program(arm_of(*lengths), SHAPES[name])
    path = prog.path
    for a, b in phases(prog, path.end + 0.3):
        t = np.linspace(a, b, 37)
        table = prog.table(t, 0.5 * (a + b))
        q, qd, qdd = (table[:, :, c] for c in (POSITION, VELOCITY, ACCELERATION))
        wanted = path.tip(t, 0.5 * (a + b))
        for got, want, most in zip(tip_motion(prog.arm, q, qd, qdd), wanted, (1e-11, 1e-8, 1e-6), strict=True):
            assert np.abs(got - want).max() < most * max(1.0, np.abs(want).max())
        assert np.abs(path.place(t) - wanted[0]).max() < 1e-12


@pytest.mark.parametrize("lengths", [(0.8, 0.7), (0.5, 0.5, 0.5)])
@pytest.mark.parametrize("name", ["circle", "rounded", "spline", "polygon"])
def test_velocity_and_acceleration_are_the_derivatives_of_the_position(name, lengths):
    prog = program(arm_of(*lengths), SHAPES[name])
    for a, b in phases(prog, prog.path.end):
        h, inside = 1e-3 * (b - a), 0.5 * (a + b)
        t = np.linspace(a + 3 * h, b - 3 * h, 21)
        weights = np.array([-1.0, 9.0, -45.0, 0.0, 45.0, -9.0, 1.0]) / (60.0 * h)
        tables = np.stack([prog.table(t + k * h, inside) for k in range(-3, 4)])
        for value, rate in ((POSITION, VELOCITY), (VELOCITY, ACCELERATION)):
            slope = np.tensordot(weights, tables[..., value], axes=1)
            exact = tables[3][..., rate]
            assert np.abs(slope - exact).max() < 2e-6 * max(1.0, np.abs(exact).max())


def test_nothing_but_the_declared_breaks_jumps():
    """Within a phase neighbouring instants are close; at sharp corners the velocity jumps and is declared."""
    sharp = program(arm_of(0.8, 0.7), SHAPES["square"])
    assert sharp.jumps(4.0) == pytest.approx([0.5, 1.5, 2.5, 3.5])
    times, sizes = sharp.lines[0].position.jumps()
    assert times == pytest.approx([0.0, 0.5, 1.5, 2.5, 3.5, 4.0])
    assert np.all(np.abs(sizes[1]) > 1e-3) and np.all(sizes[0] == 0.0)
    stopping = program(arm_of(0.8, 0.7), SHAPES["stopping"])
    times, sizes = stopping.lines[0].position.jumps()
    assert not np.any(sizes)  # a quintic law stops smoothly
    corners = [0.25, 0.75, 1.25, 1.75, 2.25, 2.75, 3.25, 3.75]
    speeds = [np.abs(stopping.table([t], t + 1e-6)[0, :, VELOCITY]).max() for t in corners]
    assert max(speeds) < 1e-9
    assert np.abs(stopping.table([2.0], 2.0 + 1e-6)[0, :, VELOCITY]).max() > 0.1  # no stop between two turns
    rounded = program(arm_of(0.8, 0.7), SHAPES["rounded"])
    times, sizes = rounded.lines[0].position.jumps()
    assert len(times) == 8 and not np.any(sizes[:2]) and np.all(sizes[2] != 0.0)


def test_both_elbows_and_the_side_on_which_the_arm_stands():
    path = SHAPES["circle"]
    up, down = (program(arm_of(0.8, 0.7), {**path, "elbow": side}).path.pose for side in ("up", "down"))
    assert up[1] < 0 < down[1] and abs(up[1]) == pytest.approx(down[1])
    assert program(arm_of(0.8, 0.7), path).path.pose == pytest.approx(up)
    law = {"type": "pd", "kp": 1.0}
    standing = program(arm_of(0.8, 0.7, joint={"position": -0.5}), path, control=law)
    bent = Arm(links=[{"name": "l0", "length": 0.8, **ROD, "joint": {"position": float(down[0])}},
                      {"name": "l1", "length": 0.7, **ROD, "joint": {"position": float(down[1])}}])  # fmt: skip
    assert program(bent, path).path.pose == pytest.approx(down)
    assert standing.path.pose[0] == pytest.approx(down[0])


def test_a_circle_around_the_base_turns_on_and_on():
    prog = program(arm_of(0.8, 0.7), SHAPES["around"])
    turned = prog.table([0.0, 3.0], 1.0)[:, 0, POSITION]
    assert turned[1] - turned[0] == pytest.approx(4.0 * math.pi)
    back = program(arm_of(0.8, 0.7), {**SHAPES["around"], "clockwise": True}).table([0.0, 3.0], 1.0)[:, 0, POSITION]
    assert back[1] - back[0] == pytest.approx(-4.0 * math.pi)


@pytest.mark.parametrize("timing", ["quintic", "cycloid", "versine", "bang-bang", "trapezoid-velocity",
                                    "trapezoid-acceleration", "uniform"])  # fmt: skip
def test_timing_laws(timing):
    path = {"shape": "line", "from": [0.5, 0.2], "to": [1.1, -0.4], "duration": 2.0, "timing": timing, "start": 0.5}
    if "trapezoid" in timing:
        path["rise"] = 0.3
    motion = program(arm_of(0.8, 0.7), path).path
    t = np.array([0.0, 0.5, 1.5, 2.5, 3.0])
    way = np.linalg.norm(motion.place(t) - motion.place([0.0]), axis=1) / math.hypot(0.6, 0.6)
    assert way == pytest.approx([0.0, 0.0, 0.5, 1.0, 1.0], abs=1e-12)
    early = float(np.linalg.norm(motion.place([1.0]) - motion.place([0.0])) / math.hypot(0.6, 0.6))
    quarter = {"quintic": 0.103515625, "cycloid": 0.25 - 1 / (2 * math.pi), "versine": 0.5 - math.sqrt(0.125),
               "bang-bang": 0.125, "trapezoid-velocity": (0.5 - 0.15) / 1.7, "uniform": 0.25}  # fmt: skip
    if timing in quarter:
        assert early == pytest.approx(quarter[timing], abs=1e-12)
    else:
        assert 0.05 < early < 0.25


def test_speed_along_a_spline_is_that_of_the_timing_law():
    path = program(arm_of(0.8, 0.7), {**SHAPES["loop"], "timing": "uniform"}).path
    velocity = path.tip(np.linspace(0.0, 2.0, 50), 1.0)[1]
    speed = np.linalg.norm(velocity, axis=1)
    fine = path.place(np.linspace(0.0, 2.0, 20001))
    assert speed == pytest.approx(np.full(50, np.linalg.norm(np.diff(fine, axis=0), axis=1).sum() / 2.0), rel=1e-7)
    for point in SHAPES["loop"]["points"]:
        assert np.abs(fine[:, :2] - point).max(axis=1).min() < 1e-4


def test_answers_do_not_depend_on_how_times_are_cut():
    for lengths in ((0.8, 0.7), (0.5, 0.5, 0.5)):
        prog = program(arm_of(*lengths), SHAPES["circle"])
        t = np.linspace(0.0, 3.0, 401)
        whole = prog.table(t, 1.0)
        parts = np.concatenate([prog.table(t[k : k + 17], 1.0) for k in range(0, len(t), 17)])
        assert np.array_equal(whole, parts)


def test_table_from_a_file_with_units(tmp_path):
    t = np.linspace(0.0, 2.0, 41)
    places = 1e3 * np.column_stack([0.9 + 0.1 * np.cos(t), 0.2 * t])
    lines = ["t,east,north", *(f"{a!r},{b!r},{c!r}" for a, (b, c) in zip(t.tolist(), places.tolist(), strict=True))]
    (tmp_path / "p.csv").write_text("\n".join(lines))
    path = {"shape": "table", "file": str(tmp_path / "p.csv"), "columns": ["east", "north"], "unit": 1e-3}
    prog = program(arm_of(0.8, 0.7), path)
    assert prog.path.place(t)[:, :2] == pytest.approx(1e-3 * places, abs=1e-12)
    with pytest.raises(ValidationError, match="no column 'x'"):
        program(arm_of(0.8, 0.7), {**path, "columns": ["x", "north"]})


def test_an_actuator_shapes_the_command_but_not_the_wanted_path():
    """A lag of first order with time constant T follows a slow motion about T seconds late."""
    lag = {"type": "transfer", "poles": [-50.0]}
    plain = program(arm_of(0.8, 0.7), SHAPES["circle"])
    late = program(arm_of(0.8, 0.7), SHAPES["circle"], actuator=lag)
    t = np.linspace(0.5, 2.5, 9)
    assert np.abs(late.table(t, 1.0)[:, :, POSITION] - plain.table(t - 0.02, 1.0)[:, :, POSITION]).max() < 8e-3
    assert np.abs(late.table(t, 1.0)[:, :, POSITION] - plain.table(t, 1.0)[:, :, POSITION]).max() > 0.02
    assert np.array_equal(late.path.place(t), plain.path.place(t))


def test_as_reference_of_laws_and_of_a_controller():
    for law in ({"servo": {"kp": 5.0, "kv": 1.0}}, {"control": {"type": "pd", "kp": 5.0, "kv": 1.0}},
                {"control": {"type": "external", "period": 1e-3}}):  # fmt: skip
        prog = program(arm_of(0.8, 0.7), SHAPES["circle"], **law)
        assert prog.commanded == (True, True) and {joint.mode for joint in prog.wiring.joints} == {"torque"}
        row = prog.table([1.0], 1.0)[0]
        assert tips(prog.arm, row[None, :, POSITION]) == pytest.approx(prog.path.place([1.0]), abs=1e-10)


@pytest.mark.parametrize(
    ("lengths", "path", "words"),
    [
        ((0.8, 0.7), {"shape": "circle", "center": [1.3, 0.0], "radius": 0.3, "duration": 2.0},
         r"at t = 0 s it is at \(1\.6, 0\) m: the target .* reaches from 0\.1 m to 1\.5 m"),
        ((0.8, 0.7), {"shape": "line", "from": [1.0, 0.0], "to": [2.0, 0.0], "duration": 2.0, "timing": "uniform"},
         r"at t = 1 s it is at \(1\.5, 0\) m: .* reaches from 0\.1 m to 1\.5 m"),
        ((0.8, 0.7), {"shape": "line", "from": [0.5, 0.5], "to": [-0.5, -0.5], "duration": 2.0}, "reaches from 0.1 m"),
        ((0.5, 0.5), {"shape": "line", "from": [0.5, 0.3], "to": [-0.5, -0.3], "duration": 2.0, "timing": "uniform"},
         r"t = 1 s it is at \(0, 0\) m: the arm is stretched, folded"),
        ((0.5, 0.5), {"shape": "line", "from": [1.0, 0.0], "to": [0.4, 0.0], "duration": 2.0}, "t = 0 s .* singular"),
        ((0.5, 0.5, 0.5), {"shape": "line", "from": [1.0, 0.0], "to": [2.0, 0.0], "duration": 2.0},
         "cannot be reached|singular"),
        ((1.0,), {"shape": "line", "to": [0.5, 0.0], "duration": 1.0}, "at least 2 joints"),
        ((0.8, 0.7), {"shape": "square", "center": [0.9, 0.0], "side": 0.3, "duration": 4.0,
                      "timing": "trapezoid-velocity", "rise": 0.4}, "2 of them must fit"),
    ],
)  # fmt: skip
def test_paths_that_the_arm_cannot_follow(lengths, path, words):
    arm = arm_of(*lengths)
    with pytest.raises(ScenarioError, match=words) as caught:
        Program.compile(arm, [Drive(joints=arm.joints, path=path)])
    assert caught.value.field.startswith("drive.0.")


def test_nearness_to_a_singular_pose_is_told():
    near = {"shape": "circle", "center": [1.0, 0.0], "radius": 0.4999, "duration": 2.0}
    assert any("stretched or folded" in note for note in program(arm_of(0.8, 0.7), near).warnings)
    assert not program(arm_of(0.8, 0.7), SHAPES["circle"], control={"type": "pd", "kp": 1.0}).warnings


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ({"center": [1, 0]}, "the path needs a shape: circle, line"),
        ({"shape": "cirle"}, "did you mean 'circle'"),
        ("circle", "write the path as a mapping"),
        ({"shape": "circle", "center": [1, 0], "radius": 0.0, "duration": 1.0}, "greater than 0"),
        ({"shape": "circle", "center": [1], "radius": 0.1, "duration": 1.0}, "at least 2"),
        ({"shape": "circle", "center": [1, 0], "radius": 0.1, "duration": 1.0, "rise": 0.1}, "leave it out for quintic"),
        ({"shape": "circle", "center": [1, 0], "radius": 0.1, "duration": 1.0, "timing": "trapezoid-velocity"},
         "needs 'rise'"),
        ({"shape": "square", "center": [1, 0], "side": 0.1, "duration": 1.0, "timing": "uniform"}, "does not stop at"),
        ({"shape": "square", "center": [1, 0], "side": 0.1, "duration": 1.0, "corner": 0.06}, "does not fit on the side"),
        ({"shape": "polygon", "points": [[1, 0], [1, 0], [0, 1]], "duration": 1.0}, "point 1 and the one after it"),
        ({"shape": "polygon", "points": [[1, 0], [1, 1]], "closed": False, "turns": 2, "duration": 1.0}, "closed: true"),
        ({"shape": "polygon", "points": [[1, 0], [1, 1], [1, 0.5]], "closed": False, "corner": 0.1, "duration": 1.0},
         "turns straight back"),
        ({"shape": "table", "points": [[1, 1, 0], [2, 1, 1]]}, "first row of a path is for t = 0"),
        ({"shape": "table", "points": [[0, 1, 0], [0, 1, 1]]}, "times must increase"),
        ({"shape": "table"}, "either 'file'"),
        ({"shape": "table", "points": [[0, 1, 0], [1, 1, 1]], "unit": 2.0}, "go with 'file'"),
    ],
)  # fmt: skip
def test_descriptions_that_make_no_sense(path, words):
    with pytest.raises(ValidationError, match=words):
        Drive(joints=["a", "b"], path=path)


def test_what_a_path_does_not_go_with():
    circle = SHAPES["circle"]
    move = {"profile": "quintic", "by": 1.0, "duration": 1.0}
    with pytest.raises(ValidationError, match="a motion and a path at once"):
        Drive(joints=["l0", "l1"], path=circle, motion=move)
    with pytest.raises(ValidationError, match="a path and a torque at once"):
        Drive(joints=["l0", "l1"], path=circle, torque={"profile": "constant", "amplitude": 1.0})
    arm = arm_of(0.8, 0.7)
    with pytest.raises(ScenarioError, match=r"joints: \[l0, l1\]"):
        Program.compile(arm, [Drive(joint="l0", path=circle)])
    with pytest.raises(ScenarioError, match="one path only"):
        Program.compile(arm, [Drive(joint="l0", path=circle), Drive(joint="l1", path=circle)])
    with pytest.raises(ScenarioError, match="set the joint's position"):
        apart = arm_of(0.8, 0.7, joint={"position": 0.1})
        Program.compile(apart, [Drive(joints=apart.joints, path=circle)])
    with pytest.raises(FlexarmError, match="has no length"):
        Program.compile(arm, [Drive(joints=arm.joints, path={"shape": "line", "to": [1.5, 0.0], "duration": 1.0})])


def test_a_line_in_space():
    links = [
        {"name": "turn", "flexible": False, "joint": {"dh": {"d": 0.5, "alpha": 1.5707963267948966}}},
        {"name": "upper", "length": 0.8, **ROD, "joint": {"dh": {"a": 0.8}, "position": 0.6}},
        {"name": "fore", "length": 0.7, **ROD, "joint": {"dh": {"a": 0.7}, "position": -0.9}},
    ]
    arm = Arm(links=links)
    place = tips(arm, [arm.pose])[0]
    path = {"shape": "line", "to": [0.6, 0.5, 0.8], "duration": 1.0}
    prog = Program.compile(arm, [Drive(joints=arm.joints, path=path, control={"type": "pd", "kp": 1.0})])
    t = np.linspace(0.0, 1.0, 11)
    q = prog.table(t, 0.5)[:, :, POSITION]
    assert tips(arm, q) == pytest.approx(prog.path.place(t), abs=1e-9)
    assert prog.path.place([0.0])[0] == pytest.approx(place) and prog.path.place([1.0])[0] == pytest.approx(
        [0.6, 0.5, 0.8]
    )


@pytest.mark.parametrize("path", [
    {**SHAPES["line"], "to": [0.5, 0.6, 0.2]}, {**SHAPES["line"], "from": [0.9, -0.3, 0.0]},
    {**SHAPES["circle"], "center": [0.9, 0.1, 0.3]}, {**SHAPES["stopping"], "center": [0.9, 0.1, 0.3]},
    {**SHAPES["spline"], "points": [[0.6, -0.4], [1.1, 0.0, 0.1], [0.9, 0.4]]},
    {"shape": "table", "file": "p.csv", "columns": ["x", "y", "z"]},
])  # fmt: skip
def test_three_coordinates_are_refused_in_the_plane(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.csv").write_text("t,x,y,z\n0,0.9,0,0.1\n1,1,0,0.2\n2,1,0.1,0.2\n")
    with pytest.raises(
        ScenarioError, match="the arm is planar, but the path has three coordinates: give x and y alone"
    ):
        program(arm_of(0.8, 0.7), path)


def test_a_start_off_the_path_is_told_with_its_distance():
    path = {"shape": "circle", "center": [0.9, 0.1], "radius": 0.3, "duration": 3.0, "elbow": "down"}
    law = {"control": {"type": "pd", "kp": 10.0, "kv": 1.0}}
    on = program(arm_of(0.8, 0.7), path, **law)
    assert on.warnings == ()
    first, second = (float(q) for q in on.table(np.zeros(1), 1.0)[0, :, POSITION])

    def told(*pose):
        joints = [{"name": f"l{k}", "length": length, "joint": {"position": q}, **ROD}
                  for k, (length, q) in enumerate(zip((0.8, 0.7), pose, strict=True))]  # fmt: skip
        return program(Arm(links=joints), path, **law).warnings

    assert told(first, second) == ()
    (far,) = told(0.3, 0.2)
    place = np.array([0.8 * math.cos(0.3) + 0.7 * math.cos(0.5), 0.8 * math.sin(0.3) + 0.7 * math.sin(0.5)])
    away = 1e3 * math.hypot(*(place - [1.2, 0.1]))
    assert f"the arm starts with its tip {away:.4g} mm from where the path begins" in far
    # mirrored about the line from the shoulder to the tip: the tip is on the path, the elbow on the other side
    line = math.atan2(0.1, 1.2)
    (mirrored,) = told(2.0 * line - first, -second)
    assert f"'l1' {2.0 * abs(second):.3g} rad from its command" in mirrored and "say elbow: up" in mirrored
    assert float(mirrored.partition("its tip ")[2].partition(" mm")[0]) < 1e-9
