"""Feed-forward of a drive: weight, stiff arm, flexible arm with its joints or its tip led."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm as fa
from flexarm.drive import ACCELERATION, POSITION, TORQUE, VELOCITY
from flexarm.rigid import inverse_dynamics
from flexarm.simulation.program import prepare_program

WEAK = {"type": "pd", "kp": 0.5, "kv": 0.2}
QUINTIC = {"profile": "quintic", "by": 0.3, "duration": 0.4}


def link(method="fd", resolution=30, control=WEAK, motion=QUINTIC, **changes):
    drive = {"joint": "link", "motion": motion, "control": control}
    return fa.load("tokhi-azad").with_({
        "method": {"name": method, "resolution": resolution}, "drive": [drive], "time": {"end": 0.8}, "output": {"every": "1 ms"}, **changes
    })  # fmt: skip


def hub_error(scenario):
    """Largest error of the hub under its law, rad."""
    data = fa.simulate(scenario, warn=False).data
    return float(np.abs((data.joint_position - data.commanded_position).values).max())


def test_weight_alone_and_all_of_the_stiff_arm():
    base = link(**{"arm.gravity": [0, -9.81, 0]})
    times = np.linspace(0.05, 0.35, 7)
    for kind, moving in (("gravity", 0.0), ("rigid", 1.0)):
        program = prepare_program(base.with_({"drive.link.feedforward": kind}))
        table = program.table(times, 0.2)
        rows = [table[:, :1, column] for column in (POSITION, VELOCITY, ACCELERATION)]
        wanted = inverse_dynamics(base.arm, rows[0], moving * rows[1], moving * rows[2])
        assert table[:, 0, TORQUE] == pytest.approx(wanted[:, 0], rel=1e-12)
    weight = 9.81 * base.arm.links[0].mass * 0.48
    assert prepare_program(base.with_({"drive.link.feedforward": "gravity"})).table([0.0], 0.1)[
        0, 0, TORQUE
    ] == pytest.approx(weight, rel=1e-3)


@pytest.mark.parametrize(
    ("method", "resolution"), [("segments", 10), pytest.param("fd", 30, marks=pytest.mark.document)]
)
def test_the_joint_follows_as_if_it_were_led(method, resolution):
    base = link(method, resolution)
    stiff, flexible = (hub_error(base.with_({"drive.link.feedforward": kind})) for kind in ("rigid", "joint"))
    assert flexible < 1e-2 * stiff
    led = base.with_({"drive": [{"joint": "link", "motion": QUINTIC}]})
    tips = [fa.simulate(each).data.travel.values for each in (led, base.with_({"drive.link.feedforward": "joint"}))]
    assert np.abs(tips[0] - tips[1]).max() < 2e-3 * np.abs(tips[0]).max(), "twice what the automatic step promises"


def test_a_torque_of_the_drive_and_a_shaper_stay():
    shaped = link(control={**WEAK, "kp": 2.0}).with_(
        {"drive.link.shaper": {"type": "zv"}, "drive.link.feedforward": "joint"}
    )
    assert hub_error(shaped) < 1e-3
    pushed = shaped.with_({"drive.link.torque": {"profile": "constant", "amplitude": 0.05}, "drive.link.shaper": None})
    alone = pushed.with_({"drive.link.torque": None})
    rows = [prepare_program(each).table([0.1, 0.3], 0.2)[:, 0, TORQUE] for each in (pushed, alone)]
    assert rows[0] - rows[1] == pytest.approx([0.05, 0.05], rel=1e-9)


def test_the_tip_follows():
    """Through L times the commanded angle; the torques begin before."""
    base = fa.load("tip-led-link")
    for kind, most in (("rigid", 0.1), ("tip", 3e-5)):
        data = fa.simulate(base.with_({"drive.link.feedforward": kind})).data
        x = np.clip((data.time.values - 0.25) / 0.6, 0.0, 1.0)
        wanted = 0.288 * x**5 * (126 - 420 * x + 540 * x**2 - 315 * x**3 + 70 * x**4)
        error = np.abs(data.travel.values - wanted).max()
        assert error < most and (kind == "tip" or error > 1e-2)
    assert float(data.drive_torque.values[data.time.values < 0.249].max()) > 5e-3
    with pytest.raises(
        fa.FlexarmError, match=r"drive.0.feedforward: the torques begin 0.17\d+ s before the tip moves, .* start: 0.17"
    ):
        prepare_program(base.with_({"drive.link.motion.start": 0.1, "drive.link.feedforward": "tip"}))


def test_a_sampled_law_gets_the_torque_of_the_middle_of_its_period():
    """Taken at the tick it would be half a period late: about half a millimetre at 1 ms, for this speed."""
    scenario = fa.load("tip-led-link").with_({"drive.link.control.period": "1 ms", "method.resolution": 30})
    data = fa.simulate(scenario, warn=False).data
    x = np.clip((data.time.values - 0.25) / 0.6, 0.0, 1.0)
    wanted = 0.288 * x**5 * (126 - 420 * x + 540 * x**2 - 315 * x**3 + 70 * x**4)
    assert np.abs(data.travel.values - wanted).max() < 1.5e-4
    joint = link("segments", 10).with_({"drive.link.control.period": "2 ms", "drive.link.feedforward": "joint"})
    assert hub_error(joint) < 3e-4


@pytest.mark.document
def test_the_tip_of_two_links_follows_a_path():
    links = [
        {"name": name, "length": length, "section": {"shape": "rectangle", "width": 0.03, "height": 0.004}, "material": "aluminium",
         "joint": {"hub_inertia": 1e-3, **extra}, **({"parent": "upper"} if name == "fore" else {})}
        for name, length, extra in (("upper", 0.5, {}), ("fore", 0.4, {"motor_mass": 0.3}))
    ]  # fmt: skip
    path = {
        "shape": "line",
        "from": [0.3, 0.5],
        "to": [0.05, 0.5],
        "duration": 0.5,
        "timing": "nonic",
        "start": 0.15,
        "elbow": "down",
    }
    law = {"type": "pd", "kp": [4.0, 0.6], "kv": [1.5, 0.2]}
    scenario = fa.Scenario.model_validate({
        "name": "two links", "arm": {"links": links, "payload": {"mass": 0.1}}, "method": {"name": "segments", "resolution": 8},
        "drive": [{"joints": ["upper", "fore"], "path": path, "control": law}], "time": {"end": 0.9}, "output": {"every": 1e-3},
    })  # fmt: skip
    errors = {}
    for kind in ("rigid", "tip"):
        run = fa.simulate(scenario.with_({"drive.0.feedforward": kind}))
        errors[kind] = run.summary()["path_error_peak"]
    assert errors["tip"] < 2e-2 * errors["rigid"]
    assert any("feedforward: tip leaves a tip error" in note for note in run.notes)


WRONG = {
    "added to a law: give servo": {"joint": "link", "motion": QUINTIC},
    "needs the motion of the tip": {"joints": ["a", "b"], "motion": QUINTIC, "servo": {"kp": 1.0}},
    "give servo, or control of type pd": {
        "joint": "link",
        "motion": QUINTIC,
        "control": {"type": "external", "period": 1e-3},
    },
}


@pytest.mark.parametrize("words", WRONG)
def test_where_it_does_not_fit(words):
    from pydantic import ValidationError

    from flexarm.drive import Drive

    with pytest.raises(ValidationError, match=words):
        Drive(**WRONG[words], feedforward="tip")
