"""Programs: wiring, jumps, drive table, servo gains, warnings, refusals against the arm."""

from __future__ import annotations

import math

import numpy as np
import pytest
from pydantic import TypeAdapter

from flexarm.arm import Arm
from flexarm.drive import (
    ACCELERATION,
    KI,
    KP,
    KV,
    POSITION,
    TORQUE,
    VELOCITY,
    WIDTH,
    Drive,
    JointWiring,
    Law,
    Patch,
    Program,
    servo_gains,
)
from flexarm.drive.wiring import MOST_POLES
from flexarm.errors import FlexarmError, ScenarioError
from flexarm.numerics import laws

CYCLOID = {"profile": "cycloid", "by": 1.0, "duration": 2.0}
BANG = {"profile": "bang-bang", "amplitude": 0.1, "duration": 0.6}
PD = {"type": "pd", "kp": 10.0, "kv": 1.0}
LAG = {"type": "transfer", "poles": [-30.0]}
DRIVES = TypeAdapter(tuple[Drive, ...])


def compile_(arm, *drives, **options):
    return Program.compile(arm, DRIVES.validate_python(drives), **options)


def test_columns():
    assert (POSITION, VELOCITY, ACCELERATION, TORQUE, KP, KV, KI, WIDTH) == (0, 1, 2, 3, 4, 5, 6, 7)


def test_motion_only(make_arm):
    program = compile_(make_arm(upper={"position": 0.2}, fore={}), {"joints": ["fore", "upper"], "motion": CYCLOID})
    assert program.wiring.joints == (JointWiring("upper", "motion"), JointWiring("fore", "motion"))
    assert program.channels == ("upper", "fore")
    assert program.commanded == (True, True)
    table = program.table(np.array([0.0, 1.0, 2.0]), 1.0)
    assert table.shape == (3, 2, 7)
    np.testing.assert_allclose(table[:, 0, POSITION], [0.2, 0.7, 1.2])
    np.testing.assert_allclose(table[:, 1, POSITION], [0.0, 0.5, 1.0])
    np.testing.assert_allclose(table[1, 1], [0.5, 1.0, 0.0, 0, 0, 0, 0], atol=1e-12)
    assert program.jumps(9.0) == [] and program.warnings == () and program.finest == pytest.approx(0.1)


def test_torque_only_and_free(make_arm):
    program = compile_(make_arm(), {"joint": "fore", "torque": BANG})
    assert program.wiring.joints == (JointWiring("upper", "free"), JointWiring("fore", "torque"))
    assert program.commanded == (False, False)
    assert program.jumps(9.0) == [0.3, 0.6] and program.jumps(0.6) == [0.3]
    assert program.table([0.3], 0.2)[0, 1].tolist() == [0, 0, 0, 0.1, 0, 0, 0]
    assert program.table([0.3], 0.4)[0, 1].tolist() == [0, 0, 0, -0.1, 0, 0, 0]
    assert not program.table([0.3], 0.4)[0, 0].any()
    assert program.external == () and program.finest == math.inf


def test_nothing_is_driven(make_arm):
    program = compile_(make_arm())
    assert [joint.mode for joint in program.wiring.joints] == ["free", "free"]
    assert not program.table([0.0, 1.0], 0.5).any()


def test_servo(make_arm):
    program = compile_(make_arm(), {"joint": "upper", "motion": CYCLOID, "servo": {"kp": 360, "kv": 60}})
    assert program.wiring.joints[0] == JointWiring("upper", "torque", law=Law(sensor="motor"))
    assert program.table([1.0], 1.0)[0, 0].tolist() == pytest.approx([0.5, 1.0, 0.0, 0.0, 360, 60, 0], abs=1e-12)
    assert program.commanded == (True, False)


def test_a_servo_without_motion_holds_the_start(make_arm):
    program = compile_(make_arm(upper={"position": 0.4}), {"joint": "upper", "servo": {"kp": 3, "kv": 2}})
    assert program.table([5.0], 1.0)[0, 0].tolist() == [0.4, 0.0, 0.0, 0.0, 3.0, 2.0, 0.0]


def test_servo_auto(make_arm):
    drive = {"joints": ["upper", "fore"], "motion": CYCLOID, "servo": "auto"}
    program = compile_(make_arm(), drive)
    assert program.auto_servos == ("upper", "fore")
    with pytest.raises(FlexarmError, match="upper, fore have not been chosen"):
        program.table([0.0], 0.5)
    gains = servo_gains(2.0, 3.0)
    assert gains == pytest.approx((2.0 * (math.pi * 3.0) ** 2, 2.0 * 2.0 * math.pi * 3.0))
    half = program.with_servo_gains({"fore": gains})
    assert half.auto_servos == ("upper",) and program.auto_servos == ("upper", "fore")
    whole = half.with_servo_gains({"upper": (1.0, 2.0)})
    table = whole.table([0.0], 0.5)
    assert table[0, 0, KP:].tolist() == [1.0, 2.0, 0.0] and table[0, 1, KP:].tolist() == [*gains, 0.0]
    with pytest.raises(ScenarioError, match="'fore' has no servo: auto"):
        whole.with_servo_gains({"fore": gains})


def test_gain_schedule_of_two_joints(make_arm):
    control = {
        "type": "pd",
        "sensor": "chord",
        "gains": [
            {"until": 12.5, "kp": [5490, 11660], "kv": [316, 169]},
            {"kp": [19840, 40330], "kv": 30},
        ],
        "limit": [25.0, 18.0],
    }
    program = compile_(make_arm(), {"joints": ["upper", "fore"], "motion": CYCLOID, "control": control})
    assert program.jumps(25.0) == [12.5]
    assert [joint.law.limit for joint in program.wiring.joints] == [25.0, 18.0]
    assert program.wiring.joints[1].law == Law("pd", "chord", 18.0)
    assert program.table([12.5], 10.0)[0, :, KP:].tolist() == [[5490, 316, 0], [11660, 169, 0]]
    assert program.table([12.5], 13.0)[0, :, KP:].tolist() == [[19840, 30, 0], [40330, 30, 0]]


def test_pid_with_torque_added(make_arm):
    control = {"type": "pid", "kp": 4.0, "kv": 3.0, "ki": 2.0, "period": 0.01}
    program = compile_(make_arm(upper={"position": 0.5}), {"joint": "upper", "torque": BANG, "control": control})
    assert program.wiring.joints[0].law == Law("pid", "hub", period=0.01)
    assert program.table([0.1], 0.1)[0, 0].tolist() == [0.5, 0, 0, 0.1, 4, 3, 2]
    assert program.commanded[0]


def test_external_controller(make_arm):
    control = {"type": "external", "period": 1e-3, "limit": [25, 18]}
    program = compile_(make_arm(), {"joints": ["upper", "fore"], "control": control})
    assert program.external == ("upper", "fore") and program.commanded == (False, False)
    assert program.wiring.joints[0].law == Law("external", "hub", 25.0, 1e-3)
    with_motion = compile_(
        make_arm(), {"joint": "fore", "motion": CYCLOID, "control": {"type": "external", "period": 1e-3}}
    )
    assert with_motion.commanded == (False, True)
    assert with_motion.table([2.0], 1.0)[0, 1, POSITION] == pytest.approx(1.0)


def test_feedforward_adds_the_torque_of_the_rigid_arm(make_arm):
    from flexarm.rigid import inverse_dynamics

    constant = {"profile": "constant", "amplitude": 0.25}
    drives = [
        {"joint": "upper", "motion": CYCLOID, "control": PD, "feedforward": "rigid"},
        {"joint": "fore", "motion": {**CYCLOID, "by": -0.5}, "torque": constant, "control": PD},
    ]
    arm = make_arm(upper={"position": 0.3}, fore={"position": 0.2})
    times = np.linspace(0.1, 1.9, 7)
    table = compile_(arm, *drives).table(times, 1.0)
    torque = inverse_dynamics(arm, *(table[:, :, c] for c in (POSITION, VELOCITY, ACCELERATION)))
    np.testing.assert_allclose(table[:, 0, TORQUE], torque[:, 0])
    assert np.abs(torque[:, 0]).max() > 0.01
    np.testing.assert_allclose(table[:, 1, TORQUE], 0.25)


def test_actuator_on_a_law_on_a_torque_and_on_a_motion(make_arm):
    law = compile_(make_arm(), {"joint": "upper", "motion": CYCLOID, "control": PD, "actuator": LAG})
    assert law.wiring.joints[0].law.actuator.A[0, 0] == -30.0
    assert law.finest == pytest.approx(2 * math.pi / 30.0 / 20.0)
    open_loop = compile_(make_arm(), {"joint": "upper", "torque": BANG, "actuator": LAG})
    assert open_loop.wiring.joints[0].law == Law(actuator=law.wiring.joints[0].law.actuator)
    assert open_loop.table([0.1], 0.1)[0, 0].tolist() == [0, 0, 0, 0.1, 0, 0, 0]
    shaped = compile_(make_arm(), {"joint": "upper", "motion": {**CYCLOID, "profile": "versine"}, "actuator": LAG})
    assert shaped.wiring.joints[0] == JointWiring("upper", "motion")
    t = np.linspace(0.0, 2.0, 9)
    w, a = math.pi / 2.0, 30.0
    wave = (np.cos(w * t) + w / a * np.sin(w * t) - np.exp(-a * t)) / (1 + (w / a) ** 2)
    exact = 0.5 * (1 - np.exp(-a * t)) - 0.5 * wave
    np.testing.assert_allclose(shaped.table(t, 1.0)[:, 0, POSITION], exact, atol=1e-12)
    ideal = compile_(make_arm(), {"joint": "upper", "torque": BANG, "actuator": {"type": "ideal"}})
    assert ideal.wiring.joints[0].law is None


def test_friction(make_arm):
    arm = make_arm(upper={"friction": 0.3}, fore={"friction": 0.2})
    program = compile_(arm, {"joint": "upper", "torque": BANG})
    assert program.wiring.joints == (
        JointWiring("upper", "torque", law=Law(friction=0.3)),
        JointWiring("fore", "free", law=Law(friction=0.2)),
    )
    driven = compile_(arm, {"joint": "upper", "motion": CYCLOID}, {"joint": "fore", "control": PD})
    assert driven.wiring.joints[0].law is None
    assert driven.wiring.joints[1].law == Law(friction=0.2)


def test_springs(make_arm):
    arm = make_arm(upper={"stiffness": 100.0}, fore={"stiffness": 50.0, "rotor_inertia": 1e-3})
    program = compile_(arm, {"joint": "upper", "motion": CYCLOID}, {"joint": "fore", "torque": BANG})
    assert [joint.spring for joint in program.wiring.joints] == [True, True]
    for what, words in (("torque", BANG), ("servo", "auto"), ("control", PD)):
        with pytest.raises(ScenarioError, match=rf"drive\.0\.{what}: .*its {what} acts .* rotor_inertia"):
            compile_(arm, {"joint": "upper", what: words})
    assert "its spring does nothing" in compile_(arm).warnings[0]


def test_patches(make_arm):
    arm = make_arm()
    program = compile_(
        arm,
        {"patch": {"link": "fore", "from": 0.1, "to": 0.4, "name": "piezo"}, "moment": BANG},
        {
            "patch": {"link": "upper", "from": 0.5},
            "force": {"profile": "constant", "amplitude": 2.0},
            "actuator": LAG,
        },
        {"joint": "upper", "motion": CYCLOID},
    )
    assert program.channels == ("upper", "fore", "piezo", "upper-force")
    assert program.wiring.patches == (
        Patch("piezo", "fore", "moment", 0.1, 0.4),
        Patch("upper-force", "upper", "force", 0.5, 0.5),
    )
    assert program.commanded == (True, False)
    assert program.jumps(9.0) == [0.3, 0.6]
    table = program.table([0.3], 0.4)[0]
    assert table[2].tolist() == [0, 0, 0, -0.1, 0, 0, 0]
    assert table[3, TORQUE] == pytest.approx(2.0 * (1 - math.exp(-9.0)), rel=1e-12)


def test_jumps_that_differ_by_rounding_are_one(make_arm):
    late = {"profile": "constant", "amplitude": 1.0}
    program = compile_(
        make_arm(),
        {"joint": "upper", "torque": [{**late, "start": 0.1, "duration": 0.2}]},
        {"joint": "fore", "torque": {**late, "start": 0.3}},
    )
    assert 0.1 + 0.2 != 0.3
    assert program.jumps(1.0) == [0.1, 0.3] and program.jumps(0.1 + 0.2) == [0.1]
    before, after = program.table([0.3], 0.2)[0, :, TORQUE], program.table([0.3], 0.5)[0, :, TORQUE]
    assert before.tolist() == [1.0, 0.0] and after.tolist() == [0.0, 1.0]


def test_start_of_the_joints_by_argument(make_arm):
    program = compile_(make_arm(), {"joint": "fore", "motion": CYCLOID}, pose=[0.1, 0.9])
    assert program.table([0.0], 0.1)[0, 1, POSITION] == pytest.approx(0.9)
    with pytest.raises(ScenarioError, match="the pose has 1 values"):
        compile_(make_arm(), pose=[0.1])


def test_warnings(make_arm):
    sine = {"profile": "sine", "amplitude": 0.1, "frequency": 0.5, "duration": 2.0}
    (text,) = compile_(make_arm(), {"joint": "upper", "motion": sine}).warnings
    assert "velocity of joint 'upper' jumps by 0.314 rad/s at 0 s (and at 1 more times)" in text
    lag = {"type": "transfer", "poles": [-30.37, "-9.0+16.5j"], "bandwidth": 17.8}
    (text,) = compile_(make_arm(), {"joint": "upper", "motion": sine, "actuator": lag}).warnings
    assert text.startswith("actuator of upper: its poles give a bandwidth of 3.45 Hz")
    turning = make_arm(upper={"velocity": 0.6})
    speed = {"joint": "upper", "motion": {"profile": "constant", "speed": 0.6}}
    assert compile_(turning, speed).warnings == ()
    assert "jumps by 0.6 rad/s at 0 s" in compile_(make_arm(), speed).warnings[0]
    assert "jumps by -0.6 rad/s at 0 s" in compile_(turning, {"joint": "upper", "motion": CYCLOID}).warnings[0]
    assert compile_(make_arm(), {"joint": "upper", "motion": sine, "control": PD}).warnings == ()
    rubbing = make_arm(upper={"friction": 0.1})
    (text,) = compile_(rubbing, {"joint": "upper", "motion": CYCLOID}).warnings
    assert "its friction changes nothing" in text
    assert compile_(rubbing, {"joint": "upper", "motion": CYCLOID, "control": PD}).warnings == ()


def test_an_actuator_behind_a_law_has_as_many_poles_as_the_kernels_keep_states(make_arm):
    assert MOST_POLES == laws.ORDER

    def drive(poles):
        return {"joint": "upper", "torque": BANG, "actuator": {"type": "transfer", "poles": poles}}

    assert compile_(make_arm(), drive([-10.0, -20.0, "-30+5j"])).wiring.joints[0].law.actuator.order == MOST_POLES
    with pytest.raises(ScenarioError, match="has 5 poles") as caught:
        compile_(make_arm(), drive([-5.0, -10.0, -20.0, "-30+5j"]))
    assert caught.value.field == "drive.0.actuator.poles"
    shaped = {"joint": "upper", "motion": CYCLOID, "actuator": {"type": "transfer", "poles": [-10.0] * 6}}
    assert compile_(make_arm(), shaped).warnings == ()


@pytest.mark.parametrize(
    "drives, words",
    [
        (
            [{"joint": "uper", "torque": BANG}],
            r"drive\.0\.joint: there is no joint 'uper'; did you mean 'upper'\?",
        ),
        ([{"joint": "xyz", "torque": BANG}], "no joint 'xyz'; the arm has upper, fore"),
        ([{"joint": "stub", "torque": BANG}], "joint of link 'stub' is fixed"),
        (
            [{"joint": "fore", "torque": BANG}, {"joints": ["upper", "fore"], "torque": BANG}],
            r"drive\.1\.joints: joint 'fore' has two drives",
        ),
        (
            [{"joint": "upper", "motion": {"profile": "table", "points": [[0, 0.5], [1, 1]]}}],
            "jumps by 0.5 rad at 0 s.*set the joint's position to 0.5 rad",
        ),
        (
            [{"joint": "upper", "motion": {"profile": "table", "points": [[2, 0.5], [3, 1]]}}],
            "jumps by 0.5 rad at 2 s.*begin where the one before ends",
        ),
        (
            [{"joint": "upper", "motion": CYCLOID, "control": PD, "feedforward": "rigid"}],
            "every joint, but fore has none",
        ),
        ([{"patch": {"link": "forre", "from": 0.1}, "force": BANG}], "no link 'forre'; did you mean 'fore'"),
        ([{"patch": {"link": "stub", "from": 0.1, "to": 0.2}, "moment": BANG}], "bends nothing"),
        ([{"patch": {"link": "fore", "from": 0.1, "name": "upper"}, "force": BANG}], "'upper' is taken"),
        ([{"patch": {"link": "fore", "from": 0.1}, "force": BANG}] * 2, "'fore-force' is taken"),
    ],
)
def test_refused_against_the_arm(drives, words):
    rod = {"section": {"shape": "circle", "diameter": 0.01}, "material": "steel", "length": 1.0}
    stub = {"name": "stub", "flexible": False, "body": {"mass": 1.0}, "joint": {"type": "fixed"}}
    arm = Arm(links=[{"name": "upper", **rod}, {"name": "fore", **rod}, stub])
    with pytest.raises(ScenarioError, match=words):
        compile_(arm, *drives)


def test_a_jump_is_allowed_where_something_follows_it(make_arm):
    table = {"profile": "table", "points": [[0, 0.5], [1, 1]]}
    assert compile_(make_arm(), {"joint": "upper", "motion": table, "control": PD}).warnings == ()
    lag = {"type": "transfer", "poles": [-30.0, -40.0, -50.0]}
    assert compile_(make_arm(), {"joint": "upper", "motion": table, "actuator": lag}).warnings == ()


def test_feedforward_needs_an_open_chain():
    rod = {"section": {"shape": "circle", "diameter": 0.01}, "material": "steel", "length": 1.0}
    links = [
        {"name": "a", **rod, "joint": {"position": 1.0}},
        {"name": "b", **rod},
        {"name": "c", **rod, "parent": "ground", "joint": {"position": 1.0}},
    ]
    arm = Arm(links=links, loops=[{"pin": ["b.tip", "c.tip"]}])
    with pytest.raises(ScenarioError, match="arms with loops"):
        compile_(arm, {"joint": "a", "control": PD, "feedforward": "rigid"})
