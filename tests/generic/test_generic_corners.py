"""Cases at the edge of what a scenario can say: all methods must read them alike."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm as fa

BAR = {"shape": "rectangle", "width": 0.02, "height": 0.005}
METHODS = {
    "fd": {"resolution": 60},
    "fem": {"resolution": 6, "order": 3},
    "segments": {"resolution": 40},
    "modes": {"resolution": 6},
    "ancf": {"resolution": 12},
}


def scenario(method: str, links: list[dict], **parts: object) -> fa.Scenario:
    arm = {"links": links, "payload": parts.pop("payload", {}), "gravity": parts.pop("gravity", [0.0, 0.0, 0.0])}
    time = parts.pop("time", {"end": 1.0})
    given = {"name": "corner", "arm": arm, "method": {"name": method, **METHODS[method]}, "time": time, **parts}
    return fa.Scenario.model_validate(given)


def link(name: str, length: float, **joint: object) -> dict:
    return {"name": name, "length": length, "section": BAR, "material": "aluminium", "joint": joint}


@pytest.mark.parametrize("method", METHODS)
def test_a_payload_that_reaches_back_hangs_on_the_tip(method):
    """Its centre is beside the link, but the end section carries it."""
    load = {"mass": 0.05, "inertia": 2e-5, "offset": [-0.1, 0.03]}
    hz = fa.frequencies(scenario(method, [link("rod", 0.6)], payload=load), n=3).hz
    assert hz == pytest.approx([8.64774, 67.4311, 128.3777], rel=4e-3)  # Hermite elements, 60 of them


@pytest.mark.parametrize("method", [name for name in METHODS if name != "fd"])
def test_a_spring_bends_at_a_locked_motor_that_nobody_drives(method):
    arm = scenario(method, [link("upper", 0.5), link("fore", 0.4, stiffness=5.0, position=0.6)])
    assert fa.frequencies(arm, n=2).hz == pytest.approx(fa.frequencies(arm.arm, method, n=2).hz, rel=1e-2)


@pytest.mark.parametrize("method", ["fem", "segments", "ancf"])
def test_torques_that_jump_shake_no_motion_faster_than_the_step(method):
    """The section before an elbow has hardly any inertia, so a jump there begins with a huge acceleration."""
    drive = [
        {"joint": "upper", "motion": {"profile": "constant"}, "control": {"type": "pd", "kp": 60.0, "kv": 6.0}},
        {"joint": "fore", "torque": {"profile": "bang-bang", "amplitude": 0.3, "duration": 0.05}},
    ]
    links = [link("upper", 0.5, position=-0.3), link("fore", 0.4, position=0.6, hub_inertia=2e-3)]
    time = {"end": 0.06, "step": 1e-3, "start": "locked"}
    run = fa.simulate(scenario(method, links, drive=drive, gravity=[0.0, -9.81, 0.0], time=time), warn=False)
    assert run.success and not any("halved" in note for note in run.notes)
    energy = np.abs(run.data["energy"]).max("time")
    assert energy.sel(kind="numerical") < 1e-3 and energy.sel(kind="residual") < 1e-7
    fine = [0.86560, -0.05162]  # assumed modes, steps of 0.02 ms
    assert run.data["tip_position"].values[-1, :2] == pytest.approx(fine, abs=2e-4)


@pytest.mark.parametrize("method", ["fem", "segments"])
def test_a_sampled_law_at_an_elbow_shakes_no_motion_faster_than_the_step(method):
    law = {"type": "pd", "kp": 20.0, "kv": 2.0, "period": 1.3e-3}
    drive = [
        {"joint": "upper", "motion": {"profile": "quintic", "by": 0.5, "duration": 0.06}, "control": law},
        {"joint": "fore", "motion": {"profile": "constant"}, "control": {**law, "kp": 3.0, "kv": 0.2}},
    ]
    links = [link("upper", 0.5, hub_inertia=2e-2), link("fore", 0.4, position=0.6, hub_inertia=2e-3)]
    damped = [{**one, "damping": {"ratio": 0.01}} for one in links]
    run = fa.simulate(scenario(method, damped, drive=drive, time={"end": 0.1, "step": 5e-4}), warn=False)
    assert run.success and not any("halved" in note for note in run.notes)
    fine = [0.73633, 0.49756]  # fem, segments and ancf with steps of 0.025 ms
    assert run.data["tip_position"].values[-1, :2] == pytest.approx(fine, abs=2e-4)
