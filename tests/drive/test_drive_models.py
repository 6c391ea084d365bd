"""Drives, laws and events as descriptions: what is taken, what is refused, and in which words."""

from __future__ import annotations

import json
import math

import pytest
from pydantic import ValidationError

from flexarm.arm import Arm
from flexarm.drive import Control, Drive, Event, Servo, check_events
from flexarm.errors import ScenarioError

CYCLOID = {"profile": "cycloid", "by": 1.0, "duration": 2.0}
BANG = {"profile": "bang-bang", "amplitude": 0.1, "duration": 0.6}
PD = {"type": "pd", "kp": 10.0, "kv": 1.0}


@pytest.mark.parametrize(
    "item, words",
    [
        ({"motion": CYCLOID}, "either 'joint', or 'joints', or a 'patch'"),
        ({"joint": "a", "joints": ["b"], "motion": CYCLOID}, "either 'joint'"),
        ({"joint": "a"}, "nothing moves 'a'"),
        ({"joints": ["a", "a"], "motion": CYCLOID}, "'a' is named twice"),
        ({"joints": [], "motion": CYCLOID}, "at least 1"),
        ({"joint": "a", "motion": CYCLOID, "torque": BANG}, "a motion and a torque at once"),
        ({"joint": "a", "torque": BANG, "servo": "auto"}, "both servo and torque"),
        ({"joint": "a", "motion": CYCLOID, "servo": "auto", "control": PD}, "both servo and control"),
        ({"joint": "a", "force": BANG}, "'force' is for a patch"),
        ({"joint": "a", "moment": BANG, "torque": BANG}, "'moment' is for a patch"),
        ({"joint": "a", "motion": []}, "at least one profile"),
        (
            {"joint": "a", "motion": [{"profile": "constant"}, CYCLOID]},
            "item 1 of the sequence never ends, so item 2 would never begin",
        ),
        ({"joint": "a", "motions": CYCLOID}, "Extra inputs"),
        ({"patch": {"link": "a", "from": 0.1, "to": 0.2}}, "either 'force' or 'moment'"),
        ({"patch": {"link": "a", "from": 0.1, "to": 0.2}, "force": BANG, "moment": BANG}, "either 'force'"),
        ({"patch": {"link": "a", "from": 0.1, "to": 0.2}, "torque": BANG}, "force or moment, not torque"),
        ({"patch": {"link": "a", "from": 0.1}, "moment": BANG}, "must lie beyond 'from'"),
        ({"patch": {"link": "a", "from": 0.3, "to": 0.2}, "force": BANG}, "must not end before it begins"),
        ({"patch": {"link": "a", "from": 1.3}, "force": BANG}, "less than or equal to 1"),
        (
            {"joint": "a", "motion": CYCLOID, "control": {**PD, "kp": [1, 2]}},
            "control.kp has 2 values for 1 joint",
        ),
        (
            {"joints": ["a", "b"], "motion": CYCLOID, "control": {**PD, "limit": [1, 2, 3]}},
            "control.limit has 3 values for 2 joints",
        ),
        (
            {"joint": "a", "torque": BANG, "control": {"type": "external", "period": 1e-3}},
            "whole torque from the external controller",
        ),
    ],
)
def test_refused_drives(item, words):
    with pytest.raises(ValidationError, match=words):
        Drive.model_validate(item)


@pytest.mark.parametrize(
    "item, words",
    [
        ({"type": "pd"}, "control of type pd needs gains"),
        ({"type": "pd", "kp": -1.0}, "greater than or equal to 0"),
        ({"type": "pd", "kp": [1.0, -1.0]}, "greater than or equal to 0"),
        ({"type": "pd", "gains": [{"kp": 1, "kv": -1}]}, "greater than or equal to 0"),
        ({"type": "pd", "kp": 1.0, "gains": [{"kp": 1}]}, "either gains or kp"),
        ({"type": "pd", "kp": 1.0, "ki": 1.0}, "ki is for type: pid"),
        ({"type": "pid", "kp": 1.0}, "a pid law needs ki"),
        ({"type": "pd", "gains": [{"kp": 1}, {"kp": 2}]}, "gain set 1 needs 'until'"),
        ({"type": "pd", "gains": [{"until": 1, "kp": 1}, {"until": 2, "kp": 2}]}, "the last gain set holds"),
        ({"type": "pd", "gains": [{"until": 1, "kp": 1}]}, "the last gain set holds"),
        (
            {"type": "pd", "gains": [{"until": 2, "kp": 1}, {"until": 1, "kp": 2}, {"kp": 3}]},
            "gain set 2 ends at 1 s, before",
        ),
        ({"type": "pd", "kp": 1.0, "limit": 0.0}, "greater than 0"),
        ({"type": "pd", "kp": 1.0, "limit": [1.0, -2.0]}, "greater than 0"),
        ({"type": "pd", "kp": 1.0, "sensor": "tip"}, "'hub', 'motor' or 'chord'"),
        ({"type": "pd", "kp": 1.0, "period": -1.0}, "greater than or equal to 0"),
        ({"type": "external"}, "needs a period"),
        ({"type": "external", "period": 1e-3, "kp": 1.0}, "leave out kp"),
        (
            {"type": "external", "period": 1e-3, "gains": [{"kp": 1}], "sensor": "chord"},
            "leave out gains and sensor",
        ),
        ({"type": "lqr"}, "'pd', 'pid', 'external' or 'state-space'"),
        ({}, "type"),
    ],
)
def test_refused_laws(item, words):
    with pytest.raises(ValidationError, match=words):
        Control.model_validate(item)


@pytest.mark.parametrize("item", [{}, {"kv": 1.0}, "stiff", {"auto": True, "kp": 1.0}, {"kp": -1.0}])
def test_refused_servos(item):
    with pytest.raises(ValidationError):
        Servo.model_validate(item)


def test_schedule_in_both_forms():
    short = Control(type="pid", kp=[1.0, 2.0], kv=0.5, ki=0.1)
    assert short.schedule(1) == ((math.inf, 2.0, 0.5, 0.1),)
    long = Control(type="pd", gains=[{"until": 1.0, "kp": 3.0}, {"kp": 4.0, "kv": [1.0, 2.0]}])
    assert long.schedule(0) == ((1.0, 3.0, 0.0, 0.0), (math.inf, 4.0, 1.0, 0.0))


@pytest.mark.parametrize(
    "item",
    [
        {"joint": "a", "motion": CYCLOID, "servo": "auto"},
        {"joints": ["a", "b"], "motion": [CYCLOID, CYCLOID], "control": {**PD, "limit": [1.0, 2.0]}},
        {"joint": "a", "control": {"type": "external", "period": 1e-3}},
        {
            "joint": "a",
            "torque": BANG,
            "actuator": {"type": "transfer", "poles": [-3.0, "-1+2j"], "zeros": [-4]},
        },
        {"joint": "a", "torque": BANG, "actuator": {"type": "ideal"}},
        {"joint": "a", "motion": {"profile": "table", "points": [[0, 0], [1, 1]]}},
        {"patch": {"link": "a", "from": 0.1, "to": 0.4}, "moment": BANG},
        {"joints": ["a", "b"], "path": {"shape": "line", "from": [1, 0], "to": [0, 1], "duration": 1.0}, "control": PD},
        {"joints": ["a", "b"], "path": {"shape": "table", "points": [[0, 1, 0], [1, 0, 1]]}},
        {
            "joints": ["a", "b"],
            "path": {"shape": "square", "center": [1, 0], "side": 0.4, "corner": 0.1, "duration": 2.0},
        },
    ],
)
def test_a_drive_survives_being_written_and_read(item):
    drive = Drive.model_validate(item)
    assert Drive.model_validate(drive.model_dump()) == drive
    assert Drive.model_validate_json(drive.model_dump_json()) == drive
    assert hash(drive) == hash(Drive.model_validate(item))


def test_schema_names_every_field_that_can_be_used():
    schema = Drive.model_json_schema()
    assert {"joint", "joints", "motion", "torque", "servo", "control", "actuator", "patch", "path"} <= set(
        schema["properties"]
    )
    assert {"cylinder", "valve", "oil", "loop_gain"} <= set(schema["$defs"]["OilCylinder"]["properties"])
    assert "trapezoid-acceleration" in json.dumps(schema)


def arm(mass=0.0):
    rod = {"section": {"shape": "circle", "diameter": 0.01}, "material": "steel", "length": 1.0}
    return Arm(links=[{"name": "a", **rod}, {"name": "b", **rod}], payload={"mass": mass})


def event(at, mass, rule, **payload):
    return Event(at=at, payload={"mass": mass, **payload}, rule=rule)


def test_events_in_order():
    events = [
        event(0.8, 0.01, "released"),
        event(0.4, 0.02, "at-rest"),
        event(0.6, 0.03, "matched", link="b"),
    ]
    assert [e.at for e in check_events(arm(), events)] == [0.4, 0.6, 0.8]
    assert check_events(arm(), []) == ()


@pytest.mark.parametrize(
    "mass, events, words",
    [
        (
            0.1,
            [event(1.0, 0.2, "released")],
            r"events\.0\.rule: 'released' means that mass leaves.*0.1 to 0.2 kg",
        ),
        (0.1, [event(1.0, 0.05, "at-rest")], "'at-rest' means that mass arrives"),
        (0.1, [event(1.0, 0.1, "matched")], "'matched' means that mass arrives"),
        (0.0, [event(1.0, 0.1, "matched"), event(1.0, 0.2, "matched")], "two events happen at 1 s"),
        (0.0, [event(1.0, 0.1, "matched", link="a")], "hangs on 'b' and cannot change to 'a'"),
    ],
)
def test_refused_events(mass, events, words):
    with pytest.raises(ScenarioError, match=words):
        check_events(arm(mass), events)


@pytest.mark.parametrize(
    "item",
    [
        {"at": 0.0, "payload": {"mass": 1.0}, "rule": "matched"},
        {"at": 1.0, "payload": {"mass": 1.0}},
        {"at": 1.0, "payload": {"mass": -1.0}, "rule": "matched"},
        {"at": 1.0, "payload": {"mass": 1.0}, "rule": "caught"},
    ],
)
def test_events_that_cannot_be_read(item):
    with pytest.raises(ValidationError):
        Event.model_validate(item)
